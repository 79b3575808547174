# %% wrong="whole row" says="padding must stay"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    places, ends = torch.arange(x.shape[1]), lengths[:, None]
    source = (x.shape[1] - 1 - places).expand(len(x), -1)  # (B, T)
    return x[torch.arange(len(x))[:, None], source]


def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return x * real[..., None]

# %% wrong="not turned back" says="not turned round again"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    places, ends = torch.arange(x.shape[1]), lengths[:, None]
    source = torch.where(places < ends, ends - 1 - places, places)  # (B, T)
    return x[torch.arange(len(x))[:, None], source]


def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    for forward, backward in layers:
        there = forward(x)
        back = backward(reverse_padded(x, lengths))
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return x * real[..., None]

# %% wrong="padding kept" says="beyond the length must be 0"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    places, ends = torch.arange(x.shape[1]), lengths[:, None]
    source = torch.where(places < ends, ends - 1 - places, places)  # (B, T)
    return x[torch.arange(len(x))[:, None], source]


def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return x

# %% right="another way, 1"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = torch.flip(x[b, :n], [0])
    return out


def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return x * real[..., None]

# %% right="another way, 2"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    places, ends = torch.arange(x.shape[1]), lengths[:, None]
    source = torch.where(places < ends, ends - 1 - places, places)  # (B, T)
    return x[torch.arange(len(x))[:, None], source]


def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return torch.where(real[..., None], x, torch.zeros_like(x))

# %% wrong="whole rows" says="whole row"
def reverse_padded(x, lengths):
    return x.flip(1)

# %% wrong="zeros beyond" says="stays as it is"
def reverse_padded(x, lengths):
    out = torch.zeros_like(x)
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out

# %% wrong="in place" says="changed"
def reverse_padded(x, lengths):
    for b, n in enumerate(lengths.tolist()):
        x[b, :n] = x[b, :n].flip(0)
    return x

# %% wrong="one length for all" says="its own"
def reverse_padded(x, lengths):
    out, n = x.clone(), int(lengths.max())
    out[:, :n] = x[:, :n].flip(1)
    return out

# %% wrong="off by one" says="one step off"
def reverse_padded(x, lengths):
    places = torch.arange(x.shape[1])
    source = torch.where(places <= lengths[:, None], lengths[:, None] - places, places).clamp(max=x.shape[1] - 1)
    return x[torch.arange(len(x))[:, None], source]

# %% wrong="length - t wraps" says="the 1 is missing"
def reverse_padded(x, lengths):
    places = torch.arange(x.shape[1])
    source = torch.where(places < lengths[:, None], (lengths[:, None] - places) % x.shape[1], places)
    return x[torch.arange(len(x))[:, None], source]

# %% wrong="features are turned, too" says="last axis"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0, 1)
    return out

# %% wrong="rolled" says="another order"
def reverse_padded(x, lengths):
    return torch.stack([row.flip(0).roll(-int(n), 0) for row, n in zip(x, lengths)])

# %% wrong="a list comes back" says="cut at their lengths"
def reverse_padded(x, lengths):
    return [row[:n].flip(0) for row, n in zip(x, lengths.tolist())]


def stacked_bidirectional(x, lengths, layers):
    rows = []
    for b, n in enumerate(lengths.tolist()):
        states = x[b : b + 1, :n]
        for forward, backward in layers:
            states = torch.cat([forward(states), backward(states.flip(1)).flip(1)], -1)
        rows.append(F.pad(states[0], (0, 0, 0, x.shape[1] - n)))
    return torch.stack(rows)

# %% wrong="padding is cut off" says="padding"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out[:, : int(lengths.max())]

# %% wrong="the first row is left" says="another order"
def reverse_padded(x, lengths):
    out = x.clone()
    for b in range(1, len(x)):
        n = int(lengths[b])
        out[b, :n] = x[b, :n].flip(0)
    return out

# %% wrong="states are not turned back" says="not turned round again"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), backward(reverse_padded(x, lengths))], -1)
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="the backward reader is not turned" says="turn it round first"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), reverse_padded(backward(x), lengths)], -1)
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="flip of whole rows" says="padding"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), backward(x.flip(1)).flip(1)], -1)
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="no zeros" says="must be 0"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
    return x

# %% wrong="backward first" says="forward states come first"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([reverse_padded(backward(reverse_padded(x, lengths)), lengths), forward(x)], -1)
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="only the first layer" says="first layer"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
        return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="each layer reads x" says="fed x"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        out = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
    return out * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="two stacks apart" says="stacked on its own"
def stacked_bidirectional(x, lengths, layers):
    there, back = x, reverse_padded(x, lengths)
    for forward, backward in layers:
        there, back = forward(there), backward(back)
    out = torch.cat([there, reverse_padded(back, lengths)], -1)
    return out * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="added" says="side by side"
def stacked_bidirectional(x, lengths, layers):
    for k, (forward, backward) in enumerate(layers):
        there, back = forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], -1) if k + 1 < len(layers) else there + back
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="laid along time" says="one after another in time"
def stacked_bidirectional(x, lengths, layers):
    for k, (forward, backward) in enumerate(layers):
        pair = [forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)]
        x = torch.cat(pair, -1 if k + 1 < len(layers) else 1)
    return x

# %% wrong="the mask is one too long" says="one place too late"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
    return x * (torch.arange(x.shape[1]) <= lengths[:, None])[..., None]

# %% wrong="the mask is one too short" says="one place too early"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
    return x * (torch.arange(x.shape[1]) < lengths[:, None] - 1)[..., None]

# %% wrong="the same reader twice" says="forward reader"
def stacked_bidirectional(x, lengths, layers):
    for forward, _ in layers:
        x = torch.cat([forward(x), reverse_padded(forward(reverse_padded(x, lengths)), lengths)], -1)
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="zeros by multiplying: infinite padding" says="NaN"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
    return x * torch.where(torch.arange(x.shape[1]) < lengths[:, None], 1.0, torch.nan)[..., None]

# %% wrong="the layers from the last" says="last to the first"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers[::-1]:
        x = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]

# %% wrong="forgets its return" says="return"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)

# %% right="loops over rows"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        for t in range(n):
            out[b, t] = x[b, n - 1 - t]
    return out


def stacked_bidirectional(x, lengths, layers):
    states = x
    for forward, backward in layers:
        there = forward(states)
        back = reverse_padded(backward(reverse_padded(states, lengths)), lengths)
        states = torch.cat((there, back), dim=2)
    for b, n in enumerate(lengths):
        states[b, n:] = 0
    return states

# %% right="gather, masked between the layers, too"
def reverse_padded(x, lengths):
    T = x.shape[1]
    t = torch.arange(T).expand(len(x), T)
    source = torch.where(t < lengths.unsqueeze(1), lengths.unsqueeze(1) - 1 - t, t)
    return x.gather(1, source[..., None].expand_as(x))


def stacked_bidirectional(x, lengths, layers):
    mask = (torch.arange(x.shape[1])[None] < lengths[:, None]).unsqueeze(-1)
    for forward, backward in layers:
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([forward(x), back], -1).masked_fill(~mask, 0.0)
    return x

# %% right="concatenated rows, recursion over the layers"
def reverse_padded(x, lengths):
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist())])


def stacked_bidirectional(x, lengths, layers):
    if not layers:
        keep = torch.arange(x.shape[1]) < lengths[:, None]
        return x * keep[..., None]
    (forward, backward), *rest = layers
    back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
    return stacked_bidirectional(torch.cat([forward(x), back], -1), lengths, rest)

# %% right="row by row, without padding"
def stacked_bidirectional(x, lengths, layers):
    out = None
    for b, n in enumerate(lengths.tolist()):
        states = x[b : b + 1, :n]
        for forward, backward in layers:
            states = torch.cat([forward(states), backward(states.flip(1)).flip(1)], -1)
        out = torch.zeros(len(x), x.shape[1], states.shape[-1]) if out is None else out
        out[b, :n] = states[0]
    return out

# %% right="unseen, right 1"
def reverse_padded(x, lengths):
    t = torch.arange(x.shape[1])
    source = torch.where(t < lengths[:, None], lengths[:, None] - 1 - t, t)
    return x.gather(1, source[:, :, None].expand(-1, -1, x.shape[2]))


def stacked_bidirectional(x, lengths, layers):
    mask = (torch.arange(x.shape[1])[None] >= lengths[:, None])[:, :, None]
    for forward, backward in layers:
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([forward(x), back], dim=2).masked_fill(mask, 0.0)
    return x

# %% wrong="only forward goes on" says="was each direction stacked on its own? both states of a"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out


def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        y = torch.cat([there, back], dim=-1)
        x = there
    present = torch.arange(x.shape[1]) < lengths[:, None]
    return y * present[..., None]

# %% wrong="unseen, each layer reads x" says="every layer was fed x: a layer is fed the states of the"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out


def stacked_bidirectional(x, lengths, layers):
    first = x
    for forward, backward in layers:
        there = forward(first)
        back = reverse_padded(backward(reverse_padded(first, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    present = torch.arange(x.shape[1]) < lengths[:, None]
    return x * present[..., None]

# %% wrong="first layer only" says="only the first layer was applied"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out


def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers[:1]:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    present = torch.arange(x.shape[1]) < lengths[:, None]
    return x * present[..., None]

# %% wrong="forward twice" says="the forward reader read both ways: the backward one is the"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out


def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(forward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    present = torch.arange(x.shape[1]) < lengths[:, None]
    return x * present[..., None]

# %% wrong="interleaved" says="the right numbers in another order"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out


def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.stack([there, back], dim=-1).flatten(2)
    present = torch.arange(x.shape[1]) < lengths[:, None]
    return x * present[..., None]

# %% wrong="layers in reverse" says="the layers were applied from the last to the first"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0)
    return out


def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers[::-1]:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    present = torch.arange(x.shape[1]) < lengths[:, None]
    return x * present[..., None]
