# %% wrong="homogeneity alone" says="homogeneity alone"
def v_measure(classes, clusters):
    from sklearn.metrics import homogeneity_score

    return homogeneity_score(classes, clusters)

# %% wrong="completeness alone" says="completeness alone"
def v_measure(classes, clusters):
    from sklearn.metrics import completeness_score

    return completeness_score(classes, clusters)

# %% wrong="the ordinary mean" says="the harmonic mean is asked"
def v_measure(classes, clusters):
    from sklearn.metrics import completeness_score, homogeneity_score

    return (homogeneity_score(classes, clusters) + completeness_score(classes, clusters)) / 2

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

# %% right="twice the mutual information over the sum of entropies"
def v_measure(classes, clusters):
    from collections import Counter

    n = len(classes)
    a, b, ab = Counter(classes), Counter(clusters), Counter(zip(classes, clusters))
    if len(a) == 1 and len(b) == 1:
        return 1.0
    shared = sum(m / n * math.log(m * n / (a[i] * b[j])) for (i, j), m in ab.items())
    total = -sum(m / n * math.log(m / n) for side in (a, b) for m in side.values())
    return 2 * shared / total
