from helpers.checks import graded


@graded("false-negatives", points=6)
def score(check):
    import torch

    later = "only later keys of the group were left out: earlier ones, too"
    unmasked = "keys of the same group were not left out"
    positives = "keys of the same group became positives, too: they are only left out"
    own = "the query's own key was left out, too"
    zero = "left-out scores were set to 0, and exp(0) is 1: set them to minus infinity"
    others = "the keys of *other* groups were left out: they are the negatives"
    no_norm = "the vectors were not brought to length 1"
    times = "similarities are divided by the temperature, not multiplied by it"
    by_number = "the numbers of the groups were taken for the right keys: query i has key i"
    summed = "the mean over the queries is asked, not the sum"
    q, k = torch.tensor([[1.0, 2.0], [2.0, 1.0], [-1.0, 1.0]]), torch.tensor([[1.0, 1.0], [3.0, 1.0], [0.0, 2.0]])
    check(masked_info_nce, q, k, torch.tensor([0, 0, 1]), 0.5).equals(0.4086296, rtol=1e-4, near={
        unmasked: 0.6770437, zero: 0.4667334, others: 0.3777343, own: torch.inf,
        no_norm: 0.7151509, times: 0.6877689, summed: 1.225889, later: 0.5832056,
        by_number: torch.inf,
    })
    check(masked_info_nce, q, k, torch.tensor([4, 7, 4]), 1.0).equals(0.595377, rtol=1e-4, near={
        unmasked: 0.8433688, zero: 0.7669346, summed: 1.786131, own: torch.inf,
        no_norm: 0.7232743, later: 0.701499,
    })


score
