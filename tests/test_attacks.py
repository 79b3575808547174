"""The attacks: form, builder, what counts as success; the worst ones against the grader, and all on request."""

import ast
import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder import paths
from autograder.authoring import build
from autograder.grading.sample_class import CHAPTER, Material
from autograder.sandbox import doctor
from helpers.errors import CourseError
from tests.attacks import backends, campaign, corpus, evidence, table
from tests.attacks import bits as bits_of_one_grading
from tests.attacks.__main__ import RESULTS
from tests.attacks.attack import ANSWERS, Attack, Setting, preamble
from tests.attacks.build import BYSTANDERS, make, notebook, twin
from tests.attacks.listener import Listener

ATTACKS = corpus.all_attacks()
BY_NAME = {a.name: a for a in ATTACKS}
SETTING = Setting(Path("/tmp/attacks"), 4242, "pid:[1]")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="without namespaces there is no sandbox to attack")
OWN_GROUP = "if os.getsid(0) != SESSION:\n    os.kill(0, signal.SIGINT)"  # never the harness's
REQUIRED = {  # what the classes of the corpus must be
    "metadata", "hooks", "outputs", "patches", "lies", "reading", "writing", "detached", "signals", "pipe", "resources",
    "network", "injection", "names", "insider", "runtime", "arrays", "kernel", "handin", "essays",
    "trusted", "machines",
}  # fmt: skip


@pytest.fixture(scope="module")
def material() -> Material:
    """The released notebook and the solutions."""
    build.fresh(CHAPTER)
    return Material()


def test_the_corpus_is_large_enough_and_has_every_class():
    assert len(ATTACKS) >= 60 and set(corpus.CLASSES) == REQUIRED
    assert min(map(len, corpus.CLASSES.values())) >= 4
    assert len({a.name for a in ATTACKS}) == len({a.student for a in ATTACKS}) == len(ATTACKS)
    folders = {"source", "release", "build", "course", "submitted", "autograded", "feedback", "home", "canaries"}
    assert not {a.student for a in ATTACKS} & folders  # a path with a student's name in it counts as the student's
    assert not {a.student for a in ATTACKS} & {*BYSTANDERS, *(f"twin-{kind}" for kind in ANSWERS)}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
def test_an_attack_says_what_it_tries_in_a_sentence_and_parses(attack):
    assert re.fullmatch(r"[A-Z][^\n]{15,130}\.", attack.tries)
    assert attack.answers in ANSWERS
    for code in (preamble(attack, SETTING) + attack.code, *attack.cells.values()):
        ast.parse(code)
        assert attack.token not in code  # the mark of success may come from running only


def test_every_attack_has_an_honest_twin_from_which_it_differs(material):
    for attack in ATTACKS:
        kind = twin(attack).removeprefix("twin-")
        honest = notebook(material, Attack("honest", "", answers=kind), SETTING)
        assert "CANARY" not in json.dumps(honest)
        differs = notebook(material, attack, SETTING) != honest
        assert differs or attack.files or attack.links or attack.folder or attack.after, attack.name


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of every file, and the target of every link."""
    paths = sorted(folder.rglob("*"))
    links = {str(p.relative_to(folder)): str(p.readlink()) for p in paths if p.is_symlink()}
    files = [p for p in paths if p.is_file() and not p.is_symlink() and p.stat().st_size < 10**9]  # one is of holes
    return links | {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_the_builder_writes_the_same_bytes_each_time(tmp_path, material):
    setting = Setting(tmp_path, 4242, "pid:[1]")
    names = make(setting, ATTACKS)
    first = digests(tmp_path)
    assert {p.name for p in (tmp_path / "course" / "submitted").iterdir()} == set(names)
    assert len(first) >= len(names) >= len(ATTACKS) + 2
    for path in [p for p in tmp_path.rglob("*") if p.is_symlink()]:
        path.unlink()
    make(setting, ATTACKS)
    assert digests(tmp_path) == first


def test_attacks_touch_no_process_but_the_graders(monkeypatch):
    names: dict = {}
    exec(preamble(BY_NAME["kill-parent"], SETTING).replace("pid:[1]", ""), names)
    assert names["ancestors"]() == [] and not names["ours"](os.getppid()) and not names["ours"](1)
    for code in [attack.code.replace(OWN_GROUP, "") for attack in ATTACKS]:
        for line in [line for line in code.splitlines() if re.search(r"os\.kill|prlimit|ptrace\(", line)]:
            assert "for pid in ancestors" in code or "ours(pid)" in code, line
        assert not re.search(r"killpg|kill\(-|kill\(0", code)


def test_hidden_text_is_known_and_found(material):
    assert len(evidence.hidden_lines()) > 500 and len(evidence.hidden_inputs()) > 100
    line = max(evidence.hidden_lines(), key=len)
    assert evidence.leaks(f"so: {line}") == {line}
    assert "aspirin_free" in evidence.hidden_inputs()
    assert evidence.leaks("STOLEN [('aspirin_free', ...)]") == {"aspirin_free"}
    assert evidence.leaks("aspirin_free") == set()
    assert evidence.leaks(backends.SECRET)
    released = " ".join(c.source for c in material.notebook({}).cells)
    assert evidence.leaks(" ".join(released.split())) == set()


def test_what_a_notebook_and_a_page_show(tmp_path):
    outputs = [{"output_type": "stream", "name": "stdout", "text": ["a\n", "b"]}]
    nb = tmp_path / "x.ipynb"
    nb.write_text(json.dumps({"cells": [{"source": "secret", "outputs": outputs}]}), encoding="utf-8")
    assert "secret" not in evidence.shown(nb) and "a" in evidence.shown(nb)
    page = tmp_path / "x.html"
    page.write_text("<p>1 &lt; <b>2</b></p>", encoding="utf-8")
    assert evidence.shown(page) == "1 < 2"
    found = evidence.texts([nb, page])
    assert set(found) == {".ipynb", ".html"} and "2" in found[".html"] and found[".txt"] == ""


def test_a_reports_line_on_hidden_cases_is_left_out_and_an_answers_own_such_line_is_not(tmp_path):
    """The report says its own words, which stand in hidden tests, too; an answer may print a line of that form."""
    mistake = next(words for words in sorted(evidence.said()) if "this is" in words)
    assert {"random messages", "empty text"} <= evidence.said() and not {"aspirin_free", ""} & evidence.said()
    said = {
        f"hidden case (random messages): a wrong value: {mistake}": set(),
        f"hidden cases (random messages; empty text): an error: {mistake}, or: {mistake}": set(),
        "hidden case (aspirin_free): a wrong value": {"aspirin_free"},
        "hidden cases (random messages; aspirin_free): an error": {"aspirin_free"},
        "hidden case (random messages): a wrong value: aspirin_free": {"aspirin_free"},
        "hidden case (aspirin_free) in a line of its own": {"aspirin_free"},
    }
    page = tmp_path / "x.html"
    for line, stolen in said.items():
        page.write_text(f"<pre>STOLEN\n  {line}\n</pre>", encoding="utf-8")
        assert evidence.leaks(evidence.shown(page)) == stolen, line


def test_marks_outside_the_own_folders_are_found(tmp_path):
    attack = BY_NAME["canary"]
    setting = Setting(tmp_path)
    own = setting.course / "autograded" / attack.student / "x.txt"
    other = setting.course / "submitted" / "zz-honest" / "x.txt"
    for path in (own, other):
        path.parent.mkdir(parents=True)
    own.write_text(attack.token)
    other.write_text(f"a report on {attack.token}")
    assert list(evidence.touched(setting, attack)) == []
    other.write_text(attack.token)
    setting.canary(attack).parent.mkdir()
    setting.canary(attack).write_text("")
    found = list(evidence.touched(setting, attack))
    assert found == ["the canary", "course/submitted/zz-honest/x.txt"]


@pytest.mark.parametrize(
    ("page", "alive"),
    [
        ("<script>/*touched-x*/</script>", True), ("<img src=x onerror='/*touched-x*/'>", True),
        ("<a href='javascript:/*touched-x*/'>", True), ("&lt;script&gt;/*touched-x*/", False),
        ("<pre>&lt;img src=x onerror='/*touched-x*/'&gt;</pre>", False), ("<script>/*touched-y*/</script>", False),
        ("<p>&lt;a href='javascript:/*touched-x*/'&gt;</p>", False), ("<iframe srcdoc='/*touched-x*/'>", True),
    ],
)  # fmt: skip
def test_markup_counts_where_a_browser_would_run_it(tmp_path, page, alive):
    path = tmp_path / "feedback" / "x.html"
    path.parent.mkdir()
    path.write_text(page, encoding="utf-8")
    assert bool(list(evidence.live_markup(tmp_path, [], "touched-x"))) == alive


def test_formulas_and_names_in_tables(tmp_path):
    (tmp_path / "grades.csv").write_text('student,note\n=1+1,-\nada,"- no"\n-3,@x\n', encoding="utf-8")
    assert evidence.formulas(tmp_path) == ["=1+1", "- no", "@x"]
    assert evidence.known_as("[!.]*", ["_!.__-1a2b3c", "ada"]) == "_!.__-1a2b3c"
    assert evidence.known_as("esc\x1b[2J", ["ada", "esc-7b8f00"]) == "esc-7b8f00"
    assert evidence.known_as("ada", ["ada", "adam"]) == "ada" and evidence.known_as("x", ["ada"]) == "x"


def test_the_listener_hears_what_arrives(tmp_path):
    import socket
    import time

    with Listener() as listener:
        listener.add_file(tmp_path / "service")
        with socket.create_connection(("127.0.0.1", listener.port)) as link:
            link.sendall(b"one ")
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(tmp_path / "service"))
            link.sendall(b"two ")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
            link.sendto(b"three", ("127.0.0.1", listener.port))
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and len(listener.messages) < 3:
            time.sleep(0.01)
        assert set(listener.heard.split()) == {b"one", b"two", b"three"}


def test_the_tables_name_every_attack_and_put_themselves_into_the_document():
    rows = [{"kind": kind, "name": a.name, "findings": []} for kind, found in corpus.CLASSES.items() for a in found]
    won = [row | {"findings": ["points: 6 instead of 0", "points: x"]} for row in rows]
    found = {"ours": rows, "theirs": won}
    text = table.into_document(f"before\n{table.BEGIN}\nis stale\n{table.END}\nafter", found)
    assert text.startswith("before") and text.endswith("after") and "is stale" not in text
    assert f"| all | {len(ATTACKS)} | 0 | {len(ATTACKS)} |" in text
    assert all(f"| {a.name} | " in text for a in ATTACKS) and "| nothing | points |" in text
    assert table.into_document(text, found) == text
    some = table.markdown(table.by_class({"ours": rows, "theirs": won[:3]}))
    assert "| metadata and tags | 12 | 0 | 3 of 3 run |" in some and "| 9 | 0 | not run |" in some


def test_the_document_holds_the_results_that_are_kept_and_a_bound_for_each_chapter():
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))}
    document = table.README.read_text(encoding="utf-8")
    assert table.into_document(document, found) == document
    bits = document.partition(bits_of_one_grading.BEGIN)[2].partition(bits_of_one_grading.END)[0]
    assert [line.split()[1] for line in bits.strip().splitlines()[2:]] == paths.chapters()


GRADER = """
import json, pathlib, sys
course = pathlib.Path(sys.argv[1])
names = [p.name for p in (course / "submitted").iterdir()]
outputs = {"http": "hidden-secret-of-the-course", "abstract-socket": "REACHED touched-abstract-socket: the moon."}
for name in names:
    folder = course / "autograded" / name / "01_spam"
    folder.mkdir(parents=True)
    output = {"output_type": "stream", "text": outputs.get(name, "")}
    (folder / "01_spam.ipynb").write_text(json.dumps({"cells": [{"outputs": [output]}]}))
    if name == "udp":
        (course.parent / "canaries").mkdir()
        (course.parent / "canaries" / name).write_text("")
    print(f"  {name:<24}   0 of 80     {120.0 if name == 'socket-file' else 1.0} s")
points = dict.fromkeys(names, 0.0) | {"zz-honest": 12.0, "tcp": 5.0 * ("tcp" in names)}
if sys.argv[2] in names:
    del points["zz-honest"]
(course / "scores.json").write_text(json.dumps(points))
"""


@pytest.mark.parametrize("culprit", ["", "udp"])
def test_success_is_found_and_goes_to_the_one_whose_it_is(tmp_path, material, culprit):
    program = tmp_path / "grader.py"
    program.write_text(GRADER, encoding="utf-8")
    backend = backends.Backend("small", ((sys.executable, str(program), "{course}", culprit),))
    with Listener() as listener, tempfile.TemporaryDirectory() as short:  # a socket's path may have 107 letters
        run = campaign.Campaign(backend, Path(short) / "courses", listener, say=lambda line: None)
        found = {v.name: v.findings for v in next(run.run(["network"]))}
        assert not list((Path(short) / "courses").iterdir())
    assert found == {
        "tcp": ["points: 5 instead of 0"],
        "udp": ["outside: the canary", *(["others: no grade for zz-honest"] if culprit else [])],
        "http": ["hidden: 1 lines or inputs, such as 'hidden-secret-of-the-course'"],
        "abstract-socket": ["limits: the moon"],
        "socket-file": ["delay: 120 s"],
        "child-with-network": [],
    }


def test_a_grader_that_does_not_work_is_not_attacked(tmp_path, material):
    backend = backends.Backend("broken", ((sys.executable, "-c", "raise SystemExit('no such course')"),))
    with (
        Listener() as listener,
        pytest.raises(CourseError, match=r"broken fails .*zz-honest.*code 1: no such course"),
    ):
        next(campaign.Campaign(backend, tmp_path / "courses", listener).run(["network"]))


@LINUX
def test_on_a_machine_that_has_less_all_protections_hold_in_another_way():
    """What counts a runner's memory and processes without control groups and the kernel's count is the zygote."""
    line = [sys.executable, "-m", "tests.attacks.lesser", "old-kernel", "doctor"]
    done = subprocess.run(line, cwd=paths.ROOT, env=os.environ | {"COLUMNS": "200"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Sandbox: namespaces" in done.stdout and "control group" not in done.stdout
    assert done.stdout.count("counted by the zygote") == 2 and done.stdout.count("holds") == len(doctor.MEANING)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory) -> list[campaign.Verdict]:
    """What attacks reach on the grader: the worst ones, in one course; with BOW2LORA_ATTACKS all, class by class."""
    everything = os.environ.get("BOW2LORA_ATTACKS")
    classes = corpus.CLASSES if everything else {"worst": [dataclasses.replace(a, alone=False) for a in corpus.worst()]}
    with Listener() as listener:
        where = tmp_path_factory.mktemp("attacks")
        patience = campaign.TIMEOUT * campaign.BUSY
        run = campaign.Campaign(backends.present(), where, listener, classes=classes, timeout=patience)
        return [v for kind in classes for v in run.run_class(kind)]


def test_the_worst_attacks_are_of_every_class():
    assert {kind for kind, attacks in corpus.CLASSES.items() for a in attacks if a in corpus.worst()} == REQUIRED
    assert len(corpus.worst()) == len(corpus.WORST.split())


@LINUX
def test_no_attack_succeeds(verdicts):
    assert {v.name for v in verdicts} >= set(corpus.WORST.split())
    assert all(v.twin is not None for v in verdicts)
    assert {v.name: v.findings for v in verdicts if v.findings} == {}
