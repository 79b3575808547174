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
