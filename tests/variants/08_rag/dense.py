# %% base="the plain way"
def dense_top(queries, vectors, k, batch=32768):
    rows = np.zeros((len(queries), 0), dtype=int)
    scores = np.zeros((len(queries), 0))
    for start in range(0, len(vectors), batch):
        piece = queries @ vectors[start : start + batch].T
        numbers = np.arange(start, start + piece.shape[1])
        rows = np.concatenate([rows, np.broadcast_to(numbers, piece.shape)], axis=1)
        scores = np.concatenate([scores, piece], axis=1)
        order = np.argsort(-scores, axis=1)[:, :k]
        rows = np.take_along_axis(rows, order, axis=1)
        scores = np.take_along_axis(scores, order, axis=1)
    return rows, scores
# %% wrong="smallest first" says="largest first" of="the whole table"
#~ (-scores, axis=1) => (scores, axis=1)
# %% wrong="cosine" says="dot products are asked" of="the whole table"
#-     scores = queries @ vectors.T
#+     q = queries / np.linalg.norm(queries, axis=1, keepdims=True)
#+     v = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
#+     scores = q @ v.T
# %% wrong="argpartition unsorted" says="not the largest first" of="the plain way"
#~ argsort(-scores, axis=1) => argpartition(-scores, min(k, scores.shape[1]) - 1, axis=1)
# %% wrong="offset is the number of the piece" says="start" of="the plain way"
#~ (start, start + piece.shape[1]) => (piece.shape[1]) + start // batch
# %% wrong="keeps the rows of the first query for all" says="rows of its own" of="the plain way"
#~ np.take_along_axis(rows, order, axis=1) => rows[:, order[0]]
# %% wrong="filled to k with minus infinity" says="min(k, N) columns come" of="the plain way"
#~ zeros((len(queries), 0), dtype=int) => full((len(queries), k), -1)
#~ zeros((len(queries), 0)) => full((len(queries), k), -np.inf)
# %% wrong="offset forgotten" says="start" of="the plain way"
#~ (start, start + piece.shape[1]) => (piece.shape[1])
# %% wrong="last short piece lost" says="piece" of="the plain way"
#~ (vectors) => (vectors) - batch + 1
# %% wrong="the whole table" says="here more are there" clause="Make at most Q x batch new products at once."
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
# %% right="heap per query"
import heapq
def dense_top(queries, vectors, k, batch=32768):
    heaps = [[] for _ in queries]
    for start in range(0, len(vectors), batch):
        table = queries @ vectors[start : start + batch].T
        for heap, row in zip(heaps, table):
            for j, s in enumerate(row):
                (heapq.heappush if len(heap) < k else heapq.heappushpop)(heap, (float(s), start + j))
    ordered = [sorted(h, reverse=True) for h in heaps]
    return np.array([[i for _, i in h] for h in ordered]), np.array([[s for s, _ in h] for h in ordered])
# %% right="torch topk"
import torch
def dense_top(queries, vectors, k, batch=32768):
    q, v = torch.as_tensor(queries), torch.as_tensor(vectors)
    parts = []
    for start in range(0, len(v), batch):
        s = q @ v[start : start + batch].T
        top = s.topk(min(k, s.shape[1]), dim=1)
        parts.append((top.indices + start, top.values))
    rows, scores = (torch.cat(p, dim=1) for p in zip(*parts))
    top = scores.topk(min(k, len(v)), dim=1)
    return rows.gather(1, top.indices).numpy(), top.values.numpy()
# %% wrong="rows and scores merged apart" says="each by itself"
def dense_top(queries, vectors, k, batch=32768):
    rows = np.zeros((len(queries), 0), dtype=int)
    scores = np.zeros((len(queries), 0))
    for start in range(0, len(vectors), batch):
        piece = queries @ vectors[start:start + batch].T
        order = np.argsort(-piece, axis=1)[:, :k]
        rows = np.concatenate([rows, order + start], axis=1)[:, :k]
        scores = np.concatenate([scores, np.take_along_axis(piece, order, axis=1)], axis=1)
        scores = -np.sort(-scores, axis=1)[:, :k]
    return rows, scores
# %% wrong="begins with zeros" says="begin with rows"
def dense_top(queries, vectors, k, batch=32768):
    k = min(k, len(vectors))
    rows = np.zeros((len(queries), k), dtype=int)
    scores = np.zeros((len(queries), k))
    for start in range(0, len(vectors), batch):
        piece = queries @ vectors[start:start + batch].T
        numbers = np.broadcast_to(np.arange(start, start + piece.shape[1]), piece.shape)
        scores = np.concatenate([scores, piece], axis=1)
        rows = np.concatenate([rows, numbers], axis=1)
        order = np.argsort(-scores, axis=1)[:, :k]
        scores = np.take_along_axis(scores, order, axis=1)
        rows = np.take_along_axis(rows, order, axis=1)
    return rows, scores
# %% wrong="rows gathered in an empty array of floats" says="rows are whole numbers" of="the plain way"
#~ 0), dtype=int) => 0))
# %% wrong="argpartition with k above the rows of a piece" says="k may be above" of="the plain way"
#-         numbers = np.arange(start, start + piece.shape[1])
#-         rows = np.concatenate([rows, np.broadcast_to(numbers, piece.shape)], axis=1)
#-         scores = np.concatenate([scores, piece], axis=1)
#+         part = np.argpartition(-piece, k - 1, axis=1)[:, :k]
#+         rows = np.concatenate([rows, part + start], axis=1)
#+         scores = np.concatenate([scores, np.take_along_axis(piece, part, axis=1)], axis=1)
#-         rows = np.take_along_axis(rows, order, axis=1)
#-         scores = np.take_along_axis(scores, order, axis=1)
#+         rows, scores = np.take_along_axis(rows, order, axis=1), np.take_along_axis(scores, order, axis=1)
# %% wrong="filled to k, row 0 with minus infinity" says="min(k, N) columns come" of="the plain way"
#~ zeros((len(queries), 0), dtype=int) => zeros((len(queries), k), dtype=int)
#~ zeros((len(queries), 0)) => full((len(queries), k), -np.inf)
# %% wrong="filled to k, row 7 with minus infinity" says="min(k, N) columns come" of="the plain way"
#~ zeros((len(queries), 0), dtype=int) => full((len(queries), k), 7)
#~ zeros((len(queries), 0)) => full((len(queries), k), -np.inf)
# %% wrong="the number of the piece times its own length" says="times its own length" of="the plain way"
#~ (start, start + piece.shape[1]) => (piece.shape[1]) + start // batch * piece.shape[1]
# %% wrong="pieces of the queries" says="here more are there" clause="goes through `vectors` $(N, C)$ in pieces of `batch` rows"
def dense_top(queries, vectors, k, batch=32768):
    scores = np.concatenate([queries[i : i + batch] @ vectors.T for i in range(0, len(queries), batch)])
    rows = np.argsort(-scores, axis=1)[:, :k]
    return rows, np.take_along_axis(scores, rows, axis=1)
# %% wrong="pieces that are put together" says="here more are there" clause="after each piece keeps, for every query, the best `k` so far"
def dense_top(queries, vectors, k, batch=32768):
    pieces = [queries @ vectors[i : i + batch].T for i in range(0, len(vectors), batch)]
    scores = np.concatenate(pieces, axis=1)
    rows = np.argsort(-scores, axis=1)[:, :k]
    return rows, np.take_along_axis(scores, rows, axis=1)
# %% wrong="places in the table" says="in the same order as the scores"
def dense_top(queries, vectors, k, batch=32768):
    scores = np.zeros((len(queries), 0))
    for start in range(0, len(vectors), batch):
        scores = np.concatenate([scores, queries @ vectors[start : start + batch].T], axis=1)
        rows = np.argsort(-scores, axis=1)[:, :k]
        scores = np.take_along_axis(scores, rows, axis=1)
    return rows, scores
# %% wrong="the whole table, of plain arrays" says="there at one time" clause="so it must never exist all at once."
def dense_top(queries, vectors, k, batch=32768):
    scores = np.asarray(queries) @ np.asarray(vectors).T
    rows = np.argsort(-scores, axis=1)[:, :k]
    return rows, np.take_along_axis(scores, rows, axis=1)
# %% wrong="the whole table, in torch" says="there at one time" clause="so it must never exist all at once."
def dense_top(queries, vectors, k, batch=32768):
    top = (torch.as_tensor(queries) @ torch.as_tensor(vectors).T).topk(min(k, len(vectors)))
    return top.indices.numpy(), top.values.numpy()
# %% wrong="the whole table, by broadcasting" says="there at one time" clause="so it must never exist all at once." of="the whole table, of plain arrays"
#~ np.asarray(queries) @ np.asarray(vectors).T => (queries[:, None] * vectors).sum(-1)
# %% wrong="pieces in the whole table" says="there at one time" clause="so it must never exist all at once." of="the whole table, of plain arrays"
#-     scores = np.asarray(queries) @ np.asarray(vectors).T
#+     scores = np.empty((len(queries), len(vectors)), dtype=queries.dtype)
#+     for i in range(0, len(vectors), batch):
#+         scores[:, i : i + batch] = queries @ vectors[i : i + batch].T
# %% wrong="by a helper of scikit-learn" says="there at one time" clause="so it must never exist all at once." of="the whole table, of plain arrays"
#~ np.asarray(queries) @ np.asarray(vectors).T => __import__("sklearn.metrics").metrics.pairwise.linear_kernel(queries, vectors)
# %% right="in pieces of torch, all that is kept in one list"
def dense_top(queries, vectors, k, batch=32768):
    kept = [[] for _ in queries]
    for i in range(0, len(vectors), batch):
        new = torch.as_tensor(queries) @ torch.as_tensor(vectors[i : i + batch]).T
        kept = [sorted(a + [(s, i + j) for j, s in enumerate(b)], reverse=True)[:k] for a, b in zip(kept, new.tolist())]
    return np.array([[j for _, j in a] for a in kept]), np.array([[s for s, _ in a] for a in kept])
