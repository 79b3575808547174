"""Run whole chapters as a student would, from top to bottom, and write down time, memory and scores."""

import json
import os
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from autograder import marks, paths
from autograder.build import build

EXECUTED = paths.ROOT / "build" / "executed"
RECORD = paths.ROOT / "build" / "course.json"
MEMORY = "from helpers.leaderboard import peak_mb; peak_mb()"


def run_chapter(chapter: str) -> dict:
    """Execute the instructor's notebook of a chapter; returns minutes, peak memory and the score of each check.

    The executed notebook is kept in build/executed. Raises nbclient's CellExecutionError if a cell fails.
    """
    nb = nbformat.read(build(chapter), as_version=4)
    nb.cells.append(nbformat.v4.new_code_cell(MEMORY, id="memory"))
    start = time.perf_counter()
    os.environ.setdefault("BOW2LORA_HOME", str(EXECUTED / "home"))
    NotebookClient(nb, timeout=900, resources={"metadata": {"path": str(paths.ROOT)}}).execute()
    seconds = time.perf_counter() - start
    memory = nb.cells.pop()
    target = EXECUTED / f"{chapter}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, target)
    scores = {c.id: _result(c) for c in nb.cells if marks.from_metadata(c) == "check"}
    return {"minutes": round(seconds / 60, 2), "peak_mb": round(_result(memory)), "scores": scores}


def _result(cell) -> float:
    """Return the number that a cell ends with."""
    found = [o["data"]["text/plain"] for o in cell.outputs if o.output_type == "execute_result"]
    return float(found[-1])


def record(chapters: list[str]) -> Path:
    """Run chapters and write what was measured to one JSON file."""
    found = {chapter: run_chapter(chapter) for chapter in chapters}
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return RECORD
