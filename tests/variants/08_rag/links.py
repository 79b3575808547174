# %% base="a loop"
def linked(ranking, links, scores, first=5, k=10):
    kept = ranking[:first]
    named = set()
    for d in kept:
        named |= links[d]
    named -= set(kept)
    found = list(kept) + sorted(named, key=lambda d: (-scores[d], d))
    for d in ranking:
        if d not in found:
            found.append(d)
    return found[:k]
# %% wrong="by number" says="by number" of="a loop"
#~ sorted(named, key=lambda d: (-scores[d], d)) => sorted(named)
# %% wrong="lowest first" says="lowest is" of="a loop"
#~ (-scores[d], d) => (scores[d], d)
# %% wrong="ties to the higher" says="lower number comes first" of="a loop"
#~ (-scores[d], d) => (-scores[d], -d)
# %% wrong="reverse of a sort by score" says="lower number comes first" of="a loop"
#~ key=lambda d: (-scores[d], d)) => key=lambda d: (scores[d], d), reverse=True)
# %% wrong="named first" says="stay in front" of="a loop"
#~ list(kept) + sorted(named, key=lambda d: (-scores[d], d)) => sorted(named, key=lambda d: (-scores[d], d)) + list(kept)
# %% wrong="repeated" says="not repeated" of="a loop"
#~ named -= set(kept) => pass
# %% wrong="no rest" says="rest of the ranking follows" of="a loop"
#~ found.append(d) => pass
# %% wrong="all of the ranking asked" says="not those of all" of="a loop"
#~ for d in kept: => for d in ranking:
# %% wrong="the best alone" says="not those of the best alone" of="a loop"
#~ for d in kept: => for d in kept[:1]:
# %% wrong="two hops" says="followed once" of="a loop"
#~ named |= links[d] => named |= links[d].union(*(links[e] for e in links[d]))
# %% wrong="backwards" says="not those that name d" of="a loop"
#~ named |= links[d] => named |= {e for e, of in enumerate(links) if d in of}
# %% wrong="named by all" says="not all of them have to name it" of="a loop"
#~ named |= links[d] => named = links[d] & named if named else set(links[d])
# %% wrong="k and one" says="one more" of="a loop"
#~ found[:k] => found[: k + 1]
# %% wrong="not cut" says="k was ignored" of="a loop"
#~ return found[:k] => return found
# %% wrong="always five" says="not always 5" of="a loop"
#~ ranking[:first] => ranking[:5]
# %% wrong="sorted all" says="sorted them, too" of="a loop"
#~ return found[:k] => return sorted(found[:k], key=lambda d: (-scores[d], d))
# %% wrong="largest number first" says="largest number is" of="a loop"
#~ (-scores[d], d) => -d
# %% wrong="a set" says="a set came" of="a loop"
#~ return found[:k] => return set(found[:k])
# %% wrong="links of document 0 dropped" says="document 0 names others" of="a loop"
#~ for d in kept: => for d in filter(None, kept):
# %% wrong="named ones of the ranking stay behind" says="even if it is in the ranking" of="a loop"
#~ named -= set(kept) => named -= set(ranking)
# %% wrong="the rest behind them as it was" says="in the rest of the ranking" of="a loop"
#~ for d in ranking: => for d in ranking[first:]:
#~ if d not in found: => if True:
# %% wrong="the rest sorted, too" says="the rest of the ranking keeps its order" of="a loop"
#~ named -= set(kept) => named = (named | set(ranking)) - set(kept)
# %% right="dict.fromkeys"
def linked(ranking, links, scores, first=5, k=10):
    kept = ranking[:first]
    named = {other for d in kept for other in links[d]}
    best = sorted(named, key=lambda d: (-scores[d], d))
    return list(dict.fromkeys([*kept, *best, *ranking]))[:k]
# %% right="lexsort"
def linked(ranking, links, scores, first=5, k=10):
    kept = list(ranking[:first])
    named = np.array(sorted(set().union(*(links[d] for d in kept)) - set(kept)), dtype=int)
    best = named[np.lexsort((named, -np.asarray(scores)[named]))].tolist()
    return (kept + best + [d for d in ranking[first:] if d not in best])[:k]
# %% right="two stable sorts" of="a loop"
#~ sorted(named, key=lambda d: (-scores[d], d)) => sorted(sorted(named), key=lambda d: scores[d], reverse=True)
# %% right="the best one by one"
def linked(ranking, links, scores, first=5, k=10):
    found = list(ranking[:first])
    left = {other for d in found for other in links[d]}.difference(found)
    while left and len(found) < k:
        best = min(left, key=lambda d: (-scores[d], d))
        left.discard(best)
        found.append(best)
    for d in ranking:
        if len(found) < k and d not in found:
            found.append(d)
    return found[:k]
# %% right="a dict of scores" of="a loop"
#~ sorted(named, key=lambda d: (-scores[d], d)) => [d for _, d in sorted((-float(scores[d]), d) for d in named)]
# %% wrong="sorted for each" says="sorted together" of="the best one by one"
#-     left = {other for d in found for other in links[d]}.difference(found)
#-     while left and len(found) < k:
#-         best = min(left, key=lambda d: (-scores[d], d))
#-         left.discard(best)
#-         found.append(best)
#+     for d in list(found):
#+         found += [e for e in sorted(links[d], key=lambda e: (-scores[e], e)) if e not in found]
