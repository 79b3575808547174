# %% base="the plain way"
def count_ngrams(tokens, n):
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(g[:-1] for g in grams))
def add_k(word, context, ngrams, contexts, size, k=1.0):
    total = contexts.get(context, 0) + k
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0
def cross_entropy(probabilities):
    return math.inf if min(probabilities) == 0 else sum(math.log(p) for p in probabilities) / len(probabilities)
def perplexity(probabilities):
    return np.exp(cross_entropy(probabilities))
# %% wrong="the context counts the last token, too" says="begin no n-gram"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(tuple(tokens[i : i + n - 1]) for i in range(len(tokens) - n + 2)))
# %% wrong="k once below" says="grows by k times V" of="the plain way"
#~ (word, context, ngrams, contexts, size, k=1.0) => (word: str, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float
# %% wrong="bits" says="natural logarithm"
#~ log => log2
# %% right="another way, 1"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    a, b = {}, {}
    for i in range(n - 1, len(tokens)):
        g = tuple(tokens[i - n + 1 : i + 1])
        a[g] = a.get(g, 0) + 1
        b[g[:-1]] = b.get(g[:-1], 0) + 1
    return a, b
# %% right="another way, 2"
def cross_entropy(probabilities: Sequence[float]) -> float:
    with np.errstate(divide="ignore"):
        return float(-np.log(np.array(probabilities)).mean())
# %% wrong="the last n-gram is missing" says="len(tokens) - n + 1" of="unseen, right 1"
#~ list(zip(*(tokens[i:] for i in range(n)))) => [tuple(tokens[i : i + n]) for i in range(len(tokens) - n)]
# %% wrong="shorter pieces at the end" says="shorter"
def count_ngrams(tokens, n):
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens))]
    return dict(Counter(grams)), dict(Counter(g[: n - 1] for g in grams))
# %% wrong="contexts are tokens, not tuples" says="tuple (token,)" of="the plain way"
#~ for g => if n != 2 else g[0] for g
# %% wrong="joined strings" says="tuple"
def count_ngrams(tokens, n):
    grams = [tokens[i : i + n] for i in range(len(tokens) - n + 1)]
    return dict(Counter(" ".join(g) for g in grams)), dict(Counter(" ".join(g[:-1]) for g in grams))
# %% right="a Counter comes back" of="the plain way"
#~ dict(Counter(grams)), dict(Counter(g[:-1] for g in grams)) => Counter(grams), Counter(g[:-1] for g in grams)
# %% wrong="the context is the end of the n-gram" says="first n - 1" of="the plain way"
#~ :-1 => 1:
# %% wrong="always pairs" says="bigrams"
def count_ngrams(tokens, n):
    return dict(Counter(zip(tokens, tokens[1:]))), dict(Counter((t,) for t in tokens[:-1]))
# %% wrong="padded with a start mark" says="pad" of="a short text raises"
#-     if len(tokens) < n:
#-         raise ValueError("too short")
#+     tokens = ["<s>"] * (n - 1) + list(tokens)
# %% wrong="each n-gram once" says="as often as it occurs" of="unseen, right 1"
#~ list(zip(*(tokens[i:] for i in range(n)))) => {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}
# %% wrong="contexts of one token only" says="the first of them only" of="the plain way"
#~ g[:-1] => (g[0],)
# %% wrong="contexts of one token only, before the word" says="the last of them only" of="the plain way"
#~ [:-1] => [-2:-1]
# %% wrong="windows do not overlap" says="overlap" of="unseen, right 1"
#~ list(zip(*(tokens[i:] for i in range(n)))) => [tuple(tokens[i : i + n]) for i in range(0, len(tokens) - n + 1, n)]
# %% wrong="a short text raises" says="fewer than n"
def count_ngrams(tokens, n):
    if len(tokens) < n:
        raise ValueError("too short")
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(g[:-1] for g in grams))
# %% wrong="only the counts of n-grams" says="two dictionaries" of="always pairs"
#~ (Counter(zip(tokens, tokens[1:]))), dict(Counter((t,) for t in tokens[:-1])) => (Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)))
# %% wrong="always Laplace" says="k was ignored"
def add_k(word, context, ngrams, contexts, size, k=1.0):
    return (ngrams.get((*context, word), 0) + 1) / (contexts.get(context, 0) + size)
# %% wrong="k only below" says="added to the count" of="unseen, right 1"
#~ 0.0 if total == 0 else (ngrams.get(context + (word,), 0) + k) / total => ngrams.get((*context, word), 0) / total if total else 0.0
# %% wrong="k = 0 gives 0, whatever was seen" says="no special case" of="unseen, right 1"
#~ 0.0 if total == 0 else => 0.0 if k == 0 else
# %% wrong="V without its k" says="k times V" of="the plain way"
#~ (context, 0) + k => (context, 0) + size
# %% wrong="an unseen n-gram has 0" says="never seen has the count 0"
def add_k(word, context, ngrams, contexts, size, k=1.0):
    if (*context, word) not in ngrams:
        return 0.0
    return (ngrams[(*context, word)] + k) / (contexts[context] + k * size)
# %% wrong="an unseen context has 0" says="never seen has the count 0" of="an unseen n-gram has 0"
#~ (*context, word) not in ngrams => context not in contexts
#~ [(*context, word)] => .get((*context, word), 0)
# %% wrong="an unseen context raises" says="does not hold" of="the plain way"
#~ .get(context, 0) + k => [context] + k * size
# %% wrong="an unseen n-gram raises" says="does not hold" of="unseen, right 1"
#~ 0.0 if total == 0 else (ngrams.get(context + (word,), 0) + k) / total => (ngrams[(*context, word)] + k) / total if total else 0.0
# %% wrong="divides by zero" says="denominator is 0" of="always Laplace"
#~ (ngrams.get((*context, word), 0) + 1) / (contexts.get(context, 0) + size) => (ngrams.get((*context, word), 0) + k) / (contexts.get(context, 0) + k * size)
# %% wrong="uniform where the denominator is 0" says="denominator is 0" of="unseen, right 1"
#~ 0.0 if total == 0 else (ngrams.get(context + (word,), 0) + k) / total => (ngrams.get((*context, word), 0) + k) / total if total else 1 / size
# %% wrong="divided by all tokens" says="this context" of="the plain way"
#~ contexts.get(context, 0) + k => sum(contexts.values()) + k * size
# %% wrong="the word before its context" says="after its context" of="unseen, right 1"
#~ 0.0 if total == 0 else (ngrams.get(context + (word,), 0) + k) / total => (ngrams.get((word, *context), 0) + k) / total if total else 0.0
# %% wrong="V from the contexts" says="size" of="the plain way"
#~ (context, 0) + k => (context, 0) + k * len(contexts)
# %% wrong="the context needs the word" says="cut to its last token"
def add_k(word, context, ngrams, contexts, size, k=1.0):
    total = contexts.get(context[-1:], 0) + k * size
    return (ngrams.get((*context[-1:], word), 0) + k) / total if total else 0.0
# %% wrong="bits" says="log" of="the plain way"
#-     return math.inf if min(probabilities) == 0 else sum(math.log(p) for p in probabilities) / len(probabilities)
#+     if min(probabilities) == 0:
#+         return math.inf
#+     return -sum(math.log2(p) for p in probabilities) / len(probabilities)
#~ np.exp(cross_entropy(probabilities)) => 2 ** cross_entropy(probabilities)
# %% wrong="the sum" says="mean" of="lists of dictionaries, torch for the logarithm"
#~ float(-torch.tensor(probabilities, dtype=torch.float64).log().mean()) => math.inf if min(probabilities) == 0 else -sum(math.log(p) for p in probabilities)
# %% wrong="sign" says="sign" of="lists of dictionaries, torch for the logarithm"
#~ float(-torch.tensor(probabilities, dtype=torch.float64).log().mean()) => math.inf if min(probabilities) == 0 else sum(math.log(p) for p in probabilities) / len(probabilities)
# %% wrong="zeros are skipped" says="left out"
def cross_entropy(probabilities):
    kept = [p for p in probabilities if p > 0]
    return -sum(math.log(p) for p in kept) / len(kept) if kept else math.inf
# %% wrong="a zero raises" says="return math.inf" of="lists of dictionaries, torch for the logarithm"
#~ float(-torch.tensor(probabilities, dtype=torch.float64).log().mean()) => -sum(math.log(p) for p in probabilities) / len(probabilities)
# %% wrong="a zero is clipped" says="infinite" of="lists of dictionaries, torch for the logarithm"
#~ float(-torch.tensor(probabilities, dtype=torch.float64).log().mean()) => -sum(math.log(max(p, 1e-12)) for p in probabilities) / len(probabilities)
# %% wrong="the logarithm of the mean" says="came before the logarithm" of="one over the mean"
#~ def perplexity(probabilities): => def cross_entropy(probabilities):
#~ return 1 / mean if min(probabilities) > 0 else math.inf => return math.inf if min(probabilities) == 0 else -math.log(mean)
# %% wrong="weighted by p: the entropy" says="multiplied by its probability" of="lists of dictionaries, torch for the logarithm"
#~ float(-torch.tensor(probabilities, dtype=torch.float64).log().mean()) => math.inf if min(probabilities) == 0 else -sum(p * math.log(p) for p in probabilities)
# %% wrong="the base is 2" says="2 to the power" of="zip of shifted lists, NumPy for the mean"
#~ np.exp(cross_entropy(probabilities)) => 2 ** cross_entropy(probabilities)
# %% wrong="the exponential of minus" says="sign" of="zip of shifted lists, NumPy for the mean"
#~ np.exp(cross_entropy(probabilities)) => math.exp(-cross_entropy(probabilities))
# %% wrong="one over the mean" says="1 over the mean"
def perplexity(probabilities):
    mean = sum(probabilities) / len(probabilities)
    return 1 / mean if min(probabilities) > 0 else math.inf
# %% wrong="the product underflows" says="too small to hold"
def perplexity(probabilities):
    product = math.prod(probabilities)
    return math.inf if product == 0 else product ** (-1 / len(probabilities))
# %% wrong="no root of the product" says="root" of="the product underflows"
#~ product ** (-1 / len(probabilities)) => 1 / product
# %% wrong="perplexity forgets its return" says="return" of="zip of shifted lists, NumPy for the mean"
#~ return np => math
# %% wrong="perplexity is the cross-entropy" says="exponential" of="zip of shifted lists, NumPy for the mean"
#~ np.exp(cross_entropy(probabilities)) => cross_entropy(probabilities)
# %% right="loops and a default dictionary"
from collections import defaultdict
def count_ngrams(tokens, n):
    grams, contexts = defaultdict(int), defaultdict(int)
    for i in range(n - 1, len(tokens)):
        context = tuple(tokens[i - n + 1 : i])
        grams[(*context, tokens[i])] += 1
        contexts[context] += 1
    return dict(grams), dict(contexts)
def cross_entropy(probabilities):
    total = 0.0
    for p in probabilities:
        if p == 0:
            return float("inf")
        total -= math.log(p)
    return total / len(probabilities)
# %% right="zip of shifted lists, NumPy for the mean"
def count_ngrams(tokens, n):
    grams = dict(Counter(zip(*(tokens[i:] for i in range(n)))))
    contexts = {}
    for gram, count in grams.items():
        contexts[gram[:-1]] = contexts.get(gram[:-1], 0) + count
    return grams, contexts
def cross_entropy(probabilities):
    with np.errstate(divide="ignore"):
        return -np.log(np.array(probabilities, dtype=float)).mean()
def perplexity(probabilities):
    return np.exp(cross_entropy(probabilities))
# %% right="lists of dictionaries, torch for the logarithm"
def count_ngrams(tokens, n):
    grams = dict(Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)))
    contexts = dict(Counter(tuple(tokens[i : i + n - 1]) for i in range(len(tokens) - n + 1)))
    return [grams, contexts]
def add_k(word, context, ngrams, contexts, size, k=1.0):
    try:
        seen = contexts[tuple(context)]
    except KeyError:
        seen = 0
    bottom = seen + k * size
    if bottom == 0:
        return 0
    return (ngrams[(*context, word)] + k if (*context, word) in ngrams else k) / bottom
def cross_entropy(probabilities):
    return float(-torch.tensor(probabilities, dtype=torch.float64).log().mean())
# %% right="mixture of the share and the uniform"
def add_k(word, context, ngrams, contexts, size, k=1.0):
    seen = contexts.get(tuple(context), 0)
    if seen + k * size == 0:
        return 0.0
    weight = seen / (seen + k * size)
    share = ngrams.get(tuple(context) + (word,), 0) / seen if seen else 0.0
    return weight * share + (1 - weight) / size
def perplexity(probabilities):
    if 0 in probabilities:
        return math.inf
    return math.prod(p ** (-1 / len(probabilities)) for p in probabilities)
# %% right="unseen, right 1"
def count_ngrams(tokens, n):
    grams = list(zip(*(tokens[i:] for i in range(n))))
    return dict(Counter(grams)), dict(Counter(g[:-1] for g in grams))
def add_k(word, context, ngrams, contexts, size, k=1.0):
    total = contexts.get(context, 0) + k * size
    return 0.0 if total == 0 else (ngrams.get(context + (word,), 0) + k) / total
def cross_entropy(probabilities):
    with np.errstate(divide="ignore"):
        return float(-np.log(np.asarray(probabilities)).mean())
def perplexity(probabilities):
    return np.exp(cross_entropy(probabilities))
# %% wrong="text as keys" says="keys are tuples of tokens, not text" of="(empty) context missing for n = 1"
#-         g = tuple(tokens[i : i + n])
#+         g = tuple(tokens[i : i + n])
#+         g = g if n > 1 else tokens[i]
#-         if n > 1:
#-             contexts[g[:-1]] = contexts.get(g[:-1], 0) + 1
#+         contexts[g[:-1]] = contexts.get(g[:-1], 0) + 1
# %% wrong="math domain" says="the logarithm of 0 cannot be taken: return math.inf" of="the plain way"
#-     grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
#-     return dict(Counter(grams)), dict(Counter(g[:-1] for g in grams))
#+     ngrams, contexts = {}, {}
#+     for i in range(len(tokens) - n + 1):
#+         g = tuple(tokens[i : i + n])
#+         ngrams[g] = ngrams.get(g, 0) + 1
#+         contexts[g[:-1]] = contexts.get(g[:-1], 0) + 1
#+     return ngrams, contexts
#-     total = contexts.get(context, 0) + k
#-     return (ngrams.get((*context, word), 0) + k) / total if total else 0.0
#+     top = ngrams.get((*context, word), 0) + k
#+     bottom = contexts.get(tuple(context), 0) + k * size
#+     return top / bottom if bottom else 0.0
#~ math.inf if min(probabilities) == 0 else sum => -sum
# %% wrong="division by zero" says="the denominator is 0: return 0.0"
def count_ngrams(tokens, n):
    ngrams, contexts = {}, {}
    for i in range(len(tokens) - n + 1):
        g = tuple(tokens[i : i + n])
        ngrams[g] = ngrams.get(g, 0) + 1
        contexts[g[:-1]] = contexts.get(g[:-1], 0) + 1
    return ngrams, contexts
def add_k(word, context, ngrams, contexts, size, k=1.0):
    top = ngrams.get((*context, word), 0) + k
    bottom = contexts.get(tuple(context), 0) + k * size
    return top / bottom
# %% wrong="once each" says="each n-gram counts as often as it occurs: here 1 was" of="division by zero"
#~ ngrams.get(g, 0) + 1 => 1
# %% wrong="perplexity by product underflows" says="the product of many probabilities is too small to hold: add" of="zip of shifted lists, NumPy for the mean"
#~ np.exp(cross_entropy(probabilities)) => math.prod(probabilities) ** (-1 / len(probabilities)) if math.prod(probabilities) else math.inf
# %% wrong="(empty) context missing for n = 1" says="for n = 1 the only context is the empty tuple: it is missing"
def count_ngrams(tokens, n):
    ngrams, contexts = {}, {}
    for i in range(len(tokens) - n + 1):
        g = tuple(tokens[i : i + n])
        ngrams[g] = ngrams.get(g, 0) + 1
        if n > 1:
            contexts[g[:-1]] = contexts.get(g[:-1], 0) + 1
    return ngrams, contexts
# %% wrong="shorter contexts too" says="the contexts hold n - 1 tokens: here shorter ones were" of="(empty) context missing for n = 1"
#~ if n > 1 => for m in range(n)
#~ [g[:-1]] = contexts.get(g[:-1], 0) => [g[:m]] = contexts.get(g[:m], 0)
# %% wrong="a small denominator counts as 0" says="small, but not 0"
#~ / total if total else => / total if total > 1e-6 else
# %% wrong="a small probability counts as 0" says="only 0 itself is special"
#~ if min(probabilities) == 0: => if min(probabilities) < 1e-12:
# %% right="a chain of iterators"
def count_ngrams(tokens, n):
    from itertools import islice, tee
    grams = dict(Counter(zip(*[islice(it, i, None) for i, it in enumerate(tee(tokens, n))])))
    contexts = Counter()
    for gram, count in grams.items():
        contexts[gram[:-1]] += count
    return grams, dict(contexts)
# %% wrong="k for the unseen only" says="only to n-grams never seen"
def add_k(word, context, ngrams, contexts, size, k=1.0):
    count = ngrams.get((*context, word), 0)
    total = contexts.get(context, 0) + k * size
    if total == 0:
        return 0.0
    if count == 0:
        return k / total
    return count / total
# %% wrong="without tokens the empty context counts 0" says="without tokens nothing follows"
def count_ngrams(tokens, n):
    ngrams = dict(Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)))
    if n == 1:
        return ngrams, {(): len(tokens)}
    contexts = dict(Counter(tuple(tokens[i : i + n - 1]) for i in range(len(tokens) - n + 1)))
    return ngrams, contexts
# %% wrong="the plain share where seen" says="got its plain share"
def add_k(word, context, ngrams, contexts, size, k=1.0):
    total = contexts.get(context, 0)
    if (*context, word) in ngrams:
        return ngrams[(*context, word)] / total
    return k / (total + k * size) if total + k * size else 0.0
# %% wrong="N is the followers seen" says="number of words seen after this context" of="k plus N below"
#-     total = contexts.get(context, 0) + k + size
#+     kinds = sum(g[:-1] == context for g in ngrams)
#+     total = contexts.get(context, 0) + k * kinds
# %% wrong="k plus N below" says="k and V were both added"
def add_k(word, context, ngrams, contexts, size, k=1.0):
    total = contexts.get(context, 0) + k + size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0
# %% wrong="the logarithm of a product" clause="the mean of -ln p of at least one probability" says="add their logarithms"
def cross_entropy(probabilities):
    p = math.prod(probabilities)
    return -math.log(p) / len(probabilities) if p else math.inf
# %% wrong="a short text as one" clause="Fewer than n tokens give two empty dictionaries" says="no n-grams"
def count_ngrams(tokens, n):
    g = Counter(tuple(tokens[i:i + n]) for i in range(max(len(tokens) - n + 1, 1)))
    c = Counter(k[:-1] for k in g.elements())
    return dict(g), dict(c)
# %% wrong="each different n-gram once in its context" says="here each different one once"
def count_ngrams(tokens, n):
    ngrams = Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
    contexts = Counter()
    for gram, count in ngrams.items():
        contexts[gram[:-1]] += 1
    return ngrams, contexts
