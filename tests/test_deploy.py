"""What `deploy/` writes and decides, without a hub: who may enter what, which settings each role gets."""

import argparse
import grp
import importlib.util
import json
import os
import pwd
import re
import runpy
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from traitlets.config import Config, PyFileConfigLoader
from typer.main import get_command

from autograder import paths
from autograder.__main__ import app

DEPLOY = paths.ROOT / "deploy"
OPEN = {".": 0o755, "course": 0o700, "exchange": 0o1777, "exchange/bow2lora": 0o755, "config": 0o755, "state": 0o700}


@pytest.fixture(scope="module")
def start():
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("start_hub", DEPLOY / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def root(start, tmp_path) -> Path:
    """The folders that the script makes, in a shell that lets nobody read what one writes."""
    before = os.umask(0o077)
    try:
        start.make_folders(tmp_path, pwd.getpwuid(os.getuid()))
        start.write_config(tmp_path)
    finally:
        os.umask(before)
    return tmp_path


def test_the_page_installs_in_an_order_that_can_be_typed():
    page = (paths.ROOT / "docs/instructors/jupyterhub.md").read_text(encoding="utf-8")
    install = page.partition("## Install")[2].partition("\n## ")[0]
    lines = re.findall(r"(?m)^    (.*)$", install)
    made = {  # what a line makes, and what begins the first line that needs it
        "git clone ADDRESS /srv/checkout": "cd /srv/checkout",
        "cd /srv/checkout": "python3 -m venv .venv",
        "python3 -m venv .venv": ". .venv/bin/activate",
        ". .venv/bin/activate": "pip install",
        'pip install -c requirements.lock -e ".[hub]"': "bow2lora handout",
        "bow2lora handout --to /srv/edition": "/opt/students/bin/pip install",
        "python3 -m venv /opt/students": "/opt/students/bin/pip",
        "groupadd students": "useradd --create-home --groups students",
        "useradd --create-home prof": "chown -R prof:",
        "npm install --global configurable-http-proxy@5.3.0": "python deploy/start.py",
        "chmod 700 /srv/checkout": "python deploy/start.py",
    }
    for line, needs in made.items():
        first = next(i for i, other in enumerate(lines) if other.startswith(needs))
        assert lines.index(line) < first, line
    users = {words[-1] for words in map(str.split, lines) if words[0] in ("useradd", "passwd")}
    assert users == {"prof", "ada"} and sum(line.startswith("passwd") for line in lines) == 2
    assert lines[-1].startswith("python deploy/start.py")


def test_the_page_says_commands_that_there_are(start):
    page = (paths.ROOT / "docs/instructors/jupyterhub.md").read_text(encoding="utf-8")
    made = get_command(app)
    ours = [shlex.split(line)[1:] for line in re.findall(r"(?m)^    (bow2lora .*)$", page)]
    for words in ours:
        made.commands[words[0]].make_context(words[0], words[1:])
    (line,) = re.findall(r"(?m)^    python deploy/start.py (.*)$", page)
    assert start.options().parse_args(shlex.split(line)).students == "students"
    assert len(ours) == 4
    assert "pip install -c /srv/edition/requirements.lock /srv/edition nbgrader jupyterhub\n" in page


def given(**other) -> argparse.Namespace:
    """Return a command line that this machine could serve."""
    me, mine = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    found = {"instructor": me, "students": mine, "student_env": Path(sys.prefix), "proxy": sys.executable}
    return argparse.Namespace(**found | other)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"proxy": "no-such-proxy"}, "npm install -g configurable-http-proxy"),
        ({"instructor": "nobody-of-that-name"}, "there is no user nobody-of-that-name"),
        ({"students": "nobodies"}, "there is no group nobodies"),
        ({"student_env": Path("/no/such")}, "/no/such/bin/python: not found"),
        ({}, ""),
    ],
)
def test_what_is_missing_is_named_in_a_line(start, monkeypatch, wrong, says):
    monkeypatch.setattr(start.os, "geteuid", lambda: 0)
    monkeypatch.setattr(start, "find_spec", lambda name: name)
    found = start.missing(given(**wrong))
    assert says in found and bool(says) == bool(found) and "\n" not in found
    monkeypatch.setattr(start, "find_spec", lambda name: None)
    assert ".[hub]" in start.missing(given())
    monkeypatch.setattr(start.os, "geteuid", lambda: 1000)
    assert "only root" in start.missing(given())


def test_the_command_ends_with_one_line_and_code_2(tmp_path):
    line = [sys.executable, str(DEPLOY / "start.py"), str(tmp_path / "hub"), "--instructor", "no-such-user"]
    line += ["--students", "no-such-group", "--student-env", "/no/such"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and done.stderr.startswith("error: ")
    assert not (tmp_path / "hub").exists()


def test_folders_are_open_to_those_who_need_them(root):
    assert {name: stat.S_IMODE((root / name).stat().st_mode) for name in OPEN} == OPEN
    for path in (root / "config").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o755 if path.is_dir() else 0o644), path


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is somebody else at will")
def test_no_student_takes_the_courses_place_in_the_exchange(start, root):
    for folder in (root, *list(root.parents)[:-1]):
        folder.chmod(folder.stat().st_mode | 0o711)
    assert attempt(root, "os.rename('exchange/bow2lora', 'exchange/mine')") == "PermissionError"
    assert attempt(root, "os.mkdir('exchange/bow2lora/inbound')") == "PermissionError"
    assert attempt(root, "os.mkdir('exchange/mine')") == ""  # the twin: the exchange is open to all
    assert start.taken(root, pwd.getpwuid(os.getuid())) == ""
    (root / "exchange/bow2lora").rmdir()
    assert attempt(root, "os.mkdir('exchange/bow2lora')") == ""  # as on a hub that an earlier version started
    assert "exchange/bow2lora: it is not" in start.taken(root, pwd.getpwuid(os.getuid()))


def attempt(folder: Path, source: str) -> str:
    """Run a line as somebody else; returns the error that it ends with."""
    line = f"import os; os.chdir({str(folder)!r}); os.setgid(61100); os.setuid(61002); {source}"
    done = subprocess.run([sys.executable, "-S", "-c", line], capture_output=True, text=True, check=False)
    return done.stderr.strip().rpartition("\n")[2].partition(":")[0]


def loaded(root: Path, role: str) -> Config:
    """Return what nbgrader reads in somebody's server."""
    return PyFileConfigLoader("nbgrader_config.py", path=str(root / "config" / role)).load_config()


def test_everybody_has_the_exchange_and_the_instructor_the_course(root):
    for role in ("instructor", "student"):
        assert loaded(root, role).Exchange.root == str(root / "exchange")
        assert loaded(root, role).CourseDirectory.course_id == "bow2lora"
    assert loaded(root, "instructor").CourseDirectory.root == str(root / "course")
    assert "root" not in loaded(root, "student").CourseDirectory


def test_a_students_server_has_the_assignment_list_alone_and_ends_when_idle(root):
    server = json.loads((root / "config/student/jupyter_server_config.json").read_text(encoding="utf-8"))
    page = json.loads((root / "config/student/labconfig/page_config.json").read_text(encoding="utf-8"))
    off = {name for name, on in server["ServerApp"]["jpserver_extensions"].items() if not on}
    assert off == {f"nbgrader.server_extensions.{name}" for name in ("formgrader", "course_list")}
    assert "@jupyter/nbgrader:assignment-list" not in page["disabledExtensions"]
    assert page["disabledExtensions"]["@jupyter/nbgrader:formgrader"] is True
    assert server["ServerApp"]["shutdown_no_activity_timeout"] > server["MappingKernelManager"]["cull_idle_timeout"] > 0
    assert not (root / "config/instructor/labconfig").exists()


@pytest.fixture
def config(start, root, monkeypatch) -> Config:
    """JupyterHub's configuration as it is read, with a checkout on the hub's own path."""
    words = [str(root), "--instructor", "prof", "--students", "class", "--student-env", "/opt/students"]
    for name, value in start.settings(start.options().parse_args(words), root).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", "/srv/checkout")
    found = Config()
    runpy.run_path(str(DEPLOY / "jupyterhub_config.py"), {"get_config": lambda: found})
    return found


def spawned(config: Config, who: str) -> SimpleNamespace:
    """Return a server as it is about to start."""
    spawner = SimpleNamespace(user=SimpleNamespace(name=who), environment={}, cmd=[], notebook_dir="")
    config.Spawner.pre_spawn_hook(spawner)
    return spawner


def test_a_student_gets_the_student_edition_and_nothing_of_the_hubs_own(config, root):
    ada, prof = spawned(config, "ada"), spawned(config, "prof")
    assert ada.cmd[0] == "/opt/students/bin/python" and ada.environment["PATH"].startswith("/opt/students/bin")
    assert "PYTHONPATH" not in ada.environment and "PYTHONPATH" not in config.Spawner.env_keep
    assert ada.notebook_dir == "~" and ada.environment["JUPYTER_CONFIG_PATH"] == str(root / "config/student")
    assert prof.cmd[0] == sys.executable and prof.environment["PYTHONPATH"] == "/srv/checkout"
    assert prof.notebook_dir == str(root / "course")


def test_the_class_and_the_instructor_may_log_in_and_nobody_else(config):
    assert config.Authenticator.allowed_users == {"prof"} and config.PAMAuthenticator.allowed_groups == {"class"}
    assert "allow_all" not in config.Authenticator and "admin_users" not in config.Authenticator
