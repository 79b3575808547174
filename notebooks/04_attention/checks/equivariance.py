from helpers.checks import graded


@graded("equivariance", points=4)
def score(check):
    import torch

    says = {
        "invariant": "the output was not shuffled on the one side: that asks for invariance, not for equivariance",
        "input": "the input was shuffled on neither side: one side is the layer of x[order]",
        "inverse": "the output was put back by the inverse order; shuffle it by the same order as the input",
        "twice": "input and output were both shuffled on one side",
        "signed": "the sign counts here: take absolute values before the maximum",
        "mean": "this is the mean of the differences; the largest is asked for",
        "sum": "this is the sum of the differences; the largest is asked for",
        "columns": "the columns were shuffled; the tokens are the rows",
        "table": "all differences came; the largest is asked for",
        "same": "both sides are the same thing here: shuffle the output on the one, the input on the other",
        "square": "the squared difference came",
        "bool": "a bool came; the difference itself is asked for",
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
        says["each"]: [3.0], says["invariant"]: 2.0, says["table"]: [[3.0], [3.0], [3.0]],
        "the orders do not fit: shuffle the output of one side and the input of the other, both by `order`": 5.0,
        "this is the sum of the differences, or a squared one; the largest is asked for": 9.0,
        f"{says['same']} (or a bool came)": 0.0,
        says["columns"]: IndexError,
    })
    x, order = torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([1, 2, 3, 0])
    check(equivariance_gap, torch.exp, x, order).equals(0.0, atol=1e-6, near={
        says["bool"]: True, says["each"]: [0.0],
        "one side only was shuffled: the output of the one, the input of the other": 19.0855,
        "the output was shuffled once more, or by the inverse order: the same order on both sides": 17.3673,
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
