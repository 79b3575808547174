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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import CodeType

from autograder import cell_marks
from autograder.cells import Outcome, judged_cells, score
from autograder.ipc.channel import Channel
from autograder.judge.budget import CPU_SECONDS, IDLE_SECONDS, USED_UP, Budget
from autograder.judge.conversation import GRACE, Conversation
from autograder.judge.given import Given
from autograder.judge.proxies import Names
from autograder.judge.student_errors import RunnerGone, students_error, text_of
from autograder.judge.test_cells import Tests
from autograder.judge.test_runs import HIDDEN, INSIDE, TRIAL, report
from autograder.judge.two_runs import of_shown, recalled, without_values, without_words
from autograder.package_names import package_names
from autograder.verdicts import UNFINISHED, CellError, CellVerdict, CheckVerdict, Verdict
from helpers.checks.case import MAX_PRINTED, Bounded
from helpers.checks.course_code import CourseCode
from helpers.checks.scoring import STOPPED, Check, finished, settled
from helpers.checks.stopped_cells import StoppedCells
from helpers.checks.timers import CLOCK_FACTOR, CaseTimeout

MAX_REPORT = 20_000  # characters
MAX_SOURCE = 1 << 20  # of one cell


@dataclass(frozen=True, kw_only=True)
class TimeLimits:
    """Seconds of processor time: for one cell (a call: helpers.checks.case), and for all checks together (`processor`).

    check, total, grace: seconds by the clock for one check, for all cells, for a late answer after a call's limit;
    idle: seconds that the runner may sleep in all;
    clock_factor: how far away limits by the clock are (helpers.checks.timers).
    """

    cell: float
    total: float
    check: float = 60.0
    grace: float = GRACE
    processor: float = CPU_SECONDS
    idle: float = IDLE_SECONDS
    clock_factor: float = CLOCK_FACTOR


def judge(
    channel: Channel,
    cells: Iterable,
    limits: TimeLimits,
    secret: str = "",
    shown: Mapping[str, list[dict]] | None = None,
    ended: Mapping[str, str] | None = None,
    way: str = "",
    files: Mapping[str, str] | None = None,
) -> Verdict:
    """Run and judge the cells of a rebuilt notebook in their order.

    channel: to a runner that has run nothing (autograder.runner.answer_loop); secret: what the random inputs depend on.
    shown: in the run of the hidden cases, what the shown ones came to in the run before, by the id of the check;
    nothing that the runner says is then put into words (see autograder.judge.two_runs). ended: how cells ended that are
    not run again, by id (helpers.checks.stopped_cells). way, files: of test cells that others wrote, see
    autograder.jobs.
    Never raises for anything that the runner does.
    """
    cells = list(cells)
    with _secret(secret):
        conversation = Conversation(channel, limits.total, limits.grace, limits.clock_factor, limits.idle)
        session = JudgingSession(conversation, limits, shown, way)
        session.stopped_cells.note_all(ended or {})
        session.conversation.meet(Budget(limits.processor))
        if way:
            session.tests.learn(cell.source for cell in cells if cell_marks.from_metadata(cell) == "check")
            session.tests.put_files(files or {})
        for cell in judged_cells(cells):
            session.take(cell)
        return session.close()


class JudgingSession:
    """One submission before the judge: what came of its cells so far."""

    def __init__(
        self,
        conversation: Conversation,
        limits: TimeLimits,
        shown: Mapping[str, list[dict]] | None = None,
        way: str = "",
    ):
        self.conversation, self.limits, self.started = conversation, limits, time.monotonic()
        self.cells: list[CellVerdict] = []
        self.checks: list[CheckVerdict] = []
        self.why = ""  # why the later cells cannot run
        self.unfinished: list[str] = []  # ids of cells that did not come to their end
        self.stopped = ""  # the id of the cell in which the runner ended before all time was used up
        self.late, self.shown = shown is not None, shown or {}  # late: whether the runner may know hidden inputs
        self.late |= way in (HIDDEN, INSIDE)
        self.way, self.tests = way, Tests(conversation, limits.cell, inside=way in (INSIDE, TRIAL))
        self.given = Given()
        self.stopped_cells = StoppedCells()
        self.course_code = CourseCode()

    def take(self, cell) -> None:
        """Run a cell of the student's or of the template's, or judge one of the checks."""
        kind = cell_marks.from_metadata(cell)
        if kind == "check":
            self._take_check(cell)
        else:
            self._take_cell(cell, kind)

    def _take_check(self, cell) -> None:
        started = time.monotonic()
        verdict, check = self._check(cell)
        verdict = replace(verdict, seconds=_since(started))
        if self._ends_here(f"in the check {cell.id}"):
            verdict = replace(verdict, reason=verdict.reason or self._ended())
        self.checks.append(without_values(verdict, check) if self.late else of_shown(verdict, check))

    def _take_cell(self, cell, kind: str) -> None:
        started = time.monotonic()
        verdict = self._cell(cell, "own" if kind == "code" else kind)
        verdict = replace(verdict, seconds=_since(started))
        if kind == "given":
            self.given.add(cell.source)
            self.course_code.note_given(cell.source)
        elif not self.late:  # an answer that is the course's own was refused in the run before
            self.course_code.note(cell.id, cell.source)
        self._ends_here(f"in the cell {cell.id}")
        self._remember(verdict)
        if verdict.status in UNFINISHED:
            self.unfinished.append(cell.id)
        if self.late:
            verdict = without_words(verdict)
        self.cells.append(verdict)

    def _ends_here(self, where: str) -> bool:
        """Whether the runner has ended in the cell that was taken last; why is kept for those that follow."""
        if not self.conversation.ended or self.why:
            return False
        self.stopped = "" if self.conversation.used_up else where.rpartition(" ")[2]
        self.why = self._ended(f" ({where})")
        return True

    def _remember(self, cell: CellVerdict) -> None:
        """Keep how a cell ended, for checks to explain a missing name by."""
        if self.late:
            self.stopped_cells.keep_quiet()
        else:
            self.stopped_cells.note(cell.id, cell.why_stopped)

    def _ended(self, where: str = "") -> str:
        """Return why the runner is of no more use; once it may know hidden inputs, in one of a few fixed words."""
        return self.conversation.ended.partition(":")[0] if self.late else self.conversation.ended + where

    def close(self) -> Verdict:
        """Dismiss the runner and return the verdict."""
        if not self.conversation.ended:
            with contextlib.suppress(Exception):
                self.conversation.channel.send({"op": "bye"}, timeout=1)
        notes = [f"stopped: {self.why}; what follows was not run"] if self.why else []
        return Verdict(
            cells=self.cells,
            checks=self.checks,
            notes=notes,
            seconds=_since(self.started),
            stopped=self.stopped,
            unfinished=self.unfinished,
            starved=self.conversation.starved,
            processor_left=self.conversation.budget.left,
            idle_left=self.conversation.idle_left,
        )

    def _cell(self, cell, kind: str) -> CellVerdict:
        """Run one cell in the runner."""
        not_run = CellVerdict(cell.id, kind)
        if self.conversation.ended:
            return not_run
        source = cell.source.encode("utf-8", "replace").decode()
        if len(source) > MAX_SOURCE:
            return replace(not_run, error=CellError("TooLong", "the cell is too long"))
        request = {"op": "cell", "id": cell.id, "source": source}
        code = self.tests.code_of_given(cell) if self.way and kind == "given" else []
        try:
            reply, _ = self.conversation.ask(request, code, self.limits.cell)
        except RunnerGone:
            return replace(not_run, status="timeout" if self.conversation.silent else "died")
        return _told(not_run, reply)

    def _check(self, cell) -> tuple[CheckVerdict, Check | None]:
        """Execute one check cell here; its score fails closed. Returns the verdict and the check."""
        points = float(cell.metadata["nbgrader"]["points"])
        verdict = CheckVerdict(cell.id, cell.id.removeprefix(cell_marks.PREFIX["check"]), points, reason=self.why)
        if self.conversation.ended or self.conversation.budget.left <= 0:
            return replace(verdict, reason=self.why or USED_UP), None
        self._give_again(cell.source)
        if cell.metadata.get("bow2lora", {}).get("test"):
            return self._test(cell, verdict), None
        outcome, check = self._outcome(cell)
        report = text_of(outcome.text, MAX_REPORT).strip()
        verdict = replace(verdict, report=report, likely=check.likely() if check else [])
        if check and check.stopped:
            verdict = replace(verdict, reason=self._ended() or STOPPED)
        if type(outcome.value) is float and 0.0 <= outcome.value <= points and outcome.error is None:
            return replace(verdict, status="judged", score=score(outcome, points)), check
        reason = _why(outcome, self.late)
        return replace(verdict, reason=reason, report=report or f"{verdict.exercise}: no points, {reason}"), check

    def _test(self, cell, verdict: CheckVerdict) -> CheckVerdict:
        """Judge one test cell that others wrote; in a run that may know hidden inputs no word is told of it."""
        try:
            with self.conversation.budget.check(self.limits.check), _quiet(Bounded()):
                earned, lines = self.tests.result(cell, verdict.points)
        except BaseException as error:
            earned, lines = 0.0, [f"it came to no end ({type(error).__name__})"]
        if self.conversation.ended:
            return replace(verdict, reason=self._ended())
        said = report(verdict, earned, [] if self.late else lines)
        return replace(verdict, status="judged", score=earned, report=text_of(said, MAX_REPORT))

    def _give_again(self, check: str) -> None:
        """Make the given functions that a check relies on once more, whatever a cell of the student's made of them."""
        source = self.given.needed(check)
        with contextlib.suppress(RunnerGone):
            if source:
                self.conversation.ask({"op": "given", "source": source}, [], self.limits.cell)

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
                self.course_code.judge(exercise),
                _settled(self.shown.get(cell.id, ())),
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


def _told(cell: CellVerdict, reply: dict) -> CellVerdict:
    """Return a cell with what a runner says of it, each part held to its type."""
    printed = text_of(reply.get("stdout"), MAX_PRINTED)
    ran = replace(cell, status="ok", stdout=printed, missing=package_names(reply.get("missing")))
    if reply.get("ok") is True and reply.get("error") is None:
        return ran
    error = students_error(reply.get("error"))
    if isinstance(error, CaseTimeout):
        return replace(ran, status="timeout")
    line, text = getattr(error, "students_line", (None, ""))
    return replace(ran, status="error", error=CellError(type(error).__name__, str(error), line, text))


def _since(started: float) -> float:
    return round(time.monotonic() - started, 4)


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
def _settled(cases: Iterable[dict]) -> Iterator[None]:
    """Let a check take what its shown cases came to in the run before, in place of asking them."""
    before = settled.set(tuple(map(recalled, cases)))
    try:
        yield
    finally:
        settled.reset(before)


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
