"""Errors that a student reads: one line that says what is wrong, where, and what to do."""


class CourseError(Exception):
    """An error of the course. Its message is one line; a notebook shows the line and no traceback."""

    def _render_traceback_(self) -> list[str]:
        """What IPython prints in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]


class DataError(CourseError):
    """A data set is unknown, damaged, or cannot be had.

    problem: what is wrong, and where; remedy: what to do. Each is a sentence.
    """

    def __init__(self, problem: str, remedy: str = ""):
        super().__init__(f"{problem} {remedy}".rstrip())
        self.problem, self.remedy = problem, remedy
