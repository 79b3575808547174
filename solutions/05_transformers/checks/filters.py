from helpers.checks import graded


@graded("filters", points=7)
def score(check):
    import torch

    inf = float("inf")
    times = "multiplied by the temperature: divide"
    chances = "these are probabilities: return logits"
    check(apply_temperature, torch.tensor([1.0, -2.0, 0.5]), 2.0).equals([0.5, -1.0, 0.25], near={
        times: [2, -4, 1], chances: [0.499518, 0.111457, 0.389025],
    })

    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked"
    first_k = "the first k tokens were kept, not the k largest: logits come in any order"
    smallest, fewer, more = "the smallest were kept", "one token too few was kept", "one token too many was kept"
    renormalised = "the logits of those who stay changed: leave them as they are"
    check(keep_top_k, torch.tensor([0.5, 2.0, -1.0, 1.0]), 2).equals([-inf, 2.0, -inf, 1.0], near={
        first_k: [0.5, 2, -inf, -inf], zero: [0.0, 2, 0.0, 1], smallest: [0.5, -inf, -1, -inf],
        fewer: [-inf, 2, -inf, -inf], more: [0.5, 2, -inf, 1],
        renormalised: [-inf, -0.313262, -inf, -1.31326], chances: [0.0, 0.731059, 0.0, 0.268941],
    })

    crossing = "the token that reaches p is kept, too"
    unsorted = "the probabilities were added in the order of the ids, not from the likeliest on"
    back = "the result is sorted: each token's logit belongs to its place"
    tail = "the tail was kept and the nucleus removed"
    single = "each single probability was compared with p: it is their sum that counts"
    # probabilities .08 .45 .02 .25 .15 .04 .01
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -inf, -inf]
    check(keep_top_p, example, 0.9).equals(kept, near={
        crossing: [-inf, -0.798508, -inf, -1.38629, -1.89712, -inf, -inf],
        unsorted: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -inf, -inf],
        back: [-0.798508, -1.38629, -1.89712, -2.52573, -inf, -inf, -inf],
        tail: [-inf, -inf, -3.91202, -inf, -inf, -3.21888, -4.60517],
        single: [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
        zero: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
        renormalised: [-2.45316, -0.725937, -inf, -1.31372, -1.82455, -inf, -inf],
        chances: [0.0860215, 0.483871, 0.0, 0.268817, 0.16129, 0.0, 0.0],
    })
    check(keep_top_p, example + 3.0, 0.3).equals([-inf, 2.2014923, -inf, -inf, -inf, -inf, -inf], near={
        unsorted: [0.474271, 2.20149, -inf, -inf, -inf, -inf, -inf],
        back: [2.20149, -inf, -inf, -inf, -inf, -inf, -inf],
        tail: [0.474271, -inf, -0.912023, 1.61371, 1.10288, -0.218876, -1.60517],
        zero: [0.0, 2.20149, 0.0, 0.0, 0.0, 0.0, 0.0],
        renormalised: [-inf, 0.0, -inf, -inf, -inf, -inf, -inf],
        chances: [0.0, 1, 0.0, 0.0, 0.0, 0.0, 0.0],
    })

    absolute = "compared with min_p itself: the threshold is min_p times the largest probability"
    of_logits = "logits were compared: probabilities are asked"
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -3.2188758, -inf]
    check(keep_min_p, example, 0.05).equals(kept, near={
        absolute: [-2.52573, -0.798508, -inf, -1.38629, -1.89712, -inf, -inf],
        of_logits: [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
        zero: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, -3.21888, 0.0],
        renormalised: [-2.49527, -0.768048, -inf, -1.35584, -1.86666, -3.18842, -inf],
        chances: [0.0824742, 0.463918, 0.0, 0.257732, 0.154639, 0.0412371, 0.0],
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def kept_by(rule, values=lambda z: z, removed=-inf):
        """A filter from a rule that tells from (logits, argument) who stays."""

        def apply(z, a):
            keep = torch.as_tensor(rule(z, a))
            return torch.where(keep, values(torch.where(keep, z, -inf) if values is renorm else z), removed)

        return apply

    def renorm(z):
        return z.log_softmax(-1)

    def chance(z):
        return z.softmax(-1)

    def rank(z):
        return z.argsort(descending=True, stable=True).argsort(stable=True)

    check.mistakes({
        times: lambda z, t: z * t, chances: lambda z, t: (z / t).softmax(-1),
        "the probabilities were divided: divide the logits": lambda z, t: z.softmax(-1) / t,
        "the logarithms of probabilities were returned, shifted: divide the logits and no more": lambda z, t: (
            z / t).log_softmax(-1),
        "1 + temperature was taken": lambda z, t: z / (1 + t),
        "the temperature is squared or rooted: divide by it": lambda z, t: z / t**0.5,
        "the temperature is ignored": lambda z, t: z,
        "the logits were raised to a power: divide them": lambda z, t: z ** (1 / t),
        "the temperature is subtracted: divide": lambda z, t: z - t,
    })
    for t in (0.5, 1.7, 0.05):
        z = torch.from_numpy(check.rng.normal(size=6) * 3).float()
        check(apply_temperature, z, t).equals(z.numpy() / t, about="fresh logits", rtol=1e-4)
    check(apply_temperature, torch.tensor([1.0, -inf, 2.0]), 0.5).equals(
        [2.0, -inf, 4.0], about="tokens removed before", edge=True
    )

    top = {
        first_k: kept_by(lambda z, k: torch.arange(len(z)) < k), zero: kept_by(lambda z, k: rank(z) < k, removed=0.0),
        smallest: kept_by(lambda z, k: rank(-z) < k), fewer: kept_by(lambda z, k: rank(z) < k - 1),
        more: kept_by(lambda z, k: rank(z) < k + 1), renormalised: kept_by(lambda z, k: rank(z) < k, values=renorm),
        chances: lambda z, k: chance(kept_by(lambda z, k: rank(z) < k)(z, k)),
        "only those above the k-th largest were kept: it stays, too": kept_by(lambda z, k: rank(z) < k - 1),
        "the largest by their size alone were kept: minus 5 is less than 1": kept_by(lambda z, k: rank(z.abs()) < k),
        "the result is sorted: each token's logit belongs to its place": lambda z, k: torch.where(
            torch.arange(len(z)) < k, z.sort(descending=True).values, -inf),
        "the k largest came without the others: the shape is (V,)": lambda z, k: z.topk(min(k, len(z))).values,
        "these are the ids of the k largest: their logits are asked": lambda z, k: z.topk(min(k, len(z))).indices,
        "removed tokens have a large negative number: minus infinity is asked": kept_by(
            lambda z, k: rank(z) < k, removed=-100.0),
        "the largest k were removed": kept_by(lambda z, k: rank(z) >= k),
        "those above the mean were kept": kept_by(lambda z, k: z > z.mean()),
    }
    check.mistakes(top)
    for k, V in [(3, 8), (1, 6), (5, 12)]:
        z = torch.from_numpy(check.rng.normal(size=V) * 3).float()
        keep = z >= np.sort(z.numpy())[-k]
        check(keep_top_k, z, k).equals(torch.where(keep, z, -inf), about="fresh logits, top-k")
    z = torch.tensor([0.3, -1.0, 2.0])
    check(keep_top_k, z, 5).equals(
        z, about="k above the vocabulary", edge=True,
        near={"k may be larger than the vocabulary: then all stay": RuntimeError,
              "k may be larger than the vocabulary: then all stay; an index ran over the end": IndexError},
    )
    check(keep_top_k, torch.tensor([-inf, 4.0, -inf, 3.0, 5.0]), 2).equals(
        [-inf, 4.0, -inf, -inf, 5.0], about="top-k after another filter", edge=True
    )
    check(keep_top_k, torch.tensor([-inf, 4.0, -inf, 3.0, 5.0]), 4).equals(
        [-inf, 4.0, -inf, 3.0, 5.0], about="top-k after another filter", edge=True
    )

    def before(z):
        """The probability of all that is likelier."""
        p = chance(z.double())
        return (p[None, :] * (rank(z)[None, :] < rank(z)[:, None])).sum(1)

    check.mistakes({
        crossing: kept_by(lambda z, p: (before(z) + chance(z.double()) < p) | (rank(z) == 0)),
        "the token that reaches p is kept, too, and at least one stays": kept_by(
            lambda z, p: before(z) + chance(z.double()) < p),
        "one token too many: the one that reaches p is the last": kept_by(
            lambda z, p: rank(z) <= int((before(z) < p).sum())),
        unsorted: kept_by(lambda z, p: chance(z).cumsum(-1) - chance(z) < p),
        "the probabilities were added in the order of the ids, and the token that reaches p is missing": kept_by(
            lambda z, p: chance(z).cumsum(-1) <= p),
        back: lambda z, p: torch.where((s := z.sort(descending=True).values).softmax(-1).cumsum(-1) - s.softmax(-1) < p,
                                       s, -inf),
        "the mask of the sorted tokens was used on the unsorted ones": kept_by(
            lambda z, p: (c := chance(z).sort(descending=True).values).cumsum(-1) - c < p),
        "from the least likely on: begin with the likeliest": kept_by(lambda z, p: before(-z) < p),
        tail: kept_by(lambda z, p: before(z) >= p), single: kept_by(lambda z, p: chance(z) >= p),
        "p and 1 - p are exchanged": kept_by(lambda z, p: before(z) < 1 - p),
        "these are probabilities: the logits of those who stay are asked": kept_by(
            lambda z, p: before(z) < p, values=chance),
        "the mask was sorted once more: keep[order] = ... puts it back": kept_by(
            lambda z, p: ((before(z) < p)[z.argsort(descending=True)][z.argsort(descending=True)]) | (rank(z) == 0)),
        "compared with 1 - p: a single probability does not tell": kept_by(lambda z, p: chance(z) >= 1 - p),
        "the logits were added up: add probabilities": kept_by(
            lambda z, p: (z[None] * (rank(z)[None, :] < rank(z)[:, None])).nan_to_num(0, 0, 0).sum(1) < p),
        zero: kept_by(lambda z, p: before(z) < p, removed=0.0),
        renormalised: kept_by(lambda z, p: before(z) < p, values=renorm),
        chances: lambda z, p: chance(kept_by(lambda z, p: before(z) < p)(z, p)),
        "p was taken as a share of the tokens: it is one of their probability": kept_by(
            lambda z, p: rank(z) < max(int(p * len(z)), 1)),
        "p was taken as a share of the tokens, rounded up: it is one of their probability": kept_by(
            lambda z, p: rank(z) < -int(-p * len(z) // 1)),
    })
    for p, V in [(0.5, 7), (0.8, 10), (0.95, 20), (0.2, 6)]:
        z = torch.from_numpy(check.rng.permutation(np.linspace(-2, 2.1, V)) * check.rng.uniform(0.8, 1.3)).float()
        order, total, keep = np.argsort(-z.numpy()), 0.0, np.zeros(V, dtype=bool)
        weights = np.exp(z.double().numpy())
        for i in order:
            keep[i], total = True, total + weights[i] / weights.sum()
            if total >= p:
                break
        check(keep_top_p, z, p).equals(np.where(keep, z.numpy(), -inf), about="fresh logits, top-p")
    z = torch.tensor([0.3, -1.0, 2.0, 1.0])
    check(keep_top_p, z, 0.0001).equals([-inf, -inf, 2.0, -inf], about="a tiny p", edge=True)
    check(keep_top_p, torch.tensor([1.0, -inf, 3.0, 2.0, -inf]), 0.95).equals(
        [1.0, -inf, 3.0, 2.0, -inf], about="top-p after another filter", edge=True
    )
    check(keep_top_p, torch.tensor([500.0, 498.0, 499.5, -500.0]), 0.9).equals(
        [500.0, -inf, 499.5, -inf], about="large logits, top-p"
    )

    check.mistakes({
        absolute: kept_by(lambda z, m: chance(z) >= m), of_logits: kept_by(lambda z, m: z >= m * z.max()),
        "the logarithms of the probabilities were compared": kept_by(lambda z, m: renorm(z) >= m * renorm(z).max()),
        "compared with the largest logit minus min_p: probabilities are asked": kept_by(lambda z, m: z >= z.max() - m),
        "the threshold is min_p times the largest probability, not over it": kept_by(
            lambda z, m: chance(z) >= m / chance(z).max()),
        "compared with min_p times the mean probability: the largest counts": kept_by(
            lambda z, m: chance(z) >= m * chance(z).mean()),
        "compared with min_p times the smallest probability: the largest counts": kept_by(
            lambda z, m: chance(z) >= m * chance(z).min()),
        "min_p was subtracted from the largest probability: the threshold is min_p times that": kept_by(
            lambda z, m: chance(z) >= chance(z).max() - m),
        "those below the threshold were kept, and those on it": kept_by(lambda z, m: chance(z) <= m * chance(z).max()),
        "the logarithm of min_p is the natural one, not to base 2": kept_by(lambda z, m: z >= z.max() + np.log2(m)),
        "the logarithm of min_p is the natural one, not to base 10": kept_by(lambda z, m: z >= z.max() + np.log10(m)),
        "exponentials were compared with min_p itself: the threshold is min_p times the largest": kept_by(
            lambda z, m: z.exp() >= m),
        "those below the threshold were kept": kept_by(lambda z, m: chance(z) < m * chance(z).max()),
        "the threshold is 1 - min_p times the largest": kept_by(lambda z, m: chance(z) >= (1 - m) * chance(z).max()),
        zero: kept_by(lambda z, m: chance(z) >= m * chance(z).max(), removed=0.0),
        renormalised: kept_by(lambda z, m: chance(z) >= m * chance(z).max(), values=renorm),
        chances: lambda z, m: chance(kept_by(lambda z, m: chance(z) >= m * chance(z).max())(z, m)),
        "removed tokens have a large negative number: minus infinity is asked": kept_by(
            lambda z, m: chance(z) >= m * chance(z).max(), removed=-100.0),
        "the first token was taken for the likeliest: logits come in any order": kept_by(
            lambda z, m: chance(z) >= m * chance(z)[0]),
        "these are probabilities, not shared out anew: return logits": kept_by(
            lambda z, m: chance(z) >= m * chance(z).max(), values=chance, removed=0.0),
    })
    for m, V in [(0.1, 8), (0.3, 12), (0.02, 30)]:
        z = torch.from_numpy(check.rng.permutation(np.linspace(-3, 2.2, V)) * check.rng.uniform(0.9, 1.2)).float()
        check(keep_min_p, z, m).equals(
            torch.where(z.double() - z.double().max() >= np.log(m), z, -inf), about="fresh logits, min-p"
        )
    check(keep_min_p, torch.tensor([300.0, 299.5, 290.0, -inf]), 0.05).equals(
        [300.0, 299.5, -inf, -inf], about="large logits, min-p"
    )
    check(keep_min_p, torch.tensor([2.0, -1.0, 0.0]), 1.0).equals([2.0, -inf, -inf], about="min_p of 1", edge=True)
    ### END HIDDEN TESTS


score
