from helpers.checks import graded


@graded("latent", points=6)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from functools import partial

    root_C = "the scores are divided by the root of C, not of d_head"
    one_head = "one head is not enough: num_heads of them"
    squeezed = "an axis of size 1 was squeezed away: one text, or one number, keeps its axis"

    def full(x, c, p, H, causal=True, scale=None, swap=False, group=False, first=False, merge=True):
        """Keys and values are built, each head with rows of its own; x (B, n, C) are the last of T tokens."""
        B, n, _ = x.shape
        T, d = c.shape[1], p["query"].shape[0] // H
        key, value = ("value", "key") if swap else ("key", "value")
        out = []
        for h in range(H):
            rows = slice(h, None, H) if group else slice(h * d, h * d + d)
            shared = slice(0, d) if first else rows
            q = torch.einsum("btc,dc->btd", x, p["query"][rows])
            k = torch.einsum("btc,dc->btd", c, p[key][shared])
            v = torch.einsum("btc,dc->btd", c, p[value][shared])
            s = torch.einsum("bid,bjd->bij", q, k) * (d**-0.5 if scale is None else scale)
            if causal and causal != "late":
                s = s.masked_fill(torch.ones(n, T).triu(T - n + (causal != "strict")).bool(), -1e9)
            w = s.softmax(-1)
            out.append(torch.einsum("bij,bjd->bid", w.tril() if causal == "late" else w, v))
        return torch.cat(out, -1) if merge else torch.stack(out, 1).reshape(B, n, -1)

    def whole(x, p, H, **odd):
        return full(x, torch.einsum("btc,rc->btr", x, p["down"]), p, H, **odd)

    def mixed(x, p, H, joined=False):
        """Heads by view(B, H, T, d), without an exchange of axes; joined: the result is put together as it should."""
        B, T, _ = x.shape
        c = torch.einsum("btc,rc->btr", x, p["down"])
        parts = x @ p["query"].mT, c @ p["key"].mT, c @ p["value"].mT
        q, k, v = (part.reshape(B, H, T, -1) for part in parts)
        out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return (out.transpose(1, 2) if joined else out).reshape(B, T, -1)

    changes = {
        "the scores are not divided by the root of d_head": {"scale": 1.0},
        "keys and values are exchanged": {"swap": True},
        "the heads take every H-th row: head 0 takes the first d_head rows": {"group": True},
        "all heads use the first head's rows of keys and values": {"first": True},
        "the heads are not put side by side again": {"merge": False},
    }
    scales = {
        "the scores are divided by the root of the number of heads, not of d_head": lambda p, H: H**-0.5,
        "the scores are divided by d_head, not by its root": lambda p, H: H / len(p["query"]),
        "the scores are divided by the root of H * d_head, not of d_head": lambda p, H: len(p["query"]) ** -0.5,
        "the scores are multiplied by the root of d_head, not divided": lambda p, H: (len(p["query"]) / H) ** 0.5,
    }
    doubled = "the values are made with the key matrix: they have one of their own"

    def rescaled(x, p, H, scale):
        return whole(x, p, H, scale=scale(p, H))

    known = {words: partial(whole, **change) for words, change in changes.items()}
    known |= {words: partial(rescaled, scale=scale) for words, scale in scales.items()}
    check.mistakes(known | {
        doubled: lambda x, p, H: whole(x, p | {"value": p["key"]}, H),
        "a token does not see itself": lambda x, p, H: whole(x, p, H, causal="strict"),
        "what comes later was cut out after the softmax: the weights must sum to 1":
            lambda x, p, H: whole(x, p, H, causal="late"),
        "tokens and heads are mixed by view(B, H, T, d): split the last axis into heads, then exchange two axes": mixed,
        "tokens and heads are mixed by view(B, H, T, d) on the way in: split the last axis, then exchange axes":
            partial(mixed, joined=True),
        squeezed: lambda *a: whole(*a).squeeze(),
        "a token sees those after it": partial(whole, causal=False),
        one_head: lambda x, p, H: whole(x, p, 1),
        "the scores are divided by the root of r": lambda x, p, H: whole(x, p, H, scale=p["down"].shape[0] ** -0.5),
        root_C: lambda x, p, H: whole(x, p, H, scale=x.shape[-1] ** -0.5),
        "the dtype changed: float64 goes in and must come out": lambda *a: whole(*a).float(),
    }, latent_attention)

    def product(q, k, H, group=False, first=False, add=False):
        d = q.shape[0] // H
        rows = [slice(h, None, H) if group else slice(h * d, h * d + d) for h in range(H)]
        keys = [rows[0]] * H if first else rows
        parts = [torch.einsum("dc,dr->cr", q[own], k[other]) for own, other in zip(rows, keys, strict=True)]
        found = torch.stack(parts)
        return found.sum(0) if add else found

    check.mistakes({
        squeezed: lambda *a: product(*a).squeeze(),
        "all heads use the first head's rows of the key matrix": partial(product, first=True),
        "the heads are added": partial(product, add=True),
        "one head: num_heads of them are asked for": lambda q, k, H: product(q, k, 1),
        "the heads take every H-th row: head 0 takes the first d_head rows": partial(product, group=True),
        "the product is transposed: (H, C, r), so that x times it gives r numbers":
            lambda q, k, H: product(q, k, H).mT,
        "nothing is scaled here: the scores are divided in the attention":
            lambda q, k, H: product(q, k, H) * (len(q) / H) ** -0.5,
        "the dtype changed: float64 goes in and must come out": lambda *a: product(*a).float(),
    }, absorbed)

    def step(x, c, p, H, **changed):
        return full(x[:, None], c, p, H, causal=False, **changed)[:, 0]

    def step_rescaled(x, c, p, H, scale):
        return step(x, c, p, H, scale=scale(p, H))

    def mean_latents(x, c, p, H, over=-1):
        """(B, H, r): each head's mean of the latents; over: the axis of the softmax, heads (1) or latents."""
        q, k = (p[name].unflatten(0, (H, -1)) for name in ("query", "key"))
        s = torch.einsum("bc,hdc,hdr,btr->bht", x, q, k, c) / q.shape[1] ** 0.5
        return s.softmax(over) @ c

    def valued(mean, p, H, axes="bhr,hdr->bhd"):
        return torch.einsum(axes, mean, p["value"].unflatten(0, (H, -1))).flatten(1)

    known = {words: partial(step, **change) for words, change in changes.items()}
    known |= {words: partial(step_rescaled, scale=scale) for words, scale in scales.items()}
    check.mistakes(known | {
        squeezed: lambda *a: step(*a).squeeze(),
        doubled: lambda x, c, p, H: step(x, c, p | {"value": p["key"]}, H),
        one_head: lambda x, c, p, H: step(x, c, p, 1),
        root_C: lambda x, c, p, H: step(x, c, p, H, scale=x.shape[-1] ** -0.5),
        "the mean latent came back: each head's values are made of it": lambda *a: mean_latents(*a).flatten(1),
        "the softmax runs over the heads: each head has its own, over the latents":
            lambda x, c, p, H: valued(mean_latents(x, c, p, H, over=1), p, H),
        "a head's values are made of its own mean latent alone, not of the sum over the heads":
            lambda x, c, p, H: valued(mean_latents(x, c, p, H).sum(1, keepdim=True).expand(-1, H, -1), p, H),
        "all latents weigh the same here: the weights are missing": partial(step, scale=0.0),
        "the heads are side by side: the numbers of head 0 come first":
            lambda x, c, p, H: valued(mean_latents(x, c, p, H), p, H, "bhr,hdr->bdh"),
        "the scores are divided by the root of r, not of d_head":
            lambda x, c, p, H: step(x, c, p, H, scale=c.shape[-1] ** -0.5),
        "d_head follows from the rows of the query matrix: H times d_head need not be C":
            lambda x, c, p, H: step(x, c, p, H, scale=max(1, x.shape[-1] // H) ** -0.5),
        "only the last latent is seen: all are": lambda x, c, p, H: step(x, c[:, -1:], p, H),
        "the last latent is not seen: it is that of the token itself": lambda x, c, p, H: step(x, c[:, :-1], p, H),
        "the dtype changed: float64 goes in and must come out": lambda *a: step(*a).float(),
    }, latent_step)
    ### END MISTAKES
    t = torch.tensor
    rounded = {"rtol": 1e-3, "atol": 1e-3}
    p = {"query": torch.eye(2), "down": t([[0.2, 0.4]]), "key": t([[2.0], [1.0]]), "value": t([[1.0], [-1.0]])}
    x = t([[[0.5, 1.0], [1.0, 2.0]]])
    check(latent_attention, x, p, 1).equals([[[0.5, -0.5], [0.9022, -0.9022]]], **rounded)
    check(absorbed, p["query"], p["key"], 1).equals([[[2.0], [1.0]]], **rounded)
    check(latent_step, x[:, 1], t([[[0.5], [1.0]]]), p, 1).equals([[0.9022, -0.9022]], **rounded)
    p = {"query": t([[1.0, 0.0], [0.0, 2.0]]), "down": t([[1.0, 1.0]]), "key": t([[1.0], [0.5]]),
         "value": t([[2.0], [-1.0]])}
    x = t([[[1.0, 0.0], [1.0, 1.0]]])
    check(latent_attention, x, p, 2).equals(
        [[[2.0, -1.0], [3.4621, -1.7311]]], about="two heads of one number", **rounded)
    check(absorbed, p["query"], p["key"], 2).equals(
        [[[1.0], [0.0]], [[0.0], [1.0]]], about="two heads of one number", **rounded)
    latents = t([[[1.0], [2.0]]])
    check(latent_step, t([[1.0, 1.0]]), latents, p, 2).equals(
        [[3.4621, -1.7311]], about="two heads of one number", **rounded)
    p = {"query": torch.ones(8, 1), "key": t([[1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0], [0.0, 1.0] * 4]).T,
         "value": torch.stack([torch.arange(1.0, 9), torch.ones(8)], dim=1)}
    check(absorbed, p["query"], p["key"], 2).equals([[[2.0, 2.0]], [[2.0, 2.0]]], about="two heads of four numbers")
    check(latent_step, t([[1.0]]), t([[[0.0, 0.0], [1.0, 0.0]]]), p, 2).equals(
        [[0.7311, 1.4621, 2.1932, 2.9242, 3.6553, 4.3864, 5.1174, 5.8485]],
        about="two heads of four numbers", **rounded)
    p = {"query": torch.ones(128, 3), "key": torch.ones(128, 2), "value": torch.ones(128, 2)}
    keys = 100 * 64  # of one head, for 100 cached tokens
    check(numbers_made, latent_step, torch.ones(1, 3), torch.ones(1, 100, 2), p, 2).holds(
        lambda made: made < keys, f"fewer numbers than the keys of one head for all tokens, {keys}", about="the way",
        near={"no key and no value of a cached token is built: here some are": lambda made: made >= keys})
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()

    def draw(*shape, dtype=torch.float32):
        return t(check.rng.normal(size=shape), dtype=dtype)

    def weights(C, H, d, r, **kind):
        return {"query": draw(H * d, C, **kind), "down": draw(r, C, **kind), "key": draw(H * d, r, **kind),
                "value": draw(H * d, r, **kind)}

    close = {"rtol": 1e-3, "atol": 1e-4}
    for B, T, C, H, d, r in [(2, 5, 6, 3, 4, 5), (3, 4, 5, 2, 3, 2), (2, 6, 4, 4, 2, 3)]:
        case = draw(B, T, C) / 2, weights(C, H, d, r), H
        check(latent_attention, *case).equals(whole(*case), about="fresh weights", weight=2, **close)
    case = draw(1, 1, 2), weights(2, 1, 1, 1), 1
    check(latent_attention, *case).equals(whole(*case), about="axes of size 1", edge=True, **close)
    case = draw(2, 3, 4, dtype=torch.float64), weights(4, 2, 3, 2, dtype=torch.float64), 2
    check(latent_attention, *case).equals(whole(*case), about="float64 stays", edge=True, rtol=1e-10)
    check(slopes, latent_attention, *case).equals(golden(whole, *case), about="gradients", rtol=1e-5, atol=1e-8)
    for C, H, d, r in [(6, 3, 4, 5), (5, 2, 3, 2), (4, 4, 2, 7)]:
        q, k = draw(H * d, C), draw(H * d, r)
        check(absorbed, q, k, H).equals(product(q, k, H), about="absorbed matrices", rtol=1e-4, atol=1e-5)
    q, k = draw(1, 2), draw(1, 1)
    check(absorbed, q, k, 1).equals(product(q, k, 1), about="axes of size 1", edge=True, **close)
    q, k = draw(6, 4, dtype=torch.float64), draw(6, 3, dtype=torch.float64)
    check(absorbed, q, k, 2).equals(product(q, k, 2), about="float64 stays", edge=True, rtol=1e-10)
    check(slopes, absorbed, q, k, 2).equals(golden(product, q, k, 2), about="gradients", rtol=1e-6, atol=1e-9)
    for B, T, C, H, d, r in [(2, 5, 6, 3, 4, 5), (3, 4, 5, 2, 3, 4), (2, 7, 12, 4, 2, 5), (2, 5, 6, 3, 4, 5)]:
        case = draw(B, C) / 2, draw(B, T, r), weights(C, H, d, r), H
        check(latent_step, *case).equals(step(*case), about="a step on a cache of latents", weight=2, **close)
    for B, T, C, H, d, r in [(1, 1, 2, 1, 1, 1), (1, 3, 6, 2, 1, 2)]:
        case = draw(B, C), draw(B, T, r), weights(C, H, d, r), H
        check(latent_step, *case).equals(step(*case), about="axes of size 1", edge=True, **close)
    case = (draw(2, 4, dtype=torch.float64), draw(2, 5, 3, dtype=torch.float64),  # "down" has no use in a step
            weights(4, 2, 3, 3, dtype=torch.float64), 2)
    check(latent_step, *case).equals(step(*case), about="float64 stays", edge=True, rtol=1e-9)
    case[2].pop("down")
    check(slopes, latent_step, *case).equals(golden(step, *case), about="gradients", rtol=1e-5, atol=1e-8)
    case = draw(2, 5), draw(2, 90, 3), weights(5, 3, 50, 3), 3
    case[2].pop("down")
    check(numbers_made, latent_step, *case).holds(
        lambda made: made < 2 * 90 * 50, "fewer numbers than the keys of one head",
        about="no key and no value is built", edge=True,
        near={"no key and no value of a cached token is built: here some are": lambda made: made >= 2 * 90 * 50})
    check.mistakes({}, latent_attention, absorbed, latent_step)
    large = {"about": "many texts and heads, large numbers", "edge": True, "rtol": 1e-6, "atol": 1e-6}
    p = weights(3, 130, 1, 2, dtype=torch.float64)
    case = 100 * draw(66, 2, 3, dtype=torch.float64), p, 130
    check(latent_attention, *case).equals(whole(*case), **large)
    q, k = 100 * draw(66, 3, dtype=torch.float64), 100 * draw(66, 2, dtype=torch.float64)
    check(absorbed, q, k, 66).equals(product(q, k, 66), **large)
    case = 100 * draw(66, 3, dtype=torch.float64), 100 * draw(66, 2, 2, dtype=torch.float64), p, 130
    check(latent_step, *case).equals(step(*case), **large)
    ### END HIDDEN TESTS


score
