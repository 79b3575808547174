# %% base="the plain way"
def hard_negatives(scores, right, k, skip=0):
    scores = scores.astype(float)
    scores[np.arange(len(scores)), right] = -np.inf
    return np.argsort(scores, axis=1, kind="stable")[:, skip : skip + k]
# %% wrong="the right one kept" says="the right passage is among them"
def hard_negatives(scores, right, k, skip=0):
    return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]
# %% wrong="skip ignored" says="`skip` was ignored" of="the plain way"
#~ (scores, axis=1, kind="stable")[:, skip : skip + k] => (-scores, axis=1, kind="stable")[:, :k]
# %% wrong="ties turned round" says="the later came first" of="the plain way"
#~ [:, skip : skip + k] => [:, ::-1][:, skip : skip + k]
# %% wrong="the lowest" says="the lowest scores" of="the plain way"
#~ -np => np
# %% wrong="changes the scores" says="in place" of="the plain way"
#-     scores = scores.astype(float)
#~ return np.argsort(scores, axis=1, kind="stable")[:, skip : skip + k] => return np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k]
# %% right="lists"
def hard_negatives(scores, right, k, skip=0):
    rows = []
    for row, r in zip(scores.tolist(), right):
        order = sorted((i for i in range(len(row)) if i != r), key=lambda i: -row[i])
        rows.append(order[skip : skip + k])
    return rows
# %% right="torch"
def hard_negatives(scores, right, k, skip=0):
    table = torch.tensor(scores, dtype=torch.float64)
    table[torch.arange(len(table)), torch.as_tensor(right)] = -torch.inf
    return table.sort(dim=1, descending=True, stable=True).indices[:, skip : skip + k]
# %% wrong="ends at k" says="skip"
def hard_negatives(scores, right, k, skip=0):
    s = scores.astype(float).copy()
    s[np.arange(len(s)), right] = -np.inf
    return np.argsort(-s, axis=1, kind="stable")[:, skip:k]
# %% wrong="right scored 0" says="right passage"
def hard_negatives(scores, right, k, skip=0):
    s = scores.copy()
    s[np.arange(len(s)), right] = 0
    return np.argsort(-s, axis=1, kind="stable")[:, skip : skip + k]
# %% wrong="first one thought right" says="best" of="the right one kept"
#~ skip : => 1 + skip : 1 +
# %% wrong="whole columns struck out" says="only its own" of="ends at k"
#~ np.arange(len(s)) => :
#~ skip:k => skip : skip + k
# %% wrong="skip before the right is removed" says="right passage was counted" of="index 0 taken for none"
#-     return np.array([[i for i in row if i != r or not r][skip : skip + k] for row, r in zip(order, right)])
#+     return np.array([[p for p in row[skip:] if p != r][:k] for row, r in zip(order, right)])
# %% wrong="partition without order" says="best first" of="ends at k"
#-     return np.argsort(-s, axis=1, kind="stable")[:, skip:k]
#+     best = np.argsort(-s, axis=1, kind="stable")[:, skip : skip + k]
#+     return np.sort(best, axis=1)
# %% wrong="the scores" says="indices" of="ends at k"
#~ np.argsort(-s, axis=1, kind="stable")[:, skip:k] => -np.sort(-s, axis=1)[:, skip : skip + k]
# %% wrong="right deleted, indices shifted" says="index"
def hard_negatives(scores, right, k, skip=0):
    rows = [np.delete(row, r) for row, r in zip(scores, right)]
    return np.array([np.argsort(-row, kind="stable")[skip : skip + k] for row in rows])
# %% right="lists, another way"
def hard_negatives(scores, right, k, skip=0):
    out = []
    for row, r in zip(scores.tolist(), right.tolist()):
        order = sorted((i for i in range(len(row)) if i != r), key=lambda i: (-row[i], i))
        out.append(order[skip : skip + k])
    return np.array(out)
# %% right="lexsort and a mask"
def hard_negatives(scores, right, k, skip=0):
    order = np.lexsort((np.broadcast_to(np.arange(scores.shape[1]), scores.shape), -scores), axis=1)
    rest = order[order != right[:, None]].reshape(len(scores), -1)
    return rest[:, skip : skip + k]
# %% wrong="a sort that is not stable" says="many equal scores" of="the plain way"
#~ scores = scores.astype(float) => scores = scores.copy()
#~ return np.argsort(scores, axis=1, kind="stable")[:, skip : skip + k] => return np.argsort(-scores, axis=1)[:, skip : skip + k]
# %% wrong="index 0 taken for none" says="0 is an index"
def hard_negatives(scores, right, k, skip=0):
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.array([[i for i in row if i != r or not r][skip : skip + k] for row, r in zip(order, right)])
# %% right="NaN is sorted last"
def hard_negatives(scores, right, k, skip=0):
    lower = -scores.astype(float)
    lower[np.arange(len(lower)), right] = np.nan
    return np.argsort(lower, axis=1, kind="mergesort")[:, skip:][:, :k].astype(np.int32)
# %% wrong="compared in float32" says="nearly equal scores became equal"
def hard_negatives(scores, right, k, skip=0):
    table = np.array(scores, dtype=np.float32)
    table[np.arange(len(table)), right] = -np.inf
    return np.argsort(-table, axis=1, kind="stable")[:, skip : skip + k]
# %% wrong="right scored as the smallest" says="smallest score of all" of="right scored 0"
#~ s[np.arange(len(s)), right] = 0 => s[np.arange(len(s)), right] = s.min()
# %% wrong="right scored as the smallest of its row" says="smallest score of its row" of="right scored 0"
#~ s[np.arange(len(s)), right] = 0 => s[np.arange(len(s)), right] = s.min(axis=1)
# %% wrong="right scored -1" says="got the score -1" of="right scored 0"
#~ s[np.arange(len(s)), right] = 0 => s[np.arange(len(s)), right] = -1
# %% wrong="right scored infinity" says="came first" of="right scored 0"
#~ s[np.arange(len(s)), right] = 0 => s[np.arange(len(s)), right] = np.inf
# %% wrong="all the rest" says="k are asked" of="skips groups of k"
#~ return np.argsort(-s, axis=1, kind="stable")[:, skip * k : skip * k + k] => return np.argsort(-s, axis=1, kind="stable")[:, skip:]
# %% wrong="skips groups of k" says="not over groups of k"
def hard_negatives(scores, right, k, skip=0):
    s = scores.copy()
    s[np.arange(len(s)), right] = -np.inf
    return np.argsort(-s, axis=1, kind="stable")[:, skip * k : skip * k + k]
# %% wrong="equals of the right one struck out" says="with the score of the right one"
def hard_negatives(scores, right, k, skip=0):
    own = scores[np.arange(len(scores)), right][:, None]
    return np.argsort(-np.where(scores == own, -np.inf, scores), axis=1, kind="stable")[:, skip : skip + k]
# %% wrong="a slice that ends at -0" says="ends at -0 is empty"
#~ np.argsort(-scores, axis=1, kind="stable")[:, skip : skip + k] => np.argsort(-scores, axis=1, kind="stable")[:, ::-1][:, -skip - k : -skip][:, ::-1]
# %% wrong="ascending, minus infinity first" says="the smallest scores came first, minus infinity among them" of="the plain way"
#~ argsort(scores => argsort(scores + 0.0
# %% wrong="sorted by the default way" says="does not keep the order of equal scores" clause="passages with equal scores come in the order of their indices"
#~ kind="stable" => kind=None
# %% wrong="compared to six digits" says="made float32, or rounded" clause="are compared exactly: two scores tie only if they are the very same number."
#~ np.argsort(-scores, axis=1 => np.argsort(-scores.round(6), axis=1
