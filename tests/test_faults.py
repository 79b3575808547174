"""The fault list names tests that exist, each with what came out of it."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
ROWS = [line for line in (HERE / "faults.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]


def names_in(path: Path) -> set[str]:
    """Return the names of the tests in a file."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_each_row_says_what_when_and_what_came_out_and_names_a_test_that_is_there():
    assert len(ROWS) > 20
    for row in ROWS:
        *said, named = [part.strip() for part in row.strip("| ").split(" | ")]
        assert len(said) == 3 and all(said), row
        tests = re.findall(r"`(\w+\.py)::(\w+)`", named)
        assert tests and len(tests) == named.count("`") / 2, row
        for file, name in tests:
            assert name in names_in(HERE / file), f"{file}::{name}"


def test_what_the_grader_is_made_of_was_killed_or_broken():
    named = " ".join(ROWS)
    for part in ("coordinator", "zygote", "judge", "runner", "worker of Dask's", "scheduler", "disk", "gradebook"):
        assert part in named
