"""A model in 16 bits: its gradients at several scales of the loss, and the dtypes that autocast chooses."""

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import nn

from helpers.chapters.training.packed_gpt import PackedGPT, batch_loss, loss_sum


def gradients_that_vanish(
    model: nn.Module, piece: tuple, batch: int, scales: Sequence[float], scaled_gradients: Callable
) -> dict[float, tuple[float, float]]:
    """Return for each scale the shares of the model's gradients that are 0 and that are not finite, in float16.

    piece: (tokens, targets), a part of a batch of `batch` targets. Only what is not 0 in float32 counts. A token that
    does not occur in the piece has no gradient in either.
    """
    device = next(model.parameters()).device
    piece = tuple(part.to(device) for part in piece)
    exact = torch.autograd.grad(batch_loss(model, piece), list(model.parameters()))
    there = torch.cat([g.flatten() for g in exact]) != 0
    small = copy.deepcopy(model).half()
    shares = {}
    for scale in scales:
        loss = loss_sum(small, piece).float() / batch
        gradients, _ = scaled_gradients(loss, list(small.parameters()), scale)
        values = torch.cat([g.flatten() for g in gradients])[there]
        gone, lost = (values == 0).float().mean().item(), (~values.isfinite()).float().mean().item()
        shares[scale] = gone, lost
    return shares


@contextmanager
def dtypes_inside(model: PackedGPT) -> Iterator[dict[str, torch.dtype]]:
    """Yield a dictionary that is filled while the model runs: module -> dtype of what it returns."""
    block, seen = model.blocks[0], {}
    watched = {
        "embedding": model.tokens,
        "layer norm": block.norm1,
        "linear layer": block.inward,
        "GELU": block.feed[1],
        "block": block,
    }
    hooks = [_watch(module, name, seen) for name, module in watched.items()]
    try:
        yield seen
    finally:
        for hook in hooks:
            hook.remove()


def _watch(module: nn.Module, name: str, seen: dict[str, torch.dtype]) -> torch.utils.hooks.RemovableHandle:
    """Note the dtype of what a module returns, under a name, whenever it runs; returns the handle of the hook."""

    def note(_module: nn.Module, _inputs: tuple, output: torch.Tensor) -> None:
        seen[name] = output.dtype

    return module.register_forward_hook(note)
