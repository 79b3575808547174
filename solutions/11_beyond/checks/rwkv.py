from helpers.checks import graded


@graded("rwkv", points=5)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from functools import partial

    def shifted(x, mu, back=1, own=1.0):
        before = torch.zeros_like(x)
        if back > 0:
            before[:, 1:] = x[:, :-1]
        else:
            before[:, :-1] = x[:, 1:]
        return own * mu * x + (1 - mu) * before

    check.mistakes({
        "there is nothing of the token before": lambda x, mu: mu * x,
        "mu weighs the token itself, 1 - mu the one before": lambda x, mu: shifted(x, 1 - mu),
        "the token after it was mixed in, not the one before": lambda x, mu: shifted(x, mu, -1),
        "nothing comes before the first token: that is 0":
            lambda x, mu: torch.cat([x[:, :1], shifted(x, mu)[:, 1:]], 1),
        "the last token was mixed into the first": lambda x, mu: mu * x + (1 - mu) * x.roll(1, 1),
        "the channels were shifted: the tokens are":
            lambda x, mu: mu * x + (1 - mu) * torch.cat([torch.zeros_like(x[..., :1]), x[..., :-1]], -1),
        "1 - mu is missing before the previous token": lambda x, mu: mu * x + shifted(x, 0 * mu),
        "mu is missing before the token itself": lambda x, mu: x + shifted(x, mu, own=0.0),
        "this is the token two places before: the one just before is asked for":
            lambda x, mu: mu * x + (1 - mu) * torch.cat([torch.zeros_like(x[:, :2]), x[:, :-2]], 1)[:, : x.shape[1]],
        "the texts of the batch were mixed: the tokens are":
            lambda x, mu: mu * x + (1 - mu) * torch.cat([torch.zeros_like(x[:1]), x[:-1]]),
        "the dtype changed: float64 goes in and must come out": lambda *a: shifted(*a).float(),
    }, token_shift)

    def summed(w, u, k, v, late=1, decay=-1.0, bonus=True, own=True, divide=True, future=False):
        """The quadratic form, in 64 bits, by a softmax."""
        T, kind = k.shape[1], v.dtype
        w, u, k, v = (a.double() for a in (w, u, k, v))
        i, j = torch.arange(T)[:, None], torch.arange(T)
        logits = decay * (i - j - late).clamp(min=0)[..., None] * w + k[:, None]  # (B, T, T, C)
        logits = logits + (u if bonus else 0) * (i == j)[..., None]
        hidden = (j > i) & (not future) | (i == j) & (not own)
        logits = logits.masked_fill(hidden[..., None], -torch.inf)
        weights = logits.softmax(2) if divide else logits.exp()
        return torch.einsum("bijc,bjc->bic", torch.nan_to_num(weights), v).to(kind)

    def carried(w, u, k, v, below=1.0, above=1.0, first=False, own=lambda u, key: u + key, top=0.0, keep=False,
                counts=lambda t: (1, 1)):
        """Step by step, in 64 bits, without care for large keys; top: taken off all keys at once.

        counts: how often the token of step t counts above and below the line.
        """
        kind = v.dtype
        w, u, k, v = (a.double() for a in (w, u, k, v))
        a, b, out = torch.zeros_like(v[:, 0]), torch.zeros_like(v[:, 0]), []
        for t, (key, value) in enumerate(zip((k - top).unbind(1), v.unbind(1), strict=True)):
            if first:
                a, b = torch.exp(-w) * a + torch.exp(key) * value, torch.exp(-w) * b + torch.exp(key)
            e = torch.exp(own(u, key))
            out.append((a + counts(t)[0] * e * value) / (b + counts(t)[1] * e))
            if not first:
                e = e if keep else torch.exp(key)
                a = torch.exp(-w * above) * a + e * value
                b = torch.exp(-w * below) * b + e
        return torch.stack(out, 1).to(kind)

    def less_careful(w, u, k, v, top):
        """In the dtype that came in: `top` is taken off all exponents at once, and what is small becomes 0."""
        a, b, out = torch.zeros_like(v[:, 0]), torch.zeros_like(v[:, 0]), []
        for key, value in zip((k - top).unbind(1), v.unbind(1), strict=True):
            e = torch.exp(u + key)
            out.append((a + e * value) / (b + e))
            a, b = torch.exp(-w) * a + torch.exp(key) * value, torch.exp(-w) * b + torch.exp(key)
        return torch.stack(out, 1)

    def first_on_top(w, u, k, v):
        """In the dtype that came in: the exponent taken out of the sums is the first key, which only decays."""
        top, above, below, out = k[:, 0], v[:, 0], torch.ones_like(v[:, 0]), [v[:, 0]]
        for key, value in zip(k[:, 1:].unbind(1), v[:, 1:].unbind(1), strict=True):
            high = torch.maximum(top, u + key)
            past, own = torch.exp(top - high), torch.exp(u + key - high)
            out.append((past * above + own * value) / (past * below + own))
            top = top - w
            above, below = above + torch.exp(key - top) * value, below + torch.exp(key - top)
        return torch.stack(out, 1)

    def one_text(w, u, k, v):
        C = k.shape[2]
        return summed(w, u, k.reshape(1, -1, C), v.reshape(1, -1, C)).reshape(k.shape)

    at_once = "one largest exponent of the whole text was taken: small weights vanish, 0/0; carry it from step to step"
    check.mistakes({
        "the sum above the line decays, and the one below the line does not: both do": partial(carried, below=0.0),
        "the token was kept with u for those after it: u counts for its own step alone": partial(carried, keep=True),
        "the exponent that is taken out stays that of the first token: carry the largest one so far": first_on_top,
        "u is added to the token's own key, not subtracted": partial(carried, own=lambda u, key: key - u),
        "the token itself was counted twice: the output comes before the state takes it in":
            partial(carried, first=True),
        "the sum below the line decays, and the one above the line does not: both do": partial(carried, above=0.0),
        "the keys are missing: a value weighs by its key, too, not by its age alone":
            lambda w, u, k, v: summed(w, u, 0 * k, v),
        "the token's own weight is e to the u: its key belongs there, too":
            partial(carried, own=lambda u, key: u + 0 * key),
        "e to the w decays here: w itself is subtracted in the exponent": lambda w, *a: summed(w.exp(), *a),
        at_once: lambda w, u, k, v: less_careful(w, u, k, v, torch.maximum(k, k + u).amax(1, keepdim=True)),
        at_once + " (here the largest key)": lambda w, u, k, v: less_careful(w, u, k, v, k.amax(1, keepdim=True)),
        at_once + " (here that of all texts)": lambda w, u, k, v: less_careful(w, u, k, v, k.amax()),
        "e to the k overflows or vanishes: take the largest exponent out of both sums":
            lambda *a: less_careful(*a, 0.0),
        "the keys were cut to a range: they count as they are": lambda w, u, k, v: summed(w, u, k.clamp(-60, 60), v),
        "the token before decays already: its weight is e to the k, without w": lambda *a: summed(*a, late=0),
        "the past does not decay": lambda *a: summed(*a, decay=0.0),
        "the past grows: the decay is e to the minus w": lambda *a: summed(*a, decay=1.0),
        "u counts for the token itself alone: it is missing, or later tokens see it, too":
            lambda *a: summed(*a, bonus=False),
        "the token itself is missing below the line: it belongs in both sums":
            partial(carried, counts=lambda t: (1, 0)),
        "the token itself is missing below the line, but for the first one: it belongs in both sums":
            partial(carried, counts=lambda t: (1, t == 0)),
        "the token itself is missing above the line: it belongs in both sums":
            partial(carried, counts=lambda t: (0, 1)),
        "u multiplies the token's own key: it is added": partial(carried, own=lambda u, key: u * key),
        "the sum of the weights is missing below the line": lambda *a: summed(*a, divide=False),
        "the token itself is missing": lambda *a: summed(*a, own=False),
        "the tokens after it are seen, too": lambda *a: summed(*a, future=True),
        "w is itself the decay here: it is e to the minus w": lambda w, u, k, v: summed(-w.abs().log(), u, k, v),
        "the dtype changed: float64 goes in and must come out": lambda *a: summed(*a).float(),
        "the state goes on from text to text": one_text,
    }, wkv)
    ### END MISTAKES
    t = torch.tensor
    rounded = {"rtol": 1e-3, "atol": 1e-3}
    x = t([[[4.0, 2.0], [8.0, 6.0]], [[0.0, 4.0], [2.0, 2.0]]])
    check(token_shift, x, t([0.75, 0.5])).equals([[[3.0, 1.0], [7.0, 4.0]], [[0.0, 2.0], [1.5, 3.0]]], **rounded)
    w, zero = t([0.6931472]), t([0.0])
    k, v = torch.zeros(1, 3, 1), t([[[4.0], [0.0], [8.0]]])
    check(wkv, w, zero, k, v).equals([[[4.0], [2.0], [4.0]]], **rounded)
    check(wkv, w, t([1.0986123]), k, v).equals([[[4.0], [1.0], [5.7778]]], **rounded)
    k = t([[[-400.0], [0.0], [400.0]]])
    check(wkv, w, zero, k, v).equals([[[4.0], [0.0], [8.0]]], about="keys in the hundreds", **rounded)
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()

    def draw(*shape, dtype=torch.float32, size=1.0):
        return size * t(check.rng.normal(size=shape), dtype=dtype)

    for B, T, C in [(2, 5, 3), (3, 4, 6), (4, 2, 5)]:
        case = draw(B, T, C), draw(C)
        check(token_shift, *case).equals(shifted(*case), about="fresh tokens", rtol=1e-4, atol=1e-5)
    case = 100 * draw(70, 3, 2), 50 * draw(2)
    check(token_shift, *case).equals(shifted(*case), about="many texts, large values", edge=True, rtol=1e-3, atol=1e-2)
    case = draw(1, 3, 70), draw(70)
    check(token_shift, *case).equals(shifted(*case), about="many channels", edge=True, rtol=1e-4, atol=1e-5)
    case = draw(1, 1, 1), draw(1)
    check(token_shift, *case).equals(shifted(*case), about="axes of size 1", edge=True, rtol=1e-4)
    case = draw(2, 3, 4, dtype=torch.float64), draw(4, dtype=torch.float64)
    check(token_shift, *case).equals(shifted(*case), about="float64 stays", edge=True, rtol=1e-10)
    check(slopes, token_shift, *case).equals(golden(shifted, *case), about="gradients", rtol=1e-6, atol=1e-9)
    close = {"rtol": 1e-3, "atol": 1e-4}
    for B, T, C in [(2, 6, 3), (3, 5, 4), (2, 9, 2)]:
        case = draw(C).abs() + 0.2, draw(C), draw(B, T, C), draw(B, T, C)
        check(wkv, *case).equals(summed(*case), about="fresh keys and values", weight=2, **close)
    for size, about in [(400.0, "keys in the hundreds"), (-400.0, "keys in the hundreds")]:
        case = draw(3).abs() + 0.2, draw(3), draw(2, 6, 3) * 5 + size, draw(2, 6, 3)
        unstable = torch.full((2, 6, 3), torch.nan)
        check(wkv, *case).equals(summed(*case), about=about, rtol=1e-2, atol=1e-3, near={
            "e to the k overflows, or all weights vanish: take the largest exponent out of both sums": unstable})
    case = draw(3).abs() + 0.2, draw(3), 200 * draw(2, 7, 3), draw(2, 7, 3)
    check(wkv, *case).equals(summed(*case), about="keys that differ by hundreds", rtol=1e-2, atol=1e-3, near={
        "e to the k overflows: take the largest exponent out of both sums": torch.full((2, 7, 3), torch.nan)})
    case = t([0.01, 3.0]), draw(2), draw(1, 300, 2), draw(1, 300, 2)
    check(wkv, *case).equals(summed(*case), about="a long text", edge=True, **close)
    case = 50 * draw(3).abs() + 0.2, 50 * draw(3), draw(70, 3, 3), 100 * draw(70, 3, 3)
    check(wkv, *case).equals(summed(*case), about="many texts, large values", edge=True, rtol=1e-3, atol=1e-2)
    case = t([45.0, 1.0]), t([0.0, 45.0]), t([[[45.0, 45.0], [-100.0, 0.0], [0.0, -1.0]]]), draw(1, 3, 2)
    check(wkv, *case).equals(summed(*case), about="a large w, a large u", edge=True, **close)
    case = draw(70).abs() + 0.2, draw(70), draw(1, 3, 70), draw(1, 3, 70)
    check(wkv, *case).equals(summed(*case), about="many channels", edge=True, **close)
    for B, T, C in [(1, 1, 1), (1, 4, 1), (2, 1, 3)]:
        case = draw(C).abs() + 0.2, draw(C), draw(B, T, C), draw(B, T, C)
        check(wkv, *case).equals(summed(*case), about="axes of size 1", edge=True, **close)
    case = [draw(*s, dtype=torch.float64) for s in [(3,), (3,), (2, 5, 3), (2, 5, 3)]]
    case[0] = case[0].abs() + 0.2
    exact = check(wkv, *case).equals(summed(*case), about="float64 stays", edge=True, rtol=1e-10, atol=1e-12)
    cut = {"the gradient is cut on the way from the arguments to the result": RuntimeError}
    check(slopes, wkv, *case).equals(
        golden(summed, *case), about="gradients", rtol=1e-5, atol=1e-8, near=cut if exact.passed else {})
    ### END HIDDEN TESTS


score
