"""Streams and windows of tokens, and language models judged on them: helpers.experiments.transformers.token_windows."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from helpers.course import artifacts
from helpers.experiments.transformers.token_windows import HeldOut, judged_table, random_windows, size, token_stream
from helpers.figures.bits_per_character import bits_per_byte_bars
from helpers.models.packing import END
from helpers.models.tied_lstm import TiedLSTM
from helpers.models.trigrams import Trigrams


@pytest.fixture(scope="module")
def tokenizer():
    return artifacts.load_tokenizer(own=False)


class Even(nn.Module):
    """A model to which all tokens are alike."""

    def __init__(self, vocab_size):
        super().__init__()
        self.zeros = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, token_ids):
        return self.zeros.expand(*token_ids.shape, -1)


def test_documents_become_one_stream(tokenizer):
    documents = [SimpleNamespace(text=text) for text in ("the mean", "an axis", "left out")]
    stream = token_stream(tokenizer, documents, 2)
    assert (stream == END).sum() == 2 and stream[-1] == END
    assert tokenizer.decode(stream[:-1].tolist(), skip_special_tokens=True) == "the meanan axis"


def test_windows_are_runs_of_the_stream():
    rows = random_windows(torch.arange(100), rows=7, length=5)(0)
    assert rows.shape == (7, 5) and (rows.diff(dim=1) == 1).all()


def test_losses_of_a_model_that_knows_nothing(tokenizer):
    held_out = HeldOut(tokenizer, torch.arange(20, 43), length=10)
    losses = held_out.losses(Even(50))
    assert losses.shape == (18,) and losses.mean().item() == pytest.approx(np.log(50))
    assert held_out.text == tokenizer.decode(list(range(21, 30))) + tokenizer.decode(list(range(31, 40)))


def test_trigrams_predict_the_same_tokens(tokenizer):
    stream = torch.arange(20, 40).repeat(3)
    held_out = HeldOut(tokenizer, stream, length=10)
    losses = held_out.losses(Trigrams(stream.numpy(), 50))
    assert losses.shape == (54,) and losses[1:9].mean() < 1.5 < np.log(50)


def test_the_worst_model_comes_first():
    lstm, trigrams = TiedLSTM(9, 4), Trigrams(np.arange(9), 9)
    assert lstm(torch.zeros(2, 3, dtype=torch.long)).shape == (2, 3, 9)
    assert size(trigrams) == 9 + 8 + 7 and size(lstm) == 9 * 4 + 2 * 4 * 4 * 4 + 2 * 4 * 4
    scores = {"lstm": (12.0, 2.0), "trigrams": (20.0, 3.0)}
    lines = judged_table({"lstm": lstm, "trigrams": trigrams}, scores).splitlines()
    assert [line.split()[0] for line in lines] == ["model", "trigrams", "lstm"]
    assert lines[1].split()[1:] == ["24", "20.0", "3.000"]
    assert "lstm 2.00, trigrams 3.00" in bits_per_byte_bars(scores)[1]
