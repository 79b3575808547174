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
