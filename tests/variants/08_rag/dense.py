# %% wrong="no offset" says="numbered from its start"
def dense_top(queries, vectors, k, batch=4096):
    rows, scores = np.zeros((len(queries), 0), dtype=int), np.zeros((len(queries), 0))
    for start in range(0, len(vectors), batch):
        new = queries @ vectors[start : start + batch].T
        scores = np.hstack([scores, new])
        rows = np.hstack([rows, np.tile(np.arange(new.shape[1]), (len(queries), 1))])
        order = np.argsort(-scores, axis=1)[:, :k]
        rows, scores = np.take_along_axis(rows, order, 1), np.take_along_axis(scores, order, 1)
    return rows, scores

# %% wrong="smallest first" says="largest first"
def dense_top(queries, vectors, k, batch=4096):
    scores = queries @ vectors.T
    rows = np.argsort(scores, axis=1)[:, :k]
    return rows, np.take_along_axis(scores, rows, 1)

# %% wrong="cosine" says="dot products are asked"
def dense_top(queries, vectors, k, batch=4096):
    q = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    v = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = q @ v.T
    rows = np.argsort(-scores, axis=1)[:, :k]
    return rows, np.take_along_axis(scores, rows, 1)

# %% right="the whole table"
def dense_top(queries, vectors, k, batch=4096):
    scores = queries @ vectors.T
    rows = np.argsort(-scores, axis=1)[:, :k]
    return rows, np.take_along_axis(scores, rows, 1)

# %% right="torch, in pieces"
def dense_top(queries, vectors, k, batch=4096):
    import torch
    q, v = torch.as_tensor(queries), torch.as_tensor(vectors)
    found = []
    for start in range(0, len(v), batch):
        s = q @ v[start : start + batch].T
        top = s.topk(min(k, s.shape[1]))
        found.append((top.values, top.indices + start))
    scores, rows = (torch.cat([f[i] for f in found], 1) for i in (0, 1))
    top = scores.topk(min(k, scores.shape[1]))
    return rows.gather(1, top.indices).numpy(), top.values.numpy()
