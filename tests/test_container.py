"""The Dockerfile, tried without Docker: its lines run in order on an edition; the devcontainer; links to Colab."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import paths
from autograder.handout import target
from autograder.handout.edition import edition, launch

CHAPTER = "01_spam"
URL = "https://github.com/prof/nlp-course/archive/refs/heads/{}.zip"
STUBS = {  # programs of a container that this machine must not run, or would fetch something
    "useradd": 'echo "useradd $@" >> "$LOG"',
    "jupyter": 'echo "jupyter $@" >> "$LOG"',
}


def dockerfile() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile, in order: (word, what follows)."""
    lines = (paths.ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    told = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in told]


@pytest.fixture(scope="module")
def one() -> dict[str, bytes]:
    return edition([CHAPTER], URL.format("main"))


class Container:
    """Folders that stand for a container's: /course and the home; instructions run in them, one after the other."""

    def __init__(self, folder: Path, context: Path):
        self.root, self.context, self.place = folder / "root", context, folder / "root"
        self.log, self.env = folder / "log", {"LANG": "C.UTF-8"}
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
        (packages,) = (folder / "env").glob("lib/python*/site-packages")
        others = [path for path in sys.path if path.endswith("site-packages")]
        (packages / "others.pth").write_text("\n".join(others), encoding="utf-8")
        for name, body in STUBS.items():
            path = folder / "env" / "bin" / name
            path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
            path.chmod(0o755)
        self.root.mkdir()
        self.home = self.root / "home"
        self.programs = f"{folder / 'env' / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin"

    def do(self, word: str, rest: str) -> None:
        """Do what an instruction says."""
        if word == "ARG":
            name, _, value = rest.partition("=")
            self.env[name] = value
        elif word == "ENV":
            assert rest == "HOME=/home/${NB_USER}"
            self.home.mkdir()
        elif word == "WORKDIR":
            assert rest == "${HOME}"
            self.place = self.home
        elif word == "COPY":
            assert rest == ". /course"
            self.context.rename(self.root / "course")
        elif word == "RUN":
            self.run(["sh", "-c", rest.replace("/course", str(self.root / "course"))])
        elif word == "CMD":
            self.run(json.loads(rest))
        else:
            assert word in ("FROM", "USER")

    def run(self, words: list[str]) -> None:
        """Run a command; pip takes nothing from the network, and what the lock holds is there."""
        offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_COMPILE": "1"}
        quiet = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore", "LOG": str(self.log)}
        env = self.env | offline | quiet | {"HOME": str(self.home), "PATH": self.programs}
        done = subprocess.run(words, cwd=self.place, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stdout, done.stderr)


@pytest.mark.skipif(os.name == "nt", reason="a Dockerfile's lines are those of a POSIX shell")
def test_its_lines_run_in_order_and_jupyter_starts_on_the_course(one, tmp_path):
    pytest.importorskip("hatchling")
    target.write_folder(one, tmp_path / "context")
    container = Container(tmp_path, tmp_path / "context")
    for word, rest in dockerfile():
        container.do(word, rest)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    assert (packages / "helpers" / "_notebooks" / CHAPTER / f"{CHAPTER}.ipynb").is_file()
    mine = container.home / "mine"
    assert (mine / "START.ipynb").is_file() and (mine / CHAPTER / "figures").is_dir()
    said = container.log.read_text(encoding="utf-8").splitlines()
    assert said[0] == "useradd --create-home --uid 1000 learner"
    assert said[1:] == ["jupyter lab --ip=0.0.0.0 --no-browser --LabApp.default_url=/lab/tree/mine/START.ipynb"]
    notebook = container.home / "mine" / CHAPTER / f"{CHAPTER}.ipynb"
    notebook.write_text(notebook.read_text(encoding="utf-8").replace("NotImplementedError", "ValueError"))
    container.do(*dockerfile()[-1])  # the next start keeps what was written
    assert "ValueError" in notebook.read_text(encoding="utf-8")


def test_it_installs_what_the_lock_holds_on_a_python_that_the_course_has(one):
    told = dict(dockerfile())
    (version,) = re.findall(r"python:(3\.\d+)-slim", told["FROM"])
    assert f"python={version}\n" in (paths.ROOT / "environment.yml").read_text(encoding="utf-8")
    (install,) = [shlex.split(rest) for word, rest in dockerfile() if word == "RUN" and " pip " in rest]
    assert install[install.index("-c") + 1] == "/course/requirements.lock" and install[-1] == "/course"
    wheels = install[install.index("--extra-index-url") + 1]
    assert wheels in (paths.ROOT / "Makefile").read_text(encoding="utf-8")
    lock = one["requirements.lock"].decode()
    assert re.search(r"(?m)^torch==\d", lock) and re.search(r"(?m)^jupyterlab==\d", lock)
    assert one["Dockerfile"] == (paths.ROOT / "Dockerfile").read_bytes()


def test_an_image_holds_nothing_of_a_class():
    left_out = (paths.ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {".git", ".venv", "secret", "submitted", "autograded", "feedback", "*.db", "requests", "mine"} <= {*left_out}


def test_the_devcontainer_builds_the_same_file_for_its_user(one):
    made = json.loads(one[".devcontainer/devcontainer.json"])
    assert made["build"] == {"dockerfile": "../Dockerfile", "context": ".."}
    assert f"NB_USER={made['remoteUser']}" in dict.fromkeys(rest for word, rest in dockerfile() if word == "ARG")


def test_links_open_each_chapter_where_the_edition_lies(one):
    readme = one["README.md"].decode()
    place = f"notebooks/{CHAPTER}/{CHAPTER}.ipynb"
    assert f"[open in Colab](https://colab.research.google.com/github/prof/nlp-course/blob/main/{place})" in readme
    assert (
        "https://mybinder.org/v2/gh/prof/nlp-course/main?urlpath=lab%2Ftree%2Fmine%2F01_spam%2F01_spam.ipynb" in readme
    )
    assert "blob/term/2027/notebooks" in launch(CHAPTER, URL.format("term/2027"))
    assert "/gh/prof/nlp-course/term%2F2027?" in launch(CHAPTER, URL.format("term/2027"))


@pytest.mark.parametrize("url", ["", "https://course.example/bow2lora.zip", "https://github.com/prof/x/raw/main/x.zip"])
def test_without_a_repository_on_github_there_are_no_links(url):
    assert launch(CHAPTER, url) == ""
