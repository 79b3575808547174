# %% wrong="natural logarithm" says="base 2, not e"
def cooccurrences(term_document: np.ndarray) -> np.ndarray:
    return term_document @ term_document.T


def ppmi(counts: np.ndarray, positive: bool = True) -> np.ndarray:
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True)  # (V, C), times N
    seen = counts > 0
    pmi = np.zeros(counts.shape)
    pmi[seen] = np.log(counts[seen] * counts.sum() / expected[seen])
    return np.maximum(pmi, 0) if positive else pmi

# %% wrong="P(c) missing" says="P(c) is missing"
def cooccurrences(term_document: np.ndarray) -> np.ndarray:
    return term_document @ term_document.T


def ppmi(counts: np.ndarray, positive: bool = True) -> np.ndarray:
    expected = counts.sum(axis=1, keepdims=True) * np.full((1, counts.shape[1]), counts.sum())  # (V, C), times N
    seen = counts > 0
    pmi = np.zeros(counts.shape)
    pmi[seen] = np.log2(counts[seen] * counts.sum() / expected[seen])
    return np.maximum(pmi, 0) if positive else pmi

# %% wrong="negative values stay" says="negative values become 0"
def cooccurrences(term_document: np.ndarray) -> np.ndarray:
    return term_document @ term_document.T


def ppmi(counts: np.ndarray, positive: bool = True) -> np.ndarray:
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True)  # (V, C), times N
    seen = counts > 0
    pmi = np.zeros(counts.shape)
    pmi[seen] = np.log2(counts[seen] * counts.sum() / expected[seen])
    return pmi

# %% right="shares and nan_to_num"
def cooccurrences(term_document):
    return np.dot(term_document, np.transpose(term_document))


def ppmi(counts, positive=True):
    p = counts / max(counts.sum(), 1)
    with np.errstate(all="ignore"):
        pmi = np.log2(p / np.outer(p.sum(1), p.sum(0)))
    pmi = np.where(p > 0, pmi, 0.0)
    return np.clip(pmi, 0, None) if positive else pmi
