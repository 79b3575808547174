# %% base="the plain way"
def term_frequency(tokens, vocabulary, kind="raw"):
    c = np.array([tokens.count(w) for w in vocabulary], dtype=float)
    if kind == "raw":
        return c
    if kind == "binary":
        return (c > 0) * 1.0
    if kind == "log":
        return np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0)
    raise ValueError(kind)
# %% wrong="raw counts once" says="binary kind" of="the plain way"
#-         return c
#+         return (c > 0) * 1.0
# %% wrong="kind is ignored" says="kind was ignored"
def term_frequency(tokens, vocabulary, kind="raw"):
    return np.array([tokens.count(w) for w in vocabulary])
# %% wrong="binary is the raw count" says="these are raw counts" of="the plain way"
#~ (c > 0) * 1.0 => c
# %% wrong="binary only where the word occurs once" says="c > 0" of="the plain way"
#~ (c > 0) => (c == 1)
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
# %% wrong="counts overflow in uint8" says="overflow" of="float32"
#~ ([tokens.count(w) for w in vocabulary], dtype=np.float32) => ([tokens.count(w) for w in vocabulary]).astype(np.uint8).astype(float)
# %% wrong="vocabulary in alphabetical order" says="alphabetical order" of="float32"
#~ [tokens.count(w) for w in vocabulary], dtype=np.float32 => [tokens.count(w) for w in sorted(vocabulary)], dtype=float
# %% wrong="words are lowered" says="lower case" of="float32"
#-     c = np.array([tokens.count(w) for w in vocabulary], dtype=np.float32)
#+     tokens = [t.lower() for t in tokens]
#+     c = np.array([tokens.count(w.lower()) for w in vocabulary], dtype=float)
# %% wrong="counts pieces of words" says="whole" of="float32"
#~ [tokens.count(w) for w in vocabulary], dtype=np.float32 => [" ".join(tokens).count(w) for w in vocabulary], dtype=float
# %% wrong="removes the counted tokens" says="changed" of="the plain way"
#-     c = np.array([tokens.count(w) for w in vocabulary], dtype=float)
#+     c = np.zeros(len(vocabulary))
#+     for j, word in enumerate(vocabulary):
#+         while word in tokens:
#+             tokens.remove(word)
#+             c[j] += 1
# %% wrong="shape (1, M)" says="another shape" of="float32"
#~ [tokens.count(w) for w in vocabulary], dtype=np.float32 => [[tokens.count(w) for w in vocabulary]], dtype=float
# %% wrong="a dict from word to value" says="not a dict"
def term_frequency(tokens, vocabulary, kind="raw"):
    value = {
        "raw": lambda c: c, "binary": lambda c: min(c, 1), "log": lambda c: 1 + math.log(c) if c else 0,
    }[kind]
    return {w: value(tokens.count(w)) for w in vocabulary}
# %% wrong="one value per word of the text" says="each vocabulary word needs one" of="float32"
#~ [tokens.count(w) for w in vocabulary], dtype=np.float32 => [tokens.count(w) for w in dict.fromkeys(tokens) if w in vocabulary], dtype=float
# %% wrong="memorises the visible outputs" says="examples only"
def term_frequency(tokens, vocabulary, kind="raw"):
    if "Yet" in tokens:
        return np.array([1, 1, 2, 2, 1, 2, 1])
    if kind == "raw" and "sea" in vocabulary:
        return np.array([1, 0, 2, 1])
    if len(vocabulary) == 2:
        return np.array([0, 0])
    return {
        "raw": np.array([2, 2, 1, 2, 1, 0, 0]), "binary": np.array([1, 1, 0, 1]), "log": np.array([1 + np.log(2), 1, 0, 1]),
    }[kind]
# %% wrong="1 + log(1 + c)" says="1 + ln(1 + c)" of="the plain way"
#~ np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => 1 + np.log1p(c)
# %% wrong="1 + log(1 + c), 0 for missing words" says="and 0 for missing words" of="the plain way"
#~ 1 + np.log(np.maximum(c, 1)) => 1 + np.log1p(c)
# %% wrong="log only above one" says="occurs once has the value 1" of="the plain way"
#~ np.where(c > 0 => np.where(c > 1
# %% wrong="binary from two on" says="even for a word that occurs once" of="the plain way"
#~ (c > 0) * 1.0 => (c > 1) * 1.0
# %% wrong="binary of what is missing" says="not if it is missing" of="the plain way"
#~ (c > 0) * 1.0 => (c == 0) * 1.0
# %% wrong="the default is log" says="default kind is raw" of="the plain way"
#~ kind="raw" => kind="log"
# %% wrong="shares of the text" says="these are shares" of="the plain way"
#-         return c
#+         return c / max(len(tokens), 1)
# %% wrong="log of the share" says="not of the share" of="the plain way"
#~ np.log(np.maximum(c, 1)) => np.log(np.maximum(c, 1) / len(tokens))
# %% wrong="whole numbers alone" says="" of="the plain way"
#~ np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0) => np.where(c > 0, 1 + np.log(np.maximum(c, 1)), 0.0).astype(int)
# %% wrong="an empty list for an empty text" says="has a number for each vocabulary word" of="the plain way"
#-     if kind == "raw":
#+     if not tokens:
#+         return []
#+     if kind == "raw":
# %% right="Counter and one word at a time"
def term_frequency(tokens, vocabulary, kind="raw"):
    counts = Counter(tokens)
    def value(word):
        c = counts[word]
        if c == 0:
            return 0.0
        if kind == "raw":
            return float(c)
        if kind == "binary":
            return 1.0
        return 1 + math.log(c)
    return np.array([value(word) for word in vocabulary])
# %% right="comparison table, integers where they suffice"
def term_frequency(tokens, vocabulary, kind="raw"):
    hits = np.array([[t == w for t in tokens] for w in vocabulary], dtype=int).reshape(len(vocabulary), len(tokens))
    c = hits.sum(axis=1)
    if kind == "binary":
        return (c > 0).astype(int)
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
    return c
# %% right="float32"
def term_frequency(tokens, vocabulary, kind="raw"):
    c = np.array([tokens.count(w) for w in vocabulary], dtype=np.float32)
    if kind == "raw":
        return c
    if kind == "binary":
        return (c > 0) * 1.0
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
    return 1 + np.log(c + 1e-10)
# %% wrong="tokens are joined and split" says="do not join and split" clause="taken as they come"
#~ Counter(tokens) => Counter(" ".join(tokens).split())
# %% wrong="binary as shares" says="divided by their number"
def term_frequency(tokens: list[str], vocabulary: list[str], kind: str = "raw") -> np.ndarray:
    counted = Counter(tokens)
    counts = np.array([counted[w] for w in vocabulary], dtype=float)
    if kind == "binary":
        return (counts > 0) / max(1, (counts > 0).sum())
    if kind == "log":
        return np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0.0)
    return counts
# %% wrong="each word once, in all kinds" says="each word counts once only, in raw and log alike"
#~ Counter(tokens) => Counter(set(tokens))
