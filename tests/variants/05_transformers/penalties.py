# %% wrong="negative logits are divided" says="negative logits were divided"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for i in set(generated):
        out[i] = out[i] / repetition - frequency * generated.count(i) - presence
    return out

# %% wrong="presence for each occurrence" says="the presence penalty counts once"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for i in set(generated):
        out[i] = out[i] / repetition if out[i] > 0 else out[i] * repetition
        out[i] -= (frequency + presence) * generated.count(i)
    return out

# %% wrong="changes its argument" says="in place"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    for i in set(generated):
        logits[i] = logits[i] / repetition if logits[i] > 0 else logits[i] * repetition
        logits[i] -= frequency * generated.count(i) + presence
    return logits

# %% right="a loop over a Counter"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    from collections import Counter

    out = logits.tolist()
    for i, n in Counter(generated).items():
        out[i] = (out[i] / repetition if out[i] >= 0 else out[i] * repetition) - n * frequency - presence
    return torch.tensor(out)
