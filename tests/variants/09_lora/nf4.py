# %% wrong="not divided" says="not divided by the largest"
#~ levels / levels.max() => levels
# %% wrong="seven above, eight below" says="other way round"
#~ half(9).flip => half(8).flip
#~ -half(8) => -half(9)
# %% wrong="even steps" says="sixteen even levels"
def nf4_levels():
    return torch.linspace(-1, 1, 16)
# %% wrong="all quantiles in one piece" says="in one piece"
def nf4_levels():
    levels = torch.special.ndtri(torch.linspace(1 - OFFSET, OFFSET, 16, dtype=torch.float64))
    return (levels / levels.max()).float()
# %% wrong="descending" says="ascending order"
#~ levels / levels.max() => levels.flip(0) / levels.max()
# %% wrong="one scale" says="each block has its own"
#~ blocks.abs().amax(dim=1) => blocks.abs().max().expand(len(blocks))
# %% wrong="signed maximum" says="may be negative"
#~ blocks.abs().amax(dim=1) => blocks.amax(dim=1)
# %% wrong="level below" says="level below"
#~ ((blocks / scales[:, None])[..., None] - nf4_levels()).abs().argmin(dim=-1) => (torch.bucketize((blocks / scales[:, None]).contiguous(), nf4_levels(), right=True) - 1).clamp(0, 15)
# %% wrong="not scaled" says="not divided by the scale"
#~ (blocks / scales[:, None]) => blocks
# %% wrong="a scale for each row" says="each row got one scale"
#~ weight.reshape(-1, block) => weight
# %% wrong="down the columns" says="run along the rows"
#~ weight.reshape => weight.T.reshape
# %% wrong="zeros over zeros" says="scale 1"
#~ torch.where(scales > 0, scales, 1.0) => scales
# %% wrong="int64 codes" says="uint8"
#~ .to(torch.uint8) => .long()
# %% wrong="scales forgotten" says="scales are missing"
#~  * scales[:, None]).view => ).view
# %% wrong="codes as numbers" says="used as numbers"
#~ nf4_levels()[codes.long()] => codes.float()
# %% right="scipy, a search between the middles"
def nf4_levels():
    from scipy.stats import norm
    up = norm.ppf(np.linspace(1 - OFFSET, 0.5, 8)[:-1]).tolist()
    down = norm.ppf(np.linspace(OFFSET, 0.5, 9)[:-1]).tolist()
    return torch.tensor(sorted([*up, 0.0, *down]), dtype=torch.float32) / max(down)
def nf4_quantize(weight, block=64):
    blocks, levels = weight.flatten().split(block), nf4_levels()
    blocks = torch.stack(list(blocks))
    most = blocks.abs().max(dim=1).values
    most = most + (most == 0).to(most.dtype)
    places = torch.searchsorted((levels[1:] + levels[:-1]) / 2, (blocks / most.unsqueeze(1)).contiguous())
    return places.byte(), most
# %% right="a table look-up by lists"
def nf4_weight(codes, scales, shape):
    levels = nf4_levels().tolist()
    numbers = [levels[c] * s for row, s in zip(codes.tolist(), scales.tolist()) for c in row]
    return torch.tensor(numbers).reshape(tuple(shape))
# %% wrong="scales floored" says="small weights"
#~ scales > 0 => scales > 1e-6
# %% right="int lookups, repeat"
def nf4_weight(codes, scales, shape):
    return torch.take(nf4_levels(), codes.long().flatten()).mul(scales.repeat_interleave(codes.shape[1])).reshape(*shape)
# %% wrong="no absolute value" says="nearest to all"
#~ nf4_levels()).abs().argmin => nf4_levels()).argmin
# %% wrong="codes from the top" says="count from the highest"
#~ return codes.to(torch.uint8) => return (15 - codes).to(torch.uint8)
# %% wrong="half the range" says="half the range"
#~ blocks.abs().amax(dim=1) => (blocks.amax(dim=1) - blocks.amin(dim=1)) / 2
# %% wrong="root of the mean of squares" says="mean of squares"
#~ blocks.abs().amax(dim=1) => blocks.square().mean(dim=1).sqrt()
# %% wrong="scales added" says="scales are added"
#~ [codes.long()] * scales => [codes.long()] + scales
# %% wrong="0 twice" says="0 came twice"
#~ half(9).flip(0) => half(8).flip(0)
#~ torch.zeros(1), => torch.zeros(2),
# %% wrong="distribution function" says="distribution function"
#~ special.ndtri => special.ndtr
# %% wrong="fifteen levels" says="a level is missing"
#~ half(9).flip(0) => half(8).flip(0)
# %% wrong="codes squeezed" says="squeezed away"
#~ codes.to(torch.uint8) => codes.squeeze().to(torch.uint8)
# %% wrong="a block of zeros by zero" says="gets the scale 1" clause="A block of zeros gets the scale 1."
#~ torch.where(scales > 0, scales, 1.0) => torch.where(scales >= 0, scales, 1.0)
# %% wrong="bytes as an index" says="a mask in torch" clause="that codes (blocks, block) and scales (blocks,) stand for, float32."
#~ codes.long() => codes
# %% wrong="a view of the blocks" says="has no such view"
#~ weight.reshape(-1, block) => weight.view(-1, block)
