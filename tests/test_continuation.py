"""A crash costs the cell in which it happens; a new process goes on behind it, with nothing of the old one's."""

import json
import shutil
import socket
import sys
import textwrap
import threading
from dataclasses import replace

import pytest

from autograder.execution import continuation, in_process_worker, sandboxed_worker
from autograder.execution.in_process_worker import InProcessWorker
from autograder.execution.turns import Turns
from autograder.jobs import Job, JobCell, JobLimits
from autograder.judge import two_runs
from autograder.linux.limits import ResourceLimits
from autograder.processes.framing import send
from autograder.sandbox.start import Sandbox
from autograder.verdicts import CellVerdict, CheckVerdict, Verdict

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
BACKEND = "bubblewrap" if shutil.which("bwrap") else "namespaces"
SEGFAULT = "import ctypes\nctypes.string_at(0)"
GOES_ON = "stopped: the process ended (in the cell f2); what follows was run in a new process"


@pytest.fixture(scope="module", params=["sandbox", "plain"])
def worker(request):
    made = sandboxed_worker.SandboxedWorker(Sandbox(BACKEND)) if request.param == "sandbox" else InProcessWorker()
    yield made
    made.close()


@pytest.fixture(scope="module")
def sandboxed():
    made = sandboxed_worker.SandboxedWorker(Sandbox(BACKEND))
    yield made
    made.close()


def exercise(name, source):
    return {"id": name, "kind": "exercise", "source": source}


def check(name, body):
    head = f"from helpers.checks import graded\n@graded('{name}', points=4)\ndef score(check):\n"
    source = head + textwrap.indent(body, "    ") + "\nscore"
    return {"id": f"check-{name}", "kind": "check", "source": source, "points": 4.0}


def right(number, more=""):
    """A right answer and its check, which has a hidden case, too."""
    name = f"f{number}"
    body = f"check({name}, 1).equals({number})\n### BEGIN HIDDEN TESTS\ncheck.hidden()\n"
    body += f"check({name}, 'sesame').equals({number})\n### END HIDDEN TESTS"
    return [exercise(name, f"def {name}(x):\n    return {number}\n{more}"), check(name, body)]


def run(worker, whole):
    """Return the result of a job, with the ids of its exercises."""
    exercises = [cell.id.removeprefix("check-") for cell in whole.checks]
    return worker.run(whole) | {"exercises": exercises}


def job(*pairs, total=120.0, seconds=20.0):
    cells = tuple(JobCell(**cell) for pair in pairs for cell in pair)
    return Job("x", "ada", "1", "s", JobLimits(seconds, total), cells)


def scores(result):
    assert result["failure"] == ""
    by_id = {entry["id"]: entry["score"] for entry in result["checks"]}
    return [by_id.get(f"check-{name}", 0.0) for name in result["exercises"]]


def test_a_crash_in_a_cell_costs_its_own_exercise(worker):
    result = run(worker, job(right(1), right(2, SEGFAULT), right(3), right(4)))
    assert scores(result) == [4.0, 0.0, 4.0, 4.0]
    assert [cell["status"] for cell in result["cells"] if cell["kind"] == "exercise"] == ["ok", "died", "ok", "ok"]
    assert any(note.endswith("what follows was run in a new process") for note in result["notes"])
    assert result["checks"][1]["report"].strip() == "f2: name 'f2' is not defined. The cell above ended the process."


def test_a_crash_in_a_call_costs_its_own_exercise(worker):
    broken = [exercise("f2", f"def f2(x):\n{textwrap.indent(SEGFAULT, '    ')}"), right(2)[1]]
    assert scores(run(worker, job(right(1), broken, right(3)))) == [4.0, 0.0, 4.0]


def test_what_a_cell_leaves_in_its_folder_is_in_nobodys_way(worker, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(in_process_worker.tempfile, "tempdir", str(tmp_path / "temporary"))
    write = "import os\nopen('words.txt', 'w').write('x')\nprint(os.listdir())\n"
    deep = "for _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n"
    for more in (write, write + deep, write):
        result = run(worker, job(right(1, more)))
        assert scores(result) == [4.0] and result["cells"][0]["stdout"] == "['words.txt']\n"
    assert [left for left in tmp_path.glob("*/*") if not left.name.startswith("pymp-")] == []  # multiprocessing's own


def test_three_crashes_are_gone_on_behind_and_a_fourth_is_not(sandboxed):
    crashes = [right(number, SEGFAULT) for number in range(2, 6)]
    result = run(sandboxed, job(right(1), *crashes[:3], right(9)))
    assert scores(result) == [4.0, 0.0, 0.0, 0.0, 4.0]
    result = run(sandboxed, job(right(1), *crashes, right(9)))
    assert scores(result) == [4.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert result["notes"][-1].endswith("what follows was not run")


def test_the_new_process_has_nothing_of_the_old_ones(sandboxed):
    spy = "import os\nopen('kept', 'a').write('x')\nos.environ['KEPT'] = 'x'\n"
    look = "import os\nprint(os.path.exists('kept'), 'KEPT' in os.environ)"
    result = run(sandboxed, job(right(2, spy + SEGFAULT), right(3, look)))
    assert result["cells"][1]["stdout"] == "False False\n"
    assert result["notes"] == [GOES_ON]


def test_cells_before_the_crash_are_there_again(sandboxed):
    shared = [exercise("own-01", "def helper(x):\n    return 3")]
    later = [exercise("f3", "def f3(x):\n    return helper(x)"), right(3)[1]]
    assert scores(run(sandboxed, job(shared, right(1), right(2, SEGFAULT), later))) == [4.0, 0.0, 4.0]


def test_words_after_a_crash_are_kept_apart_from_hidden_inputs(sandboxed):
    spy = [exercise("f1", "def f1(x):\n    open('seen', 'a').write(str(x))\n    return 1"), right(1)[1]]
    late = right(3, "import os\nprint('late', os.path.exists('seen') and open('seen').read())")
    result = run(sandboxed, job(spy, right(2, "print('early')\n" + SEGFAULT), late))
    assert scores(result) == [4.0, 0.0, 4.0]
    assert "sesame" not in json.dumps(result)
    assert result["cells"][2]["stdout"] == "late False\n"


def test_lines_and_packages_that_were_left_out_are_kept_apart_from_hidden_inputs(sandboxed):
    spy = [exercise("f1", "seen = []\ndef f1(x):\n    seen.append(str(x))\n    return 1"), right(1)[1]]
    words = "word = 'p' + ''.join(seen)\n__import__(word)\nget_ipython().run_line_magic(word, '')\n"
    late = right(3, words + "get_ipython().missing.append(word)")
    result = run(sandboxed, job(spy, late, right(2, SEGFAULT), right(4)))
    assert scores(result) == [4.0, 4.0, 0.0, 4.0]
    assert "sesame" not in json.dumps(result) and result["missing"] == ["p1"]


def test_how_a_cell_ended_is_not_told_once_it_may_know_hidden_inputs():
    whole = job(right(1), right(2, SEGFAULT), right(3))
    verdict = Verdict(stopped="f2", seconds=1.0, unfinished=["f2"])
    for status, ended in (("died", {"f2": "ended the process"}), ("ok", {})):
        cell = CellVerdict("f2", "exercise", status)
        assert continuation.remaining(whole, replace(verdict, cells=[cell])).ended == ended


def test_what_is_left_of_the_time_is_what_the_new_process_has():
    cells = [*right(1), *right(2), *right(3)]
    whole = job(cells, total=100.0)
    verdict = Verdict(stopped="f2", seconds=60.0, processor_left=7.0, cpu_left=30)
    verdict = replace(verdict, unfinished=["f1", "f2"])
    rest = continuation.remaining(whole, verdict)
    assert [cell.id for cell in rest.cells] == ["check-f2", "f3", "check-f3"]
    assert rest.limits == JobLimits(20.0, 40.0, 7.0)
    assert rest.cpu_seconds == 30
    assert continuation.remaining(whole, replace(verdict, seconds=98.0)) is None
    assert continuation.remaining(whole, replace(verdict, cpu_left=1)) is None
    assert continuation.remaining(whole, replace(verdict, stopped="check-f3")) is None
    assert continuation.remaining(whole, replace(verdict, stopped="")) is None


def test_a_cell_that_sleeps_is_not_tried_once_more(sandboxed, monkeypatch):
    alone = []
    once = sandboxed._run
    monkeypatch.setattr(sandboxed, "_run", lambda job: alone.append(job.exclusive) or once(job))
    sleep = [exercise("f2", "import time\ntime.sleep(100)"), right(2)[1]]
    result = run(sandboxed, job(right(1), sleep, seconds=0.5))
    assert scores(result) == [4.0, 0.0] and result["cells"][1]["status"] == "timeout"
    assert not any(alone)


def test_what_is_left_to_sleep_is_handed_to_the_next_process_of_a_run_and_each_run_has_its_own():
    whole = job(right(1), right(2), right(3))
    verdict = Verdict(stopped="f2", seconds=1.0, idle_left=4.0)
    assert continuation.remaining(whole, verdict).limits.idle == 4.0
    shown = CheckVerdict("check-f1", "f1", 4.0, 4.0, "judged", cases=[])
    assert two_runs.of_hidden(whole, Verdict(checks=[shown], idle_left=4.0)).limits.idle is None


@pytest.mark.skipif(not hasattr(socket, "SO_PASSCRED"), reason="the kernel tells nothing of the other side")
def test_cells_that_sleep_in_both_runs_cost_no_points(sandboxed):
    whole = job(right(1, "import time\ntime.sleep(1.5)"))
    whole = replace(whole, limits=replace(whole.limits, idle=2.0))
    assert scores(run(sandboxed, whole)) == [4.0]


def test_an_endless_loop_is_not_tried_once_more(sandboxed, monkeypatch):
    alone = []
    once = sandboxed._run
    monkeypatch.setattr(sandboxed, "_run", lambda job: alone.append(job.exclusive) or once(job))
    endless = job(right(1), [exercise("f2", "while True:\n    pass"), right(2)[1]], seconds=0.5)
    assert scores(run(sandboxed, endless)) == [4.0, 0.0]
    assert not any(alone)


def starved(points, **more):
    """The verdict of a job, where a call had hardly any processor time."""
    check = CheckVerdict("check-f1", "f1", 4.0, points, "judged")
    return replace(Verdict(checks=[check], starved=True), **more)


@pytest.mark.parametrize(
    ("second", "points"),
    [
        (starved(3.0), 3.0),
        (starved(1.0), 2.0),
        (starved(0.0, checks=[], failure="no verdict in time"), 2.0),
        (None, 2.0),
    ],
)
def test_being_tried_once_more_costs_no_points(sandboxed, monkeypatch, second, points):
    def once(job):
        if job.exclusive and second is None:
            raise sandboxed_worker.Lost("killed from outside")
        return second if job.exclusive else starved(2.0)

    monkeypatch.setattr(sandboxed, "_run", once)
    result = sandboxed.run(job([check("f1", "check(f1, 1).equals(1)")]))
    assert result["failure"] == "" and result["checks"][0]["score"] == points


def test_a_cell_that_may_take_longer_gets_the_cpu_time_of_its_process():
    work = "import time\nwhile time.process_time() < 4:\n    pass"
    worker = sandboxed_worker.SandboxedWorker(Sandbox(BACKEND, limits=ResourceLimits(cpu_seconds=2)))
    try:
        assert scores(run(worker, job(right(1, work), seconds=20.0))) == [4.0]
    finally:
        worker.close()


def test_a_worker_that_is_closed_while_it_is_alone_has_no_result(monkeypatch):
    worker = sandboxed_worker.SandboxedWorker(Sandbox(BACKEND))

    def once(job):
        if job.exclusive:
            worker.close()
            raise sandboxed_worker.Lost("the worker is closed")
        return starved(2.0)

    monkeypatch.setattr(worker, "_run", once)
    assert worker.run(job(right(1)))["failure"] == "could not be graded: stopped"


def test_who_is_interrupted_while_waiting_to_be_alone_leaves_the_turns_as_they_were(monkeypatch):
    turns = Turns()

    def interrupted(_):
        raise KeyboardInterrupt

    with turns.shared():
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(turns._changed, "wait_for", interrupted)
            with turns.exclusive():
                pass
        second = threading.Thread(target=alone_in, args=(turns,), daemon=True)
        second.start()
        second.join(0.2)
        assert second.is_alive()  # somebody shares still
    second.join(20)
    assert not second.is_alive()


def alone_in(turns):
    with turns.exclusive():
        pass


def test_a_new_process_that_fails_costs_nothing_that_was_earned():
    checks = [CheckVerdict("check-f1", "f1", 4.0, 4.0, "judged")]
    stopped = Verdict(checks=checks, notes=["first"], seconds=1.0, stopped="f2", unfinished=["f2"])
    verdicts = [stopped, Verdict(failure="no verdict in time")]
    whole = job(right(1), right(2), right(3))
    assert continuation.to_the_end(whole, lambda _: verdicts.pop(0)) == stopped


ODD = [
    {"cell": 5},
    {"cell": {"id": "f", "kind": "exercise", "missing": [5, {}]}},
    {"cell": {"id": "f", "kind": "exercise", "status": [[]]}},
    {"cell": {"id": "f", "kind": "exercise", "error": {"name": 5, "message": {}}}},
    {"check": {"id": "check-f", "exercise": [], "points": {}}},
    {"check": {"id": "check-f", "exercise": "f", "points": 4.0, "likely": 5}},
]


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_without_a_sandbox_what_is_said_in_other_types_is_no_answer(odd):
    """A student's code has the socket, too; whatever it sends there is its own cell's loss, and no failure."""
    whole = {"cell": {"id": "f", "kind": "exercise", "status": "ok", "stdout": "\ud800"}, "check": None}
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for message in (whole | odd, whole):
            send(theirs, message)
        said, twin = (in_process_worker._receive(ours, JobCell("f", "exercise", ""), 5.0) for _ in range(2))
    assert said.ended and said.cell.status == "died"
    assert not twin.ended and twin.cell.stdout == "\ud800"
