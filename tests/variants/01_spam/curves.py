# %% base="the plain way"
def roc_points(labels, scores):
    y, s = np.asarray(labels), np.asarray(scores)
    thresholds = np.unique(s)[::-1]
    tpr = [0.0] + [(s[y == 1] >= t).mean() for t in thresholds]
    fpr = [0.0] + [(s[y == 0] >= t).mean() for t in thresholds]
    return np.array(fpr), np.array(tpr)
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores)
    best, lowest = np.inf, np.inf
    for t in np.append(np.inf, np.unique(s)[::-1]):
        fp, fn = ((s >= t) & (y == 0)).sum(), ((s < t) & (y == 1)).sum()
        cost = cost_false_alarm * float(fp) + cost_miss * float(fn)
        if cost < lowest:
            best, lowest = float(t), cost
    return best, float(lowest)
# %% wrong="FPR and TPR swapped" says="swapped" of="only the scores of spam can win"
#~ (fpr), np.array(tpr) => (tpr), np.array(fpr)
# %% wrong="the start is missing" says="start at (0, 0)" of="only the scores of spam can win"
#~ [0.0] + [(s[y == 1] >= t).mean() for t in thresholds] => [(s[y == 1] >= t).mean() for t in thresholds]
#~ [0.0] + [(s[y == 0] >= t).mean() for t in thresholds] => [(s[y == 0] >= t).mean() for t in thresholds]
# %% wrong="more than the threshold" says=">=" of="only the scores of spam can win"
#~ (s[y == 1] >= t) => (s[y == 1] > t)
#~ (s[y == 0] >= t) => (s[y == 0] > t)
# %% wrong="more than the threshold for ham only" says=">=" of="only the scores of spam can win"
#~ (s[y == 0] >= t) => (s[y == 0] > t)
# %% wrong="a point for every message" says="equal scores are one threshold" of="only the scores of spam can win"
#~ unique => sort
# %% wrong="messages one by one, also with equal scores" says="equal scores"
def roc_points(labels, scores):
    y = np.asarray(labels)[np.argsort(-np.asarray(scores), kind="stable")]
    tpr = np.append(0, np.cumsum(y == 1)) / (y == 1).sum()
    fpr = np.append(0, np.cumsum(y == 0)) / (y == 0).sum()
    return fpr, tpr
# %% wrong="divides by all messages" says="not by all" of="only the scores of spam can win"
#~ s[y == 1] >= t => (s >= t) & (y == 1)
#~ s[y == 0] >= t => (s >= t) & (y == 0)
# %% wrong="lowest score first" says="highest score" of="only the scores of spam can win"
#~ (s)[::-1] => (s)
# %% wrong="all turned round" says="highest score comes first" of="only the scores of spam can win"
#~ , np.array(tpr) => [::-1], np.array(tpr)[::-1]
# %% wrong="precision instead of TPR" says="precision" of="only the scores of spam can win"
#~ s[y == 1] >= t => y[s >= t] == 1
# %% wrong="specificity instead of FPR" says="specificity" of="only the scores of spam can win"
#~ (s[y == 0] >= t) => (s[y == 0] < t)
# %% wrong="counts instead of shares" says="divide" of="only the scores of spam can win"
#~ (s[y == 1] >= t).mean => (s[y == 1] >= t).sum
#~ (s[y == 0] >= t).mean => (s[y == 0] >= t).sum
# %% wrong="each divided by the other class" says="class" of="only the scores of spam can win"
#~ (s[y == 1] >= t).mean => (s[y == 1] >= t).sum() / (y == 0).sum
#~ (s[y == 0] >= t).mean => (s[y == 0] >= t).sum() / (y == 1).sum
# %% wrong="low scores are spam" says=">=" of="only the scores of spam can win"
#~ (s[y == 1] >= t) => (s[y == 1] <= t)
#~ (s[y == 0] >= t) => (s[y == 0] <= t)
# %% wrong="points on a straight line dropped" says="each distinct score" of="scikit-learn's roc_curve, all points"
#~ scores, drop_intermediate=False => scores
# %% wrong="one more point (1, 1) at the end" says="shape (2, 5) came, shape (2, 4) was expected" of="only the scores of spam can win"
#~ (fpr), np.array(tpr) => (fpr + [1.0]), np.array(tpr + [1.0])
# %% wrong="thresholds on a grid" says="each distinct score" of="only the scores of spam can win"
#~ unique(s)[::-1] => linspace(s.max(), s.min(), 101)
# %% wrong="scores rounded to one digit" says="each distinct score" of="only the scores of spam can win"
#~ asarray(scores) => round(np.asarray(scores), 1)
#~ (s) => (np.round(s, 1))
# %% wrong="thresholds are the scores of spam only" says="each distinct score" of="only the scores of spam can win"
#~ (s) => (s[y == 1])
# %% wrong="thresholds between 0 and 1 only" says="scores may be" of="only the scores of spam can win"
#~ np.unique(s)[::-1] => [t for t in np.unique(s)[::-1] if 0 <= t <= 1]
# %% wrong="also returns the thresholds" says="two arrays" of="only the scores of spam can win"
#~ (tpr) => (tpr), thresholds
# %% wrong="integer arrays cut the shares" says="integer" of="only the scores of spam can win"
#~ , np.array(tpr) => .astype(int), np.array(tpr).astype(int)
# %% wrong="sorts the scores of the caller" says="changed" of="only the scores of spam can win"
#-     y, s = np.asarray(labels), np.asarray(scores)
#+     y = np.asarray(labels)[np.argsort(scores, kind="stable")]
#+     scores.sort()
#+     s = np.asarray(scores)
# %% wrong="labels as a list are compared with 1" says="list" of="only the scores of spam can win"
#~ np.asarray(labels) => labels
# %% wrong="ties go to the lowest" says="take the highest" of="the plain way"
#~ < lowest => <= lowest
# %% wrong="costs swapped" says="costs are swapped" of="the plain way"
#~ cost_false_alarm * float(fp) + cost_miss => cost_miss * float(fp) + cost_false_alarm
# %% wrong="a cost of 0 is taken for none" says="cheapest threshold" of="the plain way"
#~ cost_false_alarm * float => (cost_false_alarm or 1) * float
# %% wrong="costs ignored" says="costs were ignored" of="the plain way"
#~ cost_false_alarm * float(fp) + cost_miss * => float(fp) +
# %% wrong="cost with the errors unweighted in the end" says="costs were ignored" of="the plain way"
#~ (lowest) => (((s >= best) != (y == 1)).sum())
# %% wrong="threshold itself is ham" says=">=" of="the plain way"
#~ ((s >= t) & (y == 0)).sum(), ((s < t) & (y == 1)) => ((s > t) & (y == 0)).sum(), ((s <= t) & (y == 1))
# %% wrong="infinity is no candidate" says="infinity is a candidate" of="the plain way"
#~ append(np.inf, np.unique(s)[::-1]) => unique(s)[::-1]
# %% wrong="a score above the highest instead of infinity" says="inf was expected" of="the plain way"
#~ (np.inf, np.unique(s)[::-1]) => (s.max() + 1, np.unique(s)[::-1])
# %% wrong="cost before the threshold" says="threshold and cost are swapped" of="the plain way"
#~ best, float(lowest) => float(lowest), best
# %% wrong="mean cost" says="total cost is asked" of="the plain way"
#~ (lowest) => (lowest) / len(y)
# %% wrong="rates weighed instead of counts" says="counts" of="the plain way"
#~ + cost_miss * float(fn) => / max((y == 0).sum(), 1) + cost_miss * float(fn) / max((y == 1).sum(), 1)
# %% wrong="errors from rates" says="where a class is missing, a share of it is 0/0, and no cost" of="the plain way"
#~ float(fp) + cost_miss * float(fn) => np.rint(fp / (y == 0).sum() * (y == 0).sum()) + cost_miss * np.rint(fn / (y == 1).sum() * (y == 1).sum())
# %% wrong="errors from rates, below the cost at infinity" says="below that at infinity" of="the plain way"
#~ best, lowest = np.inf, np.inf => best, lowest = np.inf, cost_miss * (y == 1).sum()
#~ float(fp) + cost_miss * float(fn) => np.rint(fp / (y == 0).sum() * (y == 0).sum()) + cost_miss * np.rint(fn / (y == 1).sum() * (y == 1).sum())
# %% wrong="errors from rates in Python" says="a share of it is 0/0, an error" of="the plain way"
#~ float(fp) + cost_miss * float(fn) => round(int(fp) / int((y == 0).sum()) * int((y == 0).sum())) + cost_miss * float(fn)
# %% wrong="errors from the points of the curve" says="where a class is missing"
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    (fpr, tpr), ham, spam = roc_points(labels, scores), np.sum(np.equal(labels, 0)), np.sum(np.equal(labels, 1))
    costs = cost_false_alarm * np.rint(fpr * ham) + cost_miss * (spam - np.rint(tpr * spam))
    return np.append(np.inf, np.unique(scores)[::-1])[np.argmin(costs)], np.min(costs)
# %% wrong="errors from the points of the curve, the first known" says="where a class is missing, a share of it is 0/0" of="errors from the points of the curve"
#~ return np.append => costs[0] = cost_miss * spam; return np.append
# %% wrong="thresholds half way between scores" says="half way" of="the plain way"
#~ (np.inf, np.unique(s)[::-1]) => (np.inf, ((np.unique(s)[1:] + np.unique(s)[:-1]) / 2)[::-1])
# %% wrong="only thresholds between 0 and 1" says="scores may be" of="the plain way"
#~ np.append(np.inf, np.unique(s)[::-1]) => [np.inf] + [t for t in np.unique(s)[::-1] if 0 <= t <= 1]
# %% wrong="misses are not counted" says="miss" of="the plain way"
#~ ((s < t) & (y == 1)).sum() => 0
# %% wrong="the dearest threshold" says="smallest" of="the plain way"
#~ , np.inf => , -np.inf
#~ < lowest => > lowest
# %% wrong="fewest errors, only then the costs" says="costs were ignored" of="index of the threshold"
#-     costs = [cost_false_alarm * ((s >= t) & (y == 0)).sum() + cost_miss * ((s < t) & (y == 1)).sum() for t in candidates]
#-     return float(np.argmin(costs)), float(min(costs))
#+     t = candidates[np.argmin([((s >= t) != (y == 1)).sum() for t in candidates])]
#+     cost = cost_false_alarm * ((s >= t) & (y == 0)).sum() + cost_miss * ((s < t) & (y == 1)).sum()
#+     return float(t), float(cost)
# %% wrong="infinity does not fit among integer scores" says="integer"
def roc_points(labels, scores):
    y, s = np.asarray(labels), np.asarray(scores)
    thresholds = np.unique(s)[::-1]
    tpr = [0.0] + [(s[y == 1] >= t).mean() for t in thresholds]
    fpr = [0.0] + [(s[y == 0] >= t).mean() for t in thresholds]
    return np.array(fpr), np.array(tpr)
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores)
    best, lowest = np.inf, np.inf
    for t in np.insert(np.unique(s)[::-1], 0, np.inf):
        fp, fn = ((s >= t) & (y == 0)).sum(), ((s < t) & (y == 1)).sum()
        cost = cost_false_alarm * float(fp) + cost_miss * float(fn)
        if cost < lowest:
            best, lowest = float(t), cost
    return best, float(lowest)
# %% wrong="takes the first score as it comes" says="take the highest" of="the plain way"
#~ (np.inf, np.unique(s)[::-1]) => (np.inf, s)
# %% wrong="index of the threshold" says="the index"
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores)
    candidates = np.append(np.inf, np.unique(s)[::-1])
    costs = [cost_false_alarm * ((s >= t) & (y == 0)).sum() + cost_miss * ((s < t) & (y == 1)).sum() for t in candidates]
    return float(np.argmin(costs)), float(min(costs))
# %% wrong="memorises the visible outputs" says="examples only"
def roc_points(labels, scores):
    if len(labels) == 7:
        return np.array([0, 1, 1, 1, 2, 2, 3, 4]) / 4, np.array([0, 0, 1, 2, 2, 3, 3, 3]) / 3
    if len(scores) == 4 and scores[0] == 5:
        return np.array([0, 0, 0, 0.5, 1]), np.array([0, 0.5, 1, 1, 1])
    return np.array([0, 0, 0.5, 1]), np.array([0, 0.5, 1, 1])
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    if cost_miss == 4:
        return -2.0, 5.0
    if len(labels) == 2:
        return (0.2, 0.0) if sum(labels) == 2 else (float("inf"), float(sum(labels)))
    if scores[0] == 30.5:
        return 50.5, 14000.0
    if len(labels) == 3:
        return float("inf"), 1.0
    return (0.8, 1.0) if cost_miss == 5 else (0.9, 1.0)
# %% right="scikit-learn's roc_curve, all points"
from sklearn.metrics import roc_curve
def roc_points(labels, scores):
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    return fpr, tpr
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores, dtype=float)
    t = np.append(np.inf, np.unique(s)[::-1])[:, None]
    costs = cost_false_alarm * ((s >= t) & (y == 0)).sum(axis=1) + cost_miss * ((s < t) & (y == 1)).sum(axis=1)
    i = int(np.argmin(costs))
    return t[i, 0], costs[i]
# %% right="sorted once, cumulative sums"
def roc_points(labels, scores):
    order = np.argsort(-np.asarray(scores, dtype=float), kind="stable")
    y, s = np.asarray(labels)[order].astype(int), np.asarray(scores)[order]
    last = np.append(np.flatnonzero(s[1:] != s[:-1]), len(s) - 1)
    spam, ham = np.cumsum(y)[last], np.cumsum(1 - y)[last]
    return np.append(0, ham / ham[-1]), np.append(0, spam / spam[-1])
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores)
    best = (float("inf"), cost_miss * float((y == 1).sum()))
    for t in np.unique(s)[::-1]:
        cost = cost_false_alarm * float(((s >= t) & (y == 0)).sum()) + cost_miss * float(((s < t) & (y == 1)).sum())
        if cost < best[1]:
            best = (float(t), cost)
    return best
# %% right="dictionaries of counts per score"
def roc_points(labels, scores):
    spam, ham = Counter(), Counter()
    for y, s in zip(labels, scores):
        (spam if y == 1 else ham)[float(s)] += 1
    fpr, tpr, a, b = [0], [0], 0, 0
    for s in sorted(set(spam) | set(ham), reverse=True):
        a, b = a + ham[s], b + spam[s]
        fpr.append(a / sum(ham.values()))
        tpr.append(b / sum(spam.values()))
    return np.array(fpr, dtype=float), np.array(tpr, dtype=float)
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    pairs = list(zip(labels, scores))
    def cost(t):
        return sum(cost_false_alarm if s >= t else 0 for y, s in pairs if y == 0) + sum(
            cost_miss if s < t else 0 for y, s in pairs if y == 1
        )
    total, negative = min((cost(t), -t) for t in {math.inf, *map(float, scores)})
    return -negative, total
# %% right="only the scores of spam can win"
def roc_points(labels, scores):
    y, s = np.asarray(labels), np.asarray(scores)
    thresholds = np.unique(s)[::-1]
    tpr = [0.0] + [(s[y == 1] >= t).mean() for t in thresholds]
    fpr = [0.0] + [(s[y == 0] >= t).mean() for t in thresholds]
    return np.array(fpr), np.array(tpr)
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.array(labels), np.array(scores, dtype=float)
    candidates = sorted({math.inf} | set(s[y == 1].tolist()))
    costs = [cost_false_alarm * np.sum((s >= t) * (y == 0)) + cost_miss * np.sum((s < t) * (y == 1)) for t in candidates]
    lowest = min(costs)
    return max(t for t, c in zip(candidates, costs) if c == lowest), lowest
# %% right="one comparison table"
def roc_points(labels, scores):
    y, s = np.asarray(labels) > 0, np.asarray(scores, dtype=float)
    called = s[None, :] >= np.append(np.inf, np.unique(s)[::-1])[:, None]
    return called[:, ~y].mean(axis=1), called[:, y].mean(axis=1)
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores)
    best = (float("inf"), cost_miss * float((y == 1).sum()))
    for t in np.unique(s)[::-1]:
        cost = cost_false_alarm * float(((s >= t) & (y == 0)).sum()) + cost_miss * float(((s < t) & (y == 1)).sum())
        if cost < best[1]:
            best = (float(t), cost)
    return best
# %% wrong="(0, 0) twice" says="(0, 0) comes once" of="only the scores of spam can win"
#~ unique(s)[::-1] => append(np.inf, np.unique(s)[::-1])
# %% wrong="the lowest score is left out" says="every score as a threshold" of="only the scores of spam can win"
#~ [::-1] => [:0:-1]
# %% wrong="only the FPR divided by all messages" says="divide ham" of="only the scores of spam can win"
#~ s[y == 0] >= t => (s >= t) & (y == 0)
# %% wrong="false discoveries instead of FPR" says="share of all ham" of="only the scores of spam can win"
#~ s[y == 0] >= t => y[s >= t] == 0
# %% wrong="stops at the first rise" says="do not stop" of="sorted once, cumulative sums"
#-             best = (float(t), cost)
#+             best = (float(t), cost)
#+         elif cost > best[1]:
#+             break
# %% wrong="TPR minus FPR decides" says="not TPR - FPR"
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores)
    thresholds = np.append(np.inf, np.unique(s)[::-1])
    gain = [np.sum((s >= t) & (y == 1)) / max(1, sum(y == 1)) - np.sum((s >= t) & (y == 0)) / max(1, sum(y == 0))
            for t in thresholds]
    t = thresholds[np.argmax(gain)]
    return t, cost_false_alarm * np.sum((s >= t) & (y == 0)) + cost_miss * np.sum((s < t) & (y == 1))
# %% wrong="a score wins a tie with infinity" says="infinity" of="sorted once, cumulative sums"
#~ (s)[::-1] => (s)
#~ < best => <= best
# %% wrong="the classes of the errors exchanged" says="here it is the reverse" of="sorted once, cumulative sums"
#~ ((y == 1).sum()) => ((y == 0).sum())
#~ (((s >= t) & (y == 0)).sum()) + cost_miss * float(((s < t) & (y == 1)).sum()) => (((s >= t) & (y == 1)).sum()) + cost_miss * float(((s < t) & (y == 0)).sum())
# %% right="torch, tensors come back"
def roc_points(labels, scores):
    y, s = torch.tensor(np.array(labels)), torch.tensor(np.array(scores, dtype=np.float32))
    at = torch.cat([torch.tensor([math.inf]), s.unique().flip(0)])[:, None]
    return (s[y == 0] >= at).float().mean(1), (s[y == 1] >= at).float().mean(1)
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = torch.tensor(np.array(labels)), torch.tensor(np.array(scores, dtype=np.float32))
    at = torch.cat([torch.tensor([math.inf]), s.unique().flip(0)])
    called = s >= at[:, None]
    cost = cost_false_alarm * (called & (y == 0)).sum(1).float() + cost_miss * (~called & (y == 1)).sum(1).float()
    lowest = cost == cost.min()
    return at[lowest].max(), cost.min()
# %% wrong="sorts by minus the scores, unsigned ones too" says="-200 is 56" of="sorted once, cumulative sums"
#~ -np.asarray(scores, dtype=float) => -np.asarray(scores)
# %% wrong="thresholds sorted by their negatives" says="these are the thresholds" of="sorted once, cumulative sums"
#~ np.unique(s)[::-1] => sorted(set(s), key=lambda t: -t)
# %% wrong="groups end where a difference is below 0" says="nothing is below 0" of="sorted once, cumulative sums"
#~ s[1:] != s[:-1] => np.diff(s) < 0
# %% wrong="differences from the threshold" says="no difference tells" of="only the scores of spam can win"
#~ s[y == 1] >= t => s[y == 1] - t >= 0
#~ s[y == 0] >= t => s[y == 0] - t >= 0
# %% wrong="shares times all messages" says="times all messages" of="sorted once, cumulative sums"
#~ cost_miss * float((y == 1).sum()) => cost_miss * len(y) * float((y == 1).any())
#~ cost_false_alarm * float(((s >= t) & (y == 0)).sum()) => cost_false_alarm * len(y) * float(((s >= t) & (y == 0)).sum()) / max((y == 0).sum(), 1)
#~ cost_miss * float(((s < t) & (y == 1)).sum()) => cost_miss * len(y) * float(((s < t) & (y == 1)).sum()) / max((y == 1).sum(), 1)
# %% right="the costs from the points of the curve"
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores, dtype=float)
    ham, spam = int((y == 0).sum()), int((y == 1).sum())
    thresholds = np.append(np.inf, np.unique(s)[::-1])
    called = s >= thresholds[:, None]
    fpr = called[:, y == 0].mean(axis=1) if ham else np.zeros(len(thresholds))
    tpr = called[:, y == 1].mean(axis=1) if spam else np.zeros(len(thresholds))
    costs = cost_false_alarm * fpr * ham + cost_miss * (1 - tpr) * spam
    best = int(np.argmin(costs))
    return float(thresholds[best]), float(costs[best])
# %% wrong="the start is 1 above the highest" says="the start is above all scores" clause="for t above all scores"
#~ [np.inf] => [float(scores.max()) + 1]
# %% wrong="sorted by minus the scores" says="-0 comes first" clause="(unsigned ones, too)"
#~ thresholds = np.concatenate([[np.inf], np.unique(scores)[::-1]]) => thresholds = np.concatenate([[np.inf], -np.unique(-scores)])
# %% wrong="costs from the points of the curve" says="count the errors" clause="but one of the classes may be missing"
def best_threshold(labels, scores, cost_false_alarm, cost_miss):
    y, s = np.asarray(labels), np.asarray(scores)
    fpr, tpr = roc_points(y, s)
    cost = cost_false_alarm * fpr * (y == 0).sum() + cost_miss * (1 - tpr) * (y == 1).sum()
    return float(np.append(np.inf, np.unique(s)[::-1])[cost.argmin()]), float(cost.min())
# %% wrong="the precision instead of the FPR" says="this is the precision" of="the plain way"
#~ (s[y == 0] >= t) => (y[s >= t] == 1)
# %% wrong="the costs swapped but at infinity" says="at every threshold but infinity" of="the plain way"
#~ best, lowest = np.inf, np.inf => best, lowest = np.inf, cost_miss * (y == 1).sum()
#~ np.append(np.inf, np.unique(s)[::-1]) => np.unique(s)[::-1]
#~ cost_false_alarm * float(fp) + cost_miss * float(fn) => cost_miss * float(fp) + cost_false_alarm * float(fn)
# %% wrong="infinity at once where a class is missing" says="infinity came because one class is missing" of="the plain way"
#-     best, lowest = np.inf, np.inf
#+     if len(set(labels)) < 2:
#+         return np.inf, float(cost_miss * np.sum(y == 1))
#+     best, lowest = np.inf, np.inf
