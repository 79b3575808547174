"""The handbook's commands, one after the other, as they stand there."""

import re
import shlex

import pytest
from quick_course import CHAPTER, Quick
from typer.main import get_command
from typer.testing import CliRunner

from autograder import paths
from autograder.__main__ import app
from autograder.execution import dispatch

pytestmark = pytest.mark.usefixtures("quick_pages")
HANDBOOK = (paths.ROOT / "docs/instructors/handbook.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line)[1:] for line in re.findall(r"(?m)^    (bow2lora .*)$", HANDBOOK)]
ELSEWHERE = ("doctor", "handout")  # test_sandbox and test_handout run them
ROSTER = "id,first_name,last_name,email,lms_user_id,username\n"


def test_every_command_that_is_run_elsewhere_is_one():
    made = get_command(app)
    for words in (words for words in COMMANDS if words[0] in ELSEWHERE):
        made.commands[words[0]].make_context(words[0], words[1:])
    assert len(COMMANDS) > 10


def test_a_term_as_the_handbook_tells_it(course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setattr(dispatch, "backend", lambda *_: Quick)
    names = [path.name for path in (course / "submitted").iterdir()]
    rows = "".join(f"{name},A,B,{name}@x.org,,{name}\n" for name in names)
    (course / "roster.csv").write_text(ROSTER + rows, encoding="utf-8")
    for words in (words for words in COMMANDS if words[0] not in ELSEWHERE):
        told = CliRunner().invoke(app, words)
        assert told.exit_code == 0, (words, told.output, told.exception)
    for made in (f"essays/{CHAPTER}/marks.csv", f"reports/{CHAPTER}/class.html", "canvas.csv", "moodle.csv"):
        assert (course / made).is_file(), made


def test_what_it_names_is_there():
    for target in re.findall(r"\]\(((?!http)[^)#]+)\)", HANDBOOK):
        assert (paths.ROOT / "docs/instructors" / target).resolve().is_file(), target
    makefile = (paths.ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?m)^    make (\w+)$", HANDBOOK):
        assert re.search(rf"(?m)^{target}:", makefile)
