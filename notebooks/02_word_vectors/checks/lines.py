from helpers.checks import graded


@graded("lines", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the noise words are averaged, not added up": {
            4: 18.1526,
            6: 14.5561,
        },
        "the weight was not used": {
            4: 1.71447,
            6: 1.38629,
        },
        "times was not used: a centre's noise counts once for each of its pairs": {
            4: 4.10869,
            6: 5.89175,
        },
        "this is the sum; divide by the number of pairs": {
            4: 12.3952,
            6: 8.31777,
        },
        "divided by the number of all scores; only the pairs count": {
            4: 3.09879,
            6: 2.07944,
        },
        "the noise has the sign of the context: log σ(-a)": {
            4: 4.19758,
        },
        "the context has the sign of the noise: log σ(s)": {
            4: 7.69758,
        },
        "the scores outside the mask are no pairs": {
            4: 7.09125,
            6: 4.85203,
        },
        "the mask is inverted": {
            4: 6.87116,
        },
        "the sign is reversed: a loss is positive": {
            4: -6.19758,
            6: -4.15888,
        },
        "the masked scores became 0, and log σ(0) is not 0": {
            4: 6.89073,
            6: 4.85203,
        },
        "the noise is divided by the number of centres, too": {
            4: 3.20884,
            6: 1.84839,
        },
        "the weight belongs to the noise alone": {
            4: 6.85787,
            6: 6.93147,
        },
        "the noise is missing": {
            4: 0.220095,
            6: 0.693147,
        },
        "the mean over the noise words was divided by K once more": {
            4: 2.21259,
            6: 1.55958,
        },
        "the weight is an argument: do not write 5": {
            4: 7.69195,
        },
        "P is the number of pairs, whatever the times add up to": {
            4: 4.13172,
        },
        "the scores outside the mask are neither context nor noise": {
            4: 6.84125,
            6: 4.85203,
        },
        "each centre's noise counts its own number of times: here all centres' noise was averaged first": {
            4: 6.05299,
        },
        "the noise was divided by the sum of times; the number of pairs divides both parts": {
            4: 4.20509,
        },
        "times was not used: the noise is a plain mean over centres and noise words": {
            4: 4.10869,
        },
        "times was not used: the noise is a plain mean, and was divided by the number of pairs besides": {
            4: 2.16439,
            6: 2.42602,
        },
        "each centre's noise counts its own number of times: here each counts as often as there are pairs": {
            4: 7.99729,
            6: 11.0904,
        },
        "times belongs outside the logarithm: m log σ(-a), not log σ(-m a)": {
            4: 5.24528,
            6: 5.89175,
        },
        "the weight belongs outside the logarithm: w log σ(-a), not log σ(-w a)": {
            4: 4.02471,
            6: 1.38629,
        },
        "the mean is over the logarithms, not over the scores before them": {
            4: 5.46193,
        },
        "the mean over the pairs was taken, but the noise was not divided": {
            4: 12.1751,
            6: 7.62462,
        },
        "divided by the number of centres; divide by that of the pairs": {
            6: 2.77259,
        },
        "the noise, too, is divided by the number of pairs, not by that of the centres": {
            6: 3.00364,
        },
    })
    import numpy as np

    itself, both = "a word is not its own context", "the reach is the centre's: rows are centres"
    signed = "the distance has no sign: here every word to the right is context"
    largest = "each centre has a reach of its own: the largest was taken for all"
    one_line = "one table (T, T) for each line: shape (L, T, T)"
    same_text = "words of the same text are context; here those of different texts are"
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
        6.1975814, rtol=1e-4,
    )
    far = torch.tensor([-500.0, 3]), torch.tensor([True, False]), torch.tensor([[100.0]]), torch.tensor([1.0])
    check(line_loss, *far, 2.0).holds(
        lambda loss: abs(float(loss) - 700) < 0.1,
        "700: the score of the pair is -500, that of the noise word 100, which counts twice",
        near={
            "an exponential overflowed, or σ(x) became 0 before its logarithm: use logsigmoid": lambda loss: (
                not np.isfinite(float(loss))
            ),
            "a number was added inside the logarithm, or it was clipped: the loss comes out in full": lambda loss: (
                5 < float(loss) < 200
            ),
        },
        about="scores in the hundreds",
    )
    nothing = torch.zeros(2, 2), pairs, torch.zeros(3, 4), torch.tensor([2.0, 0, 0])
    check(line_loss, *nothing, 5.0).equals(4.1588831, rtol=1e-4)
    by_against = [[0.3333, 0.4874, 0.3333], [1.1744, 0.6667, 0.3586]]
    check(gradients, line_loss, scores, pairs, against, times, 4.0, fixed=(3,)).equals(
        (6.1976, [[0, -0.1345], [-0.0596, 0]], by_against), about="loss and gradients", rtol=1e-3, atol=1e-4,
        near={"the graph is cut: no .item(), .detach(), .numpy() or float() on the way": RuntimeError},
    )


score
