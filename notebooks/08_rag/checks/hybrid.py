from helpers.checks import graded


@graded("hybrid", points=4)
def score(check):
    import numpy as np

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "of each document one chunk is kept: here are several": {
            1: {'numbers': [2, 4, 5], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            3: {'numbers': [2, 4, 5, 1], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [2, 4, 3], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [0, 3, 1], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "each document keeps the chunk that is first after fusing, not the last": {
            1: {'numbers': [3, 5, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [5, 3], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [3, 5, 0, 7], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [3, 5, 7], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [1, 3, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "it was cut to k before the chunks of a document were put together: then fewer than k documents are left": {
            1: {'numbers': [2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            3: {'numbers': [2, 4, 1], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [0, 3], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "chunks were dropped before fusing: fuse whole rankings, and keep one chunk of each document afterwards": {
            1: {'numbers': [2, 4, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            3: {'numbers': [2, 4, 6, 1], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [2, 4, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "each search is asked for 2 * k chunks, not for k": {
            1: {'numbers': [2, 4, 1], 'asked': [[('Which one?', 3)], [('Which one?', 3)], [('Which one?', 3)]]},
            2: {'numbers': [1, 4], 'asked': [[('Which one?', 2)], [('Which one?', 2)]]},
            3: {'numbers': [2, 4, 1, 6], 'asked': [[('Which one?', 4)], [('Which one?', 4)], [('Which one?', 4)]]},
            4: {'numbers': [2, 4, 0], 'asked': [[('Which one?', 3)], [('Which one?', 3)]]},
            5: {'numbers': [0, 3], 'asked': [[('Which one?', 3)], [('Which one?', 3)]]},
        },
        "each search is asked for 2 * k chunks, however small k is": {
            1: {'numbers': [2, 4, 1],
             'asked': [[('Which one?', 100)], [('Which one?', 100)], [('Which one?', 100)]]},
            2: {'numbers': [4, 2], 'asked': [[('Which one?', 100)], [('Which one?', 100)]]},
            3: {'numbers': [2, 4, 1, 6],
             'asked': [[('Which one?', 100)], [('Which one?', 100)], [('Which one?', 100)]]},
            4: {'numbers': [2, 4, 6], 'asked': [[('Which one?', 100)], [('Which one?', 100)]]},
            5: {'numbers': [0, 3, 4], 'asked': [[('Which one?', 100)], [('Which one?', 100)]]},
        },
        "all searches count, not the first alone": {
            1: {'numbers': [4, 0, 2], 'asked': [[('Which one?', 6)], [], []]},
            2: {'numbers': [4, 0], 'asked': [[('Which one?', 4)], []]},
            3: {'numbers': [4, 0, 2, 7], 'asked': [[('Which one?', 8)], [], []]},
            4: {'numbers': [0, 2, 4], 'asked': [[('Which one?', 6)], []]},
            5: {'numbers': [0, 3, 4], 'asked': [[('Which one?', 6)], []]},
        },
        "all searches count, not the first two alone": {
            1: {'numbers': [4, 2, 1], 'asked': [[('Which one?', 6)], [('Which one?', 6)], []]},
            3: {'numbers': [4, 2, 1, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], []]},
        },
        "the rankings take turns here: fuse them": {
            1: {'numbers': [4, 1, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [4, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [4, 1, 2, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [0, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "the rankings stand one behind the other here: fuse them": {
            1: {'numbers': [4, 0, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [4, 0], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [4, 0, 2, 7], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [0, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "the parts of a chunk are added by fuse: here the best rank counts": {
            1: {'numbers': [1, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [1, 4], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [1, 2, 4, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [0, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "the numbers of chunks are asked, not those of documents": {
            1: {'numbers': [1, 2, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [2, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [1, 2, 0, 3], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [1, 2, 3], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [0, 1, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "fuse gives pairs (number, score): the numbers alone are asked": {
            1: {'numbers': [(2, 0.0163934), (4, 0.0163934), (1, 0.0163934)],
             'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [(4, 0.0163934), (2, 0.0163934)], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [(2, 0.0163934), (4, 0.0163934), (1, 0.0163934), (6, 0.0163934)],
             'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [(2, 0.0163934), (4, 0.0163934), (6, 0.0163934)],
             'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [(0, 0.0163934), (3, 0.0163934), (4, 0.0163934)],
             'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "at most k chunks: here is one more": {
            1: {'numbers': [2, 4, 1, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [4, 2, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            4: {'numbers': [2, 4, 6, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "all that was found came: at most k chunks are asked": {
            1: {'numbers': [2, 4, 1, 6], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [4, 2, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            4: {'numbers': [2, 4, 6, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "the best first: they were sorted by number": {
            1: {'numbers': [1, 2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [2, 4], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [1, 2, 4, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
        },
        "the best first: this is the reverse": {
            1: {'numbers': [1, 4, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            2: {'numbers': [2, 4], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            3: {'numbers': [6, 1, 4, 2], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            4: {'numbers': [6, 4, 2], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
            5: {'numbers': [4, 3, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "document 0 is a document like others": {
            1: {'numbers': [2, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)], [('Which one?', 6)]]},
            3: {'numbers': [2, 4, 6], 'asked': [[('Which one?', 8)], [('Which one?', 8)], [('Which one?', 8)]]},
            5: {'numbers': [3, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "c is 60: leave it to fuse": {
            2: {'numbers': [4, 1], 'asked': [[('Which one?', 4)], [('Which one?', 4)]]},
            4: {'numbers': [2, 0, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "fuse was given k for its c: leave it out": {
            4: {'numbers': [2, 4, 0], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
        "chunk 0 is a chunk like others": {
            5: {'numbers': [3, 4], 'asked': [[('Which one?', 6)], [('Which one?', 6)]]},
        },
    })
    def right(numbers, n, searches):
        return {"numbers": numbers, "asked": [[("Which one?", n)] for _ in range(searches)]}

    def near(right):
        asked = right["asked"]
        lower = [[(calls[0][0].lower(), calls[0][1])] for calls in asked]
        return {"each search is asked once": right | {"asked": [calls * 2 for calls in asked]},
                "the searches get the question as it is": right | {"asked": lower}}

    apart = [[0, 2, 4, 3, 5, 6], [2, 4, 3, 5, 7, 6]]
    rankings, owners = [[4, 5, 0, 2, 7, 1], [1, 2, 4, 3, 6, 0], [2, 6, 5, 7, 3, 4]], [0, 0, 1, 1, 2, 2, 3, 3]
    for k, of, numbers, about in [(3, rankings, [2, 4, 1], "three searches"), (2, rankings[:2], [4, 2], "two searches"),
                                  (4, rankings, [2, 4, 1, 6], "k is 4"), (3, apart, [2, 4, 6], "found by both")]:
        expected = right(numbers, 2 * k, len(of))
        check(hybrid_of, of, owners, k).equals(expected, about=about, near=near(expected))
    expected = right([0, 3, 4], 6, 2)
    check(hybrid_of, [[0, 3, 1, 4], []], owners, 3).equals(expected, about="one finds nothing", near=near(expected))


score
