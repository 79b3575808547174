# %% wrong="not clipped" says="as often as it occurs in the reference"
def bleu(candidates: list[list[str]], references: list[list[str]], n: int = 4) -> float:
    logs = []
    for size in range(1, n + 1):
        hits = total = 0
        for candidate, reference in zip(candidates, references, strict=True):
            mine, theirs = (Counter(count_ngrams(tokens, size)[0]) for tokens in (candidate, reference))
            hits, total = hits + sum(c for g, c in mine.items() if g in theirs), total + sum(mine.values())
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / total))
    ours, wanted = sum(map(len, candidates)), sum(map(len, references))
    return min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs) / n)

# %% wrong="no penalty" says="brevity penalty is missing"
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
    return math.exp(sum(logs) / n)

# %% wrong="no root" says="n-th root"
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
    return min(1.0, math.exp(1 - wanted / ours)) * math.exp(sum(logs))

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
