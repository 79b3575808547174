"""Documents ordered by a logistic regression on scores, ranks and clues, learned from questions (chapter 08)."""

from collections.abc import Iterable

import numpy as np

from helpers.search.clues import Clues
from helpers.words import stems

MAX_CANDIDATES = 40  # documents of each search that are candidates
Example = tuple[str, np.ndarray, set[str]]  # a question, its scores (searches, N), the names of the right documents


class Ranker:
    """Orders the best documents of several searches, BM25 the first, and those that a question names.

    examples: from which it learns; of each, the candidates that are right and those that are not.
    """

    def __init__(self, clues: Clues, idf: dict[str, float], examples: Iterable[Example]):
        from sklearn import linear_model, pipeline, preprocessing

        self.clues, self.idf = clues, idf
        rows, right = [], []
        for question, scores, wanted in examples:
            numbers, features = self._candidates(question, scores)
            rows.append(features)
            right += [clues.documents[i].name in wanted for i in numbers]
        logistic = linear_model.LogisticRegression(C=0.1, max_iter=800)
        self.model = pipeline.make_pipeline(preprocessing.StandardScaler(), logistic).fit(np.vstack(rows), right)

    def order(self, question: str, scores: np.ndarray) -> tuple[list[int], np.ndarray]:
        """Return the candidates, the best first, and the logarithms of their odds; scores (searches, N)."""
        numbers, features = self._candidates(question, scores)
        odds = self.model.decision_function(features)
        best = np.argsort(-odds, kind="stable")
        return [numbers[i] for i in best], odds[best]

    def _candidates(self, question: str, scores: np.ndarray) -> tuple[list[int], np.ndarray]:
        """Return the numbers of the candidates, and the features of each (numbers, 2 searches + 10)."""
        order = np.argsort(-scores, axis=1, kind="stable")
        numbers = list(dict.fromkeys([*order[:, :MAX_CANDIDATES].ravel().tolist(), *self.clues.named(question)]))
        ranks = order.argsort(axis=1)[:, numbers]
        near = scores[:, numbers]  # a copy
        near[0] /= len(stems(question)) + 1  # BM25's grow with the question
        return numbers, np.column_stack([*near, *(1 / (10 + ranks)), self.clues.features(question, numbers, self.idf)])
