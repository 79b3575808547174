from helpers.checks import graded


@graded("vit", points=10)
def score(check):
    import torch
    from torch import nn

    columns = "the patches come column by column: they come row by row"
    flipped = "rows and columns of each patch are exchanged: weight[c] lies on the patch as it is"
    reshaped = "weight was reshaped: flatten(1) and its transpose are asked"
    pixels = "this is the mean over the pixels: their sum is asked"
    no_bias = "the bias is missing"
    overlap = "the patches overlap: each begins where the one before it ends"
    split = "the rows are pixels that lie one behind the other, not squares: cut both axes first"
    t = torch.tensor
    image = t([[[[0.0, 1.0, 2.0, 0.0], [1.0, 2.0, 0.0, 1.0], [3.0, 0.0, 1.0, 1.0], [0.0, 3.0, 0.0, 1.0]]]])
    ink = t([[[[1.0, 1.0], [1.0, 1.0]]], [[[1.0, -1.0], [1.0, -1.0]]]])
    check(patch_vectors, image, ink, t([0.5, 0.0])).equals([[[4.5, -2.0], [3.5, 1.0], [6.5, 0.0], [3.5, -1.0]]], near={
        columns: [[[4.5, -2.0], [6.5, 0.0], [3.5, 1.0], [3.5, -1.0]]],
        flipped: [[[4.5, -2.0], [3.5, 1.0], [6.5, 0.0], [3.5, 1.0]]],
        reshaped: [[[4.5, -2.0], [3.5, 1.0], [6.5, 0.0], [3.5, 1.0]]],
        pixels: [[[1.5, -0.5], [1.25, 0.25], [2.0, 0.0], [1.25, -0.25]]],
        no_bias: [[[4.0, -2.0], [3.0, 1.0], [6.0, 0.0], [3.0, -1.0]]],
        split: [[[3.5, 1.0], [4.5, 0.0], [5.5, 3.0], [4.5, -4.0]]],
    })

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

    nowhere = "the positions are missing"
    at_end = "[CLS] stands behind the patches: it comes first"
    no_cls = "[CLS] is a vector of zeros here: p[\"cls\"] is learned"
    bare = "[CLS] has a position, too: the first row"
    shifted = "[CLS] got no position and the patches those from row 0 on: the first row is that of [CLS]"
    no_end, post = "the norm at the end is missing", "the blocks are post-norm: use pre_norm_block"
    first = "all blocks used the weights of block 0"
    only = "only [CLS] came back: the vectors of the patches are asked, too"
    without = "the vectors of the patches alone came back: [CLS] comes first"
    check(vit, t([[[[2.0, -1.0]]]]), weights(4, 1, 1, 2, 2), 2, 2).equals(
        [[[-0.91228, -0.43681, -0.82436, 0.86004], [-1.16386, -1.23693, -0.87677, -0.08335],
          [-0.83086, -0.6156, -0.84485, 0.84456]]], about="a picture of two pixels", rtol=1e-3, atol=1e-4, near={
            nowhere: [[[-0.88407, -0.60528, -0.84676, 0.81019], [-1.2557, -1.03184, -0.87762, 0.06835],
                       [-0.80618, -0.64133, -0.84647, 0.84902]]],
            at_end: [[[-1.32817, -0.94361, -0.87205, 0.066], [-0.68223, -0.8388, -0.85923, 0.81482],
                      [-0.88161, -0.65376, -0.85255, 0.78625]]],
            no_cls: [[[-0.83093, -0.49646, -0.82826, 0.89707], [-1.16187, -1.22888, -0.87752, -0.0675],
                      [-0.82758, -0.61675, -0.84478, 0.84635]]],
            bare: [[[-0.8629, -0.61601, -0.84689, 0.82076], [-1.168, -1.25479, -0.87494, -0.11908],
                    [-0.83987, -0.61976, -0.84595, 0.8359]]],
            shifted: [[[-0.83239, -0.70396, -0.85549, 0.79491], [-1.33013, -0.94435, -0.87189, 0.06215],
                       [-0.69204, -0.8254, -0.85868, 0.81738]]],
            no_end: [[[-0.26745, -3.99646, -6.49357, 2.48093], [0.1034, -0.45184, -7.37793, -2.20342],
                      [-0.88159, -3.3909, -7.5622, 2.35695]]],
            post: [[[-0.87287, -0.52272, -0.45603, -1.20114], [-0.87282, -0.52217, -0.45598, -1.20069],
                    [-0.87279, -0.52182, -0.45595, -1.20041]]],
            first: [[[-0.65714, -0.65788, -0.83696, 0.93741], [-0.76129, -1.26445, -0.88406, 0.35514],
                     [-0.58214, -0.78652, -0.8455, 0.91023]]],
            only: [[-0.91228, -0.43681, -0.82436, 0.86004]],
            without: [[[-1.16386, -1.23693, -0.87677, -0.08335], [-0.83086, -0.6156, -0.84485, 0.84456]]],
        })


score
