# %% base="the plain way"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)

def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
# %% wrong="no tanh" says="tanh is missing"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    return x @ W_x + h @ W_h + b
# %% wrong="transposed" says="W_h was transposed"
def rnn_cell(
    x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor
) -> torch.Tensor:
    return torch.tanh(x @ W_x + h @ W_h.T + b)
# %% wrong="always h0" says="every step began with h0"
#-     """Return (all states (B, T, H), the last state (B, H)). x: (B, T, C), h0: (B, H)."""
#~ h, W_x => h0, W_x
# %% right="another way, 1"
def rnn_cell(x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.cat([x, h], -1).matmul(torch.cat([W_x, W_h])).add(b).tanh()
# %% right="another way, 2"
#~ """Return (all states (B, T, H), the last state (B, H)). x: (B, T, C), h0: (B, H).""" => out = torch.zeros(x.shape[0], x.shape[1], h0.shape[1], dtype=h0.dtype)
#~ h, states = h0, [] => h = h0
#~ states.append(h) => out[:, t] = h
#~ torch.stack(states, dim=1) if states else h.new_zeros(len(h), 0, h.shape[1]) => out
# %% wrong="no bias" says="bias is missing" of="filled in place, one product for both"
#~ torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) + b => x @ W_x + h @ W_h
# %% wrong="no tanh" says="tanh" of="filled in place, one product for both"
#~ torch.tanh(torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) + b) => x @ W_x + h @ W_h + b
# %% wrong="sigmoid" says="tanh" of="filled in place, one product for both"
#~ tanh(torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) + b) => sigmoid(x @ W_x + h @ W_h + b)
# %% wrong="relu" says="tanh" of="filled in place, one product for both"
#~ tanh(torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) + b) => relu(x @ W_x + h @ W_h + b)
# %% wrong="the old state does not enter" says="state" of="filled in place, one product for both"
#~ torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) => x @ W_x
# %% wrong="the input does not enter" says="input" of="filled in place, one product for both"
#~ torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) => h @ W_h
# %% wrong="the state's weights are transposed" says="transposed" of="filled in place, one product for both"
#~ torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) => x @ W_x + h @ W_h.T
# %% wrong="two tanhs" says="one tanh" of="filled in place, one product for both"
#~ (torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) + b) => (x @ W_x) + torch.tanh(h @ W_h + b)
# %% wrong="b outside" says="inside" of="filled in place, one product for both"
#~ (torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) + b) => (x @ W_x + h @ W_h) + b
# %% wrong="a residual state" says="added to the old one" of="filled in place, one product for both"
#~ torch.tanh(torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) + b) => h + torch.tanh(x @ W_x + h @ W_h + b)
# %% wrong="bias twice" says="twice" of="filled in place, one product for both"
#~ torch.cat([x, h], dim=-1) @ torch.cat([W_x, W_h]) => x @ W_x + b + h @ W_h
# %% wrong="in place" says="changed"
def rnn_cell(x, h, W_x, W_h, b):
    h.copy_(torch.tanh(x @ W_x + h @ W_h + b))
    return h
# %% wrong="cell forgets its return" says="return" of="the plain way"
#~ return torch.tanh => torch.tanh
#~ rnn_cell(x[:, t], h, W_x, W_h, b) => torch.tanh(x[:, t] @ W_x + h @ W_h + b)
#~ (states) => (states, 1)
# %% wrong="time and batch are exchanged" says="axes"
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
# %% wrong="loops over the batch as if it were time" says="axis" of="the plain way"
#~ t in range(x.shape[1]) => x_t in x
#~ x[:, t] => x_t
#~ (states) if states else x.new_zeros(len(x), 0, h0.shape[1]) => (states, 1)
# %% wrong="h0 at each step" says="h0"
def rnn_forward(x, h0, W_x, W_h, b):
    states = [rnn_cell(x[:, t], h0, W_x, W_h, b) for t in range(x.shape[1])]
    return (torch.stack(states, 1), states[-1]) if states else (x.new_zeros(len(x), 0, h0.shape[1]), h0)
# %% wrong="zeros instead of h0" says="h0 was ignored" of="the plain way"
#~ h0, [] => torch.zeros_like(h0), []
#~ torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h => (torch.stack(states, 1), h) if states else (x.new_zeros(len(x), 0, h0.shape[1]), h0)
# %% wrong="h0 is among the states" says="h0" of="a list that begins with h0"
#~ states += [rnn_cell(x[:, t, :], states[t], W_x, W_h, b)] => states.append(rnn_cell(x[:, t], states[-1], W_x, W_h, b))
#~ (states, dim=1)[:, 1:] => (states, 1)
# %% wrong="h0 at the front, the last state missing" says="h0" of="a list that begins with h0"
#~ states += [rnn_cell(x[:, t, :], states[t], W_x, W_h, b)] => states.append(rnn_cell(x[:, t], states[-1], W_x, W_h, b))
#~ (states, dim=1)[:, 1:] => (states, 1)[:, :-1]
# %% wrong="the last step is missing" says="last step" of="the plain way"
#~ x.shape[1] => x.shape[1] - 1
#~ (states) => (states, 1)
# %% wrong="backwards" says="from its end" of="the plain way"
#~ range(x.shape[1]) => reversed(range(x.shape[1]))
#~ append(h) => insert(0, h)
#~ (states) => (states, 1)
# %% wrong="the states only" says="both results" of="the plain way"
#~ (states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h => (states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1])
# %% wrong="the first state instead of the last" says="last" of="the plain way"
#~ torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h => (torch.stack(states, 1), states[0]) if states else (x.new_zeros(len(x), 0, h0.shape[1]), h)
# %% wrong="no step raises" says="T = 0" of="the plain way"
#~ (states) if states else x.new_zeros(len(x), 0, h0.shape[1]) => (states, 1)
# %% wrong="the gradient is cut between the steps" says="gradient" of="the plain way"
#~ (x[:, t], h, W_x, W_h, b) => (x[:, t], h.detach(), W_x, W_h, b)
#~ (states) => (states, 1)
# %% wrong="the order of what comes back" says="order" of="the plain way"
#~ torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h => h, torch.stack(states, 1) if states else x.new_zeros(len(x), 0, h0.shape[1])
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
# %% wrong="float32 buffers" says="float32" of="the plain way"
#~ [] => torch.zeros(x.shape[0], x.shape[1], h0.shape[1])
#~ .append(h) => [:, t] = h
#~ torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]) => states
# %% wrong="no step leaves nothing" says="T = 0" of="the plain way"
#~ h, states = h0, => states =
#~ (x[:, t], h, W_x, W_h, b) => (x[:, t], h0 if t == 0 else h, W_x, W_h, b)
#~ (states) => (states, 1)
# %% right="unseen, right 1"
def rnn_cell(x, h, W_x, W_h, b):
    return (torch.cat([x, h], -1) @ torch.cat([W_x, W_h], 0) + b).tanh()

def rnn_forward(x, h0, W_x, W_h, b):
    states = [h0]
    for step in x.unbind(1):
        states.append(rnn_cell(step, states[-1], W_x, W_h, b))
    return torch.stack(states, 1)[:, 1:], states[-1]
# %% wrong="last of the batch" says="the last state is that of the last step: here the last" of="the plain way"
#-     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
#+     if not states:
#+         return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
#+     return torch.stack(states, dim=1), torch.stack(states, dim=1)[-1]
# %% wrong="no steps fails" says="with T = 0 the states have shape (B, 0, H), and the last" of="the plain way"
#~ (states) if states else x.new_zeros(len(x), 0, h0.shape[1]) => (states, dim=1)
# %% wrong="no steps: zero state" says="with T = 0 the states have shape (B, 0, H), and the last" of="the plain way"
#-     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
#+     if not states:
#+         return x.new_zeros(x.shape[0], 0, h0.shape[1]), torch.zeros_like(h0)
#+     return torch.stack(states, dim=1), h
# %% wrong="unseen, backwards" says="the sequence was read from its end, and its states stand in" of="the plain way"
#~ range(x.shape[1]) => reversed(range(x.shape[1]))
#-     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
#+     if not states:
#+         return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
#+     return torch.stack(states, dim=1), h
# %% wrong="cut between steps" says="the gradient is cut: no detach, no item, no NumPy on the" of="the plain way"
#~ (x[:, t], h, W_x, W_h, b) => (x[:, t], h.detach(), W_x, W_h, b)
#-     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
#+     if not states:
#+         return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
#+     return torch.stack(states, dim=1), h
# %% wrong="float32 states" says="float64 was rounded to float32 on the way" of="the plain way"
#-     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
#+     if not states:
#+         return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
#+     return torch.stack(states, dim=1).float(), h.float()
# %% wrong="tanh twice" says="the cell's result went through a second tanh" of="the plain way"
#~ rnn_cell(x[:, t], h, W_x, W_h, b) => torch.tanh(rnn_cell(x[:, t], h, W_x, W_h, b))
#-     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
#+     if not states:
#+         return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
#+     return torch.stack(states, dim=1), h
# %% wrong="preallocated, no graph" says="the gradient is cut: no detach, no item, no NumPy on the" of="the plain way"
#-     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
#+     if not states:
#+         return x.new_zeros(x.shape[0], 0, h0.shape[1]), h0
#+     out = torch.zeros(x.shape[0], x.shape[1], h0.shape[1])
#+     for t, s in enumerate(states):
#+         out[:, t] = s.detach()
#+     return out, h
