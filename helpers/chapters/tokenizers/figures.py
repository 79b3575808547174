"""The figures of chapter 06: training, vocabularies, numbers, rare tokens, languages."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from helpers.chapters.tokenizers.vocabulary_size import Bill
from helpers.plots.style import COLORS, figure, ink

DRAWN = 220  # of the numbers 0 to 999
TOKENIZERS = {  # marker, colour, and whether it is drawn larger and hollow, since others would hide it
    "English docs": ("o", 0, True),
    "docs-tokenizer": ("s", 1, False),
    "balanced": ("^", 4, True),
    "balanced, marks kept": ("D", 2, False),
}


def training_seconds(simple: Mapping[int, float], incremental: Mapping[int, float]) -> tuple[Figure, str]:
    """Draw seconds against merges for two ways to train, {vocabulary: seconds} each: (figure, alt).

    The simple way is drawn further as a dashed line, from its time for one merge to the last size of the other.
    """
    first, last = list(simple)[-1], list(incremental)[-1]
    each = np.diff(list(simple.values()))[-1] / np.diff(list(simple))[-1]
    fig, ax = figure()
    for name, found, style in [("simple", simple, "-s"), ("incremental", incremental, "-o")]:
        ax.plot([size - 256 for size in found], found.values(), style, label=name)
    far = [simple[first], simple[first] + each * (last - first)]
    ax.plot([first - 256, last - 256], far, "--", color=COLORS[0], label="simple, extrapolated")
    ax.set(xscale="log", yscale="log", xlabel="merges", ylabel="CPU seconds")
    ax.legend()
    return fig, (
        f"Seconds against merges, both axes logarithmic. The simple way grows in proportion, {each:.2f} s for each "
        f"merge, and would take {each * (last - 256) / 60:.1f} minutes for {last - 256:,}; the incremental way takes "
        f"{incremental[last]:.1f} s, since later merges touch fewer words."
    )


def vocabulary_sizes(bills: Mapping[int, Bill]) -> tuple[Figure, str]:
    """Draw the length of the text, the embedding and the bits per byte against the vocabulary: (figure, alt).

    bills: {vocabulary: its bill}
    """
    sizes = list(bills)
    fig, axes = figure(columns=3, width=11, height=3.4)
    found = np.array([bill[:3] for bill in bills.values()]).T  # (3, sizes)
    titles = ["tokens per 1,000 bytes", "embedding, million parameters", "bits per byte (trigrams)"]
    for ax, values, title, style in zip(axes, found, titles, ["-o", "--s", "-.^"], strict=True):
        ax.plot(sizes, values, style)
        ax.set(xscale="log", xlabel="vocabulary", title=title, ylim=(0, None))
        ax.set_xticks(sizes, [f"{size / 1000:.2g}k" if size > 999 else str(size) for size in sizes], fontsize=9)
        ax.minorticks_off()
    first, final = bills[sizes[0]], bills[sizes[-1]]
    return fig, (
        f"From {sizes[0]} to {sizes[-1]:,} tokens the text shrinks from {first.tokens:.0f} to {final.tokens:.0f} "
        f"tokens for 1,000 bytes, the embedding grows from {first.parameters:.2f} to {final.parameters:.2f} million "
        f"parameters; a trigram model needs {first.bits:.2f} bits per byte at first, {final.bits:.2f} at the end."
    )


def numbers_by_tokens(cost: np.ndarray) -> tuple[Figure, str]:
    """Draw the first numbers in rows of twenty, coloured by how many tokens each takes: (figure, alt).

    cost: (1000,), the tokens of the numbers 0 to 999
    """
    first = cost[:DRAWN].reshape(-1, 20)
    fig, ax = figure(width=9, height=3.6)
    colors = [COLORS[0], "#e5e7eb", COLORS[4]]  # of one token, two, three or more
    ax.imshow(first, cmap=ListedColormap(colors), vmin=1, vmax=3, aspect="auto")
    for n, tokens in enumerate(first.flat):
        bold, dark = "bold" if tokens == 1 else "normal", ink(colors[min(tokens, 3) - 1])
        ax.text(n % 20, n // 20, n, ha="center", va="center", fontsize=8, weight=bold, color=dark)
    ax.axis("off")
    for value, color in zip([1, 2, 3], colors, strict=True):
        tokens = "tokens" if value > 1 else "token"
        ax.plot([], [], "s", color=color, label=f"{value} {tokens}: {(cost == value).sum()} below 1,000")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    alone = [n for n in range(100, 1000) if cost[n] == 1]
    return fig, (
        f"The numbers 0 to {DRAWN - 1} in rows of 20, coloured by their tokens. Of those from 0 to 999 "
        f"{(cost == 1).sum()} are one token, {(cost == 2).sum()} two, {(cost == 3).sum()} three. Of those with three "
        f"digits {len(alone)} are one token, for example {', '.join(map(str, alone[:8]))}."
    )


def rare_tokens(seen: np.ndarray, norms: np.ndarray) -> tuple[Figure, str]:
    """Draw the length of each token's vector against how often the token occurs, both (V,): (figure, alt)."""
    fig, ax = figure()
    ax.scatter(np.maximum(seen, 0.5), norms, s=6, alpha=0.5)
    ax.set(xscale="log", xlabel="occurrences in the docs (0 drawn at 0.5)", ylabel="length of the vector in docs-gpt")
    few = seen < 5
    return fig, (
        f"Each token's count in the training text against the length of its vector. The {few.sum()} tokens that occur "
        f"fewer than five times have a median length of {np.median(norms[few]):.2f} (spread {norms[few].std():.2f}), "
        f"the others {np.median(norms[~few]):.2f} (spread {norms[~few].std():.2f})."
    )


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
