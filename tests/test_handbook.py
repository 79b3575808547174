"""The handbook's commands, one after the other, as they stand there."""

import re
import shlex

import pytest
from made_zips import Here, notebook, packed
from quick_course import CHAPTER, Quick
from typer.main import get_command
from typer.testing import CliRunner

from autograder import paths
from autograder.__main__ import app
from autograder.execution import dispatch
from autograder.lms import collecting

pytestmark = pytest.mark.usefixtures("quick_pages")
HANDBOOK = (paths.ROOT / "docs/instructors/handbook.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line)[1:] for line in re.findall(r"(?m)^    (bow2lora .*)$", HANDBOOK)]
ELSEWHERE = ("doctor", "handout", "adopt")  # test_sandbox, test_handout and test_foreign run them
OTHERS = ("12", "ps1")  # what test_own_chapter and test_foreign grade
MADE = (
    "roster.csv",
    f"submitted/zoe/{CHAPTER}/01_spam.ipynb",
    f"returns/{CHAPTER}_moodle.zip",
    f"requests/{CHAPTER}/answers.csv",
)


def test_every_command_that_is_run_elsewhere_is_one():
    made = get_command(app)
    for words in (words for words in COMMANDS if words[0] in ELSEWHERE):
        made.commands[words[0]].make_context(words[0], words[1:])
    assert len(COMMANDS) > 10


def test_a_term_as_the_handbook_tells_it(course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setattr(dispatch, "backend", lambda *_: Quick)
    monkeypatch.setattr(collecting, "HelperProcess", Here)
    names = [path.name for path in (course / "submitted").iterdir()]
    rows = "".join(f"{name},Ann,{name.replace('-', ' ')},{name}@x.org\n" for name in names)
    (course / "people.csv").write_text(
        f"id,first_name,last_name,email\n{rows}zoe,Zoe,Moe,zoe@x.org\n", encoding="utf-8"
    )
    packed(course / "submissions.zip", {"Zoe Moe_77_assignsubmission_file_/01_spam.ipynb": notebook()})
    (course / "requests" / CHAPTER).mkdir(parents=True)
    (course / "requests" / CHAPTER / f"{names[0]}.md").write_text("# judge\nWhy?\n", encoding="utf-8")
    for words in (words for words in COMMANDS if words[0] not in ELSEWHERE and words[-1] not in OTHERS):
        told = CliRunner().invoke(app, words)
        assert told.exit_code == 0, (words, told.output, told.exception)
    for made in (f"essays/{CHAPTER}/marks.csv", f"reports/{CHAPTER}/class.html", "canvas.csv", "moodle.csv", *MADE):
        assert (course / made).is_file(), made


def test_what_it_names_is_there():
    for target in re.findall(r"\]\(((?!http)[^)#]+)\)", HANDBOOK):
        assert (paths.ROOT / "docs/instructors" / target).resolve().is_file(), target
    makefile = (paths.ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?m)^    make (\w+)$", HANDBOOK):
        assert re.search(rf"(?m)^{target}:", makefile)
