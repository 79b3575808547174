# %% base="the plain way"
def bleu(candidates, references, n=4):
    logs = []
    for size in range(1, n + 1):
        hits = total = 0
        for c, r in zip(candidates, references):
            mine, theirs = Counter(count_ngrams(c, size)[0]), Counter(count_ngrams(r, size)[0])
            hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / total))
    ours, wanted = sum(map(len, candidates)), sum(map(len, references))
    return min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs) / n)
# %% wrong="fewer than no n-grams" says="fewer than none were counted" of="the plain way"
#~ total + sum(mine.values()) => total + len(c) - size + 1
# %% wrong="one n-gram at least" says="here one was counted for it" of="the plain way"
#~ total + sum(mine.values()) => total + max(len(c) - size + 1, 1)
# %% wrong="divided by the words" says="divided by its number of words" of="the plain way"
#~ total + sum(mine.values()) => total + len(c)
# %% wrong="not clipped" says="as often as it occurs in the reference" of="another way, 1"
#~ min(c, theirs[g]) for g, c in mine.items() => c for g, c in mine.items() if g in theirs
# %% wrong="no penalty" says="brevity penalty is missing" of="another way, 2"
#~ min(1.0, math.exp(1 - wanted / ours)) * float(np.exp(np.mean(logs))) => math.exp(sum(logs) / n)
# %% wrong="no root" says="n-th root" of="another way, 2"
#~ float(np.exp(np.mean(logs))) => math.exp(sum(logs))
# %% right="another way, 1"
def bleu(candidates: list[list[str]], references: list[list[str]], n: int = 4) -> float:
    logs = []
    for size in range(1, n + 1):
        hits = total = 0
        for candidate, reference in zip(candidates, references, strict=True):
            mine, theirs = (Counter(count_ngrams(tokens, size)[0]) for tokens in (candidate, reference))
            hits, total = hits + sum(min(c, theirs[g]) for g, c in mine.items()), total + sum(mine.values())
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / total))
    ours, wanted = sum(map(len, candidates)), sum(map(len, references))
    return min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs) / n)
# %% right="another way, 2"
def bleu(candidates: list[list[str]], references: list[list[str]], n: int = 4) -> float:
    logs = []
    for size in range(1, n + 1):
        hits = total = 0
        for candidate, reference in zip(candidates, references, strict=True):
            mine, theirs = (Counter(count_ngrams(tokens, size)[0]) for tokens in (candidate, reference))
            hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / total))
    ours, wanted = sum(map(len, candidates)), sum(map(len, references))
    return min(1.0, math.exp(1 - wanted / ours)) * float(np.exp(np.mean(logs)))
# %% wrong="the mean of the sentences' BLEU" says="sentence"
def one_bleu(candidate, reference, n):
    logs = []
    for size in range(1, n + 1):
        mine, theirs = (Counter(count_ngrams(t, size)[0]) for t in (candidate, reference))
        hits = sum((mine & theirs).values())
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / sum(mine.values())))
    return min(1.0, math.exp(1 - len(reference) / len(candidate))) * math.exp(sum(logs) / n)
def bleu(candidates, references, n=4):
    return float(np.mean([one_bleu(c, r, n) for c, r in zip(candidates, references)]))
# %% wrong="the mean of the sentences' precisions" says="corpus" of="the plain way"
#~ hits = total = 0 => shares = []
#-             hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
#-         if hits == 0:
#+             if mine:
#+                 shares.append(sum((mine & theirs).values()) / sum(mine.values()))
#+         if not shares or sum(shares) == 0:
#~ hits / total => sum(shares) / len(shares)
# %% wrong="recall" says="candidate" of="the plain way"
#~ (mine.values()) => (theirs.values())
# %% wrong="the arithmetic mean" says="is geometric" of="the plain way"
#~ logs = => shares =
#~ logs.append(math.log(hits / total)) => shares.append(hits / total)
#~ math.exp(sum(logs) / n) => sum(shares) / n
# %% wrong="only the n-grams of size n" says="all sizes from 1 to n"
def bleu(candidates, references, n=4):
    hits = total = 0
    for c, r in zip(candidates, references):
        mine, theirs = Counter(count_ngrams(c, n)[0]), Counter(count_ngrams(r, n)[0])
        hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
    if hits == 0:
        return 0.0
    ours, wanted = sum(map(len, candidates)), sum(map(len, references))
    return min(1.0, math.exp(1 - wanted / ours)) * hits / total
# %% wrong="n is not reached" says="end at n - 1" of="the plain way"
#~ n + 1 => max(n, 2)
#~ (sum(logs) / n) => (sum(logs) / len(logs))
# %% wrong="always four" says="n was ignored" of="the plain way"
#~ n + 1 => 5
#~ (sum(logs) / n) => (sum(logs) / 4)
# %% wrong="the penalty also for long ones" says="longer" of="the plain way"
#~ min(1.0, math.exp(1 - wanted / ours)) => math.exp(1 - wanted / ours)
# %% wrong="the penalty turned round" says="exchanged in the brevity" of="the plain way"
#~ wanted / ours => ours / wanted
# %% wrong="the penalty is c / r" says="here it was c/r" of="the plain way"
#~ math.exp(1 - wanted / ours) => ours / wanted
# %% wrong="each n-gram once" says="counted once" of="the plain way"
#~ Counter(count_ngrams(c, size)[0]), Counter => set(count_ngrams(c, size)[0]), set
#~ sum((mine & theirs).values()), total + sum(mine.values()) => len(mine & theirs), total + len(mine)
# %% wrong="all references for each candidate" says="all references were one" of="the plain way"
#-         hits = total = 0
#-         for c, r in zip(candidates, references):
#-             mine, theirs = Counter(count_ngrams(c, size)[0]), Counter(count_ngrams(r, size)[0])
#-             hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
#+         mine, theirs = Counter(), Counter()
#+         for c in candidates:
#+             mine.update(count_ngrams(c, size)[0])
#+         for r in references:
#+             theirs.update(count_ngrams(r, size)[0])
#+         hits = sum((mine & theirs).values())
#~ (hits / total) => (hits / sum(mine.values()))
# %% wrong="zero precisions are left out" says="left out" of="the plain way"
#-         if hits == 0:
#-             return 0.0
#-         logs.append(math.log(hits / total))
#+         if hits:
#+             logs.append(math.log(hits / total))
#+     if not logs:
#+         return 0.0
#~ (sum(logs) / n) => (sum(logs) / len(logs))
# %% wrong="smoothed" says="nothing is smoothed" of="the plain way"
#-             hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
#+             hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
#+         if size > 1:
#+             hits, total = hits + 1, total + 1
# %% wrong="the logarithm of 0" says="cannot be taken: return 0.0" of="the plain way"
#-         if hits == 0:
#-             return 0.0
# %% wrong="divides by no n-grams" says="no n-grams" of="the plain way"
#~ logs = [] => product = 1.0
#-         if hits == 0:
#-             return 0.0
#-         logs.append(math.log(hits / total))
#+         product *= hits / total
#~ math.exp(sum(logs) / n) => product ** (1 / n)
# %% wrong="no words at all raises in the penalty" says="no n-grams" of="the plain way"
#- def bleu(candidates, references, n=4):
#+ def bleu(candidates, references, n=4):
#+     ours, wanted = sum(map(len, candidates)), sum(map(len, references))
#+     penalty = min(1.0, math.exp(1 - wanted / ours))
#-     ours, wanted = sum(map(len, candidates)), sum(map(len, references))
#-     return min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs) / n)
#+     return penalty * math.exp(sum(logs) / n)
# %% wrong="percent" says="these are percentages" of="the plain way"
#~ min(1.0, math.exp(1 - wanted / ours)) => 100 * min(1.0, math.exp(1 - wanted / ours))
# %% wrong="the penalty under the root" says="inside the root" of="the plain way"
#~ min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs) / n) => (min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs))) ** (1 / n)
# %% wrong="the penalty of each sentence" says="make up for" of="the plain way"
#~ map(len, references) => max(len(r), len(c)) for c, r in zip(candidates, references)
# %% right="slices and lists, no exercise 1"
def bleu(candidates, references, n=4):
    product = 1.0
    for size in range(1, n + 1):
        hits = total = 0
        for c, r in zip(candidates, references):
            left = [r[i : i + size] for i in range(len(r) - size + 1)]
            for i in range(len(c) - size + 1):
                total += 1
                gram = c[i : i + size]
                if gram in left:
                    left.remove(gram)
                    hits += 1
        if total == 0 or hits == 0:
            return 0.0
        product *= hits / total
    c, r = sum(len(v) for v in candidates), sum(len(v) for v in references)
    penalty = 1.0 if c >= r else math.exp(1 - r / c)
    return penalty * product ** (1 / n)
# %% right="the library"
def bleu(candidates, references, n=4):
    from sacrebleu.metrics import BLEU
    score = BLEU(tokenize="none", smooth_method="none", max_ngram_order=n, effective_order=False)
    lines = [" ".join(v) for v in candidates], [[" ".join(v) for v in references]]
    found = score.corpus_score(*lines)
    if 0 in found.counts or 0 in found.totals:
        return 0.0
    return found.score / 100
# %% right="arrays"
def bleu(candidates, references, n=4):
    hits, totals = np.zeros(n), np.zeros(n)
    for c, r in zip(candidates, references):
        for k in range(n):
            mine = Counter(zip(*(c[i:] for i in range(k + 1))))
            theirs = Counter(zip(*(r[i:] for i in range(k + 1))))
            totals[k] += mine.total()
            hits[k] += sum(min(v, theirs[g]) for g, v in mine.items())
    if (hits == 0).any():
        return 0.0
    c, r = sum(map(len, candidates)), sum(map(len, references))
    return np.exp(min(0, 1 - r / c) + np.log(hits / totals).mean())
# %% right="unseen, right 1"
def bleu(candidates, references, n=4):
    hits, totals = np.zeros(n), np.zeros(n)
    for c, r in zip(candidates, references):
        for k in range(n):
            a, b = count_ngrams(c, k + 1)[0], count_ngrams(r, k + 1)[0]
            hits[k] += sum((Counter(a) & Counter(b)).values())
            totals[k] += max(len(c) - k, 0)
    if not hits.all():
        return 0.0
    c, r = sum(len(x) for x in candidates), sum(len(x) for x in references)
    return float(np.exp(min(0, 1 - r / c)) * np.prod(hits / totals) ** (1 / n))
# %% wrong="brevity turned" says="c and r are exchanged in the penalty: it is 1 if c >= r,"
def bleu(candidates, references, n=4):
    logs = 0.0
    for size in range(1, n + 1):
        hits = total = 0
        for c, r in zip(candidates, references):
            a = Counter(tuple(c[i : i + size]) for i in range(len(c) - size + 1))
            b = Counter(tuple(r[i : i + size]) for i in range(len(r) - size + 1))
            hits += sum(min(v, b[g]) for g, v in a.items())
            total += sum(a.values())
        if hits == 0:
            return 0.0
        logs += math.log(hits / total) / n
    c, r = sum(map(len, candidates)), sum(map(len, references))
    bp = 1.0 if c >= r else math.exp(1 - c / r)
    return bp * math.exp(logs)
# %% wrong="precisions averaged" says="the mean of each sentence's precision came first: add hits" of="brevity turned"
#~ hits = total = 0 => ps = []
#-             hits += sum(min(v, b[g]) for g, v in a.items())
#-             total += sum(a.values())
#-         if hits == 0:
#+             ps.append(sum((a & b).values()) / max(sum(a.values()), 1))
#+         if not sum(ps):
#~ hits / total => np.mean(ps)
#-     bp = 1.0 if c >= r else math.exp(1 - c / r)
#-     return bp * math.exp(logs)
#+     return (1.0 if c >= r else math.exp(1 - r / c)) * math.exp(logs)
# %% wrong="brevity by sentence" says="each sentence had a penalty of its own: it is taken once," of="the plain way"
#~ [] => 0.0
#-             mine, theirs = Counter(count_ngrams(c, size)[0]), Counter(count_ngrams(r, size)[0])
#-             hits, total = hits + sum((mine & theirs).values()), total + sum(mine.values())
#+             a = Counter(tuple(c[i : i + size]) for i in range(len(c) - size + 1))
#+             b = Counter(tuple(r[i : i + size]) for i in range(len(r) - size + 1))
#+             hits += sum(min(v, b[g]) for g, v in a.items())
#+             total += sum(a.values())
#~ logs.append(math.log(hits / total)) => logs += math.log(hits / total) / n
#~ ours, wanted = sum(map(len, candidates)), sum(map(len, references)) => bp = np.mean([1.0 if len(c) >= len(r) else math.exp(1 - len(r) / max(len(c), 1)) for c, r in zip(candidates, references)])
#~ min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs) / n) => bp * math.exp(logs)
# %% wrong="brevity closest min" says="the brevity penalty is missing: the candidates are shorter" of="brevity turned"
#~ >= r else math.exp(1 - c / r) => > r - 2 else math.exp(1 - r / c)
# %% wrong="across sentences" says="the sentences were joined to one text: no n-gram reaches" of="brevity turned"
#- def bleu(candidates, references, n=4):
#+ def bleu(candidates, references, n=4):
#+     candidates, references = [sum(candidates, [])], [sum(references, [])]
#~ c / r => r / c
# %% wrong="short sentence gives 0" says="one sentence is shorter than n: it adds no n-grams of that" of="brevity turned"
#-         for c, r in zip(candidates, references):
#+         for c, r in zip(candidates, references):
#+             if len(c) < size:
#+                 return 0.0
#~ c / r => r / c
# %% wrong="log2" says="the logarithm and its exponential have different bases" of="brevity turned"
#~ .log => .log2
#~ c / r => r / c
# %% wrong="bag of characters" says="the order within an n-gram was lost: it is a tuple of words" of="brevity turned"
#~ c[i : i + size] => sorted(c[i : i + size])
#~ r[i : i + size] => sorted(r[i : i + size])
#~ c / r => r / c
# %% wrong="words in small letters" says="The and the are two"
#~ Counter(count_ngrams(tokens, size)[0]) => Counter(count_ngrams([t.lower() for t in tokens], size)[0])
# %% right="the penalty by an if"
#~ min(1.0, math.exp(1 - wanted / ours)) => (1.0 if ours >= wanted else np.exp(1 - wanted / ours))
# %% wrong="always the fourth root" says="here it was the fourth"
def bleu(candidates, references, n=4):
    product = 1.0
    for size in range(1, n + 1):
        hits = total = 0
        for cand, ref in zip(candidates, references, strict=True):
            a, b = Counter(count_ngrams(cand, size)[0]), Counter(count_ngrams(ref, size)[0])
            hits += sum((a & b).values())
            total += sum(a.values())
        if hits == 0 or total == 0:
            return 0.0
        product *= hits / total
    c, r = sum(map(len, candidates)), sum(map(len, references))
    bp = 1.0 if c >= r else math.exp(1 - r / c)
    return bp * product ** 0.25
# %% wrong="always the square root" says="here it was the square root" of="short sentences counted by length only"
#~ logs = 0.0 => p = 1.0
#-             if len(c) < n: continue
#~ logs += math.log(h / t) => p *= h / t
#~ return math.exp(logs / n) * (1 if c >= r else math.exp(1 - r / c)) => return math.sqrt(p) * (1 if c >= r else math.exp(1 - r / c))
# %% wrong="short sentences passed over" says="and its length does, too"
def bleu(candidates, references, n=4):
    pairs = [(c, r) for c, r in zip(candidates, references, strict=True) if len(c) >= n]
    if not pairs:
        return 0.0
    logs = 0.0
    for size in range(1, n + 1):
        hits = total = 0
        for cand, ref in pairs:
            a, b = Counter(count_ngrams(cand, size)[0]), Counter(count_ngrams(ref, size)[0])
            hits += sum((a & b).values())
            total += sum(a.values())
        if hits == 0 or total == 0:
            return 0.0
        logs += math.log(hits / total)
    c, r = sum(len(a) for a, _ in pairs), sum(len(b) for _, b in pairs)
    bp = 1.0 if c >= r else math.exp(1 - r / c)
    return bp * math.exp(logs / n)
# %% wrong="short sentences counted by length only" says="its shorter n-grams count"
def bleu(candidates, references, n=4):
    logs = 0.0
    for k in range(1, n + 1):
        h = t = 0
        for c, r in zip(candidates, references):
            if len(c) < n: continue
            a, b = Counter(count_ngrams(c, k)[0]), Counter(count_ngrams(r, k)[0])
            h += (a & b).total(); t += a.total()
        if not h: return 0.0
        logs += math.log(h / t)
    c, r = sum(map(len, candidates)), sum(map(len, references))
    return math.exp(logs / n) * (1 if c >= r else math.exp(1 - r / c))
# %% wrong="short references passed over" says="the reference does not have" of="short sentences counted by length only"
#~ if len(c) < n: continue => if len(c) < k or len(r) < k: continue
# %% wrong="sizes without n-grams passed over" clause="0.0 if any p_n is 0 or has no n-grams to count" says="0.0 then"
def bleu(candidates, references, n=4):
    ps = []
    for k in range(1, n + 1):
        m = t = 0
        for c, r in zip(candidates, references):
            a, b = Counter(tuple(c[i:i+k]) for i in range(len(c)-k+1)), Counter(tuple(r[i:i+k]) for i in range(len(r)-k+1))
            m += (a & b).total(); t += a.total()
        if t: ps.append(m / t)
    if not ps or min(ps) == 0: return 0.0
    c, r = sum(map(len, candidates)), sum(map(len, references))
    return math.exp(sum(map(math.log, ps)) / len(ps)) * (1.0 if c >= r else math.exp(1 - r / c))
