from helpers.checks import graded


@graded("cutoffs", points=8)
def score(check):
    import torch

    inf = float("inf")
    # probabilities .08 .45 .02 .25 .15 .04 .01
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def left(*ids):
        return [z if i in ids else -inf for i, z in enumerate(values)]

    nothing = "every token was removed: the likeliest always stays"
    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked"
    chances = "these are probabilities: return logits"
    bits = "these are bits: the entropy is asked in nats, with the natural logarithm"
    minus = "the sign is turned round: the entropy is never negative"
    below = "those below the line stay, or all do: those that reach it are kept"
    check(entropy, example).equals(1.445585, rtol=1e-4, near={
        bits: 2.085539, minus: -1.445585, "this is the mean over the tokens: the sum is asked": 0.206512,
        "this is divided by the largest entropy there is: leave that out": 0.742895,
        "the sum of the surprises -ln p: each is weighted with its p": 18.34372,
        "the sum of p squared: the sum of p ln p is asked, with a minus": 0.2960,
    })
    linear = "the largest probability is not squared: that is min-p"
    alone = "compared with a itself: the threshold is a times the largest probability squared"
    both = "a was squared, too: the threshold is a times the largest probability squared"
    check(keep_top_a, example, 0.15).equals(left(0, 1, 3, 4, 5), near={
        linear: left(0, 1, 3, 4), alone: left(1, 3),
        "the largest probability squared is taken without a": left(1, 3), both: left(0, 1, 2, 3, 4, 5, 6),
        nothing: left(),
        "a stands squared, the largest probability does not: it is the other way round": left(0, 1, 2, 3, 4, 5),
        "the root of the largest probability: its square is asked": left(1, 3, 4),
        "each probability was squared, not the largest": left(1),
        zero: [z if i in (0, 1, 3, 4, 5) else 0.0 for i, z in enumerate(values)],
    })
    relative = "compared with epsilon times the largest probability: that is min-p"
    check(keep_epsilon, example, 0.03).equals(left(0, 1, 3, 4, 5), near={
        relative: left(0, 1, 2, 3, 4, 5), "logits were compared with epsilon, or nothing reached it": left(),
        below: left(2, 6), "only the likeliest is left: all that reach epsilon stay": left(1),
        "the logits were compared with epsilon: probabilities are": left(1),
        zero: [z if i in (0, 1, 3, 4, 5) else 0.0 for i, z in enumerate(values)],
    })
    check(keep_epsilon, example, 0.6).equals(left(1), about="an epsilon above every probability", near={
        nothing: left(), below: values})
    larger = "the larger of the two lines was taken: the lower of the two lines counts"
    only = "this is epsilon alone: the other line is root(epsilon) * e^-H, and the minus in e^-H lowers it"
    two = "this is 2^-H: e^-H is asked, for H is in nats"
    rooted = "the root goes over the whole product: it is over epsilon alone, times e^-H"
    bare = "epsilon itself is missing: the lower of epsilon and root(epsilon) * e^-H counts"
    unweighted = "e^-H is missing: the other line is root(epsilon) * e^-H"
    unrooted = "the root of epsilon is missing"
    in_bits = "the entropy is in bits here: nats are asked"
    check(keep_eta, example, 0.5).equals(left(1, 3), near={
        larger: left(1), only: left(1), two: left(1), rooted: left(1), unweighted: left(1), unrooted: left(1, 3, 4),
        in_bits: left(1, 3, 4), nothing: left(), below: left(0, 2, 4, 5, 6),
        "the root of epsilon is the line here, whatever the entropy: e^-H is missing": left(1),
        "the entropy is divided by its largest value, ln V: take it as it is": left(1),
        zero: [z if i in (1, 3) else 0.0 for i, z in enumerate(values)],
    })
    check(keep_eta, example, 0.05).equals(left(0, 1, 3, 4), about="a smaller epsilon for eta", near={
        in_bits: left(0, 1, 3, 4, 5), unrooted: left(0, 1, 2, 3, 4, 5), below: left(2, 5, 6),
        "the root of epsilon is the line here, whatever the entropy: e^-H is missing": left(1, 3),
    })
    mean = "n deviations below the mean: below the largest is asked"
    above = "n deviations above the mean: n below the largest is asked"
    above_all = above + ", and the likeliest always stays"
    of_chances = "probabilities were compared: this filter looks at logits"
    variance = "the variance stands where the standard deviation is asked"
    fixed = "sigma is missing: n times the standard deviation"
    below_0 = "the line lies n sigma below 0: below the largest logit is asked"
    other_sigma = "sigma is that of the probabilities: of the logits is asked"
    check(keep_top_n_sigma, example, 1.0).equals(left(1, 3, 4), near={
        below_0: left(1), other_sigma: left(1), mean: left(0, 1, 3, 4, 5), above: left(1), of_chances: left(1),
        fixed: left(1, 3), nothing: left(),
        zero: [z if i in (1, 3, 4) else 0.0 for i, z in enumerate(values)],
    })
    check(keep_top_n_sigma, example, 2.0).equals(left(0, 1, 3, 4, 5), about="a larger n", near={
        variance: left(0, 1, 2, 3, 4, 5), mean: values, above: left(1), above_all: left(), of_chances: left(1, 3),
        fixed: left(0, 1, 3, 4), below_0: left(0, 1, 3, 4), other_sigma: left(1), "n is missing": left(1, 3, 4),
    })
    after = [-inf if v < -4.6 else v for v in values] + [-inf, -inf, -inf]
    stays = [v if v > -1.5 else -inf for v in after]
    check(keep_top_n_sigma, torch.tensor(after), 0.9).equals(stays, about="sigma after an earlier filter", near={
        "removed tokens count as logits of 0 in sigma": [
            v if v > -2 else -inf for v in after],
        "removed tokens count in sigma as minus infinity, which leaves nothing to compare with": [-inf] * 10,
        "removed tokens come back, or none is removed": after,
        **{words: [v if v > -1 else -inf for v in after] for words in (above, of_chances, below_0, other_sigma)},
    })


score
