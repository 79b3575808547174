"""A notebook opened alone finds its drawings: a real kernel runs its first cells in a folder with nothing else."""

import shutil

import nbformat
import pytest
from nbclient import NotebookClient

from autograder import paths
from helpers.course import drawings

CHAPTER = "01_spam"
NOTEBOOK = paths.RELEASE / CHAPTER / f"{CHAPTER}.ipynb"


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A folder with the notebook and nothing else."""
    shutil.copy(NOTEBOOK, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder) -> set[str]:
    return {path.name for path in folder.glob("*.svg")}


def test_the_first_cell_puts_them_beside_the_notebook(alone):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    notebook.cells = [first]
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(alone)}}).execute()
    said = "".join(output.text for output in first.outputs)
    assert said.startswith("The chapter's drawings are now in figures/") and "Ready." in said
    assert names(alone / "figures") == names(NOTEBOOK.parent / "figures") != set()


def test_once_and_never_over_a_folder_that_is_there(alone):
    assert drawings.put_beside(CHAPTER) != "" and drawings.put_beside(CHAPTER) == ""
    shutil.rmtree(alone / "figures")
    (alone / "figures").mkdir()
    assert drawings.put_beside(CHAPTER) == "" and names(alone / "figures") == set()


def test_vs_code_says_where_the_notebook_lies(alone, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("workspace"))
    assert drawings.put_beside(CHAPTER) == ""
    assert drawings.put_beside(CHAPTER, str(alone / NOTEBOOK.name)) != "" and (alone / "figures").is_dir()


@pytest.mark.parametrize("chapter", ["02_word_vectors", "", "99_none"])
def test_where_another_notebook_lies_nothing_is_written(alone, chapter):
    assert drawings.put_beside(chapter) == ""
    assert [path.name for path in alone.iterdir()] == [NOTEBOOK.name]


def test_a_folder_that_cannot_be_written_costs_nothing(alone, monkeypatch):
    def refused(*_):
        raise PermissionError

    monkeypatch.setattr(shutil, "copytree", refused)
    assert drawings.put_beside(CHAPTER) == ""
