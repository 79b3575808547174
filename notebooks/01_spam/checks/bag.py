from helpers.checks import graded


@graded("bag", points=7)
def score(check):
    import numpy as np
    from scipy import sparse

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the columns are in alphabetical order; keep the vocabulary's own": {
            1: sparse.csr_matrix([[1, 1, 1, 1], [1, 0, 1, 0]]),
            2: sparse.csr_matrix([[0, 0, 1, 0, 2], [0, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[0, 0, 1, 0, 1], [0, 0, 1, 1, 0]]),
        },
        "the columns are shifted by one: the first word has column 0": {
            1: sparse.csr_matrix([[0, 1, 1, 1], [0, 0, 0, 1]]),
            2: sparse.csr_matrix([[0, 1, 2, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[0, 1, 1, 0, 0], [0, 1, 0, 1, 0]]),
            4: sparse.csr_matrix([[0, 0, 1]]),
        },
        "the first column is left empty: its position 0 counts as False, so ask `in` or `is not None`": {
            1: sparse.csr_matrix([[0, 1, 1, 1], [0, 0, 1, 1]]),
            2: sparse.csr_matrix([[0, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[0, 1, 0, 0, 0], [0, 0, 1, 0, 0]]),
        },
        "words of one letter were left out, as scikit-learn's own pattern does: take the tokens as they come": {
            1: sparse.csr_matrix([[1, 1, 0, 1], [0, 0, 0, 1]]),
            2: sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]),
        },
        "a word was also found inside longer ones; only whole tokens count": {
            1: sparse.csr_matrix([[1, 2, 1, 1], [0, 0, 1, 1]]),
            2: sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 1, 0]]),
            4: sparse.csr_matrix([[1, 1, 2]]),
        },
        "the rows are shifted by one: the first document has row 0": {
            1: sparse.csr_matrix([[0, 0, 0, 0], [1, 1, 1, 1]]),
            2: sparse.csr_matrix([[0, 0, 0, 0, 0], [1, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0]]),
            3: sparse.csr_matrix([[0, 0, 0, 0, 0], [1, 1, 0, 0, 0]]),
            4: sparse.csr_matrix([[0, 0, 0]]),
        },
        "rows are words here; documents are the rows": {
            1: sparse.csr_matrix([[1, 0], [1, 0], [1, 1], [1, 1]]),
            2: sparse.csr_matrix([[1, 0, 0, 0], [2, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]]),
            3: sparse.csr_matrix([[1, 1], [1, 0], [0, 1], [0, 0], [0, 0]]),
            4: sparse.csr_matrix([[0], [1], [1]]),
        },
        "all documents landed in the first row; each has a row of its own": {
            1: sparse.csr_matrix([[1, 1, 2, 2], [0, 0, 0, 0]]),
            2: sparse.csr_matrix([[1, 2, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[1, 1, 1, 0, 0], [0, 0, 0, 0, 0]]),
        },
        "all documents were added up; each has a row of its own": {
            1: sparse.csr_matrix([[1, 1, 2, 2]]),
            2: sparse.csr_matrix([[1, 2, 1, 1, 0]]),
            3: sparse.csr_matrix([[1, 1, 1, 0, 0]]),
        },
        "the counts run on from one document to the next; start each document at zero": {
            1: sparse.csr_matrix([[1, 1, 1, 1], [1, 1, 2, 2]]),
            2: sparse.csr_matrix([[1, 2, 0, 0, 0], [1, 2, 0, 0, 0], [1, 2, 1, 1, 0], [1, 2, 1, 1, 0]]),
            3: sparse.csr_matrix([[1, 1, 0, 0, 0], [1, 1, 1, 0, 0]]),
        },
        "only the first document was counted: is the return inside the loop?": {
            1: sparse.csr_matrix([[1, 1, 1, 1], [0, 0, 0, 0]]),
            2: sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[1, 1, 0, 0, 0], [0, 0, 0, 0, 0]]),
        },
        "only the last document was counted: is the row number, or a list, set anew in each turn?": {
            1: sparse.csr_matrix([[0, 0, 0, 0], [0, 0, 1, 1]]),
            2: sparse.csr_matrix([[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[0, 0, 0, 0, 0], [1, 0, 1, 0, 0]]),
        },
        "one column too many: the words outside the vocabulary are skipped, not counted": {
            1: sparse.csr_matrix([[1, 1, 1, 1, 0], [0, 0, 1, 1, 0]]),
            2: sparse.csr_matrix([[1, 2, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 2]]),
            3: sparse.csr_matrix([[1, 1, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0]]),
            4: sparse.csr_matrix([[0, 1, 1, 0]]),
        },
        "one column too many, at the front: the words outside the vocabulary are skipped": {
            1: sparse.csr_matrix([[0, 1, 1, 1, 1], [0, 0, 0, 1, 1]]),
            2: sparse.csr_matrix([[1, 1, 2, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0], [2, 0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[1, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0]]),
            4: sparse.csr_matrix([[0, 0, 1, 1]]),
        },
        "these are shares of the document; the entries are counts, or 0 and 1 if binary": {
            1: sparse.csr_matrix([[0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.5, 0.5]]),
            2: sparse.csr_matrix([[0.25, 0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5, 0.0],
                               [0.0, 0.0, 0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.2, 0.4, 0.0, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0, 0.0]]),
            4: sparse.csr_matrix([[0.0, 0.5, 0.5]]),
        },
        "these are shares of the known words; the entries are counts, or 0 and 1 if binary": {
            1: sparse.csr_matrix([[0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.5, 0.5]]),
            2: sparse.csr_matrix([[0.333333, 0.666667, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0],
                               [0.0, 0.0, 0.5, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]]),
            3: sparse.csr_matrix([[0.333333, 0.666667, 0.0, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0, 0.0]]),
            4: sparse.csr_matrix([[0.0, 0.5, 0.5]]),
        },
        "the columns are in the order in which the words turn up; keep the vocabulary's own": {
            2: sparse.csr_matrix([[2, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[1, 1, 0, 0, 0], [0, 1, 1, 0, 0]]),
            4: sparse.csr_matrix([[1, 1, 0]]),
        },
        "the columns are those of an earlier call's vocabulary": {
            2: sparse.csr_matrix([[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]),
            3: sparse.csr_matrix([[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]),
            4: sparse.csr_matrix([[0, 0, 0]]),
        },
        "the tokens were put into lower case; take them as they come": {
            2: sparse.csr_matrix([[2, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]]),
        },
        "tokens and vocabulary were put into lower case; take them as they come": {
            2: sparse.csr_matrix([[2, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 1]]),
        },
        "an empty document keeps its row, a row of zeros": {
            2: sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]]),
        },
        "a document of unseen words keeps its row, a row of zeros": {
            2: sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0]]),
        },
        "a document without known words keeps its row, a row of zeros": {
            2: sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 1, 1, 0]]),
        },
        "each document keeps its row: here those below one without known words moved up": {
            2: sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]),
        },
        "the shape was left to be guessed; it is (documents, vocabulary), even where the end is all zeros": {
            2: sparse.csr_matrix([[1, 2, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1]]),
            3: sparse.csr_matrix([[1, 1, 0], [1, 0, 1]]),
        },
        "the words outside the vocabulary were counted in the last column; skip them": {
            2: sparse.csr_matrix([[1, 2, 0, 0, 1], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 2]]),
            3: sparse.csr_matrix([[1, 1, 0, 0, 1], [1, 0, 1, 0, 0]]),
        },
        "the words outside the vocabulary were counted in the first column; skip them": {
            2: sparse.csr_matrix([[2, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [2, 0, 0, 0, 0]]),
        },
        "every word counts once only: that is the binary bag": {
            2: sparse.csr_matrix([[1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]]),
        },
        "the last column adds up the words outside the vocabulary; skip them": {
            3: sparse.csr_matrix([[1, 1, 0, 0, 2], [1, 0, 1, 0, 0]]),
        },
        "the first column adds up the words outside the vocabulary; skip them": {
            3: sparse.csr_matrix([[3, 1, 0, 0, 0], [1, 0, 1, 0, 0]]),
        },
        "one column too many, which adds up the words outside the vocabulary; skip them": {
            3: sparse.csr_matrix([[1, 1, 0, 0, 0, 2], [1, 0, 1, 0, 0, 0]]),
        },
        "one column too many, at the front, which adds up the words outside the vocabulary": {
            3: sparse.csr_matrix([[2, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0]]),
        },
        "all documents were added up in the first row; each has a row of its own": {
            3: sparse.csr_matrix([[2, 1, 1, 0, 0], [0, 0, 0, 0, 0]]),
        },
        "binary means 1 at most, however often the word occurs": {
            3: sparse.csr_matrix([[1, 2, 0, 0, 0], [1, 0, 1, 0, 0]]),
        },
        "binary means at least once, not exactly once": {
            3: sparse.csr_matrix([[True, False, False, False, False], [True, False, True, False, False]]),
        },
        "binary means at least once, not at least twice": {
            3: sparse.csr_matrix([[False, True, False, False, False], [False, False, False, False, False]]),
        },
    })
    place = {
        "an index lies outside the matrix: rows are documents, columns are words, both from 0": IndexError,
        "an index lies outside the shape: rows are documents, columns are words, both from 0": ValueError,
    }
    skipped = {
        "a word that is not in the vocabulary must be skipped": LookupError,
        "words that are not in the vocabulary must be skipped": ValueError,
    }
    vocabulary = ["this", "is", "a", "sentence"]
    documents = [["this", "is", "a", "sentence"], ["a", "sentence"]]
    check(bag_of_words, documents, vocabulary).equals(sparse.csr_matrix([[1, 1, 1, 1], [0, 0, 1, 1]]), near=place)
    vocabulary = ["now", "win", "see", "a", "Prize"]
    documents = [["win", "win", "now", "NOW"], [], ["see", "a"], ["what", "prize"]]
    exchanged = sparse.csr_matrix([[1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0]])
    check(bag_of_words, documents, list(vocabulary)).equals(
        sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]]),
        near=skipped | place
        | {"row and column numbers are exchanged: rows are documents, columns are words": exchanged},
    )
    check(bag_of_words, [["win", "win", "now", "friend", "hello"], ["now", "see"]], vocabulary, binary=True).equals(
        sparse.csr_matrix([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]]), near=skipped | place
    )
    joined = "a token may hold a space: do not join and split the tokens again"
    check(bag_of_words, [["see now", "see"]], ["now", "see now", "see"]).equals(
        sparse.csr_matrix([[0, 1, 1]]), near=place | {joined: sparse.csr_matrix([[1, 0, 2]])}
    )


score
