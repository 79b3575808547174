from helpers.checks import graded


@graded("cbow", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the vectors of the context are averaged, not added up": {
            1: [[2.0, 4.0, 6.0], [6.0, 6.0, 12.0]],
            3: [[2.0, 8.0, 10.0]],
            5: [[2.0, 4.0, 6.0], [8.0, 2.0, 10.0]],
        },
        "without causal both halves count": {
            1: [[2.0, 0.0, 2.0], [0.0, 4.0, 4.0]],
            3: [[0.0, 4.0, 4.0]],
        },
        "this is the mean h itself; its scores are asked for": {
            1: [[1.0, 2.0], [3.0, 3.0]],
            2: [[0.0, 4.0], [0.0, 0.0]],
            3: [[0.666667, 2.66667]],
            5: [[1.0, 2.0], [4.0, 1.0]],
        },
        "the divisor is the number of words that are there, at least 1: here 1 was added to it": {
            1: [[0.666667, 1.33333, 2.0], [2.0, 2.0, 4.0]],
            2: [[0.0, 2.0, 2.0], [0.0, 0.0, 0.0]],
            3: [[0.5, 2.0, 2.5]],
            5: [[0.666667, 1.33333, 2.0], [2.66667, 0.666667, 3.33333]],
        },
        "the divisor is the number of words that are there, not its root": {
            1: [[1.41421, 2.82843, 4.24264], [4.24264, 4.24264, 8.48528]],
            3: [[1.1547, 4.6188, 5.7735]],
            5: [[1.41421, 2.82843, 4.24264], [5.65685, 1.41421, 7.07107]],
        },
        "the divisor is the number of words that are there, not the width of the window, nor half of it": {
            1: [[2.0, 4.0, 6.0], [6.0, 6.0, 12.0]],
            3: [[1.0, 4.0, 5.0]],
        },
        "inputs and outputs are exchanged": {
            1: [[1.0, 2.0, 4.0], [1.0, 4.0, 5.0]],
            2: [[0.0, 4.0, 2.0], [0.0, 0.0, 0.0]],
            5: [[1.0, 2.0, 4.0], [2.0, 2.0, 7.0]],
        },
        "only one table was used": {
            1: [[2.0, 8.0, 10.0], [6.0, 12.0, 24.0]],
            2: [[0.0, 16.0, 8.0], [0.0, 0.0, 0.0]],
            3: [[1.33333, 10.6667, 9.33333]],
            5: [[2.0, 8.0, 10.0], [8.0, 4.0, 26.0]],
        },
        "word 0 is a word: only -1 is left out": {
            1: [[0.0, 4.0, 4.0], [3.0, 3.0, 6.0]],
            3: [[0.0, 4.0, 4.0]],
            5: [[0.0, 4.0, 4.0], [6.0, 2.0, 8.0]],
        },
        "a softmax was taken; the scores themselves are asked for": {
            1: [[0.0900306, 0.244728, 0.665241], [0.0452785, 0.0452785, 0.909443]],
            2: [[0.00907471, 0.495463, 0.495463], [0.333333, 0.333333, 0.333333]],
            3: [[0.0438963, 0.324352, 0.631752]],
            5: [[0.0900306, 0.244728, 0.665241], [0.265388, 0.0132129, 0.721399]],
        },
        "a log-softmax was taken; the scores themselves are asked for": {
            1: [[-2.40761, -1.40761, -0.407606], [-3.09492, -3.09492, -0.094923]],
            2: [[-4.70226, -0.702263, -0.702263], [-1.09861, -1.09861, -1.09861]],
            3: [[-3.12593, -1.12593, -0.459259]],
            5: [[-2.40761, -1.40761, -0.407606], [-1.32656, -4.32656, -0.326563]],
        },
        "this is the mean over the whole batch: each window has its own": {
            1: [[2.0, 2.5, 4.5], [2.0, 2.5, 4.5]],
            2: [[0.0, 2.0, 2.0], [0.0, 2.0, 2.0]],
            5: [[2.5, 1.5, 4.0], [2.5, 1.5, 4.0]],
        },
        "-1 is no word, but it was looked up: it means the last row": {
            2: [[3.0, 3.0, 6.0], [6.0, 2.0, 8.0]],
            3: [[2.0, 2.5, 4.5]],
        },
        "-1 is no word, but the first row was added for it": {
            2: [[1.0, 2.0, 3.0], [2.0, 0.0, 2.0]],
            3: [[1.0, 2.0, 3.0]],
        },
        "-1 was made 0 for the look-up and added up: mask it in the sum": {
            2: [[2.0, 4.0, 6.0], [4.0, 0.0, 4.0]],
            3: [[1.33333, 2.66667, 4.0]],
        },
        "-1 is no word, but the last row was added for it: mask it in the sum": {
            2: [[6.0, 6.0, 12.0], [12.0, 4.0, 16.0]],
            3: [[2.66667, 3.33333, 6.0]],
        },
        "the divisor is the number of words that are there, not the width of the window": {
            2: [[0.0, 2.0, 2.0], [0.0, 0.0, 0.0]],
            3: [[0.5, 2.0, 2.5]],
        },
        "the divisor is the number of words that are there, not the width of the window (and causal half of it)": {
            2: [[0.0, 2.0, 2.0], [0.0, 0.0, 0.0]],
            3: [[0.5, 2.0, 2.5]],
            5: [[0.5, 1.0, 1.5], [2.0, 0.5, 2.5]],
        },
        "without context the mean is zero: 0/0 gave NaN": {
            2: [[0.0, 4.0, 4.0], [float("nan"), float("nan"), float("nan")]],
        },
        "a word that occurs twice counts twice": {
            3: [[1.0, 2.0, 3.0]],
        },
        "causal: the left half of the columns is read, not half of the words that are there": {
            5: [[2.0, 0.0, 2.0], [4.0, 1.0, 5.0]],
        },
        "the divisor counts the whole window; causal reads half of it": {
            5: [[0.666667, 1.33333, 2.0], [2.0, 0.5, 2.5]],
        },
        "causal: only the left half of the window counts": {
            5: [[2.66667, 2.0, 4.66667], [2.0, 2.5, 4.5]],
        },
        "causal: the left half counts, not the right": {
            5: [[6.0, 2.0, 8.0], [0.0, 4.0, 4.0]],
        },
        "causal: the whole left half counts, not only the word just before": {
            5: [[0.0, 4.0, 4.0], [2.0, 0.0, 2.0]],
        },
        "causal: the left half of the columns counts, not every other column": {
            5: [[4.0, 1.0, 5.0], [3.0, 3.0, 6.0]],
        },
        "causal: the left half of the columns counts, not all but the last": {
            5: [[2.66667, 2.0, 4.66667], [2.66667, 2.0, 4.66667]],
        },
    })
    import numpy as np

    v, u = torch.tensor([[2.0, 0], [0, 4], [6, 2]]), torch.tensor([[1.0, 0], [0, 1], [1, 1]])
    check(cbow_scores, torch.tensor([[0, 1], [1, 2]]), v, u).equals(
        [[1, 2, 3], [3, 3, 6]]
    )
    check(cbow_scores, torch.tensor([[1, -1], [-1, -1]]), v, u).equals(
        [[0, 4, 4], [0, 0, 0]]
    )
    twice = "a word that occurs twice in a window counts twice"
    check(cbow_scores, torch.tensor([[1, 1, 0, -1]]), v, u).equals(
        [[2 / 3, 8 / 3, 10 / 3]], rtol=1e-4, near={twice: [[1, 2, 3]]}
    )
    windows = torch.tensor([[0, 1], [1, -1], [-1, -1]])
    check(gradients, cbow_scores, windows, v, u).equals(
        ([[1, 2, 3], [0, 4, 4], [0, 0, 0]], [[1, 1], [3, 3], [0, 0]], [[1, 6], [1, 6], [1, 6]]),
        about="scores and gradients",
        near={"the graph is cut: no .item(), .detach(), .numpy() or float() on the way": RuntimeError},
    )
    check(cbow_scores, torch.tensor([[0, 1, 2, -1], [2, 0, 1, 1]]), v, u, causal=True).equals(
        [[1, 2, 3], [4, 1, 5]]
    )


score
