from helpers.checks import graded


@graded("adamw", points=6)
def score(check):
    import torch

    def after(weight, gradients, **options):
        """The weights after each step."""
        state, found = None, []
        for grad in gradients:
            weight, state = adamw_step(weight, grad, state, **options)
            found.append(torch.as_tensor(weight))
        return torch.stack(found)

    ### BEGIN MISTAKES
    def made(
        first=True, second=True, decay="decoupled", root=torch.sqrt, sign=-1, place="outside", square=lambda g: g**2,
        fixed=None, swap=False, keep=True, early=0, shrink=True, power=lambda b, t: b**t, store=(),
    ):
        """AdamW whose parts can be exchanged; returns the weights after each step."""

        def run(x, g, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
            given = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay} | (fixed or {})
            lr, (b1, b2), eps, weight_decay = given["lr"], given["betas"], given["eps"], given["weight_decay"]
            b1, b2 = (b2, b1) if swap else (b1, b2)
            w, m, v, found = x.double(), torch.zeros_like(x).double(), torch.zeros_like(x).double(), []
            for t, grad in enumerate(g, 1):
                grad = grad.double() + (weight_decay * w if decay == "coupled" else 0)
                if not keep:
                    m, v, t = m * 0, v * 0, 1
                m = b1 * m + ((1 - b1) if shrink else 1) * grad
                v = b2 * v + ((1 - b2) if shrink else 1) * square(grad)
                a, b = 1 - power(b1, t + early), 1 - power(b2, t + early)
                mean, sq = m / (a if first else 1), v / (b if second else 1)
                m, v = mean if "m" in store else m, sq if "v" in store else v
                below = {
                    "outside": root(sq) + eps,
                    "inside": root(sq + eps),
                    "none": root(sq),
                    "raw": (root(v) + eps) / b**0.5,
                }[place]
                less = {"decoupled": lr * weight_decay * w, "whole": weight_decay * w, "grow": -lr * weight_decay * w}
                moved = w + sign * lr * mean / below - less.get(decay, 0)
                w = moved * (1 - lr * weight_decay) if decay == "late" else moved
                found.append(w)
            return torch.stack(found).to(x.dtype)

        return run

    check.mistakes({
        "the bias correction is missing: both means begin at 0 and are too small at first":
            made(first=False, second=False),
        "only the mean of the gradient is corrected: that of its square begins at 0, too": made(second=False),
        "only the mean of the square is corrected: that of the gradient begins at 0, too": made(first=False),
        "the decay was added to the gradient: that is Adam with L2, where it is divided by the root of v":
            made(decay="coupled"),
        "the weight decay is missing": made(decay="none"),
        "the decay is not multiplied by the learning rate": made(decay="whole"),
        "the decay is of the weight before the step, not after it": made(decay="late"),
        "the decay makes the weight larger: it is subtracted": made(decay="grow"),
        "the step goes up the gradient: it is subtracted": made(sign=1),
        "each step begins anew: use the state that came from the step before": made(keep=False),
        "the gradient was not squared for v": made(square=lambda g: g.abs()),
        "the root of v is missing": made(root=lambda v: v),
        "eps stands beside the root, not inside it": made(place="inside"),
        "eps is missing": made(place="none"),
        "eps is added to the root of the corrected mean, not of the raw one": made(place="raw"),
        "the two betas are exchanged": made(swap=True),
        "the argument betas is ignored": made(fixed={"betas": (0.9, 0.999)}),
        "the argument lr is ignored": made(fixed={"lr": 1e-3}),
        "the argument eps is ignored": made(fixed={"eps": 1e-8}),
        "the argument weight_decay is ignored": made(fixed={"weight_decay": 0.01}),
        "the steps are counted from 1: here the first is step 2": made(early=1),
        "the gradients were added up: a running mean takes (1 - beta) of the new one": made(shrink=False),
        "the corrected means were kept in the state: keep the raw ones, and correct them anew each step":
            made(store="mv"),
        "the corrected m was kept in the state: keep the raw one, and correct it anew each step": made(store="m"),
        "the corrected v was kept in the state: keep the raw one, and correct it anew each step": made(store="v"),
        "v is one number for the whole weight: each number has its own": made(square=lambda g: (g**2).mean()),
        "the correction has beta to the power of t, not beta times t": made(power=lambda b, t: b * t),
        "the steps are not counted: the correction is always that of step 1": made(power=lambda b, t: b),
        "the correction divides by beta to the power of t: by 1 less that": made(power=lambda b, t: 1 - b**t),
    }, after)
    ### END MISTAKES
    x, g = torch.tensor([1.0]), [torch.tensor([0.5]), torch.tensor([-0.5])]
    check(after, x, g, lr=0.1, weight_decay=0.1).equals(
        [[0.89], [0.886363]], rtol=1e-4,
        near={"count the step first: with t = 0 the bias correction divides by 0": [[torch.nan], [torch.nan]]}
    )
    x = torch.tensor([[2.0, -1.0], [0.5, 3.0], [0.0, 1.0]])
    g = [torch.tensor([[1.0, 0.01], [-2.0, 0.0], [3.0, 0.5]]), torch.tensor([[0.5, -0.02], [1.0, 0.0], [0.1, -0.4]])]
    options = {"lr": 0.2, "betas": (0.8, 0.95), "eps": 0.3, "weight_decay": 0.5}

    def reference(x, g, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        p = torch.nn.Parameter(x.clone())
        optimizer, found = torch.optim.AdamW([p], lr, betas, eps, weight_decay), []
        for grad in g:
            p.grad = grad.clone()
            optimizer.step()
            found.append(p.detach().clone())
        return torch.stack(found)

    check(after, x, g, **options).equals(
        [
            [[1.646154, -0.906452], [0.623913, 2.7], [-0.181818, 0.775]],
            [[1.348344, -0.811586], [0.597193, 2.43], [-0.27961, 0.6975]],
        ],
        rtol=1e-4, atol=1e-5, about="another rate, betas, eps and decay"
    )

    def near_to(weight):
        return lambda v: torch.allclose(torch.as_tensor(v[0]), torch.as_tensor(weight), rtol=1e-4, atol=1e-6)

    check(adamw_step, torch.tensor([1.0]), torch.tensor([0.5]), None, 0.1, (0.9, 0.999), 1e-8, 0.1).holds(
        near_to([0.89]), "0.89 and the new state", about="nothing is changed in place", edge=True)

    def without_optimisers(weight):
        """What is asked of a call that must give this weight and not call torch's optimisers."""

        def right(found):
            return near_to(weight)(found[0])

        return {
            "test": lambda found: right(found) and not found[1],
            "says": "the weight, and no call of torch's optimisers",
            "near": {"torch's optimiser did the step": lambda found: right(found) and bool(found[1])},
        }

    check(taken, ["torch.optim"], adamw_step, torch.tensor([1.0]), torch.tensor([0.5])).holds(
        **without_optimisers([0.99899]), about="without torch.optim")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(*shape, steps=5, dtype=torch.float32, scale=1.0):
        return (
            torch.randn(shape, generator=draw).to(dtype),
            [torch.randn(shape, generator=draw).to(dtype) * scale for _ in range(steps)],
        )

    for shape, how in [
        ((4, 3), {}),
        ((5,), {"lr": 0.05}),
        ((2, 3, 4), {"lr": 0.1, "betas": (0.7, 0.9)}),
        ((3, 5), {"lr": 0.3, "weight_decay": 0.8}),
        ((6, 2), {"lr": 0.2, "betas": (0.5, 0.99), "eps": 0.2}),
        ((3, 3), {"lr": 0.1, "weight_decay": 0.0}),
        ((3, 1), {"lr": 0.1}),
        ((1, 4), {"lr": 0.1}),
    ]:
        x, g = fresh(*shape)
        check(after, x, g, **how).equals(reference(x, g, **how), about="five steps", rtol=1e-4, atol=1e-6)
    for betas in [(0.0, 0.9), (0.9, 0.0)]:
        x, g = fresh(3, 2)
        check(after, x, g, lr=0.1, betas=betas).equals(
            reference(x, g, lr=0.1, betas=betas), about="a beta of 0", edge=True, rtol=1e-4, atol=1e-6
        )
    x, g = fresh(4, 2, dtype=torch.float64)
    check(after, x, g, lr=0.1).equals(
        reference(x, g, lr=0.1), about="double precision", rtol=1e-9, atol=1e-10
    )
    x, g = fresh(3, 2, scale=100.0)
    check(after, x * 60, g, lr=0.1, eps=3.0).equals(
        reference(x * 60, g, lr=0.1, eps=3.0), about="large weights and gradients", rtol=1e-4, atol=1e-4
    )
    x, g = fresh(3, 2, scale=1e-5)
    check(after, x, g, lr=0.1).equals(reference(x, g, lr=0.1), about="small gradients", rtol=1e-4, atol=1e-6)
    for shape in ((1, 1), (), (1,)):
        x, g = fresh(*shape)
        check(after, x, g, lr=0.1).equals(
            reference(x, g, lr=0.1), about="a single number", edge=True, rtol=1e-4, atol=1e-6
        )
    x, g = torch.tensor([1.0, -2.0]), [torch.zeros(2)] * 3
    check(after, x, g, lr=0.1, weight_decay=0.5).equals(
        reference(x, g, lr=0.1, weight_decay=0.5),
        about="no gradient: decay alone",
        edge=True,
        rtol=1e-5,
        near={"0 / 0 is not a number: eps keeps clear of it": torch.full((3, 2), torch.nan)},
    )

    def by_turns(a, b, ga, gb):
        """Two weights, one step each by turns: neither may know of the other."""
        sa = sb = None
        for one, other in zip(ga, gb, strict=True):
            a, sa = adamw_step(a, one, sa, lr=0.1)
            b, sb = adamw_step(b, other, sb, lr=0.1)
        return torch.as_tensor(a), torch.as_tensor(b)

    (a, ga), (b, gb) = fresh(2, 3), fresh(2, 3)
    check(by_turns, a, b, ga, gb).equals(
        (reference(a, ga, lr=0.1)[-1], reference(b, gb, lr=0.1)[-1]), about="two weights by turns", rtol=1e-4, atol=1e-6
    )
    x, g = fresh(3, 4)
    check(taken, ["torch.optim"], adamw_step, x, g[0]).holds(
        **without_optimisers(reference(x, g)[0]), about="fresh numbers without torch.optim")
    check(adamw_step, x, g[0], None, 0.1).holds(
        near_to(reference(x, g, lr=0.1)[0]), "the weight after one step", about="nothing is changed in place",
        edge=True)

    def resumed_twice(x, g):
        """The same state used twice gives the same step."""
        w, state = adamw_step(x, g[0], None, lr=0.1)
        return [torch.as_tensor(adamw_step(w, g[1], state, lr=0.1)[0]) for _ in range(2)]

    def worn(changed):
        """What a state gives of which the second call finds changed what is named: "m", "v", "t" for its count."""
        found, m, v, w = [], 0.1 * g[0], 0.001 * g[0] ** 2, reference(x, g, lr=0.1)[0]
        for t in (2, 3 if "t" in changed else 2):
            mean, square = 0.9 * m + 0.1 * g[1], 0.999 * v + 0.001 * g[1] ** 2
            moved = mean / (1 - 0.9**t) / ((square / (1 - 0.999**t)).sqrt() + 1e-8) + 0.01 * w
            found.append(w - 0.1 * moved)
            m, v = mean if "m" in changed else m, square if "v" in changed else v
        return found

    check(resumed_twice, x, g).equals(
        [reference(x, g, lr=0.1)[1]] * 2, about="a state that is used twice", edge=True, rtol=1e-4, atol=1e-6,
        near={"m and v of the state that came in were changed in place: make new ones": worn("mv"),
              "m of the state that came in was changed in place: make a new one": worn("m"),
              "v of the state that came in was changed in place: make a new one": worn("v"),
              "the state that came in was changed in place: return a new one": worn("mvt")},
    )
    ### END HIDDEN TESTS


score
