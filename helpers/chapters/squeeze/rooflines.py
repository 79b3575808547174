"""A machine's limits, measured, and what models of given sizes ask of memory."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from helpers.course.call_cost import least_seconds
from helpers.device import best_device

SIZES = {  # billions of parameters
    "docs-gpt": 0.0034, "MiniLM-L6": 0.0227, "BERT-large": 0.335, "GPT-2": 1.56, "Llama 3 8B": 8.03,
    "Llama 3 70B": 70.6, "GPT-3": 175.0,
}  # fmt: skip
PEAK, BANDWIDTH = 1e12, 50e9  # of the laptop in the text
COPIED = {"cuda": 128_000_000, "cpu": 16_000_000}  # float32 numbers: more than a cache holds
ROUNDS = 4


@dataclass(frozen=True)
class Machine:
    """What products (rows, width) x (width, width) took, and the machine's two limits.

    size:       bytes of a number
    seconds:    {rows: the least seconds of a product}
    peak:       operations a second in the quickest of the products
    bandwidth:  bytes a second, read and written, in a copy to memory that was used before
    """

    device: str
    dtype: torch.dtype
    width: int
    seconds: dict[int, float]
    peak: float
    bandwidth: float

    @property
    def size(self) -> int:
        return self.dtype.itemsize


def measured(rows: Sequence[int], width: int) -> Machine:
    """Return what products of some rows with a matrix (width, width) take here, on the GPU where there is one."""
    device = best_device()
    dtype = _dtype(device, min(width, 2048))
    weight = _numbers(width, width, device, dtype)
    inputs = {n: _numbers(n, width, device, dtype) for n in rows}
    seconds = dict.fromkeys(rows, math.inf)
    for _ in range(ROUNDS):  # in turn, so that what else runs meets all of them
        for n, x in inputs.items():
            seconds[n] = min(seconds[n], _seconds(device, F.linear, x, weight))
    peak = max(2 * n * width * width / found for n, found in seconds.items())
    return Machine(device, dtype, width, seconds, peak, _bandwidth(device))


def _dtype(device: str, width: int) -> torch.dtype:
    """Return the kind of numbers to measure with: bfloat16, unless this machine is slower with it than in float32.

    In float32 the libraries of many processors are far below the slope for two to sixteen rows.
    """
    kinds = torch.bfloat16, torch.float32
    took = {}
    for kind in kinds:
        x, weight = _numbers(8, width, device, kind), _numbers(width, width, device, kind)
        took[kind] = min(_seconds(device, F.linear, x, weight) for _ in range(3))
    return min(kinds, key=took.__getitem__)


def _numbers(rows: int, columns: int, device: str, dtype: torch.dtype) -> torch.Tensor:
    return torch.randn(rows, columns, device=device, dtype=dtype)


def _bandwidth(device: str) -> float:
    source, target = torch.ones(2, COPIED.get(device, COPIED["cpu"]), device=device)  # written: no new pages to pay for
    return 2 * source.nbytes / min(_seconds(device, target.copy_, source) for _ in range(ROUNDS))


def _seconds(device: str, function: Callable, *args) -> float:
    """Return the least seconds of two calls, each up to the end of its work."""

    def finished() -> None:
        function(*args)
        if device == "cuda":
            torch.cuda.synchronize()

    return least_seconds(finished, repeats=2)


def table(machine: Machine, cost: Callable, attainable: Callable) -> str:
    """Return for each number of rows: operations a byte, milliseconds, how many times one row, share of the roof."""
    ridge = machine.peak / machine.bandwidth
    first = next(iter(machine.seconds.values()))
    lines = [
        f"{machine.device}, {str(machine.dtype).removeprefix('torch.')}: {machine.peak / 1e9:,.0f} billion operations "
        f"a second at most, {machine.bandwidth / 1e9:,.0f} GB a second, the corner at {ridge:.1f} operations a byte",
        f"{'rows':>5}{'operations a byte':>20}{'milliseconds':>15}{'times one row':>16}{'of the roof':>14}",
    ]
    for rows, seconds in machine.seconds.items():
        operations, moved = cost(rows, machine.width, machine.width, machine.size)
        share = operations / seconds / attainable(operations, moved, machine.peak, machine.bandwidth)
        lines.append(
            f"{rows:>5}{operations / moved:>20.1f}{1000 * seconds:>15.2f}{seconds / first:>16.1f}{share:>14.0%}"
        )
    return "\n".join(lines)


def sizes_table(pass_seconds: Callable) -> str:
    """Return a table of models: weights, gigabytes in 16 and 4 bits and while training, tokens a second in both."""
    lines = [
        f"{'':<14}{'weights':>10}{'GB: 16 bits':>13}{'4 bits':>9}{'training':>10}{'tokens/s: 16 bits':>19}{'4 bits':>9}"
    ]
    for name, billions in SIZES.items():
        speeds = [1 / pass_seconds(1e9 * billions, 1, bits, PEAK, BANDWIDTH) for bits in (16, 4)]
        weights = f"{billions:g} B" if billions >= 1 else f"{1000 * billions:g} M"
        sizes = [_short(value) for value in (2 * billions, billions / 2, 16 * billions, *speeds)]
        lines.append(f"{name:<14}{weights:>10}{sizes[0]:>13}{sizes[1]:>9}{sizes[2]:>10}{sizes[3]:>19}{sizes[4]:>9}")
    return "\n".join(lines)


def _short(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 1:
        return f"{value:.1f}"
    return f"{value:.2g}"
