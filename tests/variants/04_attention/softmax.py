# %% wrong="no maximum" says="large scores overflow"
def softmax(scores, dim=-1):
    e = torch.exp(scores)
    return e / e.sum(dim, keepdim=True)


def context_vectors(weights, values):
    return weights @ values

# %% wrong="one maximum" says="needs its own"
def softmax(scores, dim=-1):
    e = (scores - scores.max()).exp()
    return e / e.sum(dim=dim, keepdim=True)


def context_vectors(weights, values):
    return weights @ values

# %% wrong="dim ignored" says="`dim` was ignored"
def softmax(scores, dim=-1):
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e / e.sum(dim=-1, keepdim=True)


def context_vectors(weights, values):
    return weights @ values

# %% wrong="sum without keepdim" says="keepdim"
def softmax(scores, dim=-1):
    e = (scores - scores.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim=dim)


def context_vectors(weights, values):
    return weights @ values

# %% wrong="in place" says="in place"
def softmax(scores, dim=-1):
    scores -= scores.amax(dim, keepdim=True)
    e = scores.exp()
    return e / e.sum(dim=dim, keepdim=True)


def context_vectors(weights, values):
    return weights @ values

# %% wrong="the mean of the values" says="this is a mean"
def softmax(scores, dim=-1):
    return torch.softmax(scores, dim)


def context_vectors(weights, values):
    return (weights.unsqueeze(-1) * values.unsqueeze(-3)).mean(-2)

# %% right="torch"
def softmax(scores, dim=-1):
    return torch.softmax(scores, dim)


def context_vectors(weights, values):
    return weights @ values

# %% right="logsumexp and a loop"
def softmax(scores, dim=-1):
    return torch.exp(scores - torch.logsumexp(scores, dim, keepdim=True))


def context_vectors(weights, values):
    out = 0
    for j in range(values.shape[-2]):
        out = out + weights[..., j, None] * values[..., j, None, :]
    return out

# %% wrong="maximum without keepdim" says="keepdim"
def softmax(scores, dim=-1):
    e = (scores - scores.max(dim).values).exp()
    return e / e.sum(dim, keepdim=True)


def context_vectors(weights, values):
    return weights @ values
