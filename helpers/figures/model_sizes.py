"""Sizes of published models on one logarithmic axis, from a small language model to a large one."""

from collections.abc import Callable, Mapping

from matplotlib.figure import Figure

from helpers.plots.style import COLORS, GREY, figure

MACHINES = {"a phone, 4 GB": 4e9, "one GPU, 24 GB": 24e9, "one GPU, 80 GB": 80e9}  # weights in 16 bits


def sizes(models: Mapping[str, dict], model_parameters: Callable[..., int]) -> tuple[Figure, str]:
    """Draw parameters in all (filled) and at work for a token (hollow) of each model; returns (figure, alt text)."""
    names = list(models)
    total = [int(model_parameters(models[name])) for name in names]
    active = [int(model_parameters(models[name], active=True)) for name in names]
    fig, ax = figure(width=8.6, height=4.4)
    for words, memory in MACHINES.items():
        ax.axvline(memory / 2, color=GREY, linestyle=":", linewidth=1)
        ax.text(memory / 2, -1.15, words, fontsize=9, ha="center", color=GREY)
    ax.hlines(range(len(names)), active, total, color=COLORS[0], linewidth=2)
    ax.plot(total, range(len(names)), "o", color=COLORS[0], label="in all")
    different = [i for i in range(len(names)) if active[i] != total[i]]
    ax.plot([active[i] for i in different], different, "o", mfc="white", color=COLORS[1], label="at work for one token")
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set(xscale="log", xlabel="parameters; dotted: what fits in 16 bits", ylim=(len(names) - 0.5, -0.6))
    ax.legend(loc="lower left")
    said = "; ".join(f"{name} {n / 1e9:.2g} billion" for name, n in zip(names, total, strict=True))
    said += "".join(f"; {names[i]} with {active[i] / 1e9:.3g} billion at work" for i in different)
    return fig, f"Parameters of {len(names)} models on a logarithmic axis: {said}."
