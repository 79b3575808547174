from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("muon", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import math

    from helpers.chapters.training import probes

    def rounds(x, steps=5, *, a=3.4445, b=-4.7750, c=2.0315, norm=True, eps=1e-7, turn=True, square=None, last=False):
        tall = turn and x.shape[0] > x.shape[1]
        y = x.T if tall else x
        if norm:
            y = y / ((y.norm() if norm is True else norm(y)) + eps)
        for _ in range(steps):
            s = y @ y.T
            y = a * y + (b * s + c * (square(s) if square else s @ s)) @ y
        if last:
            y = y / (y.norm() + 1e-7)
        return y.T if tall else y

    def spectral(x, steps=5):
        return rounds(x, steps, norm=lambda y: torch.linalg.matrix_norm(y, 2))

    no_eps = "1e-7 is not added to the norm: a matrix of zeros becomes nan"
    least = "1e-7 is added to the norm: here it is the least that the norm may be"

    def without_eps(x, steps=5):
        return rounds(x, steps, eps=0.0)

    def at_least(x, steps=5):
        return rounds(x, steps, norm=lambda y: y.norm().clamp(min=1e-7), eps=0.0)

    def exact(x, steps=5):
        u, _, v = torch.linalg.svd(x, full_matrices=False)
        return u @ v

    check.mistakes(
        {
            "the matrix was not divided by its norm first": lambda x, steps=5: rounds(x, steps, norm=False),
            "divided by the largest singular value: the norm of all numbers is asked for": spectral,
            "divided by the largest of the numbers: the norm of all of them is asked for": lambda x, steps=5: rounds(
                x, steps, norm=lambda y: y.abs().max()
            ),
            "divided by the sum of the squares: the norm is its root": lambda x, steps=5: rounds(
                x, steps, norm=lambda y: y.square().sum()
            ),
            "divided by the sum of the absolute values: the norm is the root of the sum of the squares":
                lambda x, steps=5: rounds(x, steps, norm=lambda y: y.abs().sum()),
            "each row was divided by its own norm: there is one norm, that of all numbers": lambda x, steps=5: rounds(
                x, steps, norm=lambda y: y.norm(dim=1, keepdim=True)
            ),
            no_eps: without_eps,
            least: at_least,
            "one round too few was made": lambda x, steps=5: rounds(x, steps - 1),
            "one round too many was made": lambda x, steps=5: rounds(x, steps + 1),
            "the third term is missing": lambda x, steps=5: rounds(x, steps, c=0.0),
            "the sign of the second term is flipped": lambda x, steps=5: rounds(x, steps, b=4.7750),
            "the square matrix was squared number by number: c goes with the product A A": lambda x, steps=5: rounds(
                x, steps, square=lambda s: s * s
            ),
            "the square matrix was not squared: c goes with the product A A": lambda x, steps=5: rounds(
                x, steps, square=lambda s: s
            ),
            "this is the exact factor U V^T: use the polynomial, with values from 0.68 to 1.13": exact,
            "the result was divided by its norm again": lambda x, steps=5: rounds(x, steps, last=True),
            "5 rounds were made, whatever `steps` is": lambda x, steps=5: rounds(x, 5),
            "these are other constants: 3.4445, -4.7750 and 2.0315 are asked for": lambda x, steps=5: rounds(
                x, steps, a=1.5, b=-0.5, c=0.0
            ),
        },
        orthogonal,
    )

    def step(
        w,
        g,
        state=None,
        lr=0.02,
        momentum=0.95,
        weight_decay=0.1,
        *,
        nesterov=True,
        size=None,
        decay="old",
        keep=True,
        mean=None,
        ortho=rounds,
        up=-1,
        first=torch.zeros_like,
    ):
        m = first(g) if state is None else state
        m = momentum * m + (1 - momentum) * g if mean is None else mean(m, g, momentum)
        look = momentum * m + (1 - momentum) * g if nesterov else m
        move = (size or (lambda s: 0.2 * math.sqrt(max(s))))(w.shape) * ortho(look)
        new = w + up * lr * move
        if decay == "old":
            new = new - lr * weight_decay * w
        if decay == "bare":
            new = new - weight_decay * w
        return new, (m if keep else None)

    def in_place(w, g, state=None, lr=0.02, momentum=0.95, weight_decay=0.1):
        m = torch.zeros_like(g) if state is None else state
        m.mul_(momentum).add_(g, alpha=1 - momentum)
        return step(w, g, m, lr, momentum, weight_decay, mean=lambda m, g, mu: m)

    def late(w, g, state=None, lr=0.02, momentum=0.95, weight_decay=0.1):
        new, m = step(w, g, state, lr, momentum, weight_decay, decay="none")
        return (1 - lr * weight_decay) * new, m

    def went(**part):
        return lambda *arguments: probes.moved(lambda *a, **how: step(*a, **how, **part), *arguments)

    check.mistakes(
        {
            "the gradient itself was made orthogonal: the mix with the running mean is": went(mean=lambda m, g, mu: g),
            "Nesterov's mix is missing: the new mean and the gradient are mixed once more": went(nesterov=False),
            "the gradient was added whole to the mean: by 1 - momentum": went(mean=lambda m, g, mu: mu * m + g),
            "momentum and 1 - momentum are exchanged": went(mean=lambda m, g, mu: (1 - mu) * m + mu * g),
            "nothing was made orthogonal": went(ortho=lambda x: x),
            "the scale 0.2 sqrt(max(n, m)) is missing": went(size=lambda s: 1.0),
            "the scale takes the smaller side: max(n, m)": went(size=lambda s: 0.2 * math.sqrt(min(s))),
            "the root is missing in the scale": went(size=lambda s: 0.2 * max(s)),
            "0.2 is missing in the scale": went(size=lambda s: math.sqrt(max(s))),
            "the weight does not decay": went(decay="none"),
            "the decay is not multiplied by the rate": went(decay="bare"),
            "the decay acts on the new weight: it acts on the old one": lambda *arguments: probes.moved(
                late, *arguments
            ),
            no_eps: went(ortho=without_eps),
            least: went(ortho=at_least),
            "the step went up": went(up=1),
            "the mean is 0 before the first step: here it began with the gradient": went(first=lambda g: g),
            "the old state was changed in place: the same step, made again, begins with another mean": (
                lambda *arguments: probes.moved(in_place, *arguments)
            ),
        },
        moved,
    )
    ### END MISTAKES
    x = torch.tensor([[3.0, 0.0], [0.0, 4.0]])
    check(orthogonal, torch.tensor([[2.0]]), 1).equals([[0.7010]], about="one number, one round", rtol=2e-4)
    check(orthogonal, x, 1).equals([[1.19327, 0.0], [0.0, 0.97648]], about="a diagonal, one round", rtol=1e-3)
    tall = torch.tensor([[1.0, 2.0], [0.5, -1.0], [0.0, 1.0]])
    check(orthogonal, tall).equals(
        [[0.65889, 0.48653], [0.8282, -0.49264], [-0.24938, 0.36795]], about="a tall matrix", rtol=2e-3, atol=2e-4
    )
    check(orthogonal, torch.zeros(2, 2)).equals([[0.0, 0.0], [0.0, 0.0]], about="a matrix of zeros", edge=True)
    both = [torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[0.0, -1.0], [0.5, 0.0]])]
    check(moved, x, both[:1]).equals([[2.9877, 0.0], [0.0, 3.9881]], about="a first step", rtol=1e-3, atol=1e-4)
    check(moved, x, both, 0.1, 0.8, 0.5).equals(
        [[2.6593, 0.01588], [-0.02568, 3.5802]], about="two steps", rtol=1e-3, atol=1e-4
    )
    wide = torch.tensor([[1.0, 2.0, 0.0, -1.0], [0.0, 1.0, 1.0, 2.0]])
    check(moved, wide, [wide.flip(1)], 0.1).equals(
        [[1.0081, 1.98, -0.0362, -1.0081], [-0.0362, 0.9719, 0.9719, 1.98]], about="a wide matrix", rtol=1e-3, atol=1e-4
    )
    ways = ["svd", "svdvals", "svd_lowrank", "eigh", "eig", "linalg_svd", "linalg_eigh"]
    decomposed = "singular values were computed: the polynomial is there so that none has to be"
    check(taken, ways, orthogonal, x).holds(
        **not_taken("no singular value decomposition", decomposed), about="by products alone"
    )
    large = "a product of the larger side was made: turn the matrix so that the square one is of the smaller side"
    high = torch.ones(40, 2)
    check(moved, high, [high], 0.1, 0.9, 0.1, True).holds(
        lambda found: found["made"] <= 80,
        "no tensor of more than 80 numbers",
        about="what is made for 40 rows and 2 columns",
        near={large: lambda found: found["made"] > 80},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    def rounds_of(x, steps):
        """The singular values, by the polynomial; the directions stay as they are."""
        u, values, v = torch.linalg.svd(x.double(), full_matrices=False)
        values = values / (values.square().sum().sqrt() + 1e-7)
        for _ in range(steps):
            values = 3.4445 * values - 4.7750 * values**3 + 2.0315 * values**5
        return (u * values @ v).to(x.dtype)

    def moves_of(w, gradients, lr, momentum, decay):
        mean, w = torch.zeros_like(w), w.clone()
        for g in gradients:
            mean = mean.lerp(g, 1 - momentum)
            move = rounds_of(g.lerp(mean, momentum), 5)
            w = w.lerp(torch.zeros_like(w), lr * decay) - 0.2 * lr * max(w.shape) ** 0.5 * move
        return w

    def lean(most, want):
        def right(found):
            return found["made"] <= most and torch.allclose(torch.as_tensor(found["matrix"]).to(want), want, 3e-3, 3e-4)

        return right

    for n, m in ((30, 1), (1, 30), (3, 50)):
        x = torch.tensor(check.rng.normal(size=(n, m)), dtype=torch.float32)
        check(moved, x, [x], 0.1, 0.9, 0.1, True).holds(
            lean(n * m, moves_of(x, [x], 0.1, 0.9, 0.1)),
            f"the matrix after a step, and no tensor of more than {n * m} numbers",
            about="what is made for long matrices",
            near={large: lambda found, most=n * m: found["made"] > most},
        )
        x = x.double()
        check(taken, ways, orthogonal, x).holds(
            **not_taken("the polynomial, and no singular value decomposition", decomposed, rounds_of(x, 5)),
            about="fresh matrices by products alone",
        )

    for n, m, steps in ((4, 4, 5), (3, 9, 5), (9, 3, 5), (6, 5, 2), (20, 70, 4), (70, 20, 4)):
        x = torch.tensor(check.rng.normal(size=(n, m)), dtype=torch.float32)
        check(orthogonal, x, steps).equals(rounds_of(x, steps), about="drawn matrices", rtol=2e-3, atol=2e-4)
    double = torch.tensor(check.rng.normal(size=(3, 4)))
    check(orthogonal, double).equals(rounds_of(double, 5), about="double precision", rtol=1e-9, atol=1e-10)
    w, many = (torch.tensor(check.rng.normal(size=size)) for size in ((3, 5), (2, 3, 5)))
    check(moved, w, list(many), 0.1, 0.8, 0.3).equals(
        moves_of(w, many, 0.1, 0.8, 0.3), about="double precision", rtol=1e-9, atol=1e-10
    )
    two = torch.tensor([[2.0, 0.0], [0.0, 1.0]])
    check(orthogonal, two, 66).equals(rounds_of(two, 66), about="many rounds", edge=True, rtol=2e-3, atol=2e-4)
    small = torch.tensor([[3e-7, 0.0], [0.0, -4e-7]])
    check(orthogonal, small, 2).equals(rounds_of(small, 2), about="a matrix of small numbers", edge=True, rtol=1e-3)
    check(orthogonal, torch.zeros(2, 3)).equals(torch.zeros(2, 3), about="a matrix of zeros", edge=True)
    check(orthogonal, 1e4 * torch.tensor([[1.0, 2.0]])).equals(
        rounds_of(1e4 * torch.tensor([[1.0, 2.0]]), 5), about="one row", edge=True, rtol=1e-3
    )
    for n, m, steps, lr, momentum, decay, size, about in (
        (4, 6, 1, 0.05, 0.9, 0.2, 1, "a first step"),
        (7, 3, 1, 0.02, 0.95, 0.1, 1, "a first step"),
        (4, 6, 4, 0.05, 0.9, 0.2, 1, "four steps"),
        (5, 5, 4, 0.3, 0.5, 0.1, 1, "four steps"),
        (8, 3, 3, 0.1, 0.8, 0.3, 1, "tall matrices"),
        (70, 2, 2, 0.1, 0.6, 0.2, 1, "tall matrices"),
        (2, 9, 3, 0.1, 0.8, 0.4, 1, "wide matrices"),
        (3, 8, 2, 0.1, 0.7, 0.2, 1, "wide matrices"),
        (3, 4, 2, 0.1, 0.7, 0.2, 90, "large numbers"),
    ):
        w = torch.tensor(check.rng.normal(size=(n, m)) * size, dtype=torch.float32)
        many = [torch.tensor(check.rng.normal(size=(n, m)) * size, dtype=torch.float32) for _ in range(steps)]
        check(moved, w, many, lr, momentum, decay).equals(
            moves_of(w, many, lr, momentum, decay), about=about, rtol=3e-3, atol=3e-4
        )
    ### END HIDDEN TESTS


score
