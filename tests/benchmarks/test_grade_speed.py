"""A class graded by this grader and by stock nbgrader autograde: seconds a submission, to the last recorded grade."""

import copy
import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from autograder import grade, paths, sample_class
from autograder.sample_class import CHAPTER, Material

OURS, STOCK = int(os.environ.get("BOW2LORA_CLASS", "100")), 6  # submissions; stock takes too long for a hundred
WHOLE = 2  # submissions that stock runs with all their cells, those that only show something, too
RIGHT = (sample_class.ada_right, sample_class.ben_another_way)
FAULTY = (sample_class.cleo_half, sample_class.eve_mistakes, sample_class.kim_broken_cell, sample_class.lea_noisy)
CONFIG = """
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.source_directory = "build/source"
c.CourseDirectory.release_directory = "build/release"
c.ClearMarkScheme.enforce_metadata = False
"""
SKIP = 'c.Execute.skip_cells_with_tag = "show"\n'  # as this grader does


def make_class(course: Path, size: int) -> None:
    """Write a class, half of it faulty; no two answers are the same, so that none is graded by another's result."""
    material, makers = Material(), itertools.cycle(itertools.chain(*zip(RIGHT * 2, FAULTY, strict=True)))
    made = {maker: maker(material) for maker in (*RIGHT, *FAULTY)}
    for number, maker in zip(range(size), makers, strict=False):
        notebook = copy.deepcopy(made[maker])
        cell = next(c for c in notebook.cells if c.get("id") == "rules")
        cell.source += f"\n# submission {number}"
        folder = course / "submitted" / f"student-{number:03d}" / CHAPTER
        folder.mkdir(parents=True)
        (folder / f"{CHAPTER}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def ours(course: Path) -> float:
    """Seconds from the start to the last grade recorded."""
    start, ends = time.perf_counter(), []
    grade.grade(CHAPTER, course, workers=2, say=lambda _: None, progress=lambda what, *_: ends.append((what, now())))
    return max(at for what, at in ends if what == "grading") - start


def now() -> float:
    return time.perf_counter()


def stock(course: Path, config: str) -> tuple[float, int]:
    """Seconds of `nbgrader autograde` for the whole class, and how many it graded; the assignment is there before."""
    source = course / "build" / "source" / CHAPTER / f"{CHAPTER}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_bytes(paths.source_notebook(CHAPTER).read_bytes())
    (course / "nbgrader_config.py").write_text(config.format(root=str(course)), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(paths.ROOT), "OMP_NUM_THREADS": "1"}
    for command in ("generate_assignment", "autograde"):
        start = now()
        words = [sys.executable, "-m", "nbgrader", command, CHAPTER]
        subprocess.run(words, cwd=course, env=environment, capture_output=True)  # 1 where one submission fails
    return now() - start, len(list((course / "autograded").glob(f"*/{CHAPTER}/{CHAPTER}.ipynb")))


def test_a_class_beside_stock_nbgrader(tmp_path):
    paths.put_environment_on_path()
    make_class(tmp_path / "ours", OURS)
    mine = ours(tmp_path / "ours") / OURS
    print(f"\n{OURS} submissions of {CHAPTER}, half of them faulty: {mine:.2f} s each, two at a time")
    for what, size, config in (("the same cells", STOCK, CONFIG + SKIP), ("all cells", WHOLE, CONFIG)):
        make_class(tmp_path / what, size)
        seconds, graded = stock(tmp_path / what, config)
        assert graded
        theirs = seconds / graded
        print(f"stock nbgrader autograde, {what}, {graded} of {size}: {theirs:.2f} s each; ratio {theirs / mine:.1f}")
