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
