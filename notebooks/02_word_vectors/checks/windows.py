from helpers.checks import graded


@graded("windows", points=7)
def score(check):
    import numpy as np
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a window does not reach into another text: put -1 there": {
            1: [[-1, 7], [5, 9], [7, 4], [9, -1]],
        },
        "to the right, too, a window does not reach into another text": {
            1: [[-1, 7], [5, 9], [-1, 4], [-1, -1]],
        },
        "to the left, too, a window does not reach into another text": {
            1: [[-1, 7], [5, -1], [7, -1], [9, -1]],
        },
        "the numbers of the texts are in no order: two positions belong to one text if their numbers are equal": {
            1: [[-1, 7], [5, 9], [7, -1], [-1, -1]],
        },
        "the numbers of the texts are in no order: a search for their bounds fails": {
            1: [[-1, -1], [-1, -1], [7, -1], [-1, -1]],
        },
        "the first and the last R positions have context, too": {
            1: [[-1, -1], [5, -1], [-1, -1], [-1, -1]],
            2: [[-1, -1, -1, -1], [-1, -1, -1, -1], [-1, -1, -1, -1], [-1, -1, -1, -1]],
        },
        "beyond the ends there is no word: put -1, do not go around to the other end, nor into another text": {
            1: [[4, 7], [5, 9], [7, 4], [9, 5]],
            2: [[4, 3, 0, 4], [3, 3, 4, 3], [3, 0, 3, 3], [0, 4, 3, 0]],
        },
        "beyond the ends the first or last word came again (positions clipped): put -1 there": {
            1: [[5, 7], [5, -1], [-1, -1], [-1, 4]],
            2: [[3, 3, 0, 4], [3, 3, 4, 3], [3, 0, 3, 3], [0, 4, 3, 3]],
        },
        "a word is not its own context: leave offset 0 out": {
            1: [[-1, 5, 7], [5, 7, -1], [-1, 9, -1], [-1, 4, -1]],
            2: [[-1, -1, 3, 0, 4], [-1, 3, 0, 4, 3], [3, 0, 4, 3, -1], [0, 4, 3, -1, -1]],
        },
        "the filler is -1: 0 is a word": {
            1: [[0, 7], [5, 0], [0, 0], [0, 0]],
            2: [[0, 0, 0, 4], [0, 3, 4, 3], [3, 0, 3, 0], [0, 4, 0, 0]],
        },
        "the columns go from left to right, not from right to left": {
            1: [[7, -1], [-1, 5], [-1, -1], [-1, -1]],
            2: [[4, 0, -1, -1], [3, 4, 3, -1], [-1, 3, 0, 3], [-1, -1, 4, 0]],
        },
        "the right side comes first; the left one should": {
            1: [[7, -1], [-1, 5], [-1, -1], [-1, -1]],
            2: [[0, 4, -1, -1], [4, 3, -1, 3], [3, -1, 3, 0], [-1, -1, 0, 4]],
        },
        "the window reaches R positions to either side, not R - 1": {
            1: [[], [], [], []],
            2: [[-1, 0], [3, 4], [0, 3], [4, -1]],
        },
        "the window reaches R positions to either side, not R in all": {
            1: [[], [], [], []],
            2: [[-1, 0], [3, 4], [0, 3], [4, -1]],
        },
        "the left side is missing": {
            1: [[7], [-1], [-1], [-1]],
            2: [[0, 4], [4, 3], [3, -1], [-1, -1]],
        },
        "the right side is missing": {
            1: [[-1], [5], [-1], [-1]],
            2: [[-1, -1], [-1, 3], [3, 0], [0, 4]],
        },
        "the right side ends one position too early": {
            1: [[-1], [5], [-1], [-1]],
            2: [[-1, -1, 0], [-1, 3, 4], [3, 0, 3], [0, 4, -1]],
        },
        "these are positions; their words are asked for": {
            1: [[-1, 1], [0, -1], [-1, -1], [-1, -1]],
            2: [[-1, -1, 1, 2], [-1, 0, 2, 3], [0, 1, 3, -1], [1, 2, -1, -1]],
        },
        "the missing ones are at the end of the row: each column is one offset": {
            1: [[7, -1], [5, -1], [-1, -1], [-1, -1]],
            2: [[0, 4, -1, -1], [3, 4, 3, -1], [3, 0, 3, -1], [0, 4, -1, -1]],
            3: [],
        },
        "a side of the window that is cut short keeps the words that it has": {
            2: [[-1, -1, 0, 4], [-1, -1, 4, 3], [3, 0, -1, -1], [0, 4, -1, -1]],
        },
        "beyond the ends there is no word: put -1, do not go around to the other end": {
            2: [[4, 3, 0, 4], [3, 3, 4, 3], [3, 0, 3, 3], [0, 4, 3, 0]],
        },
        "beyond the left end there is no word: a negative index counts from the end": {
            2: [[4, 3, 0, 4], [3, 3, 4, 3], [3, 0, 3, -1], [0, 4, -1, -1]],
        },
        "0 is a word: only what is missing becomes -1": {
            2: [[-1, -1, -1, 4], [-1, 3, 4, 3], [3, -1, 3, -1], [-1, 4, -1, -1]],
        },
        "the columns go from left to right: -R, ..., -1, +1, ..., +R": {
            2: [[-1, 0, -1, 4], [3, 4, -1, 3], [0, 3, 3, -1], [4, -1, 0, -1]],
        },
        "the left half goes from far to near: -R comes first": {
            2: [[-1, -1, 0, 4], [3, -1, 4, 3], [0, 3, 3, -1], [4, 0, -1, -1]],
        },
        "the right half goes from near to far: +R comes last": {
            2: [[-1, -1, 4, 0], [-1, 3, 3, 4], [3, 0, -1, 3], [0, 4, -1, -1]],
        },
        "one row for each pair: shape (P, 2)": {
            4: [],
            5: [[5, 7, 7, 9], [7, 5, 9, 7]],
            6: [[3, 3, 3, 0, 0], [3, 0, 3, 3, 4]],
        },
        "-1 is no word: leave those pairs out": {
            4: [[5, -1], [5, -1]],
            5: [[5, -1], [5, 7], [7, 5], [7, 9], [9, 7], [9, -1]],
            6: [[3, -1], [3, 3], [3, 0], [3, 3], [0, -1], [0, 3], [0, 4], [0, -1]],
        },
        "0 is a word: only -1 is left out": {
            4: [],
            6: [[3, 3], [3, 3], [0, 3], [0, 4]],
        },
        "the pairs go position after position; here they go offset after offset": {
            4: [],
            5: [[7, 5], [9, 7], [5, 7], [7, 9]],
            6: [[3, 3], [0, 3], [3, 0], [0, 4], [3, 3]],
        },
        "a pair that occurs twice stays twice": {
            4: [],
            6: [[3, 3], [3, 0], [0, 3], [0, 4]],
        },
        "the order is that of the text: do not sort": {
            4: [],
            6: [[0, 3], [0, 4], [3, 0], [3, 3], [3, 3]],
        },
        "the centre is a word id, not its position": {
            4: [],
            5: [[0, 7], [1, 5], [1, 9], [2, 7]],
            6: [[0, 3], [0, 0], [0, 3], [1, 3], [1, 4]],
        },
        "each pair was taken in one direction only": {
            4: [],
            5: [[5, 7], [7, 9]],
            6: [[0, 3], [0, 4]],
        },
        "the context goes on after a -1": {
            4: [],
            5: [[7, 5], [7, 9], [9, 7]],
            6: [],
        },
        "only the first position's pairs are there: is the return inside the loop?": {
            4: [],
            5: [[5, 7]],
            6: [[3, 3], [3, 0], [3, 3]],
        },
        "a word may meet itself at another position: only -1 is left out": {
            4: [],
            6: [[3, 0], [0, 3], [0, 4]],
        },
        "centre and context are exchanged: the centre comes first": {
            5: [[7, 5], [5, 7], [9, 7], [7, 9]],
            6: [[3, 3], [0, 3], [3, 3], [3, 0], [4, 0]],
        },
        "the text was repeated as a whole (np.tile); each centre stands for 2R entries in a row (np.repeat)": {
            5: [[7, 7], [9, 5], [5, 9], [7, 7]],
            6: [[0, 3], [3, 0], [0, 3], [0, 3], [3, 4]],
        },
    })
    check(context_windows, np.array([5, 7, 9, 4]), np.array([3, 3, 1, 2]), 1).equals(
        [[-1, 7], [5, -1], [-1, -1], [-1, -1]], dtype="i",
    )
    check(context_windows, np.array([3, 0, 4, 3]), np.array([2, 2, 2, 2]), 2).equals(
        [[-1, -1, 0, 4], [-1, 3, 4, 3], [3, 0, 3, -1], [0, 4, -1, -1]], dtype="i",
    )
    none = np.zeros(0, dtype=int)
    check(context_windows, none, none, 2).equals(
        np.zeros((0, 4)), dtype="i", about="a text without words", edge=True,
        near={"a text without words gives shape (0, 2 * reach)": np.zeros(0)},
    )
    check(skip_gram_pairs, np.array([5]), np.array([[-1, -1]])).equals(
        np.zeros((0, 2)), dtype="i", about="no pairs", edge=True, near={"no pairs give shape (0, 2)": np.zeros(0)}
    )
    check(skip_gram_pairs, np.array([5, 7, 9]), np.array([[-1, 7], [5, 9], [7, -1]])).equals(
        [[5, 7], [7, 5], [7, 9], [9, 7]], dtype="i",
    )
    check(skip_gram_pairs, np.array([3, 0]), np.array([[-1, 3, 0, 3], [-1, 3, 4, -1]])).equals(
        [[3, 3], [3, 0], [3, 3], [0, 3], [0, 4]], dtype="i",
    )


score
