"""Progress bars of the command line."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TimeRemainingColumn


class Bars:
    """Progress on a terminal: what is being done, how many are done, of how many, the time left."""

    def __init__(self, console: Console):
        columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self.bars = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.tasks: dict[str, TaskID] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        if what not in self.tasks:
            self.bars.start()
            self.tasks[what] = self.bars.add_task(what, total=total)
        self.bars.update(self.tasks[what], completed=done, total=total, visible=done < total)

    def __enter__(self) -> "Bars":
        return self

    def __exit__(self, *_) -> None:
        self.bars.stop()
