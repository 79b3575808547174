"""The long-memory task: which symbol came first? (after Hochreiter and Schmidhuber, 1997)"""

import json
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from helpers.chapters.rnns.next_words import next_word_loss
from helpers.chapters.rnns.recurrent import remembering
from helpers.device import best_device, seed_everything
from helpers.training.optim import adamw, warmup_cosine

JUDGED = 512  # fresh sequences that an accuracy is measured on
RECORDED = Path(__file__).with_name("recorded.json")  # of the claims in solutions/measured.json
HALF_OPEN, MEAN = "half open", "mean"  # words in the name of an entry, see `recall_accuracy`


class Recall(nn.Module):
    """Scores of the first symbol, (B, 8), for symbols (B, T) below 16, read one by one with a cell.

    kind: "RNN", "GRU" or "LSTM", whose weights PyTorch draws. cell: (x_t, state or h and c, weights) -> the next state,
    as the exercises say. open_gates: whether the gates that keep the past begin open, or all biases at 0.
    mean: whether it answers from the mean of all states, and not from the last.
    """

    def __init__(self, kind: str, cell: Callable, *, open_gates: bool = True, mean: bool = False, width: int = 32):
        super().__init__()
        self.cell, self.mean, self.states = cell, mean, 2 if kind == "LSTM" else 1
        self.embed, self.out = nn.Embedding(16, 16), nn.Linear(width, 8)
        W_x, W_h, b_x, b_h = remembering(getattr(nn, kind), 16, width).parameters()
        biases = [b_x, b_h] if kind == "GRU" else [b_x + b_h]
        if not open_gates:
            biases = [torch.zeros_like(b) for b in biases]
        self.weights = nn.ParameterList([w.detach().clone() for w in (W_x.T, W_h.T, *biases)])

    def forward(self, symbols: torch.Tensor) -> torch.Tensor:
        """Read all, then answer."""
        x = self.embed(symbols)
        zeros = x.new_zeros(len(x), self.out.in_features)
        state, total = (zeros,) * self.states, zeros
        for t in range(x.shape[1]):
            new = self.cell(x[:, t], *state, *self.weights)
            state = tuple(new) if self.states == 2 else (new,)
            total = total + state[0]
        return self.out(total / x.shape[1] if self.mean else state[0])


def recall_batch(step: int, length: int, rows: int = 32) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (symbols (B, T), first symbols (B,)): one of 0 to 7 first, then noise, 8 to 15."""
    generator = torch.Generator().manual_seed(10_000 + step)
    symbols = torch.randint(8, 16, (rows, length), generator=generator)
    symbols[:, 0] = torch.randint(8, (rows,), generator=generator)
    return symbols, symbols[:, 0].clone()


def recall_accuracy(
    kind: str, cell: Callable, train: Callable, length: int, steps: int, seed: int, name: str = ""
) -> float:
    """Train a cell on the task by a loop; returns its accuracy on fresh sequences (chance is one eighth).

    kind, cell: see `Recall`. train: a loop, called as the exercise `loop` says. name: of the entry; "half open" in it
    makes all biases begin at 0, "mean" lets the network answer from the mean of its states.
    """
    seed_everything(seed)
    model = Recall(kind, cell, open_gates=HALF_OPEN not in name, mean=MEAN in name).to(best_device())

    def on_device(step: int, rows: int = 32) -> tuple[torch.Tensor, ...]:
        return tuple(part.to(best_device()) for part in recall_batch(step, length, rows))

    def accuracy(model: nn.Module) -> float:
        symbols, first = on_device(-1, JUDGED)
        return (model(symbols).argmax(-1) == first).float().mean().item()

    batches = [on_device(step + 1000 * seed) for step in range(steps)]
    optimizer = adamw(model, 1e-2, 0.01)
    schedule = warmup_cosine(optimizer, steps, steps // 20)
    return train(model, batches, next_word_loss, optimizer, schedule, steps, 1.0, accuracy, steps)[1][-1][1]


def stored_runs(name: str) -> list[float]:
    """Return the accuracy of an entry in the course's own runs, with the seeds 0 to 2."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))["recall"][name]


def own_runs(name: str) -> str:
    """Return these accuracies as text."""
    return " ".join(f"{accuracy:6.1%}" for accuracy in stored_runs(name))
