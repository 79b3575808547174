"""Where the work runs, and the seeds: the two things a run's result depends on besides its code.

Where things live: a model is where `fit` left it, or where `.to(best_device())` put it. Whoever calls it brings the
tensors there (`x.to(next(model.parameters()).device)`), makes none beside it without `device=`, and takes back with
`.cpu()` what NumPy or a figure gets. Random numbers come from a generator of the CPU and are moved, so that they are
the same on all devices. Functions of students get float32: `fit` computes in less only where its `precision` says so.
tests/pretended_gpu.py holds every chapter to this without a GPU.
"""

import functools
import os
import random
import re
import sys
import warnings

import numpy as np

from helpers.errors import CourseError


def _seed() -> int:
    asked = os.environ.get("BOW2LORA_SEED", "").strip() or "0"
    if not asked.isdecimal():
        raise CourseError(f"BOW2LORA_SEED is {asked!r}; it can be a whole number. Correct it or unset it.")
    return int(asked)


SEED = _seed()  # the course's one seed
DEVICES = ("cuda", "mps", "cpu")


def best_device() -> str:
    """Return "cuda" where there is one, "mps" only when BOW2LORA_DEVICE asks for it, else "cpu"."""
    return _choose()[0]


def describe_device() -> str:
    """Return the chosen device and the reason in one line, for example "cpu (no CUDA device was found)"."""
    device, reason = _choose()
    return f"{device} ({reason})"


def _choose() -> tuple[str, str]:
    """Return the device and why. MPS is never chosen unasked: losses on it have differed from those of the CPU."""
    asked = os.environ.get("BOW2LORA_DEVICE", "").strip().lower()
    if asked:
        _refuse_unless_there(asked)
        return asked, "BOW2LORA_DEVICE asks for it"
    import torch

    no_cuda = _why_no_cuda()
    if not no_cuda:
        return "cuda", torch.cuda.get_device_name()
    if torch.backends.mps.is_available():
        return "cpu", "BOW2LORA_DEVICE=mps would choose the Apple GPU"
    return "cpu", no_cuda


def _why_no_cuda() -> str:
    """Return why CUDA cannot be used here, or an empty string where it can."""
    import torch

    warned = _warning_of_cuda()
    if not torch.cuda.is_available():
        return warned or "no CUDA device was found"
    if not _has_kernels():
        capability = "{}.{}".format(*torch.cuda.get_device_capability())
        card = f"{torch.cuda.get_device_name()}, compute capability {capability}"
        return f"this build of PyTorch has no kernels for {card}"
    return ""


@functools.cache  # torch warns once in a process
def _warning_of_cuda() -> str:
    """Return the first sentence of what torch says of a driver that it cannot use, or an empty string."""
    import torch

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.is_available()
    words = str(caught[0].message) if caught else ""
    return words.removeprefix("CUDA initialization: ").split(". ")[0]


def _has_kernels() -> bool:
    """Whether torch was built for the card: sm_75 runs on 7.5 and later minors, compute_75 on all later cards.

    A build that names no architectures of NVIDIA's, such as that for ROCm, is believed.
    """
    import torch

    major, minor = torch.cuda.get_device_capability()
    built = [re.match(r"(sm|compute)_(\d+)(\d)", name) for name in torch.cuda.get_arch_list()]
    built = [(m[1], int(m[2]), int(m[3])) for m in built if m]
    kernels = any(kind == "sm" and of == major and least <= minor for kind, of, least in built)
    ptx = any(kind == "compute" and (of, least) <= (major, minor) for kind, of, least in built)
    return kernels or ptx or not built


def _refuse_unless_there(asked: str) -> None:
    import torch

    if asked not in DEVICES:
        raise CourseError(f"BOW2LORA_DEVICE is {asked!r}; it can be {', '.join(DEVICES)}. Correct it or unset it.")
    missing = ""
    if asked == "cuda":
        missing = _why_no_cuda()
    elif asked == "mps" and not torch.backends.mps.is_available():
        missing = "no Apple GPU was found"
    if missing:
        raise CourseError(f"BOW2LORA_DEVICE asks for {asked}, but {missing}. Unset it, or choose cpu.")


def seed_everything(seed: int = SEED) -> "torch.Generator":  # noqa: F821
    """Seed Python, NumPy and torch; returns a torch generator with the same seed to pass on."""
    import torch

    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)  # every CUDA device, too
    return torch.Generator().manual_seed(seed)


def grading() -> bool:
    """Whether a grader runs this code (stock nbgrader sets NBGRADER_EXECUTION)."""
    return bool(os.environ.get("NBGRADER_EXECUTION") or os.environ.get("BOW2LORA_GRADING"))


def peak_mb(device: str = "cpu") -> float:
    """Return the largest memory held so far, in MB: that of the process, or on CUDA that of its tensors."""
    if device == "cuda":
        import torch

        return torch.cuda.max_memory_allocated() / 1e6
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset / 1e6
    import resource

    unit = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kilobytes
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
