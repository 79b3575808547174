# %% wrong="the variance of a sample" says="divides by C, not by C - 1"
def layer_norm(x, weight, bias, eps=1e-5):
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps) * weight + bias

# %% wrong="over the tokens" says="over the tokens of a text"
def layer_norm(x, weight, bias, eps=1e-5):
    if x.dim() < 2:
        return F.layer_norm(x, x.shape[-1:], weight, bias, eps)
    return (x - x.mean(-2, keepdim=True)) / torch.sqrt(x.var(-2, keepdim=True, correction=0) + eps) * weight + bias

# %% wrong="eps outside the root" says="eps stands inside the root"
def layer_norm(x, weight, bias, eps=1e-5):
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True, correction=0) + eps) * weight + bias

# %% right="by hand, with einsum and rsqrt"
def layer_norm(x, weight, bias, eps=1e-5):
    C = x.shape[-1]
    centred = x - x.sum(-1, keepdim=True) / C
    return centred * torch.rsqrt((centred * centred).sum(-1, keepdim=True) / C + eps) * weight + bias

# %% wrong="eps forgotten" says="eps is missing"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var) * weight + bias

# %% wrong="eps always 1e-5" says="eps is ignored"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var + 1e-5) * weight + bias

# %% wrong="RMSNorm" says="RMSNorm"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = (x**2).mean(dim=-1, keepdim=True)
    return x / torch.sqrt(var + eps) * weight + bias

# %% wrong="the size is left" says="the mean was subtracted, but"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) * weight + bias

# %% wrong="one mean for all" says="for all numbers together"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean()
    var = x.var(correction=0)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias

# %% wrong="no root" says="not by the variance"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / (var + eps) * weight + bias

# %% wrong="bias before the weight" says="added after the weight"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return ((x - mean) / torch.sqrt(var + eps) + bias) * weight

# %% wrong="weight forgotten" says="weight is missing"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var + eps) + bias

# %% wrong="bias forgotten" says="bias is missing"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var + eps) * weight

# %% wrong="works in place" says="in place"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    x -= mean
    x /= torch.sqrt(var + eps)
    return x.mul_(weight).add_(bias)

# %% wrong="always float64" says="dtype"
def layer_norm(x, weight, bias, eps=1e-5):
    x = x.double()
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias

# %% wrong="always float32" says="dtype"
def layer_norm(x, weight, bias, eps=1e-5):
    x = x.float()
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var + eps) * weight.float() + bias.float()

# %% wrong="over all axes but the first" says="its own"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=tuple(range(1, x.dim())), keepdim=True)
    var = x.var(dim=tuple(range(1, x.dim())), keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias

# %% wrong="no keepdim" says="must match the size"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1)
    var = x.var(dim=-1, correction=0)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias

# %% wrong="dim 1 as if x had two axes" says="last axis"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=1, keepdim=True)
    var = x.var(dim=1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias

# %% wrong="returns nothing" says="is there a return"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    y = (x - mean) / torch.sqrt(var + eps) * weight + bias

# %% wrong="mean of squares minus mean, no square" says="not squared"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = (x**2).mean(dim=-1, keepdim=True) - mean
    return (x - mean) / torch.sqrt(var + eps) * weight + bias

# %% wrong="mean absolute deviation" says="absolute"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / ((x - mean).abs().mean(dim=-1, keepdim=True) + eps) * weight + bias

# %% right="float64 inside, loops over rows"
def layer_norm(x, weight, bias, eps=1e-5):
    rows = []
    for row in x.reshape(-1, x.shape[-1]).double():
        m = row.mean()
        v = ((row - m) ** 2).mean()
        rows.append((row - m) / math.sqrt(v.item() + eps))
    return (torch.stack(rows).reshape(x.shape) * weight.double() + bias.double()).to(x.dtype)

# %% right="mean of squares minus square of the mean, in doubles"
def layer_norm(x, weight, bias, eps=1e-5):
    d = x.double()
    mu = d.mean(-1).unsqueeze(-1)
    var = d.pow(2).mean(-1).unsqueeze(-1) - mu**2
    return ((d - mu) * (var + eps) ** -0.5 * weight + bias).to(x.dtype)

# %% wrong="eps squared inside" says="eps is squared"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    out = (x - mean) / torch.sqrt(var + eps ** 2)
    return out * weight + bias

# %% wrong="1 + weight" says="1 + weight"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    out = (x - mean) / torch.sqrt(var + eps)
    return out * (1 + weight) + bias

# %% wrong="clamp instead of eps" says="smallest variance"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    out = (x - mean) / torch.sqrt(var.clamp(min=eps))
    return out * weight + bias

# %% wrong="median" says="median"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.median(dim=-1, keepdim=True).values
    var = x.var(dim=-1, keepdim=True, correction=0)
    out = (x - mean) / torch.sqrt(var + eps)
    return out * weight + bias

# %% wrong="min-max" says="range"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    out = (x - mean) / (x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True) + eps)
    return out * weight + bias

# %% wrong="no_grad" says="gradient is cut"
@torch.no_grad()
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    out = (x - mean) / torch.sqrt(var + eps)
    return out * weight + bias

# %% wrong="rms norm" says="mean square was taken"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = (x ** 2).mean(dim=-1, keepdim=True)
    out = (x - mean) / torch.sqrt(var + eps)
    return out * weight + bias

# %% right="var_mean and addcmul"
def layer_norm(x, weight, bias, eps=1e-5):
    var, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
    return torch.addcmul(bias, (x - mean) / (var + eps).sqrt(), weight)

# %% right="std with correction, squared again, einsum"
def layer_norm(x, weight, bias, eps=1e-5):
    C = x.shape[-1]
    d = x - (x.sum(-1) / C).unsqueeze(-1)
    v = torch.einsum("...c,...c->...", d, d) / C
    return torch.einsum("...c,...,c->...c", d, 1 / torch.sqrt(v + eps), weight) + bias
