"""Read a chapter's text source and hold it to the rules; every error is one line with file and line.

A chapter is a folder: the story (NN_topic.py) and, for each check, its cases in checks/<exercise>.py. Prose may lie in
a file of its own, <name>.md, where the story says text="<name>"; notes.toml says what to notice in the model answers.
"""

import hashlib
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import jupytext

from autograder import cell_marks
from autograder.syntax import MAGIC, CheckReader, fault, functions, without_magics
from helpers.course import model_answers
from helpers.errors import CourseError

TOTAL_POINTS = 100
REGIONS = {
    "SOLUTION": ("exercise", "essay"),
    "MISTAKES": ("check",),
    "HIDDEN TESTS": ("check",),
    "MARK SCHEME": ("essay",),
    "CLAIMS": ("show",),
}
OPTIONAL = ("CLAIMS", "MISTAKES")
REGION = re.compile(rf"### (BEGIN|END) ({'|'.join(REGIONS)})")
NBGRADERS_NAME = {  # of the kinds, in the toolbar
    "exercise": "autograded answer",
    "check": "autograder tests",
    "essay": "manually graded answer",
    "given": "read-only",
}
SIZE = "`STEPS = 300  ### small: 60; gpu: 3000` (gpu may be missing)"
CHECKS = "checks"  # the folder of the cases, beside the story


class SourceError(CourseError):
    """A mistake in a chapter's source, told as file:line: what is wrong and what to do.

    Those of a notebook that is imported are told together, a line for each.
    """


@dataclass(frozen=True)
class Cell:
    """One cell of the source: its kind, its name (of the exercise or essay), its text and its place."""

    kind: str
    name: str
    options: dict
    grade_id: str
    cell_type: str
    source: str
    path: Path
    line: int  # in path, of its mark; 0 for the cases of a check, which are a file of their own
    mark: str  # story:line of its mark

    @property
    def points(self) -> float:
        """The points that the cell carries, 0 for most kinds."""
        return self.options.get("points", 0)

    def at(self, line: int) -> str:
        """Return file:line of a line of its text, counted from 1."""
        return f"{self.path}:{self.line + line}"

    @property
    def place(self) -> str:
        """Where the text is to be looked for: the file of a check's cases, else the mark."""
        return self.mark if self.line else self.at(1)


def read(path: Path, total: float | None = TOTAL_POINTS) -> list[Cell]:
    """Read and validate a story with its checks; `total` is what the points must add up to (None: anything).

    It is read once as long as no byte of the chapter changes: many ask for the same one.
    """
    folder = path.parent
    parts = path, folder / model_answers.NOTES, *folder.glob("*.md"), *(folder / CHECKS).glob("*.py")
    return [replace(cell, options=dict(cell.options)) for cell in _read(path, total, digest(folder, parts))]


def digest(folder: Path, files: Iterable[Path]) -> str:
    """Return a digest of the files that are there. Times of change would not do: a clock may be moved back."""
    content = hashlib.sha256()
    for path in sorted(file for file in files if file.is_file()):
        content.update(f"{path.relative_to(folder).as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()


@lru_cache(maxsize=32)
def _read(path: Path, total: float | None, state: str) -> list[Cell]:
    text = _text(path, "there is no such chapter source")
    cells = jupytext.reads(text, fmt="py:percent").cells
    lines = [i for i, line in enumerate(text.split("\n"), 1) if re.match(r"# %%( |$)", line)]
    if lines[:1] != [1]:
        raise SourceError(f"{path}:1: the file must start with a cell mark (# %%)")
    if len(lines) != len(cells):
        raise SourceError(f"{path}:1: some mark is not at the start of its line, or not written as # %%")
    read_cells = _cells(path, cells, lines)
    _validate(path, read_cells, total)
    return read_cells


def _text(path: Path, missing: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise SourceError(f"{path}: {missing}") from None
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}:1: not UTF-8 text (byte {error.start})") from None


def definitions(path: Path) -> dict:
    """Return what the given and exercise cells of a chapter define: its solutions, for those who measure them."""
    names: dict = {"__name__": "__main__"}
    for cell in read(path):
        if cell.kind in ("given", "exercise"):
            exec(compile(cell.source, cell.grade_id, "exec"), names)
    return names


def _cells(path: Path, cells: list, lines: list[int]) -> list[Cell]:
    count: Counter = Counter()
    out = []
    for cell, line in zip(cells, lines, strict=True):
        try:
            kind, options = cell_marks.read_mark(cell)
        except ValueError as error:
            raise SourceError(f"{path}:{line}: {error}") from None
        count[kind] += 1
        name = str(options.get(kind, "")) if kind in ("exercise", "check", "essay", "text") else ""
        grade_id = str(options.get("id", default_id(kind, name, count[kind])))
        one = Cell(kind, name, options, grade_id, cell.cell_type, cell.source, path, line, f"{path}:{line}")
        if kind == "check":
            one = _with_cases(one)
        elif kind == "text" and name:
            one = _with_prose(one)
        out.append(one)
    return out


def default_id(kind: str, name: str, number: int) -> str:
    """Return the id of a cell whose mark gives none: by its name, else by its number among those of its kind."""
    return cell_marks.PREFIX.get(kind, f"{kind}-") + (name or f"{number:02}")


def cases_file(story: Path, name: str, grade_id: str) -> Path:
    """Return where the cases of a check lie: by the name of its exercise, or by an id of its own."""
    stem = name if grade_id == f"{cell_marks.PREFIX['check']}{name}" else grade_id
    return story.parent / CHECKS / f"{stem}.py"


def _with_cases(check: Cell) -> Cell:
    """Return a check with the text of its cases, which is that of the instructor's cell."""
    path = cases_file(check.path, check.name, check.grade_id)
    if check.source.strip():
        raise SourceError(f"{check.at(1)}: the cases of '{check.name}' belong in {CHECKS}/{path.name}")
    text = _text(path, f"the cases of check '{check.name}' are missing ({check.mark} names them)")
    return replace(check, source=text.strip("\n"), path=path, line=0)


def prose_file(story: Path, name: str) -> Path:
    """Return where prose lies that is not in the story."""
    return story.parent / f"{name}.md"


def _with_prose(cell: Cell) -> Cell:
    """Return a text cell with the prose that lies in a file of its own."""
    path = prose_file(cell.path, cell.name)
    if cell.source.strip():
        raise SourceError(f"{cell.at(1)}: the text of '{cell.name}' belongs in {path.name}")
    text = _text(path, f"the text '{cell.name}' is missing ({cell.mark} names it)")
    return replace(cell, source=text.strip("\n"), path=path, line=0)


def notes(story: Path) -> dict[str, str]:
    """Return {exercise: what to notice in its model answer} of a chapter; {} where nothing is written."""
    try:
        return model_answers.notes_of(story.parent)
    except ValueError as error:
        raise SourceError(f"{story.parent / model_answers.NOTES}:1: {error}") from None


def _validate(path: Path, cells: list[Cell], total: float | None) -> None:
    for _, place, message in problems(cells):
        raise SourceError(f"{place}: {message}")
    named = {c.path for c in cells if c.kind == "check"}
    for file in sorted((path.parent / CHECKS).glob("*.py")):
        if file not in named:
            raise SourceError(f"{file}:1: no check of {path.name} has these cases; add the check or delete the file")
    exercises = {c.name for c in cells if c.kind == "exercise"}
    for name in sorted(notes(path).keys() - exercises):
        raise SourceError(
            f"{path.parent / model_answers.NOTES}:1: {path.name} has no exercise '{name}' to notice anything in"
        )
    points = sum(c.points for c in cells)
    if total is not None and points != total:
        raise SourceError(f"{path}:1: the points add up to {points:g}, not to {total:g}")


def problems(cells: list[Cell]) -> Iterator[tuple[Cell, str, str]]:
    """Yield what is wrong with cells: (the cell, where, what is wrong and what to do)."""
    for problem in (_ids, _types, _regions, _python, _marks, _pairs, _checks):
        yield from problem(cells)


def _ids(cells: list[Cell]):
    seen: dict[str, str] = {}
    for c in cells:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", str(c.grade_id)):
            yield c, c.mark, f"the id '{c.grade_id}' may hold only letters, digits, - and _ (at least 1, at most 64)"
        if c.grade_id in seen:
            yield c, c.mark, f"duplicate id '{c.grade_id}', first used in {seen[c.grade_id]}; give one of them another"
        else:
            seen[c.grade_id] = c.mark


def _types(cells: list[Cell]):
    for c in cells:
        right = "markdown" if c.kind in ("text", "essay") else "code"
        if c.cell_type != right:
            yield c, c.mark, f"{_of_kind(c)} cannot be a {c.cell_type} cell; make it {right}, or take its label off"
        if c.kind in ("check", "essay") and not _is_points(c.options.get("points")):
            yield c, c.mark, f"{c.kind} '{_name(c)}' needs points, a number above 0 and at most {TOTAL_POINTS}"


def _of_kind(c: Cell) -> str:
    known = f" ({NBGRADERS_NAME[c.kind]})" if c.kind in NBGRADERS_NAME else ""
    return f"a cell of kind {c.kind}{known}"


def _name(c: Cell) -> str:
    return c.name or c.grade_id


def _is_points(value) -> bool:
    return type(value) in (int, float) and 0 < value <= TOTAL_POINTS


def _regions(cells: list[Cell]):
    """Yield regions that are open, nested, missing or in a cell of the wrong kind."""
    for c in cells:
        for region, kinds in REGIONS.items():
            marks = re.findall(rf"### (BEGIN|END) {region}", c.source)
            if marks and c.kind not in kinds:
                home = " or ".join(kinds)
                yield c, c.place, f"a {region.lower()} region does not belong in {_of_kind(c)}; it is for {home}"
            if marks != ["BEGIN", "END"] * (len(marks) // 2):
                ends = f"each ### BEGIN {region} needs an ### END {region} before the next"
                yield c, c.place, f"a {region.lower()} region is left open or nested in '{c.grade_id}'; {ends}"
            if c.kind == "exercise" and re.search(rf"^### BEGIN {region}", c.source, re.MULTILINE):
                yield c, c.place, f"the solution in '{c.grade_id}' is at top level; put it inside a function"
            if not marks and c.kind in kinds and region not in OPTIONAL:
                lines = f"### BEGIN {region} ... ### END {region}"
                yield c, c.place, f"'{c.grade_id}' has no {lines}; put the two lines around the {region.lower()}"


def _python(cells: list[Cell]):
    for c in cells:
        if c.cell_type != "code" or fault(c.source) is None:
            continue
        for number, line in enumerate(c.source.split("\n"), 1):
            if MAGIC.match(line):
                yield c, c.at(number), f"'{line.strip()}' is a notebook's command and no Python; leave it out"
        wrong = fault(without_magics(c.source))
        if wrong and not c.source.lstrip().startswith("%%"):  # what stands below that may be another language
            yield c, c.at(wrong.line), f"the cell does not parse: {wrong.words}; a chapter's cells are plain Python"


def _parsing(c: Cell) -> str | None:
    """Return the Python of a cell, its magics taken out; None if it is none."""
    for python in (c.source, without_magics(c.source)):
        if c.cell_type == "code" and fault(python) is None:
            return python
    return None


def _marks(cells: list[Cell]):
    """Yield comments with three # that are no mark: they would reach the students, and do nothing."""
    for c in cells:
        python = _parsing(c)
        if python is None:
            continue
        understood = cell_marks.without_sizes(python)[0] if c.kind == "show" else python
        for token in tokenize.generate_tokens(io.StringIO(understood).readline):
            if token.type == tokenize.COMMENT and re.match("###(?!#)", token.string) and not REGION.match(token.string):
                message = f"'{token.string}' is no mark; a size of a show cell is written {SIZE}"
                yield c, c.at(token.start[0]), message


def _pairs(cells: list[Cell]):
    exercises: dict[str, Cell] = {}
    checked = {c.name for c in cells if c.kind == "check"}
    for c in cells:
        if c.kind == "exercise":
            exercises[c.name] = c
        if c.kind == "check" and c.name not in exercises:
            yield c, c.mark, f"check '{_name(c)}' has no exercise of that name before it; rename one of the two"
    for name, exercise in exercises.items():
        if name not in checked:
            yield exercise, exercise.mark, f"exercise '{name}' has no check; add a check cell below it"


def _checks(cells: list[Cell]):
    """Yield checks that disagree with their mark, or that lean on names of neither exercises nor given cells."""
    students: set[str] = set()
    all_known = True
    for c in cells:
        if c.kind in ("exercise", "given") and c.cell_type == "code":
            defined = functions(c.source)
            students.update(defined or ())
            all_known &= defined is not None
    for c in cells:
        python = _parsing(c)
        if c.kind != "check" or python is None:
            continue
        reader = CheckReader(python)
        if reader.declared != (c.name, c.points):
            expected = f'@graded("{c.name}", points={c.points})'
            yield c, c.place, f"the cell must hold {expected}, as its mark or label says; correct the one or the other"
        if not reader.ends_with_score:
            yield c, c.place, f"check '{_name(c)}' must end with the line score; add it"
        if "check.mistake_values" in c.source:
            yield c, c.place, f"check '{_name(c)}' holds check.mistake_values, which the build writes; take it out"
        for name in sorted(reader.free_names - students) if all_known else ():
            where = "which is neither imported there nor a function or class of an exercise or a given cell"
            yield c, c.place, f"check '{_name(c)}' uses '{name}', {where}; import or define it in the check"
