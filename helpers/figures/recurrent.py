"""Recurrent networks: how far their gradients reach."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from helpers.plots.style import COLORS, figure

LEAST = 1e-12  # what is smaller is drawn as this


def gradient_flow(
    products: Mapping[str, np.ndarray],
    reaches: Mapping[str, np.ndarray],
    trainings: Mapping[str, tuple[list[float], list[float]]],
) -> tuple[Figure, str]:
    """Draw how gradients vanish, how gates let them pass, and how they explode; returns (figure, alt text).

    products: three norms of a product of Jacobians by the distance, (T,), by name; radius 0.5, 0.9 and 3.
    reaches: the norm of the gradient by the input at each distance, (T,), of RNN, GRU and LSTM.
    trainings: (norms, losses) of a training without and with clipping; the losses are drawn.
    """
    fig, axes = figure(columns=3, width=12, height=3.8)
    for (name, norms), style, color in zip(products.items(), (":", "--", "-"), COLORS, strict=False):
        axes[0].plot(norms, style, color=color, label=name)
    for (name, norms), style in zip(reaches.items(), (":", "--", "-"), strict=True):
        axes[1].plot(np.maximum(norms, LEAST), style, label=name)
    for (name, (_, losses)), style in zip(trainings.items(), (":", "-"), strict=True):
        axes[2].plot(losses, style, label=name)
    below = {"xlabel": "distance k", "yscale": "log"}
    axes[0].set(**below, ylabel="norm of the product", title="a product of Jacobians", ylim=(LEAST, 1e12))
    axes[1].set(**below, ylabel="norm of the gradient", title="gates", ylim=(LEAST, 1e2))
    axes[2].set(yscale="log", xlabel="step", ylabel="loss", title="clipping")
    for ax in axes:
        ax.legend(fontsize=9)
    told = ", ".join(f"{name}: {max(losses):.3g}" for name, (_, losses) in trainings.items())
    alt = (
        "Left: the norm of a product of Jacobians falls to nothing with the distance for radius 0.5 and 0.9, "
        "and grows for 3. Middle: the gradient of a plain RNN is gone after some twenty steps; those of GRU and LSTM "
        f"reach eighty. Right: the largest loss of a training, {told}."
    )
    return fig, alt
