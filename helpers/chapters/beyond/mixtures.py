"""A mixture of experts on names of countries in six languages: who works for which language, balanced or not."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from helpers import data
from helpers.device import SEED, best_device
from helpers.training import fit

LANGUAGES = ("en", "fi", "tr", "ru", "el", "hi")
EXPERTS, CHOSEN, CONTEXT, WIDTH, MIDDLE, ROWS = 8, 2, 5, 48, 64, 128


class Names:
    """Windows of five letters of names of countries, the letter that follows, and the language of the name."""

    def __init__(self):
        names = data.load("territories").entries
        letters = sorted({c for code in LANGUAGES for name in names[code] for c in name})
        places = {c: i + 1 for i, c in enumerate(letters)}  # 0 stands before a name and behind it
        rows, self.size = [], len(letters) + 1
        for language, code in enumerate(LANGUAGES):
            for name in names[code]:
                ids = [0] * CONTEXT + [places[c] for c in name] + [0]
                rows += [[*ids[i : i + CONTEXT + 1], language] for i in range(len(name) + 1)]
        self.rows = torch.tensor(rows)

    def batch(self, step: int) -> torch.Tensor:
        """Return windows, next letters and languages side by side, (128, 7), always the same for the same step."""
        generator = torch.Generator().manual_seed(SEED * 10_000 + step)
        return self.rows[torch.randint(len(self.rows), (ROWS,), generator=generator)]


class LetterModel(nn.Module):
    """The next letter from five letters, through a mixture of eight experts with a router of its own."""

    def __init__(self, size: int, mixture: Callable):
        super().__init__()
        self.letters = nn.Embedding(size, 16)
        self.inward, self.router = nn.Linear(16 * CONTEXT, WIDTH), nn.Linear(WIDTH, EXPERTS, bias=False)
        self.up = nn.Parameter(torch.randn(EXPERTS, MIDDLE, WIDTH) / WIDTH**0.5)
        self.down = nn.Parameter(torch.randn(EXPERTS, WIDTH, MIDDLE) / MIDDLE**0.5)
        self.head, self.mixture = nn.Linear(WIDTH, size), mixture

    def forward(self, windows: torch.Tensor, route: Callable) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return logits of letters (N, V), logits of experts (N, E) and gates (N, E) for windows (N, 5)."""
        x = torch.tanh(self.inward(self.letters(windows).flatten(1)))
        chosen = self.router(x)
        gates = route(chosen)
        return self.head(x + self.mixture(x, gates, self.up, self.down)), chosen, gates


@dataclass
class Run:
    """What a training came to: its last loss in nats, and who works for whom, (languages, experts), rows sum to 1."""

    loss: float
    shares: torch.Tensor
    dropped: float

    @property
    def busiest(self) -> float:
        """The share of all tokens that the busiest expert gets."""
        return float(self.shares.mean(0).max())


def train(alpha: float, steps: int, functions: tuple[Callable, Callable, Callable], seed: int = SEED) -> Run:
    """Train with the student's (route, mixture, balance_loss), the last weighted by alpha; two experts for a token."""
    route, mixture, balance_loss = functions
    names, device = Names(), best_device()
    torch.manual_seed(seed)
    model = LetterModel(names.size, mixture).to(device)

    def loss(model: LetterModel, batch: torch.Tensor) -> torch.Tensor:
        logits, chosen, _ = model(batch[:, :CONTEXT], lambda z: route(z, CHOSEN, ROWS))
        return F.cross_entropy(logits, batch[:, CONTEXT]) + alpha * balance_loss(chosen, CHOSEN)

    fit(model, names.batch, loss, steps=steps, lr=3e-3, progress=False)
    return _judged(model, names.rows.to(next(model.parameters()).device), route)


@torch.no_grad()
def _judged(model: LetterModel, rows: torch.Tensor, route: Callable) -> Run:
    rows = rows[::5]
    logits, chosen, _ = model(rows[:, :CONTEXT], lambda z: route(z, CHOSEN, len(rows)))
    first = F.one_hot(chosen.topk(CHOSEN).indices, EXPERTS).float().mean(1)
    shares = torch.stack([first[rows[:, -1] == i].mean(0) for i in range(len(LANGUAGES))]).cpu()
    places = -(-5 * CHOSEN * len(rows) // (4 * EXPERTS))  # a quarter more than an even share
    kept = (route(chosen, CHOSEN, places) > 0).float().sum() / (CHOSEN * len(rows))
    return Run(float(F.cross_entropy(logits, rows[:, CONTEXT])), shares, float(1 - kept))
