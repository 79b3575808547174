"""A machine that has other things to do changes no grade: four busy processes, and half of the memory taken."""

import contextlib
import subprocess
import sys

import psutil
import pytest

from autograder import paths
from autograder.authoring.audit import BOTH, audit
from autograder.authoring.build import build
from autograder.execution.results import total
from autograder.grading import sample_class
from autograder.grading.grade import grade
from world.recorded import record

BUSY = "while True:\n    pass"
HOLD = "import sys, time\nblock = bytearray(int(sys.argv[1]))\nblock[::4096] = b'x' * len(block[::4096])\nprint('held', flush=True)\ntime.sleep(10**6)"
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
