from helpers.checks import graded


@graded("experts", points=8)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import math
    from functools import partial

    def routed(logits, k, capacity, share=True, again=False, order="choice", every=False, axis=-1, at="first"):
        """Places given out one by one."""
        N, E = logits.shape
        p = torch.exp(logits - torch.logsumexp(logits, dim=axis, keepdim=True))
        ranked = [sorted(range(E), key=lambda e, n=n: -float(p[n, e])) for n in range(N)]
        chosen = [(rank, n) for rank in range(k) for n in range(N)]
        if order == "token":
            chosen = [(rank, n) for n in range(N) for rank in range(k)]
        if order == "gate":
            chosen.sort(key=lambda pair: -float(p[pair[1], ranked[pair[1]][pair[0]]]))
        if at == "last":
            chosen = [(rank, n) for rank in range(k) for n in reversed(range(N))]
        used, mask, full = [0] * E, torch.zeros(N, E, dtype=p.dtype), torch.zeros(N, E, dtype=p.dtype)
        for rank, n in chosen:
            e = ranked[n][rank]
            full[n, e] = 1
            if order == "next":
                e = next((i for i in ranked[n] if used[i] < capacity and not mask[n, i]), e)
            if used[e] < capacity:
                used[e], mask[n, e] = used[e] + 1, 1
        total = ((mask if again else full) * p).sum(-1, keepdim=True)
        total = p.sum(-1, keepdim=True) if every or not share else total
        return torch.nan_to_num(p * mask / total) if again else p * mask / total

    def only(z, k, capacity, rank):
        """The gates of one rank of choices, as if it had the places to itself."""
        gates, E = routed(z, k, len(z)), z.shape[1]
        chosen = z.topk(k, dim=-1).indices[:, rank]
        place = torch.nn.functional.one_hot(chosen, E).cumsum(0).gather(1, chosen[:, None])
        kept = torch.zeros_like(gates).scatter(1, chosen[:, None], 1.0) * (place <= capacity)
        return gates * kept

    def whole_tokens(z, k, capacity):
        """The gates of the tokens that lost no choice."""
        gates = routed(z, k, capacity)
        left, wanted = ((g > 0).sum(-1, keepdim=True) for g in (gates, routed(z, k, len(z))))
        return gates * (left == wanted)

    def scored(scores, order, k, capacity):
        """Gates of other scores, for the experts that `order` puts first."""
        places = routed(order, k, capacity) != 0
        own = torch.zeros_like(scores).scatter(-1, order.topk(k, dim=-1).indices, 1.0)
        return scores * places / (scores * own).sum(-1, keepdim=True)

    check.mistakes({
        "the gates of the chosen experts are not divided by their sum": partial(routed, share=False),
        "the gates were divided by their sum after choices were dropped: nothing is scaled up again":
            partial(routed, again=True),
        "the places were given token by token: all first choices come before any second choice":
            partial(routed, order="token"),
        "the places went to the largest gates: they go to the tokens in their order": partial(routed, order="gate"),
        "the last tokens got the places: the first ones do": partial(routed, at="last"),
        "the capacity is ignored": lambda z, k, c: routed(z, k, len(z)),
        "the softmax runs over the tokens: each token chooses among experts, dim=-1": partial(routed, axis=0),
        "the capacity is one too small": lambda z, k, c: routed(z, k, c - 1),
        "all experts are used: k of them are": lambda z, k, c: routed(z, z.shape[1], c),
        "only the first choice is used: k of them are": lambda z, k, c: routed(z, 1, c),
        "the dtype changed: float64 goes in and must come out": lambda *a: routed(*a).float(),
        "the capacity is one too large": lambda z, k, c: routed(z, k, c + 1),
        "first and second choices have places of their own here: an expert's places are for all its choices":
            lambda z, k, c: sum(routed(z, 1, c) * 0 + only(z, k, c, rank) for rank in range(k)),
        "a token of whose choices one was dropped keeps the others": whole_tokens,
        "a choice without a place went to another expert: it is dropped": partial(routed, again=False, order="next"),
        "the gates are sigmoids of the logits: a softmax over the experts is asked for":
            lambda z, k, c: scored(z.sigmoid(), z, k, c),
        "the logits were divided by their sum: take the softmax first": lambda z, k, c: scored(z, z, k, c),
        "the experts with the smallest probabilities were chosen": lambda z, k, c: scored(z.softmax(-1), -z, k, c),
        "the gates are 1 for each choice": lambda *a: (routed(*a) > 0).to(a[0].dtype),
    }, route)

    def gelu(z):
        return z * (1 + torch.erf(z / math.sqrt(2))) / 2

    def dense(x, gates, up, down, act=gelu, weigh=True, inside=False, experts=None):
        made = torch.einsum("nc,efc->nef", x, up)
        made = act(made * gates[..., None] if inside else made)
        out = torch.einsum("nef,ecf->nec", made, down)
        g = (gates != 0).to(x.dtype) if not weigh or inside else gates
        g = g if experts is None else g * torch.eye(gates.shape[1], dtype=x.dtype)[experts]
        return torch.einsum("ne,nec->nc", g, out)

    check.mistakes({
        "the gates are missing: each expert's result counts by its gate": partial(dense, weigh=False),
        "GELU between the two matrices is missing": partial(dense, act=lambda z: z),
        "GELU is asked for between the two matrices, not ReLU": partial(dense, act=torch.relu),
        "only one expert's result is there: they are added": partial(dense, experts=0),
        "only the last expert's result is there: they are added": partial(dense, experts=-1),
        "a token keeps its last expert's result alone: they are added": lambda x, g, *a: dense(x, torch.where(
            (g != 0) & ((g != 0).flip(1).cumsum(1).flip(1) == 1), g, 0.0), *a),
        "the gate is before GELU: it weighs what comes out": partial(dense, inside=True),
        "GELU by tanh: the exact one is asked for":
            partial(dense, act=lambda z: torch.nn.functional.gelu(z, approximate="tanh")),
        "the dtype changed: float64 goes in and must come out": lambda *a: dense(*a).float(),
        "GELU is after the second matrix: it belongs between the two":
            lambda x, g, u, d: torch.einsum("ne,nec->nc", g,
                gelu(torch.einsum("nef,ecf->nec", torch.einsum("nc,efc->nef", x, u), d))),
        "the gate weighs x, before the expert: it weighs what comes out":
            lambda x, g, u, d: dense(x, g, u, d, inside=True),
        "this is silu: GELU is asked for": partial(dense, act=torch.nn.functional.silu),
        "this is the mean over all experts: they are added": lambda x, g, *a: dense(x, g, *a) / g.shape[1],
        "divided by the number of experts that work: the gates sum to 1 already":
            lambda x, g, *a: dense(x, g, *a) / (g != 0).sum(1, keepdim=True).clamp(min=1),
        "a token without any expert gets 0, not x":
            lambda x, g, *a: torch.where((g != 0).any(1, keepdim=True), dense(x, g, *a), x),
        "the gates were divided by their sum again: they count as they are":
            lambda x, g, *a: dense(x, g / g.sum(1, keepdim=True).clamp(min=1e-9), *a),
        "the gates were squared: each result counts by its gate once": lambda x, g, *a: dense(x, g * g, *a),
        "x was added: the mixture alone is asked for": lambda x, *a: x + dense(x, *a),
    }, mixture)

    def balance(z, k, factor=True, sum_k=True, join=torch.mul):
        p = torch.exp(z - torch.logsumexp(z, dim=-1, keepdim=True))
        N, E = p.shape
        counts = torch.zeros(E, dtype=p.dtype)
        for row in p.tolist():
            for e in sorted(range(E), key=lambda i: -row[i])[:k]:
                counts[e] += 1
        f = counts / (N * k if sum_k else N)
        P = p.mean(0)
        return (E if factor else 1) * join(f, P).sum()

    def uneven(z, k, f=lambda p, own: own.sum(0) / own.sum(), P=lambda p, own: p.mean(0)):
        p = z.softmax(-1)
        own = torch.zeros_like(p).scatter(-1, z.topk(k, dim=-1).indices, 1.0)
        return z.shape[1] * (f(p, own) * P(p, own)).sum()

    check.mistakes({
        "the factor E is missing (or a mean over the experts was taken: their sum is asked for)":
            partial(balance, factor=False),
        "the shares of the choices sum to 1: divide by the number of tokens times k": partial(balance, sum_k=False),
        "only first choices are counted: all k count": lambda z, k: balance(z, 1),
        "only first choices are counted, and divided by all N times k": lambda z, k: balance(z, 1) / k,
        "the shares were squared: choices times mean probabilities": partial(balance, join=lambda f, P: f * f),
        "the probabilities were squared: choices times mean probabilities": partial(balance, join=lambda f, P: P * P),
        "divided by the number of experts: it is a factor": lambda z, k: balance(z, k, False) / z.shape[1],
        "the loss is a number alone: keep no axis": lambda z, k: balance(z, k)[None],
        "P_e is the mean over all tokens, not over those that chose e":
            partial(uneven, P=lambda p, own: (p * own).sum(0) / own.sum(0).clamp(min=1)),
        "P_e is the mean of the whole probabilities: those of experts that were not chosen are in it":
            partial(uneven, P=lambda p, own: (p * own).mean(0)),
        "P_e is the mean of the probabilities, not of the gates":
            partial(uneven, P=lambda p, own: (p * own / (p * own).sum(1, keepdim=True)).mean(0)),
        "the number of choices is N times k, not N times E": lambda z, k: balance(z, k) * k / z.shape[1],
        "P_e is the mean of the probabilities, not their sum": partial(uneven, P=lambda p, own: p.sum(0)),
        "P_e is the mean of the logits' softmax, not of the logits":
            lambda z, k: uneven(z, k, P=lambda p, own: z.mean(0)),
        "divided by k once too often": lambda z, k: balance(z, k) / k,
        "f_e is the share of choices, which are counted, not the share of their probabilities":
            partial(uneven, f=lambda p, own: (p * own).sum(0) / (p * own).sum()),
        "the softmax runs over the tokens: that over the experts is asked for":
            lambda z, k: uneven(z, k, P=lambda p, own: z.softmax(0).mean(0)),
        "the softmax runs over all logits at once: each token has its own":
            lambda z, k: uneven(z, k, P=lambda p, own: z.flatten().softmax(0).view(z.shape).mean(0)),
    }, balance_loss)
    ### END MISTAKES
    t = torch.tensor
    logs = t([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.5, 0.1, 0.4]]).log()
    rounded = {"rtol": 1e-3, "atol": 1e-3}
    check(route, logs, 2, 2).equals([[0.625, 0.375, 0.0], [0.6667, 0.3333, 0.0], [0.0, 0.0, 0.4444]], **rounded)
    check(route, logs.flip(0), 2, 1).equals(
        [[0.5556, 0.0, 0.4444], [0.0, 0.3333, 0.0], [0.0, 0.0, 0.0]], about="one place, in the order of the tokens",
        **rounded)
    logs = t([[0.6, 0.4], [0.3, 0.7]]).log()
    check(route, logs, 2, 1).equals([[0.6, 0.0], [0.0, 0.7]], **rounded)
    check(route, logs, 2, 0).equals([[0.0, 0.0], [0.0, 0.0]], about="no places")
    check(slopes, route, logs, 2, 1).equals(
        [[[0.288, -0.288], [-0.588, 0.588]]], about="gradients", **rounded,
        near={"the gradient is cut on the way from the logits to the gates": RuntimeError})
    x, gates = t([[1.0, -2.0], [3.0, 0.0]]), t([[0.75, 0.25], [0.5, 0.0]])
    up, down = t([[[1.0, 0.0]], [[0.0, 1.0]]]), t([[[1.0], [0.0]], [[0.0], [2.0]]])
    check(mixture, x, gates, up, down).equals([[0.631009, -0.02275], [1.497975, 0.0]], rtol=1e-5, atol=1e-6, near={
        "gates up to a half were left out: all that are not 0 count": [[0.631009, 0.0], [0.0, 0.0]]})
    gates = torch.eye(8).repeat(5, 1)
    check(numbers_made, mixture, torch.ones(40, 1), gates, torch.ones(8, 99, 1), torch.ones(8, 1, 99)).holds(
        lambda made: made < 8 * 40 * 99, "fewer numbers than 40 tokens make in all of the 8 experts",
        about="one expert to a token",
        near={"an expert processes only tokens that chose it: here more": lambda made: made >= 8 * 40 * 99})
    logs = t([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.5, 0.1, 0.4]]).log()
    check(balance_loss, logs, 2).equals(1.15, **rounded)
    check(slopes, balance_loss, logs, 2).equals(
        [[[0.13417, -0.0345, -0.09967], [0.115, -0.0575, -0.0575], [0.1725, -0.00383, -0.16867]]],
        about="gradients of the loss", rtol=1e-3, atol=1e-4,
        near={"the gradient is cut: it flows through the mean probabilities": RuntimeError})
    even = torch.stack([torch.arange(5.0).roll(n) for n in range(5)])  # each expert is one token's first choice
    check(balance_loss, even, 1).equals(
        1.0, rtol=1e-4, about="an even router",
        near={"the loss of an even router is 1: divide by the number of tokens": 5.0}
    )
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()

    def draw(*shape, dtype=torch.float32, size=1.0):
        return size * t(check.rng.normal(size=shape), dtype=dtype)

    gone = "a token all of whose choices are dropped has gates of 0, not NaN"
    close = {"rtol": 1e-4, "atol": 1e-6}
    for N, E, k, capacity in [(9, 4, 2, 3), (12, 5, 3, 5), (8, 6, 1, 2), (7, 3, 2, 4)]:
        logits = 2 * draw(N, E) + draw(E)
        check(route, logits, k, capacity).equals(routed(logits, k, capacity), about="fresh logits", weight=2, **close)
    logits = 2 * draw(10, 4)
    check(route, logits, 2, 10).equals(routed(logits, 2, 10), about="a place for everybody", **close)
    logits = draw(7, 4) * 100
    check(route, logits + 500, 2, 3).equals(
        routed(logits.double() + 500, 2, 3).float(), about="large logits", edge=True, rtol=1e-3, atol=1e-5)
    for N, E, k, capacity in [(1, 3, 2, 1), (5, 1, 1, 2), (1, 1, 1, 1), (5, 3, 3, 2), (4, 3, 2, 0), (0, 3, 2, 1)]:
        logits = draw(N, E)
        check(route, logits, k, capacity).equals(
            routed(logits, k, capacity), about="one token, one expert, no place", edge=True, **close,
            near={gone: torch.full((N, E), torch.nan)})
    logits = draw(6, 4, dtype=torch.float64)
    check(route, logits, 2, 2).equals(routed(logits, 2, 2), about="float64 stays", edge=True, rtol=1e-10, atol=1e-12)
    check(slopes, route, logits, 2, 2).equals(
        golden(routed, logits, 2, 2), about="gradients of the gates", rtol=1e-5, atol=1e-8,
        near={"the gradient is cut on the way from the logits to the gates": RuntimeError})
    for N, C, width, E in [(6, 3, 5, 4), (9, 4, 4, 3), (5, 2, 7, 6)]:
        case = 1.5 * draw(N, C), routed(draw(N, E), 2, 2 * N // E), draw(E, width, C), draw(E, C, width)
        check(mixture, *case).equals(dense(*case), about="fresh experts", rtol=1e-4, atol=1e-5, weight=2)
    case = draw(1, 1), torch.ones(1, 1), draw(1, 1, 1), draw(1, 1, 1)
    check(mixture, *case).equals(dense(*case), about="axes of size 1", edge=True, **close)
    case = draw(3, 2), torch.zeros(3, 2), draw(2, 4, 2), draw(2, 2, 4)
    check(mixture, *case).equals(torch.zeros(3, 2), about="no expert at all", edge=True, **close)
    case = [draw(*s, dtype=torch.float64) for s in [(5, 3), (2, 4, 3), (2, 3, 4)]]
    case.insert(1, routed(draw(5, 2, dtype=torch.float64), 1, 3))
    check(mixture, *case).equals(dense(*case), about="float64 stays", edge=True, rtol=1e-10, atol=1e-12)
    check(slopes, mixture, case[0], case[1] + 0.3, *case[2:]).equals(
        golden(dense, case[0], case[1] + 0.3, *case[2:]), about="gradients of the mixture", rtol=1e-6, atol=1e-9,
        near={"the gradient is cut on the way to the result": RuntimeError})
    for N, E, k in [(9, 4, 2), (20, 6, 1), (11, 5, 3)]:
        logits = 2 * draw(N, E) + draw(E)
        check(balance_loss, logits, k).equals(balance(logits, k), about="the loss of fresh logits", rtol=1e-4)
    for E in (4, 7):
        logits = torch.zeros(6, E)
        logits[:, 2] = 40
        check(balance_loss, logits, 1).equals(float(E), about="all tokens choose one expert", rtol=1e-4)
    check(balance_loss, draw(1, 1), 1).equals(1.0, about="one expert, one token", edge=True, rtol=1e-5)
    logits = draw(8, 4, dtype=torch.float64)  # 16 choices: shares of sixteenths are exact in float32, too
    check(balance_loss, logits, 2).equals(balance(logits, 2), about="float64 stays", edge=True, rtol=1e-10)

    def loss_golden(z, k):
        return golden(lambda *a: [balance(*a)], z, k)

    check(slopes, balance_loss, logits, 2).equals(
        loss_golden(logits, 2), about="gradients of the loss", rtol=1e-5, atol=1e-8,
        near={"the gradient is cut: it flows through the mean probabilities": RuntimeError})
    check.mistakes({}, mixture, route, balance_loss)
    broken = draw(2, 3, 4), draw(2, 4, 3)
    broken[0][1], x, gates = torch.nan, draw(5, 4), torch.tensor([[0.5, 0.0]] * 5)
    gates = routed(draw(60, 9), 1, 60)
    check(numbers_made, mixture, draw(60, 1), gates, draw(9, 70, 1), draw(9, 1, 70)).holds(
        lambda made: made < 9 * 60 * 70, "fewer numbers than all tokens make in all experts",
        about="an expert computes its own tokens alone", edge=True,
        near={"an expert processes only tokens that chose it: here more": lambda made: made >= 9 * 60 * 70})
    gates, *case = torch.tensor([[1.0, 1e-5], [1e-5, 0.0]]), draw(2, 3), 1e4 * draw(2, 4, 3), draw(2, 3, 4)
    check(mixture, case[0], gates, *case[1:]).equals(
        dense(case[0], gates, *case[1:]), about="tiny gates", edge=True, rtol=1e-4, atol=1e-5,
        near={"a small gate counted as none: only a gate of 0 is none": dense(case[0], gates.round(), *case[1:])})
    gates = torch.tensor([[0.5, 0.0]] * 5)
    check(mixture, x, gates, *broken).equals(
        dense(x, gates[:, :1], broken[0][:1], broken[1][:1]), about="an expert that nobody chose does not work",
        rtol=1e-4, atol=1e-5,
        near={"every expert works for every token: NaN of one that nobody chose came through": torch.full(
            (5, 4), torch.nan)})
    wide, large = {"dtype": torch.float64, "size": 100.0}, {"edge": True, "rtol": 1e-7, "atol": 1e-9}
    for N, E, k, capacity in [(3, 70, 66, 2), (70, 3, 1, 66)]:
        logits = draw(N, E, dtype=torch.float64)
        logits[:, 0] += 9 * (k == 1)
        check(route, logits, k, capacity).equals(
            routed(logits, k, capacity), about="many tokens, choices, places", **large)
        check(balance_loss, logits, k).equals(balance(logits, k), about="many tokens, many choices", **large)
    logits = t([[100.0, 99.0, 0.0], [98.0, 100.0, 97.0]], dtype=torch.float64)
    check(balance_loss, logits, 1).equals(balance(logits, 1), about="large logits", **large)
    gates = 100 * routed(draw(70, 66, dtype=torch.float64), 2, 70)
    case = draw(70, 2, **wide), gates, draw(66, 3, 2, **wide), draw(66, 2, 3, **wide)
    check(mixture, *case).equals(dense(*case), about="many tokens, many experts, large numbers", **large)
    ### END HIDDEN TESTS


score
