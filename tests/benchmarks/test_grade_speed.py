"""A class graded by this grader and by stock nbgrader autograde: seconds a submission, to the last recorded grade."""

import copy
import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import torch

from autograder import paths
from autograder.authoring import build
from autograder.cells import judged_cells, new_shell, run
from autograder.grading import grade, sample_class
from autograder.grading.sample_class import CHAPTER, Material

OURS, STOCK = int(os.environ.get("BOW2LORA_CLASS", "100")), 6  # submissions; stock takes too long for a hundred
SAME = 20  # right submissions of which the time is compared with that of the solution in one process
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


def make_class(course: Path, size: int, faulty: bool = True) -> None:
    """Write a class, half of it faulty; no two answers are the same, so that none is graded by another's result."""
    kinds = tuple(itertools.chain(*zip(RIGHT * 2, FAULTY, strict=True))) if faulty else RIGHT[:1]
    material, makers = Material(), itertools.cycle(kinds)
    made = {maker: maker(material) for maker in dict.fromkeys(kinds)}
    for number, maker in zip(range(size), makers, strict=False):
        notebook = copy.deepcopy(made[maker])
        cell = next(c for c in notebook.cells if c.get("id") == "rules")
        cell.source += f"\n# submission {number}"
        folder = course / "submitted" / f"student-{number:03d}" / CHAPTER
        folder.mkdir(parents=True)
        (folder / f"{CHAPTER}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def ours(course: Path, workers: int = 2) -> list[float]:
    """Seconds from the start to each grade that was recorded."""
    start, ends = time.perf_counter(), []

    def progress(what, *_):
        ends.append((what, now() - start))

    grade.grade(CHAPTER, course, workers=workers, say=lambda _: None, progress=progress)
    return [at for what, at in ends if what == "grading"]


def alone(times: int = 5) -> float:
    """Least seconds of the solution's cells and checks in one process that has imported everything."""
    torch.set_num_threads(1)
    cells = judged_cells(nbformat.read(build.fresh(CHAPTER), as_version=4).cells)
    taken = []
    for _ in range(times):
        start = now()
        shell = new_shell()
        for cell in cells:
            assert run(shell, cell.source).error is None
        taken.append(now() - start)
    return min(taken)


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
    mine = ours(tmp_path / "ours")[-1] / OURS
    print(f"\n{OURS} submissions of {CHAPTER}, half of them faulty: {mine:.2f} s each, two at a time")
    for what, size, config in (("the same cells", STOCK, CONFIG + SKIP), ("all cells", WHOLE, CONFIG)):
        make_class(tmp_path / what, size)
        seconds, graded = stock(tmp_path / what, config)
        assert graded
        theirs = seconds / graded
        print(f"stock nbgrader autograde, {what}, {graded} of {size}: {theirs:.2f} s each; ratio {theirs / mine:.1f}")


def test_what_grading_adds_to_a_submissions_own_time(tmp_path):
    paths.put_environment_on_path()
    make_class(tmp_path, SAME, faulty=False)
    ends = ours(tmp_path, workers=1)
    each, own = (ends[-1] - ends[1]) / (SAME - 2), alone()
    print(
        f"\na right submission: {each:.3f} s graded, {own:.3f} s its cells and checks alone; added {each - own:.3f} s"
    )
