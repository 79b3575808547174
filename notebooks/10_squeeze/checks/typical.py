from helpers.checks import graded


@graded("typical", points=6)
def score(check):
    import torch

    inf = float("inf")
    # probabilities .08 .45 .02 .25 .15 .04 .01
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def left(*ids):
        return [z if i in ids else -inf for i, z in enumerate(values)]

    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked"
    sorted_by_p = "the likeliest come first here, as in top-p: the nearest to the entropy come first"
    farthest = "the farthest from the entropy come first: the nearest are asked"
    short = "the token with which the mass is reached belongs to it"
    mixed = "the entropy is in bits and the surprise in nats: take both in nats"
    other = "the surprise is in bits and the entropy in nats: take both in nats"
    chances = "the probabilities are compared with the entropy: their surprise -ln p is"
    above = "one token more than asked stays: it ends with the one at which the mass is reached"
    check(keep_typical, example, 0.3).equals(left(3, 4), near={
        sorted_by_p: left(1), short: left(3), mixed: left(0, 3, 4), farthest: left(0, 1, 2, 5, 6), other: left(1),
        chances: left(1), above: left(1, 3, 4),
        zero: [z if i in (3, 4) else 0.0 for i, z in enumerate(values)],
        "the likeliest token was kept as well: this filter may drop it": left(1, 3, 4),
    })
    check(keep_typical, example, 0.6).equals(left(1, 3, 4), near={
        sorted_by_p: left(1, 3), short: left(3, 4), farthest: left(0, 1, 2, 5, 6), mixed: left(0, 1, 3, 4, 5),
        other: left(1, 3), chances: left(1, 3), above: left(0, 1, 3, 4)})
    early = "the sums stand one rank too early: the first judges rank 1, and rank 0 stays in any case"
    late = "one rank too many stays"
    raw = "the second differences are not divided by their sum"
    before = "a rank stays if the sum with its own d is at most z, not the sum of those before it"
    slope = "these are first differences, how steep the curve is: its bend is the second difference"
    shortened = "removed tokens stand in the curve, too, with the probability 0: here they were left out"
    unsorted = "the curve is that of the tokens in the order of their ids: sort the probabilities first"
    beyond = "those beyond the sum z stay: they are the tail"
    check(keep_tail_free, example, 0.9).equals(left(0, 1, 3, 4), near={
        early: left(1, 3, 4), late: left(0, 1, 3, 4, 5), before: left(0, 1, 3, 4, 5), raw: left(0, 1, 2, 3, 4, 5),
        zero: [z if i in (0, 1, 3, 4) else 0.0 for i, z in enumerate(values)], beyond: left(2, 5, 6),
        "the ranks were taken for ids: put what you know back in the places of the tokens": left(0, 1, 2, 3),
    })
    wavy = torch.tensor([0.1, 0.3, 0.04, 0.28, 0.2, 0.08]).log()  # a curve that bends both ways

    def wave(*ids):
        return [z if i in ids else -inf for i, z in enumerate(wavy.tolist())]

    check(keep_tail_free, wavy, 0.6).equals(wave(1, 3, 4), about="a curve that bends both ways", near={
        early: wave(1, 3), late: wave(0, 1, 3, 4), before: wave(0, 1, 3, 4), unsorted: wave(0, 1), raw: wave(0, 1, 3,
        4, 5),
        "the size of a second difference counts, not its sign": wave(0, 1)})


score
