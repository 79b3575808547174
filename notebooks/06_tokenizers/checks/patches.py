from helpers.checks import graded


@graded("patches", points=4)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "H splits into (H / size, size) and W likewise: which patch first, then the place in it": {
            1: [[[1, 4, 9, 6], [2, 0, 8, 4], [3, 1, 7, 5], [5, 8, 5, 2], [6, 2, 4, 6], [7, 3, 3, 7]]],
            2: [[[[1, 3, 0, 2, 4, 1], [9, 7, 4, 8, 6, 5], [5, 7, 2, 6, 8, 3], [5, 3, 6, 4, 2, 7]]]],
            3: [[[1, 3, 5, 7, 9, 11, 13, 15], [2, 4, 6, 8, 10, 12, 14, 16]]],
            4: [[[[1, 3, 2, 4], [5, 7, 6, 8]], [[9, 11, 10, 12], [13, 15, 14, 16]]]],
        },
        "H splits into (H / size, size) and W likewise: which patch first, then the place in it, before the axes are ordered": {
            1: [[[1, 2, 3, 5], [6, 7, 4, 0], [1, 8, 2, 3], [9, 8, 7, 5], [4, 3, 6, 4], [5, 2, 6, 7]]],
            3: [[[1, 2, 9, 10, 3, 4, 11, 12], [5, 6, 13, 14, 7, 8, 15, 16]]],
        },
        "the rows of the image were cut, not square patches: a reshape alone cannot do it": {
            1: [[[1, 2, 3, 4], [0, 1, 5, 6], [7, 8, 2, 3], [9, 8, 7, 6], [4, 5, 5, 4], [3, 2, 6, 7]]],
            2: [[[[1, 2, 5, 6, 3, 4], [7, 8, 0, 1, 2, 3], [9, 8, 5, 4, 7, 6], [3, 2, 4, 5, 6, 7]]]],
            3: [[[1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16]]],
            4: [[[[1, 2, 5, 6], [9, 10, 13, 14]], [[3, 4, 7, 8], [11, 12, 15, 16]]]],
        },
        "the patches go row by row, here they go column by column": {
            1: [[[1, 2, 5, 6], [9, 8, 5, 4], [3, 4, 7, 8], [7, 6, 3, 2], [0, 1, 2, 3], [4, 5, 6, 7]]],
            2: [[[[1, 2, 0, 1, 7, 6], [5, 6, 2, 3, 3, 2], [3, 4, 9, 8, 4, 5], [7, 8, 5, 4, 6, 7]]]],
        },
        "inside a patch its rows come first: here it is turned round": {
            1: [[[1, 5, 2, 6], [3, 7, 4, 8], [0, 2, 1, 3], [9, 5, 8, 4], [7, 3, 6, 2], [4, 6, 5, 7]]],
            2: [[[[1, 5, 3, 7, 0, 2], [2, 6, 4, 8, 1, 3], [9, 5, 7, 3, 4, 6], [8, 4, 6, 2, 5, 7]]]],
            3: [[[1, 5, 2, 6, 9, 13, 10, 14], [3, 7, 4, 8, 11, 15, 12, 16]]],
            4: [[[[1, 5, 3, 7], [2, 6, 4, 8]], [[9, 13, 11, 15], [10, 14, 12, 16]]]],
        },
        "there are height / size rows of patches, and width / size patches in each: here it is turned round": {
            1: [[[1, 2, 0, 1], [3, 4, 5, 6], [7, 8, 9, 8], [2, 3, 7, 6], [4, 5, 3, 2], [5, 4, 6, 7]]],
            2: [[[[1, 2, 3, 4, 5, 6], [7, 8, 0, 1, 9, 8], [2, 3, 5, 4, 7, 6], [4, 5, 3, 2, 6, 7]]]],
            3: [[[1, 2, 3, 4, 9, 10, 11, 12], [5, 6, 7, 8, 13, 14, 15, 16]]],
            4: [[[[1, 2, 5, 6], [3, 4, 7, 8]], [[9, 10, 13, 14], [11, 12, 15, 16]]]],
        },
        "F.unfold gives (B, numbers, patches): the last two axes are exchanged": {
            1: [[[1, 3, 0, 9, 7, 4], [2, 4, 1, 8, 6, 5], [5, 7, 2, 5, 3, 6], [6, 8, 3, 4, 2, 7]]],
            3: [[[1, 3], [2, 4], [5, 7], [6, 8], [9, 11], [10, 12], [13, 15], [14, 16]]],
        },
        "the patches overlap: the stride is the size": {
            1: [[[1, 2, 5, 6], [2, 3, 6, 7], [3, 4, 7, 8], [4, 0, 8, 2], [0, 1, 2, 3], [5, 6, 9, 8], [6, 7, 8, 7],
              [7, 8, 7, 6], [8, 2, 6, 4], [2, 3, 4, 5], [9, 8, 5, 4], [8, 7, 4, 3], [7, 6, 3, 2], [6, 4, 2, 6],
              [4, 5, 6, 7]]],
            3: [[[1, 2, 5, 6, 9, 10, 13, 14], [2, 3, 6, 7, 10, 11, 14, 15], [3, 4, 7, 8, 11, 12, 15, 16]]],
        },
        "each patch is to be one flat row": {
            1: [[[[[1, 2], [5, 6]]], [[[3, 4], [7, 8]]], [[[0, 1], [2, 3]]], [[[9, 8], [5, 4]]],
              [[[7, 6], [3, 2]]], [[[4, 5], [6, 7]]]]],
            3: [[[[[1, 2], [5, 6]], [[9, 10], [13, 14]]], [[[3, 4], [7, 8]], [[11, 12], [15, 16]]]]],
        },
        "the batch was lost: its axis comes first": {
            1: [[1, 2, 5, 6], [3, 4, 7, 8], [0, 1, 2, 3], [9, 8, 5, 4], [7, 6, 3, 2], [4, 5, 6, 7]],
            3: [[1, 2, 5, 6, 9, 10, 13, 14], [3, 4, 7, 8, 11, 12, 15, 16]],
        },
        "rows and columns of the patches have axes of their own: flatten them to one": {
            1: [[[[1, 2, 5, 6], [3, 4, 7, 8], [0, 1, 2, 3]], [[9, 8, 5, 4], [7, 6, 3, 2], [4, 5, 6, 7]]]],
            3: [[[[1, 2, 5, 6, 9, 10, 13, 14], [3, 4, 7, 8, 11, 12, 15, 16]]]],
        },
        "the axes go B, C, row of patches, row, column of patches, column: here both of the patches come first": {
            2: [[[[1, 2, 5, 6, 3, 4], [7, 8, 0, 1, 2, 3], [9, 8, 5, 4, 7, 6], [3, 2, 4, 5, 6, 7]]]],
            4: [[[[1, 2, 5, 6], [3, 4, 7, 8]], [[9, 10, 13, 14], [11, 12, 15, 16]]]],
        },
        "rows and columns of patches changed places: C, row of patches, row, column of patches, column": {
            2: [[[[1, 2, 9, 8, 5, 6], [5, 4, 3, 4, 7, 6], [7, 8, 3, 2, 0, 1], [4, 5, 2, 3, 6, 7]]]],
            4: [[[[1, 2, 5, 6], [3, 4, 7, 8]], [[9, 10, 13, 14], [11, 12, 15, 16]]]],
        },
        "height comes before width in what is returned": {
            2: [[[[1, 2, 3, 4], [0, 1, 5, 6], [7, 8, 2, 3], [9, 8, 7, 6], [4, 5, 5, 4], [3, 2, 6, 7]]]],
            4: [[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10], [11, 12], [13, 14], [15, 16]]]],
        },
        "height and width are exchanged": {
            2: [[[[1, 2, 3, 4], [5, 6, 7, 8], [0, 1, 9, 8], [2, 3, 5, 4], [7, 6, 4, 5], [3, 2, 6, 7]]]],
            4: [[[[1, 2], [5, 6], [3, 4], [7, 8]], [[9, 10], [13, 14], [11, 12], [15, 16]]]],
        },
        "the image is transposed": {
            2: [[[[1, 5, 9, 5], [2, 6, 8, 4], [3, 7, 7, 3], [4, 8, 6, 2], [0, 2, 4, 6], [1, 3, 5, 7]]]],
            4: [[[[1, 5], [2, 6], [3, 7], [4, 8]], [[9, 13], [10, 14], [11, 15], [12, 16]]]],
        },
        "the channels come second: (B, C, height, width)": {
            2: [[[[1], [2], [3], [4], [0], [1]], [[5], [6], [7], [8], [2], [3]], [[9], [8], [7], [6], [4], [5]],
              [[5], [4], [3], [2], [6], [7]]]],
            4: [[[[1, 9], [2, 10], [3, 11], [4, 12]], [[5, 13], [6, 14], [7, 15], [8, 16]]]],
        },
        "the axes go B, row of patches, column of patches, C, row, column: here C stands too early": {
            3: [[[1, 2, 5, 6, 3, 4, 7, 8], [9, 10, 13, 14, 11, 12, 15, 16]]],
        },
        "a row holds all channels of a patch: C * size * size numbers": {
            3: [[[1, 2, 5, 6], [9, 10, 13, 14], [3, 4, 7, 8], [11, 12, 15, 16]]],
        },
        "the channels come first inside a patch, here they come last": {
            3: [[[1, 9, 2, 10, 5, 13, 6, 14], [3, 11, 4, 12, 7, 15, 8, 16]]],
            4: [[[[1, 5, 3, 7], [9, 13, 11, 15]], [[2, 6, 4, 8], [10, 14, 12, 16]]]],
        },
        "each channel gave patches of its own": {
            3: [[[1, 2, 5, 6, 3, 4, 7, 8], [9, 10, 13, 14, 11, 12, 15, 16]]],
        },
        "each channel has patches of its own here: they lie inside each patch": {
            4: [[[[1, 2, 9, 10], [5, 6, 13, 14]], [[3, 4, 11, 12], [7, 8, 15, 16]]]],
        },
    })
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


score
