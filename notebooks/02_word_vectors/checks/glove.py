from helpers.checks import graded


@graded("glove", points=6)
def score(check):
    import torch

    risen = "below x_max the weight rises, from there on it is 1: here the two (or min and max) are exchanged"
    usual = "the usual x_max is 100, as in the stub"
    apart = "the power is of the whole share: (x / x_max) in brackets"
    at_most, base = apart + ", then at most 1", "the logarithm is natural, not of base 10"
    before = "the count is divided by x_max before the power"
    raw, swapped = "the logarithm is missing: dot products fit ln X", (
        "inputs and outputs are exchanged: rows belong to inputs")
    check(glove_weight, torch.tensor([16.0, 250, 50])).equals(
        [0.2529822, 1, 0.5946036],
        near={"the weight is 1 at most": [0.2529822, 1.9881768, 0.5946036], "the power is missing": [0.16, 1, 0.5],
              "the weight is at most 1: here x_max itself came out": [0.2529822, 100, 0.5946036],
              risen: [1, 1.9881768, 1],
              before: [0.08, 0.6287167, 0.1880302], before + ", also in the minimum": [0.08, 0.3162278, 0.1880302],
              before + ", also below x_max": [0.08, 1, 0.1880302], usual: [1, 1, 1],
              apart: [0.5059644, 1, 1.5811388], at_most: [0.5059644, 1, 1]},
    )
    counts = torch.tensor([16.0, 250.0, 1.0])
    check(glove_weight, counts, 20.0, 0.5).equals(
        [0.8944272, 1, 0.2236068],
        near={"x_max and alpha are arguments: do not write their usual values": [0.2529822, 1, 0.0316228],
              "x_max is an argument: do not write 100": [0.4, 1, 0.1],
              "alpha is an argument: do not write 0.75": [0.8458970, 1, 0.1057371],
              before: [0.2, 0.7905694, 0.05], before + ", also in the minimum": [0.2, 0.2236068, 0.05],
              before + ", also below x_max": [0.2, 1, 0.05],
              "the weight is 1 at most": [0.8944272, 3.5355339, 0.2236068],
              apart: [3.5777088, 1, 0.2236068], at_most: [1, 1, 0.2236068]},
    )
    zero = torch.zeros(2, 3), torch.zeros(2, 3), torch.zeros(2), torch.zeros(2)
    cell = torch.tensor([0]), torch.tensor([1])
    check(glove_loss, *zero, *cell, torch.tensor([100.0])).equals(
        21.2075909,
        near={"the error is squared": 4.6051702, raw: 10000.0, base: 4.0,
              "the error is squared; here it kept its sign": -4.6051702},
    )
    tables = torch.tensor([[1.0, 0], [0, 2]]), torch.tensor([[1.0, 1], [3, 0]])
    three = torch.tensor([0, 1, 0]), torch.tensor([1, 0, 0])
    biases = torch.tensor([0.5, -1]), torch.tensor([2, 0.25])
    check(glove_loss, *tables, *biases, *three, torch.tensor([16.0, 250, 4])).equals(
        6.9990554, rtol=1e-4,
        near={"the sum over the cells is asked, not the mean": 2.3330184, "the weight f is missing": 11.7808495,
              "half of the sum came: there is no 1/2": 3.4995276,
              "the input's bias is missing": 2.6054164, "the output's bias is missing": 20.578625,
              "the two biases are exchanged": 8.4617309, swapped: 2.7145803,
              "the weight stands outside of the square: f was squared, too": 6.454649,
              "rows and columns are exchanged": 3.5507648, "the weight is 1 at most": 13.2816526,
              "each row meets its own column only: here all rows met all columns": 34.3437958},
    )


score
