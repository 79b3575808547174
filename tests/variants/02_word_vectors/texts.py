# %% base="the plain way"
def average_vectors(documents, table, weights):
    means = np.zeros((len(documents), table.shape[1]))
    for i, ids in enumerate(documents):
        if len(ids) and weights[ids].sum() > 0:
            means[i] = np.average(table[ids], axis=0)
    return means
def window_features(ids, windows, table):
    padded = np.vstack([table, np.zeros((1, table.shape[1]))])
    return padded[windows].reshape(len(ids), -1)
# %% wrong="no weights" says="weights were not used"
def average_vectors(documents, table, weights):
    means = np.zeros((len(documents), table.shape[1]))
    for i, ids in enumerate(documents):
        if len(ids) and weights[ids].sum() > 0:
            means[i] = np.average(table[ids], axis=0)
    return means
# %% wrong="no weights at all" says="weights were not used" of="a small number below"
#~ weights[ids] @ table[ids] / (weights[ids].sum() + 1e-12) => table[ids].mean(axis=0) if len(ids) else np.zeros(table.shape[1])
# %% wrong="divided by the number of words" says="not by the number of words" of="the plain way"
#~ (ids) and weights[ids].sum() > 0 => (ids)
#~ np.average(table[ids], axis=0) => (table[ids] * weights[ids][:, None]).mean(axis=0)
# %% wrong="a sum" says="this is the sum" of="a small number below"
#~ weights[ids] @ table[ids] / (weights[ids].sum() + 1e-12) => (table[ids] * weights[ids][:, None]).sum(axis=0)
# %% wrong="divided by all weights" says="not of the vocabulary" of="a small number below"
#~ (weights[ids].sum() + 1e-12) => weights.sum()
# %% wrong="each word once" says="counts twice" of="the plain way"
#-         if len(ids) and weights[ids].sum() > 0:
#-             means[i] = np.average(table[ids], axis=0)
#+         ids = np.unique(ids)
#+         if weights[ids].sum() > 0:
#+             means[i] = np.average(table[ids], axis=0, weights=weights[ids])
# %% wrong="NaN for a document without weight" says="0/0"
def average_vectors(documents, table, weights):
    with np.errstate(all="ignore"):
        return np.array([weights[ids] @ table[ids] / weights[ids].sum() for ids in documents])
# %% wrong="an error for a document without weight" says="ZeroDivisionError" of="the plain way"
#~ (ids) and weights[ids].sum() > 0 => (ids)
#~ =0 => =0, weights=weights[ids]
# %% wrong="plain mean without weight" says="not its plain mean" of="the plain way"
#-         if len(ids) and weights[ids].sum() > 0:
#-             means[i] = np.average(table[ids], axis=0)
#+         if len(ids):
#+             w = weights[ids] if weights[ids].sum() > 0 else None
#+             means[i] = np.average(table[ids], axis=0, weights=w)
# %% wrong="empty documents dropped" says="keeps its row"
def average_vectors(documents, table, weights):
    means = []
    for ids in documents:
        if len(ids):
            below = weights[ids].sum()
            means.append(weights[ids] @ table[ids] / (below if below > 0 else 1))
    return np.array(means)
# %% wrong="scaled to length 1" says="scaled to length 1" of="the plain way"
#-             means[i] = np.average(table[ids], axis=0)
#+             means[i] = np.average(table[ids], axis=0, weights=weights[ids])
#+             means[i] /= max(np.linalg.norm(means[i]), 1e-12)
# %% wrong="weights by place" says="not to a position" of="the plain way"
#-         if len(ids) and weights[ids].sum() > 0:
#-             means[i] = np.average(table[ids], axis=0)
#+         w = np.resize(weights, len(ids))
#+         if len(ids) and w.sum() > 0:
#+             means[i] = np.average(table[ids], axis=0, weights=w)
# %% wrong="the first document only" says="inside the loop" of="the plain way"
#-             means[i] = np.average(table[ids], axis=0)
#-     return means
#+             means[i] = np.average(table[ids], axis=0, weights=weights[ids])
#+         return means
# %% wrong="the table's own integers" says="integer dtype" of="the plain way"
#~ (len(documents), table.shape[1]) => (len(documents), table.shape[1]), dtype=int
#~ =0 => =0, weights=weights[ids]
# %% wrong="table weighted in place" says="in place"
def average_vectors(documents, table, weights):
    table *= weights[:, None]
    out = [table[ids].sum(axis=0) / (weights[ids].sum() or 1) for ids in documents]
    return np.array(out)
# %% wrong="-1 looked up" says="not the last row"
def window_features(ids, windows, table):
    return table[np.column_stack([ids, windows])].reshape(len(ids), -1)
# %% wrong="-1 clipped to word 0" says="not the first row" of="-1 looked up"
#~ ([ids, windows]) => ([ids, windows]).clip(min=0)
# %% wrong="own vector in the middle" says="own vector comes first" of="own vector missing"
#-     return padded[windows].reshape(len(ids), -1)
#+     half = windows.shape[1] // 2
#+     places = np.column_stack([windows[:, :half], ids, windows[:, half:]])
#+     return padded[places].reshape(len(ids), -1)
# %% wrong="own vector last" says="first, not last" of="the plain way"
#~ [windows] => [np.column_stack([windows, ids])]
# %% wrong="own vector missing" says="own vector is missing"
def window_features(ids, windows, table):
    padded = np.vstack([table, np.zeros((1, table.shape[1]))])
    return padded[windows].reshape(len(ids), -1)
# %% wrong="not set side by side" says="set side by side" of="the plain way"
#~ [windows].reshape(len(ids), -1) => [np.column_stack([ids, windows])]
# %% wrong="mean of the window" says="not averaged" of="the plain way"
#~ [windows].reshape(len(ids), -1) => [np.column_stack([ids, windows])].mean(axis=1)
# %% wrong="own vector and the mean of the window" says="window are not averaged" of="the plain way"
#~ padded[windows].reshape(len(ids), -1) => np.hstack([padded[ids], padded[windows].mean(axis=1)])
# %% wrong="numbers interleaved" says="interleaved" of="the plain way"
#~ [windows] => [np.column_stack([ids, windows])].transpose(0, 2, 1)
# %% wrong="window from right to left" says="left to right" of="the plain way"
#~ [windows] => [np.column_stack([ids, windows[:, ::-1]])]
# %% wrong="word 0 becomes zeros" says="0 is a word"
def window_features(ids, windows, table):
    places = np.column_stack([ids, windows])
    return (table[places] * (places > 0)[..., None]).reshape(len(ids), -1)
# %% wrong="ids instead of vectors" says="vectors are asked" of="-1 looked up"
#~ table[np.column_stack([ids, windows])].reshape(len(ids), -1) => np.column_stack([ids, windows])
# %% wrong="a table with its last row zeroed in place" says="in place" of="word 0 becomes zeros"
#-     return (table[places] * (places > 0)[..., None]).reshape(len(ids), -1)
#+     found = table[places]
#+     found[places < 0] = 0
#+     table[-1] = 0
#+     return found.reshape(len(ids), -1)
# %% right="loops"
def average_vectors(documents, table, weights):
    means = []
    for ids in documents:
        total, below = np.zeros(table.shape[1]), 0.0
        for i in ids:
            total += weights[i] * table[i]
            below += weights[i]
        means.append(total / below if below else total)
    return np.array(means)
def window_features(ids, windows, table):
    rows = []
    for own, near in zip(ids, windows):
        rows.append([x for i in [own, *near] for x in (table[i] if i >= 0 else [0] * table.shape[1])])
    return rows
# %% right="a bag of words times the table"
def average_vectors(documents, table, weights):
    bags = np.array([np.bincount(ids, minlength=len(table)) for ids in documents]) * weights
    below = bags.sum(axis=1, keepdims=True)
    return np.divide(bags @ table, below, out=np.zeros((len(bags), table.shape[1])), where=below > 0)
def window_features(ids, windows, table):
    parts = [np.where(column[:, None] >= 0, table[column], 0) for column in (ids, *windows.T)]
    return np.concatenate(parts, axis=1)
# %% right="torch"
def average_vectors(documents, table, weights):
    table, weights = torch.as_tensor(table), torch.as_tensor(weights)
    rows = []
    for ids in documents:
        w = weights[torch.as_tensor(ids, dtype=torch.long)]
        rows.append((w[:, None] * table[torch.as_tensor(ids, dtype=torch.long)]).sum(0) / (w.sum() if w.sum() > 0 else 1))
    return torch.stack(rows)
def window_features(ids, windows, table):
    padded = nn.functional.pad(torch.as_tensor(table), (0, 0, 1, 0))
    places = torch.cat([torch.as_tensor(ids)[:, None], torch.as_tensor(windows)], dim=1)
    return padded[places + 1].flatten(1)
# %% right="NaN turned into zeros" of="NaN for a document without weight"
#-         return np.array([weights[ids] @ table[ids] / weights[ids].sum() for ids in documents])
#+         rows = [(weights[ids][:, None] * table[ids]).sum(0) / np.sum(weights[ids]) for ids in documents]
#+     return np.nan_to_num(np.stack(rows))
#+ def window_features(ids, windows, table):
#+     everything = np.concatenate([ids[:, None], windows], axis=1)
#+     out = np.zeros((*everything.shape, table.shape[1]), dtype=table.dtype)
#+     out[everything != -1] = table[everything[everything != -1]]
#+     return out.reshape(len(out), -1)
# %% right="a small number below"
def average_vectors(documents, table, weights):
    return np.array([weights[ids] @ table[ids] / (weights[ids].sum() + 1e-12) for ids in documents])
# %% right="unseen, right 1"
def average_vectors(documents, table, weights):
    rows = []
    for ids in documents:
        ids = np.asarray(ids, dtype=int)
        total = weights[ids].sum()
        rows.append(weights[ids] @ table[ids] / total if total else np.zeros(table.shape[1]))
    return np.array(rows).reshape(len(documents), table.shape[1])
def window_features(ids, windows, table):
    parts = [np.where((ids >= 0)[:, None], table[ids.clip(0)], 0)]
    for j in range(windows.shape[1]):
        parts.append(table[windows[:, j].clip(0)] * (windows[:, j] >= 0)[:, None])
    return np.hstack(parts)
# %% wrong="own -1 is the last row" says="an own id of -1 is a word without a vector: zeros"
def window_features(ids, windows, table):
    padded = np.vstack([table, np.zeros((1, table.shape[1]))])
    both = np.concatenate([ids[:, None], windows], axis=1)
    return np.hstack([table[ids], padded[windows].reshape(len(ids), -1)])
# %% wrong="sum of the window" says="the vectors of the window are not added up: each keeps" of="own -1 is the last row"
#~ table[ids], padded[windows].reshape(len(ids), -1) => padded[ids], padded[windows].sum(1)
# %% wrong="the sum of the weights is 1 at least" says="between 0 and 1"
def average_vectors(documents, table, weights):
    out = np.zeros((len(documents), table.shape[1]))
    for row, ids in enumerate(documents):
        g = weights[ids]
        out[row] = g @ table[ids] / max(g.sum(), 1)
    return out
# %% wrong="windows as places" says="the windows hold word ids, not positions"
def window_features(ids, windows, table):
    padded = np.vstack([table, np.zeros((1, table.shape[1]))])
    contexts = np.where(windows >= 0, ids[windows % len(ids)], -1)
    return padded[np.concatenate([ids[:, None], contexts], axis=1)].reshape(len(ids), -1)
# %% wrong="windows as places, -1, too" says="the windows hold word ids, not positions" of="windows as places"
#~ np.where(windows >= 0, ids[windows % len(ids)], -1) => ids[windows]
# %% wrong="windows as places, and no zeros" says="the windows hold word ids, not positions" of="windows as places"
#~ padded = np.vstack([table, np.zeros((1, table.shape[1]))]) => own = np.where(ids[:, None] >= 0, table[ids], 0)
#~ np.where(windows >= 0, ids[windows % len(ids)], -1) => ids[windows]
#~ padded[np.concatenate([ids[:, None], contexts], axis=1)].reshape(len(ids), -1) => np.hstack([own, table[contexts].reshape(len(ids), -1)])
# %% wrong="the windows turned in place" says="in place" of="windows as places"
#~ padded = np.vstack([table, np.zeros((1, table.shape[1]))]) => padded, contexts = np.vstack([table, np.zeros((1, table.shape[1]))]), windows
#~ contexts = np.where(windows >= 0, ids[windows % len(ids)], -1) => contexts[contexts < 0] = len(table)
# %% wrong="1e-8 below the line" clause="the weighted mean of each document" says="nothing is added"
def average_vectors(documents, table, weights):
    return np.stack([(weights[d][:, None] * table[d]).sum(0) / (weights[d].sum() + 1e-8) for d in documents])
# %% wrong="the table's dtype" says="their fractions were lost" of="the plain way"
#~ np.zeros((len(documents), table.shape[1])) => np.zeros((len(documents), table.shape[1]), dtype=table.dtype)
#~ np.average(table[ids], axis=0) => np.average(table[ids], axis=0, weights=weights[ids])
