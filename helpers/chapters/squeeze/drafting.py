"""Speculative decoding with docs-gpt: a draft by its first blocks or by look-up, and what the clock says."""

import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F

from helpers.models.gpt import GPT

Cache = list[tuple[torch.Tensor, torch.Tensor]]


class Drafting:
    """A GPT that writes in passes over drafted tokens; verify(target, draft, drafted, numbers, u) is the student's."""

    def __init__(self, model: GPT, verify: Callable):
        self.model, self.verify = model, verify
        self.output = model.token_embedding.weight

    @torch.no_grad()
    def write(
        self, prompt: list[int], max_new_tokens: int, temperature: float, blocks: int | None, drafts: int, seed: int
    ):
        """Return (ids, tokens of each pass, how many of each pass were drafted).

        blocks: how many of the model's first blocks draft; 0 looks the draft up in the text, None drafts nothing.
        """
        numbers, ids, target, draft, passes = np.random.default_rng(seed), list(prompt), [], [], []
        while len(ids) < len(prompt) + max_new_tokens:
            drafted, laws = self._drafted(ids, draft, temperature, blocks, drafts, numbers)
            logits = self._logits(self.model.blocks, [*ids[_done(target) :], *drafted], target)[-len(drafted) - 1 :]
            new = self.verify(
                law(logits, temperature), laws, drafted, numbers.random(len(drafted)).tolist(), numbers.random()
            )
            ids += [int(i) for i in new]
            passes.append((len(new), len(drafted)))
            for cache in (target, draft):
                _cut(cache, len(ids) - 1)
        return ids, passes

    def _drafted(self, ids: list[int], cache: Cache, temperature: float, blocks, drafts: int, numbers):
        """Return (the drafted tokens, their distributions (K, V))."""
        if not blocks:
            drafted = looked_up(ids, drafts) if blocks == 0 else []
            return drafted, F.one_hot(self._long(drafted), len(self.output)).float()
        drafted, laws = [], []
        for _ in range(drafts):
            logits = self._logits(self.model.blocks[:blocks], [*ids, *drafted][_done(cache) :], cache)[-1:]
            laws.append(law(logits, temperature))
            drafted.append(int((laws[-1][0].cumsum(-1) <= numbers.random()).sum().clamp(max=len(self.output) - 1)))
        return drafted, torch.cat(laws)

    def _logits(self, blocks, new: list[int], cache: Cache) -> torch.Tensor:
        """Return the logits (n, V) behind each of the new tokens, by the first blocks; fills the cache."""
        done, found = _done(cache), []
        x = self.model.token_embedding(self._long(new)[None])
        x = x + self.model.position_embedding.weight[done : done + len(new)]
        for i, block in enumerate(blocks):
            x, pair = block(x, cache[i] if cache else None)
            found.append(pair)
        cache[:] = found
        return F.linear(self.model.final_norm(x)[0], self.output)

    def _long(self, ids: list[int]) -> torch.Tensor:
        return torch.tensor(ids, dtype=torch.long, device=self.output.device)


def law(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the distributions (n, V) of logits; at temperature 0 all of it is on the largest."""
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).float()
    return (logits / temperature).softmax(dim=-1)


def looked_up(ids: list[int], drafts: int) -> list[int]:
    """Return what came behind the last place where the text's last three, two or one ids stood before."""
    for n in (3, 2, 1):
        for i in range(len(ids) - n - 1, -1, -1):
            if ids[i : i + n] == ids[-n:]:
                return ids[i + n : i + n + drafts]
    return []


def _done(cache: Cache) -> int:
    return cache[0][0].shape[2] if cache else 0


def _cut(cache: Cache, length: int) -> None:
    """Forget what the cache holds of tokens that were not kept."""
    cache[:] = [(keys[:, :, :length], values[:, :, :length]) for keys, values in cache]


DRAFTS = {"none": (None, 0), "look-up, 4 tokens": (0, 4), "1 block, 2 tokens": (1, 2), "2 blocks, 3 tokens": (2, 3)}


def print_table(writer: Drafting, prompts: Sequence[list[int]], max_new_tokens: int, temperatures=(0.7, 0.0)) -> None:
    """Print by temperature and draft: the share kept, tokens for each pass of the target, tokens a second."""
    print(f"{'temperature':<13}{'draft':<22}{'kept':>7}{'tokens a pass':>15}{'tokens a second':>17}{'times':>8}")
    for temperature in temperatures:
        plain = None
        for name, (blocks, drafts) in DRAFTS.items():
            passes, speed = _measured(writer, prompts, max_new_tokens, temperature, blocks, drafts)
            plain = plain or speed
            new, drafted = (sum(part) for part in zip(*passes, strict=True))
            kept = f"{(new - len(passes)) / drafted:.2f}" if drafted else ""
            line = f"{temperature:<13g}{name:<22}{kept:>7}{new / len(passes):>15.2f}{speed:>17,.0f}"
            print(f"{line}{speed / plain:>8.2f}")


def _measured(writer: Drafting, prompts, max_new_tokens: int, temperature: float, blocks, drafts: int, rounds: int = 2):
    """Return (the passes, tokens a second in the best of some rounds); the first round warms up."""
    best, passes = 0.0, []
    for _ in range(rounds):
        start = time.perf_counter()
        runs = [
            writer.write(prompt, max_new_tokens, temperature, blocks, drafts, seed)
            for seed, prompt in enumerate(prompts)
        ]
        passes = [each for _, found in runs for each in found]
        best = max(best, sum(new for new, _ in passes) / (time.perf_counter() - start))
    return passes, best
