"""Two tasks on the inbox for one encoder: who and when is named, where is the answer to a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn

from helpers import data
from helpers.chapters.transformers.packing import PAD, SEP, encode, pack
from helpers.experiments.inbox_questions import asked_of

Rows = tuple[torch.Tensor, torch.Tensor, torch.Tensor]  # token_ids and segments (N, T); labels (N,), (N, T) or (N, 2)
LONGEST = 12  # tokens of an answer


@dataclass(frozen=True)
class Task:
    """A task: what is learned from, what is judged, and the head that it needs.

    outputs: numbers that the head gives; whole: for the mean of all tokens (else for each token). lr: learning rate.
    measure: (model, rows) -> score, the larger the better.
    """

    learned: Rows
    judged: Rows
    outputs: int
    whole: bool
    lr: float
    measure: Callable[[nn.Module, Rows], float]

    @torch.no_grad()
    def score(self, model: nn.Module, max_rows: int | None = None) -> float:
        """Return the measure on the judged rows, or on the first `max_rows` of them."""
        device = next(model.parameters()).device
        return self.measure(model, without_padding(tuple(part[:max_rows].to(device) for part in self.judged)))


def without_padding(rows: Rows) -> Rows:
    """Return rows without the places that are padding in all of them, but for the first, which is a neighbour."""
    ids, segments, labels = rows
    longest = int((ids != PAD).sum(dim=1).max()) + 1
    if labels.shape == ids.shape:
        labels = labels[:, :longest]
    return ids[:, :longest], segments[:, :longest], labels


def make(
    tokenizer, train: data.Messages, test: data.Messages, length: int, first_piece_labels: Callable, best_span: Callable
) -> dict[str, Task]:
    """Return the two tasks, their inputs cut to `length` tokens; the two functions are the student's."""
    tagged = data.load("inbox_tags")
    names = tagged.tags
    tags = [tags_of(tokenizer, part, names, length, first_piece_labels) for part in (tagged.train, tagged.test)]
    spans = [questions_of(tokenizer, part, length) for part in (train, test)]
    tag_score, span_score = partial(tag_f1, outside=names.index("O")), partial(exact_spans, best_span=best_span)
    return {
        "tags (F1)": Task(*tags, len(names), False, 3e-3, tag_score),
        "spans (exact)": Task(*spans, 2, False, 3e-3, span_score),
    }


def tags_of(tokenizer, sentences: Sequence, names: list[str], length: int, first_piece_labels: Callable) -> Rows:
    """Return tagged sentences with labels (N, length), -100 but on first pieces."""
    encoded = [tokenizer.encode(s.tokens, is_pretokenized=True, add_special_tokens=False) for s in sentences]
    ids, segments = pack([e.ids for e in encoded], length=length)
    labels = torch.full(ids.shape, -100)
    for row, (e, s) in enumerate(zip(encoded, sentences, strict=True)):
        numbers = [names.index(tag) for tag in s.tags]
        made = first_piece_labels([None, *e.word_ids[: length - 2], None], numbers)
        labels[row, : len(made)] = torch.as_tensor(made)
    return ids, segments, labels


def questions_of(tokenizer, messages: data.Messages, length: int) -> Rows:
    """Return [CLS] question [SEP] message [SEP], with labels (N, 2): first and last token of the answer.

    Asked for is each kind of thing that a message names once; answers that are cut off are left out.
    """
    asked = asked_of(messages)
    first = encode(tokenizer, [question for question, _, _ in asked])
    second = [tokenizer.encode(text, add_special_tokens=False) for _, text, _ in asked]
    ids, segments = pack(first, [e.ids for e in second], length=length)
    spans = [
        [i for i, (a, b) in enumerate(e.offsets) if a < entity.end and b > entity.start]
        for e, (_, _, entity) in zip(second, asked, strict=True)
    ]
    edges = torch.tensor([[len(q) + 2 + s[0], len(q) + 2 + s[-1]] for q, s in zip(first, spans, strict=True)])
    fits = edges[:, 1] < length - 1
    return ids[fits], segments[fits], edges[fits]


def tag_f1(model: nn.Module, rows: Rows, outside: int) -> float:
    """Return F1 of tags other than O, whose number is `outside`, token by token."""
    ids, segments, labels = rows
    guesses, at = model(ids, segments).argmax(-1), labels != -100
    named, guessed = at & (labels != outside), at & (guesses != outside)
    right = ((guesses == labels) & named).sum().item()
    return 2 * right / max(guessed.sum().item() + named.sum().item(), 1)


def exact_spans(model: nn.Module, rows: Rows, best_span: Callable) -> float:
    """Return the share of questions answered with exactly the right span."""
    ids, segments, edges = rows
    logits, allowed = model(ids, segments).cpu(), ((segments == 1) & (ids != SEP)).cpu()  # (N, T, 2), (N, T)
    found = [best_span(*row.T, free, LONGEST) for row, free in zip(logits, allowed, strict=True)]
    return (torch.tensor(found) == edges.cpu()).all(1).float().mean().item()
