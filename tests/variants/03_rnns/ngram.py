# %% wrong="the context counts the last token, too" says="begin no n-gram"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(tuple(tokens[i : i + n - 1]) for i in range(len(tokens) - n + 2)))


def add_k(word: str, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    total = contexts.get(context, 0) + k * size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0


def cross_entropy(probabilities: Sequence[float]) -> float:
    if min(probabilities) == 0:
        return math.inf
    return -sum(math.log(p) for p in probabilities) / len(probabilities)


def perplexity(probabilities: Sequence[float]) -> float:
    return math.exp(cross_entropy(probabilities))

# %% wrong="k once below" says="grows by k times V"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(gram[:-1] for gram in grams))


def add_k(word: str, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    total = contexts.get(context, 0) + k
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0


def cross_entropy(probabilities: Sequence[float]) -> float:
    if min(probabilities) == 0:
        return math.inf
    return -sum(math.log(p) for p in probabilities) / len(probabilities)


def perplexity(probabilities: Sequence[float]) -> float:
    return math.exp(cross_entropy(probabilities))

# %% wrong="bits" says="natural logarithm"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(gram[:-1] for gram in grams))


def add_k(word: str, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    total = contexts.get(context, 0) + k * size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0


def cross_entropy(probabilities: Sequence[float]) -> float:
    if min(probabilities) == 0:
        return math.inf
    return -sum(math.log2(p) for p in probabilities) / len(probabilities)


def perplexity(probabilities: Sequence[float]) -> float:
    return math.exp(cross_entropy(probabilities))

# %% right="another way, 1"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    a, b = {}, {}
    for i in range(n - 1, len(tokens)):
        g = tuple(tokens[i - n + 1 : i + 1])
        a[g] = a.get(g, 0) + 1
        b[g[:-1]] = b.get(g[:-1], 0) + 1
    return a, b


def add_k(word: str, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    total = contexts.get(context, 0) + k * size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0


def cross_entropy(probabilities: Sequence[float]) -> float:
    if min(probabilities) == 0:
        return math.inf
    return -sum(math.log(p) for p in probabilities) / len(probabilities)


def perplexity(probabilities: Sequence[float]) -> float:
    return math.exp(cross_entropy(probabilities))

# %% right="another way, 2"
def count_ngrams(tokens: Sequence[str], n: int) -> tuple[dict, dict]:
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return dict(Counter(grams)), dict(Counter(gram[:-1] for gram in grams))


def add_k(word: str, context: tuple, ngrams: dict, contexts: dict, size: int, k: float = 1.0) -> float:
    total = contexts.get(context, 0) + k * size
    return (ngrams.get((*context, word), 0) + k) / total if total else 0.0


def cross_entropy(probabilities: Sequence[float]) -> float:
    with np.errstate(divide='ignore'):
        return float(-np.log(np.array(probabilities)).mean())


def perplexity(probabilities: Sequence[float]) -> float:
    return math.exp(cross_entropy(probabilities))
