# %% wrong="lowest bit first" says="not the lowest"
#~ vectors > 0, axis=1) => vectors > 0, axis=1, bitorder="little")
# %% wrong="at zero" says="at 0 it is 0"
#~ vectors > 0 => vectors >= 0
# %% wrong="not packed" says="share a byte"
#~ np.packbits(vectors > 0, axis=1) => (vectors > 0).astype(np.uint8)
# %% wrong="bits that agree" says="that agree"
#~ np.unpackbits(query ^ passages, axis=1) => np.unpackbits(~(query ^ passages), axis=1)
# %% wrong="and" says="that both have"
#~ query ^ passages => query & passages
# %% wrong="bytes counted" says="count their bits"
#~ np.unpackbits(query ^ passages, axis=1) => (query != passages)
# %% wrong="a byte's sum" says="larger type"
#~ dtype=np.int64) for => dtype=np.uint8) for
# %% wrong="all ranked" says="short list is not used"
#~ [:shortlist] => [:]
# %% wrong="not rescored" says="products do not rank"
#~ return near[np.argsort(-(passages[near] @ query), kind="stable")[:k]] => return np.argsort(distances, kind="stable")[:k]
# %% wrong="worst first" says="best comes first"
#~ -(passages[near] @ query) => passages[near] @ query
# %% wrong="places in the list" says="places among the passages"
#~ return near[np.argsort(-(passages[near] @ query), kind="stable")[:k]] => return np.argsort(-(passages[near] @ query), kind="stable")[:k]
# %% wrong="nearer of equals" says="not the nearer one"
#~ np.sort(np.argsort(distances, kind="stable")[:shortlist]) => np.argsort(distances, kind="stable")[:shortlist]
# %% wrong="divided by the lengths" says="divided by the lengths"
#~ -(passages[near] @ query) => -(passages[near] @ query) / np.linalg.norm(passages[near], axis=1)
# %% wrong="distance instead of product" says="distance between the vectors"
#~ -(passages[near] @ query) => np.linalg.norm(passages[near] - query, axis=1)
# %% wrong="short list of k" says="only k passages"
#~ [:shortlist] => [:k]
# %% wrong="last of equals" says="not the last"
#~ return near[np.argsort(-(passages[near] @ query), kind="stable")[:k]] => return near[np.argsort(passages[near] @ query, kind="stable")[::-1][:k]]
# %% wrong="the whole list" says="all of the short list came"
#~ kind="stable")[:k]] => kind="stable")]
# %% right="products of signs, lists"
def hamming(queries, passages):
    a, b = (2 * np.unpackbits(v, axis=1).astype(int) - 1 for v in (queries, passages))
    return (a.shape[1] - a @ b.T) // 2
def rescore(query, passages, distances, shortlist, k):
    near = sorted(range(len(distances)), key=lambda i: (distances[i], i))[:shortlist]
    return np.array(sorted(near, key=lambda i: (-float(passages[i] @ query), i))[:k])
# %% right="a table of ones"
def hamming(queries, passages):
    ones = np.array([bin(i).count("1") for i in range(256)])
    return ones[queries[:, None] ^ passages[None]].sum(-1)
def sign_bits(vectors):
    n, c = vectors.shape
    bits = np.zeros((n, -(-c // 8) * 8), dtype=int)
    bits[:, :c] = np.where(vectors > 0, 1, 0)
    return (bits.reshape(n, -1, 8) @ (1 << np.arange(7, -1, -1))).astype(np.uint8)
# %% wrong="places in the list by distance" says="places among the passages"
#~ np.sort(np.argsort(distances, kind="stable")[:shortlist]) => np.argsort(distances, kind="stable")[:shortlist]
#~ near[np.argsort(-(passages[near] @ query), kind="stable")[:k]] => np.argsort(-(passages[near] @ query), kind="stable")[:k]
# %% wrong="the best last" says="here it comes last"
#~ kind="stable")[:k]] => kind="stable")[:k]][::-1]
# %% wrong="a byte for the sum" says="do not fit into a byte" clause="both uint8: (Q, P), ints."
#~ sum(axis=1, dtype=np.int64) for => sum(axis=1, dtype=np.uint8) for
# %% wrong="the nearer of equal ones" says="not the nearer one" clause="Of tied passages, in both steps, the one that is earlier in `passages` comes first."
#~ near = np.sort(np.argsort(distances, kind="stable")[:shortlist]) => near = np.argsort(distances, kind="stable")[:shortlist]
# %% wrong="packed in one row" says="packed by itself"
#~ np.packbits(vectors > 0, axis=1) => np.packbits(vectors > 0).reshape(len(vectors), -1)
# %% wrong="filled with ones" says="here 1"
def sign_bits(vectors):
    return np.packbits(np.pad(vectors > 0, ((0, 0), (0, -vectors.shape[1] % 8)), constant_values=True), axis=1)
# %% wrong="equals join the short list" says="joined it"
def rescore(query, passages, distances, shortlist, k):
    short = np.flatnonzero(distances <= np.sort(distances)[:shortlist].max(initial=-1))
    return short[np.argsort(-(passages[short] @ query), kind="stable")[:k]]
# %% wrong="bytes added up" says="count their ones"
#~ np.unpackbits(query ^ passages, axis=1).sum => (query ^ passages).sum
