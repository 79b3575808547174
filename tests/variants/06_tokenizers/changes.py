# %% wrong="the merged pair is left out" says="the merged pair itself"
def merge_changes(symbols, pair):
    merged = merge(symbols, pair, pair[0] + pair[1])
    changes = Counter(pairwise(merged))
    changes.subtract(pairwise(symbols))
    return merged, {p: n for p, n in changes.items() if n and p != pair}

# %% wrong="a difference of counters" says="what is gone must be subtracted"
def merge_changes(symbols, pair):
    merged = merge(symbols, pair, pair[0] + pair[1])
    return merged, dict(Counter(pairwise(merged)) - Counter(pairwise(symbols)))

# %% wrong="zeros stay" says="without change are left out"
def merge_changes(symbols, pair):
    merged = merge(symbols, pair, pair[0] + pair[1])
    changes = Counter(pairwise(merged))
    changes.subtract(pairwise(symbols))
    return merged, dict(changes)

# %% wrong="each occurrence as if it stood alone" says="no longer the old symbols"
def merge_changes(symbols, pair):
    joined, changes, i = pair[0] + pair[1], Counter(), 0
    while i < len(symbols) - 1:
        if symbols[i : i + 2] != pair:
            i += 1
            continue
        changes[pair] -= 1
        if i:
            changes[symbols[i - 1], pair[0]] -= 1
            changes[symbols[i - 1], joined] += 1
        if i + 2 < len(symbols):
            changes[pair[1], symbols[i + 2]] -= 1
            changes[joined, symbols[i + 2]] += 1
        i += 2
    return merge(symbols, pair, joined), {p: n for p, n in changes.items() if n}

# %% right="pairs of either word, counted with list.count"
def merge_changes(symbols, pair):
    merged = merge(symbols, pair, pair[0] + pair[1])
    old, new = list(pairwise(symbols)), list(pairwise(merged))
    found = {p: new.count(p) - old.count(p) for p in set(old) | set(new)}
    return merged, {p: n for p, n in found.items() if n != 0}

# %% right="one merge after the other"
def merge_changes(symbols, pair):
    word, changes, i = list(symbols), {}, 0

    def add(p, n):
        changes[p] = changes.get(p, 0) + n

    while i < len(word) - 1:
        if (word[i], word[i + 1]) == tuple(pair):
            near = word[max(i - 1, 0) : i + 3]
            for p in pairwise(near):
                add(p, -1)
            word[i : i + 2] = [pair[0] + pair[1]]
            for p in pairwise(word[max(i - 1, 0) : i + 2]):
                add(p, 1)
        i += 1
    return tuple(word), {p: n for p, n in changes.items() if n}
