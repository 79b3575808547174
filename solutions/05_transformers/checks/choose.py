from helpers.checks import graded


@graded("choose", points=5)
def score(check):
    import torch

    inf = float("inf")

    ### BEGIN MISTAKES
    import numpy as np

    absolute = "compared with min_p itself: the threshold is min_p times the largest probability"
    each_time = "the repetition penalty was applied once for each occurrence: once is asked"
    turns = "the repetition penalty was applied once for each occurrence, by turns with frequency: once is asked, first"
    all_tokens = "all tokens were penalised: only those that were generated are"
    often = "the presence penalty counts once, however often the token occurs"
    before = "one id too low: the first sum that is greater than u"

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

    check.mistakes({
        absolute: kept_by(lambda z, m: chance(z) >= m),
        "logits were compared: probabilities are asked": kept_by(lambda z, m: z >= m * z.max()),
        "the logarithms of the probabilities were compared": kept_by(lambda z, m: renorm(z) >= m * renorm(z).max()),
        "compared with the largest logit minus min_p: probabilities are asked": kept_by(lambda z, m: z >= z.max() - m),
        "the threshold is min_p times the largest probability, not over it":
            kept_by(lambda z, m: chance(z) >= m / chance(z).max()),
        "compared with min_p times the mean probability: the largest counts":
            kept_by(lambda z, m: chance(z) >= m * chance(z).mean()),
        "compared with min_p times the smallest probability: the largest counts":
            kept_by(lambda z, m: chance(z) >= m * chance(z).min()),
        "min_p was subtracted from the largest probability: the threshold is min_p times that":
            kept_by(lambda z, m: chance(z) >= chance(z).max() - m),
        "those below the threshold were kept, and those on it": kept_by(lambda z, m: chance(z) <= m * chance(z).max()),
        "the logarithm of min_p is the natural one, not to base 2": kept_by(lambda z, m: z >= z.max() + np.log2(m)),
        "the logarithm of min_p is the natural one, not to base 10": kept_by(lambda z, m: z >= z.max() + np.log10(m)),
        f"exponentials were {absolute}": kept_by(lambda z, m: z.exp() >= m),
        "those below the threshold were kept": kept_by(lambda z, m: chance(z) < m * chance(z).max()),
        "the threshold is 1 - min_p times the largest": kept_by(lambda z, m: chance(z) >= (1 - m) * chance(z).max()),
        "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked":
            kept_by(lambda z, m: chance(z) >= m * chance(z).max(), removed=0.0),
        "the logits of those who stay changed: leave them as they are":
            kept_by(lambda z, m: chance(z) >= m * chance(z).max(), values=renorm),
        "log-softmax came first: the logits of those who stay keep their values":
            lambda z, m: kept_by(lambda z, m: chance(z) >= m * chance(z).max())(renorm(z), m),
        "these are probabilities: return logits":
            lambda z, m: chance(kept_by(lambda z, m: chance(z) >= m * chance(z).max())(z, m)),
        "removed tokens have a large negative number: minus infinity is asked":
            kept_by(lambda z, m: chance(z) >= m * chance(z).max(), removed=-100.0),
        "these are the probabilities of those who stay: return their logits":
            kept_by(lambda z, m: chance(z) >= m * chance(z).max(), values=chance),
        "where a token was removed before, nothing more is removed: is there NaN, of infinity minus infinity?":
            lambda z, m: z if (z == -inf).any() else kept_by(lambda z, m: chance(z) >= m * chance(z).max())(z, m),
        "the first token was taken for the likeliest: logits come in any order":
            kept_by(lambda z, m: chance(z) >= m * chance(z)[0]),
        "these are probabilities, not shared out anew: return logits":
            kept_by(lambda z, m: chance(z) >= m * chance(z).max(), values=chance, removed=0.0),
    }, keep_min_p)

    def made(shrink=None, count=lambda c: c, seen=lambda c: c > 0, sign=-1.0, early=False, who=lambda c: c > 0):
        shrink = shrink or (lambda z, r, c: torch.where(z > 0, z / r, z * r))

        def apply(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
            c = torch.tensor([generated.count(i) for i in range(len(logits))], dtype=logits.dtype)
            less = sign * (frequency * count(c) + presence * seen(c).to(logits.dtype))
            z = logits + less if early else logits
            z = torch.where(who(c), shrink(z, repetition, c), z)
            return z if early else z + less

        return apply

    def by_turns(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
        z = logits.clone()
        for i in generated:
            z[i] = (z[i] / repetition if z[i] > 0 else z[i] * repetition) - frequency
        for i in set(generated):
            z[i] -= presence
        return z

    check.mistakes({
        "negative logits were divided by the repetition penalty, which makes the token likelier: multiply them":
            made(lambda z, r, c: z / r),
        "positive logits were multiplied by the repetition penalty: divide them": made(lambda z, r, c: z * r),
        "divide positive logits and multiply negative ones: here it is the other way round":
            made(lambda z, r, c: torch.where(z > 0, z * r, z / r)),
        each_time: made(lambda z, r, c: torch.where(z > 0, z / r**c, z * r**c)),
        "the repetition penalty was subtracted: divide or multiply": made(lambda z, r, c: z - r),
        "the logarithm of the repetition penalty was subtracted: divide or multiply":
            made(lambda z, r, c: z - torch.log(torch.tensor(r))),
        all_tokens: made(who=lambda c: c > -1, seen=lambda c: c > -1),
        f"{all_tokens} (by the repetition penalty)": made(who=lambda c: c > -1),
        "the tokens that were *not* generated were penalised": made(who=lambda c: c == 0, seen=lambda c: c == 0),
        "the frequency penalty counts each occurrence": made(count=lambda c: (c > 0).float()),
        often: made(seen=lambda c: c),
        "frequency and presence are exchanged": made(count=lambda c: (c > 0).float(), seen=lambda c: c),
        "the frequency is a share of all tokens here: it is the count": made(count=lambda c: c / c.sum().clamp(min=1)),
        "the logarithm of the count stands where the count is asked": made(count=lambda c: torch.log1p(c)),
        f"{all_tokens} (by the presence penalty)": made(seen=lambda c: c > -1),
        "penalties are subtracted, not added": made(sign=1.0),
        "frequency and presence come after the repetition penalty": made(early=True),
        "repetition is ignored": made(lambda z, r, c: z),
        "frequency is ignored": made(count=lambda c: c * 0),
        "presence is ignored": made(seen=lambda c: c * 0),
        "only tokens that occur more than once were penalised":
            made(who=lambda c: c > 1, seen=lambda c: c > 1, count=lambda c: (c - 1).clamp(min=0)),
        "the first occurrence counts, too": made(count=lambda c: (c - 1).clamp(min=0)),
        "the presence penalty comes after the repetition penalty":
            lambda z, g, r=1.0, f=0.0, q=0.0: made()(made()(z, g, 1.0, 0.0, q), g, r, f),
        "the frequency penalty comes after the repetition penalty":
            lambda z, g, r=1.0, f=0.0, q=0.0: made()(made()(z, g, 1.0, f), g, r, 0.0, q),
        "softmax was taken first: penalties change the logits": lambda z, *a: made()(z.softmax(-1), *a),
        "log-softmax was taken first: penalties change the logits as they are":
            lambda z, *a: made()(z.log_softmax(-1), *a),
        "the last of the generated tokens counts, too": lambda z, g, *a: made()(z, g[:-1], *a),
        f"{each_time}; {often}": made(lambda z, r, c: torch.where(z > 0, z / r**c, z * r**c), seen=lambda c: c),
        "the presence penalty counts from the first occurrence on": made(seen=lambda c: c > 1),
        "only the last token was penalised": lambda z, g, *a, **k: made()(z, g[-1:], *a, **k),
        turns: by_turns,
        f"{turns}; {often}": lambda z, g, r=1.0, f=0.0, q=0.0: by_turns(z, g, r, f + q),
    }, penalise)

    def by(p, u, side="right", whole=False):
        sums = np.cumsum(p)
        return int(np.searchsorted(sums / sums[-1] if whole else sums, u, side=side))

    def shares(z):
        return z.double().softmax(-1).numpy()

    check.mistakes({
        "u is ignored: this is the likeliest token": lambda z, u: int(z.argmax()),
        "the probabilities were sorted first: they lie in the order of the ids":
            lambda z, u: int(z.argsort(descending=True)[min(by(np.sort(shares(z))[::-1], u, whole=True), len(z) - 1)]),
        "the probabilities were sorted, and the place in that order came back":
            lambda z, u: by(np.sort(shares(z))[::-1], u),
        "the probabilities were sorted upwards first":
            lambda z, u: int(z.argsort()[min(by(np.sort(shares(z)), u), len(z) - 1)]),
        "one id too far: the first sum that is greater than u": lambda z, u: by(shares(z), u) + 1,
        before: lambda z, u: max(by(shares(z), u) - 1, 0),
        f"{before}; -1 is no id": lambda z, u: by(shares(z), u) - 1,
        "logits were added up: take their softmax first": lambda z, u: int((z.cumsum(-1) <= u).sum()),
        "the first token whose own probability is greater than u: the sums count":
            lambda z, u: int((shares(z) > u).argmax()),
        "the first token whose own probability is greater than u, or the last one: the sums count":
            lambda z, u: int((shares(z) > u).argmax()) if (shares(z) > u).any() else len(z) - 1,
        "the stretches were laid from the last id on": lambda z, u: len(z) - 1 - by(shares(z)[::-1], u),
        "logarithms were added up: add the probabilities, softmax and not log_softmax":
            lambda z, u: int(torch.nonzero(z > -torch.inf).max()),
        "u and 1 - u are exchanged": lambda z, u: by(shares(z), 1 - u),
        "the exponentials were not divided by their sum": lambda z, u: int((z.exp().cumsum(-1) <= u).sum()),
        "u = a sum belongs to the next stretch: greater, not greater or equal": lambda z, u: min(
            by(shares(z), u, "left"), int(z.isfinite().nonzero().max())),
        "u was taken as a share of the ids: the probabilities count": lambda z, u: int(u * len(z)),
        "the sum nearest to u was taken: the first sum that is greater than u":
            lambda z, u: int(np.abs(np.cumsum(shares(z)) - u).argmin()),
        "the place among the tokens that are left came back: the id is asked":
            lambda z, u: by(shares(z[z > -torch.inf]), u),
        "the sum came back: the id is asked": lambda z, u: float(np.cumsum(shares(z))[by(shares(z), u)]),
        "the probability came back: the id is asked": lambda z, u: float(shares(z)[by(shares(z), u)]),
        "logits were added up and divided by their sum: take their softmax first":
            lambda z, u: int((z.double().cumsum(-1) / z.double().sum() <= u).sum()),
        f"{before}, not the last that is below u": lambda z, u: max(int((np.cumsum(shares(z)) < u).sum()) - 1, 0),
    }, draw_token)
    ### END MISTAKES
    # probabilities .08 .45 .02 .25 .15 .04 .01
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -3.2188758, -inf]
    check(keep_min_p, example, 0.05).equals(kept)
    check(keep_min_p, torch.tensor([0.5, -inf, 2.0, -2.0]), 0.1).equals(
        [0.5, -inf, 2.0, -inf], about="a token removed before", edge=True)
    logits = torch.tensor([2.0, -1.0, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], repetition=2.0).equals([1.0, -2.0, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], frequency=0.5).equals([1.0, -1.5, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], presence=0.5).equals([1.5, -1.5, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0, 3], 2.0, 0.5, 0.25).equals([-0.25, -2.75, 0.5, 0.0])
    logits = torch.tensor([0.2, 0.5, 0.3]).log()
    check(draw_token, logits, 0.1).equals(0)
    check(draw_token, logits, 0.65).equals(1)
    check(draw_token, logits, 0.75).equals(2)
    check(draw_token, torch.tensor([0.5, 0.3, 0.2]).log(), 0.3).equals(0)
    many = torch.tensor([-0.5, 3.0, 0.0, 1.0, -2.0, 3.5, 0.5, 2.0, -1.5, -1.0, 2.5, 1.5])
    usual = check(draw_token, many, 0.75).equals(7)
    check(draw_token, torch.zeros(8), 0.75).equals(6, about="u equal to a sum", edge=True)
    zero = "a token of probability 0 was drawn: the first sum *greater* than u"
    zero_at_the_end = "a token of probability 0 was drawn, at the end of the line"
    removed = torch.tensor([-inf, 1.0, -inf, 1.0, -inf])
    check(draw_token, removed, 0.0).equals(1, about="a removed token is never drawn", edge=True, near={zero: 0})

    def past_the_end(V, removed):
        """What may come where no sum is greater than u, of V tokens and some removed ones behind them."""
        no_sum = "no sum is greater than u here, and"
        found = {
            "this id does not exist: the rounded sums end below u": V + removed,
            f"{no_sum} argmax of nothing is 0": 0,
            f"{no_sum} the loop ends without a return": None,
            f"{no_sum} next finds nothing": StopIteration,
            f"{no_sum} an empty tensor or list has no first item": IndexError,
            f"{no_sum} min of nothing is an error": ValueError,
        }
        if removed:
            found[zero_at_the_end] = V + removed - 1
        return found

    largest = {torch.float32: 1 - 2**-24, torch.float64: 1 - 2**-53}  # below 1, and above a sum that rounding cuts
    for dtype, values in ((torch.float32, [0.0, 1 / 7, 2 / 7, 3 / 7]), (torch.float64, [0.0, 2.0, 1.5, 2.0])):
        check(draw_token, torch.tensor([*values, -inf], dtype=dtype), largest[dtype]).equals(
            3, about=f"u behind the last sum, and a token removed, {str(dtype)[6:]}", edge=True,
            near=past_the_end(4, 1) if usual.passed else {})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for m, V in [(0.1, 8), (0.3, 12), (0.02, 30)]:
        z = torch.from_numpy(check.rng.permutation(np.linspace(-3, 2.2, V)) * check.rng.uniform(0.9, 1.2)).float()
        check(keep_min_p, z, m).equals(
            torch.where(z.double() - z.double().max() >= np.log(m), z, -inf), about="fresh logits, min-p"
        )
    check(keep_min_p, torch.tensor([300.0, 299.5, 290.0, -inf]), 0.05).equals(
        [300.0, 299.5, -inf, -inf], about="large logits, min-p"
    )
    check(keep_min_p, torch.tensor([2.0, -1.0, 0.0]), 1.0).equals([2.0, -inf, -inf], about="min_p of 1", edge=True)
    check(keep_min_p, torch.tensor([-1.0, 1.99, 2.0]), 0.98).equals([-inf, 1.99, 2.0], about="a large min_p", edge=True)
    check(keep_min_p, torch.tensor([1.96, -1.0, 2.0]), 0.98).equals([-inf, -inf, 2.0], about="a large min_p", edge=True)
    check(keep_min_p, torch.tensor([3.0]), 0.5).equals([3.0], about="one token, min-p", edge=True)
    z = torch.linspace(-8, 1, 90, dtype=torch.float64) + 1e-9
    keeps = torch.where(z - z.max() >= np.log(0.1), z, -inf)
    check(keep_min_p, z, 0.1).equals(keeps, about="min-p in doubles, many tokens", edge=True, rtol=1e-12)
    for r, f, q in [(1.3, 0.0, 0.0), (1.0, 0.7, 0.0), (1.0, 0.0, 0.9), (1.8, 0.3, 0.6), (0.8, 0.2, 0.1)]:
        z = torch.from_numpy(check.rng.normal(size=9) * 2).float()
        written = [int(v) for v in check.rng.integers(0, 6, size=12)]
        expected = z.tolist()
        for i in set(written):
            expected[i] = expected[i] / r if expected[i] > 0 else expected[i] * r
            expected[i] -= f * written.count(i) + q
        check(penalise, z, written, r, f, q).equals(expected, about="fresh logits", rtol=1e-4, atol=1e-6)
    check(penalise, z, written).equals(z, about="default values")
    z = torch.from_numpy(check.rng.normal(size=90))
    written = [*[80] * 70, *range(30, 90)]
    expected = torch.tensor([v - 0.1 * written.count(i) for i, v in enumerate(z.tolist())], dtype=torch.float64)
    check(penalise, z, written, 1.0, 0.1).equals(
        expected, about="many tokens, a long text", edge=True, rtol=1e-5, atol=1e-6
    )
    check(penalise, torch.tensor([3.0]), [0], 2.0).equals([1.5], about="one token, penalties", edge=True)
    check(penalise, z, [], 2.0, 1.0, 1.0).equals(
        z, about="nothing generated yet", edge=True,
        near={"nothing was generated yet: then the logits stay": RuntimeError,
              "nothing was generated yet: an empty list has no dtype of whole numbers": IndexError},
    )
    check(penalise, torch.tensor([-torch.inf, 0.0, 1.0]), [0, 1], 2.0, 0.5, 0.0).equals(
        [-torch.inf, -0.5, 1.0], about="removed tokens, and a logit of 0", edge=True
    )
    for V in (3, 8, 30):
        z = torch.from_numpy(check.rng.normal(size=V) * 1.5).float()
        sums = np.cumsum(np.exp(z.double().numpy()) / np.exp(z.double().numpy()).sum())
        for u in check.rng.random(6):
            if np.abs(sums - u).min() > 1e-5:
                check(draw_token, z, float(u)).equals(int(np.argmax(sums > u)), about="fresh logits")
    z = torch.tensor([1.0, 0.0, -2.0, 0.5])
    numbers = np.random.default_rng(5).random(300)
    sums = np.cumsum(np.exp(z.double().numpy()) / np.exp(z.double().numpy()).sum())
    expected = [int(np.argmax(sums > u)) for u in numbers]
    check(lambda: [int(draw_token(z, float(u))) for u in numbers]).equals(
        expected, about="three hundred draws", near={
            "u is ignored: this is the likeliest token each time": [0] * 300,
        },
    )
    check(draw_token, torch.zeros(4), 0.5).equals(2, about="u equal to a sum", edge=True)
    check(draw_token, torch.tensor([3.0]), 0.7).equals(0, about="one token", edge=True)
    check(draw_token, torch.zeros(90), 0.99).equals(89, about="many tokens", edge=True)
    fine = torch.tensor([0.5 - 1e-9, 0.5 + 1e-9], dtype=torch.float64).log()
    for u, i in [(0.5 - 1e-10, 1), (0.5 - 1e-8, 0)]:
        check(draw_token, fine, u).equals(i, about="u near a sum, in doubles", edge=True)
    check(draw_token, torch.tensor([0.02, 0.96, 0.02]).log(), 0.01).equals(0, about="a small and a large u", edge=True)
    check(draw_token, torch.tensor([0.02, 0.96, 0.02]).log(), 0.99).equals(2, about="a small and a large u", edge=True)
    for u, i in [(0.0, 1), (0.5, 3), (0.9999999, 3)]:
        check(draw_token, removed, u).equals(
            i, about="removed tokens are never drawn", edge=True,
            near={zero: 0, zero_at_the_end: 4},
        )
    check.mistakes({}, draw_token)
    draws = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def short(dtype):
        """Fifty logits whose probabilities add up to less than 1 in this dtype."""
        while True:
            z = torch.randn(50, generator=draws, dtype=dtype) * 2
            if z.softmax(0).cumsum(0)[-1].item() <= largest[dtype] and z[-1] > -2:
                return z

    for dtype, behind in ((torch.float32, 0), (torch.float32, 2), (torch.float64, 2)):
        z = torch.cat([short(dtype), torch.full((behind,), -torch.inf, dtype=dtype)])
        check(draw_token, z, largest[dtype]).equals(
            49, about=f"u behind the last sum, {str(dtype)[6:]}", edge=True, near=past_the_end(50, behind))
    check(draw_token, torch.full((4,), 1000.0), 0.9).equals(
        3, about="large logits", edge=True,
        near={"e to a large logit is infinite: softmax keeps clear of that": 0,
              "e to a large logit is infinite: softmax keeps clear of that, and of NaN": IndexError,
              "e to a large logit is infinite: softmax keeps clear of that, and of an id that does not exist": 4},
    )
    ### END HIDDEN TESTS


score
