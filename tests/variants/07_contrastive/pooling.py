# %% wrong="padding in the mean" says="padding was counted"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    if how == "max":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(1)
    return hidden.mean(1)

# %% wrong="zeros win the maximum" says="0 won the maximum"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    if how == "max":
        return (hidden * mask[..., None]).amax(1)
    return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)

# %% wrong="the last token" says="this is the last token"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, -1]
    if how == "max":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(1)
    return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)

# %% wrong="divided by the padded length" says="not by the length with padding"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    if how == "max":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(1)
    return (hidden * mask[..., None]).mean(1)

# %% right="text by text"
def pool(hidden, mask, how):
    ways = {"cls": lambda v: v[0], "mean": lambda v: v.mean(0), "max": lambda v: v.max(0).values}
    return torch.stack([ways[how](v[m]) for v, m in zip(hidden, mask)])

# %% right="einsum and -1e9"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden.select(1, 0)
    m = mask.double()
    if how == "mean":
        return torch.einsum("btc,bt->bc", hidden.double(), m / m.sum(1, keepdim=True))
    return (hidden + (mask.float()[..., None] - 1) * 1e9).max(dim=1).values

# %% wrong="padding assumed at the end" says="anywhere"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    rows = [h[: int(m.sum())] for h, m in zip(hidden, mask)]
    return torch.stack([r.mean(0) if how == "mean" else r.max(0).values for r in rows])

# %% wrong="the maximum with its indices" says="plain data"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    if how == "mean":
        m = mask[..., None].to(hidden.dtype)
        return (hidden * m).sum(1) / m.sum(1)
    return hidden.masked_fill(~mask[..., None], -torch.inf).max(1)

# %% wrong="masked in place" says="in place"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    m = mask[..., None]
    if how == "mean":
        return hidden.masked_fill(~m, 0).sum(1) / m.sum(1)
    hidden[~mask] = -torch.inf
    return hidden.amax(1)

# %% wrong="divided by the mean number of tokens" says="own number"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    m = mask[..., None]
    if how == "mean":
        return hidden.masked_fill(~m, 0).sum(1) / (m.sum() / len(mask))
    return hidden.masked_fill(~m, -torch.inf).amax(1)

# %% wrong="-10 instead of minus infinity" says="minus infinity"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    m = mask[..., None]
    if how == "mean":
        return hidden.masked_fill(~m, 0).sum(1) / m.sum(1)
    return hidden.masked_fill(~m, -10.0).amax(1)

# %% wrong="mean without [CLS]" says="[CLS]"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    m = mask[..., None].clone()
    if how == "mean":
        m[:, 0] = False
        return hidden.masked_fill(~m, 0).sum(1) / m.sum(1).clamp(min=1)
    return hidden.masked_fill(~m, -torch.inf).amax(1)

# %% wrong="pooled over the wrong axis" says="texts of the batch"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[0]
    m = mask[..., None]
    if how == "mean":
        return hidden.masked_fill(~m, 0).mean(0)
    return hidden.masked_fill(~m, -torch.inf).amax(0)

# %% wrong="mask inverted" says="padding"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    m = mask[..., None]
    if how == "mean":
        return hidden.masked_fill(m, 0).sum(1) / m.sum(1)
    return hidden.masked_fill(m, -torch.inf).amax(1)

# %% right="row by row"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden.select(1, 0)
    rows = [h[m] for h, m in zip(hidden, mask)]
    return torch.stack([r.mean(0) if how == "mean" else r.amax(0) for r in rows])

# %% right="einsum, -1e30"
def pool(hidden, mask, how):
    m = mask.to(hidden.dtype)
    if how == "cls":
        return hidden[:, 0, :].clone()
    if how == "mean":
        return torch.einsum("btc,bt->bc", hidden, m / m.sum(1, keepdim=True))
    return torch.where(mask[:, :, None], hidden, -1e30).max(dim=1)[0]
