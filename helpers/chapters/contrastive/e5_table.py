"""The table of E5 (Wang et al. 2022): encoders on MTEB's 56 data sets of seven kinds; its averages, made again."""

import numpy as np

# How many data sets of each kind.
SETS = {"class.": 12, "clust.": 11, "pairs": 3, "rerank": 4, "search": 15, "STS": 10, "summ.": 1}
# The mean of each kind, then the average as the paper prints it.
TABLE = {
    "GloVe, mean of vectors": (57.3, 27.7, 70.9, 43.3, 21.6, 61.9, 28.9, 42.0),
    "BERT": (61.7, 30.1, 56.3, 43.4, 10.6, 54.4, 29.8, 38.3),
    "SimCSE, dropout": (62.5, 29.0, 70.3, 46.5, 20.3, 74.3, 31.2, 45.5),
    "E5-small, rough pairs": (67.0, 41.7, 78.2, 53.1, 40.8, 68.8, 32.7, 54.3),
    "E5-base, rough pairs": (67.9, 43.4, 79.2, 53.5, 42.9, 69.5, 31.1, 55.6),
    "E5-large, rough pairs": (69.0, 44.3, 80.3, 54.4, 44.2, 69.9, 32.6, 56.6),
    "SimCSE, labels": (67.3, 33.4, 73.7, 47.5, 21.8, 79.1, 23.3, 48.7),
    "BERT-base, good pairs": (68.7, 33.9, 82.6, 50.5, 41.5, 79.2, 29.0, 55.2),
    "Contriever": (66.7, 41.1, 82.5, 53.1, 41.9, 76.5, 30.4, 56.0),
    "GTR-large": (67.1, 41.6, 85.3, 55.4, 47.4, 78.2, 29.5, 58.3),
    "Sentence-T5-large": (72.3, 41.7, 85.0, 54.0, 36.7, 81.8, 29.6, 57.1),
    "E5-small": (71.7, 39.5, 85.1, 54.5, 46.0, 80.9, 31.4, 58.9),
    "E5-base": (72.6, 42.1, 85.1, 55.7, 48.7, 81.0, 31.0, 60.4),
    "E5-large": (73.1, 43.3, 85.9, 56.5, 50.0, 82.1, 31.0, 61.4),
    "GTR-xxl": (67.4, 42.4, 86.1, 56.7, 48.5, 78.4, 30.6, 59.0),
    "Sentence-T5-xxl": (73.4, 43.7, 85.1, 56.4, 42.2, 82.6, 30.1, 59.5),
}
# The rough pairs, in millions, by where they come from; the paper prints about 270.
PAIRS = {"Wikipedia": 24, "Reddit": 60, "Common Crawl": 69, "Stack Exchange": 19, "S2ORC": 90, "news": 3, "others": 6}


def means() -> np.ndarray:
    """Return each encoder's mean of each kind, (16, 7)."""
    return np.array(list(TABLE.values()))[:, :-1]


def beside(averages: np.ndarray) -> str:
    """Return the table as lines of text, with averages (16,) made again beside those printed, and the pairs."""
    kinds = "".join(f"{kind:>8}" for kind in SETS)
    counts = "".join(f"{count:>8}" for count in SETS.values())
    lines = [f"{'':<22}{kinds} printed   again", f"{'data sets':<22}{counts}{sum(SETS.values()):>8}"]
    for (name, row), average in zip(TABLE.items(), averages, strict=True):
        apart = "  apart" if abs(average - row[-1]) > 0.05 else ""
        lines.append(f"{name:<22}" + "".join(f"{mean:>8.1f}" for mean in row) + f"{average:>8.2f}{apart}")
    return "\n".join([*lines, rough_pairs()])


def rough_pairs() -> str:
    """Return where the rough pairs come from, and how many there are."""
    counts = ", ".join(f"{source} {count}" for source, count in PAIRS.items())
    return f"rough pairs, in millions: {counts}; together {sum(PAIRS.values())}"
