from helpers.checks import graded


@graded("layer", points=4)
def score(check):
    import torch
    from torch import nn

    UNFIT = "nothing: the names or shapes of the parameters are not those of the text (see case 1)"

    def sizes_of(weights):
        return {name: tuple(w.shape) for name, w in weights.items()}

    def shapes_of(C, H):
        return {name: tuple(p.shape) for name, p in MultiHeadAttention(C, H).named_parameters()}

    def begun(C, H):
        """What a new layer holds: whether its matrix varies, its bias, and the spread of the matrix."""
        layer = MultiHeadAttention(C, H)
        matrix = torch.as_tensor(layer.in_proj_weight).detach()
        return torch.as_tensor(layer.in_proj_bias).detach(), round(float(matrix.std() * (2 * C) ** 0.5), 1)

    def layer_of(p, H):
        layer = MultiHeadAttention(p["out_proj.weight"].shape[0], H)
        if sizes_of(layer.state_dict()) != sizes_of(p):
            return None
        layer.load_state_dict(p)
        return layer

    def layer_output(x, memory, mask, angles, p, H):
        layer = layer_of(p, H)
        return UNFIT if layer is None else layer(x, memory, mask, angles)

    def gradients_by_name(x, memory, mask, angles, p, H):
        layer = layer_of(p, H)
        if layer is None:
            return UNFIT
        return layer_slopes(layer, x, memory, mask, angles)

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "there is one head only: `num_heads` was not used": {
            3: [[[0.669762, 0.660477], [0.0558072, 1.88839]]],
            4: {'in_proj_weight': [[-0.203691, -0.554564], [0.407382, 1.10913], [-0.203691, 0.407382],
                                [-0.554564, 1.10913], [0.90339, 1.0955], [1.0955, 8.00446]],
             'in_proj_bias': [-0.480973, 0.961946, 0.0, 0.0, 1.45114, 5.09772],
             'out_proj.weight': [[0.90339, 1.0955], [1.0955, 8.00446]],
             'out_proj.bias': [1.45114, 5.09772]},
            5: [[[-0.0527741, 0.857921, 2.32979, 2.4991], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[0.746206, 0.251725, 2.7127, 2.35874], [0.746161, 0.25182, 2.71256, 2.35892]]],
        },
        "the scale is that of all features; it is that of one head": {
            3: [[[0.669762, 1.0], [0.5, 1.88839]]],
            4: {'in_proj_weight': [[0.2095, 0.353553], [1.41421, 1.12576], [0.2095, -0.418999],
                                [-0.562881, 1.12576], [1.39716, 1.88472], [1.21077, 9.132]],
             'in_proj_bias': [0.386276, 1.97709, 0.0, 0.0, 2.33952, 5.77677],
             'out_proj.weight': [[1.39716, 3.22791], [3.22791, 9.132]],
             'out_proj.bias': [2.33952, 5.77677]},
            5: [[[0.217218, 0.668041, 2.43, 2.49359], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[0.58638, 0.265186, 2.84628, 2.08483], [0.737102, 0.260005, 2.70566, 2.36418]]],
        },
        "the softmax runs over the queries": {
            3: [[[0.731059, 0.0359724], [0.268941, 1.96403]]],
            4: {'in_proj_weight': [[0.181715, -0.363431], [-0.272437, 0.544876], [0.181715, 0.0], [0.0, 0.544876],
                                [1.21355, 2.0], [2.0, 7.7174]],
             'in_proj_bias': [0.0, 0.0, 0.181715, 0.272438, 2.21355, 5.8587],
             'out_proj.weight': [[1.21355, 1.10901], [1.10901, 7.7174]],
             'out_proj.bias': [2.0, 4.0]},
            5: [[[1.30985, -0.881061, 4.35764, 0.284412], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[2.16473, -1.51873, 4.74601, 0.164867], [-0.152231, 0.927033, 2.2945, 2.49879]]],
        },
        "x was added to the result": {
            3: [[[1.73106, 1.0], [0.5, 3.96403]]],
            4: {'in_proj_weight': [[0.680693, 0.5], [2.0, 1.12025], [0.680693, -1.36139], [-0.560124, 1.12025],
                                [3.03101, 2.86221], [1.1426, 17.5709]],
             'in_proj_bias': [0.930693, 2.56012, 0.0, 0.0, 4.46212, 9.92805],
             'out_proj.weight': [[3.03101, 5.42614], [5.42614, 17.5709]],
             'out_proj.bias': [4.46212, 9.92805]},
            5: [[[1.11878, 0.744081, 1.38018, 3.01468], [0.0, 3.0, 3.0, 2.0]]],
            6: [[[1.51933, 0.373923, 1.70132, 2.75871], [0.745314, 2.25259, 3.71191, 1.35942]]],
        },
        "the weights came back, too: the result alone is asked for": {
            3: ([[[0.731059, 1.0], [0.5, 1.96403]]],
             [[[[0.731059, 0.268941], [0.5, 0.5]], [[0.5, 0.5], [0.0179862, 0.982014]]]]),
            5: ([[[0.118782, 0.744081, 2.38018, 2.51468], [0.0, 1.0, 2.0, 3.0]]],
             [[[[0.14389, 0.0, 0.856111], [0.0, 0.0, 0.0]], [[0.00382336, 0.0, 0.996177], [0.0, 0.0, 0.0]]]]),
            6: ([[[0.519332, 0.373923, 2.70132, 2.25871], [0.745314, 0.252588, 2.71191, 2.35942]]],
             [[[[0.866302, 0.133698], [0.999999, 0.0]], [[0.764728, 0.235272], [0.999709, 0.000290948]]]]),
        },
        "W_Q and W_K are exchanged: queries, keys, values stand in this order": {
            4: {'in_proj_weight': [[0.28747, -0.574939], [-0.27752, 0.555041], [0.28747, 0.5], [2.0, 0.555041],
                                [1.56889, 1.78645], [1.07065, 9.71481]],
             'in_proj_bias': [0.0, 0.0, 0.53747, 2.27752, 2.46212, 5.92805],
             'out_proj.weight': [[1.56889, 3.42614], [3.42614, 9.71481]],
             'out_proj.bias': [2.46212, 5.92805]},
            5: [[[1.07372, 0.0204939, 2.83602, 2.34953], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[1.25445, -0.829732, 4.31296, 0.320182], [-0.328537, 1.22514, 1.88959, 2.99013]]],
        },
        "W_K and W_V are exchanged: queries, keys, values stand in this order": {
            4: {'in_proj_weight': [[0.28747, 0.5], [2.0, 0.555041], [1.56889, 1.78645], [1.07065, 9.71481],
                                [0.28747, -0.574939], [-0.27752, 0.555041]],
             'in_proj_bias': [0.53747, 2.27752, 2.46212, 5.92805, 0.0, 0.0],
             'out_proj.weight': [[1.56889, 3.42614], [3.42614, 9.71481]],
             'out_proj.bias': [2.46212, 5.92805]},
            5: [[[0.758464, 0.209489, 2.78279, 2.26432], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[0.767176, 0.507728, 2.1926, 3.11676], [-0.757293, 1.98781, 0.831366, 4.29066]]],
        },
        "W_Q and W_V are exchanged: queries, keys, values stand in this order": {
            4: {'in_proj_weight': [[1.56889, 1.78645], [1.07065, 9.71481], [0.28747, -0.574939],
                                [-0.27752, 0.555041], [0.28747, 0.5], [2.0, 0.555041]],
             'in_proj_bias': [2.46212, 5.92805, 0.0, 0.0, 0.53747, 2.27752],
             'out_proj.weight': [[1.56889, 3.42614], [3.42614, 9.71481]],
             'out_proj.bias': [2.46212, 5.92805]},
            5: [[[-1.44045, 2.71573, 0.0953085, 4.99782], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[-1.82026, 3.13223, -0.336921, 5.42403], [-2.61351, 3.21671, 0.291621, 4.1141]]],
        },
        "the biases of queries, keys and values are missing": {
            4: {'in_proj_weight': [[0.28747, 0.5], [2.0, 0.555041], [0.28747, -0.574939], [-0.27752, 0.555041],
                                [1.56889, 1.78645], [1.07065, 9.71481]],
             'in_proj_bias': [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
             'out_proj.weight': [[1.56889, 3.42614], [3.42614, 9.71481]],
             'out_proj.bias': [2.46212, 5.92805]},
            5: [[[-0.172736, 1.13572, 1.90812, 3.04341], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[1.39711, -0.645635, 3.81137, 1.11403], [0.155073, 0.917861, 2.00507, 3.07225]]],
        },
        "the bias of out_proj is missing": {
            4: {'in_proj_weight': [[0.28747, 0.5], [2.0, 0.555041], [0.28747, -0.574939], [-0.27752, 0.555041],
                                [1.56889, 1.78645], [1.07065, 9.71481]],
             'in_proj_bias': [0.53747, 2.27752, 0.0, 0.0, 2.46212, 5.92805],
             'out_proj.weight': [[1.56889, 3.42614], [3.42614, 9.71481]],
             'out_proj.bias': [0.0, 0.0]},
            5: [[[0.118782, -0.255919, 0.380183, -0.485318], [0.0, 0.0, 0.0, 0.0]]],
            6: [[[0.519332, -0.626077, 0.701325, -0.741286], [0.745314, -0.747412, 0.711907, -0.640584]]],
        },
        "out_proj is missing at the end": {
            4: {'in_proj_weight': [[0.28747, 0.5], [2.0, 0.555041], [0.28747, -0.574939], [-0.27752, 0.555041],
                                [1.56889, 1.78645], [1.07065, 9.71481]],
             'in_proj_bias': [0.53747, 2.27752, 0.0, 0.0, 2.46212, 5.92805],
             'out_proj.weight': None,
             'out_proj.bias': None},
            5: [[[1.08853, -0.66904, -1.76853, -1.50196], [0.0, 0.0, 0.0, 0.0]]],
            6: [[[-1.48899, -1.84526, -0.78566, 1.12395], [-1.868, -1.66711, 0.173861, 1.70995]]],
        },
        "the heads were split by a plain view, which mixes tokens with features": {
            4: {'in_proj_weight': [[0.28747, 4.0], [0.25, 0.555041], [0.28747, -0.555041], [-0.28747, 0.555041],
                                [1.56889, 2.1413], [0.893224, 9.71481]],
             'in_proj_bias': [2.28747, 0.52752, 0.00994936, -0.00994939, 2.63954, 5.75063],
             'out_proj.weight': [[1.56889, 3.42614], [3.42614, 9.71481]],
             'out_proj.bias': [2.46212, 5.92805]},
            5: [[[0.0808499, 0.817662, 2.27465, 2.64685], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[-3.71065, 4.07031, -0.275481, 4.36618], [-3.54171, 3.9816, -0.271477, 4.44707]]],
        },
        "in_proj_weight is stored as nn.Linear has it: x W^T": {
            4: {'in_proj_weight': [[0.28747, 2.0], [0.5, 0.555041], [0.28747, -0.27752], [-0.574939, 0.555041],
                                [1.56889, 1.07065], [1.78645, 9.71481]],
             'in_proj_bias': [0.53747, 2.27752, 0.0, 0.0, 2.46212, 5.92805],
             'out_proj.weight': [[1.56889, 3.42614], [3.42614, 9.71481]],
             'out_proj.bias': [2.46212, 5.92805]},
            5: [[[1.76835, -1.19882, 4.51867, 0.28821], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[2.16152, -1.21924, 4.16531, 0.997558], [0.523019, 0.852144, 1.76525, 3.60554]]],
        },
        "the gradient of the attention stops on its way: no detach, no torch.no_grad": {
            4: {'in_proj_weight': None,
             'in_proj_bias': None,
             'out_proj.weight': [[1.56889, 3.42614], [3.42614, 9.71481]],
             'out_proj.bias': [2.46212, 5.92805]},
        },
        "the mask was not used": {
            5: [[[0.0812331, 0.768905, 2.36933, 2.51101], [1.03982, -0.223359, 3.34536, 1.60034]]],
        },
        "the mask was used the wrong way round: True means that a key may be seen": {
            5: [[[0.081847, 0.75135, 2.40295, 2.46303], [1.03982, -0.223359, 3.34536, 1.60034]]],
        },
        "the scores are not scaled": {
            5: [[[0.0317264, 0.804668, 2.34911, 2.51467], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[0.511183, 0.423274, 2.61325, 2.38107], [0.746132, 0.251847, 2.71253, 2.35894]]],
        },
        "a query that sees nothing gave NaN: its weights are 0": {
            5: [[[0.118782, 0.744081, 2.38018, 2.51468], [float("nan"), float("nan"), float("nan"), float("nan")]]],
        },
        "a query that sees nothing got equal weights: they are 0": {
            5: [[[0.118782, 0.744081, 2.38018, 2.51468], [0.4639, 0.290096, 2.92019, 1.91582]]],
        },
        "out_proj.weight is stored as nn.Linear has it: x W^T": {
            5: [[[1.19731, -0.277104, 2.5045, 3.60483], [0.0, 1.0, 2.0, 3.0]]],
            6: [[[-1.37231, 2.19678, 1.77755, 2.09965], [-1.47377, 2.34336, 1.68368, 2.07816]]],
        },
        "the angles were not used": {
            6: [[[0.751886, 0.245182, 2.71977, 2.35148], [0.740728, 0.256743, 2.70839, 2.36211]]],
        },
        "only the queries were turned: keys, too": {
            6: [[[0.751886, 0.245182, 2.71977, 2.35148], [-1.30874, 2.09413, 1.17554, 3.51331]]],
        },
        "only the keys were turned: queries, too": {
            6: [[[0.519332, 0.373923, 2.70132, 2.25871], [0.74613, 0.251848, 2.71253, 2.35894]]],
        },
        "the values were turned, too: rotation is for queries and keys": {
            6: [[[0.615998, 0.485832, 2.38647, 2.76067], [0.745537, 0.252685, 2.71149, 2.36012]]],
        },
        "the values were turned in place of the keys": {
            6: [[[0.751023, 0.24602, 2.719, 2.35215], [-0.759417, 2.34995, 0.127444, 5.30095]]],
        },
    })

    shapes = {"in_proj_weight": (12, 4), "in_proj_bias": (12,), "out_proj.weight": (4, 4), "out_proj.bias": (4,)}

    def less(*names):
        return {name: shape for name, shape in shapes.items() if name not in names}

    check(shapes_of, 4, 2).equals(shapes, about="names and shapes of parameters", near={
        "in_proj_weight is a plain tensor: nn.Parameter makes it a weight of the module": less("in_proj_weight"),
        "in_proj_bias is a plain tensor, or missing: nn.Parameter makes it a weight": less("in_proj_bias"),
        "in_proj_weight and in_proj_bias are plain tensors: nn.Parameter makes them weights":
            less("in_proj_weight", "in_proj_bias"),
        "out_proj has no bias": less("out_proj.bias"),
        "out_proj is missing": less("out_proj.weight", "out_proj.bias"),
        "in_proj_weight is turned round: (3C, C)": shapes | {"in_proj_weight": (4, 12)},
        "in_proj_weight holds one matrix, not three: (3C, C)": shapes | {"in_proj_weight": (4, 4)},
        "in_proj is an nn.Linear: its weights must have the names of the text":
            {"in_proj.weight": (12, 4), "in_proj.bias": (12,)} | less("in_proj_weight", "in_proj_bias"),
        "super().__init__() must come first": AttributeError,
    })
    check(begun, 40, 2).equals((torch.zeros(120), 1.0), about="how weights begin", near={
        "in_proj_weight begins at 0: then nothing can be learned": (torch.zeros(120), 0.0),
        "in_proj_weight begins from a normal distribution of size 1: nn.init.xavier_uniform_": (torch.zeros(120), 8.9),
    }, atol=0.15)
    x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    one = {"in_proj_weight": torch.eye(2).repeat(3, 1), "in_proj_bias": torch.zeros(6),
           "out_proj.weight": torch.eye(2), "out_proj.bias": torch.zeros(2)}
    close = {"rtol": 1e-3, "atol": 2e-4}
    check(layer_output, x, x, None, None, one, 2).equals([[[0.7311, 1.0], [0.5, 1.9640]]], **close)
    by_name = {
        "in_proj_weight": [
            [0.2875, 0.5], [2.0, 0.555], [0.2875, -0.5749],
            [-0.2775, 0.555], [1.5689, 1.7864], [1.0707, 9.7148],
        ],
        "in_proj_bias": [0.5375, 2.2775, 0.0, 0.0, 2.4621, 5.9281],
        "out_proj.weight": [[1.5689, 3.4261], [3.4261, 9.7148]], "out_proj.bias": [2.4621, 5.9281],
    }
    check(gradients_by_name, x, x, None, None, one, 2).equals(by_name, about="gradients of the squares", **close)
    p = {
        "in_proj_weight": torch.sin(torch.arange(1.0, 49) * 1.3).view(12, 4),
        "in_proj_bias": torch.cos(torch.arange(12.0)),
        "out_proj.weight": torch.sin(torch.arange(1.0, 17) * 2.3).view(4, 4), "out_proj.bias": torch.arange(4.0),
    }
    x = torch.tensor([[[1.0, 0.0, -1.0, 0.5], [0.0, 2.0, 1.0, -1.0]]])
    memory = torch.tensor([[[0.5, 1.0, 0.0, -1.0], [1.0, -0.5, 2.0, 0.0], [0.0, 1.0, 1.0, 1.0]]])
    seen = torch.tensor([[True, False, True], [False, False, False]])
    check(layer_output, x, memory, seen, None, p, 2).equals(
        [[[0.1188, 0.7441, 2.3802, 2.5147],
         [0.0, 1.0, 2.0, 3.0]]],
        about="a memory and a mask; the second token sees nothing", **close)
    check(layer_output, x, x, None, torch.tensor([[0.0], [1.0]]), p, 2).equals(
        [[[0.5193, 0.3739, 2.7013, 2.2587],
         [0.7453, 0.2526, 2.7119, 2.3594]]],
        about="with angles", **close)


score
