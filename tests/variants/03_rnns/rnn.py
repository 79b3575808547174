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

# %% wrong="no bias" says="bias is missing"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h)

# %% wrong="no tanh" says="tanh"
def rnn_cell(x, h, W_x, W_h, b):
    return x @ W_x + h @ W_h + b

# %% wrong="sigmoid" says="tanh"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.sigmoid(x @ W_x + h @ W_h + b)

# %% wrong="relu" says="tanh"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.relu(x @ W_x + h @ W_h + b)

# %% wrong="the old state does not enter" says="state"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + b)

# %% wrong="the input does not enter" says="input"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(h @ W_h + b)

# %% wrong="the state's weights are transposed" says="transposed"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h.T + b)

# %% wrong="two tanhs" says="one tanh"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x) + torch.tanh(h @ W_h + b)

# %% wrong="b outside" says="inside"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h) + b

# %% wrong="a residual state" says="added to the old one"
def rnn_cell(x, h, W_x, W_h, b):
    return h + torch.tanh(x @ W_x + h @ W_h + b)

# %% wrong="bias twice" says="twice"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + b + h @ W_h + b)

# %% wrong="in place" says="changed"
def rnn_cell(x, h, W_x, W_h, b):
    h.copy_(torch.tanh(x @ W_x + h @ W_h + b))
    return h

# %% wrong="cell forgets its return" says="return"
def rnn_cell(x, h, W_x, W_h, b):
    torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ W_x + h @ W_h + b)
        states.append(h)
    return torch.stack(states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1]), h

# %% wrong="time and batch are exchanged" says="axes"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h

# %% wrong="loops over the batch as if it were time" says="axis"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for x_t in x:
        h = rnn_cell(x_t, h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, 1), h

# %% wrong="h0 at each step" says="h0"
def rnn_forward(x, h0, W_x, W_h, b):
    states = [rnn_cell(x[:, t], h0, W_x, W_h, b) for t in range(x.shape[1])]
    return (torch.stack(states, 1), states[-1]) if states else (x.new_zeros(len(x), 0, h0.shape[1]), h0)

# %% wrong="zeros instead of h0" says="h0 was ignored"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = torch.zeros_like(h0), []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return (torch.stack(states, 1), h) if states else (x.new_zeros(len(x), 0, h0.shape[1]), h0)

# %% wrong="h0 is among the states" says="h0"
def rnn_forward(x, h0, W_x, W_h, b):
    states = [h0]
    for t in range(x.shape[1]):
        states.append(rnn_cell(x[:, t], states[-1], W_x, W_h, b))
    return torch.stack(states, 1), states[-1]

# %% wrong="h0 at the front, the last state missing" says="h0"
def rnn_forward(x, h0, W_x, W_h, b):
    states = [h0]
    for t in range(x.shape[1]):
        states.append(rnn_cell(x[:, t], states[-1], W_x, W_h, b))
    return torch.stack(states, 1)[:, :-1], states[-1]

# %% wrong="the last step is missing" says="last step"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1] - 1):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1]), h

# %% wrong="backwards" says="from its end"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in reversed(range(x.shape[1])):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.insert(0, h)
    return torch.stack(states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1]), h

# %% wrong="the states only" says="both results"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1])

# %% wrong="the first state instead of the last" says="last"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return (torch.stack(states, 1), states[0]) if states else (x.new_zeros(len(x), 0, h0.shape[1]), h)

# %% wrong="no step raises" says="T = 0"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, 1), h

# %% wrong="the gradient is cut between the steps" says="gradient"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h.detach(), W_x, W_h, b)
        states.append(h)
    return torch.stack(states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1]), h

# %% wrong="the order of what comes back" says="order"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return h, torch.stack(states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1])

# %% right="filled in place, one product for both"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) + b)


def rnn_forward(x, h0, W_x, W_h, b):
    states = x.new_empty(x.shape[0], x.shape[1], h0.shape[1])
    h = h0
    for t, x_t in enumerate(x.unbind(1)):
        h = rnn_cell(x_t, h, W_x, W_h, b)
        states[:, t] = h
    return states, h

# %% right="nn.RNN"
def rnn_cell(x, h, W_x, W_h, b):
    return rnn_forward(x[:, None], h, W_x, W_h, b)[1]


def rnn_forward(x, h0, W_x, W_h, b):
    if x.shape[1] == 0:
        return x.new_zeros(len(x), 0, len(b)), h0
    states, last = torch._VF.rnn_tanh(x, h0[None], [W_x.T.contiguous(), W_h.T.contiguous(), b, torch.zeros_like(b)],
        True, 1, 0.0, False, False, True)
    return states, last[0]

# %% right="recursion, and the inputs multiplied beforehand"
def rnn_cell(x, h, W_x, W_h, b):
    a = torch.einsum("bc,ch->bh", x, W_x) + torch.einsum("bh,hk->bk", h, W_h) + b
    return 2 * torch.sigmoid(2 * a) - 1


def rnn_forward(x, h0, W_x, W_h, b):
    if x.shape[1] == 0:
        return torch.zeros(len(x), 0, h0.shape[-1], dtype=x.dtype), h0
    before, h = rnn_forward(x[:, :-1], h0, W_x, W_h, b)
    h = rnn_cell(x[:, -1], h, W_x, W_h, b)
    return [torch.cat([before, h[:, None]], 1), h]

# %% right="a list that begins with h0"
def rnn_forward(x, h0, W_x, W_h, b):
    states = [h0]
    for t in range(x.shape[1]):
        states += [rnn_cell(x[:, t, :], states[t], W_x, W_h, b)]
    return torch.stack(states, dim=1)[:, 1:], states[-1]

# %% wrong="float32 buffers" says="float32"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, torch.zeros(x.shape[0], x.shape[1], h0.shape[1])
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states[:, t] = h
    return states, h

# %% wrong="no step leaves nothing" says="T = 0"
def rnn_forward(x, h0, W_x, W_h, b):
    states = []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h0 if t == 0 else h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1]), h

# %% right="unseen, right 1"
def rnn_cell(x, h, W_x, W_h, b):
    return (torch.cat([x, h], -1) @ torch.cat([W_x, W_h], 0) + b).tanh()


def rnn_forward(x, h0, W_x, W_h, b):
    states = [h0]
    for step in x.unbind(1):
        states.append(rnn_cell(step, states[-1], W_x, W_h, b))
    return torch.stack(states, 1)[:, 1:], states[-1]

# %% wrong="last of the batch" says="the last state is that of the last step: here the last"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    if not states:
        return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
    return torch.stack(states, dim=1), torch.stack(states, dim=1)[-1]

# %% wrong="no steps fails" says="with T = 0 the states have shape (B, 0, H), and the last"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states, dim=1), h

# %% wrong="no steps: zero state" says="with T = 0 the states have shape (B, 0, H), and the last"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    if not states:
        return x.new_zeros(x.shape[0], 0, h0.shape[1]), torch.zeros_like(h0)
    return torch.stack(states, dim=1), h

# %% wrong="unseen, backwards" says="the sequence was read from its end, and its states stand in"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in reversed(range(x.shape[1])):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    if not states:
        return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
    return torch.stack(states, dim=1), h

# %% wrong="cut between steps" says="the gradient is cut: no detach, no item, no NumPy on the"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h.detach(), W_x, W_h, b)
        states.append(h)
    if not states:
        return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
    return torch.stack(states, dim=1), h

# %% wrong="float32 states" says="float64 was rounded to float32 on the way"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    if not states:
        return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
    return torch.stack(states, dim=1).float(), h.float()

# %% wrong="tanh twice" says="the cell's result went through a second tanh"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = torch.tanh(rnn_cell(x[:, t], h, W_x, W_h, b))
        states.append(h)
    if not states:
        return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
    return torch.stack(states, dim=1), h

# %% wrong="preallocated, no graph" says="the gradient is cut: no detach, no item, no NumPy on the"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)


def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    if not states:
        return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
    out = torch.zeros(x.shape[0], x.shape[1], h0.shape[1])
    for t, s in enumerate(states):
        out[:, t] = s.detach()
    return out, h
