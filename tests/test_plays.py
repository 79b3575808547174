"""A text in pieces, judged and written on: helpers.chapters.transformers.plays."""

import numpy as np
import pytest
import torch
from torch import nn

from helpers.chapters.transformers.figures import bits_bars
from helpers.chapters.transformers.plays import Plays, trained


class Text:
    """Stands in for running text in splits."""

    train, valid = "to be or not\nto be\n" * 60, "to be or not\nto be\n" * 40


class Even(nn.Module):
    """A model to which all pieces are alike."""

    def __init__(self, vocab_size):
        super().__init__()
        self.zeros = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, token_ids):
        return self.zeros.expand(*token_ids.shape, -1)


@pytest.fixture(scope="module")
def plays():
    return Plays(Text, 14, length=6, rows=5)


def test_the_text_in_pieces(plays):
    assert plays.tokenizer.get_vocab_size() == 14
    assert plays.tokenizer.decode(plays.stream.tolist()) == Text.train
    assert plays.unread == "to be or not\nto be\n" * 20
    rows = plays.batch(0)
    assert rows.shape == (5, 6) and all(plays.tokenizer.decode(row.tolist()) in Text.train for row in rows)
    assert trained(["a b"], 9).to_str() == trained(["a b"], 9).to_str()


def test_losses_of_a_model_that_knows_nothing(plays):
    losses, told = plays.losses(Even(14))
    assert losses.mean().item() == pytest.approx(np.log(14)) and told in plays.unread
    pieces = len(plays.ids(plays.unread))
    assert pieces - 6 <= len(losses) <= pieces - 3 and len(plays.ids(told)) == len(losses)


def test_longer_runs_count_better(plays):
    bits = plays.counted((1, 2, 3))
    assert list(bits) == ["1-gram", "2-gram", "3-gram"] and bits["1-gram"] > bits["2-gram"]
    assert "1-gram" in bits_bars(bits)[1]


def test_a_page_is_longer_than_what_the_model_sees(plays):
    piece, prompts = plays.ids("to").tolist()[0], []

    def generate(model, prompt, choose, max_new_tokens):
        prompts.append(len(prompt))
        return prompt + [choose(None, prompt)] * min(max_new_tokens, model.context_length - len(prompt))

    model = Even(14)
    model.context_length = 6
    assert plays.page(model, generate, "be", lambda logits, ids: piece, 20) == "be" + "to" * 20
    assert max(prompts) == 3 and len(prompts) > 5
