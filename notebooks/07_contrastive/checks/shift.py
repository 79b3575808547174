from helpers.checks import graded


@graded("shift", points=4)
def score(check):
    import torch

    half_around = "what leaves on the upper or left side came back on the other: there, too, zeros come in"
    around = "what leaves on one side came back on the other: it is lost, and zeros come in"
    opposite = "moved the other way: down and right are above 0"
    exchanged = "down and right are exchanged: down moves rows"
    first = "all images were moved by the first one's numbers"
    edge_kept = "the border was repeated: zeros come in"
    nothing_moves = "a shift of 0 made all black, as [0:] does in the branch for those below 0: it moves nothing"
    other_side = "below 0 the wrong part became zeros: [:n] with n below 0 is all but the last ones"
    only_right = "rows did not move: down is missing"
    only_down = "columns did not move: right is missing"
    images = torch.tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [1.0, 2.0, 3.0]]])
    check(shift, images, torch.tensor([0, 1]), torch.tensor([1, -2])).equals(
        [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]], near={
            around: [[[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]], [[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]]],
            half_around: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [9.0, 7.0, 8.0]]],
            opposite: [[[2.0, 3.0, 0.0], [5.0, 6.0, 0.0]], [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]],
            exchanged: [[[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]],
            nothing_moves: [[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]],
            other_side: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 0.0, 0.0], [0.0, 7.0, 8.0]]],
            first: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[0.0, 7.0, 8.0], [0.0, 1.0, 2.0]]],
            edge_kept: [[[1.0, 1.0, 2.0], [4.0, 4.0, 5.0]], [[9.0, 9.0, 9.0], [9.0, 9.0, 9.0]]],
            only_right: [[[0.0, 1.0, 2.0], [0.0, 4.0, 5.0]], [[9.0, 0.0, 0.0], [3.0, 0.0, 0.0]]],
            only_down: [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.0, 0.0, 0.0], [7.0, 8.0, 9.0]]],
        }
    )


score
