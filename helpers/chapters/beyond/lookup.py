"""Pairs of a name and a digit, then a name: can a layer say its digit? Attention against a state of fixed size."""

from collections.abc import Callable, Mapping, Sequence

import torch
import torch.nn.functional as F
from torch import nn

from helpers.device import SEED, best_device
from helpers.training import fit

NAMES, DIGITS, WIDTH, ROWS = 32, 8, 32, 128


def texts(step: int, pairs: int, rows: int = ROWS) -> torch.Tensor:
    """Return (rows, 2, pairs + 1): names and digits, the last name being one of those before, its digit the answer."""
    generator = torch.Generator().manual_seed(1_000 * SEED + step)
    names = torch.rand(rows, NAMES, generator=generator).argsort(1)[:, :pairs]
    digits = torch.randint(DIGITS, (rows, pairs), generator=generator)
    asked = torch.randint(pairs, (rows, 1), generator=generator)
    both = torch.stack([names, digits], dim=1)
    return torch.cat([both, both.gather(2, asked[:, None].expand(rows, 2, 1))], dim=2)


class Attention(nn.Module):
    """One layer of attention with one head."""

    def __init__(self):
        super().__init__()
        self.inward = nn.Linear(WIDTH, 3 * WIDTH, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (B, T, C) for x (B, T, C), causal."""
        return F.scaled_dot_product_attention(*self.inward(x)[:, None].chunk(3, dim=-1), is_causal=True)[:, 0]


class Mixing(nn.Module):
    """RWKV's time mixing with its receptance, the gate of the output, by the student's two functions."""

    def __init__(self, token_shift: Callable, wkv: Callable):
        super().__init__()
        self.token_shift, self.wkv = token_shift, wkv
        self.inward = nn.ModuleList(nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.mu = nn.Parameter(torch.full((3, WIDTH), 0.7))
        self.rate, self.u = nn.Parameter(torch.linspace(-6, 1, WIDTH)), nn.Parameter(torch.zeros(WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (B, T, C) for x (B, T, C)."""
        gate, k, v = (layer(self.token_shift(x, mu)) for layer, mu in zip(self.inward, self.mu, strict=True))
        return torch.sigmoid(gate) * self.wkv(self.rate.exp(), self.u, k, v)


class Reader(nn.Module):
    """Embeddings of names and digits, one mixer, and a small network that says the digit of the last name."""

    def __init__(self, mixer: nn.Module):
        super().__init__()
        self.names, self.digits = nn.Embedding(NAMES, WIDTH), nn.Embedding(DIGITS + 1, WIDTH)
        self.mixer = mixer
        self.head = nn.Sequential(nn.Linear(2 * WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, DIGITS))

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return logits (B, digits) for rows (B, 2, T); the last digit is hidden."""
        shown = torch.cat([rows[:, 1, :-1], torch.full_like(rows[:, 1, :1], DIGITS)], dim=1)
        x = self.names(rows[:, 0]) + self.digits(shown)
        return self.head(torch.cat([x[:, -1], self.mixer(x)[:, -1]], dim=-1))


def share(mixer: Callable[[], nn.Module], pairs: int, steps: int, seed: int = SEED) -> float:
    """Return the share of right answers on fresh texts after so many steps of training."""
    torch.manual_seed(seed)
    model = Reader(mixer()).to(best_device())
    fit(model, lambda step: texts(step, pairs), lambda m, rows: F.cross_entropy(m(rows), rows[:, 1, -1]),
        steps=steps, lr=1e-2, progress=False)  # fmt: skip
    fresh = texts(10**6, pairs, 1000).to(best_device())
    with torch.no_grad():
        return float((model(fresh).argmax(-1) == fresh[:, 1, -1]).float().mean())


def table(pairs: Sequence[int], shares: Mapping[str, Sequence[float]]) -> str:
    """Return a line for each mixer: the share of right answers by the number of pairs."""
    lines = [f"{'pairs':<12}" + "".join(f"{n:>7}" for n in pairs)]
    for name, by_pairs in shares.items():
        cells = "".join(f"{value:>7.2f}" for value in by_pairs)
        lines.append(f"{name:<12}{cells}")
    return "\n".join([*lines, f"by guessing {1 / DIGITS:>7.2f}   ({WIDTH} channels)"])
