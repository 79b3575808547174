"""Fixtures of more than one module, and how the tests share two cores."""

import gc
import os

from hub_machine import missing
from made_site import secrets_read_once
from quick_course import course, made, quick_pages

__all__ = ["course", "made", "quick_pages", "secrets_read_once"]

# What takes long begins first, so that no core waits for another at the end.
LONGEST_FIRST = (
    "test_notebooks",
    "test_notebooks_later",
    "test_pretended_gpu",
    "test_attacks",
    "test_cluster",
    "test_stock",
    "test_term",
    "test_grade",
    "test_journeys",
    "test_site",
    "test_formgrader",
    "test_foreign",
    "test_cli",
)

SAID = "said at the end"  # the name of a property that a test records

if "PYTEST_XDIST_WORKER" in os.environ:  # two processes with two threads each would wait for one another
    os.environ["OMP_NUM_THREADS"] = "1"


def pytest_collection_modifyitems(items):
    """Begin with what takes longest."""
    names = [*LONGEST_FIRST, *{item.path.stem for item in items} - {*LONGEST_FIRST}]
    items.sort(key=lambda item: min(names.index(item.path.stem), len(LONGEST_FIRST)))


def pytest_terminal_summary(terminalreporter):
    """Say what tests want said at the end, whether they pass or not."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for line in sorted(line for report in reports for name, line in report.user_properties if name == SAID):
        terminalreporter.write_line(line)
    if any("test_hub.py" in report.nodeid for report in terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(f"tests/test_hub.py was not run; it needs {missing()}")


def pytest_collection_finish():
    """Keep the collector from going through all modules again and again."""
    gc.freeze()
