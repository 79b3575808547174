"""Fixtures of more than one module, and how the tests share two cores."""

import os

import pytest
from quick_course import course, made, quick_pages

__all__ = ["course", "made", "quick_pages"]

# What takes long begins first, so that no core waits for another at the end.
LONGEST_FIRST = (
    "test_notebooks",
    "test_attacks",
    "test_stock",
    "test_grade",
    "test_kernels",
    "test_cluster",
    "test_cli",
)

if "PYTEST_XDIST_WORKER" in os.environ:  # two processes with two threads each would wait for one another
    os.environ["OMP_NUM_THREADS"] = "1"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep the tests of a module in one process; of the notebooks, those of a chapter."""

    def place(item) -> int:
        name = item.path.stem
        return LONGEST_FIRST.index(name) if name in LONGEST_FIRST else len(LONGEST_FIRST)

    items.sort(key=place)
    for item in items:
        chapter = getattr(item, "callspec", None) and item.callspec.params.get("chapter")
        apart = item.path.stem == "test_notebooks" and chapter
        item.add_marker(pytest.mark.xdist_group(chapter if apart else item.path.stem))
