"""Which pooling learns fastest: a small transformer on pairs of the docs, and how often it finds a summary's body."""

from collections.abc import Callable, Sequence

import torch

from helpers.chapters.contrastive.doc_pairs import DocPairs
from helpers.chapters.contrastive.encoders import SmallTransformer
from helpers.device import seed_everything
from helpers.training import History, fit

BATCH, LR, TEMPERATURE = 64, 2e-3, 0.07


def train(
    pool: Callable, how: str, info_nce: Callable, pairs: DocPairs, seed: int, steps: int
) -> tuple[SmallTransformer, History]:
    """Train a small transformer with one pooling, from nothing; `info_nce` and `pool` are the reader's own."""
    seed_everything(seed)
    model = SmallTransformer(pool, how)

    def loss(model, rows):
        chosen = pairs.take(rows)
        summaries = model([pair.summary for pair in chosen])
        bodies = model([pair.body for pair in chosen])
        return info_nce(summaries, bodies, TEMPERATURE)

    draws = [torch.randint(len(pairs), (BATCH,)) for _ in range(steps)]
    return model, fit(model, draws, loss, steps=steps, lr=LR, progress=False)


def over_seeds(
    pool: Callable, how: str, info_nce: Callable, pairs: DocPairs, held_out: DocPairs, similarities: Callable,
    seeds: int, steps: int,
) -> str:  # fmt: skip
    """Return the mean of `found_at_10` over runs with the seeds 0 to seeds - 1, the worst and the best, as words."""
    models = (train(pool, how, info_nce, pairs, seed, steps)[0] for seed in range(seeds))
    found = [found_at_10(model, held_out, similarities) for model in models]
    return (
        f"{how:<5} found among the first ten of {len(held_out):,}: {sum(found) / seeds:.3f} "
        f"(worst {min(found):.3f}, best {max(found):.3f})"
    )


@torch.no_grad()
def found_at_10(model: SmallTransformer, pairs: DocPairs, similarities: Callable) -> float:
    """Return the share of summaries whose own body is among the first ten of all.

    similarities: a function of (summaries (n, C), bodies (n, C)) that gives the table (n, n).
    """
    summaries = _vectors(model, [pair.summary for pair in pairs.pairs])
    bodies = _vectors(model, [pair.body for pair in pairs.pairs])
    scores = torch.as_tensor(similarities(summaries, bodies))
    own_scores = scores.diag()[:, None]
    return ((scores >= own_scores).sum(1) <= 10).float().mean().item()


def _vectors(model: SmallTransformer, texts: Sequence[str]) -> torch.Tensor:
    """Return the vectors of texts (n, C), a hundred texts at a time."""
    return torch.cat([model(texts[i : i + 100]) for i in range(0, len(texts), 100)])
