from helpers.checks import graded


@graded("train", points=8)
def score(check):
    same = "two words became the same: add up their counts"
    there = "a token that is there already does not make the vocabulary grow"

    ### BEGIN MISTAKES
    left = "a tie of the left symbols: then the smallest id of the right symbol"
    rare = "a pair that occurs once is merged, too: only without any pair it ends"

    def joined_in(s, p, j):
        out, i = [], 0
        while i < len(s):
            hit = i + 1 < len(s) and s[i] == p[0] and s[i + 1] == p[1]
            out, i = [*out, j if hit else s[i]], i + 2 if hit else i + 1
        return out

    def trained(key=None, weight=lambda n: n, most=None, stop=lambda vocabulary, merges, size: len(vocabulary) < size,
                grow=False, one=False, stale=False, least=1, known="", turn=list, renewed=False, kept=False):
        key = key or (lambda pair, count, ids, seen: (-count, ids[pair[0]], ids[pair[1]]))

        def function(words, alphabet, vocab_size):
            table, vocabulary, merges = [(list(s), n) for s, n in words.items()], turn(alphabet), []
            old, newer = None, {}
            while stop(vocabulary, merges, vocab_size):
                counts = {}
                for s, n in table:
                    for i in range(len(s) - 1):
                        counts[s[i], s[i + 1]] = counts.get((s[i], s[i + 1]), 0) + weight(n)
                if stale:
                    old = counts if old is None else old
                    counts = {p: n for p, n in old.items() if p not in merges}
                counts = {p: n for p, n in counts.items() if n >= least}
                if not counts:
                    break
                ids = {}
                for i, v in enumerate(vocabulary):
                    ids.setdefault(v, i)
                ids |= newer
                seen = {p: i for i, p in enumerate(counts)}
                if known == "skip":
                    seen = {p: i for p, i in seen.items() if p[0] + p[1] not in ids}
                if not seen:
                    break
                best = min(seen, key=lambda p: key(p, counts[p], ids, seen))
                if known == "end" and best[0] + best[1] in ids:
                    break
                if known != "unlisted" or best[0] + best[1] not in ids:
                    merges.append(best)
                if renewed and best[0] + best[1] in ids:
                    newer[best[0] + best[1]] = len(ids)
                if grow or best[0] + best[1] not in ids:
                    vocabulary.append(best[0] + best[1])
                if not kept:
                    table = [(joined_in(s, best, best[0] + best[1]), n) for s, n in table]
                if one:
                    break
            return merges

        return function

    def turned_round(symbol):
        """A key by which the last in the order of letters comes first."""
        octets = symbol.encode() if hasattr(symbol, "encode") else symbol
        return [-b for b in octets]

    check.mistakes({
        "how often each word occurs was ignored": trained(weight=lambda n: 1),
        "vocab_size is the number of tokens in all, alphabet and merges together":
            trained(stop=lambda v, m, size: len(m) < size),
        "one merge too few": trained(stop=lambda v, m, size: len(v) < size - 1),
        "one merge too many": trained(stop=lambda v, m, size: len(v) <= size),
        "counts are taken anew after each merge": trained(stale=True),
        "a tie: the ids decide, not which pair was seen first": trained(lambda p, n, ids, seen: (-n, seen[p])),
        "a tie: the ids decide, not which pair was seen last": trained(lambda p, n, ids, seen: (-n, -seen[p])),
        "a tie: the ids decide, the places in the alphabet, not the order of the letters":
            trained(lambda p, n, ids, seen: (-n, p)),
        "a tie: here the largest pair in the order of letters wins":
            trained(lambda p, n, ids, seen: (-n, turned_round(p[0]), turned_round(p[1]))),
        "a tie: the smallest ids win, here it is the largest":
            trained(lambda p, n, ids, seen: (-n, -ids[p[0]], -ids[p[1]])),
        "a tie: the left symbol decides before the right one":
            trained(lambda p, n, ids, seen: (-n, ids[p[1]], ids[p[0]])),
        left: trained(lambda p, n, ids, seen: (-n, ids[p[0]], seen[p])),
        "the rarest pair was merged": trained(lambda p, n, ids, seen: (n, ids[p[0]], ids[p[1]])),
        "the longest joined symbol was preferred":
            trained(lambda p, n, ids, seen: (-len(p[0] + p[1]), -n, ids[p[0]], ids[p[1]])),
        "a tie: the left id decides, then the right one: here their sum did":
            trained(lambda p, n, ids, seen: (-n, ids[p[0]] + ids[p[1]], seen[p])),
        "a tie: the left id decides, then the right one: here the larger or smaller of the two did":
            trained(lambda p, n, ids, seen: (-n, *sorted((ids[p[0]], ids[p[1]])), seen[p])),
        "a token that is made again keeps its id": trained(renewed=True),
        "a tie: the left id decides first, here only the right one did":
            trained(lambda p, n, ids, seen: (-n, ids[p[1]], seen[p])),
        "a tie: the ids decide, not the joined text": trained(lambda p, n, ids, seen: (-n, p[0] + p[1], seen[p])),
        "a tie: the ids decide, not the length of the joined symbol":
            trained(lambda p, n, ids, seen: (-n, len(p[0] + p[1]), ids[p[0]], ids[p[1]])),
        "a tie: the ids decide, here the longer joined symbol came first":
            trained(lambda p, n, ids, seen: (-n, -len(p[0] + p[1]), ids[p[0]], ids[p[1]])),
        "the ids are the places in `alphabet` as it is given: it was sorted": trained(turn=sorted),
        "a merge whose joined symbol is a token already is listed all the same": trained(known="unlisted"),
        "a pair whose joined symbol is a token already is merged and listed all the same": trained(known="skip"),
        "a joined symbol that is a token already does not end the training": trained(known="end"),
        there: trained(grow=True),
        "a merge is a pair, not the joined symbol": lambda *a: [p[0] + p[1] for p in trained()(*a)],
        rare: trained(least=2),
        "only one merge was made": trained(one=True),
        "the words stay as they were: a merge is made in all of them, then pairs are counted anew":
            trained(kept=True, grow=True),
        "the vocabulary came back: the merges are asked":
            lambda words, alphabet, size: list(alphabet) + [p[0] + p[1] for p in trained()(words, alphabet, size)],
    }, train_bpe)
    ### END MISTAKES
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    check(train_bpe, corpus, list("_ahorw"), 8).equals([("w", "_"), ("o", "w_")], about="the four words")
    check(train_bpe, {tuple("bac"): 2, tuple("cbb"): 2}, list("bca"), 5).equals([("b", "b"), ("b", "a")])
    words = {tuple("abc"): 5, ("ab", "c"): 3, tuple("dc"): 4, tuple("de"): 2, tuple("db"): 2, ("ab", "e"): 2,
             tuple("ad"): 2, tuple("ec"): 1, ("ee", "c"): 1}
    known, all_of_them = ["a", "b", "ab", "c", "d", "ee", "e"], [
        ("a", "b"), ("ab", "c"), ("d", "c"), ("a", "d"), ("ab", "e"), ("d", "b"), ("d", "e"), ("ee", "c"), ("e", "c")]
    check(train_bpe, words, known, 9).equals(
        all_of_them[:3], about="ab is known",
        near={
            f"{there}; {same}": [("a", "b"), ("d", "c")],
            same: [("a", "b"), ("d", "c"), ("ab", "c")],
        },
    )
    left_none = "where no pair is left it ends"
    ended = {f"{left_none}: min or max of nothing is an error": ValueError,
             f"{left_none}: an empty list has no first item": IndexError, f"{left_none}: None is no pair": TypeError}
    check(train_bpe, words, known, 30).equals(
        all_of_them, about="until no pair is left",
        near={
            same: [("a", "b"), ("d", "c"), ("ab", "c"), *all_of_them[3:]],
            **ended,
        },
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    right = trained()
    for letters_used, words_used, extra in [("tahe", 6, 5), ("zyxwv", 8, 7), ("ab", 5, 6), ("abcdefg", 10, 9)]:
        mixed = list(letters_used)
        check.rng.shuffle(mixed)
        words = {}
        for _ in range(words_used):
            size = int(check.rng.integers(2, 9))
            words["".join(check.rng.choice(mixed, size=size))] = int(check.rng.integers(1, 5))
        words = {tuple(w): n for w, n in words.items()}
        size = len(mixed) + extra
        check(train_bpe, words, mixed, size).equals(right(words, mixed, size), about="fresh words, ties among them")
    octets = [bytes([b]) for b in (195, 169, 32, 116, 104)]
    words = {}
    for _ in range(4):
        word = tuple(octets[i] for i in check.rng.integers(0, 5, size=7))
        words[word] = int(check.rng.integers(1, 30))
    check(train_bpe, words, octets, 12).equals(right(words, octets, 12), about="bytes")
    runs = {("a",) * 11: 5, ("a",) * 7 + ("b",): 2, ("b", "a", "a"): 3}
    check(train_bpe, runs, ["b", "a"], 9).equals(right(runs, ["b", "a"], 9), about="repeated symbols")
    words, started = {("a", "b", "c"): 3, ("c", "c", "a"): 2, ("a", "b"): 2}, ["c", "a", "ab", "b"]
    check(train_bpe, words, started, 6).equals(right(words, started, 6), about="the joined symbol is a token already")
    many = [chr(i) for i in check.rng.permutation(range(97, 187))]
    words = {tuple(map(str, check.rng.choice(many[:40], size=4))): int(check.rng.integers(1, 9)) for _ in many}
    check(train_bpe, words, many, 98).equals(right(words, many, 98), about="a large alphabet")
    check(train_bpe, {("a", "b"): 3}, ["a", "b"], 50).equals(
        [("a", "b")], about="no pair is left", edge=True,
        near=ended | {f"{left_none}, and the last pair is not merged again": [("a", "b")] * 48})
    for size in (6, 3):
        check(train_bpe, corpus, list("_ahorw"), size).equals([], about="nothing to add", edge=True)
    check(train_bpe, {("a", "a"): 2}, ["a"], 1).equals([], about="an alphabet of one symbol", edge=True)
    check(train_bpe, {("a", "a"): 2}, ["a"], 2).equals([("a", "a")], about="an alphabet of one symbol", edge=True)
    check(train_bpe, {}, ["a"], 5).equals([], about="no words", edge=True, near=ended)
    check.mistakes({}, train_bpe)
    check(train_bpe, {tuple("ab"): 2, tuple("ac"): 2}, list("acb"), 4).equals(
        [("a", "c")], about="ties of the left symbol", near={left: [("a", "b")]})
    check(train_bpe, {tuple("abc"): 1}, list("cab"), 5).equals(
        [("a", "b"), ("ab", "c")], about="pairs that occur once", edge=True,
        near={rare: []})
    check(train_bpe, {tuple("abc"): 3, ("ab", "c"): 2, tuple("de"): 3}, [*"abcde", "ab"], 7).equals(
        [("a", "b"), ("ab", "c")], about="two words become the same", edge=True,
        near={same: [("a", "b"), ("d", "e")]})
    check(train_bpe, {tuple("ab"): 9, ("ab", "c"): 2, tuple("dec"): 2}, ["ab", *"abcde"], 8).equals(
        [("a", "b"), ("ab", "c"), ("d", "e")], about="a token made again", edge=True,
        near={"a token that is made again keeps its id": [("a", "b"), ("d", "e"), ("ab", "c")]})
    ### END HIDDEN TESTS


score
