# %% base="a loop"
def shorten(vectors, size):
    short = vectors[..., :size]
    return short / short.norm(dim=-1, keepdim=True).clamp(min=1e-12)
def matryoshka_loss(queries, keys, sizes, temperature=0.05):
    total = 0.0
    for size in sizes:
        scores = shorten(queries, size) @ shorten(keys, size).T / temperature
        total = total - scores.log_softmax(-1).diagonal().mean()
    return total / len(sizes)
# %% right="by hand" of="a loop"
#~ total = 0.0 => total = queries.new_zeros(())
# %% right="stacked, double precision"
def shorten(vectors, size):
    return F.normalize(vectors.narrow(-1, 0, size), dim=-1)
def matryoshka_loss(queries, keys, sizes, temperature=0.05):
    losses = [info_nce(queries[:, :n].double(), keys[:, :n].double(), temperature) for n in sizes]
    return torch.stack(losses).mean()
# %% wrong="not brought to length 1 again" says="length 1 again" of="a loop"
#~ return short / short.norm(dim=-1, keepdim=True).clamp(min=1e-12) => return short
# %% wrong="normalised before the cut" says="cut first" of="a loop"
#~ short = vectors[..., :size] => return F.normalize(vectors, dim=-1)[..., :size]
# %% wrong="the last numbers" says="the first are asked" of="a loop"
#~ vectors[..., :size] => vectors[..., -size:]
# %% wrong="rows instead of columns" says="rows were cut" of="a loop"
#~ vectors[..., :size] => vectors[:size]
# %% wrong="sum over the sizes" says="added up" of="a loop"
#~ return total / len(sizes) => return total
# %% wrong="only the largest size" says="largest size" of="a loop"
#~ in sizes: => in [max(sizes)]:
#~ / len(sizes) => / 1
# %% wrong="the temperature left out" says="temperature was ignored" of="a loop"
#~ .T / temperature => .T / 0.05
# %% wrong="both directions" says="both directions" of="stacked, double precision"
#~ info_nce(queries[:, :n].double(), keys[:, :n].double(), temperature) => (info_nce(queries[:, :n], keys[:, :n], temperature) + info_nce(keys[:, :n], queries[:, :n], temperature)) / 2
# %% wrong="detached keys" says="detached" of="a loop"
#~ shorten(keys, size) => shorten(keys.detach(), size)
# %% wrong="a row of zeros divides by zero" says="NaN" of="a loop"
#~ keepdim=True).clamp(min=1e-12) => keepdim=True)
# %% wrong="float32 inside" says="" of="a loop"
#~ short = vectors[..., :size] => short = vectors[..., :size].float()
# %% wrong="an epsilon of a hundredth" says="long and short ones"
def shorten(vectors, size):
    return F.normalize(vectors[..., :size], dim=-1, eps=1e-2)
# %% wrong="short vectors do not learn" says="the gradients"
def matryoshka_loss(queries, keys, sizes, temperature=0.05):
    losses = [info_nce(queries[:, :n], keys[:, :n], temperature) for n in sizes]
    return sum(one if n == max(sizes) else one.detach() for n, one in zip(sizes, losses)) / len(sizes)
# %% wrong="NaN becomes 0, cross-entropy" says="the gradient is NaN" clause="Finite gradients flow back to both inputs of a loss, and"
def shorten(vectors, size):
    short = vectors.narrow(-1, 0, size)
    return torch.nan_to_num(short / short.norm(dim=-1, keepdim=True))
def matryoshka_loss(queries, keys, sizes, temperature=0.05):
    at = torch.arange(len(keys))
    return torch.stack([F.cross_entropy(shorten(queries, n) @ shorten(keys, n).T / temperature, at) for n in sizes]).mean()
# %% wrong="cut again" says="was cut again" of="a return in the loop"
#-         total = total + info_nce(queries[:, :size], keys[:, :size], temperature)
#-         return total / len(sizes)
#+         queries, keys = shorten(queries, size), shorten(keys, size)
#+         total = total + info_nce(queries, keys, temperature)
#+     return total / len(sizes)
# %% wrong="a return in the loop" says="is a return inside the loop"
def matryoshka_loss(queries, keys, sizes, temperature=0.05):
    total = 0.0
    for size in sizes:
        total = total + info_nce(queries[:, :size], keys[:, :size], temperature)
        return total / len(sizes)
# %% wrong="the last alone" says="only the last of" of="the last alone, divided"
#~ return loss / len(sizes) => return loss
# %% wrong="the last alone, divided" says="the last of `sizes` alone was divided"
def matryoshka_loss(queries, keys, sizes, temperature=0.05):
    for size in sizes:
        loss = info_nce(queries[:, :size], keys[:, :size], temperature)
    return loss / len(sizes)
# %% wrong="joined to one" says="went into a single loss"
def matryoshka_loss(queries, keys, sizes, temperature=0.05):
    a, b = (torch.cat([shorten(v, size) for size in sizes], dim=1) for v in (queries, keys))
    return info_nce(a, b, temperature)
# %% wrong="a size that comes twice, once" says="a size that comes twice counts twice" of="a loop"
#~ for size in sizes: => for size in (sizes := sorted(set(sizes))):
