from helpers.checks import graded


@graded("cbow", points=6)
def score(check):
    import numpy as np
    import torch

    total = "the vectors of the context are averaged, not added up"
    filler = "-1 is no word, but it was looked up: it means the last row"
    divisor = "the divisor is the number of words that are there, not the width of the window"
    half = "causal: only the left half of the window counts"
    last = "-1 is no word, but the last row was added for it: mask it in the sum"
    nearest = "causal: the whole left half counts, not only the word just before"
    zero = "word 0 is a word: only -1 is left out"
    alternate = "causal: the left half of the columns counts, not every other column"
    words_half = "causal: the left half of the columns is read, not half of the words that are there"
    but_last = "causal: the left half of the columns counts, not all but the last"
    halved = divisor + ", nor half of it"
    one_more = "the divisor is the number of words that are there, at least 1: here 1 was added to it"
    rooted = "the divisor is the number of words that are there, not its root"
    always, mean = "without causal both halves count", "this is the mean h itself; its scores are asked"
    v, u = torch.tensor([[2.0, 0], [0, 4], [6, 2]]), torch.tensor([[1.0, 0], [0, 1], [1, 1]])
    check(cbow_scores, torch.tensor([[0, 1], [1, 2]]), v, u).equals(
        [[1, 2, 3], [3, 3, 6]],
        near={total: [[2, 4, 6], [6, 6, 12]], halved: [[2, 4, 6], [6, 6, 12]],
              "inputs and outputs are exchanged": [[1, 2, 4], [1, 4, 5]],
              always: [[2, 0, 2], [0, 4, 4]], mean: [[1, 2], [3, 3]], zero: [[0, 4, 4], [3, 3, 6]],
              one_more: [[2 / 3, 4 / 3, 2], [2, 2, 4]], rooted: np.array([[2, 4, 6], [6, 6, 12]]) / np.sqrt(2)},
    )
    check(cbow_scores, torch.tensor([[1, -1]]), v, u).equals(
        [[0, 4, 4]],
        near={filler: [[3, 3, 6]], divisor: [[0, 2, 2]], one_more: [[0, 2, 2]], last: [[6, 6, 12]], mean: [[0, 4]],
              "-1 is no word, but the first row was added for it": [[1, 2, 3]],
              "-1 was made 0 for the look-up and added up: mask it in the sum": [[2, 4, 6]]},
    )
    check(cbow_scores, torch.tensor([[0, 1, 2, -1], [2, 0, 1, 1]]), v, u, causal=True).equals(
        [[1, 2, 3], [4, 1, 5]],
        near={half: [[8 / 3, 2, 14 / 3], [2, 2.5, 4.5]], words_half: [[2, 0, 2], [4, 1, 5]],
              "causal: the left half counts, not the right": [[6, 2, 8], [0, 4, 4]],
              nearest: [[0, 4, 4], [2, 0, 2]], alternate: [[4, 1, 5], [3, 3, 6]], zero: [[0, 4, 4], [6, 2, 8]],
              total: [[2, 4, 6], [8, 2, 10]], but_last: [[8 / 3, 2, 14 / 3], [8 / 3, 2, 14 / 3]],
              one_more: [[2 / 3, 4 / 3, 2], [8 / 3, 2 / 3, 10 / 3]],
              rooted: np.array([[2, 4, 6], [8, 2, 10]]) / np.sqrt(2),
              "the divisor counts the whole window; causal reads half of it": [[2 / 3, 4 / 3, 2], [2, 0.5, 2.5]]},
    )


score
