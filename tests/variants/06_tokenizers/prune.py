# %% base="the plain way"
def removal_losses(counts, log_probs):
    losses = {}
    for piece in log_probs:
        if len(piece) > 1:
            others = dict(log_probs)
            del others[piece]
            cut = viterbi(piece, others)
            losses[piece] = counts[piece] * (log_probs[piece] - sum(others[part] for part in cut))
    return losses
def prune(log_probs, losses, size):
    characters = [piece for piece in log_probs if len(piece) == 1]
    ranked = sorted(losses.items(), key=lambda item: -item[1])
    places = max(size - len(characters), 0)
    kept = characters + [piece for piece, _ in ranked[:places]]
    return {piece: log_probs[piece] for piece in kept}
# %% right="a copy of the whole vocabulary for each piece" of="the plain way"
#~ max(size - len(characters), 0) => max(0, size - len(characters))
# %% right="taken out and put back"
def removal_losses(counts, log_probs):
    others, losses = dict(log_probs), {}
    for piece, own in log_probs.items():
        if len(piece) < 2:
            continue
        del others[piece]
        losses[piece] = counts[piece] * (own - sum(map(others.get, viterbi(piece, others))))
        others[piece] = own
    return losses
# %% right="recursion over the rest of the piece, no viterbi"
def removal_losses(counts, log_probs):
    from functools import lru_cache
    def loss(piece):
        @lru_cache(None)
        def best(i):
            if i == len(piece):
                return 0.0
            ends = range(i + 1, len(piece) + 1)
            return max(log_probs[piece[i:j]] + best(j) for j in ends
                       if piece[i:j] in log_probs and piece[i:j] != piece)
        return counts[piece] * (log_probs[piece] - best(0))
    return {piece: loss(piece) for piece in log_probs if len(piece) > 1}
def prune(log_probs, losses, size):
    left = dict(log_probs)
    for piece in sorted(losses, key=losses.get):
        if len(left) <= size:
            break
        left.pop(piece)
    return left
# %% right="a heap, and NumPy"
def removal_losses(counts, log_probs):
    longer = [piece for piece in log_probs if len(piece) > 1]
    best = []
    for piece in longer:
        others = {part: value for part, value in log_probs.items() if part in piece and part != piece}
        best.append(np.sum([others[part] for part in viterbi(piece, others)]))
    values = np.array([counts[p] for p in longer]) * (np.array([log_probs[p] for p in longer]) - np.array(best))
    return dict(zip(longer, values, strict=True))
import heapq
def prune(log_probs, losses, size):
    single = {piece: value for piece, value in log_probs.items() if len(piece) == 1}
    best = heapq.nlargest(size - len(single), losses, key=losses.get) if size > len(single) else []
    return single | {piece: log_probs[piece] for piece in best}
# %% right="sums along the piece, with arrays"
def removal_losses(counts, log_probs):
    out = {}
    for piece, own in log_probs.items():
        n = len(piece)
        best = np.full(n + 1, -np.inf)
        best[0] = 0.0
        for j in range(1, n + 1):
            for i in range(j):
                if j - i < n and piece[i:j] in log_probs:
                    best[j] = max(best[j], best[i] + log_probs[piece[i:j]])
        if n > 1:
            out[piece] = counts[piece] * float(own - best[n])
    return out
# %% wrong="the piece is still there" says="the piece itself stood in its best cut" of="the plain way"
#-             del others[piece]
# %% wrong="parts as long as the piece" says="the piece itself stood in its best cut"
#~ in log_probs and j - i < n => in log_probs
# %% wrong="taken out for good" says="must be there again for the next one"
def removal_losses(counts, log_probs):
    others, losses = dict(log_probs), {}
    for piece, own in log_probs.items():
        if len(piece) > 1:
            del others[piece]
            losses[piece] = counts[piece] * (own - sum(others[part] for part in viterbi(piece, others)))
    return losses
# %% wrong="single characters have losses, too" says="only pieces of two or more are asked"
#~ if n > 1: => if n == 1 or n > 1:
#~ best = sum(others[part] for part in viterbi(piece, others)) => best = sum(others[part] for part in viterbi(piece, others)) if n > 1 else log_prob
# %% wrong="how often is forgotten" says="how often the piece is used was ignored"
#~ counts[piece] * (log_prob - best) => log_prob - best
# %% wrong="upside down" says="the sign is wrong"
#~ (log_prob - best) => (best - log_prob)
# %% wrong="by count alone" says="only the count came back"
#~ counts[piece] * (log_prob - best) => counts[piece]
# %% wrong="count times log-probability" says="the best other cut was not subtracted"
#~ (log_prob - best) => log_prob
# %% wrong="the other cut alone" says="the piece's own log-probability is missing"
#~ (log_prob - best) => -best
# %% wrong="added" says="the two log-probabilities were added"
#~ (log_prob - best) => (log_prob + best)
# %% wrong="probabilities subtracted" says="their logarithms are asked"
#~ (log_prob - best) => (np.exp(log_prob) - np.exp(best))
# %% wrong="divided by the count" says="divided by the count"
#~ counts[piece] * (log_prob - best) => (log_prob - best) / counts[piece] if counts[piece] else 0.0
# %% wrong="brackets forgotten" says="it multiplies the whole difference"
#~ counts[piece] * (log_prob - best) => counts[piece] * log_prob - best
# %% wrong="in single characters" says="its single characters here"
#~ for part in viterbi(piece, others) => for part in piece
# %% wrong="in two parts" says="has two parts here"
def removal_losses(counts, log_probs):
    losses = {}
    for piece, own in log_probs.items():
        if len(piece) > 1:
            sums = [log_probs[piece[:i]] + log_probs[piece[i:]] for i in range(1, len(piece))
                    if piece[:i] in log_probs and piece[i:] in log_probs]
            losses[piece] = counts[piece] * (own - max(sums, default=sum(log_probs[c] for c in piece)))
    return losses
# %% wrong="greedy longest match" says="greedy longest match here"
def removal_losses(counts, log_probs):
    losses = {}
    for piece, own in log_probs.items():
        best, i = 0.0, 0
        while i < len(piece) > 1:
            j = max(j for j in range(i + 1, len(piece) + 1) if piece[i:j] in log_probs and j - i < len(piece))
            best, i = best + log_probs[piece[i:j]], j
        if len(piece) > 1:
            losses[piece] = counts[piece] * (own - best)
    return losses
# %% wrong="the mean of the cut" says="the mean over the parts"
#~ best = sum(others[part] for part in viterbi(piece, others)) => best = np.mean([others[part] for part in viterbi(piece, others)])
# %% wrong="never below 0" says="a negative loss stays negative"
#~ counts[piece] * (log_prob - best) => max(0.0, counts[piece] * (log_prob - best))
# %% wrong="the size of the loss" says="size of a negative loss"
#~ counts[piece] * (log_prob - best) => abs(counts[piece] * (log_prob - best))
# %% wrong="shares of the counts" says="these are shares"
#~ counts[piece] * (log_prob - best) => counts[piece] / sum(counts.values()) * (log_prob - best)
# %% wrong="the smallest losses stay" says="smallest losses stayed" clause="the rest of the `size` is filled with the longer pieces that have the largest losses"
#~ reverse=True => reverse=False
# %% wrong="the most probable stay" says="the most probable pieces stayed"
#~ key=losses.get => key=log_probs.get
# %% wrong="by the size of the loss" says="the size of the loss decided"
#~ key=losses.get => key=lambda piece: abs(losses[piece])
# %% wrong="characters ranked with the others" says="single characters always stay" clause="Single characters always stay"
def prune(log_probs, losses, size):
    ranked = sorted(log_probs, key=lambda piece: -losses.get(piece, 0.0))
    return {piece: log_probs[piece] for piece in ranked[:size]}
# %% wrong="no characters" says="here none is left"
#~ [*characters, *longer[: max(0, size - len(characters))]] => longer[:size]
# %% wrong="size counts the longer ones" says="counts all pieces"
#~ max(0, size - len(characters)) => size
# %% wrong="one too few" says="one piece too few"
#~ max(0, size - len(characters)) => max(0, size - len(characters) - 1)
# %% wrong="one too many" says="one piece too many"
#~ max(0, size - len(characters)) => max(0, size - len(characters) + 1)
# %% wrong="a negative slice" says="counts from the back" clause="If there are more than `size` characters, all the characters stay, and nothing else."
#~ max(0, size - len(characters)) => size - len(characters)
# %% wrong="losses come back" says="the losses came back"
#~ {piece: log_probs[piece] for piece in kept} => {piece: losses.get(piece, 0.0) for piece in kept}
# %% wrong="probabilities add up to 1 again" says="stay as they were" clause="with their log-probabilities unchanged"
#~ {piece: log_probs[piece] for piece in kept} => {piece: np.exp(log_probs[piece]) / sum(np.exp(log_probs[p]) for p in kept) for piece in kept}
# %% wrong="only the names" says="the names of the pieces came back"
#~ {piece: log_probs[piece] for piece in kept} => kept
# %% wrong="what is dropped" says="these are the pieces to drop"
#~ for piece in kept} => for piece in log_probs if piece not in kept}
# %% wrong="characters cut to size" clause="all the characters stay, and nothing else" says="even if there are more of them"
def prune(log_probs, losses, size):
    ranked = sorted(log_probs, key=lambda piece: -losses.get(piece, float("inf")))
    return {piece: log_probs[piece] for piece in ranked[:size]}
# %% wrong="shared out anew" clause="with their log-probabilities unchanged" says="they stay as they were"
def prune(log_probs, losses, size):
    characters = [piece for piece in log_probs if len(piece) == 1]
    kept = characters + sorted(losses, key=losses.get, reverse=True)[: max(0, size - len(characters))]
    total = np.log(sum(np.exp(log_probs[piece]) for piece in kept))
    return {piece: float(log_probs[piece] - total) for piece in kept}
# %% wrong="through the keys of counts" says="`counts` may have other keys" clause="for every key of log_probs and perhaps for others" of="the plain way"
#~ for piece in log_probs: => for piece in counts:
