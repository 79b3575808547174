from helpers.checks import graded


@graded("patches", points=4)
def score(check):
    import torch

    rows = "the rows of the image were cut, not square patches: a reshape alone cannot do it"
    columns = "the patches go row by row, here they go column by column"
    turned = "inside a patch its rows come first: here it is turned round"
    exchanged = "height and width are exchanged"
    grid = "there are height / size rows of patches, and width / size patches in each: here it is turned round"
    both_first = "the axes go B, C, row of patches, row, column of patches, column: here both of the patches come first"
    swapped = "rows and columns of patches changed places: C, row of patches, row, column of patches, column"
    early = "the axes go B, row of patches, column of patches, C, row, column: here C stands too early"
    image = torch.tensor([[[[1, 2, 3, 4, 0, 1], [5, 6, 7, 8, 2, 3], [9, 8, 7, 6, 4, 5], [5, 4, 3, 2, 6, 7]]]])
    cut = [[[1, 2, 5, 6], [3, 4, 7, 8], [0, 1, 2, 3], [9, 8, 5, 4], [7, 6, 3, 2], [4, 5, 6, 7]]]
    check(to_patches, image, 2).equals(cut, near={
        rows: [[[1, 2, 3, 4], [0, 1, 5, 6], [7, 8, 2, 3], [9, 8, 7, 6], [4, 5, 5, 4], [3, 2, 6, 7]]],
        columns: [[[1, 2, 5, 6], [9, 8, 5, 4], [3, 4, 7, 8], [7, 6, 3, 2], [0, 1, 2, 3], [4, 5, 6, 7]]],
        turned: [[[1, 5, 2, 6], [3, 7, 4, 8], [0, 2, 1, 3], [9, 5, 8, 4], [7, 3, 6, 2], [4, 6, 5, 7]]],
    })
    check(from_patches, torch.tensor(cut), 2, 4, 6).equals(image, near={
        **{words: torch.tensor(cut).reshape(1, 1, 4, 6) for words in [rows, both_first]}, exchanged: (
            torch.tensor(cut).reshape(1, 3, 2, 1, 2, 2).permute(0, 3, 1, 4, 2, 5).reshape(1, 1, 6, 4)),
        grid: torch.tensor([[[[1, 2, 3, 4, 5, 6], [7, 8, 0, 1, 9, 8], [2, 3, 5, 4, 7, 6], [4, 5, 3, 2, 6, 7]]]]),
        columns: torch.tensor([[[[1, 2, 0, 1, 7, 6], [5, 6, 2, 3, 3, 2], [3, 4, 9, 8, 4, 5], [7, 8, 5, 4, 6, 7]]]]),
        turned: torch.tensor([[[[1, 5, 3, 7, 0, 2], [2, 6, 4, 8, 1, 3], [9, 5, 7, 3, 4, 6], [8, 4, 6, 2, 5, 7]]]]),
    })
    last = "the channels come first inside a patch, here they come last"
    own = "each channel gave patches of its own"
    image = torch.arange(1, 17).view(1, 2, 2, 4)
    cut = [[[1, 2, 5, 6, 9, 10, 13, 14], [3, 4, 7, 8, 11, 12, 15, 16]]]
    in_patches = check(to_patches, image, 2).equals(cut, about="two channels", near={
        last: [[[1, 9, 2, 10, 5, 13, 6, 14], [3, 11, 4, 12, 7, 15, 8, 16]]],
        early: [[[1, 2, 5, 6, 3, 4, 7, 8], [9, 10, 13, 14, 11, 12, 15, 16]]],
        own: [[[1, 2, 5, 6, 3, 4, 7, 8], [9, 10, 13, 14, 11, 12, 15, 16]]],
        rows: [[[1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16]]],
        turned: [[[1, 5, 2, 6, 9, 13, 10, 14], [3, 7, 4, 8, 11, 15, 12, 16]]],
    })
    in_images = check(from_patches, torch.tensor(cut), 2, 2, 4).equals(image, about="two channels", near={
        last: [[[[1, 5, 3, 7], [9, 13, 11, 15]], [[2, 6, 4, 8], [10, 14, 12, 16]]]],
        rows: [[[[1, 2, 5, 6], [9, 10, 13, 14]], [[3, 4, 7, 8], [11, 12, 15, 16]]]],
        **{words: [
            [[[1, 2, 5, 6], [3, 4, 7, 8]], [[9, 10, 13, 14], [11, 12, 15, 16]]]]
            for words in [grid, both_first, swapped]},
        turned: [[[[1, 5, 3, 7], [2, 6, 4, 8]], [[9, 13, 11, 15], [10, 14, 12, 16]]]],
    })
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
