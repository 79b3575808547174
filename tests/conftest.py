"""Fixtures of more than one module, and how the tests share two cores."""

import os

import pytest
from quick_course import course, made, quick_pages

__all__ = ["course", "made", "quick_pages"]

# What takes long begins first, so that no core waits for another at the end; what waits, beside what works.
LONGEST_FIRST = (
    "test_attacks",
    "test_cluster",
    "test_notebooks",
    "test_stock",
    "test_kernels",
    "test_grade",
    "test_formgrader",
    "test_cli",
)

if "PYTEST_XDIST_WORKER" in os.environ:  # two processes with two threads each would wait for one another
    os.environ["OMP_NUM_THREADS"] = "1"


def pytest_collection_modifyitems(items):
    """Begin with what takes longest; the tests of a module go to one process, but each chapter's go on their own."""
    names = [*LONGEST_FIRST, *{item.path.stem for item in items} - {*LONGEST_FIRST}]
    items.sort(key=lambda item: min(names.index(item.path.stem), len(LONGEST_FIRST)))
    for item in items:
        chapter = item.callspec.params.get("chapter", "") if item.path.stem == "test_notebooks" else ""
        item.add_marker(pytest.mark.xdist_group(f"{item.path.stem} {chapter}".strip()))
