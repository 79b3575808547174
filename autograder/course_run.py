"""Run whole chapters as a student would, from top to bottom, and write down time, memory and scores."""

import json
import os
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from autograder import marks, paths
from autograder.build import build
from autograder.source import read
from helpers import leaderboard

EXECUTED = paths.ROOT / "build" / "executed"
RECORD = paths.SOLUTIONS / "measured.json"
README = paths.ROOT / "README.md"
BEGIN, END = "<!-- chapters: made by make course -->", "<!-- end of chapters -->"
MEMORY = "from helpers.device import peak_mb; peak_mb()"


def run_chapter(chapter: str) -> dict:
    """Execute the instructor's notebook of a chapter; returns minutes, peak memory, scores and the leaderboard's F1.

    The executed notebook is kept in build/executed. Raises nbclient's CellExecutionError if a cell fails.
    """
    nb = nbformat.read(build(chapter), as_version=4)
    nb.cells.append(nbformat.v4.new_code_cell(MEMORY, id="memory"))
    start = time.perf_counter()
    os.environ.setdefault("BOW2LORA_HOME", str(EXECUTED / "home"))
    where = {"metadata": {"path": str(paths.ROOT)}}
    NotebookClient(nb, timeout=900, resources=where, extra_arguments=["--IPKernelApp.log_level=40"]).execute()
    seconds = time.perf_counter() - start
    memory = nb.cells.pop()
    target = EXECUTED / f"{chapter}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, target)
    scores = {c.id: _result(c) for c in nb.cells if marks.from_metadata(c) == "check"}
    rows = {f"{r.data}: {r.model}": round(r.f1, 4) for r in leaderboard.rows() if r.chapter == chapter[:2]}
    return {"minutes": round(seconds / 60, 2), "peak_mb": round(_result(memory)), "scores": scores, "f1": rows}


def _result(cell) -> float:
    """Return the number that a cell ends with."""
    found = [o["data"]["text/plain"] for o in cell.outputs if o.output_type == "execute_result"]
    return float(found[-1])


def record(chapters: list[str]) -> Path:
    """Run chapters, write what was measured to one JSON file, and the README's table from it."""
    found = measured() | {chapter: run_chapter(chapter) for chapter in chapters}
    RECORD.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    README.write_text(before + BEGIN + "\n" + table() + "\n" + END + rest.partition(END)[2], encoding="utf-8")
    return RECORD


def measured() -> dict:
    """Return the record as it stands."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}


def table() -> str:
    """Return the README's table of chapters, made from the record and the sources."""
    lines = ["| chapter | exercises | points | minutes to run | peak memory |", "|---|---|---|---|---|"]
    for chapter, found in sorted(measured().items()):
        cells = read(paths.source_text(chapter))
        title = cells[0].source.splitlines()[0].removeprefix("# ")
        exercises = sum(c.kind == "exercise" for c in cells)
        points = sum(c.points for c in cells)
        link = f"[{title}](notebooks/{chapter}/{chapter}.ipynb)"
        lines.append(f"| {link} | {exercises} | {points:g} | {found['minutes']:.1f} | {found['peak_mb']:,} MB |")
    return "\n".join(lines)
