from helpers.checks import graded


@graded("latent", points=6)
def score(check):
    import torch

    t = torch.tensor
    near = {"rtol": 1e-3, "atol": 1e-3}
    p = {"query": t([[1.0, 0.0], [0.0, 2.0]]), "down": t([[1.0, 1.0]]), "key": t([[1.0], [0.5]]),
         "value": t([[2.0], [-1.0]])}
    x = t([[[1.0, 0.0], [1.0, 1.0]]])
    no_scale = "the scores are not divided by the root of d_head"
    not_causal = "a token sees those after it"
    root_C = "the scores are divided by the root of C, not of d_head"
    root_H = "the scores are divided by the root of the number of heads, not of d_head"
    root_Hd = "the scores are divided by the root of H * d_head, not of d_head"
    uniform = "all latents weigh the same here: the weights are missing"
    one_head = "one head is not enough: num_heads of them"
    keys_values = "keys and values are exchanged"
    viewed = "tokens and heads are mixed by view(B, H, T, d): split the last axis into heads, then exchange two axes"
    viewed_in = "tokens and heads are mixed by view(B, H, T, d) on the way in: split the last axis, then exchange axes"
    squeezed = "an axis of size 1 was squeezed away: one text, or one number, keeps its axis"
    all_first = "all heads use the first head's rows of keys and values"
    check(latent_attention, x, p, 2).equals([[[2.0, -1.0], [3.4621, -1.7311]]], **near, near={
        not_causal: [[[3.4621, -1.5], [3.4621, -1.7311]]], keys_values: [[[1.0, 0.5], [1.8808, 0.5596]]],
        one_head: [[[2.0, -1.0], [3.6089, -1.8044]]],
        all_first: [[[2.0, 2.0], [3.4621, 3.7616]]], viewed: [[[2.0, 0.5], [4.0, 3.2848]]],
        viewed_in: [[[2.0, 4.0], [0.5, 3.2848]]], squeezed: [[2.0, -1.0], [3.4621, -1.7311]],
        "the heads are not put side by side again": [[[2.0, 3.4621], [-1.0, -1.7311]]],
        root_C: [[[2.0, -1.0], [3.3395, -1.6698]]], root_H: [[[2.0, -1.0], [3.3395, -1.6698]]],
        root_Hd: [[[2.0, -1.0], [3.3395, -1.6698]]],
    })
    same_heads = "all heads use the first head's rows of the key matrix"
    turned = "the product is turned round: (H, C, r), so that x times it gives r numbers"
    scaled = "nothing is scaled here: the scores are divided in the attention"
    check(absorbed, p["query"], p["key"], 2).equals([[[1.0], [0.0]], [[0.0], [1.0]]], **near, near={
        turned: [[[1.0, 0.0]], [[0.0, 1.0]]], same_heads: [[[1.0], [0.0]], [[0.0], [2.0]]],
        "one head: num_heads of them are asked": [[[1.0], [1.0]]], "the heads are added": [[1.0], [1.0]],
        squeezed: [[1.0, 0.0], [0.0, 1.0]],
    })
    latents = t([[[1.0], [2.0]]])
    check(latent_step, t([[1.0, 1.0]]), latents, p, 2).equals([[3.4621, -1.7311]], **near, near={
        keys_values: [[1.8808, 0.5596]], one_head: [[3.6089, -1.8044]], squeezed: [3.4621, -1.7311],
        all_first: [[3.4621, 3.7616]],
        root_C: [[3.3395, -1.6698]], root_H: [[3.3395, -1.6698]], root_Hd: [[3.3395, -1.6698]],
        "the softmax runs over the heads: each head has its own, over the latents": [[3.0, -1.5]],
        uniform: [[3.0, -1.5]],
        "a head's values are made of its own mean latent alone, not of the sum over the heads": [[6.9242, -3.4621]],
        "the values are made with the key matrix: they have one of their own": [[1.7311, 0.8655]],
        "only the last latent is seen: all are": [[4.0, -2.0]],
        "the last latent is not seen: it is that of the token itself": [[2.0, -1.0]],
        "the mean latent came back: each head's values are made of it": [[1.7311, 1.7311]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks.gradients import golden

    def full(x, c, p, H, causal=True, scale=None, swap=False, group=False, first=False, merge=True):
        """Keys and values are built, each head with rows of its own; x (B, n, C) are the last of T tokens."""
        B, n, _ = x.shape
        T, d = c.shape[1], p["query"].shape[0] // H
        names = ("query", "value", "key") if swap else ("query", "key", "value")
        out = []
        for h in range(H):
            rows = slice(h * d, h * d + d)
            if group:
                rows = slice(h, None, H)
            q, k, v = (torch.einsum("btc,dc->btd", s, p[name][rows if not (first and name != "query") else slice(0, d)])
                       for s, name in zip((x, c, c), names, strict=True))
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
        q, k, v = ((s @ p[name].mT).reshape(B, H, T, -1) for name, s in (("query", x), ("key", c), ("value", c)))
        out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return (out.transpose(1, 2) if joined else out).reshape(B, T, -1)

    odd = {
        no_scale: {"scale": 1.0}, keys_values: {"swap": True},
        "the heads take every H-th row: head 0 takes the first d_head rows": {"group": True}, all_first: {
            "first": True}, "the heads are not put side by side again": {"merge": False},
    }
    scales = {
        root_H: lambda p, H: H**-0.5,
        "the scores are divided by d_head, not by its root": lambda p, H: H / len(p["query"]),
        root_Hd: lambda p, H: len(p["query"]) ** -0.5,
        "the scores are multiplied by the root of d_head, not divided": lambda p, H: (len(p["query"]) / H) ** 0.5,
    }
    doubled = "the values are made with the key matrix: they have one of their own"
    check.mistakes({words: partial(whole, **o) for words, o in odd.items()} | {
        words: lambda x, p, H, scale=scale: whole(x, p, H, scale=scale(p, H)) for words, scale in scales.items()} | {
        doubled: lambda x, p, H: whole(x, p | {"value": p["key"]}, H),
        "a token does not see itself": lambda x, p, H: whole(x, p, H, causal="strict"),
        "what comes later was cut out after the softmax: the weights must sum to 1": lambda x, p, H: whole(
            x, p, H, causal="late"),
        viewed: mixed, viewed_in: partial(mixed, joined=True),
        squeezed: lambda *a: whole(*a).squeeze(),
        not_causal: partial(whole, causal=False), one_head: lambda x, p, H: whole(x, p, 1),
        "the scores are divided by the root of r": lambda x, p, H: whole(x, p, H, scale=p["down"].shape[0] ** -0.5),
        root_C: lambda x, p, H: whole(
            x, p, H, scale=x.shape[-1] ** -0.5),
        "the dtype changed: float64 goes in and must come out": lambda *a: whole(*a).float(),
    })

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

    def product(q, k, H, group=False, first=False, add=False):
        d = q.shape[0] // H
        rows = [slice(h, None, H) if group else slice(h * d, h * d + d) for h in range(H)]
        found = torch.stack([torch.einsum("dc,dr->cr", q[s], k[rows[0] if first else s]) for s in rows])
        return found.sum(0) if add else found

    check.mistakes({
        squeezed: lambda *a: product(*a).squeeze(), same_heads: partial(product, first=True),
        "the heads are added": partial(product, add=True),
        "the heads take every H-th row: head 0 takes the first d_head rows": partial(product, group=True),
        turned: lambda q, k, H: product(q, k, H).mT, scaled: lambda q, k, H: product(q, k, H) * (
            len(q) / H) ** -0.5,
        "the dtype changed: float64 goes in and must come out": lambda *a: product(*a).float(),
    })
    for C, H, d, r in [(6, 3, 4, 5), (5, 2, 3, 2), (4, 4, 2, 7)]:
        q, k = draw(H * d, C), draw(H * d, r)
        check(absorbed, q, k, H).equals(product(q, k, H), about="absorbed matrices", rtol=1e-4, atol=1e-5)
    q, k = draw(1, 2), draw(1, 1)
    check(absorbed, q, k, 1).equals(product(q, k, 1), about="axes of size 1", edge=True, **close)
    q, k = draw(6, 4, dtype=torch.float64), draw(6, 3, dtype=torch.float64)
    check(absorbed, q, k, 2).equals(product(q, k, 2), about="float64 stays", edge=True, rtol=1e-10)
    check(slopes, absorbed, q, k, 2).equals(golden(product, q, k, 2), about="gradients", rtol=1e-6, atol=1e-9)

    def step(x, c, p, H, **odd):
        return full(x[:, None], c, p, H, causal=False, **odd)[:, 0]

    def by_head(x, c, p, H, over=-1, add=False, values=True):
        """A step with the latents asked at once: over heads or latents, means of a head or of all."""
        q, k, v = (p[name].unflatten(0, (H, -1)) for name in ("query", "key", "value"))
        s = torch.einsum("bc,hdc,hdr,btr->bht", x, q, k, c) / q.shape[1] ** 0.5
        mean = s.softmax(over) @ c
        mean = mean.sum(1, keepdim=True).expand_as(mean) if add else mean
        return torch.einsum("bhr,hdr->bhd" if values else "bhr,hdr->bdh", mean, v).flatten(1)

    check.mistakes({words: partial(step, **o) for words, o in odd.items()} | {
        words: lambda x, c, p, H, scale=scale: step(x, c, p, H, scale=scale(p, H)) for words, scale in scales.items()
    } | {
        squeezed: lambda *a: step(*a).squeeze(), doubled: lambda x, c, p, H: step(x, c, p | {"value": p["key"]}, H),
        "the softmax runs over the heads: each head has its own, over the latents": partial(by_head, over=1),
        "a head's values are made of its own mean latent alone, not of the sum over the heads": partial(
            by_head, add=True),
        uniform: partial(step, scale=0.0),
        "the heads stand side by side: the numbers of head 0 come first": partial(by_head, values=False),
        "the scores are divided by the root of r, not of d_head": lambda x, c, p, H: step(
            x, c, p, H, scale=c.shape[-1] ** -0.5),
        "d_head follows from the rows of the query matrix: H times d_head need not be C": lambda x, c, p, H: step(
            x, c, p, H, scale=max(1, x.shape[-1] // H) ** -0.5),
        "only the last latent is seen: all are": lambda x, c, p, H: step(x, c[:, -1:], p, H),
        "the last latent is not seen: it is that of the token itself": lambda x, c, p, H: step(x, c[:, :-1], p, H),
        "the dtype changed: float64 goes in and must come out": lambda *a: step(*a).float(),
    })
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
    check.mistakes({})
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
