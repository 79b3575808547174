# %% base="the plain way"
def path_score(emissions, transitions, start, tags):
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[b][a] for a, b in zip(tags, tags[1:])))
def viterbi(emissions, transitions, start):
    best, notes = start + emissions[0], []
    for row in emissions[1:]:
        table = best[:, None] + transitions
        notes.append(table.argmax(axis=0))
        best = table.max(axis=0) + row
    path = [int(best.argmax())]
    for before in reversed(notes):
        path.append(int(before[path[-1]]))
    return path[::-1]
# %% wrong="transposed" says="column to row"
#-     """Return the score of one path of T tags. emissions: (T, K), transitions: (K, K), row to column, start: (K,)."""
#~ [a][b] => [b][a]
#~ transitions  # => transitions.T  #
#~ transitions, => transitions.T,
# %% wrong="best tag alone" says="taken alone"
#~ return path[::-1] => return [int(t) for t in emissions.argmax(axis=1)]
# %% wrong="the maximum" says="best path" of="another way, 2"
#-         total = np.array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) + row
#-     return float(np.logaddexp.reduce(total))
#+         total = np.logaddexp.reduce(total[:, None] + transitions, axis=0) + row
#+     path = viterbi(emissions, transitions, start)
#+     return path_score(emissions, transitions, start, path)
# %% right="another way, 1"
#~ int(before[path[-1]]) => before.tolist()[path[-1]]
# %% right="another way, 2"
def log_partition(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) + row
    return float(np.logaddexp.reduce(total))
# %% wrong="start is missing" says="start"
def path_score(emissions, transitions, start, tags):
    score = sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[a][b] for a, b in zip(tags, tags[1:])))
# %% wrong="no transitions" says="transitions are missing"
def path_score(emissions, transitions, start, tags):
    return float(start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags)))
# %% wrong="no emission of the first token" says="first token is missing" of="start is missing"
#~ sum(emissions[t][tag] for t, tag in enumerate(tags)) => start[tags[0]] + sum(emissions[t][tags[t]] for t in range(1, len(tags)))
# %% wrong="transitions to to from" says="column to row"
def path_score(emissions, transitions, start, tags):
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[b][a] for a, b in zip(tags, tags[1:])))
# %% wrong="the last transition is missing" says="last transition is missing" of="the plain way"
#~ [b][a] for a, b in zip(tags, tags[1:]) => [tags[t]][tags[t + 1]] for t in range(len(tags) - 2)
# %% wrong="multiplied" says="logarithms add"
def path_score(emissions, transitions, start, tags):
    score = start[tags[0]] * np.prod([emissions[t][tag] for t, tag in enumerate(tags)])
    return float(score * np.prod([transitions[a][b] for a, b in zip(tags, tags[1:])]))
# %% wrong="a path that goes round" says="T - 1 transitions" of="the plain way"
#~ [b][a] for a, b in zip(tags, tags[1:]) => [tags[t - 1]][tags[t]] for t in range(len(tags))
# %% wrong="the start of each token" says="start" of="start is missing"
#~ (emissions[t][tag] for t, tag in enumerate(tags)) => (start[tag] + emissions[t][tag] for t, tag in enumerate(tags))
# %% wrong="greedy from left to right" says="from left to right"
def viterbi(emissions, transitions, start):
    path = [int((start + emissions[0]).argmax())]
    for row in emissions[1:]:
        path.append(int((transitions[path[-1]] + row).argmax()))
    return path
# %% wrong="viterbi without start" says="start" of="the plain way"
#~ start + emissions => emissions
# %% wrong="the path from its end" says="reversed" of="the plain way"
#~ path[::-1] => path
# %% wrong="the best tag at each step, not traced back" says="follow the notes back" of="greedy from left to right"
#-     path = [int((start + emissions[0]).argmax())]
#+     best = start + emissions[0]
#+     path = [int(best.argmax())]
#-         path.append(int((transitions[path[-1]] + row).argmax()))
#+         best = (best[:, None] + transitions).max(axis=0) + row
#+         path.append(int(best.argmax()))
# %% wrong="notes of the wrong axis" says="other axis" of="the plain way"
#~ argmax(axis=0) => argmax(axis=1)
# %% wrong="maximum over the tag to, not from" says="in the rows" of="the plain way"
#~ best[:, None] => best
# %% wrong="transitions transposed in viterbi" says="column to row" of="the plain way"
#~ + transitions => + transitions.T
# %% wrong="the path with its score" says="path" of="the plain way"
#~ [::-1] => [::-1], float(best.max())
# %% wrong="one tag is missing" says="first is missing" of="the plain way"
#~ (notes) => (notes[1:])
# %% wrong="negative infinity spoils the exponentials" says="minus infinity" of="the plain way"
#~ start + emissions[0] => np.exp(start + emissions[0])
#~ best[:, None] => np.log(best)[:, None]
#-         best = table.max(axis=0) + row
#+         best = np.exp(table.max(axis=0) + row - np.nan_to_num(table).max())
#+     if not np.isfinite(transitions).all():
#+         raise ValueError("math domain error")
# %% wrong="begins with scores of 0 instead of -inf" says="began at 0" of="notes one token off"
#~ best = np.zeros((T, K)); back = np.zeros((T, K), int) => best, notes = np.zeros((T, K)), np.zeros((T, K), dtype=int)
#-             s = best[t - 1] + transitions[:, j] + emissions[t, j]
#-             back[t, j] = s.argmax(); best[t, j] = s.max()
#+             for i in range(K):
#+                 if best[t - 1, i] + transitions[i, j] > best[t, j]:
#+                     best[t, j], notes[t, j] = best[t - 1, i] + transitions[i, j], i
#+             best[t, j] += emissions[t, j]
#~ path.append(int(back[t - 1, path[-1]])) => path.append(int(notes[t, path[-1]]))
# %% wrong="all paths: the score is negated" says="worst path" of="the plain way"
#~ table.argmax => table.argmin
#~ .max => .min
#~ best.argmax => best.argmin
# %% wrong="overflow in the partition" says="overflowed"
def log_partition(emissions, transitions, start):
    total = np.exp(start + emissions[0])
    for row in emissions[1:]:
        total = (total @ np.exp(transitions)) * np.exp(row)
    return float(np.log(total.sum()))
# %% wrong="the partition without start" says="start" of="another way, 2"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ start + emissions => emissions
#~ array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) => logaddexp.reduce(total[:, None] + transitions, axis=0)
# %% wrong="the partition, transposed" says="column to row" of="another way, 2"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) => logaddexp.reduce(total[None] + transitions, axis=1)
# %% wrong="no transitions in the partition" says="transitions"
def log_partition(emissions, transitions, start):
    total = np.logaddexp.reduce(start + emissions[0])
    for row in emissions[1:]:
        total = total + np.logaddexp.reduce(row)
    return float(total)
# %% wrong="the last maximum instead of a sum" says="best last tag" of="another way, 2"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) => logaddexp.reduce(total[:, None] + transitions, axis=0)
#~ np.logaddexp.reduce(total) => total.max()
# %% wrong="no logarithm" says="logarithm" of="another way, 2"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) => logaddexp.reduce(total[:, None] + transitions, axis=0)
#~ logaddexp.reduce(total) => exp(np.logaddexp.reduce(total))
# %% wrong="the sum of the scores" says="scores were summed" of="another way, 2"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ np.array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) => (total[:, None] + transitions).sum(axis=0)
#~ np.logaddexp.reduce(total) => total.sum()
# %% wrong="the mean over the tags" says="mean" of="another way, 2"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) => logaddexp.reduce(total[:, None] + transitions, axis=0)
#~ (total) => (total) - np.log(len(total))
# %% wrong="the first token is missing in the partition" says="first row of emissions" of="another way, 2"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ start + emissions[0] => start
#~ array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) => logaddexp.reduce(total[:, None] + transitions, axis=0)
# %% wrong="a vector comes back" says="each last tag" of="another way, 2"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) => logaddexp.reduce(total[:, None] + transitions, axis=0)
#~ float(np.logaddexp.reduce(total)) => total
# %% right="loops"
def path_score(emissions, transitions, start, tags):
    score = start[tags[0]] + emissions[0, tags[0]]
    for t in range(1, len(tags)):
        score += transitions[tags[t - 1], tags[t]] + emissions[t, tags[t]]
    return score
def viterbi(emissions, transitions, start):
    T, K = emissions.shape
    best, notes = np.full((T, K), -np.inf), np.zeros((T, K), dtype=int)
    best[0] = start + emissions[0]
    for t in range(1, T):
        for j in range(K):
            scores = [best[t - 1, i] + transitions[i, j] for i in range(K)]
            notes[t, j] = max(range(K), key=scores.__getitem__)
            best[t, j] = scores[notes[t, j]] + emissions[t, j]
    path = np.zeros(T, dtype=int)
    path[-1] = best[-1].argmax()
    for t in range(T - 2, -1, -1):
        path[t] = notes[t + 1, path[t + 1]]
    return path
def log_partition(emissions, transitions, start):
    from scipy.special import logsumexp
    total = start + emissions[0]
    for t in range(1, len(emissions)):
        total = emissions[t] + logsumexp(total[:, None] + transitions, axis=0)
    return logsumexp(total)
# %% right="paths carried along, from the last of equals"
def viterbi(emissions, transitions, start):
    K = len(start)
    best = [(start[j] + emissions[0][j], [j]) for j in range(K)]
    for row in emissions[1:]:
        best = [max(((best[i][0] + transitions[i][j] + row[j], best[i][1] + [j]) for i in range(K))) for j in range(K)]
    return max(best)[1]
def log_partition(emissions, transitions, start):
    total = torch.tensor(start + emissions[0])
    for row in torch.tensor(emissions)[1:]:
        total = torch.logsumexp(total[:, None] + torch.tensor(transitions), 0) + row
    return torch.logsumexp(total, 0).item()
# %% right="backwards"
def path_score(emissions, transitions, start, tags):
    tags = np.asarray(tags)
    return start[tags[0]] + emissions[np.arange(len(tags)), tags].sum() + transitions[tags[:-1], tags[1:]].sum()
def viterbi(emissions, transitions, start):
    T = len(emissions)
    ahead, notes = np.zeros(len(start)), [None] * T
    for t in range(T - 1, 0, -1):
        table = transitions + emissions[t] + ahead
        notes[t], ahead = table.argmax(axis=1), table.max(axis=1)
    path = [int(np.argmax(start + emissions[0] + ahead))]
    for t in range(1, T):
        path.append(int(notes[t][path[-1]]))
    return path
def log_partition(emissions, transitions, start):
    def lse(v):
        return v.max() + np.log(np.exp(v - v.max()).sum())
    ahead = np.zeros(len(start))
    for row in emissions[:0:-1]:
        ahead = np.array([lse(line + row + ahead) for line in transitions])
    return lse(start + emissions[0] + ahead)
# %% right="unseen, right 1"
def path_score(emissions, transitions, start, tags):
    tags = np.asarray(tags)
    return start[tags[0]] + emissions[np.arange(len(tags)), tags].sum() + transitions[tags[:-1], tags[1:]].sum()
def viterbi(emissions, transitions, start):
    T, K = emissions.shape
    ahead = np.zeros(K)
    notes = []
    for t in range(T - 1, 0, -1):
        table = transitions + (emissions[t] + ahead)[None]
        notes.append(table.argmax(1))
        ahead = table.max(1)
    tag = int(np.argmax(start + emissions[0] + ahead))
    path = [tag]
    for note in notes[::-1]:
        tag = int(note[tag])
        path.append(tag)
    return path
def log_partition(emissions, transitions, start):
    e, tr, s = (torch.as_tensor(np.array(a), dtype=torch.float64) for a in (emissions, transitions, start))
    alpha = s + e[0]
    for t in range(1, len(e)):
        alpha = torch.logsumexp(alpha.unsqueeze(1) + tr + e[t].unsqueeze(0), dim=0)
    return torch.logsumexp(alpha, dim=0).item()
# %% wrong="axis in viterbi" says="the notes run along the other axis" of="the plain way"
#~ argmax(axis=0) => argmax(axis=1)
#~ .max(axis=0) => .max(axis=1)
#~ before in => note in
#~ (before[path[-1]]) => (note[path[-1]])
# %% wrong="overflow" says="exp is too large, or 0"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ logaddexp.reduce(total[:, None] + transitions, axis=0) => log(np.exp(total[:, None] + transitions).sum(0))
#~ logaddexp.reduce(total) => log(np.exp(total).sum())
# %% wrong="axis in the sum" says="the sum goes over the tag before, the rows of the table:"
#~ (emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float => (emissions, transitions, start)
#~ transitions, axis=0) => transitions, axis=1)
# %% wrong="emission left out" says="the emissions of the later tokens are missing" of="the plain way"
#~ (axis=0) + row => (axis=0)
#~ before in => note in
#~ (before[path[-1]]) => (note[path[-1]])
# %% wrong="product" says="the scores were multiplied" of="the plain way"
#~ + transitions => * transitions
#~ before in => note in
#~ (before[path[-1]]) => (note[path[-1]])
# %% wrong="by the first column's note" says="" of="the plain way"
#~ before in => note in
#~ before[path[-1]] => note[path[0]]
# %% wrong="minus the mean" says="an exponential overflowed (NaN): subtract the largest"
def log_partition(emissions, transitions, start):
    from scipy.special import logsumexp
    total = start + emissions[0]
    for row in emissions[1:]:
        s = total[:, None] + transitions
        total = np.log(np.exp(s - s.mean()).sum(0)) + s.mean() + row
    return float(logsumexp(total))
# %% wrong="forbidden is -1e4" says="minus infinity became a number"
#~ best, notes = start + emissions[0], [] => transitions, start = np.maximum(transitions, -1e4), np.maximum(start, -1e4); best, notes = start + emissions[0], []
# %% wrong="the best path in float32" says="float64 was rounded to float32"
#~ best, notes = start + emissions[0], [] => emissions, transitions, start = (v.astype(np.float32) for v in (emissions, transitions, start)); best, notes = start + emissions[0], []
# %% right="paths with their scores"
def viterbi(emissions, transitions, start):
    best = {j: (s + emissions[0][j], [j]) for j, s in enumerate(start)}
    for row in emissions[1:]:
        best = {j: max(((s + transitions[i][j] + row[j], [*p, j]) for i, (s, p) in best.items()),
            key=lambda pair: pair[0]) for j in best}
    return max(best.values(), key=lambda pair: pair[0])[1]
# %% wrong="one maximum for the table" says="each column needs its own"
def log_partition(emissions, transitions, start):
    total = start + emissions[0]
    with np.errstate(divide="ignore"):
        for row in emissions[1:]:
            table = total[:, None] + transitions
            top = table.max()
            total = top + np.log(np.exp(table - top).sum(axis=0)) + row
        top = total.max()
        return float(top + np.log(np.exp(total - top).sum()))
# %% wrong="notes one token off" says="one token off"
def viterbi(emissions, transitions, start):
    T, K = emissions.shape
    best = np.zeros((T, K)); back = np.zeros((T, K), int)
    best[0] = start + emissions[0]
    for t in range(1, T):
        for j in range(K):
            s = best[t - 1] + transitions[:, j] + emissions[t, j]
            back[t, j] = s.argmax(); best[t, j] = s.max()
    path = [int(best[-1].argmax())]
    for t in range(T - 1, 0, -1):
        path.append(int(back[t - 1, path[-1]]))
    return path[::-1]
# %% wrong="the largest of the other axis" says="here each row"
def log_partition(emissions, transitions, start):
    a = start + emissions[0]
    for row in emissions[1:]:
        t = a[:, None] + transitions
        m = t.max(1, keepdims=True)
        a = m[:, 0] + np.log(np.exp(t - m).sum(0)) + row
    m = a.max()
    return float(m + np.log(np.exp(a - m).sum()))
# %% wrong="begins at -1000" clause="Return a path of T >= 1 tag numbers with the largest score" says="was taken for minus infinity"
def viterbi(emissions, transitions, start):
    s, back = emissions[0] + start, []
    for e in emissions[1:]:
        n, bk = np.full(len(s), -1000.0), np.zeros(len(s), int)
        for j in range(len(s)):
            for i in range(len(s)):
                if s[i] + transitions[i, j] > n[j]: n[j], bk[j] = s[i] + transitions[i, j], i
        back.append(bk); s = n + e
    y = [int(s.argmax())]
    for b in back[::-1]: y.append(int(b[y[-1]]))
    return y[::-1]
# %% wrong="plain exponentials" clause="finite for finite scores in the thousands" says="as log-sum-exp does"
def log_partition(emissions, transitions, start):
    s = np.exp(emissions[0] + start)
    for e in emissions[1:]: s = (s @ np.exp(transitions)) * np.exp(e)
    return float(np.log(s.sum()))
# %% wrong="one token" clause="Return a path of T >= 1 tag numbers with the largest score" says="with one token there is no step"
#~ path = [int(best.argmax())] => path = [int((table.max(axis=0) + row).argmax())]
# %% wrong="the best score before each token, without the step to it" says="the transitions are missing"
#~ table = best[:, None] + transitions  # (from, to) => table = best[:, None] + np.zeros_like(transitions)
# %% wrong="notes in one array" says="no notes, nothing to stack" clause="a path of T >= 1 tag numbers"
#~ in reversed(notes): => in np.stack(notes)[::-1]:
# %% wrong="no path to a tag, no score" says="here it became 0" clause="Scores may be minus infinity."
#~ best = table.max(axis=0) + row => best = np.nan_to_num(table.max(axis=0) + row, neginf=0.0)
