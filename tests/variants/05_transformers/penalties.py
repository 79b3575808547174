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

# %% wrong="positive logits multiplied" says="positive"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits * repetition, logits / repetition)
    return torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="once for each occurrence" says="once"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition**counts, logits * repetition**counts)
    return torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="all tokens" says="all tokens were penalised"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return softer - frequency * counts - presence

# %% wrong="presence for all tokens" says="presence penalty goes to all"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts, logits) - presence

# %% wrong="frequency once" says="counts each occurrence"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency - presence, logits)

# %% wrong="frequency is ignored" says="frequency"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - presence, logits)

# %% wrong="presence is ignored" says="presence"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts, logits)

# %% wrong="repetition is ignored" says="repetition"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = logits
    return torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="frequency added" says="subtracted, not added"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer + frequency * counts - presence, logits)

# %% wrong="presence added" says="subtracted, not added"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts + presence, logits)

# %% wrong="repetition last" says="come after the repetition"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    x = logits - frequency * counts - presence
    x = torch.where(x > 0, x / repetition, x * repetition)
    return torch.where(seen, x, logits)

# %% wrong="relative frequency" says="share of all tokens"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts / max(len(generated), 1) - presence, logits)

# %% wrong="subtracted" says="was subtracted"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = logits - repetition
    return torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="only the last token" says="last"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated[-1:], dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="the first is left out" says="first"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated[1:], dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="logs instead of counts" says="logarithm of the count"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * torch.log1p(counts) - presence, logits)

# %% wrong="fails on an empty list" says="nothing was generated yet"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="no return" says="is there a return"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    x = torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="multiplied everywhere where seen" says="positive logits were multiplied"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = logits * repetition
    return torch.where(seen, softer - frequency * counts - presence, logits)

# %% wrong="frequency and presence exchanged" says="exchanged"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - presence * counts - frequency, logits)

# %% wrong="one occurrence is free" says="first occurrence counts"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * (counts - 1) - presence, logits)

# %% right="a loop over the set"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for i in set(generated):
        value = out[i] / repetition if out[i] > 0 else out[i] * repetition
        out[i] = value - generated.count(i) * frequency - presence
    return out

# %% right="one-hot counts, powers"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    n = torch.zeros(len(logits), dtype=torch.float64)
    for i in generated:
        n[i] += 1
    there = (n > 0).double()
    factor = torch.full_like(n, repetition) ** (-torch.sign(logits.double()) * there)
    return (logits.double() * factor - n * frequency - there * presence).to(logits.dtype)

# %% wrong="presence first" says="presence penalty comes after"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for token in set(generated):
        out[token] -= presence
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency * generated.count(token)
    return out

# %% wrong="repetition on probabilities" says="softmax was taken first"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.softmax(-1)
    for token in set(generated):
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency * generated.count(token)
        out[token] -= presence
    return out

# %% wrong="log-probabilities" says="log-softmax"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.log_softmax(-1)
    for token in set(generated):
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency * generated.count(token)
        out[token] -= presence
    return out

# %% wrong="last token forgotten" says="last of the generated"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    generated = generated[:-1]
    out = logits.clone()
    for token in set(generated):
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency * generated.count(token)
        out[token] -= presence
    return out

# %% wrong="each occurrence" says="once for each occurrence"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for token in generated:
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency
    for token in set(generated):
        out[token] -= presence
    return out

# %% wrong="presence only when repeated" says="first occurrence"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for token in set(generated):
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency * generated.count(token)
        if generated.count(token) > 1:
            out[token] -= presence
    return out

# %% wrong="frequency share of the text" says="share"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for token in set(generated):
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency * generated.count(token) / len(generated)
        out[token] -= presence
    return out

# %% right="one-hot counts"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    if not generated:
        return logits.clone()
    counts = F.one_hot(torch.tensor(generated), len(logits)).sum(0).to(logits.dtype)
    seen = counts.clamp(max=1)
    factor = repetition ** (-seen * logits.sign())
    return logits * factor - frequency * counts - presence * seen

# %% right="numpy"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    z = logits.numpy().copy()
    ids, counts = np.unique(np.array(generated, dtype=int), return_counts=True)
    z[ids] = np.where(z[ids] > 0, z[ids] / repetition, z[ids] * repetition)
    z[ids] -= (frequency * counts + presence).astype(z.dtype)
    return torch.from_numpy(z)
