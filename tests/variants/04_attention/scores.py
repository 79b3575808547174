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
