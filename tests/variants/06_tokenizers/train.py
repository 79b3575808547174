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
        words = {merge(symbols, best, best[0] + best[1]): n for symbols, n in words.items()}
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
