from helpers.checks import graded


@graded("near-copies", points=7)
def score(check):
    import itertools

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the last sequence is missing": {
            1: {('a', 'b'), ('b', 'c')},
        },
        "sequences that are too short were added at the end": {
            1: {('a', 'b'), ('b', 'c'), ('c', 'd'), ('d',)},
        },
        "sequences do not overlap here: each begins one word after the one before": {
            1: {('a', 'b'), ('c', 'd')},
        },
        "these are all combinations of n words: they are side by side": {
            1: {('a', 'b'), ('a', 'c'), ('a', 'd'), ('b', 'c'), ('b', 'd'), ('c', 'd')},
        },
        "these are single words": {
            1: {('a',), ('b',), ('c',), ('d',)},
            2: {('be',), ('to',)},
        },
        "a shingle is a tuple of words, not a text": {
            1: {'a b', 'b c', 'c d'},
            2: {'to be'},
        },
        "a document of fewer than n words has one shingle, all of its words": {
            2: set(),
        },
        "a document of fewer than n words has one shingle, not one for each word": {
            2: {('be',), ('to',)},
        },
        "the order inside a shingle counts": {
            2: {('be', 'to')},
        },
        "the largest hash of each seed came back: the smallest": {
            3: [9, 7],
            4: [7, 7],
        },
        "the items came back, not their hashes": {
            3: ['bc', 'ab'],
            4: ['ab', 'ce'],
        },
        "these are the smallest hashes of one seed": {
            3: [3, 7],
            4: [1, 5],
        },
        "the signature was sorted: it has the order of the seeds": {
            3: [1, 3],
        },
        "the first seed alone was used": {
            3: [3, 3],
        },
        "the sum of the hashes came back: the smallest": {
            3: [19, 11],
            4: [13, 11],
        },
        "one hash of one item came back: the smallest of all": {
            3: [7, 1],
            4: [1, 7],
        },
        "all bands must agree here: one is enough": {
            5: set(),
            6: set(),
            7: set(),
        },
        "only the first band was looked at": {
            5: {(0, 1)},
            6: {(0, 2), (0, 3), (2, 3)},
            7: set(),
        },
        "only the last band was looked at": {
            5: {(0, 2)},
            6: {(1, 2)},
        },
        "equal numbers in different bands mean nothing": {
            5: {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)},
        },
        "a pair is (i, j) with i < j: both orders are there": {
            5: {(0, 1), (0, 2), (1, 0), (2, 0)},
            6: {(0, 2), (0, 3), (1, 2), (2, 0), (2, 1), (2, 3), (3, 0), (3, 2)},
            7: {(0, 3), (3, 0)},
        },
        "the larger index is first: i < j": {
            5: {(1, 0), (2, 0)},
            6: {(2, 0), (2, 1), (3, 0), (3, 2)},
            7: {(3, 0)},
        },
        "the order of the numbers in a band counts": {
            5: {(0, 1), (0, 2), (0, 3), (1, 3)},
        },
        "one equal number is enough here: all numbers of a band": {
            6: {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)},
            7: {(0, 1), (0, 2), (0, 3), (0, 4), (1, 3), (2, 3), (3, 4)},
        },
        "only neighbours under one key were paired: every two of them": {
            6: {(0, 2), (1, 2), (2, 3)},
        },
        "the first numbers of a band are enough here: all of its numbers": {
            7: {(0, 1), (0, 2), (0, 3), (2, 3)},
        },
        "`band` is how many numbers a band has, not how many bands there are": {
            7: {(0, 2), (0, 3), (0, 4), (3, 4)},
        },
        "bands do not overlap": {
            7: {(0, 2), (0, 3)},
        },
        "the later of two copies stays: the earlier one does": {
            9: [1, 2, 3],
        },
        "a share of exactly `threshold` is enough": {
            9: [0, 1, 2, 3],
            11: [0, 1, 2, 3],
        },
        "these are the documents that go: those that stay are asked for": {
            9: [1, 2],
            10: [],
            11: [1],
        },
        "both documents of a pair were dropped: the earlier one stays": {
            9: [3],
            11: [3],
        },
        "the signatures came back: their indices are asked for": {
            9: [[1, 2, 3, 4], [2, 1, 1, 2]],
            10: [[1, 2, 3, 4], [1, 2, 9, 9], [9, 9, 3, 4], [2, 1, 1, 2]],
            11: [[1, 2, 3, 4], [5, 6, 9, 9], [1, 7, 3, 8]],
        },
        "the share of equal numbers was not asked: a candidate pair alone is not enough": {
            10: [0, 3],
        },
        "a document was dropped for its likeness to one that is gone itself": {
            11: [0, 3],
        },
        "all pairs were compared: only candidate pairs are": {
            11: [0, 2],
        },
    })
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


score
