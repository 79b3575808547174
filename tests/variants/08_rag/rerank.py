# %% base="the plain way"
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
        share(close, len(asked)),
    ]
# %% wrong="no weights" says="not one each" of="windows that slide over the end"
#-     w = lambda s: sum(idf[x] for x in s)
#~ (w(q & t), w(q)), d(w(q & b), w(q)), d(w(q & t), w(t)) => (len(q & t), len(q)), d(len(q & b), len(q)), d(len(q & t), len(t))
# %% wrong="divided by the query" says="of the title, not of the query" of="windows that slide over the end"
#~ (t) => (q)
# %% wrong="closeness of the whole body" says="12 words at a time" of="windows that slide over the end"
#-     close = max([len(q & set(body[i : i + WINDOW])) for i in range(len(body))] or [0])
#~ (close, len(q)) => (len(q & b), len(q))
# %% wrong="window of 13" says="not 13" of="the plain way"
#~ [start : start + WINDOW] => [start : start + WINDOW + 1]
# %% wrong="lowered" says="capitals count" of="the plain way"
#- def features(query, title, body, idf):
#+ def features(query, title, body, idf):
#+     query, title, body = ([w.lower() for w in x] for x in (query, title, body))
# %% wrong="windows side by side" says="every twelfth" of="the plain way"
#~ max(1, len(body) - WINDOW + 1) => 0, max(1, len(body)), WINDOW
# %% wrong="short body gives 0" says="one window" of="the plain way"
#~ max(1, len(body) - WINDOW + 1) => len(body) - WINDOW + 1
# %% wrong="closeness counts occurrences" says="different words" of="the plain way"
#~ len(asked & set(body[start : start + WINDOW])) => sum(w in asked for w in body[start : start + WINDOW])
# %% wrong="closeness over the window" says="divided" of="the plain way"
#~ share(close, len(asked)) => close / WINDOW
# %% wrong="closeness unweighted by length" says="divided" of="the plain way"
#~ share(close, len(asked)) => float(close)
# %% wrong="third over all title words repeated" says="once" of="the plain way"
#~ weight(named) => sum(idf.get(w, 0) for w in title)
# %% wrong="second divided by the body" says="weight of the query" of="the plain way"
#~ (weight(asked & set(body)), weight(asked)) => (weight(asked & set(body)), sum(idf.get(w, 0) for w in set(body)))
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
# %% right="windows that begin with a word of the query" of="the plain way"
#-     for start in range(max(1, len(body) - WINDOW + 1)):
#+     for start, word in enumerate(body):
#+         if word not in asked:
#+             continue
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
# %% wrong="a window around a word of the query" says="in its middle"
#~ start : start + WINDOW => max(0, start - WINDOW // 2) : start + WINDOW // 2
# %% wrong="a weight of 0 is no weight" says="even one whose IDF"
#~ if word in idf} => if idf.get(word)}
# %% wrong="the body's words as often as they stand" says="body's words count once"
def features(query, title, body, idf):
    q, t = ({w for w in words if w in idf} for words in (query, title))
    def weight(words):
        return sum(idf[w] for w in words)
    def ratio(a, b):
        return a / b if b else 0.0
    near = max(len(q & set(body[i : i + WINDOW])) for i in range(max(1, len(body) - WINDOW + 1)))
    found = weight(w for w in body if w in q)
    both = weight(q & t)
    return [ratio(both, weight(q)), ratio(found, weight(q)), ratio(both, weight(t)), ratio(near, len(q))]
# %% wrong="the title's words as often as they stand" says="title's words count once" of="the body's words as often as they stand"
#~ weight(w for w in body if w in q) => weight(q & set(body))
#~ [ratio(both, weight(q)), => [ratio(weight(w for w in title if w in q), weight(q)),
# %% wrong="eleven words" says="not 11" clause="consecutive words of the body"
#~ body[start : start + WINDOW] => body[start : start + WINDOW - 1]
# %% wrong="0 by 0" says="the feature is 0" clause="Where the divisor is 0, the feature is 0."
#~ return weight(part) / weight(whole) if weight(whole) else 0.0 => return weight(part) / weight(whole)
# %% wrong="a query with its repeats" says="on both sides of closeness" of="an array of loops"
#~ dict.fromkeys(query) => query
# %% wrong="a query with its repeats, above the line but not in closeness" says="for its weight and for closeness" of="an array of loops"
#~ dict.fromkeys(query) => query
#~ start + 12] for x in asked)) => start + 12] for x in set(asked)))
# %% wrong="a query with its repeats, in all four features" says="for all four features" of="an array of loops"
#~ dict.fromkeys(query) => query
#~ start + 12] for x in asked)) => start + 12] for x in set(asked)))
#~ sum(idf[x] for x in titled if x in query) => sum(idf[x] for x in asked if x in title)
# %% wrong="closeness by all words of the query" says="a repeated one counts once" of="the plain way"
#~ share(close, len(asked)) => share(close, len([w for w in query if w in idf]))
