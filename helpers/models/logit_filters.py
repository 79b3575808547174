"""Ways to change the logits of the next token: temperature, top-k and top-p as chapter 03 teaches them, and by name."""

from collections.abc import Callable
from functools import partial

import numpy as np
import torch

Filter = Callable[[torch.Tensor], torch.Tensor]  # logits (V,) -> logits (V,)


def apply_temperature(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the logits (V,) of a distribution that is sharper (temperature < 1) or flatter (> 1)."""
    return logits / temperature


def keep_top_k(logits: torch.Tensor, k: int) -> torch.Tensor:
    """Return the logits (V,) with all but the k largest at minus infinity."""
    smallest = logits.topk(min(k, len(logits))).values[-1]
    return torch.where(logits >= smallest, logits, -torch.inf)


def keep_top_p(logits: torch.Tensor, p: float) -> torch.Tensor:
    """Return the logits (V,) with all but the nucleus (Holtzman et al. 2020) at minus infinity.

    It holds the likeliest tokens up to the one with which their probabilities add up to at least p.
    """
    probabilities, order = logits.softmax(-1).sort(descending=True)
    before = probabilities.cumsum(-1) - probabilities  # what stands before each token
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = (before < p) | (torch.arange(len(logits), device=logits.device) == 0)
    return torch.where(keep, logits, -torch.inf)


def processor(name: str) -> Filter:
    """Return a processor by its name and number: "temperature 2", "top-k 3", "min-p 0.1", "shift 3", "first 1"."""
    kind, _, number = name.partition(" ")
    return partial(PROCESSORS[kind], float(number))


def _raised(amount: float, logits: torch.Tensor) -> torch.Tensor:
    return torch.cat([logits[:1] + amount, logits[1:]])


PROCESSORS = {
    "temperature": lambda t, z: apply_temperature(z, t),
    "top-k": lambda k, z: keep_top_k(z, int(k)),
    "top-p": lambda p, z: keep_top_p(z, p),
    "min-p": lambda m, z: torch.where(z - z.max() >= np.log(m), z, -torch.inf),
    "shift": lambda c, z: z + c,  # softmax does not see it
    "first": _raised,  # the logit of token 0
}
