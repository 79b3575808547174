"""The figures of chapter 02: who meets whom, what is sampled, analogies, differences, associations."""

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np
from matplotlib.figure import Figure

from helpers.chapters.word_vectors.analogy_scores import COMPANY, summary
from helpers.models.word_vectors import WordVectors
from helpers.plots.charts import bars
from helpers.plots.matrices import matrix
from helpers.plots.style import COLORS, figure


def meetings(words: list[str], counts: np.ndarray, ppmi: np.ndarray) -> tuple[Figure, str]:
    """Draw how often seven words meet beside their PPMI, (7, 7) each; returns (figure, alt text)."""
    fig, axes = figure(columns=2, width=10, height=3.8)
    for ax, values, title, fmt in [
        (axes[0], counts, "how often they meet", "{:.0f}"),
        (axes[1], ppmi, "PPMI", "{:.2f}"),
    ]:
        matrix(ax, values, words, words, fmt)
        ax.set_title(title)
        ax.tick_params(axis="x", labelrotation=45)
    return fig, (
        "Two tables of seven words by seven. Left: the counts, the largest for like and person. Right: their PPMI; the "
        "row and the column of person are all 0, and ball and game have 1.00."
    )


def singular_values(singular: np.ndarray, table: np.ndarray) -> tuple[Figure, str]:
    """Draw the first k singular values of a table (V, C), and how much of its squares they keep; (figure, alt text)."""
    kept = np.cumsum(singular**2) / np.sum(table**2)  # (k,)
    fig, axes = figure(columns=2, width=9.5, height=3.4)
    k = np.arange(1, len(singular) + 1)
    axes[0].plot(k, singular, ".-")
    axes[0].set(xlabel="number i of the pattern", ylabel="singular value", ylim=(0, None))
    axes[1].plot(k, kept)
    axes[1].set(xlabel="patterns kept, k", ylabel="share of the table's squares", ylim=(0, 1))
    return fig, (
        f"Left: the singular values fall from {singular[0]:.0f} to {singular[9]:.0f} at the tenth and to "
        f"{singular[-1]:.0f} at number {len(k)}, without an edge. Right: ten patterns keep {kept[9]:.0%} of the "
        f"table's squares, {len(k)} keep {kept[-1]:.0%}."
    )


def sampling(counts: np.ndarray, noise: np.ndarray, kept: np.ndarray) -> tuple[Figure, str]:
    """Draw the share, the noise probability and the probability to be kept of each word; returns (figure, alt text).

    counts, noise, kept: (V,), the most frequent word first.
    """
    fig, axes = figure(columns=2, width=9.5, height=3.4)
    rank = np.arange(1, len(counts) + 1)
    axes[0].loglog(rank, counts / counts.sum(), label="share of the text")
    axes[0].loglog(rank, noise, "--", label="noise, power 3/4")
    axes[0].set(xlabel="rank of the word", ylabel="probability")
    axes[0].legend()
    axes[1].semilogx(rank, kept)
    axes[1].set(xlabel="rank of the word", ylabel="probability to be kept", ylim=(0, 1.05))
    return fig, (
        "Left: the share of words in the text falls along a line with their rank, the noise distribution less steeply. "
        "Right: the most frequent words are kept with a probability of about one eighth to one half, rare words always."
    )


def strips(vectors: WordVectors, words: list[str]) -> tuple[Figure, str]:
    """Draw the vectors of some words, each of length 1, a strip of colours each; returns (figure, alt text).

    The axes are sorted by the numbers of the first word; beside each strip stands its cosine with that word.
    """
    table = np.stack([vectors[word] for word in words])
    table = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = table @ table[0]
    fig, ax = figure(width=9.5, height=0.8 + 0.32 * len(words))
    _draw_strips(ax, table[:, np.argsort(table[0])], [f"{w}  {c:.2f}" for w, c in zip(words, cosines, strict=True)])
    ax.set(xlabel=f"the {table.shape[1]} axes, sorted by {words[0]}")
    ax.set_title(f"cosine with {words[0]}", loc="left", fontsize=10)
    told = ", ".join(f"{word} {cosine:.2f}" for word, cosine in zip(words[1:], cosines[1:], strict=True))
    return fig, (
        f"Strips of colours for the vectors of {len(words)} words, all sorted by {words[0]}. Cosine with it: {told}."
    )


def _draw_strips(ax, table: np.ndarray, names: list[str]) -> None:
    """Draw each row of a table as a strip, white lines between them; the largest two in a hundred share a colour."""
    top = np.quantile(abs(table), 0.98)
    image = ax.imshow(table, cmap="RdBu", vmin=-top, vmax=top, aspect="auto")
    ax.set_yticks(range(len(names)), names)
    ax.set_yticks(np.arange(1, len(names)) - 0.5, minor=True)
    ax.grid(visible=False)
    ax.grid(visible=True, which="minor", axis="y", color="white", linewidth=3)
    ax.tick_params(which="minor", length=0)
    ax.figure.colorbar(image, label="number in the vector")


def analogy_bars(found: Mapping[str, dict[str, np.ndarray]]) -> tuple[Figure, str]:
    """Draw the share of right answers of four methods in the sections of company and the others together.

    found: {method: {section: booleans}}, of `right_by_section`. Returns (figure, alt text).
    """
    fig, ax = figure(width=9, height=4.2)
    places, width = np.arange(len(COMPANY) + 1), 0.2
    told = {name: summary(right) for name, right in found.items()}
    for i, (name, hatch) in enumerate(zip(found, ["", "//", "..", "xx"], strict=True)):
        shares = [found[name][section].mean() for section in COMPANY] + [told[name]["others"]]
        ax.bar(places + (i - 1.5) * width, shares, width, color=COLORS[i], hatch=hatch, edgecolor="white", label=name)
    ax.set_xticks(places, [name.replace("-and-", "\nand ") for name in (*COMPANY, "the others")], fontsize=9)
    ax.set(ylabel="share of right answers", ylim=(0, 1))
    ax.legend(ncols=4, loc="upper right")
    company, others = (
        ", ".join(f"{name} {s[group]:.0%}" for name, s in told.items()) for group in ("company", "others")
    )
    return fig, (
        f"Bars for seven groups of analogies and four methods. Right over the six sections of company: {company}; "
        f"over the nineteen others: {others}"
    )


def agreement(correlations: np.ndarray, names: list[str]) -> tuple[Figure, str]:
    """Draw the rank correlations of four methods, (4, 4); returns (figure, alt text)."""
    fig, ax = figure(width=5, height=3.4)
    matrix(ax, correlations, names, names, "{:.2f}")
    return fig, (
        "Table of Spearman's correlation between the cosines of four methods on 400 random pairs of frequent words."
    )


def difference_blocks(
    cosines: np.ndarray, pairs: Sequence[tuple[str, str]], relations: list[str]
) -> tuple[Figure, str]:
    """Draw the cosines of the differences of 32 pairs, eight of each of four relations; returns (figure, alt text).

    cosines: (32, 32), the pairs of a relation together.
    """
    fig, ax = figure(width=8, height=6.4)
    image = ax.imshow(cosines, cmap="RdBu", vmin=-1, vmax=1)
    ax.set_yticks(range(len(pairs)), [f"{a}, {b}" for a, b in pairs], fontsize=8)
    ax.set_xticks(np.arange(4) * 8 + 3.5, relations, fontsize=9)
    ax.grid(visible=False)
    for edge in (7.5, 15.5, 23.5):
        ax.axhline(edge, color="black", linewidth=0.8)
        ax.axvline(edge, color="black", linewidth=0.8)
    fig.colorbar(image, label="cosine of two differences")
    return fig, _blocks_alt(cosines, relations)


def _blocks_alt(cosines: np.ndarray, relations: list[str]) -> str:
    """Say the mean cosine within each relation, a pair with itself left out, and between relations."""
    blocks = cosines.reshape(4, 8, 4, 8).transpose(0, 2, 1, 3)  # (relation, relation, 8, 8)
    within = {name: (blocks[i, i].sum() - 8) / 56 for i, name in enumerate(relations)}
    between = np.mean([blocks[i, j].mean() for i, j in permutations(range(4), 2)])
    means = ", ".join(f"{name} {mean:.2f}" for name, mean in within.items())
    return (
        "Heat map of the cosines between the differences of 32 pairs, eight of each of four relations. Mean within a "
        f"relation: {means}; between relations {between:.2f}."
    )


def association_bars(association: Mapping[str, Mapping[str, float]]) -> tuple[Figure, str]:
    """Draw the association s(w) with trouble minus praise of two lists of eight words; returns (figure, alt text).

    association: {list: {word: s(w)}}, systems before mathematics.
    """
    fig, ax = figure(width=7.5, height=4)
    names = [word for words in association.values() for word in words]
    values = [value for words in association.values() for value in words.values()]
    colors = [COLORS[i] for i, words in enumerate(association.values()) for _ in words]
    bars(ax, names, values, colors, "closer to praise          s(w)          closer to trouble")
    ax.axvline(0, color="black", linewidth=1)
    ax.set_title("systems (upper eight), mathematics (lower eight)", fontsize=11)
    sides = [
        f"{sum(value > 0 for value in words.values())} of {len(words)} words of {name}"
        for name, words in association.items()
    ]
    return fig, (
        "Bars of the association of sixteen words with trouble minus praise. The side of trouble has "
        f"{' and '.join(sides)}."
    )
