"""The answers to a chapter's essays, as they stand in the graded notebooks, without names."""

import hashlib
import hmac
import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from nbformat import NotebookNode

from autograder.adopted_table import HandGraded, hand_graded, notebooks
from autograder.course_secret import secret_of
from autograder.execution.result_cache import Store
from autograder.gradebook import graded_notebook
from autograder.submissions.markup import typed

ALIKE = 0.6  # cosine of two answers from which a reader is told that they are nearly the same
LETTERS = 10  # of an answer's number
CONSONANTS = str.maketrans("0123456789abcdef", "bcdfghjkmnpqrstv")  # no digit, no vowel: no number, date or word


@dataclass(frozen=True)
class Answer:
    """One answer. text: HTML of our allow-list, as in the graded notebook; alike: numbers of answers much like it."""

    number: str
    essay: str
    text: str
    alike: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What was written, without tags."""
        return html.unescape(re.sub(r"<[^>]*>", " ", self.text))


def number(course: Path, student: str, essay: str) -> str:
    """Return the number under which an answer is marked: nobody without the course's secret can tell whose it is.

    It is of letters alone, since a spreadsheet would turn 6983318e47 into 6.98E+51.
    """
    said = f"{essay}:{student}".encode("utf-8", "surrogatepass")
    digits = hmac.new(secret_of(course).encode(), said, hashlib.sha256).hexdigest()
    return digits[:LETTERS].translate(CONSONANTS)


def authors(course: Path, chapter: str, students: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return whose the answers are that are marked once, by the first of them: who worked alone, or a team."""
    teams = Store(course, chapter).teams()
    found: dict[tuple[str, ...], list[str]] = {}
    for student in sorted(students):
        found.setdefault(teams.get(student, (student,)), []).append(student)
    return {who[0]: tuple(who) for who in found.values()}


def answers(course: Path, chapter: str) -> dict[str, list[Answer]]:
    """Return the answers to each essay of a chapter, those much alike beside one another; empty ones are left out.

    A team's answer is there once.
    """
    found: dict[str, list[Answer]] = {}
    names, by_hand = notebooks(course, chapter), hand_graded(course, chapter)
    folders = {
        f.parent.name: f for f in (course / "autograded").glob(f"*/{chapter}") if graded_notebook.is_whole(f, names)
    }
    for student in authors(course, chapter, folders):
        notebook = graded_notebook.read(folders[student], names)
        for cell, text in _given(notebook, by_hand).items():
            essay = by_hand.name(cell)
            found.setdefault(essay, []).append(Answer(number(course, student, essay), essay, text))
    return {essay: side_by_side(sorted(given, key=lambda a: a.number)) for essay, given in found.items()}


def _given(notebook: NotebookNode, by_hand: HandGraded) -> dict[str, str]:
    """Return what one student wrote for essays and tasks, as HTML; a test that a person grades asks for nothing."""
    empty, kinds = graded_notebook.empty_essays(notebook), {cell.id: cell.cell_type for cell in notebook.cells}
    found = {}
    for name, cells in graded_notebook.grounds(notebook, by_hand).items():
        if cells and name not in empty and (kinds[name] == "markdown" or cells[0].id == name):
            found[name] = "".join(typed(c.source) if c.cell_type == "code" else c.source for c in cells)
    return found


def side_by_side(given: Sequence[Answer]) -> list[Answer]:
    """Return the answers in an order in which each stands near those most like it (cosine of TF-IDF)."""
    if len(given) < 3:
        return list(given)
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    like = _likeness([answer.words for answer in given])
    away = squareform(np.clip(1 - like, 0, None), checks=False)
    order = leaves_list(optimal_leaf_ordering(linkage(away, "average"), away))
    arranged = []
    for i in order:
        near = tuple(given[j].number for j in order if j != i and like[i, j] >= ALIKE)
        arranged.append(replace(given[i], alike=near))
    return arranged


def _likeness(texts: Sequence[str]) -> np.ndarray:
    """Return the cosines (N, N) of texts under TF-IDF, 1 on the diagonal."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectors = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b|[^\w\s]", sublinear_tf=True).fit_transform(texts)
    like = np.asarray((vectors @ vectors.T).todense(), dtype=float)
    np.fill_diagonal(like, 1.0)
    return like
