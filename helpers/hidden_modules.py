"""A file beside a notebook that hides what the course imports: `torch.py`, `tokenizers.py`, a folder `helpers`.

The first cell of a chapter calls `check` before it imports anything else; only the standard library is used here, and
of that only what every kernel has loaded already.
"""

import importlib.metadata
import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

COURSE = "bow2lora"
FOLDER = Path(__file__).resolve().parents[1]  # that of the checkout, or of all installed packages
# Of the standard library, what nothing that the course imports asks for: people like to call a file test.py.
UNUSED = {"antigravity", "idlelib", "lib2to3", "test", "this", "turtle", "turtledemo"}


def check() -> None:
    """Stop where a file in the working folder hides a module that the course needs, and say in a line which.

    A kernel looks for the standard library first; a program that is started in this folder does not. So a line names a
    file such as random.py, and the notebook goes on.

    Raises:
        SystemExit: the line, where something is hidden from this notebook.
    """
    for path in hiding_notebook():
        raise SystemExit(f"{path} hides the {path.stem} that the course needs: rename it, then restart the kernel.")
    for path in hiding_programs():
        print(f"{path} hides Python's own {path.stem} from programs that are started in this folder: rename it.")


def hiding_notebook() -> list[Path]:
    """Return the files and packages of the working folder that this process imports in place of what it needs."""
    before, after = _search_path()
    found = []
    for name, path in _modules_here().items():
        hidden = _place(name, after)
        if hidden is not None and _place(name, before) is None and _is_needed(name, hidden):
            found.append(path)
    return found


def hiding_programs() -> list[Path]:
    """Return the files and packages of the working folder with the name of a module of the standard library."""
    before, after = _search_path()
    names = sys.stdlib_module_names - UNUSED
    here = {name: path for name, path in _modules_here().items() if name in names}
    return [path for name, path in here.items() if _place(name, before + after) is not None]


def _search_path() -> tuple[list[str], list[str]]:
    """Return the folders of sys.path before the working folder and behind it; all are before where it is not there."""
    here = Path.cwd()
    is_here = [Path(folder or ".").resolve() == here for folder in sys.path]
    place = is_here.index(True) if True in is_here else len(is_here)
    others = [(number, folder) for number, folder in enumerate(sys.path) if not is_here[number]]
    before = [folder for number, folder in others if number < place]
    after = [folder for number, folder in others if number > place]
    return before, after


def _modules_here() -> dict[str, Path]:
    """Return {name: file or folder} of what can be imported from the working folder."""
    here = Path.cwd()
    files = {path.stem: path for path in sorted(here.glob("*.py"))}
    return files | {path.parent.name: path.parent for path in sorted(here.glob("*/__init__.py"))}


def _place(name: str, folders: list[str]) -> Path | None:
    """Return the file of a module in the first of the folders that has one; a folder without __init__.py is none."""
    spec = PathFinder.find_spec(name, folders)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).resolve()


def _is_needed(name: str, file: Path) -> bool:
    """Whether a module is of the course, or of a package that it asks for; file: where it lies."""
    packages = importlib.metadata.packages_distributions().get(name, [])
    if not packages:  # of no installed package: a checkout's
        return FOLDER in file.parents
    needed = _needed_packages()
    return any(_normal(package) in needed for package in packages)


def _needed_packages() -> set[str]:
    """Return the names of the course, of the packages that it asks for, and of those that they ask for."""
    needed = {COURSE}
    waiting = [COURSE]
    while waiting:
        name = waiting.pop()
        try:
            lines = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for line in lines:
            asked = _normal(re.match(r"[\w.-]+", line)[0])
            if "extra ==" not in line and asked not in needed:
                needed.add(asked)
                waiting.append(asked)
    return needed


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
