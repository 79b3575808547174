from helpers.checks import graded


@graded("analogy", points=6)
def score(check):
    import numpy as np

    beyond = "a, b and c may lie beyond the first so many rows: only answers may not"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a word is not its own neighbour": {
            1: [1, 4, 0, 2],
        },
        "these are the largest dot products; cosines do not ask for length": {
            1: [0, 4, 2, 5],
        },
        "this is the farthest; the nearest first": {
            1: [3, 5, 2, 0],
        },
        "the order is reversed: the nearest first": {
            1: [5, 2, 0, 4],
        },
        "this is the shortest distance; the largest cosine is asked for": {
            1: [4, 2, 0, 3],
            3: [5, 0, 5, 4],
            4: [5, 0, 5, 4],
        },
        "these are the cosines; their rows are asked for": {
            1: [0.813733, 0.723356, 0.294086, -0.155963],
            2: [0.987316],
            3: [0.314746, 0.846163, 0.314302, 0.974854],
            4: [-0.490477, 0.846163, 0.314302, 0.974854],
            5: [0.871218],
        },
        "one neighbour too few": {
            1: [4, 0, 2],
        },
        "one neighbour too many": {
            1: [4, 0, 2, 5, 3],
        },
        "the numbers shift when the word's own row is deleted: they are rows of all vectors": {
            1: [3, 0, 1, 4],
        },
        "the first in order was dropped unread, and the word may not be first": {
            1: [1, 4, 2, 5],
        },
        "a cosine can be negative: setting the word's own to 0 does not put it last": {
            1: [4, 0, 2, 1],
        },
        "the absolute cosines were taken; the opposite direction is far": {
            1: [3, 4, 0, 2],
        },
        "the columns were scaled; a word is a row": {
            1: [0, 4, 2, 3],
        },
        "a, b and c cannot be answers": {
            2: [2],
            3: [4, 4, 1, 4],
            4: [4, 4, 1, 4],
        },
        "c cannot be the answer, either": {
            2: [2],
            3: [0, 0, 1, 4],
            4: [0, 0, 1, 4],
        },
        "the signs are exchanged: it is b - a + c": {
            2: [4],
            3: [6, 1, 6, 1],
            4: [1, 1, 2, 1],
            5: [3],
        },
        "a is subtracted": {
            2: [4],
            3: [6, 0, 4, 4],
            4: [1, 0, 4, 4],
            5: [4],
        },
        "the numbers shift when the rows of a, b and c are deleted: they are rows of all vectors": {
            2: [0],
            3: [3, 0, 2, 1],
            4: [3, 0, 2, 1],
            5: [3],
        },
        "this is the nearest neighbour of b: c - a is added to it": {
            2: [4],
            3: [7, 0, 4, 4],
            4: [5, 0, 4, 4],
            5: [2],
        },
        "this is the least similar": {
            2: [4],
            3: [2, 5, 7, 5],
            4: [2, 5, 4, 5],
            5: [4],
        },
        "a and b cannot be answers, either": {
            3: [4, 4, 5, 4],
            4: [4, 4, 5, 4],
        },
        "a cannot be the answer, either": {
            3: [4, 0, 5, 4],
            4: [4, 0, 5, 4],
        },
        "b cannot be the answer, either": {
            3: [3, 4, 5, 4],
            4: [3, 4, 5, 4],
        },
        "the signs are exchanged: c is added": {
            3: [5, 3, 7, 4],
            4: [5, 3, 5, 4],
            5: [2],
        },
        "c was not added": {
            3: [5, 3, 5, 4],
            4: [5, 3, 5, 4],
            5: [2],
        },
        "each vector gets length 1 before the sum": {
            3: [7, 0, 5, 4],
            4: [5, 0, 5, 4],
        },
        "the candidates' lengths count here: a cosine divides by them": {
            3: [7, 3, 5, 4],
            4: [5, 3, 5, 4],
        },
        "nothing was scaled: these are plain dot products": {
            3: [7, 3, 4, 4],
            4: [5, 3, 4, 4],
        },
        "the columns were scaled; a word is a row, and each row gets length 1": {
            3: [7, 3, 5, 4],
            4: [5, 3, 5, 4],
        },
        "only the first question was answered: is the return inside the loop?": {
            3: [6],
            4: [1],
        },
        "this is the nearest neighbour of c: b - a is added to it": {
            3: [6, 0, 6, 4],
            4: [1, 0, 2, 4],
        },
        "this is 3CosMul, a product of cosines; 3CosAdd adds": {
            3: [6, 3, 5, 4],
            4: [1, 3, 5, 4],
        },
        "what a question forbids was forbidden to all questions": {
            3: [7, 7, 5, 7],
            4: [5, 5, 5, 5],
        },
        "among was ignored": {
            4: [6, 0, 5, 4],
        },
        "among keeps the first so many rows, this is one fewer": {
            4: [1, 0, 2, 4],
            5: [2],
        },
        "a cosine can be negative: setting those of a, b and c to 0 does not put them last": {
            4: [0, 0, 5, 4],
        },
        "a, b and c are rows of all vectors: here those beyond the first rows became the last of these": {
            4: [1, 3, 5, 4],
            5: [2],
        },
        "a word beyond the first rows forbids nothing there: here it shut out the last row that can answer": {
            5: [2],
        },
    })
    fan = np.array([[4.0, 3], [0.5, 3], [-2, 1], [-0.5, -0.5], [2, 2], [3, -1]])
    check(nearest_rows, fan, 1, 4).equals(
        [4, 0, 2, 5], dtype="i"
    )
    plural = np.array([[1.0, 0], [0.8, 0.6], [0, 1], [-0.28, 0.96], [0.6, 0.8]])
    check(answer_analogies, plural, np.array([[0, 1, 2]])).equals([3], dtype="i")
    grid = np.array([[2.0, 1, -1], [0, -2, -1], [-2, 0, -1], [3, 1, 2], [3, 1, 0], [-1, 0, 1], [2, -1, -2], [-1, 3, 3]])
    questions = np.array([[4, 3, 0], [2, 4, 6], [0, 3, 1], [2, 3, 0]])
    check(answer_analogies, grid, questions).equals(
        [6, 0, 5, 4])
    check(answer_analogies, grid, questions, among=6).equals(
        [1, 0, 5, 4], near={beyond: IndexError}
    )
    check(answer_analogies, grid, np.array([[0, 1, 7]]), among=6).equals(
        [5], about="c beyond the rows that can answer", near={beyond: IndexError}
    )


score
