"""A GPT that writes with the student's cache: helpers.chapters.transformers.writing."""

import pytest
import torch
from torch import nn

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers.writing import Writer, cache_gain
from helpers.course import artifacts
from helpers.models.gpt import GPT, model_of


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


@pytest.fixture
def writer(chapter):
    torch.manual_seed(0)
    model = GPT(vocab_size=30, context_length=12, d_model=12, num_layers=2, num_heads=3).eval()
    for weight in model.parameters():
        nn.init.normal_(weight, std=0.5)
    return Writer(model, 0, *(chapter[name] for name in ("cached_attention", "layer_norm", "feed_forward")))


def greedy(logits, ids):
    return logits[1:].argmax() + 1  # never the end


@torch.no_grad()
def test_a_step_gives_the_models_logits(writer):
    ids, caches = torch.randint(30, (1, 9)), [None, None]
    torch.testing.assert_close(writer.step(ids), writer.model(ids)[:, -1], rtol=1e-4, atol=1e-4)
    writer.step(ids[:, :5], caches)
    torch.testing.assert_close(writer.step(ids[:, 5:], caches), writer.model(ids)[:, -1], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(writer.log_probs(ids[0].tolist()).exp().sum(), torch.tensor(1.0))


def test_the_cache_changes_nothing_and_the_context_is_the_limit(writer):
    (slow, _), (fast, speed) = (writer.write([3, 4], greedy, 99, cached) for cached in (False, True))
    assert slow == fast and len(fast) == 12 and fast[:2] == [3, 4] and speed > 0
    assert len(writer.write([3, 4], greedy, 5)[0]) == 7


def test_a_text_ends_with_the_end(writer):
    ids, _ = writer.write([3], lambda logits, ids: 0 if len(ids) == 4 else 5, 9)
    assert ids == [3, 5, 5, 5, 0]


def test_a_sample_counts_different_tokens(writer):
    tokenizer = artifacts.load_tokenizer(own=False)
    text, different = writer.sample(tokenizer, [20, 21], lambda logits, ids: 22 + len(ids) % 2, 4)
    assert text == tokenizer.decode([20, 21, 22, 23, 22, 23]) and different == 0.5


def test_the_report_on_the_cache(writer):
    first, second = cache_gain(writer, [3, 4], 6).split("\n")
    assert first.endswith("the same text: True") and second.startswith("8 tokens: ")


def test_the_chapters_gpt_is_the_librarys_with_the_students_forward_pass(chapter):
    artifact = artifacts.load("docs-gpt", own=False)
    yours, library = model_of(artifact, chapter["GPT"]), model_of(artifact)
    ids = torch.randint(8192, (1, 20), generator=torch.Generator().manual_seed(0))
    assert type(yours).forward is not GPT.forward and not yours.training
    torch.testing.assert_close(yours(ids), library(ids), rtol=1e-3, atol=1e-3)
