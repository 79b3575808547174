"""Pictures pasted into essays: each text has its own, what is no small PNG stays out, and nobody smuggles one in."""

import base64

import nbformat
import pytest
from test_outputs import coded, part, picture

from autograder import cell_marks, paths
from autograder.gradebook import graded_notebook
from autograder.submissions.collect import collect
from autograder.submissions.markup import shown
from autograder.submissions.outputs import MAX_PICTURES
from autograder.submissions.pictures import pasted

CHAPTER = "01_spam"
TEMPLATE = nbformat.read(paths.release_notebook(CHAPTER), as_version=4)
ESSAYS = [c.id for c in TEMPLATE.cells if cell_marks.from_metadata(c) == "essay"]
NAMED = "see ![image.png](attachment:image.png)"


def cell(data: object, source: object = NAMED, name: str = "image.png", kind: str = "image/png") -> dict:
    return {"cell_type": "markdown", "source": source, "attachments": {name: {kind: data}}}


def text_and_pictures(*cells: object) -> tuple[list[str], list[str]]:
    """Return what is shown of the cells' texts, and the pictures that were kept."""
    notebook, found = pasted({"cells": list(cells)})
    return [shown(c["source"], found) for c in notebook["cells"]], list(found.values())


def test_two_cells_have_their_own_pictures_of_one_name():
    small, large = coded(picture(2)), coded(picture(3))
    texts, kept = text_and_pictures(cell(small), cell(large, source=["see ", "![x](attachment:image.png)"]))
    assert kept == [small, large]
    assert [small in text for text in texts] == [True, False] and [large in text for text in texts] == [False, True]
    assert all(text.count("<img ") == 1 and "\n" not in text for text in texts)


def test_a_name_with_a_blank_in_it_is_found():
    texts, _ = text_and_pictures(cell(coded(picture()), source="![a](attachment:my%20plot.png)", name="my plot.png"))
    assert "<img " in texts[0]


def test_what_is_written_into_a_picture_stays_out():
    texts, kept = text_and_pictures(cell(coded(picture(2, 2, part(b"tEXt", b"Comment\0<script>")))))
    assert kept == [coded(picture())] and "<img " in texts[0]


@pytest.mark.parametrize(
    "data",
    [
        coded(b"<svg onload='alert(1)'/>"),
        coded(picture(5_000)),
        "x" * 3_000_000,
        "no base64",
        ["a", 3],
        None,
        3,
        {"a": 1},
    ],
)
def test_what_is_no_small_picture_is_told_in_words(data):
    texts, kept = text_and_pictures(cell(data))
    assert kept == [] and "<img" not in texts[0] and "[picture: image.png]" in texts[0]


@pytest.mark.parametrize("kind", ["image/svg+xml", "text/html", "image/gif"])
def test_another_kind_is_told_in_words(kind):
    texts, kept = text_and_pictures(cell(coded(picture()), kind=kind))
    assert kept == [] and "<img" not in texts[0]


@pytest.mark.parametrize("notebook", [None, 3, [], {}, {"cells": 3}, {"cells": [None, 3, {"attachments": []}]}])
def test_what_is_no_notebook_is_left_alone(notebook):
    assert pasted(notebook) == (notebook, {})


@pytest.mark.parametrize("attached", [3, {"image.png": 3}, {"image.png": {"image/png": 3}}, {3: {}}, {"": {}}])
@pytest.mark.parametrize("source", [3, None, [3], NAMED])
def test_odd_attachments_cost_nobody_a_page(attached, source):
    notebook, found = pasted({"cells": [{"cell_type": "markdown", "source": source, "attachments": attached}]})
    assert found == {} and len(notebook["cells"]) == 1


def test_all_pictures_of_a_notebook_are_bounded():
    raw = [picture(2, 2, part(b"IDAT", bytes([n]) * 440_000)) for n in range(8)]
    _, kept = text_and_pictures(*(cell(coded(one)) for one in raw))
    assert 0 < len(kept) < 8 and sum(map(len, kept)) <= MAX_PICTURES


def test_a_mark_that_somebody_types_is_text():
    typed = f"[pasted {'0' * 64}] <img src=x onerror=alert(1)> ![x](https://x.org/x.png) ![y](data:image/png;base64,AA)"
    texts, _ = text_and_pictures({"cell_type": "markdown", "source": typed})
    assert "<img" not in texts[0] and f"[pasted {'0' * 64}]" in texts[0]


def test_formgraders_notebook_has_the_picture_of_an_essay(tmp_path):
    notebook = nbformat.from_dict(TEMPLATE)
    for essay, width in zip(ESSAYS, (2, 3), strict=True):
        mine = next(c for c in notebook.cells if c.id == essay)
        mine.source, mine.attachments = NAMED, {"image.png": {"image/png": coded(picture(width))}}
    folder = tmp_path / "submitted/ada" / CHAPTER
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{CHAPTER}.ipynb")
    one = collect(folder, TEMPLATE)
    assert sorted(one.pictures.values()) == sorted([coded(picture(2)), coded(picture(3))])
    texts = {c.id: shown(c.source, one.pictures) for c in one.notebook.cells if c.id in ESSAYS}
    graded_notebook.harmless(one.notebook, texts)
    for essay, width in zip(ESSAYS, (2, 3), strict=True):
        source = next(c for c in one.notebook.cells if c.id == essay).source
        assert base64.b64decode(source.partition("base64,")[2].partition('"')[0]) == picture(width)
