# %% base="the plain way"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias
# %% wrong="the variance of a sample" says="divides by C, not by C - 1"
def layer_norm(x, weight, bias, eps=1e-5):
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + eps) * weight + bias
# %% wrong="over the tokens" says="over the tokens of a text"
def layer_norm(x, weight, bias, eps=1e-5):
    if x.dim() < 2:
        return F.layer_norm(x, x.shape[-1:], weight, bias, eps)
    return (x - x.mean(-2, keepdim=True)) / torch.sqrt(x.var(-2, keepdim=True, correction=0) + eps) * weight + bias
# %% wrong="eps outside the root" says="eps stands inside the root" of="the variance of a sample"
#~ torch.sqrt(x.var(-1, keepdim=True) + eps) => (x.std(-1, keepdim=True, correction=0) + eps)
# %% right="by hand, with einsum and rsqrt"
def layer_norm(x, weight, bias, eps=1e-5):
    C = x.shape[-1]
    centred = x - x.sum(-1, keepdim=True) / C
    return centred * torch.rsqrt((centred * centred).sum(-1, keepdim=True) / C + eps) * weight + bias
# %% wrong="eps forgotten" says="eps is missing" of="the plain way"
#~ var + eps => var
# %% wrong="eps always 1e-5" says="eps is ignored" of="the plain way"
#~ (var + eps) => (var + 1e-5)
# %% wrong="RMSNorm" says="RMSNorm" of="the plain way"
#~ x.var(dim=-1, keepdim=True, correction=0) => (x**2).mean(dim=-1, keepdim=True)
#~ (x - mean) => x
# %% wrong="the size is left" says="the mean was subtracted, but" of="the plain way"
#~ / torch.sqrt(var + eps) * => *
# %% wrong="one mean for all" says="for all numbers together" of="the plain way"
#~ (dim=-1, keepdim=True) => ()
#~ (dim=-1, keepdim=True, correction=0) => (correction=0)
# %% wrong="no root" says="not by the variance" of="the plain way"
#~ torch.sqrt(var + eps) => (var + eps)
# %% wrong="bias before the weight" says="added after the weight" of="the plain way"
#~ (x - mean) / torch.sqrt(var + eps) * weight + bias => ((x - mean) / torch.sqrt(var + eps) + bias) * weight
# %% wrong="weight forgotten" says="weight is missing" of="the plain way"
#~ * weight + => +
# %% wrong="bias forgotten" says="bias is missing" of="the plain way"
#~ weight + bias => weight
# %% wrong="works in place" says="in place" of="the plain way"
#-     return (x - mean) / torch.sqrt(var + eps) * weight + bias
#+     x -= mean
#+     x /= torch.sqrt(var + eps)
#+     return x.mul_(weight).add_(bias)
# %% wrong="always float64" says="dtype" of="the plain way"
#- def layer_norm(x, weight, bias, eps=1e-5):
#+ def layer_norm(x, weight, bias, eps=1e-5):
#+     x = x.double()
# %% wrong="always float32" says="dtype" of="the plain way"
#-     mean = x.mean(dim=-1, keepdim=True)
#+     x = x.float()
#+     mean = x.mean(dim=-1, keepdim=True)
#~ return (x - mean) / torch.sqrt(var + eps) * weight + bias => return (x - mean) / torch.sqrt(var + eps) * weight.float() + bias.float()
# %% wrong="over all axes but the first" says="its own" of="the plain way"
#~ (dim=-1, keepdim=True) => (dim=tuple(range(1, x.dim())), keepdim=True)
#~ (dim=-1, keepdim=True, correction=0) => (dim=tuple(range(1, x.dim())), keepdim=True, correction=0)
# %% wrong="no keepdim" says="must match the size" of="the plain way"
#~ (dim=-1, keepdim=True) => (dim=-1)
#~ keepdim=True, correction => correction
# %% wrong="dim 1 as if x had two axes" says="last axis" of="the plain way"
#~ (dim=-1, keepdim=True) => (dim=1, keepdim=True)
#~ (dim=-1, keepdim=True, correction=0) => (dim=1, keepdim=True, correction=0)
# %% wrong="returns nothing" says="is there a return" of="the plain way"
#~ return => y =
# %% wrong="mean of squares minus mean, no square" says="not squared" of="the plain way"
#~ x.var(dim=-1, keepdim=True, correction=0) => (x**2).mean(dim=-1, keepdim=True) - mean
# %% wrong="mean absolute deviation" says="absolute" of="the plain way"
#~ torch.sqrt(var + eps) => ((x - mean).abs().mean(dim=-1, keepdim=True) + eps)
# %% right="float64 inside, loops over rows"
def layer_norm(x, weight, bias, eps=1e-5):
    rows = []
    for row in x.reshape(-1, x.shape[-1]).double():
        m = row.mean()
        v = ((row - m) ** 2).mean()
        rows.append((row - m) / torch.sqrt(v + eps))
    return (torch.stack(rows).reshape(x.shape) * weight.double() + bias.double()).to(x.dtype)
# %% right="mean of squares minus square of the mean, in doubles"
def layer_norm(x, weight, bias, eps=1e-5):
    d = x.double()
    mu = d.mean(-1).unsqueeze(-1)
    var = d.pow(2).mean(-1).unsqueeze(-1) - mu**2
    return ((d - mu) * (var + eps) ** -0.5 * weight + bias).to(x.dtype)
# %% wrong="eps squared inside" says="eps is squared" of="the plain way"
#-     return (x - mean) / torch.sqrt(var + eps) * weight + bias
#+     out = (x - mean) / torch.sqrt(var + eps ** 2)
#+     return out * weight + bias
# %% wrong="1 + weight" says="1 + weight" of="the plain way"
#-     return (x - mean) / torch.sqrt(var + eps) * weight + bias
#+     out = (x - mean) / torch.sqrt(var + eps)
#+     return out * (1 + weight) + bias
# %% wrong="clamp instead of eps" says="smallest variance" of="the plain way"
#-     return (x - mean) / torch.sqrt(var + eps) * weight + bias
#+     out = (x - mean) / torch.sqrt(var.clamp(min=eps))
#+     return out * weight + bias
# %% wrong="median" says="median"
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.median(dim=-1, keepdim=True).values
    var = x.var(dim=-1, keepdim=True, correction=0)
    out = (x - mean) / torch.sqrt(var + eps)
    return out * weight + bias
# %% wrong="min-max" says="range" of="the plain way"
#-     return (x - mean) / torch.sqrt(var + eps) * weight + bias
#+     out = (x - mean) / (x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True) + eps)
#+     return out * weight + bias
# %% wrong="no_grad" says="gradient is cut"
@torch.no_grad()
def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    out = (x - mean) / torch.sqrt(var + eps)
    return out * weight + bias
# %% wrong="rms norm" says="mean square was taken" of="median"
#~ median(dim=-1, keepdim=True).values => mean(dim=-1, keepdim=True)
#~ x.var(dim=-1, keepdim=True, correction=0) => (x ** 2).mean(dim=-1, keepdim=True)
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
# %% wrong="the variance as a number" says="on its way to the variance" of="float64 inside, loops over rows"
#~ torch.sqrt(v + eps) => math.sqrt(v.item() + eps)
# %% wrong="gain and offset are no weights" says="on its way to weight" of="the plain way"
#~ * weight + bias => * weight.detach() + bias
# %% right="one product less: gain over root, then one line" of="the plain way"
#~ (x - mean) / torch.sqrt(var + eps) * weight + bias => torch.addcmul(bias, x - mean, weight * (var + eps) ** -0.5)
# %% right="the mean is taken off by a matrix"
def layer_norm(x, weight, bias, eps=1e-5):
    C = x.shape[-1]
    d = x @ (torch.eye(C, dtype=x.dtype, device=x.device) - 1 / C)
    return torch.addcmul(bias, d * ((d * d).sum(-1, keepdim=True) / C + eps).rsqrt(), weight)
# %% wrong="std with C - 1, and eps behind it" says="by C, not by C - 1: correction=0; eps stands inside"
#~ torch.sqrt(variance + eps) => (x.std(dim=-1, keepdim=True) + eps)
# %% wrong="the mean square less the squared mean" says="loses its digits far from 0"
#~ ((x - mean) ** 2).mean(dim=-1, keepdim=True) => (x**2).mean(dim=-1, keepdim=True) - mean**2
# %% wrong="axis 2" says="axis 2, which is the last axis only where x has three" of="the plain way"
#~ var = x.var(dim=-1 => var = x.var(dim=2
#~ mean = x.mean(dim=-1 => mean = x.mean(dim=2
# %% wrong="NumPy inside a function of autograd" says="NumPy was used" clause="no detach, no_grad, item or NumPy"
class NumpyNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        a = x.detach().numpy()
        d = a - a.mean(axis=-1, keepdims=True)
        root = np.sqrt((d * d).mean(axis=-1, keepdims=True) + np.asarray(eps, dtype=a.dtype))
        ctx.save_for_backward(weight)
        ctx.kept = (d / root, root)
        return torch.from_numpy(d / root * weight.detach().numpy() + bias.detach().numpy())
    @staticmethod
    def backward(ctx, gradient):
        normal, root = ctx.kept
        (weight,) = ctx.saved_tensors
        g = gradient.numpy()
        flat = tuple(range(g.ndim - 1))
        h = g * weight.numpy()
        dx = (h - h.mean(-1, keepdims=True) - normal * (h * normal).mean(-1, keepdims=True)) / root
        return torch.from_numpy(dx), *(torch.from_numpy(np.asarray(v.sum(axis=flat))) for v in (g * normal, g)), None
def layer_norm(x, weight, bias, eps=1e-5):
    return NumpyNorm.apply(x, weight, bias, eps)
