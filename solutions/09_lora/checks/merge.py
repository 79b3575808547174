from helpers.checks import graded


@graded("merge", points=8)
def score(check):
    import torch
    from torch import nn

    def after(steps, x, W, b, A, B, alpha, dropout=0.0):
        """(output, the base's weight, merged) after "m"erging and "u"nmerging, in training if there is dropout."""
        base = nn.Linear(W.shape[1], W.shape[0])
        base.load_state_dict({"weight": W, "bias": b})
        layer = LoRALinear(base, A.shape[0], alpha, dropout)
        layer.load_state_dict({"base.weight": W, "base.bias": b, "A": A, "B": B})
        layer.train(dropout > 0)
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
        return layer(x), layer.base.weight, bool(layer.merged)

    ### BEGIN MISTAKES
    by_alpha = "the scale is alpha / r: here it is alpha"
    rank = "each adapter has its own rank: the number of rows of its A"

    def made(scale=None, flag=True, act=True, guard=True, back=-1.0, reset=True, unguarded=False, turned=False,
             bare=False, opposite=False):
        """A layer as a state (weight, merged), whose steps can be exchanged: after each step, as three tuples."""

        def run(steps, x, W, b, A, B, alpha, dropout=0.0):
            is_merged, found = False, []
            delta = B @ A * (alpha / len(A))
            moved = B @ A * (alpha / len(A) if scale is None else scale(alpha, len(A)))
            for step in steps:
                if step == "m" and (is_merged == opposite or not guard):
                    W, is_merged = W + moved * act, flag
                elif step == "u" and (is_merged or unguarded):
                    taken = back * act * (B @ A if bare else moved)
                    W = W if turned else W + taken
                    is_merged = is_merged and not reset
                found.append((x @ W.T + b + (0 if is_merged else x @ delta.T), W, is_merged))
            return tuple(map(tuple, zip(*found, strict=True)))

        return run

    def last_step(run):
        """What `after` returns."""
        return lambda *given: tuple(part[-1] for part in run(*given))

    known = {
        "the scale alpha / r is missing in what is added": made(scale=lambda a, r: 1.0),
        "the weight is merged but `merged` is not set: the update is added twice": made(flag=False),
        "the weight is as it was: add the update to `layer.base.weight` itself": made(act=False),
        "merging a merged layer adds the update again": made(guard=False),
        "unmerging adds the update again; it is subtracted": made(back=1.0),
        "`merged` stays True after unmerging, so the update is left out": made(reset=False),
        "the scale is alpha / r, not r / alpha": made(scale=lambda a, r: r / a),
        "the update is subtracted in merging": made(scale=lambda a, r: -a / r),
        "unmerging a layer that is not merged must change nothing": made(unguarded=True),
        "unmerging takes out what merging put in: alpha / r times B A": made(bare=True),
        "the guard is the wrong way round: `merge` has work to do where `merged` is False": made(opposite=True),
        "unmerging leaves the weight as it is: subtract the update": made(turned=True),
        by_alpha: made(scale=lambda a, r: a),
    }
    check.mistakes({words: last_step(run) for words, run in known.items()}, after)

    def picked(test):
        return lambda state: {name: value for name, value in state.items() if test(name)}

    check.mistakes({
        "an entry counts if its name ENDS in .A or .B; others have an A or B somewhere in their name":
            picked(lambda n: "A" in n or "B" in n),
        "the entries of the base came back, too: only .A and .B are asked for": dict,
        "the entries that end in .B are missing": picked(lambda n: n.endswith(".A")),
        "a name that holds .A or .B elsewhere counts too here": picked(lambda n: ".A" in n or ".B" in n),
        "these are the entries of the base: the others are asked for": picked(lambda n: not n.endswith((".A", ".B"))),
        "the entries that end in .A are missing": picked(lambda n: n.endswith(".B")),
        "`endswith` without the dot takes names such as head.NA": picked(lambda n: n.endswith(("A", "B"))),
        "the names are cut to their last part: they stay whole":
            lambda s: {n.split(".")[-1]: v for n, v in s.items() if n.endswith((".A", ".B"))},
        "these are the names; names and tensors are asked for": lambda s: [n for n in s if n.endswith((".A", ".B"))],
    }, adapter_state)

    def mixed(scale=lambda a, r, s: s * a / r, chosen=lambda adapters, shares: shares, begin=1.0, only=False,
             mean=False):
        def combine(weight, adapters, shares):
            total, names = begin * weight, list(chosen(adapters, shares))
            for name in names[-1:] if only else names:
                A, B, alpha = adapters[name]
                total = total + scale(alpha, len(A), shares.get(name, 1.0)) * B @ A / (len(names) if mean else 1)
            return total

        return combine

    def scaled(scale):
        """scale(adapters, shares, name): alpha and rank of an adapter, (A, B, alpha) each."""
        def combine(weight, adapters, shares):
            total = weight
            for name, share in shares.items():
                alpha, r = scale(adapters, shares, name)
                A, B, _ = adapters[name]
                total = total + share * alpha / r * B @ A
            return total

        return combine

    def first_rank(adapters, shares, name):
        first = next(iter(adapters))
        return adapters[name][2], len(adapters[first][0])

    def first_alpha(adapters, shares, name):
        first = next(iter(shares))
        return adapters[first][2], len(adapters[name][0])

    def all_ranks(adapters, shares, name):
        return adapters[name][2], sum(len(adapters[other][0]) for other in shares)

    check.mistakes({
        "all adapters were added; only those that `shares` names have a part":
            mixed(chosen=lambda adapters, shares: adapters),
        "the scale alpha / r is missing": mixed(scale=lambda a, r, s: s),
        "the shares are ignored: each update is multiplied by its share": mixed(scale=lambda a, r, s: a / r),
        "only the last adapter was added: begin with the weight once, then add them all": mixed(only=True),
        "the weight itself is missing": mixed(begin=0.0),
        "the updates are added, not averaged": mixed(mean=True),
        rank: scaled(first_rank),
        "the scale is alpha / r, not r / alpha": mixed(scale=lambda a, r, s: s * r / a),
        by_alpha: mixed(scale=lambda a, r, s: s * a),
        "the update is subtracted": mixed(scale=lambda a, r, s: -s * a / r),
        "the share counts twice": mixed(scale=lambda a, r, s: s**2 * a / r),
        "the sign of a share counts: here its absolute value is taken": mixed(scale=lambda a, r, s: abs(s) * a / r),
        "the weight stays whole: it is not multiplied by 1 less the shares":
            lambda w, adapters, shares: mixed()(w, adapters, shares) - sum(shares.values()) * w,
        "the weight counts once, not with each adapter":
            lambda w, adapters, shares: mixed()(w, adapters, shares) + (len(shares) - 1) * w,
        "the ranks were added up: each update is divided by its own": scaled(all_ranks),
        "one alpha for all: each adapter has its own": scaled(first_alpha),
        f"{rank}, not of its B": scaled(lambda adapters, shares, name: (adapters[name][2], len(adapters[name][1]))),
        "the shares are divided by their sum: they count as they are":
            lambda w, adapters, shares: mixed()(w, adapters, {n: s / sum(shares.values()) for n, s in shares.items()}),
        "negative shares count, too":
            lambda w, adapters, shares: mixed()(w, adapters, {n: s for n, s in shares.items() if s > 0}),
        "shares and adapters are matched by their places: match them by name":
            lambda w, adapters, shares: mixed()(w, adapters, dict(zip(adapters, shares.values(), strict=False))),
        "the rank is the number of rows of A: these are its columns":
            scaled(lambda adapters, shares, name: (adapters[name][2], adapters[name][0].shape[1])),
    }, combined)
    ### END MISTAKES
    unfit = "the update is B @ A, (out, in) as the weight is: here the shapes do not fit"
    W = torch.tensor([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]])
    b, A, B = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([[3.0, 1.0]]), torch.tensor([[2.0], [0.0], [-1.0]])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
    merged = torch.tensor([[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]])
    output = torch.tensor([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]])
    exact = {"rtol": 1e-5, "atol": 1e-5}
    check(after, "m", x, W, b, A, B, 0.5).equals(
        (output, merged, True), about="merged", near={unfit: RuntimeError}, **exact)
    tripled = torch.tensor([[16.0, 1.0, -4.0], [-8.5, -1.5, 5.5]])
    check(after, "mu", x, W, b, A, B, 1.5).equals(
        (tripled, W, False), about="unmerged again", near={unfit: RuntimeError}, **exact)
    check(after, "muu", x, W, b, A, B, 1.5).equals(
        (tripled, W, False), about="unmerged twice", near={unfit: RuntimeError}, **exact)
    large = ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[13.0, 4.0], [2.0, -1.0], [-5.5, -1.5]], True)
    check(after, "mm", x, W, b, A, B, 2.0).equals(large, about="merged twice", **exact)

    def in_place():
        return keeps_weight(LoRALinear(nn.Linear(4, 3), 2, 4.0))

    check(in_place).equals(
        True, about="the weight is the very one that was there",
        near={"a new weight takes the place of the base's: change that one in place": False})
    t = torch.tensor
    alphabetical = "the names are in alphabetical order: keep their original order"
    a_first = "all A come before all B: keep their original order"
    names = ("tag.Answer.weight", "q.base.weight", "q.A", "q.B", "A.Bias", "head.NA")
    state = {name: t([float(i)]) for i, name in enumerate(names, 1)}
    check(adapter_state, state).equals({"q.A": t([3.0]), "q.B": t([4.0])})
    state = {name: t([float(i)]) for i, name in enumerate(("q.A", "q.B", "k.base.bias", "k.A", "k.B"))}
    check(lambda: list(adapter_state(state))).equals(
        ["q.A", "q.B", "k.A", "k.B"], about="the order of the names",
        near={alphabetical: ["k.A", "k.B", "q.A", "q.B"], a_first: ["q.A", "k.A", "q.B", "k.B"]},
    )
    adapters = {
        "reader": (t([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0]]), t([[1.0, 0.5], [0.0, 2.0]]), 1.0),
        "spam": (t([[1.0, 2.0, 0.0]]), t([[1.0], [-1.0]]), 3.0),
        "other": (t([[1.0, 1.0, 1.0]]), t([[4.0], [5.0]]), 2.0),
    }
    W = t([[1.0, 0.0, 2.0], [0.5, 0.5, -1.0]])
    check(combined, W, adapters, {"spam": 0.5, "reader": 2.0}).equals([[3.5, 4.0, 3.5], [3.0, -2.5, 1.0]])
    check(combined, W, adapters, {"reader": 0.5, "spam": -1.0}).equals(
        [[-1.75, -5.75, 2.375], [4.5, 6.5, -0.5]], about="a negative share")
    alike = {"first": (t([[1.0, 0.0, 0.0]]), t([[1.0], [0.0]]), 1.0)}
    alike["second"] = t([[0.0, 1.0, 0.0]]), t([[0.0], [1.0]]), 1.0
    check(combined, torch.zeros(2, 3), alike, {"first": 1.0, "second": 1.0}).equals(
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], about="two of the same rank", near={
            "each A meets its own B: here their sums were multiplied": [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def each_step(steps, x, W, b, A, B, alpha, dropout=0.0, scale=None):
        """What `after` returns, after each step, as three tuples."""
        base = nn.Linear(W.shape[1], W.shape[0], bias=b is not None, dtype=W.dtype)
        given = {"weight": W} if b is None else {"weight": W, "bias": b}
        base.load_state_dict(given)
        layer = LoRALinear(base, A.shape[0], alpha, dropout)
        layer.load_state_dict({f"base.{name}": value for name, value in given.items()} | {"A": A, "B": B})
        layer.train(dropout > 0)
        marked(layer, False, alpha / A.shape[0] if scale is None else scale)
        found = []
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
            found.append((layer(x), layer.base.weight.detach().clone(), bool(layer.merged)))
        return tuple(map(tuple, zip(*found, strict=True)))

    check.mistakes(known, each_step)
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(n, m, r, dtype=torch.float32):
        sizes = (2, 3, n), (m, n), (m,), (r, n), (m, r)
        return [torch.randn(s, generator=draw, dtype=dtype) for s in sizes]

    def by_hand(steps, x, W, b, A, B, factor):
        full = W + factor * torch.einsum("or,ri->oi", B, A)
        flags = tuple(step == "m" for step in steps)
        output = torch.nn.functional.linear(x, full, b)
        return (output,) * len(steps), tuple(full if flag else W for flag in flags), flags

    close = {"rtol": 1e-4, "atol": 2e-5}
    for steps, n, m, r, alpha, about in [
        ("m", 5, 4, 2, 3.0, "merged"), ("m", 4, 6, 3, 16.0, "merged"), ("mu", 5, 3, 4, 2.0, "unmerged again"),
        ("mum", 4, 4, 2, 1.0, "merged, unmerged, merged"), ("mm", 3, 5, 2, 4.0, "merged twice"),
        ("muu", 5, 3, 2, 3.0, "unmerged twice"), ("u", 3, 4, 1, 2.0, "unmerged without being merged"),
    ]:
        case = fresh(n, m, r)
        check(each_step, steps, *case, alpha).equals(
            by_hand(steps, *case, alpha / r), about=about, edge=steps == "u", weight=2 if steps == "m" else 1, **close)
    case = x, W, b, A, B = fresh(5, 4, 2)
    full = W + 1.5 * B @ A
    output = torch.nn.functional.linear(x, full, b)
    check(each_step, "m", *case, 3.0, 0.5).equals(by_hand("m", *case, 1.5), about="merged, with dropout", **close)
    rare = 1e-9  # the layer is in training, and nothing is dropped
    check(each_step, "m", *case, 3.0, rare).equals(
        by_hand("m", *case, 1.5), about="merged, with dropout", **close,
        near={"merging does not depend on whether the layer is in training": ((output,), (W,), (False,))},
    )
    check.mistakes({}, each_step)
    check(each_step, "mu", x, W, None, A, B, 3.0).equals(
        by_hand("mu", x, W, None, A, B, 1.5), about="a base without a bias", edge=True, **close)
    check(each_step, "mu", *case, 3.0, 0.0, 0.25).equals(
        by_hand("mu", *case, 0.25), about="another scale", edge=True, **close,
        near={"take the number `scale` of the layer, as it is there": by_hand("mu", *case, 1.5)})
    for n, m, r in [(1, 4, 2), (4, 1, 1)]:
        single = fresh(n, m, r)
        check(each_step, "mum", *single, 3.0).equals(
            by_hand("mum", *single, 3.0 / r), about="one number in or out", edge=True, **close)
    doubled = fresh(5, 4, 2, dtype=torch.float64)
    check(each_step, "mu", *doubled, 3.0).equals(
        by_hand("mu", *doubled, 1.5), about="merged in float64", edge=True, rtol=1e-9, atol=1e-11)
    large = [30.0 * v for v in fresh(70, 66, 68)]
    check(each_step, "m", *large, 3.0).equals(
        by_hand("m", *large, 3.0 / 68), about="many large weights", edge=True, rtol=1e-3, atol=2.0)

    def matrices(steps):
        layer = LoRALinear(nn.Linear(2, 2), 1, 4.0)
        layer.load_state_dict({"base.weight": W[:2, :2], "base.bias": b[:2], "A": A[:1, :2], "B": B[:2, :1]})
        found = []
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
            found.append(bool(layer.merged))
        return layer.A, layer.B, layer.base.bias, bool(layer.training), found

    for steps, flags in [("m", [True]), ("mu", [True, False])]:
        check(matrices, steps).equals(
            (A[:1, :2], B[:2, :1], b[:2], True, flags), about="what stays as it is", rtol=1e-6,
            near={"A and B stay as they are: unmerging needs them": (A[:1, :2], 0 * B[:2, :1], b[:2], True, flags),
                  "the layer stays in training if it was": (A[:1, :2], B[:2, :1], b[:2], False, flags)},
        )

    def learns(steps):
        layer = LoRALinear(nn.Linear(4, 3), 2, 4.0)
        found = []
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
            found.append(bool(layer.merged))
        return {name: bool(p.requires_grad) for name, p in layer.named_parameters()}, found

    trained = {"A": True, "B": True, "base.weight": False, "base.bias": False}
    for steps, flags in [("m", [True]), ("mu", [True, False])]:
        check(learns, steps).equals(
            (trained, flags), about="what is trained afterwards",
            near={"the base is trainable afterwards: change its weight in place": (
                trained | {"base.weight": True}, flags)},
        )
    for prefix in ("blocks.0.attention.q_proj", "blocks.11.linear1"):
        state = {f"{prefix}.{part}": torch.randn(2, 3) for part in ("base.weight", "A", "base.bias", "B")}
        state |= {"NA": torch.ones(1), "x.NB": torch.ones(1), "A.weight": torch.ones(2), "x.Aaa": torch.zeros(1)}
        right = {name: state[name] for name in (f"{prefix}.A", f"{prefix}.B")}
        check(adapter_state, state).equals(right, about="fresh states", weight=2)
    state = {name: torch.ones(1) for name in ("q.B", "q.A", "k.base.bias", "k.A", "k.B", "a.A")}
    check(lambda: list(adapter_state(state))).equals(
        ["q.B", "q.A", "k.A", "k.B", "a.A"], about="the order of the names",
        near={alphabetical: ["a.A", "k.A", "k.B", "q.A", "q.B"], a_first: ["q.A", "k.A", "a.A", "q.B", "k.B"]},
    )
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
            check(combined, W, made_of, shares).equals(right, about="fresh adapters", rtol=1e-4, atol=1e-5, weight=3)
    for r in (1, 3):
        alike = {name: (torch.randn(r, 4, generator=draw), torch.randn(3, r, generator=draw), 2.0) for name in "abc"}
        V, shares = torch.randn(3, 4, generator=draw), {"a": 0.5, "c": -1.5}
        right = V + sum(s * 2.0 / r * torch.einsum("or,ri->oi", alike[k][1], alike[k][0]) for k, s in shares.items())
        check(combined, V, alike, shares).equals(right, about="adapters of one rank", rtol=1e-4, atol=1e-5, weight=2)
    check(combined, W, made_of, {}).equals(W, about="no adapter at all", edge=True)
    check(combined, W, made_of, {"three": 0.0, "one": 0.5}).equals(
        W + 1.25 * made_of["one"][1] @ made_of["one"][0], about="a share of 0", edge=True, rtol=1e-4, atol=1e-5,
        near={"a share of 0 counts as 0, not as 1": (
            W + 1.25 * made_of["one"][1] @ made_of["one"][0] + 0.5 * made_of["three"][1] @ made_of["three"][0])})
    kept = "an axis of size 1 is kept, too"
    for m, n, r, size, dtype, about in [
        (1, 4, 2, 1.0, torch.float32, "one row or column"), (3, 1, 1, 1.0, torch.float32, "one row or column"),
        (70, 66, 68, 40.0, torch.float32, "a mix of many"), (3, 4, 2, 1.0, torch.float64, "a mix in float64"),
    ]:
        W, A, B = (size * torch.randn(s, generator=draw, dtype=dtype) for s in ((m, n), (r, n), (m, r)))
        right = W + 0.75 * torch.einsum("or,ri->oi", B, A)
        double = dtype == torch.float64
        check(combined, W, {"one": (A, B, 1.5 * r)}, {"one": 0.5}).equals(
            right, about=about, edge=True, rtol=1e-9 if double else 1e-4, atol=1e-11 if double else 1e-5 * size**2,
            near={kept: right.squeeze()})
    ### END HIDDEN TESTS


score
