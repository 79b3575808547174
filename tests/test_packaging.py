"""What the package asks for is what it imports or runs, in ranges that the tested set lies in."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from autograder.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
OURS = {"autograder", "extractor", "helpers", "tests"}
# Where a module is called otherwise than the package that brings it.
PACKAGES = {"bs4": "beautifulsoup4", "faiss": "faiss-cpu", "psycopg2": "psycopg2-binary", "sklearn": "scikit-learn"}
PACKAGES |= {"yaml": "pyyaml"}
# What nothing imports: a program or a plug-in, with the file and the words that ask for it.
PROGRAMS = {
    "furo": ("autograder/site/templates/conf.py", 'html_theme = "furo"'),
    "ipykernel": ("autograder/authoring/build.py", "Python 3 (ipykernel)"),
    "jupyter-server": ("tests/test_formgrader.py", '"-m", "jupyter_server"'),
    "jupyterhub": ("deploy/start.py", '"-m", "jupyterhub"'),
    "jupyterlab": ("autograder/start.py", '"-m", "jupyterlab"'),
    "mypy": ("Makefile", "/mypy"),
    "myst-nb": ("autograder/site/templates/conf.py", '"myst_nb"'),
    "nbval": ("tests/test_notebooks.py", "--nbval-lax"),
    "pytest-xdist": ("Makefile", "--dist loadfile"),
    "ruff": ("Makefile", "/ruff check"),
    "sphinx-mathjax-offline": ("autograder/site/build.py", '"sphinx-mathjax-offline"'),
}
WHERE_INSTALLED = {"faiss-cpu"}  # chapter 08 shows its rows where it is, and says how to get it
WITHOUT = {"gensim"}  # datasets/measure_vectors.py measures beside it where somebody has installed it


def requirements(lines: list[str]) -> dict[str, Requirement]:
    """Return {name: requirement} of other packages than this one."""
    parsed = map(Requirement, lines)
    return {canonicalize_name(one.name): one for one in parsed if one.name != "bow2lora"}


def declared(*extras: str) -> set[str]:
    """Return the packages that come without extras, and those of the named ones."""
    names = set(requirements(PROJECT["dependencies"]))
    for extra in extras:
        names |= set(requirements(EXTRAS[extra]))
    return names


def lock() -> dict[str, Version]:
    """Return {name: version} of the tested set."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines]
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def modules(path: Path) -> Iterator[str]:
    """Yield the dotted names of the modules that a file imports, or asks pytest for."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
            yield node.args[0].value


def is_beside(path: Path, name: str) -> bool:
    """Whether a script takes this module from its own folder, or from that of the tests."""
    folders = [folder for folder in (path.parent, ROOT / "tests") if not (folder / "__init__.py").is_file()]
    return any((folder / name).is_dir() or (folder / f"{name}.py").is_file() for folder in folders)


def imported(*places: str) -> set[str]:
    """Return the packages of others that the Python files of these places import."""
    found = set()
    for place in places:
        path = ROOT / place
        for file in [path] if path.is_file() else path.rglob("*.py"):
            tops = {name.partition(".")[0] for name in modules(file)} - OURS - sys.stdlib_module_names
            found |= {name for name in tops if not is_beside(file, name)}
    return {canonicalize_name(PACKAGES.get(name, name)) for name in found}


LEARNERS = ("helpers", "solutions", "autograder/__main__.py", "autograder/start.py")
INSTRUCTORS = ("autograder", "deploy", "nbgrader_config.py")
DEVELOPERS = ("tests", "datasets", "hatch_build.py")


def test_what_is_imported_is_declared_for_those_who_run_it():
    assert imported(*LEARNERS) - WHERE_INSTALLED <= declared()
    assert imported(*INSTRUCTORS) - WHERE_INSTALLED <= declared("grading", "cluster", "site")
    assert imported(*DEVELOPERS) - WITHOUT <= declared(*EXTRAS)


def test_what_is_declared_is_imported_or_run():
    assert declared() - imported(*LEARNERS) <= set(PROGRAMS)
    instructors = declared("grading", "cluster", "hub", "site")
    assert instructors - imported(*LEARNERS, *INSTRUCTORS) <= set(PROGRAMS)
    everything = declared(*EXTRAS) - imported(*LEARNERS, *INSTRUCTORS, *DEVELOPERS)
    assert everything <= set(PROGRAMS) <= declared(*EXTRAS)
    for path, words in PROGRAMS.values():
        assert words in (ROOT / path).read_text(encoding="utf-8"), path


def test_every_package_has_a_lower_bound_that_the_tested_set_keeps():
    tested = lock()
    lines = PROJECT["dependencies"] + [line for extra in EXTRAS.values() for line in extra]
    for name, requirement in requirements(lines).items():
        assert {bound.operator for bound in requirement.specifier} <= {">=", "<"}, name
        assert ">=" in str(requirement.specifier) and tested[name] in requirement.specifier, name


def test_the_tested_set_spares_the_grammar_of_web_addresses():
    """From 4.25 on, jsonschema brings rfc3987-syntax: whoever imports nbformat then waits for a second."""
    tested = lock()
    assert tested["jsonschema"] < Version("4.25") and "rfc3987-syntax" not in tested


@pytest.mark.parametrize("path", ["environment.yml", "autograder/handout/templates/environment.yml"])
def test_conda_installs_the_tested_set(path):
    environment = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    *others, by_pip = environment["dependencies"]
    assert others == ["python=3.12", "pip"]
    assert by_pip["pip"][0] == "-c requirements.lock" and by_pip["pip"][1].startswith("-e .")


def test_helpers_never_import_autograder():
    for path in (ROOT / "helpers").rglob("*.py"):
        assert "autograder" not in re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL), path


def test_make_help_names_every_target_in_one_line():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"\.PHONY: (.*)", text)[1].split()) - {"lock", "clean", "help"}
    described = set(re.findall(r"^([a-z]+):.*##", text, re.MULTILINE))
    assert targets <= described


def test_readme_names_the_commands_that_exist():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z]+)", readme))
    assert {"demo", "test"} <= named <= described


def test_readme_table_and_figure_are_made_from_what_was_measured():
    from autograder.authoring import readme

    assert readme.table() in readme.made()
    assert readme.release_readme(check=True), "make release writes these parts of the README"


def test_the_table_says_what_was_measured_on_a_gpu_or_that_nothing_was(monkeypatch):
    from autograder.authoring import readme

    run = {"minutes": 2.04, "peak_mb": 1234}
    monkeypatch.setattr(readme, "measured", lambda: {"01_spam": run | {"gpu": run}, "02_word_vectors": run})
    *_, first, second = readme.table().splitlines()
    assert first.endswith("| 2.0 | 1,234 MB | 2.0, 1,234 MB |")
    assert second.endswith("| 2.0 | 1,234 MB | not run |")


def test_readme_example_is_what_a_student_reads(capsys, monkeypatch):
    import math
    from collections import Counter

    import nbformat
    import numpy as np

    from autograder.paths import release_notebook
    from helpers.checks import cell

    def term_frequency(tokens, vocabulary, kind="raw"):
        found = Counter(tokens)
        counts = np.array([found[word] for word in vocabulary], dtype=float)
        return {"binary": np.sign(counts), "log": np.log(1 + counts)}.get(kind, counts)

    monkeypatch.setattr(cell, "chapter", "01_spam")
    cells = nbformat.read(release_notebook("01_spam"), as_version=4).cells
    exec(next(c.source for c in cells if c.id == "check-tf"), {"term_frequency": term_frequency, "math": math})
    printed = "".join(f"    {line}\n" for line in capsys.readouterr().out.rstrip().splitlines())
    assert printed in (ROOT / "README.md").read_text(encoding="utf-8")
