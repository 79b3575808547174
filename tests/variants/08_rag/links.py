# %% wrong="added" says="not added"
def spread(scores, links, share=0.5):
    found = dict(scores)
    for a, s in scores.items():
        for b in links.get(a, []):
            found[b] = found.get(b, 0) + share * s
    return found

# %% wrong="lent on" says="not lent on"
def spread(scores, links, share=0.5):
    found = dict(scores)
    for _ in range(10):
        for a, s in list(found.items()):
            for b in links.get(a, []):
                found[b] = max(found.get(b, 0), share * s)
    return found

# %% wrong="backwards" says="from the document that lends"
def spread(scores, links, share=0.5):
    found = dict(scores)
    for a, others in links.items():
        for b in others:
            if b in scores:
                found[a] = max(found.get(a, 0), share * scores[b])
    return found

# %% wrong="lent on" says="lent on"
def spread(scores, links, share=0.5):
    out = dict(scores)
    for name in list(scores):
        score = out[name]
        for other in links.get(name, []):
            out[other] = max(out.get(other, 0.0), share * score)
    return out

# %% wrong="score 0 lends nothing and is left out" says="score 0"
def spread(scores, links, share=0.5):
    out = dict(scores)
    for name, score in scores.items():
        for other in links.get(name, []):
            out[other] = max(out.get(other, 0.0), share * score)
    return {k: v for k, v in out.items() if v > 0}

# %% wrong="compared with the old score: last lender wins" says="largest"
def spread(scores, links, share=0.5):
    out = dict(scores)
    for name, score in scores.items():
        for other in links.get(name, []):
            out[other] = max(scores.get(other, 0.0), share * score)
    return out

# %% wrong="KeyError" says="not in"
def spread(scores, links, share=0.5):
    out = dict(scores)
    for name, score in scores.items():
        for other in links[name]:
            out[other] = max(out.get(other, 0.0), share * score)
    return out

# %% wrong="only the lent" says="found documents are missing"
def spread(scores, links, share=0.5):
    out = {}
    for name, score in scores.items():
        for other in links.get(name, []):
            out[other] = max(out.get(other, 0.0), share * score)
    return out

# %% wrong="default share 1" says="lent whole"
def spread(scores, links, share=1.0):
    out = dict(scores)
    for name, score in scores.items():
        for other in links.get(name, []):
            out[other] = max(out.get(other, 0.0), share * score)
    return out

# %% right="by target"
def spread(scores, links, share=0.5):
    targets = set(scores) | {b for a in scores for b in links.get(a, [])}
    return {t: max([scores.get(t, 0.0)] + [share * scores[a] for a in scores if t in links.get(a, [])]) for t in targets}

# %% right="in order of the scores"
def spread(scores, links, share=0.5):
    found = {name: value for name, value in scores.items()}
    for name in sorted(scores, key=scores.get):
        for other in links.get(name, ()):
            if share * scores[name] > found.get(other, -1):
                found[other] = share * scores[name]
    return found

# %% right="gathers the lenders"
def spread(scores, links, share=0.5):
    names = set(scores) | {t for n in scores for t in links.get(n, ())}
    return {d: max(scores.get(d, 0), share * max((scores[e] for e in scores if d in links.get(e, ())), default=0)) for d in names}

# %% right="goes through links"
def spread(scores, links, share=0.5):
    new = scores.copy()
    for source, targets in links.items():
        if source in scores:
            for t in targets:
                lent = scores[source] * share
                if t not in new or new[t] < lent:
                    new[t] = lent
    return new
