# %% base="the plain way"
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
# %% wrong="as many merges as vocab_size" says="alphabet and merges together"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {symbol: i for i, symbol in enumerate(alphabet)}, []
    while len(merges) < vocab_size and (counts := count_pairs(words)):
        best = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        ids.setdefault(best[0] + best[1], len(ids))
        merges.append(best)
        words = {merge(symbols, best, best[0] + best[1]): n for symbols, n in words.items()}
    return merges
# %% wrong="the first pair seen wins a tie" says="which pair was seen first" of="as many merges as vocab_size"
#~ {symbol: i for i, symbol in enumerate(alphabet)} => set(alphabet)
#~ (merges) => (ids)
#~ min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]])) => max(counts, key=counts.get)
#~ setdefault(best[0] + best[1], len(ids)) => add(best[0] + best[1])
# %% wrong="letters decide a tie" says="order of the letters" of="as many merges as vocab_size"
#~ {symbol: i for i, symbol in enumerate(alphabet)} => set(alphabet)
#~ (merges) => (ids)
#~ ids[pair[0]], ids[pair[1]] => pair
#~ setdefault(best[0] + best[1], len(ids)) => add(best[0] + best[1])
# %% wrong="the vocabulary grows by a token that is there" says="is there already" of="as many merges as vocab_size"
#~ ids, merges = {symbol: i for i, symbol in enumerate(alphabet)} => vocabulary, merges = list(alphabet)
#~ (merges) => (vocabulary)
#~ ids[pair[0]], ids[pair[1]] => vocabulary.index(pair[0]), vocabulary.index(pair[1])
#~ ids.setdefault(best[0] + best[1], len(ids)) => vocabulary.append(best[0] + best[1])
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
# %% wrong="ties: right symbol's id not looked at" says="smallest id of the right" of="the plain way"
#~ [p[0]], ids[p[1]] => [p[0]]
# %% wrong="a token made twice gets a new id" says="id" of="the plain way"
#~ merges = {s: i for i, s in enumerate(alphabet)}, [] => merges, next_id = {s: i for i, s in enumerate(alphabet)}, [], len(alphabet)
#-         ids.setdefault(best[0] + best[1], len(ids))
#+         ids[best[0] + best[1]] = next_id
#+         next_id += 1
# %% wrong="the alphabet grows in place" says="change" of="the plain way"
#~ ids, merges = {s: i for i, s in enumerate(alphabet)}, => merges =
#~ len(ids) < => len(alphabet) <
#~ ids[p[0]], ids[p[1]] => alphabet.index(p[0]), alphabet.index(p[1])
#-         ids.setdefault(best[0] + best[1], len(ids))
#+         if best[0] + best[1] not in alphabet:
#+             alphabet.append(best[0] + best[1])
# %% wrong="stops at pairs that occur once" says="any pair" of="the plain way"
#~ counts: => counts or max(counts.values()) < 2:
# %% wrong="never stops looking: min of an empty dict" says="an error" of="the plain way"
#-         if not counts:
#-             break
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
# %% wrong="words changed in place" says="change" of="the plain way"
#-         words = {merge(s, best, best[0] + best[1]): n for s, n in words.items()}
#+         for s, n in list(words.items()):
#+             del words[s]
#+             t = merge(s, best, best[0] + best[1])
#+             words[t] = words.get(t, 0) + n
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
# %% wrong="until the sizes are equal" says="nothing to add" of="as many merges as vocab_size"
#~ (merges) < vocab_size => (ids) != vocab_size
# %% wrong="a tie goes by the sum of the ids" says="here their sum did"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {symbol: i for i, symbol in enumerate(alphabet)}, []
    while len(ids) < vocab_size and (counts := count_pairs(words)):
        best = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]] + ids[pair[1]]))
        ids.setdefault(best[0] + best[1], len(ids))
        merges.append(best)
        merged = defaultdict(int)
        for symbols, n in words.items():
            merged[merge(symbols, best, best[0] + best[1])] += n
        words = merged
    return merges
# %% wrong="a token made again is not listed" says="is listed all the same" of="a tie goes by the sum of the ids"
#~ ids[pair[0]] + ids[pair[1]] => ids[pair[0]], ids[pair[1]]
#-         ids.setdefault(best[0] + best[1], len(ids))
#-         merges.append(best)
#+         if best[0] + best[1] not in ids:
#+             ids[best[0] + best[1]] = len(ids)
#+             merges.append(best)
# %% wrong="a token made again has a new id" says="keeps its id" of="a tie goes by the sum of the ids"
#~ ids[pair[0]] + ids[pair[1]] => ids[pair[0]], ids[pair[1]]
#~ ids.setdefault(best[0] + best[1], len(ids)) => ids[best[0] + best[1]] = len(ids)
# %% wrong="as many merges as tokens are missing" says="does not make the vocabulary grow" of="a tie goes by the sum of the ids"
#~ ids[pair[0]] + ids[pair[1]] => ids[pair[0]], ids[pair[1]]
#~ while len(ids) < vocab_size and => while len(merges) < vocab_size - len(alphabet) and
# %% wrong="the first of nothing" says="an empty list has no first item"
#-     while len(ids) < vocab_size and (counts := count_pairs(words)):
#-         best = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
#+     while len(ids) < vocab_size:
#+         counts = count_pairs(words)
#+         best = sorted(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))[0]
# %% wrong="the words are never merged" says="the words stay as they were"
def train_bpe(words, alphabet, vocab_size):
    ids, merges = {s: i for i, s in enumerate(alphabet)}, []
    counts = count_pairs(words)
    while len(alphabet) + len(merges) < vocab_size and counts:
        merges.append(min(counts, key=lambda p: (-counts[p], ids[p[0]], ids[p[1]])))
    return merges
