"""Workers and everything that may be killed while they work: runner, zygote, judge, judge server, coordinator."""

import json
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from autograder import cell_marks, paths
from autograder.authoring.build import to_notebook
from autograder.authoring.source import read
from autograder.execution import sandboxed_worker
from autograder.jobs import Job, JobCell, JobLimits
from autograder.linux.limits import ResourceLimits
from autograder.sandbox.start import Sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
BACKEND = "bubblewrap" if shutil.which("bwrap") else "namespaces"
BACKENDS = sorted({BACKEND, "namespaces"})
LIMITS = ResourceLimits(memory_mb=100, processes=16)
TIMEOUT = 120.0  # a machine may be busy

# Sends a job's snippets to the runner, one after the other, and returns the answers; "$name" is one of its own acts.
JUDGE = """
import os, time
from pathlib import Path
from autograder.processes.framing import receive, send

def cell(words):
    return {"id": "snippet", "kind": "code", "stdout": words}

def judge(job, sock):
    cells = []
    sock.settimeout(120)
    for source in [cell["source"] for cell in job["cells"]]:
        if source == "$die":
            os._exit(3)
        elif source == "$hang":
            time.sleep(60)
        elif source.startswith("$once "):  # the first time it waits to be killed
            mark = Path(source.removeprefix("$once "))
            if not mark.exists():
                mark.touch()
                time.sleep(60)
        elif source.startswith("$mark "):
            Path(source.removeprefix("$mark ")).touch()
        elif source.startswith("$wait "):
            Path(source.removeprefix("$wait ")).touch()
            time.sleep(60)
        else:
            try:
                send(sock, {"source": source})
                answer = receive(sock)
            except (EOFError, OSError) as error:
                cells.append(cell("died: " + type(error).__name__))
                break
            cells.append(cell(answer["error"] or answer["printed"].strip()))
    return {"cells": cells, "checks": [], "notes": []}
"""


def job(*cells, total=20.0):
    """A job of snippets, or of cells."""
    return Job("x", "ada", "1", "s", JobLimits(5.0, total), tuple(map(_job_cell, cells)))


def _job_cell(cell):
    """A cell of a notebook, or a snippet."""
    return JobCell("snippet", "code", cell) if isinstance(cell, str) else JobCell(**cell)


def printed(result):
    """What the snippets of a job printed, or their errors."""
    return [cell["stdout"] for cell in result["cells"]]


@pytest.fixture(autouse=True)
def judge_module(tmp_path_factory, monkeypatch):
    """The stand-in for the judge, where a judge server finds it, and little time to end."""
    folder = tmp_path_factory.mktemp("judges")
    (folder / "snippet_judge.py").write_text(JUDGE)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(sandboxed_worker, "GRACE", 1.0)


def make(backend=BACKEND, **more):
    """A worker of snippets."""
    sandbox = Sandbox(backend, LIMITS, protections={"network": "held: x"})
    return sandboxed_worker.SandboxedWorker(
        sandbox, runner="autograder.runner.snippet_runner:serve", imports=(), judge="snippet_judge:judge", **more
    )


@pytest.fixture(params=BACKENDS)
def worker(request):
    """A worker in each sandbox; after each test it must still work, and leave nothing."""
    before = _family()  # other tests' servers are not this worker's
    with_it = make(request.param)
    yield with_it
    after = printed(with_it.run(job("print('well')")))
    family = [process for process in _family() if process not in before]
    with_it.close()
    assert after == ["well"]
    _wait_until(lambda: not any(p.is_running() and p.status() != "zombie" for p in family))


def _family():
    """All processes that this one has started, and theirs."""
    return psutil.Process().children(recursive=True)


def _wait_until(holds, seconds=TIMEOUT):
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it does not come true"
        time.sleep(0.02)


def _zygote(worker):
    """The zygote itself: the innermost process that bubblewrap, or our own program, watches over."""
    inner = psutil.Process(worker.servers["zygote"].process.pid)
    while "autograder.runner.zygote" not in " ".join(inner.cmdline()[:6]):
        inner = inner.children()[0]
    return inner


def test_a_result_has_all_its_parts(worker):
    result = worker.run(job("print(1 + 1)"))
    assert printed(result) == ["2"]
    assert {k: result[k] for k in ("format", "chapter", "student", "hash", "failure")} == {
        "format": 1,
        "chapter": "x",
        "student": "ada",
        "hash": "1",
        "failure": "",
    }
    assert result["protections"] == {"network": "held: x"}
    assert 0 < result["seconds"] < TIMEOUT
    assert 5 < result["memory_mb"] < 100
    json.dumps(result)


def test_a_runner_that_dies_keeps_what_was_earned(worker):
    assert printed(worker.run(job("print(1)", "import os; os._exit(1)", "print(2)"))) == ["1", "died: EOFError"]


def test_a_runner_out_of_time_is_ended(worker):
    started = time.monotonic()
    result = worker.run(job("print(1)", "while True: pass", total=0.2))
    assert printed(result) == ["1", "died: EOFError"]
    assert time.monotonic() - started < TIMEOUT


def test_a_runner_out_of_memory_is_named(worker):
    hoard = "import os, time\nfor _ in range(5):\n  if os.fork() == 0: break\nx = b'x' * 60_000_000\ntime.sleep(60)"
    assert "stopped: the notebook took more than 100 MB of memory" in worker.run(job(hoard))["notes"]


def test_all_that_a_runner_starts_has_one_budget_of_processor_time(worker):
    loop = "  if os.fork() == 0:\n    os.setsid()\n    while True: pass\n"
    busy = f"import os, time\nfor _ in range(8):\n{loop}time.sleep(60)"
    started = time.monotonic()
    notes = worker.run(replace(job(busy), cpu_seconds=1))["notes"]
    assert "stopped: the notebook took more processor time, all its processes together, than allowed" in notes
    assert time.monotonic() - started < 50
    worked = "import os\nfor _ in range(3):\n  if os.fork() == 0: os._exit(0)\n  os.wait()\nprint('done')"
    assert printed(worker.run(replace(job(worked), cpu_seconds=1))) == ["done"]  # the twin: a few that do little


def test_the_next_runner_begins_when_all_of_the_last_is_gone(worker):
    left = "import os, time\nif os.fork() == 0:\n  os.setsid()\n  time.sleep(60)\n  os._exit(0)"
    worker.run(job(left))
    assert _zygote(worker).children(recursive=True) == []


def test_a_judge_that_dies_is_a_failure_and_no_more(worker):
    assert worker.run(job("$die"))["failure"] == "the judge ended without a verdict (exit 3)"


def test_a_judge_that_hangs_is_a_failure_and_no_more(worker):
    assert worker.run(job("$hang", total=0.1))["failure"] == "no verdict in time"


@pytest.mark.parametrize("victim", ["zygote", "bubblewrap or our own", "judge"])
def test_a_server_that_is_killed_costs_a_job_one_more_attempt(worker, victim, tmp_path):
    worker.start()
    who = {"zygote": _zygote, "judge": lambda w: w.servers["judge"].process}
    target = who.get(victim, lambda w: w.servers["zygote"].process)(worker)
    killer = threading.Thread(target=lambda: (_wait_until((tmp_path / "mark").exists), target.kill()))
    killer.start()
    result = worker.run(job(f"$once {tmp_path / 'mark'}", "print(1)"))
    killer.join()
    assert (printed(result), result["failure"]) == (["1"], "")


@pytest.mark.parametrize("name", ["zygote", "judge"])
def test_a_server_that_is_killed_twice_is_a_failure(worker, name, tmp_path):
    def kill_twice():
        for _ in range(2):
            _wait_until((tmp_path / "mark").exists)
            (tmp_path / "mark").unlink()
            worker.servers[name].process.kill()

    killer = threading.Thread(target=kill_twice)
    killer.start()
    result = worker.run(job(f"$wait {tmp_path / 'mark'}"))
    killer.join()
    who = {"zygote": "sandbox", "judge": "judge"}[name]
    assert result["failure"] == f"could not be graded: the {who} ended in the middle of the job (killed), twice"


def _kill_runners(worker, mark, times):
    """Kill the runner that leaves a mark, as the kernel does when the machine is out of memory."""
    for _ in range(times):
        _wait_until(mark.exists)
        mark.unlink()
        _wait_until(_zygote(worker).children)
        _zygote(worker).children()[0].kill()


def test_a_runner_that_is_killed_from_outside_costs_one_more_attempt(worker, tmp_path):
    worker.start()
    killer = threading.Thread(target=_kill_runners, args=(worker, tmp_path / "mark", 1))
    killer.start()
    result = worker.run(job(f"$mark {tmp_path / 'mark'}", "import time; time.sleep(2); print(1)"))
    killer.join()
    assert (printed(result), result["failure"]) == (["1"], "")


def test_a_runner_that_is_killed_from_outside_twice_is_the_graders_failure(worker, tmp_path):
    worker.start()
    killer = threading.Thread(target=_kill_runners, args=(worker, tmp_path / "mark", 2))
    killer.start()
    result = worker.run(job(f"$mark {tmp_path / 'mark'}", "import time; time.sleep(10); print(1)"))
    killer.join()
    assert result["failure"] == "could not be graded: the notebook's process was killed from outside, twice"


def test_a_server_that_is_killed_between_jobs_is_started_anew(worker):
    worker.run(job("print(1)"))
    for name in ("zygote", "judge"):
        worker.servers[name].process.kill()
        assert printed(worker.run(job("print(2)"))) == ["2"]


def test_close_from_another_thread_ends_a_job():
    worker = make()
    worker.start()
    threading.Timer(0.3, worker.close).start()
    started = time.monotonic()
    assert worker.run(job("import time; time.sleep(60)"))["failure"] == "could not be graded: stopped"
    assert time.monotonic() - started < TIMEOUT
    assert worker.servers == {}
    assert worker.run(job("print(1)"))["failure"] == "could not be graded: stopped"


def test_a_worker_outlives_the_thread_that_started_it():
    worker = make()
    thread = threading.Thread(target=worker.start)
    thread.start()
    thread.join()
    time.sleep(0.2)
    before = dict(worker.servers)
    assert printed(worker.run(job("print(1)"))) == ["1"]
    assert worker.servers == before
    worker.close()


def test_two_workers_at_the_same_time():
    workers, found = [make(), make("namespaces")], {}

    def work(number):
        for n in range(5):
            found[number, n] = printed(workers[number].run(job(f"print({number}, {n})")))

    threads = [threading.Thread(target=work, args=[number]) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for worker in workers:
        worker.close()
    assert found == {(number, n): [f"{number} {n}"] for number in (0, 1) for n in range(5)}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("backend", BACKENDS)
def test_nothing_outlives_the_coordinator(backend, how, tmp_path):
    detach = "import os, time\nif os.fork() == 0:\n  os.setsid()\n  time.sleep(60)"
    script = f"""
    import sys
    sys.path[:0] = [{str(paths.ROOT)!r}, {str(Path(__file__).parent)!r}]
    import test_pool
    test_pool.make({backend!r}).run(test_pool.job({detach!r}, {f"$wait {tmp_path / 'mark'}"!r}))
    """
    coordinator = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)])
    _wait_until((tmp_path / "mark").exists)
    family = psutil.Process(coordinator.pid).children(recursive=True)
    assert len(family) >= 5  # zygote, runner and its child, judge server, judge
    coordinator.send_signal(how)
    coordinator.wait()
    _wait_until(lambda: not any(p.is_running() and p.status() != "zombie" for p in family))


def test_without_a_sandbox_what_a_runner_leaves_is_ended(tmp_path):
    worker = make("none")
    mark = tmp_path / "alive"
    late = f"os.setsid(); time.sleep(1); open({str(mark)!r}, 'w'); os._exit(0)"
    left = f"import os, time\nif os.fork() == 0:\n  {late}"
    worker.run(job(left))
    assert _zygote(worker).children(recursive=True) == []
    worker.run(job("open('left', 'w')", "while True: pass", total=0.1))
    folder = Path(worker.servers["zygote"].scratch.name)
    assert list(folder.iterdir()) == []
    worker.close()
    assert not folder.exists()
    time.sleep(1)
    assert not mark.exists()


AWAY = "import os\nwhere = os.getcwd()\nos.rename(where, where + '-away')\n"
LEFT = {
    "folders one in another": "import os\nfor _ in range(3000):\n  os.mkdir('d')\n  os.chdir('d')",
    "a folder that nobody may enter": "import os\nos.makedirs('d/e')\nos.chmod('d', 0)",
    "a file in its place": AWAY + "open(where, 'w').close()",
    "a link in its place": AWAY + "os.symlink({kept!r}, where)",
    "nothing, not even the folder above": "import os, shutil\nshutil.rmtree(os.path.dirname(os.getcwd()))",
}


@pytest.mark.parametrize("what", LEFT)
def test_without_a_sandbox_the_next_runner_has_an_empty_folder_whatever_one_left(what, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir(0o500)
    worker = make("none")
    worker.run(job(LEFT[what].format(kept=str(kept))))
    after = worker.run(job("import os\nopen('mine', 'w').close()\nprint(os.listdir('.'))"))
    folder = Path(worker.servers["zygote"].scratch.name)
    worker.close()
    assert printed(after) == ["['mine']"]
    assert not folder.exists()
    assert kept.stat().st_mode & 0o777 == 0o500  # nothing behind a link is touched


def test_a_chapter_with_its_solutions_gets_all_points():
    cells = [(c, cell_marks.from_metadata(c)) for c in to_notebook(read(paths.source_text("01_spam"))).cells]
    wanted = [
        {"id": c.id, "kind": kind, "source": c.source, "points": c.metadata.get("nbgrader", {}).get("points")}
        for c, kind in cells
        if c.cell_type == "code" and kind != cell_marks.SHOW
    ]
    worker = sandboxed_worker.SandboxedWorker(Sandbox(BACKEND))
    result = worker.run(job(*wanted, total=100.0))
    worker.close()
    assert result["failure"] == ""
    assert sum(c["score"] for c in result["checks"]) == sum(c["points"] for c in result["checks"]) == 80


def cell(name, kind, source):
    return {"id": name, "kind": kind, "source": source, "points": 4.0}


def checked(name, body):
    head = f"from helpers.checks import graded\n@graded('{name}', points=4)\ndef score(check):\n"
    return cell(f"check-{name}", "check", head + textwrap.indent(body, "    ") + "\nscore")


def test_a_check_that_would_fill_the_memory_is_a_wrong_answer():
    body = "for f in (number, words):\n    check(list, range(f())).equals([])\ncheck(words).equals(7)"
    answer = "def number():\n    return 10**9\ndef words():\n    return 7"
    worker = sandboxed_worker.SandboxedWorker(Sandbox(BACKEND))
    result = worker.run(job(cell("f", "exercise", answer), checked("f", body), total=60.0))
    worker.close()
    assert result["failure"] == "" and result["checks"][0]["score"] == 1.33


def test_hidden_inputs_are_shown_nowhere_and_the_other_words_are():
    hidden = "check(f, 'open').equals(1)\n### BEGIN HIDDEN TESTS\ncheck.hidden()\ncheck(f, 'sesame').equals(1)\n"
    hidden += "### END HIDDEN TESTS"
    spy = "seen = []\ndef f(x):\n    seen.append(x)\n    open('seen', 'a').write(x)"
    late = "print('STOLEN', open('seen').read())\ndef g(x):\n    return [x, *seen]"
    cells = [cell("f", "exercise", spy), checked("f", hidden), cell("g", "exercise", late)]
    worker = sandboxed_worker.SandboxedWorker(Sandbox(BACKEND))
    result = worker.run(job(*cells, checked("g", "check(g, 'door').equals(2)"), total=60.0))
    worker.close()
    assert "sesame" not in json.dumps(result) and "withheld" not in json.dumps(result)
    assert result["cells"][1]["stdout"] == "STOLEN open\n"
    assert "got       ['door', 'open']" in result["checks"][1]["report"]
