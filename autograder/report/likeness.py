"""Work that looks alike: a list to look at, never an accusation.

Answers are compared as tokens, without comments and layout, names in the order in which they come (so a renamed copy
is one). What many students write alike, or the model answer does, tells nothing and is left out. The way is that of
S. Schleimer, D. S. Wilkerson and A. Aiken (2003), Winnowing, without the winnowing: a class is small.
"""

import io
import keyword
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import cell_marks, paths
from autograder.adopted_table import adopted, notebooks
from autograder.report.load import released, source

RUN = 10  # tokens in a row that are compared
FEWEST = 4  # uncommon runs that an answer needs: a line or two is written alike by many
ALIKE = 0.7  # share of the uncommon runs that two answers have in common
COMMON = 0.05  # of the class: what so many have is common
SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}

Answers = Mapping[str, Mapping[str, str]]  # {student: {exercise: source}}


@dataclass(frozen=True)
class Pair:
    """Two students, the exercises in which they look alike, and those of them that are the same to the letter."""

    first: str
    second: str
    alike: tuple[str, ...]
    same: tuple[str, ...]


def pairs(answers: Answers, models: Mapping[str, str]) -> list[Pair]:
    """Return the pairs of students with answers that look alike, those with most first. models: the model answers."""
    found: dict[tuple[str, str], list[tuple[str, bool]]] = defaultdict(list)
    for exercise in sorted({name for mine in answers.values() for name in mine}):
        given = {student: mine[exercise] for student, mine in answers.items() if exercise in mine}
        for two in _alike(given, models.get(exercise, "")):
            found[two].append((exercise, given[two[0]] == given[two[1]]))
    made = []
    for two, at in found.items():
        same = tuple(exercise for exercise, is_same in at if is_same)
        made.append(Pair(*two, tuple(exercise for exercise, _ in at), same))
    return sorted(made, key=lambda p: (-len(p.alike), -len(p.same), p.first, p.second))


def _alike(given: Mapping[str, str], model: str) -> Iterable[tuple[str, str]]:
    """Yield the pairs of students whose answers to one exercise look alike."""
    runs = {student: runs_of(source) for student, source in given.items()}
    often = Counter(run for mine in runs.values() for run in mine)
    common = {run for run, n in often.items() if n > max(3, COMMON * len(given))} | runs_of(model)
    telling = {student: mine - common for student, mine in runs.items()}
    holders = defaultdict(list)
    for student, mine in telling.items():
        for run in mine if len(mine) >= FEWEST else ():
            holders[run].append(student)
    shared = Counter(two for students in holders.values() for two in combinations(sorted(students), 2))
    for (first, second), n in shared.items():
        if n >= ALIKE * len(telling[first] | telling[second]):
            yield first, second


def runs_of(source: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of tokens of an answer; what is no Python has none."""
    names: dict[str, str] = {}
    tokens = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
                tokens.append(names.setdefault(token.string, f"n{len(names)}"))
            elif token.type == tokenize.STRING:
                tokens.append("text")
            elif token.type not in SKIPPED:
                tokens.append(token.string)
    except (tokenize.TokenError, SyntaxError, RecursionError):
        return frozenset()
    return frozenset(tuple(tokens[i : i + RUN]) for i in range(len(tokens) - RUN + 1))


def answers(course: Path, chapter: str) -> dict[str, dict[str, str]]:
    """Return the answers of a graded course that are no longer what was handed out."""
    from autograder.gradebook import graded_notebook  # nbgrader takes 2 s to import

    stubs, names = _answers(released(chapter, course)), notebooks(course, chapter)
    found = {}
    for folder in sorted((course / "autograded").glob(f"*/{chapter}")):
        if graded_notebook.is_whole(folder, names):
            mine = _answers(graded_notebook.read(folder, names))
            found[folder.parent.name] = {name: text for name, text in mine.items() if text != stubs.get(name)}
    return found


def models(chapter: str, course: Path) -> dict[str, str]:
    """Return the model answers; {} where there are none, as in a students' edition."""
    if chapter in adopted(course):
        return _answers(source(chapter, course))
    path = paths.source_notebook(chapter)
    return _answers(nbformat.read(path, as_version=4)) if path.is_file() else {}


def _answers(notebook: NotebookNode | None) -> dict[str, str]:
    """Return the sources of the cells in which students write code, by id."""
    cells = notebook.cells if notebook is not None else []
    code = [cell for cell in cells if cell.cell_type == "code"]
    return {cell.id: cell.source for cell in code if cell_marks.from_metadata(cell) in ("exercise", "essay")}
