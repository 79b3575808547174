"""The demo: a sample class graded from end to end, and the chapter's spam filter on real messages."""

import contextlib
import io
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nbformat
import numpy as np

from autograder import cell_marks, paths
from autograder.authoring import build
from autograder.cells import new_shell, run
from autograder.grading import sample_class
from autograder.grading.grade import grade
from autograder.report import report
from autograder.report.csvs import GRADES, QUESTIONS
from helpers import data
from helpers.errors import CourseError

CHAPTER = sample_class.CHAPTER
COURSE = paths.ROOT / "build" / "demo"
TIMEOUT = 20  # seconds for one cell: the sample class has two that never end


def demo(show: Callable, width: int, course: Path = COURSE, **options) -> None:
    """Grade the sample class anew and train on real messages.

    show: prints text or a rich renderable; options: of autograder.grading.grade.grade.
    """
    started = time.monotonic()
    build.build(CHAPTER)
    if not paths.release_notebook(CHAPTER).is_file():
        build.release(CHAPTER)
    shutil.rmtree(course, ignore_errors=True)
    names = sample_class.make(course)
    show(f"A sample class of {len(names)} hands in {CHAPTER}; each is graded in a process of its own.\n")
    results = grade(CHAPTER, course, timeout=TIMEOUT, say=show, **options)
    for part in report(results, CHAPTER, width):
        show(part)
    _say_where(show, course)
    show("\nNow the chapter's own spam filter learns from real messages.")
    for line in spam_on_real_messages():
        show(line)
    show(f"\nThe demo took {time.monotonic() - started:.0f} s. Next: make lab, and open notebooks/{CHAPTER}.")


def _say_where(show: Callable, course: Path) -> None:
    """Name what came out."""
    folder = course.relative_to(paths.ROOT) if course.is_relative_to(paths.ROOT) else course
    show(f"\nFeedback for students  {folder / 'feedback'}/<student>/{CHAPTER}/{CHAPTER}.html")
    show(f"Points by question     {folder / QUESTIONS}")
    show(f"Totals from nbgrader   {folder / GRADES}")


def _with_bigrams(ours: dict, texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text, and its pairs of words behind them."""
    tokens = [ours["tokenize"](text) for text in texts]
    return [words + ours["ngrams"](words, 2) for words in tokens]


def spam_on_real_messages(steps: int = 300) -> list[str]:
    """Train the chapter's logistic regression on the SMS Spam Collection; returns the lines to print."""
    from sklearn.linear_model import LogisticRegression

    from helpers.models.classifiers import logistic_scores

    ours = chapter_names()
    messages: Any = data.load("sms_spam")
    messages = messages.without_repeats()
    train, test = messages.split(test=0.2, seed=0)
    with_bigrams = [_with_bigrams(ours, part.texts) for part in (train, test)]
    features = ours["tfidf_features"](with_bigrams, 8000)
    with contextlib.redirect_stdout(io.StringIO()):  # the progress bar
        scores = logistic_scores(features, train.labels, steps)
    library = LogisticRegression(C=100, max_iter=1000).fit(features[0], train.labels).predict(features[1])
    rows = [("the chapter's", (scores >= 0).astype(int)), ("scikit-learn's", library)]
    lines = [
        f"{messages.card.title}: {len(messages):,} different messages, {len(test):,} of them to judge by",
        "Logistic regression on TF-IDF of words and bigrams:",
    ]
    for name, predictions in rows:
        precision, recall, f1 = ours["precision_recall_f1"](np.asarray(test.labels), predictions)
        lines.append(f"  {name:<16}F1 of spam {f1:.3f} (precision {precision:.3f}, recall {recall:.3f})")
    return lines


def chapter_names() -> dict:
    """Run the given cells and the solutions of the chapter and return what they define."""
    notebook = nbformat.read(paths.source_notebook(CHAPTER), as_version=4)
    shell = new_shell()
    for cell in notebook.cells:
        if cell_marks.from_metadata(cell) in ("given", "exercise") and (error := run(shell, cell.source).error):
            raise CourseError(f"{CHAPTER}: the cell {cell.id} stops with {type(error).__name__}: {error}")
    return shell.user_ns
