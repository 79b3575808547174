from helpers.checks import graded


@graded("lines", points=6)
def score(check):
    import torch

    import numpy as np

    itself, both = "a word is not its own context", "the reach is the centre's: rows are centres"
    signed = "the distance has no sign: here every word to the right is context"
    largest = "each centre has a reach of its own: the largest was taken for all"
    one_line = "one table (T, T) for each line: shape (L, T, T)"
    same_text = "words of the same text are context; here those of different texts are"
    both_out = "the scores outside of the mask are neither context nor noise"
    shares = "P is the number of pairs, whatever the times add up to"
    five = "the weight is an argument: do not write 5"
    alike = "each centre's noise counts its own number of times: here all centres' noise was averaged first"
    plain = "times was not used: the noise is a plain mean over centres and noise words"
    divided_alone = "the noise was divided by the sum of times; the number of pairs divides both parts"
    either = "one of the two reaches is enough; only the centre's counts"
    left_missing = "the window goes to both sides: the left one is missing"
    one = torch.tensor([[0, 0, 0]])
    check(pair_mask, one, torch.tensor([[1, 1, 2]])).equals(
        [[[False, True, False], [True, False, True], [True, True, False]]],
        near={itself: [[[True, True, False], [True, True, True], [True, True, True]]],
              both: [[[False, True, True], [True, False, True], [False, True, False]]],
              "words at a distance of exactly the reach are context": [
                  [[False, False, False], [False, False, False], [False, True, False]]],
              left_missing: [[[False, True, False], [False, False, True], [False, False, False]]],
              one_line: [[False, True, False], [True, False, True], [True, True, False]]}, dtype="b",
    )

    def mask(*rows):
        return np.array([rows]) == 1

    check(pair_mask, torch.zeros(1, 4, dtype=torch.long), torch.tensor([[1, 3, 1, 1]])).equals(
        mask([0, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 0]),
        near={signed: mask([0, 1, 1, 1], [1, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 0]),
              largest: mask([0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]),
              either: mask([0, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]),
              both: mask([0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0])}, dtype="b",
    )
    texts, reaches = torch.tensor([[4, 4, 7], [1, 2, 2]]), torch.tensor([[2, 2, 2], [1, 1, 1]])
    none, first, last = [False, False, False], [True, False, False], [False, False, True]
    middle, ends, right, left = [False, True, False], [True, False, True], [False, True, True], [True, True, False]
    check(pair_mask, texts, reaches).equals(
        [[middle, first, none], [none, last, middle]],
        near={"words of different texts are no context": [[right, ends, left], [middle, ends, middle]],
              same_text: [[last, last, left], [middle, first, none]],
              "each line has texts of its own: the first line's were taken": [[middle, first, none]] * 2,
              itself: [[left, left, last], [first, right, right]]}, dtype="b",
    )
    scores, pairs = torch.tensor([[0.5, 1], [2, -1]]), torch.tensor([[False, True], [True, False]])
    against, times = torch.tensor([[0.0, 1, 0], [2, 0, -1]]), torch.tensor([1.0, 2])
    check(line_loss, scores, pairs, against, times, 4.0).equals(
        6.1975814,
        near={"the noise words are averaged, not added up": 18.1525545, "the weight was not used": 1.7144665,
              "this is the sum; divide by the number of pairs": 12.3951628, five: 7.6919530,
              "the noise has the sign of the context: log σ(-a)": 4.1975814,
              "the scores outside of the mask are no pairs": 7.0912507, both_out: 6.8412507,
              "times was not used: a centre's noise counts once for each of its pairs": 4.1086901,
              shares: 4.1317209, alike: 6.0529878, divided_alone: 4.2050859,
              plain: 4.1086901}, rtol=1e-4,
    )
    far = torch.tensor([-500.0, 3]), torch.tensor([True, False]), torch.tensor([[100.0]]), torch.tensor([1.0])
    check(line_loss, *far, 2.0).holds(
        lambda loss: abs(float(loss) - 700) < 0.1,
        "700: the score of the pair is -500, that of the noise word 100, which counts twice",
        near={
            "an exponential overflowed, or σ(x) became 0 before its logarithm: use logsigmoid": lambda loss: (
                not np.isfinite(float(loss))
            ),
            "a number was added inside of the logarithm, or it was clipped: the loss comes out in full": lambda loss: (
                5 < float(loss) < 200
            ),
        },
        about="scores of hundreds",
    )
    nothing = torch.zeros(2, 2), pairs, torch.zeros(3, 4), torch.tensor([2.0, 0, 0])
    check(line_loss, *nothing, 5.0).equals(4.1588831, rtol=1e-4)


score
