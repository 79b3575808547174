"""`fit` beside a bare hand-written loop of the same model: the price of checks, records and a progress bar."""

import statistics
import time

import pytest
import torch

from helpers.device import seed_everything
from helpers.training import fit

ROUNDS = 5
SIZES = {  # parameters: (d_model, layers, rows, steps a round)
    "1 M": (128, 5, 16, 12),
    "10 M": (384, 5, 16, 4),
}


class TinyGPT(torch.nn.Module):
    """An encoder with a causal mask, a tied vocabulary of 1,000 and a context of 64."""

    def __init__(self, d_model: int, layers: int):
        super().__init__()
        self.tokens = torch.nn.Embedding(1000, d_model)
        layer = torch.nn.TransformerEncoderLayer(d_model, 4, 4 * d_model, dropout=0.0, batch_first=True)
        self.blocks = torch.nn.TransformerEncoder(layer, layers)
        self.register_buffer("mask", torch.nn.Transformer.generate_square_subsequent_mask(64))

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        return self.blocks(self.tokens(token_ids), self.mask, is_causal=True) @ self.tokens.weight.T  # (B, T, V)


def next_token(model, batch):
    token_ids, targets = batch
    return torch.nn.functional.cross_entropy(model(token_ids).flatten(0, 1), targets.flatten())


def bare(model, batches, steps: int, clip: float | None) -> float:
    """The loop that a tutorial writes; returns seconds."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    model.train()
    start = time.perf_counter()
    for step in range(steps):
        loss = next_token(model, batches[step % len(batches)])
        optimizer.zero_grad()
        loss.backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        loss.item()
    return time.perf_counter() - start


def ours(model, batches, steps: int, clip: float | None) -> float:
    start = time.perf_counter()
    fit(model, batches, next_token, steps=steps, precision="fp32", clip=clip, progress=False)
    return time.perf_counter() - start


@pytest.mark.parametrize("size", SIZES)
def test_a_step_of_fit_beside_a_bare_step(size):
    d_model, layers, rows, steps = SIZES[size]
    seed_everything(0)
    model = TinyGPT(d_model, layers)
    token_ids = torch.randint(1000, (rows, 65))
    batches = [(token_ids[:, :-1], token_ids[:, 1:])]
    bare(model, batches, 2, 1.0)  # warm up
    parameters = sum(p.numel() for p in model.parameters())
    for clip in (None, 1.0):
        # In turns, so that a slow moment of the machine meets both.
        pairs = [(bare(model, batches, steps, clip), ours(model, batches, steps, clip)) for _ in range(ROUNDS)]
        ratio = statistics.median(b / a for a, b in pairs)
        per_step = statistics.median(a for a, _ in pairs) / steps * 1000
        print(f"\n{parameters / 1e6:.1f} M parameters, clip={clip}: bare {per_step:.1f} ms a step, fit x {ratio:.3f}")
