"""The build: what the student edition holds, and what it must never hold."""

import ast
import json
import os
import re

import nbformat
import pytest

from autograder import cell_marks, paths
from autograder.authoring.build import build, fresh, release, to_notebook
from autograder.authoring.importer import import_notebook, read_notebook, to_text, write_source
from autograder.authoring.source import SourceError, read

CHAPTERS = paths.chapters()

GOOD = '''# %% [markdown]
# # Title

# %% given
import math

# %% exercise="half"
def half(x):
    """Return half of x."""
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION

# %% check="half" points=90

# %% show
STEPS = 300  ### small: 60; gpu: 3000
print(half(STEPS))

### BEGIN CLAIMS
print("claimed")
### END CLAIMS

# %% [markdown] essay="why" points=10
# ### BEGIN SOLUTION
# Because.
# ### END SOLUTION
# ### BEGIN MARK SCHEME
# All or nothing.
# ### END MARK SCHEME
'''
CASES = """from helpers.checks import graded


@graded("half", points=90)
def score(check):
    check(half, 4).equals(2)
    ### BEGIN HIDDEN TESTS
    check(half, 5).equals(2.5)
    ### END HIDDEN TESTS


score
"""

REGION = "    ### BEGIN SOLUTION\n    return x / 2\n    ### END SOLUTION"
STORY, HALF = "chapter.py", "checks/half.py"
FLAGS = {"grade": False, "locked": False, "solution": False, "task": False, "schema_version": 3}


def write(tmp_path, story=GOOD, cases=CASES):
    path = tmp_path / STORY
    path.write_text(story, encoding="utf-8")
    (tmp_path / HALF).parent.mkdir(exist_ok=True)
    (tmp_path / HALF).write_text(cases, encoding="utf-8")
    return path


def test_a_good_source_is_read(tmp_path):
    kinds = [c.kind for c in read(write(tmp_path, GOOD))]
    assert kinds == ["text", "given", "exercise", "check", "show", "essay"]


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ('exercise="half"', 'exercise="other"', f"{STORY}:14", "check 'half' has no exercise"),
        ("# %% given", '# %% given id="half"', f"{STORY}:7", "duplicate id 'half', first used in"),
        ("# %% given", '# %% given id="a b"', f"{STORY}:4", "may hold only letters"),
        ("# %% check", "# %% check\ncheck(half)\n# %% check", f"{STORY}:14", "unknown mark 'check'"),
        ('points=90\n', 'points=90\ncheck(half)\n', f"{STORY}:15", "the cases of 'half' belong in checks/half.py"),
        ('check="half"', 'check="third"', "checks/third.py", "the cases of check 'third' are missing"),
        ("# %% [markdown]\n# # Title", '# %% [markdown] text="quiz"', "quiz.md", "the text 'quiz' is missing"),
        ("# %% [markdown]\n", '# %% [markdown] text="quiz"\n', f"{STORY}:2", "the text of 'quiz' belongs in quiz.md"),
        ('points=10', 'points=5', f"{STORY}:1", "add up to 95, not to 100"),
        ("    ### END SOLUTION\n", "", f"{STORY}:7", "solution region is left open"),
        ("### END CLAIMS\n", "", f"{STORY}:16", "claims region is left open"),
        ("# ### BEGIN MARK SCHEME\n# All or nothing.\n# ### END MARK SCHEME\n", "", f"{STORY}:24", "no ### BEGIN MARK"),
        ("# %% given", "# %% givn", f"{STORY}:4", "unknown mark 'givn'"),
        ("# %% given", '# %% given colour="red"', f"{STORY}:4", "unknown mark 'colour'"),
        ("return x / 2", "return x /", f"{STORY}:11", "does not parse"),
        (REGION, "    pass\n### BEGIN SOLUTION\n### END SOLUTION", f"{STORY}:7", "at top level"),
        ("print(half(STEPS))", "### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS", f"{STORY}:16", "does not belong"),
        ('[markdown] essay', 'essay', f"{STORY}:24", "cannot be a code cell"),
        ("# %% [markdown]\n# # Title", "# Title", f"{STORY}:1", "must start with a cell mark"),
        (REGION, "    return x", f"{STORY}:7", "no ### BEGIN SOLUTION"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_story_is_one_line_with_file_and_line(tmp_path, old, new, place, message):
    assert old in GOOD
    _refused(write(tmp_path, GOOD.replace(old, new, 1)), tmp_path / place, message)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("points=90", "points=80", 1, '@graded("half", points=90)'),
        ("    ### END HIDDEN TESTS\n", "", 1, "hidden tests region is left open"),
        ("\nscore\n", "\n", 1, "must end with the line score"),
        ("check(half, 4).equals(2)", "check(half, 4).equals(math.pi)", 1, "'math', which is neither imported"),
        ("check(half, 5)", "check(half, 5", 8, "does not parse"),
    ],
)
def test_a_mistake_in_the_cases_is_one_line_with_file_and_line(tmp_path, old, new, line, message):
    assert old in CASES
    _refused(write(tmp_path, cases=CASES.replace(old, new, 1)), f"{tmp_path / HALF}:{line}", message)


def test_cases_without_a_check_are_named(tmp_path):
    path = write(tmp_path)
    (tmp_path / "checks" / "old.py").write_text(CASES, encoding="utf-8")
    _refused(path, f"{tmp_path}/checks/old.py:1", "no check of chapter.py has these cases")


def _refused(path, place, message):
    with pytest.raises(SourceError) as error:
        read(path)
    text = str(error.value)
    assert message in text
    assert "\n" not in text
    assert text.startswith(f"{place}:")


def test_sizes_and_claims_are_not_in_the_students_sight_and_come_back(tmp_path):
    show = to_notebook(read(write(tmp_path))).cells[4]
    assert "STEPS = 300\n" in show.source
    assert show.metadata["bow2lora"] == {"small": {"STEPS": "60"}, "gpu": {"STEPS": "3000"}}
    assert cell_marks.sized(show.source, show.metadata["bow2lora"]["gpu"]).startswith("STEPS = 3000\n")
    assert cell_marks.with_sizes(show.source, show.metadata["bow2lora"]).startswith(
        "STEPS = 300  ### small: 60; gpu: 3000"
    )
    assert cell_marks.CLAIMS.sub("", show.source) == "STEPS = 300\nprint(half(STEPS))"


SIZED = "STEPS = 300  ### small: 60; gpu: 3000"
NO_MARKS = ["STEPS = 300  ### gpu: 3000", "STEPS = 300 ### small: 60", "print(300)  ### small: 60", "### TODO"]


@pytest.mark.parametrize("line", NO_MARKS)
def test_a_mark_that_the_build_does_not_know_is_refused(tmp_path, line):
    at = GOOD[: GOOD.index(SIZED)].count("\n") + 1
    _refused(write(tmp_path, GOOD.replace(SIZED, line)), f"{tmp_path}/chapter.py:{at}", "is no mark")


def test_a_size_belongs_in_a_show_cell(tmp_path):
    with pytest.raises(SourceError, match="is no mark; a size of a show cell"):
        read(write(tmp_path, GOOD.replace("import math\n", f"import math\n\n{SIZED}\n")))


def test_three_number_signs_in_a_text_are_no_mark(tmp_path):
    read(write(tmp_path, GOOD.replace(SIZED, SIZED + "\nprompt = '### Question: what?'")))


def test_a_function_called_top_does_not_confuse_the_free_names(tmp_path):
    helper = "    def top(values, k):\n        return sorted(values)[:k]\n\n    check(half, 4).equals(top([2], 1)[0])"
    read(write(tmp_path, cases=CASES.replace("    check(half, 4).equals(2)", helper)))


def test_an_exercise_without_check_is_named(tmp_path):
    with pytest.raises(SourceError, match="exercise 'half' has no check"):
        read(write(tmp_path, GOOD.replace('# %% check="half" points=90\n\n', "")))


def test_a_missing_source_is_one_line(tmp_path):
    with pytest.raises(SourceError, match="there is no such chapter source"):
        read(tmp_path / "nothing.py")


def test_import_writes_the_source_back_to_the_letter(tmp_path):
    write_source(to_notebook(read(write(tmp_path))), write(tmp_path, "old", "old"))
    assert (tmp_path / STORY).read_text(encoding="utf-8") == GOOD
    assert (tmp_path / HALF).read_text(encoding="utf-8") == CASES


def test_a_cell_added_with_the_toolbar_survives_import_and_build(tmp_path):
    nb = to_notebook(read(write(tmp_path, GOOD)))
    flags = {"grade": True, "locked": True, "solution": False, "task": False, "schema_version": 3}
    added = nbformat.v4.new_code_cell(nb.cells[3].source.replace("points=90", "points=2.5"))
    added.metadata["nbgrader"] = flags | {"grade_id": "cell-5f3a", "points": 2.5}
    nb.cells.insert(4, added)
    nb.cells[1].metadata["nbgrader"]["grade_id"] = "imports"
    path = write(tmp_path)
    write_source(nb, path)
    again = to_notebook(read(path, total=None))
    assert (tmp_path / "checks" / "cell-5f3a.py").is_file()
    assert [c.metadata for c in again.cells] == [c.metadata for c in nb.cells]
    assert [c.source for c in again.cells] == [c.source for c in nb.cells]
    assert to_text(again)[0] == path.read_text(encoding="utf-8")


PASTED = nbformat.v4.new_markdown_cell("![](attachment:a.png)", attachments={"a.png": {"image/png": ""}})


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        (nbformat.v4.new_raw_cell("raw"), "cell 6 ('raw'): a chapter has no raw cells"),
        (nbformat.v4.new_code_cell("x = 1\n# %% show\ny = 2"), "cell 6 ('x = 1'): '# %% show' would be read as a mark"),
        (nbformat.v4.new_markdown_cell("text\n%% given\nmore"), "cell 6 ('text'): '%% given' would be read as a mark"),
        (nbformat.v4.new_code_cell("x = 1", metadata={"tags": ["slow"]}), "the tag 'slow' would be lost"),
        (nbformat.v4.new_code_cell("x", metadata={"bow2lora": {"small": {"N": "1"}}}), "sizes of N would be lost"),
        (PASTED, "the picture 'a.png' that was pasted in would be lost"),
        (nbformat.v4.new_code_cell("%time x = 1"), "cell 6 ('%time x = 1'), line 1: '%time x = 1' is a notebook's"),
        (nbformat.v4.new_code_cell("a = 1\nb = !ls"), "cell 6 ('a = 1'), line 2: the cell does not parse"),
        (nbformat.v4.new_code_cell("x", metadata={"nbgrader": FLAGS | {"solution": True}}), "cell 6 ('x'): the id ''"),
        (
            nbformat.v4.new_markdown_cell("x", metadata={"nbgrader": FLAGS | {"task": True}}),
            "has no tasks of nbgrader's",
        ),
    ],
)
def test_import_refuses_what_the_text_cannot_hold_and_leaves_the_source(tmp_path, cell, says):
    source = write(tmp_path, GOOD)
    lines = _told(_edited(tmp_path, lambda cells: cells.insert(5, cell)), source)
    assert says in lines[0]
    assert source.read_text(encoding="utf-8") == GOOD
    assert sorted(p.name for p in tmp_path.rglob("*")) == [STORY, "checks", "edited.ipynb", "half.py"]


def _edited(tmp_path, edit):
    """Write GOOD as a notebook that somebody edited."""
    write(tmp_path)
    nb = to_notebook(read(tmp_path / STORY))
    edit(nb.cells)
    nbformat.write(nb, tmp_path / "edited.ipynb")
    return tmp_path / "edited.ipynb"


def _told(notebook, target):
    """Return the lines with which an import is refused."""
    with pytest.raises(SourceError) as error:
        import_notebook(notebook, target)
    return str(error.value).split("\n")


def _broken(cells):
    cells[1].source += "\n%matplotlib inline\n!ls"
    cells[2].source = cells[2].source.replace("    ### END SOLUTION", "    x = = 1")
    cells[3].source = cells[3].source.replace("\nscore", "")
    cells[3].metadata.nbgrader.points = 80
    cells.insert(0, nbformat.v4.new_raw_cell("raw"))


def test_import_says_all_that_is_in_the_way_in_the_order_of_the_cells(tmp_path):
    notebook = _edited(tmp_path, _broken)
    lines = _told(notebook, tmp_path / "new" / STORY)
    expected = [
        "cell 1 ('raw'): a chapter has no raw cells",
        "cell 3 (given-01), line 2: '%matplotlib inline' is",
        "cell 3 (given-01), line 3: '!ls' is",
        "cell 4 (half): a solution region is left open",
        "cell 4 (half), line 5: the cell does not parse",
        'cell 5 (check-half): the cell must hold @graded("half", points=80)',
        "cell 5 (check-half): check 'half' must end with the line score",
        "7 things to mend; nothing was written",
    ]
    for line, words in zip(lines, expected, strict=True):
        assert line.startswith(f"{notebook}: {words}")
    assert not (tmp_path / "new").exists()


def test_import_counts_lines_as_the_notebook_has_them(tmp_path):
    def edit(cells):
        values = "    check.mistake_values({\n        'x': {1: 2},\n    })\n"
        cells[3].source = cells[3].source.replace("    ### BEGIN HIDDEN", f"{values}    x = = 1\n    ### BEGIN HIDDEN")

    (line,) = _told(_edited(tmp_path, edit), tmp_path / STORY)
    assert "cell 4 (check-half), line 10: the cell does not parse" in line


def _labelled(cell, name, schema, **labels):
    kinds = {"grade": False, "locked": False, "solution": False}
    cell.metadata["nbgrader"] = kinds | {"grade_id": name, "schema_version": schema, "checksum": "1"} | labels
    return cell


def _of_another_author(schema):
    code, text = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    return [
        _labelled(text("# Problem 1"), "intro", schema, locked=True),
        code("%matplotlib inline\nimport numpy as np"),
        _labelled(code("### BEGIN SOLUTION\nx = 3\n### END SOLUTION"), "top", schema, solution=True),
        _labelled(code("assert x == 3"), "test_top", schema, grade=True, locked=True, points=1.0),
        _labelled(code("def double(n):\n    return 2 * n"), "double", schema, solution=True),
        _labelled(code("assert double(2) == 4"), "test_double", schema, grade=True, points=1.0),
        _labelled(text("Why?"), "why", schema, grade=True, solution=True, points=2.0),
        _labelled(code("%%bash\nls -l; fi"), "no-label", schema),
    ]


@pytest.mark.parametrize("schema", [1, 2, 3])
def test_the_notebook_of_another_author_is_told_all_and_what_takes_it_as_it_is(tmp_path, schema):
    notebook = tmp_path / "ps1" / "problem1.ipynb"
    notebook.parent.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=_of_another_author(schema)), notebook)
    lines = _told(notebook, None)
    for words in [
        "cell 1 (intro): a cell of kind given (read-only) cannot be a markdown cell; make it code",
        "cell 2 ('%matplotlib inline'), line 1: '%matplotlib inline' is a notebook's command",
        "cell 3 (top): the solution in 'top' is at top level; put it inside a function",
        "cell 4 (test_top): 'test_top' has no ### BEGIN HIDDEN TESTS",
        'cell 4 (test_top): the cell must hold @graded("top", points=1)',
        "cell 4 (test_top): check 'top' uses 'x'",
        "cell 5 (double): 'double' has no ### BEGIN SOLUTION",
        "cell 6 (test_double): check 'double' must end with the line score",
        "cell 7 (why): 'why' has no ### BEGIN MARK SCHEME",
        "cell 8 (no-label), line 1: '%%bash' is a notebook's command",
    ]:
        assert any(line.startswith(f"{notebook}: {words}") for line in lines), words
    assert lines[-2] == f"{notebook}: {len(lines) - 2} things to mend; nothing was written"
    assert lines[-1].endswith(f"an assignment that others wrote is graded as it is: bow2lora adopt {notebook.parent}/")


def test_import_hides_the_codes_and_line_ends_of_what_it_tells(tmp_path):
    cell = _labelled(nbformat.v4.new_code_cell("x = 1"), "a\nb\x1b[31m", 3, locked=True)
    (line,) = _told(_edited(tmp_path, lambda cells: cells.insert(1, cell)), tmp_path / STORY)
    assert "cell 2 (a b): the id 'a b' may hold only letters" in line


def test_damaged_labels_are_one_line(tmp_path):
    cell = nbformat.v4.new_code_cell("x = 1", metadata={"nbgrader": 3})
    (line,) = _told(_edited(tmp_path, lambda cells: cells.insert(1, cell)), tmp_path / STORY)
    assert "nbgrader's metadata cannot be read" in line


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("folder.py", "folder.py: not a file that ends in .py; name one, as in --to edited.py"),
        ("edited.ipynb", "edited.ipynb: not a file that ends in .py"),
        ("chapter.py/new/x.py", "chapter.py/new/x.py: cannot be written (Not a directory); name another file"),
        (f"new/{'a' * 300}.py", "cannot be written (File name too long)"),
        (None, "edited.ipynb: there is no chapter 'edited' in solutions/"),
    ],
)
def test_a_target_that_cannot_be_written_is_one_line_and_nothing_is_made(tmp_path, target, says):
    notebook = _edited(tmp_path, lambda cells: None)
    (tmp_path / "folder.py").mkdir()
    before = sorted(tmp_path.rglob("*"))
    (line,) = _told(notebook, target and tmp_path / target)
    assert says in line
    assert sorted(tmp_path.rglob("*")) == before


def test_import_makes_the_folders_of_a_target(tmp_path):
    target = tmp_path / "new" / "deep" / STORY
    assert import_notebook(_edited(tmp_path, lambda cells: None), target) == target
    assert sorted(p.name for p in (tmp_path / "new").rglob("*")) == [STORY, "checks", "deep", "half.py"]
    assert target.read_text(encoding="utf-8") == GOOD


def test_older_labels_are_updated_as_nbgrader_does(tmp_path):
    def edit(cells):
        for cell in cells:
            if "nbgrader" in cell.metadata:
                cell.metadata.nbgrader.update(schema_version=2, checksum="1")

    import_notebook(_edited(tmp_path, edit), tmp_path / STORY)
    assert (tmp_path / STORY).read_text(encoding="utf-8") == GOOD


def test_import_takes_away_the_cases_of_a_check_that_is_gone(tmp_path):
    source = write(tmp_path)
    nb = to_notebook(read(source))
    del nb.cells[2:4]
    del nb.cells[2]
    nbformat.write(nb, tmp_path / "edited.ipynb")
    import_notebook(tmp_path / "edited.ipynb", source)
    assert list((tmp_path / "checks").iterdir()) == []
    assert "half" not in source.read_text(encoding="utf-8")


def test_import_refuses_an_empty_notebook(tmp_path):
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "empty.ipynb")
    with pytest.raises(SourceError, match="no cells"):
        import_notebook(tmp_path / "empty.ipynb", tmp_path / "chapter.py")


@pytest.mark.parametrize("content", ["", "{", '{"cells": 3}', "\x00\x01"])
def test_what_is_not_a_notebook_is_one_line(tmp_path, content):
    path = tmp_path / "x.ipynb"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceError) as error:
        read_notebook(path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


@pytest.fixture(scope="module", params=CHAPTERS)
def chapter(request):
    return request.param


@pytest.fixture(scope="module")
def edition(chapter):
    return nbformat.read(paths.release_notebook(chapter), as_version=4)


def test_import_of_a_chapter_is_exact(chapter):
    folder = paths.source_text(chapter).parent
    text, cases, prose = to_text(nbformat.read(build(chapter), as_version=4))
    assert text == paths.source_text(chapter).read_text(encoding="utf-8")
    found = {f"{name}.py": f"{source}\n" for (name, _), source in cases.items()}
    assert found == {path.name: path.read_text(encoding="utf-8") for path in folder.glob("checks/*.py")}
    there = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    assert there == {name: f"{source}\n" for name, source in prose.items()} and set(there) == {"quiz", "further"}


def test_a_chapter_ends_with_five_questions_and_their_answers(edition):
    quiz = next(cell.source for cell in edition.cells if cell.id == "text-quiz")
    assert re.findall(r"(?m)^(\d)\. ", quiz) == list("12345")
    assert quiz.count("<summary>Answer</summary>") == quiz.count("</details>") == 5


def test_the_story_asks_more_than_it_gives(chapter):
    story = paths.source_text(chapter)
    cells = read(story)
    given = [lines_of_code(cell_marks.CLAIMS.sub("", c.source)) for c in cells if c.kind in ("given", "show")]
    solutions = [
        re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", c.source, re.S) for c in cells if c.points == 0
    ]
    assert max(given) <= 30
    assert sum(given) <= 2 * sum(lines_of_code(part) for parts in solutions for part in parts)


def lines_of_code(text):
    return sum(1 for line in text.split("\n") if line.strip() and not line.strip().startswith("#"))


def test_release_gives_the_bytes_that_are_committed(chapter):
    assert release(chapter, check=True)


def test_a_check_is_a_call_of_at_most_five_lines(chapter, edition):
    cells = {c.id: c.source for c in edition.cells if cell_marks.from_metadata(c) == "check"}
    assert max(source.count("\n") + 1 for source in cells.values()) <= 5
    cases = paths.release_notebook(chapter).parent / "checks"
    assert sorted(cells) == sorted(f"check-{path.stem}" for path in cases.iterdir())


def test_no_machinery_is_in_the_students_sight(edition):
    text = "\n".join(c.source for c in edition.cells)
    for word in ("NBVAL", "# fmt", "claim(", "budget(", "grade=", "CLAIMS", "### small", "# noqa"):
        assert word not in text


def test_nothing_hidden_is_in_the_student_edition(chapter, edition):
    text = json.dumps(edition)
    for word in ("BEGIN SOLUTION", "BEGIN MISTAKES", "HIDDEN TESTS", "MARK SCHEME", "check.hidden"):
        assert word not in text
    hidden = set()
    for cell in read(paths.source_text(chapter)):
        for region in ("SOLUTION", "MISTAKES", "HIDDEN TESTS", "MARK SCHEME"):
            found = re.findall(rf"### BEGIN {region}\n(.*?)### END {region}", cell.source, re.DOTALL)
            hidden |= {line.strip() for part in found for line in part.splitlines() if len(line.strip()) > 30}
    shown = {line.strip() for cell in edition.cells for line in cell.source.splitlines()}
    for path in paths.release_notebook(chapter).parent.glob("checks/*.py"):
        shown |= {line.strip() for line in path.read_text(encoding="utf-8").splitlines()}
    given = {line.strip() for c in read(paths.source_text(chapter)) for line in _outside(c.source).splitlines()}
    assert len(hidden) > 100
    assert hidden & shown <= given


def _outside(source):
    """Return what stands outside all regions: a line may stand there, too."""
    return re.sub(r"### BEGIN ([A-Z ]+)\n.*?### END \1", "", source, flags=re.DOTALL)


# Given in `bptt` of chapter 03, whose exercise is the way back.
FORWARD = [
    "h = [0.0]",
    "for value in x:\n    h.append(math.tanh(w * value + u * h[-1] + b))",
    "loss = sum(((state - target) ** 2 for state, target in zip(h[1:], y, strict=True))) / 2",
]


def test_every_stub_is_one_raise(edition):
    stubs = 0
    for cell in edition.cells:
        if cell_marks.from_metadata(cell) == "exercise":
            for node in ast.parse(cell.source).body:
                assert isinstance(node, ast.FunctionDef | ast.ClassDef)
                assert ast.get_docstring(node)
                stubs += 1
                parts = node.body[1:] if isinstance(node, ast.ClassDef) else [node]
                for part in parts:  # a method of a class may call the one above it first
                    begun = [ast.unparse(line) for line in part.body if not _is_text(line)]
                    assert begun[-1] == "raise NotImplementedError()"
                    assert begun[:-1] in ([], ["super().__init__()"], FORWARD)
    assert stubs >= 9


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def test_every_cell_parses_and_has_no_output(edition):
    for cell in edition.cells:
        if cell.cell_type == "code":
            ast.parse(cell.source)
            assert cell.outputs == []
            assert cell.execution_count is None


def test_ids_are_unique_and_metadata_is_schema_3(edition):
    nbformat.validate(edition)
    ids = [c.id for c in edition.cells]
    grade_ids = [c.metadata.nbgrader.grade_id for c in edition.cells if "nbgrader" in c.metadata]
    assert len(ids) == len(set(ids))
    assert len(grade_ids) == len(set(grade_ids))
    assert {c.metadata.nbgrader.schema_version for c in edition.cells if "nbgrader" in c.metadata} == {3}


def test_a_chapter_has_its_points_exercises_essays_and_hints(chapter, edition):
    cells = read(paths.source_text(chapter))
    exercises = [c.name for c in cells if c.kind == "exercise"]
    assert 9 <= len(exercises) <= 15
    assert sum(c.points for c in cells if c.kind == "check") == 80
    assert sum(c.points for c in cells if c.kind == "essay") == 20
    text = "\n".join(c.source for c in edition.cells if c.cell_type == "markdown")
    for name in exercises:
        part = text[text.index(f"(`{name}`)") :].split("\n## ")[0]
        stars = re.search(r"\d+ minutes, (★{1,3}), \d+ points", part)[1]
        hints = re.findall(r"<summary>(Plan|Hint)", part)  # other folds may stand above them
        assert 1 <= hints.count("Hint") <= 3 or hints == ["Plan"]
        assert hints[0] == "Plan" or stars == "★", name  # the order of the steps comes before names of functions


def test_every_figure_has_an_alt_text(chapter):
    code = [c.source for c in read(paths.source_text(chapter)) if c.cell_type == "code"]
    shown = [source for source in code if "plots.show(" in source]
    assert len(shown) >= 4
    for source in shown:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "plots.show":
                if isinstance(node.args[0], ast.Starred):
                    continue  # a whole figure of helpers.plots brings its own
                words = [part.value for part in ast.walk(node.args[1]) if isinstance(part, ast.Constant)]
                assert len(" ".join(w for w in words if isinstance(w, str)).split()) >= 8


def test_a_source_edited_after_the_clock_was_moved_back_is_built_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "SOLUTIONS", tmp_path / "solutions")
    monkeypatch.setattr(paths, "SOURCE", tmp_path / "build" / "source")
    text = paths.source_text("chapter")
    text.parent.mkdir(parents=True)
    write(text.parent)
    built = fresh("chapter")
    first = built.stat().st_mtime_ns
    assert fresh("chapter") == built and built.stat().st_mtime_ns == first
    write(text.parent, GOOD.replace("# # Title", "# # Other"))
    os.utime(text, (0, 0))
    assert "# Other" in fresh("chapter").read_text(encoding="utf-8")
