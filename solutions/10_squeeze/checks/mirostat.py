from helpers.checks import graded


@graded("mirostat", points=5)
def score(check):
    import torch

    inf = float("inf")

    ### BEGIN MISTAKES
    import numpy as np

    def bits(z):
        v = z.double().numpy()
        return (v.max() + np.log(np.exp(v - v.max()).sum()) - v) / np.log(2)

    def cut(rule=lambda b, mu: b <= mu, removed=-inf, floor=True):
        def apply(z, mu):
            b = bits(z)
            keep = rule(b, mu) | ((b == b.min()) & floor)
            return torch.where(torch.from_numpy(keep), z, removed)

        return apply

    def by_line(z, u):
        p = np.exp(z.double().numpy() - float(z.max()))
        return int(np.argmax(np.cumsum(p) > u * p.sum()))

    def stepped(error=lambda s, tau: s - tau, own=False, base=1.0, sign=-1.0, all_of=False, pick=by_line, moves=True,
                cutting=lambda mu, tau: mu, left=cut(), start=lambda mu, tau: mu):
        def apply(z, mu, tau, rate, u):
            some = z if all_of else left(z, cutting(mu, tau))
            token = pick(some, u)
            s = bits(some if own else z)[token] * base
            return token, float(start(mu, tau) + sign * (rate if moves else 1.0) * error(s, tau))

        return apply

    check.mistakes({
        "nats were compared: bits are asked for, logarithms to base 2": cut(lambda b, mu: b * np.log(2) <= mu),
        "every token was removed: the likeliest always stays": cut(floor=False),
        "those with at most mu bits went: they stay": cut(lambda b, mu: b > mu, floor=False),
        "removed tokens have the logit 0: minus infinity is asked for": cut(removed=0.0),
        "probabilities came back: return logits": lambda z, mu: cut()(z, mu).softmax(-1),
        "the logits of those who stay changed: leave them as they are": lambda z, mu: cut()(z, mu).log_softmax(-1),
    }, keep_surprise)

    def weighted(z, mu, tau, rate, u):
        token = by_line(cut()(z, mu), u)
        return token, float(mu - rate * (bits(z)[token] * 2.0 ** -bits(z)[token] - tau))

    steps_known = {
        "the limit moves against the error: subtract it": stepped(sign=1.0),
        "the surprise is that of the tokens that are left: what the model said before is asked for": stepped(own=True),
        "mu stays as it is: it moves with each token": stepped(error=lambda s, tau: 0.0),
        "the rate is missing": stepped(moves=False),
        "the surprise is in nats: bits are asked for": stepped(base=np.log(2)),
        "the error is the surprise less tau: here mu was subtracted":
            lambda z, mu, tau, rate, u: stepped()(z, mu, mu, rate, u),
        "tau is missing: the error is the surprise less tau": stepped(error=lambda s, tau: s),
        "one of all tokens was drawn: draw from those that are left": stepped(all_of=True),
        "u is ignored: this is the likeliest token": stepped(pick=lambda z, u: int(z.argmax())),
        "the surprise is multiplied with p here: it is that of the token that came": weighted,
        "tokens are removed by twice tau: mu is the limit, which moves": stepped(cutting=lambda mu, tau: 2 * tau),
        "the limit moves on from mu, not from twice tau": stepped(start=lambda mu, tau: 2 * tau),
        "the limit moves on from mu, not from tau": stepped(start=lambda mu, tau: tau),
        "this is the surprise of the token: the next limit is asked for":
            stepped(start=lambda mu, tau: 0.0, error=lambda s, tau: s, sign=1.0, moves=False),
        "the step filters with keep_surprise, which compares nats: mend that first":
            stepped(left=cut(lambda b, mu: b * np.log(2) <= mu)),
        "the step filters with keep_surprise, which keeps the wrong ones: mend that first":
            stepped(left=cut(lambda b, mu: b > mu)),
        "tokens are removed by tau: mu is the limit": stepped(cutting=lambda mu, tau: tau),
        "the size of the error was taken: its sign says which way the limit moves":
            stepped(error=lambda s, tau: abs(s - tau)),
    }
    check.mistakes(steps_known, mirostat)
    ### END MISTAKES
    # probabilities .08 .45 .02 .25 .15 .04 .01, that is 3.64 1.15 5.64 2 2.74 4.64 6.64 bits
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def left(*ids):
        return [z if i in ids else -inf for i, z in enumerate(values)]

    check(keep_surprise, example, 4.0).equals(
        left(0, 1, 3, 4),
        near={"the surprise is the one of the logits as they are: minus the logarithm of p is asked for": left()},
    )
    check(keep_surprise, example, 0.5).equals(left(1), about="a mu below every surprise")
    check(keep_surprise, torch.tensor([1.0, 0.0, 1.0]), 0.5).equals([1.0, -inf, 1.0], about="two of the likeliest")
    check(mirostat, example, 4.0, 3.0, 0.1, 0.03).equals(
        (0, 3.935614), rtol=1e-4,
        near={"mu and the token are exchanged": (3.935614, 0)},
    )
    check(mirostat, example, 4.0, 1.2, 0.1, 0.97).equals((4, 3.846303), rtol=1e-4, about="another draw")
    check(mirostat, example, 0.5, 0.8, 0.1, 0.7).equals((1, 0.4648), rtol=1e-4, about="only the likeliest is left")
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(V, spread=2.0, dtype=torch.float32):
        return torch.from_numpy(check.rng.normal(0.4, spread, size=V)).to(dtype)

    for mu in (0.3, 1.5, 3.0, 4.5, 8.0):
        for V in (6, 13, 40, 80):
            z = made(V)
            if np.abs(bits(z) - mu).min() > 1e-4:
                check(keep_surprise, z, mu).equals(cut()(z, mu), about="fresh logits")
        z = made(10)
        z[[0, 7]] = -inf
        check(keep_surprise, z, mu).equals(cut()(z, mu), about="tokens removed before")
        z = made(9, 3.0, torch.float64) + 900
        check(keep_surprise, z, mu).equals(cut()(z, mu), about="large logits, in doubles", edge=True, rtol=1e-12)
    check(keep_surprise, torch.tensor([2.0, 0.0, 2.0]), 0.2).equals([2.0, -inf, 2.0],
        about="several likeliest", edge=True, near={"of several likeliest tokens all stay": [2.0, -inf, -inf]})
    check(keep_surprise, torch.tensor([7.0]), -1.0).equals([7.0], about="one token", edge=True)
    for V in (6, 13, 40):
        for tau, rate in [(2.0, 0.1), (3.5, 0.4), (5.0, 1.0), (0.5, 0.05)]:
            z, mu, u = made(V), float(check.rng.uniform(0.5, 7)), float(check.rng.random())
            if np.abs(bits(z) - mu).min() > 1e-4:
                check(mirostat, z, mu, tau, rate, u).equals(stepped()(z, mu, tau, rate, u),
                    about="fresh steps", rtol=1e-4)
    steps = [(made(80, 0.3), 9.0, 0.02, 1.0, 0.02), (made(80, 0.3), 0.02, 7.0, 0.01, 0.5),
             (made(9, 3.0, torch.float64) + 900, 2.3, 2.0, 1 / 3, 0.4)]
    for given in steps:
        check(mirostat, *given).equals(
            stepped()(*given), about="many tokens, small numbers, doubles", edge=True,
            rtol=1e-10 if given[0].dtype == torch.float64 else 1e-4)
    given = made(13, 0.1), 0.3, 1.0, 0.9, 0.5
    check(mirostat, *given).equals(
        stepped()(*given), about="a limit that falls below 0", edge=True, rtol=1e-4,
        near={"the limit may fall below 0: no number holds it": (stepped()(*given)[0], 0.0)})

    def chained(step):
        def run(rows, numbers, tau, rate):
            mu, found = 2 * tau, []
            for z, u in zip(rows, numbers, strict=True):
                token, mu = step(z, mu, tau, rate, u)
                found.append((int(token), float(mu)))
            return found

        return run

    rows = [made(12, 1.5, torch.float64) for _ in range(50)]
    numbers = [float(u) for u in check.rng.random(50)]
    expected, mu = [], 5.0
    for z, u in zip(rows, numbers, strict=True):
        token, mu = stepped()(z, mu, 2.5, 0.2, u)
        expected.append((token, mu))
    run = chained(mirostat)
    check.mistakes({words: chained(step) for words, step in steps_known.items()}, run)
    check(run, rows, numbers, 2.5, 0.2).equals(expected, about="fifty steps", rtol=1e-5, atol=1e-6)
    check(mirostat, torch.tensor([7.0]), 4.0, 3.0, 0.5, 0.3).equals((0, 5.5), about="a step with one token", edge=True)
    check(mirostat, torch.tensor([-inf, 1.0, 1.0]), 4.0, 1.0, 0.5, 0.9).equals((2, 4.0), about="a step after a filter",
                                                                             edge=True)
    ### END HIDDEN TESTS


score
