"""What the student edition holds: {path: content}, made from the course's own files and a few templates."""

import functools
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import nbformat

from autograder import paths
from autograder.authoring.adapted import Change, adapted, change_of
from autograder.authoring.build import generate
from autograder.authoring.pages import CLASS, pages
from helpers.errors import CourseError

TEMPLATES = Path(__file__).parent / "templates"
GENERATED = {  # a template, and its name in the edition
    "README.md": "README.md",
    "Makefile": "Makefile",
    "project.toml": "pyproject.toml",
    "environment.yml": "environment.yml",
    "gitignore": ".gitignore",
    "gitattributes": ".gitattributes",
    "test_edition.py": "tests/test_edition.py",
}
TAKEN = ("LICENSE*", "NOTICE*", "requirements.lock", "Dockerfile", ".dockerignore", ".devcontainer/*")  # as they are
LEFT_OUT = ("datasets/README.md", "datasets/reference/")  # how the data sets and artifacts are made
STRAY = (".run", ".tmp", ".part", ".log", ".orig", "~")
AGENTS = "AGENTS.md"  # asks a coding assistant to be a tutor: beside the notebooks, and at the top
AI_PAGE = "ai_assistant.md"  # tells students how to use an AI assistant
GITHUB = re.compile(  # the zip of a branch, as GitHub makes it
    r"https://github\.com/(?P<repository>[\w.-]+/[\w.-]+)/archive/(?:refs/heads/)?(?P<branch>[\w./-]+)\.zip$", re.ASCII
)
INSTALL = "install"  # the id of the cell that installs the course where it is missing


def edition(chapters: Sequence[str], url: str = "", course: Path | None = None, ai: bool = True) -> dict[str, bytes]:
    """Return the files of the student edition; raises SourceError if a chapter cannot be generated.

    url: where the zip of the edition will lie; a notebook opened alone installs the course from there. course: the
    folder whose course.toml drops, adds or weighs questions. ai: with the page on learning with an AI assistant, and
    with AGENTS.md, which asks a coding assistant to be a tutor.
    """
    files = {name: path.read_bytes() for name, path in _taken()}
    files |= {_name(path): _without_others(content, path, chapters) for path, content in pages(CLASS).items()}
    files |= {name: _filled(template, chapters, url).encode("utf-8") for template, name in GENERATED.items()}
    for chapter in chapters:
        change = change_of(course, chapter) if course else Change()
        made = generate(chapter, functools.partial(adapted, change=change) if change else None)
        files |= {_name(path): _notebook(content, path, url) for path, content in made.items()}
    agents = _name(paths.RELEASE / AGENTS)
    if not ai:
        files = _without_ai(files)
    elif agents in files:
        files[AGENTS] = files[agents]
    return dict(sorted(files.items()))


def _without_ai(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files without AGENTS.md, without the page on AI assistants, and without the lines that link to it."""
    kept = {name: content for name, content in files.items() if Path(name).name not in (AGENTS, AI_PAGE)}
    for name, content in kept.items():
        if name.endswith((".ipynb", ".md")) and AI_PAGE.encode() in content:
            lines = content.splitlines(True)
            kept[name] = b"".join(line for line in lines if AI_PAGE.encode() not in line)
    return kept


def _taken() -> Iterator[tuple[str, Path]]:
    """Yield what is handed out as it is: helpers, data sets, pages, licences, the lock."""
    if not (paths.ROOT / "pyproject.toml").is_file():
        raise CourseError(f"{paths.ROOT}: no checkout of the course; the student edition is made in one")
    yield from _tree("helpers")
    yield from (
        (name, path) for name, path in _tree("datasets") if path.suffix != ".py" and not name.startswith(LEFT_OUT)
    )
    yield from ((_name(path), path) for pattern in TAKEN for path in sorted(paths.ROOT.glob(pattern)))


def _without_others(content: bytes, path: Path, chapters: Sequence[str]) -> bytes:
    """Return a page without the lines that link to chapters which are not handed out; pictures as they are."""
    if path.suffix not in (".ipynb", ".md"):
        return content
    others = [f"]({name}/".encode() for name in paths.chapters() if name not in chapters]
    lines = content.splitlines(True)
    for other in others:
        lines = [line for line in lines if other not in line]
    return b"".join(lines)


def _tree(folder: str) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder, but for what programs and editors leave behind."""
    for path in sorted((paths.ROOT / folder).rglob("*")):
        stray = any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(paths.ROOT).parts)
        if path.is_file() and not stray and not path.name.endswith(STRAY):
            yield _name(path), path


def _name(path: Path) -> str:
    return path.relative_to(paths.ROOT).as_posix()


def _notebook(content: bytes, path: Path, url: str) -> bytes:
    """Return a notebook with the cell that installs the course before its first code; other files as they are."""
    if path.suffix != ".ipynb":
        return content
    notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
    text = (TEMPLATES / "install_cell.py").read_text(encoding="utf-8").rstrip().replace("@URL@", url)
    cell = nbformat.v4.new_code_cell(text, id=INSTALL, metadata={"deletable": False, "editable": False})
    first = next(i for i, c in enumerate(notebook.cells) if c.cell_type == "code")
    notebook.cells.insert(first, cell)
    return (nbformat.writes(notebook) + "\n").encode("utf-8")


def _filled(template: str, chapters: Sequence[str], url: str) -> str:
    """Return a template with the chapters, the version and the dependencies of the course put in."""
    project = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = project["project"]["dependencies"]
    words = {
        "@VERSION@": project["project"]["version"],
        "@BUILD@": _listed(project["build-system"]["requires"]),
        "@DEPENDENCIES@": "\n".join(f'    "{requirement}",' for requirement in needed),
        "@FIRST@": chapters[0],
        "@CHAPTERS@": "\n".join(f"- [{name}](notebooks/{name}/{name}.ipynb){launch(name, url)}" for name in chapters),
    }
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def launch(chapter: str, url: str) -> str:
    """Return what opens a chapter in Colab and in Binder; "" where the edition lies elsewhere than on GitHub."""
    found = GITHUB.match(url)
    if not found:
        return ""
    repository, branch = found["repository"], found["branch"]
    path = f"notebooks/{chapter}/{chapter}.ipynb"
    colab = f"https://colab.research.google.com/github/{repository}/blob/{branch}/{path}"
    place = quote(f"lab/tree/mine/{chapter}/{chapter}.ipynb", safe="")
    binder = f"https://mybinder.org/v2/gh/{repository}/{quote(branch, safe='')}?urlpath={place}"
    return f" · [open in Colab]({colab}) · [open in Binder]({binder})"


def _listed(values: Sequence[str]) -> str:
    return ", ".join(f'"{value}"' for value in values)
