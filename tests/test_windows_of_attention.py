"""docs-gpt with its attention exchanged: as it was under the causal mask, worse off under a narrow one."""

import pytest
import torch
from torch.nn import functional as F

from helpers.experiments import windows
from helpers.models.gpt import GPT


def attend(queries, keys, values, mask):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


@pytest.fixture
def model():
    torch.manual_seed(0)
    gpt = GPT(vocab_size=50, context_length=256, d_model=16, num_layers=2, num_heads=2).eval()
    for weight in gpt.parameters():
        torch.nn.init.normal_(weight, std=0.3)  # as begun, attention would do next to nothing
    return gpt


def test_under_a_causal_mask_the_model_says_what_it_said(model):
    token_ids, causal = torch.randint(50, (2, 9)), torch.ones(9, 9, dtype=torch.bool).tril()
    with torch.no_grad():
        assert torch.allclose(windows.through(model, token_ids, attend, causal), model(token_ids), atol=1e-5)


def test_losses_are_those_of_the_second_half(model):
    token_ids, causal = torch.randint(50, (3, 256)), torch.ones(256, 256, dtype=torch.bool).tril()
    with torch.no_grad():
        logits = model(token_ids)[:, 127:255]
    whole = F.cross_entropy(logits.flatten(0, 1), token_ids[:, 128:].flatten())
    found = windows.losses(model, token_ids, attend, {"all": causal, "itself": torch.eye(256, dtype=torch.bool)})
    assert found["all"] == pytest.approx(float(whole), rel=1e-4)
    assert abs(found["itself"] - found["all"]) > 1e-4
