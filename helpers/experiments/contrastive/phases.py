"""An encoder of the docs, trained in phases as E5 is (Wang et al. 2022), and kept as an artifact."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from helpers.course import artifacts
from helpers.device import seed_everything
from helpers.experiments.contrastive.doc_pairs import DocPairs
from helpers.models.docs_encoder import Encoder, TextEncoder, shared_reader
from helpers.training import fit

D_MODEL = 512
BATCH, RUN = 192, 8  # pairs of a batch; how many neighbours in the list of names come together
LR, LR_IMPORTANCE = 5e-4, 2e-2

CARD = """\
# docs-encoder: your own

{parameters:,} parameters, trained by chapter 07 on {pairs:,} pairs of the
docs in {steps} steps. 500 held-out queries, 6,000 passages: {results}.
"""


def train(pairs: DocPairs, losses: Sequence[Callable], seed: int, steps: int) -> TextEncoder:
    """Return the base after one phase of `steps` for each loss, a function of (model, rows (B,)); none: the base."""
    model = base(pairs, seed)
    for loss in losses:
        groups = [
            {"params": [model.embedding.weight], "lr": LR},
            {"params": [model.importance], "lr": LR_IMPORTANCE},
        ]
        optimizer = torch.optim.AdamW(groups, weight_decay=0.0)
        fit(model, runs(len(pairs), seed), loss, steps=steps, optimizer=optimizer, clip=None, progress=False)
    return TextEncoder(model, shared_reader())


def base(pairs: DocPairs, seed: int) -> Encoder:
    """Return random vectors with importance by inverse document frequency: it compares texts by their words."""
    seed_everything(seed)
    vocab_size = shared_reader().tokenizer.get_vocab_size()
    model, held = Encoder(vocab_size, D_MODEL), np.zeros(vocab_size)
    for pair in pairs:
        held[np.unique(pair.body)] += 1
    idf = np.log((len(pairs) + 1) / (held + 1))
    model.importance.data = torch.from_numpy(np.log(np.maximum(idf, 0.05))).float()
    return model


def runs(count: int, seed: int) -> Callable[[int], torch.Tensor]:
    """Return a function from the step to a batch of row numbers (B,): runs of neighbours among `count` pairs."""
    draw = torch.Generator().manual_seed(seed)

    def rows(_step: int) -> torch.Tensor:
        firsts = torch.randperm(count // RUN, generator=draw)[: BATCH // RUN] * RUN
        return (firsts[:, None] + torch.arange(RUN)).flatten()

    return rows


def save(encoder: TextEncoder, pairs: DocPairs, steps: int, results: str) -> Path:
    """Keep the encoder as the artifact docs-encoder, the student's own; returns its folder."""
    weights = dict(encoder.model.state_dict())
    parameters = sum(p.numel() for p in encoder.model.parameters())
    card = CARD.format(parameters=parameters, pairs=len(pairs), steps=steps, results=results)
    sizes = {"vocab_size": len(encoder.model.importance), "d_model": encoder.dimensions}
    return artifacts.save(artifacts.Artifact("docs-encoder", weights, sizes, "", card))
