"""From the sources to a folder of HTML: Sphinx runs, every page is looked through, then the folder is put in place."""

import html
import io
import re
import shutil
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

from autograder import paths
from autograder.authoring.measure import EXECUTED
from autograder.handout import leaks
from autograder.site.accessible import accessible
from autograder.site.sources import sources
from helpers.errors import CourseError
from helpers.files import write_whole

TEMPLATES = Path(__file__).parent / "templates"
NEEDED = ("furo", "myst-nb", "sphinx-mathjax-offline")
DEFAULT = paths.ROOT / "build" / "site"
MATHJAX = "mathjax/tex-svg.js"  # one file with its fonts in it; the package has two hundred
MARK = "objects.inv"  # Sphinx writes it into every site
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
TAG = re.compile(r"<[^>]*>")
SHOWN = 5  # warnings in the message


def build_site(
    chapters: Sequence[str],
    to: Path | None = None,
    executed: Path | None = None,
    fold: bool = False,
    address: str = "",
    rooms: Sequence[str] | None = None,
) -> str:
    """Build the site and return what was done, in a line.

    executed: the folder of executed notebooks (build/executed); address: where the site will lie; rooms: of helpers,
    all that the chapters use if None. Raises CourseError, and leaves the target alone, where Sphinx is missing or
    warns, a page holds a line that students must not see, or the target holds something else.
    """
    to = to or DEFAULT
    _refuse(to, executed, address)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in sources(chapters, executed or EXECUTED, fold, rooms).items():
            write_whole(Path(folder, "source", name), content)
        made = Path(folder, "html")
        _sphinx(Path(folder), address)
        _bring_mathjax(made / "_static")
        for page in made.rglob("*.html"):
            write_whole(page, accessible(page.read_text(encoding="utf-8")).encode())
        for stray in (".buildinfo", "_sources"):
            _remove(made / stray)
        write_whole(made / ".nojekyll", b"")  # GitHub Pages leaves out folders such as _static without it
        pages = ensure_no_leaks(made, fold)
        _remove(to)
        shutil.copytree(made, to)
    size = sum(path.stat().st_size for path in to.rglob("*") if path.is_file())
    return f"wrote {to}: {pages} pages, {size / 1e6:.1f} MB; open {to / 'index.html'}"


def _refuse(to: Path, executed: Path | None, address: str) -> None:
    """Raise CourseError for a target that holds something else, and for what is not there."""
    if executed and not executed.is_dir():
        raise CourseError(f"--executed {executed}: there is no such folder; make course writes {EXECUTED}")
    if address and urlsplit(address).scheme not in ("http", "https"):
        raise CourseError(f"--address {address}: give the address where the site will lie, https://...")
    if to.is_file() or (to.is_dir() and any(to.iterdir()) and not (to / MARK).is_file()):
        raise CourseError(f"{to}: there is something else; name a folder of its own: --to FOLDER")


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _sphinx(folder: Path, address: str) -> None:
    """Run Sphinx from folder/source to folder/html; raises CourseError if it is not there, or warns."""
    try:
        for package in NEEDED:
            metadata.distribution(package)
    except metadata.PackageNotFoundError as error:
        raise CourseError(f'the site needs {error.name}: pip install -c requirements.lock -e ".[site]"') from None
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    settings = {"html_baseurl": address, "html_title": "bow2lora", "release": paths.version()}
    source, html_folder, doctrees = (folder / name for name in ("source", "html", "doctrees"))
    said = io.StringIO()
    with patch_docutils(TEMPLATES), docutils_namespace():
        Sphinx(source, TEMPLATES, html_folder, doctrees, "html", settings, None, said).build()
    warned = [
        line for line in COLOUR.sub("", said.getvalue()).splitlines() if re.search("WARNING|ERROR|CRITICAL", line)
    ]
    if warned:
        more = f"\n  and {len(warned) - SHOWN} more" if len(warned) > SHOWN else ""
        shown = "\n  ".join(line.replace(f"{source}/", "") for line in warned[:SHOWN])
        raise CourseError(f"Sphinx complains, and nothing was written:\n  {shown}{more}")


def _bring_mathjax(static: Path) -> None:
    package = metadata.distribution(NEEDED[-1]).locate_file(NEEDED[-1])
    write_whole(static / MATHJAX, Path(str(package), "static", MATHJAX).read_bytes())


def ensure_no_leaks(site: Path, fold: bool) -> int:
    """Raise CourseError if a file of the site holds what students must not see; returns the number of pages.

    In a page a line is cut up by tags, so its plain text is looked through too.
    """
    secret = leaks.secrets()
    if fold:
        solution = leaks.SECRET["exercise"]
        secret = {run: whose for run, whose in secret.items() if not whose.startswith(solution)}
    files = {path.relative_to(site).as_posix(): path for path in sorted(site.rglob("*")) if path.is_file()}
    content = {name: path.read_bytes() for name, path in files.items()}
    pages = {name: plain_text(text.decode("utf-8")).encode() for name, text in content.items() if name.endswith("html")}
    for looked_at in (content, pages):
        found = leaks.leaks(looked_at, secret)
        if found:
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            raise CourseError(f"nothing was written: {found[0]}{more}")
    return len(pages)


def plain_text(page: str) -> str:
    """Return the text of an HTML page, with its line breaks."""
    return html.unescape(TAG.sub("", page))
