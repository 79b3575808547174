# %% base="the plain way"
def build_vocabulary(documents, size):
    counts = Counter(token for tokens in documents for token in tokens)
    return sorted(counts, key=lambda w: (-counts[w], w))[:size]
def to_token_ids(tokens, vocabulary):
    places = {word: i for i, word in enumerate(vocabulary)}
    return [places.get(token, len(vocabulary)) for token in tokens]
# %% wrong="ties by appearance" says="appearance" of="the plain way"
#~ sorted(counts, key=lambda w: (-counts[w], w))[:size] => [word for word, _ in counts.most_common(size)]
# %% wrong="the kept words in alphabetical order" says="alphabetical order" of="the plain way"
#~ (counts, key=lambda w: (-counts[w], w))[:size] => (sorted(counts, key=lambda w: (-counts[w], w))[:size])
# %% wrong="the first words of the alphabet" says="alphabet decides" of="the plain way"
#~ counts, key=lambda w: (-counts[w], w) => counts
# %% wrong="rarest first" says="rarest" of="the plain way"
#~ (-counts[w], w) => (counts[w], w)
# %% wrong="ties in reverse" says="reverse" of="the plain way"
#~ (-counts[w], w) => (counts[w], w), reverse=True
# %% wrong="counts documents" says="documents were counted" of="the plain way"
#~ (token for tokens in documents for token in tokens) => (token for tokens in documents for token in set(tokens))
# %% wrong="ties by the lower-case word" says="python's own order" of="the plain way"
#~ (-counts[w], w) => (-counts[w], w.lower(), w)
# %% wrong="ties by length first" says="length of the words" of="the plain way"
#~ (-counts[w], w) => (-counts[w], len(w), w)
# %% wrong="tokens are lowered" says="lower case" of="the plain way"
#~ (token for tokens in documents for token in tokens) => (token.lower() for tokens in documents for token in tokens)
# %% wrong="size is ignored" says="`size` was ignored" of="the plain way"
#~ (counts, key=lambda w: (-counts[w], w))[:size] => (counts, key=lambda w: (-counts[w], w))
# %% wrong="one word too few" says="one word too few" of="the plain way"
#~ :size => : size - 1
# %% wrong="words together with their counts" says="without their counts" of="the plain way"
#~ , key=lambda w: (-counts[w], w) => .items(), key=lambda pair: (-pair[1], pair[0])
# %% wrong="fewer words than asked raise" says="fewer words"
def build_vocabulary(documents, size):
    counts = Counter(token for tokens in documents for token in tokens)
    order = sorted(counts, key=lambda w: (-counts[w], w))
    return [order[i] for i in range(size)]
# %% wrong="words that occur once are left out" says="occur once" of="the plain way"
#~ (counts, key=lambda w: (-counts[w], w)) => ((w for w in counts if counts[w] > 1), key=lambda w: (-counts[w], w))
# %% wrong="the first document only" says="first document" of="the plain way"
#~ (token for tokens in documents for token in tokens) => (documents[0]) if documents else Counter()
# %% wrong="takes the top by appearance, then sorts the ties" says="cut off by order of appearance" of="fewer words than asked raise"
#~ order = sorted(counts, key=lambda w: (-counts[w], w)) => kept = dict(counts.most_common(size))
#~ [order[i] for i in range(size)] => sorted(kept, key=lambda w: (-kept[w], w))
# %% wrong="joins the documents in place" says="changed"
def build_vocabulary(documents, size):
    everything = documents[0] if documents else []
    for tokens in documents[1:]:
        everything += tokens
    counts = Counter(everything)
    return sorted(counts, key=lambda w: (-counts[w], w))[:size]
# %% wrong="counter kept between calls" says="earlier call"
def build_vocabulary(documents, size, counts=Counter()):
    for tokens in documents:
        counts.update(tokens)
    return sorted(counts, key=lambda w: (-counts[w], w))[:size]
# %% wrong="unseen dropped" says="dropped" of="most_common of the sorted tokens"
#~ .get(token, len(vocabulary)) for token in tokens => [token] for token in tokens if token in places
# %% wrong="unseen is -1" says="-1" of="most_common of the sorted tokens"
#~ len(vocabulary) => -1
# %% wrong="ids from 1" says="start at 0"
def to_token_ids(tokens, vocabulary):
    places = {word: i for i, word in enumerate(vocabulary, 1)}
    return [places.get(token, len(vocabulary) + 1) for token in tokens]
# %% wrong="ids from 1, unseen right" says="start at 0" of="most_common of the sorted tokens"
#~ enumerate(vocabulary) => enumerate(vocabulary, 1)
# %% wrong="unseen is 0" says="id 0" of="most_common of the sorted tokens"
#~ len(vocabulary) => 0
# %% wrong="unseen is None" says="None is no id" of="most_common of the sorted tokens"
#~ token, len(vocabulary) => token
# %% wrong="unseen raises ValueError" says="an unseen word must get an id" of="the plain way"
#~ w: (-counts[w], w) => word: (-counts[word], word)
#-     places = {word: i for i, word in enumerate(vocabulary)}
#-     return [places.get(token, len(vocabulary)) for token in tokens]
#+     return [vocabulary.index(token) for token in tokens]
# %% wrong="unseen raises KeyError" says="an unseen word must get an id" of="the plain way"
#~ w: (-counts[w], w) => word: (-counts[word], word)
#~ .get(token, len(vocabulary)) => [token]
# %% wrong="unseen shares the last word's id" says="last word" of="most_common of the sorted tokens"
#~ len(vocabulary) => len(vocabulary) - 1
# %% wrong="unseen is M + 1" says="not one more" of="most_common of the sorted tokens"
#~ len(vocabulary) => len(vocabulary) + 1
# %% wrong="place 0 is taken for missing" says="first word" of="most_common of the sorted tokens"
#~ (token, len(vocabulary)) => (token) or len(vocabulary)
# %% wrong="each unseen word gets its own id" says="share one id" of="most_common of the sorted tokens"
#~ get(token, len(vocabulary)) => setdefault(token, len(places))
# %% wrong="unseen words join the vocabulary" says="changed"
def to_token_ids(tokens, vocabulary):
    size = len(vocabulary)
    for token in tokens:
        if token not in vocabulary:
            vocabulary.append(token)
    return [min(vocabulary.index(token), size) for token in tokens]
# %% wrong="binary search needs a sorted vocabulary" says="binary search"
def to_token_ids(tokens, vocabulary):
    places = np.searchsorted(vocabulary, tokens)
    return [int(i) if i < len(vocabulary) and vocabulary[i] == w else len(vocabulary) for i, w in zip(places, tokens)]
# %% wrong="unseen by the number of tokens" says="not len(tokens)" of="most_common of the sorted tokens"
#~ len(vocabulary) => len(tokens)
# %% wrong="repeats dropped" says="each time" of="most_common of the sorted tokens"
#~ [places.get(token, len(vocabulary)) for token in tokens] => [places.get(token, len(vocabulary)) for token in dict.fromkeys(tokens)]
# %% wrong="tokens lowered before the look-up" says="tokens were put into lower case" of="most_common of the sorted tokens"
#~ (token, len(vocabulary)) => (token.lower(), len(vocabulary))
# %% wrong="ids sorted" says="do not sort" of="most_common of the sorted tokens"
#~ [places.get(token, len(vocabulary)) for token in tokens] => sorted(places.get(token, len(vocabulary)) for token in tokens)
# %% wrong="places kept from the first call" says="earlier vocabulary"
PLACES = {}
def to_token_ids(tokens, vocabulary):
    if not PLACES:
        PLACES.update({word: i for i, word in enumerate(vocabulary)})
    return [PLACES.get(token, len(vocabulary)) for token in tokens]
# %% wrong="memorises the visible outputs" says="examples only"
def build_vocabulary(documents, size):
    if size == 9:
        return ["B", "a", "C", "b"]
    if "not spam" in documents[0]:
        return ["a", "not spam"]
    return ["you", "free", "now", "see"] if size == 4 else ["a", "b"]
def to_token_ids(tokens, vocabulary):
    return [1, 3, 2, 3, 1] if len(tokens) == 5 else [1, 2, 0]
# %% wrong="the counter is made anew for each document" says="only the last document" of="counter kept between calls"
#~ size, counts=Counter() => size
#~ counts.update => counts = Counter
# %% wrong="repeats stay in the vocabulary" says="stands once"
def build_vocabulary(documents, size):
    tokens = [t for d in documents for t in d]
    counts = Counter(tokens)
    return sorted(tokens, key=lambda w: (-counts[w], w))[:size]
# %% wrong="one word too many" says="one word too many" of="the plain way"
#~ :size => : size + 1
# %% wrong="filled up to size" says="return all of them" of="fewer words than asked raise"
#~ order = sorted(counts, key=lambda w: (-counts[w], w)) => words = sorted(counts, key=lambda w: (-counts[w], w))[:size]
#~ [order[i] for i in range(size)] => words + [""] * (size - len(words))
# %% wrong="an entry for the unseen word" says="no entry for unseen words" of="the plain way"
#~ [:size] => [:size] + ["<unk>"]
# %% wrong="ids from 1, and 0 for the unseen" says="start at 0" of="ids from 1"
#~ len(vocabulary) + 1 => 0
# %% wrong="ids as text" says="ids are numbers" of="most_common of the sorted tokens"
#~ places.get(token, len(vocabulary)) => str(places.get(token, len(vocabulary)))
# %% wrong="places in the sorted vocabulary" says="not in the alphabet" of="most_common of the sorted tokens"
#~ enumerate(vocabulary) => enumerate(sorted(vocabulary))
# %% right="most_common of the sorted tokens"
def build_vocabulary(documents, size):
    return [w for w, _ in Counter(sorted(t for d in documents for t in d)).most_common(size)]
def to_token_ids(tokens, vocabulary):
    places = {word: i for i, word in enumerate(vocabulary)}
    return [places.get(token, len(vocabulary)) for token in tokens]
# %% right="two stable sorts and index"
def build_vocabulary(documents, size):
    counts = {}
    for tokens in documents:
        for token in tokens:
            counts[token] = counts.get(token, 0) + 1
    words = sorted(counts)
    words.sort(key=counts.get, reverse=True)
    return words[: min(size, len(words))]
def to_token_ids(tokens, vocabulary):
    ids = []
    for token in tokens:
        ids.append(vocabulary.index(token) if token in vocabulary else len(vocabulary))
    return ids
# %% right="NumPy strings and integers"
def build_vocabulary(documents, size):
    words, counts = np.unique([t for d in documents for t in d], return_counts=True)
    return list(words[np.argsort(-counts, kind="stable")][:size])
def to_token_ids(tokens, vocabulary):
    if not tokens:
        return []
    hits = np.array([[token == word for word in vocabulary] + [True] for token in tokens])
    return list(hits.argmax(axis=1))
# %% right="heap and defaultdict"
import heapq
from collections import defaultdict
def build_vocabulary(documents, size):
    counts = sum((Counter(d) for d in documents), Counter())
    return heapq.nsmallest(size, counts, key=lambda w: (-counts[w], w))
def to_token_ids(tokens, vocabulary):
    places = defaultdict(lambda: len(vocabulary), zip(vocabulary, range(len(vocabulary))))
    return list(map(places.__getitem__, tokens))
# %% right="takes the best one again and again"
import itertools
def build_vocabulary(documents, size):
    left = Counter(itertools.chain.from_iterable(documents))
    best = []
    while left and len(best) < size:
        top = max(left.values())
        word = min(w for w in left if left[w] == top)
        best.append(word)
        del left[word]
    return best
def to_token_ids(tokens, vocabulary):
    known = set(vocabulary)
    return [vocabulary.index(token) if token in known else len(vocabulary) for token in tokens]
# %% right="a tuple of words, an array of ids"
def build_vocabulary(documents, size):
    counts = Counter()
    for tokens in documents:
        counts.update(tokens)
    pairs = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(word for word, _ in pairs[:size])
def to_token_ids(tokens, vocabulary):
    ids = np.full(len(tokens), len(vocabulary))
    for i, token in enumerate(tokens):
        for j, word in enumerate(vocabulary):
            if token == word:
                ids[i] = j
    return ids
# %% wrong="no words of one letter" says="words of one letter" of="the plain way"
#~ for token in tokens) => for token in tokens if len(token) > 1)
# %% wrong="a place kept for unseen words" says="no place is kept" of="counts as text"
#~ return sorted(sorted(counts), key=lambda w: str(counts[w]), reverse=True)[:size] => return sorted(counts, key=lambda w: (-counts[w], w))[: max(size - 1, 0)] + ["<unk>"] * (size > 0)
# %% wrong="counts as text" says="10 comes before 9"
def build_vocabulary(documents, size):
    counts = Counter(t for d in documents for t in d)
    return sorted(sorted(counts), key=lambda w: str(counts[w]), reverse=True)[:size]
# %% wrong="tokens are joined and split" says="do not join and split" clause="documents: lists of tokens"
#~ Counter(token for tokens in documents for token in tokens) => Counter(" ".join(" ".join(d) for d in documents).split())
# %% wrong="the update of a dict" says="puts them in their place"
def build_vocabulary(documents, size):
    counts = {}
    for tokens in documents:
        counts.update(Counter(tokens))
    return sorted(counts, key=lambda w: (-counts[w], w))[:size]
