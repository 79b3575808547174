"""Two ways to pay less or more for a search: vectors cut short, and a vector for every token (late interaction)."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from helpers.models.top_layers import TopEncoder, by_length, padded
from helpers.search.task import Task


def cut_table(task: Task, encoders: dict[str, TopEncoder], sizes: Sequence[int], shorten: Callable) -> str:
    """Return MRR@10 of each encoder with its vectors cut to each size; `shorten` is the reader's own."""
    lines = [f"{'MRR@10, numbers kept':<34}" + "".join(f"{size:>8}" for size in sizes)]
    for name, encoder in encoders.items():
        queries, passages = (torch.from_numpy(encoder.encode(texts)) for texts in (task.queries, task.passages))
        scores = ((shorten(queries, size) @ shorten(passages, size).T).numpy() for size in sizes)
        lines.append(f"{name:<34}" + "".join(f"{task.measure(found)[1]:>8.3f}" for found in scores))
    return "\n".join(lines)


@torch.no_grad()
def token_vectors(encoder: TopEncoder, texts: Sequence[str]) -> list[torch.Tensor]:
    """Return the vectors of each text's tokens (T, C) float16, a tensor for each text."""
    found = {}
    for batch, states in by_length(texts, encoder.below(texts)):
        hidden, mask = encoder.top.eval().tokens(states)
        found.update({t: v[kept].half().cpu() for t, v, kept in zip(batch, hidden, mask, strict=True)})
    return [found[text] for text in texts]


@torch.no_grad()
def reordered(task: Task, encoder: TopEncoder, scores: np.ndarray, max_sim: Callable, first: int) -> np.ndarray:
    """Return scores (queries, passages) in which the `first` best of each query are ordered anew by `max_sim`."""
    queries, passages = (token_vectors(encoder, texts) for texts in (task.queries, task.passages))
    new = np.array(scores, dtype=np.float64)
    for i, row in enumerate(np.argsort(-scores, axis=1, kind="stable")[:, :first]):
        late = np.asarray(max_sim(*padded([queries[i]]), *padded([passages[j] for j in row])))[0]
        new[i, row] = scores[i].max() + 1 + late - late.min()
    return new


def sizes_of(task: Task, encoder: TopEncoder) -> str:
    """Return what an index of the passages holds either way, in numbers for a passage."""
    tokens = np.mean([len(states) for states in encoder.below(task.passages)])
    width = encoder.below.model.config.hidden_size
    return f"numbers for a passage: {width} for one vector, {tokens * width:,.0f} for a vector of each token"
