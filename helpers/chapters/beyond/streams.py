"""A toy in which sinks matter: most letters are drawn at random, behind a trigger comes the one three places before."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure
from torch import nn

from helpers.device import SEED, best_device
from helpers.palette import RED
from helpers.plots.style import figure
from helpers.training import fit

LETTERS, BACK, LENGTH, ROWS, WIDTH, FAR = 16, 3, 64, 64, 48, 8
START, TRIGGER = LETTERS, LETTERS + 1
COUNTED_FROM = 16


def texts(step: int, rows: int = ROWS, length: int = LENGTH) -> torch.Tensor:
    """Return texts (rows, length): a start, then letters and triggers; the same for the same step."""
    generator = torch.Generator().manual_seed(1_000 * SEED + step)
    ids = torch.randint(LETTERS, (rows, length), generator=generator)
    ids[torch.rand(ids.shape, generator=generator) < 0.25] = TRIGGER
    ids[:, 0] = START
    for t in range(BACK + 1, length):
        ids[:, t] = torch.where(ids[:, t - 1] == TRIGGER, ids[:, t - 1 - BACK], ids[:, t])
    return ids


class Reader(nn.Module):
    """One head of attention with relative keys (Shaw and others 2018), from 8 places on all the same."""

    def __init__(self):
        super().__init__()
        self.letters, self.places = nn.Embedding(LETTERS + 2, WIDTH), nn.Embedding(FAR + 1, WIDTH)
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.head = nn.Linear(WIDTH, LETTERS + 2)

    def attend(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, far: torch.Tensor):
        """Return (output (B, n, C), weights (B, n, m)); far (n, m): how far back each key lies, below 0 for hidden."""
        scores = query @ key.transpose(1, 2) + torch.einsum("bnc,nmc->bnm", query, self.places(far.clamp(0, FAR)))
        weights = torch.softmax((scores / WIDTH**0.5).masked_fill(far < 0, -torch.inf), dim=-1)
        return weights @ value, weights

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (B, T, V) and weights (B, T, T) for ids (B, T); each token sees all before it."""
        x, t = self.letters(ids), torch.arange(ids.shape[1], device=ids.device)
        z, weights = self.attend(self.query(x), self.key(x), self.value(x), t[:, None] - t)
        return self.head(x + z), weights


def trained(steps: int, seed: int = SEED) -> Reader:
    """Train a reader that sees everything before it."""
    torch.manual_seed(seed)
    model = Reader().to(best_device())

    def loss(model: Reader, ids: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(model(ids)[0][:, :-1].flatten(0, 1), ids[:, 1:].flatten())

    fit(model, texts, loss, steps=steps, lr=1e-2, progress=False)
    return model


@torch.no_grad()
def weights_of(model: Reader, ids: torch.Tensor) -> torch.Tensor:
    """Return the attention weights (B, 1, T, T) of a reader that sees everything."""
    return model(ids.to(model.head.weight.device))[1][:, None].cpu()


@torch.no_grad()
def streamed(model: Reader, ids: torch.Tensor, evict: Callable, window: int, sinks: int) -> float:
    """Return the loss in nats of texts read letter by letter, with a cache that the student's `evict` keeps."""
    ids = ids.to(model.head.weight.device)
    x = model.letters(ids)
    keys = values = x[:, None, :0]
    losses = []
    for t in range(ids.shape[1] - 1):
        now = x[:, t : t + 1]
        keys = evict(keys, model.key(now)[:, None], window, sinks)
        values = evict(values, model.value(now)[:, None], window, sinks)
        n = keys.shape[2]
        far = torch.arange(n - 1, -1, -1, device=ids.device)[None]  # places in the cache, as StreamingLLM counts them
        z, _ = model.attend(model.query(now), keys[:, 0], values[:, 0], far)
        losses.append(F.cross_entropy(model.head(now + z)[:, 0], ids[:, t + 1]))
    return float(torch.stack(losses[COUNTED_FROM:]).mean())


def table(model: Reader, ids: torch.Tensor, evict: Callable) -> dict[str, float]:
    """Return {cache: loss in nats} for a cache without end and for caches of eight."""
    kinds = {"everything": (10**6, 0), "the last 8": (8, 0), "the first and the last 7": (7, 1)}
    return {name: streamed(model, ids, evict, *sizes) for name, sizes in kinds.items()}


def picture(weights: torch.Tensor, ids: torch.Tensor) -> tuple[Figure, str]:
    """Draw the weights (T, T) of a text with ids (T,), its triggers marked; returns (figure, alt text)."""
    fig, ax = figure(width=5.6, height=4.6)
    image = ax.imshow(weights.numpy(), cmap="Blues", vmin=0, vmax=1)
    rows = torch.nonzero(ids == TRIGGER)[:, 0].tolist()
    ax.plot([-1.6] * len(rows), rows, ">", color=RED, label="a trigger looks")
    ax.set(xlabel="is looked at", ylabel="looks", xlim=(-2.6, len(ids) - 0.5))
    ax.grid(visible=False)
    ax.legend(loc="upper right")
    fig.colorbar(image, ax=ax, label="weight", shrink=0.8)
    back = 0.0
    if rows:
        looks_back = [weights[i, i - BACK] for i in rows if i > BACK]
        back = float(torch.stack(looks_back).mean())
    return fig, (
        f"Attention of {len(ids)} tokens: triggers put {back:.2f} of their weight three places back, the others "
        f"most of theirs on the first token, {float(weights[1:, 0][ids[1:] != TRIGGER].mean()):.2f} in the mean."
    )
