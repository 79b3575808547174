"""Measure chapter 09's assistant on all test questions: `python datasets/reference/assistant_measure.py` (5 minutes).

The chapter asks a part of them, to save time; everything else is as there: it learns from every fourth question of the
split valid, and reads with the bundled docs-reader.
"""

from helpers.assistant.capstone import Assistant
from helpers.data import load
from helpers.experiments.lora import assistant_report
from helpers.models.docs_reader import load_reader


def main() -> None:
    """Print the chapter's report."""
    docs, reader = load("docs"), load_reader(own=False)
    questions = load("docs_questions").held_by(docs)
    assistant = Assistant(docs, reader.read)
    assistant.learn(questions.valid[::4])
    asked = assistant_report.ask_all(assistant, docs, [q for q in questions.test if q.answerable])
    quiet = [assistant.ask(q.question).score for q in questions.test if not q.answerable]
    print(assistant_report.report(asked, quiet, reader.threshold))


if __name__ == "__main__":
    main()
