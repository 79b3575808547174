# %% wrong="split along the wrong axis" says="split along the wrong axis"
def split_heads(x, num_heads):
    B, T, C = x.shape
    return x.view(B, num_heads, T, C // num_heads)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="every H-th feature" says="neighbouring"
def split_heads(x, num_heads):
    B, T, C = x.shape
    return x.view(B, T, C // num_heads, num_heads).permute(0, 3, 1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="not moved" says="exchange the axes"
def split_heads(x, num_heads):
    B, T, C = x.shape
    return x.view(B, T, num_heads, C // num_heads)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="merged by a view" says="without exchanging the axes back"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    B, H, T, d = x.shape
    return x.reshape(B, T, H * d)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="concatenated feature by feature" says="wrong order"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    B, H, T, d = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * d)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="no W_O" says="W_O is missing"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v), w

# %% wrong="scaled by all features" says="that of one head"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / x_q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="weights as nn.Linear" says="x W, not x W^T"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q.T, x_kv @ W_k.T, x_kv @ W_v.T))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o.T, w

# %% wrong="values from x_q" says="values come from x_q"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_q @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="keys and values from x_q" says="keys and values come from x_q"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_q @ W_k, x_q @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="mask forgotten" says="the mask was not used"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if False:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="mask as in nn.MultiheadAttention" says="wrong way round"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% wrong="weights averaged" says="averaged over the heads"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w.mean(1)

# %% right="unflatten"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1)
    return merge_heads(w @ v) @ W_o, w

# %% right="head by head"
def split_heads(x, num_heads):
    return torch.stack(torch.chunk(x, num_heads, dim=2), dim=1)


def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)


def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    B, d = len(x_q), W_q.shape[1] // num_heads
    shape = (B, num_heads, x_q.shape[1], x_kv.shape[1])
    mask = torch.ones(shape, dtype=torch.bool) if mask is None else mask.expand(shape)
    heads, weights = [], []
    for h in range(num_heads):
        part = slice(h * d, (h + 1) * d)
        out, w = masked_attention(x_q @ W_q[:, part], x_kv @ W_k[:, part], x_kv @ W_v[:, part], mask[:, h])
        heads.append(out)
        weights.append(w)
    return torch.cat(heads, -1) @ W_o, torch.stack(weights, 1)
