"""What a tokenizer costs in each language: the same names in many languages, counted in tokens.

A *reader* is a function from a text to the list of its ids; `texts` is everywhere {language: list of texts}.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from helpers import data
from helpers.course import leaderboard


def names_in(languages: Sequence[str]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return ({language: names of countries and languages, rows alike}, {language: its English name})."""
    lists = [data.load("territories"), data.load("languages")]
    return {code: [name for part in lists for name in part.entries[code]] for code in languages}, lists[0].names


def split_rows(count: int, share: float, seed: int) -> list[np.ndarray]:
    """Return [a random share of the numbers 0 to count - 1, the others]."""
    return np.split(np.random.default_rng(seed).permutation(count), [int(share * count)])


def rows_of(texts: Mapping[str, list[str]], rows: Sequence[int]) -> dict[str, list[str]]:
    """Return these rows of the texts, in every language."""
    return {code: [found[i] for i in rows] for code, found in texts.items()}


def balanced_words(texts: Mapping[str, list[str]], cut: Callable) -> Counter:
    """Return {piece as a tuple of single bytes: weight}, each language weighed so that all have about as many bytes.

    cut: text -> list of pieces
    """
    volume = {code: sum(len(text.encode()) for text in found) for code, found in texts.items()}
    words: Counter = Counter()
    for code, found in texts.items():
        weight = round(10 * max(volume.values()) / volume[code])
        for piece in (piece for text in found for piece in cut(text)):
            words[tuple(bytes([b]) for b in piece.encode())] += weight
    return words


def token_counts(readers: Mapping[str, Callable], texts: Mapping[str, list[str]]) -> dict[str, dict[str, int]]:
    """Return {reader: {language: tokens of all its texts}}."""
    return {
        name: {code: sum(len(reader(text)) for text in found) for code, found in texts.items()}
        for name, reader in readers.items()
    }


def worst_prices(tokens: Mapping[str, dict[str, int]], seed: int) -> dict[str, float]:
    """Return {reader: what its dearest language costs}, English in the English tokenizer being 1.

    tokens: of `token_counts`; seed: the one that the texts were split with. Each price is a row of the leaderboard.
    """
    base = tokens["English docs"]["en"]
    prices = {name: max(found.values()) / base for name, found in tokens.items()}
    for name, price in prices.items():
        with leaderboard.measured("06", f"{name}, seed {seed}", "worst language, tokens against English") as row:
            row.score = price
    return prices


def fertility_table(
    readers: Mapping[str, Callable],
    texts: Mapping[str, list[str]],
    names: Mapping[str, str],
    *,
    tokens_per_word: Callable,
    tokens_per_byte: Callable,
) -> str:
    """Return a table: for each language the tokens per word, then per byte, of three readers {column: reader}.

    names: {language: its English name}; tokens_per_word, tokens_per_byte: (reader, texts) -> number
    """
    lines = [f"names held out{'tokens per word':>34}{'tokens per byte':>36}"]
    lines.append(f"{'':<12}" + "".join(f"{column:>12}" for column in readers) * 2)
    for code, found in texts.items():
        cells = [measure(read, found) for measure in (tokens_per_word, tokens_per_byte) for read in readers.values()]
        lines.append(f"{names[code]:<12}" + "".join(f"{cell:>12.2f}" for cell in cells))
    return "\n".join(lines)
