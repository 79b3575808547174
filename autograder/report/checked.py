"""One notebook that was checked in this process, as a result like those of the grader."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.check import Verdict

FORMAT = 1


def result(notebook: Path, chapter: str, verdicts: Sequence["Verdict"], repairs: Sequence[str], seconds: float) -> dict:
    """Return the result of a notebook's checks; it names no protection, for in this process there is none."""
    return {
        "format": FORMAT,
        "chapter": chapter,
        "student": notebook.stem,
        "hash": "",
        "cells": [],
        "checks": [_check(v) for v in verdicts],
        "notes": [],
        "repairs": list(repairs),
        "protections": {},
        "seconds": round(seconds, 2),
        "memory_mb": 0.0,
        "failure": "",
    }


def _check(verdict: "Verdict") -> dict:
    return {
        "id": f"check-{verdict.exercise}",
        "exercise": verdict.exercise,
        "points": verdict.points,
        "score": verdict.score,
        "status": "judged",
        "reason": "",
        "report": verdict.text,
        "likely": [],
        "seconds": 0.0,
    }
