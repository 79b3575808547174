"""Predicting the next character of a text: what is read, how it is judged, how a model writes, rivals, cells."""

import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers.data.text import Text
from helpers.device import SEED, best_device, seed_everything
from helpers.models.kneser_ney import KneserNey
from helpers.training.optim import adamw, warmup_cosine

JUDGED = 20  # rows that the unread text is judged in
RECORDED = Path(__file__).with_name("recorded.json")  # of tests/benchmarks/test_characters_by_size.py


class CharacterLM(nn.Module):
    """Scores of the next character, (B, T, V), for characters (B, T); the vectors are tied (Press and Wolf, 2017)."""

    def __init__(self, size: int, width: int = 256):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        nn.init.normal_(self.embed.weight, std=0.1)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, ids: torch.Tensor, state=None) -> tuple[torch.Tensor, tuple]:
        """Return (scores, the LSTM's last state), beginning from a state if there is one."""
        states, state = self.lstm(self.embed(ids), state)
        return states @ self.embed.weight.T + self.bias, state


class CharacterText:
    """A text in character numbers, in rows that are read side by side, again and again.

    steps:      how many batches are read
    characters: the vocabulary, all characters of the text
    read:       (N,) numbers of the training part. rows: the same, (rows, N // rows)
    choosing:   (m,) numbers of the first half of the validation part, to choose by
    unread:     (n,) numbers of its second half, to judge by
    """

    def __init__(self, text: Text, steps: int, block: int = 64, rows: int = 32):
        """Read `block` characters of every row in a step."""
        self.steps, self.block, self.per_step = steps, block, block * rows
        self.characters = sorted(set(text.train + text.valid))
        self._number = {c: i for i, c in enumerate(self.characters)}
        half = len(text.valid) // 2
        self.read, self.choosing, self.unread = map(self.ids, (text.train, text.valid[:half], text.valid[half:]))
        self.rows = self.read[: len(self.read) // rows * rows].view(rows, -1)

    def ids(self, text: str) -> torch.Tensor:
        """Return the numbers of a text's characters, (n,)."""
        return torch.tensor([self._number[c] for c in text])

    def round(self, device: torch.device | str = "cpu") -> list[torch.Tensor]:
        """Return the batches of one round through the text, in order, on a device."""
        rows, count = self.rows.to(device), (self.rows.shape[1] - 1) // self.block
        return [rows[:, i * self.block : (i + 1) * self.block + 1] for i in range(count)]

    def bits(self, model: CharacterLM, ids: torch.Tensor | None = None) -> float:
        """Return the bits per character of a model on a text, (n,); None: on the unread one."""
        ids = self.unread if ids is None else ids
        length = (len(ids) - 1) // JUDGED
        places = torch.arange(JUDGED)[:, None] * length + torch.arange(length + 1)
        rows = ids[places].to(model.bias.device)
        with torch.no_grad():
            scores = model(rows[:, :-1])[0]
        return F.cross_entropy(scores.flatten(0, 1), rows[:, 1:].flatten()).item() / math.log(2)

    def counted(self, orders: Iterable[int]) -> dict[int, float]:
        """Return the bits per character of n-grams with Kneser-Ney smoothing, of each order, on the unread text."""
        read, unread = self.read.numpy(), self.unread.numpy()
        models = {n: KneserNey(read, len(self.characters), n) for n in orders}
        return {n: float(model.losses(unread).mean()) / math.log(2) for n, model in models.items()}


def by_size() -> dict:
    """Return the course's own runs on parts of the plays: {"sizes": characters, "bits": {model: on each part}}."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))["parts of the plays"]


def character_loss() -> Callable:
    """Return the loss for `fit`: the mean cross-entropy, in nats, of each character of (B, T + 1) after the first.

    A row goes on where it stopped in the batch before: the state is handed on, the gradient is not (truncated
    backpropagation through time).
    """
    state = None

    def loss(model: CharacterLM, batch: torch.Tensor) -> torch.Tensor:
        nonlocal state
        begin = state if state is not None and state[0].shape[1] == len(batch) else None
        scores, last = model(batch[:, :-1], begin)
        state = tuple(part.detach() for part in last)
        return F.cross_entropy(scores.flatten(0, 1), batch[:, 1:].flatten())

    return loss


def train_writer(
    text: CharacterText, prompt: str, distribution: Callable, train: Callable, length: int = 240
) -> tuple[CharacterLM, list[tuple[int, float]], list[str]]:
    """Train a model on a text, judged four times; returns (model, [(steps, bits per character)], what it then wrote).

    prompt, distribution, length: see `write`. train: a loop, called as the exercise `loop` says.
    """
    seed_everything(SEED)
    model, samples = CharacterLM(len(text.characters)).to(best_device()), []

    def judge(model: CharacterLM) -> float:
        samples.append(write(model, text, prompt, length, distribution))
        return text.bits(model)

    optimizer = adamw(model, 6e-3, 0.01)
    schedule = warmup_cosine(optimizer, text.steps, text.steps // 20)
    batches = text.round(model.bias.device)
    every = max(text.steps // 4, 1)
    _, evaluations = train(model, batches, character_loss(), optimizer, schedule, text.steps, 1.0, judge, every)
    return model, evaluations, samples


def write(model: CharacterLM, text: CharacterText, prompt: str, length: int, distribution: Callable) -> str:
    """Draw characters one by one, each fed back to the model; returns the prompt and what follows.

    distribution: logits (V,) -> the probabilities to draw from, (V,).
    """
    device, generator = model.bias.device, torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        scores, state = model(text.ids(prompt)[None].to(device))
        for _ in range(length):
            probabilities = torch.as_tensor(distribution(scores[0, -1].cpu()))
            drawn = torch.multinomial(probabilities, 1, generator=generator)
            prompt += text.characters[drawn.item()]
            scores, state = model(drawn[None].to(device), state)
    return prompt


@torch.no_grad()
def cell_values(model: CharacterLM, text: CharacterText, length: int) -> tuple[np.ndarray, np.ndarray]:
    """Read the first unread characters one by one; returns the tanh of the cells after each, (length, H), and places.

    The place of a character, (length,), is how many characters of its line came before it.
    """
    values, since, state, place = [], [], None, 0
    for i in text.unread[:length].tolist():
        state = model(torch.tensor([[i]], device=model.bias.device), state)[1]
        values.append(torch.tanh(state[1][0, 0]).cpu().numpy())
        since.append(place)
        place = 0 if text.characters[i] == "\n" else place + 1
    return np.array(values), np.array(since)


def line_counter(values: np.ndarray, since: np.ndarray) -> tuple[int, float]:
    """Return the cell whose value goes best with the place in the line, and its correlation with it."""
    with np.errstate(invalid="ignore"):
        fitting = np.nan_to_num([np.corrcoef(cell, since)[0, 1] for cell in values.T])
    best = int(np.abs(fitting).argmax())
    return best, float(fitting[best])
