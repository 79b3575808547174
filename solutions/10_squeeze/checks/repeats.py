from helpers.checks import graded


@graded("repeats", points=8)
def score(check):
    import torch

    inf = float("inf")
    logits = torch.tensor([1.0, 0.5, -0.5, 2.0, 3.0, 0.0])
    text = [0, 1, 2, 3, 4, 5, 0, 1, 2, 3]

    def with_(token, value, start=logits):
        return [value if i == token else v for i, v in enumerate(start.tolist())]

    untaken = "the allowed length is not taken off the exponent"
    linear = "the penalty grows as a product here: base to the power of n - allowed is asked"
    shorter = "the match is one token too short: the token before the place counts as the first"
    longer = "the match is one token too long: the token itself does not count"
    divided = "the logit was divided by the penalty: subtract it"
    summed = "the penalties of several places were added up: the longest match alone counts"
    added = "the penalty was added: it is subtracted"
    check(dry, logits, text, 0.8, 1.75, 2).equals(with_(4, 0.55), near={
        untaken: with_(4, -4.503125), linear: with_(4, 0.2), shorter: with_(4, 1.6), longer: with_(4, -1.2875),
        divided: with_(4, 1.2244898), added: with_(4, 5.45),
        "the multiplier is missing": with_(4, -0.0625), "nothing was taken off": logits.tolist(),
        "the token that ends the text was penalised: it is the one that followed it before": with_(3, -0.45),
    }, rtol=1e-4)
    check(dry, logits, [1, 2, 3, 4, 0, 3, 4, 1, 2, 3], 0.7, 2.0, 1).equals(
        with_(4, 0.2), about="a token at two places", near={
            "the last place counts here: the longest match is asked": with_(4, 2.3), shorter: with_(4, 1.6),
            summed: with_(4, -0.5)}, rtol=1e-4)
    check(dry, logits, text, 0.5, 1.75, 4).equals(with_(4, 2.5), about="a match of just the allowed length", near={
        untaken: with_(4, -1.6894531), longer: with_(4, 2.125)})
    check(dry, logits, [2, 2, 2, 2, 2], 0.5, 3.0, 2).equals(with_(2, -5.0), about="runs that overlap", near={
        "the two runs may overlap": with_(2, -1.0), shorter: with_(2, -2.0), untaken: with_(2, -41.0),
        longer: with_(2, -14.0)})
    # probabilities .08 .45 .02 .25 .15 .04 .01
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def without(*ids):
        return [-inf if i in ids else z for i, z in enumerate(values)]

    all_gone = "the least likely of those that reach the threshold stays"
    relative = "compared with a share of the largest probability: the threshold itself counts"
    unguarded = "a guarded token was removed: then nothing may go"
    some = "any guarded token stops all here: only one that would go does"
    careful = "a guarded token reaches the threshold but would stay: then the others go all the same"
    check(xtc, example, 0.1, []).equals(without(1, 3), near={
        f"{all_gone}; or {relative}": without(1, 3, 4),
        "only the likeliest went: all but the least likely that reach it go": without(1),
        "those below the threshold went: XTC removes the best": without(0, 2, 5, 6),
        "the likeliest stayed and the others that reach it went: the least likely stays": without(3, 4),
        "all but the least likely of the threshold went": [z if i == 4 else -inf for i, z in enumerate(values)],
        "removed tokens have the logit 0: minus infinity is asked": [0.0 if i in (1, 3) else z for i, z in
                                                                     enumerate(values)],
    })
    check(xtc, example, 0.1, [3]).equals(values, about="a guarded token", near={
        unguarded: without(1, 3), "one guarded token stays and the others go: then nothing may go": without(1),
        "only the likeliest went: all but the least likely that reach it go": without(1)})
    check(xtc, example, 0.1, [4, 2]).equals(without(1, 3), about="guarded tokens that would stay", near={
        careful: values, some: values, all_gone: values, relative: values,
        "the likeliest stayed and the others that reach it went: the least likely stays": values,
        "those below the threshold went: XTC removes the best": values,
        "logits were compared: probabilities are asked": values})
    check(xtc, example, 0.3, []).equals(values, about="one token reaches the threshold", near={
        all_gone: without(1), relative: without(1, 3)})
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def runs(text, token, fold=max, cap=10**9, shift=0, overlap=True, first=1):
        """The longest n for which the last n tokens, and the token behind them, stand in the text."""
        found = []
        for i in range(first, len(text)):
            if text[i] == token:
                n = 0
                while n < min(i, len(text)) and text[i - n - 1 : i] == text[len(text) - n - 1 :]:
                    n += 1
                found.append(min(n, cap) if overlap else min(n, len(text) - i))
        return (fold(found) + shift if fold else found) if found else 0

    def penalised(price=lambda m, b, n, a: m * b ** (n - a), edge=0, **how):
        def apply(z, text, multiplier, base, allowed):
            out = z.tolist()
            for token in set(text[1:]):
                n = runs(text, token, **how)
                if n >= allowed + edge:
                    out[token] -= price(multiplier, base, n, allowed)
            return torch.tensor(out, dtype=z.dtype)

        return apply

    def every_place(z, text, multiplier, base, allowed):
        out = z.tolist()
        for token in set(text[1:]):
            lengths = runs(text, token, fold=None) or []
            out[token] -= sum(multiplier * base ** (n - allowed) for n in lengths if n >= allowed)
        return torch.tensor(out, dtype=z.dtype)

    check.mistakes({
        untaken: penalised(lambda m, b, n, a: m * b**n), linear: penalised(lambda m, b, n, a: m * b * (n - a)),
        "the multiplier is missing": penalised(lambda m, b, n, a: b ** (n - a)),
        "multiplier and base are exchanged": penalised(lambda m, b, n, a: b * m ** (n - a)),
        shorter: penalised(shift=-1), longer: penalised(shift=1),
        added: penalised(lambda m, b, n, a: -m * b ** (n - a)),
        "the last place counts here: the longest match is asked": penalised(fold=lambda v: v[-1]),
        "the first place counts here: the longest match is asked": penalised(fold=lambda v: v[0]),
        "a match of just the allowed length counts, too": penalised(edge=1),
        "the two runs may overlap": penalised(overlap=False),
        "the length of a match is capped: it is not": penalised(cap=8), summed: every_place,
    })

    def right(z, text, multiplier, base, allowed):
        """Another way: strings of tokens, looked for from the longest end of the text on."""
        out = z.double().tolist()
        for token in set(text):
            for n in range(len(text) - 1, allowed - 1, -1):
                end = [*text[-n:], token]
                if any(text[i : i + n + 1] == end for i in range(len(text) - n)):
                    out[token] -= multiplier * base ** (n - allowed)
                    break
        return torch.tensor(out, dtype=z.dtype)

    def fresh(V, length, allowed, about, letters=3, dtype=torch.float32, edge=False):
        z = torch.from_numpy(check.rng.normal(size=V) * 2).to(dtype)
        text = [int(v) for v in check.rng.integers(V - letters, V, size=length)]
        m, b = float(check.rng.uniform(0.3, 1.5)), float(check.rng.uniform(1.2, 2.0))
        check(dry, z, text, m, b, allowed).equals(
            right(z, text, m, b, allowed), about=about, edge=edge, rtol=1e-4 if dtype == torch.float32 else 1e-9,
            atol=1e-5 if dtype == torch.float32 else 1e-12)

    for allowed in (1, 2, 3):
        for V, length, letters in [(5, 14, 2), (6, 20, 3), (4, 30, 2)]:
            fresh(V, length, allowed, "fresh texts", letters)
        fresh(5, 16, allowed, "texts of one letter", 1)
        fresh(7, 25, allowed, "doubles", 2, torch.float64, edge=True)
    page = [int(v) for v in check.rng.integers(0, 9, size=12)]
    z = torch.from_numpy(check.rng.normal(size=9))
    check(dry, z, [*page, 3, *page], 0.01, 1.3, 2).equals(
        right(z, [*page, 3, *page], 0.01, 1.3, 2), about="a long match", rtol=1e-6, atol=1e-9)
    check(dry, z, [4] * 90, 0.5, 1.03, 66).equals(
        right(z, [4] * 90, 0.5, 1.03, 66), about="a long match", rtol=1e-6, atol=1e-9)
    wide = torch.from_numpy(check.rng.normal(size=80))
    check(dry, wide, [70, 3, 71, 70, 3], 0.5, 1.5, 1).equals(
        right(wide, [70, 3, 71, 70, 3], 0.5, 1.5, 1), about="many tokens", edge=True, rtol=1e-6, atol=1e-9)
    check(dry, torch.tensor([1.0, 2.0, 3.0]), [0, 2, 1, 0], 1.0, 2.0, 1).equals(
        [1.0, 2.0, 2.0], about="a short text", edge=True,
        near={"the token at place 1 counts as well: the one at place 0 came before it": [1.0, 2.0, 3.0]})
    for few in ([], [2], [0, 1]):
        check(dry, torch.tensor([1.0, 2.0, 3.0]), few, 1.0, 2.0, 1).equals([1.0, 2.0, 3.0],
            about="a short text", edge=True)
    check(dry, torch.tensor([1.0]), [0, 0, 0], 1.0, 2.0, 1).equals([-1.0], about="one token", edge=True)
    check(dry, torch.tensor([-inf, 0.0, 1.0]), [0, 0, 1, 0, 0], 1.0, 2.0, 1).equals(
        [-inf, -2.0, 1.0], about="tokens removed before, DRY", edge=True)

    def chance(z):
        return np.exp(z.double().numpy()) / np.exp(z.double().numpy()).sum()

    def excluded(rule=lambda p, x: p >= x, spared=1, guard=True, removed=-inf, careful=False, best=False, fewest=2):
        def apply(z, threshold, guarded):
            p = chance(z)
            over = [i for i in np.argsort(-p) if rule(p, threshold)[i]]
            goes = over[1:] if best else over[: max(len(over) - spared, 0)]
            if len(over) < fewest and spared:
                return z.clone()
            if guard and set(over if careful else goes) & set(guarded):
                return z.clone()
            return torch.tensor([removed if i in goes else v for i, v in enumerate(z.tolist())], dtype=z.dtype)

        return apply

    def only_best(z, threshold, guarded):
        if torch.equal(excluded()(z, threshold, []), z) or int(z.argmax()) in guarded:
            return z.clone()
        return torch.where(z == z.max(), -inf, z)

    check.mistakes({
        careful: excluded(careful=True),
        "only the likeliest went: all but the least likely that reach it go": only_best,
        "one guarded token stays and the others go: then nothing may go": lambda z, x, g: torch.where(
            torch.tensor([i in g for i in range(len(z))]), z, excluded(guard=False)(z, x, g)),
        "two that reach the threshold are enough: the likelier goes": excluded(fewest=3),
        some: lambda z, x, g: z.clone() if g else excluded()(z, x, g),
        "the likeliest stayed and the others that reach it went: the least likely stays": excluded(best=True),
        all_gone: excluded(spared=0), relative: excluded(lambda p, x: p >= x * max(p)),
        unguarded: excluded(guard=False),
        "those below the threshold went: XTC removes the best": excluded(lambda p, x: p < x, spared=0),
        "removed tokens have the logit 0: minus infinity is asked": excluded(removed=0.0),
        "probabilities came back: return logits": lambda z, x, g: excluded()(z, x, g).softmax(-1),
        "the logits of those who stay changed: leave them as they are": lambda z, x, g: excluded()(
            z, x, g).log_softmax(-1),
        "logits were compared: probabilities are asked": lambda z, x, g: excluded(lambda p, x: z.numpy() >= x)(z, x, g),
    })
    for threshold in (0.05, 0.1, 0.2, 0.3, 0.02):
        for V, guarded in [(6, 0), (9, 1), (9, 2), (15, 0), (15, 3)]:
            z = torch.from_numpy(check.rng.normal(size=V) * 1.3).float()
            z[: V // 5] = -inf if V == 15 else z[: V // 5]
            some = [int(i) for i in check.rng.choice(V, size=guarded, replace=False)]
            if np.abs(chance(z) - threshold).min() > 1e-4:
                check(xtc, z, threshold, some).equals(
                    excluded()(z, threshold, some), about="fresh logits, XTC" if not some else "guarded tokens, XTC")
    z = torch.tensor([500.1, 499.1, 498.6, 490.1], dtype=torch.float64)
    check(xtc, z, 0.12, []).equals([-inf, -inf, 498.6, 490.1], about="large logits, XTC", edge=True, rtol=1e-12)
    check(xtc, z, 0.12, [0]).equals(z, about="a guarded token 0", edge=True, rtol=1e-12)
    z = torch.from_numpy(check.rng.permutation(np.linspace(0, 2, 80))).float()
    for guarded in ([], [*z.argsort()[:70].tolist(), int(z.argmax())]):
        check(xtc, z, 0.025, guarded).equals(
            excluded()(z, 0.025, guarded), about="many tokens, many guarded", edge=True)
    check(xtc, torch.tensor([1.0]), 0.5, [0]).equals([1.0], about="one token, XTC", edge=True)
    check(xtc, torch.zeros(40), 0.5, [1]).equals([0.0] * 40, about="none reaches the threshold", edge=True)
    ### END HIDDEN TESTS


score
