from helpers.checks import graded


@graded("vit", points=10)
def score(check):
    import torch
    from torch import nn

    ### BEGIN MISTAKES
    import functools

    import torch.nn.functional as F

    def by_filter(images, weight, bias, stride=None):
        return F.conv2d(images, weight, bias, stride=stride or weight.shape[-1]).flatten(2).mT

    def by_columns(images, weight, bias):
        return by_filter(images.mT, weight.mT, bias)

    def sideways(x, w, b):
        (B, channels, H, W), s = x.shape, w.shape[-1]
        cut = x.reshape(B, channels, W // s, s, H // s, s).permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)
        return F.linear(cut, w.flatten(1), b)

    def as_pixels(w):
        """The numbers in their order, as if the channels were the last axis of weight[c]."""
        return w.flatten(1).reshape(len(w), w.shape[-1], w.shape[-1], -1)

    def as_rows(w):
        """The numbers in their order, as if the channels were the middle axis of weight[c]."""
        return w.flatten(1).reshape(len(w), w.shape[-1], -1, w.shape[-1])

    check.mistakes({
        "the patches come column by column: they come row by row": by_columns,
        "rows and columns of each patch are exchanged: weight[c] is placed on the patch as it is":
            lambda x, w, b: by_filter(x, w.mT, b),
        "the bias is missing": lambda x, w, b: by_filter(x, w, None),
        "the patches overlap: each begins where the one before it ends": lambda x, w, b: by_filter(x, w, b, 1),
        "the rows are pixels that follow one another, not squares: cut both axes first":
            lambda x, w, b: F.linear(x.reshape(len(x), -1, w[0].numel()), w.flatten(1), b),
        "only the first channel was read": lambda x, w, b: by_filter(x[:, :1], w[:, :1], b),
        "the channels are summed before W: each has weights of its own":
            lambda x, w, b: by_filter(x.sum(1, keepdim=True), w[:, :1], b),
        "the picture's patches are (B, C, N): (B, N, C) is asked for": lambda x, w, b: by_filter(x, w, b).mT,
        "the channels of a pixel are side by side here: the channel is the first axis of weight[c]":
            lambda x, w, b: by_filter(x, as_pixels(w).permute(0, 3, 1, 2), b),
        "the dtype changed: float64 goes in and must come out": lambda x, w, b: by_filter(x, w, b).float(),
        "this is the mean over the pixels: their sum is asked for": lambda x, w, b: by_filter(x, w / w[0].numel(), b),
        "weight was reshaped: flatten(1) and its transpose are asked for":
            lambda x, w, b: by_filter(x, w.flatten(1).reshape(-1, len(w)).T.reshape(w.shape), b),
        "the channels are between the rows and the columns of a patch: they are the first axis of weight[c]":
            lambda x, w, b: by_filter(x, as_rows(w).permute(0, 2, 1, 3), b),
        "the channels are in reverse order": lambda x, w, b: by_filter(x.flip(1), w, b),
        "height and width are exchanged where the picture is cut: they may differ": sideways,
        "the bias was added once for each pixel": lambda x, w, b: by_filter(x, w, b * w[0].numel()),
        "the kernel was reversed: weight[c] is placed on the patch as it is":
            lambda x, w, b: by_filter(x, w.flip(2, 3), b),
    }, patch_vectors)

    @functools.cache
    def library_block(C, H, width, pre, dtype):
        """The library's block, built once for each size: its own weights are never used."""
        sizes = {"dropout": 0.0, "activation": "gelu", "batch_first": True, "norm_first": pre, "dtype": dtype}
        return nn.TransformerEncoderLayer(C, H, width, **sizes)

    def made(place=lambda P: P, start="front", end=True, pre=True, pick=lambda i, n: i, out=lambda z: z, early=False,
             order=lambda z: z, skip=0, each=False, normed=False):
        def transformer(images, p, n, H):
            z = order(by_filter(images, p["patch.weight"], p["patch.bias"]))
            cls, P = p["cls"].expand(len(z), 1, -1), p["positions"]
            x = {"front": lambda: torch.cat([cls, z], 1) + place(P), "end": lambda: torch.cat([z, cls], 1) + place(P),
                 "zero": lambda: torch.cat([0 * cls, z], 1) + place(P), "bare": lambda: torch.cat([cls, z + P[1:]], 1),
                 "shift": lambda: torch.cat([cls, z + P[:-1]], 1), "none": lambda: z + P[1:],
                 "both": lambda: torch.cat([cls, z + cls], 1) + P, "times": lambda: torch.cat([cls, z], 1) * P,
                 "mean": lambda: torch.cat([z.mean(1, keepdim=True), z], 1) + P}[start]()
            C = x.shape[-1]
            x = F.layer_norm(x, (C,), p["norm.weight"], p["norm.bias"]) if early else x
            for i in range(n):
                if pick(i, n) is None:
                    continue
                begin = f"blocks.{pick(i, n)}."
                own = {k.removeprefix(begin): v for k, v in p.items() if k.startswith(begin)}
                layer = library_block(C, H, own["linear1.bias"].numel(), pre, x.dtype)
                x = x + P if each and i else x
                x = torch.func.functional_call(layer, own, (x,)) + skip * x
                x = F.layer_norm(x, (C,), p["norm.weight"], p["norm.bias"]) if normed else x
            return out(F.layer_norm(x, (C,), p["norm.weight"], p["norm.bias"]) if end else x)

        return transformer

    right = made()

    def ended(norm):
        """The blocks as asked, and another norm at the end."""
        return lambda x, p, n, H: norm(made(end=False)(x, p, n, H), p["norm.weight"], p["norm.bias"])

    def centred(x):
        return x - x.mean(-1, keepdim=True)

    small_eps = "the epsilon of the last norm is the library's, 1e-5"
    check.mistakes({
        small_eps + ", not 1e-6": ended(lambda x, w, b: F.layer_norm(x, w.shape, w, b, 1e-6)),
        small_eps + ", not more": ended(lambda x, w, b: F.layer_norm(x, w.shape, w, b, 1e-3)),
        small_eps + ", not less": ended(lambda x, w, b: F.layer_norm(x, w.shape, w, b, 1e-12)),
        "epsilon is inside the root of the last norm":
            ended(lambda x, w, b: centred(x) / (x.std(-1, keepdim=True, unbiased=False) + 1e-5) * w + b),
        "the last norm divides by the variance of C - 1: unbiased=False is asked for":
            ended(lambda x, w, b: centred(x) / (x.var(-1, keepdim=True) + 1e-5).sqrt() * w + b),
        "the last norm is a LayerNorm, not an RMSNorm: it takes the mean away":
            ended(lambda x, w, b: x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * w + b),
        "the last norm is without its bias": ended(lambda x, w, b: F.layer_norm(x, w.shape, w)),
        "the last norm is without its weight": ended(lambda x, w, b: F.layer_norm(x, w.shape) + b),
        "the last norm runs over all tokens at once: each has its own":
            ended(lambda x, w, b: F.layer_norm(x, x.shape[1:]) * w + b),
        "the last norm is for all tokens: here [CLS] alone has it":
            ended(lambda x, w, b: torch.cat([F.layer_norm(x[:, :1], w.shape, w, b), x[:, 1:]], 1)),
        "the last norm comes once at the end, not after each block": made(normed=True, end=False),
        "the norm comes once at the end: here it is after each block, too": made(normed=True),
        "[CLS] is a token of its own: it is not added to the patches": made(start="both"),
        "the positions are added, not multiplied": made(start="times"),
        "the norm comes once, at the end: here it is before the blocks, too": made(early=True),
        "the positions are added once, before the blocks": made(each=True),
        "the positions are added where there is no block, too":
            lambda x, p, n, H: made((lambda P: P) if n else (lambda P: 0 * P))(x, p, n, H),
        "the positions are in reverse order": made(lambda P: P.flip(0)),
        "[CLS] got the last position: the first row is that of [CLS]": made(lambda P: P.roll(1, 0)),
        "the blocks begin with block 0: here they begin with block 1": made(pick=lambda i, n: (i + 1) % n),
        "the positions are missing": made(lambda P: 0),
        "[CLS] is after the patches: it comes first": made(start="end"),
        "[CLS] is a vector of zeros here: p[\"cls\"] is learned": made(start="zero"),
        "[CLS] has a position, too: the first row": made(start="bare"),
        "[CLS] got no position and the patches those from row 0 on: the first row is that of [CLS]":
            made(start="shift"),
        "the norm at the end is missing": made(end=False),
        "the blocks are post-norm: use pre_norm_block": made(pre=False),
        "all blocks used the weights of block 0": made(pick=lambda i, n: 0),
        "only [CLS] came back: the vectors of the patches are asked for, too": made(out=lambda z: z[:, 0]),
        "only [CLS] came back, with its axis: the vectors of the patches are asked for, too":
            made(out=lambda z: z[:, :1]),
        "the vectors of the patches alone came back: [CLS] comes first": made(out=lambda z: z[:, 1:]),
        "[CLS] is missing": made(start="none"),
        "[CLS] is a learned vector, not the mean of the patches": made(start="mean"),
        "the last norm belongs after the blocks, not before them": made(early=True, end=False),
        "the last block is left out": made(pick=lambda i, n: i if i < n - 1 else None),
        "the blocks run in reverse order": made(pick=lambda i, n: n - 1 - i),
        "the blocks have their residuals inside: nothing is added to them": made(skip=1),
        "all places got the first position": made(lambda P: P[:1]),
        "the norm at the end is without its weight and bias":
            lambda x, p, n, H: F.layer_norm(made(end=False)(x, p, n, H), p["cls"].shape),
        "the number of heads is ignored: this is one head": lambda x, p, n, H: right(x, p, n, 1),
        "the dtype changed: float64 goes in and must come out": lambda x, p, n, H: right(x, p, n, H).float(),
    }, vit)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()
    seed = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def draw(*shape, dtype=torch.float32):
        return torch.randn(*shape, generator=seed, dtype=torch.float64).to(dtype)

    cut = "the gradient is cut (no detach, no_grad, item or NumPy on the way), or an argument is not used"
    for B, channels, s, H, W, C in [(2, 3, 2, 6, 4, 5), (3, 1, 3, 6, 12, 4), (2, 2, 4, 8, 8, 7), (4, 3, 2, 2, 6, 5)]:
        case = draw(B, channels, H, W), draw(C, channels, s, s), draw(C)
        check(patch_vectors, *case).equals(by_filter(*case), about="fresh pictures", rtol=1e-4, atol=1e-4, weight=2)
    for B, channels, s, H, W, C in [(1, 1, 1, 1, 1, 1), (1, 2, 3, 3, 3, 2), (2, 1, 1, 3, 2, 1), (1, 3, 2, 4, 2, 1)]:
        case = draw(B, channels, H, W), draw(C, channels, s, s), draw(C)
        check(patch_vectors, *case).equals(
            by_filter(*case), about="one picture, one patch, one number", edge=True, rtol=1e-4, atol=1e-5)
    case = draw(70, 1, 2, 4), draw(130, 1, 1, 1), draw(130)
    check(patch_vectors, *case).equals(by_filter(*case), about="many pictures", edge=True, rtol=1e-4, atol=1e-5)
    case = [100 * draw(*shape) for shape in [(2, 3, 4, 4), (5, 3, 2, 2), (5,)]]
    check(patch_vectors, *case).equals(by_filter(*case), about="large numbers", edge=True, rtol=1e-3, atol=1.0)
    case = [draw(*shape, dtype=torch.float64) for shape in [(2, 3, 4, 6), (5, 3, 2, 2), (5,)]]
    check(patch_vectors, *case).equals(by_filter(*case), about="float64 stays", edge=True, rtol=1e-10, atol=1e-12)
    check(patch_vectors, case[0].mT.contiguous().mT, *case[1:]).equals(
        by_filter(*case), about="pictures that are not contiguous", edge=True, rtol=1e-10, atol=1e-12)
    check(slopes, patch_vectors, *case).equals(
        golden(by_filter, *case), about="gradients of the patches", rtol=1e-6, atol=1e-8, near={cut: RuntimeError})

    def case_of(B, channels, s, H, W, C, n, heads, dtype=torch.float32):
        p = weights(C, s, channels, H // s * W // s, n, float(torch.rand(1, generator=seed)), dtype)
        return draw(B, channels, H, W, dtype=dtype), p, n, heads

    for sizes in [(2, 1, 2, 4, 6, 6, 2, 3), (3, 2, 2, 4, 4, 8, 3, 2), (2, 3, 1, 2, 3, 4, 1, 2),
                  (2, 1, 2, 4, 6, 6, 2, 3)]:
        case = case_of(*sizes)
        check(vit, *case).equals(right(*case), about="fresh weights", rtol=1e-3, atol=1e-4, weight=2)
    for sizes in [(1, 1, 2, 2, 2, 4, 1, 1), (2, 1, 1, 1, 2, 2, 0, 1), (1, 1, 1, 1, 1, 2, 2, 2)]:
        case = case_of(*sizes)
        check(vit, *case).equals(
            right(*case), about="one patch, no block", edge=True, rtol=1e-3, atol=1e-4)
    case = case_of(2, 1, 2, 2, 4, 4, 1, 2)
    case = 200 * case[0], *case[1:]
    check(vit, *case).equals(right(*case), about="bright pictures", edge=True, rtol=1e-3, atol=1e-3)
    case = case_of(2, 2, 2, 4, 2, 4, 2, 2, torch.float64)
    check(vit, *case).equals(right(*case), about="float64 stays", edge=True, rtol=1e-9, atol=1e-10)
    check(vit, *case[:2], 1, case[3]).equals(
        right(*case[:2], 1, case[3]), about="fewer blocks than there are weights for", edge=True, rtol=1e-9, atol=1e-10,
        near={"all blocks were used: `num_layers` of them are": right(*case)})
    more = case[1] | {"head.weight": draw(3, 4, dtype=torch.float64), "norms": case[1]["cls"]}
    check(vit, case[0], more, *case[2:]).equals(
        right(*case), about="other names beside", edge=True, rtol=1e-9, atol=1e-10)
    case = case_of(2, 1, 2, 4, 4, 4, 2, 2, torch.float64)
    check(slopes, vit, *case).equals(
        golden(right, *case), about="gradients of a ViT", rtol=1e-5, atol=1e-7, near={cut: RuntimeError})
    check.mistakes({}, vit)  # whoever fails here alone has a limit somewhere, and no name of one mistake would be cheap
    for sizes in [(70, 1, 1, 1, 2, 4, 1, 2), (1, 1, 1, 1, 2, 70, 1, 70), (1, 1, 1, 1, 2, 3, 66, 1)]:
        case = case_of(*sizes, torch.float64)
        check(vit, *case).equals(right(*case), about="many pictures, heads, blocks", edge=True, rtol=1e-4, atol=1e-6)
    ### END HIDDEN TESTS


score
