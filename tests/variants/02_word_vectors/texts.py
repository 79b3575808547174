# %% wrong="no weights" says="weights were not used"
def average_vectors(documents: list[np.ndarray], table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    means = np.zeros((len(documents), table.shape[1]))
    for i, ids in enumerate(documents):
        if len(ids) and weights[ids].sum() > 0:
            means[i] = np.average(table[ids], axis=0)
    return means


def window_features(ids: np.ndarray, windows: np.ndarray, table: np.ndarray) -> np.ndarray:
    padded = np.vstack([table, np.zeros((1, table.shape[1]), table.dtype)])  # row -1 is the last
    places = np.column_stack([ids, windows])  # (T, 1 + 2R)
    return padded[places].reshape(len(ids), -1)

# %% wrong="last row for -1" says="not the last row"
def average_vectors(documents: list[np.ndarray], table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    means = np.zeros((len(documents), table.shape[1]))
    for i, ids in enumerate(documents):
        if len(ids) and weights[ids].sum() > 0:
            means[i] = np.average(table[ids], axis=0, weights=weights[ids])
    return means


def window_features(ids: np.ndarray, windows: np.ndarray, table: np.ndarray) -> np.ndarray:
    padded = table
    places = np.column_stack([ids, windows])  # (T, 1 + 2R)
    return padded[places].reshape(len(ids), -1)

# %% wrong="own vector last" says="not last"
def average_vectors(documents: list[np.ndarray], table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    means = np.zeros((len(documents), table.shape[1]))
    for i, ids in enumerate(documents):
        if len(ids) and weights[ids].sum() > 0:
            means[i] = np.average(table[ids], axis=0, weights=weights[ids])
    return means


def window_features(ids: np.ndarray, windows: np.ndarray, table: np.ndarray) -> np.ndarray:
    padded = np.vstack([table, np.zeros((1, table.shape[1]), table.dtype)])  # row -1 is the last
    places = np.column_stack([windows, ids])  # (T, 1 + 2R)
    return padded[places].reshape(len(ids), -1)

# %% right="loops"
def average_vectors(documents, table, weights):
    rows = []
    for ids in documents:
        total = sum((weights[i] * table[i] for i in ids), np.zeros(table.shape[1]))
        weight = sum(weights[i] for i in ids)
        rows.append(total / weight if weight else total)
    return np.array(rows).reshape(len(documents), table.shape[1])


def window_features(ids, windows, table):
    zero = np.zeros(table.shape[1])
    return np.array([np.concatenate([table[i] if i >= 0 else zero for i in [own, *near]]) for own, near in zip(ids, windows)])
