# %% base="the plain way"
def add_positions(embedded, table, start=0):
    return embedded * table[start : start + embedded.shape[1]]
def sinusoidal_positions(length, width, base=10_000.0):
    rates = base ** (torch.arange(0, width, 2) / width)
    angles = torch.arange(length).unsqueeze(1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
# %% wrong="added twice" says="added twice"
def add_positions(embedded, table, start=0):
    rows = table[start : start + embedded.size(1)]
    x = embedded + rows
    return x + rows
# %% wrong="start ignored" says="`start` was ignored" of="exp of log"
#~ None, start : start + => :
# %% wrong="in place" says="in place"
def add_positions(embedded, table, start=0):
    embedded += table[start : start + embedded.size(1)]
    return embedded
# %% wrong="two blocks" says="must alternate"
def sinusoidal_positions(length, width, base=10_000.0):
    a = torch.arange(length)[:, None] / base ** (torch.arange(0, width, 2) / width)
    return torch.cat([a.sin(), a.cos()], 1)
# %% wrong="exponent i / C" says="it is 2i / C"
def sinusoidal_positions(length, width, base=10_000.0):
    a = torch.arange(length)[:, None] / base ** (torch.arange(width // 2) / width)
    return torch.stack([a.sin(), a.cos()], 2).view(length, width)
# %% wrong="base fixed" says="`base` was ignored" of="exp of log"
#~ (base) => (10000.0)
# %% wrong="from one" says="start at 0" of="exp of log"
#~ (length) => (1, length + 1)
# %% right="exp of log"
def sinusoidal_positions(length, width, base=10_000.0):
    p = torch.arange(length).unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2) * (-math.log(base) / width))
    out = torch.zeros(length, width)
    out[:, 0::2], out[:, 1::2] = torch.sin(p * div), torch.cos(p * div)
    return out
def add_positions(embedded, table, start=0):
    return embedded + table[None, start : start + embedded.size(1)]
# %% right="one entry at a time"
def sinusoidal_positions(length, width, base=10_000.0):
    rows = []
    for p in range(length):
        angles = [p / base ** (2 * (j // 2) / width) for j in range(width)]
        rows.append([math.cos(a) if j % 2 else math.sin(a) for j, a in enumerate(angles)])
    return torch.tensor(rows)
def add_positions(embedded, table, start=0):
    places = torch.arange(start, start + embedded.shape[1], device=table.device)
    return embedded + F.embedding(places, table)
# %% wrong="cosine first" says="the sine comes first" of="the plain way"
#~ (torch.arange(0, width, 2) / width) => (-torch.arange(0, width, 2) / width)
#~ sin(), angles.cos => cos(), angles.sin
# %% wrong="exponent 4i / C" says="it is 2i / C" of="the plain way"
#~ (torch.arange(0, width, 2) / width) => (-2 * torch.arange(0, width, 2) / width)
# %% wrong="positive exponent" says="they are divided by it"
def sinusoidal_positions(length, width, base=10_000.0):
    rates = base ** (torch.arange(0, width, 2) / width)
    angles = torch.arange(length).unsqueeze(1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
# %% wrong="a rate for each column" says="share one" of="the plain way"
#~ torch.arange(0, width, 2) => -torch.arange(width)
#~ stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) => where(torch.arange(width) % 2 == 0, angles.sin(), angles.cos())
# %% wrong="turns of 2 pi" says="in radians" of="the plain way"
#~ (torch.arange(0, width, 2) / width) => (-torch.arange(0, width, 2) / width)
#~ torch.arange(length) => 2 * math.pi * torch.arange(length)
# %% wrong="sines only" says="every second column is a cosine" of="the plain way"
#~ (torch.arange(0, width, 2) / width) => (-torch.arange(0, width, 2) / width)
#~ torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) => angles.sin().repeat_interleave(2, dim=-1)
# %% wrong="features in rows" says="positions are the rows" of="the plain way"
#~ (torch.arange(0, width, 2) / width) => (-torch.arange(0, width, 2) / width)
#~ (-2) => (-2).T
# %% wrong="whole exponents" says="cut off by //" of="the plain way"
#~ (torch.arange(0, width, 2) / width) => -(torch.arange(0, width, 2) // width).float()
# %% wrong="last rate one over base" says="not i / (C/2 - 1)" of="the plain way"
#~ torch.arange(0, width, 2) / width => -torch.arange(width // 2) / max(width // 2 - 1, 1)
# %% wrong="whole table" says="no more and no fewer" of="exp of log"
#~ None, start : start + embedded.size(1) => start:
# %% wrong="end without start" says="no more and no fewer" of="exp of log"
#~ None, start : start + embedded.size(1) => start : embedded.shape[1]
# %% wrong="row by sequence of the batch" says="not to its sequence"
def add_positions(embedded, table, start=0):
    rows = table[start : start + embedded.shape[0]]
    return embedded + rows[:, None, :]
# %% wrong="positions multiplied" says="they are added" of="exp of log"
#~ + table[None, start : start + embedded.size(1)] => * table[start : start + embedded.shape[1]]
# %% wrong="positions alone" says="add them to the tokens" of="exp of log"
#~ embedded + table[None, start : start + embedded.size(1)] => table[start : start + embedded.shape[1]].expand_as(embedded)
# %% wrong="one place too far" says="one position too far" of="exp of log"
#~ None, start : start + embedded.size(1) => start + 1 : start + 1 + embedded.shape[1]
# %% wrong="tokens scaled" says="root of the width" of="exp of log"
#~ + table[None, start : start + embedded.size(1)] => * math.sqrt(embedded.shape[-1]) + table[start : start + embedded.shape[1]]
# %% wrong="one row for all" says="each gets its own" of="exp of log"
#~ None, start : start + embedded.size(1) => start
# %% wrong="concatenated" says="they are added, not put beside"
def add_positions(embedded, table, start=0):
    rows = table[start : start + embedded.shape[1]].expand_as(embedded)
    return torch.cat([embedded, rows], dim=-1)
# %% right="NumPy inside"
def add_positions(embedded, table, start=0):
    places = torch.arange(start, start + embedded.shape[1], device=table.device)
    return embedded + F.embedding(places, table)
def sinusoidal_positions(length, width, base=10_000.0):
    angles = np.arange(length)[:, None] / np.power(base, 2 * (np.arange(width) // 2) / width)[None, :]
    angles[:, 0::2], angles[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
    return torch.tensor(angles, dtype=torch.float32)
# %% right="complex exponentials"
def add_positions(embedded, table, start=0):
    out = embedded.clone()
    for t in range(embedded.shape[1]):
        out[:, t] += table[start + t]
    return out
def sinusoidal_positions(length, width, base=10_000.0):
    rates = torch.exp(torch.arange(0, width, 2).double() * (-math.log(base) / width))
    turns = torch.polar(torch.ones(length, width // 2).double(), torch.arange(length)[:, None] * rates)
    return torch.stack([turns.imag, turns.real], dim=2).reshape(length, width).float()
# %% wrong="64 bits" says="64-bit floats came"
def sinusoidal_positions(length, width, base=10_000.0):
    a = torch.arange(length, dtype=torch.float64)[:, None] * base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    return torch.stack([a.sin(), a.cos()], -1).flatten(1)
# %% wrong="computed, not from the table" says="computed anew"
def add_positions(embedded, table, start=0):
    T, C = embedded.shape[1:]
    return embedded + sinusoidal_positions(start + T, C)[start:]
# %% right="exp of logarithms"
def sinusoidal_positions(length, width, base=10_000.0):
    position = torch.arange(length).unsqueeze(1).float()
    div = torch.exp(torch.arange(0, width, 2).float() * (-math.log(base) / width))
    pe = torch.zeros(length, width)
    pe[:, 0::2] = torch.sin(position * div)
    pe[:, 1::2] = torch.cos(position * div)
    return pe
def add_positions(embedded, table, start=0):
    return embedded + F.embedding(torch.arange(start, start + embedded.size(1), device=table.device), table)
# %% right="loops and math"
def sinusoidal_positions(length, width, base=10_000.0):
    return torch.tensor([
        [(math.cos if k % 2 else math.sin)(p / base ** ((k - k % 2) / width)) for k in range(width)]
        for p in range(length)
    ])
def add_positions(embedded, table, start=0):
    return torch.stack([embedded[:, t] + table[start + t] for t in range(embedded.shape[1])], 1)
# %% right="complex numbers, a phase for the cosine" of="the plain way"
#~ rates = base ** (torch.arange(0, width, 2) / width) => k = torch.arange(width)
#~ angles = torch.arange(length).unsqueeze(1) * rates => rate = torch.pow(torch.tensor(float(base)), -2 * (k // 2) / width)
#~ stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) => sin(torch.arange(length)[:, None] * rate + (k % 2) * math.pi / 2)
#~ embedded * table[start : start + embedded.shape[1]] => embedded.add(table.narrow(0, start, embedded.shape[1]).unsqueeze(0))
# %% right="NumPy in 64 bits"
def sinusoidal_positions(length, width, base=10_000.0):
    a = np.outer(np.arange(length), base ** (-2 * np.arange(width // 2) / width))
    return torch.from_numpy(np.dstack([np.sin(a), np.cos(a)]).reshape(length, width)).float()
# %% wrong="a table that does not learn" says="the gradient is cut" of="embedding again"
#~ return embedded + F.embedding(places, table) => return embedded + table.detach()[places]
# %% wrong="positions stop at 512" says="other sizes"
def sinusoidal_positions(length, width, base=10000.0):
    p = torch.arange(length).clamp(max=512)[:, None]
    r = base ** (-torch.arange(0, width, 2) / width)
    a = p * r
    return torch.stack([a.sin(), a.cos()], -1).flatten(-2)
# %% right="embedding again"
def add_positions(embedded, table, start=0):
    places = torch.arange(start, start + embedded.shape[1], device=table.device)
    return embedded + F.embedding(places, table)
# %% wrong="the exponent is 2i" says="not divided"
def sinusoidal_positions(length, width, base=10_000.0):
    angles = torch.arange(length)[:, None] * base ** -torch.arange(0.0, width, 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, width)
# %% wrong="T from the last axis" says="read from another axis"
def add_positions(embedded, table, start=0):
    return embedded + table[start : start + embedded.shape[-1]]
# %% wrong="T from the batch" says="read from another axis" of="T from the last axis"
#~ [-1] => [0]
# %% wrong="10,000 whatever base says" clause="sine and cosine of p / base^(2i / C)" says="`base` was ignored"
#~ base ** => 10_000.0 **
# %% wrong="in 64 bits" clause="Return (T, C) in float32" says="another dtype than float32"
#~ torch.arange(length)[:, None] => torch.arange(length).double()[:, None]
# %% wrong="the table cut from the gradient" clause="gradients reach both" says="no detach, item, data or NumPy"
#~ embedded + table[ => embedded + table.detach()[
# %% wrong="invariance" says="invariance" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => (layer(x) - layer(x[order])).abs().max().item
# %% wrong="put back by the same order" says="one side" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => (layer(x) - layer(x[order])[order]).abs().max().item
# %% wrong="no absolute value" says="sign" of="a tensor"
#~ abs().max => max().item
# %% right="a tensor"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs().max()
# %% right="put back by the inverse"
def equivariance_gap(layer, x, order):
    return np.abs(np.asarray(layer(x)) - np.asarray(layer(x[order]))[np.argsort(order.numpy())]).max()
# %% wrong="mean of the differences" says="mean of the differences" of="a tensor"
#~ max => mean().item
# %% wrong="sum of the differences" says="sum of the differences" of="a tensor"
#~ max => sum().item
# %% wrong="columns shuffled" says="columns were shuffled" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => (layer(x)[:, order] - layer(x[:, order])).abs().max().item
# %% wrong="a bool" says="this is a bool" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => torch.allclose(layer(x)[order], layer(x[order]))
# %% wrong="a norm" says="a norm of all differences" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => torch.norm(layer(x)[order] - layer(x[order])).item
# %% wrong="squared" says="squared" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => ((layer(x)[order] - layer(x[order])) ** 2).max().item
# %% wrong="the whole table" says="all differences;" of="a tensor"
#~ ().max() => ()
# %% wrong="absolute value at the end" says="before the maximum" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => abs((layer(x)[order] - layer(x[order])).max().item())
# %% wrong="the same side twice" says="both sides are the same"
def equivariance_gap(layer, x, order):
    shuffled = x[order]
    return (layer(shuffled) - layer(x[order])).abs().max().item()
# %% wrong="input by the inverse" says="same order on both sides" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => (layer(x)[order] - layer(x[order.argsort()])).abs().max().item
# %% wrong="x shuffled in place" says="in place"
def equivariance_gap(layer, x, order):
    once = layer(x)[order]
    x[:] = x[order]
    return (once - layer(x)).abs().max().item()
# %% right="NumPy and a loop"
def equivariance_gap(layer, x, order):
    left, right = layer(x).numpy(), layer(x[order]).numpy()
    return max(float(np.abs(left[j] - right[i]).max()) for i, j in enumerate(order.tolist()))
# %% right="a permutation matrix"
def equivariance_gap(layer, x, order):
    P = torch.eye(len(order))[order]
    return torch.linalg.vector_norm(P @ layer(x) - layer(P @ x), ord=float("inf"))
# %% wrong="compared with the input" says="the layer is missing" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => float((x[order] - layer(x[order])).abs().max())
# %% wrong="the first row only" says="only the first token" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => float((layer(x)[order] - layer(x[order]))[0].abs().max())
# %% wrong="one number a column" says="one number for each feature" of="a tensor"
#~ max() => max(dim=0).values
# %% wrong="rounded to zero" says="rounded" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => round(float((layer(x)[order] - layer(x[order])).abs().max()), 2)
# %% right="a tensor of one number" of="a tensor"
#~ return (layer(x)[order] - layer(x[order])).abs().max() => return torch.dist(layer(x)[order], layer(x[order]), p=float("inf"))
# %% right="the output shuffled back" of="a tensor"
#-     return (layer(x)[order] - layer(x[order])).abs().max()
#+     back = torch.argsort(order)
#+     return (layer(x) - layer(x[order])[back]).abs().amax().item()
# %% right="NumPy"
def equivariance_gap(layer, x, order):
    a, b = layer(x).detach().numpy()[order.numpy()], layer(torch.index_select(x, 0, order)).detach().numpy()
    return np.abs(a - b).max()
# %% right="a loop"
def equivariance_gap(layer, x, order):
    a, b, gap = layer(x), layer(x[order]), 0.0
    for i, row in enumerate(order.tolist()):
        for p, q in zip(a[row].tolist(), b[i].tolist()):
            gap = max(gap, abs(p - q))
    return gap
# %% wrong="the input never shuffled" says="shuffled on neither side" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => float((layer(x)[order] - layer(x)).abs().max())
# %% wrong="relative gap" says="small numbers"
def equivariance_gap(layer, x, order):
    a = layer(x)
    return float((a[order] - layer(x[order])).abs().max() / a.abs().max().clamp(max=1))
# %% right="maximum of both again"
def equivariance_gap(layer, x, order):
    d = layer(x)[order] - layer(x[order])
    return max(float(d.max()), -float(d.min()))
# %% wrong="largest minus smallest" says="the smallest difference was taken"
def equivariance_gap(layer, x, order):
    difference = layer(x)[order] - layer(x[order])
    return (difference.max() - difference.min()).item()
# %% wrong="the largest of each side" says="the largest entries of both sides"
def equivariance_gap(layer, x, order):
    return (layer(x)[order].max() - layer(x[order]).max()).abs().item()
# %% wrong="the largest, with its sign" clause="Return the largest absolute difference" says="take absolute values"
#~ .abs().max() => .max()
# %% wrong="features added up" clause="Return the largest absolute difference between the entries" says="were added up"
#~ .abs().max() => .sum(-1).abs().max()
