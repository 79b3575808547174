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
    names = {}
    for code in languages:
        names[code] = [name for part in lists for name in part.entries[code]]
    return names, lists[0].names


def split_rows(count: int, share: float, seed: int) -> list[np.ndarray]:
    """Return [a random share of the numbers 0 to count - 1, the others]."""
    return np.split(np.random.default_rng(seed).permutation(count), [int(share * count)])


def rows_of(texts: Mapping[str, list[str]], rows: Sequence[int]) -> dict[str, list[str]]:
    """Return these rows of the texts, in every language."""
    chosen = {}
    for code, in_language in texts.items():
        chosen[code] = [in_language[i] for i in rows]
    return chosen


def balanced_words(texts: Mapping[str, list[str]], cut: Callable) -> Counter:
    """Return {piece as a tuple of single bytes: weight}, each language weighed so that all have about as many bytes.

    cut: text -> list of pieces
    """
    num_bytes = {}
    for code, in_language in texts.items():
        num_bytes[code] = sum(len(text.encode()) for text in in_language)
    words: Counter = Counter()
    for code, in_language in texts.items():
        weight = round(10 * max(num_bytes.values()) / num_bytes[code])
        for text in in_language:
            for piece in cut(text):
                words[tuple(bytes([b]) for b in piece.encode())] += weight
    return words


def token_counts(readers: Mapping[str, Callable], texts: Mapping[str, list[str]]) -> dict[str, dict[str, int]]:
    """Return {reader: {language: tokens of all its texts}}."""
    counts: dict[str, dict[str, int]] = {}
    for name, reader in readers.items():
        counts[name] = {}
        for code, in_language in texts.items():
            counts[name][code] = sum(len(reader(text)) for text in in_language)
    return counts


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
