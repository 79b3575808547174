"""How often words meet, in documents and in windows, and what that says about two words: PPMI."""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from helpers.chapters.word_vectors.corpus import Corpus

PLACES = 200_000  # of the text in one piece: its windows take some memory


def in_documents(corpus: Corpus, size: int, every: int = 1) -> np.ndarray:
    """Return which of the first `size` words occur in which document, (size, N), zeros and ones.

    every: with 20, only every twentieth document is looked at: for a quick try
    """
    frequent = corpus.ids < size
    ids, texts = corpus.ids[frequent], corpus.texts[frequent]
    counts = sparse.csr_matrix((np.ones(len(ids)), (ids, texts)), shape=(size, corpus.texts[-1] + 1))
    return counts.sign().toarray()[:, ::every]


def beside_chance(words: list[str], meetings: np.ndarray, ppmi: np.ndarray) -> str:
    """Return a table: the row sums of a table of meetings, and the last word's row beside chance and its PPMI.

    meetings, ppmi: (V, V), a row and a column for each of the V words
    """
    sums, total = meetings.sum(axis=1), meetings.sum()
    name = words[-1]
    rows = {
        "row sums": sums,
        f"{name} meets": meetings[-1],
        "by chance": sums[-1] * sums / total,
        "its PPMI": ppmi[-1],
    }
    lines = [f"{'':<13}" + "".join(f"{word:>9}" for word in words)]
    for title, row in rows.items():
        cells = "".join(f"{round(float(x), 4):>9g}" for x in row)
        lines.append(f"{title:<13}{cells}")
    return "\n".join([*lines, f"the whole table: {total:g}"])


def window_counts(corpus: Corpus, context_windows: Callable, size: int, reach: int) -> sparse.csr_matrix:
    """Return how often each of the first `size` words met each, weighted by 1 / distance, (size, size).

    context_windows: (ids (T,), texts (T,), reach) -> (T, 2 * reach) ids from left to right, -1 where there is none.
    """
    counts = sparse.csr_matrix((size, size))
    offsets = np.abs([o for o in range(-reach, reach + 1) if o])
    for part in np.array_split(np.arange(len(corpus.ids)), len(corpus.ids) // PLACES + 1):
        ids = corpus.ids[part]
        windows = np.asarray(context_windows(ids, corpus.texts[part], reach))
        met = (windows >= 0) & (windows < size) & (ids < size)[:, None]
        place, column = np.nonzero(met)
        found = sparse.coo_matrix((1 / offsets[column], (ids[place], windows[met])), shape=(size, size))
        counts = counts + found.tocsr()
    return counts


def number_of_pairs(corpus: Corpus, context_windows: Callable, skip_gram_pairs: Callable, n: int, reach: int) -> int:
    """Return how many pairs (centre, context) the first n documents hold; `reach`: words to each side."""
    first = corpus.texts < n
    ids, texts = corpus.ids[first], corpus.texts[first]
    return len(skip_gram_pairs(ids, np.asarray(context_windows(ids, texts, reach))))


def sparse_ppmi(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return the PPMI of the cells that are not zero, (V, C): for tables too large to be dense."""
    cells = counts.tocoo()
    company = np.asarray(counts.sum(axis=0)).ravel()
    ratio = cells.data * company.sum() / (np.asarray(counts.sum(axis=1)).ravel()[cells.row] * company[cells.col])
    return sparse.csr_matrix((np.maximum(np.log2(ratio), 0), (cells.row, cells.col)), shape=counts.shape)


def same_ppmi(counts: sparse.csr_matrix, ppmi: Callable) -> bool:
    """Return whether `ppmi` of a dense table agrees with `sparse_ppmi`."""
    return np.allclose(sparse_ppmi(counts).toarray(), ppmi(counts.toarray()))


def merged(counts: sparse.csr_matrix, corpus: Corpus, *pairs: tuple[str, str]) -> str:
    """Say, a line a pair, how near two words are to each other, and how near a word merged from both is to either."""
    return "\n".join(_merged(counts, corpus, a, b) for a, b in pairs)


def _merged(counts: sparse.csr_matrix, corpus: Corpus, a: str, b: str) -> str:
    apart, like_a, like_b = merged_cosines(counts, corpus.row[a], corpus.row[b])
    sizes = f"{corpus.count(a):,} and {corpus.count(b):,} times"
    return f"{a} and {b} ({sizes}): cosine {apart:.2f}; merged with {a} {like_a:.2f}, with {b} {like_b:.2f}"


def merged_cosines(counts: sparse.csr_matrix, first: int, second: int) -> tuple[float, float, float]:
    """Return cosines of PPMI rows: of two words, and of a word merged from both (their counts added) with either.

    counts: (V, V); first, second: the rows of the two words. The column sums are those of the table as it is.
    """
    rows = counts[[first, second]]
    table = sparse.vstack([rows, sparse.csr_matrix(rows.sum(axis=0))]).tocsr()  # (3, V), the merged word last
    total = np.asarray(counts.sum(axis=0)).ravel()
    expected = np.asarray(table.sum(axis=1)) * total / total.sum()
    pmi = np.log2(np.maximum(table.toarray(), 1e-9) / np.maximum(expected, 1e-9)).clip(min=0)
    unit = pmi / np.linalg.norm(pmi, axis=1, keepdims=True)
    return unit[0] @ unit[1], unit[2] @ unit[0], unit[2] @ unit[1]
