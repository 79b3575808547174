# %% base="the plain way"
def wordpiece_scores(words):
    single = Counter()
    for symbols, n in words.items():
        for symbol in symbols:
            single[symbol] += n
    return {(a, b): n / single[a] for (a, b), n in count_pairs(words).items()}
def train_wordpiece(words, num_merges):
    merges = []
    for _ in range(num_merges):
        scores = wordpiece_scores(words)
        if not scores:
            break
        p = max(scores, key=lambda p: (scores[p], p))
        merges.append(p)
        words = {merge(s, best, p[0] + p[1].removeprefix("##")): n for s, n in words.items()}
    return merges
# %% wrong="the most frequent pair" says="these are counts"
def wordpiece_scores(words):
    return count_pairs(words)
# %% wrong="the marks stay" says="is dropped when it is joined"
def train_wordpiece(words, num_merges):
    merges = []
    while len(merges) < num_merges and (scores := wordpiece_scores(words)):
        best = min(scores, key=lambda pair: (-scores[pair], pair))
        merges.append(best)
        words = {merge(s, best, best[0] + best[1]): n for s, n in words.items()}
    return merges
# %% wrong="the first pair wins a tie" says="seen first" of="the marks stay"
#~ min(scores, key=lambda pair: (-scores[pair], pair)) => max(scores, key=scores.get)
#~ [1] => [1].removeprefix("##")
# %% wrong="one part below the line" says="counts of both parts"
#- def wordpiece_scores(words: dict[tuple[str, ...], int]) -> dict[tuple[str, str], float]:
#-     """Return the score of each pair of neighbouring symbols, count of the pair / (count of left * count of right)."""
#+ def wordpiece_scores(words):
#~ (single[a] * single[b]) => single[a]
# %% right="loops"
def wordpiece_scores(words):
    one, two = {}, {}
    for symbols, n in words.items():
        for i, symbol in enumerate(symbols):
            one[symbol] = one.get(symbol, 0) + n
            if i:
                two[symbols[i - 1], symbol] = two.get((symbols[i - 1], symbol), 0) + n
    return {pair: count / (one[pair[0]] * one[pair[1]]) for pair, count in two.items()}
def train_wordpiece(words, num_merges):
    merges = []
    for _ in range(num_merges):
        scores = wordpiece_scores(words)
        if not scores:
            break
        top = max(scores.values())
        best = sorted(pair for pair in scores if scores[pair] == top)[0]
        merges.append(best)
        joined = best[0] + (best[1][2:] if best[1].startswith("##") else best[1])
        words = {merge(symbols, best, joined): n for symbols, n in words.items()}
    return merges
# %% right="sorted twice"
def wordpiece_scores(words):
    single = Counter(symbol for symbols, n in words.items() for symbol in symbols * n)
    return {pair: n / (single[pair[0]] * single[pair[1]]) for pair, n in count_pairs(words).items()}
def train_wordpiece(words, num_merges):
    merges, words = [], dict(words)
    while len(merges) < num_merges:
        scores = wordpiece_scores(words)
        ranked = sorted(sorted(scores), key=scores.get, reverse=True)
        if not ranked:
            return merges
        merges.append(ranked[0])
        a, b = ranked[0]
        words = {merge(symbols, (a, b), a + b.removeprefix("##")): n for symbols, n in words.items()}
    return merges
# %% wrong="all ## dropped, the left's too" says="left" of="the plain way"
#~ max(scores, key=lambda p: (scores[p], p)) => min(scores, key=lambda p: (-scores[p], p))
#~ best, p[0] + p[1].removeprefix("##") => p, (p[0] + p[1]).replace("##", "")
# %% wrong="ties: the largest" says="smallest" of="the plain way"
#~ best => p
# %% wrong="scores not computed anew" says="anew"
def train_wordpiece(words, num_merges):
    scores = wordpiece_scores(words)
    return sorted(scores, key=lambda p: (-scores[p], p))[:num_merges]
# %% right="Counter, slices"
def wordpiece_scores(words):
    single, double = Counter(), Counter()
    for word, times in words.items():
        for i, symbol in enumerate(word):
            single[symbol] += times
            if i:
                double[word[i - 1], symbol] += times
    return {(a, b): double[a, b] / (single[a] * single[b]) for a, b in double}
def train_wordpiece(words, num_merges):
    words, done = [(w, n) for w, n in words.items()], []
    while len(done) < num_merges:
        table = defaultdict(int)
        for w, n in words:
            table[w] += n
        scores = wordpiece_scores(table)
        if not scores:
            return done
        top = max(scores.values())
        a, b = sorted(p for p in scores if scores[p] == top)[0]
        done.append((a, b))
        words = [(merge(w, (a, b), a + b[2:]), n) for w, n in words]
    return done
# %% right="with fractions"
def wordpiece_scores(words):
    c = Counter()
    for s, n in words.items():
        c.update({a: s.count(a) * n for a in set(s)})
    return {(a, b): k / (c[a] * c[b]) for (a, b), k in count_pairs(words).items()}
def train_wordpiece(words, num_merges):
    from fractions import Fraction
    merges = []
    for _ in range(num_merges):
        c = Counter()
        for s, n in words.items():
            for a in s:
                c[a] += n
        exact = {(a, b): Fraction(k, c[a] * c[b]) for (a, b), k in count_pairs(words).items()}
        if not exact:
            break
        p = sorted(exact, key=lambda p: (-exact[p], p))[0]
        merges.append(p)
        new = Counter()
        for s, n in words.items():
            new[merge(s, p, p[0] + p[1].removeprefix("##"))] += n
        words = dict(new)
    return merges
# %% wrong="symbols counted as parts of pairs, left and right apart" says="a symbol counts wherever it stands"
def wordpiece_scores(words):
    pairs = count_pairs(words)
    left, right = Counter(), Counter()
    for (a, b), n in pairs.items():
        left[a] += n
        right[b] += n
    return {(a, b): n / (left[a] * right[b]) for (a, b), n in pairs.items()}
def train_wordpiece(words, num_merges):
    merges = []
    for _ in range(num_merges):
        scores = wordpiece_scores(words)
        best = max(scores, key=scores.get)
        merges.append(best)
        words = {merge(w, best, best[0] + best[1].replace("##", "")): n for w, n in words.items()}
    return merges
# %% wrong="ties by the joined symbol" says="the pairs are compared" of="the marks stay"
#~ pair: (-scores[pair], pair) => p: (-scores[p], p[0] + p[1].removeprefix("##"))
#~ best[0] + best[1]) => best[0] + best[1].removeprefix("##"))
# %% wrong="symbols counted once a word" says="the symbols, too, count as often as their word occurs"
def wordpiece_scores(words):
    singles = Counter(symbol for symbols in words for symbol in symbols)
    return {(a, b): n / (singles[a] * singles[b]) for (a, b), n in count_pairs(words).items()}
# %% wrong="the gain in likelihood" says="this is the gain in likelihood"
def wordpiece_scores(words):
    singles = Counter()
    for symbols, n in words.items():
        for symbol in symbols:
            singles[symbol] += n
    return {(a, b): n * float(np.log(n * singles.total() / (singles[a] * singles[b])))
            for (a, b), n in count_pairs(words).items()}
# %% wrong="divided twice" says="divide once, by the product" clause="makes equal fractions come out equal." of="the gain in likelihood"
#-     return {(a, b): n * float(np.log(n * singles.total() / (singles[a] * singles[b])))
#-             for (a, b), n in count_pairs(words).items()}
#+     return {(a, b): n / singles[a] / singles[b] for (a, b), n in count_pairs(words).items()}
# %% wrong="min where no pair is left" says="min or max of nothing is an error" clause="It stops early"
#-     while len(merges) < num_merges and (scores := wordpiece_scores(words)):
#+     while len(merges) < num_merges:
#+         scores = wordpiece_scores(words)
# %% wrong="ends with one pair left" says="one pair alone is merged, too"
#~ (scores := wordpiece_scores(words)): => len(scores := wordpiece_scores(words)) > 1:
# %% wrong="the last pair again and again" says="the last pair is not merged again"
#-     while len(merges) < num_merges and (scores := wordpiece_scores(words)):
#-         best = min(scores, key=lambda pair: (-scores[pair], pair))
#+     while len(merges) < num_merges:
#+         scores = wordpiece_scores(words)
#+         best = min(scores, key=lambda pair: (-scores[pair], pair)) if scores else best
# %% wrong="scores are rounded" says="no rounding" 
#~ (-scores[pair], pair) => (-round(scores[pair], 6), pair)
# %% wrong="brackets forgotten below the line" says="divides by one count and multiplies by the other"
#~ n / (single[a] * single[b]) => n / single[a] * single[b]
# %% wrong="all hashes of the right part stripped" says="only the first ## of the right part goes" clause="The joined symbol is left + right without right's `##`"
#~ best[1].removeprefix("##") => best[1].lstrip("#")
