"""What cells import is imported once, before a judge or a runner is forked."""

import json
import subprocess
import sys

import pytest

from autograder import course_imports, paths
from autograder.authoring.source import read
from autograder.execution.sandboxed_worker import _for_zygote
from autograder.jobs import Job, JobCell, JobLimits

CELL = """
import numpy as np
from helpers import data, plots

def f():
    import os.path
    from .beside import x
    from helpers.course import SEED
"""
IN_ZYGOTE = """
import json, sys
from autograder import course_imports
from autograder.processes.fork_server import threads
from autograder.runner import zygote

zygote.load(zygote.IMPORTS)
before = set(sys.modules)
for chapter, found in json.load(sys.stdin).items():
    course_imports.load(found)
    assert threads() == 1, chapter
print(*set(sys.modules) - before)
"""


def test_what_a_cell_imports_is_read_wherever_it_stands():
    found = course_imports.imports(CELL)
    assert set(found) == {
        ("numpy", ()), ("helpers", ("data", "plots")), ("os.path", ()), ("helpers.course", ("SEED",)),
    }  # fmt: skip
    assert course_imports.imports("%matplotlib inline") == course_imports.imports("a\0") == ()
    assert course_imports.of_course([CELL, CELL, "import helpersome"]) == [
        ("helpers", ("data", "plots")), ("helpers.course", ("SEED",)),
    ]  # fmt: skip


def test_a_name_may_be_a_module_and_what_is_not_there_is_left_to_the_cell():
    code = "import sys; from autograder import course_imports as c; "
    code += "c.load([('nowhere', ()), ('xml.dom', ['minidom', 'Node', 'nothing'])]); "
    code += "print('xml.dom.minidom' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=paths.ROOT, capture_output=True, text=True)
    assert ran.stdout == "True\n", ran.stderr


def test_a_zygote_is_told_what_the_templates_own_cells_import_and_nothing_of_others():
    mine = "from helpers.chapters.spam import reading"
    cells = [JobCell("f", "exercise", mine), JobCell("own-01", "code", mine), JobCell("given-01", "given", CELL)]
    cells.append(JobCell("check-f", "check", mine, 4.0))
    told = _for_zygote(Job("c", "s", "h", "secret", JobLimits(1, 1), tuple(cells), seed=3), 60)
    assert told == {"seed": 3, "cpu_seconds": 60, "imports": course_imports.of_course([CELL])}


@pytest.mark.skipif(sys.platform != "linux", reason="a zygote lives on Linux")
def test_nothing_that_a_chapter_imports_starts_a_thread_in_the_zygote():
    found = {}
    for chapter in paths.chapters():
        given = [cell.source for cell in read(paths.source_text(chapter)) if cell.kind == "given"]
        found[chapter] = course_imports.of_course(given)
    ran = subprocess.run(
        [sys.executable, "-c", IN_ZYGOTE], cwd=paths.ROOT, input=json.dumps(found), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert {"torch._dynamo", "helpers.chapters.spam.reading"} <= set(ran.stdout.split())
