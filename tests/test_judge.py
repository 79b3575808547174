"""Checks judged over a channel: the same verdicts as in one process, and nothing that a runner does earns a point."""

import os
import re
import socket
from pathlib import Path

import jupytext
import nbformat
import pytest
import torch

from autograder import marks
from autograder.execute import new_shell, run
from autograder.judge.judge import Limits, judge
from autograder.link.wire import Channel
from autograder.runner.serve import serve

CHAPTERS = Path(__file__).parent / "chapters"
LIMITS = Limits(cell=2.0, total=20.0, grace=0.5)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a runner is a fork of this process")


@pytest.fixture(autouse=True)
def one_thread():
    """A fork of a process whose thread pool has run would hang in its first product."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def forked(cells, limits=LIMITS, secret="", runner=serve):
    """Judge cells whose runner is a fork of this process; no sandbox."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if not child:
        try:
            ours.close()
            runner(Channel(theirs))
        finally:
            os._exit(0)
    theirs.close()
    try:
        return judge(Channel(ours), cells, limits, secret)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def here(cells) -> list[str]:
    """Run cells in this process, as JupyterLab does; returns the reports."""
    shell = new_shell()
    outcomes = [(c, run(shell, c.source)) for c in cells]
    return [o.text.strip() for c, o in outcomes if marks.from_metadata(c) == "check"]


def exercise(source, name="f"):
    return nbformat.v4.new_code_cell(source, id=name, metadata=marks.to_metadata("exercise", {}, name))


def check(body, name="f", points=4.0):
    """Return a check cell whose function of cases has this body."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    head = f"from helpers.checks import graded\n\n\n@graded('{name}', points={points})\ndef score(check):\n"
    return raw_check(f"{head}{lines}\n\nscore", name, points)


def raw_check(source, name="f", points=4.0):
    meta = marks.to_metadata("check", {"points": points}, f"check-{name}")
    return nbformat.v4.new_code_cell(source, id=f"check-{name}", metadata=meta)


def test_objects_of_all_sorts_are_judged_as_in_one_process():
    answer, check_cell = jupytext.reads((CHAPTERS / "objects.py").read_text(encoding="utf-8"), fmt="py:percent").cells
    cells = [exercise(answer.source, "objects"), raw_check(check_cell.source, "objects", 100.0)]
    (verdict,) = forked(cells)["checks"]
    # In one process an error that the check's own line meets is shown with that line; the judge keeps it to itself.
    assert verdict["report"] == re.sub(r"  \(line \d+: check\(.*\)", "", here(cells)[0])
    print(verdict["report"])
