# %% base="the plain way"
def rotate_pairs(x, angles):
    even, odd, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
def rotary_angles(positions, width, base=10_000.0):
    return positions[:, None] * base ** (-torch.arange(0, width, 2) / width)
def relative_bias(table, len_q, len_k):
    m = table.shape[1] // 2
    i, j = torch.arange(len_q)[:, None], torch.arange(len_k)
    return table[:, d.clamp(-m, m) + m]
# %% wrong="rotate_half, as in Llama" says="wrong pairs"
def rotate_pairs(x, angles):
    cos, sin = torch.cat([angles, angles], -1).cos(), torch.cat([angles, angles], -1).sin()
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-b, a], -1) * sin
# %% wrong="clockwise" says="wrong way"
def rotate_pairs(x, angles):
    a, b, c, s = x[..., ::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * c + b * s, b * c - a * s], -1).flatten(-2)
# %% wrong="put back as halves" says="two halves" of="clockwise"
#~ stack([a * c + b * s, b * c - a * s], -1).flatten(-2) => cat([a * c - b * s, a * s + b * c], -1)
# %% wrong="angles counted anew" says="as they come"
def rotary_angles(positions, width, base=10_000.0):
    rates = base ** (-torch.arange(0, width, 2) / width)
    return torch.arange(len(positions))[:, None] * rates
# %% wrong="exponent -i / d" says="exponent is -2i / d" of="complex numbers"
#~ torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width)) => positions[:, None] * base ** (-torch.arange(width // 2) / width)
# %% wrong="query minus key" says="key minus query" of="the plain way"
#~ i, j = torch.arange(len_q)[:, None], => d = torch.arange(len_q)[:, None] -
# %% wrong="not cut" says="cut to m"
def relative_bias(table, len_q, len_k):
    m = table.shape[1] // 2
    return table[:, torch.arange(len_k) - torch.arange(len_q)[:, None] + m]
# %% right="complex numbers"
def relative_bias(table, len_q, len_k):
    m = (table.shape[1] - 1) // 2
    d = torch.arange(len_k).view(1, -1) - torch.arange(len_q).view(-1, 1)
    return table[:, torch.clamp(d, min=-m, max=m) + m]
def rotary_angles(positions, width, base=10_000.0):
    return torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width))
def rotate_pairs(x, angles):
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(angles), angles)).flatten(-2)
# %% right="matrices, one by one"
def relative_bias(table, len_q, len_k):
    H, m = table.shape[0], table.shape[1] // 2
    out = torch.empty(H, len_q, len_k, dtype=table.dtype)
    for i in range(len_q):
        for j in range(len_k):
            out[:, i, j] = table[:, max(-m, min(m, j - i)) + m]
    return out
def rotary_angles(positions, width, base=10_000.0):
    return torch.stack([positions * base ** (-2 * i / width) for i in range(width // 2)], dim=1)
def rotate_pairs(x, angles):
    c, s = angles.cos().repeat_interleave(2, -1), angles.sin().repeat_interleave(2, -1)
    partner = torch.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    return x * c + partner * s
# %% wrong="distance without a sign" says="the sign of the difference was lost" of="the plain way"
#~ d.clamp(-m, m) => (j - i).abs().clamp(max=m)
# %% wrong="m not added" says="must not count from the end" of="the plain way"
#~ d.clamp(-m, m) + m => (j - i).clamp(-m, m)
# %% wrong="keys in rows" says="queries are in rows" of="the plain way"
#~ [:, d.clamp(-m, m) + m] => [:, (j - i).clamp(-m, m) + m].transpose(1, 2)
# %% wrong="zero beyond m" says="beyond m got 0" of="the plain way"
#-     return table[:, d.clamp(-m, m) + m]
#+     d = j - i
#+     return table[:, d.clamp(-m, m) + m] * (d.abs() <= m)
# %% wrong="round the table" says="wrapped around" of="the plain way"
#~ d.clamp(-m, m) + m => (j - i + m) % table.shape[1]
# %% wrong="first head only" says="first head" of="the plain way"
#~ [:, d.clamp(-m, m) + m] => [0, (j - i).clamp(-m, m) + m].expand(len(table), len_q, len_k)
# %% wrong="heads last" says="the heads come first" of="the plain way"
#~ [:, d.clamp(-m, m) + m] => .T[(j - i).clamp(-m, m) + m]
# %% wrong="m is the number of columns" says="must be cut to m" of="the plain way"
#-     return table[:, d.clamp(-m, m) + m]
#+     m = table.shape[1]
#+     return table[:, (j - i).clamp(-m, m) + m // 2]
# %% wrong="base fixed" says="`base` was ignored" of="complex numbers"
#~ torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width)) => positions[:, None] * 10_000.0 ** (-torch.arange(0, width, 2) / width)
# %% wrong="positive exponent" says="the exponent is negative" of="complex numbers"
#~ torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width)) => positions[:, None] * base ** (torch.arange(0, width, 2) / width)
# %% wrong="each angle twice" says="one for each pair" of="complex numbers"
#~ torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width)) => (positions[:, None] * base ** (-torch.arange(0, width, 2) / width)).repeat_interleave(2, dim=1)
# %% wrong="each angle twice, in halves" says="one for each pair"
def rotary_angles(positions, width, base=10_000.0):
    half = positions[:, None] * base ** (-torch.arange(0, width, 2) / width)
    return torch.cat([half, half], dim=1)
# %% wrong="angles turned round" says="positions are the rows" of="complex numbers"
#~ positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width) => base ** (-torch.arange(0, width, 2) / width), positions
# %% wrong="positions from one" says="counted from 1" of="complex numbers"
#~ torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width)) => (positions[:, None] + 1) * base ** (-torch.arange(0, width, 2) / width)
# %% wrong="mirror" says="a mirror" of="the plain way"
#~ + odd => - odd
# %% wrong="both with a plus" says="both sines have a plus" of="the plain way"
#~ - odd => + odd
# %% wrong="sine and cosine exchanged" says="sine and cosine are exchanged" of="the plain way"
#~ cos - odd * sin, even * sin + odd * cos => sin - odd * cos, even * cos + odd * sin
# %% wrong="cosine alone" says="the part with the sine" of="the plain way"
#~ torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2) => x * cos.repeat_interleave(2, dim=-1)
# %% wrong="second from the first as turned" says="as already turned"
def rotate_pairs(x, angles):
    even, odd, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    even = even * cos - odd * sin
    odd = even * sin + odd * cos
    return torch.stack([even, odd], dim=-1).flatten(-2)
# %% wrong="written into x" says="in place"
def rotate_pairs(x, angles):
    even, odd, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    new = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
    x.copy_(new)
    return x
# %% wrong="angles in halves" says="repeat_interleave"
def rotate_pairs(x, angles):
    even, odd, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    turned = torch.stack([-odd, even], dim=-1).flatten(-2)
    return x * cos.repeat(1, 2) + turned * sin.repeat(1, 2)
# %% wrong="halves and clockwise" says="wrong pairs"
def rotate_pairs(x, angles):
    even, odd, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    d = x.shape[-1] // 2
    one, two = x[..., :d], x[..., d:]
    return torch.cat([one * cos + two * sin, two * cos - one * sin], dim=-1)
# %% wrong="stacked without flattening" says="another shape" of="the plain way"
#~ ([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2) => ([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
# %% right="interleaved angles, gather" of="not cut"
#-     return table[:, torch.arange(len_k) - torch.arange(len_q)[:, None] + m]
#+     rows = [[min(max(j - i, -m), m) + m for j in range(len_k)] for i in range(len_q)]
#+     return torch.stack([head[torch.tensor(rows)] for head in table])
#+ def rotary_angles(positions, width, base=10_000.0):
#+     return torch.stack([positions / base ** (2 * i / width) for i in range(width // 2)], dim=-1)
#+ def rotate_pairs(x, angles):
#+     cos, sin = (t.repeat_interleave(2, dim=-1) for t in (angles.cos(), angles.sin()))
#+     turned = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).reshape(x.shape)
#+     return x * cos + turned * sin
# %% right="NumPy's take, blocks of rotation"
def relative_bias(table, len_q, len_k):
    m = (table.shape[-1] - 1) // 2
    d = np.clip(np.arange(len_k) - np.arange(len_q)[:, None], -m, m) + m
    return torch.take_along_dim(table[:, None], torch.from_numpy(d)[None], dim=2)
def rotary_angles(positions, width, base=10_000.0):
    return torch.outer(positions, base ** (-torch.arange(0, width, 2) / width))
def rotate_pairs(x, angles):
    c, s = angles.double().cos(), angles.double().sin()
    R = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)  # (T, d/2, 2, 2)
    pairs = x.double().unflatten(-1, (-1, 2))
    return torch.einsum("tiab,...tib->...tia", R, pairs).flatten(-2).to(x.dtype)
# %% wrong="square, len_k ignored" says="`len_k` was not used" of="the plain way"
#~ i, j = torch.arange(len_q)[:, None], torch.arange(len_k) => d = torch.arange(len_q) - torch.arange(len_q)[:, None]
# %% wrong="queries stand at the end of the keys" says="at the end of the keys" of="the plain way"
#~ i, j = torch.arange(len_q)[:, None], torch.arange(len_k) => d = torch.arange(len_k) - torch.arange(len_k - len_q, len_k)[:, None]
# %% wrong="angles for all d" says="one angle for each pair" of="complex numbers"
#~ torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width)) => positions[:, None] * base ** (-torch.arange(width) / width)
# %% wrong="whole positions" says="whole numbers" of="complex numbers"
#~ torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width)) => positions.long()[:, None] * base ** (-torch.arange(0, width, 2) / width)
# %% wrong="the first pair's angle for all" says="each has its own" of="turned by the differences of angles"
#-     angles = angles - angles[:1]
#-     c, s = angles.cos(), angles.sin()
#+     c, s = angles[:, :1].cos(), angles[:, :1].sin()
# %% wrong="turned by the differences of angles" says="take them as they come"
def rotate_pairs(x, angles):
    a, b = x[..., 0::2], x[..., 1::2]
    angles = angles - angles[:1]
    c, s = angles.cos(), angles.sin()
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)
# %% right="loops" of="not cut"
#-     return table[:, torch.arange(len_k) - torch.arange(len_q)[:, None] + m]
#+     out = torch.empty(table.shape[0], len_q, len_k, dtype=table.dtype)
#+     for i in range(len_q):
#+         for j in range(len_k):
#+             out[:, i, j] = table[:, m + max(-m, min(m, j - i))]
#+     return out
#+ def rotary_angles(positions, width, base=10_000.0):
#+     dtype = positions.dtype if positions.is_floating_point() else torch.float32
#+     return torch.tensor([[float(p) * base ** (-2 * i / width) for i in range(width // 2)] for p in positions], dtype=dtype)
#+ def rotate_pairs(x, angles):
#+     out = x.clone()
#+     for i in range(angles.shape[1]):
#+         c, s = torch.cos(angles[:, i]), torch.sin(angles[:, i])
#+         out[..., 2 * i] = c * x[..., 2 * i] - s * x[..., 2 * i + 1]
#+         out[..., 2 * i + 1] = s * x[..., 2 * i] + c * x[..., 2 * i + 1]
#+     return out
# %% right="rotation matrices; the half turned neighbours"
def rotary_angles(positions, width, base=10_000.0):
    rates = torch.exp(-math.log(base) * torch.arange(0, width, 2) / width)
    return positions.unsqueeze(-1) * rates
def rotate_pairs(x, angles):
    R = torch.stack([torch.stack([angles.cos(), -angles.sin()], -1), torch.stack([angles.sin(), angles.cos()], -1)], -2)
    return torch.einsum("tiab,...tib->...tia", R.to(x.dtype), x.unflatten(-1, (-1, 2))).flatten(-2)
# %% wrong="a table that does not learn" says="the gradient is cut" of="not cut"
#-     return table[:, torch.arange(len_k) - torch.arange(len_q)[:, None] + m]
#+     differences = torch.arange(len_k) - torch.arange(len_q)[:, None]
#+     return table.data[:, differences.clamp(-m, m) + m]
# %% wrong="turned without a gradient" says="the gradient is cut"
def rotate_pairs(x, angles):
    even, odd = x.detach()[..., 0::2], x.detach()[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
# %% wrong="always float32" says="the dtype changed"
def rotate_pairs(x, angles):
    even, odd = x[..., 0::2].float(), x[..., 1::2].float()
    cos, sin = angles.cos().float(), angles.sin().float()
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
# %% wrong="odd detached" says="gradients"
def rotate_pairs(x, angles):
    e, o = (x[..., 0::2], x[..., 1::2].detach())
    c, s = (angles.cos(), angles.sin())
    return torch.stack([e * c - o * s, e * s + o * c], -1).flatten(-2)
# %% right="in place on clone again"
def rotate_pairs(x, angles):
    y = torch.empty_like(x)
    e, o = (x[..., 0::2], x[..., 1::2])
    y[..., 0::2] = e * angles.cos() - o * angles.sin()
    y[..., 1::2] = e * angles.sin() + o * angles.cos()
    return y
# %% wrong="cut to 0 ... m" says="negative differences were cut to 0"
def relative_bias(table, len_q, len_k):
    m = table.shape[1] // 2
    difference = torch.arange(len_k) - torch.arange(len_q)[:, None]
    return table[:, difference.clamp(0, m) + m]
# %% wrong="cut to m after m was added" says="positive differences were cut to 0" of="cut to 0 ... m"
#~ difference.clamp(0, m) + m => (difference + m).clamp(0, m)
# %% wrong="one head for all" clause="at (h, i, j) the table's number" says="only the first head"
#~ table[:, differences.clamp(-m, m) + m] => table[:1, differences.clamp(-m, m) + m].repeat(len(table), 1, 1)
# %% wrong="places counted anew" clause="any numbers, not only 0 ... T - 1" says="counted anew from 0"
#~ positions[:, None] => torch.arange(len(positions), dtype=torch.float32)[:, None]
# %% wrong="integers in 64 bits" clause="integers give float32, floats keep their dtype" says="another dtype than float32"
#~ positions[:, None] => (positions if positions.is_floating_point() else positions.double())[:, None]
# %% wrong="x cut from the gradient" clause="gradients reach x" says="no detach, item, data or NumPy"
#~ x[..., 0::2], x[..., 1::2] => x.detach()[..., 0::2], x[..., 1::2].detach()
# %% wrong="halves put back side by side" says="put back side by side" of="clockwise"
#~ x[..., ::2], x[..., 1::2], angles => *x.chunk(2, dim=-1), angles
#~ [a * c + b * s, b * c - a * s] => [a * c - b * s, a * s + b * c]
