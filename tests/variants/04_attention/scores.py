# %% wrong="scaled by d" says="by d, not by its square root"
def dot_scores(queries, keys):
    return queries @ keys.mT


def scaled_scores(queries, keys):
    d = queries.size(-1)
    return torch.matmul(queries, keys.transpose(-1, -2)) / d


def general_scores(queries, keys, W):
    return queries @ W @ keys.mT


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q)[..., :, None, :] + (keys @ W_k)[..., None, :, :]) @ v

# %% wrong="scaled without a scale" says="no scale"
def dot_scores(queries, keys):
    return queries @ keys.mT


def scaled_scores(queries, keys):
    return dot_scores(queries, keys)


def general_scores(queries, keys, W):
    return queries @ W @ keys.mT


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q)[..., :, None, :] + (keys @ W_k)[..., None, :, :]) @ v

# %% wrong=".T on everything" says="leading axes"
def dot_scores(queries, keys):
    return queries @ keys.T


def scaled_scores(queries, keys):
    return queries @ keys.mT / queries.shape[-1] ** 0.5


def general_scores(queries, keys, W):
    return queries @ W @ keys.mT


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q)[..., :, None, :] + (keys @ W_k)[..., None, :, :]) @ v

# %% wrong="W turned round" says="W is turned round"
def dot_scores(queries, keys):
    return queries @ keys.mT


def scaled_scores(queries, keys):
    return queries @ keys.mT / queries.shape[-1] ** 0.5


def general_scores(queries, keys, W):
    return queries @ (keys @ W).transpose(-2, -1) if W.shape[0] == W.shape[1] else queries @ W @ keys.mT


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q)[..., :, None, :] + (keys @ W_k)[..., None, :, :]) @ v

# %% wrong="tanh of each part" says="add the two first"
def dot_scores(queries, keys):
    return queries @ keys.mT


def scaled_scores(queries, keys):
    return queries @ keys.mT / queries.shape[-1] ** 0.5


def general_scores(queries, keys, W):
    return queries @ W @ keys.mT


def additive_scores(queries, keys, W_q, W_k, v):
    a = torch.tanh(queries @ W_q).unsqueeze(-2)
    b = torch.tanh(keys @ W_k).unsqueeze(-3)
    return ((a + b) * v).sum(-1)

# %% wrong="additive without tanh" says="there is no tanh"
def dot_scores(queries, keys):
    return queries @ keys.mT


def scaled_scores(queries, keys):
    return queries @ keys.mT / queries.shape[-1] ** 0.5


def general_scores(queries, keys, W):
    return queries @ W @ keys.mT


def additive_scores(queries, keys, W_q, W_k, v):
    return (queries @ W_q @ v)[..., :, None] + (keys @ W_k @ v)[..., None, :]

# %% wrong="cosine" says="this is the cosine"
def dot_scores(queries, keys):
    return F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).mT


def scaled_scores(queries, keys):
    return queries @ keys.mT / queries.shape[-1] ** 0.5


def general_scores(queries, keys, W):
    return queries @ W @ keys.mT


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q)[..., :, None, :] + (keys @ W_k)[..., None, :, :]) @ v

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

# %% right="in 64 bits, a loop over the queries"
def dot_scores(queries, keys):
    rows = [(queries[..., i, None, :].double() * keys.double()).sum(-1) for i in range(queries.shape[-2])]
    return torch.stack(rows, -2)


def scaled_scores(queries, keys):
    return dot_scores(queries / np.sqrt(queries.shape[-1]), keys)


def general_scores(queries, keys, W):
    return dot_scores(queries.double() @ W.double(), keys)


def additive_scores(queries, keys, W_q, W_k, v):
    q, k = queries @ W_q, keys @ W_k
    rows = [(torch.tanh(q[..., i, None, :] + k) * v).sum(-1) for i in range(q.shape[-2])]
    return torch.stack(rows, -2)

# %% wrong="root of the number of keys" says="number of keys"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(keys.shape[-2])


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="root of len" says="number of queries"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / len(queries) ** 0.5


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="times the root" says="multiplied by the square root"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) * queries.shape[-1] ** 0.5


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="precedence of the power" says="d / 2"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / (queries.shape[-1] ** 1 / 2)


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="W on both sides" says="once is enough"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return dot_scores(queries @ W, keys @ W) if W.shape[0] == W.shape[1] else dot_scores(queries @ W, keys)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="general scaled" says="only the scaled one is"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return scaled_scores(queries @ W, keys)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="general turned" says="turned round"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return dot_scores(keys, queries @ W)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="W_q for the keys, too" says="W_k belongs to the keys"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    W = W_q if W_q.shape == W_k.shape else W_k
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W).unsqueeze(-3)) @ v

# %% wrong="pairs by place only" says="every query"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh(queries @ W_q + keys @ W_k) @ v

# %% wrong="additive without leading axes" says="leading axes"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q)[:, None, :] + (keys @ W_k)[None, :, :]) @ v

# %% wrong="additive with keys in rows" says="turned round"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-3) + (keys @ W_k).unsqueeze(-2)) @ v

# %% wrong="sum in place of v" says="v was left out"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)).sum(dim=-1)

# %% wrong="multiplied parts" says="the parts were multiplied"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) * (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="tanh at the end" says="tanh was taken of the finished sum"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh(((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v)

# %% wrong="entries multiplied" says="use @"
def dot_scores(queries, keys):
    return queries * keys


def scaled_scores(queries, keys):
    return queries @ keys.mT / queries.shape[-1] ** 0.5


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="scaled in place" says="in place"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    queries /= math.sqrt(queries.shape[-1])
    return dot_scores(queries, keys)


def general_scores(queries, keys, W):
    return (queries @ W) @ keys.transpose(-1, -2)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

# %% wrong="no return" says="is there a return"
def dot_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-1, -2))


def scaled_scores(queries, keys):
    return dot_scores(queries, keys) / math.sqrt(queries.size(-1))


def general_scores(queries, keys, W):
    dot_scores(queries @ W, keys)


def additive_scores(queries, keys, W_q, W_k, v):
    return torch.tanh((queries @ W_q).unsqueeze(-2) + (keys @ W_k).unsqueeze(-3)) @ v

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

# %% wrong="row by row only: each query with its own key" says="every query meets every key"
def dot_scores(queries, keys):
    return (queries * keys).sum(-1)

# %% wrong="d is read from axis 1" says="count from the end"
def scaled_scores(queries, keys):
    return queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[1])

# %% wrong="transpose(1, 2) needs three axes" says="transpose(-2, -1)"
def dot_scores(queries, keys):
    return torch.bmm(queries, keys.transpose(1, 2))

# %% wrong="a whole root" says="whole number"
def scaled_scores(queries, keys):
    return queries @ keys.transpose(-2, -1) / int(math.sqrt(queries.shape[-1]))

# %% wrong="softmax already" says="softmax is the next exercise"
def scaled_scores(queries, keys):
    return torch.softmax(queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1]), -1)

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

# %% right="float64 inside, matmul"
def dot_scores(queries, keys):
    return torch.matmul(queries.double(), keys.double().mT).to(queries.dtype)


def scaled_scores(queries, keys):
    return (queries / queries.shape[-1] ** 0.25) @ (keys / keys.shape[-1] ** 0.25).mT


def general_scores(queries, keys, W):
    return torch.matmul(queries, torch.matmul(W, keys.mT))


def additive_scores(queries, keys, W_q, W_k, v):
    q = (queries @ W_q).double().unsqueeze(-2)
    k = (keys @ W_k).double().unsqueeze(-3)
    return ((q + k).tanh() @ v.double().unsqueeze(-1)).squeeze(-1).to(queries.dtype)
