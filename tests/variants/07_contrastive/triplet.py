# %% wrong="as printed" says="the printed formula"
def margin_loss(positive, negative, margin=0.5):
    return -torch.clamp(negative - positive + margin, min=0).mean()


def softmax_triplet(positive, negative, temperature=0.1):
    return F.softplus((negative - positive) / temperature).mean()

# %% wrong="exchanged" says="positive and negative are exchanged"
def margin_loss(positive, negative, margin=0.5):
    return torch.clamp(positive - negative + margin, min=0).mean()


def softmax_triplet(positive, negative, temperature=0.1):
    return F.softplus((positive - negative) / temperature).mean()

# %% wrong="no floor" says="below 0 the loss stops"
def margin_loss(positive, negative, margin=0.5):
    return (negative - positive + margin).mean()


def softmax_triplet(positive, negative, temperature=0.1):
    return F.softplus((negative - positive) / temperature).mean()

# %% wrong="temperature multiplied" says="divided by the temperature, not multiplied"
def margin_loss(positive, negative, margin=0.5):
    return torch.clamp(negative - positive + margin, min=0).mean()


def softmax_triplet(positive, negative, temperature=0.1):
    return F.softplus((negative - positive) * temperature).mean()

# %% wrong="overflow" says="overflow"
def margin_loss(positive, negative, margin=0.5):
    return torch.clamp(negative - positive + margin, min=0).mean()


def softmax_triplet(positive, negative, temperature=0.1):
    p, n = torch.exp(positive / temperature), torch.exp(negative / temperature)
    return -torch.log(p / (p + n)).mean()

# %% right="relu and logsumexp"
def margin_loss(positive, negative, margin=0.5):
    return F.relu(margin - (positive - negative)).mean()


def softmax_triplet(positive, negative, temperature=0.1):
    both = torch.stack([positive, negative], dim=1) / temperature
    return (both.logsumexp(1) - both[:, 0]).mean()

# %% right="the library's"
def margin_loss(positive, negative, margin=0.5):
    return F.margin_ranking_loss(positive, negative, torch.ones_like(positive), margin=margin)


def softmax_triplet(positive, negative, temperature=0.1):
    return -F.logsigmoid((positive.double() - negative.double()) / temperature).mean()

# %% wrong="clamp after the mean" says="floor"
def margin_loss(positive, negative, margin=0.5):
    return (negative - positive + margin).mean().clamp(min=0)

# %% wrong="absolute value" says="0"
def margin_loss(positive, negative, margin=0.5):
    return (negative - positive + margin).abs().mean()

# %% wrong="squared hinge" says="square"
def margin_loss(positive, negative, margin=0.5):
    return F.relu(negative - positive + margin).square().mean()

# %% wrong="mean over violators only" says="mean"
def margin_loss(positive, negative, margin=0.5):
    loss = F.relu(negative - positive + margin)
    return loss.sum() / (loss > 0).sum().clamp(min=1)

# %% wrong="margin outside the maximum" says="margin"
def margin_loss(positive, negative, margin=0.5):
    return (F.relu(negative - positive) + margin).mean()

# %% wrong="not averaged" says="mean"
def margin_loss(positive, negative, margin=0.5):
    return F.relu(negative - positive + margin)

# %% wrong="log1p of exp, overflows the other way" says="overflow"
def softmax_triplet(positive, negative, temperature=0.1):
    return ((negative - positive) / temperature).exp().log1p().mean()

# %% wrong="softmax over the batch" says="batch"
def softmax_triplet(positive, negative, temperature=0.1):
    return -torch.cat([positive, negative]).div(temperature).log_softmax(0)[: len(positive)].mean()

# %% wrong="log of the mean probability" says="mean"
def softmax_triplet(positive, negative, temperature=0.1):
    return -((positive - negative) / temperature).sigmoid().mean().log()

# %% wrong="an epsilon in the logarithm" says="small number inside"
def softmax_triplet(positive, negative, temperature=0.1):
    return -(((positive - negative) / temperature).sigmoid() + 1e-8).log().mean()

# %% wrong="the loss as a float" says="no item"
def softmax_triplet(positive, negative, temperature=0.1):
    return F.softplus((negative - positive) / temperature).mean().item()

# %% right="clamp, cross-entropy"
def margin_loss(positive, negative, margin=0.5):
    return torch.clamp(margin - (positive - negative), min=0).mean()

def softmax_triplet(positive, negative, temperature=0.1):
    s = torch.stack([positive, negative], dim=1) / temperature
    return F.cross_entropy(s, torch.zeros(len(s), dtype=torch.long))

# %% right="where, logaddexp"
def margin_loss(positive, negative, margin=0.5):
    short = negative + margin - positive
    return torch.where(short > 0, short, torch.zeros_like(short)).sum() / len(short)

def softmax_triplet(positive, negative, temperature=0.1):
    p, n = positive / temperature, negative / temperature
    return (torch.logaddexp(p, n) - p).mean()
