"""The model answer of each exercise, with a note on what to notice in it, where they are at hand.

In a checkout they are read from solutions/; a wheel for self-study carries them in _answers/, made from the same when
it is built; the edition of a class has none. Needs the standard library alone: the build of the wheel loads this file.
"""

import json
import re
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SOLUTIONS = HERE.parent / "solutions"
INSTALLED = HERE / "_answers"
NOTES = "notes.toml"  # beside the story: [exercise] notice = "..."
MARK = re.compile(r"^\s*### (?:BEGIN|END) SOLUTION\n", re.MULTILINE)
EXERCISE = re.compile(r' exercise="([^"]+)"')


@dataclass(frozen=True)
class Answer:
    """The code of an exercise's cell, solved, and a note on what to notice in it ("" where there is none)."""

    code: str
    notice: str = ""


def find(chapter: str, exercise: str) -> Answer | None:
    """Return the model answer of an exercise, None where it is not at hand."""
    if not chapter:
        return None
    story, packed = SOLUTIONS / chapter / f"{chapter}.py", INSTALLED / f"{chapter}.json"
    if story.is_file():
        return of_story(story).get(exercise)
    kept = json.loads(packed.read_text(encoding="utf-8")) if packed.is_file() else {}
    return Answer(**kept[exercise]) if exercise in kept else None


def of_story(story: Path) -> dict[str, Answer]:
    """Return the answers of a chapter by the names of its exercises."""
    notes, found = notes_of(story.parent), {}
    for part in re.split(r"(?m)^# %%", story.read_text(encoding="utf-8")):
        if match := EXERCISE.match(part):
            code = MARK.sub("", part.partition("\n")[2]).strip() + "\n"
            found[match[1]] = Answer(code, notes.get(match[1], ""))
    return found


def notes_of(folder: Path) -> dict[str, str]:
    """Return {exercise: its note} of a chapter's folder; ValueError where the file is not of that form."""
    path = folder / NOTES
    rows = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for name, row in rows.items():
        if not isinstance(row, dict) or set(row) != {"notice"} or not isinstance(row["notice"], str):
            raise ValueError(f'[{name}] must hold notice = "..." and nothing else')
    return {name: " ".join(row["notice"].split()) for name, row in rows.items()}


def pack(solutions: Path, folder: Path) -> None:
    """Write the answers of all chapters as a file each: what a wheel carries, without any check or mark scheme."""
    folder.mkdir(parents=True, exist_ok=True)
    for story in sorted(path for path in solutions.glob("*/*.py") if path.stem == path.parent.name):
        answers = {name: asdict(answer) for name, answer in of_story(story).items()}
        text = json.dumps(answers, indent=1, ensure_ascii=False) + "\n"
        (folder / f"{story.stem}.json").write_text(text, encoding="utf-8")
