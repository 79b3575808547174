"""A HiPPO memory: a signal is read into a state of N numbers, and redrawn from it."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.polynomial.legendre import legval

from helpers.plots.style import COLORS, GREY, figure

STEPS = 400  # in a window of one second


def hippo(size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return A (N, N) and B (N,) whose state are the Legendre coefficients of the last second (HiPPO-LegT)."""
    row, column = np.arange(size)[:, None], np.arange(size)[None]
    A = (2 * row + 1) * np.where(row < column, -1.0, (-1.0) ** (row - column + 1))
    return torch.tensor(A), torch.tensor(((2 * row + 1) * (-1.0) ** row)[:, 0])


def _signal() -> np.ndarray:
    t = np.arange(STEPS) / STEPS
    return np.sin(6 * np.pi * t) + 0.5 * np.sin(14.6 * np.pi * t + 1) + 0.3 * (t > 0.6)


def redrawn(discretize: Callable, sizes: Sequence[int]) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return a signal (400,), and {N: the same redrawn from a state of N numbers after its last step}."""
    signal, found = _signal(), {}
    for size in sizes:
        A, B = map(torch.as_tensor, discretize(*hippo(size), 1 / STEPS))
        h = torch.zeros(size, dtype=torch.float64)
        for value in signal.tolist():
            h = A @ h + B * value
        ago = 1 - np.arange(STEPS) / STEPS  # seconds before the end
        found[size] = legval(2 * ago - 1, h.numpy())
    return signal, found


def error(signal: np.ndarray, back: np.ndarray) -> float:
    """Return the root mean square of the difference."""
    return float(np.sqrt(((signal - back) ** 2).mean()))


def drawn(signal: np.ndarray, found: Mapping[int, np.ndarray]) -> tuple[Figure, str]:
    """Draw the signal and what each state redraws, side by side; returns (figure, alt text)."""
    fig, axes = figure(columns=len(found), width=9, height=2.8)
    for ax, (size, back), color in zip(axes, found.items(), COLORS, strict=False):
        ax.plot(np.arange(STEPS), signal, color=GREY, linewidth=1, label="what was read")
        ax.plot(np.arange(STEPS), back, color=color, label="what the state redraws")
        ax.set(title=f"N = {size}", xlabel="step", ylim=(-2.2, 2.6))
    axes[0].legend(loc="upper left", fontsize=8)
    told = "; ".join(f"with {size} numbers the error is {error(signal, back):.2f}" for size, back in found.items())
    return fig, f"A signal of {STEPS} steps, and the same redrawn from the state after the last step: {told}."


def agreement(discretize, recurrence, kernel, convolve, scan) -> str:
    """Return how far recurrence, convolution and scan lie apart on the same system of 8 numbers and 200 steps."""
    generator = torch.Generator().manual_seed(0)
    rates = -torch.rand(8, generator=generator, dtype=torch.float64) * 3
    A, B = map(torch.as_tensor, discretize(torch.diag(rates), torch.ones(8, dtype=torch.float64), 0.1))
    C = torch.randn(8, generator=generator, dtype=torch.float64)
    u = torch.randn(2, 200, generator=generator, dtype=torch.float64)
    first = torch.as_tensor(recurrence(A, B, C, u))
    second = torch.as_tensor(convolve(u, torch.as_tensor(kernel(A, B, C, u.shape[1]))))
    third = torch.as_tensor(scan(A.diagonal().expand(u.shape[1], 8), u[0, :, None] * B)) @ C
    gaps = (first - second).abs().max(), (first[0] - third).abs().max()
    return "200 steps, largest difference from the recurrence: convolution {:.0e}, scan {:.0e}".format(*gaps)
