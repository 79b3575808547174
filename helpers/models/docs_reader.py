"""The docs-reader: the trunk of docs-gpt, taught to point at the words of a passage that answer a question.

A model of three million weights cannot be trusted to write a fact; it can point at one. The reader sees question and
passage together, scores every token as the first and as the last of the answer (Wang, Jiang 2017; Devlin et al. 2019),
and the first place, [CLS], stands for "the passage does not say" (Rajpurkar, Jia, Liang 2018).
"""

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.course import artifacts
from helpers.models.gpt import GPT, SIZES
from helpers.models.sentence_features import Sentences, encoder, sentences, signs, surroundings
from helpers.models.span_features import candidates, features
from helpers.models.word_vectors import WordVectors
from helpers.words import FREQUENT

CLOSE = 0.55  # cosine of two words that mean nearly the same here
WORD = re.compile(r"[a-z0-9_]+")
OVERLAP = 64  # tokens that two windows of a long passage share
OTHER, ASKED, TOLD, NEAR, STEM, SAME = range(6)  # what is known of a token before anything is read


class Reader(nn.Module):
    """docs-gpt without its mask, with a mark on each token, and two scores for each token at the end."""

    def __init__(self, **sizes):
        super().__init__()
        self.trunk = GPT(**sizes)
        self.marks = nn.Embedding(6, sizes["d_model"])
        self.ends = nn.Linear(sizes["d_model"], 2)
        nn.init.normal_(self.marks.weight, std=0.02)

    def forward(self, token_ids: torch.Tensor, marks: torch.Tensor) -> torch.Tensor:
        """Return the scores (B, T, 2) of each token as the first and the last of the answer; marks OTHER may not be."""
        seen = (token_ids != artifacts.SPECIAL_TOKENS.index("<|pad|>"))[:, None, None]  # (B, 1, 1, T)
        places = self.trunk.position_embedding.weight[: token_ids.shape[1]]
        x = self.trunk.token_embedding(token_ids) + places + self.marks(marks)
        for block in self.trunk.blocks:
            x = _both_ways(block, x, seen)
        scores = self.ends(self.trunk.final_norm(x)).float()
        allowed = (marks >= TOLD) | (torch.arange(marks.shape[1], device=marks.device) == 0)
        return scores.masked_fill(~allowed[..., None], -1e4)


def _both_ways(block, x: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
    """A block of the GPT in which every token sees those before and behind it; padding is not seen."""
    attention = block.self_attn
    parts = F.linear(block.norm1(x), attention.in_proj_weight, attention.in_proj_bias).chunk(3, dim=-1)
    query, key, value = (v.unflatten(-1, (attention.num_heads, -1)).transpose(1, 2) for v in parts)
    z = F.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    x = x + attention.out_proj(z.transpose(1, 2).flatten(2))
    return x + block.linear2(F.gelu(block.linear1(block.norm2(x))))


# ------------------------------------------------------------------------------------------ input
@dataclass(frozen=True)
class Window:
    """A question and a part of a passage as the reader sees them.

    token_ids: [CLS] question <|passage|> passage
    marks:     for each, OTHER, ASKED (the question), or how a word of the passage meets those of the question
    offsets:   for each, its (start, end) in the passage's characters; (0, 0) outside of the passage
    """

    token_ids: list[int]
    marks: list[int]
    offsets: list[tuple[int, int]]


def windows(tokenizer, question: str, passage: str, length: int = 256) -> list[Window]:
    """Cut a passage into windows of at most `length` tokens, each behind the question."""
    asked = tokenizer.encode(question, add_special_tokens=False).ids[: length // 4]
    told = tokenizer.encode(passage, add_special_tokens=False)
    marks, room = _marks(told.offsets, question, passage), length - len(asked) - 2
    head = [tokenizer.token_to_id("[CLS]"), *asked, tokenizer.token_to_id("<|passage|>")]
    first = [OTHER] + [ASKED] * len(asked) + [OTHER]
    starts = range(0, max(1, len(told.ids) - OVERLAP), max(1, room - OVERLAP))
    return [
        Window(
            head + told.ids[s : s + room],
            first + marks[s : s + room],
            [(0, 0)] * len(head) + told.offsets[s : s + room],
        )
        for s in starts
    ]


def _marks(offsets: list[tuple[int, int]], question: str, passage: str) -> list[int]:
    """Return for each token whether the question has its word, one with the same beginning, one near it, or none."""
    known = np.maximum(character_marks(question, passage), TOLD).tolist()
    return [max(known[start:end] or [TOLD]) for start, end in offsets]


def character_marks(question: str, passage: str) -> np.ndarray:
    """Return NEAR, STEM or SAME for each character of words that meet the question, else 0, (characters,)."""
    asked = set(WORD.findall(question.lower())) - FREQUENT
    stems, near = {word[:5] for word in asked if len(word) > 3}, _near(asked, set(WORD.findall(passage.lower())))
    known = np.zeros(len(passage) + 1, dtype=int)
    for found in WORD.finditer(passage.lower()):
        word = found.group()
        mark = SAME if word in asked else STEM if word[:5] in stems else NEAR if word in near else 0
        known[found.start() : found.end()] = mark
    return known


def _near(asked: set[str], told: set[str]) -> set[str]:
    """Return the words of the passage whose vector is close to that of a word asked for."""
    vectors = _vectors()
    a = [vectors.index[w] for w in sorted(asked) if w in vectors.index]
    b = [w for w in sorted(told - FREQUENT) if w in vectors.index]
    if not a or not b:
        return set()
    cosines = vectors.unit[[vectors.index[w] for w in b]] @ vectors.unit[a].T  # (words told, words asked)
    return {word for word, best in zip(b, cosines.max(axis=1), strict=True) if best > CLOSE}


@cache
def _vectors() -> WordVectors:
    return WordVectors.load(own=False)


def stacked(made: list[Window]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return token_ids and marks (B, T) of windows, the shorter ones padded."""
    longest, pad = max(len(w.token_ids) for w in made), artifacts.SPECIAL_TOKENS.index("<|pad|>")
    token_ids = torch.tensor([w.token_ids + [pad] * (longest - len(w.token_ids)) for w in made])
    return token_ids, torch.tensor([w.marks + [OTHER] * (longest - len(w.marks)) for w in made])


# ----------------------------------------------------------------------------------------- answers
@dataclass(frozen=True)
class Span:
    """The best answer in one passage: its text, where it begins, and the log-odds that the passage answers at all."""

    text: str
    start: int
    score: float


NOTHING = Span("", 0, float("-inf"))


@torch.no_grad()
def pointed(model: Reader, tokenizer, question: str, passage: str, spans: list[tuple[int, int]]) -> np.ndarray:
    """Return the deep half's score of each span (characters): of its ends, less that of silence, (spans,)."""
    found, device = np.full(len(spans), -40.0), next(model.parameters()).device
    starts, ends = np.array(spans).T
    for window in windows(tokenizer, question, passage):
        token_ids, marks = stacked([window])
        first, last = model(token_ids.to(device), marks.to(device))[0].log_softmax(dim=0).cpu().numpy().T
        token_of = np.full(len(passage) + 1, -1)
        for i, (start, end) in enumerate(window.offsets):
            token_of[start:end] = i if end > start else token_of[start:end]
        a, b = token_of[starts], token_of[ends - 1]
        scores = first[a] + last[b] - first[0] - last[0]
        found = np.where((a >= 0) & (b >= 0), np.maximum(found, scores), found)
    return found


class Wide(nn.Module):
    """The wide half: a small network scores spans by what is known of them, a linear layer says whether to answer."""

    def __init__(self, features: int, signs: int, hidden: int = 24):
        super().__init__()
        for name, size in {"known": features, "sign": signs}.items():
            self.register_buffer(f"{name}_mean", torch.zeros(size))
            self.register_buffer(f"{name}_scale", torch.ones(size))
        self.drop, self.hidden, self.out = nn.Dropout(0.2), nn.Linear(features, hidden), nn.Linear(hidden, 1)
        self.belief = nn.Linear(signs, 1)

    def scores(self, known: torch.Tensor) -> torch.Tensor:
        """Return the score of each span (n,) from what is known of it (n, features)."""
        x = ((known - self.known_mean) / self.known_scale).clamp(-5, 5)
        return self.out(self.drop(F.gelu(self.hidden(self.drop(x))))).squeeze(-1)

    def believed(self, signs: torch.Tensor) -> torch.Tensor:
        """Return the log-odds that a passage answers (B,), from its signs (B, signs)."""
        return self.belief(((signs - self.sign_mean) / self.sign_scale).clamp(-5, 5)).squeeze(-1)


def known_of(
    question: str, passage: str, spans: list[tuple[int, int]], deep: np.ndarray, near: Sentences
) -> np.ndarray:
    """Return all that the wide half gets of each span, (spans, features); deep are the scores of the other half."""
    kinds = features(question, passage, spans, character_marks(question, passage))
    return np.column_stack([kinds, deep, surroundings(question, passage, spans, near)])


@dataclass(frozen=True, eq=False)
class DocsReader:
    """Both halves: the deep one points, the wide one knows kinds of words and sentences, and weighs all of it.

    threshold: the log-odds of an answer below which it had better not answer.
    """

    deep: Reader
    tokenizer: object
    wide: Wide
    threshold: float

    def read(self, question: str, passages: list[str]) -> list[Span]:
        """Return the best span of each passage; the text is cut out of the passage, never written."""
        return [self._best(question, passage) for passage in passages]

    @torch.no_grad()
    def _best(self, question: str, passage: str) -> Span:
        spans = candidates(passage)
        if not spans:
            return NOTHING
        near = sentences(question, passage, encoder())
        deep = pointed(self.deep, self.tokenizer, question, passage, spans)
        scores = self.wide.scores(torch.from_numpy(known_of(question, passage, spans, deep, near)).float()).numpy()
        belief = self.wide.believed(torch.from_numpy(signs(question, passage, near, scores)).float())
        best = int(scores.argmax())
        return Span(passage[slice(*spans[best])], spans[best][0], float(belief))


def load_reader(own: bool | None = None) -> DocsReader:
    """Load the artifact docs-reader, ready to read."""
    artifact = artifacts.load("docs-reader", own)
    parts = {half: {} for half in ("deep", "wide")}
    for name, weight in artifact.weights.items():
        half, _, rest = name.partition(".")
        parts[half][rest] = weight.float() if half == "wide" else weight
    deep = Reader(**{name: artifact.config[name] for name in SIZES})
    wide = Wide(len(parts["wide"]["known_mean"]), len(parts["wide"]["sign_mean"]))
    for half, model in {"deep": deep, "wide": wide}.items():
        model.load_state_dict(parts[half])
    return DocsReader(deep.eval(), artifacts.load_tokenizer(own=False), wide.eval(), artifact.config["threshold"])
