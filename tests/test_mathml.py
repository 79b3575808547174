"""Formulas as MathML: every one of the course, what TeX means by the odd ones, and nothing but a formula."""

import random
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import nbformat
import pytest
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder import mathml, paths
from autograder.submissions.markup import shown

PIECES = r"\frac \sqrt _ ^ { } [ ] ' & \\ \begin{cases} \end{cases} \left( \right) \text{<b>} x 12 \, $ < > \q \script"
HOSTILE = [
    "<script>alert(1)</script>",
    r"\text{<img src=x onerror=alert(1)>}",
    r"\href{javascript:alert(1)}{x}",
    r"\mathrm{a\"onload=\"x}",
    r"\begin{array}{<i>} a \end{array}",
    r"\unicode{60}",
    r"\class{x}{y}",
    r"\operatorname{</math><script>}",
]


class Collecting(IPythonRenderer):
    """Keeps the formulas of a text."""

    def __init__(self):
        super().__init__(escape=False)
        self.found: list[tuple[str, bool]] = []

    def inline_math(self, body):
        """Keep one within a line."""
        self.found.append((body, False))
        return ""

    def block_math(self, body):
        """Keep one in a line of its own."""
        self.found.append((body, True))
        return ""


def formulas(chapter: str) -> list[tuple[str, bool]]:
    """Return the formulas of a chapter's texts."""
    renderer = Collecting()
    for cell in nbformat.read(paths.release_notebook(chapter), as_version=4).cells:
        if cell.cell_type == "markdown":
            MarkdownWithMath(renderer=renderer).render(cell.source)
    return renderer.found


@pytest.mark.parametrize("chapter", paths.chapters())
def test_every_formula_of_the_course_is_one(chapter):
    found = formulas(chapter)
    assert len(found) > 15
    for tex, display in found:
        made = mathml.formula(tex, display)
        assert made.startswith("<math"), tex
        assert {element.tag for element in ElementTree.fromstring(made).iter()} <= mathml.TAGS, tex


@pytest.mark.parametrize(
    ("tex", "made"),
    [
        (r"\frac{a}{b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"\tfrac23", "<mfrac><mn>2</mn><mn>3</mn></mfrac>"),
        ("x_i^2", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        ("x^{10}", "<msup><mi>x</mi><mn>10</mn></msup>"),
        ("f'", "<msup><mi>f</mi><mo>′</mo></msup>"),
        (r"\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        (r"\mathbb{R}^n", "<msup><mi>ℝ</mi><mi>n</mi></msup>"),
        (r"\text{if } x", "<mtext>if </mtext><mi>x</mi>"),
        (r"\left. x \right|", "<mrow></mrow><mi>x</mi><mo>|</mo>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
    ],
)
def test_what_tex_means(tex, made):
    assert mathml.formula(tex) == f'<math display="inline">{made}</math>'


def test_limits_stand_below_in_a_line_of_its_own():
    assert "<munder>" in mathml.formula(r"\max_i x_i", display=True)
    assert "<msub>" in mathml.formula(r"\max_i x_i")


@pytest.mark.parametrize(
    "tex",
    ["", "}", "{", "x^2^3", r"\frac{a}", r"\no", r"\begin{cases} a", "a & b }", "^", "{" * 100_000, r"\frac" * 900],
)
def test_what_is_not_known_is_shown_as_it_was_typed(tex):
    made = mathml.formula(tex)
    assert made.startswith("<code>$") or "<mrow></mrow>" in made or made == '<math display="inline"></math>'
    assert ElementTree.fromstring(made) is not None


class Seen(HTMLParser):
    """What a browser would see."""

    def __init__(self):
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag, attrs):
        """Keep a tag and the names of its attributes."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def seen(page: str) -> Seen:
    """Return what is in some HTML."""
    found = Seen()
    found.feed(page)
    return found


def random_tex(seed: int) -> str:
    """Return pieces of TeX and HTML in any order."""
    draw = random.Random(seed)
    return "".join(draw.choices(PIECES.split(" "), k=draw.randint(1, 30)))


def test_nothing_that_is_typed_is_a_tag():
    allowed = {name for names in mathml.ATTRIBUTES.values() for name in names}
    for tex in [*HOSTILE, *map(random_tex, range(3_000))]:
        found = seen(mathml.formula(tex))
        assert found.tags <= {*mathml.TAGS, "code"} and found.attributes <= allowed, tex
        page = seen(shown(f"an essay with ${tex}$ in it"))
        assert not page.tags & {"script", "img", "i", "b"} and not page.attributes - {*allowed, "class"}, tex


def test_a_formula_in_an_essay_is_one_and_a_price_is_none():
    made = shown("the loss $L = \\frac{1}{n}$ and\n\n$$x^2$$\n\ncosts $5 or $6")
    assert made.count("<math") == 2 and 'display="block"' in made and "$5 or $6" in made
    assert not re.search(r"\n", made)
