# %% base="the plain way"
def fuse(rankings, c=60.0):
    scores = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (c + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
# %% wrong="ranks from 0" says="count from 1" of="the plain way"
#~ ranking, start=1 => ranking
#~ (number, 0.0) => (number, 0)
#~ pair: (-pair[1], pair[0]) => i: (-i[1], i[0])
# %% wrong="overwritten" says="added" of="the plain way"
#~ start=1 => 1
#~ scores.get(number, 0.0) + 1 => 1
#~ pair: (-pair[1], pair[0]) => i: (-i[1], i[0])
# %% wrong="smallest first" says="largest score first" of="the plain way"
#~ start=1 => 1
#~ (number, 0.0) => (number, 0)
#~ pair: (-pair[1], pair[0]) => i: (i[1], i[0])
# %% wrong="c forgotten" says="c is ignored" of="the plain way"
#~ start=1 => 1
#~ (number, 0.0) + 1 / (c + rank) => (number, 0) + 1 / (60 + rank)
#~ pair: (-pair[1], pair[0]) => i: (-i[1], i[0])
# %% wrong="missing gets the rank behind the last" says="lacks" of="the plain way"
#-             scores[number] = scores.get(number, 0.0) + 1 / (c + rank)
#+             scores[number] = scores.get(number, 0.0) + 1 / (c + rank)
#+     for ranking in rankings:
#+         for number in scores:
#+             if number not in ranking:
#+                 scores[number] += 1 / (c + len(ranking) + 1)
# %% wrong="cut to the shortest ranking" says="length" of="the plain way"
#-     scores = {}
#+     scores = {}
#+     shortest = min(map(len, rankings), default=0)
#~ (ranking, start=1) => (ranking[:shortest], start=1)
# %% wrong="mean over the rankings" says="added" of="the plain way"
#~ (c + rank) => (c + rank) / len(rankings)
# %% wrong="(score, number)" says="number, score" of="the plain way"
#~ sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])) => [(s, n) for n, s in sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))]
# %% wrong="c plus rank without one over" says="1 /" of="the plain way"
#~ 1 / (c + rank) => (c + rank)
# %% wrong="1 / c + rank" says="1 /" of="the plain way"
#~ (c + rank) => c + rank
# %% wrong="a dict" says="a dict came" of="the plain way"
#~ sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])) => dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))
# %% wrong="default c is 1" says="60" of="the plain way"
#~ 60 => 1
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
# %% right="Counter and two sorts"
def fuse(rankings, c=60.0):
    total = Counter()
    for ranking in rankings:
        total.update({n: 1.0 / (c + i + 1) for i, n in enumerate(ranking)})
    return sorted(sorted(total.items()), key=lambda p: p[1], reverse=True)
# %% right="index of each number in each ranking, lists for tuples"
def fuse(rankings, c=60.0):
    out = []
    for n in sorted({n for q in rankings for n in q}):
        out.append([n, sum(1 / (c + 1 + q.index(n)) for q in rankings if n in q)])
    out.sort(key=lambda p: -p[1])
    return out
# %% wrong="c of 0 is 60" says="c is 0" of="the plain way"
#~ scores = {} => scores, c = {}, c or 60.0
# %% right="parts added by fsum" of="the plain way"
#~ scores = {} => parts = {}
#-             scores[number] = scores.get(number, 0.0) + 1 / (c + rank)
#-     return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
#+             parts.setdefault(number, []).append(1.0 / (rank + c))
#+     numbers = sorted(parts)
#+     numbers.sort(key=lambda number: math.fsum(parts[number]), reverse=True)
#+     return [(number, math.fsum(parts[number])) for number in numbers]
# %% wrong="a whole c" says="need not be a whole number"
#~ scores: dict[int, float] = {} => scores, c = {}, int(c)
# %% wrong="c by rank" says="here it is divided by it"
#~ 1 / (c + rank) => c / rank
# %% wrong="document 0 left out" says="document 0 counts like any other" of="the plain way"
#~ scores[number] = scores.get(number, 0.0) + 1 / (c + rank) => scores |= {number: scores.get(number, 0.0) + 1 / (c + rank)} if number else {}
