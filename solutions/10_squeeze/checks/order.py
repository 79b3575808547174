from helpers.checks import graded


@graded("order", points=4)
def score(check):
    import torch

    inf = float("inf")

    ### BEGIN MISTAKES
    import numpy as np

    def probabilities(z):
        p = np.exp(z - z.max())
        return p / p.sum()

    def top_p(p, z):
        q = probabilities(z)
        order = np.argsort(-q)
        return np.isin(np.arange(len(z)), order[: 1 + int((np.cumsum(q[order]) < p).sum())])

    own = {
        "temperature": lambda t, z: z / t,
        "shift": lambda c, z: z + c,
        "first": lambda c, z: z + c * (np.arange(len(z)) == 0),
        "top-k": lambda k, z: np.where(z >= np.sort(z)[-min(int(k), len(z))], z, -inf),
        "top-p": lambda p, z: np.where(top_p(p, z), z, -inf),
        "min-p": lambda m, z: np.where(probabilities(z) >= m * probabilities(z).max(), z, -inf),
    }

    def through(z, names):
        values = z.double().numpy()
        for name in names:
            values = own[name.split()[0]](float(name.split()[1]), values)
        return torch.from_numpy(values).to(z.dtype)

    check.mistakes({
        "the last processor came first: the first of the list comes first": lambda z, names: through(z, names[::-1]),
        "only the last processor was applied": lambda z, names: through(z, names[-1:]),
        "only the first processor was applied": lambda z, names: through(z, names[:1]),
        "probabilities came back: return logits": lambda z, names: through(z, names).softmax(-1),
    }, chained)

    def same(first, second, z, atol=1e-6, about=lambda z: probabilities(z.double().numpy())):
        return bool(np.abs(about(through(z, [first, second])) - about(through(z, [second, first]))).max() <= atol)

    def differing(judged):
        """Whether the difference of the two orders is at most 1e-6 by some rule of its own."""

        def judge(first, second, z):
            one, other = through(z, [first, second]), through(z, [second, first])
            difference = probabilities(one.double().numpy()) - probabilities(other.double().numpy())
            return bool(judged(difference) <= 1e-6)

        return judge

    def equal(first, second, z):
        one, other = through(z, [first, second]), through(z, [second, first])
        return torch.equal(one.softmax(-1), other.softmax(-1))

    check.mistakes({
        "the differences count with their sign here: the size of each is asked for": differing(np.max),
        "the mean of the differences is compared: no single one may be above 1e-6":
            differing(lambda v: np.abs(v).mean()),
        "the differences are added up with their signs, which gives 0: add up their sizes": differing(np.sum),
        "only the likeliest token is compared: the probabilities of all are":
            lambda a, b, z: bool(through(z, [a, b]).argmax() == through(z, [b, a]).argmax()),
        "who is left is compared, and not with which probability":
            lambda a, b, z: same(a, b, z, about=lambda z: np.isfinite(z.numpy()).astype(float)),
        "logits were compared: a constant added to all of them changes nothing":
            lambda a, b, z: bool(torch.equal(through(z, [a, b]), through(z, [b, a]))),
        "equal to the last digit is asked for here: a difference of up to 1e-6 is none": equal,
        "more than 1e-6 is allowed here": lambda a, b, z: same(a, b, z, atol=1e-3),
        "the probabilities were sorted before they were compared: each token's own counts":
            lambda a, b, z: same(a, b, z, about=lambda z: np.sort(probabilities(z.double().numpy()))),
        "True and False are exchanged": lambda a, b, z: not same(a, b, z),
    }, commuting)
    ### END MISTAKES
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    check(chained, example, ["temperature 2", "top-p 0.8"]).equals(
        [-1.2628643, -0.3992539, -inf, -0.6931472, -0.94856, -inf, -inf]
    )
    emptied = {"the list of processors belongs to the caller: leave it as it is": AssertionError}
    check(chained, example, ["shift 3", "shift -2"]).equals(example + 1, about="the list stays", near=emptied)
    check(commuting, "temperature 2", "top-k 3", example).equals(True, about="two that may change places")
    check(commuting, "temperature 2", "top-p 0.8", example).equals(False, about="two that may not")
    check(commuting, "temperature 2", "first 1", example).equals(
        False, about="different chances for the same tokens"
    )
    check(commuting, "temperature 2", "shift 3", example).equals(True, about="logits that differ by a constant")
    check(commuting, "first 2", "top-k 1", torch.tensor([0.0, 1.0])).equals(
        False, about="the same chances for other tokens")
    far = torch.tensor([0.0, -14.0], dtype=torch.float64)
    check(commuting, "temperature 2", "first 0.001", far).equals(True, about="no difference above 1e-6")
    wider = {"more than 1e-6 is allowed here: a relative tolerance beside it, or another one": True}
    level = torch.zeros(3, dtype=torch.float64)
    check(commuting, "temperature 2", "first 0.00003", level).equals(False, about="more than 1e-6", near=wider)
    check(commuting, "temperature 2", "first 0.0000064", level[:2]).equals(True, about="less than 1e-6 each", near={
        "no token differs by more than 1e-6: here they were added up, or less was allowed": False})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    pipelines = [
        ["temperature 2", "top-p 0.7", "min-p 0.2"], ["min-p 0.15", "temperature 0.5"],
        ["first 2", "top-k 4", "shift -1"],
        ["top-k 5", "top-p 0.75", "temperature 3", "shift 2"], ["top-p 0.8"], ["shift 1", "shift 1"],
    ]
    for names in pipelines:
        for V in (7, 12):
            z = torch.from_numpy(check.rng.permutation(np.linspace(-2.3, 2.1, V))).float()
            check(chained, z, names).equals(through(z, names), about="fresh pipelines", rtol=1e-4, near=emptied)
            check(chained, z.double() + 300, names).equals(
                through(z.double() + 300, names), about="large logits, in doubles", edge=True, rtol=1e-9)
    z = torch.tensor([0.5, -1.0, 2.0])
    check(chained, z, []).equals(z, about="an empty pipeline", edge=True)
    check(chained, z[:1], ["temperature 2", "top-k 3"]).equals([0.25], about="one token", edge=True)
    names = ["temperature 1.7", "top-k 4", "top-p 0.7", "min-p 0.2", "shift 2", "first 1.5"]
    for i, first in enumerate(names):
        for second in names[:i]:
            for dtype in (torch.float32, torch.float64):
                z = torch.from_numpy(check.rng.permutation(np.linspace(-1.9, 2.2, 9)) * check.rng.uniform(0.8, 1.1))
                check(commuting, first, second, z.to(dtype)).equals(same(first, second, z), about=(
                    "fresh pairs that commute" if same(first, second, z) else "fresh pairs that do not"))
    for k, raised in [(1, 2), (2, 3)]:
        z = torch.linspace(0.0, 1.0, k + 1)
        check(commuting, f"top-k {k}", f"first {raised}", z).equals(
            False, about="the same chances for other tokens", edge=True)
    z = torch.tensor([0.0, 1.0, -1.0], dtype=torch.float64)
    check(commuting, "temperature 2", "first 0.000001", z).equals(True, about="a difference near 1e-6", edge=True)
    check(commuting, "temperature 2", "first 0.002", far - 1).equals(
        True, about="a difference near 1e-6", edge=True, near={
            "less than 1e-6 is refused here: a relative tolerance, or differences that are added up": False})
    check(commuting, "temperature 2", "first 0.0001", z).equals(
        False, about="a difference near 1e-6", edge=True, near=wider)
    for far in (z, z + 100_000):
        check(commuting, "temperature 2", "first 0.00003", far).equals(
            False, about="a difference near 1e-6", edge=True, near=wider)
    check(commuting, "temperature 2", "first 0.0000064", torch.zeros(2, dtype=torch.float64)).equals(
        True, about="a difference near 1e-6", edge=True,
        near={"the differences were added up: each token's counts alone": False})
    wide = torch.zeros(80, dtype=torch.float64)
    check(commuting, "temperature 2", "first 0.0003", wide).equals(
        False, about="many tokens, a difference above 1e-6", edge=True)
    check(commuting, "first 0.0003", "temperature 2", wide).equals(
        False, about="many tokens, a difference above 1e-6", edge=True)
    level = torch.zeros(9, dtype=torch.float64)
    check(commuting, "first 0.0001", "temperature 2", level).equals(False, about="a difference near 1e-6", edge=True)
    far = torch.cat([torch.full((70,), -50.0), example])
    for moved in (far, far - 300):
        check(commuting, "temperature 2", "top-p 0.8", moved).equals(False, about="many tokens, far logits", edge=True)
        names = ["shift 0.5"] * 70
        check(chained, moved, names).equals(moved + 35, about="many tokens and processors", edge=True, rtol=1e-4)
    check(commuting, "temperature 2", "top-p 0.5", torch.tensor([3.0])).equals(True,
        about="a pair and one token", edge=True)
    ### END HIDDEN TESTS


score
