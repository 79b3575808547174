# %% wrong="no weights" says="not one each"
def features(query, title, body, idf):
    q, t, b = (set(x) & set(idf) for x in (query, title, body))
    close = max([len(q & set(body[i : i + WINDOW])) for i in range(len(body))] or [0])
    d = lambda a, c: a / c if c else 0.0
    return [d(len(q & t), len(q)), d(len(q & b), len(q)), d(len(q & t), len(t)), d(close, len(q))]

# %% wrong="divided by the query" says="of the title, not of the query"
def features(query, title, body, idf):
    w = lambda s: sum(idf[x] for x in s)
    q, t, b = (set(x) & set(idf) for x in (query, title, body))
    close = max([len(q & set(body[i : i + WINDOW])) for i in range(len(body))] or [0])
    d = lambda a, c: a / c if c else 0.0
    return [d(w(q & t), w(q)), d(w(q & b), w(q)), d(w(q & t), w(q)), d(close, len(q))]

# %% wrong="closeness of the whole body" says="12 words at a time"
def features(query, title, body, idf):
    w = lambda s: sum(idf[x] for x in s)
    q, t, b = (set(x) & set(idf) for x in (query, title, body))
    d = lambda a, c: a / c if c else 0.0
    return [d(w(q & t), w(q)), d(w(q & b), w(q)), d(w(q & t), w(t)), d(len(q & b), len(q))]

# %% wrong="window of 13" says="not 13"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(max(1, len(body) - WINDOW + 1)):
        close = max(close, len(asked & set(body[start : start + WINDOW + 1])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), weight(named)),
        share(close, len(asked)),
    ]

# %% wrong="lowered" says="capitals count"
def features(query, title, body, idf):
    query, title, body = ([w.lower() for w in x] for x in (query, title, body))
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(max(1, len(body) - WINDOW + 1)):
        close = max(close, len(asked & set(body[start : start + WINDOW])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), weight(named)),
        share(close, len(asked)),
    ]

# %% wrong="windows side by side" says="every twelfth"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(0, max(1, len(body)), WINDOW):
        close = max(close, len(asked & set(body[start : start + WINDOW])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), weight(named)),
        share(close, len(asked)),
    ]

# %% wrong="short body gives 0" says="one window"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(len(body) - WINDOW + 1):
        close = max(close, len(asked & set(body[start : start + WINDOW])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), weight(named)),
        share(close, len(asked)),
    ]

# %% wrong="closeness counts occurrences" says="different words"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(max(1, len(body) - WINDOW + 1)):
        close = max(close, sum(w in asked for w in body[start : start + WINDOW]))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), weight(named)),
        share(close, len(asked)),
    ]

# %% wrong="closeness over the window" says="divided"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(max(1, len(body) - WINDOW + 1)):
        close = max(close, len(asked & set(body[start : start + WINDOW])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), weight(named)),
        close / WINDOW,
    ]

# %% wrong="closeness unweighted by length" says="divided"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(max(1, len(body) - WINDOW + 1)):
        close = max(close, len(asked & set(body[start : start + WINDOW])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), weight(named)),
        float(close),
    ]

# %% wrong="third over all title words repeated" says="once"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(max(1, len(body) - WINDOW + 1)):
        close = max(close, len(asked & set(body[start : start + WINDOW])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), sum(idf.get(w, 0) for w in title)),
        share(close, len(asked)),
    ]

# %% wrong="second divided by the body" says="weight of the query"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start in range(max(1, len(body) - WINDOW + 1)):
        close = max(close, len(asked & set(body[start : start + WINDOW])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), sum(idf.get(w, 0) for w in set(body))),
        share(weight(asked & named), weight(named)),
        share(close, len(asked)),
    ]

# %% right="windows that slide over the end"
def features(query, title, body, idf):
    w = lambda s: sum(idf[x] for x in s)
    q, t, b = (set(x) & set(idf) for x in (query, title, body))
    close = max([len(q & set(body[i : i + WINDOW])) for i in range(len(body))] or [0])
    d = lambda a, c: a / c if c else 0.0
    return [d(w(q & t), w(q)), d(w(q & b), w(q)), d(w(q & t), w(t)), d(close, len(q))]

# %% right="an array of loops"
def features(query, title, body, idf):
    asked = [x for x in dict.fromkeys(query) if x in idf]
    titled = [x for x in dict.fromkeys(title) if x in idf]
    whole, head = sum(idf[x] for x in asked), sum(idf[x] for x in titled)
    best = 0
    for start in range(max(1, len(body) - 12 + 1)):
        best = max(best, sum(x in body[start : start + 12] for x in asked))
    return np.array([
        sum(idf[x] for x in asked if x in title) / whole if whole else 0,
        sum(idf[x] for x in asked if x in body) / whole if whole else 0,
        sum(idf[x] for x in titled if x in query) / head if head else 0,
        best / len(asked) if asked else 0,
    ])

# %% right="windows that begin with a word of the query"
def features(query, title, body, idf):
    asked = {w for w in query if w in idf}
    named = {w for w in title if w in idf}

    def weight(words):
        return sum(idf[w] for w in words)

    def share(part, whole):
        return part / whole if whole else 0.0

    close = 0
    for start, word in enumerate(body):
        if word not in asked:
            continue
        close = max(close, len(asked & set(body[start : start + WINDOW])))
    return [
        share(weight(asked & named), weight(asked)),
        share(weight(asked & set(body)), weight(asked)),
        share(weight(asked & named), weight(named)),
        share(close, len(asked)),
    ]

# %% right="sliding counts, NumPy"
def features(query, title, body, idf):
    q, t = sorted(set(query) & set(idf)), set(title) & set(idf)
    total, of_title = math.fsum(idf[w] for w in q), math.fsum(idf[w] for w in t)
    inside, most = Counter(), 0
    for i, word in enumerate(body):
        inside[word] += 1
        if i >= WINDOW:
            inside[body[i - WINDOW]] -= 1
        most = max(most, sum(inside[w] > 0 for w in q))
    both = sum(idf[w] for w in q if w in t)
    out = np.zeros(4)
    if q:
        out[3] = most / len(q)
    if total:
        out[:2] = both / total, sum(idf[w] for w in q if w in body) / total
    if of_title:
        out[2] = both / of_title
    return out.tolist()
