from helpers.checks import graded


@graded("block", points=8)
def score(check):
    import torch
    from torch import nn

    tanh = "this is the approximation with tanh; the exact form has erf"
    logistic = "this is the approximation by the logistic function; the exact form has erf"
    relu, silu = "this is ReLU, which has a corner at 0", "this is SiLU: z times the logistic function of z"
    root = "inside erf, z is divided by the root of 2"
    twice = "a factor 1/2 is missing"
    gate = "this is the gate alone: multiply by z"
    no_one = "1 is added to erf before halving"
    rounded = "the root of 2 is rounded: math.sqrt(2) has all its digits"

    check(gelu, torch.tensor([-1.0, 0.0, 1.0, 2.0])).equals([-0.1586553, 0.0, 0.8413447, 1.9544997], near={
        tanh: [-0.158808, 0.0, 0.841192, 1.9546], logistic: [-0.154204, 0.0, 0.845796, 1.93566],
        relu: [0.0, 0.0, 1, 2], silu: [-0.268941, 0.0, 0.731059, 1.76159],
        root: [-0.0786496, 0.0, 0.92135, 1.99532], twice: [-0.317311, 0.0, 1.68269, 3.909],
        gate: [0.158655, 0.5, 0.841345, 0.97725], no_one: [0.341345, 0.0, 0.341345, 0.9545],
    })

    none = "the activation between the two layers is missing"
    late = "the activation stands between the two layers, not after the second"
    both = "only the middle is activated: the output is not"
    no_b1, no_b2 = "the bias b1 is missing", "the bias b2 is missing"
    residual = "x is not added here: the block does that"
    relu_ff = "ReLU stands between the layers; GELU is asked"
    x, w1 = torch.tensor([[1.0, -1.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])
    b1, b2 = torch.tensor([0.0, 0.5, 1.0]), torch.tensor([1.0, -1.0])
    w2 = torch.tensor([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]])
    check(feed_forward, x, w1, b1, w2, b2).equals([[1.532807, -1.321697]], near={
        "w1 is (F, C) and w2 (C, F), as nn.Linear keeps them: x @ w1.T": RuntimeError,
        none: [[1, -3.5]], late: [[0.841345, -0.000814334]], both: [[1.43676, -0.123096]],
        no_b1: [[1.52403, -0.977846]], no_b2: [[0.532807, -0.321697]], residual: [[2.53281, -2.3217]],
        relu_ff: [[2, -1]],
    })

    def layer(C, H, width, norm_first, k=0):
        """The library's layer with weights that are fixed numbers, none of them special."""
        made = nn.TransformerEncoderLayer(C, H, width, 0.0, "gelu", batch_first=True, norm_first=norm_first).eval()
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.3 + i) + k).reshape(v.shape) * 0.8
        return made

    ignored, swapped = "norm_first is ignored: this is the post-norm block", "pre-norm and post-norm are exchanged"
    always = "norm_first is ignored: this is the pre-norm block"
    no_first, no_second = "the residual around attention is missing", "the residual around feed-forward is missing"
    normed = "pre-norm: what is added is x itself, not its norm"
    one_norm, turned = "norm1 is used twice; the second sublayer has norm2", "norm1 and norm2 are exchanged"
    no_norms = "the norms are missing"
    inner = "post-norm: the norm is of the sum, not of the sublayer's output alone"
    old = "the second sublayer works on the output of the first (y), not on x"
    old_skip = "the second residual adds y, not x"
    relu_block = "ReLU stands in the feed-forward network; GELU is asked"
    shut = "the mask is ignored"
    missing = "the feed-forward half is missing"
    raw_query = "pre-norm: the queries, too, come from the norm of x; here only keys and values do"
    raw_memory = "pre-norm: keys and values, too, come from the norm of x; here only the queries do"

    x = torch.tensor([[[1.0, -2.0, 0.5, 3.0], [0.0, 1.0, -1.0, 2.0]]])
    after, before = layer(4, 2, 5, False), layer(4, 2, 5, True)
    with torch.no_grad():
        expected, expected_before = after(x), before(x)
    check(encoder_block, x, dict(after.state_dict()), 2).equals(
        expected, rtol=1e-4, atol=1e-4, near={
            always: [[[1.11724, -2.41817, -0.187932, 2.1511], [-0.074439, 1.09563, -1.1292, 1.03495]]],
            swapped: [[[1.11724, -2.41817, -0.187932, 2.1511], [-0.074439, 1.09563, -1.1292, 1.03495]]],
            no_first: [[[-0.213899, -0.28879, -1.19457, 0.443243], [-0.128582, -0.299659, -1.17077, 0.472778]]],
            turned: [[[-0.567751, 0.906392, -0.756441, -0.807556], [-0.485507, 1.00705, -0.635365, -0.52783]]],
            no_norms: [[[1.41275, -2.56091, -0.733892, 1.86918], [0.0475957, 1.03558, -1.07765, 1.58894]]],
            inner: [[[-1.09381, -1.88028, -0.83967, 2.07882], [-2.18496, 1.33533, -2.24023, 1.24468]]],
            old: [[[-1.05224, -0.811533, -1.11143, -1.36655], [-0.904303, -0.752823, -1.36132, -0.741077]]],
            old_skip: [[[-0.446577, 0.264446, -0.650885, 0.287318], [-0.207515, -0.313622, -1.2089, 0.430788]]],
            relu_block: [[[-0.0916924, -0.96986, -1.31037, -0.376145], [-0.500269, -0.695339, -1.41392, -0.16863]]],
            missing: [[[-0.597166, 1.08712, -0.377541, -0.774953], [-0.702168, 0.55109, -0.71318, -0.579298]]],
            no_second: [[[-0.649948, 0.238583, -0.768888, 0.226035], [-0.866709, 0.216678, -0.841954, 0.0890861]]],
            one_norm: [[[-0.634261, 0.563299, -0.840544, -0.508514], [-0.575911, 0.723214, -0.884976, -0.652186]]],
        }
    )
    check(encoder_block, x, dict(before.state_dict()), 2, norm_first=True).equals(
        expected_before, rtol=1e-4, atol=1e-4, near={
            ignored: [[[-0.0564138, -0.92464, -1.31863, -0.254585], [-0.503704, -0.55432, -1.39289, 0.0270595]]],
            swapped: [[[-0.0564138, -0.92464, -1.31863, -0.254585], [-0.503704, -0.55432, -1.39289, 0.0270595]]],
            no_first: [[[0.146172, 0.292767, -0.20046, -1.20576], [0.143392, 0.285672, -0.208983, -1.21305]]],
            normed: [[[0.798211, -0.927663, -0.237397, -1.23295], [0.709871, -0.933458, -0.282911, -1.19289]]],
            one_norm: [[[0.901054, -2.54957, -0.0671955, 2.3702], [0.0468117, 0.593675, -1.61505, 1.18399]]],
            turned: [[[0.816557, -2.46718, 0.151043, 2.63709], [-0.0423571, 0.634956, -1.4572, 1.3977]]],
            no_norms: [[[1.41275, -2.56091, -0.733892, 1.86918], [0.0475957, 1.03558, -1.07765, 1.58894]]],
            old: [[[1.11793, -2.42148, -0.191032, 2.15216], [-0.0593478, 0.782896, -1.37145, 1.17172]]],
            old_skip: [[[1.7575, -2.60049, 0.295849, 3.74541], [0.567755, 0.920252, -0.636158, 2.63724]]],
            relu_block: [[[1.10737, -2.4161, -0.176559, 2.15729], [-0.00983584, 1.18304, -1.1303, 0.946728]]],
            missing: [[[0.359741, -1.81768, 0.0162187, 1.40568], [-0.642194, 1.17537, -1.49304, 0.397707]]],
            no_second: [[[0.757496, -0.600485, -0.204151, 0.745413], [0.567755, -0.0797479, 0.363843, 0.637242]]],
            raw_memory: [[[0.92054, -2.121797, 0.493975, 2.927193], [-0.330781, 1.105001, -0.818889, 1.589313]]],
            raw_query: [[[1.095494, -2.515164, -0.322702, 2.034719], [-0.088039, 1.052374, -1.182708, 0.991438]]],
        }
    )


score
