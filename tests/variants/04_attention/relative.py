# %% wrong="rotate_half, as in Llama" says="wrong pairs"
def relative_bias(table, len_q, len_k):
    m = (table.shape[1] - 1) // 2
    d = torch.arange(len_k).view(1, -1) - torch.arange(len_q).view(-1, 1)
    return table[:, torch.clamp(d, min=-m, max=m) + m]


def rotary_angles(positions, width, base=10_000.0):
    return torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width))


def rotate_pairs(x, angles):
    cos, sin = torch.cat([angles, angles], -1).cos(), torch.cat([angles, angles], -1).sin()
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-b, a], -1) * sin

# %% wrong="clockwise" says="wrong way"
def relative_bias(table, len_q, len_k):
    m = (table.shape[1] - 1) // 2
    d = torch.arange(len_k).view(1, -1) - torch.arange(len_q).view(-1, 1)
    return table[:, torch.clamp(d, min=-m, max=m) + m]


def rotary_angles(positions, width, base=10_000.0):
    return torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width))


def rotate_pairs(x, angles):
    a, b, c, s = x[..., ::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * c + b * s, b * c - a * s], -1).flatten(-2)

# %% wrong="put back as halves" says="two halves"
def relative_bias(table, len_q, len_k):
    m = (table.shape[1] - 1) // 2
    d = torch.arange(len_k).view(1, -1) - torch.arange(len_q).view(-1, 1)
    return table[:, torch.clamp(d, min=-m, max=m) + m]


def rotary_angles(positions, width, base=10_000.0):
    return torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width))


def rotate_pairs(x, angles):
    a, b, c, s = x[..., ::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.cat([a * c - b * s, a * s + b * c], -1)

# %% wrong="angles counted anew" says="as they come"
def relative_bias(table, len_q, len_k):
    m = (table.shape[1] - 1) // 2
    d = torch.arange(len_k).view(1, -1) - torch.arange(len_q).view(-1, 1)
    return table[:, torch.clamp(d, min=-m, max=m) + m]


def rotary_angles(positions, width, base=10_000.0):
    rates = base ** (-torch.arange(0, width, 2) / width)
    return torch.arange(len(positions))[:, None] * rates


def rotate_pairs(x, angles):
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

# %% wrong="exponent -i / d" says="exponent is -2i / d"
def relative_bias(table, len_q, len_k):
    m = (table.shape[1] - 1) // 2
    d = torch.arange(len_k).view(1, -1) - torch.arange(len_q).view(-1, 1)
    return table[:, torch.clamp(d, min=-m, max=m) + m]


def rotary_angles(positions, width, base=10_000.0):
    return positions[:, None] * base ** (-torch.arange(width // 2) / width)


def rotate_pairs(x, angles):
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

# %% wrong="query minus key" says="key minus query"
def relative_bias(table, len_q, len_k):
    m = table.shape[1] // 2
    d = torch.arange(len_q)[:, None] - torch.arange(len_k)
    return table[:, d.clamp(-m, m) + m]


def rotary_angles(positions, width, base=10_000.0):
    return torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width))


def rotate_pairs(x, angles):
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

# %% wrong="not cut" says="cut to m"
def relative_bias(table, len_q, len_k):
    m = table.shape[1] // 2
    return table[:, torch.arange(len_k) - torch.arange(len_q)[:, None] + m]


def rotary_angles(positions, width, base=10_000.0):
    return torch.outer(positions, 1.0 / base ** (torch.arange(0, width, 2).float() / width))


def rotate_pairs(x, angles):
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

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
    out = torch.empty(H, len_q, len_k)
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
