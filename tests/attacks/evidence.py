"""What a graded course shows of an attack: scores, hidden text, touched files, live markup."""

import ast
import csv
import html
import json
import re
import site
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, SubmittedAssignment

import helpers
from autograder import cell_marks, paths
from autograder.cell_marks import HIDDEN
from autograder.grading.sample_class import CHAPTER

from . import bits
from .attack import Attack, Setting
from .backends import SECRET

ACTIVE = ("text/html", "application/javascript", "image/svg+xml")
LARGE = 5_000_000  # bytes of one student's notebook or page
NEAR = 200  # characters after the word STOLEN that an attack printed itself
MAX_BYTES = 20 * LARGE  # what is looked through
OF_HIDDEN = re.compile(r"(?m)^ *hidden cases? \((.*?)\): (?:an error|a wrong value)(.*)$")  # a report's line
FRESH = "fresh input"  # a kind without a name


def scores(course: Path) -> dict[str, float]:
    """Return every student's points as the gradebook has them, or scores.json without one; {} if neither is there."""
    if not (course / "gradebook.db").exists():
        kept = course / "scores.json"
        return json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    try:
        with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
            return {s.student_id: float(s.score) for s in gradebook.db.query(SubmittedAssignment)}
    except Exception:  # an attack may have left anything there
        return {}


def known_as(student: str, names) -> str:
    """Return the name under which a grader has a student: it may have replaced characters, or have hashed the rest."""
    plain = re.sub(r"[^\w.-]", "_", student)[:100]
    hashed = re.compile(re.escape(re.match(r"[\w.-]*", student)[0]) + "-[0-9a-f]{6}")
    alike = [n for n in names if re.sub(r"[^\w.-]", "_", n)[:100].startswith(plain) or hashed.fullmatch(n)]
    return student if student in names else next(iter(alike), student)


def own_files(course: Path, name: str) -> list[Path]:
    """Return what the grader made for one student."""
    found = (p for p in course.glob("*/**/*") if p.is_file() and not p.is_symlink() and name in p.parts)
    return [p for p in found if not {"submitted", "build"} & {p.relative_to(course).parts[0]}]


def shown(path: Path) -> str:
    """Return what a student may read of a file: a notebook's outputs, a page's text."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".ipynb":
        cells = json.loads(text).get("cells", [])
        text = "\n".join(_strings(cell.get("outputs", [])) for cell in cells)
    if path.suffix in (".html", ".htm"):
        text = html.unescape(re.sub(r"<[^>]*>", "", text))
    text = OF_HIDDEN.sub(_without_the_checks_words, text)
    return " ".join(text.replace("\\n", " ").split())


def _without_the_checks_words(line: re.Match) -> str:
    """Return what a line on hidden cases says besides kinds and mistakes: an answer may print such a line itself."""
    kinds = [kind for kind in line[1].split("; ") if kind not in said()]
    mistakes = [words for words in line[2].removeprefix(": ").split(", or: ") if words not in said()]
    return " ".join([*kinds, *mistakes])


@cache
def said() -> frozenset[str]:
    """Return the names of the kinds of hidden cases, and the known mistakes, which a report may name."""
    cases = [case for _, check in bits.checks(CHAPTER) for case, hidden in check.cases if hidden]
    return frozenset(case.label or FRESH for case in cases).union(*(case.printed for case in cases))


def texts(files: list[Path]) -> dict[str, str]:
    """Return what files show, joined by kind of file: stock nbgrader's pages show to all what outputs must not."""
    found: dict[str, str] = defaultdict(str)
    for path in files:
        if path.stat().st_size < MAX_BYTES:
            found[path.suffix] += " " + shown(path)
    return found


def _strings(value) -> str:
    """Return all text within JSON data."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return "\n".join(_strings(v) for v in inner)
    return str(value)


@cache
def hidden_lines() -> frozenset[str]:
    """Return the lines of hidden tests and solutions that are long enough and stand nowhere else."""
    source = nbformat.read(paths.source_notebook(CHAPTER), as_version=4)
    known = _released()
    cells = [c.source for c in source.cells if cell_marks.from_metadata(c) in ("check", "exercise")]
    lines = {" ".join(line.split()) for text in cells for line in text.splitlines() if len(line.strip()) > 30}
    return frozenset(line for line in lines if line not in known)


@cache
def hidden_inputs() -> frozenset[str]:
    """Return the texts in the hidden tests that stand nowhere else: inputs, for the most part."""
    source = nbformat.read(paths.source_notebook(CHAPTER), as_version=4)
    parts = [m for c in source.cells if cell_marks.from_metadata(c) == "check" for m in HIDDEN.findall(c.source)]
    trees = [ast.parse("if True:\n" + part) for part in parts]
    found = {n.value for t in trees for n in ast.walk(t) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return frozenset(text for text in found if len(text) > 5 and text not in _released())


@cache
def _released() -> str:
    path = paths.release_notebook(CHAPTER)
    texts = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    texts += [cases.read_text(encoding="utf-8") for cases in sorted(path.parent.glob("checks/*.py"))]
    return " ".join(" ".join(text.split()) for text in texts)


@cache
def leaks(text: str) -> frozenset[str]:
    """Return the hidden lines, inputs and secrets that a text shows."""
    found = {line for line in hidden_lines() if line in text} | ({SECRET} & {SECRET if SECRET in text else ""})
    for part in text.split("STOLEN")[1:]:
        near = (part[:NEAR], part[:NEAR][::-1])  # it may have been turned round to pass
        found |= {word for word in hidden_inputs() if word in near[0] or word in near[1]}
    return frozenset(found)


def touched(setting: Setting, attack: Attack) -> Iterator[str]:
    """Yield the places outside its own folders where an attack left its mark."""
    token = attack.token
    if setting.canary(attack).exists():
        yield "the canary"
    for path in setting.root.rglob("*"):
        if path.is_file() and not path.is_symlink() and attack.student not in path.parts and _marked(path, token):
            yield path.relative_to(setting.root).as_posix()
    yield from (str(path) for path in outside_files(token) if path.exists())


def _marked(path: Path, token: str) -> bool:
    """Whether a file was left by an attack, or is one that only the grader may write and has its mark."""
    size = path.stat().st_size
    if token in path.name or size == len(token):
        return token in path.name or path.read_bytes() == token.encode()
    guarded = path.name == "gradebook.db" or "source" in path.parts
    return guarded and token.encode() in path.read_bytes()


def outside_files(token: str) -> list[Path]:
    """Return where an attack may leave a file of its name outside the temporary folder."""
    folders = [*map(Path, site.getsitepackages()), Path(helpers.__file__).resolve().parent / "__pycache__"]
    folders += [Path("/tmp"), Path("/var/tmp"), Path("/dev/shm")]
    return [folder / name for folder in folders for name in (token, f"{token}.txt")]


def live_markup(course: Path, files: list[Path], token: str) -> Iterator[str]:
    """Yield the pages and outputs in which a student's markup would run."""
    pages = [p for p in course.rglob("*.html") if "submitted" not in p.relative_to(course).parts]
    for page in pages:
        text = page.read_text(encoding="utf-8", errors="replace")
        if f"/*{token}" in text and _Live(token).is_in(text):
            yield f"runs in {page.relative_to(course).parts[0]}/"
    for path in files:
        outputs = _outputs(path) if path.suffix == ".ipynb" else []
        if any(kind in ACTIVE and token in _strings(data) for o in outputs for kind, data in o.get("data", {}).items()):
            yield "runs in formgrader (an output of the autograded notebook)"


class _Live(HTMLParser):
    """Looks for a mark where a browser would run it: in scripts, handlers and addresses of tags, not in text."""

    def __init__(self, token: str):
        super().__init__()
        self.mark, self.found = f"/*{token}", False

    def is_in(self, page: str) -> bool:
        """Whether it runs in a page."""
        self.feed(page)
        self.close()
        return self.found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at the attributes of a tag."""
        for name, value in attrs:
            runs = name.startswith("on") or "javascript:" in (value or "").casefold() or name == "srcdoc"
            self.found |= runs and self.mark in (value or "")

    def handle_data(self, data: str) -> None:
        """Look at what stands in a script."""
        self.found |= self.cdata_elem == "script" and self.mark in data


def _outputs(path: Path) -> list[dict]:
    cells = json.loads(path.read_text(encoding="utf-8", errors="replace")).get("cells", [])
    return [output for cell in cells for output in cell.get("outputs", [])]


def formulas(course: Path) -> list[str]:
    """Return the cells of CSV files that a spreadsheet would compute."""
    found = []
    for path in course.glob("**/*.csv"):
        with path.open(encoding="utf-8", newline="", errors="replace") as file:
            found += [cell for row in csv.reader(file) for cell in row if re.match(r"[=@+]|-[^\d]", cell)]
    return found
