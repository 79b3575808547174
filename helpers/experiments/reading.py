"""How well readers answer: right, exact, F1, supported and silent, over questions with the passages they are shown."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from helpers.assistant.generators import UNKNOWN
from helpers.data.questions import Question
from helpers.experiments.chunks import Corpus, flat, lower_words
from helpers.experiments.rankings import SHOWN, Search, bootstrap_draws, first_ranks

CITATION = re.compile(r"\[\d+\]")
RIGHT = 0.5  # the token F1 from which on an answer counts as right
SILENT = 0.7  # the least share of the unanswerable questions on which a reader has to be silent
LOST = ("torn", "not found", "too late", "not in the prompt", "silent", "misread", "right")
Passages = list[tuple[str, str]]


class Asked(NamedTuple):
    """A question as a reader gets it: the passages (title and text in one) and the prompt made of them."""

    question: Question
    passages: list[str]
    prompt: str


def every(questions: Sequence[Question], step: Mapping[bool, int]) -> list[Question]:
    """Return the questions at every so many-th place; step: {whether the docs answer a question: places}."""
    return [question for i, question in enumerate(questions) if i % step[question.answerable] == 0]


def anybody(title: str, text: str) -> bool:
    """Admit each passage, whoever wrote it."""
    return True


class Answered(NamedTuple):
    """A question with its answer and the passages (title and text in one) that it was read from."""

    question: Question
    answer: str
    passages: list[str]


def answers(questions: Sequence[Question], ask: Callable[[Question], tuple[str, Passages]]) -> list[Answered]:
    """Return each question with what `ask` makes of it: its answer, and the passages that were shown."""
    rows = []
    for question in questions:
        answer, shown = ask(question)
        rows.append(Answered(question, answer, ["\n".join(passage) for passage in shown]))
    return rows


def prompts_for(
    questions: Sequence[Question], passages_for: Callable[[Question], Passages], build_prompt: Callable, budget: int
) -> list[Asked]:
    """Return each question with its passages and the prompt of at most `budget` tokens."""
    rows = []
    for question in questions:
        shown = passages_for(question)
        prompt = build_prompt(question.question, shown, budget)[0]
        rows.append(Asked(question, ["\n".join(passage) for passage in shown], prompt))
    return rows


def judged(
    rows: Sequence[Answered],
    *,
    token_f1: Callable,
    exact_match: Callable,
    supported: Callable,
) -> dict[str, np.ndarray]:
    """Return how good answers are, {measure: one value for each question it applies to}.

    right, exact, F1: of the answerable questions. cited: of all answers, whether the citation holds. silent: of the
    questions that the docs do not answer.
    """
    pairs = [(CITATION.sub("", row.answer), row.question.answer) for row in rows]
    real = np.array([row.question.answerable for row in rows])
    f1 = np.array([token_f1(*pair) for pair in pairs])
    answered = [row for row in rows if row.answer != UNKNOWN]
    return {
        "right": (f1 >= RIGHT)[real].astype(float),
        "exact": np.array([exact_match(*pair) for pair in pairs])[real],
        "F1": f1[real],
        "cited": np.array([supported(row.answer, row.passages) for row in answered], dtype=float),
        "silent": np.array([row.answer == UNKNOWN for row in rows])[~real],
    }


def readers_table(results: Mapping[tuple[str, str], dict[str, np.ndarray]], interval: Callable) -> str:
    """Return a line for each (reader, passages) of what `judged` gave; interval(values, draws) -> (low, high)."""
    heads = "".join(f"{name:>8}" for name in ("exact", "F1", "cited", "silent"))
    lines = [f"{'reader':<14}{'passages':<10}{'right':>8}{'(95 %)':>18}{heads}"]
    for (name, how), row in results.items():
        low, high = interval(row["right"], bootstrap_draws(len(row["right"])))
        means = "".join(
            f"{row[key].mean() if len(row[key]) else math.nan:>8.3f}" for key in ("exact", "F1", "cited", "silent")
        )
        lines.append(f"{name:<14}{how:<10}{row['right'].mean():>8.3f}{f'({low:.3f} to {high:.3f})':>18}{means}")
    return "\n".join(lines)


def bargain(
    best: Callable[[str], tuple[str, int, float]], rows: Sequence[Asked], thresholds: np.ndarray, token_f1: Callable
) -> tuple[np.ndarray, np.ndarray]:
    """Return (right, silent), each (thresholds,): the share of the answerable answered rightly, of the others not.

    best(prompt) gives (words, number of the passage, score); the reader is silent where the score is below a threshold.
    """
    spans = [(*best(row.prompt), row.question) for row in rows]
    scores = np.array([score for _, _, score, q in spans if q.answerable])
    right = np.array([token_f1(text, q.answer) >= RIGHT for text, _, _, q in spans if q.answerable])
    others = np.array([score for _, _, score, q in spans if not q.answerable])
    answered = np.array([np.mean(right & (scores >= t)) for t in thresholds])
    silent = np.array([np.mean(others < t) if len(others) else math.nan for t in thresholds])
    return answered, silent


def choose_threshold(thresholds: np.ndarray, right: np.ndarray, silent: np.ndarray) -> float:
    """Return the threshold with most right answers among those silent on 70 % of the others; of equals the largest."""
    order = sorted(range(len(thresholds)), key=lambda i: (not silent[i] < SILENT, right[i]))
    return float(thresholds[order[-1]])


def where_lost(
    rows: Sequence[Answered],
    searches: tuple[Search, Search],
    corpus: Corpus,
    token_f1: Callable,
) -> dict[str, int]:
    """Count the answerable questions by the first stage at which their answer was lost, {stage of LOST: questions}.

    searches: all candidates in any order, and the ranking whose first SHOWN passages were shown.
    """
    rows = [row for row in rows if row.question.answerable]
    questions = [row.question for row in rows]
    candidates, ranks = (first_ranks(search, questions, corpus) for search in searches)
    counts = dict.fromkeys(LOST, 0)
    for row, there, rank in zip(rows, candidates, ranks, strict=True):
        right = token_f1(CITATION.sub("", row.answer), row.question.answer) >= RIGHT
        failed = (
            not corpus.holds_whole(row.question),
            there == math.inf,
            rank > SHOWN,
            not _says(row),
            row.answer == UNKNOWN,
            True,
        )
        counts["right" if right else LOST[failed.index(True)]] += 1
    return counts


def _says(row: Answered) -> bool:
    """Return whether the passages hold the evidence, or the words of the answer, of their question."""
    passages = "\n\n".join(row.passages)
    evidence = [row.question.evidence, *(text for _, text in row.question.also)]
    words, answer = (f" {' '.join(lower_words(text))} " for text in (passages, row.question.answer))
    return answer in words or any(flat(text) in flat(passages) for text in evidence if text)


def lost_table(counts: Mapping[str, int]) -> str:
    """Return a line for each stage of `where_lost`: how many answers it lost, and what share of the questions."""
    total = sum(counts.values())
    lines = [f"{total} questions that the docs answer, by the first stage that lost the answer"]
    return "\n".join(lines + [f"{stage:<19}{n:>4}{n / total:>8.1%}" for stage, n in counts.items()])
