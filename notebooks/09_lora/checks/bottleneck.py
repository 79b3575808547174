from helpers.checks import graded


@graded("bottleneck", points=4)
def score(check):
    import torch

    no_residual = "the residual is missing: x itself is added"
    linear = "the GELU is missing: without it the two matrices are one matrix of low rank"
    late = "GELU stands between the two matrices, not behind them"
    relu = "this is ReLU; GELU is asked"
    tanh = "this is the approximation of GELU with tanh; the exact one is asked"
    no_bias = "the biases are missing"
    scaled = "the residual is added once"
    outside = "d is added behind GELU: it stands inside, with x D^T"
    D = torch.tensor([[1.0, -2.0, 0.5], [0.3, 0.4, -1.0]])
    U = torch.tensor([[0.5, 1.0], [-1.0, 0.2], [0.7, -0.6]])
    d, u = torch.tensor([0.1, -0.2]), torch.tensor([0.3, 0.0, -0.5])
    check(bottleneck, torch.tensor([[1.0, 0.5, 2.0], [-1.0, -1.5, 0.4]]), D, d, U, u).equals(
        [[1.699622, -0.46592, 2.210994], [0.337456, -3.795377, 1.552861]], rtol=1e-4, atol=1e-6, near={
            no_residual: [[0.6996224, -0.9659197, 0.210994], [1.337456, -2.295377, 1.152861]],
            linear: [[0.1499999, -0.9400001, 3.29], [-1.05, -4.1, 2.41]],
            late: [[0.8319868, 0.3920955, 3.162902], [-1.024003, -1.512119, 2.365347]],
            relu: [[1.85, -0.6, 2.27], [0.45, -3.8, 1.51]],
            tanh: [[1.699396, -0.4657599, 2.210943], [0.3374081, -3.795758, 1.553228]],
            no_bias: [[1.320462, -0.3613869, 2.649068], [-0.04113442, -3.694581, 1.994093]],
            scaled: [[2.699622, 0.03408033, 4.210994], [-0.6625435, -5.295377, 1.952861]],
            outside: [[1.470462, -0.5013868, 2.339068], [0.1088656, -3.834581, 1.684093]],
        })
    generator = torch.Generator().manual_seed(1)
    check(bottleneck_start, 5, 2, generator).holds(
        lambda v: [tuple(t.shape) for t in v] == [(2, 5), (2,), (5, 2), (5,)], "shapes (2, 5), (2,), (5, 2), (5,)",
        near={"D and U are exchanged: D is (m, d_model)": lambda v: tuple(v[0].shape) == (5, 2)},
    )
    biases = "d and u begin at 0: D alone is random"
    swapped = "U is random and D is 0: it is the other way round"
    no_start = "D is 0, too: then neither matrix has a gradient"
    both = "both matrices are random: U begins at 0, so that the adapter begins as the identity"
    check(bottleneck_start, 5, 2, generator).holds(
        lambda v: not any(t.any() for t in v[1:]) and bool(v[0].any()), "D random, all others 0",
        near={both: lambda v: bool(v[2].any()) and bool(v[0].any()),
              no_start: lambda v: not v[0].any() and not v[2].any(),
              swapped: lambda v: bool(v[2].any()) and not v[0].any(),
              biases: lambda v: bool(v[1].any() or v[3].any()) and not v[2].any()},
    )
    check(bottleneck_start, 256, 64, generator).holds(
        lambda v: (0.0192 < float(v[0].std()) < 0.0208 and abs(float(v[0].mean())) < 0.001
                   and len(v[0].unique()) > 10_000),
        "D is normal with standard deviation 0.02", about="the spread of D",
        near={swapped: lambda v: bool(v[2].any()) and not v[0].any(),
              no_start: lambda v: not v[0].any() and not v[2].any(),
              "D is not scaled: its standard deviation is 1": lambda v: 0.9 < float(v[0].std()) < 1.1,
              "D is uniform: it is normal": lambda v: 0 < float(v[0].abs().max()) < 1.8 * float(v[0].std()),
              "D is cut off at the ends: the numbers of torch.randn stay as they are": lambda v: (
                  float(v[0].std()) > 0.01 and 1.8 * float(v[0].std()) < float(v[0].abs().max()) < 3 * v[0].std()),
              "D is rounded: the numbers of torch.randn stay as they are": lambda v: (
                  len(v[0].unique()) <= 10_000 and 0.019 < float(v[0].std()) < 0.021),
              "0.02 is the standard deviation, not the variance": lambda v: 0.13 < float(v[0].std()) < 0.15,
              "D is normal, but its standard deviation is not 0.02": lambda v: (
                  float(v[0].abs().max()) > 3 * float(v[0].std()) > 0 and not 0.019 < float(v[0].std()) < 0.021)},
    )
    check(lambda: [bottleneck_start(8, 3, torch.Generator().manual_seed(s))[0] for s in (5, 5, 6)]).holds(
        lambda v: torch.equal(v[0], v[1]) and not torch.equal(v[0], v[2]), "the generator decides",
        about="the generator decides",
        near={"the generator is not used": lambda v: not torch.equal(v[0], v[1]),
              "the seed is fixed: another generator must give other numbers": lambda v: (
                  torch.equal(v[0], v[2]) and bool(v[0].any()))},
    )


score
