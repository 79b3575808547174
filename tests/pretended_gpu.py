"""A GPU pretended on a machine without one, and whole chapters run on it: does each cell work where a GPU is at hand?

    python tests/pretended_gpu.py 08_rag        # the cells of a chapter that a GPU would refuse, and why

All numbers are computed on the CPU. What is moved or made on "cuda" carries a mark on its storage, so that views,
parameters and gradients have it too; every operation hands it on, `device` says cuda:0, and an operation that takes a
marked tensor together with one that was left on the CPU is refused as a GPU refuses it. Fake tensors of torch, which
have a device and no numbers, can neither be picked by a mask nor have gradients where torch is built for the CPU.

Autocast is that of the CPU, with the functions added that a GPU computes in float32. What this cannot show: memory,
time, kernels that a GPU lacks.
"""

import contextlib
import functools
import json
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map_only

from autograder import paths
from autograder.authoring import right_answers

CUDA = torch.device("cuda", 0)
MOVES = {"to", "cpu", "cuda", "type_as"}
COPIES = {"copy_", "data", "__deepcopy__", "__setitem__", "_has_compatible_shallow_copy_type"}  # between devices
PLACES = {"device": CUDA, "is_cuda": True, "is_cpu": False, "get_device": 0}
TO_NUMPY = {"numpy", "__array__", "__dlpack__"}
# Functions whose second argument lies on the CPU beside tensors on the GPU: lengths and sizes of packed sequences.
OF_PACKED = {"_pack_padded_sequence", "_pad_packed_sequence", "lstm", "gru", "rnn_tanh", "rnn_relu"}
JOINS = {"cat", "concat", "stack", "hstack", "vstack", "column_stack"}  # refuse single numbers of another device, too
SHARING = {"as_tensor", "asarray"}  # give back what they got where nothing has to move

# What autocast computes in float32 on CUDA, and in bf16 there but not on the CPU: docs.pytorch.org/docs/stable/amp.html
FLOAT32 = """
    __pow__ __rdiv__ __rpow__ __rtruediv__ acos asin binary_cross_entropy_with_logits cosh cosine_embedding_loss
    cdist cosine_similarity cross_entropy cumprod cumsum dist erfinv exp expm1 group_norm hinge_embedding_loss
    kl_div l1_loss layer_norm log log10 log_softmax log1p log2 logsumexp margin_ranking_loss mse_loss
    multi_margin_loss nll_loss norm normalize pow prod reciprocal rsqrt sinh smooth_l1_loss softmax softmin
    softplus sum tan triplet_margin_loss
"""
IN_FLOAT32 = set(FLOAT32.split())
IN_BF16 = {"lstm", "gru", "rnn_tanh", "rnn_relu", "lstm_cell", "gru_cell", "mv", "addmv", "addr", "prelu"}


class WrongDevice(RuntimeError):
    """An operation that a GPU would refuse."""


def marked(tensor: torch.Tensor) -> bool:
    """Whether a tensor is on the pretended GPU."""
    return _holder(tensor).get("on_gpu", False)


def mark(tensor: torch.Tensor) -> torch.Tensor:
    """Put a tensor on the pretended GPU, and with it all that share its memory."""
    _holder(tensor)["on_gpu"] = True
    return tensor


def _holder(tensor: torch.Tensor) -> dict:
    """Where the mark is kept: with the storage, where the tensor has one."""
    try:
        return tensor.untyped_storage().__dict__
    except (NotImplementedError, RuntimeError):  # a sparse tensor
        return tensor.__dict__


class PretendedGpu(TorchFunctionMode):
    """Marks tensors as being on a GPU, and refuses what mixes them with others; single numbers may be anywhere."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        """Do one operation of torch."""
        kwargs, name = dict(kwargs or {}), _name(function)
        tensors = _tensors(args, kwargs)
        on_gpu = [t for t in tensors if marked(t)]
        if on_gpu and name in PLACES and function.__name__ != "__set__":
            return PLACES[name]
        if on_gpu and name in TO_NUMPY:
            raise WrongDevice(f"{name} of a tensor on a GPU: .cpu() first")
        if name in MOVES:
            return _moved(function, name, args, kwargs)
        if on_gpu:
            _refuse_mixed(name, tensors, args)
            args, kwargs = _autocast(name, args, kwargs)
        asked = _is_cuda(kwargs["device"]) if kwargs.get("device") is not None else None
        if asked:
            kwargs["device"] = "cpu"
        out = function(*args, **kwargs)
        of_numbers = name == "tensor" and not isinstance(args[0], torch.Tensor)
        there = bool(on_gpu) and not of_numbers if asked is None else asked
        _refuse_generator(name, kwargs, there)
        return _placed(name, out, args, there)


def _name(function) -> str:
    """Return an operation's name; that of a property is the property's own."""
    name = getattr(function, "__name__", "")
    return function.__self__.__name__ if name in ("__get__", "__set__") else name


def _is_cuda(device) -> bool:
    return isinstance(device, int) or torch.device(device).type == "cuda"


def _placed(name: str, out, args: tuple, there: bool):
    """Put what an operation gave where a GPU would have put it."""
    if name in ("_pack_padded_sequence", "_pad_packed_sequence") and there:
        return mark(out[0]), out[1]
    if name == "grad" and isinstance(out, tuple) and len(args) > 1:
        return tuple(_like(each, leaf) for each, leaf in zip(out, tree_leaves(args[1]), strict=True))
    if name in COPIES and name != "__deepcopy__":
        return out
    if there and name in SHARING and not marked(out):
        out = out.clone()
    if not there:
        return out
    return mark(out) if isinstance(out, torch.Tensor) else tree_map_only(torch.Tensor, mark, out)


def _tensors(args: tuple, kwargs: dict) -> list[torch.Tensor]:
    """Return all tensors of a call; trees are slow to walk, and most arguments are none."""
    found = []
    for each in (*args, *kwargs.values()):
        if isinstance(each, torch.Tensor):
            found.append(each)
        elif isinstance(each, (list, tuple, dict)):
            found += [leaf for leaf in tree_leaves(each) if isinstance(leaf, torch.Tensor)]
    return found


def _like(gradient: torch.Tensor | None, leaf: torch.Tensor) -> torch.Tensor | None:
    return mark(gradient) if gradient is not None and marked(leaf) else gradient


def _moved(function, name: str, args: tuple, kwargs: dict) -> torch.Tensor:
    """Move a tensor: a copy where it changes its device, on the GPU or on the CPU."""
    tensor, place = args[0], _target(name, args[1:], kwargs)
    there = marked(tensor) if place is None else place
    if name == "cuda":
        out = tensor
    else:
        rest = [("cpu" if _names_cuda(a) else a) for a in args[1:]]
        out = function(tensor, *rest, **{key: "cpu" if _names_cuda(a) else a for key, a in kwargs.items()})
    if there != marked(tensor) and _holder(out) is _holder(tensor):
        out = out.clone()
    return mark(out) if there else out


def _target(name: str, args: tuple, kwargs: dict) -> bool | None:
    """Whether a move ends on the GPU; None where it names no device."""
    if name in ("cpu", "cuda"):
        return name == "cuda"
    for each in (*args, *kwargs.values()):
        if isinstance(each, torch.Tensor):
            return marked(each)
        if isinstance(each, (torch.device, str)):
            return _is_cuda(each)
    return None


def _names_cuda(value) -> bool:
    return isinstance(value, (torch.device, str)) and _is_cuda(value)


def _refuse_mixed(name: str, tensors: list, args: tuple) -> None:
    """Raise WrongDevice where a GPU refuses tensors that lie in several places."""
    if name in COPIES - {"__setitem__"}:
        return
    if name in ("__getitem__", "__setitem__", "index_put_"):
        _refuse_index(name, args)
        return
    allowed = [id(args[1])] if name in OF_PACKED else []
    size = 0 if name not in JOINS else -1
    left = [t for t in tensors if not marked(t) and t.dim() > size and id(t) not in allowed]
    if left:
        raise WrongDevice(f"{name} takes a tensor on the GPU and one of shape {tuple(left[0].shape)} on the CPU")


def _refuse_index(name: str, args: tuple) -> None:
    """A tensor on the GPU takes indices on the CPU; one on the CPU takes none on the GPU."""
    indices = [t for t in tree_leaves(args[1]) if isinstance(t, torch.Tensor)]
    values = [t for t in args[2:3] if indices and isinstance(t, torch.Tensor) and t.dim() > 0]
    if not marked(args[0]) and any(map(marked, indices)):
        raise WrongDevice(f"{name} of a tensor on the CPU takes an index on the GPU")
    if any(marked(value) != marked(args[0]) for value in values):
        raise WrongDevice(f"{name} takes a tensor and values that lie in two places")


def _refuse_generator(name: str, kwargs: dict, there: bool) -> None:
    if there and kwargs.get("generator") is not None:
        raise WrongDevice(f"{name} on the GPU takes a generator of the CPU")


def _autocast(name: str, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Give an operation the types that autocast gives it on CUDA, as far as the CPU's does not."""
    if not torch.is_autocast_enabled("cpu") or not name:
        return args, kwargs
    if name == "binary_cross_entropy":
        raise WrongDevice("binary_cross_entropy is unsafe under autocast on a GPU; take the one with logits")
    narrow = torch.get_autocast_dtype("cpu")
    if name in IN_FLOAT32:
        return _cast((args, kwargs), {torch.bfloat16, torch.float16}, torch.float32)
    return _cast((args, kwargs), {torch.float32}, narrow) if name in IN_BF16 else (args, kwargs)


def _cast(tree, from_types: set, to_type: torch.dtype):
    return tree_map_only(
        torch.Tensor, lambda t: mark(t.to(to_type)) if t.dtype in from_types and marked(t) else t, tree
    )


def _as_cpu(function):
    """Return one of autocast's functions, asked of "cuda" it answers for the CPU."""

    @functools.wraps(function)
    def called(device_type="cuda", *args, **kwargs):
        return function("cpu" if device_type == "cuda" else device_type, *args, **kwargs)

    return called


def _autocast_begins(self, device_type, dtype=None, enabled=True, cache_enabled=None, *, begin=torch.autocast.__init__):
    dtype = torch.float16 if dtype is None and device_type == "cuda" else dtype
    begin(self, "cpu" if device_type == "cuda" else device_type, dtype, enabled, cache_enabled)


CARD = {
    "is_available": True,
    "device_count": 1,
    "current_device": 0,
    "get_device_name": "a pretended GPU",
    "get_device_capability": (8, 0),
    "get_arch_list": ["sm_80"],
    "get_device_properties": SimpleNamespace(name="a pretended GPU", major=8, minor=0, total_memory=2**34),
    "is_bf16_supported": True,
    "max_memory_allocated": 0,
    "memory_allocated": 0,
    "mem_get_info": (2**34, 2**34),
    "reset_peak_memory_stats": None,
    "empty_cache": None,
    "get_rng_state": None,
    "set_rng_state": None,
    "synchronize": None,
    "set_device": None,
}


@contextlib.contextmanager
def present() -> Iterator[None]:
    """Within the block the machine has a GPU: torch says so, and `best_device` chooses it."""
    with contextlib.ExitStack() as stack:
        for name, answer in CARD.items():
            stack.enter_context(patch.object(torch.cuda, name, lambda *_, answer=answer, **__: answer))
        for name in ("is_autocast_enabled", "get_autocast_dtype"):
            stack.enter_context(patch.object(torch, name, _as_cpu(getattr(torch, name))))
        stack.enter_context(patch.object(torch.autocast, "__init__", _autocast_begins))
        stack.enter_context(PretendedGpu())
        yield


def failures(chapter: str) -> list[str]:
    """Run a chapter's cells as students have them, but no checks: small sizes, one step a training, no figure drawn.

    Returns a line for each cell that fails; a name that a failed cell would have defined is no failure of its own.
    """
    import nbformat

    from autograder import cell_marks
    from autograder.authoring.build import build
    from helpers import cells

    shell, lines = cells.new_shell(), []
    with _quickly(), present():
        for number, cell in enumerate(nbformat.read(build(chapter), as_version=4).cells):
            if cell.cell_type != "code" or cell_marks.from_metadata(cell) == "check":
                continue
            source = cell_marks.CLAIMS.sub("", cell.source)
            outcome = cells.run(shell, cell_marks.sized(source, cell.metadata.get("bow2lora", {}).get("small", {})))
            if outcome.error is not None and not (lines and isinstance(outcome.error, NameError)):
                lines.append(f"cell {number}: {_in_a_line(outcome.error)}")
    return lines


def chosen() -> list[str]:
    """Return four of the chapters, by a digest of the sources of each: another state, another choice."""
    return sorted(paths.chapters(), key=right_answers.state)[:4]


def failures_apart(chapter: str) -> list[str]:
    """Return the failures of a chapter, run in a process of its own."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(paths.ROOT), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, __file__, chapter]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=paths.ROOT)
    if done.returncode:
        raise RuntimeError(done.stderr[-3000:])
    return json.loads(done.stdout)[chapter]


@contextlib.contextmanager
def _quickly() -> Iterator[None]:
    """Within the block `fit` makes one step and one evaluation, and figures are made but not drawn."""
    from helpers.plots import style
    from helpers.training.run import Plan

    checked = Plan.checked

    def one_step(plan: Plan, batches) -> Plan:
        return replace(checked(plan, batches), steps=1, warmup=0, evaluate_every=1)

    def undrawn(figure, _alt: str) -> str:
        style.plt.close(figure)
        return ""

    with patch.object(Plan, "checked", one_step), patch.object(style, "embedded", undrawn):
        yield


def _in_a_line(error: BaseException) -> str:
    """Return an error in one line, with the place in the project that it comes from."""
    here = str(Path(__file__).parents[1] / "helpers")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(here)]
    places = [f"{Path(f.filename).relative_to(Path(here).parent)}:{f.lineno} {f.name}" for f in frames[-2:]]
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''} [{'; '.join(places)}]"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ["BOW2LORA_HOME"] = home
        found = {chapter: failures(chapter) for chapter in sys.argv[1:]}
    print(json.dumps(found, indent=1))
