# %% base="the plain way"
def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / queries.shape[-1] ** 0.5
def dot_scores(queries, keys):
    return (queries * keys).sum(-1)
def general_scores(queries, keys, W):
    return scaled_scores(queries @ W, keys)
def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh(((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v)
# %% wrong="scaled by d" says="by d, not by its square root"
def scaled_scores(queries, keys):
    d = queries.size(-1)
    return torch.matmul(queries, keys.transpose(-1, -2)) / d
# %% wrong="scaled without a scale" says="no scale" of="einsum"
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5 => dot_scores(queries, keys)
# %% wrong=".T on everything" says="leading axes" of="broadcast products"
#~ (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) => queries @ keys.T
#~ dot_scores(queries / keys.shape[-1] ** 0.25, keys / keys.shape[-1] ** 0.25) => queries @ keys.mT / queries.shape[-1] ** 0.5
#~ dot_scores(queries, keys @ W.T) => queries @ W @ keys.mT
# %% wrong="W turned round" says="W is transposed" of="einsum"
#~ torch.einsum("...ia,ab,...jb->...ij", queries, W, keys) => queries @ (keys @ W).transpose(-2, -1) if W.shape[0] == W.shape[1] else queries @ W @ keys.mT
# %% wrong="tanh of each part" says="add the two first"
def additive_scores(queries, keys, W_q, W_k, v):
    a = torch.tanh(queries @ W_q).unsqueeze(-2)
    b = torch.tanh(keys @ W_k).unsqueeze(-3)
    return ((a + b) * v).sum(-1)
# %% wrong="additive without tanh" says="there is no tanh" of="the plain way"
#~ torch.tanh(((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v) => (queries @ W_q @ v)[..., :, None] + (keys @ W_k @ v)[..., None, :]
# %% wrong="cosine" says="this is the cosine" of="broadcast products"
#~ (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) => F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).mT
#~ dot_scores(queries / keys.shape[-1] ** 0.25, keys / keys.shape[-1] ** 0.25) => queries @ keys.mT / queries.shape[-1] ** 0.5
#~ dot_scores(queries, keys @ W.T) => queries @ W @ keys.mT
# %% right="einsum"
def dot_scores(queries, keys):
    return torch.einsum("...id,...jd->...ij", queries, keys)
def scaled_scores(queries, keys):
    return torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5
def general_scores(queries, keys, W):
    return torch.einsum("...ia,ab,...jb->...ij", queries, W, keys)
def additive_scores(queries, keys, W_q, W_k, v):
    a = torch.einsum("...id,da->...ia", queries, W_q)
    b = torch.einsum("...jd,da->...ja", keys, W_k)
    return torch.einsum("...ija,a->...ij", torch.tanh(a[..., :, None, :] + b[..., None, :, :]), v)
# %% right="in 64 bits, a loop over the queries" of="einsum"
#-     return torch.einsum("...id,...jd->...ij", queries, keys)
#+     rows = [(queries[..., i, None, :].double() * keys.double()).sum(-1) for i in range(queries.shape[-2])]
#+     return torch.stack(rows, -2).to(queries.dtype)
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5 => dot_scores(queries / np.sqrt(queries.shape[-1]), keys)
#~ torch.einsum("...ia,ab,...jb->...ij", queries, W, keys) => dot_scores(queries @ W, keys)
#~ a = torch.einsum("...id,da->...ia", queries, W_q) => q, k = queries @ W_q, keys @ W_k
#~ b = torch.einsum("...jd,da->...ja", keys, W_k) => rows = [(torch.tanh(q[..., i, None, :] + k) * v).sum(-1) for i in range(q.shape[-2])]
#~ einsum("...ija,a->...ij", torch.tanh(a[..., :, None, :] + b[..., None, :, :]), v) => stack(rows, -2)
# %% wrong="64 bits come back" says="float64 came, float32 was expected" of="einsum"
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5 => dot_scores(queries, keys) / np.sqrt(queries.shape[-1])
#-     return torch.einsum("...id,...jd->...ij", queries, keys)
#+     return queries.double() @ keys.double().mT
# %% wrong="root of the number of keys" says="number of keys" of="einsum"
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5 => dot_scores(queries, keys) / math.sqrt(keys.shape[-2])
# %% wrong="root of len" says="number of queries" of="einsum"
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0 => dot_scores(queries, keys) / len(queries) ** 0
# %% wrong="times the root" says="multiplied by the square root" of="einsum"
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0 => dot_scores(queries, keys) * queries.shape[-1] ** 0
# %% wrong="precedence of the power" says="d / 2" of="einsum"
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5 => dot_scores(queries, keys) / (queries.shape[-1] ** 1 / 2)
# %% wrong="W on both sides" says="once is enough" of="einsum"
#~ torch.einsum("...ia,ab,...jb->...ij", queries, W, keys) => dot_scores(queries @ W, keys @ W) if W.shape[0] == W.shape[1] else dot_scores(queries @ W, keys)
# %% wrong="general scaled" says="only the scaled one is" of="einsum"
#~ torch.einsum("...ia,ab,...jb->...ij", queries, W, keys) => scaled_scores(queries @ W, keys)
# %% wrong="general turned" says="transposed" of="einsum"
#~ torch.einsum("...ia,ab,...jb->...ij", queries, W, keys) => dot_scores(keys, queries @ W)
# %% wrong="W_q for the keys, too" says="W_k belongs to the keys"
def additive_scores(queries, keys, W_q, W_k, v):
    W = W_q if W_q.shape == W_k.shape else W_k
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W).unsqueeze(-3)) @ v
# %% wrong="pairs by place only" says="every query" of="the plain way"
#~ (((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v) => (queries @ W_q + keys @ W_k) @ v
# %% wrong="additive without leading axes" says="leading axes" of="the plain way"
#~ (((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v) => ((queries @ W_q)[:, None, :] + (keys @ W_k)[None, :, :]) @ v
# %% wrong="additive with keys in rows" says="transposed" of="the plain way"
#~ (((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v) => ((queries @ W_q).unsqueeze(-3) + (keys @ W_k).unsqueeze(-2)) @ v
# %% wrong="sum in place of v" says="v was left out" of="the plain way"
#~ (((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v) => ((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)).sum(dim=-1)
# %% wrong="multiplied parts" says="the parts were multiplied" of="the plain way"
#~ (((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v) => ((queries @ W_q).unsqueeze(-2) * (keys @ W_k).unsqueeze(-3)) @ v
# %% wrong="tanh at the end" says="tanh was taken of the finished sum" of="tanh of the queries' part"
#~ return (torch.tanh(queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v => return torch.tanh(((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v)
# %% wrong="entries multiplied" says="use @" of="broadcast products"
#~ (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) => queries * keys
#~ dot_scores(queries / keys.shape[-1] ** 0.25, keys / keys.shape[-1] ** 0.25) => queries @ keys.mT / queries.shape[-1] ** 0.5
#~ dot_scores(queries, keys @ W.T) => (queries @ W) @ keys.transpose(-1, -2)
# %% wrong="scaled in place" says="in place"
def scaled_scores(queries, keys):
    queries /= math.sqrt(queries.shape[-1])
    return dot_scores(queries, keys)
# %% wrong="no return" says="is there a return" of="einsum"
#~ return torch.einsum("...ia,ab,...jb->...ij", queries, W, keys) => dot_scores(queries @ W, keys)
# %% right="broadcast products"
def dot_scores(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1)
def scaled_scores(queries, keys):
    return dot_scores(queries / keys.shape[-1] ** 0.25, keys / keys.shape[-1] ** 0.25)
def general_scores(queries, keys, W):
    return dot_scores(queries, keys @ W.T)
def additive_scores(queries, keys, W_q, W_k, v):
    a, b = torch.broadcast_tensors((queries @ W_q)[..., :, None, :], (keys @ W_k)[..., None, :, :])
    return torch.einsum("...a,a->...", torch.tanh(a + b), v)
# %% right="through bmm and linear"
def dot_scores(queries, keys):
    lead = queries.shape[:-2]
    q, k = queries.reshape(-1, *queries.shape[-2:]), keys.reshape(-1, *keys.shape[-2:])
    return torch.bmm(q, k.permute(0, 2, 1)).reshape(*lead, q.shape[1], k.shape[1])
def scaled_scores(queries, keys):
    out = dot_scores(queries, keys)
    out /= torch.tensor(float(keys.shape[-1])).sqrt()
    return out
def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)
def additive_scores(queries, keys, W_q, W_k, v):
    columns = [torch.tanh(F.linear(queries, W_q.T) + (k.unsqueeze(-2) @ W_k)) @ v for k in keys.unbind(-2)]
    return torch.stack(columns, dim=-1)
# %% wrong="row by row only: each query with its own key" says="every query meets every key" of="broadcast products"
#~ queries.unsqueeze(-2) * keys.unsqueeze(-3) => queries * keys
# %% wrong="d is read from axis 1" says="count from the end" of="einsum"
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5 => queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[1])
# %% wrong="transpose(1, 2) needs three axes" says="transpose(-2, -1)" of="broadcast products"
#~ (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) => torch.bmm(queries, keys.transpose(1, 2))
# %% wrong="a whole root" says="whole number" of="einsum"
#~ torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5 => queries @ keys.transpose(-2, -1) / int(math.sqrt(queries.shape[-1]))
# %% wrong="softmax already" says="softmax is the next exercise" of="einsum"
#~ einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5 => softmax(queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1]), -1)
# %% right="loops over queries and keys"
def dot_scores(queries, keys):
    columns = [(queries * keys[..., j : j + 1, :]).sum(-1) for j in range(keys.shape[-2])]
    return torch.stack(columns, dim=-1)
def scaled_scores(queries, keys):
    d = torch.tensor(float(keys.shape[-1]))
    return dot_scores(queries / d.sqrt(), keys)
def general_scores(queries, keys, W):
    return dot_scores(queries, keys @ W.T)
def additive_scores(queries, keys, W_q, W_k, v):
    rows = []
    for i in range(queries.shape[-2]):
        q = queries[..., i : i + 1, :] @ W_q
        rows.append((torch.tanh(q + keys @ W_k) * v).sum(-1))
    return torch.stack(rows, dim=-2)
# %% right="float64 inside, matmul" of="broadcast products"
#~ return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) => return torch.matmul(queries.double(), keys.double().mT).to(queries.dtype)
#~ return dot_scores(queries / keys.shape[-1] ** 0.25, keys / keys.shape[-1] ** 0.25) => return (queries / queries.shape[-1] ** 0.25) @ (keys / keys.shape[-1] ** 0.25).mT
#~ return dot_scores(queries, keys @ W.T) => return torch.matmul(queries, torch.matmul(W, keys.mT))
#-     a, b = torch.broadcast_tensors((queries @ W_q)[..., :, None, :], (keys @ W_k)[..., None, :, :])
#-     return torch.einsum("...a,a->...", torch.tanh(a + b), v)
#+     q = (queries @ W_q).double().unsqueeze(-2)
#+     k = (keys @ W_k).double().unsqueeze(-3)
#+     return ((q + k).tanh() @ v.double().unsqueeze(-1)).squeeze(-1).to(queries.dtype)
# %% wrong="tanh by NumPy" says="the gradient is cut"
def additive_scores(queries, keys, W_q, W_k, v):
    pairs = (queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)
    return torch.tanh(pairs.detach()) @ v
# %% wrong="keys without a gradient" says="the gradient is cut"
def dot_scores(queries, keys):
    return queries @ keys.detach().transpose(-2, -1)
# %% wrong="always float32" says="the dtype changed" of="scale first again"
#~ return dot_scores(queries / queries.shape[-1] ** 0.25, keys / queries.shape[-1] ** 0.25) => return (queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])).float()
# %% wrong="tanh of what is cut to +-3" says="large and small numbers"
def additive_scores(queries, keys, W_q, W_k, v):
    p = (queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)
    return torch.tanh(p.clamp(-3, 3)) @ v
# %% wrong="W detached" says="the gradient is cut" of="general squeezed"
#~ return (queries @ W @ keys.transpose(-2, -1)).squeeze() => return queries @ W.detach() @ keys.mT
# %% right="scale first again"
def scaled_scores(queries, keys):
    return dot_scores(queries / queries.shape[-1] ** 0.25, keys / queries.shape[-1] ** 0.25)
# %% wrong="additive squeezed" says="squeezed away"
def additive_scores(queries, keys, W_q, W_k, v):
    hidden = torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3))
    return (hidden @ v.unsqueeze(-1)).squeeze()
# %% wrong="general squeezed" says="squeezed away"
def general_scores(queries, keys, W):
    return (queries @ W @ keys.transpose(-2, -1)).squeeze()
# %% wrong="additive scaled" says="divided by a root"
def additive_scores(queries, keys, W_q, W_k, v):
    scores = torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v
    return scores / math.sqrt(len(v))
# %% wrong="tanh of the queries' part" says="the queries' part alone"
def additive_scores(queries, keys, W_q, W_k, v):
    return (torch.tanh(queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v
# %% wrong="keys cut from the gradient" clause="gradients reach each argument" says="no detach, item, data or NumPy"
#~ return queries @ keys.transpose(-2, -1) => return queries @ keys.detach().transpose(-2, -1)
# %% wrong="v cut from the gradient" clause="gradients reach each argument" says="no detach, item, data or NumPy"
#~ torch.tanh(pairs) @ v => torch.tanh(pairs) @ v.detach()
# %% wrong="first and last axis exchanged" clause="In all four functions leading axes (batch, heads) come out in front" says="the first axis is the batch"
#~ return queries @ keys.transpose(-2, -1) => return queries @ keys.transpose(0, -1)
# %% wrong="the keys of the first text for all" says="compared with the keys of the first" clause="leading axes (batch, heads) come out in front"
#~ (keys @ W_k).unsqueeze(-3) => (keys[(0,) * (keys.dim() - 2)] @ W_k).unsqueeze(-3)
# %% wrong="a scaled cosine" says="nor a scaled one"
#~ dot_scores(queries, keys) / math.sqrt(queries.shape[-1]) => dot_scores(queries / queries.norm(dim=-1, keepdim=True), keys / keys.norm(dim=-1, keepdim=True)) / math.sqrt(queries.shape[-1])
