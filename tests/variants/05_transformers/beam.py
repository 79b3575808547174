# %% base="the plain way"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score + gain))
        grown = sorted(grown, key=lambda c: -c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
# %% wrong="greedy" says="width is ignored"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    ids = []
    for _ in range(max_length):
        ids = ids + [int(log_probs(ids).argmax())]
        if ids[-1] == end:
            break
    return ids
# %% wrong="stops at the first end" says="stopped at the first complete text" of="greedy"
#~ ids = [] => live, done = [([], 0.0)], []
#-         ids = ids + [int(log_probs(ids).argmax())]
#-         if ids[-1] == end:
#+         found = [(ids + [i], s + v) for ids, s in live for i, v in enumerate(log_probs(ids).tolist())]
#+         found = sorted(found, key=lambda c: c[1], reverse=True)[:width]
#+         done = [c for c in found if c[0][-1] == end]
#+         live = [c for c in found if c[0][-1] != end]
#+         if done:
#~ return ids => return max(done + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
# %% right="with a heap, and tuples"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    import heapq
    beams, complete = [(0.0, ())], []
    for n in range(max_length):
        pool = []
        for score, ids in beams:
            for i, v in enumerate(log_probs(list(ids)).tolist()):
                pool.append((score + v, (*ids, i)))
        beams = []
        for item in heapq.nlargest(width, pool):
            (complete if item[1][-1] == end or n == max_length - 1 else beams).append(item)
        if not beams:
            break
    return list(max(complete, key=lambda c: c[0] / len(c[1]) ** alpha)[1])
# %% wrong="alpha is ignored" says="alpha is ignored" of="the plain way"
#~ [1] / len(c[0]) ** alpha => [1]
# %% wrong="always divided by the length" says="alpha" of="the plain way"
#~ (complete, key=lambda c: c[1] / len(c[0]) ** alpha) => (complete, key=lambda c: c[1] / len(c[0]) )
# %% wrong="the end is cut off" says="end" of="the plain way"
#-     return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
#+     best = max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
#+     return best[:-1] if best[-1] == end else best
# %% wrong="live texts at the end are dropped" says="live" of="the plain way"
#~ += live => = complete or live
# %% wrong="one round too many" says="max_length" of="the plain way"
#~ (max_length) => (max_length + 1)
# %% wrong="complete texts go on growing" says="complete" of="the plain way"
#~ [c for c in grown if c[0][-1] != end] => grown
# %% wrong="the score of the last token alone" says="sum" of="the plain way"
#~ score + gain => gain
# %% wrong="end is always 0" says="end" of="the plain way"
#~ [c for c in grown if c[0][-1] == end] => [c for c in grown if c[0][-1] == 0]
#~ [c for c in grown if c[0][-1] != end] => [c for c in grown if c[0][-1] != 0]
# %% wrong="width at most two" says="no more than two" of="sorted by length-normalised scores, which in a round changes nothing"
#~ (grown, key=lambda c: -c[1] / len(c[0]) ** alpha)[:width] => (grown, key=lambda c: -c[1])[: min(width, 2)]
# %% right="torch's topk on the flat table"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, scores, done = [[]], torch.zeros(1, dtype=torch.float64), []
    for _ in range(max_length):
        table = scores[:, None] + torch.stack([torch.as_tensor(log_probs(ids)).double() for ids in live])
        best = table.flatten().topk(min(width, table.numel()))
        rows, scores_next = [], []
        for place, score in zip(best.indices.tolist(), best.values.tolist()):
            ids = live[place // table.shape[1]] + [place % table.shape[1]]
            if ids[-1] == end:
                done.append((score / len(ids) ** alpha, ids))
            else:
                rows.append(ids)
                scores_next.append(score)
        live, scores = rows, torch.tensor(scores_next, dtype=torch.float64)
        if not live:
            break
    done += [(s / len(ids) ** alpha, ids) for s, ids in zip(scores.tolist(), live)]
    return max(done)[1]
# %% wrong="probabilities added" says="add their logarithms" of="the plain way"
#~ (ids + [token], score + gain) => (ids + [token], score + math.exp(gain))
# %% wrong="log-probabilities multiplied" says="multiplied: add them" of="sorted by length-normalised scores, which in a round changes nothing"
#~ ([], 0.0) => ([], 1.0)
#~ + gain => * abs(gain)
#~ -c[1] / len(c[0]) ** alpha => c[1]
#~ max(complete, key=lambda c: c[1] / len(c[0]) ** alpha) => min(complete, key=lambda c: c[1] / len(c[0]) ** alpha)
# %% wrong="multiplied by the length" says="divide by it" of="the plain way"
#~ / => *
# %% wrong="the end is not counted" says="end token" of="the plain way"
#~ len(c[0]) => max(len([i for i in c[0] if i != end]), 1)
# %% wrong="width for each text" says="together" of="sorted by length-normalised scores, which in a round changes nothing"
#-             for token, gain in enumerate(log_probs(ids).tolist()):
#-                 grown.append((ids + [token], score + gain))
#-         grown = sorted(grown, key=lambda c: -c[1] / len(c[0]) ** alpha)[:width]
#+             own = [(ids + [token], score + gain) for token, gain in enumerate(log_probs(ids).tolist())]
#+             grown += sorted(own, key=lambda c: -c[1])[:width]
# %% wrong="complete texts take no place" says="place" of="sorted by length-normalised scores, which in a round changes nothing"
#-         grown = sorted(grown, key=lambda c: -c[1] / len(c[0]) ** alpha)[:width]
#~ [c for c in grown if c[0][-1] != end] => sorted([c for c in grown if c[0][-1] != end], key=lambda c: -c[1])[:width]
# %% wrong="one round too few" says="max_length" of="the plain way"
#~ (max_length) => (max(max_length - 1, 1))
# %% wrong="the least likely kept" says="highest" of="sorted by length-normalised scores, which in a round changes nothing"
#~ -c[1] / len(c[0]) ** alpha => c[1]
# %% right="sorted by length-normalised scores, which in a round changes nothing"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score + gain))
        grown = sorted(grown, key=lambda c: -c[1] / len(c[0]) ** alpha)[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
# %% wrong="score and ids returned" says="list of ids" of="the plain way"
#~ (complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0] => (complete, key=lambda c: c[1] / len(c[0]) ** alpha)
# %% wrong="the last token alone is given to the model" says="beginning" of="the plain way"
#~ (ids) => (ids[-1:])
# %% wrong="the worst is returned" says="worst complete text" of="the plain way"
#~ max(complete, key=lambda c: c[1] / len(c[0]) ** alpha) => min(complete, key=lambda c: c[1] / len(c[0]) ** alpha)
# %% wrong="the first complete text" says="first" of="the plain way"
#~ max(complete, key=lambda c: c[1] / len(c[0]) ** alpha) => complete[0]
# %% wrong="complete texts keep their place in later rounds" says="put aside"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    beams = [([], 0.0)]
    for _ in range(max_length):
        grown = []
        for ids, score in beams:
            if ids and ids[-1] == end:
                grown.append((ids, score))
            else:
                grown += [(ids + [i], score + v) for i, v in enumerate(log_probs(ids).tolist())]
        beams = sorted(grown, key=lambda b: b[1], reverse=True)[:width]
    return max(beams, key=lambda b: b[1] / len(b[0]) ** alpha)[0]
# %% wrong="stops when width texts are complete" says="live texts were thrown away because others are complete" of="greedy"
#~ ids = [] => live, complete = [([], 0.0)], []
#-         ids = ids + [int(log_probs(ids).argmax())]
#-         if ids[-1] == end:
#+         grown = [(ids + [i], s + v) for ids, s in live for i, v in enumerate(log_probs(ids).tolist())]
#+         best = sorted(grown, key=lambda c: -c[1])[:width]
#+         complete += [c for c in best if c[0][-1] == end]
#+         live = [c for c in best if c[0][-1] != end][: width - len(complete)]
#+         if not live:
#~ return ids => return max(complete + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
# %% wrong="top-k of each text before all compete, k = 1" says="all extensions compete together" of="the plain way"
#~ _ in => n in
#-             for token, gain in enumerate(log_probs(ids).tolist()):
#-                 grown.append((ids + [token], score + gain))
#+             best = log_probs(ids).topk(width if n == 0 else 1)
#+             grown += [(ids + [i], score + v) for v, i in zip(best.values.tolist(), best.indices.tolist(), strict=True)]
#-     complete += live
#-     return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
#+     return max(complete + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
# %% right="each text's best `width`, then the best `width` of those"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [(0.0, [])], []
    while live and max_length > 0:
        pool = []
        for score, ids in live:
            row = torch.as_tensor(log_probs(ids))
            best = row.topk(min(width, len(row)))
            pool += [(score + v, ids + [i]) for v, i in zip(best.values.tolist(), best.indices.tolist(), strict=True)]
        pool.sort(reverse=True)
        live = []
        for score, ids in pool[:width]:
            (complete if ids[-1] == end else live).append((score, ids))
        max_length -= 1
    return max(complete + live, key=lambda c: c[0] / len(c[1]) ** alpha)[1]
# %% right="a tensor of all scores"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    texts, scores, complete = [[]], torch.zeros(1, dtype=torch.float64), []
    for _ in range(max_length):
        table = torch.stack([torch.as_tensor(log_probs(ids)).double() for ids in texts]) + scores[:, None]
        best = table.flatten().topk(min(width, table.numel()))
        places = [divmod(i, table.shape[1]) for i in best.indices.tolist()]
        found = [(texts[row] + [token], value) for (row, token), value in zip(places, best.values, strict=True)]
        complete += [f for f in found if f[0][-1] == end]
        going = [f for f in found if f[0][-1] != end]
        if not going:
            texts = []
            break
        texts, scores = [ids for ids, _ in going], torch.stack([value for _, value in going])
    complete += list(zip(texts, scores, strict=True)) if texts else []
    return max(complete, key=lambda c: float(c[1]) / len(c[0]) ** alpha)[0]
# %% wrong="log_probs given a tensor" says="list of ids" of="sorted by length-normalised scores, which in a round changes nothing"
#~ grown = [] => candidates = []
#-             for token, gain in enumerate(log_probs(ids).tolist()):
#-                 grown.append((ids + [token], score + gain))
#-         grown = sorted(grown, key=lambda c: -c[1] / len(c[0]) ** alpha)[:width]
#-         complete += [c for c in grown if c[0][-1] == end]
#-         live = [c for c in grown if c[0][-1] != end]
#+             nxt = log_probs(torch.tensor(ids))
#+             for token in range(len(nxt)):
#+                 candidates.append((ids + [token], score + nxt[token].item()))
#+         candidates.sort(key=lambda c: c[1], reverse=True)
#+         best = candidates[:width]
#+         live = [c for c in best if c[0][-1] != end]
#+         complete += [c for c in best if c[0][-1] == end]
# %% wrong="length plus one" says="one too large" of="sorted by length-normalised scores, which in a round changes nothing"
#~ grown = [] => candidates = []
#-             for token, gain in enumerate(log_probs(ids).tolist()):
#-                 grown.append((ids + [token], score + gain))
#-         grown = sorted(grown, key=lambda c: -c[1] / len(c[0]) ** alpha)[:width]
#-         complete += [c for c in grown if c[0][-1] == end]
#-         live = [c for c in grown if c[0][-1] != end]
#+             nxt = log_probs(ids)
#+             for token in range(len(nxt)):
#+                 candidates.append((ids + [token], score + nxt[token].item()))
#+         candidates.sort(key=lambda c: c[1], reverse=True)
#+         best = candidates[:width]
#+         live = [c for c in best if c[0][-1] != end]
#+         complete += [c for c in best if c[0][-1] == end]
#~ (complete, key=lambda c: c[1] / len(c[0]) ** alpha) => (complete, key=lambda c: c[1] / (len(c[0]) + 1) ** alpha)
# %% wrong="google's length penalty" says="another formula" of="sorted by length-normalised scores, which in a round changes nothing"
#~ grown = [] => candidates = []
#-             for token, gain in enumerate(log_probs(ids).tolist()):
#-                 grown.append((ids + [token], score + gain))
#-         grown = sorted(grown, key=lambda c: -c[1] / len(c[0]) ** alpha)[:width]
#-         complete += [c for c in grown if c[0][-1] == end]
#-         live = [c for c in grown if c[0][-1] != end]
#+             nxt = log_probs(ids)
#+             for token in range(len(nxt)):
#+                 candidates.append((ids + [token], score + nxt[token].item()))
#+         candidates.sort(key=lambda c: c[1], reverse=True)
#+         best = candidates[:width]
#+         live = [c for c in best if c[0][-1] != end]
#+         complete += [c for c in best if c[0][-1] == end]
#~ (complete, key=lambda c: c[1] / len(c[0]) ** alpha) => (complete, key=lambda c: c[1] / ((5 + len(c[0])) / 6) ** alpha)
# %% wrong="alpha times length" says="alpha is always 1" of="sorted by length-normalised scores, which in a round changes nothing"
#~ grown = [] => candidates = []
#-             for token, gain in enumerate(log_probs(ids).tolist()):
#-                 grown.append((ids + [token], score + gain))
#-         grown = sorted(grown, key=lambda c: -c[1] / len(c[0]) ** alpha)[:width]
#-         complete += [c for c in grown if c[0][-1] == end]
#-         live = [c for c in grown if c[0][-1] != end]
#+             nxt = log_probs(ids)
#+             for token in range(len(nxt)):
#+                 candidates.append((ids + [token], score + nxt[token].item()))
#+         candidates.sort(key=lambda c: c[1], reverse=True)
#+         best = candidates[:width]
#+         live = [c for c in best if c[0][-1] != end]
#+         complete += [c for c in best if c[0][-1] == end]
#~ (complete, key=lambda c: c[1] / len(c[0]) ** alpha) => (complete, key=lambda c: c[1] / (alpha * len(c[0]) or 1))
# %% wrong="stops at width complete" says="texts were complete"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        candidates = []
        for ids, score in live:
            nxt = log_probs(ids)
            for token in range(len(nxt)):
                candidates.append((ids + [token], score + nxt[token].item()))
        candidates.sort(key=lambda c: c[1], reverse=True)
        best = candidates[:width]
        live = [c for c in best if c[0][-1] != end]
        complete += [c for c in best if c[0][-1] == end]
        if not live or len(complete) >= width:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
# %% wrong="stops when best complete beats live" says="ahead of the live" of="stops at width complete"
#~ len(complete) >= width => (complete and max(c[1] for c in complete) > max(c[1] for c in live))
# %% right="tensors and topk"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    texts, scores = [[]], torch.zeros(1, dtype=torch.float64)
    complete = []
    for _ in range(max_length):
        table = torch.stack([log_probs(list(ids)).double() for ids in texts]) + scores[:, None]
        values, places = table.flatten().topk(min(width, table.numel()))
        new, kept = [], []
        for value, place in zip(values.tolist(), places.tolist()):
            ids = [*texts[place // table.shape[1]], place % table.shape[1]]
            if ids[-1] == end:
                complete.append((value / len(ids) ** alpha, ids))
            else:
                new.append(ids)
                kept.append(value)
        texts, scores = new, torch.tensor(kept, dtype=torch.float64)
        if not texts:
            break
    complete += [(s / len(t) ** alpha, t) for t, s in zip(texts, scores.tolist())]
    return sorted(complete, reverse=True)[0][1]
# %% right="recursion over the rounds"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    def value(text):
        ids, score = text
        return score / len(ids) ** alpha
    def rounds(live, left):
        if not live or not left:
            return live
        table = [(ids + [t], s + lp) for ids, s in live for t, lp in enumerate(log_probs(ids).tolist())]
        table = sorted(table, key=lambda c: -c[1])[:width]
        done = [c for c in table if c[0][-1] == end]
        return done + rounds([c for c in table if c[0][-1] != end], left - 1)
    return max(rounds([([], 0.0)], max_length), key=value)[0]
# %% wrong="at most fifty tokens" says="a long text"
#~ range(max_length) => range(min(max_length, 50))
# %% wrong="at most fifty texts" says="many tokens"
#~ [:width] => [: min(width, 50)]
# %% wrong="alpha is never 0" says="alpha of 0"
#~ len(c[0]) ** alpha => len(c[0]) ** (alpha or 0.1)
# %% right="a heap, scores kept as sums of tensors"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    import heapq
    live, done = [(0.0, ())], []
    while live and len(live[0][1]) < max_length:
        grown = ((total + float(v), (*ids, i)) for total, ids in live for i, v in enumerate(log_probs(list(ids))))
        best = heapq.nlargest(width, grown)
        done += [b for b in best if b[1][-1] == end]
        live = [b for b in best if b[1][-1] != end]
    return list(max(done + live, key=lambda b: b[0] / len(b[1]) ** alpha)[1])
# %% wrong="stops at width complete, the live ones do not count" says="the live ones were thrown away, too" of="stops at width complete"
#~ break => live = []
#~ for _ in range(max_length): => while live and max_length > 0:
#~ candidates = [] => candidates, max_length = [], max_length - 1
# %% wrong="stops when the best complete is ahead, the live ones do not count" says="the live ones were thrown away, too" of="the plain way"
#-         if not live:
#-             break
#-     complete += live
#+         if not live or (complete and max(c[1] for c in complete) >= live[0][1]):
#+             break
#+     else:
#+         complete += live
# %% wrong="stops when the best of a round is complete" says="when a round's best text was complete" of="the plain way"
#~ if not live: => if not live or grown[0][0][-1] == end:
# %% wrong="each complete text makes the beam narrower" says="complete texts took places in later rounds, too" of="the plain way"
#~ [:width] => [: width - len(complete)]
# %% wrong="the last token is cut off, end or not" says="the last token was taken off, end or not"
#~ ** alpha)[0] => ** alpha)[0][:-1]
# %% wrong="the model gets a tensor" says="log_probs gets a list of ids" clause="log_probs: takes a list of ids"
#~ log_probs(ids) => log_probs(torch.tensor(ids, dtype=torch.int64))
