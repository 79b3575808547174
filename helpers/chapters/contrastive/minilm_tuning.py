"""MiniLM, whose top two layers learn from pairs by the reader's own loss: pairs of the docs, or of few labels."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from helpers import pretrained
from helpers.chapters.contrastive.doc_pairs import DocPairs
from helpers.course.benchmarks import Model, linear_probe
from helpers.device import seed_everything
from helpers.models.top_layers import LowerLayers, TopEncoder, TopLayers
from helpers.training import fit

READ, SEARCHED = 48, 128  # tokens of a text while it learns, and of one that is searched
LR = 3e-4
DOCS, INTENTS = 64, 50  # pairs of a batch
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class MiniLM:
    """The bundled encoder: as it comes, and tuned; all share the states of the lower layers."""

    def __init__(self):
        self.model = pretrained.load()
        self.below = LowerLayers(self.model, length=SEARCHED)
        self.as_it_comes = TopEncoder(self.below, TopLayers(self.model))

    def tuned(self, pairs: Sequence[tuple[str, str]], loss: Loss, seed: int, batch: int) -> TopEncoder:
        """Return an encoder that went through the pairs once, in their order; `loss` is of two (B, C)."""
        seed_everything(seed)
        top = TopLayers(self.model)
        first, second = (self.below(side, READ) for side in zip(*pairs, strict=True))

        def of_rows(model, rows):
            chosen = rows.tolist()
            first_vectors = model([first[i] for i in chosen])
            second_vectors = model([second[i] for i in chosen])
            return loss(first_vectors, second_vectors)

        batches = list(torch.arange(len(pairs)).split(batch))
        fit(
            top,
            lambda step: batches[step],
            of_rows,
            steps=len(batches),
            lr=LR,
            warmup=min(3, len(batches)),
            progress=False,
        )
        return TopEncoder(self.below, top)

    def tuned_on_docs(self, pairs: DocPairs, loss: Loss, seed: int, steps: int) -> TopEncoder:
        """Return an encoder that learned from summaries and bodies, 64 pairs a step."""
        drawn = np.random.default_rng(seed).permutation(len(pairs))[: steps * DOCS]
        texts = [(pairs.pairs[i].summary_text, pairs.pairs[i].body_text) for i in drawn]
        return self.tuned(texts, loss, seed, DOCS)

    def classifiers(self, on_docs: TopEncoder, loss: Loss, rounds: int) -> dict[str, Model]:
        """Return what takes a benchmark, by name: probes on two encoders, and the one tuned on the labels."""
        return {
            "MiniLM, linear probe": linear_probe(self.as_it_comes.encode),
            "MiniLM tuned on the docs, linear probe": linear_probe(on_docs.encode),
            "MiniLM tuned on the labels, linear probe": self.tuned_on_labels(loss, rounds),
        }

    def tuned_on_labels(self, loss: Loss, rounds: int) -> Model:
        """Return the classifier that tunes on pairs of one intent, then fits a linear probe (Tunstall et al. 2022)."""

        def model(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
            encoder = self.tuned(label_pairs(texts, labels, rounds, seed), loss, seed, INTENTS)
            probe = linear_probe(encoder.encode)
            said = probe(texts, labels, questions, seed)
            model.parameters = probe.parameters + sum(p.numel() for p in encoder.top.parameters())
            return said

        return model


def label_pairs(texts: Sequence[str], labels: np.ndarray, rounds: int, seed: int) -> list[tuple[str, str]]:
    """Return a pair of random texts of each class, classes in random order, and so `rounds` times.

    A class with one text gives that text twice; dropout makes two views of it (Gao, Yao and Chen 2021).
    """
    rng, pairs = np.random.default_rng(seed), []
    for _ in range(rounds):
        for label in rng.permutation(np.unique(labels)):
            rows = np.flatnonzero(labels == label)
            i, j = rng.choice(rows, 2, replace=len(rows) < 2)
            pairs.append((texts[i], texts[j]))
    return pairs
