from helpers.checks import graded


@graded("hybrid", points=4)
def score(check):
    import numpy as np

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "keep one chunk of each document: here are several": {
            1: {'numbers': [2, 4, 5], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            3: {'numbers': [2, 4, 5, 1], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [2, 4, 3], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            6: {'numbers': [0, 3, 1], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "keep the chunk of a document that is first after fusing, not the last": {
            1: {'numbers': [3, 5, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [5, 3], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [3, 5, 0, 7], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [3, 5, 7], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [6, 2, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            6: {'numbers': [1, 3, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "the ranking was cut to k before further chunks of a document were dropped: fewer than k are left": {
            1: {'numbers': [2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            3: {'numbers': [2, 4, 1], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            6: {'numbers': [0, 3], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "chunks were dropped before fusing: fuse whole rankings, and keep one chunk of each document afterwards": {
            1: {'numbers': [2, 4, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            3: {'numbers': [2, 4, 6, 1], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [2, 4, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [3, 4, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "ask each search for 2 * k chunks, not for k": {
            1: {'numbers': [2, 4, 1], 'asked': [[('Which one?', 3)], [('Which one?', 3)], [('Which one?', 3)]]},
            2: {'numbers': [1, 4], 'asked': [[('Which one?', 2)], [('Which one?', 2)]]},
            3: {'numbers': [2, 4, 1, 6], 'asked': [[('Which one?', 4)], [('Which one?', 4)], [('Which one?', 4)]]},
            4: {'numbers': [2, 4, 0], 'asked': [[('Which one?', 3)], [('Which one?', 3)]]},
            5: {'numbers': [6, 3, 4], 'asked': [[('Which one?', 3)], [('Which one?', 3)]]},
            6: {'numbers': [0, 3], 'asked': [[('Which one?', 3)], [('Which one?', 3)]]},
        },
        "ask each search for 2 * k chunks, however small k is": {
            1: {'numbers': [2, 4, 1],
             'asked': [[('Which one?', 100)], [('Which one?', 100)], [('Which one?', 100)]]},
            2: {'numbers': [4, 2], 'asked': [[('Which one?', 100)], [('Which one?', 100)]]},
            3: {'numbers': [2, 4, 1, 6],
             'asked': [[('Which one?', 100)], [('Which one?', 100)], [('Which one?', 100)]]},
            4: {'numbers': [2, 4, 6], 'asked': [[('Which one?', 100)], [('Which one?', 100)]]},
            5: {'numbers': [6, 3, 1], 'asked': [[('Which one?', 100)], [('Which one?', 100)]]},
            6: {'numbers': [0, 3, 4], 'asked': [[('Which one?', 100)], [('Which one?', 100)]]},
        },
        "all searches count, not only the first": {
            1: {'numbers': [4, 0, 2], 'asked': [[('Which one?', 6)], [], []]},
            2: {'numbers': [4, 0], 'asked': [[('Which one?', 4)], []]},
            3: {'numbers': [4, 0, 2, 7], 'asked': [[('Which one?', 8)], [], []]},
            4: {'numbers': [0, 2, 4], 'asked': [[('Which one?', 6)], []]},
            5: {'numbers': [3, 6, 0], 'asked': [[('Which one?', 6)], []]},
            6: {'numbers': [0, 3, 4], 'asked': [[('Which one?', 6)], []]},
        },
        "all searches count, not only the first two": {
            1: {'numbers': [4, 2, 1], 'asked': [[('Which one?', 6)], [('Which one?', 6)], []]},
            3: {'numbers': [4, 2, 1, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], []]},
        },
        "the rankings take turns here: fuse them": {
            1: {'numbers': [4, 1, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [4, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [4, 1, 2, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [0, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [3, 4, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "the rankings were appended to each other here: fuse them": {
            1: {'numbers': [4, 0, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [4, 0], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [4, 0, 2, 7], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [0, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [3, 6, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "fuse adds what a chunk gets from each ranking: here only its best rank counts": {
            1: {'numbers': [1, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [1, 4], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [1, 2, 4, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [0, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [3, 4, 1], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "return the numbers of chunks, not those of documents": {
            1: {'numbers': [1, 2, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [2, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [1, 2, 0, 3], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [1, 2, 3], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [3, 1, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            6: {'numbers': [0, 1, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "fuse returns pairs (number, score): return the numbers alone": {
            1: {'numbers': [(2, 0.0163934), (4, 0.0163934), (1, 0.0163934)],
             'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [(4, 0.0163934), (2, 0.0163934)], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [(2, 0.0163934), (4, 0.0163934), (1, 0.0163934), (6, 0.0163934)],
             'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [(2, 0.0163934), (4, 0.0163934), (6, 0.0163934)],
             'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [(6, 0.0163934), (3, 0.0163934), (1, 0.0163934)],
             'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            6: {'numbers': [(0, 0.0163934), (3, 0.0163934), (4, 0.0163934)],
             'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "return at most k chunks: here is one more": {
            1: {'numbers': [2, 4, 1, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [4, 2, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            4: {'numbers': [2, 4, 6, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [6, 3, 1, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "everything that was found was returned: return at most k chunks": {
            1: {'numbers': [2, 4, 1, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [4, 2, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            4: {'numbers': [2, 4, 6, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [6, 3, 1, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "the best comes first: these are sorted by number": {
            1: {'numbers': [1, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [2, 4], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [1, 2, 4, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            5: {'numbers': [1, 3, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "the best comes first: this is the reverse order": {
            1: {'numbers': [1, 4, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [2, 4], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [6, 1, 4, 2], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [6, 4, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [1, 3, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            6: {'numbers': [4, 3, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "document 0 is a document like others": {
            1: {'numbers': [2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            3: {'numbers': [2, 4, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            5: {'numbers': [6, 3], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            6: {'numbers': [3, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "c is 60, the default of fuse": {
            2: {'numbers': [4, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            4: {'numbers': [2, 0, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [3, 4, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "fuse was given k for its c: leave it out": {
            4: {'numbers': [2, 4, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [3, 6, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "fuse was given 2 * k for its c: leave it out": {
            5: {'numbers': [6, 3, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "chunk 0 is a chunk like others": {
            6: {'numbers': [3, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
    })
    def right(numbers, n, searches):
        return {"numbers": numbers, "asked": [[("Which one?", n)] for _ in range(searches)]}

    def near(right):
        asked = right["asked"]
        lower = [[(calls[0][0].lower(), calls[0][1])] for calls in asked]
        return {"each search is to be asked once, and only once": right | {"asked": [calls * 2 for calls in asked]},
                "the searches must get the question as it is": right | {"asked": lower}}

    apart, close = [[0, 2, 4, 3, 5, 6], [2, 4, 3, 5, 7, 6]], [[3, 6, 0, 1, 2, 4], [4, 1, 6, 5, 3, 2]]
    rankings, owners = [[4, 5, 0, 2, 7, 1], [1, 2, 4, 3, 6, 0], [2, 6, 5, 7, 3, 4]], [0, 0, 1, 1, 2, 2, 3, 3]
    for k, of, numbers, about in [(3, rankings, [2, 4, 1], "three searches"), (2, rankings[:2], [4, 2], "two searches"),
                                  (4, rankings, [2, 4, 1, 6], "k is 4"), (3, apart, [2, 4, 6], "found by both"),
                                  (3, close, [6, 3, 1], "ranks where c decides")]:
        expected = right(numbers, 2 * k, len(of))
        check(hybrid_of, of, owners, k).equals(expected, about=about, near=near(expected))
    expected = right([0, 3, 4], 6, 2)
    rankings = [[0, 3, 1, 4], []]
    check(hybrid_of, rankings, owners, 3).equals(expected, about="one search finds nothing", near=near(expected))


score
