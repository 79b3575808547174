from helpers.checks import graded


@graded("matryoshka", points=5)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "what is left was not brought to length 1 again": {
            1: [[3.0, 4.0], [0.0, -2.0], [0.0, 0.0]],
        },
        "the last numbers were kept: the first are asked": {
            1: [[0.0, 1.0], [0.980581, 0.196116], [1.0, 0.0]],
        },
        "the whole vector was brought to length 1, and then cut: cut first": {
            1: [[0.230769, 0.307692], [0.0, -0.365148], [0.0, 0.0]],
        },
        "rows were cut: `size` numbers of each vector are asked": {
            1: [[0.230769, 0.307692, 0.0, 0.923077], [0.0, -0.365148, 0.912871, 0.182574]],
        },
        "one number too many was kept": {
            1: [[0.6, 0.8, 0.0], [0.0, -0.371391, 0.928477], [0.0, 0.0, 1.0]],
        },
        "one number too few was kept": {
            1: [[1.0], [0.0], [0.0]],
        },
        "the rest was set to 0: it is to be cut off": {
            1: [[0.6, 0.8, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
        },
        "the columns were brought to length 1: a vector is a row": {
            1: [[1.0, 0.894427], [0.0, -0.447214], [0.0, 0.0]],
        },
        "the numbers sum to 1 here: the length is to be 1": {
            1: [[0.428571, 0.571429], [0.0, -1.0], [0.0, 0.0]],
        },
    })
    weighed = "each loss was weighed by its size: all count alike"
    v = torch.tensor([[3.0, 4.0, 0.0, 12.0], [0.0, -2.0, 5.0, 1.0], [0.0, 0.0, 7.0, 0.0]])
    nan = float("nan")
    check(shorten, v, 2).equals([[0.6, 0.8], [0.0, -1.0], [0.0, 0.0]], rtol=1e-4, near={
        "a length of 0 divided: a row of zeros stays zeros": [[0.6, 0.8], [0.0, -1.0], [nan, nan]]})

    def finite(gradients):
        return all(bool(torch.isfinite(gradient).all()) for gradient in gradients)

    def no_number(gradients):
        return any(bool(torch.isnan(gradient).any()) for gradient in gradients)

    of_zeros = {
        "about": "gradients beside zeros", "edge": True, "near": {
            "the gradient is NaN: that of a root is infinite at 0, and 0 / 0 is no number; F.normalize avoids both":
                no_number}}

    check(slopes, shorten, v, 2).holds(finite, "finite gradients", **of_zeros)
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
    lengths = "the vectors were not brought to length 1 after the cut"
    check(matryoshka_loss, q, k, (3, 5, 1, 2, 4), 0.5).equals(1.122431, rtol=1e-4, near={
        summed: 5.612155, longest: 1.128314, shortest: 0.6931472, no_tau: 6.753556, whole: 0.9923742, worst: 1.77571,
        weighed: 1.131153, again: 0.8074007, at_first: 0.9787809, at_last: 1.036203, first_part: 0.1957562,
        last_part: 0.2072406, lengths: 0.9425806,
    })


score
