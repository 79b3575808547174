from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("v-measure", points=4)
def score(check):
    ### BEGIN MISTAKES
    exchanged = "H(C | K) and H(K | C) are exchanged"
    left = "1 minus is missing: these are the shares of entropy that are left"
    import numpy as np
    from sklearn import metrics

    def parts(classes, clusters):
        return metrics.homogeneity_completeness_v_measure(classes, clusters)

    def entropy(labels):
        p = np.array([labels.count(label) for label in set(labels)]) / len(labels)
        return -(p * np.log(p)).sum()

    def unweighted(classes, clusters, over=np.mean):
        def given(a, b):
            entropies = []
            for group in sorted(set(b)):
                held = [x for x, y in zip(a, b, strict=True) if y == group]
                entropies.append(entropy(held))
            return over(entropies)

        h = 1 - given(classes, clusters) / entropy(classes)
        c = 1 - given(clusters, classes) / entropy(clusters)
        return 2 * h * c / (h + c)

    def unweighted_sum(classes, clusters):
        return unweighted(classes, clusters, np.sum)

    def made(rule):
        def value(classes, clusters):
            a, b = (metrics.mutual_info_score(x, x) for x in (classes, clusters))
            h, c = rule(a, b, a + b - metrics.mutual_info_score(classes, clusters))
            return 2 * h * c / (h + c)

        return value

    def of_kinds(classes, clusters):
        a, b = entropy(list(classes)), entropy(list(clusters))
        both = np.log(len(set(zip(classes, clusters, strict=True))))
        h, c = 1 - (both - b) / a, 1 - (both - a) / b
        return 2 * h * c / (h + c)

    def purity(classes, clusters):
        largest = 0
        for cluster in set(clusters):
            held = [x for x, y in zip(classes, clusters, strict=True) if y == cluster]
            largest += max(held.count(label) for label in set(held))
        return largest / len(classes)

    check.mistakes({
        exchanged: made(lambda a, b, both: (1 - (both - a) / a, 1 - (both - b) / b)),
        "the entropy of the pairs stands where the conditional one is asked": made(
            lambda a, b, both: (1 - both / a, 1 - both / b)),
        "h takes the entropy of the pairs where H(C | K) is asked for": made(
            lambda a, b, both: (1 - both / a, 1 - (both - a) / b)),
        "c takes the entropy of the pairs where H(K | C) is asked for": made(
            lambda a, b, both: (1 - (both - b) / a, 1 - both / b)),
        "each pair counts as often as it occurs: here it counted once": of_kinds,
        "two logarithms of different bases are mixed": made(
            lambda a, b, both: (1 - (both - b) / a * np.log(2), 1 - (both - a) / b * np.log(2))),
        "this is homogeneity alone": lambda c, k: parts(c, k)[0],
        "this is completeness alone": lambda c, k: parts(c, k)[1],
        "the harmonic mean is asked, not the ordinary one": lambda c, k: (parts(c, k)[0] + parts(c, k)[1]) / 2,
        "the product of h and c is not their harmonic mean": lambda c, k: parts(c, k)[0] * parts(c, k)[1],
        "the factor 2 is missing in the harmonic mean": lambda c, k: parts(c, k)[2] / 2,
        "the conditional entropy weighs each cluster by its size": unweighted,
        "the geometric mean was taken: the harmonic one is asked": lambda c, k: (
            parts(c, k)[0] * parts(c, k)[1]) ** 0.5,
        left: lambda c, k: (
            2 * (1 - parts(c, k)[0]) * (1 - parts(c, k)[1]) / (2 - parts(c, k)[0] - parts(c, k)[1])),
        "accuracy with the numbers as they are: clusters have no names": lambda c, k: float(np.mean(
            [a == b for a, b in zip(c, k, strict=True)])) or float("nan"),  # 0 comes of other mistakes, too
        "0 came: were classes compared with clusters, which have no names, or was H(C | K) as large as H(C)? In front "
        "of its logarithm stands n_ck / n, inside n_ck / n_k": lambda c, k: 0.0,
        "H(C | K) was added to 1, not subtracted: a minus is missing in it": made(
            lambda a, b, both: (1 + (both - b) / a, 1 + (both - a) / b)),
        "the logarithms of H(C | K) have base 2, those of H(C) another": made(
            lambda a, b, both: (1 - (both - b) / a / np.log(2), 1 - (both - a) / b / np.log(2))),
        "n_ck / n_k stands in front of the logarithm: n_ck / n is asked": unweighted_sum,
        "this is purity, the share of the largest class in each cluster": purity,
        "this is the mutual information, not yet divided by an entropy": lambda c, k: metrics.mutual_info_score(c, k),
        "this is the Rand index": lambda c, k: metrics.rand_score(c, k),
        "this is the adjusted Rand index": lambda c, k: metrics.adjusted_rand_score(c, k),
        "the smaller of h and c was taken": lambda c, k: min(parts(c, k)[:2]),
    }, v_measure)
    ### END MISTAKES
    check(v_measure, ["x", "x", "y", "y"], [0, 0, 1, 2]).equals(0.8, rtol=1e-4, near={
        "classes and clusters may be words, too: they have no order and no sum": TypeError,
    })
    check(v_measure, [0, 0, 0, 1, 1, 2], [5, 5, 7, 7, 7, 7]).equals(0.3862534, rtol=1e-4)
    division = {"a division by 0: an entropy of 0 has a rule of its own": ZeroDivisionError}
    one, other, nothing = ["x", "x"], [3, 3], ["x", "y", "x", "y"]
    check(v_measure, one, other).equals(1.0, about="one class, one cluster", edge=True, atol=1e-6, near=division | {
        "a single class has h = 1 and a single cluster c = 1, by their rule": 0.0})
    check(v_measure, nothing, [0, 0, 1, 1]).equals(0.0, about="nothing in common", edge=True, atol=1e-6, near=division)
    library = ["v_measure_score", "homogeneity_completeness_v_measure", "normalized_mutual_info_score"]
    by_counts, called = "no function of the library that gives the measure was called", (
        "sklearn computed it: v_measure_score is not to be called")
    check(taken, library, v_measure, [0, 0, 1], [0, 1, 1]).holds(
        **not_taken(by_counts, called), about="without the library")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for n, a, b in [(12, 3, 4), (30, 5, 2), (20, 2, 6), (50, 4, 4), (12, 3, 4), (700, 90, 80)]:
        classes = [f"class {i}" for i in check.rng.integers(0, a, size=n)]
        clusters = [int(i) * 3 for i in check.rng.integers(0, b, size=n)]
        clusters = [k if check.rng.random() < 0.6 else int(c[-1]) * 3 for c, k in zip(classes, clusters, strict=True)]
        check(v_measure, classes, clusters).equals(
            metrics.v_measure_score(classes, clusters), about="fresh clusters", rtol=1e-4, atol=1e-6
        )
    numbers = check.rng.integers(0, 4, size=24).tolist()
    moved = [n if i % 3 else (n + 1) % 5 for i, n in enumerate(numbers)]
    fresh = check(v_measure, numbers, moved)
    fresh.equals(metrics.v_measure_score(numbers, moved), about="fresh clusters", rtol=1e-4, atol=1e-6)
    check(taken, library, v_measure, numbers, moved).holds(
        **not_taken(by_counts, called, metrics.v_measure_score(numbers, moved)), about="fresh ones without the library")
    check.mistakes({}, v_measure)  # too many of them agree on such input
    classes, clusters = [-1, 0, 0, -1, 7, 1, 7, 0], ["", "", "b", "b", "B", "b ", "B", ""]
    for one, other in [(classes, clusters), (clusters, classes)]:
        check(v_measure, one, other).equals(
            metrics.v_measure_score(one, other), about="numbers below 0, words that look alike", edge=True, rtol=1e-4
        )

    def joined(classes, clusters, sign):
        pairs = [f"{c}{sign}{k}" for c, k in zip(classes, clusters, strict=True)]
        a, b, both = (metrics.mutual_info_score(x, x) for x in (classes, clusters, pairs))
        h, c = 1 - (both - b) / a, 1 - (both - a) / b
        return 2 * h * c / (h + c)

    for sign in ["", " ", "_", "-", ",", "|", "/", ":"]:
        classes, clusters = ["a", f"a{sign}b", "a", "c"], [f"b{sign}c", "c", f"b{sign}c", "c"]
        check(v_measure, classes, clusters).equals(
            metrics.v_measure_score(classes, clusters), about="numbers below 0, words that look alike", edge=True,
            rtol=1e-4, near={"joined to one word, different pairs become the same": joined(classes, clusters, sign)}
        )
    ruled = {}
    if fresh.passed:  # else another mistake made it 1
        ruled["a single class makes h = 1, and a single cluster c = 1: here one of them made both 1"] = 1.0
    for classes, clusters, want, about in [
        ([1, 1, 1], [1, 2, 3], 0.0, "a single class"), ([1, 2, 1, 2], [0, 0, 0, 0], 0.0, "a single cluster"),
        ([1, 1], ["a", "a"], 1.0, "one class, one cluster"),
    ]:
        check(v_measure, classes, clusters).equals(want, about=about, edge=True, atol=1e-6, near=division | (
            {"a single class has h = 1 and a single cluster c = 1, by their rule": 0.0} if want else ruled))
    for classes, clusters in [([1, 1, 2, 2], ["a", "b", "a", "b"]), ([1, 2, 3] * 3, [0] * 3 + [1] * 3 + [2] * 3)]:
        check(v_measure, classes, clusters).equals(
            0.0, about="nothing in common", edge=True, atol=1e-6, near=division | {
                "0 divided by 0: V = 0 where h + c = 0": float("nan")}
        )
    rare, halves = [0] * 1999 + [1], [0] * 1000 + [1] * 1000
    check(v_measure, rare, halves).equals(
        metrics.v_measure_score(rare, halves), about="a rare class", edge=True, rtol=1e-3, near={
            "an entropy near 0 is not 0: the rule is for a single class": metrics.v_measure_score([0, 0], [0, 1])}
        if fresh.passed else {})
    check(v_measure, [3, 1, 1, 2], ["b", "a", "a", "c"]).equals(1.0, about="a perfect match", edge=True, atol=1e-6)
    ### END HIDDEN TESTS


score
