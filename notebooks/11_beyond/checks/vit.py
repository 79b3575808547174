from helpers.checks import graded


@graded("vit", points=10)
def score(check):
    import torch
    from torch import nn

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the patches come column by column: they come row by row": {
            1: [[[4.5, -2.0], [6.5, 0.0], [3.5, 1.0], [3.5, -1.0]]],
        },
        "rows and columns of each patch are exchanged: weight[c] is placed on the patch as it is": {
            1: [[[4.5, -2.0], [3.5, 1.0], [6.5, 0.0], [3.5, 1.0]]],
            2: [[[83.0]]],
        },
        "the bias is missing": {
            1: [[[4.0, -2.0], [3.0, 1.0], [6.0, 0.0], [3.0, -1.0]]],
        },
        "the patches overlap: each begins where the one before it ends": {
            1: [[[4.5, -2.0], [5.5, 1.0], [3.5, 1.0], [6.5, 2.0], [3.5, 1.0], [3.5, -1.0], [6.5, 0.0], [4.5, 2.0],
              [3.5, -1.0]]],
        },
        "the rows are pixels that follow one another, not squares: cut both axes first": {
            1: [[[3.5, 1.0], [4.5, -2.0], [5.5, 3.0], [4.5, -4.0]]],
        },
        "the picture's patches are (B, C, N): (B, N, C) is asked for": {
            1: [[[4.5, 3.5, 6.5, 3.5], [-2.0, 1.0, 0.0, -1.0]]],
        },
        "this is the mean over the pixels: their sum is asked for": {
            1: [[[1.5, -0.5], [1.25, 0.25], [2.0, 0.0], [1.25, -0.25]]],
            2: [[[10.25]]],
        },
        "weight was reshaped: flatten(1) and its transpose are asked for": {
            1: [[[4.5, -2.0], [3.5, 1.0], [6.5, 0.0], [3.5, 1.0]]],
        },
        "the bias was added once for each pixel": {
            1: [[[6.0, -2.0], [5.0, 1.0], [8.0, 0.0], [5.0, -1.0]]],
        },
        "the kernel was reversed: weight[c] is placed on the patch as it is": {
            1: [[[4.5, 2.0], [3.5, -1.0], [6.5, 0.0], [3.5, 1.0]]],
            2: [[[53.0]]],
        },
        "only the first channel was read": {
            2: [[[2.0]]],
        },
        "the channels are summed before W: each has weights of its own": {
            2: [[[8.0]]],
        },
        "the channels of a pixel are side by side here: the channel is the first axis of weight[c]": {
            2: [[[85.0]]],
        },
        "the channels are in reverse order": {
            2: [[[46.0]]],
        },
        "the last norm divides by the variance of C - 1: unbiased=False is asked for": {
            3: [[[-0.862036, -0.48495, -0.799992, 0.72393], [-1.07991, -1.17788, -0.845379, -0.0930719],
              [-0.791529, -0.639791, -0.817738, 0.710527]]],
        },
        "the last norm is a LayerNorm, not an RMSNorm: it takes the mean away": {
            3: [[[-0.489595, -0.157794, -0.871165, 0.31867], [-0.556458, -0.721094, -0.912714, -0.594233],
              [-0.391676, -0.29445, -0.889166, 0.261719]]],
        },
        "the last norm is without its bias": {
            3: [[[-0.374993, 0.359351, -0.18188, 1.01592], [-0.626577, -0.440777, -0.234288, 0.0725294],
              [-0.293578, 0.180556, -0.202371, 1.00045]]],
        },
        "the last norm is without its weight": {
            3: [[[-0.0130094, -1.35699, -1.92994, 1.16814], [0.338727, -0.108246, -2.30093, -0.0613586],
              [-0.126835, -1.07795, -2.07499, 1.14797]]],
        },
        "the last norm runs over all tokens at once: each has its own": {
            3: [[[-0.972189, -0.473437, -0.818799, 0.939349], [-1.05127, -1.15053, -0.856045, -0.132189],
              [-0.841232, -0.58911, -0.863805, 0.910989]]],
        },
        "the last norm is for all tokens: here [CLS] alone has it": {
            3: [[[-0.912276, -0.436806, -0.824359, 0.860038], [0.103402, -0.451837, -7.37793, -2.20342],
              [-0.881589, -3.3909, -7.5622, 2.35695]]],
        },
        "the last norm comes once at the end, not after each block": {
            3: [[[-0.680194, -0.459913, -0.809896, 1.00278], [-0.788761, -0.192265, -0.768297, 0.980882],
              [-0.723419, -0.38172, -0.800426, 0.998608]]],
        },
        "the norm comes once at the end: here it is after each block, too": {
            3: [[[-0.100774, -0.599395, -0.753913, 1.15325], [0.0568285, -0.796019, -0.755796, 1.09709],
              [-0.0471386, -0.659149, -0.754296, 1.14131]]],
        },
        "[CLS] is a token of its own: it is not added to the patches": {
            3: [[[-0.92988, -0.434209, -0.824987, 0.847669], [-1.22927, -1.04821, -0.879282, 0.086125],
              [-0.911746, -0.547658, -0.840709, 0.816662]]],
        },
        "the positions are added, not multiplied": {
            3: [[[-0.748424, -0.81136, -0.861301, 0.787926], [-0.246223, -0.908336, -0.820236, 0.987491],
              [-0.677811, -0.749043, -0.849657, 0.875056]]],
        },
        "the norm comes once, at the end: here it is before the blocks, too": {
            3: [[[-0.474238, -0.776472, -0.833475, 0.9727], [-0.699776, -0.711118, -0.847088, 0.882958],
              [-0.49705, -0.743119, -0.831953, 0.979904]]],
        },
        "the positions are added once, before the blocks": {
            3: [[[-0.942793, -0.293351, -0.801239, 0.873514], [-1.03593, -1.44936, -0.863692, -0.271524],
              [-0.858287, -0.588412, -0.843054, 0.837947]]],
        },
        "the positions are in reverse order": {
            3: [[[-0.896927, -0.585125, -0.844887, 0.810385], [-1.16396, -1.23129, -0.877171, -0.0745119],
              [-0.837838, -0.461921, -0.823426, 0.904746]]],
        },
        "[CLS] got the last position: the first row is that of [CLS]": {
            3: [[[-0.881613, -0.653759, -0.852551, 0.786248], [-1.32817, -0.943614, -0.872049, 0.0660018],
              [-0.68223, -0.838796, -0.859228, 0.81482]]],
        },
        "the blocks begin with block 0: here they begin with block 1": {
            3: [[[-0.810272, -0.394855, -0.810261, 0.943126], [-1.13862, -1.28561, -0.874953, -0.124428],
              [-0.761243, -0.576947, -0.83476, 0.91073]]],
        },
        "the positions are missing": {
            3: [[[-0.884074, -0.605284, -0.846757, 0.810192], [-1.2557, -1.03184, -0.877619, 0.0683473],
              [-0.806177, -0.641335, -0.846469, 0.849021]]],
        },
        "[CLS] is after the patches: it comes first": {
            3: [[[-1.32817, -0.943614, -0.872049, 0.0660018], [-0.68223, -0.838796, -0.859228, 0.81482],
              [-0.881613, -0.653759, -0.852551, 0.786248]]],
        },
        "[CLS] is a vector of zeros here: p[\"cls\"] is learned": {
            3: [[[-0.83093, -0.49646, -0.828264, 0.897072], [-1.16187, -1.22888, -0.877519, -0.0675007],
              [-0.827581, -0.616746, -0.844784, 0.846351]]],
        },
        "[CLS] has a position, too: the first row": {
            3: [[[-0.862897, -0.616013, -0.846887, 0.820762], [-1.168, -1.25479, -0.874944, -0.11908],
              [-0.839873, -0.61976, -0.845952, 0.835902]]],
        },
        "[CLS] got no position and the patches those from row 0 on: the first row is that of [CLS]": {
            3: [[[-0.832391, -0.703965, -0.855492, 0.794907], [-1.33013, -0.944348, -0.871888, 0.0621461],
              [-0.692042, -0.825396, -0.858682, 0.817377]]],
        },
        "the norm at the end is missing": {
            3: [[[-0.267447, -3.99646, -6.49357, 2.48093], [0.103402, -0.451837, -7.37793, -2.20342],
              [-0.881589, -3.3909, -7.5622, 2.35695]]],
        },
        "the blocks are post-norm: use pre_norm_block": {
            3: [[[-0.872874, -0.522722, -0.45603, -1.20114], [-0.872819, -0.522172, -0.455981, -1.20069],
              [-0.872791, -0.521821, -0.45595, -1.20041]]],
        },
        "all blocks used the weights of block 0": {
            3: [[[-0.657138, -0.65788, -0.836955, 0.937415], [-0.76129, -1.26445, -0.884055, 0.355136],
              [-0.582136, -0.786522, -0.8455, 0.910233]]],
        },
        "only [CLS] came back: the vectors of the patches are asked for, too": {
            3: [[-0.912276, -0.436806, -0.824359, 0.860038]],
        },
        "only [CLS] came back, with its axis: the vectors of the patches are asked for, too": {
            3: [[[-0.912276, -0.436806, -0.824359, 0.860038]]],
        },
        "the vectors of the patches alone came back: [CLS] comes first": {
            3: [[[-1.16386, -1.23693, -0.876768, -0.0833548], [-0.830861, -0.615602, -0.84485, 0.844562]]],
        },
        "[CLS] is missing": {
            3: [[[-1.15188, -1.28461, -0.87376, -0.143934], [-0.825123, -0.628293, -0.846088, 0.84224]]],
        },
        "[CLS] is a learned vector, not the mean of the patches": {
            3: [[[-1.11415, -0.635192, -0.858495, 0.591312], [-1.1676, -1.24829, -0.875534, -0.107668],
              [-0.83791, -0.618277, -0.845641, 0.83809]]],
        },
        "the last norm belongs after the blocks, not before them": {
            3: [[[-3.51281, -3.3311, -7.51247, 1.42088], [-1.87357, -2.64848, -5.48119, 0.552373],
              [-2.57032, -2.65235, -6.54393, 2.1811]]],
        },
        "the last block is left out": {
            3: [[[-0.810641, -0.458094, -0.820816, 0.924331], [-0.975674, -1.44181, -0.870661, -0.159991],
              [-0.674648, -0.686536, -0.842081, 0.912156]]],
        },
        "the blocks run in reverse order": {
            3: [[[-0.810272, -0.394855, -0.810261, 0.943126], [-1.13862, -1.28561, -0.874953, -0.124428],
              [-0.761243, -0.576947, -0.83476, 0.91073]]],
        },
        "the blocks have their residuals inside: nothing is added to them": {
            3: [[[-0.986912, -0.270288, -0.799398, 0.843802], [-1.16175, -1.48446, -0.823321, -0.6678],
              [-0.825196, -0.576485, -0.839327, 0.867482]]],
        },
        "all places got the first position": {
            3: [[[-0.923526, -0.408837, -0.820511, 0.860559], [-1.31359, -0.762833, -0.866483, 0.267904],
              [-0.85593, -0.431058, -0.819755, 0.902361]]],
        },
        "the norm at the end is without its weight and bias": {
            3: [[[0.524273, -0.560832, -1.28746, 1.32402], [0.87601, 0.687911, -1.65845, 0.0945256],
              [0.410448, -0.28179, -1.43251, 1.30385]]],
        },
        "the number of heads is ignored: this is one head": {
            3: [[[-0.914427, -0.442465, -0.825386, 0.856528], [-1.17424, -1.23716, -0.875808, -0.0999712],
              [-0.837814, -0.622145, -0.846124, 0.836187]]],
        },
    })
    t = torch.tensor
    image = t([[[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [3.0, 0.0, 1.0, 1.0], [0.0, 3.0, 0.0, 1.0]]]])
    ink = t([[[[1.0, 1.0], [1.0, 1.0]]], [[[1.0, -1.0], [1.0, -1.0]]]])
    check(patch_vectors, image, ink, t([0.5, 0.0])).equals(
        [[[4.5, -2.0], [3.5, 1.0], [6.5, 0.0], [3.5, -1.0]]])
    colours = t([[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]])
    map_of_both = t([[[[0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 10.0]]]])
    check(patch_vectors, colours, map_of_both, t([0.0])).equals([[[82.0]]], about="two channels")

    def weights(C, s, channels, N, n, k=0.0, dtype=torch.float32):
        """Weights that are fixed numbers, none of them special."""
        block = nn.TransformerEncoderLayer(C, 1, C + 2).state_dict()
        shapes = {"patch.weight": (C, channels, s, s), "patch.bias": (C,), "cls": (C,), "positions": (1 + N, C)}
        shapes |= {f"blocks.{i}.{name}": tuple(v.shape) for i in range(n) for name, v in block.items()}
        shapes |= {"norm.weight": (C,), "norm.bias": (C,)}
        return {
            name: 0.8 * torch.sin(torch.arange(1.0, 1 + torch.Size(shape).numel(), dtype=dtype) * (1.1 + 0.37 * i) + k)
            .view(shape)
            for i, (name, shape) in enumerate(shapes.items())
        }

    check(vit, t([[[[2.0, -1.0]]]]), weights(4, 1, 1, 2, 2), 2, 2).equals(
        [[[-0.91228, -0.43681, -0.82436, 0.86004], [-1.16386, -1.23693, -0.87677, -0.08335],
          [-0.83086, -0.6156, -0.84485, 0.84456]]],
        about="a picture of two pixels", rtol=1e-3, atol=1e-4)


score
