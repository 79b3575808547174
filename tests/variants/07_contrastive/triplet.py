# %% base="the plain way" of="the library's"
#~ return F.margin_ranking_loss(positive, negative, torch.ones_like(positive), margin=margin) => return (negative - positive + margin).mean()
#~ return -F.logsigmoid((positive.double() - negative.double()) / temperature).mean() => return F.softplus((positive - negative) / temperature).mean()
# %% wrong="a minus in front" says="a minus stands in front" of="relu and logsumexp"
#~ F.relu(margin - (positive - negative)) => -torch.clamp(negative - positive + margin, min=0)
# %% wrong="exchanged" says="positive and negative are exchanged" of="the library's"
#~ F.margin_ranking_loss(positive, negative, torch.ones_like(positive), margin=margin) => torch.clamp(positive - negative + margin, min=0).mean()
#~ -F.logsigmoid((positive.double() - negative.double()) / temperature) => F.softplus((positive - negative) / temperature)
# %% wrong="no floor" says="below 0 the loss stops" of="relu and logsumexp"
#~ F.relu(margin - (positive - negative)) => (negative - positive + margin)
# %% wrong="temperature multiplied" says="divided by the temperature, not multiplied" of="the library's"
#~ -F.logsigmoid((positive.double() - negative.double()) / temperature) => F.softplus((negative - positive) * temperature)
# %% wrong="overflow" says="overflow"
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
# %% wrong="clamp after the mean" says="floor" of="relu and logsumexp"
#~ F.relu(margin - (positive - negative)).mean() => (negative - positive + margin).mean().clamp(min=0)
# %% wrong="absolute value" says="0" of="relu and logsumexp"
#~ F.relu(margin - (positive - negative)) => (negative - positive + margin).abs()
# %% wrong="squared hinge" says="square" of="relu and logsumexp"
#~ (margin - (positive - negative)) => (negative - positive + margin).square()
# %% wrong="mean over violators only" says="mean"
def margin_loss(positive, negative, margin=0.5):
    loss = F.relu(negative - positive + margin)
    return loss.sum() / (loss > 0).sum().clamp(min=1)
# %% wrong="margin outside the maximum" says="margin" of="relu and logsumexp"
#~ F.relu(margin - (positive - negative)) => (F.relu(negative - positive) + margin)
# %% wrong="not averaged" says="mean" of="relu and logsumexp"
#~ (margin - (positive - negative)).mean() => (negative - positive + margin)
# %% wrong="log1p of exp, overflows the other way" says="overflow" of="the library's"
#~ -F.logsigmoid((positive.double() - negative.double()) / temperature) => ((negative - positive) / temperature).exp().log1p()
# %% wrong="softmax over the batch" says="batch" of="the library's"
#~ F.logsigmoid((positive.double() - negative.double()) / temperature) => torch.cat([positive, negative]).div(temperature).log_softmax(0)[: len(positive)]
# %% wrong="log of the mean probability" says="mean" of="the library's"
#~ F.logsigmoid((positive.double() - negative.double()) / temperature).mean => ((positive - negative) / temperature).sigmoid().mean().log
# %% wrong="an epsilon in the logarithm" says="small number inside" of="the library's"
#~ F.logsigmoid((positive.double() - negative.double()) / temperature) => (((positive - negative) / temperature).sigmoid() + 1e-8).log()
# %% wrong="the loss as a float" says="no item" of="the library's"
#~ -F.logsigmoid((positive.double() - negative.double()) / temperature).mean => F.softplus((negative - positive) / temperature).mean().item
# %% right="clamp, cross-entropy" of="the library's"
#~ return F.margin_ranking_loss(positive, negative, torch.ones_like(positive), margin=margin) => return torch.clamp(margin - (positive - negative), min=0).mean()
#-     return -F.logsigmoid((positive.double() - negative.double()) / temperature).mean()
#+     s = torch.stack([positive, negative], dim=1) / temperature
#+     return F.cross_entropy(s, torch.zeros(len(s), dtype=torch.long))
# %% right="where, logaddexp"
def margin_loss(positive, negative, margin=0.5):
    short = negative + margin - positive
    return torch.where(short > 0, short, torch.zeros_like(short)).sum() / len(short)
def softmax_triplet(positive, negative, temperature=0.1):
    p, n = positive / temperature, negative / temperature
    return (torch.logaddexp(p, n) - p).mean()
# %% wrong="where, whose gradient is NaN" says="the gradient is NaN"
def softmax_triplet(positive, negative, temperature=0.1):
    x = (negative - positive) / temperature
    return torch.where(x > 20, x, x.exp().log1p()).mean()
# %% wrong="a margin of 0 taken for none" says="a margin of 0 is a margin" of="relu and logsumexp"
#~ F.relu(margin - => F.relu((margin or 0.5) -
# %% right="the library's, others" of="the library's"
#-     return F.margin_ranking_loss(positive, negative, torch.ones_like(positive), margin=margin)
#+     gap = positive - negative
#+     return F.hinge_embedding_loss(gap, -torch.ones_like(gap), margin=margin)
#~ return -F.logsigmoid((positive.double() - negative.double()) / temperature).mean() => return F.binary_cross_entropy_with_logits((positive - negative) / temperature, torch.ones_like(positive))
# %% wrong="the softmax of the mean similarities" says="loss of the mean similarities" of="the library's"
#~ -F.logsigmoid((positive.double() - negative.double()) / temperature).mean() => F.softplus((negative - positive).mean() / temperature)
# %% wrong="the exponent clamped" says="cut off at 80" of="the exponent clamped on both sides"
#~ z = ((negative - positive) / temperature).clamp(-20, 20) => z = ((negative - positive) / temperature).clamp(max=80)
# %% wrong="the exponent clamped on both sides" says="cut off at 20"
def softmax_triplet(positive, negative, temperature=0.1):
    z = ((negative - positive) / temperature).clamp(-20, 20)
    return torch.log1p(torch.exp(z)).mean()
# %% wrong="the temperature outside" says="the temperature divides the loss" of="softplus with beta"
#~ return F.softplus(negative - positive, beta=1 / temperature).mean() => return F.softplus(negative - positive).mean() / temperature
# %% wrong="softplus with beta" says="F.softplus does so with its beta"
def softmax_triplet(positive, negative, temperature=0.1):
    return F.softplus(negative - positive, beta=1 / temperature).mean()
# %% wrong="a margin in the soft loss" says="a margin was added to the similarities" of="softplus with beta"
#~ return F.softplus(negative - positive, beta=1 / temperature).mean() => return F.softplus((negative - positive + 0.5) / temperature).mean()
# %% wrong="the largest loss" says="the largest loss of the batch"
def margin_loss(positive, negative, margin=0.5):
    return F.relu(negative - positive + margin).max()
# %% wrong="no gradient to the negatives" says="is something detached" clause="Finite gradients flow back to both inputs of a loss, and"
def margin_loss(positive, negative, margin=0.5):
    return (negative.detach() - positive + margin).clamp(min=0).mean()
# %% wrong="another margin by default" says="the margin is 0.5, not 0.2" of="the library's"
#~ margin=0.5): => margin=0.2):
# %% wrong="the softmax over the batch" says="the softmax ran over the batch"
def softmax_triplet(positive, negative, temperature=0.1):
    scores = torch.stack([positive, negative], dim=1) / temperature
    return -scores.log_softmax(0)[:, 0].mean()
