# %% wrong="recall" says="recall alone"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    return matches / wanted.total() if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    above = [0] * (len(reference) + 1)
    for token in candidate:
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if token == other else max(row[-1], above[j + 1]))
        above = row
    return 2 * above[-1] / (len(candidate) + len(reference)) if above[-1] else 0.0

# %% wrong="precision" says="precision alone"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    return matches / given.total() if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    above = [0] * (len(reference) + 1)
    for token in candidate:
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if token == other else max(row[-1], above[j + 1]))
        above = row
    return 2 * above[-1] / (len(candidate) + len(reference)) if above[-1] else 0.0

# %% wrong="sets" says="counted as sets"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(set(zip(*(t[i:] for i in range(n)), strict=False))) for t in (candidate, reference))
    matches = (given & wanted).total()
    return 2 * matches / (given.total() + wanted.total()) if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    above = [0] * (len(reference) + 1)
    for token in candidate:
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if token == other else max(row[-1], above[j + 1]))
        above = row
    return 2 * above[-1] / (len(candidate) + len(reference)) if above[-1] else 0.0

# %% wrong="not clipped" says="at most as often"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = sum(v for g, v in given.items() if g in wanted)
    return 2 * matches / (given.total() + wanted.total()) if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    above = [0] * (len(reference) + 1)
    for token in candidate:
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if token == other else max(row[-1], above[j + 1]))
        above = row
    return 2 * above[-1] / (len(candidate) + len(reference)) if above[-1] else 0.0

# %% wrong="n ignored" says="n is ignored"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(1)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    return 2 * matches / (given.total() + wanted.total()) if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    above = [0] * (len(reference) + 1)
    for token in candidate:
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if token == other else max(row[-1], above[j + 1]))
        above = row
    return 2 * above[-1] / (len(candidate) + len(reference)) if above[-1] else 0.0

# %% wrong="a run" says="longest common run"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    return 2 * matches / (given.total() + wanted.total()) if matches else 0.0


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

# %% wrong="order ignored" says="order is ignored"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    return 2 * matches / (given.total() + wanted.total()) if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    return rouge_n(candidate, reference, 1)

# %% wrong="greedy" says="from the left"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    return 2 * matches / (given.total() + wanted.total()) if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    at = count = 0
    for token in candidate:
        if token in reference[at:]:
            at = reference.index(token, at) + 1
            count += 1
    return 2 * count / (len(candidate) + len(reference)) if count else 0.0

# %% right="precision and recall"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    p, r = matches / max(given.total(), 1), matches / max(wanted.total(), 1)
    return 2 * p * r / (p + r) if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    above = [0] * (len(reference) + 1)
    for token in candidate:
        row = [0]
        for j, other in enumerate(reference):
            row.append(above[j] + 1 if token == other else max(row[-1], above[j + 1]))
        above = row
    return 2 * above[-1] / (len(candidate) + len(reference)) if above[-1] else 0.0

# %% right="a whole table"
def rouge_n(candidate: list[str], reference: list[str], n: int) -> float:
    """Return the F1 of shared n-grams of two lists of tokens, 0.0 if there are none."""
    from collections import Counter

    given, wanted = (Counter(zip(*(t[i:] for i in range(n)), strict=False)) for t in (candidate, reference))
    matches = (given & wanted).total()
    return 2 * matches / (given.total() + wanted.total()) if matches else 0.0


def rouge_l(candidate: list[str], reference: list[str]) -> float:
    """Return the F1 of the longest common subsequence of two lists of tokens, 0.0 if it is empty."""
    table = np.zeros((len(candidate) + 1, len(reference) + 1), dtype=int)
    for i, a in enumerate(candidate, 1):
        for j, b in enumerate(reference, 1):
            table[i, j] = table[i - 1, j - 1] + 1 if a == b else max(table[i - 1, j], table[i, j - 1])
    longest = int(table[-1, -1])
    return 2 * longest / (len(candidate) + len(reference)) if longest else 0.0
