"""What chapter 05 measures of training: optimisers, today's block, and its sampling functions."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers import mistakes, optimisers, today
from helpers.models import logit_filters
from helpers.models.gpt import GPT
from helpers.models.modern_block import PARTS, ModernGPT, rotated


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


def next_loss(model, ids):
    return F.cross_entropy(model(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


def test_adamw_by_hand_trains_as_torchs(chapter):
    characters = mistakes.Characters("to be or not to be, that is the question. " * 20)
    raced = optimisers.race(GPT, characters, next_loss, chapter["adamw_step"], steps=3)
    assert raced.losses.keys() == optimisers.RATES.keys() and raced.apart < 1e-4
    assert str(raced).count("nats") == 3
    torch.testing.assert_close(raced.losses["yours"], raced.losses["torch's AdamW"], rtol=1e-4, atol=1e-4)


def test_only_a_model_without_its_mask_looks_ahead(chapter):
    assert mistakes.looked_ahead(chapter["GPT"]) == 0
    assert mistakes.looked_ahead(mistakes.without_mask(chapter["encoder_block"])) > 1e-3


def test_todays_block_part_by_part():
    characters = mistakes.Characters("to be or not to be, that is the question. " * 20)
    _, *lines = today.table(characters, steps=1).splitlines()
    assert len(lines) == 1 + len(PARTS) and lines[0].startswith("of GPT-2")
    first, last = (int(line.split(" bytes")[0].split()[-1].replace(",", "")) for line in (lines[0], lines[-1]))
    assert first == 4 * last


@pytest.mark.parametrize("parts", [(), PARTS])
def test_a_modern_gpt_sees_nothing_ahead(parts):
    torch.manual_seed(0)
    model, ids = ModernGPT(9, 6, 16, 2, 4, parts), torch.randint(9, (2, 6))
    other = torch.cat([ids[:, :4], (ids[:, 4:] + 1) % 9], dim=1)
    torch.testing.assert_close(model(ids)[:, :4], model(other)[:, :4])
    assert not torch.allclose(model(ids)[:, 4], model(other)[:, 4])


def test_gpt_2s_kind_is_the_librarys_layer():
    torch.manual_seed(0)
    block = ModernGPT(9, 6, 16, 1, 4).blocks[0]
    layer = nn.TransformerEncoderLayer(16, 4, 64, 0.0, "gelu", batch_first=True, norm_first=True)
    three = (block.query, block.key, block.value)
    own = {
        "self_attn.in_proj_weight": torch.cat([v.weight for v in three]),
        "self_attn.in_proj_bias": torch.cat([v.bias for v in three]),
    }
    named = {"self_attn.out_proj": block.out, "linear1": block.feed.w1, "linear2": block.feed.w2}
    named |= {"norm1": block.norm1, "norm2": block.norm2}
    layer.load_state_dict(own | {f"{n}.{k}": v for n, m in named.items() for k, v in m.state_dict().items()})
    x = torch.randn(2, 5, 16)
    mask = torch.ones(5, 5, dtype=torch.bool).triu(1)
    torch.testing.assert_close(block(x), layer(x, src_mask=mask), rtol=1e-4, atol=1e-5)


def test_rotated_products_know_distances_alone():
    x = torch.randn(1, 1, 1, 8, generator=torch.Generator().manual_seed(0)).expand(1, 1, 6, 8)
    scores = (rotated(x) @ rotated(x).mT)[0, 0]
    for k in range(4):
        diagonal = scores.diagonal(k)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal), rtol=1e-4, atol=1e-4)


def test_sampling_by_hand():
    p = torch.tensor([0.15, 0.45, 0.01, 0.25, 0.08, 0.02, 0.04])
    kept = {
        "top-k": logit_filters.keep_top_k(p.log(), 3),
        "top-p": logit_filters.keep_top_p(p.log(), 0.9),
        "tiny": logit_filters.keep_top_p(p.log(), 1e-6),
    }
    assert {name: z.isfinite().nonzero().flatten().tolist() for name, z in kept.items()} == {
        "top-k": [0, 1, 3],
        "top-p": [0, 1, 3, 4],
        "tiny": [1],
    }
    torch.testing.assert_close(logit_filters.apply_temperature(p.log(), 0.5).softmax(-1), p**2 / (p**2).sum())
    assert logit_filters.keep_top_k(p.log(), 99).isfinite().all()
