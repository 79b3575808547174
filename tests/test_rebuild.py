"""Rebuild and collect: whatever happened to a notebook, the answers are found and nothing else is graded."""

import copy
import gzip
import io
import json
import time
import zipfile

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder import cell_marks, paths
from autograder.authoring.build import to_notebook
from autograder.authoring.source import read
from autograder.grading import sample_class
from autograder.submissions.collect import collect, fingerprint, student_id
from autograder.submissions.files import submissions
from autograder.submissions.rebuild import rebuild
from helpers.errors import CourseError

STUB = "    # YOUR CODE HERE\n    raise NotImplementedError()"
PAIR = f"def first(x):\n{STUB}\n\n\ndef second(x):\n{STUB}"
ONE = f"def third(x):\n{STUB}"
CELLS = [  # kind, id, text of the released notebook
    ("text", "text-01", "# Title"),
    ("given", "given-01", "import math"),
    ("show", "show-01", "print(math.pi)\nfor i in range(10):\n    print(i, i * math.pi)"),
    ("exercise", "pair", PAIR),
    ("check", "check-pair", "score = first(1)\nscore"),
    ("exercise", "one", ONE),
    ("check", "check-one", "score = third(1)\nscore"),
    ("text", "text-02", "Write about it."),
    ("essay", "essay-why", "YOUR ANSWER HERE"),
]
FIRST, SECOND = "def first(x):\n    return 1", "def second(x):\n    return 2"
ANSWERS = {"pair": f"{FIRST}\n\n\n{SECOND}", "one": "def third(x):\n    return 3", "essay-why": "Because."}


def make(answers: dict[str, str] = ANSWERS) -> NotebookNode:
    """Return the small notebook with these answers in it."""
    nb = nbformat.v4.new_notebook()
    for kind, cell_id, source in CELLS:
        new = nbformat.v4.new_markdown_cell if kind in ("text", "essay") else nbformat.v4.new_code_cell
        meta = cell_marks.to_metadata(kind, {"points": 5}, cell_id)
        nb.cells.append(new(answers.get(cell_id, source), id=cell_id, metadata=meta))
    return nb


TEMPLATE, ANSWERED = make({}), make()


def at(nb: NotebookNode, cell_id: str) -> int:
    """Return the place of a cell."""
    return next(i for i, c in enumerate(nb.cells) if c.id == cell_id)


def code(source: str) -> NotebookNode:
    """Return a cell that the student added."""
    return nbformat.v4.new_code_cell(source)


def sources(nb: NotebookNode) -> dict[str, str]:
    """Return the texts of a notebook by cell id."""
    return {c.id: c.source for c in nb.cells}


@pytest.fixture
def nb() -> NotebookNode:
    return make()


def rebuilt(nb, repairs: list[str]) -> NotebookNode:
    """Rebuild; the result must be the answered notebook, and the repairs these lines."""
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made) == sources(ANSWERED)
    assert [c.metadata for c in made.cells] == [c.metadata for c in TEMPLATE.cells]
    assert told == repairs
    return made


def test_undamaged_answers_rebuild_to_themselves(nb):
    made = rebuilt(nb, [])
    assert rebuild(TEMPLATE, made) == (made, [])


def test_untouched_rebuilds_to_the_template():
    made, told = rebuild(TEMPLATE, make({}))
    assert sources(made) == sources(TEMPLATE) and told == []


@pytest.mark.parametrize("chapter", paths.chapters())
def test_a_chapter_with_full_answers_rebuilds_to_itself(chapter):
    template = nbformat.read(paths.release_notebook(chapter), as_version=4)
    solutions = {c.grade_id: c.source for c in read(paths.source_text(chapter)) if c.kind in ("exercise", "essay")}
    full = copy.deepcopy(template)
    for cell in full.cells:
        cell.source = solutions.get(cell.id, cell.source)
    made, told = rebuild(template, full)
    assert sources(made) == sources(full) and told == []
    stripped = copy.deepcopy(full)
    for cell in stripped.cells:
        cell.metadata = {}
        del cell["id"]
    assert sources(rebuild(template, stripped)[0]) == sources(full)


def test_outputs_and_counts_do_not_survive(nb):
    check = nb.cells[at(nb, "check-one")]
    check.outputs = [nbformat.v4.new_output("execute_result", data={"text/plain": "5.0"})]
    check.execution_count = 3
    made = rebuilt(nb, [])
    assert made.cells[at(made, "check-one")].outputs == []
    assert made.cells[at(made, "check-one")].execution_count is None


def test_tags_do_not_survive(nb):
    for cell in nb.cells:
        cell.metadata["tags"] = ["skip-execution", "show"]
    rebuilt(nb, [])


def test_a_copied_label_does_not_make_a_check_an_answer(nb):
    nb.cells[at(nb, "check-one")].metadata["nbgrader"]["grade_id"] = "check-pair"
    nb.cells[at(nb, "check-one")].source = "5.0"
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made) == sources(ANSWERED)
    assert any("check-one" in line for line in told) and any("check-pair" in line for line in told)


@pytest.mark.parametrize("stub_place", [0, 1])
def test_copied_cell_the_edited_copy_counts(nb, stub_place):
    stub = copy.deepcopy(TEMPLATE.cells[at(TEMPLATE, "one")]) | {"id": "other"}
    nb.cells.insert(at(nb, "one") + stub_place, stub)
    rebuilt(nb, ["one: there were several copies, the last edited one counts"])


def test_copied_cell_the_last_edited_copy_counts(nb):
    old = copy.deepcopy(nb.cells[at(nb, "one")]) | {"source": "def third(x):\n    return 0"}
    nb.cells.insert(at(nb, "one"), old)
    rebuilt(nb, ["one: there were several copies, the last edited one counts"])


def test_of_two_copies_the_one_that_parses_counts(nb):
    broken = copy.deepcopy(nb.cells[at(nb, "one")]) | {"source": "def third(x:"}
    nb.cells.insert(at(nb, "one") + 1, broken)
    rebuilt(nb, ["one: there were several copies, the last edited one counts"])


def test_moved_cells(nb):
    nb.cells.append(nb.cells.pop(at(nb, "pair")))
    rebuilt(nb, ["the notebook: the cells were put back in order"])


def runs(nb: NotebookNode, first: int) -> NotebookNode:
    """Say that the code cells were run one after the other."""
    for count, cell in enumerate((c for c in nb.cells if c.cell_type == "code"), first):
        cell.execution_count = count
    return nb


STALE = {"pair": PAIR.replace("raise NotImplementedError()", "return 0"), "one": "def third(x):\n    return 0"}
STALE |= {"essay-why": "Not yet."}


@pytest.mark.parametrize(("counts", "why"), [((90, 1), "the one run last"), (None, "the one before the cells stood")])
def test_all_cells_appended_in_an_earlier_state(nb, counts, why):
    """Prose has no execution count: it goes with the code around it."""
    stale = make(STALE)
    if counts:
        runs(nb, counts[0]), runs(stale, counts[1])
    nb.cells += stale.cells
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made) == sources(ANSWERED)
    assert any(line.startswith("pair, one") and why in line for line in told)


def test_all_cells_appended_in_a_later_state(nb):
    stale = runs(make(STALE), 1)
    stale.cells += runs(nb, 90).cells
    assert sources(rebuild(TEMPLATE, stale)[0]) == sources(ANSWERED)


def test_own_cells_with_one_id_are_all_kept_where_nothing_stands_twice(nb):
    nb.cells += [code("a = 1") | {"id": "same"}, code("b = 2") | {"id": "same"}]
    made, told = rebuild(TEMPLATE, nb)
    assert [c.source for c in made.cells[-2:]] == ["a = 1", "b = 2"] and told == []


@pytest.mark.parametrize("count", [True, -5, 10**30, "7", [], {}, 2.5])
def test_an_execution_count_may_be_anything(nb, count):
    old = copy.deepcopy(nb.cells[at(nb, "one")]) | {"source": STALE["one"], "id": "other", "execution_count": count}
    nb.cells.insert(at(nb, "one"), old)
    rebuilt(nb, ["one: there were several copies, the last edited one counts"])


@pytest.mark.parametrize("between", ["", "\n", "\n\n\n"])
def test_a_text_that_stands_twice_in_its_cell_is_taken_once(nb, between):
    nb.cells[at(nb, "one")].source = ANSWERS["one"] + between + ANSWERS["one"]
    rebuilt(nb, ["one: the text stood twice in the cell and was taken once"])


@pytest.mark.parametrize("source", ["11", "x += 1\nx += 1", "print(1)\nprint(1)", "%time\n%time"])
def test_what_a_student_writes_twice_stays(nb, source):
    nb.cells.append(code(source))
    assert rebuild(TEMPLATE, nb)[0].cells[-1].source == source


@pytest.mark.parametrize(
    "below", [nbformat.v4.new_markdown_cell("Because."), code("# Because.\n"), nbformat.v4.new_raw_cell("Because.")]
)
def test_an_essay_in_a_cell_of_its_own_below_the_untouched_one(nb, below):
    nb.cells[at(nb, "essay-why")].source = "YOUR ANSWER HERE"
    nb.cells.append(copy.deepcopy(below))
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made)["essay-why"] == "Because." and len(made.cells) == len(TEMPLATE.cells)
    assert told[0] == "essay-why: the answer stood in cells of its own below"


def test_code_below_an_essay_is_no_essay(nb):
    nb.cells[at(nb, "essay-why")].source = "YOUR ANSWER HERE"
    nb.cells.append(code("x = 1  # one"))
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made)["essay-why"] == "YOUR ANSWER HERE" and made.cells[-1].source == "x = 1  # one" and told == []


BROKEN = "def third(x):\n\u00a0   return 3"


@pytest.mark.parametrize(
    ("source", "version", "says"),
    [
        (BROKEN, "3.11", "one: does not parse, line 2 holds U+00A0 (a blank that Python does not take)"),
        ("def third(x:", "3.99.0rc1", "one: does not parse; written with Python 3.99, graded with "),
        (f"<<<<<<< HEAD\n{ANSWERS['one']}", "3.99", "one: conflict markers of git in line 1"),
        ("def third(x:", "3.0", ""), ("def third(x:", "9" * 10**5, ""), ("def third(x:", ["3.99"], ""),
        ("%%time\nx?\ndef third(x):\n    return 3", "3.99", ""),
    ],
)  # fmt: skip
def test_why_a_cell_does_not_parse_is_told_where_the_file_says_it(nb, source, version, says):
    nb.cells[at(nb, "one")].source = source
    nb.metadata["language_info"] = {"version": version}
    told = rebuild(TEMPLATE, nb)[1]
    assert len(told) == bool(says) and "".join(told).startswith(says)


def test_many_cells_that_do_not_parse_take_no_time(nb):
    nb.cells += [code("a? " * 300 + f"(\u00a0{i}") for i in range(1_000)]
    start = time.process_time()
    told = rebuild(TEMPLATE, nb)[1]
    assert time.process_time() - start < 5 and len(told) <= 20  # CPU seconds; it takes one


def test_copies_of_an_answer_without_functions_count_once():
    cell = nbformat.v4.new_code_cell("total = ...", id="sum", metadata=cell_marks.to_metadata("exercise", {}, "sum"))
    template = nbformat.v4.new_notebook(cells=[cell])
    answered = copy.deepcopy(cell) | {"source": "total = 1 + 2"}
    again = copy.deepcopy(answered) | {"id": "again"}
    made, told = rebuild(template, nbformat.v4.new_notebook(cells=[answered, again]))
    assert sources(made) == {"sum": "total = 1 + 2"}
    assert told == ["sum: there were several copies, the last edited one counts"]


@pytest.mark.parametrize("labelled", [True, False])
def test_split_cell(nb, labelled):
    nb.cells[at(nb, "pair")].source = FIRST
    half = copy.deepcopy(nb.cells[at(nb, "pair")]) | {"source": SECOND} if labelled else code(SECOND)
    nb.cells.insert(at(nb, "pair") + 1, half)
    rebuilt(nb, ["pair: the answer stood in several cells and was put together"])


def test_split_cell_keeps_helpers_and_drops_a_magic(nb):
    parts = ["%%time\nimport re", FIRST, SECOND]
    cell = nb.cells.pop(at(nb, "pair"))
    nb.cells[3:3] = [copy.deepcopy(cell) | {"source": part} for part in parts]
    made, _ = rebuild(TEMPLATE, nb)
    assert sources(made)["pair"] == "\n\n\n".join(["import re", FIRST, SECOND])


def test_merged_cells_answer_both_exercises(nb):
    nb.cells[at(nb, "pair")].source += f"\n\n\n{ANSWERS['one']}"
    del nb.cells[at(nb, "one")]
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made)["one"].endswith(ANSWERS["one"])
    assert told == ["one: found by the names of its functions"]


def test_a_helper_of_the_same_name_does_not_replace_an_answer(nb):
    nb.cells[at(nb, "one")].source += "\n\n\ndef first(x):\n    return 0"
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made)["pair"] == ANSWERS["pair"] and told == []


def test_a_helper_of_the_same_name_does_not_answer_for_an_untouched_stub():
    nb = make({"one": f"{ANSWERS['one']}\n\n\n{FIRST}"})
    made, _ = rebuild(TEMPLATE, nb)
    assert sources(made)["pair"] == PAIR


def test_a_copied_label_on_another_exercise_does_not_count(nb):
    nb.cells[at(nb, "pair")].metadata["nbgrader"]["grade_id"] = "one"
    nb.cells[at(nb, "pair")]["id"] = "other"
    rebuilt(nb, ["pair: found by the names of its functions"])


def test_an_experiment_after_the_answer_stays_an_own_cell(nb):
    nb.cells.append(code("def third(x):\n    return 0"))
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made)["one"] == ANSWERS["one"] and told == []
    assert made.cells[-1].source == "def third(x):\n    return 0"


def test_an_answer_below_the_untouched_stub_counts(nb):
    nb.cells[at(nb, "one")].source = ONE
    nb.cells.insert(at(nb, "check-one"), code(ANSWERS["one"]))
    rebuilt(nb, ["one: found by the names of its functions"])


def test_deleted_cells_are_put_back(nb):
    nb.cells = [c for c in nb.cells if c.id not in ("check-one", "given-01", "show-01", "text-02")]
    rebuilt(nb, ["given-01, check-one: the cell was missing, the original was put back"])


def test_a_deleted_answer_is_the_stub_again(nb):
    del nb.cells[at(nb, "one")]
    made, told = rebuild(TEMPLATE, nb)
    assert sources(made) == sources(make({k: v for k, v in ANSWERS.items() if k != "one"}))
    assert told == ["one: the cell was missing, the original was put back"]


def test_changed_locked_cells_are_restored(nb):
    nb.cells[at(nb, "check-one")].source = "5.0"
    nb.cells[at(nb, "given-01")].source = "import math\nmath.pi = 3"
    rebuilt(nb, ["given-01, check-one: a locked cell was changed, the original counts"])


def issued(nb):
    """Give the locked cells the checksums with which nbgrader hands them out."""
    for cell in nb.cells:
        if cell.metadata.get("nbgrader", {}).get("locked"):
            cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    return nb


def test_a_cell_of_an_earlier_edition_is_not_called_changed(nb):
    """The instructor mended the given code and a check after they were handed out."""
    nb.cells[at(nb, "check-one")].source = "score = third(2)\nscore"
    nb.cells[at(nb, "given-01")].source = "import cmath"
    rebuilt(issued(nb), ["given-01, check-one: handed out in another edition, the present one counts"])


def test_an_edit_of_an_earlier_edition_is_one(nb):
    nb.cells[at(nb, "given-01")].source = "import cmath"
    issued(nb).cells[at(nb, "given-01")].source = "import cmath as math"
    rebuilt(nb, ["given-01: a locked cell was changed, the original counts"])


@pytest.mark.parametrize("checksum", [None, 3, {}, "1169a5b2416ccecfce594ae346131a00"])
def test_a_checksum_may_be_anything(nb, checksum):
    cell = nb.cells[at(nb, "given-01")]
    cell.source, cell.metadata.nbgrader = "import cmath", {"grade_id": ["given-01"], "checksum": checksum}
    rebuilt(nb, ["given-01: a locked cell was changed, the original counts"])


def test_hidden_tests_in_the_template_are_no_change(nb):
    template = make({})
    template.cells[
        at(template, "check-one")
    ].source = "score = third(1)\n### BEGIN HIDDEN TESTS\nscore = 0\n### END HIDDEN TESTS\nscore"
    made, told = rebuild(template, nb)
    assert told == [] and "score = 0" in sources(made)["check-one"]


def test_changed_cell_types(nb):
    for cell_id, kind in [("one", "markdown"), ("check-one", "raw"), ("essay-why", "code")]:
        nb.cells[at(nb, cell_id)].cell_type = kind
    rebuilt(nb, ["one, essay-why: the type of the cell was set right"])


def test_lost_metadata(nb):
    for cell in nb.cells:
        cell.metadata = NotebookNode()
        del cell["id"]
    rebuilt(nb, ["pair, one: found by the names of its functions", "essay-why: found by place"])


def test_lost_metadata_and_edited_show_cell_is_not_run_as_an_own_cell(nb):
    for cell in nb.cells:
        cell.metadata = NotebookNode()
        del cell["id"]
    nb.cells[2].source += "\nprint('more')"
    made, _ = rebuild(TEMPLATE, nb)
    assert sources(made) == sources(ANSWERED)


def test_duplicate_ids_end_up_unique(nb):
    for cell in nb.cells:
        cell["id"] = "same"
    made = rebuilt(nb, [])
    assert len({c.id for c in made.cells}) == len(made.cells)


def test_own_cells_stay_in_place(nb):
    nb.cells.insert(at(nb, "check-one"), code("mine = 1"))
    nb.cells.insert(0, code("top = 1"))
    nb.cells.append(nbformat.v4.new_markdown_cell("More of my essay."))
    nb.cells.append(code("   "))
    made, told = rebuild(TEMPLATE, nb)
    order = [c.source for c in made.cells]
    assert order.index("mine = 1") == order.index(ANSWERS["one"]) + 1
    assert order[0] == "top = 1" and order[-1] == "More of my essay." and told == []
    assert len({c.id for c in made.cells}) == len(made.cells)
    nbformat.validate(made)
    assert rebuild(TEMPLATE, nb) == (made, told)  # the same again, ids included


def test_a_repair_of_many_cells_is_one_line():
    made, told = rebuild(TEMPLATE, nbformat.v4.new_notebook())
    assert sources(made) == sources(TEMPLATE)
    assert told == ["given-01, pair, check-pair and 3 more: the cell was missing, the original was put back"]


@pytest.mark.parametrize(
    "submitted",
    [
        None, 3, [], "text", {}, {"cells": None}, {"cells": 3}, {"cells": [None, 3, [], "x"]},
        {"cells": [{}]}, {"cells": [{"cell_type": 3, "source": 3, "metadata": 3, "id": 3}]},
        {"cells": [{"cell_type": "code", "source": ["a = 1\n", 3], "metadata": {"nbgrader": []}}]},
        {"cells": [{"cell_type": "code", "source": "x", "metadata": {"nbgrader": {"grade_id": {"a": []}}}}]},
        {"cells": [{"cell_type": "code", "source": "x = '\ud800'\n\0", "metadata": {"tags": 3}}]},
        {"cells": [{"cell_type": "code", "source": "-" * 100_000 + "1", "id": "one"}]},
        {"cells": [{"cell_type": "code", "source": "(" * 5_000, "metadata": {"nbgrader": {"grade_id": "one"}}}]},
    ],
)  # fmt: skip
def test_nothing_raises_and_the_result_can_be_written(submitted, tmp_path):
    made, told = rebuild(TEMPLATE, submitted)
    nbformat.validate(made)
    (tmp_path / "made.ipynb").write_text(nbformat.writes(made), encoding="utf-8")
    assert told and all(line and "\n" not in line for line in told)
    assert sources(made)["check-one"] == sources(TEMPLATE)["check-one"]
    assert "\0" not in "".join(sources(made).values())


# Files: what lies in submitted/<student>/<chapter>/.


def put(course, name: str, content, student: str = "ada") -> None:
    """Write a file of a submission."""
    path = course / "submitted" / student / "chap" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def found(course, template: NotebookNode = TEMPLATE) -> list:
    """Collect all submissions."""
    return [collect(folder, template) for folder in submissions("chap", course)]


def collected(course) -> tuple[dict[str, str], list[str]]:
    """Collect the one submission; returns the texts by cell and the repairs."""
    (one,) = found(course)
    nbformat.validate(one.notebook)
    assert all(line and "\n" not in line and len(line) < 300 for line in one.repairs)
    return sources(one.notebook), list(one.repairs)


RENAMED = ("chap (1).ipynb", "chap.ipynb.json", "chap.ipynb.txt", "sub/folder/mine.ipynb", "CHAP.IPYNB")


@pytest.mark.parametrize("name", RENAMED)
def test_renamed_file(tmp_path, name):
    put(tmp_path, name, ANSWERED)
    assert collected(tmp_path) == (sources(ANSWERED), [f"{name}: taken as chap.ipynb"])


def test_of_several_files_the_right_name_counts(tmp_path):
    put(tmp_path, "chap.ipynb", ANSWERED)
    put(tmp_path, "a draft.ipynb", make({}))
    assert collected(tmp_path) == (sources(ANSWERED), [])


def test_jupyters_checkpoints_do_not_count(tmp_path):
    put(tmp_path, ".ipynb_checkpoints/chap-checkpoint.ipynb", ANSWERED)
    assert collected(tmp_path) == (sources(TEMPLATE), ["no notebook was handed in"])


def test_of_several_files_the_one_with_answers_counts(tmp_path):
    put(tmp_path, "chap.ipynb", make({}))
    put(tmp_path, "chap-Copy1.ipynb", ANSWERED)
    told = ["chap-Copy1.ipynb: taken as chap.ipynb"]
    told += ["several notebooks: chap-Copy1.ipynb counts (answers: 3), not chap.ipynb (0)"]
    assert collected(tmp_path) == (sources(ANSWERED), told)


def test_of_as_many_answers_the_name_and_then_the_date_in_a_zip_tell(tmp_path):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, year, nb in [("a.ipynb", 2026, ANSWERED), ("b.ipynb", 2025, make(STALE))]:
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), json.dumps(nb))
    put(tmp_path, "m.zip", raw.getvalue())
    texts, told = collected(tmp_path)
    assert texts == sources(ANSWERED)
    assert told[1] == "several notebooks: m.zip/a.ipynb counts (answers: 3), not m.zip/b.ipynb (3)"
    put(tmp_path, "chap.ipynb", make(STALE))
    assert collected(tmp_path)[0] == sources(make(STALE))


CONFLICT = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other side\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CONFLICT.format(json.dumps(ANSWERED), json.dumps(make({}))), "in line 1, the side HEAD was read"),
        (CONFLICT.format(json.dumps(make({})), json.dumps(ANSWERED)), "in line 1, the side other side was read"),
        (CONFLICT.format("{", json.dumps(ANSWERED)), "in line 1, the side other side was read"),
        ("\r\n".join(CONFLICT.format(json.dumps(ANSWERED), "x").split("\n")), "the side HEAD was read"),
    ],
)
def test_of_two_sides_of_a_conflict_the_one_with_answers_counts(tmp_path, text, says):
    put(tmp_path, "chap.ipynb", text)
    texts, told = collected(tmp_path)
    assert texts == sources(ANSWERED) and len(told) == 1
    assert told[0].startswith("chap.ipynb: conflict markers of git") and told[0].endswith(says)


def test_a_file_full_of_markers_takes_no_time(tmp_path):
    put(tmp_path, "chap.ipynb", "{\n" + "<<<<<<< a\n" * 100_000 + "=======\n" * 100_000 + "x\n" * 100_000)
    start = time.process_time()
    told = collected(tmp_path)[1]
    assert time.process_time() - start < 5  # CPU seconds; it takes half a second
    assert told == ["chap.ipynb: not a notebook (invalid JSON, conflict markers of git in line 2)"]


@pytest.mark.parametrize("broken", ["", "{", json.dumps({"cells": []})])
def test_a_right_name_without_the_chapter_gives_way(tmp_path, broken):
    put(tmp_path, "chap.ipynb", broken)
    put(tmp_path, "chap (1).ipynb", ANSWERED)
    assert collected(tmp_path) == (sources(ANSWERED), ["chap (1).ipynb: taken as chap.ipynb"])


def test_among_other_names_the_one_with_the_cells_counts(tmp_path):
    put(tmp_path, "a.ipynb", nbformat.v4.new_notebook(cells=[code("x = 1")]))
    put(tmp_path, "b.ipynb", ANSWERED)
    assert collected(tmp_path) == (sources(ANSWERED), ["b.ipynb: taken as chap.ipynb"])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"{ not json", "not a notebook (invalid JSON)"),
        (b"[" * 100_000, "not a notebook (invalid JSON)"),
        (b"\xff\x00x", "not a notebook (not UTF-8 text)"),
        (b"[1, 2]", "not a notebook (it has no cells)"),
        (b"7", "not a notebook (it has no cells)"),
        (b'{"a": 1}', "not a notebook (it has no cells)"),
        (b'{"cells": [{"cell_type": "code", "source": "x"}]}', "holds no cell of chap"),
    ],
)
def test_what_cannot_be_read_is_the_template_with_a_reason(tmp_path, content, reason):
    put(tmp_path, "chap.ipynb", content)
    assert collected(tmp_path) == (sources(TEMPLATE), [f"chap.ipynb: {reason}"])


def test_no_file_at_all(tmp_path):
    put(tmp_path, "readme.txt", "I could not upload it")
    assert collected(tmp_path) == (sources(TEMPLATE), ["no notebook was handed in"])


def test_a_byte_order_mark_is_no_damage(tmp_path):
    put(tmp_path, "chap.ipynb", b"\xef\xbb\xbf" + json.dumps(ANSWERED).encode())
    assert collected(tmp_path) == (sources(ANSWERED), [])


def test_a_notebook_that_powershell_wrote_is_no_damage(tmp_path):
    put(tmp_path, "chap.ipynb", json.dumps(ANSWERED, ensure_ascii=False).encode("utf-16"))
    assert collected(tmp_path) == (sources(ANSWERED), [])


def test_nbformat_4_0(tmp_path):
    old = copy.deepcopy(ANSWERED) | {"nbformat_minor": 0}
    for cell in old["cells"]:
        del cell["id"]
    put(tmp_path, "chap.ipynb", old)
    assert collected(tmp_path)[0] == sources(ANSWERED)


def test_nbformat_3(tmp_path):
    put(tmp_path, "chap.ipynb", nbformat.convert(copy.deepcopy(ANSWERED), 3))
    assert collected(tmp_path)[0] == sources(ANSWERED)


def test_too_large_a_file_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.submissions.files.LARGEST", 10)
    put(tmp_path, "chap.ipynb", ANSWERED)
    assert collected(tmp_path) == (sources(TEMPLATE), ["chap.ipynb: larger than 0 MB"])


def test_a_notebook_of_many_megabytes_is_read(tmp_path):
    """Large notebooks are large by their outputs, which do not matter."""
    nb = make()
    image = nbformat.v4.new_output("display_data", data={"image/png": "A" * 30_000_000})
    nb.cells[at(nb, "one")].outputs = [image]
    put(tmp_path, "chap.ipynb", nb)
    assert collected(tmp_path) == (sources(ANSWERED), [])


def test_deeply_nested_metadata_is_no_damage(tmp_path):
    text = json.dumps(ANSWERED).replace('"metadata": {}', '"metadata": {"a": ' + "[" * 800 + "]" * 800 + "}", 1)
    put(tmp_path, "chap.ipynb", text)
    assert collected(tmp_path) == (sources(ANSWERED), [])


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (lambda c: {}, "found by the names"),
        (lambda c: {"id": "Xy3_abc", "colab": {"base_uri": "https://x"}, "outputId": "1"}, "found by the names"),
        (lambda c: {"vscode": {"languageId": "python"}}, "found by the names"),
        (lambda c: {"id": "Xy3_abc", **c.metadata}, ""),
    ],
    ids=["stripped", "Colab without labels", "VS Code", "Colab"],
)
def test_what_other_programs_leave_of_the_metadata(tmp_path, written, kept):
    nb = make()
    for cell in nb.cells:
        cell.metadata = NotebookNode(written(cell))
        del cell["id"]
    put(tmp_path, "chap.ipynb", nb | {"nbformat_minor": 0, "metadata": {"colab": {"provenance": []}}})
    texts, told = collected(tmp_path)
    assert texts == sources(ANSWERED) and any(kept in line for line in told or [""])


SCRIPTS = {
    "plain": "import math\n\n\n{pair}\n\n\n{one}\n",
    "percent": "# %%\nimport math\n\n# %%\n{pair}\n\n# %%\n{one}\n\n# %% [markdown]\n# Write about it.\n\n"
    "# %% [markdown]\n# Because.\n",
    "nbconvert": "#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\n\nimport math\n\n\n# In[ ]:\n\n\n{pair}\n\n\n"
    "# In[3]:\n\n\n{one}\n",
}


@pytest.mark.parametrize("kind", SCRIPTS)
def test_a_python_file(tmp_path, kind):
    put(tmp_path, "homework.py", SCRIPTS[kind].format(**ANSWERS))
    texts, told = collected(tmp_path)
    assert told[0] == "homework.py: taken as chap.ipynb"
    if kind == "plain":  # one cell with both answers
        assert ANSWERS["one"] in texts["one"] and ANSWERS["pair"] in texts["pair"]
    else:
        assert (texts["one"].strip(), texts["pair"].strip()) == (ANSWERS["one"], ANSWERS["pair"])
    assert (texts["essay-why"] == "Because.") == (kind == "percent")


@pytest.mark.parametrize("content", ["def broken(:\n", "\0", "# %% [markdown] {a=\n" * 50, "x = 1"])
def test_a_python_file_that_is_no_answer(tmp_path, content):
    put(tmp_path, "chap.py", content)
    assert collected(tmp_path) == (sources(TEMPLATE), ["no notebook was handed in"])


def zipped(members: dict[str, str]) -> bytes:
    """Return a zip with these files."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return raw.getvalue()


@pytest.mark.parametrize("name", ["chap.ipynb", "week 1/chap.ipynb", "../../../escaped.ipynb", "/tmp/escaped.ipynb"])
def test_a_zip_is_read_where_it_lies(tmp_path, name):
    put(tmp_path, "mine.zip", zipped({"readme.txt": "x", "__MACOSX/._chap.ipynb": "x", name: json.dumps(ANSWERED)}))
    before = sorted(tmp_path.rglob("*"))
    assert collected(tmp_path) == (sources(ANSWERED), [f"mine.zip/{name}: taken as chap.ipynb"])
    assert sorted(tmp_path.rglob("*")) == before


INNER = {"abgabe/chap.ipynb": json.dumps(ANSWERED), "__MACOSX/abgabe/._chap.ipynb": "x"}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("ABGABE.ZIP", zipped(INNER), "ABGABE.ZIP/abgabe/chap.ipynb"),
        ("all.zip", zipped({"abgabe.zip": zipped(INNER)}), "all.zip/abgabe.zip/abgabe/chap.ipynb"),
        ("chap.ipynb", zipped(INNER), "chap.ipynb/abgabe/chap.ipynb"),  # a zip that was given another name
        ("chap.ipynb.gz", gzip.compress(json.dumps(ANSWERED).encode()), "chap.ipynb.gz"),
        ("Homework.PY", SCRIPTS["percent"].format(**ANSWERS).encode(), "Homework.PY"),
    ],
)
def test_what_a_file_is_its_bytes_say_and_not_the_case_of_its_name(tmp_path, name, content, told):
    put(tmp_path, name, content)
    texts, lines = collected(tmp_path)
    assert texts["pair"].strip() == ANSWERS["pair"] and lines[0] == f"{told}: taken as chap.ipynb"


def test_zips_in_zips_have_an_end(tmp_path, monkeypatch):
    packed = zipped(INNER)
    for _ in range(3):
        packed = zipped({"more.zip": packed})
    put(tmp_path, "mine.zip", packed)
    assert collected(tmp_path) == (sources(TEMPLATE), ["mine.zip/more.zip/more.zip: no notebook is in it"])
    monkeypatch.setattr("autograder.submissions.files.LARGEST", 100_000)
    put(tmp_path, "mine.zip", zipped({"more.zip": zipped({"chap.ipynb": " " * 10_000_000})}))
    assert collected(tmp_path)[1] == ["mine.zip/more.zip/chap.ipynb: larger than 0 MB"]
    (tmp_path / "submitted/ada/chap/mine.zip").unlink()
    put(tmp_path, "chap.ipynb", gzip.compress(b" " * 10_000_000))
    assert collected(tmp_path)[1] == ["chap.ipynb: larger than 0 MB"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PK no zip", "mine.zip: a zip that cannot be read"),
        (b"", "mine.zip: a zip that cannot be read"),
        (zipped({"a.txt": "x"}), "mine.zip: no notebook is in it"),
        (zipped({"chap.ipynb": "{"}), "mine.zip/chap.ipynb: not a notebook (invalid JSON)"),
        (zipped({"chap.ipynb": "[" * 2000})[:-60], "mine.zip: a zip that cannot be read"),
        (zipped({"chap.ipynb": json.dumps(ANSWERED)}).replace(b"PK", b"PX", 1), "mine.zip/chap.ipynb: cannot be read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "zip",
)
def test_a_zip_that_holds_nothing(tmp_path, content, reason):
    put(tmp_path, "mine.zip", content)
    texts, told = collected(tmp_path)
    assert texts == sources(TEMPLATE) and len(told) == 1 and told[0].startswith(reason)


def test_a_zip_that_grows_is_not_read_to_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.submissions.files.LARGEST", 100_000)
    put(tmp_path, "mine.zip", zipped({"chap.ipynb": " " * 10_000_000}))
    assert collected(tmp_path) == (sources(TEMPLATE), ["mine.zip/chap.ipynb: larger than 0 MB"])


def test_names_with_controls_and_endless_names_are_told_in_a_clean_line(tmp_path):
    put(tmp_path, "a\x1b[31m\n.ipynb", ANSWERED)
    assert collected(tmp_path) == (sources(ANSWERED), ["a .ipynb: taken as chap.ipynb"])


def test_an_answer_longer_than_any_is_cut_and_told(tmp_path):
    nb = make()
    nb.cells[at(nb, "essay-why")].source = "x" * 1_000_000
    put(tmp_path, "chap.ipynb", nb)
    texts, told = collected(tmp_path)
    assert len(texts["essay-why"]) == 200_000
    assert told == ["essay-why: longer than any answer may be, the rest was cut off"]


def test_more_cells_than_anybody_writes_are_told(tmp_path):
    nb = make()
    nb.cells += [nbformat.v4.new_markdown_cell(f"{i}") for i in range(3000)]
    put(tmp_path, "chap.ipynb", nb)
    texts, told = collected(tmp_path)
    assert texts["one"] == ANSWERS["one"] and told == ["the notebook: no more than 2,000 of its cells were read"]


def test_no_other_file_comes_along_and_no_link_is_followed(tmp_path):
    put(tmp_path, "chap.ipynb", make({}))
    put(tmp_path, "torch.py", "raise SystemExit")
    secret = tmp_path / "secret.ipynb"
    secret.write_text(json.dumps(ANSWERED))
    folder = tmp_path / "submitted/ada/chap"
    (folder / "chap.ipynb").unlink()
    (folder / "chap.ipynb").symlink_to(secret)
    texts, told = collected(tmp_path)
    assert texts == sources(TEMPLATE) and told == ["no notebook was handed in"]
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize("place", ["submitted/ada/chap", "submitted/ada"])
def test_a_folder_that_is_a_link_to_a_classmates_holds_nothing(tmp_path, place):
    put(tmp_path, "chap.ipynb", ANSWERED)
    (tmp_path / "submitted/ada").rename(tmp_path / "submitted/bob")
    link = tmp_path / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / place.replace("ada", "bob"))
    linked, own = found(tmp_path)
    assert sources(own.notebook) != sources(linked.notebook) == sources(TEMPLATE)
    assert list(linked.repairs) == ["no notebook was handed in"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("2026-03-01 10:00:00 UTC\n", "2026-03-01 10:00:00 UTC"),
        ("2026-03-01T12:00:00+02:00", "2026-03-01 10:00:00 UTC"),
        ("yesterday-ish", None),
        ("2026-03-01 10:00:00.123456 UTC", "2026-03-01 10:00:00.123456 UTC"),
        ("2026-03-01", "2026-03-01 00:00:00 UTC"),
        ("\ufeff2026-03-01 10:00 UTC\r\n", "2026-03-01 10:00:00 UTC"),
        ("2026-03-01 10:00:00 Nowhere/Land", None),
        ("2026-03-01 10:00:00 +9999", None),
        ("99999-03-01 10:00:00 UTC", None),
        ("0001-01-01 00:00:00 +0200", None),
        ("9999-12-31 23:59:59 -0200", None),
        ("2026-02-30 10:00:00 UTC", None),
        ("01.03.2026 10:00", None),
        ("3", None),
        ("-1", None),
        ("nan", None),
        ("Infinity", None),
        ("2026\0", None),
        ("9" * 5000, None),
        ("", None),
        (b"\xff", None),
    ],
)
def test_timestamp(tmp_path, text, kept):
    put(tmp_path, "chap.ipynb", ANSWERED)
    put(tmp_path, "timestamp.txt", text)
    (one,) = found(tmp_path)
    assert one.timestamp == kept
    undated = "timestamp.txt: not a date as 2026-10-01 23:59 UTC, the submission counts as undated"
    assert one.repairs == (() if kept else (undated,))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("2026-10-01 23:59:00.000000 CEST", "2026-10-01 21:59:00 UTC"),
        ("2026-12-01 23:59:00.000000 CET", "2026-12-01 22:59:00 UTC"),
        ("2026-10-01 23:59:00.000000 EDT", "2026-10-02 03:59:00 UTC"),
        ("2026-10-01 23:59 AEST", "2026-10-01 13:59:00 UTC"),
        ("2026-10-01 23:59 GMT", "2026-10-01 23:59:00 UTC"),
        ("2026-10-01 23:59Z", "2026-10-01 23:59:00 UTC"),
        ("2026-10-01 23:59 +02:00", "2026-10-01 21:59:00 UTC"),
        ("2026-10-01 23:59:00 +0200", "2026-10-01 21:59:00 UTC"),
        ("2026-10-01 23:59:00-0500", "2026-10-02 04:59:00 UTC"),
        ("2026-10-01 23:59", "2026-10-01 23:59:00 UTC"),  # as nbgrader takes it
    ],
)
def test_the_letters_of_a_zone_in_a_timestamp_are_that_zone(tmp_path, text, kept):
    put(tmp_path, "chap.ipynb", ANSWERED)
    put(tmp_path, "timestamp.txt", text)
    (one,) = found(tmp_path)
    assert (one.timestamp, one.repairs) == (kept, ())


@pytest.mark.parametrize(
    ("machine", "text", "kept"),
    [
        ("Asia/Kolkata", "2026-10-01 23:59 IST", "2026-10-01 18:29:00 UTC"),
        ("Europe/Dublin", "2026-10-01 23:59 IST", "2026-10-01 22:59:00 UTC"),
        ("America/Los_Angeles", "2026-12-01 23:59 PST", "2026-12-02 07:59:00 UTC"),
        ("Europe/Vienna", "2026-10-01 23:59 IST", None),
        ("America/Los_Angeles", "2026-07-01 23:59 PST", None),  # there it was PDT
        ("UTC", "2026-10-01 23:59 XYZ", None),
    ],
)
def test_letters_that_mean_several_zones_are_those_of_the_machine_or_none(tmp_path, monkeypatch, machine, text, kept):
    monkeypatch.setenv("TZ", machine)
    time.tzset()
    put(tmp_path, "chap.ipynb", ANSWERED)
    put(tmp_path, "timestamp.txt", text)
    try:
        (one,) = found(tmp_path)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert one.timestamp == kept
    assert bool(kept) != ("write as 2026-10-01 23:59 +02:00" in "".join(one.repairs))


def test_a_fingerprint_changes_with_whatever_counts_and_with_nothing_else(tmp_path):
    put(tmp_path, "chap.ipynb", ANSWERED)
    folder = tmp_path / "submitted/ada/chap"
    seen = [fingerprint(folder)]
    put(tmp_path, "data.csv", "1,2")
    assert fingerprint(folder) == seen[0]
    for name, content in [("chap.ipynb", make({})), ("timestamp.txt", "2026-03-01"), ("b.ipynb", "{}")]:
        put(tmp_path, name, content)
        seen.append(fingerprint(folder))
    assert len(set(seen)) == 4


def test_one_bad_submission_does_not_stop_the_others(tmp_path):
    put(tmp_path, "chap.ipynb", b"{", student="ada")
    put(tmp_path, "chap.ipynb", ANSWERED, student="ben")
    ada, ben = found(tmp_path)
    assert ada.repairs and not ben.repairs and ben.student == "ben"


def test_no_submissions_is_one_line(tmp_path):
    with pytest.raises(CourseError, match="no submissions"):
        submissions("chap", tmp_path)


def test_the_sample_class_is_found_whole(tmp_path):
    """All right answers of the sample class arrive, whatever damage the notebook has."""
    if not paths.source_notebook("01_spam").is_file():
        from autograder.authoring.build import build

        build("01_spam")
    whole = [sample_class.finn_copied_cell, sample_class.gina_deleted_check, sample_class.hugo_renamed_file]
    sample_class.make(tmp_path, (*whole, sample_class.max_no_labels))
    template = nbformat.read(paths.release_notebook("01_spam"), as_version=4)
    solutions = sample_class.Material().solutions
    for folder in submissions("01_spam", tmp_path):
        one = collect(folder, template)
        made = sources(one.notebook)
        assert {i: made[i] for i in solutions} == solutions
        assert one.repairs


def test_the_instructors_notebook_is_its_own_rebuild():
    nb = to_notebook(read(paths.source_text("01_spam")))
    made, told = rebuild(nb, nb)
    assert sources(made) == sources(nb) and told == []


def test_names_that_nbgrader_would_take_for_patterns_are_replaced_and_stay_apart(tmp_path):
    names = [
        "Smith [1]",
        "Smith _1_",
        "Smith *1?",
        "Smith ]1[",
        "Smith\x1b[2J",
        "x" * 200,
        "x" * 201,
        "\udcff",
        "\udcfe",
    ]
    made = {student_id(tmp_path / name / "chap") for name in names}
    assert len(made) == len(names) and student_id(tmp_path / "ada" / "chap") == "ada"
    for name in made:
        assert not set("[]*?\x1b") & set(name) and len(name) <= 128
        name.encode()
