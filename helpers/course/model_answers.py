"""The model answer of each exercise, with a note on what to notice in it, and all its cases, where they are at hand.

In a checkout answers are read from solutions/. A wheel for self-study carries them in _answers/, made of the same when
it is built, with the whole check of each exercise beside them: whoever learns alone has no grader. The edition of a
class has neither. Needs the standard library alone: the build of the wheel loads this file.
"""

import json
import re
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SOLUTIONS = HERE.parent / "solutions"
INSTALLED = HERE / "_answers"
CHECKS = "checks"  # beside the story: a file for each exercise
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
    story = SOLUTIONS / chapter / f"{chapter}.py"
    if story.is_file():
        return of_story(story).get(exercise)
    kept = _packed(chapter).get(exercise)
    return Answer(kept["code"], kept["notice"]) if kept else None


def whole_check(chapter: str, exercise: str) -> str:
    """Return the source of an exercise's check with its hidden cases, "" where no wheel for self-study holds it."""
    return _packed(chapter).get(exercise, {}).get("check", "")


def has_whole_checks() -> bool:
    """Whether the hidden cases are at hand, as they are in a wheel for self-study."""
    return INSTALLED.is_dir()


def _packed(chapter: str) -> dict[str, dict[str, str]]:
    path = INSTALLED / f"{chapter}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


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
    """Write answers and checks of all chapters as a file each: what a wheel carries, without any mark scheme."""
    folder.mkdir(parents=True, exist_ok=True)
    for story in sorted(path for path in solutions.glob("*/*.py") if path.stem == path.parent.name):
        answers = {}
        for name, answer in of_story(story).items():
            check = story.parent / CHECKS / f"{name}.py"
            answers[name] = asdict(answer) | {"check": check.read_text(encoding="utf-8")}
        text = json.dumps(answers, indent=1, ensure_ascii=False) + "\n"
        (folder / f"{story.stem}.json").write_text(text, encoding="utf-8")
