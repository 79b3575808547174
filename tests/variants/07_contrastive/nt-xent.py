# %% wrong="the positive twice below" says="in the denominator twice"
def nt_xent(first, second, temperature=0.5):
    n = len(first)
    z = F.normalize(torch.cat([first, second]), dim=-1)
    scores = (z @ z.T / temperature).masked_fill(torch.eye(2 * n, dtype=torch.bool), -torch.inf)
    positive = scores[torch.arange(2 * n), torch.arange(2 * n).roll(n)]
    return (torch.cat([positive[:, None], scores], 1).logsumexp(1) - positive).mean()

# %% wrong="the diagonal kept" says="the diagonal was kept"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    return F.cross_entropy(z @ z.T / temperature, torch.arange(len(z)).roll(len(first)))

# %% wrong="temperature multiplied" says="not multiplied by it"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    scores = (z @ z.T * temperature).fill_diagonal_(-torch.inf)
    return F.cross_entropy(scores, torch.arange(len(z)).roll(len(first)))

# %% wrong="no normalisation" says="not brought to length 1"
def nt_xent(first, second, temperature=0.5):
    z = torch.cat([first, second])
    scores = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
    return F.cross_entropy(scores, torch.arange(len(z)).roll(len(first)))

# %% wrong="labels of neighbours" says="the labels are off"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    scores = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
    return F.cross_entropy(scores, torch.arange(len(z)).view(-1, 2).flip(1).flatten())

# %% wrong="labels off by N, diagonal kept" says="each view was to find itself"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    return F.cross_entropy(z @ z.T / temperature, torch.arange(len(z)))

# %% wrong="labels off by N" says="no label either"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    scores = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
    return F.cross_entropy(scores, torch.arange(len(z)))

# %% wrong="the sum over the views" says="the mean over the 2N views is missing"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    scores = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
    return F.cross_entropy(scores, torch.arange(len(z)).roll(len(first)), reduction="sum")

# %% wrong="divided by N" says="divided by N"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    scores = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
    return F.cross_entropy(scores, torch.arange(len(z)).roll(len(first)), reduction="sum") / len(first)

# %% wrong="only across" says="negatives, too"
def nt_xent(first, second, temperature=0.5):
    return F.cross_entropy(cosine_similarities(first, second) / temperature, torch.arange(len(first)))

# %% right="the diagonal at -1e9"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    scores = z @ z.T / temperature - 1e9 * torch.eye(len(z))
    return F.cross_entropy(scores, torch.cat([torch.arange(len(first)) + len(first), torch.arange(len(first))]))

# %% right="a loop in double precision"
def nt_xent(first, second, temperature=0.5):
    z, n = torch.cat([first, second]).double(), len(first)
    z = z / z.norm(dim=1, keepdim=True)
    total = 0.0
    for i in range(2 * n):
        s = torch.stack([z[i] @ z[k] for k in range(2 * n) if k != i]) / temperature
        total = total + torch.logsumexp(s, 0) - z[i] @ z[(i + n) % (2 * n)] / temperature
    return total / (2 * n)
