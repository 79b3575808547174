"""A reader taught in a minute: MiniLM with a student's LoRA learns to point at answers, on questions of SQuAD."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from helpers import data
from helpers.chapters.lora.short_answers import token_f1
from helpers.device import seed_everything
from helpers.experiments.reading import RIGHT
from helpers.experiments.squad import held_out
from helpers.models.docs_reader import Reader, Window, best_spans, new_reader, stacked, windows
from helpers.training import fit

LENGTH = 80  # tokens of a question with its part of a paragraph
ROWS = 12  # of a step
LR = 2e-3


class Row(NamedTuple):
    """A window, the tokens of the answer's ends in it, and the answer."""

    window: Window
    first: int
    last: int
    answer: str


class Lesson:
    """Questions of SQuAD with windows that hold the answer: `train` to learn from, `held` about articles never learned.

    model:   MiniLM with adapters in it, and two scores for each token
    reached: [(steps, share of the held questions answered rightly), ...] as it learns
    """

    def __init__(self, adapt: Callable[[nn.Module], nn.Module], learn: int, ask: int, seed: int = 0):
        """Draw `learn` and `ask` questions; adapt(module) puts adapters beside the linear layers of MiniLM's blocks."""
        seed_everything(seed)
        self.model, self.tokenizer = new_reader(adapt)
        self.model.encoder.set_attn_implementation("eager")  # its gradients are cheaper on a CPU
        self.train, self.held = self._rows(learn, False, seed), self._rows(ask, True, seed)
        self.reached: list[tuple[int, float]] = []

    def _rows(self, count: int, held: bool, seed: int) -> list[Row]:
        squad, draw = data.load("squad"), random.Random(seed)
        unseen, rows = held_out(squad.passages), []
        for i in draw.sample(sorted(squad.queries["valid"]), len(squad.queries["valid"])):
            name, answer = next(iter(squad.relevant["valid"][i])), squad.answers["valid"][i][0]
            if (name in unseen) == held:
                row = self._row(squad.queries["valid"][i], squad.passages[name].text, answer)
                if row is not None:
                    rows.append(row)
            if len(rows) == count:
                break
        return rows

    def _row(self, question: str, passage: str, answer) -> Row | None:
        """Return the first window that holds the answer whole, None if none does."""
        end = answer.start + len(answer.text)
        for window in windows(self.tokenizer, question, passage, LENGTH):
            inside = [
                t for t, (a, b) in enumerate(window.offsets) if window.segments[t] and a < end and b > answer.start
            ]
            if inside and window.offsets[inside[0]][0] <= answer.start and window.offsets[inside[-1]][1] >= end:
                return Row(window, inside[0], inside[-1], answer.text)
        return None

    def learn(self, steps: int, looks: int = 4) -> list[tuple[int, float]]:
        """Train what has requires_grad for so many steps, and judge before, on the way and after."""
        every = max(1, steps // looks)
        self.reached = [(0, self.share(self.model))]

        def evaluate(model: nn.Module) -> float:
            self.reached.append((every * len(self.reached), self.share(model)))
            return -self.reached[-1][1]

        batches = [batch(self.train[i : i + ROWS]) for i in range(0, len(self.train) - ROWS + 1, ROWS)]
        options = {"lr": LR, "weight_decay": 0.0, "evaluate": evaluate, "evaluate_every": every, "progress": False}
        fit(self.model, batches, loss, steps=steps, **options)
        return self.reached

    @torch.no_grad()
    def share(self, model: nn.Module) -> float:
        """Return the share of the held questions whose best span has a token F1 of at least RIGHT."""
        right = []
        model.eval()
        for start in range(0, len(self.held), 20):
            part = self.held[start : start + 20]
            _, first, last = best_spans(model(*stacked([row.window for row in part])))
            for row, i, j in zip(part, first.tolist(), last.tolist(), strict=True):
                right.append(token_f1(self.words_between(row, i, j), row.answer) >= RIGHT)
        return sum(right) / len(right)

    def words_between(self, row: Row, first: int, last: int) -> str:
        """Return the words of a window from one token to another."""
        ids = row.window.token_ids[first : last + 1]
        return self.tokenizer.decode(ids)


def batch(rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (token_ids (B, T), segments (B, T), ends (B, 2)) of rows."""
    token_ids, segments = stacked([row.window for row in rows])
    ends = torch.tensor([[row.first, row.last] for row in rows])
    return token_ids, segments, ends


def loss(model: Reader, rows: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the cross-entropy of first and last token, in nats, averaged."""
    token_ids, segments, ends = rows
    return F.cross_entropy(model(token_ids, segments), ends.to(model.ends.weight.device))


def bundled(adapt: Callable[[nn.Module], nn.Module], weights: dict[str, torch.Tensor]) -> tuple[Reader, object]:
    """Return MiniLM with a student's adapters that hold the weights of the docs-reader, and its tokenizer.

    The adapters have parameters A (r, in) and B (out, r), as the artifact's have.
    """
    model, tokenizer = new_reader(adapt)
    missing = model.load_state_dict(weights, strict=False).unexpected_keys
    if missing:
        raise ValueError(f"the adapters have no {missing[0]}: LoRA layers need parameters A and B")
    return model.eval(), tokenizer
