from helpers.checks import graded


@graded("links", points=4)
def score(check):
    import numpy as np

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "named documents are sorted by score, the best first: here they are sorted by number": {
            1: [0, 1, 4, 5],
            2: [0, 1, 4, 5, 6, 3, 2],
            4: [1, 0, 6],
        },
        "the best score comes first: here the lowest is first": {
            1: [0, 1, 4, 6],
            2: [0, 1, 4, 6, 5, 3, 2],
            4: [1, 0, 6],
            5: [3, 5, 2, 1, 0, 7, 4, 6],
        },
        "for equal scores the lower number comes first": {
            1: [0, 1, 5, 6],
            2: [0, 1, 5, 6, 4, 3, 2],
            5: [3, 5, 2, 1, 0, 6, 4, 7],
        },
        "named documents are sorted by score: here the largest number is first": {
            1: [0, 1, 6, 5],
            2: [0, 1, 6, 5, 4, 3, 2],
            5: [3, 5, 2, 1, 0, 7, 6, 4],
        },
        "the first documents of the ranking stay in front, before those that they name": {
            1: [5, 4, 6, 0],
            2: [5, 4, 6, 0, 1, 3, 2],
            3: [3, 6, 0],
            4: [6, 0, 1],
            5: [4, 6, 7, 3, 5, 2, 1, 0],
        },
        "only the links of the first documents of the ranking count, not those of all": {
            1: [0, 1, 3, 5],
            2: [0, 1, 3, 5, 4, 6, 7],
            4: [1, 5, 4],
        },
        "links[d] holds the documents that d names, not those that name d": {
            1: [0, 1, 3, 7],
            2: [0, 1, 3, 7, 2],
            4: [1, 3, 7],
        },
        "a document counts if one of the first names it: not all of them have to name it": {
            1: [0, 1, 2],
            2: [0, 1, 3, 2],
            5: [3, 5, 2, 1, 0, 4, 6],
        },
        "return at most k documents: here is one more": {
            1: [0, 1, 5, 4, 6],
            3: [2, 4, 1, 3],
            4: [1, 6, 0, 7],
        },
        "k was ignored: here is all that was found": {
            1: [0, 1, 5, 4, 6, 2],
            3: [2, 4, 1, 3, 6, 0],
            4: [1, 6, 0, 7],
        },
        "document 0 names others, as any document may": {
            1: [0, 1, 6, 2],
            2: [0, 1, 6, 3, 2],
            5: [3, 5, 2, 1, 0, 6, 7, 4],
        },
        "`first` was ignored: it is not always 5": {
            1: [0, 1, 2, 3],
            2: [0, 1, 3, 2, 5, 4, 6],
            4: [1, 7, 0],
        },
        "the first documents keep the ranking's order: here the scores sorted them, too": {
            1: [5, 1, 4, 0],
            2: [3, 5, 1, 4, 6, 2, 0],
            3: [1, 4, 2],
            5: [3, 5, 1, 4, 6, 2, 0, 7],
        },
        "a document that is already among the first is not repeated": {
            2: [0, 1, 5, 4, 6, 0, 3],
            5: [3, 5, 2, 1, 0, 3, 5, 1, 4, 6],
        },
        "the rest of the ranking keeps its order: here the scores sorted it, too": {
            2: [0, 1, 3, 5, 4, 6, 2],
        },
        "the rest of the ranking follows if there is room": {
            2: [0, 1, 5, 4, 6],
        },
        "the links of all the first documents count, not those of the best alone": {
            2: [0, 1, 5, 4, 3, 2],
            5: [3, 5, 2, 1, 0, 7, 4, 6],
        },
        "links are followed once: here they were followed a second time": {
            2: [0, 1, 5, 4, 6, 2, 3],
            4: [1, 5, 4],
        },
        "a named document comes before the rest of the ranking, even if it is in the ranking itself": {
            4: [1, 6, 7],
            5: [3, 5, 2, 1, 0, 7, 4, 6],
        },
        "a document that was named is not repeated in the rest of the ranking": {
            5: [3, 5, 2, 1, 0, 4, 6, 7, 4, 6],
        },
        "the named documents of all the first are sorted together: here those of each by themselves": {
            5: [3, 5, 2, 1, 0, 7, 6, 4],
        },
    })
    links = [{4, 5}, {0, 6}, {3}, {1, 7}, {2}, set(), {5}, {0}]
    scores = np.array([0.5, 2.0, 1.0, 3.0, 1.5, 2.5, 1.5, 0.0])
    check(linked, [0, 1, 2], links, scores, 2, 4).equals([0, 1, 5, 4])
    check(linked, [0, 1, 3, 2], links, scores, 2, 7).equals([0, 1, 5, 4, 6, 3, 2], about="equal scores, and room")
    check(linked, [2, 4, 1, 0], links, scores, 3, 3).equals([2, 4, 1], about="no room for others")
    check(linked, [1, 7, 0], links, scores, 1, 3).equals([1, 6, 0], about="the best document alone")
    check(linked, [3, 5, 2, 1, 0, 4, 6], links, scores).equals([3, 5, 2, 1, 0, 4, 6, 7], about="5 and 10")


score
