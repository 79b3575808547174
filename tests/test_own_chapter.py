"""The chapter of the handbook, in a checkout of its own: released, audited and graded by the commands there."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from autograder import paths

EXAMPLE = paths.ROOT / "docs/instructors/own_chapter"
HANDBOOK = (paths.ROOT / "docs/instructors/handbook.md").read_text(encoding="utf-8")
NAME = "12_words"
TAKEN = ("autograder", "helpers")
ANSWER = 'def longest_word(tokens):\n    return sorted(tokens, key=lambda t: -len(t))[0] if tokens else ""'


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout that has no chapter but the example."""
    root = tmp_path_factory.mktemp("checkout")
    for name in TAKEN:
        shutil.copytree(paths.ROOT / name, root / name)
    for name in ("pyproject.toml", "nbgrader_config.py", "requirements.lock"):
        shutil.copy(paths.ROOT / name, root)
    shutil.copytree(EXAMPLE / NAME, root / "solutions" / NAME)
    shutil.copytree(EXAMPLE / "variants", root / "tests/variants" / NAME)
    return root


def command(root, *words):
    """Run the command line of that checkout."""
    environment = os.environ | {"PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *words], cwd=root, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def hand_in(root, student, answer):
    """Hand in the released notebook, with an answer or without."""
    notebook = nbformat.read(root / f"notebooks/{NAME}/{NAME}.ipynb", as_version=4)
    cell = next(c for c in notebook.cells if c.id == "longest")
    cell.source = answer or cell.source
    path = root / f"course/submitted/{student}/{NAME}/{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def test_the_smallest_chapter_is_released_audited_and_graded(checkout):
    said = {
        words[0]: command(checkout, *words)
        for words in (line.split()[1:] for line in re.findall(r"(?m)^    (bow2lora .* 12)$", HANDBOOK))
    }
    assert set(said) == {"release", "audit"} and "written anew" in said["release"]
    assert (checkout / f"notebooks/{NAME}/checks/longest.py").is_file()
    hand_in(checkout, "ada", ANSWER)
    hand_in(checkout, "ben", "")
    told = command(checkout, "grade", "12", "--course", "course", "--no-sandbox")
    totals = dict(re.findall(r"(?m)^  (ada|ben) +(\d+) of 80", told))
    assert totals == {"ada": "80", "ben": "0"}
