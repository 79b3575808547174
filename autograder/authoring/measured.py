"""What `make course` measured last: the one record that README, claims, leaderboard, START and the site are made of."""

import json
from pathlib import Path

from autograder import paths


def record_file() -> Path:
    """Return where the record lies."""
    return paths.SOLUTIONS / "measured.json"


def measured() -> dict:
    """Return the record as it stands: {chapter: {"minutes", "peak_mb", "scores", "claims", "leaderboard"}}.

    A chapter that ran on a GPU has "gpu" as well: {"minutes", "peak_mb"}.
    """
    return json.loads(record_file().read_text(encoding="utf-8")) if record_file().is_file() else {}
