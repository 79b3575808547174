"""How many analogies word vectors answer right, by section, and whether a relation is a direction."""

from collections.abc import Callable

import numpy as np

from helpers.data.words import Analogies
from helpers.models.word_vectors import WordVectors

# The six sections of docs_analogies of which PPMI-SVD answers most.
COMPANY = (
    "x-and-y",
    "least-and-greatest",
    "across-and-down",
    "thing-and-error",
    "classifier-and-regressor",
    "opposites",
)


class Quiz:
    """The questions of a set of analogies whose words are all among the first so many, answered by a function.

    questions: {section: ["a is to b as c is to d", four words each]}; one with a word that the vectors lack is left out
    """

    def __init__(self, analogies: Analogies, among: int, answer: Callable, every: int = 1):
        """answer: (vectors, questions (n, 3), among) -> rows (n,); among: how many words can be answers.

        every: with 20, only every twentieth question of a section is asked: for a quick try
        """
        self.questions, self.among, self.answer, self.every = analogies.sections, among, answer, every

    def right_by_section(self, vectors: WordVectors) -> dict[str, np.ndarray]:
        """Return for each section which questions the vectors answer right, booleans."""
        return {name: self._right(vectors, name, [0, 1, 2]) for name in self.questions}

    def shares(self, vectors: WordVectors) -> dict[str, float]:
        """Return the share of right answers of the two groups, company and others, and of all, in three digits."""
        return {group: round(share, 3) for group, share in summary(self.right_by_section(vectors)).items()}

    def nearest_right(self, vectors: WordVectors, section: str) -> np.ndarray:
        """Return which questions the nearest neighbour of c answers right: the answer to "a is to a as c is to ?"."""
        return self._right(vectors, section, [0, 0, 2])

    def beside_nearest(self, vectors: WordVectors, sections: str) -> str:
        """Say for each section how often 3CosAdd is right, and how often the nearest neighbour of c would be."""
        shares = {
            name: (self._right(vectors, name, [0, 1, 2]), self.nearest_right(vectors, name))
            for name in sections.split()
        }
        return "\n".join(
            f"{name:<20} 3CosAdd {right.mean():.2f}, the nearest neighbour of c {near.mean():.2f}"
            for name, (right, near) in shares.items()
        )

    def _right(self, vectors: WordVectors, section: str, asked: list[int]) -> np.ndarray:
        """Return which answers are d, if these three words of each question are asked."""
        index, among = vectors.index, self.among
        known = []  # the rows of each question's four words
        for question in self.questions[section]:
            if all(index.get(word, among) < among for word in question):
                known.append([index[word] for word in question])
        rows = np.array(known[:: self.every])  # (n, 4)
        return np.asarray(self.answer(vectors.matrix[:among], rows[:, asked], among)) == rows[:, 3]

    def difference_cosines(
        self, vectors: WordVectors, relations: list[str]
    ) -> tuple[np.ndarray, list[tuple[str, str]]]:
        """Return (the cosines of the differences v_b - v_a, (n, n), the first eight pairs (a, b) of each relation)."""
        pairs = []
        for name in relations:
            pairs += list(dict.fromkeys(question[:2] for question in self.questions[name]))[:8]
        differences = np.array([vectors.unit[vectors.index[b]] - vectors.unit[vectors.index[a]] for a, b in pairs])
        differences /= np.linalg.norm(differences, axis=1, keepdims=True)
        return differences @ differences.T, pairs


def groups(right: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return which questions were answered right in the two groups, company and others, and in all."""
    return {
        "company": np.concatenate([answers for name, answers in right.items() if name in COMPANY]),
        "others": np.concatenate([answers for name, answers in right.items() if name not in COMPANY]),
        "all": np.concatenate(list(right.values())),
    }


def summary(right: dict[str, np.ndarray]) -> dict[str, float]:
    """Return the share of right answers of the two groups, company and others, and of all."""
    return {group: float(answers.mean()) for group, answers in groups(right).items()}


def table(found: dict[str, dict[str, np.ndarray]]) -> str:
    """Return the share of right answers of each method in each section, those of company first, and the summary.

    found: {method: what `right_by_section` gave}. In a group, the sections that the last method knows best come first.
    """
    last = list(found.values())[-1]
    lines = [f"{'section':<26}{'questions':>9}" + "".join(f"{name:>11}" for name in found)]
    for section in sorted(last, key=lambda s: (s not in COMPANY, -last[s].mean())):
        shares = "".join(f"{right[section].mean():>11.2f}" for right in found.values())
        other = "" if section in COMPANY else "   others"
        lines.append(f"{section:<26}{len(last[section]):>9,}{shares}{other}")
    for group, answers in groups(last).items():
        shares = "".join(f"{summary(right)[group]:>11.3f}" for right in found.values())
        lines.append(f"{group:<26}{len(answers):>9,}{shares}")
    return "\n".join(lines)
