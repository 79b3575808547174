# %% wrong="LoRA's own scale" says="LoRA's own scale"
#~ math.sqrt(r) => r
# %% wrong="root of the fraction" says="not of the whole fraction"
#~ alpha / math.sqrt(r) => math.sqrt(alpha / r)
# %% wrong="times the root" says="not multiplied"
#~ alpha / math => alpha * math
# %% wrong="integer root" says="not rounded"
#~ math.sqrt(r) => math.isqrt(r)
# %% wrong="norm of the columns" says="norms are of the columns"
#~ dim=1 => dim=0
# %% wrong="one norm" says="one norm for the whole matrix"
#~ norm(dim=1, keepdim=True) => norm()
# %% wrong="not normalised" says="not brought to length 1"
#~ moved / moved.detach().norm(dim=1, keepdim=True) => moved
# %% wrong="norm of W" says="norm is that of W alone"
#~ moved.detach().norm => weight.norm
# %% wrong="no magnitude" says="magnitude is missing"
#~ magnitude[:, None] * moved => moved
# %% wrong="no scale" says="`scale` is missing"
#~ moved = weight + scale * B => moved = weight + B
# %% wrong="through the norm" says="flows through the norm"
#~ moved.detach() => moved
# %% wrong="everything detached" says="only the norm is detached"
#~ magnitude[:, None] * moved / moved.detach() => magnitude[:, None].detach() * moved.detach() / moved.detach()
# %% wrong="normalised too early" says="added after W was normalised"
def dora_weight(weight, magnitude, A, B, scale):
    return magnitude[:, None] * F.normalize(weight, dim=1) + scale * B @ A
# %% wrong="magnitudes of the columns" says="here they multiply the columns"
def dora_weight(weight, magnitude, A, B, scale):
    moved = weight + scale * B @ A
    return moved / moved.norm(dim=1, keepdim=True).detach() * (magnitude if len(magnitude) == moved.shape[1] else magnitude[:, None])
# %% right="lengths by hand"
def rs_scale(alpha, r):
    return alpha * r**-0.5
def dora_weight(weight, magnitude, A, B, scale):
    moved = weight + scale * (B @ A)
    with torch.no_grad():
        length = moved.pow(2).sum(1).sqrt()
    return (magnitude / length).unsqueeze(1) * moved
# %% right="a loop over rows"
def dora_weight(weight, magnitude, A, B, scale):
    rows = []
    for w, m, b in zip(weight, magnitude, B):
        row = w + scale * (b @ A)
        rows.append(m * row / torch.linalg.vector_norm(row.detach()))
    return torch.stack(rows)
# %% wrong="B detached" says="gradient"
#~ scale * B @ A => scale * B.detach() @ A
# %% right="diag and normalise by data"
def dora_weight(weight, magnitude, A, B, scale):
    moved = torch.addmm(weight, B, A, alpha=scale)
    return torch.diag(magnitude / moved.data.square().sum(-1).sqrt()) @ moved
# %% wrong="own length" says="not used"
#~ magnitude[:, None] * => weight.norm(dim=1, keepdim=True) * magnitude[:, None] / magnitude[:, None] *
# %% wrong="absolute magnitude" says="absolute value is taken"
#~ magnitude[:, None] * => magnitude.abs()[:, None] *
# %% wrong="largest value" says="largest absolute value"
#~ norm(dim=1, keepdim=True) => abs().amax(dim=1, keepdim=True)
# %% wrong="a small number added" says="small number"
#~ norm(dim=1, keepdim=True) => norm(dim=1, keepdim=True).add(1e-6)
# %% wrong="root of the mean" says="root of the mean of squares"
#~ norm(dim=1, keepdim=True) => square().mean(dim=1, keepdim=True).sqrt()
# %% wrong="subtracted" says="update is subtracted"
#~ moved = weight + scale => moved = weight - scale
# %% wrong="update behind" says="behind the division"
#~ magnitude[:, None] * moved / moved.detach().norm(dim=1, keepdim=True) => magnitude[:, None] * weight / moved.detach().norm(dim=1, keepdim=True) + moved - weight
# %% wrong="a gradient through the norm" says="through the norm" clause="The norm in the denominator counts as a *number*: no gradient flows through it."
#~ moved.detach().norm => moved.norm
# %% wrong="no gradient at all" says="has no gradient" clause="The gradient flows to magnitude, A and B, but not through the norms."
#~ magnitude[:, None] * moved / => magnitude.detach()[:, None] * moved.detach() /
# %% wrong="short lengths raised" says="a short length was raised"
#~ moved.detach().norm(dim=1, keepdim=True) => moved.detach().norm(dim=1, keepdim=True).clamp(min=1e-3)
