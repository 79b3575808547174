"""What a student may read of a run: nothing that a process did after hidden inputs had come to it, but its points.

A function that is called sees its arguments. It may keep them, and print them in a later cell, raise them as the name
of an error, end a cell late, or return them where a report shows what came. So from the first hidden test on, the judge
keeps of a cell only whether there was anything to say, and of a check its score, the kinds of hidden cases that failed
and the known mistakes that explain them. If there was anything, the notebook runs once more without hidden tests, and
all else comes from that run.
"""

from collections.abc import Callable
from dataclasses import replace

from autograder.jobs import Job
from autograder.judge.budget import USED_UP
from helpers.checks.scoring import STOPPED, Check

KEPT = ("id", "kind")
QUIET = {"status": "ok", "seconds": 0.0, "stdout": "", "error": None, "missing": []}
WORDS = ("stdout", "error", "status", "seconds", "missing")


def without_words(cell: dict) -> dict:
    """Return a cell of which nothing is told; "withheld" says whether there was anything to tell."""
    said = cell["status"] != "ok" or bool(cell["stdout"])
    return {name: cell[name] for name in KEPT} | QUIET | {"withheld": said}


def without_values(check: dict, made: Check | None) -> dict:
    """Return a verdict in the check's own words; made: the check, None if it came to no end."""
    bare = f"{check['exercise']}: no points, {check['reason']}" if check["report"] else ""
    words = {"report": made.text(values=False), "likely": made.likely(shown=False)} if made else {"report": bare}
    full = check["status"] == "judged" and check["score"] == check["points"]
    return check | {"likely": []} | words | {"seconds": 0.0, "withheld": not full}


def withheld(found: dict) -> bool:
    """Whether anything was kept back for which a second run is made: not for one that used up its processor time."""
    checks = found.get("checks", ())
    kept_back = any(one.get("withheld") for one in [*found.get("cells", ()), *checks])
    return kept_back and not any(check["reason"] == USED_UP for check in checks)


def again(job: Job, found: dict) -> Job:
    """Return the job of the second run: no hidden tests, and no check with full points, of which nothing is to be told.

    It depends on the points of the first run alone, which its student reads anyway.
    """
    full = {check["id"] for check in found.get("checks", ()) if not check.get("withheld", True)}
    return replace(job, visible=True, cells=tuple(cell for cell in job.cells if cell.id not in full))


def completed(found: dict, second: dict | None = None) -> dict:
    """Return the result of the first run with the words of the second one where the first one's were kept back."""
    cells, checks = _by_id(second, "cells"), _by_id(second, "checks")
    whole = found | {
        "cells": [_completed(cell, cells, _cell) for cell in found.get("cells", ())],
        "checks": [_completed(check, checks, _check) for check in found.get("checks", ())],
    }
    if second and found.get("notes"):  # where the first run was stopped would tell what it met there
        whole["notes"] = second.get("notes") or found["notes"]
    return whole


def _by_id(found: dict | None, name: str) -> dict[str, dict]:
    return {one["id"]: one for one in (found or {}).get(name, ())}


def _completed(one: dict, seconds: dict[str, dict], complete: Callable[[dict, dict | None], dict]) -> dict:
    """Return a cell or check as it is, or with the words of the second run where its own were kept back."""
    if "withheld" not in one:
        return one
    return complete(one, seconds.get(one["id"]))


def _cell(cell: dict, second: dict | None) -> dict:
    bare = {name: value for name, value in cell.items() if name != "withheld"}
    if not second:
        return bare
    return bare | {name: second[name] for name in WORDS}


def _check(check: dict, second: dict | None) -> dict:
    """The verdict, its first line, what the shown cases said in the second run, and the lines on hidden cases."""
    bare = {name: value for name, value in check.items() if name != "withheld"}
    if not second or not check["report"]:
        return bare
    bare |= {"seconds": second["seconds"], "likely": list(dict.fromkeys([*second["likely"], *check["likely"]]))}
    if check["reason"] == second["reason"] == STOPPED:
        return bare | {"report": second["report"]}
    head, *hidden = check["report"].split("\n")
    return bare | {"report": "\n".join([head, *second["report"].split("\n")[1:], *hidden])}
