"""What a re-ranker chooses from and by: candidates of a question, and 36 numbers for each."""

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from helpers.chapters.rag.bm25 import lucene_idf
from helpers.chapters.rag.document_features import WholeDocuments
from helpers.data.questions import Question
from helpers.experiments.chunks import Corpus
from helpers.words import stems

FIRST, KEPT = 200, 100  # chunks of each search that have a rank, documents of the first search
KINDS = ("method", "class", "module", "topic", "property")


class Candidates:
    """Some 150 documents for a question, those of the first search and of `WholeDocuments`, with their features.

    vectors: (chunks, C) of the encoder. index: {word: (numbers, weights)} of the chunks' words.
    first_search: (question, k=) -> the numbers of k chunks, one for each document
    wholes: the documents, searched as wholes
    features, bm25_scores: the functions of chapter 08 by these names
    kept: {question: what was found}, since the same questions come again
    """

    def __init__(
        self,
        corpus: Corpus,
        encoder,
        vectors: np.ndarray,
        index: dict,
        features: Callable,
        *,
        first_search: Callable,
        wholes: WholeDocuments,
        bm25_scores: Callable,
    ):
        self.corpus, self.encoder, self.vectors, self.index = corpus, encoder, vectors, index
        self.idf = lucene_idf(index, len(corpus.chunks))
        self.of_words, self.bm25_scores = features, bm25_scores
        self.first_search, self.wholes = first_search, wholes
        self.chunks_of = corpus.chunks_of()
        self.name_words = [stems(name) for name in corpus.names]
        self.pointed = Counter(name for document in corpus.documents for name in document.see_also)
        self.kept: dict[str, tuple[list[int], np.ndarray]] = {}

    def __call__(self, question: str) -> tuple[list[int], np.ndarray]:
        """Return the best chunks of the candidates, one for each document, and their features (n, 36)."""
        if question not in self.kept:
            self.kept[question] = self._found(question)
        return self.kept[question]

    def pairs(self, questions: Sequence[Question]) -> tuple[np.ndarray, list[bool]]:
        """Return the features of all candidates of some questions (n, 36), and whether each answers its question."""
        rows, labels = [], []
        for question in questions:
            (numbers, found), right = self(question.question), self.corpus.answering(question)
            rows.append(found)
            labels += [int(self.corpus.owners[n]) in right for n in numbers]
        return np.concatenate(rows), labels

    def _found(self, question: str) -> tuple[list[int], np.ndarray]:
        query, vector = stems(question), self.encoder.encode([question])[0]
        by_words = np.asarray(self.bm25_scores(self.index, query, len(self.corpus.chunks)))
        by_meaning = self.vectors @ vector
        scores = self.wholes.scores(question)
        first = self._first(question, by_words, self.wholes.found(question, scores))
        ranks = []
        for each in (by_words, by_meaning):
            documents = self.corpus.documents_of(np.argsort(-each, kind="stable")[:FIRST])
            ranks.append({document: rank for rank, document in enumerate(documents)})
        rows = []
        for document, number in first.items():
            of_words = self.of_words(query, self.name_words[document], self.corpus.words[number], self.idf)
            rows.append(
                [
                    *map(float, of_words),
                    by_words[number] / (len(query) + 1),
                    by_meaning[number],
                    *(1 / (10 + rank.get(document, 1000)) for rank in ranks),
                    *self._of_document(document),
                ]
            )
        return list(first.values()), np.hstack([rows, self.wholes.features(question, list(first), scores, self.idf)])

    def _first(self, question: str, by_words: np.ndarray, wholes: list[int]) -> dict[int, int]:
        """Return {document: its best chunk} of the first search, and of the documents that were found as wholes."""
        first = {int(self.corpus.owners[n]): int(n) for n in self.first_search(question, k=KEPT)}
        for d in wholes:
            if d in self.chunks_of:
                own = self.chunks_of[d]
                first.setdefault(d, int(own[by_words[own].argmax()]))
        return first

    def _of_document(self, d: int) -> list[float]:
        """Return what is known of a document without a question: links to it, depth, kind, library."""
        document = self.corpus.documents[d]
        links, depth = math.log1p(self.pointed[document.name]), document.name.count(".")
        kinds = (float(document.kind == kind) for kind in ("function", *KINDS))
        return [links, depth, "._" in document.name, *kinds, float(document.library == "python")]


class Learned:
    """A search that orders the candidates by a logistic regression on their features, learned from questions.

    columns: which of the 36 features it sees.
    """

    def __init__(self, candidates: Candidates, questions: Sequence[Question], columns: slice = slice(None)):
        from sklearn import linear_model, pipeline, preprocessing

        self.candidates, self.columns = candidates, columns
        logistic = linear_model.LogisticRegression(C=0.1, max_iter=800)
        rows, labels = candidates.pairs(questions)
        self.model = pipeline.make_pipeline(preprocessing.StandardScaler(), logistic).fit(rows[:, columns], labels)

    def __call__(self, question: str, k: int = 100) -> list[int]:
        """Return the k best chunks, one for each document."""
        return self.scored(question)[0][:k]

    def scored(self, question: str) -> tuple[list[int], np.ndarray]:
        """Return the chunks of all candidates, the best first, and their log-odds."""
        numbers, rows = self.candidates(question)
        odds = self.model.decision_function(rows[:, self.columns])
        order = np.argsort(-odds, kind="stable")
        return [numbers[i] for i in order], odds[order]
