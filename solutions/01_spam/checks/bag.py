from helpers.checks import graded


@graded("bag", points=8)
def score(check):
    import numpy as np
    from scipy import sparse

    says = {
        "alphabet": "the columns are in alphabetical order; keep the vocabulary's own",
        "arrival": "the columns are in the order in which the words turn up; keep the vocabulary's own",
        "kept": "the columns are those of an earlier call's vocabulary",
        "next_column": "the columns are shifted by one: the first word has column 0",
        "falsy": "the first column is left empty: its place 0 counts as False, so ask `in` or `is not None`",
        "next_row": "the rows are shifted by one: the first document has row 0",
        "words": "rows are words here; documents are the rows",
        "exchanged": "row and column numbers are exchanged: rows are documents, columns are words",
        "one_row": "all documents landed in the first row; each has a row of its own",
        "one_row_sum": "all documents were added up in the first row; each has a row of its own",
        "added": "all documents were added up; each has a row of its own",
        "running": "the counts run on from one document to the next; start each document at zero",
        "first_only": "only the first document was counted: is the return inside the loop?",
        "last_only": "only the last document was counted: is the row number, or a list, set anew in each turn?",
        "once": "every word counts once only: that is the binary bag",
        "often": "binary means 1 at most, however often the word occurs",
        "just_one": "binary means at least once, not exactly once",
        "repeated": "binary means at least once, not at least twice",
        "shares": "these are shares of the document; the entries are counts, or 0 and 1 if binary",
        "known_shares": "these are shares of the known words; the entries are counts, or 0 and 1 if binary",
        "short": "words of one letter were left out, as scikit-learn's own pattern does: take the tokens as they come",
        "pieces": "a word was also found inside longer ones; only whole tokens count",
        "empty": "an empty document keeps its row, a row of zeros",
        "unknown": "a document of unseen words keeps its row, a row of zeros",
        "moved": "each document keeps its row: here those below one without known words moved up",
        "no_words": "a document without known words keeps its row, a row of zeros",
        "guessed": "the shape was left to be guessed; it is (documents, vocabulary), also where the end is all zeros",
        "last": "the words outside the vocabulary were counted in the last column; skip them",
        "first": "the words outside the vocabulary were counted in the first column; skip them",
        "extra": "one column too many: the words outside the vocabulary are skipped, not counted",
        "extra_first": "one column too many, at the front: the words outside the vocabulary are skipped",
        "last_sum": "the last column adds up the words outside the vocabulary; skip them",
        "first_sum": "the first column adds up the words outside the vocabulary; skip them",
        "extra_sum": "one column too many, which adds up the words outside the vocabulary; skip them",
        "extra_first_sum": "one column too many, at the front, which adds up the words outside the vocabulary",
        "error": "a word that is not in the vocabulary must be skipped",
        "value_error": "words that are not in the vocabulary must be skipped",
        "place": "an index lies outside the matrix: rows are documents, columns are words, both from 0",
        "place_error": "an index lies outside the shape: rows are documents, columns are words, both from 0",
    }

    def near(**values):
        return {says[k]: v if isinstance(v, type) else sparse.csr_matrix(v) for k, v in values.items()}

    vocabulary = ["this", "is", "a", "sentence"]
    documents = [["this", "is", "a", "sentence"], ["a", "sentence"]]
    check(bag_of_words, documents, vocabulary).equals(
        sparse.csr_matrix([[1, 1, 1, 1], [0, 0, 1, 1]]),
        near=near(
            alphabet=[[1, 1, 1, 1], [1, 0, 1, 0]], next_column=[[0, 1, 1, 1], [0, 0, 0, 1]],
            falsy=[[0, 1, 1, 1], [0, 0, 1, 1]],
            words=[[1, 0], [1, 0], [1, 1], [1, 1]],
            one_row=[[1, 1, 2, 2], [0, 0, 0, 0]], added=[[1, 1, 2, 2]], running=[[1, 1, 1, 1], [1, 1, 2, 2]],
            first_only=[[1, 1, 1, 1], [0, 0, 0, 0]], last_only=[[0, 0, 0, 0], [0, 0, 1, 1]],
            shares=[[0.25, 0.25, 0.25, 0.25], [0, 0, 0.5, 0.5]],
            known_shares=[[0.25, 0.25, 0.25, 0.25], [0, 0, 0.5, 0.5]], pieces=[[1, 2, 1, 1], [0, 0, 1, 1]],
            short=[[1, 1, 0, 1], [0, 0, 0, 1]],
            extra=[[1, 1, 1, 1, 0], [0, 0, 1, 1, 0]], extra_first=[[0, 1, 1, 1, 1], [0, 0, 0, 1, 1]],
            place=IndexError, place_error=ValueError,
        ),
    )
    vocabulary = ["now", "win", "see", "a", "prize"]
    documents = [["win", "win", "now", "friend"], [], ["see", "a"], ["what"]]
    none = [0, 0, 0, 0, 0]
    check(bag_of_words, documents, list(vocabulary)).equals(
        sparse.csr_matrix([[1, 2, 0, 0, 0], none, [0, 0, 1, 1, 0], none]),
        near=near(
            alphabet=[[0, 1, 0, 0, 2], none, [1, 0, 0, 1, 0], none],
            arrival=[[2, 1, 0, 0, 0], none, [0, 0, 1, 1, 0], none],
            kept=[none, none, [0, 0, 1, 0, 0], none],
            next_column=[[0, 1, 2, 0, 0], none, [0, 0, 0, 1, 1], none],
            falsy=[[0, 2, 0, 0, 0], none, [0, 0, 1, 1, 0], none],
            next_row=[none, [1, 2, 0, 0, 0], none, [0, 0, 1, 1, 0]],
            words=[[1, 0, 0, 0], [2, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]],
            exchanged=[[1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0]],
            one_row=[[1, 2, 1, 1, 0], none, none, none], added=[[1, 2, 1, 1, 0]],
            running=[[1, 2, 0, 0, 0], [1, 2, 0, 0, 0], [1, 2, 1, 1, 0], [1, 2, 1, 1, 0]],
            first_only=[[1, 2, 0, 0, 0], none, none, none],
            once=[[1, 1, 0, 0, 0], none, [0, 0, 1, 1, 0], none],
            shares=[[0.25, 0.5, 0, 0, 0], none, [0, 0, 0.5, 0.5, 0], none],
            known_shares=[[1 / 3, 2 / 3, 0, 0, 0], none, [0, 0, 0.5, 0.5, 0], none],
            pieces=[[1, 2, 0, 0, 0], none, [0, 0, 1, 1, 0], [0, 0, 0, 1, 0]],
            short=[[1, 2, 0, 0, 0], none, [0, 0, 1, 0, 0], none],
            empty=[[1, 2, 0, 0, 0], [0, 0, 1, 1, 0], none], unknown=[[1, 2, 0, 0, 0], none, [0, 0, 1, 1, 0]],
            no_words=[[1, 2, 0, 0, 0], [0, 0, 1, 1, 0]], guessed=[[1, 2, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1]],
            last=[[1, 2, 0, 0, 1], none, [0, 0, 1, 1, 0], [0, 0, 0, 0, 1]],
            first=[[2, 2, 0, 0, 0], none, [0, 0, 1, 1, 0], [1, 0, 0, 0, 0]],
            extra=[[1, 2, 0, 0, 0, 1], none + [0], [0, 0, 1, 1, 0, 0], none + [1]],
            extra_first=[[1, 1, 2, 0, 0, 0], [0] + none, [0, 0, 0, 1, 1, 0], [1] + none],
            moved=[[1, 2, 0, 0, 0], [0, 0, 1, 1, 0], none, none],
            error=LookupError, value_error=ValueError, place=IndexError, place_error=ValueError,
        ),
    )
    check(bag_of_words, [["win", "win", "now", "friend", "hello"], ["now", "see"]], vocabulary, binary=True).equals(
        sparse.csr_matrix([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]]),
        near=near(
            often=[[1, 2, 0, 0, 0], [1, 0, 1, 0, 0]], just_one=[[1, 0, 0, 0, 0], [1, 0, 1, 0, 0]],
            repeated=[[0, 1, 0, 0, 0], none], shares=[[0.2, 0.4, 0, 0, 0], [0.5, 0, 0.5, 0, 0]],
            alphabet=[[0, 1, 0, 0, 1], [0, 1, 0, 1, 0]], arrival=[[1, 1, 0, 0, 0], [0, 1, 1, 0, 0]],
            next_column=[[0, 1, 1, 0, 0], [0, 1, 0, 1, 0]], falsy=[[0, 1, 0, 0, 0], [0, 0, 1, 0, 0]],
            words=[[1, 1], [1, 0], [0, 1], [0, 0], [0, 0]], guessed=[[1, 1, 0], [1, 0, 1]],
            one_row=[[1, 1, 1, 0, 0], none], one_row_sum=[[2, 1, 1, 0, 0], none], added=[[1, 1, 1, 0, 0]],
            running=[[1, 1, 0, 0, 0], [1, 1, 1, 0, 0]],
            first_only=[[1, 1, 0, 0, 0], none], last_only=[none, [1, 0, 1, 0, 0]],
            last=[[1, 1, 0, 0, 1], [1, 0, 1, 0, 0]], last_sum=[[1, 1, 0, 0, 2], [1, 0, 1, 0, 0]],
            first_sum=[[3, 1, 0, 0, 0], [1, 0, 1, 0, 0]],
            extra=[[1, 1, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0]], extra_sum=[[1, 1, 0, 0, 0, 2], [1, 0, 1, 0, 0, 0]],
            extra_first=[[1, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0]],
            extra_first_sum=[[2, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0]],
            error=LookupError, value_error=ValueError, place=IndexError, place_error=ValueError,
        ),
    )
    check(bag_of_words, [["see"]], ["now", "win", "see"]).equals(
        sparse.csr_matrix([[0, 0, 1]]),
        near=near(
            alphabet=[[0, 1, 0]], arrival=[[1, 0, 0]], words=[[0], [0], [1]], extra=[[0, 0, 1, 0]],
            extra_first=[[0, 0, 0, 1]], place=IndexError, place_error=ValueError,
        ),
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial
    from itertools import chain

    from sklearn.feature_extraction.text import CountVectorizer

    check.hidden()
    says |= {
        "lowered": "the tokens were lowered; take them as they come",
        "both_lowered": "tokens and vocabulary were lowered; take them as they come",
        "overflow": "the counts overflow their small integer dtype",
        "no_rows": "no documents give a matrix of shape (0, M)",
        "no_rows_1": "no documents give a matrix of shape (0, M), not (1, 0)",
    }

    def count(documents, words):
        return np.array([list(map(tokens.count, words)) for tokens in documents])

    def mistakes(documents, vocabulary, binary):
        c = count(documents, vocabulary)
        low = [list(map(str.lower, tokens)) for tokens in documents]
        texts = list(map(" ".join, documents))
        blank, known = np.array([not d for d in documents]), c.any(axis=1)
        length = np.array([[max(len(d), 1)] for d in documents])
        unseen = np.array([[len(tokens)] for tokens in documents]) - c.sum(1, keepdims=True)
        zero, (down, right) = np.zeros_like(c), (a.max() + 1 for a in c.nonzero())
        order = [word for word in dict.fromkeys(chain(*documents)) if word in vocabulary]
        order += [w for w in vocabulary if w not in order]
        old = [w if w in vocabulary else "" for w in ("this", "is", "a", "sentence")]
        old += [""] * (len(vocabulary) - len(old))
        first, last, top = zero.copy(), zero.copy(), zero.copy()
        first[:, :1], last[:, -1:], top[0] = unseen, unseen, c.sum(0)
        values = {
            "alphabet": count(documents, sorted(vocabulary)), "arrival": count(documents, order),
            "kept": count(documents, old), "next_column": np.hstack([zero[:, :1], c[:, :-1]]),
            "falsy": np.hstack([zero[:, :1], c[:, 1:]]), "next_row": np.vstack([zero[:1], c[:-1]]),
            "words": c.T, "one_row": top, "added": top[:1], "running": c.cumsum(0),
            "first_only": np.vstack([c[:1], zero[1:]]),
            "pieces": count(texts, vocabulary),
            "lowered": count(low, vocabulary), "both_lowered": count(low, [w.lower() for w in vocabulary]),
            "empty": c[~blank], "unknown": c[blank | known], "no_words": c[known], "guessed": c[:down, :right],
            "moved": np.vstack([c[known], c[~known]]), "last": c + last, "first": c + first,
            "extra": np.hstack([c, unseen]), "extra_first": np.hstack([unseen, c]),
        }
        values = {k: np.minimum(v, 1) if binary else v for k, v in values.items()}
        values |= {"shares": c / length, "known_shares": c / np.maximum(c.sum(1, keepdims=True), 1)}
        values |= {"often": c, "just_one": c == 1, "repeated": c > 1} if binary else {"once": np.minimum(c, 1)}
        if binary:
            b, unseen = np.minimum(c, 1), np.array([[len({*d} - {*vocabulary})] for d in documents])
            first[:, :1], last[:, -1:], top[0] = unseen, unseen, b.sum(0)
            values |= {"one_row_sum": top, "last_sum": b + last, "first_sum": b + first}
            values |= {"extra_sum": np.hstack([b, unseen]), "extra_first_sum": np.hstack([unseen, b])}
        errors = {"error": LookupError, "value_error": ValueError, "place": IndexError, "place_error": ValueError}
        return near(**values, **errors)

    words = np.array("in win on won now know a an is No In Win On Now A Know".split())
    for binary in (False, True, False):
        names = list(map(str, check.rng.permutation(words[words != "a"])))
        vocabulary = [*map(str, check.rng.permutation([*names[:8], "a"])), "never"]
        documents = [list(map(str, check.rng.choice(words, size=n))) for n in (7, 0, 4, 1, 20, 3)]
        documents[4] += ["a", vocabulary[0], vocabulary[0], names[8]]
        documents.append(names[10:13])
        oracle = CountVectorizer(vocabulary=vocabulary, analyzer=lambda t: t, binary=binary).transform(documents)
        known = mistakes(documents, vocabulary, binary)
        check(bag_of_words, documents, vocabulary, binary=binary).equals(
            oracle.tocsr(), about="random documents, binary" if binary else "random documents", near=known
        )
    for documents in ([["b", "a"], ["c"]], [["a", "a"], ["x"]]):  # of one shape: nothing is kept between calls
        check(bag_of_words, documents, ["a", "b", "c"]).equals(
            sparse.csr_matrix(count(documents, ["a", "b", "c"])), about="random documents",
            near=partial(mistakes, documents, ["a", "b", "c"], False),
        )
    many = [f"w{i}" for i in check.rng.permutation(120)]
    documents, vocabulary = [many[i : i + 7] for i in range(0, 110)], many[:100]
    check(bag_of_words, documents, vocabulary).equals(
        sparse.csr_matrix(count(documents, vocabulary)), about="many documents and many words", edge=True,
        near=partial(mistakes, documents, vocabulary, False),
    )
    check(bag_of_words, [["b", ""], ["", "", "a"]], ["a", "", "b"]).equals(
        sparse.csr_matrix([[0, 1, 1], [1, 2, 0]]), about="an empty token", edge=True,
        near=near(falsy=[[0, 1, 1], [0, 2, 0]])
        | {"an empty token is a token like any other": sparse.csr_matrix([[0, 0, 1], [1, 0, 0]])},
    )
    check(bag_of_words, [["not free", "free"], ["free", "free"]], ["free", "not free"]).equals(
        sparse.csr_matrix([[1, 1], [2, 0]]), about="tokens that hold a space",
        near={
            "a token may hold a space: do not join and split the tokens again": sparse.csr_matrix([[2, 0], [2, 0]]),
            "the shape is (documents, vocabulary)": ValueError,
        } | near(falsy=[[0, 1], [0, 0]]),
    )
    check(bag_of_words, [["a"] * 300 + ["b"], ["b"]], ["b", "a"]).equals(
        sparse.csr_matrix([[1, 300], [1, 0]]), about="a long document", edge=True,
        near=near(
            overflow=[[1, 44], [1, 0]], once=[[1, 1], [1, 0]], shares=[[1 / 301, 300 / 301], [1, 0]],
            one_row=[[2, 300], [0, 0]], running=[[1, 300], [2, 300]], first_only=[[1, 300], [0, 0]],
            next_column=[[0, 1], [0, 1]], falsy=[[0, 300], [0, 0]], extra=[[1, 300, 0], [1, 0, 0]],
            extra_first=[[0, 1, 300], [0, 1, 0]],
        ),
    )
    check(bag_of_words, [], ["a", "b"]).equals(
        sparse.csr_matrix((0, 2)), about="no documents", edge=True,
        near=near(no_rows=ValueError, no_rows_1=np.zeros((1, 0)), extra=np.zeros((0, 3))),
    )
    check(bag_of_words, [["x"], ["y", "x"]], ["a"]).equals(
        sparse.csr_matrix((2, 1)), about="only unseen words", edge=True,
        near=near(
            last=[[1], [2]], first=[[1], [2]], extra=[[0, 1], [0, 2]], extra_first=[[1, 0], [2, 0]],
            unknown=np.zeros((0, 1)), no_words=np.zeros((0, 1)), error=LookupError, value_error=ValueError,
            guessed=ValueError,
        ),
    )
    ### END HIDDEN TESTS


score
