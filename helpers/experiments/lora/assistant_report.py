"""The assistant examined: was a right document found, and how good is the answer read from it?"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from helpers.assistant.capstone import Assistant, Reply
from helpers.data.docs import Docs
from helpers.experiments.lora.short_answers import token_f1, words_of
from helpers.models.docs_reader import load_reader


class Asked(NamedTuple):
    """One question.

    question: of data.load("docs_questions")
    reply:    what the assistant said
    gold:     what its reader says of the right document
    copied:   what the docs-reader points at in the passage found, and in that of the right document
    """

    question: object
    reply: Reply
    gold: str
    copied: tuple[str, str]


def ask_all(assistant: Assistant, docs: Docs, questions: Sequence) -> tuple[list[Asked], float]:
    """Ask all questions; returns (what was said, the seconds that the assistant took for one)."""
    pointer = load_reader(own=False)  # chapter 08's: it copies words of the passage
    start = time.perf_counter()
    replies = [assistant.ask(q.question) for q in questions]
    seconds, rows = (time.perf_counter() - start) / len(questions), []
    for q, reply in zip(questions, replies, strict=True):
        passage = assistant.passage(docs[q.document], q.question)
        copied = tuple(span.text for span in pointer.read(q.question, [reply.passage, passage]))
        rows.append(Asked(q, reply, assistant.read(passage, q.question), copied))
    return rows, seconds


def report(rows: Sequence[Asked], seconds: float, *, rouge_l: Callable) -> str:
    """Return a line for each measure; rouge_l(candidate, reference) compares two lists of words."""
    right = [row.question.answer for row in rows]
    ranks = [_rank(row) for row in rows]
    found = {
        "recall@5 of a right document": [rank is not None and rank <= 5 for rank in ranks],
        "MRR": [1 / rank if rank else 0.0 for rank in ranks],
        "token F1 of the answer": _f1([row.reply.answer for row in rows], right),
        "token F1 with the right document": _f1([row.gold for row in rows], right),
        "ROUGE-L of the answer": [rouge_l(words_of(row.reply.answer), words_of(row.question.answer)) for row in rows],
        "token F1, docs-reader, as found": _f1([row.copied[0] for row in rows], right),
        "token F1, docs-reader, right document": _f1([row.copied[1] for row in rows], right),
        "seconds a question": [seconds],
    }
    return "\n".join(f"{name:<40}{np.mean(values):.3f}" for name, values in found.items())


def _rank(row: Asked) -> int | None:
    """Return the place (from 1) of the first document found that answers the question, None without one."""
    return next((i for i, name in enumerate(row.reply.names, 1) if name in row.question.documents), None)


def _f1(answers: list[str], right: list[str]) -> list[float]:
    return [token_f1(answer, wanted) for answer, wanted in zip(answers, right, strict=True)]


def shown(row: Asked) -> str:
    """Return a question with the assistant's answer, the docs-reader's and the right one."""
    q = row.question
    return (
        f"\n{q.question}\n   answer: {row.reply.answer}   [{row.reply.names[0]}]\n   docs-reader: {row.copied[0]}"
        f"\n   right:  {q.answer}   [{q.document}]"
    )
