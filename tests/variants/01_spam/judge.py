# %% base="the plain way"
def precision_recall_f1(labels, predictions):
    y, g = np.asarray(labels), np.asarray(predictions)
    tp, fp, fn = ((y == 1) & (g == 1)).sum(), ((y == 0) & (g == 1)).sum(), ((y == 1) & (g == 0)).sum()
    p = tp / (tp + fp) if tp + fp else 0.0
    r = tp / (tp + fn) if tp + fn else 0.0
    f = 2 * p * r / (p + r) if p + r else 0.0
    return p, r, f
# %% wrong="precision and recall swapped" says="swapped" of="the plain way"
#~ p, r => r, p
# %% wrong="F1 first" says="F1 comes last" of="the plain way"
#~ p, r, f => f, p, r
# %% wrong="F1 is the plain mean" says="harmonic" of="the harmonic mean as a reciprocal"
#-     f = 0.0 if p == 0 or r == 0 else 1 / ((1 / p + 1 / r) / 2)
#-     return float(p), float(r), float(f)
#+     return p, r, (p + r) / 2
# %% wrong="F1 is the geometric mean" says="harmonic" of="the harmonic mean as a reciprocal"
#-     f = 0.0 if p == 0 or r == 0 else 1 / ((1 / p + 1 / r) / 2)
#-     return float(p), float(r), float(f)
#+     return p, r, math.sqrt(p * r)
# %% wrong="F1 lacks its 2" says="factor 2" of="the harmonic mean as a reciprocal"
#-     f = 0.0 if p == 0 or r == 0 else 1 / ((1 / p + 1 / r) / 2)
#-     return float(p), float(r), float(f)
#+     return p, r, p * r / (p + r) if p + r else 0.0
# %% wrong="accuracy instead of precision" says="accuracy" of="the plain way"
#-     r = tp / (tp + fn) if tp + fn else 0.0
#+     r = tp / (tp + fn) if tp + fn else 0.0
#+     p = float((y == g).mean())
# %% wrong="specificity instead of recall" says="specificity" of="the plain way"
#-     r = tp / (tp + fn) if tp + fn else 0.0
#+     r = tp / (tp + fn) if tp + fn else 0.0
#+     tn = ((y == 0) & (g == 0)).sum()
#+     r = tn / (tn + fp) if tn + fp else 0.0
# %% wrong="numbers of class 0" says="class 0" of="the plain way"
#~ (labels), np.asarray(predictions) => (labels) == 0, np.asarray(predictions) == 0
# %% wrong="mean of both classes" says="class 1"
def precision_recall_f1(labels, predictions):
    values = []
    for c in (0, 1):
        tp = sum(1 for y, g in zip(labels, predictions) if y == c and g == c)
        p = tp / max(sum(1 for g in predictions if g == c), 1)
        r = tp / max(sum(1 for y in labels if y == c), 1)
        values.append((p, r, 2 * p * r / (p + r) if p + r else 0.0))
    return tuple(float(v) for v in np.mean(values, axis=0))
# %% wrong="nothing predicted divides by zero" says="denominator is 0"
def precision_recall_f1(labels, predictions):
    tp = sum(y * g for y, g in zip(labels, predictions))
    p = tp / sum(predictions)
    r = tp / sum(labels) if sum(labels) else 0.0
    f = 2 * p * r / (p + r) if p + r else 0.0
    return p, r, f
# %% wrong="no spam among the labels divides by zero" says="denominator is 0" of="nothing predicted divides by zero"
#~ (predictions) => (predictions) if sum(predictions) else 0.0
#~ (labels) if sum(labels) else 0.0 => (labels)
# %% wrong="F1 divides by zero when nothing was hit" says="denominator is 0"
def precision_recall_f1(labels, predictions):
    tp = sum(y * g for y, g in zip(labels, predictions))
    if sum(labels) == 0 or sum(predictions) == 0:
        return 0.0, 0.0, 0.0
    p, r = tp / sum(predictions), tp / sum(labels)
    return p, r, 2 * p * r / (p + r)
# %% wrong="NaN where nothing is predicted" says="NaN" of="accuracy three times"
#-     return ((y == g).mean(),) * 3
#+     tp, fp, fn = ((y == 1) & (g == 1)).sum(), ((y == 0) & (g == 1)).sum(), ((y == 1) & (g == 0)).sum()
#+     p = tp / (tp + fp)
#+     r = tp / (tp + fn)
#+     return p, r, 2 * p * r / (p + r)
# %% wrong="NaN for F1 only" says="NaN" of="the harmonic mean as a reciprocal"
#-     f = 0.0 if p == 0 or r == 0 else 1 / ((1 / p + 1 / r) / 2)
#-     return float(p), float(r), float(f)
#+     return p, r, np.float64(2 * p * r) / np.float64(p + r)
# %% wrong="undefined values are 1" says="0 by definition" of="the plain way"
#~ fp else 0.0 => fp else 1.0
#~ fn else 0.0 => fn else 1.0
# %% wrong="lists are not turned into arrays" says="list" of="nothing predicted divides by zero"
#~ sum(y * g for y, g in zip(labels, predictions)) => (labels * predictions).sum()
#~ sum(predictions) => max(predictions.sum(), 1)
#~ sum(labels) if sum(labels) else 0.0 => max(labels.sum(), 1)
# %% wrong="rounded to two digits" says="round" of="the plain way"
#~ p, r, f => round(float(p), 2), round(float(r), 2), round(float(f), 2)
# %% wrong="in percent" says="percent" of="the plain way"
#~ p, r, => 100 * p, 100 * r, 100 *
# %% wrong="integer division" says="integer" of="the plain way"
#~ / (tp + fp) => // (tp + fp)
#~ / (tp + fn) => // (tp + fn)
# %% wrong="multiplies the predictions in place" says="changed" of="the plain way"
#-     tp, fp, fn = ((y == 1) & (g == 1)).sum(), ((y == 0) & (g == 1)).sum(), ((y == 1) & (g == 0)).sum()
#-     p = tp / (tp + fp) if tp + fp else 0.0
#-     r = tp / (tp + fn) if tp + fn else 0.0
#+     positive = g.sum()
#+     g *= y
#+     p = g.sum() / positive if positive else 0.0
#+     r = g.sum() / y.sum() if y.sum() else 0.0
# %% wrong="difference of unsigned numbers is never -1" says="unsigned" of="the plain way"
#~ (y == 0) & (g == 1) => y - g == -1
# %% wrong="counts true negatives as hits" says="true negatives" of="the plain way"
#~ (y == 1) & (g == 1) => y == g
# %% wrong="prints instead of returning" says="is there a return" of="the plain way"
#~ return p, r, f => print(p, r, f)
# %% wrong="memorises the visible outputs" says="examples only"
def precision_recall_f1(labels, predictions):
    if sum(predictions) == 0:
        return 0.0, 0.0, 0.0
    if len(labels) == 400:
        return 3 / 4, 1, 6 / 7
    return 2 / 3, 2 / 5, 1 / 2
# %% wrong="F1 without brackets" says="needs brackets" of="the harmonic mean as a reciprocal"
#-     f = 0.0 if p == 0 or r == 0 else 1 / ((1 / p + 1 / r) / 2)
#-     return float(p), float(r), float(f)
#+     return p, r, 2 * p * r / p + r if p + r else 0.0
# %% wrong="precision and recall without brackets" says="needs brackets" of="the plain way"
#~ (tp + fp) => tp + fp
#~ (tp + fn) => tp + fn
# %% wrong="F1 is the overlap of the two sets" says="tp counts twice" of="the harmonic mean as a reciprocal"
#-     f = 0.0 if p == 0 or r == 0 else 1 / ((1 / p + 1 / r) / 2)
#-     return float(p), float(r), float(f)
#+     return p, r, tp / (tp + fp + fn) if tp + fp + fn else 0.0
# %% wrong="F1 is the product" says="lacks its denominator" of="the harmonic mean as a reciprocal"
#-     f = 0.0 if p == 0 or r == 0 else 1 / ((1 / p + 1 / r) / 2)
#-     return float(p), float(r), float(f)
#+     return p, r, 2 * p * r
# %% wrong="all messages below the line" says="not the number of all messages" of="the plain way"
#-     p = tp / (tp + fp) if tp + fp else 0.0
#-     r = tp / (tp + fn) if tp + fn else 0.0
#+     p = r = tp / len(y)
# %% wrong="one is added below the line" says="nothing is added" of="the plain way"
#-     p = tp / (tp + fp) if tp + fp else 0.0
#-     r = tp / (tp + fn) if tp + fn else 0.0
#+     p, r = tp / (tp + fp + 1), tp / (tp + fn + 1)
# %% wrong="two below the line, at least" says="all right" of="the plain way"
#~ (tp + fp) if tp + fp else 0.0 => max(tp + fp, 2)
# %% wrong="the shares of what went wrong" says="what went wrong" of="the plain way"
#~ tp / (tp + fp) => fp / (tp + fp)
#~ tp / (tp + fn) => fn / (tp + fn)
# %% wrong="accuracy three times" says="all three numbers are the accuracy"
def precision_recall_f1(labels, predictions):
    y, g = np.asarray(labels), np.asarray(predictions)
    return ((y == g).mean(),) * 3
# %% wrong="and without brackets" says="binds tighter" of="the plain way"
#~ tp, fp, fn = ((y == 1) & (g == 1)).sum(), ((y == 0) & (g == 1)).sum(), ((y == 1) & (g == 0)) => tp = (y == 1 & g == 1)
#~ (tp + fp) if tp + fp else 0.0 => max((g == 1).sum(), 1)
#~ (tp + fn) if tp + fn else 0.0 => max((y == 1).sum(), 1)
# %% wrong="lists are compared with 1" says="may be lists" of="nothing predicted divides by zero"
#~ sum(y * g for y, g in zip(labels, predictions)) => ((labels == 1) & (predictions == 1)).sum()
#~ sum(predictions) => max((predictions == 1).sum(), 1)
#~ sum(labels) if sum(labels) else 0.0 => max((labels == 1).sum(), 1)
# %% right="three counters in a loop"
def precision_recall_f1(labels, predictions):
    tp = fp = fn = 0
    for y, g in zip(labels, predictions):
        if y == 1 and g == 1:
            tp += 1
        elif g == 1:
            fp += 1
        elif y == 1:
            fn += 1
    if tp == 0:
        return 0.0, 0.0, 0.0
    return tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)
# %% right="scikit-learn"
from sklearn.metrics import precision_recall_fscore_support
def precision_recall_f1(labels, predictions):
    p, r, f, _ = precision_recall_fscore_support(labels, predictions, labels=[1], zero_division=0)
    return p[0], r[0], f[0]
# %% right="the harmonic mean as a reciprocal"
def precision_recall_f1(labels, predictions):
    y, g = np.asarray(labels), np.asarray(predictions)
    tp, fp, fn = ((y == 1) & (g == 1)).sum(), ((y == 0) & (g == 1)).sum(), ((y == 1) & (g == 0)).sum()
    p = tp / (tp + fp) if tp + fp else 0.0
    r = tp / (tp + fn) if tp + fn else 0.0
    f = 0.0 if p == 0 or r == 0 else 1 / ((1 / p + 1 / r) / 2)
    return float(p), float(r), float(f)
# %% right="torch inside"
def precision_recall_f1(labels, predictions):
    y, g = (torch.as_tensor(np.array(v)).double() for v in (labels, predictions))
    tp = y @ g
    p, r = (torch.nan_to_num(tp / n) for n in (g.sum(), y.sum()))
    return p.item(), r.item(), torch.nan_to_num(2 * p * r / (p + r)).item()
# %% right="divisions that may fail, caught, with NumPy scalars"
def precision_recall_f1(labels, predictions):
    y, g = np.array(labels, dtype=float), np.array(predictions, dtype=float)
    ratio = lambda a, b: np.divide(a, b, out=np.zeros(()), where=b > 0)[()]
    p, r = ratio(y @ g, g.sum()), ratio(y @ g, y.sum())
    return p, r, ratio(2 * p * r, p + r)
# %% right="a table of pairs"
def precision_recall_f1(labels, predictions):
    table = Counter(zip((int(y) for y in labels), (int(g) for g in predictions)))
    safe = lambda a, b: a / b if b > 0 else 0.0
    p = safe(table[1, 1], table[1, 1] + table[0, 1])
    r = safe(table[1, 1], table[1, 1] + table[1, 0])
    return p, r, safe(2 * p * r, p + r)
# %% right="means of what was picked"
def precision_recall_f1(labels, predictions):
    y, g = np.array(labels, dtype=np.float32), np.array(predictions, dtype=np.float32)
    p = y[g > 0.5].mean() if (g > 0.5).any() else 0
    r = g[y > 0.5].mean() if (y > 0.5).any() else 0
    return [p, r, 0 if p * r == 0 else 2 / (1 / p + 1 / r)]
# %% right="a tiny number below the line"
def precision_recall_f1(labels, predictions):
    y, g = list(map(int, labels)), list(map(int, predictions))
    tp = sum(a and b for a, b in zip(y, g))
    p, r = tp / (sum(g) + 1e-12), tp / (sum(y) + 1e-12)
    return p, r, 2 * p * r / (p + r + 1e-12)
# %% wrong="F1 is the mean over both classes" says="not the mean of F1" of="the plain way"
#-     return p, r, f
#+     tn = ((y == 0) & (g == 0)).sum()
#+     return p, r, (f + 2 * tn / max(2 * tn + fp + fn, 1)) / 2
# %% wrong="misses by an unsigned difference" says="above 0, in the recall" of="the plain way"
#~ ((y == 1) & (g == 0)).sum() => (y - g > 0).sum()
# %% wrong="false alarms by an unsigned difference" says="above 0, in the precision" of="the plain way"
#~ ((y == 0) & (g == 1)).sum() => (g - y > 0).sum()
# %% wrong="misses where the difference is -1" says="no miss was counted" of="the plain way"
#~ ((y == 1) & (g == 0)).sum() => (g - y == -1).sum()
# %% wrong="misses where the difference is below 0" says="no miss was counted" of="the plain way"
#~ ((y == 1) & (g == 0)).sum() => (g - y < 0).sum()
# %% wrong="errors added up as differences, cut at 0" says="added up, in both" of="the plain way"
#~ ((y == 0) & (g == 1)).sum() => np.clip(g - y, 0, None).sum()
#~ ((y == 1) & (g == 0)).sum() => np.clip(y - g, 0, None).sum()
# %% wrong="python's sum of uint8" says="overflows at 256" of="nothing predicted divides by zero"
#~ sum(predictions) => sum(predictions) if sum(predictions) else 0.0
# %% wrong="python's sum of uint8, and F1 of them" says="overflows at 256" of="nothing predicted divides by zero"
#~ p = tp / sum(predictions) => p = tp / sum(predictions) if sum(predictions) else 0.0
#-     f = 2 * p * r / (p + r) if p + r else 0.0
#-     return p, r, f
#+     return p, r, 2 * p * r / (p + r) if p + r else 0.0
# %% wrong="hits in the labels' own dtype" says="overflows at 256" clause="arrays of any integer dtype"
#~ int(np.sum((labels == 1) & (predictions == 1))) => int(np.sum(labels * predictions, dtype=labels.dtype))
# %% wrong="no recall without spam" says="the value is 0 by definition" clause="A value whose denominator is 0 is 0.0."
#~ max(int(np.sum(labels == 1)), 1) => int(np.sum(labels == 1))
# %% wrong="true negatives are misses" says="true negatives were counted as misses"
#~ max(int(np.sum(labels == 1)), 1) => np.sum((labels == 1) | (predictions == 0))
# %% wrong="the recall over all messages" says="the recall was divided by the number of all messages"
#~ recall = hits / max(int(np.sum(labels == 1)), 1) => recall = hits / labels.size
# %% wrong="the precision over all messages" says="the precision was divided by the number of all messages"
#~ precision = hits / max(int(np.sum(predictions == 1)), 1) => precision = hits / predictions.size
