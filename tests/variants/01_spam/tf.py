# %% base="the plain way"
def term_frequency(tokens, vocabulary, kind="raw"):
    c = np.array([tokens.count(w) for w in vocabulary], dtype=float)
    if kind == "raw":
        return c
    if kind == "binary":
        return (c > 0) * 1.0
    if kind == "relative":
        return c / max(len(tokens), 1)
    if kind == "scaled":
        return c / max(len(set(tokens)) - 1, 1)
    if kind == "log":
        return np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0)
    raise ValueError(kind)
# %% wrong="raw counts once" says="binary kind" of="the plain way"
#-         return c
#+         return (c > 0) * 1.0
# %% wrong="the default is relative" says="default kind is raw" of="the plain way"
#~ kind="raw" => kind="relative"
# %% wrong="kind is ignored" says="kind was ignored"
def term_frequency(tokens, vocabulary, kind="raw"):
    return np.array([tokens.count(w) for w in vocabulary])
# %% wrong="binary is the raw count" says="these are raw counts" of="the plain way"
#~ (c > 0) * 1.0 => c
# %% wrong="binary only where the word occurs once" says="c > 0" of="the plain way"
#~ (c > 0) => (c == 1)
# %% wrong="relative to the vocabulary" says="size of the vocabulary" of="the plain way"
#~ max(len(tokens), 1) => len(vocabulary)
# %% wrong="relative to the known tokens" says="outside the vocabulary" of="the plain way"
#~ len(tokens) => c.sum()
# %% wrong="relative to the different words" says="different words" of="the plain way"
#~ len(tokens) => len(set(tokens))
# %% wrong="relative to the number of characters" says="characters" of="the plain way"
#~ len(tokens) => len(" ".join(tokens))
# %% wrong="scaled by all different words" says="other" of="the plain way"
#~ (set(tokens)) - 1 => (set(tokens))
# %% wrong="scaled by the other tokens" says="different words" of="the plain way"
#~ max(len(set(tokens)) - 1, 1) => np.maximum(len(tokens) - c, 1)
# %% wrong="scaled by tokens minus one" says="different words" of="the plain way"
#~ set(tokens) => tokens
# %% wrong="scaled by the other words of the vocabulary" says="outside the vocabulary" of="the plain way"
#~ len(set(tokens)) => (c > 0).sum()
# %% wrong="scaled by the size of the vocabulary less one" says="words in" of="the plain way"
#~ set(tokens) => vocabulary
# %% wrong="scaled by the largest count" says="different" of="the plain way"
#~ len(set(tokens)) - 1 => c.max()
# %% wrong="scaled divides by zero for a single word" says="at least 1" of="the plain way"
#~ c / max(len(set(tokens)) - 1, 1) => np.array([x / (len(set(tokens)) - 1) if x else 0.0 for x in c.tolist()])
# %% wrong="scaled is infinite for a single word" says="divides by zero" of="the plain way"
#~ c / max(len(set(tokens)) - 1, 1) => np.where(c > 0, c / np.float64(len(set(tokens)) - 1), 0.0)
# %% wrong="scaled by at least 2" says="at least 1" of="the plain way"
#~ (len(set(tokens)) - 1, 1) => (len(set(tokens)) - 1, 2)
# %% wrong="log of 1 + c" says="ln(1 + c)" of="the plain way"
#~ where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => log(1 + c)
# %% wrong="log without the 1" says="add 1" of="the plain way"
#~ where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => log(np.maximum(c, 1))
# %% wrong="log is 1 for missing words" says="do not occur" of="the plain way"
#~ np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => 1 + np.log(np.maximum(c, 1))
# %% wrong="log is minus infinity for missing words" says="logarithm of zero" of="the plain way"
#~ np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => 1 + np.log(c)
# %% wrong="log is NaN for missing words" says="NaN" of="the plain way"
#~ np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => (1 + np.log(c)) * (c > 0)
# %% wrong="log raises for missing words" says="do not occur" of="the plain way"
#~ where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => array([1 + math.log(x) for x in c])
# %% wrong="log to base 10" says="natural logarithm" of="the plain way"
#~ .log => .log10
# %% wrong="log to base 2" says="natural logarithm" of="the plain way"
#~ .log => .log2
# %% wrong="log of the relative frequency" says="raw count" of="the plain way"
#~ where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => array([1 + math.log(x / len(tokens)) if x else 0.0 for x in c])
# %% wrong="relative and scaled exchanged" says="kind scaled" of="the plain way"
#~ len(tokens) => len(set(tokens)) - 1
# %% wrong="integer array cuts the shares" says="integer" of="the plain way"
#~ c / max(len(tokens), 1) => (c / max(len(tokens), 1)).astype(int)
# %% wrong="floor division" says="integer" of="the plain way"
#~ / max(len(set(tokens)) - 1, 1) => // max(len(set(tokens)) - 1, 1)
# %% wrong="counts overflow in uint8" says="overflow" of="float32"
#~ ([tokens.count(w) for w in vocabulary], dtype=np.float32) => ([tokens.count(w) for w in vocabulary]).astype(np.uint8).astype(float)
# %% wrong="vocabulary in alphabetical order" says="alphabetical order" of="float32"
#~ [tokens.count(w) for w in vocabulary], dtype=np.float32 => [tokens.count(w) for w in sorted(vocabulary)], dtype=float
# %% wrong="words are lowered" says="lowered" of="float32"
#-     c = np.array([tokens.count(w) for w in vocabulary], dtype=np.float32)
#+     tokens = [t.lower() for t in tokens]
#+     c = np.array([tokens.count(w.lower()) for w in vocabulary], dtype=float)
# %% wrong="counts pieces of words" says="whole" of="float32"
#~ [tokens.count(w) for w in vocabulary], dtype=np.float32 => [" ".join(tokens).count(w) for w in vocabulary], dtype=float
# %% wrong="removes the counted tokens" says="changed" of="augmented frequency"
#-     c = np.array([tokens.count(w) for w in vocabulary], dtype=float)
#+     total, different = len(tokens), len(set(tokens))
#+     c = np.zeros(len(vocabulary))
#+     for j, word in enumerate(vocabulary):
#+         while word in tokens:
#+             tokens.remove(word)
#+             c[j] += 1
#~ "raw": c, "binary": np.sign(c), "relative": c / max(len(tokens), 1), "scaled": c / max(len(set(tokens)) - 1, 1), => "raw": c, "binary": np.minimum(c, 1), "relative": c / max(total, 1), "scaled": c / max(different - 1, 1),
#~ }[kind] if kind != 'scaled' else 0.5 + 0.5 * c / max(c.max(), 1) => }[kind]
# %% wrong="shape (1, M)" says="another shape" of="float32"
#~ [tokens.count(w) for w in vocabulary], dtype=np.float32 => [[tokens.count(w) for w in vocabulary]], dtype=float
# %% wrong="a dict from word to value" says="not a dict"
def term_frequency(tokens, vocabulary, kind="raw"):
    n, k = max(len(tokens), 1), max(len(set(tokens)) - 1, 1)
    value = {
        "raw": lambda c: c, "binary": lambda c: min(c, 1), "relative": lambda c: c / n, "scaled": lambda c: c / k,
        "log": lambda c: 1 + math.log(c) if c else 0,
    }[kind]
    return {w: value(tokens.count(w)) for w in vocabulary}
# %% wrong="one value per word of the text" says="each vocabulary word needs one" of="float32"
#~ [tokens.count(w) for w in vocabulary], dtype=np.float32 => [tokens.count(w) for w in dict.fromkeys(tokens) if w in vocabulary], dtype=float
# %% wrong="memorises the visible outputs" says="examples only"
def term_frequency(tokens, vocabulary, kind="raw"):
    if kind == "relative" and len(vocabulary) == 7:
        return np.array([0.1, 0.1, 0.2, 0.2, 0.1, 0.2, 0.1])
    if kind == "scaled" and len(vocabulary) == 5:
        return np.array([2 / 5, 1 / 5, 0, 1 / 5, 0])
    if kind == "raw" and "sea" in vocabulary:
        return np.array([1, 0, 2, 1])
    if len(vocabulary) == 2:
        return np.array([len(tokens), 0])
    return {
        "raw": np.array([2, 2, 1, 2, 1, 0, 0]), "binary": np.array([1, 1, 0, 1]),
        "relative": np.array([2 / 8, 1 / 8, 0, 1 / 8, 0]), "scaled": np.array([2 / 3, 1 / 3, 0, 1 / 3]),
        "log": np.array([1 + np.log(2), 1, 0, 1]),
    }[kind]
# %% wrong="augmented frequency" says="augmented"
def term_frequency(tokens, vocabulary, kind="raw"):
    c = np.array([tokens.count(w) for w in vocabulary], dtype=float)
    return {
        "raw": c, "binary": np.sign(c), "relative": c / max(len(tokens), 1), "scaled": c / max(len(set(tokens)) - 1, 1),
        "log": np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0),
    }[kind] if kind != 'scaled' else 0.5 + 0.5 * c / max(c.max(), 1)
# %% wrong="scaled is relative" says="this is the kind relative" of="augmented frequency"
#~ 0.5 + 0.5 * c / max(c.max(), 1) => c / max(len(tokens), 1)
# %% wrong="scaled by the words outside the vocabulary" says="not only those outside" of="augmented frequency"
#~ 0.5 + 0.5 * c / max(c.max(), 1) => c / max(len(set(tokens) - set(vocabulary)), 1)
# %% wrong="1 + log(1 + c)" says="1 + ln(1 + c)" of="augmented frequency"
#~ 'scaled' else 0.5 + 0.5 * c / max(c.max(), 1) => 'log' else 1 + np.log1p(c)
# %% wrong="log only above one" says="occurs once has the value 1" of="augmented frequency"
#~ 'scaled' else 0.5 + 0.5 * c / max(c.max(), 1) => 'log' else np.where(c > 1, 1 + np.log(np.maximum(c, 1)), 0)
# %% wrong="binary from two on" says="also for a word that occurs once" of="augmented frequency"
#~ 'scaled' else 0.5 + 0.5 * c / max(c.max(), 1) => 'binary' else (c > 1).astype(int)
# %% wrong="relative to the largest count" says="largest count" of="augmented frequency"
#~ 'scaled' else 0.5 + 0.5 * => 'relative' else
# %% wrong="empty text gives NaN" says="empty text" of="augmented frequency"
#~ 'scaled' else 0.5 + 0.5 * c / max(c.max(), 1) => 'relative' else c / np.float64(len(tokens))
# %% right="Counter and one word at a time"
def term_frequency(tokens, vocabulary, kind="raw"):
    counts, total = Counter(tokens), len(tokens)
    def value(word):
        c = counts[word]
        if c == 0:
            return 0.0
        if kind == "raw":
            return float(c)
        if kind == "binary":
            return 1.0
        if kind == "relative":
            return c / total
        if kind == "scaled":
            return c / max(1, len(counts.keys() - {word}))
        return 1 + math.log(c)
    return np.array([value(word) for word in vocabulary])
# %% right="comparison table, integers where they suffice"
def term_frequency(tokens, vocabulary, kind="raw"):
    hits = np.array([[t == w for t in tokens] for w in vocabulary], dtype=int).reshape(len(vocabulary), len(tokens))
    c = hits.sum(axis=1)
    if kind == "binary":
        return (c > 0).astype(int)
    if kind == "relative":
        return c / max(1, hits.shape[1])
    if kind == "scaled":
        return c / max(1, np.unique(tokens).size - 1)
    if kind == "log":
        out = np.zeros(len(c))
        out[c > 0] = 1 + np.log(c[c > 0])
        return out
    return c
# %% right="torch inside, float64"
def term_frequency(tokens, vocabulary, kind="raw"):
    c = torch.tensor([tokens.count(w) for w in vocabulary], dtype=torch.float64)
    if kind == "binary":
        c = (c > 0).double()
    elif kind == "relative":
        c = c / max(len(tokens), 1)
    elif kind == "scaled":
        c = c / max(len(Counter(tokens)) - 1, 1)
    elif kind == "log":
        c = torch.where(c > 0, 1 + torch.log(c.clamp(min=1)), torch.zeros_like(c))
    return c.numpy()
# %% right="scikit-learn's counter"
from sklearn.feature_extraction.text import CountVectorizer
def term_frequency(tokens, vocabulary, kind="raw"):
    counter = CountVectorizer(vocabulary=vocabulary, analyzer=lambda document: document)
    c = counter.transform([tokens]).toarray()[0].astype(float)
    if kind == "binary":
        return np.sign(c)
    if kind == "log":
        return np.log(np.maximum(c, 1) * np.e) * np.sign(c)
    divisor = {"raw": 1, "relative": len(tokens) or 1, "scaled": (len(set(tokens)) - 1) or 1}[kind]
    return c / max(divisor, 1)
# %% right="float32"
def term_frequency(tokens, vocabulary, kind="raw"):
    c = np.array([tokens.count(w) for w in vocabulary], dtype=np.float32)
    if kind == "raw":
        return c
    if kind == "binary":
        return (c > 0) * 1.0
    if kind == "relative":
        return c / max(len(tokens), 1)
    if kind == "scaled":
        return c / max(len(set(tokens)) - 1, 1)
    if kind == "log":
        return np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0)
    raise ValueError(kind)
# %% wrong="a tiny number under the logarithm" says="1e-10 was added to c"
def term_frequency(tokens, vocabulary, kind="raw"):
    c = np.array([tokens.count(w) for w in vocabulary], dtype=float)
    if kind == "raw":
        return c
    if kind == "binary":
        return (c > 0) * 1.0
    if kind == "relative":
        return c / max(len(tokens), 1)
    if kind == "scaled":
        others = len(set(tokens)) - 1
        return c / max(others, 1)
    return 1 + np.log(c + 1e-10)
# %% wrong="one more token below the line" says="nothing is added to the number of tokens" of="a tiny number under the logarithm"
#~ max(len(tokens), 1) => (len(tokens) + 1)
#~ 1 + np.log(c + 1e-10) => (c > 0) * (1 + np.log(np.maximum(c, 1)))
# %% wrong="0 where there is no other word" says="the value is the count, not 0" of="a tiny number under the logarithm"
#~ c / max(others, 1) => c / others if others > 0 else 0 * c
#~ 1 + np.log(c + 1e-10) => (c > 0) * (1 + np.log(np.maximum(c, 1)))
# %% wrong="0/0 in an empty text" says="0/0 is NaN" clause="In an empty text every word has the value 0."
#~ max(len(tokens), 1) => len(tokens)
# %% wrong="divided by at least 2" says="at least 2" clause="number of *different other* words in $x$ (at least 1)"
#~ max(len(found) - 1, 1) => max(len(found) - 1, 2)
# %% wrong="tokens are joined and split" says="do not join and split" clause="taken as they come"
#~ Counter(tokens) => Counter(" ".join(tokens).split())
