"""Warm kernels: what runs in one is what would run in a cold one, and nothing that happens to the template matters."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError

from autograder import paths
from autograder.grading import sample_class
from autograder.ipc import fork_server
from autograder.kernels import kernelspec, template_client
from tests import warm
from tests.warm import Kernel, autograder, is_template

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks of a process that has imported torch")
PARENT = "import os; print(os.getppid())"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """A folder for PYTHONPATH in which the entry points of pyproject.toml are registered."""
    return warm.register(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def shared(site, tmp_path_factory) -> Iterator[Path]:
    """A home for Jupyter in which the kernelspec is installed; templates in it end after a few idle seconds."""
    with pytest.MonkeyPatch.context() as patch:
        warm.see(site, patch)
        home = tmp_path_factory.mktemp("home")
        warm.move_in(home, patch)
        yield home


@pytest.fixture
def jupyter(shared) -> Path:
    """A home that tests share, and with it templates."""
    return shared


@pytest.fixture
def alone(shared, tmp_path_factory, monkeypatch) -> Path:
    """A home that belongs to one test."""
    home = tmp_path_factory.mktemp(
        "alone"
    )  # a short name: tmp_path holds that of the test, and a socket's may not be long
    warm.move_in(home, monkeypatch)
    return home


def gone(pid: int, seconds: float = 120) -> bool:
    """Wait until a process is gone, or is but a line in the process table."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def notebook(*cells: str) -> nbformat.NotebookNode:
    """Return a notebook of these code cells."""
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])


def test_a_notebook_runs_in_a_fork_that_has_torch_imported(jupyter):
    nb = notebook(
        "import sys; print('torch' in sys.modules)",
        PARENT,
        "import torch; print((torch.ones(300, 300) @ torch.ones(300, 300)).sum().item())",
        "import matplotlib.pyplot as plt; plt.plot([1, 2]);",
    )
    NotebookClient(nb, kernel_name=kernelspec.NAME).execute()
    imported, parent, product, figure = (c.outputs[0] for c in nb.cells)
    assert imported.text == "True\n"
    assert is_template(int(parent.text))
    assert float(product.text) == 300**3
    assert "image/png" in figure.data  # inline, as in a cold kernel


ABOUT = """
import json, os, random, signal, sys, threading
import matplotlib, numpy, torch
print(json.dumps({
    "cwd": os.getcwd(), "env": {k: v for k, v in os.environ.items() if k not in ("JPY_PARENT_PID", "JPY_SESSION_NAME")},
    "path": sys.path, "argv": sys.argv[0], "main": __name__, "backend": matplotlib.rcParams["backend"],
    "sigint": str(signal.getsignal(signal.SIGINT)), "leader": os.getsid(0) == os.getpid() == os.getpgid(0),
    "torch threads": torch.get_num_threads(), "history": get_ipython().history_manager.hist_file,
    "threads": sorted(t.name for t in threading.enumerate() if t.name != "ClientWatch" and "ParentPoller" not in t.name
                      and not t.name.startswith("Thread-")),
}))
"""


def test_it_is_what_a_cold_kernel_is(jupyter, monkeypatch, tmp_path):
    monkeypatch.setenv("SOMETHING", "ünlike & 'odd'")
    found = []
    for name in ("python3", kernelspec.NAME):
        with Kernel(name, cwd=str(tmp_path), extra_arguments=["--HistoryManager.hist_file=:memory:"]) as kernel:
            assert kernel.warm == (name == kernelspec.NAME)
            found.append(json.loads(kernel.run(ABOUT)))
    assert found[0] == found[1]
    assert found[1]["cwd"] == str(tmp_path)
    assert found[1]["env"]["SOMETHING"] == "ünlike & 'odd'"
    assert found[1]["history"] == ":memory:"


def test_no_two_draw_the_same_random_numbers(jupyter):
    code = "import random, numpy, torch; print(random.random(), numpy.random.rand(), torch.rand(1).item())"
    drawn = []
    for _ in range(2):
        with Kernel() as kernel:
            drawn.append(kernel.run(code).split())
    assert all(a != b for a, b in zip(*drawn, strict=True))


def test_products_in_several_threads_come_to_an_end(jupyter, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    code = "import numpy, torch; a = numpy.ones((900, 900)); (a @ a)[0, 0], torch.from_numpy(a) @ torch.from_numpy(a)"
    with Kernel() as kernel:
        assert kernel.warm
        kernel.run(code)
        count = "import threadpoolctl; print({p['num_threads'] for p in threadpoolctl.threadpool_info()})"
        assert kernel.run(count) == "{2}"


def test_an_endless_loop_can_be_interrupted(jupyter):
    with Kernel() as kernel:
        kernel.run("import os, subprocess; child = subprocess.Popen(['sleep', '600'])")
        message = kernel.client.execute("x = 1\nprint(x, flush=True)\nwhile True:\n    pass")
        while kernel.client.get_iopub_msg(timeout=120)["msg_type"] != "stream":
            pass
        kernel.manager.interrupt_kernel()
        reply = kernel.client.get_shell_msg(timeout=120)
        assert reply["parent_header"]["msg_id"] == message
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        assert kernel.run("print(x, child.wait(120))") == "1 -2"  # the whole group hears it, as with a cold kernel


@pytest.mark.parametrize(("code", "status"), [("os._exit(3)", 3), ("os.kill(os.getpid(), 9)", -9), ("exit()", 0)])
def test_its_end_is_seen(jupyter, code, status):
    with Kernel() as kernel:
        kernel.client.execute(f"import os; {code}")
        assert kernel.manager.provisioner.process.wait(120) == status
        assert not kernel.manager.is_alive()


def test_nbclient_names_a_dead_kernel(jupyter):
    with pytest.raises(DeadKernelError):
        NotebookClient(notebook("import os; os._exit(1)"), kernel_name=kernelspec.NAME).execute()


def test_shutdown_leaves_no_process(jupyter):
    with Kernel() as kernel:
        pid = int(kernel.run("import os; print(os.getpid())"))
        kernel.manager.shutdown_kernel()
        assert gone(pid)


def test_restart(jupyter):
    with Kernel() as kernel:
        kernel.run("x = 1")
        first = kernel.manager.provisioner.pid
        kernel.manager.restart_kernel(now=True)
        kernel.client.wait_for_ready(timeout=120)
        assert kernel.run("x") == "NameError"
        assert kernel.warm
        assert kernel.manager.provisioner.pid != first


def test_two_at_once_share_one_template(jupyter):
    with ThreadPoolExecutor(2) as pool:
        kernels = list(pool.map(lambda _: Kernel(), range(2)))
    with kernels[0] as a, kernels[1] as b:
        assert a.run("x = 'a'; print(x)") == "a"
        assert b.run("x") == "NameError"
        parents = {k.run(PARENT) for k in kernels}
        assert len(parents) == 1 and is_template(int(parents.pop()))


def test_a_killed_template_is_replaced_and_its_kernels_live(jupyter):
    with Kernel() as first:
        template = int(first.run(PARENT))
        os.kill(template, signal.SIGKILL)
        assert gone(template)
        with Kernel() as second:
            assert second.warm
            assert int(second.run(PARENT)) != template
        assert first.run("print(1 + 1)") == "2"
        assert first.manager.is_alive()
        first.client.execute("import os; os._exit(0)")
        assert first.manager.provisioner.process.wait(120) == 1  # nobody can tell how it ended, but it did


def test_a_template_that_hangs_is_replaced(jupyter, monkeypatch):
    with Kernel() as kernel:
        template = int(kernel.run(PARENT))
    os.kill(template, signal.SIGSTOP)
    patience = iter([1.0])  # for the one that hangs; the next one may take its time

    def receive(connection):
        connection.settimeout(next(patience, 120.0))
        return fork_server.receive(connection)

    monkeypatch.setattr(template_client, "receive", receive)
    try:
        with Kernel() as kernel:
            assert kernel.warm
            assert int(kernel.run(PARENT)) != template
    finally:
        os.kill(template, signal.SIGKILL)


def test_an_edited_module_means_a_new_template(jupyter, site, monkeypatch, tmp_path):
    for package in ("helpers", "autograder", "datasets"):
        shutil.copytree(paths.ROOT / package, tmp_path / "code" / package)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "code"), str(site)]))
    where = "import helpers.plots; print(helpers.plots.__file__, getattr(helpers.plots, 'NEW', 0))"
    file = tmp_path / "code" / "helpers" / "plots.py"
    file = file if file.is_file() else tmp_path / "code" / "helpers" / "plots" / "__init__.py"
    with Kernel() as kernel:
        template, told = kernel.run(PARENT), kernel.run(where)
    assert told == f"{file} 0"
    with Kernel() as kernel:
        assert kernel.run(PARENT) == template
    with file.open("a") as out:
        out.write("\nNEW = 1\n")
    with Kernel() as kernel:
        assert kernel.run(where) == f"{file} 1"
        assert kernel.warm
    assert gone(int(template))


def test_it_ends_with_its_client(jupyter):
    code = "from tests.warm import Kernel; k = Kernel(); print(k.manager.provisioner.pid, flush=True); input()"
    call = [sys.executable, "-c", code]
    client = subprocess.Popen(call, cwd=paths.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    pid = int(client.stdout.readline())
    assert is_template(pid)  # its command line is the template's
    client.kill()
    client.wait()
    assert gone(pid)


def test_an_idle_template_ends_but_not_while_it_has_a_kernel(alone):
    warm.idle(alone, 1)
    with Kernel() as kernel:
        template = int(kernel.run(PARENT))
        time.sleep(2.5)
        assert is_template(template)
    assert gone(template)
    assert not list((alone / "runtime" / "bow2lora").glob("*.sock"))


def test_without_a_folder_of_its_own_it_starts_the_normal_way_and_says_so(alone, caplog):
    (alone / "runtime" / "bow2lora").mkdir(parents=True)
    (alone / "runtime" / "bow2lora").chmod(0o777)
    with Kernel() as kernel:
        assert not kernel.warm
        assert kernel.run("print(2)") == "2"
    assert "no warm start" in caplog.text and "yours alone" in caplog.text


def test_a_template_that_cannot_import_is_named_in_the_log(alone, caplog, monkeypatch, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "sklearn.py").write_text("raise ImportError('no such luck')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "broken"), os.environ["PYTHONPATH"]]))
    with Kernel() as kernel:
        assert not kernel.warm
    assert "no such luck" in caplog.text


def test_install_and_remove_say_what_they_did_in_a_line(alone):
    folder = alone / "data" / "kernels" / kernelspec.NAME
    assert kernelspec.warm_kernel() == kernelspec.NAME
    done = autograder("kernel", "remove")
    assert done.stdout == f"removed the kernel bow2lora from {folder}\n"
    assert not folder.exists()
    assert kernelspec.warm_kernel() == ""
    again = autograder("kernel", "remove")
    assert (again.returncode, again.stderr) == (2, "error: there is no kernelspec bow2lora to remove\n")
    done = autograder("kernel", "install", "--prefix", str(alone / "env"))
    assert done.stdout.startswith(f"installed the kernel bow2lora in {alone}/env/share/jupyter/kernels/bow2lora;")
    assert autograder("kernel", "install", "--user", "--sys-prefix").returncode == 2


def test_nbgrader_autograde_gives_the_grades_that_it_gives_with_the_normal_kernel(alone):
    class_ = (sample_class.eve_mistakes, sample_class.omar_dead_kernel)
    tables = []
    for folder in (alone / "warm", alone / "cold"):
        folder.mkdir()
        tables.append(warm.autograded(folder, class_))
        used = bool(list((alone / "runtime").glob("bow2lora/*.log")))
        assert used == (folder.name == "warm")
        shutil.rmtree(alone / "runtime" / "bow2lora", ignore_errors=True)
        shutil.rmtree(alone / "data" / "kernels", ignore_errors=True)  # the second time with the normal kernel
    assert tables[0] == tables[1]
    assert re.search(r"eve-mistakes,5\d\.", tables[0]) and "omar-dead-kernel,44.0," in tables[0]
