"""What START says of the chapters: hours, range, what each won, and a row for those that START has no words for."""

import re
import tomllib
from statistics import fmean

from autograder import paths
from autograder.authoring.measured import measured

MINUTES = re.compile(r"(\d+) minutes, ★")
TITLE = re.compile(r"(?m)^# # (\d+ [^:\n]+)(?:: (.+))?$")
ROW = re.compile(r"(?m)^\| \[[^\]]*\]\((\w+)/\w+\.ipynb\).*\| \? \|$")
HEADLINE = "headline.toml"  # of a chapter: the claim that it is proudest of, and how START says it
ALLOWANCE = 1.6  # reading and wrong turns belong to it


def filled(text: str) -> str:
    """Return START's text with its numbers: in each row what was won and the hours; FIRST, LAST and TOTAL."""
    names = paths.chapters()
    if not names:
        return text
    spent = {name: hours(name) for name in names}
    whole, record = _with_all_rows(text, names), measured()
    text = ROW.sub(lambda row: _filled_row(row, spent.get(row[1], 0.0), record), whole)
    first, last = (names[i].partition("_")[0] for i in (0, -1))
    return text.replace("FIRST", first).replace("LAST", last).replace("TOTAL", f"{round(sum(spent.values()), -1):.0f}")


def _filled_row(row: re.Match[str], hours: float, record: dict) -> str:
    """Return a row with what its chapter won, and its hours in the place of the question mark."""
    text = row[0].removesuffix(" | ? |")
    return f"{text}{headline(row[1], record)} | {halves(hours)} |"


def title(chapter: str) -> tuple[str, str]:
    """Return a chapter's title in two parts: "01 Spam" and "rules, bags of words, TF-IDF"."""
    match = TITLE.search(paths.source_text(chapter).read_text(encoding="utf-8"))
    return (match[1], match[2] or "") if match else (chapter, "")


def hours(chapter: str) -> float:
    """Return the hours that a chapter takes, from the minutes that its exercises and essays name."""
    text = paths.source_text(chapter).read_text(encoding="utf-8")
    return ALLOWANCE * sum(map(int, MINUTES.findall(text))) / 60


def headline(chapter: str, record: dict) -> str:
    """Return what a chapter won, in a sentence with its figures in the record; empty where nothing was measured."""
    path = paths.SOLUTIONS / chapter / HEADLINE
    if not path.is_file():
        return ""
    said = tomllib.loads(path.read_text(encoding="utf-8"))
    figures = record.get(chapter, {}).get("claims", {}).get(said["claim"])
    if figures is None:
        return ""
    better, worse = abs(fmean(figures["better"])), abs(fmean(figures["worse"]))
    return f"<br>*{said['sentence'].format(better=better, worse=worse)}*"


def halves(number: float) -> str:
    """Return a number to the nearest half: 5½."""
    whole, half = divmod(round(2 * number), 2)
    return f"{whole}½" if half else f"{whole}"


def _with_all_rows(text: str, names: list[str]) -> str:
    """Return the text with a row, made of its title, for each chapter that has none; below the last that has."""
    rows = list(ROW.finditer(text))
    if not rows:
        return text
    known = {row[1] for row in rows}
    new = [_row(name) for name in names if name not in known]
    return "\n".join([text[: rows[-1].end()], *new]) + text[rows[-1].end() :]


def _row(name: str) -> str:
    head, rest = title(name)
    return f"| [{head}]({name}/{name}.ipynb) | {rest} | ? |"
