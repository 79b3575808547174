"""The shorter ways through the course, solutions/pages/paths.toml: exercises by number, and the hours they take."""

import re
import tomllib
from collections.abc import Sequence

from autograder import paths

SOURCE = paths.SOLUTIONS / "pages" / "paths.toml"
ALL = "all"  # of a chapter: its exercises and essays
EXERCISE = re.compile(r"(?ms)^# ## Exercise (\d+): [^\n]*\(`([\w-]+)`\)\n.*?(\d+) minutes, ★")
ALLOWANCE = 1.6  # reading and wrong turns belong to it
LONG = 2  # numbers in a row that are named one by one
MINUTES = re.compile(r"(\d+) minutes, ★")

Path = dict[str, list[str] | str]  # {"01": ["rules", "judge"], "04": "all"}


def shorter_paths() -> dict[str, Path]:
    """Return the ways by their names; none in a course whose pages have no such file."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8")) if SOURCE.is_file() else {}


def hours(chapter: str, only: Sequence[str] | str = ALL) -> float:
    """Return the hours that a chapter takes, or some of its exercises, from the minutes that they name."""
    if only == ALL:
        minutes = sum(map(int, MINUTES.findall(_story(chapter))))
    else:
        found = exercises(chapter)
        minutes = sum(found[name][1] for name in only)
    return ALLOWANCE * minutes / 60


def hours_of(path: Path) -> float:
    """Return the hours of a way."""
    return sum(hours(_chapter(number), only) for number, only in path.items())


def exercises(chapter: str) -> dict[str, tuple[int, int]]:
    """Return {name: (number, minutes)} of a chapter's exercises."""
    return {name: (int(number), int(minutes)) for number, name, minutes in EXERCISE.findall(_story(chapter))}


def in_words(path: Path) -> str:
    """Return a way in words: "01 exercises 3 to 8 and 13; 02 exercise 11; all of 07 and 08"."""
    parts, whole = [], []
    for number, only in path.items():
        if only == ALL:
            whole.append(number)
        else:
            found = exercises(_chapter(number))
            runs = _runs(sorted(found[name][0] for name in only))
            parts.append(f"{number} exercise{'s' if len(only) > 1 else ''} {_listed(runs)}")
    if whole:
        parts.append(f"all of {_listed(whole)}")
    return "; ".join(parts)


def _runs(numbers: Sequence[int]) -> list[str]:
    """Return rising numbers as runs of three or more: 3, 4, 5, 13 are "3 to 5" and "13"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words: list[str] = []
    for run in runs:
        if len(run) > LONG:
            words.append(f"{run[0]} to {run[-1]}")
        else:
            words += map(str, run)
    return words


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _chapter(number: str) -> str:
    return next(name for name in paths.chapters() if name.startswith(f"{number}_"))


def _story(chapter: str) -> str:
    return paths.source_text(chapter).read_text(encoding="utf-8")
