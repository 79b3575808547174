"""One case of a check: one call of the student's function, and the verdict on what came back."""

import contextlib
import copy
import inspect
import io
import linecache
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, partial, wraps

from helpers.checks.compare import ATOL, RTOL, difference
from helpers.checks.diagnose import INFINITE, NAN, diagnose, refused
from helpers.checks.forms import canonical
from helpers.checks.put_back import content, putting_back
from helpers.checks.timers import CaseTimeout, by_the_clock, limit
from helpers.checks.untouched import changed, frozen
from helpers.checks.values import describe, is_data, plain, shorten

MAX_PRINTED = 10_000  # characters that a report may draw on
NOTHING = object()  # no value: it agrees with none
NONE_USED = "None was used like a value: a function may lack its return, or an argument may be None"
SECONDS = 10.0  # of CPU time for a call, against endless loops, never a test of speed: the solutions take milliseconds


@dataclass(frozen=True)
class Advice:
    """What to say of a name that is not defined: of the function that is to be checked, and of one that it uses.

    function: "" to look for the cell among those that were run.
    """

    function: str = ""
    name: str = "a cell above, which makes this name, has not been run; or it is misspelt, or a module not imported"


PLAIN_ADVICE = Advice()
advice: ContextVar[Advice] = ContextVar("advice", default=PLAIN_ADVICE)  # who has run the cells knows more


@dataclass
class Case:
    """The outcome of one call, judged by `equals` or `holds`."""

    number: int = 0  # of the case in its check, from 1
    called: str = ""  # the names of the function and of functions that were handed to it
    functions: frozenset[str] = frozenset()  # of the answer, that the check itself called for this case
    call: Callable[[], str] = str  # what was called, in words: put together only for a report
    arguments: tuple[tuple, dict] = ((), {})
    value: object = None
    error: BaseException | None = None
    changed: str | None = None  # which argument was changed in place
    printed: str = ""
    label: str = ""
    edge: bool = False
    weight: float = 1.0
    passed: bool | None = None
    report: dict[str, str] = field(default_factory=dict)
    likely: list[str] = field(default_factory=list)  # every known mistake that gives this very value
    known: dict[str, Callable] = field(default_factory=dict)  # mistakes, to be made on the same arguments
    values: dict[str, object] = field(default_factory=dict)  # what mistakes give here, as the build computed it
    again: Callable[[], object] | None = None  # the same call once more, on fresh copies of the arguments
    expected: object = None  # where it did not come
    tolerance: tuple[float, float] = (RTOL, ATOL)
    hidden: bool = False  # then nothing is said of it that the student's code could choose or compute
    refuted: Callable[[str], bool] = lambda words: False  # whether this passes where a known mistake would not
    general: str = ""  # a diagnosis that no check names, told by the values alone
    of_numbers: bool = False  # whether it only says how the numbers differ, whatever the reason may be
    settled: bool = False  # judged in a run before: it is not judged again

    def equals(
        self,
        expected,
        near: dict | Callable[[], dict] | None = None,
        *,
        rtol: float = RTOL,
        atol: float = ATOL,
        dtype: str | None = None,
        about: str = "",
        edge: bool = False,
        weight: float = 1.0,
    ) -> "Case":
        """Judge the value against `expected`; `near` maps a diagnosis to the value (or error class) it gives.

        `near` may also be a function that returns this dict: it is called only when the value is wrong.

        A case marked `edge` (empty input, one element) earns only when an ordinary case has passed. weight: what its
        kind earns, in that of others; for what costs the whole exercise its sense.
        """
        near = frozen(near)
        self.refuted = cache(lambda words: self._shows(words, expected, near, rtol, atol))
        if self.settled:
            return self
        self.label, self.edge, self.weight, self.passed = about, edge, weight, False
        self.tolerance = rtol, atol
        watch.get()(self, expected, near, (rtol, atol))
        try:
            first_difference = None if self.error else difference(self.value, expected, rtol, atol, dtype)
            self.passed = self.error is None and first_difference is None and self.changed is None
            if not self.passed:
                self.expected = expected
                self._say("expected", lambda: describe(expected))
                if first_difference:  # before anything is called again, by which a list that is kept would grow
                    self._say("differs", first_difference.say)
                likely = self._mistakes(expected, self._near(near), rtol, atol, first_difference)
                self._explain(likely)
        except Exception:  # whatever a strange value provokes, it is this case's and no other's
            self.report["expected"] = describe(expected)
            self.report["got"] = f"a value that cannot be compared ({type(self.value).__name__})"
        return self

    def holds(
        self,
        test: Callable[[object], bool],
        says: str,
        *,
        near: dict | None = None,
        about: str = "",
        edge: bool = False,
        data: bool = True,
    ) -> "Case":
        """Judge the value by a property; `near` maps a diagnosis to a property that the mistake has.

        data: whether what is no data fails before it is looked at: an object says of itself what it likes.
        """
        if self.settled:
            return self
        self.label, self.edge = about or says, edge
        ok = self.error is None and (is_data(self.value) or not data) and _truth(test, self.value)
        self.passed = ok and self.changed is None
        if not self.passed:
            self.report["expected"] = says
            hits = [w for w, p in (near or {}).items() if self.error is None and _truth(p, self.value)]
            words = refused(self.value) if self.error is None and not hits else None
            self._explain([words] if words else hits)
        return self

    @property
    def describes(self) -> bool:
        """Whether a report says nothing of this hidden case but how its numbers differ."""
        return self.hidden and self.of_numbers

    @property
    def not_started(self) -> bool:
        """Whether the stub is still there, which says nothing; torch raises this, too, and says what it lacks."""
        return isinstance(self.error, NotImplementedError) and not str(self.error)

    def _say(self, key: str, words: Callable[[], str]) -> None:
        """Put a line into the report, as the values are now; of a hidden case nothing of the kind is ever shown."""
        if not self.hidden:
            self.report[key] = words()

    def _explain(self, likely: list[str]) -> None:
        self._say("got", self._got)
        if self.changed and not self.error:
            which = "an argument" if self.hidden else f"its {self.changed}"
            self.general = "" if likely else f"your function changed {which} in place: work on a copy"
            likely = likely or [self.general]
        if isinstance(self.error, NameError) and not isinstance(self.error, UnboundLocalError):
            likely = likely or [advice.get().name]
        if not likely and not self.hidden and isinstance(self.error, TypeError | AttributeError):
            self.general = NONE_USED if "NoneType" in str(self.error) else ""
            likely = [self.general] if self.general else []
        self.likely = likely
        if self.printed:
            self._say("printed", lambda: shorten(self.printed.strip().replace("\n", " | ")))

    def _got(self) -> str:
        if self.error is None:
            return describe(self.value)
        if isinstance(self.error, CaseTimeout):
            limits = f"{SECONDS:g} s of CPU time ({by_the_clock(SECONDS):g} s by the clock)"
            return f"no answer within {limits}: is there a loop that never ends?"
        text = " | ".join(str(self.error).splitlines())
        return shorten(f"{type(self.error).__name__}: {text}{_line(self.error)}")

    def _near(self, near: dict | Callable[[], dict] | None) -> dict:
        """Return the known mistakes with their values (or error classes) on this input."""
        typed = typed_values(near)
        return {words: made.get()(words, self.making(words)) for words in self.known} | self.values | typed

    def making(self, words: str) -> partial:
        """Return the call by which a known mistake is made on this case's arguments."""
        args, kwargs = self.arguments
        return partial(self.known[words], *args, **kwargs)

    def _shows(self, words: str, expected, near, rtol, atol) -> bool:
        """Whether this mistake gives a value other than what was expected; an error may stand for inputs of a kind."""
        if not self.passed:
            return False
        try:
            given = self.values | typed_values(near)
            value = given.get(words, NOTHING)
            if words not in given and words in self.known:
                value = made.get()(words, self.making(words))
            error = isinstance(value, type) and issubclass(value, BaseException)
            return value is not NOTHING and not error and difference(value, expected, rtol, atol) is not None
        except Exception:  # what a mistake gives was not asked of this input before
            return False

    def _mistakes(self, expected, near: dict, rtol, atol, first_difference) -> list[str]:
        """Return the known mistakes that give this value; else what the value alone tells."""
        known = [words for words, value in near.items() if self._is_near(value, expected, rtol, atol)]
        if known or self.error is not None or first_difference is None:
            return known
        diagnosis = diagnose(self.value, expected, numbers=not self.hidden)
        self.of_numbers = bool(diagnosis) and first_difference.stage == "value" and diagnosis not in (NAN, INFINITE)
        steady = first_difference.stage != "type" and difference(self.value, self.value, equal_nan=True) is None
        before = [*self.value] if type(self.value) is list else self.value  # one that is kept grows
        if diagnosis is None and steady and self.again and difference(self.again(), before, equal_nan=True):
            diagnosis = "two equal calls give different answers: is something kept from one call to the next?"
        self.general = diagnosis or ""
        return [diagnosis] if diagnosis else []

    def _is_near(self, value, expected, rtol, atol) -> bool:
        """Whether the outcome is this known mistake's, and the mistake shows on this input at all."""
        if value is NOTHING:
            return False
        if isinstance(value, type) and issubclass(value, BaseException):
            return isinstance(self.error, value)
        if self.error is not None or difference(self.value, value, rtol, atol, equal_nan=True) is not None:
            return False
        return difference(value, expected, rtol, atol) is not None


def typed_values(near: dict | Callable[[], dict] | None) -> dict:
    """Return {words: value} of what is typed beside a case, which a function may give, or nothing."""
    return (near() if callable(near) else near) or {}


def value_of(mistake: partial) -> object:
    """Return what a known mistake gives, or the class of the error that it ends in.

    A RuntimeError gives nothing: torch raises it for all shapes that do not fit, so it tells no mistake from another.
    Nor does a mistake that does not take this case's arguments: `check(lambda: ...)` passes none.
    """
    if not _fits(mistake):
        return NOTHING
    try:
        with quiet(Bounded()):
            own = getattr(mistake.func, "works_on_copies", False)
            return mistake() if own else copy.deepcopy(mistake)()  # a partial: its arguments are copied with it
    except RuntimeError:
        return NOTHING
    except Exception as error:
        return type(error)


# Who asks many answers to one exercise (the audit) need not compute what a mistake gives for each of them anew.
made: ContextVar[Callable[[str, partial], object]] = ContextVar("made", default=lambda _, mistake: value_of(mistake))

# Who computes or compares known mistakes (the build) sees each case: what was expected, what is near, rtol and atol.
watch: ContextVar[Callable] = ContextVar("watch", default=lambda case, expected, near, tolerance: None)


def _fits(mistake: partial) -> bool:
    """Whether the mistake can be called with these arguments at all; where no signature is known, it is tried."""
    with contextlib.suppress(ValueError):
        try:
            inspect.signature(mistake.func).bind(*mistake.args, **mistake.keywords)
        except TypeError:
            return False
    return True


def run_case(function: Callable, args: tuple, kwargs: dict) -> Case:
    """Call the student's function once on copies of the arguments, so that no case can spoil the next."""
    case = Case(**_called(function, args, kwargs))
    with _noting_calls() as functions:
        case.value, case.error, case.printed, case.changed = _judged_call(function, args, kwargs)
    case.functions = frozenset(functions)
    case.again = lambda: _judged_call(function, args, kwargs)[0]
    return case


def _judged_call(function: Callable, args: tuple, kwargs: dict) -> tuple:
    """Return (value, error, what was printed, which argument the call changed); what it changed is put back."""
    with putting_back() as made:
        value, error, printed, after = _outcome(function, args, kwargs)
        value, which = canonical(value), changed(function, (args, kwargs), after)
        return content(value) if made else value, error, printed, which


def settled_case(function: Callable, args: tuple, kwargs: dict, found: dict) -> Case:
    """Return the case of a call that was judged in a run before, and is not made again; found: what it came to."""
    return Case(**_called(function, args, kwargs), **found, settled=True)


def _called(function: Callable, args: tuple, kwargs: dict) -> dict:
    """Return the parts of a case that say what is called."""
    names = [getattr(each, "__name__", "") for each in (function, *args) if callable(each)]
    return {"called": " ".join(names), "call": lambda: _call_text(function, args, kwargs), "arguments": (args, kwargs)}


CLASS = "class "  # what stands before the name of a class among the names of functions
_functions: ContextVar[set[str] | None] = ContextVar("functions", default=None)  # called for the case at hand


def note_call(name: str) -> None:
    """Note that the check calls a function of the answer: what the case tells is told of it."""
    functions = _functions.get()
    if functions is not None:
        functions.add(name)


def note_class(name: str) -> None:
    """Note that the check makes an object of a class of the answer; where functions use it, it only helps."""
    note_call(CLASS + name)


@contextlib.contextmanager
def _noting_calls() -> Iterator[set[str]]:
    functions: set[str] = set()
    before = _functions.set(functions)
    try:
        yield functions
    finally:
        _functions.reset(before)


def _outcome(function: Callable, args: tuple, kwargs: dict) -> tuple:
    """Return (value, error, what was printed, the copies of the arguments as the call left them).

    A function that lives in another process (while grading) says itself how it is called on copies.
    """
    elsewhere = getattr(type(function), "call_on_copies", None)
    if elsewhere is not None:
        return elsewhere(function, args, kwargs, SECONDS)
    given = copy.deepcopy((args, kwargs))
    given_args, given_kwargs = given
    handed_args = [_handed_in(a) for a in given_args]
    handed_kwargs = {k: _handed_in(v) for k, v in given_kwargs.items()}
    return *_call(function, handed_args, handed_kwargs), given


def _handed_in(value):
    """Let a function of the check raise as it does from another process, while grading: without words or lines."""
    if not getattr(value, "__qualname__", "").startswith("score.<locals>"):
        return value

    @wraps(value)
    def function(*args, **kwargs):
        try:
            return value(*map(canonical, args), **{k: canonical(v) for k, v in kwargs.items()})
        except Exception as error:
            raise error_of_check(type(error).__name__) from None

    return function


def error_of_check(name: str) -> Exception:
    """Return what a student meets where a function of the check raised: the class, if it is a plain one, no words."""
    kinds = (ArithmeticError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError)
    error_type = {kind.__name__: kind for kind in kinds}.get(name, RuntimeError)
    return error_type(f"the function that was handed in raised {name}")


def _call(function: Callable, args: tuple, kwargs: dict) -> tuple[object, BaseException | None, str]:
    """Return (value, error, what was printed) of one call."""
    out = Bounded()
    try:
        with limit(SECONDS), quiet(out):
            return function(*args, **kwargs), None, out.getvalue()
    except (Exception, SystemExit, CaseTimeout) as error:
        return None, error, out.getvalue()


class Bounded(io.StringIO):
    """Keeps the first part of what is printed: an endless print must not fill the memory."""

    def write(self, text: str) -> int:
        """Take the text, or drop it when enough was kept."""
        return super().write(text) if self.tell() < MAX_PRINTED else len(text)


@contextlib.contextmanager
def quiet(out: Bounded):
    """Keep what the call prints, and drop its warnings and progress bars: nbgrader takes stderr for failure."""
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(Bounded()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _truth(test: Callable, value) -> bool:
    """Apply a property to the student's value; a property that cannot be computed does not hold."""
    try:
        return bool(test(value))
    except Exception:
        return False


def _call_text(function: Callable, args: tuple, kwargs: dict) -> str:
    name = getattr(function, "__name__", "function")
    positional = [shorten(plain(a), 90) for a in args]
    named = [f"{k}={shorten(plain(v), 60)}" for k, v in kwargs.items()]
    return f"{name}({', '.join(positional + named)})"


def _line(error: BaseException) -> str:
    number, text = students_line(error)
    if number is None:
        return ""
    return f"  (line {number}: {text})" if text else f"  (line {number})"


def message_of(error: BaseException) -> str:
    """Return what an error says; a syntax error without Python's own name for the cell."""
    return error.msg if isinstance(error, SyntaxError) else str(error)


def students_line(error: BaseException) -> tuple[int | None, str]:
    """Return number and text of the student's own line in which the error arose; (None, "") if it is not known.

    An error that arose in another process (while grading) brings them along.
    """
    if "students_line" in vars(error):
        return vars(error)["students_line"]
    if isinstance(error, SyntaxError):
        return error.lineno, (error.text or "").strip()
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "helpers" not in f.filename]
    own = [f for f in frames if "ipykernel" in f.filename or f.filename.startswith("<")]
    if not own:
        return None, ""
    return own[-1].lineno, (own[-1].line or linecache.getline(own[-1].filename, own[-1].lineno or 0)).strip()
