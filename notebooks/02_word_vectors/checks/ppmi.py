from helpers.checks import graded


@graded("ppmi", points=7)
def score(check):
    import numpy as np

    other = "these are the documents' meetings, D^T D; words are the rows, so D D^T"
    diagonal = "a word meets itself, too: the diagonal stays"
    natural, tens = "the logarithm has base 2, not e", "the logarithm has base 2, not 10"
    negative = "negative values become 0 unless positive=False"
    never = "a pair that was never seen gets 0: take logarithms only where the count is above 0"
    twice, columns = "P(c) is the share of a column, not of a row", "P(w) is the share of a row, not of a column"
    exchanged = "the sums of rows and of columns are exchanged"
    ratio = "the logarithm is missing: this is the ratio itself"
    close = {"rtol": 1e-4, "atol": 1e-6}
    garden = np.array([[1, 1, 0], [2, 0, 0], [0, 1, 0], [0, 1, 2], [0, 0, 2], [3, 3, 2], [3, 3, 3]])
    meetings = np.array([
        [2, 2, 1, 1, 0, 6, 6], [2, 4, 0, 0, 0, 6, 6], [1, 0, 1, 1, 0, 3, 3], [1, 0, 1, 5, 4, 7, 9],
        [0, 0, 0, 4, 4, 4, 6], [6, 6, 3, 7, 4, 22, 24], [6, 6, 3, 9, 6, 24, 27],
    ])
    check(cooccurrences, np.array([[1, 1, 0], [2, 0, 0]])).equals(
        [[2, 2], [2, 4]], near={other: [[5, 1, 0], [1, 1, 0], [0, 0, 0]], diagonal: [[0, 2], [2, 0]]}
    )
    check(cooccurrences, garden).equals(meetings)
    check(ppmi, np.array([[4, 0], [1, 1]])).equals(
        [[0.2630344, 0], [0, 1.5849625]],
        near={
            natural: [[0.18232156, 0], [0, 1.09861229]],
            tens: [[0.07918125, 0], [0, 0.47712125]],
            negative: [[0.2630344, 0], [-0.7369656, 1.5849625]],
            never: [[0.2630344, -np.inf], [-0.7369656, 1.5849625]],
            exchanged: [[0.2630344, 0], [0.5849625, 1.5849625]],
            twice: [[0.5849625, 0], [0, 0.5849625]],
            columns: [[0, 0], [0.2630344, 2.5849625]],
            ratio: [[1.2, 0], [0.6, 3]],
        },
        **close,
    )
    check(ppmi, np.array([[4, 0], [1, 1]]), positive=False).equals(
        [[0.2630344, 0], [-0.7369656, 1.5849625]],
        near={never: [[0.2630344, -np.inf], [-0.7369656, 1.5849625]],
              "positive=False was not heeded": [[0.2630344, 0], [0, 1.5849625]],
              natural: [[0.18232156, 0], [-0.51082562, 1.09861229]], twice: [[0.5849625, 0], [-0.4150375, 0.5849625]],
              exchanged: [[0.2630344, 0], [0.5849625, 1.5849625]], ratio: [[1.2, 0], [0.6, 3]]}, **close,
    )
    a, b, c, like = 0.5849625, 1.5849625, 0.73696559, 0.169925
    check(ppmi, meetings).equals(
        [[a, a, a, 0, 0, like, 0], [a, b, 0, 0, 0, like, 0], [a, 0, b, 0, 0, like, 0], [0, 0, 0, c, 1, 0, 0],
         [0, 0, 0, 1, b, 0, 0], [like, like, like, 0, 0, 0.04439412, 0], [0, 0, 0, 0, 0, 0, 0]],
        about="seven words", **close,
    )


score
