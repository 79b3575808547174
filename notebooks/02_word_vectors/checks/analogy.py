from helpers.checks import graded


@graded("analogy", points=6)
def score(check):
    import numpy as np

    plain = "these are the largest dot products; cosines do not ask for length"
    itself, given = "a word is not its own neighbour", "a, b and c cannot be answers"
    signs, hats = "the signs are exchanged: it is b - a + c", "each vector gets length 1 before the sum"
    shift = "the numbers shift when the word's own row is deleted: they are rows of all vectors"
    not_c, not_ab = "c cannot be the answer, either", "a and b cannot be answers, either"
    not_a, not_b = "a cannot be the answer, either", "b cannot be the answer, either"
    beyond = "a, b and c may lie beyond the first so many rows: only answers may not"
    fan = np.array([[4.0, 3], [0.5, 3], [-2, 1], [-0.5, -0.5], [2, 2], [3, -1]])
    check(nearest_rows, fan, 1, 4).equals(
        [4, 0, 2, 5], near={itself: [1, 4, 0, 2], plain: [0, 4, 2, 5], shift: [3, 0, 1, 4],
                            "the farthest came; the nearest first": [3, 5, 2, 0],
                            "the order is turned round: the nearest first": [5, 2, 0, 4],
                            "the shortest distance came; the largest cosine is asked": [4, 2, 0, 3]}, dtype="i"
    )
    plural = np.array([[1.0, 0], [0.8, 0.6], [0, 1], [-0.28, 0.96], [0.6, 0.8]])
    check(answer_analogies, plural, np.array([[0, 1, 2]])).equals([3], near={given: [2], not_c: [2]}, dtype="i")
    grid = np.array([[2.0, 1, -1], [0, -2, -1], [-2, 0, -1], [3, 1, 2], [3, 1, 0], [-1, 0, 1], [2, -1, -2], [-1, 3, 3]])
    questions = np.array([[4, 3, 0], [2, 4, 6], [0, 3, 1], [2, 3, 0]])
    check(answer_analogies, grid, questions).equals(
        [6, 0, 5, 4], near={given: [4, 4, 1, 4], not_ab: [4, 4, 5, 4], not_c: [0, 0, 1, 4], not_a: [4, 0, 5, 4],
                            not_b: [3, 4, 5, 4], signs: [6, 1, 6, 1], hats: [7, 0, 5, 4],
                            "a is subtracted": [6, 0, 4, 4],
                            "nothing was scaled: these are plain dot products": [7, 3, 4, 4],
                            "this is the nearest neighbour of c: b - a is added to it": [6, 0, 6, 4]}
    )
    check(answer_analogies, grid, questions, among=6).equals(
        [1, 0, 5, 4], near={"among was not heeded": [6, 0, 5, 4], given: [4, 4, 1, 4], beyond: IndexError,
                            "among keeps the first so many rows, this is one fewer": [1, 0, 2, 4],
                            "this is the nearest neighbour of c: b - a is added to it": [1, 0, 2, 4]}
    )


score
