from helpers.checks import graded


@graded("shift", points=4)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "what leaves on one side came back on the other: it is lost, and zeros come in": {
            1: [[[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]], [[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]]],
        },
        "moved the other way: down and right are above 0": {
            1: [[[2.0, 3.0, 0.0], [5.0, 6.0, 0.0]], [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]],
        },
        "rows moved up where they should move down": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]],
        },
        "columns moved left where they should move right": {
            1: [[[2.0, 3.0, 0.0], [5.0, 6.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 7.0]]],
        },
        "down and right are exchanged: down moves rows": {
            1: [[[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]],
        },
        "all images were moved by the first one's numbers": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 7.0, 8.0], [0.0, 1.0, 2.0]]],
        },
        "the border was repeated: zeros come in": {
            1: [[[1.0, 1.0, 2.0], [4.0, 4.0, 5.0]], [[9.0, 9.0, 9.0], [9.0, 9.0, 9.0]]],
        },
        "rows did not move: down is missing": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[9.0, 0.0, 0.0], [3.0, 0.0, 0.0]]],
        },
        "columns did not move: right is missing": {
            1: [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.0, 0.0, 0.0], [7.0, 8.0, 9.0]]],
        },
        "the sign was dropped: below 0 it moves up and to the left": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 7.0]]],
        },
        "images that move up or to the left stayed where they were": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0]]],
        },
        "a number below 0 moved nothing: it moves up or to the left": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [7.0, 8.0, 9.0]]],
        },
        "an index below 0 counts from the end: what left on one side came back on the other": {
            1: [[[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]], [[3.0, 0.0, 0.0], [9.0, 0.0, 0.0]]],
        },
        "what leaves on the upper or left side came back on the other: there, too, zeros come in": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [9.0, 7.0, 8.0]]],
        },
        "below 0 the wrong part became zeros: [:n] with n below 0 is all but the last ones": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [0.0, 7.0, 8.0]]],
        },
        "a shift of 0 made all black, as [0:] does in the branch for those below 0: it moves nothing": {
            1: [[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]],
        },
        "what leaves on the left or right came back on the other side: there, too, zeros come in": {
            1: [[[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [9.0, 7.0, 8.0]]],
        },
        "what leaves at the top or bottom came back on the other side: there, too, zeros come in": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[3.0, 0.0, 0.0], [9.0, 0.0, 0.0]]],
        },
        "the first row and column of the image were lost: they have the index 0": {
            1: [[[0.0, 0.0, 0.0], [0.0, 0.0, 5.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]],
        },
        "the last row and column of the image were lost": {
            1: [[[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]],
        },
        "the old pixels stayed where nothing came: there zeros come in": {
            1: [[[1.0, 1.0, 2.0], [4.0, 4.0, 5.0]], [[7.0, 8.0, 9.0], [9.0, 2.0, 3.0]]],
        },
        "height and width are exchanged in the test of what is inside": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]],
        },
        "the image was mirrored at its border: zeros come in": {
            1: [[[2.0, 1.0, 2.0], [5.0, 4.0, 5.0]], [[3.0, 2.0, 1.0], [9.0, 8.0, 7.0]]],
        },
        "the image was mirrored at its border, the border twice: zeros come in": {
            1: [[[1.0, 1.0, 2.0], [4.0, 4.0, 5.0]], [[9.0, 9.0, 8.0], [9.0, 9.0, 8.0]]],
        },
        "each image moved on by what those before it had moved: each has its own numbers": {
            1: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [8.0, 9.0, 0.0]]],
        },
        "nothing moved": {
            1: [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0]]],
        },
    })
    images = torch.tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0]]])
    check(shift, images, torch.tensor([0, 1]), torch.tensor([1, -2])).equals(
        [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]])


score
