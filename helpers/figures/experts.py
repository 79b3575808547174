"""Who works for whom: the experts' shares by language, for several weights of the balance loss."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from helpers.plots.style import figure


def by_language(runs: Mapping[float, object], languages: Sequence[str]) -> tuple[Figure, str]:
    """Draw `shares` (languages, experts) of the first and the last run side by side; returns (figure, alt text)."""
    picked = [min(runs), max(runs)]
    fig, axes = figure(columns=2, width=8.6, height=3.2)
    most = max(float(runs[alpha].shares.max()) for alpha in picked)
    for ax, alpha in zip(axes, picked, strict=True):
        image = ax.imshow(runs[alpha].shares.numpy(), cmap="Blues", vmin=0, vmax=most, aspect="auto")
        ax.set(xlabel="expert", title=f"balance loss times {alpha:g}", xticks=range(runs[alpha].shares.shape[1]))
        ax.set_yticks(range(len(languages)), languages)
        ax.grid(visible=False)
    fig.colorbar(image, ax=axes, label="share of choices", shrink=0.9)
    told = "; ".join(f"with {alpha:g} the busiest expert has {runs[alpha].busiest:.0%}" for alpha in picked)
    return fig, f"Shares of the experts in the choices of {len(languages)} languages: {told}."
