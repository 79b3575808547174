"""Untrained stacks, costs, and small models with mistakes: helpers.chapters.transformers."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from helpers.chapters.transformers import costs, depth, mistakes
from helpers.chapters.transformers.figures import depth_panels
from helpers.models.functional import attention, part
from helpers.models.gpt import GPT


def norm(v, weight, bias):
    return F.layer_norm(v, v.shape[-1:], weight, bias)


def feed(x, w1, b1, w2, b2):
    return F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return nn.TransformerEncoderLayer(8, 2, 32, 0.0, "gelu", batch_first=True, norm_first=True)


def test_a_plain_block_is_the_librarys_layer(layer):
    x, p = torch.randn(2, 5, 8), dict(layer.named_parameters())
    torch.testing.assert_close(depth.plain_block(x, p, 2, norm, feed), layer(x), rtol=1e-4, atol=1e-5)
    bare = depth.plain_block(x, p, 2, norm, feed, residual=False, norm=False)
    y = attention(x, x, p, "self_attn", 2)
    torch.testing.assert_close(bare, feed(y, *[p[f"linear{i}.{k}"] for i in (1, 2) for k in ("weight", "bias")]))


@pytest.mark.parametrize("causal", [False, True])
def test_attention_is_the_librarys(layer, causal):
    x, memory = torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    mask = torch.ones(5, 5, dtype=torch.bool).triu(1) if causal else None
    wanted, _ = layer.self_attn(x, memory, memory, attn_mask=mask)
    p = {f"a.{name}": weight for name, weight in layer.self_attn.named_parameters()}
    torch.testing.assert_close(attention(x, memory, p, "a", 2, is_causal=causal), wanted, rtol=1e-4, atol=1e-5)
    assert part(p, "a.").keys() == dict(layer.self_attn.named_parameters()).keys()


def test_likeness_of_tokens():
    same, across = torch.ones(1, 3, 4), torch.eye(4)[None]
    assert depth.alike(same) == pytest.approx(1) and depth.alike(across) == pytest.approx(0, abs=1e-6)


def test_a_probe_repeats_and_an_identity_keeps_the_signal():
    signal, gradient, _ = depth.probe(lambda x, p: x, 3)
    assert signal == pytest.approx(1, abs=0.1) and gradient == pytest.approx(1, abs=0.1)
    probed = {"halved": [depth.probe(lambda x, p: x / 2, n) for n in (1, 2)]}
    assert probed["halved"][1][0] == pytest.approx(0.25, abs=0.02)
    (told,) = depth.at_the_end(probed)
    assert told.startswith("halved: signal 0.25, gradient 0.2")
    assert depth_panels([1, 2], probed)[1].endswith(f"With 2 blocks, {told}.")


def test_the_counts_are_those_of_modules():
    def size(*modules):
        return sum(p.numel() for module in modules for p in module.parameters())

    block = torch.nn.TransformerEncoderLayer(8, 2, 32)
    assert costs.block_parameters(4, 16) == 244 and costs.block_parameters(8, 32) == size(block)
    assert costs.gpt_parameters(11, 7, 8, 3) == size(GPT(11, 7, 8, 3, 2))
    tables = [torch.nn.Embedding(rows, 8) for rows in (11, 7, 2)]
    ends = torch.nn.LayerNorm(8), torch.nn.Linear(8, 8)
    assert costs.bert_parameters(11, 7, 8, 3) == size(*tables, *ends, *[block] * 3)


def test_the_work_is_that_of_the_products():
    """torch's own counter of operations, on a GPT at full context; it leaves out what the causal mask saves, too."""
    model = GPT(11, 7, 8, 3, 2)
    with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
        model(torch.zeros(1, 7, dtype=torch.long))
    assert counter.get_total_flops() == 7 * costs.flops_per_token(11, 7, 8, 3)


def test_the_table_of_costs():
    table = costs.gpt_costs({"a": ((50257, 2048, 12288, 96), 300e9), "b": ((50257, 1024, 768, 12), None)})
    _, a, b = table.splitlines()
    assert a.split() == ["a", "174,604,259,328", "358,791,143,424", "26", "years", "on", "one", "H100"]
    assert b.split() == ["b", "124,439,808", "284,812,800"]


def test_the_mistakes_are_mistakes():
    ids = torch.randint(9, (2, 6), generator=torch.Generator().manual_seed(0))
    assert mistakes.unshifted_loss(lambda token_ids: 50.0 * F.one_hot(token_ids, 9), ids) < 1e-6  # copying
    torch.manual_seed(0)
    assert mistakes.shuffled_loss(lambda token_ids: torch.zeros(*token_ids.shape, 9), ids).item() == pytest.approx(
        np.log(9)
    )

    def block(x, p, num_heads, norm_first):
        return x + x.mean(dim=1, keepdim=True)

    sighted = mistakes.without_mask(block)(vocab_size=9, context_length=6, d_model=4, num_layers=1, num_heads=2)
    other = torch.cat([ids[:, :5], (ids[:, 5:] + 1) % 9], dim=1)
    assert not torch.allclose(sighted(ids)[:, 0], sighted(other)[:, 0])


def test_small_runs_begin_alike():
    characters = mistakes.Characters("to be or not to be, é that is the question. " * 9)
    assert characters.batch(3).shape == (16, 48) and torch.equal(characters.batch(3), characters.batch(3))
    assert len(characters.ids) == 9 * 43  # é is left out

    def loss(model, ids):
        return F.cross_entropy(model(ids).flatten(0, 1), ids.flatten())

    first, again = (mistakes.train_small(GPT, characters, loss, 1e-3, 2, one_batch=one).losses for one in (True, False))
    assert first[0] == again[0] and len(first) == 2
