"""Chapter 03 begins from the student's own word vectors, whatever their width."""

import torch

from autograder import cell_marks, paths
from autograder.authoring.source import read
from autograder.cells import new_shell, run
from helpers.course import artifacts

CHAPTER, WIDTH = "03_rnns", 48


def test_chapter_03_runs_with_own_vectors_of_another_width(tmp_path, monkeypatch):
    reference = artifacts.load("docs-vectors", own=False)
    words = reference.weights["words"]
    assert words.shape[1] != WIDTH
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    for name in ("BOW2LORA_GRADING", "NBGRADER_EXECUTION"):  # a grader takes the reference
        monkeypatch.delenv(name, raising=False)
    artifacts.save(artifacts.Artifact("docs-vectors", {"words": words[:, :WIDTH]}, reference.config, card="# own"))
    shell = new_shell()
    for cell in read(paths.source_text(CHAPTER)):
        if cell.kind in ("given", "exercise", "show"):
            source, sizes = cell_marks.without_sizes(cell.source)
            outcome = run(shell, cell_marks.sized(source, sizes.get("small", {})))
            assert outcome.error is None, f"{cell.grade_id}: {outcome.error!r}"
        if "WordVectors.load()" in cell.source:
            break
    start = shell.user_ns["words"].start_vectors(shell.user_ns["WordVectors"].load())
    assert start.shape == (2000, WIDTH)
    assert not torch.equal(start[1], torch.zeros(WIDTH))
