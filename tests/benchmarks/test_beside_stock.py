"""Eight assignments in the style of others, graded by stock nbgrader and by `adopt` and `grade`."""

import csv
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from foreign import ASSIGNMENTS, source, stock, submissions

from autograder import adopted_table, paths

Points = dict[str, float | None]
COLUMNS = ("solved", "stub", "wrong", *submissions.DAMAGED, *submissions.CHEATS, "points-forged")


def command(*words: str) -> None:
    """Run one of this project's commands."""
    environment = {**os.environ, "PYTHONPATH": str(paths.ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *words], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def ours(course: Path, assignment: str) -> Points:
    """Grade an adopted assignment; returns the points of each student as grades.csv has them."""
    command("grade", assignment, "--course", str(course))
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


def row(name: str, points: Points) -> str:
    """Return a row of the table: the wrong answers share a column; a dash: there is no such submission."""
    return f"| {name} | {' | '.join(_cell(column, points) for column in COLUMNS)} |"


def _cell(column: str, points: Points) -> str:
    found = [value for student, value in points.items() if student.startswith(column)]
    told = ["fails" if value is None else f"{value:g}" for value in found]
    return ", ".join(told) or "-"


def test_points_beside_stock_nbgrader(tmp_path):
    paths.put_environment_on_path()
    print(f"\n| | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    seconds, others, proofs = {"stock": 0.0, "ours": 0.0}, [], []
    count = 0
    for name in ASSIGNMENTS:
        theirs, mine = tmp_path / name / "stock", tmp_path / name / "ours"
        released = stock.release(theirs, name)
        students = submissions.write(theirs, name, released)
        shutil.copytree(source(name), mine / "source" / name)
        shutil.copytree(theirs / "submitted", mine / "submitted")
        start = time.perf_counter()
        points = stock.grade(theirs, name, students)
        seconds["stock"] += time.perf_counter() - start
        print(row(f"{name}, stock", points))
        command("adopt", str(mine / "source" / name), "--course", str(mine))
        start = time.perf_counter()
        points = ours(mine, name)
        seconds["ours"] += time.perf_counter() - start
        print(row(f"{name}, ours", points))
        assert sorted(points) == sorted(students)
        count += len(students)
        proofs += [test.proof for test in adopted_table.read(mine, name).tests.values()]
        if ends_with_a_copied_cell(tmp_path / name / "run", name):
            others.append(name)
    counts = ", ".join(f"{proofs.count(proof)} {proof}" for proof in adopted_table.PROOFS)
    print(f"{len(proofs)} test cells: {counts}")
    print(f"a copied cell ends stock's run for whoever comes after in: {', '.join(others) or 'none'}")
    each = {way: f"{taken / count:.2f} s" for way, taken in seconds.items()}
    print(f"{count} submissions, for each: stock {each['stock']} without its start and without pages of feedback")
    print(f"ours {each['ours']} with both, {len(ASSIGNMENTS)} starts in all")


def ends_with_a_copied_cell(course: Path, name: str) -> bool:
    """Let stock grade a copied cell and right work in one run; returns whether the right work was not begun."""
    released = stock.release(course, name)
    submissions.write(course, name, released, ["cell-copied", "solved"])
    return stock.ends_for_the_others(course, name)
