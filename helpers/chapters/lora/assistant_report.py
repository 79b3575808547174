"""The assistant examined: was a right document found, was the answer read from it, and how often is it right?"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from helpers.chapters.lora.answering import THRESHOLD, Answering, Reply
from helpers.chapters.lora.short_answers import token_f1, words_of
from helpers.data.docs import Docs
from helpers.data.questions import Question
from helpers.experiments.rankings import bootstrap_interval
from helpers.experiments.reading import RIGHT


class Asked(NamedTuple):
    """One question.

    question: of data.load("docs_questions")
    reply:    what the assistant said
    gold:     what its reader points at in the right document
    seconds:  that the reply took
    """

    question: Question
    reply: Reply
    gold: str
    seconds: float


def ask_all(assistant: Answering, docs: Docs, questions: Sequence[Question]) -> list[Asked]:
    """Ask all questions, and hand the reader the right document of each, too, where it was not found."""
    rows = []
    for q in questions:
        start = time.perf_counter()
        reply = assistant.ask(q.question)
        seconds = time.perf_counter() - start
        rows.append(Asked(q, reply, _of_right_document(assistant, docs, q, reply), seconds))
    return rows


def _of_right_document(assistant: Answering, docs: Docs, q: Question, reply: Reply) -> str:
    """Return what the reader points at in the right document."""
    of_it = [span for passage, span in zip(reply.passages, reply.spans, strict=True) if passage.name == q.document]
    of_it = of_it or assistant.read(q.question, [p.text for p in assistant.passages(docs[q.document], q.question)])
    return max(of_it, key=lambda span: span.score).text


def right(rows: Sequence[Asked], answers: Sequence[str]) -> float:
    """Return the share of answers whose token F1 with the right one is at least RIGHT."""
    return float(np.mean(_right(rows, answers)))


def end_to_end(rows: Sequence[Asked]) -> float:
    """Return the share of questions that the assistant answers rightly, if it is never silent."""
    return right(rows, [row.reply.answer for row in rows])


def stages(rows: Sequence[Asked], threshold: float = THRESHOLD) -> dict[str, tuple[float, float, float]]:
    """Return {stage: (share of the questions that pass it, its 95 % interval)}, in the order of the stages."""
    hits = np.array(_right(rows, [row.reply.answer for row in rows]))
    sure = np.array([row.reply.score >= threshold for row in rows])
    passed = {
        "a right document among those read": [
            any(p.name in row.question.documents for p in row.reply.passages) for row in rows
        ],
        "right, given the right document": _right(rows, [row.gold for row in rows]),
        "right, end to end, never silent": hits,
        "right, end to end, with its threshold": hits & sure,
    }
    return {name: (float(np.mean(values)), *bootstrap_interval(values)) for name, values in passed.items()}


def report(rows: Sequence[Asked], quiet: Sequence[float], threshold: float = THRESHOLD) -> str:
    """Return a line for each measure.

    quiet: the scores of the replies to questions that the docs do not answer
    """
    lines = [f"{len(rows)} questions{'':<29}share      95 % interval"]
    for name, (share, low, high) in stages(rows, threshold).items():
        lines.append(f"{name:<40}{share:>5.0%}      {low:.0%} to {high:.0%}")
    lines.append(f"{f'silent on {len(quiet)} that have no answer':<40}{np.mean(np.array(quiet) < threshold):>5.0%}")
    lines.append(f"{'seconds a question':<40}{np.mean([row.seconds for row in rows]):>5.2f}")
    return "\n".join(lines)


def nearness(rows: Sequence[Asked], rouge_l: Callable[[list[str], list[str]], float]) -> str:
    """Return a line for the answers that count as right and one for the others: the mean of rouge_l, an F1 of words."""
    found: dict[bool, list[float]] = {True: [], False: []}
    for row in rows:
        found[correct(row)].append(rouge_l(words_of(row.reply.answer), words_of(row.question.answer)))
    lines = [f"{'counted as':<12}{'answers':>8}{'mean ROUGE-L':>15}{'of them 0':>12}"]
    for hit, values in found.items():
        if values:
            zeros = sum(value == 0 for value in values)
            name = "right" if hit else "wrong"
            lines.append(f"{name:<12}{len(values):>8}{np.mean(values):>15.2f}{zeros:>12}")
    return "\n".join(lines)


def correct(row: Asked) -> bool:
    """Return whether the assistant's answer counts as right, sure or not."""
    return _right([row], [row.reply.answer])[0]


def _right(rows: Sequence[Asked], answers: Sequence[str]) -> list[bool]:
    return [token_f1(answer, row.question.answer) >= RIGHT for row, answer in zip(rows, answers, strict=True)]


def shown(row: Asked) -> str:
    """Return a question with the assistant's answer and its source, and the right one."""
    q, reply = row.question, row.reply
    return (
        f"\n{q.question}\n   answer: {reply.cited(float('-inf'))}   (score {reply.score:+.1f})"
        f"\n   right:  {q.answer}   {q.document}"
    )
