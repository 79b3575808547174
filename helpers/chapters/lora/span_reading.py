"""Spans in the inbox: MiniLM learns to mark in a message the words that answer a question, in several ways.

A way is what may move: two scores on frozen layers (a head), adapters, or all weights.
"""

import copy
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import data
from helpers.chapters.lora.adapters import megabytes
from helpers.chapters.lora.few_labels import by_length
from helpers.course import benchmarks, leaderboard
from helpers.course.call_cost import usage
from helpers.device import seed_everything
from helpers.experiments.inbox_questions import asked_of
from helpers.models.docs_reader import Reader, Window, best_spans, new_reader, stacked, windows
from helpers.training import fit

WAYS = ("head on the best frozen layer", "LoRA r=4", "LoRA r=64", "all weights")
SPANS = "inbox_spans"  # the task's name on the leaderboard
CHAPTER = "09"
LENGTH = 128  # tokens of a question and its message: none is longer
ROWS = 16  # of a step
JUDGED = 50  # rows that are judged at a time
LOOKS = 4  # at a model while it learns
HEAD_LR, HEAD_PASSES = 2e-2, 5  # a head costs little, so it may take more steps
Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


class Row(NamedTuple):
    """A question with its message, and the first and the last token of the answer."""

    window: Window
    first: int
    last: int


class Measured(NamedTuple):
    """One way of training, measured.

    trained: numbers that were trained
    share:   of all weights
    mb:      the most memory that tensors hold in one step, in MB
    seconds: of the training
    exact:   the share of the judged questions whose answer is marked to the token
    kept:    what the encoder's vectors are still worth: the share of 150 intents told apart by the nearest neighbour
    reached: [(steps, exact), ...] as it learned, of adapters alone
    model:   the trained model
    """

    trained: int
    share: float
    mb: float
    seconds: float
    exact: float
    kept: float
    reached: list[tuple[int, float]]
    model: nn.Module


class Heads(nn.Module):
    """For each layer of a frozen encoder two scores for each token, from what the layer made of the token."""

    def __init__(self, encoder: nn.Module):
        super().__init__()
        layers = encoder.config.num_hidden_layers + 1  # the embeddings, too
        self.ends = nn.ModuleList(nn.Linear(encoder.config.hidden_size, 2) for _ in range(layers))

    def forward(self, states: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the scores (layers, B, T, 2) of each token as the first and the last of the answer.

        states (B, T, layers, C), segments (B, T): see Reader
        """
        states, segments = (part.to(self.ends[0].weight.device) for part in (states, segments))
        allowed = segments == 1
        allowed[:, 0] = True
        scores = torch.stack([ends(states[:, :, layer].float()) for layer, ends in enumerate(self.ends)])
        return scores.masked_fill(~allowed[..., None], -1e4)


class Lesson:
    """Questions about messages: `learned` to learn from, `judged` about messages made of core sentences that are new.

    A message that names one date is asked for it; so are persons, places and sums.
    """

    def __init__(self, learn: int, ask: int, seed: int = 0):
        """Draw `learn` and `ask` questions."""
        self.reader, self.tokenizer = new_reader()
        self.reader.encoder.set_attn_implementation("eager")  # its gradients are cheaper on a CPU
        train, test = data.load("inbox").without_repeats().split(test=0.2, seed=seed)
        self.learned, self.judged = self._rows(train, learn, seed), self._rows(test, ask, seed)
        self.seed, self.intents = seed, benchmarks.intents_exam(1, seed, max_questions=1)

    def _rows(self, messages: data.Messages, count: int, seed: int) -> list[Row]:
        rows = []
        asked = asked_of(messages)
        for question, text, answer in random.Random(seed).sample(asked, count):
            window = windows(self.tokenizer, question, text, LENGTH)[0]
            inside = [
                t
                for t, (a, b) in enumerate(window.offsets)
                if window.segments[t] and a < answer.end and b > answer.start
            ]
            rows.append(Row(window, inside[0], inside[-1]))
        return rows

    def heads(self, steps: int) -> tuple[int, Measured]:
        """Train a head on each layer of the frozen encoder, HEAD_PASSES times `steps`; returns the best layer, and it.

        The best is the best on the judged questions: no choice of a layer could do better there.
        """
        seed_everything(self.seed)
        start = time.perf_counter()
        encoder = self.reader.encoder
        states = self._states(encoder, self.learned)

        def head_batch(rows: torch.Tensor) -> Batch:
            _, segments, ends = self._batch(rows)
            return nn.utils.rnn.pad_sequence([states[i] for i in rows], batch_first=True), segments, ends

        model, drawn = Heads(encoder), self._drawn(HEAD_PASSES * steps)
        # Without a clip: one norm of all gradients would tie the heads together.
        options = {"steps": len(drawn), "lr": HEAD_LR, "weight_decay": 0.0, "clip": None, "progress": False}
        fit(model, lambda step: head_batch(drawn[step]), head_loss, **options)
        seconds = time.perf_counter() - start
        mb = megabytes(encoder) + usage(lambda: self._states(encoder, self.learned[:ROWS])).mb
        exact = self._exact_of_heads(model)
        best = int(exact.argmax())
        trained = sum(p.numel() for p in model.ends[best].parameters())
        reached = [(len(drawn), float(exact[best]))]
        share = trained / self._whole()
        return best, Measured(trained, share, mb, seconds, float(exact[best]), self.kept(encoder), reached, model)

    def _drawn(self, steps: int) -> list[torch.Tensor]:
        """Return which rows each step learns from, those of like lengths side by side."""
        return by_length(torch.tensor([tokens_of(row) for row in self.learned]), steps, ROWS)

    def _batch(self, rows: torch.Tensor) -> Batch:
        return batch([self.learned[i] for i in rows])

    def _whole(self) -> int:
        return sum(p.numel() for p in self.reader.parameters())

    @torch.no_grad()
    def _states(self, encoder: nn.Module, rows: Sequence[Row]) -> list[torch.Tensor]:
        """Return what the encoder's layers make of each row's tokens, (T, layers, C) in half precision."""
        encoder.eval()
        found: dict[int, torch.Tensor] = {}
        order = sorted(range(len(rows)), key=lambda i: tokens_of(rows[i]))
        for start in range(0, len(order), JUDGED):
            part = order[start : start + JUDGED]
            token_ids, segments, _ = batch([rows[i] for i in part])
            inputs = {"attention_mask": (segments >= 0).long(), "token_type_ids": segments.clamp(min=0)}
            inputs = {name: value.to(encoder.device) for name, value in inputs.items()}
            layers = encoder(token_ids.to(encoder.device), **inputs, output_hidden_states=True).hidden_states
            for i, state in zip(part, torch.stack(layers, dim=2).half().cpu(), strict=True):
                found[i] = state[: len(rows[i].window.token_ids)].clone()
        return [found[i] for i in range(len(rows))]

    @torch.no_grad()
    def _exact_of_heads(self, model: Heads) -> np.ndarray:
        """Return the share (layers,) of the judged questions that each head answers to the token."""
        right = []
        judged = sorted(self.judged, key=tokens_of)
        for start in range(0, len(judged), JUDGED):
            part = judged[start : start + JUDGED]
            states = self._states(self.reader.encoder, part)
            _, segments, ends = batch(part)
            scores = model(nn.utils.rnn.pad_sequence(states, batch_first=True), segments)
            right.append([hits(scored, ends) for scored in scores])
        return np.sum(right, axis=0) / len(self.judged)

    def run(self, adapt: Callable[[nn.Module], nn.Module] | None, lr: float, steps: int) -> Measured:
        """Train the reader and measure; with adapters LOOKS times on the way, too, on the first JUDGED questions.

        adapt: freezes the encoder's blocks and puts adapters into them; without it all weights are trained
        """
        seed_everything(self.seed)
        model = copy.deepcopy(self.reader)
        if adapt:
            adapt(model.encoder.encoder)
        else:
            model.encoder.requires_grad_(True)
        reached, options, every = [], {"progress": False}, max(1, steps // LOOKS)
        if adapt:
            reached.append((0, self.exact(model, self.judged[:JUDGED])))
            options |= {"evaluate": self._noting(reached, every), "evaluate_every": every}
        batches = [self._batch(rows) for rows in self._drawn(steps)]
        start = time.perf_counter()
        fit(model, batches, loss, steps=len(batches), lr=lr, weight_decay=0.0, **options)
        seconds = time.perf_counter() - start
        trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
        held = trained * 12 / 1e6 + megabytes(model)  # gradients and two states; the weights
        mb = held + usage(lambda: loss(model, batches[0])).mb
        share, exact = trained / self._whole(), self.exact(model, self.judged)
        return Measured(trained, share, mb, seconds, exact, self.kept(model.encoder), reached, model)

    def _noting(self, reached: list[tuple[int, float]], every: int) -> Callable[[nn.Module], float]:
        """Return a function that judges a model and notes the share in `reached`."""

        def evaluate(model: nn.Module) -> float:
            reached.append((every * len(reached), self.exact(model, self.judged[:JUDGED])))
            return -reached[-1][1]

        return evaluate

    @torch.no_grad()
    def exact(self, model: nn.Module, rows: Sequence[Row]) -> float:
        """Return the share of the rows whose best span is the answer."""
        model.eval()
        rows, right = sorted(rows, key=tokens_of), 0  # little of a batch is padding
        for start in range(0, len(rows), JUDGED):
            token_ids, segments, ends = batch(rows[start : start + JUDGED])
            right += hits(model(token_ids, segments), ends)
        return right / len(rows)

    def kept(self, encoder: nn.Module) -> float:
        """Return how many of 150 intents are told apart by the mean of an encoder's vectors, from one example each."""
        examples, questions = (self._vectors(encoder, texts) for texts in (self.intents.texts, self.intents.questions))
        nearest = (questions @ examples.T).argmax(1).cpu().numpy()
        return float((self.intents.labels[nearest] == self.intents.answers).mean())

    @torch.no_grad()
    def _vectors(self, encoder: nn.Module, texts: Sequence[str]) -> torch.Tensor:
        """Return the mean of the last vectors of each text's tokens, of length 1, (n, C)."""
        encoder.eval()
        ids = [self.tokenizer.encode(text).ids for text in texts]
        lengths = torch.tensor([len(row) for row in ids])
        token_ids = nn.utils.rnn.pad_sequence([torch.tensor(row) for row in ids], batch_first=True)
        there = torch.arange(token_ids.shape[1]) < lengths[:, None]
        device = next(encoder.parameters()).device
        there = there.to(device)
        x = encoder(token_ids.to(device), attention_mask=there.long()).last_hidden_state  # (n, T, C)
        return F.normalize((x * there[..., None]).sum(1), dim=-1)


def tokens_of(row: Row) -> int:
    """Return how many tokens a question and its message have."""
    return len(row.window.token_ids)


def batch(rows: Sequence[Row]) -> Batch:
    """Return (token_ids (B, T), segments (B, T), ends (B, 2)) of rows."""
    token_ids, segments = stacked([row.window for row in rows])
    ends = torch.tensor([[row.first, row.last] for row in rows])
    return token_ids, segments, ends


def hits(scores: torch.Tensor, ends: torch.Tensor) -> int:
    """Return how many of the best spans of scores (B, T, 2) are the answers, ends (B, 2)."""
    _, first, last = best_spans(scores)
    return (torch.stack([first, last], dim=1).cpu() == ends).all(1).sum().item()


def loss(model: Reader, rows: Batch) -> torch.Tensor:
    """Return the cross-entropy of first and last token, in nats, averaged."""
    token_ids, segments, ends = rows
    return F.cross_entropy(model(token_ids, segments), ends.to(model.ends.weight.device))


def head_loss(model: Heads, rows: Batch) -> torch.Tensor:
    """Return the sum of the losses of all heads: each has weights of its own, so each learns as if it were alone."""
    states, segments, ends = rows
    scores = model(states, segments)
    return sum(F.cross_entropy(scored, ends.to(scored.device)) for scored in scores)


def table(measured: Mapping[str, Measured]) -> str:
    """Return a table with a line for each way."""
    lines = [
        f"{'what is trained':<24}{'numbers':>12}{'share':>9}{'memory MB':>11}{'seconds':>9}{'exact':>8}{'kept':>7}"
    ]
    for way, found in measured.items():
        numbers = f"{found.trained:>12,}{found.share:>9.3%}{found.mb:>11.0f}{found.seconds:>9.1f}"
        lines.append(f"{way:<24}{numbers}{found.exact:>8.3f}{found.kept:>7.2f}")
    return "\n".join(lines)


def enter(measured: Mapping[str, Measured]) -> None:
    """Put the shares of exact answers on the leaderboard."""
    for way, found in measured.items():
        with leaderboard.measured(CHAPTER, way, SPANS) as row:
            row.score, row.parameters = found.exact, found.trained


def bundled(adapt: Callable[[nn.Module], nn.Module], weights: dict[str, torch.Tensor]) -> tuple[Reader, object]:
    """Return MiniLM with a student's adapters that hold the weights of the docs-reader, and its tokenizer.

    The adapters have parameters A (r, in) and B (out, r), as the artifact's have.
    """
    model, tokenizer = new_reader(adapt)
    missing = model.load_state_dict(weights, strict=False).unexpected_keys
    if missing:
        raise ValueError(f"the adapters have no {missing[0]}: LoRA layers need parameters A and B")
    return model.eval(), tokenizer
