from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("muon", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the matrix was not divided by its norm first": {
            1: [[33.697]],
            2: [[375.063, 0.0], [0.0, 1788.43]],
        },
        "divided by the sum of the squares: the norm is its root": {
            1: [[1.18886]],
            2: [[0.405139, 0.0], [0.0, 0.531775]],
            3: [[0.555908, 0.809477], [0.459357, -0.49544], [-0.0907014, 0.450089]],
        },
        "one round too few was made": {
            1: [[1.0]],
            2: [[0.6, 0.0], [0.0, 0.8]],
            3: [[0.575687, 0.85585], [0.465159, -0.516583], [-0.0886576, 0.472254]],
        },
        "one round too many was made": {
            1: [[1.11362]],
            2: [[0.911917, 0.0], [0.0, 0.721117]],
            3: [[0.561846, 0.785638], [0.483755, -0.494235], [-0.101416, 0.443527]],
        },
        "the third term is missing": {
            1: [[-1.3305]],
            2: [[1.0353, 0.0], [0.0, 0.3108]],
            3: [[142176.0, -41170.9], [266402.0, -77071.5], [-97657.0, 28243.0]],
        },
        "the sign of the second term is flipped": {
            1: [[10.251]],
            2: [[3.25607, 0.0], [0.0, 5.86608]],
            3: [[float("inf"), float("inf")], [float("-inf"), float("-inf")], [float("inf"), float("inf")]],
        },
        "this is the exact factor U V^T: use the polynomial, with values from 0.68 to 1.13": {
            1: [[1.0]],
            2: [[1.0, 0.0], [0.0, 1.0]],
            3: [[0.671339, 0.708297], [0.716299, -0.544463], [-0.190315, 0.449306]],
            4: [[1.0, 0.0], [0.0, 1.0]],
        },
        "the result was divided by its norm again": {
            1: [[1.0]],
            2: [[0.773903, 0.0], [0.0, 0.633304]],
            3: [[0.491514, 0.362937], [0.617812, -0.367496], [-0.186027, 0.274482]],
        },
        "5 rounds were made, whatever `steps` is": {
            1: [[0.696436]],
            2: [[0.722878, 0.0], [0.0, 1.1192]],
        },
        "these are other constants: 3.4445, -4.7750 and 2.0315 are asked for": {
            1: [[1.0]],
            2: [[0.792, 0.0], [0.0, 0.944]],
            3: [[0.670754, 0.708466], [0.715202, -0.544146], [-0.189912, 0.449189]],
        },
        "divided by the largest singular value: the norm of all numbers is asked for": {
            2: [[1.05101, 0.0], [0.0, 0.701]],
            3: [[0.624845, 0.447768], [0.793576, -0.464461], [-0.240577, 0.344173]],
        },
        "divided by the largest of the numbers: the norm of all of them is asked for": {
            2: [[1.05101, 0.0], [0.0, 0.701]],
            3: [[9365110000000000.0, 3.23659e+16], [-3498890000000000.0, -1.20922e+16],
             [4090720000000000.0, 1.41376e+16]],
        },
        "divided by the sum of the absolute values: the norm is the root of the sum of the squares": {
            2: [[1.12971, 0.0], [0.0, 1.2011]],
            3: [[0.702094, 0.747407], [0.745113, -0.570737], [-0.197033, 0.47222]],
        },
        "each row was divided by its own norm: there is one norm, that of all numbers": {
            2: [[0.701, 0.0], [0.0, 0.701]],
            3: [[0.838558, 0.707949], [0.734468, -0.699247], [-0.157595, 0.526611]],
        },
        "the square matrix was not squared: c goes with the product A A": {
            2: [[1.4741, 0.0], [0.0, 1.35093]],
            3: [[0.465122, 1.02505], [0.175677, -0.484085], [0.0284421, 0.498306]],
        },
        "the square matrix was squared number by number: c goes with the product A A": {
            3: [[8.85102e+26, 1.08869e+29], [1.10132e+27, 1.35464e+29], [-3.29385e+26, -4.05148e+28]],
        },
        "nothing was made orthogonal": {
            5: [[2.99345, 0.0], [0.0, 3.9909]],
            6: [[2.69421, 0.0101823], [-0.00509117, 3.58341]],
            7: [[0.9939, 1.98, -0.0078, -0.9939], [-0.0078, 0.9861, 0.9861, 1.98]],
        },
        "the scale 0.2 sqrt(max(n, m)) is missing": {
            5: [[2.97172, 0.0], [0.0, 3.97822]],
            6: [[2.53709, 0.0561312], [-0.0907993, 3.50465]],
            7: [[1.03524, 1.98, -0.0904769, -1.03524], [-0.0904769, 0.944762, 0.944762, 1.98]],
        },
        "0.2 is missing in the scale": {
            5: [[2.96249, 0.0], [0.0, 3.97252]],
            6: [[2.4665, 0.0793815], [-0.12841, 3.46102]],
            7: [[1.08048, 1.98, -0.180954, -1.08048], [-0.180954, 0.899523, 0.899523, 1.98]],
        },
        "the weight does not decay": {
            5: [[2.9937, 0.0], [0.0, 3.9961]],
            6: [[2.95022, 0.0158763], [-0.0256819, 3.96923]],
            7: [[1.0181, 2.0, -0.0361908, -1.0181], [-0.0361908, 0.981905, 0.981905, 2.0]],
        },
        "the decay is not multiplied by the rate": {
            5: [[2.6937, 0.0], [0.0, 3.5961]],
            6: [[0.715981, 0.0158763], [-0.0256819, 0.97897]],
            7: [[0.918095, 1.8, -0.0361908, -0.918095], [-0.0361908, 0.881905, 0.881905, 1.8]],
        },
        "the step went up": {
            5: [[3.0003, 0.0], [0.0, 3.9959]],
            6: [[2.7557, -0.0158763], [0.0256819, 3.6398]],
            7: [[0.971905, 1.98, 0.0361908, -0.971905], [0.0361908, 1.0081, 1.0081, 1.98]],
        },
        "the gradient itself was made orthogonal: the mix with the running mean is": {
            6: [[2.67756, 0.0194812], [-0.0315133, 3.59149]],
        },
        "Nesterov's mix is missing: the new mean and the gradient are mixed once more": {
            6: [[2.65084, 0.010325], [-0.016702, 3.57497]],
        },
        "the gradient was added whole to the mean: by 1 - momentum": {
            6: [[2.65273, 0.0119934], [-0.019401, 3.57614]],
        },
        "momentum and 1 - momentum are exchanged": {
            6: [[2.66838, 0.018635], [-0.0301445, 3.58581]],
        },
        "the root is missing in the scale": {
            6: [[2.63933, 0.0224525], [-0.0363197, 3.56786]],
            7: [[1.02619, 1.98, -0.0723815, -1.02619], [-0.0723815, 0.953809, 0.953809, 1.98]],
        },
        "the decay acts on the new weight: it acts on the old one": {
            6: [[2.66171, 0.0150825], [-0.0243978, 3.58169]],
            7: [[1.00791, 1.98, -0.0358288, -1.00791], [-0.0358288, 0.972086, 0.972086, 1.98]],
        },
        "the mean is 0 before the first step: here it began with the gradient": {
            6: [[2.64723, 0.00527444], [-0.00853209, 3.57274]],
        },
        "the old state was changed in place: the same step, made again, begins with another mean": {
            6: [[2.66537, 0.0179634], [-0.0290581, 3.58395]],
        },
        "the scale takes the smaller side: max(n, m)": {
            7: [[1.0028, 1.98, -0.0255907, -1.0028], [-0.0255907, 0.977205, 0.977205, 1.98]],
        },
    })
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


score
