"""Where the full tables keep what came of them."""

import json
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def record(table: str, outcome: object) -> None:
    """Write what came of a table, the same bytes each time that the same came of it."""
    text = json.dumps(outcome, indent=1, ensure_ascii=False, sort_keys=True)
    (RESULTS / f"{table}.json").write_text(f"{text}\n", encoding="utf-8")
