"""Drawings: what is drawn, that it stays inside its card, and what is said of a mistake in one."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from autograder import paths
from autograder.authoring import figures
from autograder.authoring.drawing import Drawing
from autograder.authoring.source import SourceError, read

SHOWN = "# %% [markdown]\n# ![Two boxes, and an arrow from the left one to the right one]({})\n"
GOOD = """
from autograder.authoring.drawing import Drawing

def draw():
    picture = Drawing(100, "Boxes", "Two boxes and an arrow.")
    picture.box(100, 50, "$x_1$")
    picture.arrow((150, 50), (250, 50))
    return picture
"""


def chapter(folder: Path, drawing: str | None = GOOD, shown: str = SHOWN.format("figures/boxes.svg")) -> Path:
    """Write a chapter of one text cell and one drawing; returns its story."""
    story = folder / "01_try.py"
    story.write_text(shown, encoding="utf-8")
    (folder / "figures").mkdir()
    if drawing is not None:
        (folder / "figures" / "boxes.py").write_text(drawing, encoding="utf-8")
    return story


def drawn(story: Path, target: Path) -> dict[str, bytes]:
    """Draw what a story shows; returns the files by name."""
    figures.draw_all(story, read(story, total=None), target)
    return {path.name: path.read_bytes() for path in (target / "figures").iterdir()}


def test_a_drawing_lies_beside_the_notebook_and_is_the_same_each_time(tmp_path):
    story = chapter(tmp_path)
    made = drawn(story, tmp_path / "built")
    assert list(made) == ["boxes.svg"]
    assert made == drawn(story, tmp_path / "again")
    picture = ElementTree.fromstring(made["boxes.svg"])
    assert "x1" in "".join(picture.itertext()).replace("\u200b", "")


def test_a_drawing_that_is_shown_no_more_goes(tmp_path):
    story = chapter(tmp_path)
    drawn(story, tmp_path / "built")
    story.write_text("# %% [markdown]\n# words\n", encoding="utf-8")
    (tmp_path / "figures" / "boxes.py").unlink()
    assert drawn(story, tmp_path / "built") == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"drawing": None}, r"01_try\.py:\d+: there is no drawing figures/boxes\.py"),
        ({"shown": "# %% [markdown]\n# words\n"}, r"boxes\.py:1: no cell of 01_try\.py shows this drawing"),
        ({"drawing": "def draw():\n    return 1 / 0\n"}, r"boxes\.py:2: ZeroDivisionError"),
        ({"drawing": "def draw():\n    return 'svg'\n"}, r"boxes\.py:1: draw\(\) returned str"),
        ({"drawing": "def draw(:\n"}, r"boxes\.py:1: SyntaxError"),
        ({"shown": SHOWN.format("https://example.org/a.png")}, r"01_try\.py:\d+: a picture is shown as"),
        ({"shown": "# %% [markdown]\n# ![boxes](figures/boxes.svg)\n"}, r"say what figures/boxes\.svg shows"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, change, message):
    with pytest.raises(SourceError, match=message):
        drawn(chapter(tmp_path, **change), tmp_path / "built")


def test_symbols_words_and_numbers_are_text():
    picture = Drawing(200, "All", "Everything there is.")
    picture.text(50, 20, "lru_cache < $d_{model}$ and $W^T$")
    picture.matrix(20, 50, [[1.0, -0.25], [None, "x"]], top=["a", "b"], left=["$q_1$", "2"], note="(2, 2)")
    picture.tokens(200, 60, ["the", "cat"], mark=[1])
    picture.circle(400, 60, "+")
    words = "".join(ElementTree.fromstring(picture.svg()).itertext()).replace("\u200b", "")
    assert "lru_cache < dmodel and WT" in words
    assert all(word in words for word in ("1.00", "-0.25", "q1", "(2, 2)", "the", "cat", "+"))


DRAWINGS = sorted(paths.RELEASE.glob("*/figures/*.svg"))


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_the_drawings_of_the_course_can_be_read(path):
    """A title, a description, letters of 11 pixels or more, and nothing that begins outside the card."""
    picture = ElementTree.fromstring(path.read_bytes())
    name = "{http://www.w3.org/2000/svg}"
    width, height = (float(picture.attrib[side]) for side in ("width", "height"))
    assert picture.find(f"{name}title").text and len(picture.find(f"{name}desc").text) >= 40
    for text in picture.iter(f"{name}text"):
        assert float(text.attrib["font-size"]) >= 11
        assert 0 <= float(text.attrib["x"]) <= width and 0 <= float(text.attrib["y"]) <= height
    assert not re.search(rb"(?:href|src)=|<script", path.read_bytes())
