"""What a stack of blocks keeps for its backward pass, and how long a step takes, with and without recomputing."""

import time
from collections.abc import Callable

import torch
from torch import nn

from helpers.chapters.training.packed_gpt import PackedBlock
from helpers.device import SEED, seed_everything

ROWS, LENGTH, WIDTH, HEADS = 8, 128, 128, 4


def plain(block: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return block(x): autograd keeps what it wants."""
    return block(x)


def kept_and_seconds(layers: int, call: Callable[[nn.Module, torch.Tensor], torch.Tensor]) -> tuple[int, float]:
    """Return (the most bytes kept at once for the backward pass, weights left out; the shortest of three steps).

    call: (block, x) -> the output of the block, as `plain` does it.
    """
    seed_everything(SEED)
    blocks = nn.ModuleList(PackedBlock(WIDTH, HEADS) for _ in range(layers))
    x = torch.randn(ROWS, LENGTH, WIDTH, requires_grad=True)
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        _step(blocks, x, call)
        seconds.append(time.perf_counter() - start)
    kept = Kept(blocks)
    with torch.autograd.graph.saved_tensors_hooks(kept.pack, kept.unpack):
        _step(blocks, x, call)
    return kept.most, min(seconds)


class Kept:
    """Counts the bytes that autograd holds while its hooks are in use; weights of `model` do not count, nor bytes."""

    def __init__(self, model: nn.Module):
        self.weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
        self.held: dict[int, int] = {}
        self.most = 0

    def pack(self, tensor: torch.Tensor) -> torch.Tensor:
        """Note a tensor that is kept."""
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in self.weights and tensor.dtype != torch.uint8:  # the state of a generator
            self.held[storage.data_ptr()] = storage.nbytes()
        self.most = max(self.most, sum(self.held.values()))
        return tensor

    def unpack(self, tensor: torch.Tensor) -> torch.Tensor:
        """Note that a tensor was used, and is kept no longer."""
        self.held.pop(tensor.untyped_storage().data_ptr(), None)
        return tensor


def _step(blocks: nn.ModuleList, x: torch.Tensor, call: Callable) -> None:
    y = x
    for block in blocks:
        y = call(block, y)
    y.square().mean().backward()
    blocks.zero_grad()
