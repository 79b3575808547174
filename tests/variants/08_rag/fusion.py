# %% wrong="ranks from 0" says="count from 1"
def fuse(rankings, c=60.0):
    scores = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking):
            scores[number] = scores.get(number, 0) + 1 / (c + rank)
    return sorted(scores.items(), key=lambda i: (-i[1], i[0]))

# %% wrong="overwritten" says="added"
def fuse(rankings, c=60.0):
    scores = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = 1 / (c + rank)
    return sorted(scores.items(), key=lambda i: (-i[1], i[0]))

# %% wrong="smallest first" says="largest score first"
def fuse(rankings, c=60.0):
    scores = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0) + 1 / (c + rank)
    return sorted(scores.items(), key=lambda i: (i[1], i[0]))

# %% wrong="c forgotten" says="c is ignored"
def fuse(rankings, c=60.0):
    scores = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0) + 1 / (60 + rank)
    return sorted(scores.items(), key=lambda i: (-i[1], i[0]))

# %% right="a Counter"
def fuse(rankings, c=60.0):
    scores = Counter()
    for ranking in rankings:
        scores.update({number: 1 / (c + rank) for rank, number in enumerate(ranking, 1)})
    return sorted(scores.items(), key=lambda i: (-i[1], i[0]))

# %% right="document by document"
def fuse(rankings, c=60.0):
    numbers = sorted({n for r in rankings for n in r})
    pairs = [(n, sum(1 / (c + r.index(n) + 1) for r in rankings if n in r)) for n in numbers]
    return sorted(pairs, key=lambda p: -p[1])
