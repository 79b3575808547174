"""How well searches rank: the rank of the first right document; recall, MRR and nDCG of stages with intervals."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from helpers.data.questions import Question
from helpers.device import SEED
from helpers.experiments.chunks import Corpus

K, SHOWN = 10, 3  # where recall and nDCG are taken; passages that a reader gets
DRAWS = 1000
Search = Callable[[str], list[int]]  # a question -> the numbers of chunks, the best first
Number = Callable[[list[str], list[str]], float]  # (ranked documents, relevant ones) -> how good the ranking is
RIGHT = "right"  # stands for the document that answers


def first_ranks(search: Search, questions: Sequence[Question], corpus: Corpus) -> np.ndarray:
    """Return for each question the rank of the first document that answers it, inf if none is found, (questions,)."""
    ranks = []
    for question in questions:
        ranked, right = corpus.documents_of(search(question.question)), corpus.answering(question)
        ranks.append(next((rank for rank, d in enumerate(ranked, start=1) if d in right), np.inf))
    return np.array(ranks)


def recall(search: Search, questions: Sequence[Question], corpus: Corpus) -> float:
    """Return the share of questions with a document that answers them among the first ten."""
    return float(np.mean(first_ranks(search, questions, corpus) <= K))


def agreement(rows: np.ndarray, scores: np.ndarray, others: Sequence[Sequence[tuple[int, float]]]) -> tuple[int, float]:
    """Compare the best of two searches: rows and scores (queries, k), and [(row, score), ...] of each query.

    Returns (for how many queries both found the same, the largest difference of two scores of one place).
    """
    rows, scores = np.asarray(rows), np.asarray(scores)
    same, differences = 0, []
    for row, row_scores, other in zip(rows.tolist(), scores, others, strict=True):
        same += set(row) == {i for i, _ in other}
        differences += [abs(score - other[j][1]) for j, score in enumerate(row_scores)]
    return same, max(differences)


def bootstrap_draws(n: int) -> np.ndarray:
    """Return the draws of a bootstrap (Efron 1979), (1000, n): in each row n numbers of values, with replacement."""
    return np.random.default_rng(SEED).integers(0, n, size=(DRAWS, n))


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the mean of some values, by a bootstrap over them."""
    values = np.asarray(values, dtype=float)
    low, high = np.percentile(values[bootstrap_draws(len(values))].mean(axis=1), [2.5, 97.5]).tolist()
    return low, high


def means(ranks: np.ndarray, numbers: Mapping[str, Number]) -> dict[str, float]:
    """Return {name: the mean of each number over the questions}, ranks (n,): of each one's first right document.

    Each question has one right document, as if there were no other: at its rank, or not found at all.
    """
    found = {name: [] for name in numbers}
    for rank in ranks:
        ranked = []  # nothing that answers was found
        if np.isfinite(rank):
            ranked = [*(f"wrong {i}" for i in range(1, int(rank))), RIGHT]
        for name, number in numbers.items():
            found[name].append(number(ranked, [RIGHT]))
    return {name: float(np.mean(values)) for name, values in found.items()}


def stages_table(
    ranks: Mapping[str, np.ndarray], against: Mapping[str, str], interval: Callable, numbers: Mapping[str, Number]
) -> str:
    """Return the means of some numbers for stages {name: ranks (n,)} as text.

    against: {stage: the stage that its recall at 3 is compared with}. interval(values, draws) gives (low, high) of a
    mean.
    """
    n = len(next(iter(ranks.values())))
    draws, hits = bootstrap_draws(n), {name: (found <= SHOWN).astype(float) for name, found in ranks.items()}
    wide = {name: max(7, len(name) + 1) for name in numbers}
    lines = [
        f"{n} test questions; differences of recall@{SHOWN} with their 95 % intervals",
        f"{'stage':<19}{''.join(f'{name:>{width}}' for name, width in wide.items())}  difference",
    ]
    for name, found in ranks.items():
        shown = "".join(f"{mean:>{wide[number]}.3f}" for number, mean in means(found, numbers).items())
        other = against.get(name)
        more = f"  {_difference(hits[name] - hits[other], interval, draws)} over {other}" if other else ""
        lines.append(f"{name:<19}{shown}{more}")
    return "\n".join(lines)


def _difference(values: np.ndarray, interval: Callable, draws: np.ndarray) -> str:
    return "{:+.3f} ({:+.3f} to {:+.3f})".format(values.mean(), *interval(values, draws))


def found_by(ranks: Mapping[str, np.ndarray], one: str, other: str) -> str:
    """Return for how many questions two searches have a right document among the first ten: both, one alone, none."""
    first, second = ranks[one] <= K, ranks[other] <= K
    counts = {
        "both": first & second,
        f"{one} alone": first & ~second,
        f"{other} alone": ~first & second,
        "neither": ~(first | second),
    }
    return f"among the first {K}: " + ", ".join(f"{name} {found.sum()}" for name, found in counts.items())


def gain(ranks: Mapping[str, np.ndarray], better: str, worse: str, interval: Callable) -> str:
    """Return the difference of two stages in MRR with its interval, as text."""
    values = 1 / ranks[better] - 1 / ranks[worse]
    return f"MRR of {better!r} minus that of {worse!r}: {_difference(values, interval, bootstrap_draws(len(values)))}"


def fifths(values: np.ndarray) -> list[float]:
    """Return the means of five parts of some values: every fifth one from the first, the second ... on."""
    return [float(np.mean(values[i::5])) for i in range(5)]
