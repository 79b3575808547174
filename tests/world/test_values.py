"""Every form of every answer's values on its check, in both ways; writes results/values.json.

python -m pytest tests/world/test_values.py -k 01_spam      # one chapter, whose part of the results is written
"""

import json
import os
from pathlib import Path

import pytest

from autograder import paths
from world import both_ways, values

RESULTS = Path(__file__).parent / "results" / "values.json"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the forms are tried in forks of this process")


@pytest.mark.parametrize("chapter", sorted(p.name for p in paths.SOLUTIONS.glob("[0-9]*")))
def test_notebook_and_grading_say_the_same_of_every_form(chapter):
    found = {check.name: both_ways.compared(shell, check) for check, shell in both_ways.exercises(chapter)}
    record(chapter, found)
    assert unknown(chapter, found, "apart", values.APART) == []
    assert unknown(chapter, found, "late", values.LATE) == []
    assert unknown(chapter, found, "ended", {}) == []


def unknown(chapter: str, found: dict[str, dict], what: str, known: dict) -> list[tuple[str, str]]:
    """Return the forms, by exercise, of which something was found that no table explains."""
    pairs = [(exercise, form) for exercise, row in found.items() for form in row[what]]
    return [pair for pair in pairs if not values.reason(known, chapter, *pair)]


def record(chapter: str, found: dict[str, dict]) -> None:
    """Write a chapter's part of the results."""
    whole = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    whole[chapter] = {name: row | {"right": len(row["right"])} for name, row in found.items()}
    RESULTS.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n", encoding="utf-8")
