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
