# %% wrong="added twice" says="added twice"
def sinusoidal_positions(length, width, base=10_000.0):
    p = torch.arange(length).unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2) * (-math.log(base) / width))
    out = torch.zeros(length, width)
    out[:, 0::2], out[:, 1::2] = torch.sin(p * div), torch.cos(p * div)
    return out


def add_positions(embedded, table, start=0):
    rows = table[start : start + embedded.size(1)]
    x = embedded + rows
    return x + rows

# %% wrong="start ignored" says="`start` was ignored"
def sinusoidal_positions(length, width, base=10_000.0):
    p = torch.arange(length).unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2) * (-math.log(base) / width))
    out = torch.zeros(length, width)
    out[:, 0::2], out[:, 1::2] = torch.sin(p * div), torch.cos(p * div)
    return out


def add_positions(embedded, table, start=0):
    return embedded + table[: embedded.size(1)]

# %% wrong="in place" says="in place"
def sinusoidal_positions(length, width, base=10_000.0):
    p = torch.arange(length).unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2) * (-math.log(base) / width))
    out = torch.zeros(length, width)
    out[:, 0::2], out[:, 1::2] = torch.sin(p * div), torch.cos(p * div)
    return out


def add_positions(embedded, table, start=0):
    embedded += table[start : start + embedded.size(1)]
    return embedded

# %% wrong="two blocks" says="take turns"
def sinusoidal_positions(length, width, base=10_000.0):
    a = torch.arange(length)[:, None] / base ** (torch.arange(0, width, 2) / width)
    return torch.cat([a.sin(), a.cos()], 1)


def add_positions(embedded, table, start=0):
    return embedded + table[None, start : start + embedded.size(1)]

# %% wrong="exponent i / C" says="it is 2i / C"
def sinusoidal_positions(length, width, base=10_000.0):
    a = torch.arange(length)[:, None] / base ** (torch.arange(width // 2) / width)
    return torch.stack([a.sin(), a.cos()], 2).view(length, width)


def add_positions(embedded, table, start=0):
    return embedded + table[None, start : start + embedded.size(1)]

# %% wrong="base fixed" says="`base` was ignored"
def sinusoidal_positions(length, width, base=10_000.0):
    p = torch.arange(length).unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    out = torch.zeros(length, width)
    out[:, 0::2], out[:, 1::2] = torch.sin(p * div), torch.cos(p * div)
    return out


def add_positions(embedded, table, start=0):
    return embedded + table[None, start : start + embedded.size(1)]

# %% wrong="from one" says="start at 0"
def sinusoidal_positions(length, width, base=10_000.0):
    p = torch.arange(1, length + 1).unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2) * (-math.log(base) / width))
    out = torch.zeros(length, width)
    out[:, 0::2], out[:, 1::2] = torch.sin(p * div), torch.cos(p * div)
    return out


def add_positions(embedded, table, start=0):
    return embedded + table[None, start : start + embedded.size(1)]

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
    return embedded + F.embedding(torch.arange(start, start + embedded.shape[1]), table)
