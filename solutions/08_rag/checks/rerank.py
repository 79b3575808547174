from helpers.checks import graded


@graded("rerank", points=6)
def score(check):
    ### BEGIN MISTAKES
    repeats = "each word counts once, however often it stands there"

    def made(once=set, value=lambda idf, w: idf[w], third="title", near=12, count=lambda idf, w: 1, known=True, less=0,
             step=1, each=False):
        def function(query, title, body, idf):
            def kept(words):
                return [*once([word for word in words if word in idf])]

            q, t, b = kept(query), kept(title), kept(body)

            def total(ws):
                return sum(value(idf, w) for w in ws)

            def part(some, other):
                return total([w for w in some if w in other])

            def ratio(a, b):
                return a / b if b else 0.0

            asked = sorted(set(q) if known else set(query))
            starts = range(0, max(1, len(body) - near + 1 - less) if step == 1 else max(1, len(body)), step)
            pieces = [body[s : s + near] for s in starts]

            def closeness(piece):
                if each:
                    return sum(word in asked for word in piece)
                return sum(count(idf, word) for word in asked if word in piece)

            close = max(map(closeness, pieces))
            bottom = total(t) if third == "title" else total(q)
            return [ratio(part(q, t), total(q)), ratio(part(q, b), total(q)), ratio(part(t, q), bottom),
                    ratio(close, sum(count(idf, w) for w in asked))]

        return function

    def centred(query, title, body, idf):
        asked = {w for w in query if w in idf}
        pieces = [body[max(0, i - 6) : i + 6] for i, w in enumerate(body) if w in asked]
        close = max((len(asked.intersection(piece)) for piece in pieces), default=0)
        return [*made()(query, title, body, idf)[:3], close / len(asked) if asked else 0.0]

    def repeated(where):
        """The features, the first or the second with a sum over all words of the title or the body."""
        def function(query, title, body, idf):
            found = made()(query, title, body, idf)
            asked = {w for w in query if w in idf}
            total = sum(idf[w] for w in asked)
            in_common = sum(idf[w] for w in (title, body)[where] if w in asked)
            found[where] = in_common / total if total else 0.0
            return found

        return function

    def of_query(query, title, body, idf):
        found, known = made()(query, title, body, idf), [w for w in query if w in idf]
        total = sum(idf[w] for w in known)

        def share(words):
            in_common = sum(idf[word] for word in known if word in words)
            return in_common / total if total else 0.0

        return [share(title), share(body), *found[2:]]

    def listed(weights=True, third=False, above=False):
        """The features, with a query whose repeats count in closeness, and where else they do."""
        def function(query, title, body, idf):
            asked = [word for word in query if word in idf]
            found = (of_query if weights else made())(query, title, body, idf)
            if third:
                in_common = sum(idf[word] for word in asked if word in title)
                weight = sum(idf[word] for word in set(title) if word in idf)
                found[2] = in_common / weight if weight else 0.0
            pieces = [body[i : i + 12] for i in range(max(1, len(body) - 11))]
            words = asked if above else set(asked)
            counts = []
            for piece in pieces:
                counts.append(len([word for word in words if word in piece]))
            return [*found[:3], max(counts) / len(asked) if asked else 0.0]

        return function

    def by_window(query, title, body, idf):
        found, asked = made()(query, title, body, idf), {word for word in query if word in idf}
        return [*found[:3], found[3] * len(asked) / 12]

    def counted(query, title, body, idf):
        found, asked = made()(query, title, body, idf), {word for word in query if word in idf}
        return [*found[:3], found[3] * len(asked)]

    def lowered(query, title, body, idf):
        def lower(words):
            return [word.lower() for word in words]

        return made()(lower(query), lower(title), lower(body), idf)

    def undivided(query, title, body, idf):
        def weight(words):
            return sum(idf[word] for word in set(words) if word in idf)

        asked = {word for word in query if word in idf}
        divisors = [weight(query), weight(query), weight(title), len(asked)]
        found = made()(query, title, body, idf)
        return [feature * divisor for feature, divisor in zip(found, divisors, strict=True)]

    check.mistakes({
        "the body's words count once each, however often they stand there": repeated(1),
        "the title's words count once each in the first feature, too": repeated(0),
        repeats + ", in the query, too": of_query,
        repeats + ", in the query, too, for its weight and for closeness": listed(),
        repeats + ", in the query, too, for its weight and on both sides of closeness": listed(above=True),
        repeats + ", in the query, too, for all four features": listed(third=True),
        repeats + ", in the query, too, for all four features, on both sides of closeness":
            listed(third=True, above=True),
        "closeness is divided by the number of different query words: a repeated one counts once": listed(False),
        "closeness counts different query words, above and below the line": listed(False, above=True),
        "closeness is divided by the number of query words, not by 12": by_window,
        "closeness is divided by the number of query words": counted,
        "a window may begin at any word: it need not have a word of the query in its middle": centred,
        "the words count by their IDF, not one each": made(value=lambda idf, w: 1),
        "the third feature is divided by the weight of the title, not of the query": made(third="query"),
        "closeness looks at 12 words at a time, not at the whole body": made(near=10**6),
        "closeness counts words, each 1, without IDF": made(count=lambda idf, w: idf.get(w, 0)),
        repeats: made(once=list),
        "words that are not in idf do not count in closeness, either": made(known=False),
        "windows begin at every word, not at every twelfth": made(step=12),
        "closeness counts different words: one that stands twice in a window counts once": made(each=True),
        "words are compared as they are: capitals count": lowered,
        "the last window, up to the end of the body, was left out": made(less=1),
        "a window has 12 words, not 11": made(near=11),
        "a window has 12 words, not 13": made(near=13),
        "the first two features are exchanged: title, then body": lambda *a: [made()(*a)[i] for i in (1, 0, 2, 3)],
        "the features are not divided": undivided,
    })
    ### END MISTAKES
    ones = dict.fromkeys("abcxyz", 1.0)
    check(features, list("abc"), list("ax"), list("byc"), ones).equals([1 / 3, 2 / 3, 1 / 2, 2 / 3], near={
        "a body shorter than a window is one window": [1 / 3, 2 / 3, 1 / 2, 0],
    })
    idf = {"a": 3.0, "b": 1.0, "c": 2.0, "x": 1.5, "y": 0.5}
    body = ["b"] + ["y"] * 12 + ["c", "c", "a"]
    query = ["a", "b", "c", "a", "c", "q"]
    check(features, query, ["c", "x", "x", "p"], body, idf).equals([1 / 3, 1, 4 / 7, 2 / 3], near={
        "each word of the title counts once, however often it stands there": [1 / 3, 1, 2 / 5, 2 / 3],
        "the second feature is divided by the weight of the query, not of the body": [1 / 3, 12 / 13, 4 / 7, 2 / 3],
        "words that are not in idf count nowhere": KeyError,
    })
    idf |= {"A": 2.5, "d": 0.5, "e": 1.5}
    body = list("yyyyybayyyyyyyyycdyyyyyyyyye")
    check(features, list("abcde"), ["A", "c", "x"], body, idf).equals([1 / 4, 1, 1 / 3, 3 / 5])
    check(features, ["q"], ["q"], ["a"], idf).equals(
        [0, 0, 0, 0], about="divisors of 0", near={"where the divisor is 0, the feature is 0": ZeroDivisionError})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    zero = "where the divisor is 0, the feature is 0"
    vocabulary = [f"w{i}" for i in range(18)]
    vocabulary += [f"W{i}" for i in range(12)]
    for size in (40, 25, 18, 60):
        idf = {w: float(v) for w, v in zip(vocabulary[:24], check.rng.uniform(0.2, 5, size=24), strict=True)}
        query, title, body = (
            [str(w) for w in check.rng.choice(vocabulary, size=n)] for n in (9, 5, size)
        )
        check(features, query, title, body, idf).equals(made()(query, title, body, idf), about="a fresh passage")
    for query, title, body in [(vocabulary[:3], vocabulary[:5], vocabulary[2:6]), (
            vocabulary[1:4], vocabulary[2:7], vocabulary[3:7]), (
            vocabulary[:3], ["w1", "w9", "w1", "w2", "w2"], vocabulary[2:6] * 2), (
            ["w1", "w2", "w1", "w3", "w1"], ["w1", "w9"], vocabulary[1:6])]:
        check(features, query, title, body, idf).equals(made()(query, title, body, idf), about="a fresh passage")
    many = {f"v{i}": float(v) for i, v in enumerate(check.rng.uniform(0.2, 5, size=100))}
    query, title, body = (
        [str(w) for w in check.rng.permutation([*many, "zz"])[:n]] for n in (80, 75, 90))
    check(features, query, title, body * 2, many).equals(made()(query, title, body * 2, many), about="long texts")
    odd = {"": 2.0, "a": 3.0, "A": 0.5, "b": 1.0}
    for query, title, body in [(["", "A", "b"], ["a", ""], ["", "b", "x"]), (["a", "b"], ["", "A"], ["", "A", "a"])]:
        check(features, query, title, body, odd).equals(
            made()(query, title, body, odd), about="words as they are", edge=True)
    body = ["w25"] * 11
    check(features, ["w0", "w1"], ["w1"], [*body, "w1"], idf).equals(
        made()(["w0", "w1"], ["w1"], [*body, "w1"], idf), about="the last word alone")
    check(features, ["w0", "w1"], ["w1"], body, idf).equals(
        made()(["w0", "w1"], ["w1"], body, idf), about="no word of the query in the body")
    check(features, ["a", "b"], ["b"], ["a", *["x"] * 12], {"a": 0.0, "b": 0.0, "x": 1.0}).equals(
        [0, 0, 0, 1 / 2], about="weights of 0", edge=True, near={
            zero: ZeroDivisionError, zero + ", not 1": [1, 1, 1, 1 / 2],
            "closeness counts each word that is in idf as 1, even one whose IDF is 0": [0, 0, 0, 0]})
    query = vocabulary[:4]
    body = ["w0"] + ["w25"] * 7 + ["w1"] + ["w25"] * 5
    check(features, query, ["w9"], body, idf).equals(made()(query, ["w9"], body, idf), about="eight words apart")
    body = ["w25"] * 20 + query
    check(features, query, ["w0"], body, idf).equals(made()(query, ["w0"], body, idf), about="close at the very end")
    body = ["w0"] + ["w25"] * 10 + ["w1"] + ["w25"] * 5
    check(features, query, ["w9"], body, idf).equals(made()(query, ["w9"], body, idf), about="just twelve words apart")
    body = ["w0"] + ["w25"] * 11 + ["w1"] + ["w25"] * 5
    check(features, query, ["w9"], body, idf).equals(made()(query, ["w9"], body, idf), about="just too far apart")
    check(features, ["w1", "w2"], ["w1"], ["w2", "w5"], idf).equals(
        made()(["w1", "w2"], ["w1"], ["w2", "w5"], idf), about="a short body", edge=True
    )
    check(features, ["zz"], ["zz"], ["zz"], idf).equals([0, 0, 0, 0], about="no word is known", edge=True, near={
        zero: ZeroDivisionError, zero + ", not 1": [1, 1, 1, 1]})
    check(features, [], [], [], idf).equals([0, 0, 0, 0], about="empty lists", edge=True, near={
        zero: ZeroDivisionError, zero + ", not 1": [1, 1, 1, 1]})
    ### END HIDDEN TESTS


score
