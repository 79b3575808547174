"""The audit: every wrong variant must fail with its diagnosis, every right one must get full points.

One process runs the chapter's given cells and solutions; variants are tried in forks of it. A fork takes the variants
of an exercise one after the other, each with names and random numbers of its own, and the check runs there, too, as in
JupyterLab; one that comes out otherwise than it must is tried again, alone. Or all are judged from here, as in grading.
"""

import contextlib
import dataclasses
import difflib
import functools
import gc
import multiprocessing as mp
import os
import re
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import NoReturn

import torch

from autograder import paths
from autograder.authoring import memoriser, right_answers
from autograder.authoring.build import to_notebook
from autograder.authoring.known_mistakes import with_mistake_values
from autograder.authoring.remembered import Remembered
from autograder.authoring.source import Cell, read
from autograder.authoring.variants import Variant, variants
from autograder.cells import new_shell, run, run_code, score
from autograder.ipc.channel import Channel
from autograder.judge.judge import TimeLimits, judge
from autograder.runner.answer_loop import serve
from helpers.checks.case import made
from helpers.checks.scoring import finished
from helpers.errors import CourseError
from helpers.training import random_state

SECONDS = 120
MEMORY = 6 * 2**30  # bytes that an answer with a limit on its CPU seconds may hold
NO_ANSWER = "no answer in time"
LATE = re.compile(f"{NO_ANSWER}|took too long")
VISIBLE_FAILS = re.compile(r"(?m)^  case \d")
HIDDEN_FAILS = re.compile(r"(?m)^  hidden cases? ")
MIN_WRONG, MIN_RIGHT = 3, 2
BY_HEART, SOLUTION = "the visible cases by heart", "the solution"
GRADED = "the solution, judged as in grading"


@dataclass(frozen=True)
class Trial:
    """One variant tried: its score, what the student would read, and whether that is as it must be."""

    variant: Variant
    score: float
    points: float
    text: str
    rare: bool = False  # only rare input failed (not known where the answer is judged as in grading)

    @property
    def verdict_ok(self) -> bool:
        """Right answers get all points, wrong ones do not."""
        return (self.score == self.points) == self.variant.right

    @property
    def diagnosed(self) -> bool:
        """The report names the mistake."""
        return self.variant.right or self.variant.says.lower() in self.text.lower()

    @property
    def seen(self) -> bool:
        """An answer that breaks a clause fails a visible case and a hidden one."""
        if not self.variant.clause:
            return True
        return bool(VISIBLE_FAILS.search(self.text) and HIDDEN_FAILS.search(self.text))

    @property
    def as_it_must_be(self) -> bool:
        """The score is as it must be, and so is what the student reads."""
        return self.verdict_ok and self.diagnosed and self.seen


def audit(chapter: str, only: list[str] | None = None, judged: bool = False, every: int = 1) -> list[Trial]:
    """Try every variant of a chapter (of the exercises in `only`), and for each exercise its stub and its solution.

    judged: judge as the grader does, over a channel; every: try one variant in so many, see `part`.
    """
    answers = part(chapter, every) + made_answers(read(paths.source_text(chapter)))
    return tried(chapter, answers, only, judged)


def part(chapter: str, every: int) -> list[Variant]:
    """Return one variant in so many; which ones follows from the chapter's sources: another state, other ones."""
    start = int(right_answers.state(chapter), 16) % every
    return variants(chapter)[start::every]


def tried(
    chapter: str, answers: list[Variant], only: list[str] | None = None, judged: bool = False, limited: bool = False
) -> list[Trial]:
    """Try answers to a chapter's exercises; limited: stop one that takes far more CPU time than the solution."""
    if "fork" not in mp.get_all_start_methods():
        raise CourseError("the audit forks a process for each variant, and this system cannot: use Linux or WSL")
    cells = with_mistake_values(read(paths.source_text(chapter)), only)
    for name in set(only or []) - {c.name for c in cells if c.kind == "check"}:
        raise CourseError(f"{chapter} has no exercise '{name}'")
    torch.set_num_threads(1)  # a fork of a process whose thread pool has run would hang in its first product
    shell = new_shell()
    # A check is the same for all its variants.
    shell.transform_cell = functools.cache(shell.transform_cell)  # type: ignore[method-assign]
    trials: list[Trial] = []
    last = max(i for i, c in enumerate(cells) if c.kind == "check" and c.name in (only or [c.name]))
    for cell in cells[: last + 1]:  # the solutions before an exercise are there when its variants run
        if cell.kind in ("given", "exercise"):
            outcome = run(shell, cell.source)
            if outcome.error:
                raise CourseError(f"{chapter}: the cell {cell.grade_id} raises {outcome.error!r}")
        if cell.kind == "check" and cell.name in (only or [cell.name]):
            start = time.process_time()
            run(shell, cell.source)  # imports what the check needs, once for all forks
            cpu = 1 + 4 * (time.process_time() - start) if limited else 0.0
            tries = [v for v in answers if v.exercise == cell.name]
            gc.freeze()  # the forks' collector need not go through what is there already
            if judged:
                trials += [_judged(shell, cell, v) for v in tries]
                continue
            trials += _here(shell, cell, tries, cpu)
            for variant in tries:
                if variant.name == SOLUTION:
                    trials.append(_judged(shell, cell, dataclasses.replace(variant, name=GRADED)))
    return trials


def audits(
    chapters: list[str], only: list[str] | None, both: bool, every: int = 1
) -> Iterator[tuple[str, list[Trial], list[str]]]:
    """Audit chapters side by side; yields each one's name, trials, and a line for whatever else is wrong, in order."""
    with ProcessPoolExecutor(min(len(chapters), os.cpu_count() or 1), mp.get_context("spawn")) as pool:
        longest_first = sorted(chapters, key=lambda chapter: -len(variants(chapter)))
        futures = {chapter: pool.submit(_audited, chapter, only, both, every) for chapter in longest_first}
        for chapter in chapters:
            trials, lines = futures[chapter].result()
            yield chapter, trials, lines


def _audited(chapter: str, only: list[str] | None, both: bool, every: int) -> tuple[list[Trial], list[str]]:
    trials, lines = audit(chapter, only, every=every), short_counts(chapter) + misquoted(chapter)
    lines += _too_much_by_heart(trials)
    if both:
        here = [t for t in trials if t.variant.name != GRADED]
        lines += disagreements(here, audit(chapter, only, judged=True, every=every))
    return trials, lines


def _too_much_by_heart(trials: list[Trial]) -> list[str]:
    """Return a line if repeating the visible cases earns more than it may."""
    by_heart = [t for t in trials if t.variant.name == BY_HEART]
    earned = sum(t.score for t in by_heart)
    possible = sum(t.points for t in by_heart)
    if earned <= memoriser.MAX_SHARE * possible:
        return []
    where = ", ".join(f"{t.variant.exercise} {t.score:g} of {t.points:g}" for t in by_heart if t.score > 0)
    return [f"repeating the visible cases earns {earned:g} of {possible:g} points: {where}"]


def made_answers(cells: list[Cell]) -> list[Variant]:
    """Return three answers to each exercise: the solution, right; the stub and the visible cases by heart, wrong."""
    stubs = {c.id: c.source for c in _stubs(cells)}
    checks = {c.name: c.source for c in cells if c.kind == "check"}
    answers = []
    for cell in cells:
        if cell.kind == "exercise":
            stub = stubs[cell.grade_id]
            by_heart = memoriser.answer(stub, checks[cell.name])
            answers.append(Variant(cell.name, SOLUTION, True, "", cell.source))
            answers.append(Variant(cell.name, "the stub", False, "not started yet", stub))
            answers.append(Variant(cell.name, BY_HEART, False, "", by_heart))
    return answers


def _stubs(cells: list[Cell]) -> list:
    from nbgrader.preprocessors import ClearSolutions

    return ClearSolutions().preprocess(to_notebook(cells), {})[0].cells


def _here(shell, check: Cell, answers: list[Variant], cpu: float) -> list[Trial]:
    """Try variants and check in one fork; those that do not come out as they must are tried again, alone."""
    trials: list[Trial] = []
    while len(trials) < len(answers):
        trials += _fork(shell, check, answers[len(trials) :], cpu)
    return [t if t.as_it_must_be else _fork(shell, check, [t.variant], cpu)[0] for t in trials]


def _fork(shell, check: Cell, answers: list[Variant], cpu: float) -> list[Trial]:
    """Run variants and their check in a fork, as far as it comes; one with which it dies or hangs scores 0."""
    ours, theirs = mp.get_context("fork").Pipe(duplex=False)
    trials: list[Trial] = []
    points = float(check.points)
    with _child(_try_all, shell, check, answers, theirs, cpu):
        theirs.close()
        for variant in answers:
            if not ours.poll(SECONDS):
                return [*trials, Trial(variant, 0.0, points, NO_ANSWER)]
            try:
                score, text, rare = ours.recv()
            except EOFError:
                return [*trials, Trial(variant, 0.0, points, "the process ended in this variant")]
            trials.append(Trial(variant, score, points, text, rare))
    return trials


@contextlib.contextmanager
def _child(target: Callable, *args):
    """Run a function in a fork for as long as the block runs."""
    child = mp.get_context("fork").Process(target=target, args=args)
    child.start()
    try:
        yield
    finally:
        child.kill()
        child.join()


def _try_all(shell, check: Cell, answers: list[Variant], pipe, cpu: float) -> None:
    """In the child: each variant, then the check, then score and text through the pipe; and all as it was before."""
    if cpu:
        import resource  # not on Windows, where the audit says that it cannot run

        signal.signal(signal.SIGVTALRM, _too_long)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    made.set(Remembered())
    names, numbers = dict(shell.user_ns), random_state.state()
    code = compile(check.source, check.grade_id, "exec")  # once for all variants: it takes as long as many a check
    for variant in answers:
        signal.setitimer(signal.ITIMER_VIRTUAL, cpu, 1)  # each second again: a check goes on with its next case
        outcome = run(shell, variant.source)
        judged = run_code(shell, code, "score")
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        error = f"{type(outcome.error).__name__}: {outcome.error}\n" if outcome.error else ""
        pipe.send((score(judged, float(check.points)), error + judged.text, _only_rare_input_fails()))
        shell.user_ns.clear()
        shell.user_ns.update(names)
        random_state.restore(numbers)


def _only_rare_input_fails() -> bool:
    """Whether all ordinary cases of the check that has just ended pass, and a rare one does not."""
    if not finished or finished[-1].stopped:
        return False
    failed = [case for case, _ in finished[-1].cases if not case.passed]
    return bool(failed) and all(case.edge for case in failed)


def _too_long(signum: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt  # which a check does not take for an answer


def _judged(shell, check: Cell, variant: Variant) -> Trial:
    """Judge one variant, once more if it took too long and was not meant to: a fork of a busy process may hang."""
    trial = _judge(shell, check, variant)
    if LATE.search(trial.text) and not trial.as_it_must_be:
        return _judge(shell, check, variant)
    return trial


def _judge(shell, check: Cell, variant: Variant) -> Trial:
    """Run one variant in a fork, and judge it from here."""
    ours, theirs = socket.socketpair()
    answer = dataclasses.replace(check, kind="exercise", grade_id=variant.exercise, options={}, source=variant.source)
    with _child(_answer, shell, ours, theirs):
        theirs.close()
        limits = TimeLimits(cell=SECONDS, total=2 * SECONDS)
        verdict = judge(Channel(ours), to_notebook([answer, check]).cells, limits)
    (cell,), (judged,) = verdict.cells, verdict.checks
    if cell.status == "timeout":  # the solution's names may still be there
        return Trial(variant, 0.0, float(check.points), NO_ANSWER)
    error = f"{cell.error.name}: {cell.error.message}\n" if cell.error else ""
    return Trial(variant, judged.score, float(check.points), f"{error}{judged.report or judged.reason}\n")


def _answer(shell, judges: socket.socket, mine: socket.socket) -> None:
    """In the child: answer the judge."""
    judges.close()
    serve(Channel(mine), shell)


def disagreements(here: list[Trial], judged: list[Trial]) -> list[str]:
    """Return a line for each variant whose score or report depends on where the check runs; in grading it is judged.

    What came may differ, since a model may begin at random; what is said of it may not.
    """
    lines = []
    for a, b in zip(here, judged, strict=True):
        if (a.variant, a.score, _in_words(a.text)) != (b.variant, b.score, _in_words(b.text)):
            lines.append(f"{a.variant.exercise}: {a.variant.name}: {a.score:g} here and {b.score:g} judged")
            differences = difflib.ndiff(a.text.splitlines(), b.text.splitlines())
            lines += [f"  {line}" for line in differences if line[0] in "+-"]
    return lines


def _in_words(report: str) -> str:
    """Return a report without what came."""
    return re.sub(r"(?m)^    (?:got|differs) .*", "", report.strip())


def short_counts(chapter: str) -> list[str]:
    """Return a line for each exercise that has too few variants, or variants of no exercise."""
    counts = Counter((v.exercise, v.right) for v in variants(chapter))
    exercises = [c.name for c in read(paths.source_text(chapter)) if c.kind == "exercise"]
    strangers = dict.fromkeys(name for name, _ in counts if name not in exercises)
    lines = [f"{name}: variants of an exercise that is not there" for name in strangers]
    for name in exercises:
        wrong, right = counts[name, False], counts[name, True]
        if wrong < MIN_WRONG or right < MIN_RIGHT:
            lines.append(f"{name}: {wrong} wrong and {right} right variants; {MIN_WRONG} and {MIN_RIGHT} are needed")
    return lines


def misquoted(chapter: str) -> list[str]:
    """Return a line for each variant whose clause is not in the chapter: its text has changed since."""
    text = _words(paths.source_text(chapter).read_text(encoding="utf-8"))
    lines = []
    for variant in variants(chapter):
        if _words(variant.clause) not in text:
            lines.append(f"{variant.exercise}: {variant.name}: the chapter does not say '{variant.clause}'")
    return lines


def _words(text: str) -> str:
    """Return a text without line breaks, and without the marks of comments that begin its lines."""
    return " ".join(re.sub(r"(?m)^\s*#", "", text).split())
