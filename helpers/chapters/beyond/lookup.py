"""Pairs of a name and a digit, then a name: can a layer say its digit? Attention against states of fixed size."""

from collections.abc import Callable, Mapping, Sequence

import torch
import torch.nn.functional as F
from torch import nn

from helpers.device import SEED, best_device
from helpers.models.modern_block import rotated
from helpers.training import fit

NAMES, DIGITS, WIDTH, ROWS = 32, 8, 32, 128
SIDE = 10  # of a state that is a matrix: 100 numbers, where RWKV has three for each of 32 channels


def texts(step: int, pairs: int, rows: int = ROWS) -> torch.Tensor:
    """Return (rows, 2, pairs + 1): names and digits, the last name being one of those before, its digit the answer."""
    generator = torch.Generator().manual_seed(1_000 * SEED + step)
    names = torch.rand(rows, NAMES, generator=generator).argsort(1)[:, :pairs]
    digits = torch.randint(DIGITS, (rows, pairs), generator=generator)
    asked = torch.randint(pairs, (rows, 1), generator=generator)
    both = torch.stack([names, digits], dim=1)
    return torch.cat([both, both.gather(2, asked[:, None].expand(rows, 2, 1))], dim=2)


def corrected(step: int, pairs: int, rows: int = ROWS) -> torch.Tensor:
    """Return (rows, 2, 2 * pairs + 1): each name is told twice, in any order, and its later digit is the answer."""
    generator = torch.Generator().manual_seed(1_000 * SEED + step)
    names = torch.rand(rows, NAMES, generator=generator).argsort(1)[:, :pairs]
    order = torch.rand(rows, 2 * pairs, generator=generator).argsort(1) % pairs
    digits = torch.randint(DIGITS, (rows, 2 * pairs), generator=generator)
    asked = torch.randint(pairs, (rows, 1), generator=generator)
    later = ((order == asked) * torch.arange(1, 2 * pairs + 1)).argmax(1, keepdim=True)
    told, answer = torch.stack([names.gather(1, order), digits], dim=1), digits.gather(1, later)
    return torch.cat([told, torch.stack([names.gather(1, asked), answer], dim=1)], dim=2)


class Attention(nn.Module):
    """One layer of attention with one head; rotary: queries and keys are rotated, so that it knows what came later."""

    def __init__(self, rotary: bool = False):
        super().__init__()
        self.inward, self.rotary = nn.Linear(WIDTH, 3 * WIDTH, bias=False), rotary

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (B, T, C) for x (B, T, C), causal."""
        query, key, value = self.inward(x)[:, None].chunk(3, dim=-1)
        if self.rotary:
            query, key = rotated(query), rotated(key)
        return F.scaled_dot_product_attention(query, key, value, is_causal=True)[:, 0]


class Mixing(nn.Module):
    """RWKV's time mixing with its receptance, the gate of the output, by the student's two functions.

    channels: how many are mixed; with others than WIDTH a matrix leads back.
    """

    def __init__(self, token_shift: Callable, wkv: Callable, channels: int = WIDTH):
        super().__init__()
        self.token_shift, self.wkv = token_shift, wkv
        self.inward = nn.ModuleList(nn.Linear(WIDTH, channels, bias=False) for _ in range(3))
        self.mu = nn.Parameter(torch.full((3, WIDTH), 0.7))
        self.rate, self.u = nn.Parameter(torch.linspace(-6, 1, channels)), nn.Parameter(torch.zeros(channels))
        self.back = nn.Identity() if channels == WIDTH else nn.Linear(channels, WIDTH, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (B, T, C) for x (B, T, C)."""
        gate, k, v = (layer(self.token_shift(x, mu)) for layer, mu in zip(self.inward, self.mu, strict=True))
        return self.back(torch.sigmoid(gate) * self.wkv(self.rate.exp(), self.u, k, v))


class Matrix(nn.Module):
    """A state of SIDE by SIDE numbers: each token adds its value at its key, an outer product, and a query reads.

    forgets: a gate scales the matrix first. erases: what the key holds is taken away before its value is written. With
    both this is the gated delta rule; with neither the matrix only adds, as in linear attention.
    """

    def __init__(self, forgets: bool, erases: bool):
        super().__init__()
        self.forgets, self.erases = forgets, erases
        self.inward, self.gates = nn.Linear(WIDTH, 3 * SIDE, bias=False), nn.Linear(WIDTH, 2)
        self.back = nn.Linear(SIDE, WIDTH, bias=False)
        nn.init.constant_(self.gates.bias, 3.0)  # at first nearly everything is kept, and written in full

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (B, T, C) for x (B, T, C)."""
        query, key, value = self.inward(x).chunk(3, dim=-1)
        query, key = F.normalize(query, dim=-1), F.normalize(key, dim=-1)
        keeps, writes = torch.sigmoid(self.gates(x))[..., None].unbind(2)  # (B, T, 1) each
        state, read = x.new_zeros(len(x), SIDE, SIDE), []
        for q, k, v, keep, write in zip(*(part.unbind(1) for part in (query, key, value, keeps, writes)), strict=True):
            if self.forgets:
                state = keep[..., None] * state
            if self.erases:
                v = v - (state @ k[..., None])[..., 0]  # what the key says already
            state = state + (write * v)[..., None] * k[:, None]
            read.append((state @ q[..., None])[..., 0])
        return self.back(torch.stack(read, dim=1))


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


def share(mixer: Callable[[], nn.Module], pairs: int, steps: int, seed: int = SEED, told: Callable = texts) -> float:
    """Return the share of right answers on fresh texts after so many steps of training; told: what makes the texts."""
    torch.manual_seed(seed)
    model = Reader(mixer()).to(best_device())
    fit(model, lambda step: told(step, pairs), lambda m, rows: F.cross_entropy(m(rows), rows[:, 1, -1]),
        steps=steps, lr=1e-2, progress=False)  # fmt: skip
    fresh = told(10**6, pairs, 1000).to(best_device())
    with torch.no_grad():
        return float((model(fresh).argmax(-1) == fresh[:, 1, -1]).float().mean())


def table(pairs: Sequence[int], shares: Mapping[str, Sequence[float]]) -> str:
    """Return a line for each mixer: the share of right answers by the number of pairs."""
    lines = [f"{'pairs':<16}" + "".join(f"{n:>7}" for n in pairs)]
    for name, by_pairs in shares.items():
        cells = "".join(f"{value:>7.2f}" for value in by_pairs)
        lines.append(f"{name:<16}{cells}")
    return "\n".join([*lines, f"{'by guessing':<16}{1 / DIGITS:>7.2f}   ({WIDTH} channels)"])
