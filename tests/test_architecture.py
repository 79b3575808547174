"""The rooms of the two packages: who may import whom, as the top of each package says."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from users_of_helpers import PACKAGES, users

from autograder import paths

HELPERS = (
    "errors installed hidden_modules files palette device words shell_lines missing_packages lenient_shell cells "
    "checks plots data pretrained training course models search assistant experiments chapters"
)
AUTOGRADER = (
    "errors paths spelling spreadsheets terminal mathml cell_marks notebook_names adopted_table course_file "
    "course_secret first_cell syntax package_names course_imports jobs verdicts cells zips ipc linux processes runner "
    "judge sandbox execution submissions gradebook adopting authoring report lms handout site grading essays leaving "
    "start __main__"
)
APART = {("judge", "runner"), ("runner", "judge")}


def modules(package: str) -> list[Path]:
    return sorted((paths.ROOT / package).rglob("*.py"))


def room(package: str, path: Path) -> str:
    """Return the first name below the package: a folder, or a module of the ground floor."""
    return path.relative_to(paths.ROOT / package).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Return the dotted names of ours that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] in ("helpers", "autograder")}


@pytest.mark.parametrize(("package", "order"), [("helpers", HELPERS.split()), ("autograder", AUTOGRADER.split())])
def test_nothing_is_imported_upward(package, order):
    there = {room(package, path) for path in modules(package)} - {"__init__"}
    assert there == set(order)
    for path in modules(package):
        here = room(package, path)
        for name in imported(path):
            top, other = name.split(".")[0], [*name.split("."), ""][1]
            if here != "__init__" and top == package and other in order:
                assert order.index(other) <= order.index(here), f"{path}: {name}"
                assert (here, other) not in APART, f"{path}: {name}"


def test_no_modules_import_each_other_in_a_circle():
    graph = {}
    names = {
        ".".join(p.relative_to(paths.ROOT).with_suffix("").parts): p for p in modules("helpers") + modules("autograder")
    }
    for name, path in names.items():
        wanted = {way for full in imported(path) for way in (full, full.rsplit(".", 1)[0])}
        graph[name] = {way for way in wanted if way in names and way != name}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_every_package_says_what_comes_in_and_what_it_may_import():
    for package in ("helpers", "autograder"):
        for path in (paths.ROOT / package).glob("*/__init__.py"):
            said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            assert "In:" in said or "provisioner" in said, path
            assert "May import" in said, path


def test_what_one_chapter_alone_uses_lies_in_its_folder():
    for name, who in users().items():
        if not name.startswith("helpers.chapters") and name not in PACKAGES:
            assert "autograder" in who or len(who) >= 2, f"{name} is used by {sorted(who) or 'nobody'} alone"


def test_the_folder_of_a_chapter_serves_that_chapter_alone():
    for name, who in users().items():
        if name.startswith("helpers.chapters.") and name not in PACKAGES:
            topic = name.split(".")[2]
            assert [chapter.partition("_")[2] for chapter in who] == [topic], f"{name} is used by {sorted(who)}"
