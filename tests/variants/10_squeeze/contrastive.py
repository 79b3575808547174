# %% wrong="the mean" says="the largest counts"
#~ likeness.amax(dim=-1) => likeness.mean(dim=-1)
# %% wrong="products" says="divide by the lengths"
#~ F.normalize(candidates, dim=-1) @ F.normalize(history, dim=-1).T => candidates @ history.T
# %% wrong="alpha the other way" says="exchanged"
#~ (1 - alpha) * p - alpha * => alpha * p - (1 - alpha) *
# %% wrong="added" says="it is subtracted"
#~ p - alpha * likeness => p + alpha * likeness
# %% wrong="last token only" says="only the last token"
#~ likeness.amax(dim=-1) => likeness[:, -1]
# %% wrong="the place" says="place among the candidates"
#~ int(ids[contrastive_scores(p, candidates, history, alpha).argmax()]) => int(contrastive_scores(p, candidates, history, alpha).argmax())
# %% wrong="shared out" says="softmax of all logits"
#~ history, candidates = vectors(ids.tolist()) => p = p / p.sum(); history, candidates = vectors(ids.tolist())
# %% wrong="greedy" says="likeliest token"
#~ return int(ids[contrastive_scores(p, candidates, history, alpha).argmax()]) => return int(ids[0])
# %% wrong="one length for all" says="of the whole matrix"
#~ F.normalize(candidates, dim=-1) @ F.normalize(history, dim=-1).T => candidates / candidates.norm() @ (history / history.norm()).T
# %% wrong="columns of length 1" says="the columns were brought"
#~ F.normalize(candidates, dim=-1) @ F.normalize(history, dim=-1).T => F.normalize(candidates, dim=0) @ F.normalize(history, dim=0).T
# %% wrong="candidates only" says="only the candidates are divided"
#~ @ F.normalize(history, dim=-1).T => @ history.T
# %% wrong="text only" says="only the vectors of the text are divided"
#~ F.normalize(candidates, dim=-1) @ => candidates @
# %% wrong="squares of the lengths" says="squares of the lengths"
#~ F.normalize(candidates, dim=-1) @ F.normalize(history, dim=-1).T => candidates / candidates.square().sum(-1, keepdim=True) @ (history / history.square().sum(-1, keepdim=True)).T
# %% wrong="likelihood in logarithms" says="log p is"
#~ (1 - alpha) * p - => (1 - alpha) * p.log() -
# %% wrong="one largest for all" says="one largest cosine"
#~ likeness.amax(dim=-1) => likeness.max()
# %% right="the library's cosine"
def contrastive_scores(p, candidates, history, alpha):
    likeness = F.cosine_similarity(candidates[:, None], history[None], dim=-1)
    return p - alpha * p - alpha * likeness.max(dim=1).values
# %% right="sorted ids"
def contrastive_step(logits, vectors, k, alpha):
    ids = logits.argsort(descending=True)[:k].tolist()
    history, candidates = vectors(ids)
    scores = contrastive_scores(logits.softmax(0)[ids], candidates, history, alpha).tolist()
    return ids[scores.index(max(scores))]
# %% wrong="the softmax of the k best" says="p was shared out among the candidates"
#~ history, candidates = vectors(ids.tolist()) => p = logits[ids].softmax(-1); history, candidates = vectors(ids.tolist())
# %% wrong="vectors in the order of ids, p in its own" says="belong to other ids than p"
#~ history, candidates = vectors(ids.tolist()) => history, candidates = vectors(sorted(ids.tolist()))
# %% wrong="no cosine below 0" says="count as 0" clause="Return the scores (k,)"
#~ likeness.amax(dim=-1) => likeness.amax(dim=-1).clamp(min=0)
# %% wrong="unlikelier ids first" says="likelier ids come first" clause="Likelier ids come first in the list."
#~ p, ids = logits.softmax(-1).topk(min(k, len(logits))) => p, ids = (part[-k:] for part in logits.softmax(-1).sort())
# %% wrong="k of fewer" says="" clause="among the k likeliest tokens (all, if there are fewer)"
#~ topk(min(k, len(logits))) => topk(k)
