"""MiniLM with LoRA in its upper layers: what it computes, how it learns, and that it can be taken off again."""

import numpy as np
import pytest
import torch

from autograder import paths
from autograder.authoring.source import definitions
from helpers import pretrained
from helpers.chapters.lora import few_labels
from helpers.search.task import Task

TEXTS = [
    "book a table for two",
    "what is the weather in rome today",
    "reserve a seat at the restaurant",
    "will it rain",
]
LABELS = np.array([0, 1, 0, 1])


@pytest.fixture(scope="module")
def names():
    return definitions(paths.source_text("09_lora"))


@pytest.fixture(scope="module")
def adapted(names):
    def with_lora(body):
        return names["put_lora"](body, 2, 4, targets=few_labels.LINEAR)

    return few_labels.Adapted(pretrained.load(), with_lora, steps=2)


def test_both_parts_of_the_encoder_give_its_own_vectors(adapted):
    whole = adapted.encoder.encode(TEXTS)
    np.testing.assert_allclose(adapted.encode(TEXTS), whole, atol=1e-5)
    np.testing.assert_allclose(adapted.encode(TEXTS, adapted.upper), whole, atol=1e-5)


def test_a_new_adapter_changes_no_vector(adapted):
    body = adapted.put_lora(few_labels.copy.deepcopy(adapted.upper))
    np.testing.assert_allclose(adapted.encode(TEXTS, body), adapted.encode(TEXTS), atol=1e-5)


def test_it_learns_and_leaves_the_encoder_as_it_was(adapted, names):
    before = {name: p.clone() for name, p in adapted.encoder.model.named_parameters()}
    said = adapted(TEXTS, LABELS, ["a table please", "rain in rome"], seed=0)
    assert said.tolist() == [0, 1]
    assert all(torch.equal(p, before[name]) for name, p in adapted.encoder.model.named_parameters())
    trained = [name for name, p in adapted.model.named_parameters() if p.requires_grad]
    assert all(name == "head" or name.endswith((".A", ".B")) for name in trained)
    layers = 3 * 2  # of rank 2: four of 384 by 384, two of 384 by 1,536 (in either order)
    assert adapted.parameters == layers * (4 * 768 + 2 * 1920) + 2 * 384
    assert any(p.abs().max() > 0 for name, p in adapted.model.named_parameters() if name.endswith(".B"))


def test_a_frozen_body_leaves_the_head_alone_to_learn(adapted):
    alone = few_labels.Adapted(adapted.encoder, few_labels.frozen, steps=2)
    assert alone(TEXTS, LABELS, ["a table please", "rain in rome"], seed=0).tolist() == [0, 1]
    assert alone.parameters == alone.model.head.numel() == 2 * 384
    np.testing.assert_array_equal(alone.encode(TEXTS, alone.model.body), alone.encode(TEXTS, alone.upper))
    assert next(alone.upper.parameters()).requires_grad  # what was frozen is a copy


def test_the_same_seed_gives_the_same_adapter(adapted):
    heads = [adapted.train(TEXTS, LABELS, seed).head.detach() for seed in (3, 3, 4)]
    assert torch.equal(heads[0], heads[1]) and not torch.equal(heads[0], heads[2])


def test_no_more_texts_are_learned_from_than_asked(adapted, names):
    few = few_labels.Adapted(adapted.encoder, adapted.put_lora, steps=1, max_texts=2)
    few.train([*TEXTS, *TEXTS], np.array([0, 0, 0, 0, 0, 0, 0, 0]), seed=0)
    assert len(few.read) <= 2


def test_an_adapter_taken_off_leaves_nothing(adapted, names):
    adapted.train(TEXTS, LABELS, seed=0)
    task = Task(["a", "b"], TEXTS[:2], TEXTS, np.array([0, 1]))
    said = few_labels.forgetting(adapted, task, names["LoRALinear"], names["merge"], names["unmerge"])
    assert "recall@10, as it comes: 1.000" in said and "as before is True" in said


def test_each_pass_takes_every_text_once_and_like_lengths_together():
    torch.manual_seed(0)
    lengths = torch.randint(3, 30, (150,))
    batches = few_labels.by_length(lengths, 6)
    assert sorted(torch.cat(batches[:3]).tolist()) == list(range(150)) and len(batches) == 6
    assert len(few_labels.by_length(lengths[:10], 100)) == few_labels.PASSES  # ten fit into one batch
    assert max(int(lengths[rows].max() - lengths[rows].min()) for rows in batches) < 20
