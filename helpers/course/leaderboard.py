"""One table that grows from chapter to chapter: spam in the inbox, solved again and again."""

import json
import os
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import platformdirs

from helpers.device import grading, peak_mb
from helpers.files import write_whole


@dataclass
class Row:
    """One model's result on one data set."""

    chapter: str
    model: str
    data: str
    f1: float = float("nan")
    parameters: int = 0
    seconds: float = 0.0
    peak_mb: float = 0.0


def path() -> Path:
    """Return the file of the table: in BOW2LORA_HOME if set, else in the user's data folder."""
    home = os.environ.get("BOW2LORA_HOME") or platformdirs.user_data_dir("bow2lora")
    return Path(home) / "leaderboard.json"


@contextmanager
def measured(chapter: str, model: str, data: str):
    """Time a block that fits and judges a model; fill in `f1` and `parameters` of the row it yields."""
    row, start = Row(chapter, model, data), time.perf_counter()
    yield row
    row.seconds = round(time.perf_counter() - start, 2)
    row.peak_mb = round(peak_mb(), 1)
    if not grading():
        _save(row)


def rows() -> list[Row]:
    """Return all rows, best F1 last; an unreadable file counts as empty, an odd row is left out."""
    try:
        stored = json.loads(path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    known = {f.name for f in fields(Row)}
    found = [r for r in stored if isinstance(r, dict)] if isinstance(stored, list) else []
    made = [Row(**{k: v for k, v in r.items() if k in known}) for r in found if {"chapter", "model", "data"} <= set(r)]
    return sorted(made, key=lambda r: (r.data, float(r.f1 or 0.0)))


def table(data: str | None = None) -> str:
    """Return the table as text, for one data set or for all."""
    shown = [r for r in rows() if data in (None, r.data)]
    wide = max([42, *(len(r.model) + 2 for r in shown)])
    lines = [f"{'model':<{wide}}{'chapter':<10}{'data':<12}{'F1':>7}{'parameters':>12}{'seconds':>9}{'peak MB':>9}"]
    for r in shown:
        lines.append(
            f"{r.model:<{wide}}{r.chapter:<10}{r.data:<12}{r.f1:>7.3f}{r.parameters:>12,}{r.seconds:>9.2f}"
            f"{r.peak_mb:>9.0f}"
        )
    return "\n".join(lines)


def _save(row: Row) -> None:
    """Replace the row of the same chapter, model and data; written whole, so that it is never half there."""
    row.f1, row.parameters = float(row.f1), int(row.parameters)  # not NumPy's own types
    key = (row.chapter, row.model, row.data)
    kept = [r for r in rows() if (r.chapter, r.model, r.data) != key]
    try:
        write_whole(path(), json.dumps([asdict(r) for r in [*kept, row]], indent=1).encode())
    except OSError as error:
        print(f"The leaderboard could not be kept ({error.strerror}: {path()}).")
