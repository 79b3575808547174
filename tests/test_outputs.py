"""What stood below show cells: text and pictures are kept, whatever acts, hides or is too large is not."""

import base64
import zlib

import nbformat
import pytest

from autograder import cell_marks, paths
from autograder.execution import results
from autograder.gradebook.graded_notebook import autograded
from autograder.jobs import Job, JobLimits
from autograder.submissions import outputs as module
from autograder.submissions.outputs import outputs, png

TEMPLATE = nbformat.read(paths.release_notebook("01_spam"), as_version=4)
SHOW = [c.id for c in TEMPLATE.cells if cell_marks.from_metadata(c) == "show"]


def part(kind, body):
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def picture(width=2, height=2, *more):
    """A grey PNG, with other parts before its end."""
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    rows = zlib.compress(b"\0" + b"\x80" * min(width, 9)) * 1
    return module.SIGNATURE + part(b"IHDR", header) + b"".join(more) + part(b"IDAT", rows) + part(b"IEND", b"")


def shown(*data, cell=SHOW[0]):
    found = [{"output_type": "display_data", "data": one} for one in data]
    return outputs({"cells": [{"id": cell, "cell_type": "code", "source": "", "outputs": found}]}, TEMPLATE)


def coded(raw):
    return base64.b64encode(raw).decode()


def test_text_and_a_picture_are_kept_and_shown_as_handed_in():
    found = shown({"image/png": coded(picture())}, {"text/plain": ["F1 0.9\n", "\x1b[31mred"]})
    assert found == {SHOW[0]: [{"png": coded(picture())}, {"text": found[SHOW[0]][1]["text"]}]}
    assert "\x1b" not in found[SHOW[0]][1]["text"]
    notebook = nbformat.from_dict(TEMPLATE)
    result = results.new(
        Job(chapter="01_spam", student="ada", hash="x", secret="", limits=JobLimits(cell=60, total=600), cells=()),
        checks=[_check(c) for c in TEMPLATE.cells if cell_marks.from_metadata(c) == "check"],
    )
    made = autograded(notebook, result, handed_in=found)
    below = next(c for c in made.cells if c.id == SHOW[0]).outputs
    assert "not run when grading" in below[0].text and below[1].data["image/png"] == coded(picture())
    assert next(c for c in made.cells if c.id == SHOW[1]).outputs == []


def _check(cell):
    return {"id": cell.id, "status": "judged", "score": 0.0, "report": "", "reason": ""}


def test_a_picture_keeps_what_makes_it_and_nothing_else():
    said = part(b"tEXt", b"Comment\0<script>") + part(b"iCCP", b"x" * 99) + part(b"acTL", b"12345678")
    assert png(picture(2, 2, said) + b"<script>") == picture()


@pytest.mark.parametrize(
    "raw",
    [b"", b"GIF89a", picture()[:-12], picture(100_000, 2), picture(0, 2), picture()[8:], module.SIGNATURE * 3],
    ids=["nothing", "gif", "no end", "too wide", "no width", "no signature", "no parts"],
)
def test_what_is_no_picture_is_left_out(raw):
    assert png(raw) == b"" and shown({"image/png": coded(raw)}) == {}


@pytest.mark.parametrize(
    "data",
    [{"text/html": "<b>x</b>"}, {"image/svg+xml": "<svg/>"}, {"image/png": "no base64!"}, {"image/png": 7}, None, {}],
    ids=str,
)
def test_html_svg_and_broken_data_are_left_out(data):
    assert shown(data) == {}


@pytest.mark.parametrize("submitted", [None, [], {"cells": 3}, {"cells": [None, {"id": [], "outputs": 1}]}], ids=str)
def test_what_is_no_notebook_has_nothing(submitted):
    assert outputs(submitted, TEMPLATE) == {}


def test_only_show_cells_count_and_there_are_limits():
    answer = next(c.id for c in TEMPLATE.cells if cell_marks.from_metadata(c) == "exercise")
    assert shown({"text/plain": "x"}, cell=answer) == {}
    (kept,) = shown(*[{"text/plain": "x" * 3000}] * 50).values()
    assert sum(len(one["text"]) for one in kept) == module.MAX_TEXT
    large = picture(2, 2, part(b"IDAT", bytes(500_000)))
    (kept,) = shown(*[{"image/png": coded(large)}] * 20).values()
    assert 0 < sum(len(one["png"]) for one in kept) <= module.MAX_PICTURES
