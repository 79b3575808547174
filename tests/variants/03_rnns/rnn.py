# %% base="the plain way"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h @ W_h + b)
def rnn_forward(x, h0, W_x, W_h, b):
    h, states = h0, []
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        states.append(h)
    return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
# %% wrong="always h0" says="every step began with h0"
#~ h, W_x => h0, W_x
# %% right="another way, 1"
def rnn_cell(x: torch.Tensor, h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.cat([x, h], -1).matmul(torch.cat([W_x, W_h])).add(b).tanh()
# %% right="another way, 2"
#~ h, states = h0, [] => h, out = h0, torch.zeros(x.shape[0], x.shape[1], h0.shape[1], dtype=h0.dtype)
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
# %% wrong="time and batch are exchanged" says="axes" of="states in a float32 buffer"
#~ out, h = torch.zeros(len(x), x.shape[1], h0.shape[1]), h0 => h, states = h0, []
#-         out[:, t] = h
#-     return out, h
#+         states.append(h)
#+     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
# %% wrong="loops over the batch as if it were time" says="axis" of="the plain way"
#~ t in range(x.shape[1]) => x_t in x
#~ x[:, t] => x_t
#~ (states) if states else x.new_zeros(len(x), 0, h0.shape[1]) => (states, 1)
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
# %% base="window, the plain way"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E[ids].flatten(1)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
# %% wrong="window, no direct path" says="direct path is missing" of="window, another way, 1"
#~ torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1) => E[ids].flatten(1)
#~ x @ W_d + b_o => b_o
# %% wrong="window, no tanh" says="no tanh" of="window, another way, 1"
#~ torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1) => E[ids].flatten(1)
#~ torch.tanh(x @ W_h + b_h) => (x @ W_h + b_h)
# %% wrong="window, reversed" says="oldest word comes first" of="window, another way, 1"
#~ torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1) => E[ids.flip(1)].flatten(1)
# %% right="window, another way, 1"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    x = torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
# %% right="window, another way, 2" of="window, another way, 1"
#~ x = torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1)  # (B, n * d) => x = F.embedding(ids, E).reshape(len(ids), -1)  # (B, n * d)
# %% wrong="window, no hidden bias" says="b_h of the hidden layer is missing" of="window, the plain way"
#~ W_h + b_h => W_h
# %% wrong="window, no output bias" says="b_o of the scores is missing" of="window, the plain way"
#~ W_d + b_o => W_d
# %% wrong="window, softmax at the end" says="softmax" clause="Return the scores of the next word, (B, V), without a softmax." of="window, the plain way"
#~ torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o => (torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o).softmax(-1)
# %% wrong="window, log-softmax at the end" says="log-probabilities" of="window, the plain way"
#~ torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o => (torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o).log_softmax(-1)
# %% wrong="window, relu" says="tanh" of="window, the plain way"
#~ tanh => relu
# %% wrong="window, sigmoid" says="tanh" of="window, the plain way"
#~ tanh => sigmoid
# %% wrong="window, tanh of everything" says="tanh" of="window, the plain way"
#~ (x @ W_h + b_h) @ W_o + x @ W_d + b_o => (torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o)
# %% wrong="window, tanh of the output only" says="tanh" of="window, the plain way"
#~ (x @ W_h + b_h) @ W_o => ((x @ W_h + b_h) @ W_o)
# %% wrong="window, bias outside of the tanh" says="inside" of="window, the plain way"
#~ torch.tanh(x @ W_h + b_h) => (torch.tanh(x @ W_h) + b_h)
# %% wrong="window, the batch is mixed" says="batch" of="window, the plain way"
#~ flatten(1) => transpose(0, 1).reshape(len(ids), -1)
# %% wrong="window, the first window only" says="first window" of="window, the plain way"
#~ [ids].flatten(1) => [ids[0]].reshape(1, -1)
# %% wrong="window, a bag of words" says="averaged" of="window, the plain way"
#~ [ids]. => [ids].mean(1, keepdim=True).expand(-1, ids.shape[1], -1).
# %% wrong="window, direct path only" says="hidden layer is missing"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    return E[ids].flatten(1) @ W_d + b_o
# %% wrong="window, the output bias twice" says="b_o" of="window, the plain way"
#~ x @ W_d + b_o => b_o + F.linear(x, W_d.T, b_o)
# %% wrong="window, the gradient is cut" says="gradient" of="window, the plain way"
#~ (1) => (1).detach()
# %% wrong="window, the dtype is lost" says="float32"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E[ids].flatten(1).float()
    return torch.tanh(x @ W_h.float() + b_h.float()) @ W_o.float() + x @ W_d.float() + b_o.float()
# %% wrong="window, likeliest word" says="scores" of="window, the plain way"
#~ torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o => (torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o).argmax(-1)
# %% wrong="window, forgets its return" says="return" of="window, the plain way"
#~ return => scores =
# %% right="window, loops over the batch"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    rows = []
    for window in ids:
        x = torch.cat([E[int(i)] for i in window])
        rows.append(b_o + x @ W_d + W_o.T @ torch.tanh(W_h.T @ x + b_h))
    return torch.stack(rows)
# %% right="window, einsum on the unflattened weights"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    (B, n), d = ids.shape, E.shape[1]
    e = E[ids]
    hidden = torch.einsum("bnd,ndh->bh", e, W_h.view(n, d, -1)) + b_h
    return hidden.tanh() @ W_o + torch.einsum("bnd,ndv->bv", e, W_d.view(n, d, -1)) + b_o
# %% right="window, one-hot and linear"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = (F.one_hot(ids, len(E)).to(E.dtype) @ E).flatten(1)
    return F.linear(torch.tanh(F.linear(x, W_h.T, b_h)), W_o.T, b_o) + F.linear(x, W_d.T)
# %% right="window, one product for both paths"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E.index_select(0, ids.flatten()).view(len(ids), -1)
    return torch.addmm(b_o, torch.cat([torch.tanh(torch.addmm(b_h, x, W_h)), x], 1), torch.cat([W_o, W_d]))
# %% right="window, unseen, right 1"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = torch.cat([F.embedding(ids[:, j], E) for j in range(ids.shape[1])], dim=-1)
    return F.linear(torch.tanh(F.linear(x, W_h.T, b_h)), W_o.T, b_o) + x.mm(W_d)
# %% wrong="window, dimension by dimension" says="x holds word after word: here all first numbers of the"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E[ids].transpose(1, 2).flatten(1)
    hidden = torch.tanh(x @ W_h + b_h)
    return hidden @ W_o + x @ W_d + b_o
# %% wrong="window, detached" says="the gradient is cut" of="window, dimension by dimension"
#~ .transpose(1, 2). => .
#~ hidden @ W_o + x @ W_d + b_o => (hidden @ W_o + x @ W_d + b_o).detach()
# %% wrong="window, E detached" says="the gradient is cut" of="window, dimension by dimension"
#~ [ids].transpose(1, 2) => .detach()[ids]
# %% wrong="window, one row for the batch" says="the right numbers in another order" of="window, dimension by dimension"
#~ transpose(1, 2).flatten(1) => reshape(-1, W_h.shape[0]).flip(0)
# %% wrong="window, numpy" says="the gradient is cut" of="window, dimension by dimension"
#~ .transpose(1, 2). => .
#~ hidden @ W_o + x @ W_d + b_o => torch.from_numpy((hidden @ W_o + x @ W_d + b_o).detach().numpy())
# %% wrong="window, float32" says="float64 was rounded to float32 on the way" of="window, dimension by dimension"
#-     x = E[ids].transpose(1, 2).flatten(1)
#+     E, W_h, b_h, W_o, b_o, W_d = (p.float() for p in (E, W_h, b_h, W_o, b_o, W_d))
#+     x = E[ids].flatten(1)
# %% wrong="states in a float32 buffer" says="float64 was rounded to float32"
def rnn_forward(x, h0, W_x, W_h, b):
    out, h = torch.zeros(len(x), x.shape[1], h0.shape[1]), h0
    for t in range(x.shape[1]):
        h = rnn_cell(x[:, t], h, W_x, W_h, b)
        out[:, t] = h
    return out, h
# %% wrong="the bias is cut off" says="the gradient is cut"
#~ h @ W_h + b) => h @ W_h + b.data)
# %% right="one product, states in a buffer" of="the plain way"
#~ return torch.tanh(x @ W_x + h @ W_h + b) => return torch.tanh(torch.cat([x, h], 1) @ torch.cat([W_x, W_h], 0) + b)
#~ h, states = h0, [] => out, h = x.new_zeros(len(x), x.shape[1], h0.shape[1]), h0
#-         states.append(h)
#-     return torch.stack(states) if states else x.new_zeros(len(x), 0, h0.shape[1]), h
#+         out[:, t] = h
#+     return out, h
# %% wrong="a tanh round the direct path" says="here x W_d went through one" of="window, the plain way"
#~ return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o => return torch.tanh(x @ W_h + b_h) @ W_o + b_o + torch.tanh(x @ W_d)
# %% wrong="cut between the steps" clause="do not use `.detach()` or `.item()` on the way" says="cut between the steps"
def rnn_forward(x, h0, W_x, W_h, b):
    h = h0; s = []
    for t in range(x.shape[1]): h = rnn_cell(x[:, t], h.detach() if t else h, W_x, W_h, b); s.append(h)
    return (torch.stack(s, 1) if s else x.new_zeros(len(x), 0, h0.shape[1])), h
# %% wrong="the old state cut" clause="do not use `.detach()` or `.item()` on the way" says="no detach, item, data or NumPy"
def rnn_cell(x, h, W_x, W_h, b):
    return torch.tanh(x @ W_x + h.detach() @ W_h + b)
# %% wrong="the embedding cut" clause="do not use `.detach()` or `.item()` on the way" says="no detach, item, data or NumPy"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E[ids].flatten(1).detach(); return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
# %% wrong="an empty stack" clause="With T = 0 the states have shape (B, 0, H)" says="takes no empty list"
def rnn_forward(x, h0, W_x, W_h, b):
    h = h0; s = []
    for t in range(x.shape[1]): h = rnn_cell(x[:, t], h, W_x, W_h, b); s.append(h)
    return torch.stack(s, 1), h
# %% wrong="a tanh round both paths" says="went around the sum of both paths"
#~ torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o => torch.tanh(torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d) + b_o
