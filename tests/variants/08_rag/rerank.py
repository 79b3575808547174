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
