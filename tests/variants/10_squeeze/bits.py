# %% wrong="cut off" says="cut off"
#~ bits = bits + 0x7FFF + ((bits >> 16) & 1) => pass
# %% wrong="always up" says="not always up"
#~ 0x7FFF + ((bits >> 16) & 1) => 0x8000
# %% wrong="float16" says="this is float16"
def to_bfloat16(x):
    return x.half().float()
# %% wrong="one scale" says="each row has its own"
#~ if by_row else => if bits < 2 else
# %% wrong="by_row ignored" says="asks for one scale"
#~ if by_row else weight.abs().max().view(1, 1) => if True else None
# %% wrong="m too large" says="here m is one more"
#~ (2 ** (bits - 1) - 1) => 2 ** (bits - 1)
# %% wrong="signed maximum" says="may be negative"
#~ weight.abs().amax(dim=1, keepdim=True) => weight.amax(dim=1, keepdim=True)
# %% wrong="flat scales" says="(out, 1) is asked for"
#~ to(torch.int8), scales.float() => to(torch.int8), scales.float().flatten()
# %% wrong="rounded down" says="torch.round"
#~ torch.round(weight / scales) => (weight / scales).floor()
# %% wrong="zeros over zeros" says="scale 1"
#~ torch.where(scales > 0, scales, 1.0) => torch.where(scales >= 0, scales, 1.0)
# %% wrong="not shifted" says="shifted by 8"
#~ (q + 8).to(torch.uint8) => q.to(torch.uint8) & 15
# %% wrong="halves exchanged" says="lower half of the byte"
#~ shifted[:, ::2] | (shifted[:, 1::2] << 4) => shifted[:, 1::2] | (shifted[:, ::2] << 4)
# %% wrong="far columns" says="neighbours: columns"
#~ shifted[:, ::2] | (shifted[:, 1::2] << 4) => shifted[:, : q.shape[1] // 2] | (shifted[:, q.shape[1] // 2 :] << 4)
# %% wrong="unpacked one behind the other" says="one after the other"
#~ dim=-1).flatten(1) => dim=1).flatten(1)
# %% wrong="shift kept" says="take that back"
#~ .to(torch.int8) - 8 => .to(torch.int8)
# %% wrong="scales as wide as the weights" says="of float64 weights too" clause="Return (q (out, in) int8, scales float32)"
#~ .to(torch.int8), scales.float() => .to(torch.int8), scales
# %% wrong="tiny scales become 1" says="a tiny scale became 1"
#~ torch.where(scales > 0, scales, 1.0) => torch.where(scales > 1e-8, scales, 1.0)
# %% wrong="a scale for each column" says="each column has a scale"
#~ weight.abs().amax(dim=1, keepdim=True) => weight.abs().amax(dim=0, keepdim=True)
# %% wrong="half the range" says="half the way"
#~ weight.abs().amax(dim=1, keepdim=True) => (weight.amax(dim=1, keepdim=True) - weight.amin(dim=1, keepdim=True)) / 2
# %% right="numpy, and arithmetic"
def to_bfloat16(x):
    bits = x.reshape(-1).numpy().copy().view(np.uint32).astype(np.uint64)
    up = bits + np.uint64(0x7FFF) + ((bits >> np.uint64(16)) & np.uint64(1))
    return torch.from_numpy((up & np.uint64(0xFFFF0000)).astype(np.uint32).view(np.float32).reshape(tuple(x.shape)))
def pack(q):
    q = q.long() + 8
    return (q[:, 0::2] + 16 * q[:, 1::2]).to(torch.uint8)
def unpack(packed):
    out = torch.empty(packed.shape[0], 2 * packed.shape[1], dtype=torch.int8)
    out[:, ::2] = packed.long() % 16 - 8
    out[:, 1::2] = packed.long() // 16 - 8
    return out
# %% right="row by row"
def to_bits(weight, bits, by_row=True):
    top = 2 ** (bits - 1) - 1
    rows = [weight[i : i + 1] for i in range(len(weight))] if by_row else [weight]
    scales = [float(row.abs().max()) / top or 1.0 for row in rows]
    q = torch.cat([torch.round(row / s) for row, s in zip(rows, scales)])
    return q.to(torch.int8), torch.tensor(scales, dtype=torch.float32)[:, None]
# %% wrong="a change of the dtype" says="by the bits is asked for" clause="Work on the bits and do not convert to torch.bfloat16"
def to_bfloat16(x):
    return x.to(torch.bfloat16).float()
# %% wrong="packed in place" says="in place"
#~ shifted = (q + 8).to => q += 8; shifted = q.to
# %% wrong="halves go up" says="halves go to the even" clause="Round with torch.round; a scale of 0 becomes 1, and q is 0 there."
#~ torch.round(weight / scales) => torch.floor(weight / scales + 0.5)
