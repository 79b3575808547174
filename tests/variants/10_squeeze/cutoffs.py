# %% wrong="entropy in bits" says="bits"
#~ torch.special.entr(logits.softmax(-1)).sum() => torch.special.entr(logits.softmax(-1)).sum() / math.log(2)
# %% wrong="0 times ln 0" says="0 times the logarithm of 0 counts as 0"
def entropy(logits):
    p = logits.softmax(-1)
    return -(p * p.log()).sum()
# %% wrong="min-p" says="not squared"
#~ a * p.max() ** 2 => a * p.max()
# %% wrong="all squared" says="a was squared"
#~ a * p.max() ** 2 => (a * p.max()) ** 2
# %% wrong="no floor" says="likeliest always stays"
#~ wanted | (logits == logits.max()) => wanted
# %% wrong="zeros" says="minus infinity is asked for"
#~ wanted | (logits == logits.max()), logits, -torch.inf => wanted | (logits == logits.max()), logits, 0.0
# %% wrong="epsilon relative" says="that is min-p"
#~ wanted = logits.softmax(-1) >= epsilon => wanted = logits.softmax(-1) >= epsilon * logits.softmax(-1).max()
# %% wrong="the higher line" says="lower of the two lines counts"
#~ min(epsilon, math.sqrt(epsilon) => max(epsilon, math.sqrt(epsilon)
# %% wrong="no root" says="root of epsilon is missing"
#~ math.sqrt(epsilon) * => epsilon *
# %% wrong="e to the H" says="e^-H lowers it"
#~ math.exp(-entropy(logits)) => math.exp(entropy(logits))
# %% wrong="sample deviation" says="divide by V"
#~ correction=0 => correction=1
# %% wrong="removed tokens as zeros" says="removed tokens count"
#~ n * left.std(correction=0) => n * torch.where(logits > -torch.inf, logits, 0.0).std(correction=0)
# %% wrong="below the mean" says="below the mean"
#~ left.max() - n => left.mean() - n
# %% wrong="root of the product" says="over the whole product"
#~ math.sqrt(epsilon) * math.exp(-entropy(logits)) => math.sqrt(epsilon * math.exp(-entropy(logits)))
# %% wrong="the root line alone" says="epsilon itself is missing"
#~ min(epsilon, math.sqrt(epsilon) * math.exp(-entropy(logits))) => math.sqrt(epsilon) * math.exp(-entropy(logits))
# %% wrong="share of the largest entropy" says="divided by its largest value"
#~ math.exp(-entropy(logits)) => math.exp(-entropy(logits) / math.log(max(2, int((logits > -torch.inf).sum()))))
# %% wrong="the root alone" says="e^-H is missing"
#~ min(epsilon, math.sqrt(epsilon) * math.exp(-entropy(logits))) => math.sqrt(epsilon)
# %% wrong="below zero" says="n sigma below 0"
#~ left.max() - n * left => -n * left
# %% wrong="deviation of probabilities" says="sigma is that of the probabilities"
#~ left.std(correction=0) => logits.softmax(-1).std(correction=0)
# %% wrong="top-a, a squared" says="a is squared"
#~ a * p.max() ** 2 => a**2 * p.max()
# %% wrong="two to the minus H" says="this is 2^-H"
#~ math.exp(-entropy(logits)) => 2 ** -float(entropy(logits))
# %% right="with a floor by index, numpy"
def entropy(logits):
    return torch.distributions.Categorical(logits=logits.clamp(min=-1e30)).entropy()
def keep_epsilon(logits, epsilon):
    out = logits.clone()
    p = logits.softmax(dim=0)
    out[(p < epsilon) & (p < p.max())] = float("-inf")
    return out
def keep_eta(logits, epsilon):
    p = logits.softmax(-1)
    line = torch.minimum(torch.tensor(epsilon), epsilon**0.5 * torch.exp(-entropy(logits)))
    return logits.masked_fill((p < line) & (logits < logits.max()), -torch.inf)
# %% right="top-a in logarithms, sigma by hand"
def keep_top_a(logits, a):
    log_p = logits.log_softmax(-1)
    if a == 0:
        return logits.clone()
    return logits.masked_fill(log_p < math.log(a) + 2 * log_p.max(), -torch.inf)
def keep_top_n_sigma(logits, n):
    some = [v for v in logits.double().tolist() if v != -math.inf]
    mean = sum(some) / len(some)
    sigma = (sum((v - mean) ** 2 for v in some) / len(some)) ** 0.5
    return logits.masked_fill(logits.double() < max(some) - n * sigma, -torch.inf)
# %% wrong="n deviations above the mean" says="n deviations above the mean"
#~ logits >= left.max() - n * left.std(correction=0) => logits >= min(left.mean() + n * left.std(correction=0), left.max())
# %% wrong="above the mean, without a floor" says="n deviations above the mean"
#~ left.max() - n * left => left.mean() + n * left
# %% wrong="the entropy is nan" says="0 times the logarithm of 0 counts as 0"
#~ torch.special.entr(logits.softmax(-1)).sum() => -(logits.softmax(-1) * logits.log_softmax(-1)).sum()
#~ min(epsilon, math.sqrt(epsilon) * math.exp(-entropy(logits))) => min(math.sqrt(epsilon) * math.exp(-entropy(logits)), epsilon)
# %% wrong="0 times its logarithm" says="0 times the logarithm of 0 counts as 0" clause="0 · ln 0 counts as 0"
#~ torch.special.entr(logits.softmax(-1)).sum() => -(logits.softmax(-1) * logits.log_softmax(-1)).sum()
# %% wrong="one of the likeliest" says="of several likeliest" clause="The likeliest token always stays, even below the line; if several tie for the likeliest, all of them stay."
#~ wanted | (logits == logits.max()) => wanted | (torch.arange(len(logits)) == logits.argmax())
# %% wrong="one less in sigma" says="V - 1" clause="(divided by their number, not by one less)"
#~ correction=0 => correction=1
# %% wrong="removed as the smallest" says="as the smallest logit that is left" clause="A token that an earlier filter removed has no logit"
#~ n * left.std( => n * logits.clamp(min=float(left.min())).std(
# %% wrong="probabilities as they were" says="before tokens were removed"
#~ torch.where(wanted | (logits == logits.max()), logits, -torch.inf) => torch.where(wanted | (logits == logits.max()), logits.softmax(-1), -torch.inf)
# %% wrong="sigma is nan, and nothing falls below" says="sigma is nan"
#~ left = logits[logits > -torch.inf] => left = logits
#~ torch.where(logits >= left.max() - n * left.std(correction=0), logits, -torch.inf) => torch.where(logits < left.max() - n * left.std(correction=0), -torch.inf, logits)
