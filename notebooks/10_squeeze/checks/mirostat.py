from helpers.checks import graded


@graded("mirostat", points=7)
def score(check):
    import torch

    inf = float("inf")
    # probabilities .08 .45 .02 .25 .15 .04 .01, that is 3.64 1.15 5.64 2 2.74 4.64 6.64 bits
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def left(*ids):
        return [z if i in ids else -inf for i, z in enumerate(values)]

    nats = "nats were compared: bits are asked, logarithms to base 2"
    nothing = "every token was removed: the likeliest always stays"
    check(keep_surprise, example, 4.0).equals(left(0, 1, 3, 4), near={
        nats: left(0, 1, 2, 3, 4, 5), "those with at most mu bits went: they stay": left(2, 5, 6),
        "removed tokens have the logit 0: minus infinity is asked": [
            z if i in (0, 1, 3, 4) else 0.0 for i, z in enumerate(values)],
        "the surprise is the one of the logits as they are: minus the logarithm of p is asked": left(),
    })
    check(keep_surprise, example, 0.5).equals(left(1), about="a mu below every surprise", near={nothing: left()})
    plus = "the limit moves against the error: subtract it"
    shared = "the surprise is that of the tokens that are left: what the model said before is asked"
    still = "mu stays as it is: it moves with each token"
    unlimited = "one of all tokens was drawn: draw from those that are left"
    likeliest = "u is ignored: this is the likeliest token"
    full = "the rate is missing"
    in_nats = "the surprise is in nats: bits are asked"
    towards = "tau is missing: the error is the surprise less tau"
    check(mirostat, example, 4.0, 3.0, 0.1, 0.03).equals((0, 3.935614), rtol=1e-4, near={
        plus: (0, 4.064386), shared: (0, 3.946084), still: (0, 4.0), full: (0, 3.356144), in_nats: (0, 4.047427),
        towards: (0, 3.635614), likeliest: (1, 4.1848),
        "mu and the token are exchanged": (3.935614, 0), "tokens are removed by tau: mu is the limit": (1, 4.1848),
    })
    check(mirostat, example, 4.0, 3.0, 0.1, 0.97).equals((4, 4.026303), rtol=1e-4, about="another draw", near={
        "tokens are removed by twice tau: mu is the limit, which moves": (5, 3.835614),
        "the size of the error was taken: its sign says which way the limit moves": (4, 3.973697),
        plus: (4, 3.973697), shared: (4, 4.036773), unlimited: (5, 3.835614), still: (4, 4.0), full: (4, 4.263034),
        likeliest: (1, 4.1848), in_nats: (4, 4.110288), towards: (4, 3.726303),
    })
    check(mirostat, example, 0.5, 3.0, 0.1, 0.7).equals(
        (1, 0.6848), rtol=1e-4, about="only the likeliest is left", near={
            "the size of the error was taken: its sign says which way the limit moves": (1, 0.3152),
            plus: (1, 0.3152), shared: (1, 0.8), still: (1, 0.5), full: (1, 2.347997), in_nats: (1, 0.720149),
            towards: (1, 0.3848), unlimited: (4, 0.526303)})


score
