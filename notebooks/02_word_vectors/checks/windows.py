from helpers.checks import graded


@graded("windows", points=7)
def score(check):
    import numpy as np

    edge = "a window does not reach into another text: put -1 there"
    wraps = "beyond the ends there is no word: put -1, do not go round to the other end"
    itself = "a word is not its own context: leave offset 0 out"
    filler = "the filler is -1: 0 is a word"
    order = "the columns go from left to right: -R, ..., -1, +1, ..., +R"
    far = "the left half goes from far to near: -R comes first"
    negative = "beyond the left end there is no word: a negative index counts from the end"
    clipped = "beyond the ends the first or last word came again (places clipped): put -1 there"
    right_text = "to the right, too, a window does not reach into another text"
    wraps_far, one_way = wraps + ", nor into another text", "each pair came in one direction only"
    check(context_windows, np.array([5, 7, 9]), np.array([0, 0, 1]), 1).equals(
        [[-1, 7], [5, -1], [-1, -1]],
        near={edge: [[-1, 7], [5, 9], [7, -1]], wraps_far: [[9, 7], [5, 9], [7, 5]], filler: [[0, 7], [5, 0], [0, 0]],
              itself: [[-1, 5, 7], [5, 7, -1], [-1, 9, -1]], clipped: [[5, 7], [5, -1], [-1, 9]],
              right_text: [[-1, 7], [5, 9], [-1, -1]]}, dtype="i",
    )
    check(context_windows, np.array([3, 0, 4, 3]), np.array([2, 2, 2, 2]), 2).equals(
        [[-1, -1, 0, 4], [-1, 3, 4, 3], [3, 0, 3, -1], [0, 4, -1, -1]],
        near={order: [[-1, 0, -1, 4], [3, 4, -1, 3], [0, 3, 3, -1], [4, -1, 0, -1]],
              wraps: [[4, 3, 0, 4], [3, 3, 4, 3], [3, 0, 3, 3], [0, 4, 3, 0]],
              wraps_far: [[4, 3, 0, 4], [3, 3, 4, 3], [3, 0, 3, 3], [0, 4, 3, 0]],
              negative: [[4, 3, 0, 4], [3, 3, 4, 3], [3, 0, 3, -1], [0, 4, -1, -1]],
              clipped: [[3, 3, 0, 4], [3, 3, 4, 3], [3, 0, 3, 3], [0, 4, 3, 3]],
              far: [[-1, -1, 0, 4], [3, -1, 4, 3], [0, 3, 3, -1], [4, 0, -1, -1]]}, dtype="i",
    )
    swapped, shape = "centre and context are exchanged: the centre comes first", "one row for each pair: shape (P, 2)"
    tiled = "the text was repeated as a whole (np.tile); each centre stands for 2R entries in a row (np.repeat)"
    twice = "a pair that comes twice stays twice"
    another = "a word may meet itself at another place: only -1 is left out"
    gap, first = "the context goes on after a -1", "only the first place's pairs came: is the return inside the loop?"
    check(skip_gram_pairs, np.array([5, 7, 9]), np.array([[-1, 7], [5, -1], [-1, -1]])).equals(
        [[5, 7], [7, 5]],
        near={"-1 is no word: leave those pairs out": [[5, -1], [5, 7], [7, 5], [7, -1], [9, -1], [9, -1]],
              tiled: [[7, 7], [9, 5]], gap: [[7, 5]], first: [[5, 7]], one_way: [[5, 7]]}, dtype="i",
    )
    check(skip_gram_pairs, np.array([3, 0]), np.array([[-1, 3, 0, 3], [-1, 3, 4, -1]])).equals(
        [[3, 3], [3, 0], [3, 3], [0, 3], [0, 4]],
        near={"0 is a word: only -1 is left out": [[3, 3], [3, 3], [0, 3], [0, 4]],
              shape: [[3, 3, 3, 0, 0], [3, 0, 3, 3, 4]], swapped: [[3, 3], [0, 3], [3, 3], [3, 0], [4, 0]],
              tiled: [[0, 3], [3, 0], [0, 3], [0, 3], [3, 4]], gap: np.zeros((0, 2)), first: [[3, 3], [3, 0], [3, 3]],
              twice: [[3, 3], [3, 0], [0, 3], [0, 4]], another: [[3, 0], [0, 3], [0, 4]],
              one_way: [[0, 3], [0, 4]]}, dtype="i",
    )


score
