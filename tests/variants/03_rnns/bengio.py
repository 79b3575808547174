# %% base="the plain way"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E[ids].flatten(1)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
# %% wrong="no direct path" says="direct path is missing" of="another way, 1"
#~ torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1) => E[ids].flatten(1)
#~ x @ W_d + b_o => b_o
# %% wrong="no tanh" says="no tanh" of="another way, 1"
#~ torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1) => E[ids].flatten(1)
#~ torch.tanh(x @ W_h + b_h) => (x @ W_h + b_h)
# %% wrong="turned round" says="oldest word comes first" of="another way, 1"
#~ torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1) => E[ids.flip(1)].flatten(1)
# %% right="another way, 1"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    x = torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
# %% right="another way, 2"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    x = F.embedding(ids, E).reshape(len(ids), -1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
# %% wrong="no hidden bias" says="b_h of the hidden layer is missing" of="the plain way"
#~ W_h + b_h => W_h
# %% wrong="no output bias" says="b_o of the scores is missing" of="the plain way"
#~ W_d + b_o => W_d
# %% wrong="softmax at the end" says="softmax" of="the plain way"
#~ torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o => (torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o).softmax(-1)
# %% wrong="log-softmax at the end" says="log-probabilities" of="the plain way"
#~ torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o => (torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o).log_softmax(-1)
# %% wrong="relu" says="tanh" of="the plain way"
#~ tanh => relu
# %% wrong="sigmoid" says="tanh" of="the plain way"
#~ tanh => sigmoid
# %% wrong="tanh of everything" says="tanh" of="the plain way"
#~ (x @ W_h + b_h) @ W_o + x @ W_d + b_o => (torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o)
# %% wrong="tanh of the output only" says="tanh" of="the plain way"
#~ (x @ W_h + b_h) @ W_o => ((x @ W_h + b_h) @ W_o)
# %% wrong="bias outside of the tanh" says="inside" of="the plain way"
#~ torch.tanh(x @ W_h + b_h) => (torch.tanh(x @ W_h) + b_h)
# %% wrong="dimension by dimension, not word by word" says="word after word" of="the plain way"
#~ flatten(1) => transpose(1, 2).reshape(len(ids), -1)
# %% wrong="the batch is mixed" says="batch" of="the plain way"
#~ flatten(1) => transpose(0, 1).reshape(len(ids), -1)
# %% wrong="the first window only" says="first window" of="the plain way"
#~ [ids].flatten(1) => [ids[0]].reshape(1, -1)
# %% wrong="a bag of words" says="averaged" of="the plain way"
#~ [ids]. => [ids].mean(1, keepdim=True).expand(-1, ids.shape[1], -1).
# %% wrong="direct path only" says="hidden layer is missing"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    return E[ids].flatten(1) @ W_d + b_o
# %% wrong="the output bias twice" says="b_o" of="the plain way"
#~ x @ W_d + b_o => b_o + F.linear(x, W_d.T, b_o)
# %% wrong="the gradient is cut" says="gradient" of="the plain way"
#~ (1) => (1).detach()
# %% wrong="the dtype is lost" says="float32"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E[ids].flatten(1).float()
    return torch.tanh(x @ W_h.float() + b_h.float()) @ W_o.float() + x @ W_d.float() + b_o.float()
# %% wrong="likeliest word" says="scores" of="the plain way"
#~ torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o => (torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o).argmax(-1)
# %% wrong="forgets its return" says="return" of="the plain way"
#~ return => scores =
# %% right="loops over the batch"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    rows = []
    for window in ids:
        x = torch.cat([E[int(i)] for i in window])
        rows.append(b_o + x @ W_d + W_o.T @ torch.tanh(W_h.T @ x + b_h))
    return torch.stack(rows)
# %% right="einsum on the unflattened weights"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    (B, n), d = ids.shape, E.shape[1]
    e = E[ids]
    hidden = torch.einsum("bnd,ndh->bh", e, W_h.view(n, d, -1)) + b_h
    return hidden.tanh() @ W_o + torch.einsum("bnd,ndv->bv", e, W_d.view(n, d, -1)) + b_o
# %% right="one-hot and linear"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = (F.one_hot(ids, len(E)).to(E.dtype) @ E).flatten(1)
    return F.linear(torch.tanh(F.linear(x, W_h.T, b_h)), W_o.T, b_o) + F.linear(x, W_d.T)
# %% right="one product for both paths"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E.index_select(0, ids.flatten()).view(len(ids), -1)
    return torch.addmm(b_o, torch.cat([torch.tanh(torch.addmm(b_h, x, W_h)), x], 1), torch.cat([W_o, W_d]))
# %% right="unseen, right 1"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = torch.cat([F.embedding(ids[:, j], E) for j in range(ids.shape[1])], dim=-1)
    return F.linear(torch.tanh(F.linear(x, W_h.T, b_h)), W_o.T, b_o) + x.mm(W_d)
# %% wrong="dimension by dimension" says="x holds word after word: here all first numbers of the"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    x = E[ids].transpose(1, 2).flatten(1)
    hidden = torch.tanh(x @ W_h + b_h)
    return hidden @ W_o + x @ W_d + b_o
# %% wrong="detached" says="the gradient is cut on its way to E: no detach, no item, no" of="dimension by dimension"
#~ .transpose(1, 2). => .
#~ hidden @ W_o + x @ W_d + b_o => (hidden @ W_o + x @ W_d + b_o).detach()
# %% wrong="E detached" says="the gradient is cut on its way to E: no detach, no item, no" of="dimension by dimension"
#~ [ids].transpose(1, 2) => .detach()[ids]
# %% wrong="one row for the batch" says="the right numbers in another order" of="dimension by dimension"
#~ transpose(1, 2).flatten(1) => reshape(-1, W_h.shape[0]).flip(0)
# %% wrong="numpy" says="the gradient is cut on its way to E: no detach, no item, no" of="dimension by dimension"
#~ .transpose(1, 2). => .
#~ hidden @ W_o + x @ W_d + b_o => torch.from_numpy((hidden @ W_o + x @ W_d + b_o).detach().numpy())
# %% wrong="float32" says="float64 was rounded to float32 on the way"
def bengio_logits(ids, E, W_h, b_h, W_o, b_o, W_d):
    E, W_h, b_h, W_o, b_o, W_d = (p.float() for p in (E, W_h, b_h, W_o, b_o, W_d))
    x = E[ids].flatten(1)
    hidden = torch.tanh(x @ W_h + b_h)
    return hidden @ W_o + x @ W_d + b_o
