"""The check cell's form: cases, hidden cases, a calm report, a score that nbgrader reads."""

import hashlib
import itertools
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import wraps
from types import FunctionType

import numpy as np

from helpers.checks import course_code, not_defined
from helpers.checks.case import Case, advice, note_call, note_class, run_case, settled_case
from helpers.checks.forms import crossed
from helpers.checks.points import earned_share
from helpers.checks.put_back import staying
from helpers.checks.timers import CaseTimeout


def graded(exercise: str, points: float) -> Callable[[Callable], float]:
    """Run the decorated function on a fresh Check at once; the name it defines holds the score, a plain float.

    A function, so that nothing the check builds is left behind among the student's own names.
    """

    def run(cases: Callable[["Check"], None]) -> float:
        with Check(exercise, points) as check:
            _seen_from_outside(cases)(check)
        return check.score

    return run


def _seen_from_outside(cases: Callable) -> Callable:
    """Return the cases with the functions of the notebook's cells as they are while grading: what they give is plain.

    Where the functions are those of another process, it has done so already.
    """
    if type(cases.__globals__) is not dict:
        return cases
    names = {name: _giving_plain(name, value) for name, value in cases.__globals__.items()}
    return FunctionType(cases.__code__, names, cases.__name__, cases.__defaults__, cases.__closure__)


def _giving_plain(name: str, value):
    if getattr(value, "__module__", None) != "__main__":
        return value
    if isinstance(value, type):
        return _noted(name, value)
    if not isinstance(value, FunctionType):
        return value

    @wraps(value)
    def function(*args, **kwargs):
        note_call(name)
        return crossed(value(*map(_own, args), **{key: _own(given) for key, given in kwargs.items()}))

    function.of_notebook = name, value
    return function


def _noted(name: str, of_answer: type) -> FunctionType:
    """Return a function that makes objects of a class of the notebook's, and notes that the check called it."""

    def make(*args, **kwargs):
        note_class(name)
        return of_answer(*map(_own, args), **{key: _own(given) for key, given in kwargs.items()})

    make.__name__ = of_answer.__name__
    make.of_notebook = name, of_answer
    return make


def _own(value):
    """Return a function that is handed to another one of the notebook's as the notebook has it."""
    if not (isinstance(value, FunctionType) and "of_notebook" in vars(value)):
        return value
    name, own = vars(value)["of_notebook"]
    note_call(name)
    return own


finished: deque["Check"] = deque(maxlen=1)  # the last check, for a grader that records what it found
settled: ContextVar[tuple[dict, ...]] = ContextVar("settled", default=())  # shown cases, judged in a run before
show: ContextVar[Callable[["Check"], None]] = ContextVar("show", default=lambda check: print(check.text()))

STOPPED = "the check could not go on"
MAX_CAUSES = 2  # in a report
ORDER = ("expected", "got", "differs", "printed")


class Check:
    """Collect the cases of one exercise; print the report on leaving; hold the score.

    The student's work is touched only by calling it and judging the data that comes back, so the same text runs
    with local functions and with remote ones.
    """

    def __init__(self, exercise: str, points: float):
        self.exercise, self.points = exercise, float(points)
        self.cases: list[tuple[Case, bool]] = []
        self.score = 0.0
        self.rng = np.random.default_rng(_seed(exercise))
        self._hidden = False
        self._settled = deque(settled.get())
        self._known: dict[str, Callable] = {}
        self._known_of: list[tuple[Callable, dict[str, Callable]]] = []  # (function, its own mistakes), the last counts
        self._values: dict[str, dict[int, object]] | None = None
        self._built_on: dict[str, tuple[str, ...]] = {}  # {a function: others of the answer that it calls}
        self._stopped = ""
        self.objection = ""  # to the whole answer, which then earns nothing

    def __call__(self, function: Callable, *args, **kwargs) -> Case:
        """Call the student's function; the case that comes back must be judged by `equals` or `holds`."""
        if self._settled and not self._hidden:
            case = settled_case(function, args, kwargs, self._settled.popleft())
        elif self._timed_out():
            case = Case(error=CaseTimeout())
        else:
            case = run_case(function, args, kwargs)
        case.hidden = self._hidden
        self.cases.append((case, self._hidden))
        case.number = len(self.cases)
        if self._values is not None and not self._hidden:
            by_words = self._values.items()
            case.values = {words: values[case.number] for words, values in by_words if case.number in values}
        else:
            own = [known for of, known in self._known_of if of is function]
            case.known = own[-1] if own else self._known
        return case

    def mistakes(self, known: dict[str, Callable], *functions: Callable) -> None:
        """From here on, know these mistakes: a sentence each, and a function that makes it, called as the student's is.

        functions: those on which they are made; without any, they are made on all that have none of their own. A wrong
        value is compared with what they give on the same arguments; one that raises stands for its error, but for a
        RuntimeError: torch raises it for all shapes that do not fit.
        """
        if functions:
            self._known_of += [(function, dict(known)) for function in functions]
        else:
            self._known = dict(known)

    def mistake_values(self, values: dict[str, dict[int, object]]) -> None:
        """Know what mistakes give in the visible cases, {sentence: {number of the case: value}}, without their code.

        The build writes this from the functions of `mistakes`, which then count for the hidden cases only.
        """
        self._values = values

    def hidden(self) -> None:
        """From here on, reports name the kind of case only: neither its input nor what was expected."""
        self._hidden = True
        self.cases += [(Case(**found), False) for found in self._settled]  # that this process did not ask for

    def built_on(self, name: str, *used: str) -> None:
        """Say that a function of the answer calls others, the first one first.

        Where one of these is wrong, a wrong value of the function is told of that alone: the fault may lie there.
        """
        self._built_on[name] = used

    def in_place(self) -> AbstractContextManager[None]:
        """Let calls in the block, outside any case, change what they are given: a step that trains a model."""
        return staying()

    def __enter__(self) -> "Check":
        return self

    def __exit__(self, kind, error, _) -> bool:
        if isinstance(error, NameError):
            known = advice.get().function
            self._stopped = f"{error}. {known}" if known else not_defined.why(error)
        elif isinstance(error, Exception):
            self._stopped = f"{STOPPED}: {type(error).__name__}: {error}"
        elif error is not None:
            return False
        self.objection = course_code.objection.get()
        self.score = self._score()
        show.get()(self)
        finished.append(self)
        return True

    @property
    def stopped(self) -> bool:
        """Whether an error ended the check, as a name that is not defined does."""
        return bool(self._stopped)

    @property
    def passed(self) -> bool:
        """Whether all cases pass."""
        if self._stopped or self.objection:
            return False
        return bool(self.cases) and all(case.passed for case, _ in self.cases)

    def shown(self) -> list[Case]:
        """Return the visible cases, in order."""
        return [case for case, hidden in self.cases if not hidden]

    def unwritten(self) -> list[str]:
        """Return the functions that are still the stub in every visible case, where another one has been begun."""
        shown = self.shown()
        begun = {case.called for case in shown if not case.not_started}
        if not begun:
            return []
        names = dict.fromkeys(case.called for case in shown)
        return [name for name in names if name not in begun]

    def failing(self) -> list[tuple[int, Case]]:
        """Return the visible cases that a report goes through, numbered: those that fail, but for unwritten ones."""
        unwritten = self.unwritten()
        failed = ((i, case) for i, case in enumerate(self.shown(), 1) if not case.passed)
        return [(i, case) for i, case in failed if case.called not in unwritten]

    def steps(self) -> list[str]:
        """Return, where a function is not yet written, a line on those that pass and a line on those to come."""
        unwritten = self.unwritten()
        if not unwritten:
            return []
        shown = self.shown()
        failing = {case.called for case in shown if not case.passed}
        names = dict.fromkeys(case.called for case in shown)
        passing = [name for name in names if name not in failing]
        lines = []
        if passing:
            lines.append(f"  passes: {', '.join(passing)}")
        lines.append(f"  not written yet: {', '.join(unwritten)}")
        return lines

    def likeliest(self, case: Case) -> list[str]:
        """Return the mistakes that the report names for a case."""
        return [words for words in self._named_mistakes() if words in case.likely]

    def likely(self, shown: bool = True) -> list[str]:
        """Return the known mistakes that the report names, those that explain most cases first.

        shown: False leaves out those of which only shown cases tell.
        """
        suspected: set[str] = set()
        for case, hidden in self.cases:
            if not case.passed and (shown or hidden):
                suspected.update(case.likely)
        return [words for words in self._named_mistakes() if words in suspected]

    def _named_mistakes(self) -> list[str]:
        return _causes(case for case, _ in self.cases)

    def _timed_out(self) -> bool:
        """After one endless case the others are not tried: each would cost the full limit."""
        return any(isinstance(case.error, CaseTimeout) for case, _ in self.cases)

    def _score(self) -> float:
        """Return the points that the cases earn: none if the check stopped, or if the answer is the course's own."""
        if self._stopped or self.objection or not self.cases:
            return 0.0
        cases = [case for case, _ in self.cases]
        if any(case.passed is None for case in cases):
            raise AssertionError(f"check {self.exercise}: a case was called but not judged")
        return round(self.points * earned_share(cases), 2)

    def text(self, values: bool = True) -> str:
        """Return the report: one line when all is well, else what was called, expected and got.

        values: False leaves out whatever the student's code said, which might be hidden input.
        """
        if self.objection:
            return f"{self.exercise}: {self.objection}"
        if self._stopped:
            return f"{self.exercise}: {self._stopped if values else STOPPED}"
        if self.cases and all(case.not_started for case, _ in self.cases):
            return f"{self.exercise}: not started yet. Write your answer in the cell above and run both cells again."
        shown = self.shown()
        secret = [case for case, hidden in self.cases if hidden]
        self._forget_false_causes()
        by_heart = _made_for_examples(shown, secret)
        _keep_one_general(case for case in secret if not case.passed)
        causes = self._named_mistakes()
        lines = [self._summary()]
        if values:
            lines += [*self.steps(), *(_visible(i, case, causes) for i, case in self.failing())]
        lines += _secret_lines(secret, causes)
        if by_heart:
            lines.append("  the shown examples pass and no fresh input does: is the answer made for the examples only?")
        return "\n".join(lines)

    def _forget_false_causes(self) -> None:
        """Where every case ends in the same error, its cause does not lie in a hidden case's special input."""
        if len(self.cases) > 2 and len({type(case.error) for case, _ in self.cases}) == 1:
            for case, hidden in self.cases:
                case.likely = [] if case.error and hidden else case.likely
        failed = [case for case, _ in self.cases if not case.passed]
        for case in failed:  # what is doubted does not depend on what other cases are told
            case.likely = [words for words in case.likely if not _doubtful(words, case, failed)]
        self._blame_upstream(failed)

    def _blame_upstream(self, failed: list[Case]) -> None:
        alone = [case.functions for case in failed if len(case.functions) == 1]
        wrong = frozenset().union(*alone)
        for case in failed:
            used = itertools.chain(*(self._built_on.get(name, ()) for name in case.functions))
            first = next((name for name in used if name in wrong), None)
            if first:
                case.general, case.likely = "", [f"`{first}` is wrong as well: mend it first, and this may come right"]

    def _summary(self) -> str:
        shown = [bool(case.passed) for case in self.shown()]  # each has a mark of its own
        kinds: dict[object, bool] = {}  # of hidden ones those with the same words in `about` are one
        for i, (case, hidden) in enumerate(self.cases):
            if hidden:
                kind = case.label or i
                kinds[kind] = kinds.get(kind, True) and bool(case.passed)
        passed, total = sum(shown) + sum(kinds.values()), len(shown) + len(kinds)
        if passed < total:
            count = f"{passed} of {total}"
        elif total == 1:
            count = "the one"
        else:
            count = f"all {total}"
        word = "case passes" if total == 1 else "cases pass"
        if not self._hidden:
            return f"{self.exercise}: {count} visible {word}; hidden ones decide the points when graded"
        line = f"{self.exercise}: {count} {word}, {self.score:g} of {self.points:g} points"
        if passed and not self.score:
            line += ": fresh ordinary input fails, and what else passes counts only with it"
        return line


def _visible(number: int, case: Case, causes: list[str]) -> str:
    label = f" ({case.label})" if case.label else ""
    rows = [f"  case {number}{label}"]
    call = case.call()
    if call:
        rows.append(f"    input     {call}")
    rows += [f"    {key:<9} {case.report[key]}" for key in ORDER if key in case.report]
    likely = [words for words in causes if words in case.likely]
    rows += [f"    {'or' if i else 'likely':<9} {words}" for i, words in enumerate(likely)]
    return "\n".join(rows)


def _secret_lines(cases: list[Case], causes: list[str]) -> list[str]:
    """Return a line for all kinds of hidden case that fail in the same way: with the diagnosis, without their data."""
    likely: dict[tuple[str, str], set[str]] = {}
    for case in cases:
        if not case.passed:
            what = "an error" if case.error else "a wrong value"
            likely.setdefault((case.label or "fresh input", what), set()).update(case.likely)
    labels: dict[tuple[str, str], list[str]] = {}
    for (label, what), words_of_kind in likely.items():
        mistakes = ", or: ".join(words for words in causes if words in words_of_kind)
        labels.setdefault((what, mistakes), []).append(label)
    lines = []
    for (what, mistakes), kinds in labels.items():
        case = "hidden case" if len(kinds) == 1 else "hidden cases"
        lines.append(f"  {case} ({'; '.join(kinds)}): {what}{': ' if mistakes else ''}{mistakes}")
    return lines


def _doubtful(words: str, case: Case, failed: list[Case]) -> bool:
    """Whether a case that hands the answer's function to another one tells less than those that call it by itself.

    An error is no gradient's where the function ends in it, too; nor does torch's tell of a graph that was cut where
    the function gives a wrong value of ordinary input: an argument may be left out of it. And how the numbers of a
    gradient look tells nothing where the function's own value is wrong.
    """
    alone = [other for other in failed if other.functions and other.functions < case.functions]
    if case.error:
        wrong = any(other.error is None and not other.edge for other in alone)
        left_out = isinstance(case.error, RuntimeError) and wrong
        return left_out or any(type(other.error) is type(case.error) for other in alone)
    return words == case.general and case.of_numbers and bool(alone)


def _keep_one_general(cases: Iterable[Case]) -> None:
    """Of the diagnoses that no check names, keep the commonest: one for each case would be a student's to choose."""
    diagnosed = [case for case in cases if case.general]
    commonest = Counter(case.general for case in diagnosed).most_common(1)
    for case in diagnosed:
        case.likely = case.likely if case.general == commonest[0][0] else []


def _made_for_examples(shown: list[Case], secret: list[Case]) -> bool:
    """Whether all shown cases pass, no ordinary hidden one does, and no known mistake explains most of them."""
    fresh = [case for case in secret if not case.edge]
    if not shown or not fresh:
        return False
    if not all(case.passed for case in shown):
        return False
    if any(case.passed for case in fresh):
        return False
    return sum(bool(case.likely) for case in fresh) < len(fresh) / 2


def _causes(cases: Iterable[Case]) -> list[str]:
    """Return the mistakes that a report names, two at most: what explains most cases, then most of the others.

    A case of the same function that passes though the mistake would have failed it counts against it. Two that do
    equally well stand side by side, first the one against which fewer cases speak. A diagnosis that no check names
    comes behind one that explains as many. One that only describes the numbers of hidden cases is not said where a
    known mistake explains any of the same function. Nor is a second cause against which more cases speak than for it.
    """
    cases = list(cases)
    left = [case for case in cases if case.likely and not case.passed]
    suspects = dict.fromkeys((words, case.called) for case in left for words in case.likely)
    against = Counter({case.general: -len(cases) if case.changed else 0.5 for case in left if case.general})
    for words, called in suspects:
        against[words] += sum(case.refuted(words) for case in cases if case.called == called)
    votes = Counter((words, case.called) for case in left for words in case.likely)
    best: Counter[str] = Counter()  # how many cases of a function the best of its known mistakes explains
    with_known = [case for case in left if not case.general]
    for words, called in {(words, case.called) for case in with_known for words in case.likely}:
        best[called] = max(best[called], votes[words, called] - against[words])
    left = [case for case in left if not case.describes or best[case.called] <= 0]
    causes: list[str] = []
    while left and len(causes) < MAX_CAUSES:
        votes = Counter(words for case in left for words in case.likely)
        weight = {words: count - against[words] for words, count in votes.items()}
        heaviest = max(weight.values())
        if causes and heaviest < 0:
            break
        equal = sorted((words for words in weight if weight[words] == heaviest), key=against.__getitem__)
        causes += equal[: MAX_CAUSES - len(causes)]
        left = [case for case in left if not set(causes) & set(case.likely)]
    return causes


def _seed(exercise: str) -> int:
    """Return the seed of an exercise's random inputs: the same at each regrade, secret with BOW2LORA_SECRET."""
    text = f"{exercise}:{os.environ.get('BOW2LORA_SECRET', '')}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
