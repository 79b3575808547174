from helpers.checks import graded


@graded("repeats", points=7)
def score(check):
    import torch

    inf = float("inf")

    ### BEGIN MISTAKES
    import numpy as np

    def lengths(text, token, cap=10**9, overlap=True):
        """For each place of a token but the first of the text: how many tokens before it also end the text."""
        found = []
        for i in range(1, len(text)):
            if text[i] == token:
                n = 0
                while n < i and text[i - n - 1 : i] == text[len(text) - n - 1 :]:
                    n += 1
                found.append(min(n, cap) if overlap else min(n, len(text) - i))
        return found

    def penalised(price=lambda m, b, n, a: m * b ** (n - a), edge=0, fold=max, shift=0, **how):
        def apply(z, text, multiplier, base, allowed):
            out = z.tolist()
            for token in set(text[1:]):
                n = fold(lengths(text, token, **how)) + shift
                if n >= allowed + edge:
                    out[token] -= price(multiplier, base, n, allowed)
            return torch.tensor(out, dtype=z.dtype)

        return apply

    def every_place(z, text, multiplier, base, allowed):
        out = z.tolist()
        for token in set(text[1:]):
            long_enough = [n for n in lengths(text, token) if n >= allowed]
            out[token] -= sum(multiplier * base ** (n - allowed) for n in long_enough)
        return torch.tensor(out, dtype=z.dtype)

    def added_lengths(z, text, multiplier, base, allowed):
        out = z.tolist()
        for token in set(text[1:]):
            n = sum(n for n in lengths(text, token) if n >= allowed)
            if n >= allowed:
                out[token] -= multiplier * base ** (n - allowed)
        return torch.tensor(out, dtype=z.dtype)

    def last_token(z, text, multiplier, base, allowed):
        out, longest = z.tolist(), max((n for token in set(text[1:]) for n in lengths(text, token)), default=0)
        if longest >= allowed:
            out[text[-1]] -= multiplier * base ** (longest - allowed)
        return torch.tensor(out, dtype=z.dtype)

    def divided(z, *given):
        price = z - penalised()(z, *given)
        return torch.where(price > 0, z / price, z)

    def over_the_start(z, text, multiplier, base, allowed):
        out, longest = z.tolist(), {}
        for i in range(1, len(text)):
            n = 0
            while n < len(text) and text[i - 1 - n :][:1] == text[-1 - n :][:1]:
                n += 1
            longest[text[i]] = max(n, longest.get(text[i], 0))
        for token, n in longest.items():
            out[token] -= multiplier * base ** (n - allowed) if n >= allowed else 0.0
        return torch.tensor(out, dtype=z.dtype)

    check.mistakes({
        "the match ends where the text begins: an index below 0 counts from the end of the text": over_the_start,
        "the logit was divided by the penalty: subtract it": divided,
        "the token that ends the text was penalised: it is the one that followed it before": last_token,
        "the allowed length is not taken off the exponent": penalised(lambda m, b, n, a: m * b**n),
        "the penalty grows as a product here: base to the power of n - allowed is asked for":
            penalised(lambda m, b, n, a: m * b * (n - a)),
        "the multiplier is missing": penalised(lambda m, b, n, a: b ** (n - a)),
        "multiplier and base are exchanged": penalised(lambda m, b, n, a: b * m ** (n - a)),
        "the multiplier is outside the power: here the power is taken of the product":
            penalised(lambda m, b, n, a: (m * b) ** (n - a)),
        "the lengths of several places were added up: the longest match alone counts": added_lengths,
        "the match is one token too short: the token before the place counts as the first": penalised(shift=-1),
        "the match is one token too long: the token itself does not count": penalised(shift=1),
        "the penalty was added: it is subtracted": penalised(lambda m, b, n, a: -m * b ** (n - a)),
        "the last place counts here: the longest match is asked for": penalised(fold=lambda v: v[-1]),
        "the first place counts here: the longest match is asked for": penalised(fold=lambda v: v[0]),
        "a match of just the allowed length counts, too": penalised(edge=1),
        "the two runs may overlap": penalised(overlap=False),
        "the length of a match is capped: it is not": penalised(cap=8),
        "the penalties of several places were added up: the longest match alone counts": every_place,
    }, dry)

    def chance(z):
        return np.exp(z.double().numpy()) / np.exp(z.double().numpy()).sum()

    def excluded(rule=lambda p, x: p >= x, spared=1, guard=True, removed=-inf, careful=False, best=False, fewest=2,
                 two=False):
        def apply(z, threshold, guarded):
            p = chance(z)
            over = [i for i in np.argsort(-p) if rule(p, threshold)[i]]
            goes = over[1:] if best else over[: max(len(over) - spared, 0)]
            if len(over) < fewest and (spared or two):
                return z.clone()
            if guard and set(over if careful else goes) & set(guarded):
                return z.clone()
            return torch.tensor([removed if i in goes else v for i, v in enumerate(z.tolist())], dtype=z.dtype)

        return apply

    def only_best(z, threshold, guarded):
        if torch.equal(excluded()(z, threshold, []), z) or int(z.argmax()) in guarded:
            return z.clone()
        return torch.where(z == z.max(), -inf, z)

    def others_only(z, threshold, guarded):
        stay = torch.tensor([i in guarded for i in range(len(z))])
        return torch.where(stay, z, excluded(guard=False)(z, threshold, guarded))

    check.mistakes({
        "a guarded token reaches the threshold but would stay: then the others go all the same": excluded(careful=True),
        "only the likeliest went: all but the least likely that reach it go": only_best,
        "one guarded token stays and the others go: then nothing may go": others_only,
        "two that reach the threshold are enough: the likelier goes": excluded(fewest=3),
        "any guarded token stops all here: only one that would go does":
            lambda z, x, g: z.clone() if g else excluded()(z, x, g),
        "the likeliest stayed and the others that reach it went: the least likely stays": excluded(best=True),
        "the least likely of those that reach the threshold stays": excluded(spared=0),
        "of those that reach the threshold the least likely stays: here all went": excluded(spared=0, two=True),
        "compared with a share of the largest probability: the threshold itself counts":
            excluded(lambda p, x: p >= x * max(p)),
        "a guarded token was removed: then nothing may go": excluded(guard=False),
        "those below the threshold went: XTC removes the best": excluded(lambda p, x: p < x, spared=0),
        "removed tokens have the logit 0: minus infinity is asked for": excluded(removed=0.0),
        "probabilities came back: return logits": lambda z, x, g: excluded()(z, x, g).softmax(-1),
        "the logits of those who stay changed: leave them as they are":
            lambda z, x, g: excluded()(z, x, g).log_softmax(-1),
        "logits were compared: probabilities are asked for":
            lambda z, x, g: excluded(lambda p, x: z.numpy() >= x)(z, x, g),
    }, xtc)
    ### END MISTAKES
    logits = torch.tensor([1.0, 0.5, -0.5, 2.0, 3.0, 0.0])
    text = [0, 1, 2, 3, 4, 5, 0, 1, 2, 3]

    def with_(token, value, start=logits):
        return [value if i == token else v for i, v in enumerate(start.tolist())]

    check(dry, logits, text, 0.8, 1.75, 2).equals(
        with_(4, 0.55), rtol=1e-4,
        near={
            "nothing was taken off": logits.tolist(),
        },
    )
    check(dry, logits, [1, 2, 3, 4, 0, 2, 3, 4, 3, 1, 2, 3], 0.7, 2.0, 1).equals(
        [1.0, -0.2, -0.5, 2.0, 0.2, 0.0], about="a token at two places", rtol=1e-4
    )
    check(dry, logits, text, 0.5, 1.75, 4).equals(with_(4, 2.5), about="a match of just the allowed length")
    check(dry, logits, [2, 2, 2, 2, 2], 0.5, 3.0, 2).equals(with_(2, -5.0), about="runs that overlap")
    check(dry, logits, [2] * 14, 1.0, 2.0, 10).equals(with_(2, -8.5), about="a long match", rtol=1e-4)
    # probabilities .08 .45 .02 .25 .15 .04 .01
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def without(*ids):
        return [-inf if i in ids else z for i, z in enumerate(values)]

    check(xtc, example, 0.1, []).equals(
        without(1, 3),
        near={"all but the least likely of the threshold went": [z if i == 4 else -inf for i, z in enumerate(values)]},
    )
    check(xtc, example, 0.1, [3, 2]).equals(values, about="a guarded token")
    level = torch.tensor([1.5, 1.0, 0.5])
    check(xtc, level, 0.2, [0]).equals([1.5, 1.0, 0.5], about="the token 0 is guarded")
    check(xtc, level, 0.6, []).equals([1.5, 1.0, 0.5], about="no token reaches the threshold", near={
        "it may be that no token reaches the threshold: then all stay": IndexError,
        "it may be that none reaches the threshold: then all stay": ValueError})
    check(xtc, example, 0.1, [4, 2]).equals(without(1, 3), about="guarded tokens that would stay")
    check(xtc, example, 0.1, [2, 5]).equals(without(1, 3), about="guarded tokens below the threshold")
    check(xtc, example, 0.3, []).equals(values, about="one token reaches the threshold")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    ids = [int(f"{n}000") for n in (1, 2, 3, 4, 1, 2, 3)]  # equal ones are not the same objects
    check(dry, torch.zeros(4001), ids, 1.0, 2.0, 2).equals(
        [-2.0 if i == 4000 else 0.0 for i in range(4001)], about="large ids",
        near={"ids are equal by ==: `is` asks for the same object": [0.0] * 4001})

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
