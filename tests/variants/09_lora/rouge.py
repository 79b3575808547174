# %% base="the plain way"
def rouge_n(candidate, reference, n):
    from collections import Counter
    a, b = (Counter(tuple(x[i:i + n]) for i in range(len(x) - n)) for x in (candidate, reference))
    m = sum((a & b).values())
    return 2 * m / (sum(a.values()) + sum(b.values())) if m else 0.0
def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    above = [0] * (len(reference) + 1)
    best = 0
    for token in candidate:
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if token == other else 0)
        above = row
        best = max(best, *row)
    above = [best]
    return 2 * above[-1] / (len(candidate) + len(reference)) if above[-1] else 0.0
# %% wrong="recall" says="recall alone"
#~ 2 * matches / (given.total() + wanted.total()) => matches / wanted.total()
# %% wrong="precision" says="precision alone"
#~ 2 * matches / (given.total() + wanted.total()) => matches / given.total()
# %% wrong="sets" says="counted as sets"
#~ tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1) => {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}
# %% wrong="not clipped" says="at most as often"
#~ (given & wanted).total() => sum(v for g, v in given.items() if g in wanted)
# %% wrong="n ignored" says="n is ignored"
#~ tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1) => (token,) for token in tokens
# %% wrong="a run" says="longest common run"
#-     above = [0] * (len(reference) + 1)
#+     above = [0] * (len(reference) + 1)
#+     best = 0
#~ max(row[-1], above[j + 1]) => 0
#-         above = row
#+         above = row
#+         best = max(best, *row)
#+     above = [best]
# %% wrong="order ignored" says="order is ignored"
def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    return rouge_n(candidate, reference, 1)
# %% wrong="greedy" says="not always the longest" of="order ignored"
#-     return rouge_n(candidate, reference, 1)
#+     at = count = 0
#+     for token in candidate:
#+         if token in reference[at:]:
#+             at = reference.index(token, at) + 1
#+             count += 1
#+     return 2 * count / (len(candidate) + len(reference)) if count else 0.0
# %% right="precision and recall"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    from collections import Counter
    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    p, r = matches / max(given.total(), 1), matches / max(wanted.total(), 1)
    return 2 * p * r / (p + r) if matches else 0.0
# %% right="a whole table"
def rouge_l(candidate: list[str], reference: list[str]) -> float:
    table = np.zeros((len(candidate) + 1, len(reference) + 1), dtype=int)
    for i, a in enumerate(candidate, 1):
        for j, b in enumerate(reference, 1):
            table[i, j] = table[i - 1, j - 1] + 1 if a == b else max(table[i - 1, j], table[i, j - 1])
    longest = int(table[-1, -1])
    return 2 * longest / (len(candidate) + len(reference)) if longest else 0.0
# %% wrong="last n-gram forgotten" says="last n-gram"
def rouge_n(candidate, reference, n):
    from collections import Counter
    a, b = (Counter(tuple(x[i:i + n]) for i in range(len(x) - n)) for x in (candidate, reference))
    m = sum((a & b).values())
    return 2 * m / (sum(a.values()) + sum(b.values())) if m else 0.0
# %% wrong="short n-grams at the end" says="too short" of="the plain way"
#~ (x) - n => (x)
# %% wrong="n-grams joined without a space" says="run together" of="the plain way"
#~ tuple(x[i:i + n]) for i in range(len(x) - n) => "".join(x[i:i + n]) for i in range(len(x) - n + 1)
# %% wrong="divides by tokens instead of n-grams" says="not of n-grams" of="the plain way"
#~ (len(x) - n) => (len(x) - n + 1)
#~ sum(a.values()) + sum(b.values()) => len(candidate) + len(reference)
# %% wrong="words in small letters" says="capital and small letters" of="the plain way"
#~ (x[i:i + n]) for i in range(len(x) - n) => (w.lower() for w in x[i:i + n]) for i in range(len(x) - n + 1)
# %% wrong="jaccard" says="Jaccard"
def rouge_n(candidate, reference, n):
    from collections import Counter
    a, b = (Counter(tuple(x[i:i + n]) for i in range(len(x) - n + 1)) for x in (candidate, reference))
    return sum((a & b).values()) / max(sum((a | b).values()), 1)
# %% wrong="empty raises" says="0.0 where nothing"
def rouge_l(candidate, reference):
    T = [[0] * (len(reference) + 1) for _ in range(len(candidate) + 1)]
    for i, a in enumerate(candidate):
        for j, b in enumerate(reference):
            T[i + 1][j + 1] = T[i][j] + 1 if a == b else max(T[i][j + 1], T[i + 1][j])
    return 2 * T[-1][-1] / (len(candidate) + len(reference))
# %% right="memoised recursion"
def rouge_n(candidate, reference, n):
    grams = [tuple(candidate[i:i + n]) for i in range(len(candidate) - n + 1)]
    rest = [tuple(reference[i:i + n]) for i in range(len(reference) - n + 1)]
    total, hits = len(grams) + len(rest), 0
    for g in grams:
        if g in rest:
            rest.remove(g)
            hits += 1
    return 2 * hits / total if hits else 0.0
def rouge_l(candidate, reference):
    from functools import cache
    @cache
    def longest(i, j):
        if i == 0 or j == 0:
            return 0
        if candidate[i - 1] == reference[j - 1]:
            return longest(i - 1, j - 1) + 1
        return max(longest(i - 1, j), longest(i, j - 1))
    m = longest(len(candidate), len(reference))
    if m == 0:
        return 0.0
    p, r = m / len(candidate), m / len(reference)
    return 2 / (1 / p + 1 / r)
# %% right="one row of the table"
def rouge_n(candidate, reference, n):
    from collections import Counter
    a = Counter(zip(*(candidate[i:] for i in range(n))))
    b = Counter(zip(*(reference[i:] for i in range(n))))
    both = sum(min(c, b[g]) for g, c in a.items())
    if not both:
        return 0.0
    p, r = both / sum(a.values()), both / sum(b.values())
    return 2 * p * r / (p + r)
def rouge_l(candidate, reference):
    row = [0] * (len(reference) + 1)
    for a in candidate:
        new = [0]
        for j, b in enumerate(reference, 1):
            new.append(row[j - 1] + 1 if a == b else max(row[j], new[-1]))
        row = new
    return 2 * row[-1] / (len(candidate) + len(reference)) if row[-1] else 0.0
# %% wrong="n at most four" says="long n-grams"
#-     from collections import Counter
#+     from collections import Counter
#+     n = min(n, 4)
# %% right="the earliest end of each length"
def rouge_l(candidate, reference):
    best = {0: -1}
    for token in candidate:
        for k in sorted(best, reverse=True):
            place = next((j for j in range(best[k] + 1, len(reference)) if reference[j] == token), None)
            if place is not None and place < best.get(k + 1, len(reference)):
                best[k + 1] = place
    m = max(best)
    return 2 * m / (len(candidate) + len(reference)) if m else 0.0
# %% wrong="difflib's blocks" says="not always the longest"
def rouge_l(candidate: list[str], reference: list[str]) -> float:
    from difflib import SequenceMatcher
    blocks = SequenceMatcher(None, candidate, reference, autojunk=False).get_matching_blocks()
    shared = sum(block.size for block in blocks)
    return 2 * shared / (len(candidate) + len(reference)) if shared else 0.0
# %% wrong="a match on the better neighbour" says="to a longer one"
#~ above[j] + 1 if => max(row[-1], above[j + 1]) + 1 if
# %% wrong="a match on the left" says="candidate's stays"
#~ above[j] + 1 if => row[-1] + 1 if
# %% wrong="a match on the one above" says="reference's stays"
#~ above[j] + 1 if => above[j + 1] + 1 if
# %% wrong="one neighbour" says="one of them alone"
#~ max(row[-1], above[j + 1]) => above[j + 1]
# %% wrong="the diagonal neighbour" says="the one before both"
#~ max(row[-1], above[j + 1]) => above[j]
# %% wrong="the different tokens" says="different tokens"
def rouge_l(candidate, reference):
    shared = len(set(candidate) & set(reference))
    return 2 * shared / (len(candidate) + len(reference)) if shared else 0.0
# %% wrong="each match once" says="counts once here"
#~ (given & wanted).total() => len(given & wanted)
# %% wrong="geometric" says="geometric mean"
#~ 2 * matches / (given.total() + wanted.total()) => matches / (given.total() * wanted.total()) ** 0.5
# %% wrong="no 2" says="2 in 2PR"
#~ return 2 * above[-1] => return above[-1]
# %% wrong="joined by blanks" says="here they were joined" clause="compared as they are."
#~ Counter(tuple(tokens[i : i + n]) for => Counter(" ".join(tokens[i : i + n]) for
