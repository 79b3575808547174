# %% wrong="backwards" says="last processor came first"
#~ for processor in processors: => for processor in reversed(processors):
# %% wrong="only the last" says="only the last processor"
#~ for processor in processors: => for processor in processors[-1:]:
# %% wrong="who is left" says="who is left is compared"
#~ one.softmax(-1) - other.softmax(-1) => one.isfinite().float() - other.isfinite().float()
# %% wrong="logits" says="a constant added"
def commute(first, second, logits):
    return torch.equal(chain(logits, [first, second]), chain(logits, [second, first]))
# %% wrong="the other way" says="are exchanged"
#~ <= 1e-6 => > 1e-6
# %% wrong="allclose" says="a relative tolerance beside it"
#~ bool((one.softmax(-1) - other.softmax(-1)).abs().max() <= 1e-6) => torch.allclose(one.softmax(-1), other.softmax(-1), atol=1e-6)
# %% wrong="added up" says="were added up"
#~ .abs().max() <= 1e-6 => .abs().sum() <= 1e-6
# %% wrong="the mean of the differences" says="the mean of the differences"
#~ .max() <= 1e-6 => .mean() <= 1e-6
# %% wrong="the sign kept" says="with their sign"
#~ .abs().max() => .max()
# %% right="reduce"
def chain(logits, processors):
    from functools import reduce
    return reduce(lambda z, change: change(z), processors, logits)
# %% right="numpy, by hand"
def commute(first, second, logits):
    one, other = second(first(logits)), first(second(logits))
    return bool(np.abs(one.softmax(0).numpy() - other.softmax(0).numpy()).max() <= 1e-6)
# %% wrong="a list that is emptied" says="belongs to the caller" clause="Return the logits (V,) after all processors, the first of the list first"
#~ for processor in processors: => while processors:
#~ logits = processor(logits) => logits = processors.pop(0)(logits)
# %% wrong="allclose as it comes" says="relative tolerance" clause="no token's probability differs by more than 1e-6."
#~ (one.softmax(-1) - other.softmax(-1)).abs().max() <= 1e-6 => torch.allclose(one.softmax(-1), other.softmax(-1))
# %% wrong="a tolerance beside 1e-6" says="more than 1e-6 is allowed" clause="no token's probability differs by more than 1e-6."
#~ (one.softmax(-1) - other.softmax(-1)).abs().max() <= 1e-6 => torch.allclose(one.softmax(-1), other.softmax(-1), atol=1e-6)
# %% wrong="sorted before they are compared" says="each token's own counts" clause="no token's probability differs by more than 1e-6."
#~ one.softmax(-1) - other.softmax(-1) => one.softmax(-1).sort().values - other.softmax(-1).sort().values
# %% wrong="equal to the last digit" says="equal to the last digit"
#~ (one.softmax(-1) - other.softmax(-1)).abs().max() <= 1e-6 => torch.equal(one.softmax(-1), other.softmax(-1))
# %% wrong="a tolerance of 1e-3" says="more than 1e-6 is allowed here"
#~ <= 1e-6 => <= 1e-3
