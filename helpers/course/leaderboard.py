"""The table that grows from chapter to chapter: what each model scores, what it weighs, what it costs."""

import json
import math
import os
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import platformdirs

from helpers.data.registry import datasets_folder
from helpers.device import grading, peak_mb
from helpers.files import write_whole

REFERENCE = "leaderboard.json"  # in datasets/: the rows of the course's own run, written by `make course`


@dataclass
class Row:
    """One model's result on one data set.

    score: the mean over runs, F1 or accuracy; lowest, highest: over the same runs
    labels: how many labelled examples of each class the model was given; 0 where it was given all
    """

    chapter: str
    model: str
    data: str
    score: float = float("nan")
    parameters: int = 0
    seconds: float = 0.0
    peak_mb: float = 0.0
    labels: int = 0
    runs: int = 1
    lowest: float = float("nan")
    highest: float = float("nan")
    reference: bool = False

    @property
    def key(self) -> tuple:
        """What makes two rows the same one."""
        return self.chapter, self.model, self.data, self.labels


def path() -> Path:
    """Return the file of the table: in BOW2LORA_HOME if set, else in the user's data folder."""
    home = os.environ.get("BOW2LORA_HOME") or platformdirs.user_data_dir("bow2lora")
    return Path(home) / "leaderboard.json"


@contextmanager
def measured(chapter: str, model: str, data: str, labels: int = 0):
    """Time a block that fits and judges a model; fill in `score` and `parameters` of the row it yields."""
    row, start = Row(chapter, model, data, labels=labels), time.perf_counter()
    yield row
    row.seconds = round(time.perf_counter() - start, 2)
    row.peak_mb = round(peak_mb(), 1)
    if not grading():
        _save(row)


def rows(data: str | None = None) -> list[Row]:
    """Return the student's rows, of one data set or of all, best score last; an odd row or file is left out."""
    return sorted(_read(path(), data), key=lambda r: (r.data, r.labels, float(r.score or 0.0)))


def with_reference(data: str) -> list[Row]:
    """Return the student's rows of a data set and, of the models without one, those of the course's own run."""
    own = rows(data)
    known = {r.key for r in own}
    others = [r for r in reference(data) if r.key not in known]
    return sorted([*own, *others], key=lambda r: (r.labels, float(r.score or 0.0)))


def reference(data: str) -> list[Row]:
    """Return the rows of a data set of the course's own run: means over its seeds."""
    kept = _read(datasets_folder() / REFERENCE, data)
    for row in kept:
        row.reference = True
    return kept


def table(data: str | None = None) -> str:
    """Return the table as text; for one data set with the course's own rows (*) beside the student's."""
    shown = with_reference(data) if data else rows()
    wide = max([38, *(len(r.model) + 4 for r in shown)])
    column = 0 if data else 11  # one set needs no column, and the rest fits beside JupyterLab's list of files
    head = f"{'model':<{wide}}{'chapter':<9}{'' if data else 'data':<{column}}"
    lines = [f"{head}{'labels':>7}{'score':>7}{'runs':>6}{'parameters':>12}{'seconds':>9}{'peak MB':>9}"]
    for r in shown:
        name = f"{r.model + ' *' * r.reference:<{wide}}{r.chapter:<9}{'' if data else r.data:<{column}}"
        numbers = f"{r.score:>7.3f}{r.runs:>6}{r.parameters:>12,}{r.seconds:>9.2f}{r.peak_mb:>9.0f}"
        lines.append(f"{name}{r.labels or 'all':>7}{numbers}")
    return "\n".join([*lines, *["* the course's own run"] * any(r.reference for r in shown)])


def _read(file: Path, data: str | None) -> list[Row]:
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    if not isinstance(stored, list):
        return []
    names = {f.name for f in fields(Row)}
    rows = []
    for entry in stored:
        if isinstance(entry, dict) and {"chapter", "model", "data"} <= set(entry):
            rows.append(Row(**{name: value for name, value in entry.items() if name in names}))
    return [row for row in rows if data in (None, row.data)]


def _save(row: Row) -> None:
    """Replace the row of the same chapter, model and data; written whole, so that it is never half there."""
    row.score, row.parameters = float(row.score), int(row.parameters)  # not NumPy's own types
    if math.isnan(row.lowest):
        row.lowest = row.highest = row.score
    others = [r for r in rows() if r.key != row.key]
    try:
        write_whole(path(), json.dumps([asdict(r) for r in [*others, row]], indent=1).encode())
    except OSError as error:
        print(f"The leaderboard could not be saved ({error.strerror}: {path()}).")
