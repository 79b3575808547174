"""Chapters run with other right answers than the course's own: a row for each set of answers of each chapter."""

import json

import nbformat

from autograder import cell_marks, paths
from autograder.authoring import right_answers
from autograder.authoring.measure import EXECUTED, OTHERS, SMALL, run_chapter
from autograder.authoring.source import read

TESTS = paths.ROOT / "tests"
EXPECTED = TESTS / "expected"
RESULTS = TESTS / "world" / "results" / "right_answers.json"
SECONDS = paths.ROOT / "build" / "world" / "right_answers_cpu_seconds.json"  # of each run; differs from run to run
MODEL = 0  # the number that stands for the course's own answers, to compare the time with


def rows() -> list[tuple[str, int]]:
    """Return all (chapter, number of the set, from 1)."""
    return [(chapter, k + 1) for chapter in paths.chapters() for k in range(len(right_answers.sets(chapter)))]


def answers(chapter: str, number: int) -> dict[str, str]:
    """Return a set of answers; MODEL: those of the course again, below themselves."""
    if number != MODEL:
        return right_answers.sets(chapter)[number - 1]
    cells = read(paths.source_text(chapter))
    return {cell.name: "" for cell in cells if cell.kind == "exercise"}


def run(chapter: str, number: int) -> dict:
    """Run a chapter with a set of answers on the small sizes; returns what run_chapter does, and `wrong`.

    wrong: {cell: what}: an error, points lost by a right answer, a line on stderr, or another print than the expected.
    """
    measured = run_chapter(chapter, budget=SMALL, answers=answers(chapter, number))
    wrong = dict(measured["failures"])
    for check, points in points_of(chapter).items():
        if measured["scores"][check] != points:
            wrong.setdefault(check, f"{measured['scores'][check]:g} of {points:g} points")
    notebook = executed(chapter)
    for cell in notebook.cells:
        if text := _text(cell, "stderr"):
            wrong.setdefault(cell.id, f"on stderr: {text}")
    for cell, expected in zip(exact_cells(notebook), expected_prints(chapter), strict=True):
        if (text := _text(cell, "stdout")) != expected:
            wrong.setdefault(cell.id, f"printed {text!r}")
    return measured | {"wrong": wrong, "cells": sum(cell.cell_type == "code" for cell in notebook.cells)}


def points_of(chapter: str) -> dict[str, float]:
    """Return {check: its points}."""
    return {c.grade_id: float(c.points) for c in read(paths.source_text(chapter)) if c.kind == "check"}


def executed(chapter: str) -> nbformat.NotebookNode:
    """Return the notebook as it ran last with other answers."""
    return nbformat.read(EXECUTED / OTHERS / SMALL / f"{chapter}.ipynb", as_version=4)


def exact_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Return the cells whose prints are compared."""
    return [c for c in notebook.cells if cell_marks.EXACT in c.metadata.get("tags", [])]


def expected_prints(chapter: str) -> list[str]:
    """Return what the cells that are compared print."""
    return json.loads((EXPECTED / f"{chapter}.json").read_text(encoding="utf-8"))


def _text(cell: nbformat.NotebookNode, stream: str) -> str:
    return "".join(o.text for o in cell.get("outputs", []) if o.get("name") == stream)


def results() -> dict[str, dict[str, dict]]:
    """Return what is written of the sets: {chapter: {number: {"cells": how many ran, "wrong": {cell: what}}}}."""
    return _read(RESULTS)


def keep(chapter: str, number: int, found: dict) -> None:
    """Write a row into the results, and its CPU seconds beside them; the other rows stay."""
    if number != MODEL:
        _merge(RESULTS, chapter, number, {"cells": found["cells"], "wrong": found["wrong"]})
    _merge(SECONDS, chapter, number, round(found["cpu"], 1))


def slow(times: float = 2.0) -> list[str]:
    """Return a line for each set whose run took more than so many times the CPU seconds of the course's answers."""
    lines = []
    for chapter, seconds in _read(SECONDS).items():
        own = seconds.get(str(MODEL), float("inf"))
        late = {number: taken for number, taken in seconds.items() if taken > times * own}
        lines += [f"{chapter}, set {number}: {taken} s against {own} s" for number, taken in late.items()]
    return lines


def _read(path) -> dict:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _merge(path, chapter: str, number: int, row) -> None:
    found = _read(path)
    chapter_rows = found.setdefault(chapter, {}) | {str(number): row}
    found[chapter] = dict(sorted(chapter_rows.items(), key=lambda item: int(item[0])))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(dict(sorted(found.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
