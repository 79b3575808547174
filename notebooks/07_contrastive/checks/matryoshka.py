from helpers.checks import graded


@graded("matryoshka", points=5)
def score(check):
    import torch

    weighed = "each loss was weighed by its size: all count alike"
    no_norm = "what is left was not brought to length 1 again"
    last = "the last numbers were kept: the first are asked"
    before = "the whole vector was brought to length 1, and then cut: cut first"
    rows = "rows were cut: `size` numbers of each vector are asked"
    v = torch.tensor([[3.0, 4.0, 0.0, 12.0], [0.0, -2.0, 5.0, 1.0]])
    check(shorten, v, 2).equals([[0.6, 0.8], [0.0, -1.0]], rtol=1e-4, near={
        no_norm: [[3.0, 4.0], [0.0, -2.0]], last: [[0.0, 1.0], [0.980581, 0.196116]],
        before: [[0.230769, 0.307692], [0.0, -0.365148]],
    })
    q = torch.tensor([[-2.0, 1.5, -2.0, 0.0, 1.0, 0.5], [-2.0, -1.0, 0.0, -0.5, 2.0, 1.0]])
    k = torch.tensor([[-0.5, -2.0, -2.0, -1.5, 1.0, 0.5], [-2.0, 1.0, 0.0, 0.5, -1.0, 2.0]])
    summed = "the losses of the sizes were added up: their mean is asked"
    longest = "only the largest size has a loss here: all of `sizes` have"
    shortest = "only the smallest size has a loss here: all of `sizes` have"
    whole = "the whole vectors took part at every size"
    worst = "the largest loss was taken: the mean is asked"
    no_tau = "the temperature was ignored"
    again = "what had been cut was cut again: cut the whole vectors at each size"
    at_first = "only the first of `sizes` has a loss here: is a return inside the loop?"
    at_last = "only the last of `sizes` has a loss here: all have"
    first_part = "the loss of the first of `sizes` alone was divided by their number: is a return inside the loop?"
    last_part = "the loss of the last of `sizes` alone was divided by their number: add up all"
    pieces = "only the numbers after the last size took part: the first `size` numbers do"
    lengths = "the vectors were not brought to length 1 after the cut"
    check(matryoshka_loss, q, k, (3, 5, 1, 2, 4), 0.5).equals(1.122431, rtol=1e-4, near={
        summed: 5.612155, longest: 1.128314, shortest: 0.6931472, no_tau: 6.753556, whole: 0.9923742, worst: 1.77571,
        weighed: 1.131153, again: 0.8074007, at_first: 0.9787809, at_last: 1.036203, first_part: 0.1957562,
        last_part: 0.2072406, lengths: 0.9425806,
    })


score
