# %% base="the plain way"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    scores = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
    return F.cross_entropy(scores, torch.arange(len(z)).roll(len(first)))
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
# %% wrong="temperature multiplied" says="not multiplied by it" of="the plain way"
#~ / => *
# %% wrong="no normalisation" says="not brought to length 1" of="the plain way"
#~ F.normalize(torch.cat([first, second]), dim=-1) => torch.cat([first, second])
# %% wrong="labels of neighbours" says="the labels are off" of="the plain way"
#~ roll(len(first)) => view(-1, 2).flip(1).flatten()
# %% wrong="labels off by N, diagonal kept" says="each view was to find itself" of="the diagonal kept"
#~ (len(z)).roll(len(first)) => (len(z))
# %% wrong="labels off by N" says="no label either" of="the plain way"
#~ (len(z)).roll(len(first)) => (len(z))
# %% wrong="the sum over the views" says="the mean over the 2N views is missing" of="the plain way"
#~ (len(first)) => (len(first)), reduction="sum"
# %% wrong="divided by N" says="divided by N" of="the plain way"
#~ (scores, torch.arange(len(z)).roll(len(first))) => (scores, torch.arange(len(z)).roll(len(first)), reduction="sum") / len(first)
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
# %% wrong="diagonal set to 0" says="diagonal" of="the diagonal at -1e9"
#~ scores = z @ z.T / temperature - 1e9 * torch.eye(len(z)) => s = (z @ z.T / temperature).fill_diagonal_(0)
#~ scores, torch.cat([torch.arange(len(first)) + len(first), torch.arange(len(first))]) => s, torch.arange(len(z)).roll(len(first))
# %% wrong="diagonal set to -1 before the temperature" says="diagonal" of="the diagonal at -1e9"
#~ scores = z @ z.T / temperature - 1e9 * torch.eye(len(z)) => s = (z @ z.T).fill_diagonal_(-1) / temperature
#~ scores, torch.cat([torch.arange(len(first)) + len(first), torch.arange(len(first))]) => s, torch.arange(len(z)).roll(len(first))
# %% wrong="partner left out of the denominator" says="positive is missing" of="the diagonal kept"
#-     return F.cross_entropy(z @ z.T / temperature, torch.arange(len(z)).roll(len(first)))
#+     s = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
#+     i = torch.arange(len(z)); p = i.roll(len(first))
#+     own = s[i, p].clone()
#+     s[i, p] = -torch.inf
#+     return (s.logsumexp(1) - own).mean()
# %% wrong="partners left out besides the own: first half only" says="first" of="the diagonal at -1e9"
#~ scores = z @ z.T / temperature - 1e9 * torch.eye(len(z)) => s = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
#~ scores, torch.cat([torch.arange(len(first)) + len(first), torch.arange(len(first))]) => s[: len(first)], torch.arange(len(first)) + len(first)
# %% wrong="plain exp overflows" says="overflow" of="the diagonal cut out"
#~ s = z @ z.T / temperature => e = (z @ z.T / temperature).exp()
#~ off = s[~torch.eye(2 * n, dtype=torch.bool)].view(2 * n, 2 * n - 1) => below = e.sum(1) - e.diagonal()
#~ (z * z.roll(n, 0)).sum(-1) / temperature => torch.cat([e.diagonal(n), e.diagonal(-n)])
#~ (off.logsumexp(1) - own) => -(own / below).log()
# %% wrong="normalised per column" says="length 1"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=0)
    s = (z @ z.T / temperature).fill_diagonal_(-torch.inf)
    return F.cross_entropy(s, torch.arange(len(z)).roll(len(first)))
# %% wrong="temperature only above" says="temperature"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    s = (z @ z.T).fill_diagonal_(-torch.inf)
    i = torch.arange(len(z))
    return (s.logsumexp(1) - s[i, i.roll(len(first))] / temperature).mean()
# %% wrong="log of the mean" says="mean" of="temperature only above"
#~ T => T / temperature
#~ (s.logsumexp(1) - s[i, i.roll(len(first))] / temperature).mean => -s.softmax(1)[i, i.roll(len(first))].mean().log
# %% wrong="one view's diagonal only" says="diagonal" of="the positive twice below"
#~ scores = (z @ z.T / temperature).masked_fill(torch.eye(2 * n, dtype=torch.bool), -torch.inf) => s = z @ z.T / temperature
#~ positive = scores[torch.arange(2 * n), torch.arange(2 * n).roll(n)] => s[:n, :n].fill_diagonal_(-torch.inf)
#~ (torch.cat([positive[:, None], scores], 1).logsumexp(1) - positive).mean() => F.cross_entropy(s, torch.arange(2 * n).roll(n))
# %% right="the diagonal cut out"
def nt_xent(first, second, temperature=0.5):
    n = len(first)
    z = F.normalize(torch.cat([first, second]), dim=-1)
    s = z @ z.T / temperature
    off = s[~torch.eye(2 * n, dtype=torch.bool)].view(2 * n, 2 * n - 1)
    own = (z * z.roll(n, 0)).sum(-1) / temperature
    return (off.logsumexp(1) - own).mean()
# %% right="interleaved, with -1e9"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.stack([first, second], 1).flatten(0, 1), dim=-1)
    s = z @ z.T / temperature - 1e9 * torch.eye(len(z), dtype=z.dtype, device=z.device)
    return F.cross_entropy(s, torch.arange(len(z), device=z.device) ^ 1)
# %% wrong="candidates detached" says="the gradients of both views" of="the diagonal not low enough"
#-     s = (z @ z.T / temperature).fill_diagonal_(-100)
#+     s = (z @ z.detach().T / temperature).fill_diagonal_(-torch.inf)
# %% wrong="the diagonal not low enough" says="not low enough"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.cat([first, second]), dim=-1)
    s = (z @ z.T / temperature).fill_diagonal_(-100)
    return F.cross_entropy(s, torch.arange(len(z)).roll(len(first)))
# %% right="views in turn, minus 1e9"
def nt_xent(first, second, temperature=0.5):
    z = F.normalize(torch.stack([first, second], 1).flatten(0, 1), dim=-1)
    s = z @ z.T / temperature - 1e9 * torch.eye(len(z), dtype=z.dtype, device=z.device)
    return F.cross_entropy(s, torch.arange(len(z), device=z.device) ^ 1)
# %% wrong="diagonal dropped, labels as before" says="a label is out of range" of="labels repeated"
#~ return F.cross_entropy(s.masked_fill(eye, -1e9), torch.arange(n).repeat(2)) => return F.cross_entropy(s[~eye].view(2 * n, 2 * n - 1), partner)
# %% wrong="labels repeated" says="was to find itself"
def nt_xent(first, second, temperature=0.5):
    n = len(first)
    z = F.normalize(torch.cat([first, second]), dim=1)
    s, eye, partner = z @ z.T / temperature, torch.eye(2 * n, dtype=torch.bool), torch.arange(2 * n).roll(n)
    return F.cross_entropy(s.masked_fill(eye, -1e9), torch.arange(n).repeat(2))
# %% wrong="labels backwards" says="the labels run backwards" of="labels repeated"
#~ return F.cross_entropy(s.masked_fill(eye, -1e9), torch.arange(n).repeat(2)) => return F.cross_entropy(s.masked_fill(eye, -torch.inf), torch.arange(2 * n).flip(0))
# %% wrong="less 1 for itself" says="exp(1 / temperature)" of="labels repeated"
#-     return F.cross_entropy(s.masked_fill(eye, -1e9), torch.arange(n).repeat(2))
#+     e = s.exp()
#+     return -(e[torch.arange(2 * n), partner] / (e.sum(1) - 1)).log().mean()
# %% wrong="no logarithm" says="the logarithm is missing" of="labels repeated"
#~ return F.cross_entropy(s.masked_fill(eye, -1e9), torch.arange(n).repeat(2)) => return -s.masked_fill(eye, -torch.inf).softmax(1)[torch.arange(2 * n), partner].mean()
# %% wrong="negatives of the own side" says="only the views of the own side" of="labels repeated"
#-     return F.cross_entropy(s.masked_fill(eye, -1e9), torch.arange(n).repeat(2))
#+     own = torch.arange(2 * n) < n
#+     other = (own[:, None] != own) & (torch.arange(2 * n) != partner[:, None])
#+     return F.cross_entropy(s.masked_fill(eye | other, -torch.inf), partner)
