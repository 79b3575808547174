"""What the first cell of every chapter calls: seeds, calm messages instead of tracebacks for unwritten stubs."""

import sys
import traceback
import warnings

from helpers.checks import cell
from helpers.course import model_answers, progress, unstuck, upstream
from helpers.device import SEED, describe_device, seed_everything


def prepare(chapter: str = "", seed: int = SEED) -> None:
    """Seed everything, silence third-party warnings, and shorten the errors that a stub causes to one line.

    chapter: its name, such as "01_spam"; checks look for its cases where the notebook has none beside it.
    """
    cell.chapter, cell.after, cell.upstream = chapter, progress.note_check, upstream.unfinished
    cell.whole, cell.course_code = model_answers.whole_check, upstream.course_code
    warnings.filterwarnings("ignore")
    seed_everything(seed)
    shell = _shell()
    if shell is not None:
        shell.set_custom_exc((NotImplementedError, NameError), _calm)
        for helper in (unstuck.hint, unstuck.answer, unstuck.use_reference):
            shell.user_ns.setdefault(helper.__name__, helper)
    print(f"Ready. Device: {describe_device()}, seed: {seed}.")


def _shell():
    """Return the running IPython shell, or None in a plain script."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def _calm(_shell, kind, value, trace, tb_offset=None) -> None:
    """Print one line for an unwritten stub or for a name that an unfinished cell has not made yet."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")  # else the empty axes of a cell that stopped would be shown
    last = traceback.extract_tb(trace)[-1]
    if issubclass(kind, NotImplementedError) and last.name != "<module>" and not str(value):
        print(f"Not yet: this cell uses `{last.name}`, which is not written yet. Do that exercise first.")
    elif issubclass(kind, NotImplementedError):
        print(f"NotImplementedError in line {last.lineno} ({last.line}): {value}")
    else:
        print(f"{value}. Run the cells above first, or mend the spelling in line {last.lineno}.")
