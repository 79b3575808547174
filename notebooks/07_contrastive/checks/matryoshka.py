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
    q = torch.tensor([[-2.0, 1.5, -2.0, 0.0], [-2.0, -1.0, 0.0, -0.5]])
    k = torch.tensor([[-0.5, -2.0, -2.0, -1.5], [-2.0, 1.0, 0.0, 0.5]])
    summed = "the losses of the sizes were added up: their mean is asked"
    longest = "only the largest size has a loss here: all of `sizes` have"
    shortest = "only the smallest size has a loss here: all of `sizes` have"
    whole = "the whole vectors took part at every size"
    worst = "the largest loss was taken: the mean is asked"
    no_tau = "the temperature was ignored"
    check(matryoshka_loss, q, k, (1, 2, 3), 0.5).equals(1.149216, rtol=1e-4, near={
        summed: 3.4476, longest: 0.9788, shortest: 0.6931472, no_tau: 6.8722, whole: 1.0362, worst: 1.7757,
        weighed: 1.196818,
    })


score
