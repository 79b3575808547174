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
