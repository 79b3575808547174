"""What START says of the chapters: hours, range, what each won, and a row for those that START has no words for."""

import re
import tomllib
from statistics import fmean

from autograder import paths
from autograder.authoring import intents, shorter_paths
from autograder.authoring.measured import measured
from autograder.authoring.shorter_paths import ALLOWANCE, hours
from helpers.course.unstuck import TRIES

TITLE = re.compile(r"(?m)^# # (\d+ [^:\n]+)(?:: (.+))?$")
ROW = re.compile(r"(?m)^\| \[[^\]]*\]\((\w+)/\w+\.ipynb\).*\| \? \|$")
HEADLINE = "headline.toml"  # of a chapter: the claim that it is proudest of, and how START says it
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
PACE = 2  # weeks for a chapter, in a class


def filled(text: str) -> str:
    """Return START's text with its numbers: in each row what was won and the hours, and for each @WORD@ its fact."""
    names = paths.chapters()
    if not names:
        return text
    spent = {name: hours(name) for name in names}
    whole, record = _with_all_rows(text, names), measured()
    text = ROW.sub(lambda row: _filled_row(row, spent.get(row[1], 0.0), record), whole)
    for word, value in _facts(names, spent, record).items():
        text = text.replace(word, value)
    return intents.filled(text)


def _filled_row(row: re.Match[str], hours: float, record: dict) -> str:
    """Return a row with what its chapter won, and its hours in the place of the question mark."""
    text = row[0].removesuffix(" | ? |")
    return f"{text}{headline(row[1], record)} | {halves(hours)} |"


def _facts(names: list[str], spent: dict[str, float], record: dict) -> dict[str, str]:
    """Return {word of the text: what stands in its place}; intents.py has those of the figure."""
    first, last = (names[i].partition("_")[0] for i in (0, -1))
    minutes = [round(found["minutes"]) for found in record.values()] or [0]
    total = sum(spent.values())
    facts = {"@FIRST@": first, "@LAST@": last, "@TOTAL@": f"{round(total, -1):.0f}"}
    facts |= {"@ALLOWANCE@": f"{ALLOWANCE:g}", "@A_WEEK@": number(round(total / len(spent)))}
    facts |= {"@PACE@": number(PACE), "@A_WEEK_IN_CLASS@": number(round(total / len(spent) / PACE))}
    facts |= {"@RUNS@": number(max(map(_runs, names)))}
    facts |= {"@SHORTEST@": number(min(minutes)), "@LONGEST@": number(max(minutes)), "@TRIES@": number(TRIES)}
    for name, path in shorter_paths.shorter_paths().items():
        taken = f"{round(shorter_paths.hours_of(path)):.0f}"
        facts |= {f"@PATH_{name.upper()}@": shorter_paths.in_words(path), f"@HOURS_{name.upper()}@": taken}
    return facts


def _runs(chapter: str) -> int:
    """Return how many runs a chapter's headline was measured with, 0 if none."""
    said = headline_of(chapter)
    return len(recorded(chapter, {"claim": said["claim"], "side": "better"}, measured())) if said else 0


def title(chapter: str) -> tuple[str, str]:
    """Return a chapter's title in two parts: "01 Spam" and "rules, bags of words, TF-IDF"."""
    match = TITLE.search(paths.source_text(chapter).read_text(encoding="utf-8"))
    return (match[1], match[2] or "") if match else (chapter, "")


def headline(chapter: str, record: dict) -> str:
    """Return what a chapter won, in a sentence with its figures in the record; empty where nothing was measured."""
    said = headline_of(chapter)
    shown = figures(chapter, said, record)
    return f"<br>*{said['sentence'].format(**shown)}*" if shown else ""


def headline_of(chapter: str) -> dict:
    """Return a chapter's headline, empty where it has none: claim, sentence, and what else the sentence shows."""
    path = paths.SOLUTIONS / chapter / HEADLINE
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def figures(chapter: str, said: dict, record: dict) -> dict[str, float]:
    """Return the figures of a headline's sentence, {} where one was not measured.

    They are `better` and `worse`, the two sides of its claim, and for each [also.NAME] a side of another claim, of this
    chapter or of another.
    """
    if not said:
        return {}
    wanted = {side: {"claim": said["claim"], "side": side} for side in ("better", "worse")} | said.get("also", {})
    found = {name: recorded(chapter, what, record) for name, what in wanted.items()}
    if not all(found.values()):
        return {}
    return {name: abs(fmean(values)) for name, values in found.items()}


def recorded(chapter: str, what: dict, record: dict) -> list[float]:
    """Return one side of a claim, a figure for each seed: {"claim", "side", and "chapter" if it is another's}."""
    claims = record.get(what.get("chapter", chapter), {}).get("claims", {})
    return claims.get(what["claim"], {}).get(what["side"], [])


def halves(number: float) -> str:
    """Return a number to the nearest half: 5½."""
    whole, half = divmod(round(2 * number), 2)
    return f"{whole}½" if half else f"{whole}"


def number(value: int) -> str:
    """Return a small number as a word."""
    return NUMBERS[value] if value < len(NUMBERS) else str(value)


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
