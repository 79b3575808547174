# %% base="the plain way"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    m = mask[..., None]
    if how == "mean":
        return hidden.masked_fill(~m, 0).sum(1) / m.sum(1)
    return hidden.masked_fill(~m, -10.0).amax(1)
# %% wrong="padding in the mean" says="padding was counted"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    if how == "max":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(1)
    return hidden.mean(1)
# %% wrong="zeros win the maximum" says="0 won the maximum" of="padding in the mean"
#~ hidden.masked_fill(~mask[..., None], -torch.inf) => (hidden * mask[..., None])
#~ hidden.mean(1) => (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
# %% wrong="the last token" says="this is the last token" of="padding in the mean"
#~ 0 => -1
#~ hidden.mean(1) => (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
# %% wrong="divided by the padded length" says="not by the length with padding" of="padding in the mean"
#~ hidden.mean => (hidden * mask[..., None]).mean
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
# %% wrong="padding assumed at the end" says="anywhere" of="row by row"
#~ .select(1, 0) => [:, 0]
#~ [m] => [: int(m.sum())]
#~ amax(0) => max(0).values
# %% wrong="the maximum with its indices" says="return that one alone" of="the longest token taken whole"
#-         return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
#-     longest = hidden.norm(dim=-1).masked_fill(~mask, -1).argmax(1)
#-     return hidden[torch.arange(len(hidden)), longest]
#+         m = mask[..., None].to(hidden.dtype)
#+         return (hidden * m).sum(1) / m.sum(1)
#+     return hidden.masked_fill(~mask[..., None], -torch.inf).max(1)
# %% wrong="masked in place" says="in place" of="the plain way"
#-     return hidden.masked_fill(~m, -10.0).amax(1)
#+     hidden[~mask] = -torch.inf
#+     return hidden.amax(1)
# %% wrong="divided by the mean number of tokens" says="own number" of="the plain way"
#~ m.sum(1) => (m.sum() / len(mask))
#~ 10.0 => torch.inf
# %% wrong="-10 instead of minus infinity" says="minus infinity" of="einsum and -1e9"
#~ .select(1, 0) => [:, 0]
#~ mask.double() => mask[..., None]
#~ torch.einsum("btc,bt->bc", hidden.double(), m / m.sum(1, keepdim=True)) => hidden.masked_fill(~m, 0).sum(1) / m.sum(1)
#~ (hidden + (mask.float()[..., None] - 1) * 1e9).max(dim=1).values => hidden.masked_fill(~m, -10.0).amax(1)
# %% wrong="mean without [CLS]" says="[CLS]" of="the plain way"
#~ [..., None] => [..., None].clone()
#-         return hidden.masked_fill(~m, 0).sum(1) / m.sum(1)
#-     return hidden.masked_fill(~m, -10.0).amax(1)
#+         m[:, 0] = False
#+         return hidden.masked_fill(~m, 0).sum(1) / m.sum(1).clamp(min=1)
#+     return hidden.masked_fill(~m, -torch.inf).amax(1)
# %% wrong="pooled over the wrong axis" says="texts of the batch" of="the plain way"
#~ [:, 0] => [0]
#~ sum(1) / m.sum(1) => mean(0)
#~ (~m, -10.0).amax(1) => (~m, -torch.inf).amax(0)
# %% wrong="mask inverted" says="padding" of="the plain way"
#~ (~m, 0) => (m, 0)
#~ ~m, -10.0 => m, -torch.inf
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
# %% wrong="detached" says="is something detached"
def pool(hidden, mask, how):
    hidden = hidden.detach()
    if how == "cls":
        return hidden[:, 0]
    if how == "max":
        return hidden.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)
    weights = mask[..., None].to(hidden.dtype)
    return (hidden * weights).sum(dim=1) / weights.sum(dim=1)
# %% wrong="minus ten thousand added" says="-10000 was added to padding"
def pool(hidden, mask, how):
    w = mask[..., None].to(hidden.dtype)
    if how == "cls": return hidden[:, 0]
    return (hidden - 1e4 * (1 - w)).amax(1) if how == "max" else (hidden * w).sum(1) / w.sum(1)
# %% wrong="the mean squeezed" says="squeezed away" of="padding in the mean"
#~ return hidden.mean(1) => return ((mask / mask.sum(1, keepdim=True))[:, None].to(hidden.dtype) @ hidden).squeeze()
# %% wrong="squeezed at the end" says="squeezed away"
def pool(hidden, mask, how):
    if how == "cls": return hidden[:, :1].squeeze()
    texts = [h[m] for h, m in zip(hidden, mask)]
    return torch.stack([t.mean(0) if how == "mean" else t.amax(0) for t in texts])
# %% right="padding becomes the smallest number"
def pool(hidden, mask, how):
    if how == "cls": return hidden.select(1, 0)
    if how == "max": return torch.where(mask.unsqueeze(-1), hidden, hidden.min()).max(1)[0]
    return torch.einsum("btc,bt->bc", hidden, mask.to(hidden) / mask.sum(1, keepdim=True))
# %% wrong="the longest token taken whole" says="taken whole"
def pool(hidden, mask, how):
    if how == "cls":
        return hidden[:, 0]
    if how == "mean":
        return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    longest = hidden.norm(dim=-1).masked_fill(~mask, -1).argmax(1)
    return hidden[torch.arange(len(hidden)), longest]
# %% wrong="by the root of the number" says="the root of the number" of="padding in the mean"
#~ return hidden.mean(1) => return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).sqrt()
# %% wrong="one token more" says="one more than" of="padding in the mean"
#~ return hidden.mean(1) => return (hidden * mask[..., None]).sum(1) / (mask.sum(1, keepdim=True) + 1)
# %% wrong="the mean normalised" says="brought to length 1" of="padding in the mean"
#~ return hidden.mean(1) => return F.normalize((hidden * mask[..., None]).sum(1), dim=-1)
# %% wrong="the texts joined" says="all texts went into one" of="padding in the mean"
#~ return hidden.mean(1) => return hidden[mask].mean(0).expand(len(hidden), -1)
# %% wrong="the largest size with its sign" says="farthest from 0" of="text by text"
#~ lambda v: v.max(0).values => lambda v: v.gather(0, v.abs().argmax(0, keepdim=True))[0]
