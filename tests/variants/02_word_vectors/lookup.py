# %% wrong="ids from 1" says="count from 0"
def one_hot(ids: np.ndarray, size: int) -> np.ndarray:
    return np.eye(size)[ids - 1]


def look_up(ids: np.ndarray, table: np.ndarray) -> np.ndarray:
    return table[ids]

# %% wrong="one bag" says="one bag"
def one_hot(ids: np.ndarray, size: int) -> np.ndarray:
    return np.eye(size)[ids].sum(axis=0)


def look_up(ids: np.ndarray, table: np.ndarray) -> np.ndarray:
    return table[ids]

# %% wrong="columns" says="columns of the table"
def one_hot(ids: np.ndarray, size: int) -> np.ndarray:
    return np.eye(size)[ids]


def look_up(ids: np.ndarray, table: np.ndarray) -> np.ndarray:
    return table[:, ids]

# %% right="loops"
def one_hot(ids, size):
    rows = np.zeros((len(ids), size))
    for i, j in enumerate(ids):
        rows[i, j] = 1
    return rows


def look_up(ids, table):
    return one_hot(ids, len(table)) @ table
