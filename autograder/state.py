"""What was graded already: a JSON file a chapter, so that a repeated run grades only what is new or changed."""

import hashlib
import json
from pathlib import Path

import helpers
from autograder.collect import Collected
from autograder.worker import Outcome
from helpers.files import write_whole


class State:
    """Digests and outcomes of a chapter's submissions, kept in build/graded/<chapter>.json of the course."""

    def __init__(self, course: Path, chapter: str, source: Path):
        self.path = course / "build" / "graded" / f"{chapter}.json"
        self.source = digest(source)
        self.checks = digest(*sorted(Path(helpers.__file__).parent.rglob("*.py")))
        known = self._read()
        self.released, self.students = known.get("released", ""), known.get("students", {})

    @property
    def is_released(self) -> bool:
        """Whether the gradebook has the chapter as it is now."""
        return self.released == self.source

    def release(self) -> None:
        """Note that the gradebook has the chapter as it is now."""
        self.released = self.source
        self._write()

    def knows(self, one: Collected) -> bool:
        """Whether this very notebook was graded with these checks."""
        return self.students.get(one.student, {}).get("digest") == self._digest(one)

    def keep(self, one: Collected, outcome: Outcome) -> None:
        """Note what came of a submission; one that failed is tried again next time."""
        notes = [*one.repairs, *([outcome.failure] if outcome.failure else outcome.notes)]
        done = "" if outcome.failure else self._digest(one)
        self.students[one.student] = {"digest": done, "notes": notes, "seconds": round(outcome.seconds, 1)}
        self._write()

    def notes(self, one: Collected) -> list[str]:
        """Return the lines on a submission: repairs, what stopped, why it failed."""
        return self.students.get(one.student, {}).get("notes", [])

    def seconds(self, one: Collected) -> float:
        """Return how long the last grading of a submission took."""
        return self.students.get(one.student, {}).get("seconds", 0.0)

    def _digest(self, one: Collected) -> str:
        stamp = one.notebook.with_name("timestamp.txt")
        files = [one.notebook, *([stamp] if stamp.is_file() else [])]
        return hashlib.sha256(f"{digest(*files)} {self.source} {self.checks}".encode()).hexdigest()

    def _write(self) -> None:
        content = json.dumps({"released": self.released, "students": self.students}, indent=1, sort_keys=True)
        write_whole(self.path, f"{content}\n".encode())

    def _read(self) -> dict:
        """Return what was kept; a file that cannot be read counts as none, and all is graded again."""
        try:
            known = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}


def digest(*files: Path) -> str:
    """Return the sha256 of the contents of files."""
    content = hashlib.sha256()
    for file in files:
        content.update(file.read_bytes())
    return content.hexdigest()
