"""What chapter 05 measures of training: steps in pieces, optimisers, today's block, and its sampling functions."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers import large_runs, mistakes, optimisers, today
from helpers.models import logit_filters
from helpers.models.gpt import GPT
from helpers.models.modern_block import PARTS, ModernGPT, rotated


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


def next_loss(model, ids):
    return F.cross_entropy(model(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


def test_pieces_keep_less_for_the_backward_pass():
    def fresh():
        return GPT(vocab_size=20, context_length=8, d_model=16, num_layers=1, num_heads=2)

    ids = torch.randint(20, (8, 8), generator=torch.Generator().manual_seed(0))
    ways = {"whole": {}, "pieces": {"pieces": 4}, "bf16": {"dtype": torch.bfloat16}}
    _, whole, pieces, bf16 = large_runs.costs_of(fresh, ids, next_loss, ways).splitlines()
    kept = {line.split()[0]: float(line.split()[1]) for line in (whole, pieces, bf16)}
    assert kept["pieces"] < kept["whole"] and whole.split()[-1] == pieces.split()[-1]

    model = fresh()

    def one(size):
        return large_runs.kept_for_backward(model, lambda: next_loss(model, ids[:size]).backward())

    assert 3 * one(2) < one(8) < 5 * one(2)


def test_pieces_of_different_size_weigh_by_their_rows():
    """By hand: y = w x with w = 1 and the loss y^2 have the gradient 14 for the rows 1, 2, 4, in two pieces as well."""
    rows = torch.tensor([[1.0], [2.0], [4.0]])
    for pieces in (1, 2):
        model = nn.Linear(1, 1, bias=False)
        nn.init.ones_(model.weight)
        model.weight.grad = torch.full_like(model.weight, 100.0)  # left from before
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        assert large_runs.train_step(model, optimizer, rows, large_runs.square_loss, pieces) == pytest.approx(7)
        assert model.weight.item() == pytest.approx(1 - 0.14)


def test_weights_stay_in_fp32_where_products_are_in_bf16():
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, 1 + 2**-9)  # read as 1 in bf16
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loss = large_runs.train_step(model, optimizer, torch.ones(2, 1), large_runs.square_loss, dtype=torch.bfloat16)
    assert loss == 1 and model.weight.item() == pytest.approx(1 + 2**-9 - 0.02, rel=1e-6)


def test_a_resumed_run_ends_as_the_other():
    batches = [torch.randn(4, 3, generator=torch.Generator().manual_seed(i)) for i in range(4)]
    step, weights = large_runs.run_with_a_stop(batches, 2, 0.5)
    torch.manual_seed(0)
    model, optimizer = large_runs.begun(0.5)
    for batch in batches:
        large_runs.train_step(model, optimizer, batch, large_runs.square_loss)
    assert step == 2
    torch.testing.assert_close(weights, large_runs.weights_of(model), rtol=0, atol=0)


def test_replicas_share_the_mean_of_their_gradients():
    shares = [torch.tensor([[1.0, 2.0, 0.0]]), torch.tensor([[0.0, -1.0, 3.0]])]
    replicas, joint = [large_runs.small_net() for _ in shares], large_runs.small_net()
    for replica, rows in zip(replicas, shares, strict=True):
        large_runs.square_loss(replica, rows).backward()
    large_runs.square_loss(joint, torch.cat(shares)).backward()
    large_runs.average_gradients(replicas)
    for first, second, p in zip(*(net.parameters() for net in (*replicas, joint)), strict=True):
        torch.testing.assert_close(first.grad, p.grad)
        torch.testing.assert_close(second.grad, p.grad)
        assert first.grad.data_ptr() != second.grad.data_ptr()


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
