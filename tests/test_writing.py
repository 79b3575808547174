"""A GPT that writes with the student's cache: helpers.chapters.transformers.writing."""

import pytest
import torch

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers import writing
from helpers.course import artifacts
from helpers.models.gpt import GPT, model_of


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


@pytest.fixture
def model():
    return writing.small_gpt(30, 12, 12, 2, 3)


def greedy(logits, ids):
    return logits[1:].argmax() + 1  # never the end


def test_the_cache_changes_nothing_and_the_context_is_the_limit(chapter, model):
    slow, fast = (write(model, [3, 4], greedy, 99) for write in (writing.anew, chapter["generate"]))
    assert slow == fast and len(fast) == 12 and fast[:2] == [3, 4]
    torch.testing.assert_close(writing.log_probs(model, fast).exp().sum(), torch.tensor(1.0))


def test_a_sample_counts_different_tokens(chapter, model):
    tokenizer = artifacts.load_tokenizer(own=False)

    def choose(logits, ids):
        return 22 + len(ids) % 2

    text, different = writing.sample(model, chapter["generate"], tokenizer, [20, 21], choose, 4, 0)
    assert text == tokenizer.decode([20, 21, 22, 23, 22, 23]) and different == 0.5


def test_the_report_on_the_cache(chapter, model):
    first, second = writing.cache_gain(model, chapter["generate"], [3, 4], 6, 0).split("\n")
    assert first.endswith("the same text: True") and second.startswith("8 tokens: ")


def test_what_a_check_is_told_of_writing(chapter):
    told = writing.written(chapter["generate"], (9, 12, 8, 2, 2), [1, 2], 5)
    assert told["once"] and not told["graph"] and told["seen"] == [2, 3, 4, 5, 6] and len(told["ids"]) == 7
    assert not writing.written(lambda *run: writing.anew(*run[:4]), (9, 12, 8, 2, 2), [1, 2], 9)["once"]


def test_the_chapters_gpt_is_the_librarys_with_the_students_forward_pass(chapter):
    artifact = artifacts.load("docs-gpt", own=False)
    yours, library = model_of(artifact, chapter["GPT"]), model_of(artifact)
    ids = torch.randint(8192, (1, 20), generator=torch.Generator().manual_seed(0))
    assert type(yours).forward is not GPT.forward and not yours.training
    torch.testing.assert_close(yours(ids), library(ids), rtol=1e-3, atol=1e-3)
