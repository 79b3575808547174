"""An encoder of the docs, trained in phases as E5 is (Wang et al. 2022), and kept as an artifact."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch

from helpers.chapters.contrastive.doc_pairs import DocPairs
from helpers.course import artifacts
from helpers.device import best_device, seed_everything
from helpers.models.docs_encoder import Encoder, TextEncoder, shared_reader
from helpers.training import random_state

D_MODEL = 512
BATCH, RUN = 192, 8  # pairs of a batch; how many neighbours in the list of names come together
FEW = 10  # fewer steps only show that it runs: a loss by loops keeps a copy of all keys for each query
LR, LR_IMPORTANCE = 5e-4, 2e-2

CARD = """\
# docs-encoder: your own

{parameters:,} parameters, trained by chapter 07 on {pairs:,} pairs of the
docs in {steps} steps. 500 held-out queries, 6,000 passages: {results}.
"""


Step = Callable[[Encoder, torch.optim.Optimizer, torch.Tensor], float]  # of (model, optimizer, rows (B,)): the loss


def trained(pairs: DocPairs, plans: dict[str, Sequence[Step]], seed: int, steps: int) -> dict[str, TextEncoder]:
    """Return the encoder of each plan: the base after one phase, of `steps`, for each kind of step in it.

    plans: by name, lists of kinds of steps. Plans that begin alike share what they have in common, and draw the same
    random numbers as if each had been trained alone.
    """
    made = {(): (base(pairs, seed), random_state.state())}
    for plan in plans.values():
        for end, step in enumerate(plan):
            done, now = tuple(plan[:end]), tuple(plan[: end + 1])
            if now not in made:
                random_state.restore(made[done][1])
                made[now] = _phase(deepcopy(made[done][0]), pairs, step, seed, steps), random_state.state()
    return {name: TextEncoder(made[tuple(plan)][0], shared_reader()) for name, plan in plans.items()}


def similarities(encoders: Sequence[dict[str, TextEncoder]], task) -> dict[str, list[np.ndarray]]:
    """Return for each plan the similarities (Q, P) of a task's queries and passages, one array a seed.

    encoders: for each seed, the encoder of each plan
    """
    found = {}
    for plan in encoders[0]:
        found[plan] = [trained[plan].similarity(task.queries, task.passages) for trained in encoders]
    return found


def _phase(model: Encoder, pairs: DocPairs, step: Step, seed: int, steps: int) -> Encoder:
    groups = [
        {"params": [model.embedding.weight], "lr": LR},
        {"params": [model.importance], "lr": LR_IMPORTANCE},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.0)
    rows_of, model = runs(len(pairs), seed, BATCH if steps >= FEW else BATCH // 3), model.to(best_device()).train()
    for number in range(steps):
        step(model, optimizer, rows_of(number))
    return model.eval()


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


def runs(count: int, seed: int, batch: int = BATCH) -> Callable[[int], torch.Tensor]:
    """Return a function from the step to a batch of row numbers (B,): runs of neighbours among `count` pairs."""
    draw = torch.Generator().manual_seed(seed)

    def rows(_step: int) -> torch.Tensor:
        firsts = torch.randperm(count // RUN, generator=draw)[: batch // RUN] * RUN
        return (firsts[:, None] + torch.arange(RUN)).flatten()

    return rows


def save(encoder: TextEncoder, pairs: DocPairs, steps: int, results: str) -> Path:
    """Keep the encoder as the artifact docs-encoder, the student's own; returns its folder."""
    weights = dict(encoder.model.state_dict())
    parameters = sum(p.numel() for p in encoder.model.parameters())
    card = CARD.format(parameters=parameters, pairs=len(pairs), steps=steps, results=results)
    sizes = {"vocab_size": len(encoder.model.importance), "d_model": encoder.dimensions}
    return artifacts.save(artifacts.Artifact("docs-encoder", weights, sizes, "", card))
