"""How many operations a second this machine reaches in a product, and how fast a GPT is trained on it."""

import time

import torch

from helpers.chapters.training.packed_gpt import PackedGPT, batch_loss
from helpers.device import SEED, best_device, seed_everything

ROWS = 8


def peak_of(side: int) -> float:
    """Return the operations a second of the fastest of five products of (side, side) matrices in float32."""
    x = torch.randn(side, side, device=best_device())
    seconds = [_timed(lambda: x @ x) for _ in range(6)]
    return 2 * side**3 / min(seconds[1:])


def steps_timed(layers: int, width: int, vocabulary: int, length: int) -> tuple[int, float]:
    """Return (tokens, seconds) of the fastest of three training steps of a GPT on random tokens."""
    seed_everything(SEED)
    device = best_device()
    model = PackedGPT(vocabulary, length, width, layers, max(width // 32, 1)).to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    tokens = torch.randint(vocabulary, (ROWS, length), device=device)
    piece = tokens, tokens.roll(-1, dims=1)

    def step() -> None:
        optimizer.zero_grad()
        batch_loss(model, piece).backward()
        optimizer.step()

    seconds = [_timed(step) for _ in range(4)]
    return tokens.numel(), min(seconds[1:])


def _timed(action) -> float:
    start = time.perf_counter()
    action()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - start
