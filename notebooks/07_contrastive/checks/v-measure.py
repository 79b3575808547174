from helpers.checks import graded


@graded("v-measure", points=5)
def score(check):
    geometric = "the geometric mean was taken: the harmonic one is asked"
    homogeneity = "this is homogeneity alone"
    completeness = "this is completeness alone"
    mean = "the harmonic mean is asked, not the ordinary one"
    product = "the product of h and c is not their harmonic mean"
    exchanged = "H(C | K) and H(K | C) are exchanged"
    purity = "this is purity, the share of the largest class in each cluster"
    rand = "this is the Rand index"
    left = "1 minus is missing: these are the shares of entropy that are left"
    smaller = "the smaller of h and c was taken"
    in_front = "n_ck / n_k stands in front of the logarithm: n_ck / n is asked"
    nothing = "0 came: was H(C | K) as large as H(C)? In front of its logarithm stands n_ck / n, inside n_ck / n_k"
    shares = "the conditional entropy weighs each cluster by its size"
    check(v_measure, ["x", "x", "y", "y"], [0, 0, 1, 2]).equals(0.8, rtol=1e-4, near={
        "classes and clusters may be words, too: they have no order and no sum": TypeError,
        homogeneity: 1.0, purity: 1.0, mean: 0.8333333, rand: 0.8333333,
        completeness: 0.6666667, exchanged: 0.6666667, product: 0.6666667, smaller: 0.6666667,
        geometric: 0.8164966,
    })
    check(v_measure, [0, 0, 0, 1, 1, 2], [5, 5, 7, 7, 7, 7]).equals(0.3862534, rtol=1e-4, near={
        homogeneity: 0.3146685, smaller: 0.3146685, completeness: 0.5, exchanged: -0.2044963, rand: 0.5333333,
        mean: 0.4073343, product: 0.1573343,
        shares: 0.5621756, purity: 0.6666667, geometric: 0.3966538, nothing: 0.0,
        in_front: 0.0,
    })


score
