from helpers.checks import graded


@graded("analogy", points=6)
def score(check):
    import numpy as np

    plain = "these are the largest dot products; cosines do not ask for length"
    itself, given = "a word is not its own neighbour", "a, b and c cannot be answers"
    signs, hats = "the signs are exchanged: it is b - a + c", "each vector gets length 1 before the sum"
    shift = "the numbers shift when the word's own row is deleted: they are rows of all vectors"
    beyond = "a, b and c may lie beyond the first so many rows: only answers may not"
    fan = np.array([[1.0, 0], [9, 9], [2, 0.2], [0, 1], [0.5, 0.3]])
    check(nearest_rows, fan, 0, 3).equals(
        [2, 4, 1], near={itself: [0, 2, 4], plain: [1, 2, 4], "the farthest came; the nearest first": [3, 1, 4],
                         "the shortest distance came; the largest cosine is asked": [4, 2, 3], shift: [1, 3, 0]},
    )
    plural = np.array([[1.0, 0], [0.8, 0.6], [0, 1], [-0.28, 0.96], [0.6, 0.8]])
    check(answer_analogies, plural, np.array([[0, 1, 2]])).equals([3], near={signs: [4], given: [2]})
    grid = np.array(
        [[1.0, 0, 0.2], [0, 1, 0.2], [4, 0.4, 4], [0, 3, 2.5], [2, 2, 0.5], [0.3, 0.1, 0.9], [0.1, 0.9, 0.4]]
    )
    check(answer_analogies, grid, np.array([[0, 1, 2], [1, 0, 3]])).equals(
        [3, 2], near={hats: [5, 6], signs: [5, 6], "a is subtracted": [4, 6],
                        "this is the nearest neighbour of c: b - a is added to it": [5, 6]}
    )
    check(answer_analogies, grid, np.array([[3, 0, 6]])).equals([4], near={given: [0]})
    check(answer_analogies, grid, np.array([[3, 0, 6]]), among=4).equals(
        [2], near={"among was not heeded": [4], given: [0], beyond: IndexError}
    )


score
