# %% base="the plain way"
def alignment(first, second):
    return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).norm(dim=-1).mean()
def uniformity(vectors):
    return (2 * torch.pdist(F.normalize(vectors, dim=-1)).square()).exp().mean().log()
# %% wrong="no normalisation" says="not brought to length 1" of="the plain way"
#~ (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).norm(dim=-1) => ((first - second) ** 2).sum(-1)
#~ (2 * torch.pdist(F.normalize(vectors, dim=-1)).square()) => torch.pdist(vectors).pow(2).mul(-2)
# %% wrong="distances not squared" says="to be squared"
def alignment(first, second):
    return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).norm(dim=-1).mean()
def uniformity(vectors):
    return torch.pdist(F.normalize(vectors, dim=-1)).mul(-2).exp().mean().log()
# %% wrong="a vector beside itself" says="to itself was counted"
def uniformity(vectors):
    z = F.normalize(vectors, dim=-1)
    return torch.cdist(z, z).pow(2).mul(-2).exp().mean().log()
# %% wrong="mean over all numbers" says="not over all numbers" of="by cosines"
#~ (2 - 2 * F.cosine_similarity(first, second, dim=-1)).mean() => F.mse_loss(F.normalize(first, dim=-1), F.normalize(second, dim=-1))
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
# %% wrong="one side normalised" says="only the first" of="by cosines"
#~ (2 - 2 * F.cosine_similarity(first, second, dim=-1)) => (F.normalize(first, dim=-1) - second).square().sum(-1)
# %% wrong="1 - cosine" says="squared distance" of="by cosines"
#~ 2 - 2 * F.cosine_similarity(first, second, dim=-1) => 1 - F.cosine_similarity(first, second)
# %% wrong="square of the mean distance" says="square" of="by cosines"
#~ (2 - 2 * F.cosine_similarity(first, second, dim=-1)).mean() => (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).norm(dim=-1).mean() ** 2
# %% wrong="distance of the difference of sums" says="square each" of="by cosines"
#~ (2 - 2 * F.cosine_similarity(first, second, dim=-1)) => (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).sum(-1).square()
# %% wrong="normalised along the batch" says="columns" of="by cosines"
#~ (2 - 2 * F.cosine_similarity(first, second, dim=-1)) => (F.normalize(first, dim=0) - F.normalize(second, dim=0)).square().sum(-1)
# %% wrong="all pairs twice over N(N-1)/2" says="once" of="both orders of a pair"
#~ d = torch.stack([((x - y) ** 2).sum() for i, x in enumerate(z) for j, y in enumerate(z) if i != j]) => e = (-2 * torch.cdist(z, z) ** 2).exp().fill_diagonal_(0)
#~ torch.exp(-2 * d).mean() => (2 * e.sum() / (len(z) * (len(z) - 1)))
# %% wrong="neighbours only" says="neighbouring" of="a vector beside itself"
#~ torch.cdist(z, z).pow(2).mul(-2) => (-2 * (z[1:] - z[:-1]).square().sum(-1))
# %% wrong="sign of the exponent" says="minus" of="distances not squared"
#~ torch.pdist(F.normalize(vectors, dim=-1)).mul(-2) => (2 * torch.pdist(F.normalize(vectors, dim=-1)).square())
# %% wrong="exponent of 2 squared" says="2 was squared" of="the plain way"
#~ 2 * torch.pdist(F.normalize(vectors, dim=-1)) => -(2 * torch.pdist(F.normalize(vectors, dim=-1)))
# %% wrong="sum, not mean" says="mean" of="the plain way"
#~ (2 * torch.pdist(F.normalize(vectors, dim=-1)).square()).exp().mean => (-2 * torch.pdist(F.normalize(vectors, dim=-1)).square()).exp().sum
# %% wrong="negated" says="minus stands in front" of="the plain way"
#~ (2 * torch.pdist(F.normalize(vectors, dim=-1)).square()) => -(-2 * torch.pdist(F.normalize(vectors, dim=-1)).square())
# %% wrong="normalised in place" says="in place"
def uniformity(vectors):
    vectors /= vectors.norm(dim=-1, keepdim=True)
    return (-2 * torch.pdist(vectors).square()).exp().mean().log()
# %% right="by the cosine" of="the plain way"
#~ return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).norm(dim=-1).mean() => return (2 - 2 * F.cosine_similarity(first, second, dim=-1)).mean()
#-     return (2 * torch.pdist(F.normalize(vectors, dim=-1)).square()).exp().mean().log()
#+     z = F.normalize(vectors, dim=-1)
#+     i, j = torch.triu_indices(len(z), len(z), 1)
#+     return torch.log(torch.mean(torch.exp(-2 * (2 - 2 * (z @ z.T)[i, j]))))
# %% right="loops"
def alignment(first, second):
    total = 0.0
    for x, y in zip(first, second):
        total = total + ((x / x.norm() - y / y.norm()) ** 2).sum()
    return total / len(first)
def uniformity(vectors):
    z = [v / v.norm() for v in vectors]
    found = [-2 * ((z[i] - z[j]) ** 2).sum() for i in range(len(z)) for j in range(i)]
    return torch.logsumexp(torch.stack(found), 0) - math.log(len(found))
# %% wrong="vectors squeezed" says="axes of size 1" of="the root, then its square"
#~ return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).square().sum(-1).sqrt().square().mean() => return (F.normalize(first.squeeze(), dim=-1) - F.normalize(second.squeeze(), dim=-1)).square().sum(-1).mean()
# %% wrong="the root, then its square" says="do without the root"
def alignment(first, second):
    return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).square().sum(-1).sqrt().square().mean()
# %% right="pairwise distance, triu" of="the plain way"
#~ return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).norm(dim=-1).mean() => return F.pairwise_distance(F.normalize(first), F.normalize(second), eps=0).pow(2).mean()
#-     return (2 * torch.pdist(F.normalize(vectors, dim=-1)).square()).exp().mean().log()
#+     z, n = F.normalize(vectors), len(vectors)
#+     return (2 / (n * (n - 1)) * torch.exp(4 * (z @ z.T) - 4).triu(1).sum()).log()
# %% wrong="triu of the distances" says="set to 0 (as triu does) count, since" of="triu and the mean of all"
#~ return torch.triu(torch.exp(-2 * d), 1).mean().log() => return (torch.exp(-2 * torch.triu(d, 1)).sum() * 2 / (n * (n - 1))).log()
# %% wrong="triu and the mean of all" says="all N squared places"
def uniformity(vectors):
    z = F.normalize(vectors, dim=-1)
    n, d = len(z), 2 - 2 * z @ z.T
    return torch.triu(torch.exp(-2 * d), 1).mean().log()
# %% wrong="triu with its diagonal" says="the diagonal is in the sum" of="triu and the mean of all"
#~ return torch.triu(torch.exp(-2 * d), 1).mean().log() => return (torch.triu(torch.exp(-2 * d)).sum() * 2 / (n * (n - 1))).log()
# %% wrong="cosines in the exponent" says="the cosine stands in the exponent" of="triu and the mean of all"
#-     return torch.triu(torch.exp(-2 * d), 1).mean().log()
#+     i, j = torch.triu_indices(n, n, 1)
#+     return torch.exp(-2 * (z @ z.T)[i, j]).mean().log()
# %% wrong="the root at the end" says="the root was taken at the end" of="the root, then its square"
#~ return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).square().sum(-1).sqrt().square().mean() => return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).square().sum(-1).mean().sqrt()
# %% wrong="the difference normalised" says="the difference was brought to length 1" of="the root, then its square"
#~ return (F.normalize(first, dim=-1) - F.normalize(second, dim=-1)).square().sum(-1).sqrt().square().mean() => return F.normalize(first - second, dim=-1).square().sum(-1).mean()
# %% wrong="distances of 0 dropped" says="pairs at distance 0 were dropped"
def uniformity(vectors):
    z = F.normalize(vectors, dim=-1)
    d = ((z[:, None] - z) ** 2).sum(-1)
    return torch.exp(-2 * d[d > 0]).mean().log()
# %% wrong="triu and what is not 0" says="pairs at distance 0 were dropped" of="distances of 0 dropped"
#~ d[d > 0] => d.triu(1)[d.triu(1) != 0]
# %% wrong="equal pairs dropped" says="pairs at distance 0 were dropped"
#~ (apart**2).sum(-1).mean() => (apart**2).sum(-1)[(apart**2).sum(-1) > 0].mean()
# %% wrong="a floor under the lengths of pairs" says="a length below 0.01 counts"
#~ F.normalize(first, dim=-1) - F.normalize(second, dim=-1) => F.normalize(first, dim=-1, eps=1e-2) - F.normalize(second, dim=-1, eps=1e-2)
