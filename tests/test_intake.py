"""The intake: whatever lies in a student's folder costs that student alone, and the coordinator never looks into it."""

import ast
import io
import json
import operator
import os
import random
import subprocess
import sys
import time
import zipfile
from functools import partial
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from odd_readers import Odd, Unfit
from test_rebuild import ANSWERED, ANSWERS, TEMPLATE, make, put, sources

from autograder import mathml, paths
from autograder.processes.helper_process import Helpers
from autograder.submissions import files, markup, reading_process
from autograder.submissions.collect import collect, fingerprint
from autograder.submissions.files import submissions
from autograder.submissions.reading_process import Intake
from autograder.submissions.rebuild import rebuild
from autograder.syntax import functions
from helpers.errors import CourseError

POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
TEXT = json.dumps(ANSWERED)


def folder(course: Path, student: str = "eve") -> Path:
    """Return the folder of a submission, made."""
    made = course / "submitted" / student / "chap"
    made.mkdir(parents=True, exist_ok=True)
    return made


def packed(**changes) -> bytes:
    """Return a zip with the answers, in which one member states other things than are true."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", changes.pop("method", zipfile.ZIP_DEFLATED)) as archive:
        archive.writestr("chap.ipynb", TEXT)
        for name, value in changes.items():
            setattr(archive.infolist()[0], name, value)
    return raw.getvalue()


def damaged_lzma() -> bytes:
    """Return a zip whose LZMA properties are none."""
    raw = bytearray(packed(method=zipfile.ZIP_LZMA))
    start = 30 + len("chap.ipynb") + 4
    raw[start : start + 5] = b"\xff" * 5
    return bytes(raw)


def deep(course: Path) -> None:
    """Make 1,500 folders in folders, step by step: the whole path is longer than a path may be."""
    back = os.open(".", os.O_RDONLY)
    os.chdir(folder(course))
    for _ in range(1500):
        os.mkdir("d")  # noqa: PTH102
        os.chdir("d")
    os.fchdir(back)
    os.close(back)


def crowded(course: Path) -> None:
    """Make more files than are looked at; by name they come before the notebook."""
    for i in range(files.MAX_ENTRIES // 100):
        (folder(course) / f"0{i}.ipynb").write_text("{")


def linked(course: Path, name: str, target: str) -> None:
    (folder(course) / name).symlink_to(target)


def whole_linked(course: Path, target: str) -> None:
    folder(course).rmdir()
    (course / "submitted/eve/chap").symlink_to(target)


HEADED = "# ---\n# jupyter: {{}}\n# ---\n\n# %%\n{pair}\n\n# %%\n{one}\n".format(**ANSWERS)
ALIASES = "# ---\n# a0: &a0 [x]\n" + "".join(f"# a{i}: &a{i} [{f'*a{i - 1}, ' * 9}]\n" for i in range(1, 9)) + "# ---\n"
HOSTILE = {  # what is handed in; its honest twin is the same thing done honestly, with all answers
    "damaged LZMA": (
        lambda c: put(c, "m.zip", damaged_lzma(), "eve"),
        lambda c: put(c, "m.zip", packed(method=zipfile.ZIP_LZMA), "ben"),
    ),
    "an offset of 2^63 + 5": (
        lambda c: put(c, "m.zip", packed(header_offset=2**63 + 5), "eve"),
        lambda c: put(c, "m.zip", packed(), "ben"),
    ),
    "1,500 folders in folders": (deep, lambda c: put(c, "a/b/c/d/e/chap.ipynb", TEXT, "ben")),
    "a link to /": (partial(whole_linked, target="/"), lambda c: put(c, "chap.ipynb", TEXT, "ben")),
    "a FIFO for a notebook": (
        lambda c: os.mkfifo(folder(c) / "chap.ipynb"),
        lambda c: put(c, "chap.ipynb", TEXT, "ben"),
    ),
    "a FIFO for a date": (
        lambda c: os.mkfifo(folder(c) / "timestamp.txt"),
        lambda c: (put(c, "chap.ipynb", TEXT, "ben"), put(c, "timestamp.txt", "2026-03-01", "ben")),
    ),
    "a link to /dev/zero": (
        lambda c: [linked(c, name, "/dev/zero") for name in ("chap.ipynb", "timestamp.txt", "chap.py", "chap.zip")],
        lambda c: put(c, "chap.py", "{pair}\n\n\n{one}\n".format(**ANSWERS), "ben"),
    ),
    "YAML aliases": (
        lambda c: put(c, "chap.py", ALIASES + "x = 1\n", "eve"),
        lambda c: put(c, "chap.py", HEADED, "ben"),
    ),
    "a thousand empty notebooks": (
        crowded,
        lambda c: (put(c, "chap.ipynb", TEXT, "ben"), [put(c, f"0{i}.ipynb", "{", "ben") for i in range(30)]),
    ),
}  # fmt: skip


@POSIX
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_submission_is_read_as_nothing_and_its_honest_twin_as_all(name, tmp_path):
    hostile, honest = HOSTILE[name]
    hostile(tmp_path)
    honest(tmp_path)
    ben, eve = (collect(f, TEMPLATE) for f in submissions("chap", tmp_path))
    assert sources(eve.notebook) == sources(TEMPLATE) and eve.repairs and eve.timestamp is None
    found = sources(ben.notebook)
    assert ANSWERS["one"] in found["one"] and ANSWERS["pair"] in found["pair"]
    assert len({fingerprint(f) for f in submissions("chap", tmp_path)}) == 2
    subprocess.run(["rm", "-rf", str(tmp_path / "submitted")], check=True)  # shutil cannot: it goes too deep


@pytest.mark.parametrize(
    ("source", "max_seconds"),
    [("\n" * 20_000, 0.5), (" \n" * 20_000, 0.5), ("### BEGIN HIDDEN TESTS\n" * 8_000, 2.0), ("%" * 100_000, 0.5)],
)
def test_a_cell_of_empty_lines_takes_no_time(source, max_seconds):
    nb = make({"one": source})
    start = time.process_time()
    made, _ = rebuild(TEMPLATE, nb)
    assert time.process_time() - start < max_seconds  # CPU seconds; 20,000 empty lines took 3, with honest cells 14
    assert sources(made)["check-one"] == sources(TEMPLATE)["check-one"]
    assert functions("\n%matplotlib inline\n  !pip list\ndef f():\n    return 1") == {"f": "def f():\n    return 1"}


def test_no_more_text_is_read_than_anybody_writes(tmp_path):
    nb = make()
    nb.cells += [nbformat.v4.new_code_cell(f"x = {'1' * 100_000}") for _ in range(30)]
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made)["one"] == ANSWERS["one"] and sum(map(len, sources(made).values())) < 900_000
    assert told == ["the notebook: no more than 800,000 characters of its cells were read"]


# The processes.


ODD = {"dies": "ended the process", "filled": "raised MemoryError", "deep": "raised RecursionError"}
ODD |= dict.fromkeys(("hangs", "loops"), "took more than 2 s")


def test_two_hundred_submissions_of_which_some_hang_end_or_raise_cost_their_own_points_alone(tmp_path, monkeypatch):
    """They end the intake's process, once or always, hold it, asleep or busy, fill its memory, go too deep."""
    odd = {25: "hangs", 60: "dies", 90: "deep", 91: "filled", 120: "once", 199: "loops"}
    names = [f"s{i:03}{odd.get(i, '')}" for i in range(200)]
    for name in names:
        put(tmp_path, "chap.ipynb", ANSWERED, name)
    put(tmp_path, "chap.ipynb", make(ANSWERS | {"essay-why": "It *loops*."}), "s030")
    folders = submissions("chap", tmp_path)
    monkeypatch.setattr(reading_process, "SHOW_SECONDS", 2)
    with Intake(TEMPLATE, 2, Odd) as intake:
        seen = dict(intake.fingerprints(folders))
        monkeypatch.setattr(reading_process, "SECONDS", 2)
        found = {f.parent.name: one for f, one in intake.collected(folders)}
    assert sorted(seen) == folders and all(seen.values()) and sorted(found) == names
    told = {
        name: one.failure.removeprefix("the notebook could not be read: reading it ") for name, one in found.items()
    }
    assert {n: reason for n, reason in told.items() if reason} == {n: ODD[n[4:]] for n in names if n[4:] in ODD}
    for name, one in found.items():
        assert (sources(one.notebook)["one"] == ANSWERS["one"]) == (not told[name]) and one.student == name
    assert found["s000"].shown == {"essay-why": "<div><p>Because.</p></div>"}
    assert found["s030"].shown == {"essay-why": "<div><pre>It *loops*.</pre></div>"}
    assert found["s030"].repairs == ("the text cells are shown as they were typed: rendering them took more than 2 s",)


def test_a_process_that_does_not_start_is_the_graders_fault_and_nobodys_zero(tmp_path):
    put(tmp_path, "chap.ipynb", ANSWERED)
    with Intake(TEMPLATE, 1, Unfit) as intake, pytest.raises(CourseError, match="does not start; nothing is lost"):
        next(intake.collected(submissions("chap", tmp_path)))


def test_helpers_draw_no_faster_than_results_are_taken():
    drawn = []

    def items():
        for i in range(30):
            drawn.append(i)
            yield i

    with Helpers(2, operator.itemgetter, "value") as helpers:
        for taken, (item, answer) in enumerate(helpers.each(items(), lambda i, helper: helper.ask({"value": i}, 60))):
            assert item == answer and len(drawn) <= taken + 5
    assert len(drawn) == 30


# No path below submitted/ is opened by anybody else.

HOOKED = """
import json, os, sys
from pathlib import Path
course, seen = Path(sys.argv[1]).resolve(), []
below = str(course / "submitted") + os.sep

def heard(event, given):
    if event in ("open", "os.listdir", "os.scandir") and given and isinstance(given[0], (str, bytes, os.PathLike)):
        if os.path.abspath(os.fsdecode(given[0])).startswith(below):
            seen.append([event, os.fsdecode(given[0])])

if __name__ == "__main__":
    sys.path[:0] = [sys.argv[2]]
    import quick_course
    from autograder.gradebook import feedback_pages
    sys.addaudithook(heard)
    feedback_pages.write_pages = quick_course.pages
    totals = quick_course.run(course)[0]
    again = quick_course.run(course)[1]
    from autograder.report import load
    load.present(load.results(course, quick_course.CHAPTER), course, quick_course.CHAPTER)
    before = len(seen)
    open(below + "ada-right/01_spam/01_spam.ipynb").close()
    print(json.dumps([totals, again, seen[:before], len(seen) - before]))
"""


def test_the_coordinator_opens_nothing_below_submitted(course, tmp_path):
    script = tmp_path / "hooked.py"
    script.write_text(HOOKED, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(paths.ROOT)}
    command = [sys.executable, str(script), str(course), str(paths.ROOT / "tests")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    totals, again, seen, noticed = json.loads(done.stdout.splitlines()[-1])
    assert totals["ada-right"] == 80.0 and totals["pia-empty-file"] == 0.0
    assert again == ["01_spam: 4 submissions, 0 of them new or changed"]
    assert seen == [] and noticed == 1


def test_only_the_intake_and_the_check_of_one_notebook_read_what_students_hand_in():
    readers = {"collect", "fingerprint", "read_file", "read", "names", "tried", "read_leniently", "read_script"}
    allowed = {"submissions/collect.py", "submissions/choosing.py", "submissions/notebooks.py"}
    allowed |= {"submissions/reading_process.py", "lms/archives.py"}
    allowed |= {"grading/check_notebook.py", "essays/requests.py"}  # the last reads letters, as text and so many bytes
    for path in (paths.ROOT / "autograder").rglob("*.py"):
        name, text = path.relative_to(paths.ROOT / "autograder").as_posix(), path.read_text(encoding="utf-8")
        if name not in ("submissions/files.py", "grading/sample_class.py", "leaving.py"):  # the last removes it unread
            assert "SUBMITTED" not in text and 'submitted"' not in text, name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograder.submissions"):
                taken = {alias.name for alias in node.names} & (readers | {"files", "collect"})
                assert not taken or name in allowed, f"{name}: {taken}"


# What is shown of a student's text.


@pytest.mark.parametrize(
    ("source", "has", "lacks"),
    [
        ("**bold** and `x < y`\n\n- a\n- b", ["<strong>bold</strong>", "<code>x &lt; y</code>", "<li>b</li>"], []),
        ("a $x<y$ and\n\n$$\na &= b\n$$", ["<mo>&lt;</mo><mi>y</mi></math>", 'display="block"', "<mtd>"], ["$"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["<td>2</td>"], []),
        ("[a](https://x.org) <https://y.org>", ['href="https://x.org"', 'href="https://y.org"'], []),
        ("[a](javascript:x) [b](<javascript:x>)\n\n[c]: data:x\n[c]", [], ["javascript:", "data:"]),
        ("<script>x</script> <b onclick=x>y</b>", ["&lt;script&gt;"], ["<script", "<b"]),
        ("![a plot](https://x.org/p.png) ![](https://x.org/q.png)", ["[picture: a plot]"], ["<img", "src="]),
        ("<img src=https://x.org/p.png>\n\n<svg onload=x>", ["&lt;img"], ["<img", "<svg"]),
        ("```mermaid\ngraph\n```", ["<pre>graph"], ["script", "mermaid"]),
        ("x" * 30_000, ["<pre>xxx"], []),
    ],
)  # fmt: skip
def test_a_students_text_is_shown_by_an_allow_list(source, has, lacks):
    made = markup.shown(source)
    assert [part for part in has if part not in made] == [] and [part for part in lacks if part in made] == []
    assert "\n" not in made and made.startswith("<div>") and made.endswith("</div>")


def test_whatever_is_typed_nothing_but_the_list_comes_out():
    """Pieces of hostile markup put together at random, seeded."""
    pieces = ["<", ">", "script", "img", " src=", "onerror=", "javascript:", "[a](", ")", "![", "]", "`", "```", "\n\n"]
    pieces += [
        "$$",
        "\\begin{a}",
        "<!--",
        "-->",
        "&lt;",
        "&#x6a;",
        '"',
        "'",
        "svg",
        "/",
        "a",
        "<style>",
        "](",
        "<a href=",
    ]
    rng = random.Random(0)
    for _ in range(300):
        soup = BeautifulSoup(markup.shown("".join(rng.choices(pieces, k=40))), "html.parser")
        for tag in soup.find_all(True):
            allowed = {"href", "title", "class", "start", "align", *mathml.ATTRIBUTES.get(tag.name, [])}
            assert tag.name in markup.TAGS and set(tag.attrs) <= allowed
            assert tag.get("href", "#").startswith(("http", "#", "mailto")) or ":" not in tag["href"]
