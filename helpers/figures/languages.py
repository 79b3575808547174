"""What the same content costs in each language and each tokenizer, as points."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from helpers.plots.style import COLORS, figure

TOKENIZERS = {  # marker, colour, and whether it is drawn larger and hollow, since others would hide it
    "English docs": ("o", 0, True),
    "docs-tokenizer": ("s", 1, False),
    "balanced": ("^", 4, True),
    "balanced, marks kept": ("D", 2, False),
}


def language_prices(
    panels: Mapping[str, Mapping[str, dict[str, int]]], order: Sequence[str], names: Mapping[str, str]
) -> tuple[Figure, str]:
    """Draw tokens relative to English in the English tokenizer, a panel for each text: (figure, alt).

    panels: {title: {tokenizer: {language: tokens}}}, two of them, names first; order: the languages from the top, the
    dearest first; names: {language: its English name}
    """
    fig, axes = figure(columns=2, width=11, height=6)
    for ax, (title, tokens) in zip(axes, panels.items(), strict=True):
        _draw(ax, tokens, order)
        ax.set_yticks(range(len(order)), [names[code] for code in order])
        ax.invert_yaxis()
        ax.set(title=title, xlabel="tokens (English docs, English = 1)", xlim=(0, None))
    axes[0].legend(loc="lower right")
    first = next(iter(panels.values()))
    before, after = (
        first[name][order[0]] / first["English docs"]["en"] for name in ("English docs", "balanced, marks kept")
    )
    return fig, (
        f"Tokens for the same content in twenty languages and four tokenizers, a panel for names, one for a longer "
        f"text. With the English docs tokenizer {names[order[0]]} costs {before:.1f} times as much as English; with "
        f"the balanced one that keeps marks {after:.1f}."
    )


def _draw(ax, tokens: Mapping[str, dict[str, int]], order: Sequence[str]) -> None:
    """Plot one panel, {tokenizer: {language: tokens}}."""
    base = tokens["English docs"]["en"]
    for name, (marker, color, hollow) in TOKENIZERS.items():
        shape = {"markersize": 11, "fillstyle": "none"} if hollow else {}
        found = [tokens[name][code] / base for code in order]
        ax.plot(found, range(len(order)), marker, color=COLORS[color], label=name, **shape)
