"""Why a name that a check asks for is not there: the cell was not run, or it was and did not come so far."""

import re
from collections.abc import Callable

from helpers.checks.characters import explained, syntax_error

RUN_IT = "Run the cell above first (and keep the name that the text gives)."
RUN_GIVEN = "A given cell of this chapter, further up, makes it: run that one first."
MAX_CELLS = 200  # that were run last, and are looked through

is_given: Callable[[str], bool] | None = None  # whether a given cell makes a name; set by the notebook's first cell


def why(error: NameError) -> str:
    """Return what a check says of a name that is not defined."""
    name = getattr(error, "name", None)
    source = _source_of(name)
    if source is None:
        given = is_given and isinstance(name, str) and is_given(name)
        return f"{error}. {RUN_GIVEN if given else RUN_IT}"
    wrong = syntax_error(source)
    if wrong is None:
        return f"{error}, though a cell that defines it was run: see with which error it stopped."
    where = explained(source) or f"the error is in line {wrong.lineno}"
    return f"{error}: the cell that defines it could not be read by Python; {where}."


def _source_of(name: object) -> str | None:
    """Return the text of the last cell of this notebook that was run and defines a name; None where none did."""
    from IPython import get_ipython

    history = getattr(get_ipython(), "history_manager", None)
    cells = getattr(history, "input_hist_raw", None)
    if not isinstance(name, str) or not isinstance(cells, list):
        return None
    defines = defining(name)
    texts = (cell for cell in reversed(cells[-MAX_CELLS:]) if isinstance(cell, str))
    return next((cell for cell in texts if defines.search(cell)), None)


def defining(name: str) -> re.Pattern[str]:
    """Return the pattern of a line that makes a name."""
    return re.compile(rf"(?m)^\s*(?:async\s+)?(?:(?:def|class)\s+{re.escape(name)}\b|{re.escape(name)}\s*=[^=])")
