from helpers.checks import graded


@graded("scaling", points=7)
def score(check):
    import math

    ### BEGIN MISTAKES
    import numpy as np

    def line(x, y):
        slope, start = np.polyfit(x, y, 1)
        return float(slope), float(start)

    def logs(sizes, losses, log=np.log):
        return line(log(np.asarray(sizes, float)), log(np.asarray(losses, float)))

    def weighed(sizes, losses):
        slope, start = np.polyfit(np.log(sizes), np.log(losses), 1, w=np.asarray(losses, float))
        return float(np.exp(start)), float(-slope)

    def last_of_each(sizes, losses):
        found = dict(zip(np.asarray(sizes).tolist(), losses, strict=True))
        slope, start = logs(list(found), list(found.values()))
        return math.exp(start), -slope

    def ends(sizes, losses):
        slope = math.log(losses[-1] / losses[0]) / math.log(sizes[-1] / sizes[0])
        return losses[0] * sizes[0] ** -slope, -slope

    def slope_of_ends(sizes, losses):
        x, y = np.log(np.asarray(sizes, float)), np.log(np.asarray(losses, float))
        slope = (y[-1] - y[0]) / (x[-1] - x[0])
        return float(np.exp(y.mean() - slope * x.mean())), float(-slope)

    check.mistakes(
        {
            "b is the fall: the slope with a minus": lambda n, L: (math.exp(logs(n, L)[1]), logs(n, L)[0]),
            "a is still a logarithm: take exp of the intercept": lambda n, L: (logs(n, L)[1], -logs(n, L)[0]),
            "a and b are exchanged": lambda n, L: (-logs(n, L)[0], math.exp(logs(n, L)[1])),
            "the logarithm is to the base 10, and exp was taken of it": lambda n, L: (
                math.exp(logs(n, L, np.log10)[1]),
                -logs(n, L, np.log10)[0],
            ),
            "two kinds of logarithm: base 2 of the losses, and the natural one": lambda n, L: (
                math.exp(line(np.log(n), np.log2(L))[1]),
                -line(np.log(n), np.log2(L))[0],
            ),
            "the line goes through the sizes and losses themselves: through their logarithms": lambda n, L: (
                line(n, L)[1],
                -line(n, L)[0],
            ),
            "only the sizes are logarithmic: the losses, too": lambda n, L: (
                line(np.log(n), L)[1],
                -line(np.log(n), L)[0],
            ),
            "only the losses are logarithmic: the sizes, too": lambda n, L: (
                math.exp(line(n, np.log(L))[1]),
                -line(n, np.log(L))[0],
            ),
            "the line goes through the first and the last point alone: all count": ends,
            "the slope is that between the first and the last point: all points count": slope_of_ends,
            "of several runs of one size only the last counts here: all points count": last_of_each,
            "larger losses weigh more here: all points weigh alike": weighed,
            "sizes and losses are exchanged": lambda n, L: (math.exp(logs(L, n)[1]), -logs(L, n)[0]),
        },
        fit_power_law,
    )
    check.mistakes(
        {
            "the loss grows here: N^(-b)": lambda n, a, b: a * n**b,
            "this is a line, a - b N: a power is asked for": lambda n, a, b: a - b * n,
            "a and b are exchanged": lambda n, a, b: b * n**-a,
            "a is missing": lambda n, a, b: n**-b,
            "this is the logarithm of the loss": lambda n, a, b: math.log(a) - b * math.log(n),
            "this is exponential, a e^(-b N)": lambda n, a, b: a * math.exp(-b * n),
            "b ln N was subtracted from a": lambda n, a, b: a - b * math.log(n),
        },
        predicted_loss,
    )
    check.mistakes(
        {
            "the root is missing": lambda c, k=20.0: (c / (6 * k), c / 6),
            "the 6 is missing: the budget is 6 N D": lambda c, k=20.0: (math.sqrt(c / k), k * math.sqrt(c / k)),
            "tokens_per_weight is missing under the root": lambda c, k=20.0: (math.sqrt(c / 6), k * math.sqrt(c / 6)),
            "20 tokens for each weight, whatever tokens_per_weight is": lambda c, k=20.0: (
                math.sqrt(c / 120),
                20 * math.sqrt(c / 120),
            ),
            "the tokens are 20 for each weight, whatever tokens_per_weight is": lambda c, k=20.0: (
                math.sqrt(c / 6 / k),
                20 * math.sqrt(c / 6 / k),
            ),
            "weights and tokens are exchanged": lambda c, k=20.0: (k * math.sqrt(c / 6 / k), math.sqrt(c / 6 / k)),
            "the tokens are as many as the weights": lambda c, k=20.0: (math.sqrt(c / 6 / k), math.sqrt(c / 6 / k)),
            "the tokens come from 2 N D: a step costs 6": lambda c, k=20.0: (
                math.sqrt(c / 6 / k),
                c / 2 / math.sqrt(c / 6 / k),
            ),
            "rounded: neither number is": lambda c, k=20.0: (
                round(math.sqrt(c / 6 / k)),
                round(k * math.sqrt(c / 6 / k)),
            ),
        },
        best_split,
    )
    ### END MISTAKES
    check(fit_power_law, [1000, 16000], [4.0, 2.0]).equals((22.4937, 0.25), about="two points by hand", rtol=1e-4)
    check(fit_power_law, [10, 100, 10000], [4.0, 3.0, 1.0]).equals(
        (6.928203, 0.206097), about="three points that lie on no line", rtol=1e-4
    )
    check(predicted_loss, 256000, 22.4937, 0.25).equals(1.0, about="the line extended, by hand", rtol=1e-4)
    check(best_split, 1.2e12).equals((1e5, 2e6), about="a budget by hand", rtol=1e-6)
    check(best_split, 3000.0, 10.0).equals((7.071068, 70.71068), about="ten tokens for each weight", rtol=1e-6)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for many in (3, 5, 9):
        sizes = sorted(int(v) for v in check.rng.integers(500, 10**7, size=many))
        losses = [float(9 * n**-0.11 * math.exp(check.rng.normal() * 0.05)) for n in sizes]
        x, y = np.log(sizes), np.log(losses)
        b = -float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
        a = math.exp(float(y.mean()) + b * float(x.mean()))
        check(fit_power_law, sizes, losses).equals((a, b), about="drawn runs", rtol=1e-5)
        check(fit_power_law, np.array(sizes), np.array(losses)).equals((a, b), about="drawn runs, as arrays", rtol=1e-5)
        n = float(check.rng.uniform(1e3, 1e9))
        check(predicted_loss, n, a, b).equals(math.exp(math.log(a) - b * math.log(n)), about="other sizes", rtol=1e-5)
        c, k = float(check.rng.uniform(1e9, 1e22)), float(check.rng.uniform(5, 200))
        check(best_split, c, k).equals(((c / 6 / k) ** 0.5, (c * k / 6) ** 0.5), about="other budgets", rtol=1e-6)
        check(best_split, c).equals(((c / 120) ** 0.5, (c / 0.3) ** 0.5), about="20 tokens for each weight", rtol=1e-6)
    check(fit_power_law, [50, 50, 400], [3.0, 5.0, 2.0]).equals(
        (math.sqrt(15) * 50 ** (math.log(math.sqrt(15) / 2) / math.log(8)), math.log(math.sqrt(15) / 2) / math.log(8)),
        about="one size twice",
        edge=True,
        rtol=1e-5,
    )
    check(fit_power_law, [900, 30, 200], [1.0, 4.0, 2.0]).equals(
        (16.2803, 0.405784), about="sizes in any order", rtol=1e-4
    )
    check(best_split, 77.0, 4.0).equals((1.791182, 7.164728), about="a small budget", rtol=1e-5)
    check(predicted_loss, 1, 3.0, 0.4).equals(3.0, about="a single weight", edge=True)
    check(predicted_loss, 81.0, 0.02, 1.5).equals(0.02 / 729, about="a small a, a large b", edge=True, atol=0)
    check(predicted_loss, 32.0, 7.0, 0.02).equals(7 / 2**0.1, about="a small b", edge=True)
    check(best_split, 600.0, 0.01).equals((100.0, 1.0), about="more weights than tokens", edge=True, rtol=1e-6)
    ### END HIDDEN TESTS


score
