"""The GPT of chapter 05's plays, trained by AdamW alone and with Muon beside it, and the 5-gram: two of its claims.

python -m pytest tests/benchmarks/test_adamw_alone.py -s

What it prints stands in solutions/measured.json with this command, since the chapter trains only the GPT with Muon.
"""

from functools import partial

import pytest

from autograder import paths
from autograder.authoring.source import definitions
from helpers import data
from helpers.chapters.transformers import muon
from helpers.chapters.transformers.plays import Plays
from helpers.course.claims import claim
from helpers.device import seed_everything

SEEDS = range(5)
STEPS, PEAK = 1500, 4.5e-3
SIZES = {"vocab_size": 1024, "context_length": 64, "d_model": 128, "num_layers": 2, "num_heads": 4}


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


@pytest.fixture(scope="module")
def plays() -> Plays:
    return Plays(data.load("tiny_shakespeare"), vocab_size=SIZES["vocab_size"], length=SIZES["context_length"], rows=16)


def bits_of(chapter, plays: Plays, seed: int, with_muon: bool) -> float:
    """Return the bits per character of a GPT, trained as the chapter trains it, on the unread text."""

    def loss(model, token_ids):
        return chapter["next_token_loss"](model(token_ids), token_ids)

    seed_everything(seed)
    gpt = chapter["GPT"](**SIZES)
    adamw = partial(chapter["adamw_step"], weight_decay=0.1)
    step = muon.beside(adamw, gpt) if with_muon else adamw
    rate = partial(chapter["warmup_cosine"], steps=STEPS, peak=PEAK, warmup=STEPS // 20)
    chapter["train"](gpt, plays.batch, loss, step, STEPS, rate)
    losses, told = plays.losses(gpt)
    return chapter["bits_per_byte"](losses.sum().item(), told)


def test_adamw_alone(chapter, plays):
    counted = plays.counted([5])["5-gram"]
    both = [bits_of(chapter, plays, seed, with_muon=True) for seed in SEEDS]
    alone = [bits_of(chapter, plays, seed, with_muon=False) for seed in SEEDS]
    print("\nMuon beside AdamW", both, "AdamW alone", alone, "5-gram", counted)
    what = "Minus bits per character:"
    minus = [-bits for bits in alone]
    claim(f"{what} Muon beside AdamW above AdamW for everything", [-bits for bits in both], minus)
    claim(f"{what} the 5-gram above a GPT with AdamW for everything", [-counted] * len(SEEDS), minus)
    assert max(both) < counted < min(alone)
