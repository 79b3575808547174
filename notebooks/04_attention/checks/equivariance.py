from helpers.checks import graded


@graded("equivariance", points=2)
def score(check):
    import torch

    columns = "the columns were shuffled; the tokens are the rows"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the output was not shuffled on the one side: that asks for invariance, not for equivariance": {
            1: 2.0,
            2: 5.0,
            3: 19.0855,
        },
        "the input was shuffled on neither side: one side is the layer of x[order]": {
            1: 5.0,
            3: 19.0855,
        },
        "the output was put back by the inverse order; shuffle it by the same order as the input": {
            1: 5.0,
            2: 3.0,
            3: 17.3673,
        },
        "the input was shuffled by the inverse order; use the same order on both sides": {
            1: 4.0,
            2: 8.0,
            3: 17.3673,
        },
        "input and output were both shuffled on one side": {
            1: 5.0,
            2: 3.0,
            3: 17.3673,
        },
        "the smallest difference was taken from the largest; the largest absolute one is asked for": {
            1: 6.0,
            2: 7.0,
        },
        "the largest entries of both sides were compared; take the differences entry by entry first": {
            1: 0.0,
            2: 1.0,
        },
        "the largest entries of both sides were compared; take the differences entry by entry first (of absolute values)": {
            1: 0.0,
            2: 1.0,
        },
        "the means of both sides were compared; the largest difference of the entries is asked for": {
            1: 1.0,
            2: 1.0,
        },
        "this is the sum of the differences; the largest is asked for": {
            1: 9.0,
            2: 16.0,
        },
        "all differences came; the largest is asked for": {
            1: [[3.0], [3.0], [3.0]],
            2: [[3.0, 1.0], [4.0, 2.0], [4.0, 2.0], [0.0, 0.0]],
            3: [[0.0], [0.0], [0.0], [0.0]],
        },
        "both sides are the same thing here: shuffle the output on the one, the input on the other": {
            1: 0.0,
            2: 0.0,
        },
        "the squared difference came": {
            1: 9.0,
            2: 16.0,
        },
        "the layer was applied twice": {
            1: 9.0,
            2: 12.0,
        },
        "a norm of all differences came; the largest is asked for": {
            1: 5.19615,
            2: 7.07107,
        },
        "one number for each feature came; the largest of all is asked for": {
            1: [3.0],
            2: [4.0, 2.0],
            3: [0.0],
        },
        "the layer is missing on one side": {
            1: 4.0,
            2: 8.0,
            3: 17.0855,
        },
        "a bool came; the difference itself is asked for": {
            1: False,
            2: False,
            3: True,
        },
        "the sign counts here: take absolute values before the maximum": {
            2: 3.0,
        },
        "this is the mean of the differences; the largest is asked for": {
            2: 2.0,
        },
        "only the first token was compared; the largest difference of all is asked for": {
            2: 3.0,
        },
    })

    def running(x):
        return torch.cumsum(x, 0)

    def lag(x):
        return x - torch.roll(x, 1, 0)

    x = torch.tensor([[1.0], [2.0], [3.0]])
    order = torch.tensor([2, 0, 1])
    check(equivariance_gap, running, x, order).equals(3.0, near={columns: IndexError})
    x, order = torch.tensor([[4.0, 0.0], [-1.0, 1.0], [4.0, 2.0], [-2.0, 0.0]]), torch.tensor([2, 0, 1, 3])
    check(equivariance_gap, running, x, order).equals(
        4.0, rtol=1e-4, near={"the differences of a token's features were added up: take them one by one": 6.0}
    )
    x, order = torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([1, 2, 3, 0])
    check(equivariance_gap, torch.exp, x, order).equals(0.0, atol=1e-6)


score
