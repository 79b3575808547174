# %% wrong="no correction" says="was not corrected"
def add_tile(maximum, total, output, scores, values):
    m = torch.max(maximum, scores.max(-1).values)
    c, p = torch.ones_like(m), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output * c.unsqueeze(-1) + p @ values


def tiled_attention(queries, keys, values, tile=128):
    n = len(queries)
    m, t, o = torch.full((n,), float("-inf")), torch.zeros(n), torch.zeros(n, values.shape[1])
    for k, v in zip(keys.split(tile), values.split(tile)):
        m, t, o = add_tile(m, t, o, queries @ k.T / queries.shape[1] ** 0.5, v)
    return o / t[:, None]

# %% wrong="correction turned round" says="turned round"
def add_tile(maximum, total, output, scores, values):
    m = torch.max(maximum, scores.max(-1).values)
    c, p = (m - maximum).exp(), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output * c.unsqueeze(-1) + p @ values


def tiled_attention(queries, keys, values, tile=128):
    n = len(queries)
    m, t, o = torch.full((n,), float("-inf")), torch.zeros(n), torch.zeros(n, values.shape[1])
    for k, v in zip(keys.split(tile), values.split(tile)):
        m, t, o = add_tile(m, t, o, queries @ k.T / queries.shape[1] ** 0.5, v)
    return o / t[:, None]

# %% wrong="only the total corrected" says="only the total"
def add_tile(maximum, total, output, scores, values):
    m = torch.max(maximum, scores.max(-1).values)
    c, p = (maximum - m).exp(), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output + p @ values


def tiled_attention(queries, keys, values, tile=128):
    n = len(queries)
    m, t, o = torch.full((n,), float("-inf")), torch.zeros(n), torch.zeros(n, values.shape[1])
    for k, v in zip(keys.split(tile), values.split(tile)):
        m, t, o = add_tile(m, t, o, queries @ k.T / queries.shape[1] ** 0.5, v)
    return o / t[:, None]

# %% wrong="maximum of the tile" says="of the tile alone"
def add_tile(maximum, total, output, scores, values):
    m = scores.max(-1).values
    c, p = (maximum - m).exp(), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output * c.unsqueeze(-1) + p @ values


def tiled_attention(queries, keys, values, tile=128):
    n = len(queries)
    m, t, o = torch.full((n,), float("-inf")), torch.zeros(n), torch.zeros(n, values.shape[1])
    for k, v in zip(keys.split(tile), values.split(tile)):
        m, t, o = add_tile(m, t, o, queries @ k.T / queries.shape[1] ** 0.5, v)
    return o / t[:, None]

# %% wrong="not divided at the end" says="not divided by the total at the end"
def add_tile(maximum, total, output, scores, values):
    m = torch.max(maximum, scores.max(-1).values)
    c, p = (maximum - m).exp(), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output * c.unsqueeze(-1) + p @ values


def tiled_attention(queries, keys, values, tile=128):
    n = len(queries)
    m, t, o = torch.full((n,), float("-inf")), torch.zeros(n), torch.zeros(n, values.shape[1])
    for k, v in zip(keys.split(tile), values.split(tile)):
        m, t, o = add_tile(m, t, o, queries @ k.T / queries.shape[1] ** 0.5, v)
    return o

# %% wrong="mean of the tiles" says="mean of the tiles"
def add_tile(maximum, total, output, scores, values):
    m = torch.max(maximum, scores.max(-1).values)
    c, p = (maximum - m).exp(), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output * c.unsqueeze(-1) + p @ values


def tiled_attention(queries, keys, values, tile=128):
    parts = [attention(queries, k, v)[0] for k, v in zip(keys.split(tile), values.split(tile))]
    return sum(parts) / len(parts)

# %% wrong="last tile dropped" says="left out"
def add_tile(maximum, total, output, scores, values):
    m = torch.max(maximum, scores.max(-1).values)
    c, p = (maximum - m).exp(), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output * c.unsqueeze(-1) + p @ values


def tiled_attention(queries, keys, values, tile=128):
    n = len(queries)
    m, t, o = torch.full((n,), float("-inf")), torch.zeros(n), torch.zeros(n, values.shape[1])
    for i in range(len(keys) // tile):
        k, v = keys[i * tile : (i + 1) * tile], values[i * tile : (i + 1) * tile]
        m, t, o = add_tile(m, t, o, queries @ k.T / queries.shape[1] ** 0.5, v)
    return o / t[:, None]

# %% wrong="not scaled" says="not scaled"
def add_tile(maximum, total, output, scores, values):
    m = torch.max(maximum, scores.max(-1).values)
    c, p = (maximum - m).exp(), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output * c.unsqueeze(-1) + p @ values


def tiled_attention(queries, keys, values, tile=128):
    n = len(queries)
    m, t, o = torch.full((n,), float("-inf")), torch.zeros(n), torch.zeros(n, values.shape[1])
    for k, v in zip(keys.split(tile), values.split(tile)):
        m, t, o = add_tile(m, t, o, queries @ k.T, v)
    return o / t[:, None]

# %% right="split"
def add_tile(maximum, total, output, scores, values):
    m = torch.max(maximum, scores.max(-1).values)
    c, p = (maximum - m).exp(), (scores - m.unsqueeze(-1)).exp()
    return m, total * c + p.sum(-1), output * c.unsqueeze(-1) + p @ values


def tiled_attention(queries, keys, values, tile=128):
    n = len(queries)
    m, t, o = torch.full((n,), float("-inf")), torch.zeros(n), torch.zeros(n, values.shape[1])
    for k, v in zip(keys.split(tile), values.split(tile)):
        m, t, o = add_tile(m, t, o, queries @ k.T / queries.shape[1] ** 0.5, v)
    return o / t[:, None]

# %% right="query by query, in 64 bits"
def add_tile(maximum, total, output, scores, values):
    maximum, total, output, scores, values = (t.double() for t in (maximum, total, output, scores, values))
    new = torch.cat([maximum[:, None], scores], 1).amax(1)
    keep = torch.where(torch.isinf(maximum), torch.zeros_like(new), torch.exp(maximum - new))
    p = torch.exp(scores - new[:, None])
    return new, keep * total + p.sum(1), keep[:, None] * output + p @ values


def tiled_attention(queries, keys, values, tile=128):
    rows = []
    for q in queries.double():
        top, total, out = -float("inf"), 0.0, torch.zeros(values.shape[1], dtype=torch.double)
        for i in range(0, len(keys), tile):
            s = keys[i : i + tile].double() @ q / math.sqrt(len(q))
            new = max(top, float(s.max()))
            p = torch.exp(s - new)
            keep = math.exp(top - new)
            top, total, out = new, keep * total + float(p.sum()), keep * out + p @ values[i : i + tile].double()
        rows.append(out / total)
    return torch.stack(rows)
