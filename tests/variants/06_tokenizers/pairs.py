# %% wrong="each word once" says="how often each word occurs was ignored"
def count_pairs(words):
    counts = {}
    for symbols in words:
        for pair in pairwise(symbols):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def merge(symbols, pair, joined):
    out, i = [], 0
    while i < len(symbols):
        found = symbols[i : i + 2] == pair
        out.append(joined if found else symbols[i])
        i += 1 + found
    return tuple(out)

# %% wrong="merged only once" says="only the first occurrence"
def count_pairs(words):
    counts = {}
    for symbols, n in words.items():
        for pair in pairwise(symbols):
            counts[pair] = counts.get(pair, 0) + n
    return counts


def merge(symbols, pair, joined):
    for i in range(len(symbols) - 1):
        if symbols[i : i + 2] == pair:
            return (*symbols[:i], joined, *symbols[i + 2 :])
    return symbols

# %% wrong="the last symbol is lost" says="a symbol was lost"
def count_pairs(words):
    counts = {}
    for symbols, n in words.items():
        for pair in pairwise(symbols):
            counts[pair] = counts.get(pair, 0) + n
    return counts


def merge(symbols, pair, joined):
    out, i = [], 0
    while i < len(symbols) - 1:
        found = symbols[i : i + 2] == pair
        out.append(joined if found else symbols[i])
        i += 1 + found
    return tuple(out)

# %% right="from the front, with a list"
def count_pairs(words):
    from collections import defaultdict

    counts = defaultdict(int)
    for symbols, n in words.items():
        for i in range(1, len(symbols)):
            counts[symbols[i - 1], symbols[i]] += n
    return dict(counts)


def merge(symbols, pair, joined):
    rest, out = list(symbols), []
    while rest:
        if len(rest) > 1 and rest[0] == pair[0] and rest[1] == pair[1]:
            out.append(joined)
            del rest[:2]
        else:
            out.append(rest.pop(0))
    return tuple(out)

# %% right="the last symbol is looked at again"
def count_pairs(words):
    total = Counter()
    for symbols, n in words.items():
        for pair, times in Counter(pairwise(symbols)).items():
            total[pair] += times * n
    return dict(total)


def merge(symbols, pair, joined):
    out, fresh = [], False
    for symbol in symbols:
        if out and not fresh and (out[-1], symbol) == tuple(pair):
            out[-1], fresh = joined, True
        else:
            out.append(symbol)
            fresh = False
    return tuple(out)
