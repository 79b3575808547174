"""What other systems need to run the checks themselves: Gradescope's autograder zip, a workflow for GitHub Actions."""

from collections.abc import Iterator
from pathlib import Path

from autograder import paths
from autograder.course_secret import SECRET, secret_for
from autograder.zips import zipped
from helpers.errors import CourseError
from helpers.files import write_whole

TEMPLATES = Path(__file__).resolve().parent / "templates"
FOLDERS = ("autograder", "helpers", "datasets")
FILES = ("nbgrader_config.py", "requirements.lock")
PROGRAMS = ("setup.sh", "run_autograder")  # what Gradescope runs


def gradescope_zip(chapter: str, path: Path, secret: str, sandbox: bool = True) -> Path:
    """Write the zip that an instructor uploads to Gradescope as the autograder of a chapter.

    It holds the course's code with the chapter's solutions and hidden tests; keep it from students. secret: of the
    course; the zip has one that follows from it, and tells nothing of it. sandbox: whether it gives no points where
    there is none.
    """
    files = {name: _filled(f"{name.removesuffix('.sh')}.sh", chapter, sandbox).encode("utf-8") for name in PROGRAMS}
    files |= {f"course/{file.relative_to(paths.ROOT).as_posix()}": file.read_bytes() for file in _course(chapter)}
    files[f"course/{SECRET}"] = f"{secret_for(secret, f'gradescope {chapter}')}\n".encode()
    write_whole(path, zipped(files, PROGRAMS))
    return path


def _course(chapter: str) -> Iterator[Path]:
    """Yield the files of the course that the checks of a chapter need; CourseError where they are not all there."""
    single = [paths.ROOT / name for name in FILES]
    single += [paths.release_notebook(chapter), paths.source_text(chapter)]
    single += [p for folder in (paths.RELEASE, paths.SOLUTIONS) for p in (folder / chapter / "checks").glob("*.py")]
    single += sorted((paths.SOLUTIONS / chapter / "figures").glob("*.py"))
    single += sorted((paths.SOLUTIONS / chapter).glob("*.md"))
    for file in single:
        if not file.is_file():
            raise CourseError(f"{file}: not there; write the zip from a checkout of the course, after make release")
    for folder in FOLDERS:
        single += filter(_belongs, (paths.ROOT / folder).rglob("*"))
    yield from sorted(set(single))


def _belongs(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")


def workflow(chapter: str, path: Path, sandbox: bool = True) -> Path:
    """Write the GitHub Actions workflow that checks a student repository's notebook on each push."""
    write_whole(path, _filled("workflow.yml", chapter, sandbox).encode("utf-8"))
    return path


def _filled(name: str, chapter: str, sandbox: bool) -> str:
    template = (TEMPLATES / name).read_text(encoding="utf-8")
    return template.replace("@CHAPTER@", chapter).replace("@SANDBOX@", "--sandbox" if sandbox else "--no-sandbox")
