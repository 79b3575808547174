"""Chapter 03's writer beside counting, over how much text both have read, in bits per character of unread text.

python -m pytest tests/benchmarks/test_characters_by_size.py -s -k plays          (or docs)

Plays: an eighth of the chapter's text, a quarter, a half, all of it. The network is the chapter's, trained by its
exercise `loop` for 2.75 passes through the text, as there, then anew for three times as many, for as long as that
helps and takes no more than 4,050 steps. Docs: one and eight million characters of the documentation, 4,050 steps each.
The number of passes and the order of the n-grams are chosen on the half of the validation part that is not judged. A
part of plays or docs takes three to six minutes of one idle core.
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
PASSES, MORE, STEPS = 2.75, 3, 4050  # through the text, at first; how many times as many next; at most
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
@pytest.mark.parametrize("eighths", [8, 1, 2, 4])
def test_plays(eighths, seed, train, monkeypatch):
    monkeypatch.setattr(characters, "SEED", seed)
    plays = data.load("tiny_shakespeare")
    size = len(plays.train) * eighths // 8
    text = Text({"train": part(plays.train, size), "valid": plays.valid}, plays.card)
    order, counting = counted(CharacterText(text, 0))
    print(f"\nplays, {len(text.train):,} characters: {order}-grams {counting:.4f}", flush=True)
    tried, passes = {}, PASSES
    per_pass = len(text.train) / CharacterText(text, 0).per_step
    while passes * per_pass <= STEPS:
        tried[passes] = trained(text, round(passes * per_pass), train)
        print(f"  LSTM, {passes} passes: {tried[passes][1]:.4f} (to choose by {tried[passes][0]:.4f})", flush=True)
        if passes != min(tried, key=tried.get):
            break
        passes *= MORE
    best = min(tried, key=tried.get)
    what = f"Minus bits per character of the plays, {eighths}/8 of them read"
    claim(f"{what}: LSTM at its best length above the best n-gram", -tried[best][1], -counting)
    claim(f"{what}: LSTM at its best length above {PASSES} passes", -tried[best][1], -tried[PASSES][1])


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
