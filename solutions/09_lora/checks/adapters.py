from helpers.checks import graded


@graded("adapters", points=5)
def score(check):
    import torch

    anywhere = "an entry counts if its name ENDS in .A or .B; others have an A or B somewhere in their name"
    base_too = "the entries of the base came, too: only .A and .B are asked"
    only_a = "the entries that end in .B are missing"
    everything = "all adapters were added; only those that `shares` names have a part"
    unscaled = "the scale alpha / r is missing"
    no_shares = "the shares are ignored: each update is multiplied by its share"
    last = "only the last adapter was added: begin with the weight once, then add them all"
    no_weight = "the weight itself is missing"
    mean = "the updates are added, not averaged"
    rank = "each adapter has its own rank: the number of rows of its A"
    t = torch.tensor
    no_dot = "`endswith` without the dot takes names such as head.NA"
    alphabetical = "the names are in alphabetical order: keep the order in which they came"
    a_first = "all A come before all B: keep the order in which they came"
    by_place = "shares and adapters are matched by their places: match them by name"
    negative = "negative shares count, too"
    names = ("tag.Answer.weight", "q.base.weight", "q.A", "q.B", "A.Bias", "head.NA")
    state = {name: t([float(i)]) for i, name in enumerate(names, 1)}
    check(adapter_state, state).equals({"q.A": t([3.0]), "q.B": t([4.0])}, near={
            anywhere: {"tag.Answer.weight": [1.0], "q.A": [3.0], "q.B": [4.0], "A.Bias": [5.0], "head.NA": [6.0]},
            base_too: {"tag.Answer.weight": [1.0], "q.base.weight": [2.0], "q.A": [3.0], "q.B": [4.0], "A.Bias":
                [5.0], "head.NA": [6.0]},
            only_a: {"q.A": [3.0]},
            no_dot: {"q.A": [3.0], "q.B": [4.0], "head.NA": [6.0]},
        })
    state = {name: t([float(i)]) for i, name in enumerate(("q.A", "q.B", "k.base.bias", "k.A", "k.B"))}
    check(lambda: list(adapter_state(state))).equals(
        ["q.A", "q.B", "k.A", "k.B"], about="the order of the names",
        near={alphabetical: ["k.A", "k.B", "q.A", "q.B"], a_first: ["q.A", "k.A", "q.B", "k.B"]},
    )
    adapters = {
        "spam": (t([[1.0, 2.0, 0.0]]), t([[1.0], [-1.0]]), 3.0),
        "reader": (t([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0]]), t([[1.0, 0.5], [0.0, 2.0]]), 1.0),
        "other": (t([[1.0, 1.0, 1.0]]), t([[4.0], [5.0]]), 2.0),
    }
    W = t([[1.0, 0.0, 2.0], [0.5, 0.5, -1.0]])
    check(combined, W, adapters, {"spam": 0.5, "reader": 2.0}).equals(
        [[3.5, 4.0, 3.5], [3.0, -2.5, 1.0]], near={
            everything: [[11.5, 12.0, 11.5], [13.0, 7.5, 11.0]],
            unscaled: [[3.5, 3.0, 5.0], [8.0, -0.5, 3.0]],
            no_shares: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
            last: [[2.0, 1.0, 3.5], [4.5, 0.5, 1.0]],
            no_weight: [[2.5, 4.0, 1.5], [2.5, -3.0, 2.0]],
            mean: [[2.25, 2.0, 2.75], [1.75, -1.0, 0.0]],
            rank: [[4.5, 5.0, 5.0], [7.0, -2.5, 3.0]],
        })
    check(combined, W, adapters, {"reader": -1.0, "spam": 0.5}).equals(
        [[2.0, 2.5, 1.25], [-3.0, -2.5, -2.0]], about="a negative share", near={
            by_place: [[-1.75, -5.75, 2.375], [4.5, 6.5, -0.5]],
            negative: [[2.5, 3.0, 2.0], [-1.0, -2.5, -1.0]],
            last: [[2.5, 3.0, 2.0], [-1.0, -2.5, -1.0]],
            everything: [[10.0, 10.5, 9.25], [7.0, 7.5, 8.0]],
            unscaled: [[0.5, 0.0, 0.5], [-4.0, -0.5, -3.0]],
            no_shares: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def picked(test):
        return lambda state: {name: value for name, value in state.items() if test(name)}

    check.mistakes({
        anywhere: picked(lambda n: "A" in n or "B" in n), base_too: dict, only_a: picked(lambda n: n.endswith(".A")),
        "a name that holds .A or .B elsewhere counts too here": picked(lambda n: ".A" in n or ".B" in n),
        "these are the entries of the base: the others are asked": picked(lambda n: not n.endswith((".A", ".B"))),
        "the entries that end in .A are missing": picked(lambda n: n.endswith(".B")),
        no_dot: picked(lambda n: n.endswith(("A", "B"))),
        "these are the names; names and tensors are asked": lambda s: [n for n in s if n.endswith((".A", ".B"))],
    })
    for prefix in ("blocks.0.attention.q_proj", "blocks.11.linear1"):
        state = {f"{prefix}.{part}": torch.randn(2, 3) for part in ("base.weight", "A", "base.bias", "B")}
        state |= {"NA": torch.ones(1), "x.NB": torch.ones(1), "A.weight": torch.ones(2), "x.Aaa": torch.zeros(1)}
        right = {name: state[name] for name in (f"{prefix}.A", f"{prefix}.B")}
        check(adapter_state, state).equals(right, about="fresh states")
    state = {name: torch.ones(1) for name in ("q.B", "q.A", "k.base.bias", "k.A", "k.B", "a.A")}
    check(lambda: list(adapter_state(state))).equals(
        ["q.B", "q.A", "k.A", "k.B", "a.A"], about="the order of the names",
        near={alphabetical: ["a.A", "k.A", "k.B", "q.A", "q.B"], a_first: ["q.A", "k.A", "a.A", "q.B", "k.B"]},
    )

    def made(scale=lambda a, r, s: s * a / r, chosen=lambda adapters, shares: shares, begin=1.0, only=False,
             mean=False):
        def combine(weight, adapters, shares):
            total, names = begin * weight, list(chosen(adapters, shares))
            for name in names[-1:] if only else names:
                A, B, alpha = adapters[name]
                total = total + scale(alpha, len(A), shares.get(name, 1.0)) * B @ A / (len(names) if mean else 1)
            return total

        return combine

    def first_rank(weight, adapters, shares):
        r = len(next(iter(adapters.values()))[0])
        return weight + sum(s * adapters[n][2] / r * adapters[n][1] @ adapters[n][0] for n, s in shares.items())

    check.mistakes({
        everything: made(chosen=lambda adapters, shares: adapters), unscaled: made(scale=lambda a, r, s: s),
        no_shares: made(scale=lambda a, r, s: a / r), last: made(only=True), no_weight: made(begin=0.0),
        mean: made(mean=True), rank: first_rank,
        "the scale is alpha / r, not r / alpha": made(scale=lambda a, r, s: s * r / a),
        "the scale is alpha / r: here it is alpha": made(scale=lambda a, r, s: s * a),
        "the update is subtracted": made(scale=lambda a, r, s: -s * a / r),
        "the shares are divided by their sum: they count as they are": lambda w, adapters, shares: made()(
            w, adapters, {n: s / sum(shares.values()) for n, s in shares.items()}),
        negative: lambda w, adapters, shares: made()(
            w, adapters, {n: s for n, s in shares.items() if s > 0}),
        by_place: lambda w, adapters, shares: made()(
            w, adapters, dict(zip(adapters, shares.values(), strict=False))),
        "the rank is the number of rows of A: these are its columns": lambda w, adapters, shares: w + sum(
            s * adapters[n][2] / adapters[n][0].shape[1] * adapters[n][1] @ adapters[n][0] for n, s in shares.items()),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for n, m in [(4, 3), (3, 6)]:
        W = torch.randn(m, n, generator=draw)
        made_of = {
            name: (torch.randn(r, n, generator=draw), torch.randn(m, r, generator=draw), alpha)
            for name, r, alpha in [("one", 2, 5.0), ("two", 3, 8.0), ("three", 1, 0.5)]
        }
        for shares in ({"one": 1.0, "three": -0.5}, {"three": 0.3, "two": 2.0, "one": 0.25}, {"two": 1.0}):
            right = W + sum(
                s * made_of[k][2] / made_of[k][0].shape[0] * torch.einsum("or,ri->oi", made_of[k][1], made_of[k][0])
                for k, s in shares.items()
            )
            check(combined, W, made_of, shares).equals(right, about="fresh adapters", rtol=1e-4, atol=1e-5)
    check(combined, W, made_of, {}).equals(W, about="no adapter at all", edge=True)
    ### END HIDDEN TESTS


score
