# %% base="the plain way"
def expected_counts(words, log_probs):
    total = dict.fromkeys(log_probs, 0.0)
    for word, times in words.items():
        n = len(word)
        a, b = np.full(n + 1, -np.inf), np.full(n + 1, -np.inf)
        a[0] = b[n] = 0
        spots = [(i, j) for j in range(1, n + 1) for i in range(j) if word[i:j] in log_probs]
        for i, j in spots:
            a[j] = np.maximum(a[j], a[i] + log_probs[word[i:j]])
        for i, j in sorted(spots, reverse=True):
            b[i] = np.maximum(b[i], b[j] + log_probs[word[i:j]])
        for i, j in spots:
            total[word[i:j]] += times * float(np.exp(a[i] + log_probs[word[i:j]] + b[j] - a[n]))
    return total
def maximise(counts, fewest=0.5):
    kept = {p: c for p, c in counts.items() if c >= fewest}
    z = digamma(sum(kept.values()))
    return {p: float(digamma(c) - z) for p, c in kept.items()}
# %% wrong="only the best cut" says="only the best cut"
def expected_counts(words, log_probs):
    counts = dict.fromkeys(log_probs, 0.0)
    for word, n in words.items():
        for piece in viterbi(word, log_probs):
            counts[piece] += n
    return counts
# %% wrong="the logarithm" says="this is the logarithm"
def maximise(counts, fewest=0.5):
    kept = {piece: count for piece, count in counts.items() if count >= fewest}
    total = np.log(sum(kept.values()))
    return {piece: float(np.log(count) - total) for piece, count in kept.items()}
# %% wrong="no logarithms" says="compute with logarithms" clause="Compute with logarithms"
#- def expected_counts(words: dict[str, int], log_probs: dict[str, float]) -> dict[str, float]:
#-     """Return how often each piece is used on average over all cuts of all words."""
#+ def expected_counts(words, log_probs):
#-     longest = max(map(len, log_probs))
#~ full(n + 1, -np.inf), np.full(n + 1, -np.inf) => zeros(n + 1), np.zeros(n + 1)
#-         for i in range(n):
#-             for j in range(i + 1, min(n, i + longest) + 1):
#+         for j in range(1, n + 1):
#+             for i in range(j):
#~ = 0.0 => = 1.0
#~ sorted(spans, key=lambda span: span[1]) => spans
#~ = np.logaddexp(alpha[j], alpha[i] + log_probs[word[i:j]]) => += alpha[i] * np.exp(log_probs[word[i:j]])
#~ = np.logaddexp(beta[i], log_probs[word[i:j]] + beta[j]) => += np.exp(log_probs[word[i:j]]) * beta[j]
#~ times * float(np.exp(alpha[i] + log_probs[word[i:j]] + beta[j] - alpha[n])) => float(times * alpha[i] * np.exp(log_probs[word[i:j]]) * beta[j] / alpha[n])
# %% right="logsumexp over lists"
def expected_counts(words, log_probs):
    from scipy.special import logsumexp
    counts = {piece: 0.0 for piece in log_probs}
    longest = max(len(piece) for piece in log_probs)
    for word, times in words.items():
        n = len(word)
        alpha, beta = [0.0], [0.0]
        for j in range(1, n + 1):
            terms = [alpha[i] + log_probs[word[i:j]] for i in range(max(0, j - longest), j) if word[i:j] in log_probs]
            alpha.append(logsumexp(terms) if terms else -np.inf)
        for i in range(n - 1, -1, -1):
            terms = [log_probs[word[i:j]] + beta[n - j] for j in range(i + 1, min(n, i + longest) + 1)
                     if word[i:j] in log_probs]  # fmt: skip
            beta.append(logsumexp(terms) if terms else -np.inf)
        for i in range(n):
            for j in range(i + 1, min(n, i + longest) + 1):
                if word[i:j] in log_probs:
                    counts[word[i:j]] += times * np.exp(alpha[i] + log_probs[word[i:j]] + beta[n - j] - alpha[n])
    return {piece: float(count) for piece, count in counts.items()}
def maximise(counts, fewest=0.5):
    total = sum(count for count in counts.values() if count >= fewest)
    return {piece: digamma(count) - digamma(total) for piece, count in counts.items() if count >= fewest}
# %% right="as a gradient of the log-likelihood"
def expected_counts(words, log_probs):
    names = list(log_probs)
    weights = torch.tensor([log_probs[name] for name in names], dtype=torch.float64, requires_grad=True)
    place, longest, total = {name: i for i, name in enumerate(names)}, max(map(len, names)), 0.0
    for word, times in words.items():
        alpha = [torch.zeros((), dtype=torch.float64)]
        for j in range(1, len(word) + 1):
            terms = [alpha[i] + weights[place[word[i:j]]] for i in range(max(0, j - longest), j)
                     if word[i:j] in place]  # fmt: skip
            alpha.append(torch.stack(terms).logsumexp(0) if terms else torch.tensor(-torch.inf, dtype=torch.float64))
        total = total + times * alpha[-1]
    total.backward()
    return dict(zip(names, weights.grad.tolist(), strict=True))
def maximise(counts, fewest=0.5):
    names = [name for name in counts if counts[name] >= fewest]
    values = torch.tensor([counts[name] for name in names], dtype=torch.float64)
    return dict(zip(names, (values.digamma() - values.sum().digamma()).tolist(), strict=True))
# %% wrong="not divided by the word's probability" says="divide by the probability" of="the plain way"
#~ np.maximum(a[j], a[i] + log_probs[word[i:j]]) => np.logaddexp(a[j], a[i] + log_probs[word[i:j]])
#~ np.maximum(b[i], b[j] + log_probs[word[i:j]]) => np.logaddexp(b[i], b[j] + log_probs[word[i:j]])
#~ [j] - a[n] => [j]
# %% wrong="only used pieces come back" says="is never used has 0" of="the plain way"
#~ np.maximum(a[j], a[i] + log_probs[word[i:j]]) => np.logaddexp(a[j], a[i] + log_probs[word[i:j]])
#~ np.maximum(b[i], b[j] + log_probs[word[i:j]]) => np.logaddexp(b[i], b[j] + log_probs[word[i:j]])
#~ return total => return {p: c for p, c in total.items() if c > 0}
# %% wrong="max for the sum (alpha of viterbi)" says="not the best of them"
def expected_counts(words, log_probs):
    total = dict.fromkeys(log_probs, 0.0)
    for word, times in words.items():
        n = len(word)
        a, b = np.full(n + 1, -np.inf), np.full(n + 1, -np.inf)
        a[0] = b[n] = 0
        spots = [(i, j) for j in range(1, n + 1) for i in range(j) if word[i:j] in log_probs]
        for i, j in spots:
            a[j] = np.maximum(a[j], a[i] + log_probs[word[i:j]])
        for i, j in sorted(spots, reverse=True):
            b[i] = np.maximum(b[i], b[j] + log_probs[word[i:j]])
        for i, j in spots:
            total[word[i:j]] += times * float(np.exp(a[i] + log_probs[word[i:j]] + b[j] - a[n]))
    return total
# %% wrong="strictly more than fewest" says="exactly" of="the plain way"
#~ >= fewest => > fewest
# %% wrong="sum over all" says="kept" of="the plain way"
#~ (kept.values()) => (counts.values())
# %% wrong="sum of digammas" says="sum" of="the plain way"
#~ digamma(sum(kept.values())) => sum(digamma(c) for c in kept.values())
# %% wrong="fewest is always 0.5" says="fewest was ignored" of="the plain way"
#~ {p: c for p, c in counts.items() if c >= fewest} => {p: c for p, c in counts.items() if c >= 0.5}
# %% wrong="exponentiated" says="logarithm" of="the plain way"
#~ digamma(c) - z => np.exp(digamma(c) - z)
# %% right="recursion with memory"
def expected_counts(words, log_probs):
    from functools import lru_cache
    total = {p: 0.0 for p in log_probs}
    for word, times in words.items():
        n, longest = len(word), max(map(len, log_probs))
        a = [0.0] + [-np.inf] * n
        for j in range(1, n + 1):
            parts = [a[i] + log_probs[word[i:j]] for i in range(max(0, j - longest), j) if word[i:j] in log_probs]
            if parts:
                a[j] = np.logaddexp.reduce(parts)
        back = np.full(n + 1, -np.inf)  # the logarithm of how often place j is an end
        back[n] = 0.0
        for j in range(n, 0, -1):
            for i in range(max(0, j - longest), j):
                part = word[i:j]
                if part in log_probs and np.isfinite(back[j]):
                    share = back[j] + a[i] + log_probs[part] - a[j]
                    total[part] += times * np.exp(share)
                    back[i] = np.logaddexp(back[i], share)
    return total
def maximise(counts, fewest=0.5):
    names = [p for p in counts if not counts[p] < fewest]
    values = np.array([counts[p] for p in names])
    return dict(zip(names, (digamma(values) - digamma(values.sum())).tolist()))
# %% right="torch"
def expected_counts(words, log_probs):
    p = {k: torch.tensor(v, dtype=torch.float64, requires_grad=True) for k, v in log_probs.items()}
    total = torch.zeros((), dtype=torch.float64)
    for word, times in words.items():
        a = [torch.zeros((), dtype=torch.float64)]
        for j in range(1, len(word) + 1):
            parts = [a[i] + p[word[i:j]] for i in range(j) if word[i:j] in p and a[i] is not None]
            a.append(torch.logsumexp(torch.stack(parts), 0) if parts else None)
        total = total + times * a[-1]
    total.backward()
    return {k: 0.0 if v.grad is None else v.grad.item() for k, v in p.items()}
def maximise(counts, fewest=0.5):
    out = {p: torch.tensor(c, dtype=torch.float64) for p, c in counts.items() if c >= fewest}
    if not out:
        return {}
    z = torch.digamma(sum(out.values()))
    return {p: (torch.digamma(c) - z).item() for p, c in out.items()}
# %% wrong="the best cut alone, by Viterbi" says="only the best cut was counted"
def expected_counts(words, log_probs):
    counts = dict.fromkeys(log_probs, 0.0)
    for word, n in words.items():
        for piece in viterbi(word, log_probs):
            counts[piece] += n
    return counts
# %% wrong="the piece's own probability is missing" says="probability of the piece itself is missing"
def expected_counts(words, log_probs):
    counts = dict.fromkeys(log_probs, 0.0)
    for word, n in words.items():
        size = len(word)
        places = [(i, j) for j in range(1, size + 1) for i in range(j) if word[i:j] in log_probs]
        alpha, beta = np.full(size + 1, -np.inf), np.full(size + 1, -np.inf)
        alpha[0] = beta[size] = 0.0
        for i, j in places:
            alpha[j] = np.logaddexp(alpha[j], alpha[i] + log_probs[word[i:j]])
        for i, j in sorted(places, reverse=True):
            beta[i] = np.logaddexp(beta[i], beta[j] + log_probs[word[i:j]])
        for i, j in places:
            counts[word[i:j]] += float(n * np.exp(alpha[i] + beta[j] - alpha[size]))
    return counts
# %% wrong="alpha at the wrong end" says="here alpha(j)" of="the piece's own probability is missing"
#~ alpha[i] + beta[j] - alpha => alpha[j] + log_probs[word[i:j]] + beta[j] - alpha
# %% wrong="alpha begins with zeros" says="alpha is at first 1 at one end" of="the piece's own probability is missing"
#~ alpha, beta = np.full(size + 1, -np.inf) => alpha, beta = np.zeros(size + 1)
#~ alpha[i] + beta[j] - alpha => alpha[i] + log_probs[word[i:j]] + beta[j] - alpha
# %% right="slopes of the logarithm of the word's probability, by autograd"
def expected_counts(words, log_probs):
    names = list(log_probs)
    theta = torch.tensor([log_probs[name] for name in names], dtype=torch.float64, requires_grad=True)
    place, total = {name: k for k, name in enumerate(names)}, torch.zeros(len(names), dtype=torch.float64)
    for word, n in words.items():
        alpha = [torch.zeros((), dtype=torch.float64)]
        for j in range(1, len(word) + 1):
            ways = [alpha[i] + theta[place[word[i:j]]] for i in range(j)
                    if word[i:j] in place and alpha[i] is not None]
            alpha.append(torch.logsumexp(torch.stack(ways), 0) if ways else None)
        total += n * torch.autograd.grad(alpha[-1], theta)[0]
    return dict(zip(names, total.tolist(), strict=True))
# %% wrong="pieces of the greatest length never counted" says="pieces as long as the longest were never counted"
#~ min(n, i + longest) + 1 => min(n + 1, i + longest)
# %% wrong="no piece ends with the word" says="a piece may end with the word"
#~ min(n, i + longest) + 1 => min(n, i + longest + 1)
# %% wrong="counts that begin empty" says="begins with the count 0"
#~ dict.fromkeys(log_probs, 0.0) => {}
# %% wrong="each part taken for a piece" says="may not be in log_probs"
#-                 if word[i:j] in log_probs:
#-                     spans.append((i, j))
#+                 spans.append((i, j))
# %% wrong="alpha alone, divided by alpha" says="beta is missing, and the probability of the beginning" of="the plain way"
#~ np.maximum(a[j] => np.logaddexp(a[j]
#~ np.exp(a[i] + log_probs[word[i:j]] + b[j] - a[n]) => np.exp(a[i] + log_probs[word[i:j]] - a[j])
