"""Judge one submission: the student's cells run in the runner, the instructor's check cells run here.

A check cell's own text is executed as it stands, with the student's names as proxies (see judge.proxies). A point
is earned by data that was judged in this process, and by nothing else: whatever the runner does, dies of or sends, the
score of a check is a finite float that its own cell made here, or 0 with a reason.
"""

import ast
import contextlib
import functools
import io
import os
import time
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import CodeType

from autograder import cell_marks
from autograder.cells import Outcome, judged_cells, score
from autograder.ipc.channel import Channel
from autograder.judge.budget import CPU_SECONDS, USED_UP, Budget
from autograder.judge.conversation import GRACE, Conversation
from autograder.judge.given import Given
from autograder.judge.proxies import Names
from autograder.judge.redaction import without_values, without_words
from autograder.judge.student_errors import RunnerGone, students_error, text_of
from autograder.package_names import package_names
from helpers.checks.case import MAX_PRINTED, Bounded
from helpers.checks.scoring import STOPPED, Check, finished
from helpers.checks.stopped_cells import StoppedCells, why_stopped
from helpers.checks.timers import CLOCK_FACTOR, CaseTimeout

MAX_REPORT = 20_000  # characters
MAX_SOURCE = 1 << 20  # of one cell
UNFINISHED = ("timeout", "died")  # how such a cell has ended


@dataclass(frozen=True, kw_only=True)
class TimeLimits:
    """Seconds of processor time: for one cell (a call: helpers.checks.case), and for all checks together (`processor`).

    check, total, grace: seconds by the clock for one check, for all cells, for a late answer after a call's limit;
    clock_factor: how far away limits by the clock are (helpers.checks.timers).
    """

    cell: float
    total: float
    check: float = 60.0
    grace: float = GRACE
    processor: float = CPU_SECONDS
    clock_factor: float = CLOCK_FACTOR


def judge(
    channel: Channel,
    cells: Iterable,
    limits: TimeLimits,
    secret: str = "",
    trusted: bool = False,
    late: bool = False,
    ended: Mapping[str, str] | None = None,
) -> dict:
    """Run and judge the cells of a rebuilt notebook in their order; returns {cells, checks, notes, seconds, ...}.

    Once hidden inputs have gone to the runner, nothing that it says is put into words: see autograder.judge.redaction.
    channel: to a runner that has run nothing (autograder.runner.answer_loop); secret: what the random inputs depend on.
    trusted: whether the answers are the instructor's own (the audit's), of which nothing is kept back.
    late: whether another process of the same submission has met hidden inputs; ended: how cells ended that are not run
    again, by id (helpers.checks.stopped_cells).
    Never raises for anything that the runner does.
    """
    with _secret(secret):
        session = JudgingSession(
            Conversation(channel, limits.total, limits.grace, limits.clock_factor), limits, trusted, late
        )
        session.stopped_cells.note_all(ended or {})
        session.conversation.meet(Budget(limits.processor))
        for cell in judged_cells(cells):
            session.take(cell)
        return session.close()


class JudgingSession:
    """One submission before the judge: what came of its cells so far."""

    def __init__(self, conversation: Conversation, limits: TimeLimits, trusted: bool = False, late: bool = False):
        self.conversation, self.limits, self.trusted, self.started = conversation, limits, trusted, time.monotonic()
        self.cells: list[dict] = []
        self.checks: list[dict] = []
        self.why = ""  # why the later cells cannot run
        self.unfinished: list[str] = []  # ids of cells that did not come to their end
        self.stopped = ""  # the id of the cell in which the runner ended before all time was used up
        self.late = late  # whether the runner may know hidden inputs
        self.given = Given()
        self.stopped_cells = StoppedCells()

    def take(self, cell) -> None:
        """Run a cell of the student's or of the template's, or judge one of the checks."""
        kind, started = cell_marks.from_metadata(cell), time.monotonic()
        if kind == "check" and not (self.conversation.ended or self.trusted):
            self.late = self.late or cell_marks.HIDDEN.search(cell.source) is not None
        check: Check | None = None
        if kind == "check":
            done, check = self._check(cell)
        else:
            done = self._cell(cell, "own" if kind == "code" else kind)
        done["seconds"] = round(time.monotonic() - started, 4)
        if kind == "given":
            self.given.add(cell.source)
        if self.conversation.ended and not self.why:
            self.stopped = "" if self.conversation.used_up else cell.id
            self.why = self._ended(f" ({'in the check' if kind == 'check' else 'in the cell'} {cell.id})")
            if kind == "check":
                done["reason"] = done["reason"] or self._ended()
        if kind != "check":
            self._remember(done)
        if done["status"] in UNFINISHED:
            self.unfinished.append(cell.id)
        if self.late:
            done = without_values(done, check) if kind == "check" else without_words(done)
        (self.checks if kind == "check" else self.cells).append(done)

    def _remember(self, cell: dict) -> None:
        """Keep how a cell ended, for checks to explain a missing name by."""
        if self.late:
            self.stopped_cells.keep_quiet()
        else:
            self.stopped_cells.note(cell["id"], why_stopped(cell))

    def _ended(self, where: str = "") -> str:
        """Return why the runner is of no more use; once it may know hidden inputs, in one of a few fixed words."""
        return self.conversation.ended.partition(":")[0] if self.late else self.conversation.ended + where

    def close(self) -> dict:
        """Dismiss the runner and return the verdicts."""
        if not self.conversation.ended:
            with contextlib.suppress(Exception):
                self.conversation.channel.send({"op": "bye"}, timeout=1)
        notes = [f"stopped: {self.why}; what follows was not run"] if self.why else []
        return {
            "cells": self.cells,
            "checks": self.checks,
            "notes": notes,
            "seconds": round(time.monotonic() - self.started, 4),
            "stopped": self.stopped,
            "unfinished": self.unfinished,
            "starved": self.conversation.starved,
            "processor_left": self.conversation.budget.left,
            "late": self.late,
        }

    def _cell(self, cell, kind: str) -> dict:
        """Run one cell in the runner."""
        done = {"id": cell.id, "kind": kind, "status": "not run", "seconds": 0.0, "stdout": "", "error": None}
        done["missing"] = []
        if self.conversation.ended:
            return done
        source = cell.source.encode("utf-8", "replace").decode()
        if len(source) > MAX_SOURCE:
            return done | {"error": {"name": "TooLong", "message": "the cell is too long", "line": None, "text": ""}}
        request = {"op": "cell", "id": cell.id, "source": source}
        try:
            reply, _ = self.conversation.ask(request, [], self.limits.cell)
        except RunnerGone:
            return done | {"status": "timeout" if self.conversation.silent else "died"}
        return done | _cell_result(reply)

    def _check(self, cell) -> tuple[dict, Check | None]:
        """Execute one check cell here; its score fails closed. Returns the verdict and the check."""
        points = float(cell.metadata["nbgrader"]["points"])
        done = {"id": cell.id, "exercise": cell.id.removeprefix("check-"), "points": points, "score": 0.0}
        done |= {"status": "no score", "reason": self.why, "report": "", "likely": [], "seconds": 0.0}
        if self.conversation.ended or self.conversation.budget.left <= 0:
            return done | {"reason": self.why or USED_UP}, None
        self._give_again(cell.source)
        outcome, check = self._outcome(cell)
        done |= {"report": text_of(outcome.text, MAX_REPORT).strip(), "likely": check.likely() if check else []}
        if check and check.stopped:
            done["reason"] = self._ended() or STOPPED
        if type(outcome.value) is float and 0.0 <= outcome.value <= points and outcome.error is None:
            return done | {"status": "judged", "score": score(outcome, points)}, check
        done["reason"] = _why(outcome, self.late)
        return done | {"report": done["report"] or f"{done['exercise']}: no points, {done['reason']}"}, check

    def _give_again(self, check: str) -> None:
        """Make the given functions that a check relies on once more, whatever a cell of the student's made of them."""
        source = self.given.needed(check)
        with contextlib.suppress(RunnerGone):
            if source:
                self.conversation.ask({"op": "cell", "id": "", "source": source}, [], self.limits.cell)

    def _outcome(self, cell) -> tuple[Outcome, Check | None]:
        printed, value, error = Bounded(), None, None
        exercise = cell.id.removeprefix(cell_marks.PREFIX["check"])
        self.conversation.callbacks.clear()
        finished.clear()
        try:
            with (
                self.conversation.budget.check(self.limits.check),
                _quiet(printed),
                self.stopped_cells.explain(exercise),
            ):
                value = run_check(cell.source, cell.id, Names(self.conversation))
        except BaseException as raised:
            error = raised
        return Outcome(value, printed.getvalue(), error), finished.pop() if finished else None


def run_check(source: str, name: str, names: dict):
    """Execute the text of a check cell and return the value of its last line, if that is an expression."""
    body, last = compiled(source, name)
    exec(body, names)
    return eval(last, names) if last else None


@functools.lru_cache(256)
def compiled(source: str, name: str) -> tuple[CodeType, CodeType | None]:
    """Return the code of a check cell, and that of its last line if it is an expression."""
    tree = ast.parse(source, name)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        return compile(tree, name, "exec"), None
    tree.body.pop()
    return compile(tree, name, "exec"), compile(ast.Expression(last.value), name, "eval")


def _cell_result(reply: dict) -> dict:
    """Return what a runner says of a cell, each part held to its type."""
    done: dict = {"status": "ok", "stdout": text_of(reply.get("stdout"), MAX_PRINTED)}
    done["missing"] = package_names(reply.get("missing"))
    if reply.get("ok") is True and reply.get("error") is None:
        return done
    error = students_error(reply.get("error"))
    if isinstance(error, CaseTimeout):
        return done | {"status": "timeout"}
    line, text = getattr(error, "students_line", (None, ""))
    shown = {"name": type(error).__name__, "message": str(error), "line": line, "text": text}
    return done | {"status": "error", "error": shown}


def _why(outcome: Outcome, late: bool) -> str:
    """Return the reason for a check without a score; for the instructor, since the error may be the check's own."""
    if isinstance(outcome.error, CaseTimeout):
        return "the check took too long"
    if outcome.error is not None and late:
        return STOPPED
    if outcome.error is not None:
        return f"{STOPPED} ({type(outcome.error).__name__})"
    return "the check gave no number between 0 and its points"


@contextlib.contextmanager
def _quiet(printed: Bounded):
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _secret(secret: str):
    """Let helpers.checks draw its random inputs from the course's secret."""
    before = os.environ.get("BOW2LORA_SECRET")
    os.environ["BOW2LORA_SECRET"] = secret
    try:
        yield
    finally:
        if before is None:
            del os.environ["BOW2LORA_SECRET"]
        else:
            os.environ["BOW2LORA_SECRET"] = before
