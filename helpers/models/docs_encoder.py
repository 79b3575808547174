"""The docs-encoder as later chapters use it: a text becomes one vector of length 1, near those of texts alike.

A vector for each token of docs-tokenizer and an importance for each; a text is their weighted sum. No order, no
attention: it reads ten thousand passages in seconds, and its vectors can be compared by a dot product.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.course import artifacts
from helpers.words import PARTS

MAX_TOKENS = 400  # tokens that are read of a text
REACH = 100.0  # a token at this place counts half as much as one at the start
Bag = tuple[np.ndarray, np.ndarray]


class Reader:
    """Turns text into token ids: words are cut at capitals, digits and underscores, and written small.

    So "numpy.linalg.matrix_rank" and "rank of a matrix" share tokens. Each part is encoded as a word behind a space.
    """

    def __init__(self, tokenizer):
        self.tokenizer, self._known = tokenizer, {}

    def __call__(self, text: str, max_tokens: int = MAX_TOKENS) -> list[int]:
        """Return at most `max_tokens` token ids of a text."""
        ids: list[int] = []
        for part in PARTS.findall(text):
            ids += self._part(part.lower())
            if len(ids) >= max_tokens:
                break
        return ids[:max_tokens]

    def _part(self, word: str) -> list[int]:
        if word not in self._known:
            self._known[word] = self.tokenizer.encode(f" {word}", add_special_tokens=False).ids
        return self._known[word]


def bag(ids: Sequence[int], max_tokens: int = MAX_TOKENS) -> Bag:
    """Return (different ids (n,), amounts (n,)): log(1 + occurrences), late ones counting less; never empty."""
    ids = np.asarray(ids[:max_tokens] if len(ids) else [0], dtype=np.int64)
    places = REACH / (REACH + np.arange(len(ids)))
    unique, where = np.unique(ids, return_inverse=True)
    return unique, np.log1p(np.bincount(where, weights=places)).astype(np.float32)


class Encoder(nn.Module):
    """An encoder of bags of tokens: importance times vector, summed, brought to length 1."""

    def __init__(self, vocab_size: int, d_model: int):
        super().__init__()
        self.embedding = nn.EmbeddingBag(vocab_size, d_model, mode="sum")
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)
        self.importance = nn.Parameter(torch.zeros(vocab_size))  # the logarithm of a token's weight
        self.sharpness = nn.Parameter(torch.tensor(3.0))  # the logarithm of 1 / temperature, for training alone

    def forward(self, bags: list[Bag], dropped: float = 0.0) -> torch.Tensor:
        """Return vectors (B, C) of length 1; a share `dropped` of the tokens is left out at random.

        A text of which nothing would be left stays whole: a vector of zeros has no direction.
        """
        device = self.importance.device
        ids = torch.from_numpy(np.concatenate([b[0] for b in bags])).to(device)
        amounts = torch.from_numpy(np.concatenate([b[1] for b in bags])).to(device)
        starts = torch.tensor(np.cumsum([0] + [len(b[0]) for b in bags[:-1]]), device=device)
        weights = amounts * self.importance[ids].exp()
        if dropped:
            owner = torch.repeat_interleave(torch.tensor([len(b[0]) for b in bags], device=device))  # of each token
            kept = torch.rand(len(weights), device=device) >= dropped
            left = torch.zeros(len(bags), device=device).index_add(0, owner, kept.float())
            weights = weights * (kept | (left[owner] == 0))
        return F.normalize(self.embedding(ids, starts, per_sample_weights=weights), dim=-1)


class TextEncoder:
    """An encoder with its reader: `encode(texts)` gives the vectors."""

    def __init__(self, model: Encoder, reader: Reader):
        self.model, self.reader = model.eval(), reader
        self.dimensions = model.embedding.embedding_dim

    @torch.no_grad()
    def encode(self, texts: Sequence[str], batch_size: int = 512) -> np.ndarray:
        """Return float32 vectors (n, C) of length 1, one for each text."""
        batches = [np.zeros((0, self.dimensions), dtype=np.float32)]
        for start in range(0, len(texts), batch_size):
            bags = [bag(self.reader(text)) for text in texts[start : start + batch_size]]
            batches.append(self.model(bags).cpu().numpy())
        return np.concatenate(batches)

    def similarity(self, queries: Sequence[str], texts: Sequence[str]) -> np.ndarray:
        """Return the cosine of each query with each text, (queries, texts)."""
        return self.encode(queries) @ self.encode(texts).T


@lru_cache(maxsize=1)
def shared_reader() -> Reader:
    """Return the reader on the reference docs-tokenizer."""
    return Reader(artifacts.load_tokenizer(own=False))


def load_encoder(own: bool | None = None) -> TextEncoder:
    """Load the artifact docs-encoder, the student's own if there is one, ready to use."""
    artifact = artifacts.load("docs-encoder", own)
    model = Encoder(artifact.config["vocab_size"], artifact.config["d_model"])
    model.load_state_dict(artifact.weights)
    return TextEncoder(model, shared_reader())
