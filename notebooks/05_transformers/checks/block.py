from helpers.checks import graded


@graded("block", points=8)
def score(check):
    import torch
    from torch import nn

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is the approximation with tanh; the exact form has erf": {
            1: [-0.158808, 0.0, 0.841192, 1.9546],
        },
        "this is the approximation by the logistic function; the exact form has erf": {
            1: [-0.154204, 0.0, 0.845796, 1.93566],
            2: [[1.54657, -1.313]],
        },
        "this is ReLU, which has a corner at 0": {
            1: [0.0, 0.0, 1.0, 2.0],
        },
        "this is SiLU: z times the logistic function of z": {
            1: [-0.268941, 0.0, 0.731059, 1.76159],
            2: [[1.35352, -1.61805]],
        },
        "inside erf, z is divided by the root of 2": {
            1: [-0.0786496, 0.0, 0.92135, 1.99532],
            2: [[1.6816, -1.11607]],
        },
        "inside erf, z is divided by the root of 2, not by 2": {
            1: [-0.23975, 0.0, 0.76025, 1.8427],
            2: [[1.39841, -1.53833]],
        },
        "inside erf, z is divided by the root of 2, not multiplied by it": {
            1: [-0.0227501, 0.0, 0.97725, 1.99994],
            2: [[1.81859, -0.988923]],
        },
        "the root of 2 is rounded: math.sqrt(2) has all its digits": {
            1: [-0.158619, 0.0, 0.841381, 1.95453],
            2: [[1.53287, -1.3216]],
        },
        "a factor 1/2 is missing": {
            1: [-0.317311, 0.0, 1.68269, 3.909],
            2: [[2.06561, -1.64339]],
        },
        "this is the gate alone: multiply by z": {
            1: [0.158655, 0.5, 0.841345, 0.97725],
            2: [[2.45842, -0.832572]],
        },
        "1 is added to erf before halving": {
            1: [0.341345, 0.0, 0.341345, 0.9545],
            2: [[1.53281, -0.071697]],
        },
        "1 plus erf is asked, not 1 minus erf": {
            1: [-0.841345, 0.0, 0.158655, 0.0455003],
            2: [[0.467193, -3.1783]],
        },
        "the density of the normal distribution stands where its distribution function is asked": {
            1: [-0.241971, 0.0, 0.241971, 0.107982],
            2: [[0.889905, -1.54988]],
        },
        "the activation between the two layers is missing": {
            2: [[1.0, -3.5]],
        },
        "the activation stands between the two layers, not after the second": {
            2: [[0.841345, -0.000814334]],
        },
        "only the middle is activated: the output is not": {
            2: [[1.43676, -0.123096]],
        },
        "the bias b1 is missing": {
            2: [[1.52403, -0.977846]],
        },
        "the bias b2 is missing": {
            2: [[0.532807, -0.321697]],
        },
        "both biases are missing": {
            2: [[0.524034, 0.0221544]],
        },
        "x is not added here: the block does that": {
            2: [[2.53281, -2.3217]],
        },
        "ReLU stands between the layers; GELU is asked": {
            2: [[2.0, -1.0]],
        },
        "the activation stands before the first layer; it stands between the two": {
            2: [[2.52403, -1.34134]],
        },
        "the bias b1 is added before the activation, not after it": {
            2: [[2.52403, 1.52215]],
        },
        "the tanh approximation stands between the layers; GELU is asked in its exact form": {
            2: [[1.53262, -1.32214]],
        },
        "the first layer is linear and the second is activated twice": {
            2: [[1.32844, -0.0555181]],
        },
        "the bias of linear1 is missing": {
            3: [[[-0.162702, -0.926705, -1.34002, -0.329658], [-0.573484, -0.554894, -1.4016, -0.0291393]]],
            4: [[[1.14124, -2.43484, -0.22405, 2.14154], [-0.0578751, 1.07649, -1.15966, 1.03196]]],
        },
        "the bias of linear2 is missing": {
            3: [[[0.468952, -1.17132, -0.65185, -1.16629], [0.349138, -1.19365, -0.854727, -1.00929]]],
            4: [[[0.3955, -1.79548, -0.00341709, 1.36922], [-0.796176, 1.71831, -0.944683, 0.253074]]],
        },
        "both biases of the feed-forward network are missing": {
            3: [[[0.420647, -1.17771, -0.671528, -1.19406], [0.287199, -1.19619, -0.881508, -1.03325]]],
            4: [[[0.419508, -1.81216, -0.0395342, 1.35966], [-0.779612, 1.69917, -0.975149, 0.250084]]],
        },
        "the biases of the norms are missing": {
            3: [[[-0.939265, 0.597954, -0.28559, 0.495682], [-0.824875, 0.585902, -0.325446, 0.649605]]],
            4: [[[1.15726, -1.96702, 0.137364, 2.02434], [-0.00161898, 0.680703, -1.46603, 1.293]]],
        },
        "the norms are without their weight and bias": {
            3: [[[0.83292, -1.42813, -0.440486, 1.03569], [-0.239312, 0.509586, -1.48541, 1.21514]]],
            4: [[[1.42142, -2.37876, -0.496996, 2.02322], [-0.0990005, 0.561288, -1.54637, 1.39395]]],
        },
        "the activation of the feed-forward network is missing": {
            3: [[[0.643746, -0.858341, -1.00015, 0.0538623], [-0.340968, -0.441788, -1.31979, 0.259511]]],
            4: [[[1.15844, -2.39013, -0.20877, 2.10792], [0.285569, 0.336646, -2.04051, 1.13197]]],
        },
        "post-norm: the first norm is of the sum, not of attention's output alone": {
            3: [[[-0.921518, 0.116597, -0.986035, 0.0921933], [-0.130156, -0.669463, -1.33941, 0.123439]]],
        },
        "post-norm: the second norm is of the sum, not of the network's output alone": {
            3: [[[-1.24711, 1.3257, -1.14643, -0.548918], [-1.56888, 0.767768, -1.55513, -0.490212]]],
        },
        "feed-forward comes first here, each with its own norm; attention does": {
            3: [[[-0.702476, 0.452658, -0.48137, -0.0862718], [-0.62608, 0.481323, -0.759751, -0.212418]]],
            4: [[[1.1295, -2.41668, -0.194866, 2.14118], [-0.0461242, 0.79329, -1.36792, 1.16701]]],
        },
        "norm_first is ignored: this is the pre-norm block": {
            3: [[[1.11724, -2.41817, -0.187932, 2.1511], [-0.0744391, 1.09563, -1.1292, 1.03495]]],
        },
        "pre-norm and post-norm are exchanged": {
            3: [[[1.11724, -2.41817, -0.187932, 2.1511], [-0.0744391, 1.09563, -1.1292, 1.03495]]],
            4: [[[-0.0564139, -0.92464, -1.31863, -0.254585], [-0.503704, -0.55432, -1.39289, 0.0270595]]],
        },
        "the residual around attention is missing": {
            3: [[[-0.213899, -0.28879, -1.19457, 0.443243], [-0.128583, -0.299659, -1.17077, 0.472778]]],
            4: [[[0.146173, 0.292767, -0.20046, -1.20576], [0.143392, 0.285672, -0.208983, -1.21305]]],
        },
        "the residual around feed-forward is missing": {
            3: [[[-0.649948, 0.238583, -0.768888, 0.226035], [-0.866709, 0.216678, -0.841954, 0.0890861]]],
            4: [[[0.757496, -0.600485, -0.204151, 0.745413], [0.567755, -0.0797479, 0.363843, 0.637242]]],
        },
        "both residuals are missing": {
            3: [[[-1.06327, 0.170834, -0.908899, -0.0766705], [-1.0539, 0.176207, -0.902019, -0.0692012]]],
            4: [[[0.786431, 0.110449, 0.283321, 0.388558], [0.785586, 0.110299, 0.284058, 0.389243]]],
        },
        "norm1 is used twice; the second sublayer has norm2": {
            3: [[[-0.634261, 0.563299, -0.840544, -0.508514], [-0.575911, 0.723214, -0.884976, -0.652186]]],
            4: [[[0.901054, -2.54957, -0.0671955, 2.3702], [0.0468117, 0.593675, -1.61505, 1.18399]]],
        },
        "norm1 and norm2 are exchanged": {
            3: [[[-0.567751, 0.906392, -0.756441, -0.807556], [-0.485507, 1.00705, -0.635365, -0.52783]]],
            4: [[[0.816557, -2.46718, 0.151043, 2.63709], [-0.0423571, 0.634956, -1.4572, 1.3977]]],
        },
        "the norms are missing": {
            3: [[[1.41275, -2.56091, -0.733892, 1.86918], [0.0475957, 1.03558, -1.07765, 1.58894]]],
            4: [[[1.41275, -2.56091, -0.733892, 1.86918], [0.0475957, 1.03558, -1.07765, 1.58894]]],
        },
        "the first norm is missing": {
            3: [[[-0.819809, 0.253395, -0.77478, 0.09232], [0.0532231, -0.693298, -1.28413, 0.179828]]],
            4: [[[0.87275, -2.58596, -0.212094, 2.27326], [-0.155466, 1.32597, -0.663656, 1.59926]]],
        },
        "the second norm is missing": {
            3: [[[-0.0552617, 0.355038, -0.461686, 0.189225], [-0.017576, -0.0417269, -0.838856, 0.215448]]],
            4: [[[1.51724, -2.43533, -0.600398, 1.86865], [0.0499097, 0.570949, -1.63466, 1.19248]]],
        },
        "post-norm: the norm is of the sum, not of the sublayer's output alone": {
            3: [[[-1.09381, -1.88028, -0.83967, 2.07882], [-2.18496, 1.33533, -2.24023, 1.24468]]],
        },
        "the second sublayer works on the output of the first (y), not on x": {
            3: [[[-1.05224, -0.811533, -1.11143, -1.36655], [-0.904303, -0.752823, -1.36132, -0.741077]]],
            4: [[[1.11793, -2.42148, -0.191032, 2.15216], [-0.0593478, 0.782896, -1.37145, 1.17172]]],
        },
        "the second residual adds y, not x": {
            3: [[[-0.446577, 0.264446, -0.650885, 0.287318], [-0.207515, -0.313622, -1.2089, 0.430788]]],
            4: [[[1.7575, -2.60049, 0.295849, 3.74541], [0.567755, 0.920252, -0.636157, 2.63724]]],
        },
        "ReLU stands in the feed-forward network; GELU is asked": {
            3: [[[-0.0916924, -0.96986, -1.31037, -0.376145], [-0.500269, -0.695339, -1.41392, -0.16863]]],
            4: [[[1.10737, -2.4161, -0.176559, 2.15729], [-0.00983578, 1.18304, -1.1303, 0.946728]]],
        },
        "the feed-forward half is missing": {
            3: [[[-0.597166, 1.08712, -0.377541, -0.774953], [-0.702168, 0.55109, -0.71318, -0.579298]]],
            4: [[[0.359741, -1.81768, 0.0162187, 1.40568], [-0.642194, 1.17537, -1.49304, 0.397707]]],
        },
        "the attention half is missing": {
            3: [[[-0.963059, 0.215102, -0.847288, -7.33473e-05], [-0.390739, -0.398589, -1.31145, 0.268628]]],
            4: [[[1.75819, -2.6038, 0.29275, 3.74647], [0.582846, 0.607523, -0.878408, 2.77401]]],
        },
        "feed-forward comes first here; attention does": {
            3: [[[0.0135548, -1.14344, -0.663399, -1.55071], [-0.049431, -1.14353, -0.702777, -1.55234]]],
            4: [[[0.794918, -2.54094, 0.0489559, 2.5604], [-0.0682303, 0.589886, -1.52003, 1.3421]]],
        },
        "without a mask each token sees all the others: an encoder's attention is not causal": {
            3: [[[-0.065299, -0.938608, -1.31659, -0.289371], [-0.503704, -0.55432, -1.39289, 0.0270595]]],
            4: [[[1.09301, -2.52981, -0.34383, 2.01593], [-0.0744391, 1.09563, -1.1292, 1.03495]]],
        },
        "num_heads is ignored: this is one head": {
            3: [[[-0.0617339, -0.923023, -1.32034, -0.254537], [-0.540845, -0.574249, -1.40243, -0.027523]]],
            4: [[[1.11448, -2.429, -0.202662, 2.1386], [-0.0768012, 1.08874, -1.13751, 1.02839]]],
        },
        "the tanh approximation stands in the feed-forward network: GELU is asked in its exact form": {
            4: [[[1.11724, -2.41817, -0.187932, 2.1511], [-0.0743745, 1.09541, -1.12942, 1.035]]],
        },
        "pre-norm: the norm is of what goes into a sublayer, not of what comes out": {
            4: [[[-1.09381, -1.88028, -0.83967, 2.07882], [-2.18496, 1.33533, -2.24023, 1.24468]]],
        },
        "pre-norm: the queries, too, come from the norm of x; here only keys and values do": {
            4: [[[1.09549, -2.51516, -0.322702, 2.03472], [-0.0880395, 1.05237, -1.18271, 0.991438]]],
        },
        "norm_first is ignored: this is the post-norm block": {
            4: [[[-0.0564139, -0.92464, -1.31863, -0.254585], [-0.503704, -0.55432, -1.39289, 0.0270595]]],
        },
        "pre-norm: what is added is x itself, not its norm": {
            4: [[[0.798211, -0.927663, -0.237397, -1.23295], [0.709871, -0.933458, -0.282911, -1.19289]]],
        },
        "pre-norm: the second residual adds y itself, not its norm": {
            4: [[[0.304898, -0.295181, -0.766933, 0.958577], [0.735237, -1.08059, -0.862519, 0.336186]]],
        },
        "pre-norm: the first residual adds x itself, not its norm": {
            4: [[[-0.467054, 1.45914, -0.531677, -2.02471], [-0.557185, 1.07975, -0.884979, -2.02266]]],
        },
        "one more norm stands at the end of the pre-norm block; that belongs to the whole stack": {
            4: [[[-0.636212, 0.286419, -0.674666, 0.173366], [0.0452388, -0.839046, -1.30185, -0.039942]]],
        },
        "pre-norm: keys and values, too, come from the norm of x; here only the queries do": {
            4: [[[0.92054, -2.1218, 0.493975, 2.92719], [-0.330781, 1.105, -0.818889, 1.58931]]],
        },
    })
    check(gelu, torch.tensor([-1.0, 0.0, 1.0, 2.0])).equals([-0.1586553, 0.0, 0.8413447, 1.9544997])
    x, w1 = torch.tensor([[1.0, -1.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])
    b1, b2 = torch.tensor([0.0, 0.5, 1.0]), torch.tensor([1.0, -1.0])
    w2 = torch.tensor([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]])
    check(feed_forward, x, w1, b1, w2, b2).equals(
        [[1.532807, -1.321697]],
        near={"w1 is (F, C) and w2 (C, F), as nn.Linear keeps them: x @ w1.T": RuntimeError}
    )

    def layer(C, H, width, norm_first, k=0):
        """The library's layer with weights that are fixed numbers, none of them special."""
        made = nn.TransformerEncoderLayer(C, H, width, 0.0, "gelu", batch_first=True, norm_first=norm_first).eval()
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.3 + i) + k).reshape(v.shape) * 0.8
        return made

    x = torch.tensor([[[1.0, -2.0, 0.5, 3.0], [0.0, 1.0, -1.0, 2.0]]])
    after, before = layer(4, 2, 5, False), layer(4, 2, 5, True)
    with torch.no_grad():
        expected, expected_before = after(x), before(x)
    check(encoder_block, x, dict(after.state_dict()), 2).equals(expected, rtol=1e-4, atol=1e-4)
    check(encoder_block, x, dict(before.state_dict()), 2, norm_first=True).equals(expected_before, rtol=1e-4, atol=1e-4)


score
