"""The docs-reader: MiniLM with a low-rank adapter, taught to point at the words of a passage that answer a question.

A small model cannot be trusted to write a fact; it can point at one. The reader sees question and passage together and
scores every token as the first and as the last of the answer (Devlin et al. 2019); the first place, [CLS], stands for
"the passage does not say" (Rajpurkar, Jia, Liang 2018). MiniLM (Wang et al. 2020) stays as it is; what was learned is
an update of low rank beside each of its linear layers (Hu et al. 2021) and the two scores.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import nn

from helpers import pretrained
from helpers.course import artifacts

LAYERS = ("query", "key", "value", "dense")  # what is adapted: every linear layer of the encoder's blocks
LENGTH, OVERLAP = 192, 48  # tokens of a window, and those that two windows of a long passage share
MAX_ANSWER_TOKENS = 30  # of an answer
ROWS = 8  # windows that are read at once


class Reader(nn.Module):
    """An encoder, as it comes or with adapters in it, and two scores for each token at the end."""

    def __init__(self, encoder: nn.Module):
        super().__init__()
        self.encoder = encoder
        self.ends = nn.Linear(encoder.config.hidden_size, 2)
        nn.init.normal_(self.ends.weight, std=0.02)

    def forward(self, token_ids: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the scores (B, T, 2) of each token as the first and the last of the answer; outside of it -1e4.

        segments (B, T): 0 for the question, 1 for the passage, -1 for padding.
        """
        token_ids, segments = (part.to(self.ends.weight.device) for part in (token_ids, segments))
        seen = segments >= 0
        x = self.encoder(token_ids, attention_mask=seen.long(), token_type_ids=segments.clamp(min=0)).last_hidden_state
        allowed = segments == 1
        allowed[:, 0] = True
        return self.ends(x).float().masked_fill(~allowed[..., None], -1e4)

    @torch.no_grad()
    def take(self, weights: dict[str, torch.Tensor]) -> "Reader":
        """Add an artifact's updates of low rank to the encoder's weights, and take its scores; returns the reader."""
        for name in (name.removesuffix(".A") for name in weights if name.endswith(".A")):
            weight = self.encoder.get_submodule(name.removeprefix("encoder.")).weight
            weight.addmm_(*(weights[f"{name}.{part}"].to(weight) for part in "BA"))
        self.ends.load_state_dict({part: weights[f"ends.{part}"] for part in ("weight", "bias")})
        return self


# ------------------------------------------------------------------------------------------ input
@dataclass(frozen=True)
class Window:
    """A question and a part of a passage as the reader sees them.

    token_ids: [CLS] question [SEP] passage [SEP]
    segments:  for each, 0 or, in the passage, 1
    offsets:   for each, its (start, end) in the passage's characters; (0, 0) outside of the passage
    """

    token_ids: list[int]
    segments: list[int]
    offsets: list[tuple[int, int]]


def windows(tokenizer, question: str, passage: str, length: int = LENGTH) -> list[Window]:
    """Cut a passage into windows of at most `length` tokens, each behind the question."""
    asked = tokenizer.encode(question, add_special_tokens=False).ids[: length // 3]
    encoded = tokenizer.encode(passage, add_special_tokens=False)
    cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    head, room = [cls, *asked, sep], length - len(asked) - 3
    starts = range(0, max(1, len(encoded.ids) - OVERLAP), max(1, room - OVERLAP))
    return [
        Window(
            [*head, *encoded.ids[s : s + room], sep],
            [0] * len(head) + [1] * len(encoded.ids[s : s + room]) + [0],
            [(0, 0)] * len(head) + encoded.offsets[s : s + room] + [(0, 0)],
        )
        for s in starts
    ]


def stacked(batch: Sequence[Window]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return token_ids and segments (B, T) of windows, the shorter ones padded."""
    longest = max(len(w.token_ids) for w in batch)
    token_ids = torch.tensor([w.token_ids + [0] * (longest - len(w.token_ids)) for w in batch])
    return token_ids, torch.tensor([w.segments + [-1] * (longest - len(w.segments)) for w in batch])


# ----------------------------------------------------------------------------------------- answers
@dataclass(frozen=True)
class Span:
    """The best answer in one passage: its text, where it begins, and its score less that of silence, in nats."""

    text: str
    start: int
    score: float


NOTHING = Span("", 0, float("-inf"))


def best_spans(scores: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (score less that of [CLS], first token, last token) of the best span of each row of scores (B, T, 2)."""
    first, last = scores[:, 1:].unbind(-1)  # (B, T - 1)
    near = torch.ones(first.shape[1], first.shape[1], dtype=torch.bool, device=scores.device)
    near = near.triu().tril(MAX_ANSWER_TOKENS - 1)  # last not before first, and not far behind it
    both = (first[:, :, None] + last[:, None]).masked_fill(~near, -1e9)
    best, place = both.flatten(1).max(dim=1)
    return best - scores[:, 0].sum(-1), place // first.shape[1] + 1, place % first.shape[1] + 1


@dataclass(frozen=True, eq=False)
class DocsReader:
    """The reader with its tokenizer, ready to answer.

    threshold: the score of a span below which it had better not answer.
    """

    model: Reader
    tokenizer: object
    threshold: float

    @torch.no_grad()
    def read(self, question: str, passages: list[str]) -> list[Span]:
        """Return the best span of each passage; the text is cut out of the passage, never written."""
        pieces = [(i, w) for i, passage in enumerate(passages) for w in windows(self.tokenizer, question, passage)]
        pieces.sort(key=lambda each: len(each[1].token_ids))  # so that little of a batch is padding
        spans = [NOTHING] * len(passages)
        for begin in range(0, len(pieces), ROWS):
            part = pieces[begin : begin + ROWS]
            best = best_spans(self.model(*stacked([w for _, w in part])))
            for (i, window), score, first, last in zip(part, *(each.tolist() for each in best), strict=True):
                start, end = window.offsets[first][0], window.offsets[last][1]
                if score > max(spans[i].score, -1e3):  # a window without words has nothing but masked scores
                    spans[i] = Span(passages[i][start:end], start, score)
        return spans


def bare_tokenizer(bundled: pretrained.Pretrained):
    """Return a tokenizer of `tokenizers` that neither cuts nor pads."""
    tokenizer = Tokenizer.from_str(bundled.tokenizer.backend_tokenizer.to_str())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def new_reader(adapt: Callable[[nn.Module], nn.Module] | None = None) -> tuple[Reader, object]:
    """Return the bundled MiniLM, frozen, as a reader that has learned nothing, and its tokenizer.

    adapt: puts adapters beside the LAYERS of the encoder's blocks.
    """
    bundled = pretrained.load()
    bundled.model.requires_grad_(False)
    if adapt:
        adapt(bundled.model.encoder)
    return Reader(bundled.model), bare_tokenizer(bundled)


def load_reader(own: bool | None = None) -> DocsReader:
    """Load the artifact docs-reader, ready to read: the bundled MiniLM with the artifact's adapter added to it."""
    artifact = artifacts.load("docs-reader", own)
    model, tokenizer = new_reader()
    return DocsReader(model.take(artifact.weights).eval(), tokenizer, artifact.config["threshold"])
