from helpers.checks import graded


@graded("filters", points=7)
def score(check):
    import torch

    inf = float("inf")
    times = "multiplied by the temperature: divide"
    chances = "these are probabilities: return logits"
    check(apply_temperature, torch.tensor([1.0, -2.0, 0.5]), 2.0).equals([0.5, -1.0, 0.25], near={
        times: [2, -4, 1], chances: [0.499518, 0.111457, 0.389025],
    })

    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked"
    first_k = "the first k tokens were kept, not the k largest: logits come in any order"
    smallest, fewer, more = "the smallest were kept", "one token too few was kept", "one token too many was kept"
    renormalised = "the logits of those who stay changed: leave them as they are"
    check(keep_top_k, torch.tensor([0.5, 2.0, -1.0, 1.0]), 2).equals([-inf, 2.0, -inf, 1.0], near={
        first_k: [0.5, 2, -inf, -inf], zero: [0.0, 2, 0.0, 1], smallest: [0.5, -inf, -1, -inf],
        fewer: [-inf, 2, -inf, -inf], more: [0.5, 2, -inf, 1],
        renormalised: [-inf, -0.313262, -inf, -1.31326], chances: [0.0, 0.731059, 0.0, 0.268941],
    })

    crossing = "the token that reaches p is kept, too"
    unsorted = "the probabilities were added in the order of the ids, not from the likeliest on"
    back = "the result is sorted: each token's logit belongs to its place"
    tail = "the tail was kept and the nucleus removed"
    single = "each single probability was compared with p: it is their sum that counts"
    # probabilities .08 .45 .02 .25 .15 .04 .01
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -inf, -inf]
    check(keep_top_p, example, 0.9).equals(kept, near={
        crossing: [-inf, -0.798508, -inf, -1.38629, -1.89712, -inf, -inf],
        unsorted: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -inf, -inf],
        back: [-0.798508, -1.38629, -1.89712, -2.52573, -inf, -inf, -inf],
        tail: [-inf, -inf, -3.91202, -inf, -inf, -3.21888, -4.60517],
        single: [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
        zero: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
        renormalised: [-2.45316, -0.725937, -inf, -1.31372, -1.82455, -inf, -inf],
        chances: [0.0860215, 0.483871, 0.0, 0.268817, 0.16129, 0.0, 0.0],
    })
    check(keep_top_p, example + 3.0, 0.3).equals([-inf, 2.2014923, -inf, -inf, -inf, -inf, -inf], near={
        unsorted: [0.474271, 2.20149, -inf, -inf, -inf, -inf, -inf],
        back: [2.20149, -inf, -inf, -inf, -inf, -inf, -inf],
        tail: [0.474271, -inf, -0.912023, 1.61371, 1.10288, -0.218876, -1.60517],
        zero: [0.0, 2.20149, 0.0, 0.0, 0.0, 0.0, 0.0],
        renormalised: [-inf, 0.0, -inf, -inf, -inf, -inf, -inf],
        chances: [0.0, 1, 0.0, 0.0, 0.0, 0.0, 0.0],
    })

    absolute = "compared with min_p itself: the threshold is min_p times the largest probability"
    of_logits = "logits were compared: probabilities are asked"
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -3.2188758, -inf]
    check(keep_min_p, example, 0.05).equals(kept, near={
        absolute: [-2.52573, -0.798508, -inf, -1.38629, -1.89712, -inf, -inf],
        of_logits: [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
        zero: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, -3.21888, 0.0],
        renormalised: [-2.49527, -0.768048, -inf, -1.35584, -1.86666, -3.18842, -inf],
        chances: [0.0824742, 0.463918, 0.0, 0.257732, 0.154639, 0.0412371, 0.0],
    })


score
