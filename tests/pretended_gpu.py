"""Whether a chapter trains on a GPU, asked on a machine without one.

The first loss of every training run of a chapter is computed once more on a pretended GPU: model and batch carry a
mark, every operation hands it on, and one that takes a marked tensor together with one that was left on the CPU is
refused as a GPU refuses it. All numbers are computed on the CPU: fake tensors of torch, which have a device and no
numbers, cannot be picked by a mask nor have gradients where torch is built for the CPU. What this cannot show: memory,
time, kernels that a GPU lacks.
"""

import copy
import functools

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map_only

import helpers.training
from helpers.training import random_state

INDEXING = {"__getitem__", "__setitem__", "index_put_"}  # a tensor on a GPU takes indices on the CPU
LENGTHS = {"_pack_padded_sequence", "pack_padded_sequence"}  # must lie on the CPU
MOVES = {"to", "cpu", "type_as"}
IN_A_CHECK = "score.<locals>"  # where a loss may hold tensors of its own
TO_NUMPY = {"numpy", "__array__"}
seen: set[tuple] = set()


class WrongDevice(RuntimeError):
    """An operation that a GPU would refuse."""


class PretendedGpu(TorchFunctionMode):
    """Marks tensors as being on a GPU, and refuses what mixes them with others.

    A tensor that is made with `device=` is on the GPU, since it names the device of a tensor that is; one made without
    is on the CPU. Single numbers may be anywhere.
    """

    def __torch_function__(self, function, types, args=(), kwargs=None):
        """Do one operation of torch."""
        kwargs, name = kwargs or {}, getattr(function, "__name__", "")
        tensors = [t for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
        on_gpu = [t for t in tensors if marked(t)]
        if on_gpu and name in TO_NUMPY:
            raise WrongDevice(f"{name} of a tensor on a GPU: .cpu() first")
        if name not in MOVES:
            _refuse_mixed(name, tensors, on_gpu, args)
        out = function(*args, **kwargs)
        if name in MOVES:
            out = out.view_as(out)  # a tensor of its own, for here it has not moved
            return mark(out) if _ends_on_gpu(name, args, kwargs, on_gpu) else out
        return tree_map_only(torch.Tensor, mark, out) if on_gpu or kwargs.get("device") else out


def marked(tensor: torch.Tensor) -> bool:
    """Whether a tensor is on the pretended GPU."""
    return tensor.__dict__.get("on_gpu", False)


def mark(tensor: torch.Tensor) -> torch.Tensor:
    """Put a tensor on the pretended GPU."""
    tensor.__dict__["on_gpu"] = True
    return tensor


def _refuse_mixed(name: str, tensors: list, on_gpu: list, args: tuple) -> None:
    left = [t for t in tensors if not marked(t) and t.dim() > 0]
    taken = name in LENGTHS or (name in INDEXING and marked(args[0]))
    if on_gpu and left and not taken:
        raise WrongDevice(f"{name} takes a tensor on the GPU and one of shape {tuple(left[0].shape)} on the CPU")


def _ends_on_gpu(name: str, args: tuple, kwargs: dict, on_gpu: list) -> bool:
    """Whether a move ends on the GPU: where it names a device or a tensor, on that of it, else where it was."""
    named = [*args[1:], *kwargs.values()]
    others = [marked(t) for t in named if isinstance(t, torch.Tensor)]
    devices = [d for d in named if isinstance(d, torch.device)]
    return name != "cpu" and "cpu" not in named and (others[0] if others else bool(devices or on_gpu))


def watch() -> None:
    """From here on, every `fit` tries loss and evaluation there first; call it before a chapter's imports."""
    helpers.training.fit = _watched(helpers.training.fit)


def _watched(fit):
    @functools.wraps(fit)
    def watched(model, batches, loss, *, evaluate=None, **options):
        return fit(model, batches, _tried(loss), evaluate=evaluate and _tried(evaluate), **options)

    return watched


def _tried(function):
    """Return a loss or an evaluation whose first call, for each kind of model, is made on the pretended GPU, too."""
    plain = function.func if isinstance(function, functools.partial) else function
    if getattr(plain, "__qualname__", "").startswith(IN_A_CHECK):
        return function
    code = getattr(plain, "__code__", type(plain))

    def both(model, *batch):
        if (kind := (type(model), code)) not in seen:
            seen.add(kind)
            with random_state.aside(cuda=False):
                on_gpu(function, model, *batch)
        return function(model, *batch)

    return both


def on_gpu(function, model: torch.nn.Module, *batch):
    """Return a loss of (model, batch), or an evaluation of (model), on the pretended GPU; raises WrongDevice."""
    moved = copy.deepcopy(model)
    for tensor in (*moved.parameters(), *moved.buffers()):
        mark(tensor)
    rows = tree_map_only(torch.Tensor, lambda t: mark(t.detach().clone()), batch)
    with PretendedGpu():
        found = function(moved, *rows)
    if batch and not marked(found):
        raise WrongDevice("the loss is on the CPU, the model on a GPU")
    return found
