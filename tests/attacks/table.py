"""The tables of what succeeds, for the terminal and for the document."""

import json
from collections.abc import Iterator
from pathlib import Path

from autograder.authoring.readme import with_part

from .corpus import CLASSES, TITLES

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- attacks: made by python -m tests.attacks -->", "<!-- end of attacks -->"


def as_json(rows: list[dict]) -> str:
    """Return results as JSON, a line for each attack, in the order of the classes."""
    order = {attack.name: number for number, attack in enumerate(a for rows in CLASSES.values() for a in rows)}
    lines = [json.dumps(row) for row in sorted(rows, key=lambda row: order[row["name"]])]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def by_class(found: dict[str, list[dict]]) -> Iterator[list[str]]:
    """Yield the rows of the table by class: title, number of attacks, successes on each backend."""
    yield ["class", "attacks", *(f"succeed on {name}" for name in found)]
    sizes = {kind: len(attacks) for kind, attacks in CLASSES.items()}
    for kind, size in [*sizes.items(), ("all", sum(sizes.values()))]:
        mine = [[r for r in rows if kind in (r["kind"], "all")] for rows in found.values()]
        if any(mine):
            yield [TITLES.get(kind, "all"), str(size), *(_wins(rows, size) for rows in mine)]


def _wins(rows: list[dict], size: int) -> str:
    """Return how many succeed, and of how many if not all were run."""
    wins = sum(bool(row["findings"]) for row in rows)
    return str(wins) if len(rows) == size else f"{wins} of {len(rows)} run" if rows else "not run"


def one_by_one(found: dict[str, list[dict]]) -> Iterator[list[str]]:
    """Yield a row for each attack: its name, what it tries, what it reached on each backend that most were run on."""
    found = {name: rows for name, rows in found.items() if is_whole(rows)}
    yield ["attack", "tries", *found]
    by_name = {name: {r["name"]: r for r in rows} for name, rows in found.items()}
    for attack in [a for attacks in CLASSES.values() for a in attacks]:
        rows = [by_name[name].get(attack.name) for name in found]
        if any(rows):
            yield [attack.name, attack.tries, *(_reached(r) for r in rows)]


def is_whole(rows: list[dict]) -> bool:
    """Whether more than half of all attacks were run."""
    return 2 * len(rows) > sum(map(len, CLASSES.values()))


def elsewhere(found: dict[str, list[dict]]) -> Iterator[list[str]]:
    """Yield a row for each success on a backend that fewer were run on."""
    yield ["on", "attack", "reached"]
    for name, rows in found.items():
        if not is_whole(rows):
            yield from ([name, row["name"], _reached(row)] for row in rows if row["findings"])


def _reached(row: dict | None) -> str:
    """Return the kinds of findings in a few words."""
    if row is None:
        return "not run"
    return ", ".join(dict.fromkeys(f.partition(":")[0] for f in row["findings"])) or "nothing"


def markdown(rows: Iterator[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = ["| " + " | ".join(_plain(cell) for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * lines[0].count(" | ") + "---|", *lines[1:]])


def _plain(cell: str) -> str:
    return cell.replace("|", "\\|").replace("<", "&lt;")


def into_document(text: str, found: dict[str, list[dict]]) -> str:
    """Return the document with the tables put between its marks."""
    tables = "\n\n".join(markdown(rows(found)) for rows in (by_class, elsewhere, one_by_one))
    return with_part(text, BEGIN, END, tables)
