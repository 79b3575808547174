"""Wheel and sdist: built, looked through, and tried where there is no checkout."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder import paths
from autograder.authoring.audit import BY_HEART, made_answers
from autograder.authoring.source import read
from autograder.handout import leaks

pytest.importorskip("hatchling", reason="hatchling is not installed: make install")

# What a learner's environment need not have: the extra "grading" is for instructors.
MISSING = ["alembic", "bleach", "jupytext", "nbgrader", "numpydoc", "sqlalchemy"]
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({MISSING}))"  # a line of a .pth file
BEGIN = """
import json, sys
import helpers, nbformat
from nbclient import NotebookClient
from helpers.course.model_answers import find

nb = nbformat.read("01_spam.ipynb", as_version=4)
ids = [cell.id for cell in nb.cells]
nb.cells = [cell for cell in nb.cells[: ids.index("check-rules") + 1] if "show" not in cell.metadata.get("tags", [])]
next(cell for cell in nb.cells if cell.id == "rules").source = find("01_spam", "rules").code
nb.cells.append(nbformat.v4.new_code_cell('answer("rules")'))
nb.cells += [nbformat.v4.new_code_cell(source) for source in (open("by_heart.py").read(), 'check("rules")')]
NotebookClient(nb, timeout=300).execute()
print(json.dumps({"helpers": helpers.__file__, "outputs": [cell.outputs for cell in nb.cells[-4:]]}))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the sdist, and with the wheel that is built from what the sdist holds."""
    folder = tmp_path_factory.mktemp("built")
    _ran([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder], cwd=paths.ROOT)
    shutil.unpack_archive(next(folder.glob("*.tar.gz")), folder / "unpacked")
    _ran([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=next(folder.glob("unpacked/*")))
    return folder


@pytest.fixture(scope="module")
def installed(built) -> Path:
    """The folder of programs of an environment with the wheel and the third-party packages, without the checkout."""
    _ran([sys.executable, "-m", "venv", "--without-pip", built / "env"])
    programs = built / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", programs / "python"]
    _ran([*pip, "install", "--quiet", "--no-deps", "--no-index", "--no-compile", next(built.glob("*.whl"))])
    packages = next((built / "env").rglob("site-packages"))
    others = [path for path in sys.path if path.endswith("site-packages")]  # their own .pth files are not read
    (packages / "others.pth").write_text("\n".join([WITHOUT, *others]), encoding="utf-8")
    return programs


def _ran(line: list, **options) -> str:
    """Run a command without the checkout on the path, and return what it printed."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | options.pop("env", {})
    done = subprocess.run(list(map(str, line)), env=env, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def _texts(built: Path) -> dict[str, bytes]:
    """Return what the wheel and the sdist hold, but for the data sets."""
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive:
        names = [name for name in archive.namelist() if "_datasets/" not in name]
        found = {name: archive.read(name) for name in names}
    unpacked = next(built.glob("unpacked/*"))
    files = (path for path in unpacked.rglob("*") if path.is_file())
    named = {path.relative_to(unpacked).as_posix(): path for path in files}
    return found | {f"sdist/{name}": path.read_bytes() for name, path in named.items() if "datasets/" not in name}


def test_solutions_and_hidden_cases_lie_in_one_folder_and_mark_schemes_in_none(built):
    texts = _texts(built)
    found = [leak for leak in leaks.places(texts, leaks.secrets()) if leak.run not in leaks.ALLOWED]
    assert not any(leak.secret.startswith("mark scheme") for leak in found)
    looked = {"solution of 01_spam/bm25", "note of 09_lora/dpo", "hidden cases of 04_attention/scores"}
    assert looked <= {leak.secret for leak in found}
    places = {leak.file.split("/")[-2] for leak in found}
    assert places == {"_answers", "answers", "grading"}  # the sample class of the demo has right answers, too
    assert not any(leak.secret.startswith("hidden") and "/grading/" in leak.file for leak in found)
    assert not any("BEGIN HIDDEN" in text.decode("utf-8", "replace") for name, text in texts.items() if "_no" in name)
    assert not any(part in name for name in texts for part in ("solutions/", "tests/", "variants/"))


def test_both_hold_what_a_learner_needs(built):
    for prefix, answers in (("helpers/_notebooks/", "helpers/_answers/"), ("sdist/notebooks/", "sdist/answers/")):
        names = set(_texts(built))
        for chapter in paths.chapters():
            assert {f"{prefix}{chapter}/{chapter}.ipynb", f"{answers}{chapter}.json", f"{prefix}START.ipynb"} <= names
        assert {f"{prefix}AGENTS.md", f"{prefix}ai_assistant.md"} <= names
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive:
        data = {"helpers/_datasets/registry.toml", "helpers/_datasets/sms_spam/SMSSpamCollection.gz"}
        data |= {"helpers/_datasets/docs/docs.jsonl.gz", "helpers/_datasets/licences/Python.txt"}
        defaults = "helpers/course/lab/labconfig/default_setting_overrides.json"
        assert {*data, defaults} <= set(archive.namelist())
        assert not any("_datasets/" in name and name.endswith((".py", ".run")) for name in archive.namelist())
        assert not any("_datasets/reference/" in name for name in archive.namelist())


def test_the_wheel_leaves_room_below_what_pypi_takes(built):
    """That is 100 MB. Half of the wheel is MiniLM in half precision, which no packing makes smaller."""
    size = next(built.glob("*.whl")).stat().st_size
    assert size <= 95e6
    (said,) = re.findall(r"\.whl, (\d+) MB", (paths.ROOT / "README.md").read_text(encoding="utf-8"))
    assert abs(size / 1e6 - int(said)) < 3


def by_heart(exercise: str) -> str:
    """Return an answer that has the visible cases by heart."""
    answers = made_answers(read(paths.source_text("01_spam")))
    return next(a.source for a in answers if (a.exercise, a.name) == (exercise, BY_HEART))


def test_a_learner_without_the_checkout_gets_points_for_a_right_answer(installed, tmp_path):
    said = _ran([installed / "bow2lora", "start", "x", "--no-open"], cwd=tmp_path)
    assert said == f"{Path('x', 'START.ipynb')}: the course begins here\n"
    home = {"BOW2LORA_HOME": str(tmp_path / "home"), "IPYTHONDIR": str(tmp_path / "ipython")}
    (tmp_path / "x" / "01_spam" / "by_heart.py").write_text(by_heart("rules"), encoding="utf-8")
    told = json.loads(_ran([installed / "python", "-c", BEGIN], cwd=tmp_path / "x" / "01_spam", env=home))
    assert Path(told["helpers"]).is_relative_to(installed.parent)
    checked, answered, _, again = (json.dumps(outputs) for outputs in told["outputs"])
    assert "1 of 13 exercises of 01_spam pass" in checked and '"6.0"' in checked
    assert "cases pass, 6 of 6 points" in checked and "  hidden case" in again  # nobody else would tell them
    assert "def names_medicine" in answered and "Notice: " in answered


def test_an_instructors_command_says_whom_it_is_for(installed, tmp_path):
    line = [installed / "bow2lora", "check", "a.ipynb"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("error: this command is for instructors: it needs a checkout")


def test_the_help_of_a_learner_has_what_a_learner_can_do(installed, tmp_path):
    said = _ran([installed / "bow2lora", "--help"], cwd=tmp_path)
    assert " start " in said
    for command in ("grade", "doctor", "audit", "essays", "roster", "build"):
        assert f" {command} " not in said, command
