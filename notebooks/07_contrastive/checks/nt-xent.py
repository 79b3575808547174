from helpers.checks import graded


@graded("nt-xent", points=8)
def score(check):
    import torch

    minus_one = "the diagonal was set to -1, which still counts: set it to minus infinity"
    twice = "the positive is in the denominator twice: the sum over k runs over it once"
    diagonal = "the diagonal was kept: a view is no candidate for itself"
    times = "similarities are divided by the temperature, not multiplied by it"
    no_tau = "the temperature is missing"
    no_norm = "the vectors were not brought to length 1"
    off = "the labels are off: the partner of view i stands N rows further, not beside it"
    itself = "the labels are off by N: each view was to find itself"
    summed = "the mean over the 2N views is missing: this is the sum"
    half = "divided by N: there are 2N views"
    one_way = "only the views of `first` ask here: all 2N do"
    across = "a view chooses among all 2N - 1 others, not only among the views of the other side"
    without = "the positive is missing in the denominator"
    one_across = "the views of one side are negatives, too; here only one direction across is left"
    own_side = "only the views of the own side are negatives here: those of the other side are, too"
    eye = torch.eye(4)
    for t, want in [(1.0, 1.165422), (0.5, 0.594438)]:
        check(nt_xent, eye, eye, t).equals(want, rtol=1e-4, about="four orthogonal pairs", near={
            twice: {1.0: 1.436816, 0.5: 1.0339}[t], diagonal: {1.0: 1.436816, 0.5: 1.0339}[t],
            own_side: {1.0: 0.743668, 0.5: 0.340755}[t],
            itself: {1.0: 1.436816, 0.5: 1.0339}[t], one_across: {1.0: 0.743668, 0.5: 0.340755}[t],
            summed: 8 * want, half: 2 * want, across: {1.0: 0.743668, 0.5: 0.340755}[t],
            times: {1.0: -1.0, 0.5: 1.534538}[t], minus_one: {1.0: 1.206752, 0.5: 0.6044949}[t],
        })
    check(nt_xent, torch.eye(8), torch.eye(8), 0.5).equals(1.062879, rtol=1e-4, about="eight orthogonal pairs", near={
        twice: 1.359615, diagonal: 1.359615, itself: 1.359615, summed: 17.006064, half: 2.125758, times: 2.250389,
        minus_one: 1.069187,
    })
    a, b = torch.tensor([[1.0, 0.5], [-1.0, 2.0], [0.3, -1.0]]), torch.tensor([[2.0, 0.0], [0.5, 1.0], [1.0, -1.0]])
    check(nt_xent, a, b, 0.5).equals(0.7676868, rtol=1e-4, near={
        twice: 1.158177, diagonal: 1.317761, times: 1.299099, no_tau: 1.064457,
        no_norm: 0.5891183, off: 2.370206, itself: 0.901027,
        summed: 4.606121, half: 1.535374, one_way: 0.5666715, across: 0.4610015, one_across: 0.4047511,
        "a label is out of range: columns count from 0 to 2N - 1, or to 2N - 2 without the diagonal": IndexError,
        without: 0.06541698, minus_one: 0.7815198, own_side: 0.4416448,
    })


score
