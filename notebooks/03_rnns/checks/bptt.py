from helpers.checks import graded


@graded("bptt", points=5)
def score(check):
    import numpy as np
    import torch

    future = "the later steps are missing in delta: add u times the delta of the step after"
    slope = "the derivative of tanh, 1 - h^2, is missing"
    current = "dL/du takes the state before, h_(t-1), not h_t"
    half = "the loss is half the sum of squares"
    mean = "the loss is a sum over the steps, not a mean"
    last = "the loss has a term for each step, not only for the last"
    only_last = "the gradients are sums over all steps: here one step only counts"
    twice = "the gradients are twice too large: the half in front of the loss cancels the 2"
    sign = "the difference in delta is h - y, not y - h"

    no_u = "u is missing on the way back: each step back multiplies by u"
    onward = "delta was carried from the first step to the last: it begins at the last"
    error_once = "each step has an error of its own, h - y: here only that of the last step went back"
    outside = "1 - h^2 belongs to the part from the later steps, too"

    first = check(scalar_bptt, [1.0, 0.0], [0.0, 1.0], 1.0, 0.5, 0.0).equals(
        (0.492643, 0.203825, -0.420805, -0.348706), rtol=1e-4, about="the two steps of the drawing",
            near={future: (0.49264, 0.31985, -0.4208, -0.23268), slope: (0.49264, 0.44329, -0.48483, -0.19331),
            half: (0.98529, 0.20383, -0.4208, -0.34871), twice: (0.49264, 0.40765, -0.84161, -0.69741),
            sign: (0.49264, -0.20383, 0.4208, 0.34871), outside: (0.49264, 0.04358, -0.4208, -0.50895),
            onward: (0.49264, 0.31985, -0.31509, -0.09388), current: (0.492643, 0.203825, -0.045557, -0.348706),
            error_once: (0.492643, -0.116025, -0.420805, -0.668556)})
    check(scalar_bptt, [1.0, -0.5, 2.0], [0.5, 0.0, -0.5], 0.8, -0.6, 0.1).equals(
        (1.29622, 0.613442, -0.352782, -0.0979184), rtol=1e-4, about="three steps",
            near={future: (1.2962, 0.4759, -0.32911, -0.1859), slope: (1.2962, 4.8088, -1.9925, 1.0835),
            current: (1.2962, 0.61344, 0.50736, -0.097918), half: (2.5924, 0.61344, -0.35278, -0.097918),
            last: (1.0788, 0.20615, -0.079724, 0.0666), only_last: (1.2962, 0.17998, -0.056056, 0.089988),
            twice: (1.2962, 1.2269, -0.70556, -0.19584), sign: (1.2962, -0.61344, 0.35278, 0.097918),
            mean: (0.43207, 0.20448, -0.11759, -0.032639), no_u: (1.29622, 0.28956, -0.28967, -0.28963),
            onward: (1.29622, 0.5261, -0.36643, -0.20914), outside: (1.29622, 0.76402, -0.36779, 0.02123),
            error_once: (1.29622, 0.20615, -0.079724, 0.0666)})


score
