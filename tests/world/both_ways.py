"""An answer's check in both ways: in one process, as in a notebook, and judged over a channel, as in grading.

Each form of the answer's values is tried on the shown cases, what passes them on the whole check. A fork runs the
check with one form after the other; then another fork is the runner, and the judge sits here.
"""

import dataclasses
import multiprocessing as mp
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import torch
from nbformat.v4 import new_code_cell

from autograder import cell_marks, paths
from autograder.authoring.build import to_notebook
from autograder.authoring.remembered import Remembered
from autograder.authoring.source import Cell, read
from autograder.cells import new_shell, run, run_code, score
from autograder.ipc.channel import Channel
from autograder.judge.judge import TimeLimits, judge
from autograder.runner.answer_loop import serve
from helpers.checks.case import made
from helpers.checks.scoring import finished
from helpers.training import random_state
from world import values

SECONDS = 300
LIMITS = TimeLimits(cell=SECONDS, total=3600, processor=3600)
PUT = "__forms__.put(globals(), __functions__, {!r})"


@dataclass(frozen=True)
class Verdict:
    """What a check says of an answer: its score, its report; whether the shown cases pass (in one process only)."""

    score: float
    text: str
    shown: bool = False
    times: int = 0  # how often a value came in the form

    @property
    def words(self) -> str:
        """The report without the values that came."""
        return re.sub(r"(?m)^    (?:got|differs|printed) .*\n?", "", self.text.strip())


def exercises(chapter: str, only: list[str] | None = None) -> Iterator[tuple[Cell, object]]:
    """Run a chapter's given cells and solutions; yields (check, shell) at each exercise."""
    torch.set_num_threads(1)  # a fork of a process whose thread pool has run would hang in its first product
    shell, cells = new_shell(), read(paths.source_text(chapter))
    wanted = [c.name for c in cells if c.kind == "check" and (only is None or c.name in only)]
    for cell in cells:
        if not wanted:
            return
        if cell.kind in ("given", "exercise"):
            before = dict(shell.user_ns)
            error = run(shell, cell.source).error
            assert error is None, (chapter, cell.grade_id, error)
        if cell.kind == "exercise" and cell.name in wanted:
            shell.user_ns["__functions__"] = defined(before, shell.user_ns)
        if cell.kind == "check" and cell.name in wanted:
            wanted.remove(cell.name)
            shell.user_ns["__forms__"] = values.forms
            run(shell, cell.source)  # imports what the check needs, once for all forks
            yield cell, shell


def defined(before: dict, after: dict) -> dict[str, object]:
    """Return the functions and classes that a cell defined."""
    new = {name: value for name, value in after.items() if before.get(name) is not value}
    return {k: v for k, v in new.items() if callable(v) and getattr(v, "__module__", "") == "__main__"}


def here(shell, check: Cell, names: list[str]) -> dict[str, Verdict]:
    """Return the verdicts of one process; a form with which it dies or hangs has none."""
    found: dict[str, Verdict] = {}
    left = list(names)
    while left:
        ours, theirs = mp.get_context("fork").Pipe(duplex=False)
        child = _started(_all_here, shell, check, left, theirs)
        theirs.close()
        try:
            for name in list(left):
                if not ours.poll(SECONDS):
                    break
                found[name] = ours.recv()
                left.remove(name)
        except EOFError:
            pass
        _end(child)
        left = left[1:] if left else left
    return found


def _all_here(shell, check: Cell, names: list[str], pipe) -> None:
    made.set(Remembered())
    before, numbers = dict(shell.user_ns), random_state.state()
    code = compile(check.source, check.grade_id, "exec")
    for name in names:
        run(shell, PUT.format(name))
        finished.clear()
        outcome = run_code(shell, code, "score")
        shown = bool(finished) and all(case.passed for case in finished[-1].shown()) and not finished[-1].stopped
        pipe.send(Verdict(score(outcome, float(check.points)), outcome.text, shown, values.forms.times))
        shell.user_ns.clear()
        shell.user_ns.update(before)
        random_state.restore(numbers)


def judged(shell, check: Cell, names: list[str]) -> dict[str, Verdict]:
    """Return the verdicts of the judge, whose runner is a fork of this process, one for as many forms as it lives."""
    found: dict[str, Verdict] = {}
    left = list(names)
    token = made.set(Remembered())
    while left:
        ours, theirs = socket.socketpair()
        child = _started(_answer, shell, ours, theirs)
        theirs.close()
        verdicts = judge(Channel(ours), _cells(check, left), LIMITS).checks
        for name, verdict in zip(left, verdicts, strict=True):
            if verdict.status == "no score" and verdict.reason.endswith("not run"):
                break
            found[name] = Verdict(verdict.score, verdict.report or verdict.reason)
        _end(child)
        done = [name for name in left if name in found]
        left = [name for name in left if name not in found] if done else left[1:]
    made.reset(token)
    return found


def _cells(check: Cell, names: list[str]) -> list:
    (cell,) = to_notebook([check]).cells
    meta = cell_marks.to_metadata("exercise", {}, check.name)
    return [c for name in names for c in (new_code_cell(PUT.format(name), id=check.name, metadata=meta), cell)]


def _started(target: Callable, *args) -> mp.Process:
    child = mp.get_context("fork").Process(target=target, args=args)
    child.start()
    return child


def _end(child) -> None:
    child.kill()
    child.join()


def _answer(shell, judges: socket.socket, mine: socket.socket) -> None:
    judges.close()
    serve(Channel(mine), shell)


def compared(shell, check: Cell, names: Iterable[str] = tuple(values.FORMS)) -> dict:
    """Return what came of the forms that fit an exercise's values: how many, which are right, what differs.

    shown: how many pass all shown cases; right: those of them with all points; late: those of them without, though no
    shown case says so; apart: those of which the two ways say something else; ended: with which the process ended.
    """
    cases = dataclasses.replace(check, source=cell_marks.HIDDEN.sub("", check.source))
    first = here(shell, cases, list(names))
    fit = [name for name, verdict in first.items() if verdict.times or name == "as it is"]
    shown = [name for name in fit if first[name].shown]
    one = {name: first[name] for name in fit} | here(shell, check, shown)
    other = judged(shell, cases, [name for name in fit if name not in shown]) | judged(shell, check, shown)
    right = [name for name in shown if one[name].score == float(check.points)]
    return {
        "fit": len(fit), "shown": len(shown), "right": right, "late": [name for name in shown if name not in right],
        "apart": [name for name in fit if not _same(one[name], other.get(name))],
        "ended": [name for name in names if name not in first],
    }  # fmt: skip


def _same(one: Verdict, other: Verdict | None) -> bool:
    return other is not None and (one.score, one.words) == (other.score, other.words)
