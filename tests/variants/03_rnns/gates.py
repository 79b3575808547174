# %% wrong="forget first" says="order i, f, g, o"
def lstm_cell(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    f, i, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b_x: torch.Tensor, b_h: torch.Tensor
) -> torch.Tensor:
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return (1 - z) * torch.tanh(a_n + r * d_n) + z * h

# %% wrong="old cell shown" says="new cell"
def lstm_cell(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
    new = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), new


def gru_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b_x: torch.Tensor, b_h: torch.Tensor
) -> torch.Tensor:
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return (1 - z) * torch.tanh(a_n + r * d_n) + z * h

# %% wrong="z turned" says="z keeps the old state"
def lstm_cell(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b_x: torch.Tensor, b_h: torch.Tensor
) -> torch.Tensor:
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return z * torch.tanh(a_n + r * d_n) + (1 - z) * h

# %% right="another way, 1"
def lstm_cell(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b_x: torch.Tensor, b_h: torch.Tensor
) -> torch.Tensor:
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return torch.lerp(torch.tanh(a_n + r * d_n), h, z)

# %% right="another way, 2"
def lstm_cell(
    x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    i, f, g, o = torch.split(F.linear(x, W_x.T) + F.linear(h, W_h.T) + b, h.shape[-1], dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b_x: torch.Tensor, b_h: torch.Tensor
) -> torch.Tensor:
    a_r, a_z, a_n = (x @ W_x + b_x).chunk(3, dim=-1)
    d_r, d_z, d_n = (h @ W_h + b_h).chunk(3, dim=-1)
    r, z = torch.sigmoid(a_r + d_r), torch.sigmoid(a_z + d_z)
    return (1 - z) * torch.tanh(a_n + r * d_n) + z * h
