"""Where the work runs, and the seeds: the two things a run's result depends on besides its code.

Where things live: a model is where `fit` left it, or where `.to(best_device())` put it. Whoever calls it brings the
tensors there (`x.to(next(model.parameters()).device)`), makes none beside it without `device=`, and takes back with
`.cpu()` what NumPy or a figure gets. Random numbers come from a generator of the CPU and are moved, so that they are
the same on all devices. Functions of students get float32: `fit` computes in less only where its `precision` says so.
tests/pretended_gpu.py holds every chapter to this without a GPU.
"""

import os
import random
import sys

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
    if _there("cuda"):
        import torch

        return "cuda", torch.cuda.get_device_name()
    if _there("mps"):
        return "cpu", "BOW2LORA_DEVICE=mps would choose the Apple GPU"
    return "cpu", "no CUDA device was found"


def _there(device: str) -> bool:
    import torch

    return {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available, "cpu": lambda: True}[device]()


def _refuse_unless_there(asked: str) -> None:
    if asked not in DEVICES:
        raise CourseError(f"BOW2LORA_DEVICE is {asked!r}; it can be {', '.join(DEVICES)}. Correct it or unset it.")
    if not _there(asked):
        raise CourseError(
            f"BOW2LORA_DEVICE asks for {asked}, which this machine does not have. Unset it, or choose cpu."
        )


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
