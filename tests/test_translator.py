"""The encoder-decoder and its dates: translator and iso_dates of helpers.chapters.transformers."""

import pytest
import torch
from torch import nn

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers.iso_dates import DateCharacters
from helpers.chapters.transformers.translator import Translator

PAIRS = [("3 Feb 2015", "2015-02-03"), ("10.11.1999", "1999-11-10")]


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


@pytest.fixture
def translator(chapter):
    torch.manual_seed(0)
    return Translator(20, 8, 2, 2, chapter["encoder_block"], chapter["decoder_layer"]).eval()


def test_padding_of_the_source_changes_nothing(translator):
    source, target = torch.randint(1, 20, (2, 7)), torch.randint(1, 20, (2, 5))
    padded = nn.functional.pad(source, (0, 4))
    torch.testing.assert_close(translator(padded, target), translator(source, target), rtol=1e-4, atol=1e-4)


def test_the_target_looks_at_the_source_and_not_ahead(translator):
    source, target = torch.randint(1, 20, (1, 7)), torch.randint(1, 20, (1, 5))
    logits, other = translator(source, target), target.clone()
    other[0, 3:] = other[0, 3:] % 19 + 1
    torch.testing.assert_close(translator(source, other)[:, :3], logits[:, :3])
    assert not torch.allclose(translator(source.flip(1), target), logits)


class Knows(nn.Module):
    """A model that writes one target, whatever the source."""

    def __init__(self, target, vocab_size):
        super().__init__()
        self.tokens, self.target = nn.Embedding(vocab_size, 1), target

    def forward(self, source, target):
        follows = self.target[1 : target.shape[1] + 1].expand(len(source), -1)
        return nn.functional.one_hot(follows, self.tokens.num_embeddings).float()


def test_dates_become_characters_and_come_back():
    dates = DateCharacters(PAIRS, PAIRS)
    sources, targets = dates.ids_of(PAIRS)
    assert sources.shape == (2, 40) and targets.shape == (2, 12)
    assert "".join(dates.signs[i] for i in targets[0].tolist()) == "<2015-02-03>"
    assert "".join(dates.signs[i] for i in sources[1].tolist()) == "10.11.1999"
    model = Knows(targets[0], len(dates.signs))
    assert torch.equal(dates.translate(model, sources), targets[[0, 0]])
    report = dates.report(model).splitlines()
    assert report[0].startswith("exactly right: 50.0% of 2 unseen days")
    assert report[2].split() == ["10.11.1999", "2015-02-03", "1999-11-10"]


def test_samples_of_both_splits():
    dates = DateCharacters.sample(30, 5, seed=0)
    assert dates.sources.shape == (30, 40) and len(dates.unseen) == 5
    source, target = dates.batch(0)
    assert len(source) == 64 and target.shape == (64, 12)
    assert source.shape[1] == (source != 0).sum(dim=1).max() < 40  # no wider than the longest
