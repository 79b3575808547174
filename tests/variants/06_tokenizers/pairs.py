# %% base="the plain way"
def count_pairs(words):
    from itertools import combinations
    counts = {}
    for symbols, n in words.items():
        for p in combinations(symbols, 2):
            counts[p] = counts.get(p, 0) + n
    return counts
def merge(symbols, pair, joined):
    out, i = [], 0
    while i < len(symbols) - 1:
        hit = symbols[i : i + 2] == pair
        out.append(joined if hit else symbols[i])
        i += 2 if hit else 1
    return tuple(out)
# %% wrong="each word once" says="how often each word occurs was ignored"
def count_pairs(words):
    counts = {}
    for symbols in words:
        for pair in pairwise(symbols):
            counts[pair] = counts.get(pair, 0) + 1
    return counts
# %% wrong="merged only once" says="only the first occurrence"
def merge(symbols, pair, joined):
    for i in range(len(symbols) - 1):
        if symbols[i : i + 2] == pair:
            return (*symbols[:i], joined, *symbols[i + 2 :])
    return symbols
# %% wrong="the last symbol is lost" says="a symbol was lost" of="the plain way"
#~ hit = => found =
#~ hit else symbols => found else symbols
#~ 2 if hit else 1 => 1 + found
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
# %% wrong="overlapping places counted once" says="overlap"
def count_pairs(words):
    counts = {}
    for symbols, n in words.items():
        i, last = 0, None
        while i < len(symbols) - 1:
            pair = (symbols[i], symbols[i + 1])
            if last == pair and symbols[i - 1] == symbols[i]:
                last = None
            else:
                counts[pair] = counts.get(pair, 0) + n
                last = pair
            i += 1
    return counts
# %% wrong="merge joins left + right, not what is given" says="joined" of="the plain way"
#~ (symbols) - 1 => (symbols)
#~ (joined if hit else symbols[i]) => (pair[0] + pair[1] if hit else symbols[i])
# %% wrong="pairs sorted (order ignored)" says="were sorted"
def count_pairs(words):
    counts = {}
    for symbols, n in words.items():
        for p in pairwise(symbols):
            p = tuple(sorted(p))
            counts[p] = counts.get(p, 0) + n
    return counts
# %% wrong="a list comes back from merge" says="tuple" of="the plain way"
#~ (symbols) - 1 => (symbols)
#~ tuple(out) => out
# %% wrong="pairs of any two symbols of a word" says="neighbours" of="from the front, with a list"
#~ collections import defaultdict => itertools import combinations
#~ defaultdict(int) => {}
#~ i in range(1, len(symbols)) => p in combinations(symbols, 2)
#~ [symbols[i - 1], symbols[i]] += => [p] = counts.get(p, 0) +
#~ dict(counts) => counts
# %% right="Counter made a dict, merge by recursion over index"
def count_pairs(words):
    total = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            total[pair] += times
    return dict(total)
def merge(symbols, pair, joined):
    out, skip = [], False
    for i, s in enumerate(symbols):
        if skip:
            skip = False
        elif s == pair[0] and symbols[i + 1 : i + 2] == (pair[1],):
            out.append(joined)
            skip = True
        else:
            out.append(s)
    return tuple(out)
# %% right="defaultdict; a list consumed from the front"
def count_pairs(words):
    total = defaultdict(int)
    for word in words:
        for i in range(1, len(word)):
            total[word[i - 1], word[i]] += words[word]
    return {**total}
def merge(symbols, pair, joined):
    left, out = list(symbols), ()
    while left:
        if tuple(left[:2]) == pair:
            out, left = out + (joined,), left[2:]
        else:
            out, left = out + (left[0],), left[1:]
    return out
# %% wrong="what was joined is compared with the next symbol" says="is not merged again"
def merge(symbols, pair, joined):
    done = []
    for symbol in symbols:
        if done and (done[-1], symbol) == pair:
            done[-1] = joined
        else:
            done.append(symbol)
    return tuple(done)
# %% wrong="the sum of two neighbours is compared with that of the pair" says="the sums were compared"
def merge(symbols, pair, joined):
    out, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and symbols[i] + symbols[i + 1] == pair[0] + pair[1]:
            out.append(joined)
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return tuple(out)
# %% wrong="the sum of two neighbours is compared with joined" says="compared with `joined`" of="the sum of two neighbours is compared with that of the pair"
#~ == pair[0] + pair[1] => == joined
# %% wrong="the pair in either order" says="the pair is ordered" of="the sum of two neighbours is compared with that of the pair"
#~ symbols[i] + symbols[i + 1] == pair[0] + pair[1] => sorted(symbols[i : i + 2]) == sorted(pair)
# %% wrong="joined with blanks, and replaced" says="of two pairs side by side the second was lost"
def merge(symbols, pair, joined):
    blank = b" " if isinstance(joined, bytes) else " "
    text = blank + blank.join(symbols) + blank
    text = text.replace(blank + blank.join(pair) + blank, blank + joined + blank)
    return tuple(text.strip(blank).split(blank))
# %% wrong="text with blanks, replaced" says="may end one symbol and begin another"
def merge(symbols, pair, joined):
    return tuple(" ".join(symbols).replace(" ".join(pair), joined).split())
# %% wrong="one symbol is enough" says="both are needed, in this order"
def merge(symbols: tuple, pair: tuple, joined: str | bytes) -> tuple:
    out, i = [], 0
    while i < len(symbols):
        if symbols[i] in pair:
            out.append(joined)
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return tuple(out)
# %% wrong="text alone" says="this works for text alone"
def merge(symbols: tuple, pair: tuple, joined: str | bytes) -> tuple:
    out, i = [], 0
    while i < len(symbols):
        if symbols[i : i + 2] == pair:
            out.append("" + joined)
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return tuple(out)
