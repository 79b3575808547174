from helpers.checks import graded


@graded("penalties", points=4)
def score(check):
    import torch

    divided = "negative logits were divided by the repetition penalty, which makes the token likelier: multiply them"
    multiplied = "positive logits were multiplied by the repetition penalty: divide them"
    each_time = "the repetition penalty was applied once for each occurrence: once is asked"
    all_tokens = "all tokens were penalised: only those that were generated are"
    once = "the frequency penalty counts each occurrence"
    often = "the presence penalty counts once, however often the token occurs"
    plus = "penalties are subtracted, not added"
    last = "frequency and presence come after the repetition penalty"
    logits = torch.tensor([2.0, -1.0, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], repetition=2.0).equals([1.0, -2.0, 0.5, 1.5], near={
        divided: [1, -0.5, 0.5, 1.5], multiplied: [4, -2, 0.5, 1.5], each_time: [0.5, -2, 0.5, 1.5],
        all_tokens: [1, -2, 0.25, 0.75],
    })
    check(penalise, logits, [0, 1, 0], frequency=0.5).equals([1.0, -1.5, 0.5, 1.5], near={
        once: [1.5, -1.5, 0.5, 1.5], plus: [3, -0.5, 0.5, 1.5],
    })
    check(penalise, logits, [0, 1, 0], presence=0.5).equals([1.5, -1.5, 0.5, 1.5], near={
        all_tokens: [1.5, -1.5, 0.0, 1], often: [1, -1.5, 0.5, 1.5], plus: [2.5, -0.5, 0.5, 1.5],
    })
    check(penalise, logits, [0, 1, 0, 3], 2.0, 0.5, 0.25).equals([-0.25, -2.75, 0.5, 0.0], near={
        divided: [-0.25, -1.25, 0.5, 0.0], multiplied: [2.75, -2.75, 0.5, 2.25],
        each_time: [-0.75, -2.75, 0.5, 0.0], all_tokens: [-0.25, -2.75, 0.0, 0.0],
        once: [0.25, -2.75, 0.5, 0.0], often: [-0.5, -2.75, 0.5, 0.0], plus: [2.25, -1.25, 0.5, 1.5],
        last: [0.375, -3.5, 0.5, 0.375],
    })


score
