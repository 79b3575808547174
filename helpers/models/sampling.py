"""Ways to change the logits of the next token, as chapter 03 teaches them: temperature, top-k, top-p."""

import torch


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
