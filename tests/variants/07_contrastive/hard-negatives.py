# %% wrong="the right one kept" says="the right passage is among them"
def hard_negatives(scores, right, k, skip=0):
    return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]

# %% wrong="skip ignored" says="`skip` was ignored"
def hard_negatives(scores, right, k, skip=0):
    scores = scores.astype(float)
    scores[np.arange(len(scores)), right] = -np.inf
    return np.argsort(-scores, axis=1, kind="stable")[:, :k]

# %% wrong="ties turned round" says="the later came first"
def hard_negatives(scores, right, k, skip=0):
    scores = scores.astype(float)
    scores[np.arange(len(scores)), right] = -np.inf
    return np.argsort(scores, axis=1, kind="stable")[:, ::-1][:, skip : skip + k]

# %% wrong="the lowest" says="the lowest scores"
def hard_negatives(scores, right, k, skip=0):
    scores = scores.astype(float)
    scores[np.arange(len(scores)), right] = np.inf
    return np.argsort(scores, axis=1, kind="stable")[:, skip : skip + k]

# %% wrong="changes the scores" says="in place"
def hard_negatives(scores, right, k, skip=0):
    scores[np.arange(len(scores)), right] = -np.inf
    return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]

# %% right="lists"
def hard_negatives(scores, right, k, skip=0):
    rows = []
    for row, r in zip(scores.tolist(), right):
        order = sorted((i for i in range(len(row)) if i != r), key=lambda i: -row[i])
        rows.append(order[skip : skip + k])
    return rows

# %% right="torch"
def hard_negatives(scores, right, k, skip=0):
    table = torch.tensor(scores, dtype=torch.float64)
    table[torch.arange(len(table)), torch.as_tensor(right)] = -torch.inf
    return table.sort(dim=1, descending=True, stable=True).indices[:, skip : skip + k]
