# %% wrong="dot products" says="dot product"
def cosine_similarities(a, b):
    return a @ b.T


def score_gradient(scores, right, temperature):
    chances = torch.softmax(scores / temperature, dim=-1)
    return (chances - F.one_hot(right, scores.shape[1])) / (temperature * len(scores))

# %% wrong="no temperature in front" says="1 / temperature is missing"
def cosine_similarities(a, b):
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T


def score_gradient(scores, right, temperature):
    chances = torch.softmax(scores / temperature, dim=-1)
    return (chances - F.one_hot(right, scores.shape[1])) / len(scores)

# %% wrong="the sign turned round" says="the sign is turned round"
def cosine_similarities(a, b):
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T


def score_gradient(scores, right, temperature):
    chances = torch.softmax(scores / temperature, dim=-1)
    return (F.one_hot(right, scores.shape[1]) - chances) / (temperature * len(scores))

# %% wrong="sum over the batch" says="mean over the N queries is missing"
def cosine_similarities(a, b):
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T


def score_gradient(scores, right, temperature):
    return (torch.softmax(scores / temperature, -1) - F.one_hot(right, scores.shape[1])) / temperature

# %% wrong="zero divided by zero" says="row of zeros"
def cosine_similarities(a, b):
    return (a / a.norm(dim=1, keepdim=True)) @ (b / b.norm(dim=1, keepdim=True)).T


def score_gradient(scores, right, temperature):
    chances = torch.softmax(scores / temperature, dim=-1)
    return (chances - F.one_hot(right, scores.shape[1])) / (temperature * len(scores))

# %% right="by autograd and the library"
def cosine_similarities(a, b):
    return F.cosine_similarity(a[:, None], b[None], dim=-1)


def score_gradient(scores, right, temperature):
    scores = scores.clone().requires_grad_()
    F.cross_entropy(scores / temperature, right).backward()
    return scores.grad

# %% right="in double precision, with loops"
def cosine_similarities(a, b):
    rows = []
    for x in a.double():
        rows.append([float(x @ y / (x.norm() * y.norm()).clamp(min=1e-12)) for y in b.double()])
    return torch.tensor(rows)


def score_gradient(scores, right, temperature):
    chances = torch.softmax(scores.double() / temperature, dim=-1)
    chances[torch.arange(len(scores)), right] -= 1
    return chances / temperature / len(scores)
