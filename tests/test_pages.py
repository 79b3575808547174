"""The pages that go with all chapters: released as they are, and true to the last digit."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.special import softmax

from autograder import paths
from autograder.authoring import pages

MISPRINTS = paths.SOLUTIONS / "pages" / "misprints.md"
SCORES, VALUES = np.array([[-6.0, -3], [4, 2]]), np.array([[2.0, -5], [-1, 1]])
DOCUMENTS = {"spring": (1, 1, 0), "flowers": (2, 0, 0), "bounce": (0, 1, 0), "ball": (0, 1, 2)}
DOCUMENTS |= {"game": (0, 0, 2), "like": (3, 3, 2), "person": (3, 3, 3)}


def attention(scale: float) -> str:
    """The exercise's output, as the page prints it."""
    rows = softmax(SCORES * scale, axis=-1) @ VALUES
    return " and ".join(f"({a:.4f}, {b:.4f})" for a, b in rows)


def flowers() -> int:
    counts = np.array(list(DOCUMENTS.values()))
    return int((counts @ counts.T)[list(DOCUMENTS).index("flowers")].sum())


def bert_large() -> float:
    """Millions: embeddings with their norm, 24 layers of attention, feed-forward and two norms, the pooler."""
    d, layers = 1024, 24
    embeddings = (30522 + 512 + 2) * d + 2 * d
    layer = 4 * (d * d + d) + (d * 4 * d + 4 * d) + (4 * d * d + d) + 4 * d
    return (embeddings + layers * layer + d * d + d) / 1e6


def gpt_3() -> float:
    """Billions: tied token embeddings, positions, 96 layers, the last norm."""
    d, layers = 12288, 96
    return ((50257 + 2048) * d + layers * (12 * d * d + 13 * d) + 2 * d) / 1e9


def wordpiece(pair: tuple[str, str]) -> float:
    words = [["r", "#a", "#w"], ["h", "#o", "#w"], ["h", "#o", "#w"], ["w", "#o", "#w"], ["w", "#o", "#w"]]
    words.append(["w", "#h", "#o"])
    together = sum((a, b) == pair for word in words for a, b in pairwise(word))
    return together / np.prod([sum(word.count(piece) for word in words) for piece in pair])


@pytest.mark.parametrize(
    "text",
    [
        f"{np.log10(2 / 3):.4f}: every shared word",
        f"sums to 19 | {flowers()};",
        f"the output is {attention(1 / 2)} |",
        f"| {attention(2**-0.5)} |",
        f"its score is {wordpiece(('h', '#o')):.1f}, as is that of (a, w); (r, a) with {wordpiece(('r', '#a')):.0f}",
        f"{bert_large():.1f} M by the formula",
        f"{gpt_3():.1f} B by the formula",
    ],
)
def test_the_page_prints_what_comes_out(text):
    assert text in MISPRINTS.read_text(encoding="utf-8")


def test_students_get_the_pages_as_they_are_written():
    names = {"START.ipynb", "map.svg", "notation.md", "misprints.md", "bring_your_own_model.md"}
    assert {page.name for page in pages.pages()} == names
    assert all(pages.release_pages(check=True).values())


def test_a_stale_page_is_found_and_written_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "RELEASE", tmp_path)
    assert not any(pages.release_pages(check=True).values()) and not list(tmp_path.iterdir())
    pages.release_pages()
    assert all(pages.release_pages(check=True).values())
