"""A docs-gpt that writes with whatever chooses its tokens, and measures of what was written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import torch
from torch import Tensor

from helpers.device import SEED
from helpers.experiments.windows import held_out
from helpers.models.gpt import GPT
from helpers.models.logit_filters import Filter

Choose = Callable[[Tensor, list[int]], int]  # (logits (V,), ids so far) -> the next id


def draw(logits: Tensor, u: float) -> int:
    """Return the id in whose stretch of [0, 1) u lies, where the probabilities lie side by side (chapter 05)."""
    sums = np.cumsum(torch.as_tensor(logits).double().softmax(-1).cpu().numpy())
    return int(np.searchsorted(sums, u * sums[-1], side="right"))


def sampler(change: Filter, seed: int = SEED) -> Choose:
    """Return how to choose: the logits are changed, then one token is drawn."""
    numbers = np.random.default_rng(seed)
    return lambda logits, ids: draw(change(logits), numbers.random())


@dataclass
class Page:
    """What was written behind a prompt: its text, its ids, and the surprise of each in bits, by the model's softmax."""

    text: str
    ids: list[int]
    bits: np.ndarray

    @property
    def repeated(self) -> float:
        """The share of runs of four tokens that stood on the page before."""
        runs = [tuple(self.ids[i : i + 4]) for i in range(len(self.ids) - 3)]
        return 1 - len(set(runs)) / max(len(runs), 1)


class Writer:
    """A GPT with its tokenizer. It never ends a text on its own, so that all pages are equally long."""

    def __init__(self, model: GPT, tokenizer):
        self.model, self.tokenizer = model, tokenizer
        self.end = tokenizer.token_to_id("<|endoftext|>")

    @torch.no_grad()
    def write(self, prompt: str, choose: Choose, max_new_tokens: int) -> Page:
        """Return the page of `max_new_tokens` tokens behind a prompt, fewer where the model sees no further."""
        ids = self.tokenizer.encode(prompt, add_special_tokens=False).ids
        start, caches, bits = len(ids), [], []
        device = self.model.token_embedding.weight.device
        for _ in range(min(max_new_tokens, self.model.context_length - start)):
            logits = self.model.step(torch.tensor([ids if not caches else ids[-1:]], device=device), caches)[0]
            logits[self.end] = -torch.inf
            ids.append(int(choose(logits, ids)))
            bits.append(-float(logits.log_softmax(-1)[ids[-1]]) / np.log(2))
        return Page(self.tokenizer.decode(ids[start:]), ids[start:], np.array(bits))

    @torch.no_grad()
    def vectors(self, ids: list[int], candidates: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return (the last layer's vectors (T, C) of ids, that of each candidate (k, C) if it came next)."""
        rows = torch.tensor([[*ids, c] for c in candidates], device=self.model.token_embedding.weight.device)
        hidden = self.model.hidden(rows)
        return hidden[0, :-1], hidden[:, -1]


@torch.no_grad()
def positions(model: GPT, count: int) -> Tensor:
    """Return the logits (count, V) at places in documents that the reference docs-gpt has not read, drawn by chance."""
    token_ids = held_out(8).to(model.token_embedding.weight.device)
    logits = model(token_ids)[:, 32:].flatten(0, 1)
    picked = torch.randperm(len(logits), generator=torch.Generator().manual_seed(SEED))[:count]
    return logits[picked.to(logits.device)]


def changed(change: Filter, logits: Tensor) -> Tensor:
    """Return what a filter makes of logits (V,), in their dtype: it may give a list or an array."""
    return torch.as_tensor(change(logits), dtype=logits.dtype, device=logits.device)


def kept(logits: Tensor, change: Filter) -> list[int]:
    """Return how many tokens a filter leaves at each position of logits (N, V)."""
    return [int(torch.isfinite(changed(change, row)).sum()) for row in logits]


def library_table(logits: Tensor, mine: Mapping[str, Filter], theirs: Mapping[str, object]) -> str:
    """Return in a table at how many positions each filter leaves what the library's processor of that name leaves."""
    lines = [f"{'filter':<14}{'kept, middle':>14}{'from':>8}{'to':>8}   the library's keeps the same"]
    for name, change in mine.items():
        counts = kept(logits, change)
        said = "it has none"
        if name in theirs:
            none = torch.zeros(1, 0, dtype=torch.long)
            same = sum(torch.equal(changed(change, row), theirs[name](none, row[None])[0]) for row in logits)
            said = f"{same} of {len(logits)} times"
        lines.append(f"{name:<14}{np.median(counts):>14.0f}{min(counts):>8}{max(counts):>8}   {said}")
    return "\n".join(lines)


def pages_table(pages: Mapping[str, Page]) -> str:
    """Return in a table how each page repeats itself and how surprising its tokens are to the model."""
    lines = [f"{'':<26}{'runs of 4 said before':>22}{'bits per token':>16}"]
    lines += [f"{name:<26}{page.repeated:>22.0%}{page.bits.mean():>16.2f}" for name, page in pages.items()]
    return "\n".join(lines)


def commuting(logits: Tensor, filters: Mapping[str, Filter], commute: Callable) -> np.ndarray:
    """Return for each pair of filters the share of rows of logits (N, V) where commute(first, second, row) holds."""
    shares, ways = np.ones((len(filters), len(filters))), [partial(changed, change) for change in filters.values()]
    for (i, first), (j, second) in combinations(enumerate(ways), 2):
        shares[i, j] = shares[j, i] = np.mean([commute(first, second, row) for row in logits])
    return shares
