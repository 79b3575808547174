"""Pages to read in a browser: one for a student, one for a class. No scripts, nothing loaded, everything escaped."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from autograder.report import classroom, safe_text
from autograder.report.csvs import remarks
from autograder.report.likeness import Pair
from autograder.report.standing import Standing, finite, unproved
from helpers import palette
from helpers.files import write_whole

TEMPLATES = Path(__file__).resolve().parent / "templates"
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")  # Windows keeps these names for devices
FEW = 5  # students from which a distribution says more than the list
OUTPUT_LINES = 40  # lines of a cell's output that a student's page shows


@cache
def _environment():
    """Return the templates; whatever is put into a page is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {name: getattr(safe_text, name) for name in ("name", "line", "block", "number")}
    found.filters |= {"percent": lambda share: f"{100 * share:.0f}", "seconds": lambda value: f"{value:.2f}"}
    found.globals |= {"count": safe_text.count, "palette": palette}
    return found


def student_page(standing: Standing, title: str) -> str:
    """Return a student's page. title: that of the chapter."""
    cells = [c for c in standing.result.get("cells") or [] if c.get("error") or c.get("status") in classroom.STOPPED]
    weak = [(i, c) for i, c in enumerate(standing.checks, 1) if c.report and c.word != "full"]
    unchecked: dict[str, list[str]] = {}
    for check in standing.checks:
        if not check.report and check.word != "full":
            unchecked.setdefault(check.reason or "the check said nothing", []).append(check.exercise)
    return render(
        "student.html",
        title=title,
        standing=standing,
        remarks=remarks(standing),
        cells=[_cell(c) for c in cells],
        weak=weak,
        linked=[c for _, c in weak],
        unchecked=unchecked,
        protections=classroom.protections([standing]),
    )


def _cell(cell: Mapping) -> dict:
    """Return what a page shows of a cell that did not end well."""
    stated = cell.get("error")
    error = stated if isinstance(stated, dict) else {}
    said = classroom.error_line(error) if error else ""
    where = f"line {error['line']}" if isinstance(error.get("line"), int) else ""
    return {
        "id": cell.get("id", ""),
        "what": classroom.STOPPED.get(str(cell.get("status")), "stopped with an error"),
        "seconds": finite(cell.get("seconds")) if cell.get("status") == "timeout" else 0.0,
        "error": said,
        "where": where,
        "source": error.get("text") or "",
        "output": safe_text.block(cell.get("stdout") or "", OUTPUT_LINES),
    }


def class_page(
    class_: Sequence[Standing], title: str, files: Mapping[str, str] | None = None, alike: Sequence[Pair] = ()
) -> str:
    """Return the page of a class.

    files: {student: the student's page beside this one}, to link to; alike: pairs of students to look at.
    """
    found = classroom.summary(class_)
    picture: dict[str, str] = {}
    alt = ""
    if found.students >= FEW and found.possible:
        from autograder.report.picture import distribution  # matplotlib takes a second

        picture, alt = distribution([s.earned for s in class_], found.possible)
    return render(
        "class.html",
        title=title,
        class_=class_,
        summary=found,
        picture=picture,
        alt=alt,
        hardest=classroom.hardest(class_),
        near_misses=classroom.near_misses(class_),
        slowest=classroom.slowest(class_),
        failures=classroom.failures(class_),
        errors=classroom.errors(class_),
        missing=classroom.missing_packages(class_),
        protections=classroom.protections(class_),
        ended={classroom.STOPPED[status]: n for status, n in classroom.ended(class_).items()},
        notes={s.student: remarks(s) for s in class_},
        files=files or {},
        alike=alike,
        unproved=unproved(class_),
        essays=any(s.essays for s in class_),
        late=any(s.late for s in class_),
    )


def render(template: str, **values) -> str:
    """Return a page; whatever is put into it is escaped, unless it is marked as HTML."""
    page = _environment().get_template(template).render(**values)
    return re.sub(r"\n{2,}", "\n", page)


def file_names(students: Sequence[str], suffix: str = ".html") -> dict[str, str]:
    """Return {student: file name}: a name that no file system dislikes, and no two alike on any of them."""
    plain = {s: re.sub(r"[^\w.@+-]+", "_", safe_text.name(s)).strip("._-")[:60] for s in students}
    taken = Counter(p.casefold() for p in plain.values())
    own = {s for s, p in plain.items() if p == s and taken[p.casefold()] == 1 and not RESERVED.match(p)}
    return {s: (p if s in own else f"{p or 'student'}-{_digest(s)}") + suffix for s, p in plain.items()}


def _digest(student: str) -> str:
    return hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def write_pages(class_: Sequence[Standing], title: str, folder: Path, alike: Sequence[Pair] = ()) -> Path:
    """Write students/<student>.html and class.html into a folder; returns the class's page."""
    names = file_names([s.student for s in class_])
    for s in class_:
        write_whole(folder / "students" / names[s.student], student_page(s, title).encode("utf-8"))
    page = class_page(class_, title, {s: f"students/{name}" for s, name in names.items()}, alike)
    write_whole(folder / "class.html", page.encode("utf-8"))
    return folder / "class.html"
