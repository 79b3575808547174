"""Sentences translated by the layers of chapter 05: helpers.chapters.transformers.captions."""

import pretended_gpu
import pytest
import torch

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers import captions
from helpers.data.dataset import Card
from helpers.data.translations import Translations
from helpers.errors import DataError

PAIRS = [("A dog runs.", "Ein Hund rennt."), ("A man sleeps on a bench.", "Ein Mann schläft auf einer Bank.")]


@pytest.fixture
def data():
    lines = {"train": {"en": [a for a, _ in PAIRS], "de": [b for _, b in PAIRS]}}
    return Translations(lines | {"test": lines["train"]}, "en", "de", Card("multi30k", "Multi30k", "", "", ""))


def greedy(log_probs, width, max_length, end, alpha):
    ids = []
    while len(ids) < max_length and ids[-1:] != [end]:
        ids.append(int(log_probs(ids).argmax()))
    return ids


class Parrot(torch.nn.Module):
    """Says the second sentence, whatever it is asked."""

    def __init__(self, made):
        super().__init__()
        self.tokens, self.said = torch.nn.Embedding(made.vocab_size, 1), made.targets[1]

    def forward(self, source, target):
        """Return logits (1, T, V)."""
        said = torch.tensor([self.said[1 : target.shape[1] + 1]])
        return torch.nn.functional.one_hot(said, len(self.tokens.weight)).float()


def test_a_sentence_survives_its_ids(data):
    made = captions.Captions(data)
    for pair in PAIRS:
        assert [made.text(made.ids(text)) for text in pair] == list(pair)
    source, target = made.batch(0)
    assert len(source) == len(target) == captions.ROWS and set(target[:, 0].tolist()) == {captions.BEGIN}
    assert ((target == captions.END).sum(1) == 1).all() and source.max() < made.vocab_size


def test_a_translation_ends_where_the_model_ends(data):
    made = captions.Captions(data)
    assert made.translate(Parrot(made), "A dog runs.", greedy) == PAIRS[1][1]


def test_the_loss_leaves_padding_out(data):
    made = captions.Captions(data)
    rows = captions.padded([made.sources[1]]), captions.padded([made.targets[1]])
    sure = captions.loss(Parrot(made), rows)
    longer = rows[0], torch.nn.functional.pad(rows[1], (0, 3))

    class Longer(Parrot):
        def forward(self, source, target):
            logits = super().forward(source, target[:, : len(self.said) - 1])
            return torch.nn.functional.pad(logits, (0, 0, 0, target.shape[1] - logits.shape[1]))

    torch.testing.assert_close(captions.loss(Longer(made), longer), sure)


def test_without_steps_or_the_set_it_says_so(monkeypatch):
    assert "nothing was trained" in captions.told(0, None, None, None, 0)

    def missing(name):
        raise DataError("Multi30k is not at hand.", "Ask for it.")

    monkeypatch.setattr(captions, "load", missing)
    assert captions.told(3, None, None, None, 0) == "Multi30k is not at hand. Ask for it."


def test_on_a_gpu_it_learns_and_translates_there(monkeypatch, data):
    """The sizes of a GPU train it, those of the tests do not."""
    monkeypatch.setattr(captions, "load", lambda name: data)
    layers = definitions(paths.source_text("05_transformers"))
    with pretended_gpu.present():
        told = captions.told(1, layers["encoder_block"], layers["decoder_layer"], layers["beam_search"], 0)
    assert "cuda" in told and "theirs: Ein Hund rennt." in told
