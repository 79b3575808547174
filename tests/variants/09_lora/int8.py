# %% base="the plain way"
def quantize(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (whole numbers (out, in) int8, one scale for each row (out,) float32) of weight (out, in)."""
    scales = weight.abs().amax(dim=1) / 127
    scales = torch.where(scales > 0, scales, 1.0)
    return torch.round(weight / scales[:, None]).to(torch.int8), scales.float()
def int8_lora(x, q, scales, bias, A, B, scale):
    return F.linear(x, q.float() / scales[:, None], bias) + scale * (x @ A.T @ B.T)
# %% wrong="one scale" says="one scale for the whole matrix"
#~ amax(dim=1) => max().expand(len(weight))
# %% wrong="128" says="127 is the largest"
#~ / 127 => / 128
# %% wrong="cut off" says="cut off, not rounded"
#~ torch.round(weight / scales[:, None]) => (weight / scales[:, None])
# %% wrong="signed" says="largest absolute value"
#~ .abs(). => .
# %% wrong="zeros" says="a row of zeros"
#-     scales = torch.where(scales > 0, scales, 1.0)
# %% wrong="floats" says="int8"
#~ (weight / scales[:, None]).to(torch.int8) => (weight / scales[:, None])
# %% wrong="no scales" says="scales are missing"
#~ (x.dtype) * scales[:, None].to(x.dtype) => (x.dtype)
# %% wrong="no scale of the update" says="`scale` is missing"
#~ scale * F => F
# %% wrong="no bias" says="bias is missing"
#~ (x.dtype), bias => (x.dtype)
# %% wrong="detached" says="get no gradient"
#~ (F.linear(x, A), B) => (F.linear(x, A), B).detach()
# %% right="scales behind the product"
#~ F.linear(x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias) => (x @ q.to(x.dtype).T) * scales + bias
# %% right="rounded in float64"
#~ (weight / scales[:, None]). => (weight / scales[:, None]).clamp(-127, 127).
# %% wrong="floor of x + 0.5" says="halves go to the even"
def quantize(weight):
    s = weight.abs().amax(1) / 127
    s = torch.where(s == 0, 1.0, s)
    return torch.floor(weight / s[:, None] + 0.5).to(torch.int8), s
# %% wrong="small rows are taken for zero" says="only a row of zeros" of="floor of x + 0.5"
#~ == 0, 1.0 => < 1e-6, torch.ones_like(s)
#~ floor(weight / s[:, None] + 0.5) => round(weight / s[:, None])
# %% wrong="signed max" says="beyond the scale was cut" of="floor of x + 0.5"
#~ .abs(). => .
#~ floor(weight / s[:, None] + 0.5) => round(weight / s[:, None]).clamp(-127, 127)
# %% wrong="update quantised too" says="multiplied by the scales of the base" of="the plain way"
#~ F.linear(x, q.float() / scales[:, None], bias) + scale * (x @ A.T @ B.T) => (x @ (q.float().T) + scale * (x @ A.T @ B.T)) * scales + bias
# %% wrong="update cut from the graph" says="no gradient" of="the plain way"
#~ (x, q.float() / scales[:, None], bias) + scale * (x @ A.T @ B.T) => (x, q.to(x.dtype) * scales[:, None].to(x.dtype), bias) + scale * (x @ A.data.T @ B.data.T)
# %% wrong="divides by the scales" says="divided by the scales"
def int8_lora(x, q, scales, bias, A, B, scale):
    return F.linear(x, q.float() / scales[:, None], bias) + scale * (x @ A.T @ B.T)
# %% wrong="alpha over r taken once more" says="divided by the rank again" of="the plain way"
#~ (x, q.float() / scales[:, None], bias) + scale => (x, q.float() * scales[:, None], bias) + scale / A.shape[0]
# %% right="a loop over rows"
def quantize(weight):
    rows, scales = [], []
    for row in weight:
        most = row.abs().max().item()
        s = most / 127 if most > 0 else 1.0
        rows.append(torch.round(row / torch.tensor(s)).to(torch.int8))
        scales.append(s)
    return torch.stack(rows), torch.tensor(scales, dtype=torch.float32)
def int8_lora(x, q, scales, bias, A, B, scale):
    low = F.linear(F.linear(x, A), B)
    return F.linear(x, q.to(x.dtype)) * scales + bias + low * scale
# %% right="max of min and max, one merged weight"
def quantize(weight):
    most = torch.maximum(weight.max(dim=1).values, -weight.min(dim=1).values)
    scales = torch.where(most > 0, most / 127, torch.ones_like(most))
    return torch.round(weight / scales.unsqueeze(1)).char(), scales.float()
def int8_lora(x, q, scales, bias, A, B, scale):
    W = torch.diag(scales) @ q.float() + scale * (B @ A)
    return x @ W.T + bias
# %% wrong="x detached in the update" says="low-rank path"
#~ F.linear(F.linear(x, A), B) => F.linear(F.linear(x.detach(), A), B)
# %% right="the scales of the output, einsum"
def quantize(weight):
    top = weight.abs().max(dim=1, keepdim=True).values
    top = top.masked_fill(top == 0, 127.0)
    return (127 * weight / top).round().to(torch.int8), (top[:, 0] / 127).to(torch.float32)
def int8_lora(x, q, scales, bias, A, B, scale):
    y = torch.einsum("...i,oi->...o", x, q.to(x.dtype)).mul(scales).add(bias)
    return y + torch.einsum("...i,ri,or->...o", x, A, B) * scale
# %% wrong="128, cut" says="divides by 128"
#~ / 127 => / 128
#~ torch.round(weight / scales[:, None]) => torch.round(weight / scales[:, None]).clamp(-127, 127)
# %% wrong="ceil" says="rounded upwards"
#~ torch.round( => torch.ceil(
# %% wrong="floor" says="rounded downwards"
#~ torch.round( => torch.floor(
# %% wrong="half the range" says="half the range"
#~ weight.abs().amax(dim=1) => (weight.amax(dim=1) - weight.amin(dim=1)) / 2
#~ torch.round(weight / scales[:, None]) => torch.round(weight / scales[:, None]).clamp(-127, 127)
# %% wrong="scale before the bias" says="multiplies the bias, too"
#~ .to(x.dtype), bias) => .to(x.dtype), scale * bias)
# %% wrong="scale before everything" says="base's output, too"
#~ return base + scale * F => return scale * base + scale * F
# %% wrong="one mean scale" says="mean of theirs"
#~ scales[:, None].to(x.dtype) => scales.mean().to(x.dtype)
# %% wrong="columns for rows" says="of a column was used for the row"
#~ amax(dim=1) => amax(dim=0)
# %% wrong="the largest number, row by row" says="a row's largest number may be negative"
def quantize(weight):
    q = torch.zeros(weight.shape, dtype=torch.int8)
    scales = torch.ones(len(weight))
    for i, row in enumerate(weight):
        if row.max() > 0:
            scales[i] = row.max() / 127
        q[i] = torch.round(row / scales[i])
    return q, scales
