"""Pairs of the docs to learn from: the first sentence of a docstring belongs to the rest of it.

As a title belongs to its passage in the training data of E5 (Wang et al. 2022).
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch

from helpers.data import load
from helpers.device import SEED, best_device
from helpers.models.docs_encoder import MAX_TOKENS, Bag, bag, shared_reader
from helpers.search.bm25 import BM25
from helpers.words import SENTENCE_END

SENTENCES = 40  # of a body that are read
CHUNK = 500  # queries that BM25 scores at a time


class DocPair:
    """One pair as token ids: the summary (n,), and the sentences of the rest of the body, one after another (m,)."""

    def __init__(self, summary: str, body: str):
        reader = shared_reader()
        self.summary_text, self.body_text = summary, body
        self.summary = np.array(reader(summary), dtype=np.int64)
        parts = [part for part in SENTENCE_END.split(body)[:SENTENCES] if part.strip()]
        self.sentences = [np.array(reader(part), dtype=np.int64) for part in parts]
        self.body = np.concatenate(self.sentences)[:MAX_TOKENS]

    def torn(self) -> tuple[Bag, Bag]:
        """Return a random sentence of the body and the rest of it (the summary, where that was all)."""
        cut = int(torch.randint(len(self.sentences), ()))
        rest = [ids for n, ids in enumerate(self.sentences) if n != cut] or [self.summary]
        return bag(self.sentences[cut]), bag(np.concatenate(rest))


class DocPairs:
    """Some pairs of the docs; `rows` (B,) are numbers of pairs, a bag is what a docs_encoder.Encoder reads."""

    def __init__(self, pairs: Sequence):
        docs = load("docs")
        self.pairs = [DocPair(docs[pair.name].summary, pair.body) for pair in pairs]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[DocPair]:
        return iter(self.pairs)

    def take(self, rows: torch.Tensor) -> list[DocPair]:
        """Return the pairs with these numbers, of any shape."""
        return [self.pairs[i] for i in rows.flatten().tolist()]

    def bags(self, rows: torch.Tensor) -> tuple[list[Bag], list[Bag]]:
        """Return the summaries and the bodies of these pairs."""
        return [bag(pair.summary) for pair in self.take(rows)], self.bodies(rows)

    def bodies(self, rows: torch.Tensor) -> list[Bag]:
        """Return the bodies of these pairs; `rows` of any shape."""
        return [bag(pair.body) for pair in self.take(rows)]

    def torn(self, rows: torch.Tensor) -> tuple[list[Bag], list[Bag]]:
        """Return a random sentence of each body, and the rest of each."""
        sentences, rests = zip(*(pair.torn() for pair in self.take(rows)), strict=True)
        return list(sentences), list(rests)

    def groups(self) -> torch.Tensor:
        """Return a number for each pair (n,), the same for those whose summaries are alike but for capitals."""
        summaries = [pair.summary_text.lower() for pair in self.pairs]
        numbers = {text: i for i, text in enumerate(dict.fromkeys(summaries))}
        return torch.tensor([numbers[text] for text in summaries], device=best_device())

    def mined(self, hard_negatives: Callable, k: int, skip: int) -> torch.Tensor:
        """Return k hard negatives of each pair (n, k): wrong bodies that BM25 ranks high for its summary.

        hard_negatives: the reader's own, of (scores (Q, P), the right passages (Q,), k, skip).
        """
        lexical, n, found = BM25([pair.body_text for pair in self.pairs]), len(self.pairs), []
        for start in range(0, n, CHUNK):
            rows = np.arange(start, min(start + CHUNK, n))
            scores = lexical.scores([self.pairs[i].summary_text for i in rows])
            found.append(np.asarray(hard_negatives(scores, rows, k, skip=skip), dtype=np.int64))
        return torch.from_numpy(np.concatenate(found)).to(best_device())


def training_pairs(count: int) -> DocPairs:
    """Return `count` pairs of train, drawn by the course's seed, in the order of their names."""
    pairs = load("docs").pairs()["train"]
    drawn = np.random.default_rng(SEED).permutation(len(pairs))[:count]
    return DocPairs([pairs[i] for i in sorted(drawn)])


def held_out_pairs(count: int) -> DocPairs:
    """Return the first `count` pairs of valid."""
    return DocPairs(load("docs").pairs()["valid"][:count])
