"""Measure chapter 09's assistant on all test questions: `python datasets/reference/assistant_measure.py` (8 minutes).

The chapter asks a part of them, to save time; everything else is as there: it learns from every fourth question of the
split valid, and reads with the bundled docs-reader. Of the other valid questions, those that the docs do not answer
tell its threshold, which stands in helpers.chapters.lora.answering: the least that leaves SILENCE of them alone.
"""

import math
from collections.abc import Sequence

from helpers.chapters.lora import assistant_report
from helpers.chapters.lora.answering import THRESHOLD
from helpers.chapters.lora.capstone import Assistant
from helpers.data import load
from helpers.data.questions import Question
from helpers.models.docs_reader import load_reader

SILENCE = 0.7


def threshold(quiet: Sequence[float]) -> float:
    """Return the least number of two decimals that is above SILENCE of the scores."""
    last = sorted(quiet)[math.ceil(SILENCE * len(quiet)) - 1]
    return math.floor(100 * last + 1) / 100


def quiet(assistant: Assistant, questions: Sequence[Question]) -> list[float]:
    """Return the scores of the replies to those questions that the docs do not answer."""
    return [assistant.ask(q.question).score for q in questions if not q.answerable]


def main() -> None:
    """Print the threshold that the split valid tells, and the chapter's report."""
    docs, reader = load("docs"), load_reader(own=False)
    questions = load("docs_questions").held_by(docs)
    assistant = Assistant(docs, reader.read)
    assistant.learn(questions.valid[::4])
    others = [q for i, q in enumerate(questions.valid) if i % 4]
    print(f"threshold by the split valid {threshold(quiet(assistant, others)):.2f}, in use {THRESHOLD:.2f}")
    asked = assistant_report.ask_all(assistant, docs, [q for q in questions.test if q.answerable])
    print(assistant_report.report(asked, quiet(assistant, questions.test)))


if __name__ == "__main__":
    main()
