"""Chapter 03's writer beside counting, over how much text both have read, in bits per character of unread text.

python -m pytest tests/benchmarks/test_characters_by_size.py -s -k x1          (or x3)

The text is an eighth of the chapter's, a quarter, a half, all of it. The network is the chapter's, trained by its
exercise `loop` for 2.75 passes through the text, as there (x1), or for three times as many (x3). The order of the
n-grams is chosen on the half of the validation part that is not judged. x1 takes two and a half minutes of one idle
core for the three parts and two for the whole, x3 three times as long.
What x1 prints of the parts and x3 of the whole stands in solutions/measured.json, as claims with their commands, and is
drawn in the chapter from its recorded.json; x1 of the whole is the chapter's own run. The others are not measured yet.
"""

import math

import numpy as np
import pytest

from autograder import paths
from autograder.authoring.source import definitions
from helpers import data
from helpers.chapters.rnns import characters
from helpers.chapters.rnns.characters import CharacterText, train_writer
from helpers.course.claims import claim
from helpers.data.text import Text
from helpers.models.kneser_ney import KneserNey

PIECE = 10_000  # characters that stay together when a part of a text is drawn
PASSES = 2.75  # through the text, in the chapter
ORDERS = range(3, 9)  # of the n-grams


def part(text: str, size: int) -> str:
    """Return pieces of a text drawn at random, in their order: about so many characters in all."""
    pieces = [text[i : i + PIECE] for i in range(0, len(text), PIECE)]
    drawn = np.random.default_rng(0).permutation(len(pieces))[: math.ceil(size / PIECE)]
    return "".join(pieces[i] for i in sorted(drawn))


def counted(text: CharacterText) -> tuple[int, float]:
    """Return the order of the n-grams that is best to choose, and its bits per character on the unread text."""
    read, tried = text.read.numpy(), {}
    for n in ORDERS:
        model = KneserNey(read, len(text.characters), n)
        tried[n] = [model.losses(ids.numpy()).mean() / math.log(2) for ids in (text.choosing, text.unread)]
    best = min(tried, key=lambda n: tried[n][0])
    return best, tried[best][1]


@pytest.fixture(scope="module")
def train():
    """The loop of the chapter's model answer."""
    return definitions(paths.source_text("03_rnns"))["train"]


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("eighths", [1, 2, 4, 8], ids="{}of8".format)
@pytest.mark.parametrize("times", [1, 3], ids="x{}".format)
def test_over_the_size_of_the_text(times, eighths, seed, train, monkeypatch):
    monkeypatch.setattr(characters, "SEED", seed)
    plays = data.load("tiny_shakespeare")
    text = Text({"train": part(plays.train, len(plays.train) * eighths // 8), "valid": plays.valid}, plays.card)
    read = CharacterText(text, round(times * PASSES * len(text.train) / CharacterText(text, 0).per_step))
    order, counting = counted(read)
    print(f"\n{len(text.train):,} characters: {order}-grams with Kneser-Ney {counting:.4f}", flush=True)
    bits = train_writer(read, "\n", None, train, length=0)[1][-1][1]
    print(f"LSTM, {read.steps} steps: {bits:.4f}")
    if times == 1 and eighths < 8:
        what = f"Minus bits per character, {len(text.train):,} characters read"
        claim(f"{what}: the best n-gram with Kneser-Ney above the LSTM", -counting, -bits)
    if times == 3 and eighths == 8:
        what = "Minus bits per character, three times as many steps"
        claim(f"{what}: LSTM above the best n-gram with Kneser-Ney", -bits, -counting)
