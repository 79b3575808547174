"""What chapter 08 opens with: what its assistant, with every stage of the chapter, said when it was last measured.

`python datasets/reference/rag_measure.py` runs the chapter's own cells and writes it to recorded.json.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

from helpers.chapters.rag.links import joined_questions
from helpers.chapters.rag.panel import Reply, page
from helpers.data.docs import Docs, Document
from helpers.data.questions import DocsQuestions
from helpers.files import write_whole

FILE = Path(__file__).with_name("recorded.json")
READER = "docs-reader"
COMMAND = "python datasets/reference/rag_measure.py"
EXAMPLES = (
    "How many results does the memoising decorator of functools keep if I say nothing?",
    "How do I make numpy.loadtxt skip the header lines?",
    "Who painted the Mona Lisa?",
)


def part_of(docs: Docs, questions: DocsQuestions, part: int) -> list[Document]:
    """Return every `part`-th document, and those that questions are asked about, of one document or of two."""
    asked_about = {q.document for q in questions if q.answerable}
    for joined in joined_questions():
        asked_about |= {joined.first, joined.second}
    return [d for i, d in enumerate(docs) if i % part == 0 or d.name in asked_about]


def recorded() -> dict:
    """Return what was recorded: "replies" {question: Reply}, "figures" {name: [mean, low, high]}, "questions".

    And "reader", "date" and "command": what answered, when it was measured, and how.
    """
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    return kept | {"replies": {question: _reply(reply) for question, reply in kept["replies"].items()}}


def _reply(kept: dict) -> Reply:
    passages = [(title, text, score) for title, text, score in kept["passages"]]
    mark = kept["mark"] and tuple(kept["mark"])
    return Reply(kept["answer"], passages, {}, mark, kept["why"])


def record(reply: Callable[[str], Reply], questions: int, figures: Mapping[str, Sequence[float]]) -> None:
    """Write what the assistant says to EXAMPLES, without times, and its figures on so many test questions.

    With it: what answered, when, and by which command.
    """
    replies = {question: asdict(replace(reply(question), seconds={})) for question in EXAMPLES}
    made = {"reader": READER, "date": date.today().isoformat(), "command": COMMAND}
    kept = made | {"questions": questions, "figures": figures, "replies": replies}
    write_whole(FILE, json.dumps(kept, ensure_ascii=False, indent=1).encode() + b"\n")


def show() -> None:
    """Print the answers to the examples, and show the first reply with its passages."""
    from IPython.display import HTML, display

    replies = recorded()["replies"]
    for question, reply in replies.items():
        print(f"{question}\n    {reply.answer}")
    display(HTML(page(replies[EXAMPLES[0]])))


def headline() -> str:
    """Return the assistant's figures on all test questions that the docs answer, as text."""
    kept = recorded()
    by = f"{kept['reader']}, {kept['date']}, {kept['command']}"
    lines = [f"all {kept['questions']} test questions that the docs answer (recorded: {by})"]
    for name, (mean, low, high) in kept["figures"].items():
        lines.append(f"{name:<46}{mean:>7.1%} ({low:.1%} to {high:.1%})")
    return "\n".join(lines)
