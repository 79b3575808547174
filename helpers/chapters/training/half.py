"""A model in float16, and what becomes of its gradients at several scales of the loss."""

import copy
from collections.abc import Callable, Sequence

import torch
from torch import nn

from helpers.chapters.training.packed_gpt import batch_loss, count, loss_sum


def gradients_that_vanish(
    model: nn.Module, tokens: torch.Tensor, targets: torch.Tensor, scales: Sequence[float], scaled_gradients: Callable
) -> dict[float, tuple[float, float]]:
    """Return for each scale the shares of the model's gradients that are 0 and that are not finite, in float16.

    Only what is not 0 in float32 counts. A word that does not occur in the tokens has no gradient in either.
    """
    device = next(model.parameters()).device
    piece = tokens.to(device), targets.to(device)
    exact = torch.autograd.grad(batch_loss(model, piece), list(model.parameters()))
    there = torch.cat([g.flatten() for g in exact]) != 0
    small = copy.deepcopy(model).half()
    shares = {}
    for scale in scales:
        loss = loss_sum(small, piece).float() / count(piece)
        gradients, _ = scaled_gradients(loss, list(small.parameters()), scale)
        values = torch.cat([g.flatten() for g in gradients])[there]
        gone, lost = (values == 0).float().mean().item(), (~values.isfinite()).float().mean().item()
        shares[scale] = gone, lost
    return shares
