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

    panels: {title: {tokenizer: {language: tokens}}}, names first; a panel may lack languages, and English is in all
    order: the languages from the top, the dearest first; names: {language: its English name}
    """
    fig, axes = figure(columns=len(panels), width=12, height=6)
    for ax, (title, tokens) in zip(axes, panels.items(), strict=True):
        _draw(ax, tokens, order)
        ax.set_yticks(range(len(order)), [names[code] * (ax is axes[0]) for code in order])
        ax.set(title=title, xlabel="tokens (English docs, English = 1)", xlim=(0, None), ylim=(len(order) - 0.5, -0.5))
    axes[0].legend(loc="lower right")
    first = next(iter(panels.values()))
    before, after = (
        first[name][order[0]] / first["English docs"]["en"] for name in ("English docs", "balanced, marks kept")
    )
    return fig, (
        f"Tokens for the same content in {len(order)} languages and four tokenizers, a panel for names, the "
        f"others for running text. With the English docs tokenizer {names[order[0]]} costs {before:.1f} times as much "
        f"as English; with the balanced one that keeps marks {after:.1f}."
    )


def _draw(ax, tokens: Mapping[str, dict[str, int]], order: Sequence[str]) -> None:
    """Plot one panel, {tokenizer: {language: tokens}}."""
    base = tokens["English docs"]["en"]
    for name, (marker, color, hollow) in TOKENIZERS.items():
        shape = {"markersize": 11, "fillstyle": "none"} if hollow else {}
        rows = [row for row, code in enumerate(order) if code in tokens[name]]
        found = [tokens[name][order[row]] / base for row in rows]
        ax.plot(found, rows, marker, color=COLORS[color], label=name, **shape)
