"""Readers of submissions that misbehave where a folder's name says so; their processes import this module alone."""

import os
import time
from pathlib import Path

from autograder.submissions.reading_process import SubmissionReader


class Odd(SubmissionReader):
    """A reader that some folders bring to an end, or hold for ever."""

    def __call__(self, question):
        """Answer, or do what the name of the folder or the text says."""
        given = str(question.get("collect") or question.get("show") or "")
        if "hangs" in given:
            time.sleep(600)
        while "loops" in given:
            pass
        if "dies" in given or ("once" in given and self.first(Path(given))):
            os._exit(1)
        if "deep" in given:
            raise RecursionError("maximum recursion depth exceeded")
        if "filled" in given:
            return [0] * 10**10
        return super().__call__(question)

    def first(self, folder: Path) -> bool:
        """Whether this is the first attempt at a folder."""
        try:
            (folder / "attempted").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


class Unfit(SubmissionReader):
    """A reader that cannot start."""

    def __init__(self, template):
        os._exit(3)
