from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("v-measure", points=4)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "H(C | K) and H(K | C) are exchanged": {
            1: 0.666667,
            2: -0.204496,
        },
        "the entropy of the pairs stands where the conditional one is asked": {
            1: 0.0,
            2: -0.488252,
            4: -1.0,
        },
        "h takes the entropy of the pairs where H(C | K) is asked for": {
            1: -4.0,
            2: -1.69787,
        },
        "c takes the entropy of the pairs where H(K | C) is asked for": {
            1: 0.0,
            2: 0.885092,
        },
        "each pair counts as often as it occurs: here it counted once": {
            1: 0.73203,
            2: 0.317521,
        },
        "two logarithms of different bases are mixed": {
            1: 0.869386,
            2: 0.582193,
            4: 0.306853,
        },
        "this is homogeneity alone": {
            1: 1.0,
            2: 0.314669,
        },
        "this is completeness alone": {
            1: 0.666667,
            2: 0.5,
        },
        "the harmonic mean is asked, not the ordinary one": {
            1: 0.833333,
            2: 0.407334,
        },
        "the product of h and c is not their harmonic mean": {
            1: 0.666667,
            2: 0.157334,
        },
        "the factor 2 is missing in the harmonic mean": {
            1: 0.4,
            2: 0.193127,
            3: 0.5,
        },
        "the geometric mean was taken: the harmonic one is asked": {
            1: 0.816497,
            2: 0.396654,
        },
        "1 minus is missing: these are the shares of entropy that are left": {
            1: 0.0,
            2: 0.578177,
            4: 1.0,
        },
        "0 came: were classes compared with clusters, which have no names, or was H(C | K) as large as H(C)? In front of its logarithm stands n_ck / n, inside n_ck / n_k": {
            1: 0.0,
            2: 0.0,
            3: 0.0,
        },
        "H(C | K) was added to 1, not subtracted: a minus is missing in it": {
            1: 1.14286,
            2: 1.58727,
            4: 2.0,
        },
        "the logarithms of H(C | K) have base 2, those of H(C) another": {
            1: 0.683432,
            2: 0.0216743,
            4: -0.442695,
        },
        "n_ck / n_k stands in front of the logarithm: n_ck / n is asked": {
            1: 0.5,
            2: 0.0,
            4: -1.0,
        },
        "this is purity, the share of the largest class in each cluster": {
            1: 1.0,
            2: 0.666667,
            4: 0.5,
        },
        "this is the mutual information, not yet divided by an entropy": {
            1: 0.693147,
            2: 0.318257,
            3: 0.0,
        },
        "this is the Rand index": {
            1: 0.833333,
            2: 0.533333,
            4: 0.333333,
        },
        "this is the adjusted Rand index": {
            1: 0.571429,
            2: 0.0366972,
            4: -0.5,
        },
        "the smaller of h and c was taken": {
            1: 0.666667,
            2: 0.314669,
        },
        "the conditional entropy weighs each cluster by its size": {
            2: 0.562176,
        },
    })
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


score
