from helpers.checks import difference, graded


@graded("bptt", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the later steps are missing in delta: add u times the delta of the step after": {
            1: (0.492643, 0.31985, -0.420805, -0.232682),
            2: (1.29622, 0.475899, -0.329114, -0.1859),
        },
        "the derivative of tanh, 1 - h^2, is missing": {
            1: (0.492643, 0.443294, -0.484831, -0.193307),
            2: (1.29622, 4.80875, -1.99251, 1.08348),
        },
        "dL/du takes the state before, h_(t-1), not h_t": {
            1: (0.492643, 0.203825, -0.0455574, -0.348706),
            2: (1.29622, 0.613442, 0.507364, -0.0979184),
        },
        "the loss is half the sum of squares": {
            1: (0.985286, 0.203825, -0.420805, -0.348706),
            2: (2.59245, 0.613442, -0.352782, -0.0979184),
        },
        "neither the loss nor the gradients have the half": {
            1: (0.985286, 0.407651, -0.84161, -0.697412),
            2: (2.59245, 1.22688, -0.705563, -0.195837),
        },
        "the loss has a term for each step, not only for the last": {
            1: (0.20263, -0.116025, -0.420805, -0.668556),
            2: (1.07881, 0.20615, -0.0797237, 0.0665997),
        },
        "the gradients are sums over all steps: here one step only counts": {
            1: (0.492643, 0.0, -0.420805, -0.552532),
            2: (1.29622, 0.179976, -0.0560563, 0.089988),
        },
        "the gradients are twice too large: the half in front of the loss cancels the 2": {
            1: (0.492643, 0.407651, -0.84161, -0.697412),
            2: (1.29622, 1.22688, -0.705563, -0.195837),
        },
        "the difference in delta is h - y, not y - h": {
            1: (0.492643, -0.203825, 0.420805, 0.348706),
            2: (1.29622, -0.613442, 0.352782, 0.0979184),
        },
        "only the first step's part of the gradients is there: sum over all steps": {
            1: (0.492643, 0.203825, 0.0, 0.203825),
            2: (1.29622, 0.226342, 0.0, 0.226342),
        },
        "the derivative of tanh is 1 - h^2: here the square is missing": {
            1: (0.492643, 0.13326, -0.308644, -0.272),
            2: (1.29622, 0.860178, -0.784507, -0.768743),
        },
        "this is the derivative of a sigmoid: that of tanh is 1 - h^2": {
            1: (0.492643, 0.124912, -0.112161, -0.0223598),
            2: (1.29622, -0.275854, 0.442755, 0.664802),
        },
        "the derivative was taken at tanh(h): h is already the tanh": {
            1: (0.492643, 0.283261, -0.426047, -0.276154),
            2: (1.29622, 2.04043, -0.905288, 0.341533),
        },
        "u is missing on the way back: each step back multiplies by u": {
            1: (0.492643, 0.0878009, -0.420805, -0.464731),
            2: (1.29622, 0.289562, -0.289668, -0.289633),
        },
        "the derivative of tanh was taken at the state before: step t takes 1 - h_t^2": {
            1: (0.492643, 0.627916, -0.203617, 0.36056),
            2: (1.29622, 2.63661, -0.965322, 0.888823),
        },
        "dL/dw takes the input of the same step, x_t: here it took the one before": {
            1: (0.492643, -0.552532, -0.420805, -0.348706),
            2: (1.29622, -0.459243, -0.352782, -0.0979184),
        },
        "delta was carried from the first step to the last: it begins at the last": {
            1: (0.492643, 0.31985, -0.315091, -0.0938761),
            2: (1.29622, 0.526102, -0.366428, -0.209137),
        },
        "the part of the first step is missing: the loop back ends too early": {
            1: (0.492643, 0.0, -0.420805, -0.552532),
            2: (1.29622, 0.3871, -0.352782, -0.32426),
        },
        "h_0 is 0, not 1": {
            1: (0.575527, 0.12088, -0.306741, -0.351552),
            2: (1.18746, 0.458874, -0.134362, -0.264986),
        },
        "h_0 is 0: at the first step the last state was taken for it": {
            1: (0.492643, 0.203825, -0.346735, -0.348706),
            2: (1.29622, 0.613442, -0.133482, -0.0979184),
        },
        "1 - h^2 belongs to the part from the later steps, too": {
            1: (0.492643, 0.0435842, -0.420805, -0.508947),
            2: (1.29622, 0.764015, -0.367789, 0.0212272),
        },
        "each step has an error of its own, h - y: here only that of the last step went back": {
            1: (0.492643, -0.116025, -0.420805, -0.668556),
            2: (1.29622, 0.20615, -0.0797237, 0.0665997),
        },
        "w is not on the way back: each step back multiplies by u": {
            1: (0.492643, 0.0878009, -0.420805, -0.464731),
            2: (1.29622, 0.322539, -0.297558, -0.273177),
        },
        "dL/du holds only the first step's part: add up those of all steps, with +=": {
            1: (0.492643, 0.203825, 0.0, -0.348706),
            2: (1.29622, 0.613442, 0.0, -0.0979184),
        },
        "dL/db holds only the first step's part: add up those of all steps, with +=": {
            1: (0.492643, 0.203825, -0.420805, 0.203825),
            2: (1.29622, 0.613442, -0.352782, 0.226342),
        },
        "the state after the step that reads x[t] is h[t + 1]: here h[t] was taken for it": {
            1: (0.492643, -0.0500622, -0.0762541, -0.150187),
            2: (1.29622, -1.05829, 0.312433, -0.426926),
        },
        "the loss is a sum over the steps, not a mean": {
            1: (0.246321, 0.101913, -0.210402, -0.174353),
            2: (0.432075, 0.204481, -0.117594, -0.0326395),
        },
        "the gradients are right, the loss is a mean: it is a sum over the steps": {
            1: (0.246321, 0.203825, -0.420805, -0.348706),
            2: (0.432075, 0.613442, -0.352782, -0.0979184),
        },
        "the gradients come in the order w, u, b": {
            1: (0.492643, -0.420805, 0.203825, -0.348706),
            2: (1.29622, -0.352782, 0.613442, -0.0979184),
        },
        "the loss comes first, then the gradients": {
            1: (0.203825, -0.420805, -0.348706),
            2: (0.613442, -0.352782, -0.0979184),
        },
        "the gradients are there, the loss is missing: it comes first": {
            1: (0.203825, -0.420805, -0.348706, 0.492643),
            2: (0.613442, -0.352782, -0.0979184, 1.29622),
        },
        "the bias b is missing in the forward pass": {
            2: (1.30481, 0.638935, -0.338745, -0.0745443),
        },
        "delta holds all later steps: here only the step after was looked at": {
            2: (1.29622, 0.603789, -0.352782, -0.107571),
        },
        "dL/dw holds only the first step's part: add up those of all steps, with +=": {
            2: (1.29622, 0.226342, -0.352782, -0.0979184),
        },
    })
    first = check(scalar_bptt, [1.0, 0.0], [0.0, 1.0], 1.0, 0.5, 0.0).equals(
        (0.492643, 0.203825, -0.420805, -0.348706), rtol=1e-4, about="the two steps of the drawing"
    )
    check(scalar_bptt, [1.0, -0.5, 2.0], [0.5, 0.0, -0.5], 0.8, -0.6, 0.1).equals(
        (1.29622, 0.613442, -0.352782, -0.0979184), rtol=1e-4, about="three steps"
    )
    by_autograd = "this is autograd's work, and here autograd is off: write the backward pass by the sums"
    check(without_autograd, scalar_bptt, [1.0, 0.0], [0.0, 1.0], 1.0, 0.5, 0.0).equals(
        (0.492643, 0.203825, -0.420805, -0.348706), rtol=1e-4, about="the two steps, with autograd off",
        near={by_autograd: RuntimeError} if first.passed else {},
    )


score
