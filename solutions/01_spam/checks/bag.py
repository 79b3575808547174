from helpers.checks import graded


@graded("bag", points=7)
def score(check):
    import numpy as np
    from scipy import sparse

    ### BEGIN MISTAKES
    from itertools import chain

    from helpers.chapters.spam.together import one_by_one

    def count(documents, words):
        rows = [list(map(tokens.count, words)) for tokens in documents]
        return np.array(rows, dtype=int).reshape(len(documents), len(words))

    def other_words(documents, vocabulary):
        """Mistakes that count other words, or put them into other columns."""
        c = count(documents, vocabulary)
        low, texts = [list(map(str.lower, tokens)) for tokens in documents], list(map(" ".join, documents))
        order = [word for word in dict.fromkeys(chain(*documents)) if word in vocabulary]
        order += [word for word in vocabulary if word not in order]
        old = [word if word in vocabulary else "" for word in ("this", "is", "a", "sentence")]
        old = [*old, *[""] * len(vocabulary)][: len(vocabulary)]
        return {
            "the columns are in alphabetical order; keep the vocabulary's own": count(documents, sorted(vocabulary)),
            "the columns are in the order in which the words turn up; keep the vocabulary's own":
                count(documents, order),
            "the columns are those of an earlier call's vocabulary": count(documents, old),
            "the columns are shifted by one: the first word has column 0": np.hstack([0 * c[:, :1], c[:, :-1]]),
            "the first column is left empty: its position 0 counts as False, so ask `in` or `is not None`":
                np.hstack([0 * c[:, :1], c[:, 1:]]),
            "words of one letter were left out, as scikit-learn's own pattern does: take the tokens as they come":
                c * [len(word) > 1 for word in vocabulary],
            "a word was also found inside longer ones; only whole tokens count": count(texts, vocabulary),
            "the tokens were put into lower case; take them as they come": count(low, vocabulary),
            "tokens and vocabulary were put into lower case; take them as they come":
                count(low, list(map(str.lower, vocabulary))),
        }

    def other_rows(c, blank):
        """Mistakes that put the counts into other rows, or leave rows out; blank: of each document whether it is."""
        zero, top, known = np.zeros_like(c), np.zeros_like(c), c.any(axis=1)
        top[:1] = c.sum(axis=0)
        found = {
            "the rows are shifted by one: the first document has row 0": np.vstack([zero[:1], c[:-1]]),
            "rows are words here; documents are the rows": c.T,
            "all documents landed in the first row; each has a row of its own": top,
            "all documents were added up; each has a row of its own": top[:1],
            "the counts run on from one document to the next; start each document at zero": c.cumsum(axis=0),
            "only the first document was counted: is the return inside the loop?": np.vstack([c[:1], zero[1:]]),
            "only the last document was counted: is the row number, or a list, set anew in each turn?":
                np.vstack([zero[1:], c[-1:]]),
            "an empty document keeps its row, a row of zeros": c[~blank],
            "a document of unseen words keeps its row, a row of zeros": c[blank | known],
            "a document without known words keeps its row, a row of zeros": c[known],
            "each document keeps its row: here those below one without known words moved up":
                np.vstack([c[known], c[~known]]),
        }
        if c.any():
            down, right = (places.max() + 1 for places in c.nonzero())
            found |= {
                "the shape was left to be guessed; it is (documents, vocabulary), even where the end is all zeros":
                    c[:down, :right],
            }
        return found

    def unseen_words(c, unseen, summed=""):
        """Mistakes that count the words outside the vocabulary; unseen: how often, in each document."""
        first, last = np.zeros_like(c), np.zeros_like(c)
        first[:, :1], last[:, -1:] = unseen, unseen
        if summed:
            return {
                "the last column adds up the words outside the vocabulary; skip them": c + last,
                "the first column adds up the words outside the vocabulary; skip them": c + first,
                "one column too many, which adds up the words outside the vocabulary; skip them":
                    np.hstack([c, unseen]),
                "one column too many, at the front, which adds up the words outside the vocabulary":
                    np.hstack([unseen, c]),
            }
        return {
            "the words outside the vocabulary were counted in the last column; skip them": c + last,
            "the words outside the vocabulary were counted in the first column; skip them": c + first,
            "one column too many: the words outside the vocabulary are skipped, not counted": np.hstack([c, unseen]),
            "one column too many, at the front: the words outside the vocabulary are skipped": np.hstack([unseen, c]),
        }

    def slips(documents, vocabulary, binary=False):
        """What the known mistakes give."""
        c = count(documents, vocabulary)
        length = np.array(list(map(len, documents)), dtype=int).reshape(-1, 1)
        unseen = length - c.sum(axis=1, keepdims=True)
        found = other_words(documents, vocabulary) | other_rows(c, length[:, 0] == 0) | unseen_words(c, unseen)
        if binary:
            found = {words: np.minimum(value, 1) for words, value in found.items()}
            b, different = np.minimum(c, 1), [[len({*tokens} - {*vocabulary})] for tokens in documents]
            sums = np.zeros_like(b)
            sums[:1] = b.sum(axis=0)
            found |= unseen_words(b, np.array(different, dtype=int).reshape(-1, 1), "summed") | {
                "all documents were added up in the first row; each has a row of its own": sums,
                "binary means 1 at most, however often the word occurs": c,
                "binary means at least once, not exactly once": c == 1,
                "binary means at least once, not at least twice": c > 1,
            }
        else:
            found["every word counts once only: that is the binary bag"] = np.minimum(c, 1)
        found |= {
            "these are shares of the document; the entries are counts, or 0 and 1 if binary": c / np.maximum(length, 1),
            "these are shares of the known words; the entries are counts, or 0 and 1 if binary":
                c / np.maximum(c.sum(axis=1, keepdims=True), 1),
        }
        return {words: sparse.csr_matrix(value) for words, value in found.items()}

    known = one_by_one(slips, [["a"]], ["a"]) | one_by_one(slips, [["a"]], ["a"], binary=True)
    check.mistakes(known, bag_of_words)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    from sklearn.feature_extraction.text import CountVectorizer

    check.hidden()
    words = np.array("in win on won now know a an is No In Win On Now A Know".split())
    for binary in (False, True, False):
        names = list(map(str, check.rng.permutation(words[words != "a"])))
        vocabulary = [*map(str, check.rng.permutation([*names[:8], "a"])), "never"]
        documents = [list(map(str, check.rng.choice(words, size=n))) for n in (7, 0, 4, 1, 20, 3)]
        documents[4] += ["a", vocabulary[0], vocabulary[0], names[8]]
        documents.append(names[10:13])
        oracle = CountVectorizer(vocabulary=vocabulary, analyzer=lambda t: t, binary=binary).transform(documents)
        check(bag_of_words, documents, vocabulary, binary=binary).equals(
            oracle.tocsr(), about="random documents, binary" if binary else "random documents", near=skipped | place
        )
    for documents in ([["b", "a"], ["c"]], [["a", "a"], ["x"]]):  # of one shape: nothing is kept between calls
        check(bag_of_words, documents, ["a", "b", "c"]).equals(
            sparse.csr_matrix(count(documents, ["a", "b", "c"])), about="random documents", near=skipped | place
        )
    many = [f"w{i}" for i in check.rng.permutation(120)]
    documents, vocabulary = [many[i : i + 7] for i in range(0, 110)], many[:100]
    check(bag_of_words, documents, vocabulary).equals(
        sparse.csr_matrix(count(documents, vocabulary)), about="many documents and many words", edge=True,
        near=skipped | place,
    )
    check(bag_of_words, [["b", ""], ["", "", "a"]], ["a", "", "b"]).equals(
        sparse.csr_matrix([[0, 1, 1], [1, 2, 0]]), about="an empty token", edge=True,
        near={"an empty token is a token like any other": sparse.csr_matrix([[0, 0, 1], [1, 0, 0]])},
    )
    check(bag_of_words, [["not free", "free"], ["free", "free"]], ["free", "not free"]).equals(
        sparse.csr_matrix([[1, 1], [2, 0]]), about="tokens that hold a space",
        near={
            joined: sparse.csr_matrix([[2, 0], [2, 0]]),
            "the shape is (documents, vocabulary)": ValueError,
        },
    )
    check(bag_of_words, [["a"] * 300 + ["b"], ["b"]], ["b", "a"]).equals(
        sparse.csr_matrix([[1, 300], [1, 0]]), about="a long document", edge=True,
        near={"the counts overflow their small integer dtype": sparse.csr_matrix([[1, 44], [1, 0]])},
    )
    check(bag_of_words, [], ["a", "b"]).equals(
        sparse.csr_matrix((0, 2)), about="no documents", edge=True,
        near={
            "no documents give a matrix of shape (0, V)": ValueError,
            "no documents give a matrix of shape (0, V), not (1, 0)": sparse.csr_matrix((1, 0)),
        },
    )
    guessed = "the shape was left to be guessed; it is (documents, vocabulary), even where the end is all zeros"
    check(bag_of_words, [["x"], ["y", "x"]], ["a"]).equals(
        sparse.csr_matrix((2, 1)), about="only unseen words", edge=True, near=skipped | {guessed: ValueError}
    )
    ### END HIDDEN TESTS


score
