"""What a student may read of a run: nothing that a process said after hidden inputs had come to it.

A function that is called sees its arguments. It may keep them, and print them in a later cell, raise them, or return
them where a report shows what came. So from the first hidden test on, the judge keeps a runner's own words back; and
where there were any, the notebook runs once more without hidden tests, and the words are those of that run.
"""

import builtins

from helpers.checks.scoring import STOPPED, Check

MOST_SECONDS = 5.0  # for the second run, beside twice the time of the first


def without_words(cell: dict) -> dict:
    """Return what came of a cell without its output and its error's message; "withheld" says that there was one."""
    error = cell["error"]
    named = error is not None and hasattr(builtins, error["name"])
    bare = error and {"name": error["name"] if named else "Error", "message": "", "line": None, "text": ""}
    said = cell["stdout"] or (error and (error["message"] or not named))
    return cell | {"stdout": "", "error": bare} | ({"withheld": True} if said else {})


def without_values(check: dict, made: Check | None) -> dict:
    """Return a verdict whose report is in the check's own words; made: the check, None if it came to no end."""
    words = made.text(values=False) if made else ""
    return check | {"report": words} | ({"withheld": True} if words != check["report"] else {})


def withheld(found: dict) -> bool:
    """Whether any words were kept back."""
    return any(one.get("withheld") for one in [*found.get("cells", ()), *found.get("checks", ())])


def again(job: dict, found: dict, seconds: float) -> dict:
    """Return the job of the second run: no hidden tests, nothing after the last words, hardly more time than before."""
    wanted = {one["id"] for one in [*found["cells"], *found["checks"]] if one.get("withheld")}
    last = max(place for place, cell in enumerate(job["cells"]) if cell["id"] in wanted)
    limits = job["limits"] | {"total": min(job["limits"]["total"], 2 * seconds + MOST_SECONDS)}
    return job | {"cells": job["cells"][: last + 1], "limits": limits, "visible": True}


def completed(found: dict, second: dict) -> dict:
    """Return the result of the first run with the words of the second one where the first one's were kept back."""
    cells = {cell["id"]: cell for cell in second.get("cells", ())}
    checks = {check["id"]: check for check in second.get("checks", ())}
    return found | {
        "cells": [_cell(cell, cells.get(cell["id"], {})) for cell in found["cells"]],
        "checks": [_check(check, checks.get(check["id"], {})) for check in found["checks"]],
    }


def _cell(cell: dict, second: dict) -> dict:
    kept = {name: value for name, value in cell.items() if name != "withheld"}
    alike = cell.get("withheld") and second.get("status") == cell["status"]
    return kept | {name: second[name] for name in ("stdout", "error") if alike}


def _check(check: dict, second: dict) -> dict:
    """The verdict, its first line, what the shown cases said in the second run, and the lines on hidden cases."""
    kept = {name: value for name, value in check.items() if name != "withheld"}
    if not check.get("withheld"):
        return kept
    if check["reason"] == second.get("reason") == STOPPED:
        return kept | {"report": second["report"]}
    head, *hidden = check["report"].split("\n")
    return kept | {"report": "\n".join([head, *second.get("report", "").split("\n")[1:], *hidden])}
