# %% base="the plain way" of="zip of shifted lists"
#~ return [" ".join(gram) for gram in zip(*(tokens[i:] for i in range(n)))] => return [" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
# %% wrong="the last one is missing" says="T - n + 1" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i : i + n]) for i in range(len(tokens) - n)
# %% wrong="windows do not overlap" says="overlap" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i : i + n]) for i in range(0, len(tokens) - n + 1, n)
# %% wrong="shorter pieces at the end" says="shorter piece" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i : i + n]) for i in range(len(tokens))
# %% wrong="one shorter piece at the end" says="shorter piece" of="zip of shifted lists"
#~ [" ".join(gram) for gram in zip(*(tokens[i:] for i in range(n)))] => [" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 2)] if len(tokens) >= n else []
# %% wrong="shorter n-grams, too" says="shorter n-grams" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i : i + k]) for k in range(1, n + 1) for i in range(len(tokens) - k + 1)
# %% wrong="no space" says="one space" of="zip of shifted lists"
#~ " ".join(gram) for gram in zip(*(tokens[i:] for i in range(n))) => "".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)
# %% wrong="underscore" says="underscore" of="zip of shifted lists"
#~ " ".join(gram) for gram in zip(*(tokens[i:] for i in range(n))) => "_".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)
# %% wrong="space at the end of each" says="a space too many" of="zip of shifted lists"
#~ " ".join(gram) for gram in zip(*(tokens[i:] for i in range(n))) => "".join(t + " " for t in tokens[i : i + n]) for i in range(len(tokens) - n + 1)
# %% wrong="tuples" says="join" of="zip of shifted lists"
#~ " ".join(gram) for gram in zip(*(tokens[i:] for i in range(n))) => tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)
# %% wrong="lists of tokens" says="join" of="zip of shifted lists"
#~ " ".join(gram) for gram in zip(*(tokens[i:] for i in range(n))) => tokens[i : i + n] for i in range(len(tokens) - n + 1)
# %% wrong="a short text is returned whole" says="shorter than n"
def ngrams(tokens, n):
    if len(tokens) < n:
        return [" ".join(tokens)] if tokens else []
    return [" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
# %% wrong="a short text returns its tokens" says="shorter than n" of="a short text is returned whole"
#~ [" ".join(tokens)] if tokens else [] => tokens
# %% wrong="a short text raises" says="shorter than n" of="a short text is returned whole"
#~ return [" ".join(tokens)] if tokens else [] => raise ValueError("too short")
# %% wrong="a short text gives None" says="is there a return"
def ngrams(tokens, n):
    if len(tokens) >= n:
        return [" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
# %% wrong="a much shorter text slices from the end" says="shorter than n"
def ngrams(tokens, n):
    starts = tokens[: len(tokens) - n + 1]
    return [" ".join(tokens[i : i + n]) for i, _ in enumerate(starts)]
# %% wrong="an empty text gives one empty n-gram" says="shorter than n" of="a short text is returned whole"
#~ len(tokens) < n => not tokens
#~ [" ".join(tokens)] if tokens else [] => [""]
# %% wrong="repeated n-grams are dropped" says="repeat" of="zip of shifted lists"
#~ [" ".join(gram) for gram in zip(*(tokens[i:] for i in range(n)))] => list(dict.fromkeys(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)))
# %% wrong="sorted" says="another order" of="zip of shifted lists"
#~ [" ".join(gram) for gram in zip(*(tokens[i:] for i in range(n)))] => sorted(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
# %% wrong="always pairs" says="n is not always 2" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (pair) for pair in zip(tokens, tokens[1:])
# %% wrong="n + 1 tokens each" says="n tokens" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i : i + n + 1]) for i in range(len(tokens) - n)
# %% wrong="n = 1 gives nothing" says="n = 1" of="a short text is returned whole"
#~ len(tokens) < n => n < 2
#~ [" ".join(tokens)] if tokens else [] => []
# %% wrong="characters" says="sequences of characters"
def ngrams(tokens, n):
    text = " ".join(tokens)
    return [text[i : i + n] for i in range(len(text) - n + 1)]
# %% wrong="all combinations" says="contiguous" of="scikit-learn's own tokens"
#~ from sklearn.feature_extraction.text import CountVectorizer => import itertools
#~ return CountVectorizer(ngram_range=(n, n), lowercase=False).build_analyzer()(" ".join(tokens)) => return [" ".join(c) for c in itertools.islice(itertools.combinations(tokens, n), 9999)]
# %% wrong="wraps round the end" says="wrap around the end" of="NumPy strings"
#~ windows = np.lib.stride_tricks.sliding_window_view(np.array(tokens), n) => twice = tokens + tokens
#~ np.str_(" ".join(w)) for w in windows => " ".join(twice[i : i + n]) for i in range(len(tokens))
# %% wrong="tokens within are reversed" says="in reverse order" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (reversed(tokens[i : i + n])) for i in range(len(tokens) - n + 1)
# %% wrong="a generator" says="not an object" of="zip of shifted lists"
#~ [" ".join(gram) for gram in zip(*(tokens[i:] for i in range(n)))] => (" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
# %% wrong="tokens are lowered" says="lower case" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i : i + n]).lower() for i in range(len(tokens) - n + 1)
# %% wrong="pops the tokens of the caller" says="changed"
def ngrams(tokens, n):
    out = []
    while len(tokens) >= n:
        out.append(" ".join(tokens[:n]))
        tokens.pop(0)
    return out
# %% wrong="list kept between calls" says="earlier call"
def ngrams(tokens, n, out=[]):
    for i in range(len(tokens) - n + 1):
        out.append(" ".join(tokens[i : i + n]))
    return out
# %% wrong="prints instead of returning" says="is there a return"
def ngrams(tokens, n):
    for i in range(len(tokens) - n + 1):
        print(" ".join(tokens[i : i + n]))
# %% wrong="memorises the visible outputs" says="examples only"
def ngrams(tokens, n):
    if tokens[0] in ("a", "see") and n < 3 and len(tokens) > 1:
        return ["see", "you"] if n == 1 else ["a B", "B a", "a B"]
    return ["this is", "is a", "a sentence"] if n == 2 else []
# %% wrong="return inside the loop" says="inside the loop" of="prints instead of returning"
#-         print(" ".join(tokens[i : i + n]))
#+         return [" ".join(tokens[i : i + n])]
#+     return []
# %% wrong="n - 1 tokens each" says="n - 1 tokens" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i : i + n - 1]) for i in range(len(tokens) - n + 1)
# %% wrong="the first one is missing" says="the first n-gram is missing" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i : i + n]) for i in range(1, len(tokens) - n + 1)
# %% wrong="index beyond the end" says="beyond the last token" of="zip of shifted lists"
#~ (gram) for gram in zip(*(tokens[i:] for i in range(n))) => (tokens[i + k] for k in range(n)) for i in range(len(tokens))
# %% wrong="scikit-learn's own tokens" says="one letter"
from sklearn.feature_extraction.text import CountVectorizer
def ngrams(tokens, n):
    return CountVectorizer(ngram_range=(n, n), lowercase=False).build_analyzer()(" ".join(tokens))
# %% right="zip of shifted lists"
def ngrams(tokens, n):
    return [" ".join(gram) for gram in zip(*(tokens[i:] for i in range(n)))]
# %% right="recursion"
def ngrams(tokens, n):
    def go(i):
        return [] if i + n > len(tokens) else [" ".join(tokens[i : i + n])] + go(i + 1)
    return go(0)
# %% right="a sliding deque"
from collections import deque
def ngrams(tokens, n):
    window, out = deque(maxlen=n), []
    for token in tokens:
        window.append(token)
        if len(window) == n:
            out.append(" ".join(window))
    return out
# %% right="NumPy strings"
def ngrams(tokens, n):
    if len(tokens) < n:
        return []
    windows = np.lib.stride_tricks.sliding_window_view(np.array(tokens), n)
    return [np.str_(" ".join(w)) for w in windows]
# %% right="grown from the shorter ones"
def ngrams(tokens, n):
    grams = list(tokens)
    for k in range(1, n):
        grams = [f"{g} {t}" for g, t in zip(grams, tokens[k:])]
    return grams
# %% right="index arithmetic"
def ngrams(tokens, n):
    out, start = [], 0
    while start <= len(tokens) - n:
        piece = tokens[start]
        for k in range(1, n):
            piece = piece + " " + tokens[start + k]
        out.append(piece)
        start += 1
    return out
# %% wrong="the first and the last token of each window" says="not the first and the last alone" of="zip of shifted lists"
#~ return [" ".join(gram) for gram in zip(*(tokens[i:] for i in range(n)))] => return [tokens[i] + " " + tokens[i + n - 1] for i in range(len(tokens) - n + 1)]
# %% wrong="the list as it is printed" says="str() of a list" of="zip of shifted lists"
#~ return [" ".join(gram) for gram in zip(*(tokens[i:] for i in range(n)))] => return [str(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
# %% wrong="joined by two spaces" says="not with two" clause="joined by one space"
#~ " ". => "  ".
