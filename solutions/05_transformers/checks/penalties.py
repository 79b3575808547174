from helpers.checks import graded


@graded("penalties", points=4)
def score(check):
    import torch

    divided = "negative logits were divided by the repetition penalty, which makes the token likelier: multiply them"
    multiplied = "positive logits were multiplied by the repetition penalty: divide them"
    each_time = "the repetition penalty was applied once for each occurrence: once is asked"
    all_tokens = "all tokens were penalised: only those that were generated are"
    once = "the frequency penalty counts each occurrence"
    often = "the presence penalty counts once, however often the token occurs"
    plus = "penalties are subtracted, not added"
    last = "frequency and presence come after the repetition penalty"
    logits = torch.tensor([2.0, -1.0, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], repetition=2.0).equals([1.0, -2.0, 0.5, 1.5], near={
        divided: [1, -0.5, 0.5, 1.5], multiplied: [4, -2, 0.5, 1.5], each_time: [0.5, -2, 0.5, 1.5],
        all_tokens: [1, -2, 0.25, 0.75],
    })
    check(penalise, logits, [0, 1, 0], frequency=0.5).equals([1.0, -1.5, 0.5, 1.5], near={
        once: [1.5, -1.5, 0.5, 1.5], plus: [3, -0.5, 0.5, 1.5],
    })
    check(penalise, logits, [0, 1, 0], presence=0.5).equals([1.5, -1.5, 0.5, 1.5], near={
        all_tokens: [1.5, -1.5, 0.0, 1], often: [1, -1.5, 0.5, 1.5], plus: [2.5, -0.5, 0.5, 1.5],
    })
    check(penalise, logits, [0, 1, 0, 3], 2.0, 0.5, 0.25).equals([-0.25, -2.75, 0.5, 0.0], near={
        divided: [-0.25, -1.25, 0.5, 0.0], multiplied: [2.75, -2.75, 0.5, 2.25],
        each_time: [-0.75, -2.75, 0.5, 0.0], all_tokens: [-0.25, -2.75, 0.0, 0.0],
        once: [0.25, -2.75, 0.5, 0.0], often: [-0.5, -2.75, 0.5, 0.0], plus: [2.25, -1.25, 0.5, 1.5],
        last: [0.375, -3.5, 0.5, 0.375],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(shrink=None, count=lambda c: c, seen=lambda c: c > 0, sign=-1.0, early=False, who=lambda c: c > 0):
        shrink = shrink or (lambda z, r, c: torch.where(z > 0, z / r, z * r))

        def apply(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
            c = torch.tensor([generated.count(i) for i in range(len(logits))], dtype=logits.dtype)
            less = sign * (frequency * count(c) + presence * seen(c).to(logits.dtype))
            z = logits + less if early else logits
            z = torch.where(who(c), shrink(z, repetition, c), z)
            return z if early else z + less

        return apply

    check.mistakes({
        divided: made(lambda z, r, c: z / r), multiplied: made(lambda z, r, c: z * r),
        "divide positive logits and multiply negative ones: here it is the other way round": made(
            lambda z, r, c: torch.where(z > 0, z * r, z / r)),
        each_time: made(lambda z, r, c: torch.where(z > 0, z / r**c, z * r**c)),
        "the repetition penalty was subtracted: divide or multiply": made(lambda z, r, c: z - r),
        "the logarithm of the repetition penalty was subtracted: divide or multiply": made(
            lambda z, r, c: z - torch.log(torch.tensor(r))),
        all_tokens: made(who=lambda c: c > -1, seen=lambda c: c > -1),
        "the repetition penalty was applied to all tokens": made(who=lambda c: c > -1),
        "the tokens that were *not* generated were penalised": made(who=lambda c: c == 0, seen=lambda c: c == 0),
        once: made(count=lambda c: (c > 0).float()), often: made(seen=lambda c: c),
        "frequency and presence are exchanged": made(count=lambda c: (c > 0).float(), seen=lambda c: c),
        "the frequency is a share of all tokens here: it is the count": made(count=lambda c: c / c.sum().clamp(min=1)),
        "the logarithm of the count stands where the count is asked": made(count=lambda c: torch.log1p(c)),
        "the presence penalty goes to all tokens": made(seen=lambda c: c > -1),
        plus: made(sign=1.0), last: made(early=True),
        "repetition is ignored": made(lambda z, r, c: z),
        "frequency is ignored": made(count=lambda c: c * 0), "presence is ignored": made(seen=lambda c: c * 0),
        "only tokens that occur more than once were penalised": made(
            who=lambda c: c > 1, seen=lambda c: c > 1, count=lambda c: (c - 1).clamp(min=0)),
        "the first occurrence counts, too": made(count=lambda c: (c - 1).clamp(min=0)),
        "the presence penalty comes after the repetition penalty": lambda z, g, r=1.0, f=0.0, q=0.0: made()(
            made()(z, g, 1.0, 0.0, q), g, r, f),
        "the frequency penalty comes after the repetition penalty": lambda z, g, r=1.0, f=0.0, q=0.0: made()(
            made()(z, g, 1.0, f), g, r, 0.0, q),
        "softmax was taken first: penalties change the logits": lambda z, *a: made()(z.softmax(-1), *a),
        "log-softmax was taken first: penalties change the logits as they are": lambda z, *a: made()(
            z.log_softmax(-1), *a),
        "the last of the generated tokens counts, too": lambda z, g, *a: made()(z, g[:-1], *a),
        "all penalties were applied once for each occurrence: repetition and presence count once": made(
            lambda z, r, c: torch.where(z > 0, z / r**c, z * r**c), seen=lambda c: c),
        "the presence penalty counts from the first occurrence on": made(seen=lambda c: c > 1),
        "only the last token was penalised": lambda z, g, *a, **k: made()(z, g[-1:], *a, **k),
    })
    for r, f, q in [(1.3, 0.0, 0.0), (1.0, 0.7, 0.0), (1.0, 0.0, 0.9), (1.8, 0.3, 0.6), (0.8, 0.2, 0.1)]:
        z = torch.from_numpy(check.rng.normal(size=9) * 2).float()
        written = [int(v) for v in check.rng.integers(0, 6, size=12)]
        expected = z.tolist()
        for i in set(written):
            expected[i] = expected[i] / r if expected[i] > 0 else expected[i] * r
            expected[i] -= f * written.count(i) + q
        check(penalise, z, written, r, f, q).equals(expected, about="fresh logits", rtol=1e-4, atol=1e-6)
    check(penalise, z, written).equals(z, about="default values")
    check(penalise, z, [], 2.0, 1.0, 1.0).equals(
        z, about="nothing generated yet", edge=True,
        near={"nothing was generated yet: then the logits stay": RuntimeError,
              "nothing was generated yet: an empty list has no dtype of whole numbers": IndexError},
    )
    check(penalise, torch.tensor([-torch.inf, 0.0, 1.0]), [0, 1], 2.0, 0.5, 0.0).equals(
        [-torch.inf, -0.5, 1.0], about="removed tokens, and a logit of 0", edge=True
    )
    ### END HIDDEN TESTS


score
