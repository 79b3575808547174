# %% base="the plain way"
def merge_changes(symbols, pair):
    merged = merge(symbols, pair, pair[0] + pair[1])
    changes = Counter(pairwise(merged))
    changes.subtract(pairwise(symbols))
    return merged, {p: n for p, n in changes.items() if n and p != pair}
# %% wrong="the merged pair is left out" says="the merged pair itself" of="pairs of either word, counted with list.count"
#~ old, new = list(pairwise(symbols)), list => changes = Counter
#~ found = {p: new.count(p) - old.count(p) for p in set(old) | set(new)} => changes.subtract(pairwise(symbols))
#~ found.items() if n != 0 => changes.items() if n and p != pair
# %% wrong="zeros stay" says="without change are left out" of="the plain way"
#~ {p: n for p, n in changes.items() if n and p != pair} => dict(changes)
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
# %% wrong="Counter minus Counter" says="gone"
def merge_changes(symbols, pair):
    after = merge(symbols, pair, pair[0] + pair[1])
    return after, dict(Counter(pairwise(after)) - Counter(pairwise(symbols)))
# %% wrong="only the first occurrence" says="occurrence"
def merge_changes(symbols, pair):
    joined = pair[0] + pair[1]
    for i in range(len(symbols) - 1):
        if symbols[i : i + 2] == pair:
            after = symbols[:i] + (joined,) + symbols[i + 2 :]
            break
    else:
        return symbols, {}
    c = Counter(pairwise(after))
    c.subtract(Counter(pairwise(symbols)))
    return after, {p: n for p, n in c.items() if n}
# %% wrong="sets: plus or minus one" says="each occurrence counts" of="two dicts and all keys"
#~ count_pairs({symbols: 1}), count_pairs({after: 1}) => set(pairwise(symbols)), set(pairwise(after))
#~ new.get(p, 0) - old.get(p, 0) for p in old | new if new.get(p, 0) != old.get(p, 0) => (p in new) - (p in old) for p in old ^ new
# %% wrong="new counts instead of changes" says="change" of="Counter minus Counter"
#~ (pairwise(after)) - Counter(pairwise(symbols)) => (pairwise(after))
# %% wrong="None for a word without the pair" says="empty"
def merge_changes(symbols, pair):
    if pair not in list(pairwise(symbols)):
        return symbols, None
    after = merge(symbols, pair, pair[0] + pair[1])
    c = Counter(pairwise(after))
    c.subtract(Counter(pairwise(symbols)))
    return after, {p: n for p, n in c.items() if n}
# %% right="two dicts and all keys"
def merge_changes(symbols, pair):
    after = merge(symbols, pair, pair[0] + pair[1])
    old, new = count_pairs({symbols: 1}), count_pairs({after: 1})
    return after, {p: new.get(p, 0) - old.get(p, 0) for p in old | new if new.get(p, 0) != old.get(p, 0)}
# %% right="each side walked, a list of the two"
def merge_changes(symbols, pair):
    out, i = [], 0
    while i < len(symbols):
        if symbols[i : i + 2] == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    change = defaultdict(int)
    for a, b in zip(symbols, symbols[1:]):
        change[a, b] -= 1
    for a, b in zip(out, out[1:]):
        change[a, b] += 1
    for p in [p for p in change if change[p] == 0]:
        del change[p]
    return tuple(out), dict(change)
# %% wrong="only the first occurrence" says="only the first occurrence was merged"
def merge_changes(symbols, pair):
    after = symbols
    for i in range(len(symbols) - 1):
        if symbols[i : i + 2] == pair:
            after = (*symbols[:i], pair[0] + pair[1], *symbols[i + 2 :])
            break
    changes = Counter(pairwise(after))
    changes.subtract(Counter(pairwise(symbols)))
    return after, {p: n for p, n in changes.items() if n}
# %% wrong="the word is a list" says="the word is a tuple" of="pairs of either word, counted with list.count" clause="The word is a tuple; the joined symbol is left + right."
#~ return merged, => return list(merged),
# %% wrong="the neighbours' old pairs stay" says="had before are not taken off"
#~ changes.subtract(pairwise(symbols)) => changes.subtract({pair: Counter(pairwise(symbols))[pair]})
