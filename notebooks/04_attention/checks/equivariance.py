from helpers.checks import graded


@graded("equivariance", points=4)
def score(check):
    import torch

    says = {
        "invariant": "the output was not shuffled on the one side: that asks for invariance, not for equivariance",
        "input": "the input was shuffled on neither side: one side is the layer of x[order]",
        "inverse": "the output was put back by the inverse order; shuffle it by the same order as the input",
        "inverse_input": "the input was shuffled by the inverse order; use the same order on both sides",
        "layers": "the layer was applied twice",
        "norm": "a norm of all differences came; the largest is asked for",
        "twice": "input and output were both shuffled on one side",
        "signed": "the sign counts here: take absolute values before the maximum",
        "mean": "this is the mean of the differences; the largest is asked for",
        "sum": "this is the sum of the differences; the largest is asked for",
        "columns": "the columns were shuffled; the tokens are the rows",
        "table": "all differences came; the largest is asked for",
        "same": "both sides are the same thing here: shuffle the output on the one, the input on the other",
        "square": "the squared difference came",
        "bool": "a bool came; the difference itself is asked for",
        "reversed": "the sign counts here, and the sides are exchanged: take absolute values",
        "range": "the smallest difference was taken from the largest; the largest absolute one is asked for",
        "largest": "the largest entries of both sides were compared; take the differences entry by entry first",
        "each": "one number for each feature came; the largest of all is asked for",
        "no_square": "the numbers were not squared: each input is joined to each output",
        "per_token": "a dense layer joins all T * C numbers with all T * C: the square of the product",
        "added": "inputs and outputs were added; each is joined to each, which is the square of the product",
        "three": "W_O was left out: four matrices, not three",
        "grows": "the weights of attention do not grow with the length",
        "biased": "biases were counted: weights only",
        "order": "the two numbers are exchanged: the dense layer comes first",
    }

    def running(x):
        return torch.cumsum(x, 0)

    def lag(x):
        return x - torch.roll(x, 1, 0)

    x = torch.tensor([[1.0], [2.0], [3.0]])
    order = torch.tensor([2, 0, 1])
    check(equivariance_gap, running, x, order).equals(3.0, near={
        says["each"]: [3.0], says["invariant"]: 2.0, says["table"]: [[3.0], [3.0], [3.0]], says["same"]: 0.0,
        says["range"]: 6.0, says["largest"]: 0.0, says["bool"]: False, says["columns"]: IndexError,
    })
    x, order = torch.tensor([[4.0], [-1.0], [4.0], [-2.0]]), torch.tensor([1, 3, 2, 0])
    check(equivariance_gap, running, x, order).equals(8.0, rtol=1e-4, near={
        says["each"]: [8.0], says["invariant"]: 6.0, says["input"]: 2.0, says["inverse"]: 7.0, says["twice"]: 7.0,
        says["inverse_input"]: 5.0, says["mean"]: 4.75, says["sum"]: 19.0, says["square"]: 64.0,
        says["range"]: 9.0, says["largest"]: 2.0, says["reversed"]: 1.0,
        says["layers"]: 23.0, says["norm"]: 10.8167, says["table"]: [[4.0], [8.0], [6.0], [1.0]],
    })
    x, order = torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([1, 2, 3, 0])
    check(equivariance_gap, torch.exp, x, order).equals(0.0, atol=1e-6, near={
        says["bool"]: True, says["each"]: [0.0], says["invariant"]: 19.0855, says["input"]: 19.0855,
        says["table"]: [[0.0], [0.0], [0.0], [0.0]],
    })
    check(parameter_counts, 2, 3).equals((36, 36), near={
        says["per_token"]: (18, 36), says["added"]: (12, 36), says["three"]: (36, 27), says["grows"]: (36, 72),
        says["biased"]: (42, 48), says["no_square"]: (6, 12),
    })
    check(parameter_counts, 37, 1024).equals((1435500544, 4194304), near={
        says["per_token"]: (38797312, 4194304), says["three"]: (1435500544, 3145728),
        says["grows"]: (1435500544, 155189248), says["biased"]: (1435538432, 4198400),
        says["order"]: (4194304, 1435500544), says["added"]: (75776, 4194304),
        says["no_square"]: (37888, 4096),
    })


score
