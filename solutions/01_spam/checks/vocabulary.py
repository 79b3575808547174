from helpers.checks import graded


@graded("vocabulary", points=6)
def score(check):
    kept = "counts of an earlier call are kept; start from nothing in each call"
    ### BEGIN MISTAKES
    from bisect import bisect_left
    from collections import Counter
    from itertools import chain

    import numpy as np

    from helpers.chapters.spam.together import one_by_one

    appearance = "ties are broken by order of appearance; sort them by the alphabet"
    alphabet = "the alphabet decides before the count does; the count comes first"
    chosen = "the chosen words are in alphabetical order; the most frequent comes first"
    rarest, reverse = "the rarest come first; reverse the order", "ties are in reverse alphabetical order"
    messages = "documents were counted, not occurrences: a word twice in one document counts twice"
    length = "ties are broken by the alphabet, not by the length of the words"
    head, tail = "only the first document was counted", "only the last document was counted"
    ignored, fewer, more = "`size` was ignored", "one word too few was kept", "one word too many was kept"
    repeated, pairs = "each word stands once in the vocabulary", "the words are asked for, without their counts"
    cut = "the words were cut off by order of appearance; sort all of them before you cut"
    short = "words of one letter were left out"
    place = "the vocabulary holds `size` words: no place is kept for unseen words"
    text_counts = "counts are numbers: as text, 10 comes before 9"
    entry = "the vocabulary has no entry for unseen words: their id comes after the last position"

    def slips(documents, size):
        """What the known mistakes give."""
        count = Counter(chain(*documents))
        containing = Counter(chain(*map(set, documents)))
        lowered = Counter(word.lower() for word in chain(*documents))
        replaced, text = {}, "\n".join(map(" ".join, documents))
        for tokens in documents:
            replaced |= Counter(tokens)

        def ranked(count, key=lambda word: word):
            return sorted(count, key=lambda word: (-count[word], key(word)))[: max(size, 0)]

        def by_count(words):
            return sorted(words, key=lambda word: -count[word])

        right = sorted(count, key=lambda word: (-count[word], word))
        appeared = by_count(count)[:size]
        filled = right + [""] * (size - len(right))
        return {
            appearance: appeared,
            cut: by_count(sorted(appeared)),
            alphabet: sorted(count)[:size],
            chosen: sorted(right[:size]),
            rarest: sorted(count, key=lambda word: (count[word], word))[:size],
            reverse: by_count(sorted(count, reverse=True))[:size],
            messages: ranked(containing),
            length: ranked(count, key=lambda word: (len(word), word)),
            "ties follow Python's own order of strings, capitals first; do not lower the words":
                ranked(count, key=str.lower),
            "the tokens were put into lower case; take them as they come": ranked(lowered),
            "words that occur once were left out": [w for w in right if count[w] > 1][:size],
            short: [w for w in right if len(w) > 1][:size],
            "the counts of a document are added to those before it: update() of a dict puts them in their place":
                ranked(replaced),
            head: ranked(Counter(documents[0])),
            tail: ranked(Counter(documents[-1])),
            ignored: right,
            fewer: right[: max(size - 1, 0)],
            more: right[: size + 1],
            repeated: sorted(chain(*documents), key=lambda word: (-count[word], word))[:size],
            pairs: [(w, count[w]) for w in right[:size]],
            entry: [*right[:size], "<unk>"],
            place: [*right[: size - 1], "<unk>"],
            f"{place} at the front": ["<unk>", *right[: size - 1]],
            "a token may hold a space: do not join and split the tokens again":
                ranked(Counter(" ".join(chain(*documents)).split())),
            "whole tokens are counted: a word was also found inside longer ones":
                ranked({word: text.count(word) for word in count}),
            text_counts: sorted(sorted(count), key=lambda word: str(count[word]), reverse=True)[:size],
            "there are fewer words than `size`: return all of them, and no filling": filled[:size],
            "there are fewer words than `size`: return all of them": IndexError,
            "there are fewer words than `size`: return all of them, without an error": ValueError,
        }

    check.mistakes(one_by_one(slips, [["a"]], 1), build_vocabulary)

    dropped = "the unseen word was dropped; it gets the id len(vocabulary)"
    minus = "the unseen word gets -1, which in NumPy means the last one; use len(vocabulary)"
    one, zero = "ids start at 0, not at 1", "the unseen word shares the id 0 with the first word; use len(vocabulary)"
    nothing = "None is no id; the unseen word gets len(vocabulary)"
    last = "the unseen word shares the id of the last word; use len(vocabulary), not one less"
    beyond = "the unseen word gets len(vocabulary), not one more"
    tokens_long = "the unseen word gets len(vocabulary), not len(tokens)"
    false = "the first word has the position 0, which counts as False: ask `in` or `is None` instead"
    key, value = "an unseen word must get an id, not a KeyError", "an unseen word must get an id, not a ValueError"
    text = "ids are numbers, not text"
    given = "the ids are positions in the vocabulary as it is given, not in the alphabet"
    again = "each token gets its id, each time that it occurs"
    search = "binary search needs words in the order of the alphabet; the vocabulary has another order"
    former = "the positions of an earlier vocabulary are kept; make them anew in each call"
    in_order = "the ids keep the order of the tokens; do not sort them"

    def id_slips(tokens, vocabulary):
        """What the known mistakes give."""
        m = len(vocabulary)
        places = {word: i for i, word in enumerate(vocabulary)}
        own, in_alphabet = dict(places), sorted(vocabulary)

        def ids(unseen, step=0, tokens=tokens, places=places):
            return [places[t] + step if t in places else unseen for t in tokens]

        def searched(found):
            pairs = zip(map(int, found), tokens, strict=True)
            return [i if i < m and vocabulary[i] == t else m for i, t in pairs]

        by_numpy = np.searchsorted(vocabulary, tokens) if m else [0] * len(tokens)
        return {
            dropped: [i for i in ids(-1) if i >= 0],
            minus: ids(-1),
            one: ids(m + 1, 1),
            f"{one} (the unseen word is right)": ids(m, 1),
            f"{one}, and 0 is not the unseen word": ids(0, 1),
            zero: ids(0),
            nothing: ids(None),
            last: ids(m - 1),
            beyond: ids(m + 1),
            tokens_long: ids(len(tokens)),
            false: [i or m for i in ids(m)],
            "all unseen words share one id, len(vocabulary)": [own.setdefault(t, len(own)) for t in tokens],
            given: [in_alphabet.index(t) if t in places else m for t in tokens],
            search: searched(bisect_left(vocabulary, t) for t in tokens),
            f"{search}, for np.searchsorted as for bisect": searched(by_numpy),
            again: ids(m, tokens=list(dict.fromkeys(tokens))),
            "the tokens were put into lower case; look them up as they come":
                ids(m, tokens=[t.lower() for t in tokens]),
            in_order: sorted(ids(m)),
            text: list(map(str, ids(m))),
            former: ids(m, places={"a": 0, "b": 1}),
            key: KeyError,
            value: ValueError,
        }

    check.mistakes(one_by_one(id_slips, ["a"], ["a"]), to_token_ids)
    ### END MISTAKES
    documents = [["now", "prize", "free"], ["you", "see", "you", "now", "you"], ["free", "bus", "see"]]
    check(build_vocabulary, documents, 4).equals(["you", "free", "now", "see"])
    check(build_vocabulary, [["c", "a", "c"], ["a", "b", "b", "d"]], 2).equals(["a", "b"], near={kept: ["you", "a"]})
    check(build_vocabulary, [["B", "b", "B"], ["a", "a", "C"]], 9).equals(
        ["B", "a", "C", "b"], about="capitals, and fewer words than `size`",
        near={
            "there are fewer words than `size`: return all of them": IndexError,
            "there are fewer words than `size`: return all of them, without an error": ValueError,
            "there are fewer words than `size`: return all of them, without '<unk>' for those that lack":
                ["B", "a", "C", "b", *["<unk>"] * 5],
        },
    )
    documents = [["not spam", "a"], ["not spam", "spam", "a"], ["spam"]]
    check(build_vocabulary, documents, 2).equals(["a", "not spam"], about="tokens that hold a space")

    check(to_token_ids, ["b", "z", "a"], ["a", "b"]).equals(
        [1, 2, 0],
        near={
            "an unseen word must get an id, not a KeyError": KeyError,
            "an unseen word must get an id, not a ValueError": ValueError,
        },
    )
    check(to_token_ids, ["b", "Z", "a", "B", "b"], ["c", "b", "a"]).equals(
        [1, 3, 2, 3, 1], about="two unseen words, and a word twice"
    )
    ### BEGIN HIDDEN TESTS
    from sklearn.feature_extraction.text import CountVectorizer

    check.hidden()
    words = np.array([c + d for c in "kbzaQX" for d in ("", "1", "22", "_33", "4444")])
    small = [
        ([["r", "p", "q"]], 2),
        ([["b", "a", "b"]], 2),
        ([["y", "D", "x", "C"], ["y", "D", "x", "C"]], 3),
        ([["ccc", "bb", "dd", "a"]], 2),
        ([["p"] * 9, ["q"] * 10, ["r"] * 2], 3),
        ([["a", "b", "c"], ["c", "d"]], 9),
        ([["m", "n"], ["n", "o"], ["o", "o", "p"]], 1),
        ([["Now", "you"], ["now", "see"], ["you", "now", "you"]], 3),
        ([["to be", "or", "to be"], ["be", "or not"]], 3),
    ]
    sizes = check.rng.integers(2, 11, size=(3, 8))
    drawn = []
    for lengths, size in zip(sizes, (5, 12, 100), strict=True):
        documents = [list(map(str, check.rng.choice(words, size=n))) for n in lengths]
        drawn.append((documents, size))
    many = [f"w{i}" for i in check.rng.permutation(150)]
    repeated_start = [[*many[:9], word] for word in many]
    total = Counter("now prize free you see you now you free bus see b a b c a c d B b B a a C".split())  # of all calls
    total.update(["not spam", "a", "not spam", "spam", "a", "spam"])
    for documents, size in [*small, *drawn, (repeated_start, 120)]:
        counter = CountVectorizer(analyzer=lambda tokens: tokens)
        totals = np.asarray(counter.fit_transform(documents).sum(0)).ravel()
        names = counter.get_feature_names_out()  # in alphabetical order
        total.update(chain(*documents))
        check(build_vocabulary, documents, size).equals(
            [str(w) for w in names[np.argsort(-totals, kind="stable")][:size]], about="other documents",
            near={kept: sorted(total, key=lambda word: (-total[word], word))[:size]},
        )

    words = np.array([f"{c}{d}" for c in "kbzKBZ" for d in range(4)])
    vocabulary = ["K3", *map(str, check.rng.permutation(words[words != "K3"])[:10])]
    tokens = ["K3", "none", *map(str, check.rng.choice(words, size=25)), "never"]
    drawn = [
        (tokens, vocabulary), (["c", "a", "q", "c", "r", "b", "a"], ["c", "a", "b"]),
        (["a", "c", "b", "z", "c", "c", "b"], ["b", "c", "a"]), (many[30:] + many[:5], many[:100]),
    ]
    for tokens, vocabulary in drawn:
        wanted = [vocabulary.index(t) if t in vocabulary else len(vocabulary) for t in tokens]
        check(to_token_ids, tokens, vocabulary).equals(wanted, about="other tokens, some unseen")
    none = {
        "there are fewer words than `size`: return all of them": IndexError,
        "there are fewer words than `size`: return all of them, and no filling": [""] * 3,
        entry: ["<unk>"],
    }
    check(build_vocabulary, [[], []], 3).equals([], about="empty documents", edge=True, near=none)
    none = {fewer: ["a"], more: ["a"], ignored: ["a", "b"], entry: ["<unk>"]}
    check(build_vocabulary, [["a"], ["b"]], 0).equals([], about="size 0", edge=True, near=none)
    check(to_token_ids, [], ["a"]).equals([], about="no tokens", edge=True)
    check(to_token_ids, ["b", "", "a"], ["a", "", "b"]).equals(
        [2, 1, 0], about="an empty token", edge=True,
        near={
            "an empty token is a token like any other": [2, 0],
            "an empty token is a token like any other: look it up": [2, 3, 0],
        },
    )
    check(to_token_ids, ["a", "b"], []).equals([0, 0], about="empty vocabulary", edge=True)
    ### END HIDDEN TESTS


score
