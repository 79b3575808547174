# %% wrong="greedy" says="width is ignored"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    ids = []
    for _ in range(max_length):
        ids = ids + [int(log_probs(ids).argmax())]
        if ids[-1] == end:
            break
    return ids

# %% wrong="stops at the first end" says="stopped at the first complete text"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, done = [([], 0.0)], []
    for _ in range(max_length):
        found = [(ids + [i], s + v) for ids, s in live for i, v in enumerate(log_probs(ids).tolist())]
        found = sorted(found, key=lambda c: c[1], reverse=True)[:width]
        done = [c for c in found if c[0][-1] == end]
        live = [c for c in found if c[0][-1] != end]
        if done:
            break
    return max(done + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

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

# %% wrong="alpha is ignored" says="alpha is ignored"
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
    return max(complete, key=lambda c: c[1])[0]

# %% wrong="always divided by the length" says="alpha"
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
    return max(complete, key=lambda c: c[1] / len(c[0]) )[0]

# %% wrong="the end is cut off" says="end"
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
    best = max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]
    return best[:-1] if best[-1] == end else best

# %% wrong="live texts at the end are dropped" says="live"
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
    complete = complete or live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="one round too many" says="max_length"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length + 1):
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

# %% wrong="complete texts go on growing" says="complete"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score + gain))
        grown = sorted(grown, key=lambda c: -c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = grown
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="the score of the last token alone" says="sum"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], gain))
        grown = sorted(grown, key=lambda c: -c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="end is always 0" says="end"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score + gain))
        grown = sorted(grown, key=lambda c: -c[1])[:width]
        complete += [c for c in grown if c[0][-1] == 0]
        live = [c for c in grown if c[0][-1] != 0]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="width at most two" says="no more than two"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score + gain))
        grown = sorted(grown, key=lambda c: -c[1])[: min(width, 2)]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

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

# %% wrong="probabilities added" says="add their logarithms"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score + math.exp(gain)))
        grown = sorted(grown, key=lambda c: -c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="log-probabilities multiplied" says="multiplied: add them"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 1.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score * abs(gain)))
        grown = sorted(grown, key=lambda c: c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return min(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="multiplied by the length" says="divide by it"
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
    return max(complete, key=lambda c: c[1] * len(c[0]) ** alpha)[0]

# %% wrong="the end is not counted" says="end token"
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
    return max(complete, key=lambda c: c[1] / max(len([i for i in c[0] if i != end]), 1) ** alpha)[0]

# %% wrong="width for each text" says="together"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            own = [(ids + [token], score + gain) for token, gain in enumerate(log_probs(ids).tolist())]
            grown += sorted(own, key=lambda c: -c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="complete texts take no place" says="place"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score + gain))
        complete += [c for c in grown if c[0][-1] == end]
        live = sorted([c for c in grown if c[0][-1] != end], key=lambda c: -c[1])[:width]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="one round too few" says="max_length"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max(max_length - 1, 1)):
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

# %% wrong="the least likely kept" says="highest"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids).tolist()):
                grown.append((ids + [token], score + gain))
        grown = sorted(grown, key=lambda c: c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

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

# %% wrong="score and ids returned" says="list of ids"
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
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)

# %% wrong="the last token alone is given to the model" says="beginning"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = []
        for ids, score in live:
            for token, gain in enumerate(log_probs(ids[-1:]).tolist()):
                grown.append((ids + [token], score + gain))
        grown = sorted(grown, key=lambda c: -c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="the worst is returned" says="worst complete text"
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
    return min(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="the first complete text" says="first"
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
    return complete[0][0]


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

# %% wrong="stops when width texts are complete" says="pruning decides"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        grown = [(ids + [i], s + v) for ids, s in live for i, v in enumerate(log_probs(ids).tolist())]
        best = sorted(grown, key=lambda c: -c[1])[:width]
        complete += [c for c in best if c[0][-1] == end]
        live = [c for c in best if c[0][-1] != end][: width - len(complete)]
        if not live:
            break
    return max(complete + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="top-k of each text before all compete, k = 1" says="all extensions compete together"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for n in range(max_length):
        grown = []
        for ids, score in live:
            best = log_probs(ids).topk(width if n == 0 else 1)
            grown += [(ids + [i], score + v) for v, i in zip(best.values.tolist(), best.indices.tolist(), strict=True)]
        grown = sorted(grown, key=lambda c: -c[1])[:width]
        complete += [c for c in grown if c[0][-1] == end]
        live = [c for c in grown if c[0][-1] != end]
        if not live:
            break
    return max(complete + live, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

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

# %% wrong="log_probs given a tensor" says="list of ids"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        candidates = []
        for ids, score in live:
            nxt = log_probs(torch.tensor(ids))
            for token in range(len(nxt)):
                candidates.append((ids + [token], score + nxt[token].item()))
        candidates.sort(key=lambda c: c[1], reverse=True)
        best = candidates[:width]
        live = [c for c in best if c[0][-1] != end]
        complete += [c for c in best if c[0][-1] == end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="complete keep their places" says="put aside"
def beam_search(log_probs, width, max_length, end, alpha=0.0):
    live, complete = [([], 0.0)], []
    for _ in range(max_length):
        candidates = []
        for ids, score in live:
            nxt = log_probs(ids)
            for token in range(len(nxt)):
                candidates.append((ids + [token], score + nxt[token].item()))
        candidates.sort(key=lambda c: c[1], reverse=True)
        best = candidates[: width - len(complete)]
        live = [c for c in best if c[0][-1] != end]
        complete += [c for c in best if c[0][-1] == end]
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

# %% wrong="length plus one" says="one too large"
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
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / (len(c[0]) + 1) ** alpha)[0]

# %% wrong="google's length penalty" says="another formula"
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
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / ((5 + len(c[0])) / 6) ** alpha)[0]

# %% wrong="alpha times length" says="alpha is always 1"
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
        if not live:
            break
    complete += live
    return max(complete, key=lambda c: c[1] / (alpha * len(c[0]) or 1))[0]

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

# %% wrong="stops when best complete beats live" says="ahead of the live"
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
        if not live or (complete and max(c[1] for c in complete) > max(c[1] for c in live)):
            break
    complete += live
    return max(complete, key=lambda c: c[1] / len(c[0]) ** alpha)[0]

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
