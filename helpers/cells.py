"""Run the cells of a notebook in this process, quietly: what `check` of a whole notebook and the audit use."""

import contextlib
import io
import os
from dataclasses import dataclass
from types import CodeType

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from helpers.lenient_shell import LenientShell

os.environ.setdefault("MPLBACKEND", "agg")  # no window may open


@dataclass(frozen=True)
class Outcome:
    """What came of one cell: the value of its last line, what it printed, the error if there was one."""

    value: object
    text: str
    error: BaseException | None


def new_shell() -> LenientShell:
    """Return a shell that neither prints results nor tracebacks nor keeps a history on disk."""
    LenientShell.clear_instance()
    InteractiveShell.clear_instance()
    options = {"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}}  # nor a thread for it
    shell = LenientShell.instance(config=Config(options))
    for name in ("write_output_prompt", "write_format_data", "finish_displayhook"):
        setattr(shell.displayhook, name, lambda *_: None)
    for name in ("showtraceback", "showsyntaxerror"):
        setattr(shell, name, lambda *_, **__: None)
    return shell


def run(shell: InteractiveShell, source: str) -> Outcome:
    """Run one cell and keep its output."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        result = shell.run_cell(source, store_history=False)
    return Outcome(result.result, out.getvalue(), result.error_before_exec or result.error_in_exec)


def run_code(shell: InteractiveShell, code: CodeType, result: str) -> Outcome:
    """Run a cell that was compiled before and keep its output; its value is that of the name `result`."""
    out, error = io.StringIO(), None
    shell.user_ns.pop(result, None)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(code, shell.user_ns)
        except BaseException as raised:  # as a cell's error: it is told, and never ends the run
            error = raised
    return Outcome(shell.user_ns.get(result), out.getvalue(), error)


def score(outcome: Outcome, points: float) -> float:
    """Return the score of a check cell: anything but a finite float in [0, points] is 0."""
    value = outcome.value
    return value if type(value) is float and 0.0 <= value <= points and outcome.error is None else 0.0
