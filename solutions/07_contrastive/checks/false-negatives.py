from helpers.checks import graded


@graded("false-negatives", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    later = "only later keys of the group were left out: earlier ones, too"
    unmasked = "keys of the same group were not left out"
    positives = "keys of the same group became positives, too: they are only left out"
    own = "the query's own key was left out, too"
    zero = "left-out scores were set to 0, and exp(0) is 1: set them to minus infinity"
    others = "the keys of *other* groups were left out: they are the negatives"
    no_norm = "the vectors were not brought to length 1"
    times = "similarities are divided by the temperature, not multiplied by it"
    by_number = "the numbers of the groups were taken for the right keys: query i has key i"
    summed = "the mean over the queries is asked, not the sum"
    import torch.nn.functional as F

    def made(fill=-torch.inf, which=lambda same, own: same & ~own, tau=lambda s, t: s / t, norm=True, end=None):
        def loss(q, k, groups, temperature=0.05):
            a, b = (F.normalize(v, dim=-1) if norm else v for v in (q, k))
            s, own = tau(a @ b.T, temperature), torch.eye(len(q), dtype=torch.bool)
            same = groups[:, None] == groups[None]
            s = s.masked_fill(which(same, own), fill)
            return (end or (lambda s, same: F.cross_entropy(s, torch.arange(len(s)))))(s, same)

        return loss

    def nothing(same, own):
        return torch.zeros_like(own)

    def for_all(q, k, groups, temperature=0.05):
        own = torch.eye(len(q), dtype=torch.bool)
        later = ((groups[:, None] == groups[None]) & ~own).tril().any(1)  # keys whose group came before
        return made(which=lambda same, own: later[None] & ~own)(q, k, groups, temperature)

    def each_group(q, k, groups, temperature=0.05, end=torch.mean):
        ones = made(end=lambda s, same: F.cross_entropy(s, torch.arange(len(s)), reduction="none"))
        losses = ones(q, k, groups, temperature)
        return torch.stack([end(losses[groups == g]) for g in groups.unique()]).mean()

    check.mistakes({
        unmasked: made(which=nothing), zero: made(fill=0.0), others: made(which=lambda same, own: ~same),
        positives: made(which=nothing, end=lambda s, same: -(
            s.masked_fill(~same, -torch.inf).logsumexp(-1) - s.logsumexp(-1)).mean()),
        "all keys of a group were taken as targets, each with its share: they are only left out": made(
            which=nothing, end=lambda s, same: -((s.log_softmax(-1) * same).sum(-1) / same.sum(-1)).mean()),
        own: made(
            which=lambda same, own: same, end=lambda s, same: torch.tensor(torch.inf)),
        no_norm: made(norm=False), times: made(tau=lambda s, t: s * t),
        "the temperature is missing": made(tau=lambda s, t: s),
        summed: made(end=lambda s, same: F.cross_entropy(s, torch.arange(len(s)), reduction="sum")),
        "queries with a duplicate were left out of the mean: they count": made(end=lambda s, same: (
            F.cross_entropy(s, torch.arange(len(s)), reduction="none")[same.sum(1) == 1].mean())),
        later: made(
            which=lambda same, own: (same & ~own).triu()),
        "only earlier keys of the group were left out: later ones, too": made(
            which=lambda same, own: (same & ~own).tril()),
        "the temperature was ignored": lambda q, k, groups, temperature=0.05: made()(q, k, groups),
        "left-out cosines were set to -1, which still counts: set them to minus infinity": (
            lambda q, k, groups, temperature=0.05: made(tau=lambda s, t: s, fill=-1.0, end=lambda s, same: (
                F.cross_entropy(s / temperature, torch.arange(len(s)))))(q, k, groups)),
        "only one query of each group asks here: all do": lambda q, k, groups, temperature=0.05: (
            (i := [j for j, g in enumerate(groups.tolist()) if g not in groups.tolist()[:j]])
            and made()(q[i], k[i], groups[i], temperature)),
        "both directions were averaged: only the queries choose here": made(end=lambda s, same: (
            F.cross_entropy(s, torch.arange(len(s))) + F.cross_entropy(s.T, torch.arange(len(s)))) / 2),
        "softmax over the queries: each query chooses among the keys": made(
            end=lambda s, same: F.cross_entropy(s.T, torch.arange(len(s)))),
        "the second key of a group was left out for all queries: only those of the group leave it out": for_all,
        "the mean of the groups' means was taken: the mean over all queries is asked": each_group,
        "divided by the number of groups: the mean is over all queries": lambda q, k, groups, temperature=0.05: (
            each_group(q, k, groups, temperature, end=torch.sum)),
        by_number: (
            lambda q, k, groups, temperature=0.05: made(
                end=lambda s, same: F.cross_entropy(s, groups))(q, k, groups, temperature)),
        "the numbers of the groups were taken for the right keys, and no key was left out": (
            lambda q, k, groups, temperature=0.05: made(
                which=nothing, end=lambda s, same: F.cross_entropy(s, groups))(q, k, groups, temperature)),
        "the logarithm is missing": made(end=lambda s, same: -s.softmax(-1).diagonal().mean()),
        "the temperature divides twice": made(tau=lambda s, t: s / t / t),
        "multiplied by the temperature at the end": lambda q, k, groups, temperature=0.05: (
            made()(q, k, groups, temperature) * temperature),
        "the own key is missing in the denominator": made(end=lambda s, same: (
            s.masked_fill(torch.eye(len(s), dtype=torch.bool), -torch.inf).logsumexp(-1) - s.diag()).mean()),
        "one loss for each query came: their mean is asked": made(
            end=lambda s, same: F.cross_entropy(s, torch.arange(len(s)), reduction="none")),
    } | {
        f"left-out cosines were set to {low:g}, which still counts: set them to minus infinity": (
            lambda q, k, groups, temperature=0.05, low=low: made(tau=lambda s, t: s, fill=low, end=lambda s, same: (
                F.cross_entropy(s / temperature, torch.arange(len(s)))))(q, k, groups))
        for low in (-2.0, -5.0, -10.0)
    }, masked_info_nce)
    ### END MISTAKES
    q, k = torch.tensor([[1.0, 2.0], [2.0, 1.0], [-1.0, 1.0]]), torch.tensor([[1.0, 1.0], [3.0, 1.0], [0.0, 2.0]])
    check(masked_info_nce, q, k, torch.tensor([0, 0, 1]), 0.5).equals(0.4086296, rtol=1e-4)
    check(masked_info_nce, q, k, torch.tensor([4, 7, 4]), 1.0).equals(0.595377, rtol=1e-4)
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    check(slopes, masked_info_nce, q, k, torch.tensor([0, 0, 1]), 0.5).equals(
        [[[-0.0962748, 0.0481374], [-0.0348697, 0.0697394], [0.022303, 0.022303]],
         [[-0.0105157, 0.0105157], [-0.0020344, 0.0061032], [0.2059024, 0.0]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    ### BEGIN HIDDEN TESTS
    import numpy as np

    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def oracle(q, k, groups, t):
        q, k = (v.double().numpy() / np.linalg.norm(v.double().numpy(), axis=1, keepdims=True) for v in (q, k))
        total = 0.0
        for i in range(len(q)):
            rivals = [j for j in range(len(k)) if j == i or groups[j] != groups[i]]
            total += np.log(sum(np.exp((q[i] @ k[j] - q[i] @ k[i]) / t) for j in rivals))
        return total / len(q)

    def draw(n, c, kinds, scale=2.0):
        q, k = (torch.from_numpy(check.rng.normal(size=(n, c)) * scale) for _ in "qk")
        groups = torch.from_numpy(check.rng.integers(0, kinds, size=n))
        groups[0], groups[2:3] = groups[int(n > 1)], kinds
        return q, k, groups

    for n, c, t, kinds in [(5, 3, 0.5, 3), (7, 4, 0.2, 4), (4, 6, 1.5, 2), (8, 3, 0.1, 5), (5, 5, 0.02, 3)]:
        q, k, groups = draw(n, c, kinds)
        check(masked_info_nce, q.float(), k.float(), groups, t).equals(
            oracle(q, k, groups.tolist(), t), about="fresh pairs", rtol=1e-4, atol=1e-6
        )
    for n, c, kinds, scale in [(90, 4, 40, 90), (4, 90, 2, 1e-4)]:
        q, k, groups = draw(n, c, kinds, scale)
        check(masked_info_nce, q.float(), k.float(), groups, 0.3).equals(
            oracle(q, k, groups.tolist(), 0.3), about="large batches, long and short vectors", rtol=1e-3
        )
    q, k, _ = draw(6, 3, 2)
    for numbers in [[-1, 0, -1, 7, 0, 3], [2**40, 2**40 + 1, 5, 2**40 + 1, -(2**40), 2**24]]:
        check(masked_info_nce, q.float(), k.float(), torch.tensor(numbers), 0.4).equals(
            oracle(q, k, numbers, 0.4), about="any numbers of groups", rtol=1e-4, edge=True
        )
    check(masked_info_nce, q * 1e5, k * 1e5, torch.tensor([1, 0, 1, 2, 0, 3])).holds(
        **float64_kept(oracle(q, k, [1, 0, 1, 2, 0, 3], 0.05))
    )
    nan = {"this is NaN: a query with nothing else to choose from costs 0, and counts in the mean": np.nan}
    for n, c in [(1, 3), (4, 1)]:
        q, k, groups = draw(n, c, 2)
        check(masked_info_nce, q.float(), k.float(), groups, 0.4).equals(
            oracle(q, k, groups.tolist(), 0.4), about="one pair, or one number in a vector", rtol=1e-4, edge=True,
            atol=1e-6, near=nan if n == 1 else {}
        )
    q, k, _ = draw(8, 3, 5)
    q, k = q.float(), k.float()
    check(masked_info_nce, q, k, torch.arange(8), 0.5).equals(
        oracle(q, k, list(range(8)), 0.5), about="no two alike", rtol=1e-4, edge=True
    )
    check(masked_info_nce, q, k, torch.zeros(8, dtype=torch.long), 0.5).equals(
        0.0, about="all alike: nothing to choose from", atol=1e-6, edge=True, near=nan
    )
    check.mistakes({}, masked_info_nce, slopes)
    check(masked_info_nce, q[:2], -q[:2], torch.tensor([3, 3]), 0.0005).equals(
        0.0, about="all alike: nothing to choose from", atol=1e-6, edge=True
    )
    groups = torch.tensor([3, 1, 3, 0, 2, 1, 5, 0])
    for t, about in [(0.4, ""), (0.003, " at a low temperature")]:
        leaves = [v.double().requires_grad_() for v in (q, k)]
        check(slopes, masked_info_nce, q, k, groups, t).equals(
            list(torch.autograd.grad(made()(*leaves, groups, t), leaves)),
            about=f"the gradients of queries and keys{about}", rtol=1e-3, atol=1e-4 if about else 1e-6, near=lost,
            edge=bool(about), weight=1 if about else 2,
        )
    check(slopes, masked_info_nce, q[:3], k[:3], torch.zeros(3, dtype=torch.long), 0.4).equals(
        [torch.zeros(3, 3)] * 2, about="the gradients where all are alike", atol=1e-6, edge=True, near=lost,
    )
    ### END HIDDEN TESTS


score
