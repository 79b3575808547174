from helpers.checks import graded


@graded("sampling", points=6)
def score(check):
    import math

    import numpy as np
    import torch

    times = "the logits were multiplied by the temperature: divide by it"
    after = "the temperature comes first, then the filters: here the filters came first"
    p_first = "top-p sums what top-k left, scaled to 1: here top-p came first, or it summed unscaled numbers"
    short = "top-p stopped one word too early: the sum must reach p"
    long = "top-p kept one word too many: the fewest words whose sum reaches p"
    no_scale = "what stays is not scaled to a sum of 1"
    threshold = "top-p keeps words until their sum reaches p: here p was taken as a bound on each probability"
    sorted_out = "the probabilities came back sorted: keep the order of the vocabulary"
    ignored_t, ignored_k, ignored_p = (f"{name} was ignored" for name in ("the temperature", "top_k", "top_p"))
    one_stays = "at least one word stays, even if its probability alone is above p"
    below = "top-p dropped each word whose probability is below 1 - p: it is the sum that counts"
    smallest = "the smallest logits were kept: the largest stay"
    one_more, one_less = "top-k kept one word too many", "top-k kept one word too few"
    late = "a word of equal weight at the border: the earlier in the vocabulary stays"

    p = torch.tensor([0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08])
    logits = p.log()
    first = check(token_distribution, logits, 1.0, 3).equals(
        [0, 0.5294, 0.1765, 0, 0.2941, 0, 0], rtol=1e-3, about="top-k 3",
        near={no_scale: [0.0, 0.45, 0.15, 0.0, 0.25, 0.0, 0.0], sorted_out: [0.52941, 0.29412, 0.17647, 0.0, 0.0, 0.0,
        0.0], one_more: [0, 0.48387, 0.16129, 0, 0.26882, 0, 0.08602],
        one_less: [0, 0.642857, 0, 0, 0.357143, 0, 0],
        ignored_k: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08], smallest: [0.57143, 0.0, 0.0, 0.28571, 0.0,
        0.14286, 0.0]})
    check(token_distribution, logits, 1.0, None, 0.9).equals(
        [0, 0.4839, 0.1613, 0, 0.2688, 0, 0.0860], rtol=1e-3, about="top-p 0.9",
            near={short: [0.0, 0.52941, 0.17647, 0.0, 0.29412, 0.0, 0.0], long: [0.041237, 0.46392, 0.15464, 0.0,
            0.25773, 0.0, 0.082474], no_scale: [0.0, 0.45, 0.15, 0.0, 0.25, 0.0, 0.08],
            threshold: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], sorted_out: [0.48387, 0.26882, 0.16129, 0.086022, 0.0,
            0.0, 0.0], below: [0.0, 0.52941, 0.17647, 0.0, 0.29412, 0.0, 0.0],
            ignored_p: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
            smallest: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08]})
    check(token_distribution, logits, 2.0, None, 0.83).equals(
        [0.0980, 0.3287, 0.1898, 0, 0.2450, 0, 0.1386], rtol=1e-3, about="temperature 2, then top-p 0.83",
            near={times: [0.0, 0.76415, 0.0, 0.0, 0.23585, 0.0, 0.0], after: [0.0, 0.43053, 0.24857, 0.0, 0.3209, 0.0,
            0.0], short: [0.0, 0.36439, 0.21038, 0.0, 0.2716, 0.0, 0.15364], long: [0.09164, 0.30738, 0.17747, 0.0648,
            0.22911, 0.0, 0.1296], no_scale: [0.08763, 0.29391, 0.16969, 0.0, 0.21907, 0.0, 0.12392],
            threshold: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], sorted_out: [0.32868, 0.24498, 0.18976, 0.13858, 0.09799,
            0.0, 0.0], ignored_t: [0.0, 0.52941, 0.17647, 0.0, 0.29412, 0.0, 0.0],
            ignored_p: [0.087628, 0.29391, 0.16969, 0.061962, 0.21907, 0.043814, 0.12392],
            smallest: [0.087628, 0.29391, 0.16969, 0.061962, 0.21907, 0.043814, 0.12392],
            below: [0, 0.572949, 0, 0, 0.427051, 0, 0]})
    nothing = "temperature 0 means greedy: do not divide by it"
    check(token_distribution, torch.tensor([0.5, 2.0, -1.0, 2.0]), 0).equals([0, 1, 0, 0], about="temperature 0",
        near={nothing: ZeroDivisionError, nothing + ", that gives NaN": [math.nan] * 4,
        "of equal logits the first is taken": [0, 0, 0, 1], "greedy takes one word: the two equal ones share":
        [0, 0.5, 0, 0.5], "greedy takes one word: here each of the equal ones got 1": [0, 1, 0, 1],
        "the distribution is asked, all on one word, not the number of the word": 1})
    flat = torch.tensor([0.07, 0.26, 0.05, 0.08, 0.21, 0.062, 0.075, 0.06, 0.068, 0.065]).log()
    no_k = [0.100719, 0.374101, 0, 0.115108, 0.302158, 0, 0.107914, 0, 0, 0]
    check(token_distribution, flat, 1.0, 6, 0.65).equals([0, 0.472727, 0, 0.145455, 0.381818, 0, 0, 0, 0, 0],
        rtol=1e-3, about="top-k 6, then top-p 0.65", near={p_first: no_k, ignored_k: no_k,
        ignored_p: [0.09174, 0.34076, 0, 0.10485, 0.27523, 0, 0.0983, 0, 0.08912, 0],
        no_scale: [0, 0.26, 0, 0.08, 0.21, 0, 0, 0, 0, 0], short: [0, 0.553191, 0, 0, 0.446809, 0, 0, 0, 0, 0],
        threshold: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0], below: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        one_less: [0, 0.553191, 0, 0, 0.446809, 0, 0, 0, 0, 0],
        long: [0, 0.416, 0, 0.128, 0.336, 0, 0.12, 0, 0, 0],
        sorted_out: [0.472727, 0.381818, 0.145455, 0, 0, 0, 0, 0, 0, 0]})
    check(token_distribution, logits, 0.5).equals(
        [0.0054, 0.6841, 0.0760, 0.0014, 0.2112, 0.0003, 0.0216], atol=6e-5, rtol=0, about="temperature 0.5",
            near={times: [0.087628, 0.29391, 0.16969, 0.061962, 0.21907, 0.043814, 0.12392],
            sorted_out: [0.68412, 0.21115, 0.076014, 0.021622, 0.0054054, 0.0013514, 0.00033784],
            ignored_t: [0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08],
            no_scale: [0.0016, 0.2025, 0.0225, 0.0004, 0.0625, 0.0001, 0.0064]})


score
