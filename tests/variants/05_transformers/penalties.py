# %% base="the plain way"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts - presence, logits)
# %% wrong="negative logits are divided" says="negative logits were divided" of="a loop over the set"
#-         value = out[i] / repetition if out[i] > 0 else out[i] * repetition
#-         out[i] = value - generated.count(i) * frequency - presence
#+         out[i] = out[i] / repetition - frequency * generated.count(i) - presence
# %% wrong="presence for each occurrence" says="the presence penalty counts once" of="a loop over the set"
#~ value = => out[i] =
#~ = value - generated.count(i) * frequency - presence => -= (frequency + presence) * generated.count(i)
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
# %% wrong="positive logits multiplied" says="positive" of="the plain way"
#~ / repetition, logits * => * repetition, logits /
# %% wrong="once for each occurrence" says="once" of="the plain way"
#~ , logits * repetition => **counts, logits * repetition**counts
# %% wrong="all tokens" says="all tokens were penalised" of="the plain way"
#~ torch.where(seen, softer - frequency * counts - presence, logits) => softer - frequency * counts - presence
# %% wrong="presence for all tokens" says="presence penalty goes to all" of="the plain way"
#~ (seen, softer - frequency * counts - presence, logits) => (seen, softer - frequency * counts, logits) - presence
# %% wrong="frequency once" says="counts each occurrence" of="the plain way"
#~ * counts - => -
# %% wrong="frequency is ignored" says="frequency" of="the plain way"
#~ frequency * counts - presence => presence
# %% wrong="presence is ignored" says="presence" of="the plain way"
#~ counts - presence => counts
# %% wrong="repetition is ignored" says="repetition" of="the plain way"
#~ torch.where(logits > 0, logits / repetition, logits * repetition) => logits
# %% wrong="frequency added" says="subtracted, not added" of="the plain way"
#~ - frequency => + frequency
# %% wrong="presence added" says="subtracted, not added" of="the plain way"
#~ - presence => + presence
# %% wrong="repetition last" says="come after the repetition" of="the plain way"
#-     softer = torch.where(logits > 0, logits / repetition, logits * repetition)
#-     return torch.where(seen, softer - frequency * counts - presence, logits)
#+     x = logits - frequency * counts - presence
#+     x = torch.where(x > 0, x / repetition, x * repetition)
#+     return torch.where(seen, x, logits)
# %% wrong="relative frequency" says="share of all tokens" of="the plain way"
#~ - presence => / max(len(generated), 1) - presence
# %% wrong="subtracted" says="was subtracted" of="the plain way"
#~ torch.where(logits > 0, logits / repetition, logits * repetition) => logits - repetition
# %% wrong="only the last token" says="last" of="the plain way"
#~ (generated, dtype=torch.long) => (generated[-1:], dtype=torch.long)
# %% wrong="the first is left out" says="first" of="the plain way"
#~ (generated, dtype=torch.long) => (generated[1:], dtype=torch.long)
# %% wrong="logs instead of counts" says="logarithm of the count" of="the plain way"
#~ counts - => torch.log1p(counts) -
# %% wrong="fails on an empty list" says="nothing was generated yet" of="the plain way"
#~ generated, dtype=torch.long => generated
# %% wrong="no return" says="is there a return" of="the plain way"
#~ return => x =
# %% wrong="multiplied everywhere where seen" says="positive logits were multiplied" of="the plain way"
#~ torch.where(logits > 0, logits / repetition, logits * repetition) => logits * repetition
# %% wrong="frequency and presence exchanged" says="exchanged" of="the plain way"
#~ frequency * counts - presence => presence * counts - frequency
# %% wrong="one occurrence is free" says="first occurrence counts" of="the plain way"
#~ counts - => (counts - 1) -
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
# %% wrong="log-probabilities" says="log-softmax" of="repetition on probabilities"
#~ softmax => log_softmax
# %% wrong="last token forgotten" says="last of the generated" of="repetition on probabilities"
#-     out = logits.softmax(-1)
#+     generated = generated[:-1]
#+     out = logits.clone()
# %% wrong="each occurrence" says="once for each occurrence" of="repetition on probabilities"
#~ softmax(-1) => clone()
#~ set(generated) => generated
#-         out[token] -= frequency * generated.count(token)
#+         out[token] -= frequency
#+     for token in set(generated):
# %% wrong="presence only when repeated" says="first occurrence" of="repetition on probabilities"
#~ softmax(-1) => clone()
#-         out[token] -= presence
#+         if generated.count(token) > 1:
#+             out[token] -= presence
# %% wrong="frequency share of the text" says="share" of="repetition on probabilities"
#~ softmax(-1) => clone()
#~ (token) => (token) / len(generated)
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
