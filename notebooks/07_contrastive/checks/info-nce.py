from helpers.checks import graded


@graded("info-nce", points=7)
def score(check):
    import torch

    for_one = "an extra key was a negative for one query alone: it is one for all"
    no_norm = "the vectors were not brought to length 1"
    times = "similarities are divided by the temperature, not multiplied by it"
    no_tau = "the temperature is missing"
    summed = "the mean over the queries is asked, not the sum"
    other_way = "softmax over the queries: each query chooses among the keys"
    both = "both directions were averaged: only the queries choose here"
    left_out = "the positive is missing in the denominator"
    off = "the labels are off by one: query i belongs to key i"
    last_alone = "the labels are off by one: query i belongs to key i, and the last one not to the first"
    last_n = "the last N keys were taken for the right ones: they are the first N"
    ignored = "keys beyond the first N are negatives, too: they were left out"
    eye = torch.eye(2)
    check(info_nce, eye, eye, 1.0).equals(0.3132617, rtol=1e-4, about="two orthogonal pairs", near={
        summed: 0.6265234, left_out: -1.0, off: 1.3132617, last_alone: 1.3132617,
    })
    q, k = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[2.0, 1.0], [1.0, 0.0], [-1.0, 3.0], [0.5, -2.0]])
    check(info_nce, q, k[:3], 0.5).equals(0.612733, rtol=1e-4, near={
        no_norm: 1.220365, times: 0.9271773, no_tau: 0.7952838, summed: 1.225466, ignored: 0.3720542, off: 2.402682,
        last_n: 2.402682, last_alone: 1.412733, left_out: -0.2421077, both: 0.4052891, other_way: 0.438524,
        for_one: 0.5930883,
    })
    check(info_nce, q, k, 0.5).equals(1.165727, rtol=1e-4, near={
        no_norm: 2.833855, times: 1.228608, no_tau: 1.156003, summed: 2.331454,
        ignored: 0.3720542, off: 2.955677, last_n: 0.7296468, last_alone: 1.965727, left_out: 0.7607024,
        both: 0.4052891, other_way: 0.438524, for_one: 1.149765,
    })
    cut = "the gradient is cut: a scalar tensor is asked, no detach, no item"
    check(info_nce, eye, torch.eye(2, requires_grad=True), 1.0).holds(
        lambda v: v.requires_grad, "autograd finds its way back to the keys", about="a loss to train with",
        edge=True, near={cut: lambda v: v is not None},
    )


score
