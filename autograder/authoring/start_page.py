"""What START says of the chapters: their hours, their range, and a row for each that START has no words for yet."""

import re

from autograder import paths

MINUTES = re.compile(r"(\d+) minutes, ★")
TITLE = re.compile(r"(?m)^# # (\d+ [^:\n]+)(?:: (.+))?$")
ROW = re.compile(r"(?m)^\| \[[^\]]*\]\((\w+)/\w+\.ipynb\).*\| \? \|$")
ALLOWANCE = 1.6  # reading and wrong turns belong to it


def filled(text: str) -> str:
    """Return START's text with its numbers: hours for the "?" of each row, FIRST, LAST and TOTAL of the course."""
    names = paths.chapters()
    if not names:
        return text
    spent = {name: hours(name) for name in names}
    text = ROW.sub(lambda row: f"{row[0][:-3]}{halves(spent.get(row[1], 0.0))} |", _with_all_rows(text, names))
    first, last = (names[i].partition("_")[0] for i in (0, -1))
    return text.replace("FIRST", first).replace("LAST", last).replace("TOTAL", f"{round(sum(spent.values()), -1):.0f}")


def title(chapter: str) -> tuple[str, str]:
    """Return a chapter's title in two parts: "01 Spam" and "rules, bags of words, TF-IDF"."""
    found = TITLE.search(paths.source_text(chapter).read_text(encoding="utf-8"))
    return (found[1], found[2] or "") if found else (chapter, "")


def hours(chapter: str) -> float:
    """Return the hours that a chapter takes, from the minutes that its exercises and essays name."""
    text = paths.source_text(chapter).read_text(encoding="utf-8")
    return ALLOWANCE * sum(map(int, MINUTES.findall(text))) / 60


def halves(number: float) -> str:
    """Return a number to the nearest half: 5½."""
    whole, half = divmod(round(2 * number), 2)
    return f"{whole}{'½' * half}"


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
