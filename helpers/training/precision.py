"""In which number format to train: bf16 and fp16 halve the memory, where the hardware has them."""

import time

import torch

from helpers.device import best_device
from helpers.errors import CourseError

PRECISIONS = ("fp32", "bf16", "fp16")


def best_precision(device: str | None = None, asked: str = "auto") -> str:
    """Return "bf16", "fp16" or "fp32": the narrowest type in which `device` trains well.

    CUDA: bf16 from compute capability 8.0 on (older cards only emulate it, slowly), fp16 with a gradient scaler
    below. CPU and MPS: fp32. `asked` names one instead of "auto"; bf16 on a CPU is then measured before it is
    believed, and bf16 on hardware without it gives way to the next best, with a printed line.

    Raises CourseError for an unknown name, and for fp16 anywhere but on CUDA.
    """
    device = torch.device(device or best_device()).type
    if asked == "auto":
        return _cuda_precision() if device == "cuda" else "fp32"
    if asked not in PRECISIONS:
        raise CourseError(f"precision={asked!r} is unknown; it can be auto, {', '.join(PRECISIONS)}.")
    if asked == "fp16" and device != "cuda":
        raise CourseError(f"precision='fp16' needs CUDA, and the device is {device}. Take 'auto' or 'fp32'.")
    if asked == "bf16" and not _has_bf16(device):
        instead = "fp16" if device == "cuda" else "fp32"
        print(f"bf16 does not pay on this {device}; training in {instead} instead.")
        return instead
    return asked


def _cuda_precision() -> str:
    return "bf16" if _has_bf16("cuda") else "fp16"


def _has_bf16(device: str) -> bool:
    """Whether the hardware has bf16; `is_bf16_supported()` alone is also true where CUDA only emulates it."""
    if device == "cuda":
        real = torch.cuda.is_bf16_supported(including_emulation=False)
        return real and torch.cuda.get_device_capability() >= (8, 0)
    return device == "cpu" and _cpu_claims_bf16() and _seconds("bfloat16") < _seconds("float32")


def _cpu_claims_bf16() -> bool:
    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("amx_bf16") or capabilities.get("avx512_bf16"))


def _seconds(dtype: str, size: int = 512, repeats: int = 10) -> float:
    """Return the shortest time of a (size, size) matrix product in this dtype; the first one only warms up."""
    x, times = torch.ones(size, size, dtype=getattr(torch, dtype)), []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        x @ x
        times.append(time.perf_counter() - start)
    return min(times[1:])
