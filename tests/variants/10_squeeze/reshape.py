# %% wrong="multiplied" says="divide"
#~ logits / (low + => logits * (low +
# %% wrong="not relative" says="not divided by the largest one"
#~ entropy(logits) / math.log(n) if n > 1 else 0.0 => entropy(logits)
# %% wrong="exchanged" says="low and high are exchanged"
#~ low + (high - low) * share => high + (low - high) * share
# %% wrong="all tokens" says="removed tokens count in n"
#~ n = int((logits > -torch.inf).sum()) => n = len(logits)
# %% wrong="zero by zero" says="0 / 0 is nan"
#~ math.log(n) if n > 1 else 0.0 => torch.tensor(float(n)).log()
# %% wrong="first power" says="first power"
#~ (logits - logits.max()) ** 2 => (logits.max() - logits)
# %% wrong="upwards" says="subtracted, not added"
#~ logits.max() - s => logits.max() + s
# %% wrong="no maximum" says="largest logit is missing"
#~ return logits.max() - s * => return -s *
# %% wrong="not below low" says="then the temperature is, too"
#~ return logits / (low + (high - low) * share) => return logits / max(low + (high - low) * share, low)
# %% wrong="put in order" says="do not put the two in order"
#~ (low + (high - low) * share) => (min(low, high) + abs(high - low) * share)
# %% right="lerp"
def dynamic_temperature(logits, low, high):
    left = logits[torch.isfinite(logits)]
    most = math.log(len(left)) or 1.0
    temperature = low + float(entropy(left)) / most * (high - low)
    return logits / temperature
# %% right="square"
def quadratic(logits, s):
    best = logits.max()
    return best - s * torch.square(best - logits)
# %% wrong="entropy by hand, nan" says="the entropy is nan where a token was removed"
#~ entropy(logits) / => -(logits.softmax(-1) * logits.log_softmax(-1)).sum() /
# %% wrong="a share of 1 for one" says="here as 1" clause="With only one of them the temperature is low."
#~ if n > 1 else 0.0 => if n > 1 else 1.0
# %% wrong="never below low" says="high may be below low" clause="With only one of them the temperature is low. high may be"
#~ (high - low) * share => max(high - low, 0.0) * share
