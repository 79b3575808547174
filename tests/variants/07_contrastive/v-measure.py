# %% base="the plain way"
def v_measure(classes, clusters):
    from collections import Counter
    n = len(classes)
    H = lambda x: -sum(c / n * math.log(c / n) for c in Counter(x).values())
    hc, hk, j = H(classes), H(clusters), H(list(zip(classes, clusters)))
    h = 1 - (j - hk) / hc if hc else 1.0
    c = 1 - (j - hc) / hk if hk else 1.0
    return h * c / (h + c) if h + c else 0.0
# %% wrong="homogeneity alone" says="homogeneity alone"
def v_measure(classes, clusters):
    from sklearn.metrics import homogeneity_score
    return homogeneity_score(classes, clusters)
# %% wrong="completeness alone" says="completeness alone" of="homogeneity alone"
#~ import homogeneity_score => import completeness_score
#~ homogeneity_score(classes, clusters) => completeness_score(classes, clusters)
# %% wrong="the ordinary mean" says="the harmonic mean is asked" of="homogeneity alone"
#~ import homogeneity_score => import completeness_score, homogeneity_score
#~ homogeneity_score(classes, clusters) => (homogeneity_score(classes, clusters) + completeness_score(classes, clusters)) / 2
# %% wrong="purity" says="this is purity"
def v_measure(classes, clusters):
    from collections import Counter
    total = 0
    for k in set(clusters):
        total += max(Counter(c for c, j in zip(classes, clusters) if j == k).values())
    return total / len(classes)
# %% right="by a table in bits"
def v_measure(classes, clusters):
    table = np.array([[sum(c == a and k == b for c, k in zip(classes, clusters)) for b in sorted(set(clusters))]
                      for a in sorted(set(classes))])  # fmt: skip
    p = table / table.sum()
    def entropy(q):
        q = q[q > 0]
        return -(q * np.log2(q)).sum()
    hc, hk, both = entropy(p.sum(1)), entropy(p.sum(0)), entropy(p.ravel())
    h = 1.0 if len(table) == 1 else 1 - (both - hk) / hc
    c = 1.0 if table.shape[1] == 1 else 1 - (both - hc) / hk
    return 0.0 if h + c < 1e-12 else 2 * h * c / (h + c)
# %% right="twice the mutual information over the sum of entropies" of="mutual information"
#-     hc, hk = (sum(v / n * math.log2(n / v) for v in counts.values()) for counts in (a, b))
#-     shared = sum(v / n * math.log2(v * n / (a[x] * b[y])) for (x, y), v in ab.items())
#-     return 2 * shared / (hc + hk) if hc + hk else 1.0
#+     if len(a) == 1 and len(b) == 1:
#+         return 1.0
#+     shared = sum(m / n * math.log(m * n / (a[i] * b[j])) for (i, j), m in ab.items())
#+     total = -sum(m / n * math.log(m / n) for side in (a, b) for m in side.values())
#+     return 2 * shared / total
# %% wrong="0 for a single class" says="single class" of="the plain way"
#~ hc else 1.0 => hc else 0.0
#~ hk else 1.0 => hk else 0.0
#~ h * => 2 * h *
# %% wrong="no guard: division by zero" says="single" of="the plain way"
#-     h = 1 - (j - hk) / hc if hc else 1.0
#-     c = 1 - (j - hc) / hk if hk else 1.0
#-     return h * c / (h + c) if h + c else 0.0
#+     h, c = 1 - (j - hk) / hc, 1 - (j - hc) / hk
#+     return 2 * h * c / (h + c)
# %% wrong="conditional entropies exchanged" says="exchanged" of="the plain way"
#-     h = 1 - (j - hk) / hc if hc else 1.0
#-     c = 1 - (j - hc) / hk if hk else 1.0
#-     return h * c / (h + c) if h + c else 0.0
#+     h = 1 - (j - hc) / hc if hc else 1.0
#+     c = 1 - (j - hk) / hk if hk else 1.0
#+     return 2 * h * c / (h + c) if h + c > 0 else 0.0
# %% wrong="joint entropy for the conditional one" says="conditional" of="the plain way"
#~ (j - hk) => j
#~ (j - hc) => j
#~ h * => 2 * h *
# %% wrong="mixed logarithms" says="logarithms"
def v_measure(classes, clusters):
    from collections import Counter
    n = len(classes)
    H = lambda x: -sum(c / n * math.log2(c / n) for c in Counter(x).values())
    nk, nc = Counter(clusters), Counter(classes)
    pairs = Counter(zip(classes, clusters))
    ck = -sum(m / n * math.log(m / nk[k]) for (c, k), m in pairs.items())
    kc = -sum(m / n * math.log(m / nc[c]) for (c, k), m in pairs.items())
    h = 1 - ck / H(classes) if H(classes) else 1.0
    c = 1 - kc / H(clusters) if H(clusters) else 1.0
    return 2 * h * c / (h + c) if h + c else 0.0
# %% wrong="factor 2 forgotten" says="harmonic"
def v_measure(classes, clusters):
    from collections import Counter
    n = len(classes)
    H = lambda x: -sum(c / n * math.log(c / n) for c in Counter(x).values())
    hc, hk, j = H(classes), H(clusters), H(list(zip(classes, clusters)))
    h = 1 - (j - hk) / hc if hc else 1.0
    c = 1 - (j - hc) / hk if hk else 1.0
    return h * c / (h + c) if h + c else 0.0
# %% wrong="geometric mean" says="harmonic" of="the plain way"
#~ h * c / (h + c) if h + c else 0.0 => math.sqrt(max(h * c, 0))
# %% wrong="accuracy after matching numbers" says="names"
def v_measure(classes, clusters):
    return sum(a == b for a, b in zip(classes, clusters)) / len(classes)
# %% wrong="min of the two" says="smaller" of="the plain way"
#-     h = 1 - (j - hk) / hc if hc else 1.0
#-     c = 1 - (j - hc) / hk if hk else 1.0
#-     return h * c / (h + c) if h + c else 0.0
#+     return min(1 - (j - hk) / hc if hc else 1.0, 1 - (j - hc) / hk if hk else 1.0)
# %% wrong="words refused: numpy bincount" says="words"
def v_measure(classes, clusters):
    table = np.zeros((max(classes) + 1, max(clusters) + 1))
    for c, k in zip(classes, clusters):
        table[c, k] += 1
    p = table / table.sum()
    H = lambda x: -(x[x > 0] * np.log(x[x > 0])).sum()
    hc, hk, j = H(p.sum(1)), H(p.sum(0)), H(p.ravel())
    h = 1 - (j - hk) / hc if hc else 1.0
    c = 1 - (j - hc) / hk if hk else 1.0
    return float(2 * h * c / (h + c)) if h + c else 0.0
# %% right="normalised mutual information"
def v_measure(classes, clusters):
    from collections import Counter
    n = len(classes)
    H = lambda x: -sum(c / n * math.log(c / n) for c in Counter(x).values())
    hc, hk = H(classes), H(clusters)
    if hc + hk == 0:
        return 1.0
    return max(2 * (hc + hk - H(list(zip(classes, clusters)))) / (hc + hk), 0.0)
# %% right="a table of counts in NumPy"
def v_measure(classes, clusters):
    _, a = np.unique(np.array(classes, dtype=str), return_inverse=True)
    _, b = np.unique(np.array(clusters, dtype=str), return_inverse=True)
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1)
    n = table.sum()
    nc, nk = table.sum(1), table.sum(0)
    seen = table > 0
    ck = -(table / n * np.log2(np.where(seen, table / nk, 1))).sum()
    kc = -(table / n * np.log2(np.where(seen, table / nc[:, None], 1))).sum()
    hc, hk = (-(x / n * np.log2(x / n)).sum() for x in (nc, nk))
    h = 1.0 if len(nc) == 1 else 1 - ck / hc
    c = 1.0 if len(nk) == 1 else 1 - kc / hk
    return 0.0 if h + c == 0 else 2 * h * c / (h + c)
# %% wrong="pairs joined to words" says="joined to one word"
#~ list(zip(classes, clusters, strict=True)) => [f"{x} {y}" for x, y in zip(classes, clusters, strict=True)]
# %% wrong="words made alike" says="words that look alike" of="mutual information"
#~ n = len(classes) => classes, n = [str(c).strip().lower() for c in classes], len(classes)
# %% right="mutual information"
def v_measure(classes, clusters):
    from collections import Counter
    n = len(classes)
    a, b, ab = Counter(classes), Counter(clusters), Counter(zip(classes, clusters))
    hc, hk = (sum(v / n * math.log2(n / v) for v in counts.values()) for counts in (a, b))
    shared = sum(v / n * math.log2(v * n / (a[x] * b[y])) for (x, y), v in ab.items())
    return 2 * shared / (hc + hk) if hc + hk else 1.0
# %% wrong="n_ck / n_k in front" says="n_ck / n_k stands in front" of="n_ck / n_k in front, no less than 0"
#~ return 2 * h * c / (h + c) if h + c > 1e-12 else 0.0 => return 2 * h * c / (h + c) if h + c > -1e9 else 0.0
# %% wrong="n_ck / n_k in front, no less than 0" says="0 came"
def v_measure(classes, clusters):
    def given(a, b):
        total = 0.0
        for x, y in set(zip(a, b)):
            both, alone = list(zip(a, b)).count((x, y)), b.count(y)
            total -= both / alone * math.log(both / alone)
        return total
    def whole(a):
        return -sum(a.count(x) / len(a) * math.log(a.count(x) / len(a)) for x in set(a))
    h = 1 - given(classes, clusters) / whole(classes) if len(set(classes)) > 1 else 1.0
    c = 1 - given(clusters, classes) / whole(clusters) if len(set(clusters)) > 1 else 1.0
    return 2 * h * c / (h + c) if h + c > 1e-12 else 0.0
# %% wrong="the sign of H(C | K)" says="a minus is missing in it" of="n_ck / n_k in front, no less than 0"
#~ total -= both / alone * math.log(both / alone) => total += both / len(a) * math.log(both / alone)
# %% wrong="base 2 below the line alone" says="have base 2" of="n_ck / n_k in front, no less than 0"
#~ total -= both / alone * math.log(both / alone) => total -= both / len(a) * math.log2(both / alone)
#~ return 2 * h * c / (h + c) if h + c > 1e-12 else 0.0 => return 2 * h * c / (h + c) if h + c > -1e9 else 0.0
# %% right="through NumPy's numbers of the labels"
def v_measure(classes, clusters):
    a, b = (np.unique(np.array(labels), return_inverse=True)[1] for labels in (classes, clusters))
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1 / len(a))
    hc, hk, both = (-sum(x * math.log(x) for x in p.ravel() if x > 0) for p in (table.sum(1), table.sum(0), table))
    h, c = 1 - (both - hk) / hc if hc > 0 else 1.0, 1 - (both - hc) / hk if hk > 0 else 1.0
    return 2 * h * c / (h + c) if h + c > 1e-12 else 0.0
# %% wrong="the library" says="is not to be called" clause="which is not to be called"
def v_measure(classes, clusters):
    from sklearn.metrics import v_measure_score
    return float(v_measure_score(classes, clusters))
# %% wrong="classes compared with clusters" says="were classes compared with clusters"
def v_measure(classes, clusters):
    return sum(a == b for a, b in zip(classes, clusters)) / len(classes)
# %% wrong="the joint entropy in h alone" says="h takes the entropy of the pairs"
from collections import Counter
def _entropy(labels):
    n = len(labels)
    return -sum(m / n * math.log(m / n) for m in Counter(labels).values())
def v_measure(classes: list, clusters: list) -> float:
    hc, hk, both = _entropy(classes), _entropy(clusters), _entropy(list(zip(classes, clusters)))
    h = 1 - both / hc if hc > 0 else 1.0
    c = 1 - (both - hc) / hk if hk > 0 else 1.0
    return 2 * h * c / (h + c) if h + c > 1e-12 else 0.0
# %% wrong="each pair once" says="here it counted once"
from collections import Counter
def _entropy(labels):
    n = len(labels)
    return -sum(m / n * math.log(m / n) for m in Counter(labels).values())
def v_measure(classes: list, clusters: list) -> float:
    hc, hk, both = _entropy(classes), _entropy(clusters), _entropy(list(set(zip(classes, clusters))))
    h = 1 - (both - hk) / hc if hc > 0 else 1.0
    c = 1 - (both - hc) / hk if hk > 0 else 1.0
    return 2 * h * c / (h + c) if h + c > 1e-12 else 0.0
