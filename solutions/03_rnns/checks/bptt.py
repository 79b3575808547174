from helpers.checks import difference, graded


@graded("bptt", points=6)
def score(check):
    ### BEGIN MISTAKES
    import numpy as np

    def back(x, y, w, u, b, *, future=1.0, slope=lambda h: 1 - h * h, prev=1, scale=1.0, weight=1.0, sign=1,
        steps="all",
             losses="all", inner=None, u_out=False, h0=0.0, wrap=False, deep=True, order=-1,
        bias=1, early=False, late=False):
        h = [h0]
        for v in x:
            h.append(np.tanh(w * v + u * h[-1] + bias * b))
        T = len(x)
        errors = [h[t + 1] - y[t] if losses == "all" or t == T - 1 else 0.0 for t in range(T)]
        loss = scale * sum(e * e for e in errors) / 2
        delta, direct, g = 0.0, 0.0, np.zeros(3)
        used = {"all": range(T), "last": [T - 1], "first": [0], "but the first": range(1, T)}[steps]
        h[0] = h[-1] if wrap else h0
        for t in range(T)[::order]:
            later = future * (u if inner is None else inner) * (delta if deep else direct)
            s = slope(h[t] if early else h[t + 1])
            direct = s * weight * sign * errors[t]
            delta = direct + (later if u_out else s * later)
            if t in used:
                input_before = x[t - 1] if t else 0.0
                taken = input_before if late else x[t]
                state = h[t] if prev else h[t + 1]
                g += delta * np.array([taken, state, 1.0])
        return (loss, *g)

    variants = {
        "the later steps are missing in delta: add u times the delta of the step after": {"future": 0},
        "the derivative of tanh, 1 - h^2, is missing": {"slope": lambda h: 1.0},
        "dL/du takes the state before, h_(t-1), not h_t": {"prev": 0},
        "the loss is half the sum of squares": {"scale": 2.0},
        "neither the loss nor the gradients have the half": {"scale": 2.0, "weight": 2.0},
        "the loss has a term for each step, not only for the last": {"losses": "last"},
        "the gradients are sums over all steps: here one step only counts": {"steps": "last"},
        "the gradients are twice too large: the half in front of the loss cancels the 2": {"weight": 2.0},
        "the difference in delta is h - y, not y - h": {"sign": -1},
        "only the first step's part of the gradients is there: sum over all steps": {"steps": "first"},
        "the derivative of tanh is 1 - h^2: here the square is missing": {"slope": lambda h: 1 - h},
        "this is the derivative of a sigmoid: that of tanh is 1 - h^2": {"slope": lambda h: h * (1 - h)},
        "the derivative was taken at tanh(h): h is already the tanh": {"slope": lambda h: 1 - np.tanh(h) ** 2},
        "u is missing on the way back: each step back multiplies by u": {"inner": 1.0},
        "the bias b is missing in the forward pass": {"bias": 0},
        "the derivative of tanh was taken at the state before: step t takes 1 - h_t^2": {"early": True},
        "dL/dw takes the input of the same step, x_t: here it took the one before": {"late": True},
        "delta was carried from the first step to the last: it begins at the last": {"order": 1},
        "the part of the first step is missing: the loop back ends too early": {"steps": "but the first"},
        "h_0 is 0, not 1": {"h0": 1.0},
        "h_0 is 0: at the first step the last state was taken for it": {"wrap": True},
        "delta holds all later steps: here only the step after was looked at": {"deep": False},
        "1 - h^2 belongs to the part from the later steps, too": {"u_out": True},
    }
    known = {s: lambda *a, v=v: back(*a, **v) for s, v in variants.items()}
    known |= {
        "each step has an error of its own, h - y: here only that of the last step went back":
            lambda *a: (back(*a)[0], *back(*a, losses="last")[1:]),
        "w is not on the way back: each step back multiplies by u": lambda x, y, w, u, b: back(x, y, w, u, b, inner=w),
    }

    def one_of_first(place):
        """One of the gradients from the first step only, as of a loop back that writes = for +=."""
        def function(*args):
            right, of_first = back(*args), back(*args, steps="first")
            return (*right[:place], of_first[place], *right[place + 1 :])

        return function

    known |= {
        f"dL/d{name} holds only the first step's part: add up those of all steps, with +=": one_of_first(place)
        for place, name in enumerate("wub", 1)
    }

    def one_behind(x, y, w, u, b):
        h, delta, g = [0.0], 0.0, np.zeros(3)
        for v in x:
            h.append(np.tanh(w * v + u * h[-1] + b))
        for t in range(len(x))[::-1]:
            delta = (1 - h[t] ** 2) * (h[t] - y[t] + u * delta)
            g += delta * np.array([x[t], h[t], 1.0])
        return (sum((a - c) ** 2 for a, c in zip(h[1:], y, strict=True)) / 2, *g)

    known |= {
        "the state after the step that reads x[t] is h[t + 1]: here h[t] was taken for it": one_behind,
        "the loss is a sum over the steps, not a mean":
            lambda x, y, *a: tuple(np.array(back(x, y, *a)) / max(len(x), 1)),
        "the gradients are right, the loss is a mean: it is a sum over the steps":
            lambda x, y, *a: (back(x, y, *a)[0] / max(len(x), 1), *back(x, y, *a)[1:]),
        "the gradients come in the order w, u, b": lambda *a: tuple(np.array(back(*a))[[0, 2, 1, 3]]),
        "the loss comes first, then the gradients": lambda *a: back(*a)[1:],
        "the gradients are there, the loss is missing: it comes first": lambda *a: (*back(*a)[1:], back(*a)[0]),
    }
    check.mistakes(known, scalar_bptt)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    import torch

    check.hidden()
    check(scalar_bptt, [1.0], [1.0], 0.0, 0.0, 0.0).equals((0.5, -1.0, 0.0, -1.0), about="one step, weights of 0",
        edge=True)
    for T in (1, 2, 4, 7, 12, 12, 80):
        x, y = (check.rng.normal(size=T).round(3) for _ in range(2))
        size = {2: 1.9, 4: 0.04, 7: 1.9}.get(T, 1.2)
        weights = [float(v) for v in size * check.rng.choice([-1, 1], size=3) * check.rng.uniform(0.7, 1, size=3)]
        if T == 2:
            weights = [abs(v) for v in weights]
        if T in (4, 7):
            weights = [-abs(v) for v in weights]
        leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in weights]
        h, loss = torch.tensor(0.0, dtype=torch.float64), torch.tensor(0.0, dtype=torch.float64)
        for a, target in zip(x, y, strict=True):
            h = torch.tanh(leaves[0] * a + leaves[1] * h + leaves[2])
            loss = loss + 0.5 * (h - target) ** 2
        loss.backward()
        expected = (float(loss.detach()), *(float(v.grad) if v.grad is not None else 0.0 for v in leaves))
        check(scalar_bptt, x.tolist(), y.tolist(), *weights).equals(
            expected, about="random steps, as autograd", edge=T == 1, rtol=1e-6, atol=1e-9)
        if T in (4, 7):
            check(without_autograd, scalar_bptt, x.tolist(), y.tolist(), *weights).equals(
                expected, about="random steps, with autograd off", rtol=1e-6, atol=1e-9,
                near={by_autograd: RuntimeError} if first.passed else {},
            )
    quotient = "right to some digits only: a difference quotient, or float32 on the way? The sums are exact"
    check(scalar_bptt, x.tolist(), y.tolist(), *weights).holds(
        lambda found: difference(found, expected, 1e-11, 1e-11) is None, "all digits of float64", about="all digits",
        near={quotient: lambda found: difference(found, expected, 1e-4, 1e-5) is None},
    )
    check(scalar_bptt, [], [], 0.5, 0.5, 0.5).equals((0.0, 0.0, 0.0, 0.0), about="no step", edge=True, 
        near={} if first.error else {"without any step all is 0: there is no first x to take": Exception})
    ### END HIDDEN TESTS


score
