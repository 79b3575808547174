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
from autograder.authoring.readme import release_readme
from autograder.authoring.source import read
from helpers.course import claims, leaderboard
from helpers.data.registry import datasets_folder
from helpers.device import best_device

EXECUTED = paths.ROOT / "build" / "executed"
SMALL = "small"  # the budget of the tests, and the folder in EXECUTED of the notebooks that ran on it
OTHERS = "other-answers"  # the folder in EXECUTED of the notebooks that ran with other answers than the course's
CLAIMS = paths.SOLUTIONS / "claims.md"
SEEDS = 5
SAME = 0.005  # figures of a claim that are nearer than this are those of the same experiment
COMMAND = "command"  # of a claim or a row: what measures it, where a chapter's own run is a shorter one
REFERENCE = datasets_folder() / leaderboard.REFERENCE
MEMORY = "from helpers.device import best_device, peak_mb; peak_mb(best_device())"
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
    with _kernel_asked_for(seed) as claims_file:
        before = leaderboard.rows()
        start = time.perf_counter()
        client = NotebookClient(
            nb,
            timeout=900,
            resources={"metadata": {"path": str(paths.ROOT)}},
            on_cell_error=_noting(failures),
            allow_errors=bool(answers),
            coalesce_streams=True,  # a kernel on a busy machine sends "8" and its newline apart
            extra_arguments=["--IPKernelApp.log_level=40"],
        )
        client.execute()
        seconds = time.perf_counter() - start
        claimed = json.loads(claims_file.read_text(encoding="utf-8")) if claims_file.is_file() else {}
        rows = [row for row in leaderboard.rows() if row.chapter == chapter[:2] and row not in before]
    memory, cpu = nb.cells.pop(), nb.cells.pop()
    _keep(nb, _executed(chapter, seed, budget, bool(answers)))
    result = {
        "minutes": round(seconds / 60, 2),
        "peak_mb": round(_result(memory)),
        "scores": {c.id: _result(c) for c in nb.cells if cell_marks.from_metadata(c) == "check"},
        "leaderboard": [_rounded(asdict(row)) for row in rows],
        "claims": claimed,
    }
    if answers:
        result |= {"failures": failures, "cpu": _result(cpu)}
    return result


def _executed(chapter: str, seed: int, budget: str | None, other_answers: bool) -> Path:
    """Return where an executed notebook is kept."""
    folder = EXECUTED
    if other_answers:
        folder /= OTHERS
    if budget == SMALL:
        folder /= SMALL
    return folder / (f"{chapter}-seed-{seed}.ipynb" if seed else f"{chapter}.ipynb")


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
def _kernel_asked_for(seed: int) -> Iterator[Path]:
    """Ask the kernels that the block starts for a seed, and for their claims in a file, which is yielded.

    Unless BOW2LORA_HOME is set they have an empty home, so that no artifact of another run changes what is measured.
    """
    before = {name: os.environ.get(name) for name in ("BOW2LORA_SEED", "BOW2LORA_HOME", claims.FILE)}
    with tempfile.TemporaryDirectory() as folder:
        claims_file, home = Path(folder) / "claims.json", before["BOW2LORA_HOME"] or folder
        os.environ |= {"BOW2LORA_SEED": str(seed), "BOW2LORA_HOME": home, claims.FILE: str(claims_file)}
        try:
            yield claims_file
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


def run_seeds(chapter: str, seeds: int) -> dict:
    """Run a chapter, and where it claims or scores something for one seed, again for the other seeds.

    Returns as run_chapter; a row of the leaderboard is then the mean over the seeds.
    """
    result = run_chapter(chapter)
    single = [claim for claim, figures in result["claims"].items() if len(figures["better"]) == 1]
    once = [row for row in result["leaderboard"] if row["runs"] == 1 and ", seed " not in row["model"]]
    further = []
    if single or once:
        further = [run_chapter(chapter, seed) for seed in range(1, seeds)]
    for run in further:
        for claim in single:
            for side, figures in result["claims"][claim].items():
                figures += run["claims"][claim][side]
    further_rows = [row for run in further for row in run["leaderboard"]]
    for row in once:
        row |= _over_runs([row, *(other for other in further_rows if _same(other, row))])
    for figures in result["claims"].values():
        for side in figures:
            figures[side] = [round(value, 4) for value in figures[side]]
    return result


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
    results = [o["data"]["text/plain"] for o in cell.outputs if o.output_type == "execute_result"]
    return float(results[-1]) if results else 0.0


def record(chapters: list[str], seeds: int = SEEDS) -> Path:
    """Run chapters, write what was measured to one JSON file; from it the README's table, claims and leaderboard.

    On a GPU a chapter runs once, at its sizes for a GPU, and only minutes and memory are written, beside the CPU's.
    """
    for chapter in chapters:
        old = measured().get(chapter, {})
        now = _on_cpu(chapter, old, seeds) if _by_device() == "cpu" else old | {"gpu": _on_gpu(chapter)}
        text = json.dumps(measured() | {chapter: now}, indent=1, sort_keys=True)
        record_file().write_text(text + "\n", encoding="utf-8")
    CLAIMS.write_text(claims_table() + "\n", encoding="utf-8")
    rows = [_without_command(row) for chapter in measured().values() for row in chapter.get("leaderboard", [])]
    REFERENCE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    release_readme()
    return record_file()


def _on_cpu(chapter: str, old: dict, seeds: int) -> dict:
    """Return what is to be written of a chapter: what a run measures, and of the record before what still holds."""
    now = run_seeds(chapter, seeds)
    now["claims"] |= _of_more_seeds(old.get("claims", {}), now["claims"])
    now["leaderboard"] = _with_longer_runs(old.get("leaderboard", []), now["leaderboard"])
    return now | {"gpu": old["gpu"]} if "gpu" in old else now


def _on_gpu(chapter: str) -> dict:
    """Return the minutes of one run on the machine's GPU, and the most memory of its tensors, in MB."""
    result = run_chapter(chapter)
    return {"minutes": result["minutes"], "peak_mb": result["peak_mb"]}


def _of_more_seeds(before: dict, now: dict) -> dict:
    """Return the claims that were measured for more seeds before: a run of one seed measures minutes and memory.

    Where the first seeds came to something else then, the experiment has changed, and what came now counts. A claim
    with a command of its own is kept in any case.
    """
    kept = {}
    for claim, old in before.items():
        new = now.get(claim, old)
        if COMMAND in old or (len(old["better"]) > len(new["better"]) and _alike(old, new)):
            kept[claim] = old
    return kept


def _alike(old: dict, new: dict) -> bool:
    """Whether both sides of a claim came to the same for the seeds that both runs had."""
    pairs = [pair for side in ("better", "worse") for pair in zip(old[side], new[side], strict=False)]
    return all(abs(one - other) <= SAME for one, other in pairs)


def _with_longer_runs(before: list[dict], now: list[dict]) -> list[dict]:
    """Return the rows of a run, and in the place of some those of before: of more runs, or with a command."""
    longer = [row for row in before if COMMAND in row]
    kept = list(longer)
    for row in now:
        if not any(_same(row, other) for other in longer):
            kept.append(_of_more_runs(before, row))
    return kept


def _without_command(row: dict) -> dict:
    return {name: value for name, value in row.items() if name != COMMAND}


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
    for chapter, record in sorted(measured().items()):
        for claim, figures in sorted(record.get("claims", {}).items()):
            better, worse = figures["better"], figures["worse"]
            true = sum(a > b for a, b in zip(better, worse, strict=True))
            lines.append(f"| {chapter} | {claim} | {true} of {len(better)} | {_listed(better)} | {_listed(worse)} |")
    return "\n".join(lines)


def _listed(figures: list[float]) -> str:
    return ", ".join(f"{figure:.3f}" for figure in figures)
