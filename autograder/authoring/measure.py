"""Run whole chapters as a student would, from top to bottom, and write down time, memory and scores."""

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from autograder import cell_marks, paths
from autograder.authoring.build import build
from autograder.authoring.measured import measured, record_file
from autograder.authoring.source import read
from helpers.course import claims, leaderboard
from helpers.data.registry import datasets_folder
from helpers.device import best_device

EXECUTED = paths.ROOT / "build" / "executed"
SMALL = "small"  # the budget of the tests, and the folder in EXECUTED of the notebooks that ran on it
OTHERS = "other-answers"  # the folder in EXECUTED of the notebooks that ran with other answers than the course's
CLAIMS = paths.SOLUTIONS / "claims.md"
SEEDS = 5
REFERENCE = datasets_folder() / leaderboard.REFERENCE
README = paths.ROOT / "README.md"
BEGIN, END = "<!-- chapters: made by make course -->", "<!-- end of chapters -->"
MEMORY = "from helpers.device import peak_mb; peak_mb()"
CPU = "import os; sum(os.times()[:4])"  # seconds of the kernel and of the processes it waited for


def run_chapter(chapter: str, seed: int = 0, budget: str | None = None, answers: dict[str, str] | None = None) -> dict:
    """Execute the instructor's notebook of a chapter; returns minutes, memory, scores, rows of the leaderboard, claims.

    budget: whose sizes the show cells take, SMALL, "cpu" or "gpu"; by the machine's device if None.
    answers: {exercise: code}, each run below the solution in its cell, whose names it replaces. A cell that fails does
    not end such a run: "failures" has what each raised, {cell: error}.
    The executed notebook is kept in build/executed, a small one apart, one with other answers apart from both; raises
    CellExecutionError if a cell fails with the course's own.
    """
    nb = nbformat.read(build(chapter), as_version=4)
    for cell in nb.cells:
        sizes = cell.metadata.get("bow2lora", {})
        cell.source = cell_marks.sized(cell.source, sizes.get(budget or _by_device(), {}))
    _answer(nb, chapter, answers or {})
    failures: dict[str, str] = {}
    nb.cells.append(nbformat.v4.new_code_cell(CPU, id="cpu"))
    nb.cells.append(nbformat.v4.new_code_cell(MEMORY, id="memory"))
    os.environ.setdefault("BOW2LORA_HOME", str(EXECUTED / "home"))
    before = leaderboard.rows()
    with _asked(seed) as kept:
        start = time.perf_counter()
        where = {"metadata": {"path": str(paths.ROOT)}}
        options = {"allow_errors": bool(answers), "extra_arguments": ["--IPKernelApp.log_level=40"]}
        NotebookClient(nb, timeout=900, resources=where, on_cell_error=_noting(failures), **options).execute()
        seconds = time.perf_counter() - start
        claimed = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    memory, cpu = nb.cells.pop(), nb.cells.pop()
    folder = EXECUTED / (OTHERS if answers else "") / (SMALL if budget == SMALL else "")
    _keep(nb, folder / f"{chapter}{f'-seed-{seed}' * (seed > 0)}.ipynb")
    scores = {c.id: _result(c) for c in nb.cells if cell_marks.from_metadata(c) == "check"}
    rows = [_rounded(asdict(r)) for r in leaderboard.rows() if r.chapter == chapter[:2] and r not in before]
    found = {"minutes": round(seconds / 60, 2), "peak_mb": round(_result(memory)), "scores": scores}
    found |= {"leaderboard": rows, "claims": claimed}
    return found | ({"failures": failures, "cpu": _result(cpu)} if answers else {})


def _answer(nb: nbformat.NotebookNode, chapter: str, answers: dict[str, str]) -> None:
    """Put answers below the solutions of their exercises."""
    names = {c.grade_id: c.name for c in read(paths.source_text(chapter)) if c.kind == "exercise"}
    for cell in nb.cells:
        if names.get(cell.id) in answers:
            cell.source += f"\n\n\n{answers[names[cell.id]]}"


def _noting(failures: dict[str, str]) -> Callable:
    """Return a hook that notes what a cell raised, {cell: error}: a NameError leaves no error among its outputs."""

    def note(cell: nbformat.NotebookNode, cell_index: int, execute_reply: dict) -> None:
        content = execute_reply["content"]
        failures[cell.id] = f"{content['ename']}: {content['evalue']}"

    return note


def _rounded(row: dict) -> dict:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in row.items()}


def _by_device() -> str:
    return "cpu" if best_device() == "cpu" else "gpu"


def _keep(nb: nbformat.NotebookNode, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, target)


@contextmanager
def _asked(seed: int) -> Iterator[Path]:
    """Ask the kernel for a seed, and for its claims in a file."""
    before = {name: os.environ.get(name) for name in ("BOW2LORA_SEED", claims.FILE)}
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "claims.json"
        os.environ |= {"BOW2LORA_SEED": str(seed), claims.FILE: str(kept)}
        try:
            yield kept
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


def run_seeds(chapter: str, seeds: int) -> dict:
    """Run a chapter, and where it claims or scores something for one seed, again for the other seeds.

    Returns as run_chapter; a row of the leaderboard is then the mean over the seeds.
    """
    found = run_chapter(chapter)
    single = [what for what, kept in found["claims"].items() if len(kept["better"]) == 1]
    once = [row for row in found["leaderboard"] if row["runs"] == 1 and ", seed " not in row["model"]]
    runs = [run_chapter(chapter, seed) for seed in range(1, seeds if single or once else 1)]
    for what in single:
        kept = [found["claims"][what], *(run["claims"][what] for run in runs)]
        found["claims"][what] = {side: [v for claimed in kept for v in claimed[side]] for side in kept[0]}
    for row in once:
        row |= _over_runs([row, *(r for run in runs for r in run["leaderboard"] if _same(r, row))])
    for kept in found["claims"].values():
        kept |= {side: [round(v, 4) for v in kept[side]] for side in kept}
    return found


def _same(one: dict, other: dict) -> bool:
    return all(one[name] == other[name] for name in ("model", "data", "labels"))


def _over_runs(rows: list[dict]) -> dict:
    """Return what one row says of the same model's rows, one a seed."""
    scores = [row["score"] for row in rows]
    low, high, mean = min(scores), max(scores), round(sum(scores) / len(scores), 4)
    seconds = round(sum(row["seconds"] for row in rows), 2)
    return {"score": mean, "lowest": low, "highest": high, "runs": len(rows), "seconds": seconds}


def _result(cell) -> float:
    """Return the number that a cell ends with, 0 if it failed."""
    found = [o["data"]["text/plain"] for o in cell.outputs if o.output_type == "execute_result"]
    return float(found[-1]) if found else 0.0


def record(chapters: list[str], seeds: int = SEEDS) -> Path:
    """Run chapters, write what was measured to one JSON file; from it the README's table, claims and leaderboard."""
    for chapter in chapters:
        before, found = measured(), run_seeds(chapter, seeds)
        old = before.get(chapter, {})
        found["claims"] |= _of_more_seeds(old.get("claims", {}), found["claims"])
        found["leaderboard"] = [_of_more_runs(old.get("leaderboard", []), row) for row in found["leaderboard"]]
        text = json.dumps(before | {chapter: found}, indent=1, sort_keys=True)
        record_file().write_text(text + "\n", encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    README.write_text(before + BEGIN + "\n" + table() + "\n" + END + rest.partition(END)[2], encoding="utf-8")
    CLAIMS.write_text(claims_table() + "\n", encoding="utf-8")
    rows = [row for chapter in measured().values() for row in chapter.get("leaderboard", [])]
    REFERENCE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return record_file()


def _of_more_seeds(before: dict, now: dict) -> dict:
    """Return the claims that were measured for more seeds before: a run of one seed measures minutes and memory."""
    return {what: old for what, old in before.items() if len(old["better"]) > len(now.get(what, old)["better"])}


def _of_more_runs(before: list[dict], row: dict) -> dict:
    """Return the same model's row of before where it is the mean of more runs, else the row."""
    return next((old for old in before if _same(old, row) and old["runs"] > row["runs"]), row)


def claims_table() -> str:
    """Return the claims of all chapters as a page, made from the record."""
    lines = [
        "# What the chapters claim",
        "",
        "Made by `make course`; a figure for each seed, the larger the better.",
        "",
    ]
    lines += ["| chapter | claim | seeds | better | worse |", "|---|---|---|---|---|"]
    for chapter, found in sorted(measured().items()):
        for what, kept in sorted(found.get("claims", {}).items()):
            better, worse = (", ".join(f"{v:.3f}" for v in kept[side]) for side in ("better", "worse"))
            won = sum(a > b for a, b in zip(kept["better"], kept["worse"], strict=True))
            lines.append(f"| {chapter} | {what} | {won} of {len(kept['better'])} | {better} | {worse} |")
    return "\n".join(lines)


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
