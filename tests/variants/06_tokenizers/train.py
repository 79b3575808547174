# %% wrong="as many merges as vocab_size" says="alphabet and merges together"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {symbol: i for i, symbol in enumerate(alphabet)}, []
    while len(merges) < vocab_size and (counts := count_pairs(words)):
        best = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        ids.setdefault(best[0] + best[1], len(ids))
        merges.append(best)
        words = {merge(symbols, best, best[0] + best[1]): n for symbols, n in words.items()}
    return merges

# %% wrong="the first pair seen wins a tie" says="which pair was seen first"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = set(alphabet), []
    while len(ids) < vocab_size and (counts := count_pairs(words)):
        best = max(counts, key=counts.get)
        ids.add(best[0] + best[1])
        merges.append(best)
        words = {merge(symbols, best, best[0] + best[1]): n for symbols, n in words.items()}
    return merges

# %% wrong="letters decide a tie" says="order of the letters"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = set(alphabet), []
    while len(ids) < vocab_size and (counts := count_pairs(words)):
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        ids.add(best[0] + best[1])
        merges.append(best)
        words = {merge(symbols, best, best[0] + best[1]): n for symbols, n in words.items()}
    return merges

# %% wrong="the vocabulary grows by a token that is there" says="is there already"
def train_bpe(words, alphabet, vocab_size):
    vocabulary, merges = list(alphabet), []
    while len(vocabulary) < vocab_size and (counts := count_pairs(words)):
        best = min(counts, key=lambda pair: (-counts[pair], vocabulary.index(pair[0]), vocabulary.index(pair[1])))
        vocabulary.append(best[0] + best[1])
        merges.append(best)
        words = {merge(symbols, best, best[0] + best[1]): n for symbols, n in words.items()}
    return merges

# %% right="a list as vocabulary, sorted twice"
def train_bpe(words, alphabet, vocab_size):
    vocabulary, merges, words = list(alphabet), [], dict(words)
    while len(vocabulary) < vocab_size:
        counts = count_pairs(words)
        if not counts:
            break
        ordered = sorted(counts, key=lambda pair: [vocabulary.index(symbol) for symbol in pair])
        best = max(ordered, key=counts.get)
        if best[0] + best[1] not in vocabulary:
            vocabulary.append(best[0] + best[1])
        merges.append(best)
        after = {}
        for symbols, n in words.items():
            symbols = merge(symbols, best, best[0] + best[1])
            after[symbols] = after.get(symbols, 0) + n
        words = after
    return merges

# %% right="the fast way"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {symbol: i for i, symbol in enumerate(alphabet)}, []
    table, counts = [[symbols, n] for symbols, n in words.items()], Counter(count_pairs(words))
    while len(ids) < vocab_size and +counts:
        best = min(+counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        for row in table:
            before = Counter(pairwise(row[0]))
            row[0] = merge(row[0], best, best[0] + best[1])
            for pair in before:
                counts[pair] -= before[pair] * row[1]
            for pair in pairwise(row[0]):
                counts[pair] += row[1]
    return merges

# %% wrong="ties: right symbol's id not looked at" says="smallest id of the right"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {s: i for i, s in enumerate(alphabet)}, []
    while len(ids) < vocab_size:
        counts = count_pairs(words)
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], ids[p[0]]))
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        words = {merge(s, best, best[0] + best[1]): n for s, n in words.items()}
    return merges

# %% wrong="a token made twice gets a new id" says="id"
def train_bpe(words, alphabet, vocab_size):
    ids, merges, next_id = {s: i for i, s in enumerate(alphabet)}, [], len(alphabet)
    while len(ids) < vocab_size:
        counts = count_pairs(words)
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], ids[p[0]], ids[p[1]]))
        merges.append(best)
        ids[best[0] + best[1]] = next_id
        next_id += 1
        words = {merge(s, best, best[0] + best[1]): n for s, n in words.items()}
    return merges

# %% wrong="the alphabet grows in place" says="change"
def train_bpe(words, alphabet, vocab_size):
    merges = []
    while len(alphabet) < vocab_size:
        counts = count_pairs(words)
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], alphabet.index(p[0]), alphabet.index(p[1])))
        merges.append(best)
        if best[0] + best[1] not in alphabet:
            alphabet.append(best[0] + best[1])
        words = {merge(s, best, best[0] + best[1]): n for s, n in words.items()}
    return merges

# %% wrong="stops at pairs that occur once" says="any pair"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {s: i for i, s in enumerate(alphabet)}, []
    while len(ids) < vocab_size:
        counts = count_pairs(words)
        if not counts or max(counts.values()) < 2:
            break
        best = min(counts, key=lambda p: (-counts[p], ids[p[0]], ids[p[1]]))
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        words = {merge(s, best, best[0] + best[1]): n for s, n in words.items()}
    return merges

# %% wrong="never stops looking: min of an empty dict" says="an error"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {s: i for i, s in enumerate(alphabet)}, []
    while len(ids) < vocab_size:
        counts = count_pairs(words)
        best = min(counts, key=lambda p: (-counts[p], ids[p[0]], ids[p[1]]))
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        words = {merge(s, best, best[0] + best[1]): n for s, n in words.items()}
    return merges

# %% wrong="words that become the same lose their counts" says="same"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {s: i for i, s in enumerate(alphabet)}, []
    while len(ids) < vocab_size:
        counts = count_pairs(words)
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], ids[p[0]], ids[p[1]]))
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        words = {merge(s, best, best[0] + best[1]): n for s, n in words.items()}
    return merges

# %% wrong="words changed in place" says="change"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {s: i for i, s in enumerate(alphabet)}, []
    while len(ids) < vocab_size:
        counts = count_pairs(words)
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], ids[p[0]], ids[p[1]]))
        merges.append(best)
        ids.setdefault(best[0] + best[1], len(ids))
        for s, n in list(words.items()):
            del words[s]
            t = merge(s, best, best[0] + best[1])
            words[t] = words.get(t, 0) + n
    return merges

# %% right="a list of words with counts, ids looked up in a list"
def train_bpe(words, alphabet, vocab_size):
    corpus, vocabulary, merges = [[w, n] for w, n in words.items()], list(alphabet), []
    while len(vocabulary) < vocab_size:
        counts = Counter()
        for w, n in corpus:
            for p in zip(w, w[1:]):
                counts[p] += n
        if not counts:
            return merges
        top = max(counts.values())
        left, right = min(([vocabulary.index(a), vocabulary.index(b)] for (a, b), n in counts.items() if n == top))
        a, b = vocabulary[left], vocabulary[right]
        merges.append((a, b))
        if a + b not in vocabulary:
            vocabulary.append(a + b)
        for entry in corpus:
            entry[0] = merge(entry[0], (a, b), a + b)
    return merges

# %% right="sorted, a Counter of words"
def train_bpe(words, alphabet, vocab_size):
    ids, merges, words = dict(zip(alphabet, range(len(alphabet)))), [], Counter(words)
    while len(ids) < vocab_size and (counts := count_pairs(dict(words))):
        ranked = sorted(counts.items(), key=lambda kv: (ids[kv[0][0]], ids[kv[0][1]]))
        (left, right), _ = sorted(ranked, key=lambda kv: kv[1], reverse=True)[0]
        merges += [(left, right)]
        if left + right not in ids:
            ids[left + right] = len(ids)
        after = Counter()
        for word, n in words.items():
            after[merge(word, (left, right), left + right)] += n
        words = after
    return merges
