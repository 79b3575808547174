"""Run the attacks: python -m tests.attacks --help."""

import argparse
import functools
import json
import shlex
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from helpers.errors import CourseError

from . import backends, corpus, lesser, table
from .campaign import Campaign
from .corpus import CLASSES
from .listener import Listener

RESULTS = Path(__file__).with_name("results")


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description="Attack a grader, and say what wins.")
    parser.add_argument(
        "backend",
        choices=["autograder", "nbgrader", *lesser.MACHINES, "command", "table"],
        help="this project's grader, stock nbgrader, ours on a machine that has less (tests.attacks.lesser), any "
        "command, or only the tables of earlier runs",
    )
    parser.add_argument("--command", help="for `command`: its words, with {course} for the course folder")
    parser.add_argument("--kind", action="append", choices=list(CLASSES), help="only this class (may be repeated)")
    parser.add_argument("--most", type=int, default=1000, help="at most so many attacks of each class (default: all)")
    parser.add_argument("--rest", action="store_true", help="only those of which no result is kept yet")
    parser.add_argument("--jobs", type=int, default=1, help="classes graded at the same time (default: 1)")
    parser.add_argument("--keep", type=Path, default=RESULTS, help="where results are kept, as JSON")
    parser.add_argument("--write", action="store_true", help="put the tables of all kept results into README.md")
    return parser.parse_args()  # fmt: skip


def main() -> None:
    """Run the attacks on a backend, keep the results, print the tables."""
    chosen = options()
    chosen.keep.mkdir(parents=True, exist_ok=True)
    if chosen.backend != "table":
        for row in run(chosen):
            print(f"{row['kind']:<10}{row['name']:<26}{'; '.join(row['findings']) or '-'}")
    found = {path.stem: _kept(path) for path in sorted(chosen.keep.glob("*.json"))}
    print(table.markdown(table.by_class(found)))
    if chosen.write:
        document = table.README.read_text(encoding="utf-8")
        table.README.write_text(table.into_document(document, found), encoding="utf-8")


def run(chosen: argparse.Namespace) -> list[dict]:
    """Return the verdicts of one backend as rows; those of each class are kept as soon as they are there."""
    rows, started, path = [], time.monotonic(), chosen.keep / f"{chosen.backend}.json"
    with tempfile.TemporaryDirectory(prefix="attacks-") as folder, Listener() as listener:
        say, classes = functools.partial(print, flush=True), corpus.spread(chosen.most)
        if chosen.rest:
            classes = corpus.without(classes, {row["name"] for row in _kept(path)})
        campaign = Campaign(_backend(chosen), Path(folder), listener, say, classes)
        for verdicts in campaign.run([kind for kind in chosen.kind or CLASSES if classes[kind]], chosen.jobs):
            new = [asdict(verdict) for verdict in verdicts]
            others = [row for row in _kept(path) if row["name"] not in {n["name"] for n in new}]
            path.write_text(table.as_json(others + new), encoding="utf-8")
            rows += new
    print(f"{len(rows)} attacks in {time.monotonic() - started:.0f} s")
    return rows


def _backend(chosen: argparse.Namespace) -> backends.Backend:
    if chosen.backend == "command":
        return backends.Backend("command", (tuple(shlex.split(chosen.command)),))
    if chosen.backend in lesser.MACHINES:
        return backends.lesser(chosen.backend)
    return backends.present() if chosen.backend == "autograder" else backends.stock()


def _kept(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


if __name__ == "__main__":
    try:
        main()
    except CourseError as error:
        sys.exit(f"error: {error}")
