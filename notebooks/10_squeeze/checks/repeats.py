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


score
