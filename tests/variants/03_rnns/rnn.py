# %% wrong="no tanh" says="tanh is missing"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    return x @ W_x + h @ W_h + b


def rnn_forward(
    x: torch.Tensor, h0: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, dim=1) if states else h.new_zeros(len(h), 0, h.shape[1]), h

# %% wrong="transposed" says="W_h was transposed"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    return torch.tanh(x @ W_x + h @ W_h.T + b)


def rnn_forward(
    x: torch.Tensor, h0: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, dim=1) if states else h.new_zeros(len(h), 0, h.shape[1]), h

# %% wrong="always h0" says="every step began with h0"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(
    x: torch.Tensor, h0: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h0, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, dim=1) if states else h.new_zeros(len(h), 0, h.shape[1]), h

# %% right="another way, 1"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    return torch.cat([x, h], -1).matmul(torch.cat([W_x, W_h])).add(b).tanh()


def rnn_forward(
    x: torch.Tensor, h0: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, dim=1) if states else h.new_zeros(len(h), 0, h.shape[1]), h

# %% right="another way, 2"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(
    x: torch.Tensor, h0: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    out = torch.zeros(x.shape[0], x.shape[1], h0.shape[1], dtype=h0.dtype)
    h = h0
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        out[:, t] = h
    return out, h
