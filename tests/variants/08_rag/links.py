# %% base="the plain way"
def spread(scores, links, share=0.5):
    out = dict(scores)
    for name, score in scores.items():
        for other in links.get(name, []):
            out[other] = max(scores.get(other, 0.0), share * score)
    return out
# %% wrong="added" says="not added"
def spread(scores, links, share=0.5):
    found = dict(scores)
    for a, s in scores.items():
        for b in links.get(a, []):
            found[b] = found.get(b, 0) + share * s
    return found
# %% wrong="lent on" says="not lent on" of="in order of the scores"
#~ {name: value for name, value in scores.items()} => dict(scores)
#~ name in sorted(scores, key=scores.get) => _ in range(10)
#~ other in links.get(name, ()) => a, s in list(found.items())
#~ if share * scores[name] > found.get(other, -1) => for b in links.get(a, [])
#~ [other] = share * scores[name] => [b] = max(found.get(b, 0), share * s)
# %% wrong="backwards" says="from the document that lends" of="in order of the scores"
#~ {name: value for name, value in scores.items()} => dict(scores)
#~ name in sorted(scores, key=scores.get) => a, others in links.items()
#~ other in links.get(name, ()) => b in others
#~ share * scores[name] > found.get(other, -1) => b in scores
#~ [other] = share * scores[name] => [a] = max(found.get(a, 0), share * scores[b])
# %% wrong="lent on" says="lent on" of="the plain way"
#-     for name, score in scores.items():
#+     for name in list(scores):
#+         score = out[name]
#~ (scores.get(other, 0.0), share * score) => (out.get(other, 0.0), share * score)
# %% wrong="score 0 lends nothing and is left out" says="score 0" of="the plain way"
#~ (scores.get(other, 0.0), share * score) => (out.get(other, 0.0), share * score)
#~ return out => return {k: v for k, v in out.items() if v > 0}
# %% wrong="compared with the old score: last lender wins" says="largest"
def spread(scores, links, share=0.5):
    out = dict(scores)
    for name, score in scores.items():
        for other in links.get(name, []):
            out[other] = max(scores.get(other, 0.0), share * score)
    return out
# %% wrong="KeyError" says="not in" of="the plain way"
#~ .get(name, []) => [name]
#~ (scores.get(other, 0.0), share * score) => (out.get(other, 0.0), share * score)
# %% wrong="only the lent" says="found documents are missing" of="the plain way"
#~ dict(scores) => {}
#~ (scores.get(other, 0.0), share * score) => (out.get(other, 0.0), share * score)
# %% wrong="default share 1" says="lent whole" of="the plain way"
#~ 0.5 => 1.0
#~ (scores.get(other, 0.0), share * score) => (out.get(other, 0.0), share * score)
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
