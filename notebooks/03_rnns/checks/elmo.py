from helpers.checks import difference, graded


@graded("elmo", points=3)
def score(check):
    import numpy as np
    import torch

    raw = "the weights go through a softmax first"
    no_gamma = "gamma is missing"
    mean = "all layers got the same weight: the softmax of w says how much each counts"
    inside = "gamma stands outside the softmax"
    wrong_axis = "the softmax goes over the layers"
    summed = "the weights were divided by their sum: a softmax takes exponentials first"

    layers = torch.tensor([[[[1.0, 2.0]]], [[[3.0, -1.0]]]])
    check(elmo_mix, layers, torch.tensor([0.5, -1.0]), 3.0).equals([[[4.09455, 4.35817]]], rtol=1e-4, near={
        raw: [[[-7.5, 6.0]]], no_gamma: [[[1.36485, 1.45272]]], mean: [[[6.0, 1.5]]],
        inside: [[[1.02197, 1.96704]]], summed: [[[15.0, -12.0]]], wrong_axis: [[[3.0, 3.0]]]})


score
