# %% wrong="no normalisation" says="not brought to length 1"
def alignment(first, second):
    return ((first - second) ** 2).sum(-1).mean()


def uniformity(vectors):
    return torch.pdist(vectors).pow(2).mul(-2).exp().mean().log()

# %% wrong="distances not squared" says="to be squared"
def alignment(first, second):
    return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).norm(dim=-1).mean()


def uniformity(vectors):
    return torch.pdist(F.normalize(vectors, dim=-1)).mul(-2).exp().mean().log()

# %% wrong="a vector beside itself" says="to itself was counted"
def alignment(first, second):
    return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).pow(2).sum(-1).mean()


def uniformity(vectors):
    z = F.normalize(vectors, dim=-1)
    return torch.cdist(z, z).pow(2).mul(-2).exp().mean().log()

# %% wrong="mean over all numbers" says="not over all numbers"
def alignment(first, second):
    return F.mse_loss(F.normalize(first, dim=-1), F.normalize(second, dim=-1))


def uniformity(vectors):
    return torch.pdist(F.normalize(vectors, dim=-1)).pow(2).mul(-2).exp().mean().log()

# %% right="by cosines"
def alignment(first, second):
    return (2 - 2 * F.cosine_similarity(first, second, dim=-1)).mean()


def uniformity(vectors):
    z = F.normalize(vectors.double(), dim=-1)
    s = (z @ z.T)[tuple(torch.triu_indices(len(z), len(z), 1))]
    return torch.logsumexp(-4 + 4 * s, 0) - math.log(len(s))

# %% right="both orders of a pair"
def alignment(first, second):
    a, b = F.normalize(first, dim=-1), F.normalize(second, dim=-1)
    return torch.stack([(x - y) @ (x - y) for x, y in zip(a, b)]).mean()


def uniformity(vectors):
    z = F.normalize(vectors, dim=-1)
    d = torch.stack([((x - y) ** 2).sum() for i, x in enumerate(z) for j, y in enumerate(z) if i != j])
    return torch.exp(-2 * d).mean().log()
