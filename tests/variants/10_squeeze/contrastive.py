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
