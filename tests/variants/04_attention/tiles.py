# %% base="the plain way"
def add_tile(maximum, total, output, scores, values):
    new = torch.maximum(maximum, scores.amax(dim=-1))
    fix = torch.exp(maximum - new)
    fix_o = fix
    exps = torch.exp(scores - new[:, None])
    output = fix_o[:, None] * output + exps @ values
    total = total + exps.sum(dim=-1)
    return new, total, output
def tiled_attention(queries, keys, values, tile=128):
    maximum = torch.full((len(queries),), -math.inf)
    total, output = torch.zeros(len(queries)), torch.zeros(len(queries), values.shape[1])
    for i in range(0, len(keys), tile):
        scores = scaled_scores(queries, keys[i : i + tile])
        maximum, total, output = add_tile(maximum, total, output, scores, values[i : i + tile])
    return output / total[:, None]
# %% wrong="no correction" says="was not corrected" of="split"
#~ (maximum - m).exp() => torch.ones_like(m)
# %% wrong="correction turned round" says="inverted" of="split"
#~ maximum - m => m - maximum
# %% wrong="only the total corrected" says="only the total" of="split"
#~ * c.unsqueeze(-1) + => +
# %% wrong="not divided at the end" says="not divided by the total at the end" of="split"
#~ o / t[:, None] => o
# %% wrong="not scaled" says="not scaled" of="split"
#~ T / queries.shape[1] ** 0.5 => T
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
    dtype = values.dtype
    maximum, total, output, scores, values = (t.double() for t in (maximum, total, output, scores, values))
    new = torch.cat([maximum[:, None], scores], 1).amax(1)
    keep = torch.where(torch.isinf(maximum), torch.zeros_like(new), torch.exp(maximum - new))
    p = torch.exp(scores - new[:, None])
    state = new, keep * total + p.sum(1), keep[:, None] * output + p @ values
    return tuple(part.to(dtype) for part in state)
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
    return torch.stack(rows).to(values.dtype)
# %% wrong="64 bits come back" says="float64 came, float32 was expected" of="query by query, in 64 bits"
#~ tuple(part.to(dtype) for part in state) => state
# %% wrong="output alone corrected" says="only the output was" of="start at -1e9"
#~ fix * total => total
# %% wrong="the old maximum kept" says="the maximum before the tile was kept" of="start at -1e9"
#~ torch.maximum(maximum, scores.amax(dim=-1)) => maximum.clamp(min=-1e4)
# %% wrong="exponentials with the old maximum" says="use the old maximum" of="start at -1e9"
#~ new[:, None] => maximum[:, None]
# %% wrong="exponentials with the tile's maximum" says="the tile's own maximum" of="start at -1e9"
#~ new[:, None] => scores.amax(dim=-1, keepdim=True)
# %% wrong="divided at every tile" says="divided by the total already" of="start at -1e9"
#~ fix_o[:, None] * output + exps @ values => (fix[:, None] * output + exps @ values) / (fix * total + exps.sum(dim=-1))[:, None]
#~ 1e9 => math.inf
#~ output / total[:, None] => output
# %% wrong="one maximum for all queries" says="each query has its own" of="start at -1e9"
#~ amax(dim=-1) => max()
# %% wrong="no maximum in the exponent" says="no maximum was subtracted" of="start at -1e9"
#~ scores - new[:, None] => scores
# %% wrong="old maximum comes back" says="return the new one" of="start at -1e9"
#~ new, => maximum,
# %% wrong="old total missing" says="the old total is missing" of="start at -1e9"
#~ fix * total + exps => exps
# %% wrong="only whole tiles" says="the last tile" of="the plain way"
#~ (keys) => (keys) - tile + 1
# %% wrong="scaled by d" says="divided by d_k" of="the plain way"
#~ scaled_scores(queries, keys[i : i + tile]) => dot_scores(queries, keys[i : i + tile]) / queries.shape[1]
# %% wrong="maximum starts at 0" says="starts at minus infinity" of="start at -1e9"
#~ full((len(queries),), -1e9) => zeros(len(queries))
# %% wrong="tile ignored" says="mean of the tiles" of="the plain way"
#~ output / total[:, None] => torch.stack([attention(queries, keys[i : i + tile], values[i : i + tile])[0] for i in range(0, len(keys), tile)]).mean(0)
# %% wrong="state changed in place" says="in place" of="start at -1e9"
#~ fix * total + exps.sum(dim=-1) => total.mul_(fix).add_(exps.sum(dim=-1))
# %% right="start at -1e9"
def add_tile(maximum, total, output, scores, values):
    new = torch.maximum(maximum, scores.amax(dim=-1))
    fix = torch.exp(maximum - new)
    fix_o = fix
    exps = torch.exp(scores - new[:, None])
    output = fix_o[:, None] * output + exps @ values
    total = fix * total + exps.sum(dim=-1)
    return new, total, output
def tiled_attention(queries, keys, values, tile=128):
    maximum = torch.full((len(queries),), -1e9)
    total, output = torch.zeros(len(queries)), torch.zeros(len(queries), values.shape[1])
    for i in range(0, len(keys), tile):
        scores = scaled_scores(queries, keys[i : i + tile])
        maximum, total, output = add_tile(maximum, total, output, scores, values[i : i + tile])
    return output / total[:, None]
# %% right="logsumexp of the tile" of="start at -1e9"
#~ fix * total + exps.sum(dim=-1) => torch.exp(torch.logsumexp(scores, -1) - new) + total * torch.exp(maximum - new)
#~ torch.full((len(queries),), -1e9) => queries.new_full((queries.shape[0],), float('-inf'))
#~ output / total[:, None] => output.div(total.unsqueeze(-1))
# %% right="first tile outside the loop"
def add_tile(maximum, total, output, scores, values):
    tile_max = scores.max(dim=-1).values
    e = (scores - tile_max.unsqueeze(-1)).exp()
    new = torch.max(maximum, tile_max)
    old, fresh = (maximum - new).exp(), (tile_max - new).exp()
    return new, total * old + e.sum(-1) * fresh, output * old.unsqueeze(-1) + (e @ values) * fresh.unsqueeze(-1)
def tiled_attention(queries, keys, values, tile=128):
    scores = scaled_scores(queries, keys[:tile])
    top = scores.amax(-1)
    e = (scores - top[:, None]).exp()
    state = top, e.sum(-1), e @ values[:tile]
    start = tile
    while start < len(keys):
        state = add_tile(*state, scaled_scores(queries, keys[start : start + tile]), values[start : start + tile])
        start += tile
    return state[2] / state[1].unsqueeze(-1)
# %% wrong="correction without its axis" says="an axis more" of="two passes that keep no tile, by broadcasting, in 64 bits"
#~ factor = => correction =
#~ new[:, None] => new.unsqueeze(-1)
#~ factor * total + exps.sum(dim=-1), factor[:, None] * output + (exps[:, :, None] * values).sum(1) => correction * total + exps.sum(dim=-1), correction * output + exps @ values
# %% wrong="total without its axis" says="an axis more" of="start at -1e9"
#~ maximum = torch.full((len(queries),), -1e9) => maximum, total = torch.full((len(queries),), -math.inf), torch.zeros(len(queries))
#~ total, output = torch.zeros(len(queries)), => output =
#~ total[:, None] => total
# %% wrong="equal tiles by reshape" says="may be shorter"
def add_tile(maximum, total, output, scores, values):
    new = torch.maximum(maximum, scores.amax(dim=-1))
    correction = torch.exp(maximum - new)
    exps = torch.exp(scores - new.unsqueeze(-1))
    return new, correction * total + exps.sum(dim=-1), correction.unsqueeze(-1) * output + exps @ values
def tiled_attention(queries, keys, values, tile=128):
    tile = min(tile, len(keys))
    maximum, total = torch.full((len(queries),), -math.inf), torch.zeros(len(queries))
    output = torch.zeros(len(queries), values.shape[1])
    for k, v in zip(keys.reshape(-1, tile, keys.shape[1]), values.reshape(-1, tile, values.shape[1])):
        maximum, total, output = add_tile(maximum, total, output, scaled_scores(queries, k), v)
    return output / total.unsqueeze(-1)
# %% wrong="plain attention" says="all scores were there at once" clause="Neither a table (T_q, T_k) nor all its tiles may exist at once"
def tiled_attention(queries, keys, values, tile=128):
    return attention(queries, keys, values)[0]
# %% wrong="the table is made first, then cut" says="all scores were there at once" clause="Neither a table (T_q, T_k) nor all its tiles may exist at once"
def tiled_attention(queries, keys, values, tile=128):
    scores = queries @ keys.T / math.sqrt(queries.shape[-1])
    m = torch.full((len(queries),), -torch.inf)
    t, o = torch.zeros(len(queries)), torch.zeros(len(queries), values.shape[-1])
    for s, v in zip(scores.split(tile, dim=1), values.split(tile), strict=True):
        m, t, o = add_tile(m, t, o, s, v)
    return o / t[:, None]
# %% wrong="two passes that keep all tiles" says="keep none of them" clause="Neither a table (T_q, T_k) nor all its tiles may exist at once"
def tiled_attention(queries, keys, values, tile=128):
    tiles = [queries @ k.T / math.sqrt(queries.shape[-1]) for k in keys.split(tile)]
    m = torch.stack([s.amax(-1) for s in tiles]).amax(0)
    tiles = [torch.exp(s - m[:, None]) for s in tiles]
    total = sum(e.sum(-1) for e in tiles)
    return sum(e @ v for e, v in zip(tiles, values.split(tile), strict=True)) / total[:, None]
# %% right="two passes that keep no tile, by broadcasting, in 64 bits"
def add_tile(maximum, total, output, scores, values):
    new = torch.maximum(maximum, scores.amax(dim=-1))
    factor = torch.exp(maximum - new)
    exps = torch.exp(scores - new[:, None])
    return new, factor * total + exps.sum(dim=-1), factor[:, None] * output + (exps[:, :, None] * values).sum(1)
def tiled_attention(queries, keys, values, tile=128):
    q, k, v = queries.double(), keys.double(), values.double()
    m = torch.full((len(q),), -torch.inf, dtype=torch.float64)
    for start in range(0, len(k), tile):
        s = (q[:, None] * k[None, start : start + tile]).sum(-1) / math.sqrt(q.shape[-1])
        m = torch.maximum(m, s.amax(-1))
    total, output = torch.zeros_like(m), torch.zeros(len(q), v.shape[-1], dtype=torch.float64)
    for start in range(0, len(k), tile):
        s = (q[:, None] * k[None, start : start + tile]).sum(-1) / math.sqrt(q.shape[-1])
        e = torch.exp(s - m[:, None])
        total, output = total + e.sum(-1), output + (e[:, :, None] * v[None, start : start + tile]).sum(1)
    return (output / total[:, None]).to(queries.dtype)
# %% right="grown by cat, queries in halves"
def add_tile(maximum, total, output, scores, values):
    joint = torch.cat([maximum[:, None], scores], dim=1)
    new = joint.max(dim=1).values
    weights = (joint - new[:, None]).exp()
    return (
        new,
        weights[:, 0] * total + weights[:, 1:].sum(1),
        weights[:, :1] * output + torch.einsum("qk,kd->qd", weights[:, 1:], values),
    )
def tiled_attention(queries, keys, values, tile=128):
    rows = []
    for q in queries.chunk(2):
        state = torch.full((len(q),), -torch.inf), torch.zeros(len(q)), torch.zeros(len(q), values.shape[1])
        for k, v in zip(keys.split(tile), values.split(tile), strict=True):
            state = add_tile(*state, q @ k.mT * q.shape[-1] ** -0.5, v)
        rows.append(state[2] / state[1].unsqueeze(1))
    return torch.cat(rows)
# %% wrong="the tile's own maximum" says="that of the tile alone"
def add_tile(maximum, total, output, scores, values):
    new = scores.amax(-1)
    e, c = torch.exp(scores - new[:, None]), torch.exp(maximum - new)
    return new, c * total + e.sum(-1), c[:, None] * output + e @ values
# %% wrong="the mean of the tile is added" says="the tile's softmax" of="the tile's own maximum"
#~ scores.amax(-1) => torch.maximum(maximum, scores.amax(-1))
#~ e @ => torch.softmax(scores, -1) @
# %% wrong="no maximum at all" says="no maximum is kept"
def add_tile(maximum, total, output, scores, values):
    e = torch.exp(scores)
    return maximum, total + e.sum(-1), output + e @ values
# %% wrong="scaled by the size of the tile" says="that of d_k"
def tiled_attention(queries, keys, values, tile=128):
    m, t, o = torch.full((len(queries),), -math.inf), torch.zeros(len(queries)), torch.zeros(len(queries), values.shape[1])
    for i in range(0, len(keys), tile):
        k = keys[i : i + tile]
        m, t, o = add_tile(m, t, o, queries @ k.T / math.sqrt(len(k)), values[i : i + tile])
    return o / t[:, None]
# %% wrong="the maximum starts at 0" says="starts at minus infinity"
def tiled_attention(queries, keys, values, tile=128):
    m, t, o = torch.zeros(len(queries)), torch.zeros(len(queries)), torch.zeros(len(queries), values.shape[1])
    for i in range(0, len(keys), tile):
        m, t, o = add_tile(m, t, o, scaled_scores(queries, keys[i : i + tile]), values[i : i + tile])
    return o / t[:, None]
# %% wrong="the values are not cut into tiles" says="cut the values as the keys" of="scaled by the size of the tile"
#~ queries @ k.T / math.sqrt(len(k)), values[i : i + tile] => scaled_scores(queries, k), values[: len(k)]
# %% wrong="steps of one" says="the tiles overlap" of="the maximum starts at 0"
#~ torch.zeros(len(queries)), torch => torch.full((len(queries),), -math.inf), torch
#~ (keys), tile => (keys)
# %% right="einsum, rows, float64"
def add_tile(maximum, total, output, scores, values):
    m = torch.stack([maximum, scores.max(dim=1).values]).max(dim=0).values
    e = torch.exp(scores.double() - m.double().unsqueeze(1))
    c = torch.exp(maximum.double() - m.double())
    total = total * c + e.sum(1)
    output = output * c.unsqueeze(1) + torch.einsum("qn,nd->qd", e, values.double())
    return m, total.to(scores.dtype), output.to(scores.dtype)
def tiled_attention(queries, keys, values, tile=128):
    n = queries.shape[0]
    state = (torch.full((n,), -torch.inf), torch.zeros(n), torch.zeros(n, values.shape[1]))
    for k, v in zip(torch.split(keys, tile), torch.split(values, tile)):
        state = add_tile(*state, queries @ k.T * queries.shape[1] ** -0.5, v)
    return state[2] / state[1].unsqueeze(1)
# %% right="the largest score appended"
def add_tile(maximum, total, output, scores, values):
    all_scores = torch.cat([maximum[:, None], scores], dim=1)
    new = all_scores.max(dim=1)[0]
    e = (all_scores - new[:, None]).exp()
    old, fresh = e[:, :1], e[:, 1:]
    return [new, (old[:, 0] * total + fresh.sum(1)), old * output + fresh @ values]
# %% right="a very small start, not infinite"
def tiled_attention(queries, keys, values, tile=128):
    n, start = len(queries), 0
    m, t, o = queries.new_full((n,), -1e30), queries.new_zeros(n), queries.new_zeros(n, values.shape[-1])
    while start < len(keys):
        stop = min(start + tile, len(keys))
        m, t, o = add_tile(m, t, o, scaled_scores(queries, keys[start:stop]), values[start:stop])
        start = stop
    return o.div(t.unsqueeze(-1))
# %% right="through the logarithm of the total"
def tiled_attention(queries, keys, values, tile=128):
    out = lse = None
    for k, v in zip(keys.split(tile), values.split(tile)):
        s = queries @ k.T / math.sqrt(keys.shape[1])
        here = torch.logsumexp(s, 1)
        part = torch.softmax(s, 1) @ v
        if out is None:
            out, lse = part, here
            continue
        both = torch.logaddexp(lse, here)
        out = out * (lse - both).exp()[:, None] + part * (here - both).exp()[:, None]
        lse = both
    return out
# %% wrong="always float32" says="the dtype changed"
def tiled_attention(queries, keys, values, tile=128):
    queries, keys, values = queries.float(), keys.float(), values.float()
    maximum = torch.full((len(queries),), -math.inf)
    total, output = torch.zeros_like(maximum), torch.zeros(len(queries), values.shape[-1])
    for start in range(0, len(keys), tile):
        part = slice(start, start + tile)
        maximum, total, output = add_tile(maximum, total, output, scaled_scores(queries, keys[part]), values[part])
    return output / total[:, None]
# %% wrong="maximum starts at -1000" says="scores far below zero" of="the maximum starts at 0"
#-     m, t, o = torch.zeros(len(queries)), torch.zeros(len(queries)), torch.zeros(len(queries), values.shape[1])
#+     m = queries.new_full((len(queries),), -1000.0)
#+     t = torch.zeros_like(m)
#+     o = queries.new_zeros(len(queries), values.shape[-1])
#~ i : i + tile]), values[i : i => i:i + tile]), values[i:i
# %% wrong="the root of the values' width" says="it is that of d_k" of="split"
#~ queries.shape[1] ** 0.5 => values.shape[1] ** 0.5
# %% right="list comp again"
def add_tile(maximum, total, output, scores, values):
    new = torch.amax(torch.cat([maximum[:, None], scores], 1), 1)
    f = (maximum - new).exp()
    e = (scores - new[:, None]).exp()
    return [new, torch.addcmul(e.sum(1), f, total), torch.einsum('q,qd->qd', f, output) + e.mm(values)]
# %% wrong="the correction by the tile's maximum" says="the correction uses the tile's own maximum"
def add_tile(maximum, total, output, scores, values):
    new = torch.maximum(maximum, scores.amax(dim=-1))
    correction = torch.exp(maximum - scores.amax(dim=-1))
    e = torch.exp(scores - new[:, None])
    return new, total * correction + e.sum(dim=-1), output * correction[:, None] + e @ values
# %% wrong="the maximum over the queries" says="the maximum runs over the queries" of="the correction by the tile's maximum"
#~ torch.maximum(maximum, scores.amax(dim=-1)) => torch.maximum(maximum, scores.amax(dim=0))
#~ maximum - scores.amax(dim=-1) => maximum - new
# %% wrong="o as wide as the queries" says="as wide as the values"
def tiled_attention(queries, keys, values, tile=128):
    T = queries.shape[0]
    maximum, total = queries.new_full((T,), -math.inf), queries.new_zeros(T)
    output = queries.new_zeros(T, queries.shape[1])
    for k, v in zip(keys.split(tile), values.split(tile)):
        maximum, total, output = add_tile(maximum, total, output, scaled_scores(queries, k), v)
    return output / total[:, None]
# %% wrong="scores without the root" clause="Return attention(queries, keys, values)[0]" says="not scaled by the root"
#~ scaled_scores(queries, keys[part]) => dot_scores(queries, keys[part])
# %% wrong="begins at -1000" clause="At the start $m = -\infty$" says="starts at minus infinity"
#~ -math.inf => -1000.0
# %% wrong="query by query, all keys at once" says="go through the keys" clause="in tiles of `tile` keys"
def tiled_attention(queries, keys, values, tile=128):
    return torch.stack([attention(q[None], keys, values)[0][0] for q in queries])
# %% wrong="tiles of queries" says="go through the keys" clause="in tiles of `tile` keys"
def tiled_attention(queries, keys, values, tile=128):
    return torch.cat([attention(q, keys, values)[0] for q in queries.split(tile)])
# %% wrong="tiles of 16, whatever is asked" says="go through the keys" clause="in tiles of `tile` keys" of="the plain way"
#~ scores = scaled_scores(queries, keys[i : i + tile]) => scores = scaled_scores(queries, keys[i : i + 16])
#~ values[i : i + tile] => values[i : i + 16]
#~ range(0, len(keys), tile) => range(0, len(keys), 16)
