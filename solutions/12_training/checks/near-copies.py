from helpers.checks import graded


@graded("near-copies", points=7)
def score(check):
    import itertools

    ### BEGIN MISTAKES
    def runs(words, n, *, last=0, step=1, few="whole"):
        if len(words) < n:
            return {"whole": {tuple(words)}, "none": set(), "words": {(w,) for w in words}}[few]
        return {tuple(words[i : i + n]) for i in range(0, len(words) - n + 1 + last, step)}

    check.mistakes(
        {
            "the last sequence is missing": lambda w, n: runs(w, n, last=-1),
            "sequences that are too short were added at the end": lambda w, n: runs(w, n, last=n - 1),
            "sequences do not overlap here: each begins one word after the one before": lambda w, n: runs(w, n, step=n),
            "a document of fewer than n words has one shingle, all of its words": lambda w, n: runs(w, n, few="none"),
            "a document of fewer than n words has one shingle, not one for each word": lambda w, n: runs(
                w, n, few="words"
            ),
            "the order inside a shingle counts": lambda w, n: {tuple(sorted(s)) for s in runs(w, n)},
            "these are all combinations of n words: they are side by side": lambda w, n: (
                set(itertools.combinations(w, n)) or {tuple(w)}
            ),
            "these are single words": lambda w, n: {(word,) for word in w},
            "a shingle is a tuple of words, not a text": lambda w, n: {" ".join(s) for s in runs(w, n)},
        },
        shingles,
    )
    def each_seed(pick, both=False):
        def call(items, hash_of, seeds):
            items, signature = sorted(items), []
            for seed in seeds:
                hashes = [hash_of(seed, item) for item in items]
                signature.append(pick(hashes, items) if both else pick(hashes))
            return signature

        return call

    def of_one_seed(items, hash_of, seeds):
        seeds = list(seeds)
        return sorted(hash_of(seeds[0], item) for item in items)[: len(seeds)]

    check.mistakes(
        {
            "the largest hash of each seed came back: the smallest": each_seed(max),
            "the items came back, not their hashes": each_seed(lambda h, items: items[h.index(min(h))], both=True),
            "these are the smallest hashes of one seed": of_one_seed,
            "the signature was sorted: it has the order of the seeds": lambda *a: sorted(each_seed(min)(*a)),
            "the first seed alone was used": lambda s, h, seeds: each_seed(min)(s, h, [min(seeds) for _ in seeds]),
            "0, 1, 2, ... were used as seeds: take those of `seeds`":
                lambda s, h, seeds: each_seed(min)(s, h, range(len(list(seeds)))),
            "the sum of the hashes came back: the smallest": each_seed(sum),
            "one hash of one item came back: the smallest of all": each_seed(lambda hashes: hashes[0]),
        },
        signature,
    )

    def neighbours(signatures, band):
        last, found = {}, set()
        for i, numbers in enumerate(signatures):
            for part in enumerate(cut(numbers, band)):
                if part in last:
                    found.add((last[part], i))
                last[part] = i
        return found

    def pairs(signatures, band, agree):
        return {
            (i, j)
            for i, j in itertools.combinations(range(len(signatures)), 2)
            if agree(signatures[i], signatures[j], band)
        }

    def bands(a, b, r):
        return [x == y for x, y in zip(cut(a, r), cut(b, r), strict=False)]

    def cut(numbers, r):
        return [tuple(numbers[k : k + r]) for k in range(0, len(numbers), r)]

    check.mistakes(
        {
            "all bands must agree here: one is enough": lambda s, r: pairs(s, r, lambda a, b, r: all(bands(a, b, r))),
            "one equal number is enough here: all numbers of a band": lambda s, r: pairs(
                s, r, lambda a, b, r: any(x == y for x, y in zip(a, b, strict=False))
            ),
            "the first numbers of a band are enough here: all of its numbers": lambda s, r: pairs(
                s, r, lambda a, b, r: any(x == y for x, y in zip(a[::r], b[::r], strict=False))
            ),
            "only the first band was looked at": lambda s, r: pairs(s, r, lambda a, b, r: bands(a, b, r)[0]),
            "only the last band was looked at": lambda s, r: pairs(s, r, lambda a, b, r: bands(a, b, r)[-1]),
            "equal numbers in different bands mean nothing": lambda s, r: pairs(
                s, r, lambda a, b, r: bool(set(cut(a, r)) & set(cut(b, r)))
            ),
            "`band` is how many numbers a band has, not how many bands there are": lambda s, r: pairs(
                s, r, lambda a, b, r: any(bands(a, b, max(len(a) // r, 1)))
            ),
            "bands do not overlap": lambda s, r: pairs(
                s, r, lambda a, b, r: any(a[k : k + r] == b[k : k + r] for k in range(len(a) - r + 1))
            ),
            "a pair is (i, j) with i < j: both orders are there": lambda s, r: {
                p for i, j in pairs(s, r, lambda a, b, r: any(bands(a, b, r))) for p in ((i, j), (j, i))
            },
            "the larger index is first: i < j": lambda s, r: {
                (j, i) for i, j in pairs(s, r, lambda a, b, r: any(bands(a, b, r)))
            },
            "the order of the numbers in a band counts": lambda s, r: pairs(
                s, r, lambda a, b, r: any(sorted(x) == sorted(y) for x, y in zip(cut(a, r), cut(b, r), strict=False))
            ),
            "only neighbours under one key were paired: every two of them": neighbours,
        },
        candidates,
    )

    def equal(a, b):
        return sum(x == y for x, y in zip(a, b, strict=False)) / len(a)

    def stay(signatures, band, threshold, *, against="kept", banded=True, strict=False, later=False):
        order = range(len(signatures))[::-1] if later else range(len(signatures))
        kept = []
        for j in order:
            others = kept
            if against == "all":
                others = range(j)
            near = False
            for i in others:
                share = equal(signatures[i], signatures[j])
                enough = share > threshold if strict else share >= threshold
                near = near or (enough and (not banded or any(bands(signatures[i], signatures[j], band))))
            if not near:
                kept.append(j)
        return sorted(kept)

    check.mistakes(
        {
            "the later of two copies stays: the earlier one does": lambda s, r, t: stay(s, r, t, later=True),
            "a document was dropped for its likeness to one that is gone itself": lambda s, r, t: stay(
                s, r, t, against="all"
            ),
            "the share of equal numbers was not asked: a candidate pair alone is not enough": lambda s, r, t: stay(
                s, r, 0.0
            ),
            "all pairs were compared: only candidate pairs are": lambda s, r, t: stay(s, r, t, banded=False),
            "a share of exactly `threshold` is enough": lambda s, r, t: stay(s, r, t, strict=True),
            "these are the documents that go: those that stay are asked for": lambda s, r, t: [
                i for i in range(len(s)) if i not in stay(s, r, t)
            ],
            "both documents of a pair were dropped: the earlier one stays": lambda s, r, t: [
                i
                for i in range(len(s))
                if not any(i != j and any(bands(s[i], s[j], r)) and equal(s[i], s[j]) >= t for j in range(len(s)))
            ],
            "the signatures came back: their indices are asked for": lambda s, r, t: [s[i] for i in stay(s, r, t)],
        },
        keep_first,
    )
    ### END MISTAKES
    check(shingles, ["a", "b", "c", "d"], 2).equals(
        {("a", "b"), ("b", "c"), ("c", "d")}, about="pairs of words by hand"
    )
    check(shingles, ["to", "be"], 3).equals({("to", "be")}, about="fewer words than n")
    table = {"ab": 7, "bc": 3, "cd": 9, "ce": 1}

    def look_up(seed, item):
        return (table[item] + 4 * (seed - 5)) % 10

    check(signature, {"ab", "bc", "cd"}, look_up, [5, 6]).equals([3, 1], about="two seeds by hand")
    check(signature, {"ab", "bc", "ce"}, look_up, [6, 5]).equals([1, 1], about="other seeds")
    four = [[1, 2, 3, 4], [1, 2, 9, 9], [9, 9, 3, 4], [2, 1, 1, 2]]
    check(candidates, four, 2).equals({(0, 1), (0, 2)}, about="four documents, two bands")
    three = [[1, 2, 3, 4, 5, 6], [0, 2, 3, 0, 0, 0], [1, 2, 3, 0, 0, 0], [1, 2, 3, 4, 5, 7]]
    check(candidates, three, 3).equals({(0, 2), (0, 3), (1, 2), (2, 3)}, about="bands of three")
    five = [[1, 2, 3, 4, 5, 6], [1, 9, 9, 0, 0, 0], [7, 2, 3, 4, 8, 8], [9, 9, 9, 4, 5, 6], [3, 5, 0, 3, 5, 6]]
    check(candidates, five, 3).equals({(0, 3)}, about="the first number of a band, and one beside it")

    def finds_without_pairs(signatures, band, about):
        """Two documents alone have a band in common; in pairs, each comparison would look at a number at least."""
        pairs = len(signatures) * (len(signatures) - 1) // 2
        in_pairs = "documents were compared in pairs: a dictionary finds those that have a band in common"
        first, last = signatures[0], signatures[-1]
        shared = [*signatures[:-1], [*last[:-band], *first[-band:]]]
        right = {(0, len(signatures) - 1)}
        check(found_and_compared, shared, band).holds(
            lambda found: found[0] == right and found[1] < pairs,
            "the first and the last document are found, and fewer numbers compared than there are pairs of documents",
            near={in_pairs: lambda found: found[0] == right and found[1] >= pairs},
            about=about,
        )

    apart = [list(range(first, first + 4)) for first in range(0, 240, 4)]
    finds_without_pairs(apart, 2, "sixty documents, two with a band in common")
    check(keep_first, four, 2, 0.5).equals([0, 3], about="half of the numbers are enough")
    check(keep_first, four, 2, 0.6).equals([0, 1, 2, 3], about="half of the numbers are not enough")
    chain = [[1, 2, 3, 4], [1, 2, 9, 9], [5, 6, 9, 9], [1, 7, 3, 8]]
    check(keep_first, chain, 2, 0.5).equals([0, 2, 3], about="like one that is gone, and like one in no band")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    import numpy as np

    letters = "abcdeAB"
    for length, n in ((30, 2), (12, 3), (12, 3), (80, 1), (90, 3), (66, 65), (9, 9), (5, 4)):
        words = [letters[int(k)] for k in check.rng.integers(0, 7, size=length)]
        ways = zip(*(words[k : length - n + 1 + k] for k in range(n)), strict=False)
        check(shingles, words, n).equals(set(ways), about="drawn words")
    check(shingles, ["a"], 1).equals({("a",)}, about="one word", edge=True)
    check(shingles, ["a", "b", "a"], 5).equals({("a", "b", "a")}, about="fewer words than n, drawn")

    def hashed(seed, item):
        return (hash_seed * (seed + 3) * (ord(item) + 17) + 7919 * seed) % 104729

    hash_seed = int(check.rng.integers(1000, 90000))
    for items in ("abc", "hello", "qwertyuiop"):
        seeds = [int(k) for k in check.rng.integers(0, 10**6, size=6)]
        table = np.array([hashed(k, x) for k, x in itertools.product(seeds, set(items))])
        smallest = table.reshape(len(seeds), -1).min(axis=1).tolist()
        check(signature, set(items), hashed, seeds).equals(smallest, about="drawn seeds")
    check(signature, {"z"}, hashed, range(4)).equals([hashed(k, "z") for k in range(4)], about="one item", edge=True)
    for many, length, band in ((12, 12, 2), (12, 12, 4), (30, 12, 3), (8, 8, 4), (25, 6, 1)):
        signatures = check.rng.integers(0, 4, size=(many, length)).tolist()
        expected = set()
        for start in range(0, length, band):
            groups = itertools.groupby(
                sorted(range(many), key=lambda i: signatures[i][start : start + band]),
                key=lambda i: signatures[i][start : start + band],
            )
            for _, group in groups:
                expected |= set(itertools.combinations(sorted(group), 2))
        check(candidates, signatures, band).equals(expected, about="drawn signatures")
        for threshold in (0.25, 0.5, 0.75):
            gone, stays = set(), []
            for j in range(many):
                if j in gone:
                    continue
                stays.append(j)
                for i in range(j + 1, many):
                    same = [a == b for a, b in zip(signatures[j], signatures[i], strict=False)].count(True)
                    if (j, i) in expected and same >= threshold * length:
                        gone.add(i)
            check(keep_first, signatures, band, threshold).equals(stays, about="drawn documents")
    apart = check.rng.permutation(360).reshape(60, 6).tolist()
    finds_without_pairs(apart, 3, "drawn documents, two with a band in common")
    many = [[k, k] for k in (*range(70), 0, 69)]
    check(candidates, many, 2).equals({(0, 70), (69, 71)}, about="many documents")
    check(keep_first, many, 2, 0.5).equals([*range(70)], about="many documents")
    check(candidates, [[5, 7]] * 3, 2).equals({(0, 1), (0, 2), (1, 2)}, about="equal documents, one band", edge=True)
    long, other = [*range(140)], [*range(69), *range(200, 271)]
    check(candidates, [long, other], 70).equals(set(), about="a long band", edge=True)
    check(keep_first, [long, other], 70, 0.1).equals([0, 1], about="a long band", edge=True)
    nearly, hardly, apart = [*range(139), 0], [0, *range(300, 439)], [*range(500, 640)]
    check(keep_first, [long, nearly, hardly, long], 1, 1.0).equals([0, 1, 2], about="a threshold of 1", edge=True)
    check(keep_first, [long, hardly, apart], 1, 0.007).equals([0, 2], about="a threshold near 0", edge=True)
    check(candidates, [[1, 2]], 2).equals(set(), about="one document", edge=True)
    check(candidates, [], 2).equals(set(), about="no document", edge=True)
    check(keep_first, [], 2, 0.5).equals([], about="no document", edge=True)
    ### END HIDDEN TESTS


score
