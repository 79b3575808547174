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
