# %% wrong="a scale for each row" says="one scale for each row"
def to_groups(weight, bits, size=32):
    q, scales = to_bits(weight, bits)
    return q, scales.expand(-1, weight.shape[1] // size)
# %% wrong="a scale for all" says="one scale for the whole matrix"
def to_groups(weight, bits, size=32):
    q, scales = to_bits(weight, bits, by_row=False)
    return q, scales.expand(len(weight), weight.shape[1] // size)
# %% wrong="far apart" says="every so-manieth"
def to_groups(weight, bits, size=32):
    out, wide = weight.shape
    q, scales = to_bits(weight.view(out, size, -1).transpose(1, 2).reshape(-1, size), bits)
    return q.view(out, -1, size).transpose(1, 2).reshape(out, wide), scales.view(out, -1)
# %% wrong="so many groups" says="not the number of groups"
#~ weight.reshape(-1, size) => weight.reshape(-1, weight.shape[1] // size)
# %% wrong="columns" says="not down the columns"
#~ q, scales = to_bits(weight.reshape(-1, size), bits) => q, scales = to_bits(weight.T.reshape(-1, size), bits)
#~ return q.view(weight.shape), scales.view(len(weight), -1) => return q.view(weight.T.shape).T, scales.view(weight.shape[1], -1).T
# %% wrong="q in groups" says="here each group is a row"
#~ q.view(weight.shape), => q,
# %% wrong="scales in a column" says="here one below the other" clause="scales (out, in / size) float32"
#~ scales.view(len(weight), -1) => scales
# %% wrong="a scale for each weight" says="once for every weight"
#~ scales.view(len(weight), -1) => scales.view(len(weight), -1).repeat_interleave(size, dim=1)
# %% wrong="always 32" says="groups of 32 were used"
#~ weight.reshape(-1, size) => weight.reshape(-1, min(32, weight.shape[1]))
# %% wrong="always two" says="groups of two were used"
#~ weight.reshape(-1, size) => weight.reshape(-1, 2)
# %% wrong="four bits" says="four bits were used"
#~ size), bits) => size), 4)
# %% wrong="the weights" says="asked for separately"
#~ return q.view(weight.shape), scales.view(len(weight), -1) => return (q * scales).view(weight.shape)
# %% wrong="scales first" says="q comes first"
#~ return q.view(weight.shape), scales.view(len(weight), -1) => return scales.view(len(weight), -1), q.view(weight.shape)
# %% wrong="repeated as a whole" says="repeated as a whole"
#~ scales.repeat_interleave(q.shape[1] // scales.shape[1], dim=1) => scales.repeat(1, q.shape[1] // scales.shape[1])
# %% wrong="divided" says="here it was divided"
#~ q * scales. => q / scales.
# %% wrong="the first scale" says="first scale of each row"
#~ scales.repeat_interleave(q.shape[1] // scales.shape[1], dim=1) => scales[:, :1]
# %% wrong="the mean scale" says="mean scale of each row"
#~ scales.repeat_interleave(q.shape[1] // scales.shape[1], dim=1) => scales.mean(1, keepdim=True)
# %% wrong="scales alone" says="the scales alone came"
#~ q * scales. => scales.
# %% wrong="numbers alone" says="without their scales"
#~ q * scales.repeat_interleave(q.shape[1] // scales.shape[1], dim=1) => q.float()
# %% wrong="rows of groups" says="the weights are (out, in)"
#~ return q * scales.repeat_interleave(q.shape[1] // scales.shape[1], dim=1) => return q.reshape(scales.numel(), -1) * scales.reshape(-1, 1)
# %% wrong="whole numbers" says="the weights are floats"
#~ dim=1) => dim=1).to(torch.int8)
# %% wrong="own bits" says="comes on top"
#~ bits + scale_bits / size => bits
# %% wrong="a whole scale" says="pays all of it"
#~ scale_bits / size => scale_bits
# %% wrong="both shared" says="here both were divided"
#~ bits + scale_bits / size => (bits + scale_bits) / size
# %% wrong="a whole group" says="bits of a whole group"
#~ bits + scale_bits / size => bits * size + scale_bits
# %% wrong="always 16" says="`scale_bits` was not used"
#~ scale_bits / size => 16 / size
# %% wrong="whole bits" says="here whole bits came back"
#~ scale_bits / size => scale_bits // size
# %% wrong="bytes" says="these are bytes"
#~ bits + scale_bits / size => (bits + scale_bits / size) / 8
# %% right="three axes"
def to_groups(weight, bits, size=32):
    groups = weight.reshape(len(weight), -1, size)
    scales = groups.abs().amax(dim=2) / (2 ** (bits - 1) - 1)
    scales[scales == 0] = 1.0
    return (groups / scales[..., None]).round().flatten(1).to(torch.int8), scales.float()
def from_groups(q, scales):
    return (q.view(*scales.shape, -1) * scales[..., None]).flatten(1)
# %% right="group by group"
def to_groups(weight, bits, size=32):
    found = [to_bits(part, bits) for part in weight.split(size, dim=1)]
    return torch.cat([q for q, _ in found], dim=1), torch.cat([scales for _, scales in found], dim=1)
# %% right="an index"
def from_groups(q, scales):
    place = torch.arange(q.shape[1]) // (q.shape[1] // scales.shape[1])
    return q.float() * scales[:, place]
# %% right="of a whole group"
def bits_of_weight(bits, size, scale_bits=16):
    return (bits * size + scale_bits) / size
# %% right="Kronecker"
def from_groups(q, scales):
    return q * torch.kron(scales, torch.ones(1, q.shape[1] // scales.shape[1]))
# %% wrong="one step more, as far as it goes" says="and q goes as far"
def to_groups(weight, bits, size=32):
    pieces, m = weight.float().reshape(len(weight), -1, size), 2 ** (bits - 1)
    scales = pieces.abs().amax(-1) / m
    scales = scales.masked_fill(scales == 0, 1.0)
    q = (pieces / scales[..., None]).round().clamp(-m, m).to(torch.int8)
    return q.reshape(weight.shape), scales
# %% wrong="digits cut off" says="were cut off: torch.round is asked for" of="one step more, as far as it goes"
#~ 2 ** (bits - 1) => 2 ** (bits - 1) - 1
#~ .round() => .trunc()
# %% wrong="rounded down" says="rounded down" of="one step more, as far as it goes"
#~ 2 ** (bits - 1) => 2 ** (bits - 1) - 1
#~ .round() => .floor()
# %% wrong="a scale of 0 stays" says="a group of zeros has the scale 0" of="one step more, as far as it goes"
#~ 2 ** (bits - 1) => 2 ** (bits - 1) - 1
#~ scales.masked_fill(scales == 0, 1.0) => scales
#~ (pieces / scales[..., None]) => (pieces / scales[..., None]).nan_to_num()
# %% right="grouped by reshape, its own scales" of="one step more, as far as it goes"
#~ 2 ** (bits - 1) => 2 ** (bits - 1) - 1
# %% wrong="neighbours in a column" says="their scales are in rows"
#~ to_bits(weight.reshape(-1, size), bits) => to_bits(weight.T.reshape(-1, size), bits)
#~ q.view(weight.shape), scales.view(len(weight), -1) => q.view(weight.T.shape).T, scales.view(len(weight), -1)
# %% wrong="far apart, side by side" says="and q stands group by group"
def to_groups(weight, bits, size=32):
    groups = weight.shape[1] // size
    found = [to_bits(weight[:, g::groups], bits) for g in range(groups)]
    return torch.cat([q for q, _ in found], dim=1), torch.cat([s for _, s in found], dim=1)
