"""Chapter 03's writer beside counting, over how much text both have read, in bits per character of unread text.

python -m pytest tests/benchmarks/test_characters_by_size.py -s -k plays          (or docs)

Plays: one, two and four eighths of the chapter's text, and all of it. The network is the chapter's, trained by its
exercise `loop` for 2.75 passes through the text, as there (x1), and anew for three and nine times as many. Docs: one
and eight million characters of the documentation, read in 4,050 steps. Which of the lengths and of the n-grams counts
is chosen on the half of the validation part that is not judged. A step takes 80 ms of one idle core, and a length of
the plays 168 steps for each eighth.
What it prints stands in solutions/measured.json, as claims with this command, and in the chapter's recorded.json.
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
STEPS = 4050  # that read the docs
ORDERS = range(3, 9)  # of the n-grams
JUDGED = 111_540  # characters of the docs to choose and to judge by, as many as of the plays


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


def trained(text: Text, steps: int, train) -> tuple[float, float]:
    """Return the bits per character of the chapter's writer on the text to choose by and on the unread one."""
    read = CharacterText(text, steps)
    model, evaluations, _ = train_writer(read, "\n", None, train, length=0)
    return read.bits(model, read.choosing), evaluations[-1][1]


@pytest.fixture(scope="module")
def train():
    """The loop of the chapter's model answer."""
    return definitions(paths.source_text("03_rnns"))["train"]


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("eighths", [1, 2, 4, 8], ids="{}of8".format)
@pytest.mark.parametrize("times", [1, 3, 9], ids="x{}".format)
def test_plays(times, eighths, seed, train, monkeypatch):
    if times * eighths > 24:
        pytest.skip("longer than three times the chapter's run")
    monkeypatch.setattr(characters, "SEED", seed)
    plays = data.load("tiny_shakespeare")
    text = Text({"train": part(plays.train, len(plays.train) * eighths // 8), "valid": plays.valid}, plays.card)
    order, counting = counted(CharacterText(text, 0))
    print(f"\nplays, {len(text.train):,} characters: {order}-grams {counting:.4f}", flush=True)
    steps = round(times * PASSES * len(text.train) / CharacterText(text, 0).per_step)
    choosing, bits = trained(text, steps, train)
    print(f"LSTM, {steps} steps: {bits:.4f} (on the text to choose by {choosing:.4f})")
    what = f"Minus bits per character of the plays, {eighths}/8 of them read {times * PASSES} times"
    claim(f"{what}: LSTM above the best n-gram", -bits, -counting)


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("millions", [8, 1])
def test_docs(millions, seed, train, monkeypatch):
    monkeypatch.setattr(characters, "SEED", seed)
    docs = data.load("docs_text")
    text = Text({"train": part(docs.train, millions * 10**6), "valid": part(docs.valid, JUDGED)}, docs.card)
    order, counting = counted(CharacterText(text, 0))
    print(f"\ndocs, {len(text.train):,} characters: {order}-grams {counting:.4f}", flush=True)
    bits = trained(text, STEPS, train)[1]
    what = f"Minus bits per character of the docs, {millions} million read"
    claim(f"{what}: LSTM above the best n-gram", -bits, -counting)
