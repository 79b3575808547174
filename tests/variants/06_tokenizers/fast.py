# %% base="the plain way"
def train_bpe_fast(words, alphabet, vocab_size):
    ids = {s: i for i, s in enumerate(alphabet)}
    corpus = [[s, n] for s, n in words.items()]
    counts, where = Counter(), defaultdict(set)
    for k, (s, n) in enumerate(corpus):
        for p in pairwise(s):
            counts[p] += n
            where[p].add(k)
    heap = [(-n, ids[p[0]], ids[p[1]], p) for p, n in counts.items()]
    heapq.heapify(heap)
    merges = []
    while len(ids) < vocab_size and heap:
        m, *_, p = heapq.heappop(heap)
        if counts[p] != m or m == 0:
            continue
        merges.append(p)
        ids.setdefault(p[0] + p[1], len(ids))
        touched = set()
        for k in list(where[p]):
            s, n = corpus[k]
            corpus[k][0], change = merge_changes(s, p)
            for q, c in change.items():
                counts[q] += c * n
                touched.add(q)
                where[q].add(k)
        for q in touched:
            if counts[q] > 0:
                heapq.heappush(heap, (-counts[q], ids[q[0]], ids[q[1]], q))
    return merges
# %% wrong="old entries are believed" says="an old entry of the heap was believed"
def train_bpe_fast(words, alphabet, vocab_size):
    ids, merges, counts, table = {s: i for i, s in enumerate(alphabet)}, [], count_pairs(words), dict(words)
    while len(ids) < vocab_size:
        counts = {p: n for p, n in (counts | count_pairs(table)).items() if p not in merges}
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], ids[p[0]], ids[p[1]]))
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        table = {merge(s, best, best[0] + best[1]): n for s, n in table.items()}
    return merges
# %% wrong="how often a word occurs is ignored" says="how often each word occurs was ignored" of="the simple way"
#~ train_bpe(words, alphabet, vocab_size) => train_bpe({symbols: 1 for symbols in words}, alphabet, vocab_size)
# %% wrong="letters decide a tie" says="order of the letters"
#- def train_bpe_fast(words: dict[tuple, int], alphabet: list, vocab_size: int) -> list[tuple]:
#-     """Return the merges of `train_bpe`, with counts that are kept up to date."""
#-     ids, merges = {symbol: i for i, symbol in enumerate(alphabet)}, []
#-     table, counts, where = [list(item) for item in words.items()], count_pairs(words), defaultdict(set)
#+ def train_bpe_fast(words, alphabet, vocab_size):
#+     size, merges, table = set(alphabet), [], [[s, n] for s, n in words.items()]
#+     counts, where = count_pairs(words), defaultdict(set)
#~ ids[pair[0]], ids[pair[1]], pair => pair
#~ len(ids) < => len(size) <
#~ _, _, pair => pair
#~ continue  # a newer entry tells the truth => continue
#~ ids.setdefault(pair[0] + pair[1], len(ids)) => size.add(pair[0] + pair[1])
#-                 if change > 0:
#-                     where[other].add(i)
#+                 where[other].add(i)
#-                 heapq.heappush(heap, (-counts[other], ids[other[0]], ids[other[1]], other))
#-             else:
#-                 del counts[other]
#+                 heapq.heappush(heap, (-counts[other], other))
# %% wrong="new pairs are forgotten" says="never came into the heap" of="old entries are believed"
#-     ids, merges, counts, table = {s: i for i, s in enumerate(alphabet)}, [], count_pairs(words), dict(words)
#+     ids, merges, table = {s: i for i, s in enumerate(alphabet)}, [], dict(words)
#+     first = count_pairs(words)
#~ (counts | count_pairs(table)).items() if p not in merges => count_pairs(table).items() if p in first
# %% wrong="the simple way" says="write the way with a heap out" clause="`train_bpe` itself is not to be called."
def train_bpe_fast(words, alphabet, vocab_size):
    return train_bpe(words, alphabet, vocab_size)
# %% right="no heap, only counts and places"
def train_bpe_fast(words, alphabet, vocab_size):
    ids, merges = {symbol: i for i, symbol in enumerate(alphabet)}, []
    table, counts, where = [list(item) for item in words.items()], count_pairs(words), defaultdict(set)
    for i, (symbols, _) in enumerate(table):
        for pair in pairwise(symbols):
            where[pair].add(i)
    while len(ids) < vocab_size and counts:
        best = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        for i in list(where[best]):
            table[i][0], changes = merge_changes(table[i][0], best)
            for pair, change in changes.items():
                counts[pair] = counts.get(pair, 0) + change * table[i][1]
                where[pair].add(i)
        counts = {pair: n for pair, n in counts.items() if n}
    return merges
# %% wrong="stale entries believed" says="old entry" of="the plain way"
#~ m, * => *
#~ != m or m = => <
#~ list(where[p]) => where[p]
#-                 where[q].add(k)
#+                 if c > 0:
#+                     where[q].add(k)
# %% wrong="change not times the word's count" says="how often each word" of="the plain way"
#~ m or => -m or
#~ c * n => c
#-                 where[q].add(k)
#+                 if c > 0:
#+                     where[q].add(k)
# %% wrong="heap of largest first (count not negated)" says="smallest entry first" of="the plain way"
#~ (-n, ids[p[0]], ids[p[1]], p) => (n, ids[p[0]], ids[p[1]], p)
#~ (-counts[q], ids[q[0]], ids[q[1]], q) => (counts[q], ids[q[0]], ids[q[1]], q)
# %% right="no heap: the best of the counts each time"
def train_bpe_fast(words, alphabet, vocab_size):
    ids = {s: i for i, s in enumerate(alphabet)}
    corpus, merges = [[s, n] for s, n in words.items()], []
    counts, where = Counter(), defaultdict(set)
    for k, (s, n) in enumerate(corpus):
        for p in pairwise(s):
            counts[p] += n
            where[p].add(k)
    while len(ids) < vocab_size:
        live = [(-n, ids[a], ids[b]) for (a, b), n in counts.items() if n > 0]
        if not live:
            break
        names = list(ids)
        _, a, b = min(live)
        p = names[a], names[b]
        merges.append(p)
        ids.setdefault(p[0] + p[1], len(ids))
        for k in sorted(where.pop(p)):
            s, n = corpus[k]
            corpus[k][0], change = merge_changes(s, p)
            for q, c in change.items():
                counts[q] += c * n
                where[q].add(k)
    return merges
# %% wrong="where never learns of new pairs" says="which words hold them"
def train_bpe_fast(words, alphabet, vocab_size):
    ids = {s: i for i, s in enumerate(alphabet)}
    table = [[s, n] for s, n in words.items()]
    counts, where = defaultdict(int), defaultdict(set)
    for k, (s, n) in enumerate(table):
        for p in pairwise(s):
            counts[p] += n
            where[p].add(k)
    heap = [(-c, ids[p[0]], ids[p[1]], p) for p, c in counts.items()]
    heapq.heapify(heap)
    merges = []
    while len(ids) < vocab_size and heap:
        c, _, _, pair = heapq.heappop(heap)
        if -c != counts[pair]:
            continue
        merges.append(pair)
        ids.setdefault(pair[0] + pair[1], len(ids))
        changed = set()
        for k in where[pair]:
            s, n = table[k]
            table[k][0], ch = merge_changes(s, pair)
            for p, d in ch.items():
                counts[p] += d * n
                changed.add(p)
        for p in changed:
            heapq.heappush(heap, (-counts[p], ids[p[0]], ids[p[1]], p))
    return merges
# %% wrong="only pairs that gained get a new entry" says="a pair that became rarer needs a new entry" clause="so each pair whose count changed gets a *new* entry" of="the plain way"
#~ counts[p] != m or m = => counts[p] != -m or m =
#-                 touched.add(q)
#-                 where[q].add(k)
#+                 if c > 0:
#+                     touched.add(q)
#+                     where[q].add(k)
# %% wrong="a stale entry uses up a round" says="counted as a merge" of="the plain way"
#~ counts[p] != m or m = => counts[p] != -m or m =
#-     while len(ids) < vocab_size and heap:
#+     for _ in range(vocab_size - len(ids)):
#+         if not heap:
#+             break
# %% wrong="no heapify" says="heapify is missing" of="the plain way"
#~ counts[p] != m or m = => counts[p] != -m or m =
#-     heapq.heapify(heap)
# %% wrong="the word after the merge is not kept" says="the words were not kept" of="the plain way"
#~ counts[p] != m or m = => counts[p] != -m or m =
#~ corpus[k][0], change => _, change
# %% wrong="a stale entry ends it" says="ended the training" of="the plain way"
#~ counts[p] != m or m = => counts[p] != -m or m =
#~ continue => break
# %% wrong="an empty heap" says="from an empty heap nothing can be taken"
#~ < vocab_size and heap => < vocab_size
# %% wrong="all words for each merge" says="goes through all words again" clause="the words in `where[pair]` are touched" of="the plain way"
#~ counts[p] != m or m = => counts[p] != -m or m =
#~ for k in list(where[p]): => for k in range(len(corpus)):
# %% wrong="stops at pairs that occur once" says="a pair that occurs once is merged, too"
#~ while len(ids) < vocab_size and heap: => while len(ids) < vocab_size and heap and heap[0][0] < -1:
# %% wrong="where is popped, and never learns" says="`where` does not know this pair"
def train_bpe_fast(words, alphabet, vocab_size):
    ids, corpus = {s: i for i, s in enumerate(alphabet)}, [[s, n] for s, n in words.items()]
    counts, where = count_pairs(words), {}
    for k, (s, _) in enumerate(corpus):
        for p in pairwise(s):
            where.setdefault(p, set()).add(k)
    heap, merges = sorted((-n, ids[p[0]], ids[p[1]], p) for p, n in counts.items()), []
    while len(ids) < vocab_size and heap:
        m, *_, p = heapq.heappop(heap)
        if -m != counts.get(p, 0):
            continue
        merges.append(p)
        ids.setdefault(p[0] + p[1], len(ids))
        for k in where.pop(p):
            corpus[k][0], changed = merge_changes(corpus[k][0], p)
            for q, d in changed.items():
                counts[q] = counts.get(q, 0) + d * corpus[k][1]
                if counts[q] > 0:
                    heapq.heappush(heap, (-counts[q], ids[q[0]], ids[q[1]], q))
    return merges
