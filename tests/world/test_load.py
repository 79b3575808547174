"""A machine that has other things to do changes no grade: four busy processes, and half of the memory taken."""

import contextlib
import subprocess
import sys

import psutil

from autograder.authoring.audit import audit
from autograder.authoring.build import build
from autograder.grading import sample_class
from autograder.grading.grade import grade
from world.recorded import record

BUSY = "while True:\n    pass"
HOLD = """
import sys, time
block = bytearray(int(sys.argv[1]))
block[::4096] = b'x' * len(block[::4096])  # each page is written to, so that it is really there
print('held', flush=True)
time.sleep(10**6)
"""
CHAPTERS = ("01_spam", "04_attention")  # one whose class is graded; one whose checks measure memory, too
CLASS = (sample_class.ada_right, sample_class.ben_another_way, sample_class.eve_mistakes, sample_class.lea_noisy)


@contextlib.contextmanager
def load():
    """Keep four processes busy and half of the memory taken."""
    half = str(psutil.virtual_memory().total // 2)
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(4)]
    holder = subprocess.Popen([sys.executable, "-c", HOLD, half], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        yield
    finally:
        for process in (*busy, holder):
            process.kill()
            process.wait()


def points(course) -> dict[str, dict[str, float]]:
    """Return everybody's points by exercise, graded anew."""
    rows = grade(CHAPTERS[0], course, say=lambda _: None, force=True)
    return {row.student: row.scores for row in rows}


def test_a_class_has_the_same_points_beside_other_work(tmp_path):
    build(CHAPTERS[0])
    sample_class.make(tmp_path, CLASS)
    at_rest = points(tmp_path)
    with load():
        busy = points(tmp_path)
    totals = {name: [round(sum(one[name].values()), 2) for one in (at_rest, busy)] for name in at_rest}
    record("load_class", {name: {"at rest": rest, "busy": other} for name, (rest, other) in totals.items()})
    assert busy == at_rest


def test_the_audit_says_the_same_beside_other_work():
    with load():
        trials = audit(CHAPTERS[1], judged=True, every=5)
    wrong = [[trial.variant.exercise, trial.variant.name] for trial in trials if not trial.as_it_must_be]
    record("load_audit", {"chapter": CHAPTERS[1], "answers": len(trials), "other than at rest": wrong})
    assert wrong == []
