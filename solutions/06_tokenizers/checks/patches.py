from helpers.checks import graded


@graded("patches", points=4)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    rows = "the rows of the image were cut, not square patches: a reshape alone cannot do it"
    columns = "the patches go row by row, here they go column by column"
    turned = "inside a patch its rows come first: here it is turned round"
    grid = "there are height / size rows of patches, and width / size patches in each: here it is turned round"
    last = "the channels come first inside a patch, here they come last"

    def axes(order, last=lambda t, B, C, s: t.reshape(B, -1, C * s * s)):
        def function(images, s):
            B, C, H, W = images.shape
            return last(images.reshape(B, C, H // s, s, W // s, s).permute(order), B, C, s)

        return function

    def mixed(images, s):
        B, C, H, W = images.shape
        split = images.reshape(B, C, W // s, s, H // s, s)
        return split.permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * s * s)

    def inside_first(order):
        """H and W are split the wrong way round: (size, H // size)."""

        def function(images, s):
            B, C, H, W = images.shape
            split = images.reshape(B, C, s, H // s, s, W // s)
            return split.permute(order).reshape(B, -1, C * s * s)

        return function

    halves = "H splits into (H / size, size) and W likewise: which patch first, then the place in it"
    check.mistakes({
        halves: inside_first((0, 3, 5, 1, 2, 4)),
        f"{halves}, before the axes are ordered": inside_first((0, 2, 4, 1, 3, 5)),
        "the axes go B, row of patches, column of patches, C, row, column: here C stands too early":
            axes((0, 2, 1, 4, 3, 5)),
        "a row holds all channels of a patch: C * size * size numbers":
            axes((0, 2, 4, 1, 3, 5), lambda t, B, C, s: t.reshape(B, -1, s * s)),
        rows: lambda x, s: x.reshape(x.shape[0], -1, x.shape[1] * s * s),
        columns: axes((0, 4, 2, 1, 3, 5)),
        turned: axes((0, 2, 4, 1, 5, 3)),
        last: axes((0, 2, 4, 3, 5, 1)),
        grid: mixed,
        "only the first image of the batch was cut": lambda x, s: axes((0, 2, 4, 1, 3, 5))(x[:1], s),
        "each channel gave patches of its own": axes((0, 1, 2, 4, 3, 5)),
        "F.unfold gives (B, numbers, patches): the last two axes are exchanged":
            lambda x, s: F.unfold(x.float(), s, stride=s).to(x.dtype),
        "the patches overlap: the stride is the size": lambda x, s: F.unfold(x.float(), s).mT.to(x.dtype),
        "each patch is to be one flat row": axes((0, 2, 4, 1, 3, 5), lambda t, B, C, s: t.reshape(B, -1, C, s, s)),
        "the batch was lost: its axis comes first":
            axes((0, 2, 4, 1, 3, 5), lambda t, B, C, s: t.reshape(-1, C * s * s)),
        "rows and columns of the patches have axes of their own: flatten them to one":
            axes((0, 2, 4, 1, 3, 5), lambda t, B, C, s: t.flatten(3)),
    }, to_patches)

    def back(order, shape=lambda B, h, w, s: (B, h, w, -1, s, s), swap=False):
        def function(patches, s, height, width):
            B = patches.shape[0]
            height, width = (width, height) if swap else (height, width)
            split = patches.reshape(shape(B, height // s, width // s, s))
            return split.permute(order).reshape(B, -1, height, width)

        return function

    check.mistakes({
        rows: lambda p, s, h, w: p.reshape(p.shape[0], -1, h, w),
        columns: back((0, 3, 2, 4, 1, 5), lambda B, h, w, s: (B, w, h, -1, s, s)),
        grid: back((0, 3, 1, 4, 2, 5), lambda B, h, w, s: (B, w, h, -1, s, s)),
        halves: back((0, 3, 4, 1, 5, 2)),
        "the axes go B, C, row of patches, row, column of patches, column: here both of the patches come first":
            back((0, 3, 1, 2, 4, 5)),
        "rows and columns of patches changed places: C, row of patches, row, column of patches, column":
            back((0, 3, 2, 4, 1, 5)),
        "height comes before width in what is returned":
            lambda p, s, h, w: back((0, 3, 1, 4, 2, 5))(p, s, h, w).reshape(len(p), -1, w, h),
        "each channel has patches of its own here: they lie inside each patch":
            back((0, 1, 2, 4, 3, 5), lambda B, h, w, s: (B, -1, h, w, s, s)),
        "only the first image of the batch came back": lambda p, s, h, w: back((0, 3, 1, 4, 2, 5))(p[:1], s, h, w),
        turned: back((0, 3, 1, 5, 2, 4)),
        last: back((0, 5, 1, 3, 2, 4), lambda B, h, w, s: (B, h, w, s, s, -1)),
        "height and width are exchanged": back((0, 3, 1, 4, 2, 5), swap=True),
        "the image is transposed": lambda p, s, h, w: back((0, 3, 1, 4, 2, 5))(p, s, h, w).mT,
        "the channels come second: (B, C, height, width)":
            lambda p, s, h, w: back((0, 3, 1, 4, 2, 5))(p, s, h, w).permute(0, 2, 3, 1),
    }, from_patches)
    ### END MISTAKES
    image = torch.tensor([[[[1, 2, 3, 4, 0, 1], [5, 6, 7, 8, 2, 3], [9, 8, 7, 6, 4, 5], [5, 4, 3, 2, 6, 7]]]])
    cut = [[[1, 2, 5, 6], [3, 4, 7, 8], [0, 1, 2, 3], [9, 8, 5, 4], [7, 6, 3, 2], [4, 5, 6, 7]]]
    check(to_patches, image, 2).equals(cut)
    check(from_patches, torch.tensor(cut), 2, 4, 6).equals(image)
    image = torch.arange(1, 17).view(1, 2, 2, 4)
    cut = [[[1, 2, 5, 6, 9, 10, 13, 14], [3, 4, 7, 8, 11, 12, 15, 16]]]
    in_patches = check(to_patches, image, 2).equals(cut, about="two channels")
    in_images = check(from_patches, torch.tensor(cut), 2, 2, 4).equals(image, about="two channels")
    narrow = "float64 came in, float32 came out: the dtype stays"
    smaller = "float64 came in, 16 bits came out: the dtype stays"
    no_gradient = {"the gradient was cut: no .detach(), no torch.no_grad(), no NumPy on the way": RuntimeError}

    def is_64_bits(value):
        return value.dtype == torch.float64

    def is_32(value):
        return value.dtype == torch.float32

    def is_16(value):
        return value.dtype in (torch.float16, torch.bfloat16)

    for case, function, given in [(in_patches, to_patches, (image.double(), 2)),
                                  (in_images, from_patches, (torch.tensor(cut).double(), 2, 2, 4))]:
        check(function, *given).holds(is_64_bits, "a tensor of torch.float64", about="the dtype stays", edge=True,
                                      near={narrow: is_32, smaller: is_16})
        check(slopes, function, *given).equals(
            [2 * given[0]], about="gradients", edge=True, near=no_gradient if case.passed else {})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    floats = "integers came in, floats came out: the dtype stays"
    wider = "uint8 came in, int64 came out: the dtype stays"
    rounded = "the numbers went through a narrower dtype on the way and lost digits: move them as they are"

    def is_64(value):
        return value.dtype == torch.int64

    def is_float(value):
        return value.dtype.is_floating_point

    def nearly(value, right, dtype):
        return value.dtype == dtype and torch.allclose(value.double(), right.double(), rtol=1e-2)

    shapes = [(2, 3, 4, 6, 2), (3, 1, 6, 3, 3), (2, 2, 8, 4, 4), (1, 3, 4, 8, 2)]
    images = {shape: torch.from_numpy(check.rng.normal(size=shape[:4])).float() for shape in shapes}
    images[2, 3, 4, 6, 2] *= 100
    for shape, x in images.items():
        size = shape[4]
        check(to_patches, x, size).equals(F.unfold(x, size, stride=size).mT, about="fresh images")
    whole_numbers = torch.from_numpy(check.rng.integers(0, 256, size=(2, 3, 4, 6))).to(torch.uint8)
    whole = F.unfold(whole_numbers.float(), 2, stride=2).mT
    check(to_patches, whole_numbers, 2).holds(
        lambda v: v.dtype == torch.uint8 and torch.equal(v, whole.to(torch.uint8)), "a tensor of torch.uint8",
        about="the dtype stays", edge=True, near={floats: is_float, wider: is_64})
    large = torch.from_numpy(check.rng.integers(2**54, 2**60, size=(2, 3, 4, 6))) | 1
    cut_large = torch.stack([
        large[:, :, i : i + 2, j : j + 2].flatten(1) for i in range(0, 4, 2) for j in range(0, 6, 2)], 1)
    check(to_patches, large, 2).holds(
        lambda v: v.dtype == torch.int64 and torch.equal(v, cut_large), "a tensor of torch.int64",
        about="large integers", edge=True, near={
            floats: is_float, rounded: lambda v: nearly(v, cut_large, torch.int64)})
    fine = torch.from_numpy(check.rng.normal(size=(2, 3, 4, 6)))
    cut_fine = F.unfold(fine, 2, stride=2).mT
    check(to_patches, fine, 2).holds(
        lambda v: v.dtype == torch.float64 and torch.equal(v, cut_fine), "a tensor of torch.float64",
        about="float64 stays", edge=True, near={
            narrow: is_32, smaller: is_16, rounded: lambda v: nearly(v, cut_fine, torch.float64)})
    images[1, 1, 5, 5, 5] = torch.from_numpy(check.rng.normal(size=(1, 1, 5, 5))).float()
    images[70, 1, 2, 4, 2] = torch.from_numpy(check.rng.normal(size=(70, 1, 2, 4))).float()
    images[1, 1, 70, 140, 70] = torch.from_numpy(check.rng.normal(size=(1, 1, 70, 140))).float()
    for shape in list(images)[-3:]:
        check(to_patches, images[shape], shape[4]).equals(
            F.unfold(images[shape], shape[4], stride=shape[4]).mT, about="one patch, many images, large patches")
    weights = torch.arange(1.0, 3).view(2, 1, 1, 1)  # the first image of a batch counts once, the second twice
    check(slopes, to_patches, fine[:, :1], 2).equals(
        [2 * weights * fine[:, :1]], about="gradients", edge=True, near=no_gradient)
    turned_view = whole_numbers.float().mT
    check(to_patches, turned_view, 2).equals(F.unfold(turned_view, 2, stride=2).mT, about="a transposed view")
    for shape, x in images.items():
        size, (H, W) = shape[4], shape[2:4]
        check(from_patches, F.unfold(x, size, stride=size).mT, size, H, W).equals(x, about="without loss")
    check(from_patches, whole.to(torch.uint8), 2, 4, 6).holds(
        lambda v: v.dtype == torch.uint8 and torch.equal(v, whole_numbers), "a tensor of torch.uint8",
        about="the dtype stays", edge=True, near={floats: is_float, wider: is_64})
    check(from_patches, cut_fine, 2, 4, 6).holds(
        lambda v: v.dtype == torch.float64 and torch.equal(v, fine), "a tensor of torch.float64", about="float64 stays",
        edge=True, near={narrow: is_32, smaller: is_16, rounded: lambda v: nearly(v, fine, torch.float64)})
    check(from_patches, cut_large, 2, 4, 6).holds(
        lambda v: v.dtype == torch.int64 and torch.equal(v, large), "a tensor of torch.int64", about="large integers",
        edge=True, near={floats: is_float, rounded: lambda v: nearly(v, large, torch.int64)})
    check.mistakes({}, to_patches, from_patches)
    check(slopes, from_patches, cut_fine[..., :4], 2, 4, 6).equals(
        [2 * weights[..., 0] * cut_fine[..., :4]], about="gradients", edge=True, near=no_gradient)
    x = torch.arange(6.0).reshape(1, 6, 1, 1)
    check(to_patches, x, 1).equals([[[0.0, 1, 2, 3, 4, 5]]], about="patches of one pixel", edge=True)
    check(from_patches, x.reshape(1, 1, 6), 1, 1, 1).equals(x, about="patches of one pixel", edge=True)
    ### END HIDDEN TESTS


score
