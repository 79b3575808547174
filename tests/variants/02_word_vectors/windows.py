# %% wrong="into the next text" says="into another text"
def context_windows(ids: np.ndarray, texts: np.ndarray, reach: int) -> np.ndarray:
    offsets = np.array([o for o in range(-reach, reach + 1) if o != 0], dtype=int)
    places = np.arange(len(ids))[:, None] + offsets  # (T, 2R)
    if not places.size:
        return np.zeros(places.shape, dtype=int)
    inside = np.clip(places, 0, len(ids) - 1)
    return np.where((places == inside), ids[inside], -1)


def skip_gram_pairs(ids: np.ndarray, windows: np.ndarray) -> np.ndarray:
    centres = np.repeat(ids, windows.shape[1])
    contexts = windows.ravel()
    return np.stack([centres, contexts], axis=1)[contexts >= 0]

# %% wrong="itself" says="not its own company"
def context_windows(ids: np.ndarray, texts: np.ndarray, reach: int) -> np.ndarray:
    offsets = np.array([o for o in range(-reach, reach + 1)], dtype=int)
    places = np.arange(len(ids))[:, None] + offsets  # (T, 2R)
    if not places.size:
        return np.zeros(places.shape, dtype=int)
    inside = np.clip(places, 0, len(ids) - 1)
    return np.where((places == inside) & (texts[inside] == texts[:, None]), ids[inside], -1)


def skip_gram_pairs(ids: np.ndarray, windows: np.ndarray) -> np.ndarray:
    centres = np.repeat(ids, windows.shape[1])
    contexts = windows.ravel()
    return np.stack([centres, contexts], axis=1)[contexts >= 0]

# %% wrong="0 as filler" says="filler is -1"
def context_windows(ids: np.ndarray, texts: np.ndarray, reach: int) -> np.ndarray:
    offsets = np.array([o for o in range(-reach, reach + 1) if o != 0], dtype=int)
    places = np.arange(len(ids))[:, None] + offsets  # (T, 2R)
    if not places.size:
        return np.zeros(places.shape, dtype=int)
    inside = np.clip(places, 0, len(ids) - 1)
    return np.where((places == inside) & (texts[inside] == texts[:, None]), ids[inside], 0)


def skip_gram_pairs(ids: np.ndarray, windows: np.ndarray) -> np.ndarray:
    centres = np.repeat(ids, windows.shape[1])
    contexts = windows.ravel()
    return np.stack([centres, contexts], axis=1)[contexts >= 0]

# %% wrong="swapped" says="exchanged"
def context_windows(ids: np.ndarray, texts: np.ndarray, reach: int) -> np.ndarray:
    offsets = np.array([o for o in range(-reach, reach + 1) if o != 0], dtype=int)
    places = np.arange(len(ids))[:, None] + offsets  # (T, 2R)
    if not places.size:
        return np.zeros(places.shape, dtype=int)
    inside = np.clip(places, 0, len(ids) - 1)
    return np.where((places == inside) & (texts[inside] == texts[:, None]), ids[inside], -1)


def skip_gram_pairs(ids: np.ndarray, windows: np.ndarray) -> np.ndarray:
    centres = np.repeat(ids, windows.shape[1])
    contexts = windows.ravel()
    return np.stack([contexts, centres], axis=1)[contexts >= 0]

# %% right="loops"
def context_windows(ids, texts, reach):
    rows = []
    for i in range(len(ids)):
        line = []
        for j in [*range(i - reach, i), *range(i + 1, i + reach + 1)]:
            line.append(int(ids[j]) if 0 <= j < len(ids) and texts[j] == texts[i] else -1)
        rows.append(line)
    return np.array(rows, dtype=int).reshape(len(ids), 2 * reach)


def skip_gram_pairs(ids, windows):
    found = [(c, o) for c, line in zip(ids, windows) for o in line if o != -1]
    return np.array(found, dtype=int).reshape(-1, 2)
