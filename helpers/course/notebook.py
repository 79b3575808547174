"""What the first cell of every chapter calls: seeds, calm messages instead of tracebacks for unwritten stubs."""

import sys
import traceback
import warnings
from functools import partial

from helpers.checks import cell, not_defined
from helpers.checks.scoring import Check
from helpers.course import drawings, model_answers, older_text, progress, unstuck, upstream
from helpers.course.waiting import Waiting, unwritten
from helpers.device import SEED, describe_device, seed_everything

waiting = Waiting()  # of the open notebook, from its first cell on


def prepare(chapter: str = "", seed: int = SEED) -> None:
    """Seed everything, silence third-party warnings, and shorten the errors that a stub causes to one line.

    chapter: its name, such as "01_spam"; checks look for its cases where the notebook has none beside it.
    """
    waiting.forget()
    cell.chapter, cell.after, cell.upstream = chapter, _noted, _beside_a_failed_check
    cell.whole, cell.course_code = model_answers.whole_check, upstream.course_code
    not_defined.is_given = partial(upstream.is_given, chapter)
    warnings.filterwarnings("ignore")
    seed_everything(seed)
    shell = _shell()
    if shell is not None:
        shell.set_custom_exc((NotImplementedError, NameError), _calm)
        for helper in (unstuck.hint, unstuck.answer, unstuck.use_reference):
            shell.user_ns.setdefault(helper.__name__, helper)
    if getattr(shell, "kernel", None) is not None:
        told = drawings.put_beside(chapter, shell.user_ns.get("__vsc_ipynb_file__"))
        print(told, end="\n" if told else "")
    print(f"Ready. Device: {describe_device()}, seed: {seed}.")


def _noted(chapter: str, check: Check) -> str:
    shell = _shell()
    return progress.note_check(chapter, check, own=shell is None or unstuck.is_own(check.exercise, shell.user_ns))


def _beside_a_failed_check(chapter: str, exercise: str, names: dict) -> list[str]:
    return [*older_text.older(chapter, exercise, names), *upstream.unfinished(chapter, exercise, names)]


def _shell():
    """Return the running IPython shell, or None in a plain script."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def _calm(shell, kind, value, trace, tb_offset=None) -> None:
    """Print one line for an unwritten stub or for a name that an unfinished cell has not made yet.

    It names the exercise that is to be done first, also where a cell above stopped for it.
    """
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")  # else the empty axes of a cell that stopped would be shown
    last = traceback.extract_tb(trace)[-1]
    name, exercise = unwritten(trace)
    awaited = waiting.exercise_of(value.name) if kind is NameError else ""
    source = shell.user_ns.get("In", [""])[-1]
    if issubclass(kind, NotImplementedError) and last.name != "<module>" and not str(value):
        waiting.note(source, exercise or name)
        print(f"Not yet: this cell uses `{name}`, which is not written yet. Do {_called(exercise)} first.")
    elif awaited:
        waiting.note(source, awaited)
        print(f"Not yet: `{value.name}` is made by a cell above that waits for the exercise `{awaited}`. Do it first.")
    elif issubclass(kind, NotImplementedError):
        print(f"NotImplementedError in line {last.lineno} ({last.line}): {value}")
    else:
        print(f"{value}. Run the cells above first, or mend the spelling in line {last.lineno}.")


def _called(exercise: str) -> str:
    return f"the exercise `{exercise}`" if exercise else "that exercise"
