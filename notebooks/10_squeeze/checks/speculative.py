from helpers.checks import graded


@graded("speculative", points=8)
def score(check):
    import torch

    swapped = "this is the residual of the draft, q above p: it is p above q"
    unsigned = "the differences are taken as they are, without their sign: max(p - q, 0)"
    one_sum = "each row is divided by its own sum"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is q / p: a token is kept with the probability p / q": {
            1: [0.6, 1.0, 0.5],
            2: [0.0, 1.0, 1.0],
        },
        "a probability is at most 1": {
            1: [1.66667, 0.5, 2.0],
            2: [float("inf"), 0.75, 0.0],
            4: [1.0, float("nan")],
        },
        "this is what is kept in all, min(p, q): divide by q": {
            1: [0.3, 0.3, 0.1],
            2: [0.0, 0.6, 0.0],
            4: [1.0, 0.0],
        },
        "the residual is not divided by its sum": {
            3: [0.2, 0.0, 0.1],
            5: [0.0, 0.0],
            7: [[0.2, 0.0, 0.1], [0.6, 0.0, 0.0]],
        },
        "this is the residual of the draft, q above p: it is p above q": {
            3: [0.0, 1.0, 0.0],
            7: [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        },
        "what is negative belongs to no distribution: max(p - q, 0)": {
            3: [0.2, -0.3, 0.1],
            5: [0.0, 0.0],
            7: [[0.2, -0.3, 0.1], [0.6, -0.6, 0.0]],
        },
        "this is the target itself: what the draft has brought already would come twice": {
            3: [0.5, 0.3, 0.2],
            7: [[0.5, 0.3, 0.2], [0.7, 0.2, 0.1]],
        },
        "the differences are taken as they are, without their sign: max(p - q, 0)": {
            3: [0.333333, 0.5, 0.166667],
            7: [[0.333333, 0.5, 0.166667], [0.5, 0.5, 0.0]],
        },
        "when all are kept, one more comes, from the last row of target": {
            6: [2, 0],
            10: [],
        },
        "numbers[i] is compared with the target's probability: the keep probability p / q is asked for": {
            6: [2],
            9: [2],
        },
        "a token is kept if its number is below the keep probability": {
            6: [2],
            9: [2],
        },
        "the last token comes from the last row of target": {
            6: [2, 0, 1],
        },
        "the last token comes from the last row of target: here from the one before it": {
            6: [2, 0, 1],
        },
        "the last token is drawn with u: here the likeliest came": {
            6: [2, 0, 1],
            10: [1],
        },
        "the pass asks keep_probabilities, which gives q / p: mend that first": {
            6: [2, 0],
            8: [1, 1, 2],
            9: [2],
        },
        "each row is divided by its own sum": {
            7: [[0.222222, 0.0, 0.111111], [0.666667, 0.0, 0.0]],
        },
        "nothing comes after the first token that was not kept": {
            8: [2, 0, 2],
            9: [2, 0, 2],
        },
        "nothing comes after the first token that was not kept: here the drafted ones behind it were judged, too": {
            8: [2, 0],
        },
        "nothing comes after the first token that was not kept: here one more came, from the last row of target": {
            8: [2, 2],
            9: [2, 0, 2],
        },
        "nothing comes after the first token that was not kept: here the drafted ones behind it came as they were": {
            8: [2, 1],
        },
        "in place of the token that was not kept, one from the residual comes": {
            8: [],
            9: [2],
        },
        "everything was kept: token i is kept if numbers[i] is below its keep probability": {
            8: [1, 1, 2],
            9: [2, 1, 2],
        },
        "a number equal to the keep probability is not below it": {
            8: [1, 0],
        },
        "the residual of row i is that of target and draft in row i, not of the next row of target": {
            8: [0],
            9: [2, 2],
        },
        "in place of a token that was not kept one is drawn with u, not with the token's number": {
            8: [0],
        },
        "the pass draws from the residual, which is that of the draft: mend that first": {
            8: [1],
            9: [2, 1],
        },
        "in place of a token that was not kept one comes from the residual, not from the target": {
            9: [2, 2],
        },
        "the pass draws from the residual, in which the signs are lost: mend that first": {
            9: [2, 1],
        },
        "the sum goes up to a to the power K": {
            11: 0.0,
            12: 1.25,
            13: 1.33333,
        },
        "the target's own token is missing: the sum begins with 1": {
            11: 0.0,
            12: 0.625,
            13: 1.33333,
        },
        "the first draft pass is missing: 1 + c K": {
            11: 0.909091,
            12: 1.59091,
            13: 2.4,
        },
        "each of K + 1 passes costs c here: the target's own costs 1": {
            11: 10.0,
            12: 5.83333,
            13: 4.0,
        },
        "the pass of the target costs c, too, here: 1 + c K": {
            11: 0.909091,
            12: 1.34615,
            13: 1.71429,
        },
        "a to the power K alone, and 1: all powers from 0 to K are added up": {
            11: 2.0,
            12: 1.04167,
            13: 1.33333,
        },
        "this is the number of tokens a pass: divide by what the pass and its drafts cost": {
            12: 1.75,
            13: 3.0,
        },
        "the target's own pass is missing: 1 + c K": {
            12: 8.75,
            13: 6.0,
        },
        "a token is of use only if those before it were kept: add powers of a": {
            12: 1.66667,
        },
    })
    t = torch.tensor
    p, q = t([0.5, 0.3, 0.2]), t([0.3, 0.6, 0.1])
    check(keep_probabilities, p, q).equals([1.0, 0.5, 1.0], about="the text's three tokens")
    never = "where q is 0 the answer is 1"
    check(keep_probabilities, t([0.4, 0.6, 0.0]), t([0.0, 0.8, 0.2])).equals(
        [1.0, 0.75, 0.0], about="a draft of probability 0", edge=True,
        near={never: [0.0, 0.75, 0.0]},
    )
    check(residual, p, q).equals(
        [2 / 3, 0.0, 1 / 3], about="the text's three tokens",
        near={"this is the softmax of the differences: divide by the sum": [0.3949, 0.2432, 0.3618]},
    )
    check(keep_probabilities, t([1.0, 0.0]), t([1.0, 0.0])).equals([1.0, 1.0], about="0 by 0", edge=True, near={
        never: [1.0, 0.0],
        "0 / 0 is nan: what is never drafted gets 1": [1.0, float("nan")]})
    no_rest = "where nothing is left 0 is divided by 0: the target is asked for there"
    check(residual, t([0.25, 0.75]), t([0.25, 0.75])).equals(
        [0.25, 0.75], about="nothing is left where both are the same: the target is asked for", edge=True,
        near={
            no_rest: [float("nan")] * 2,
            "where nothing is left the target is asked for, not zeros": [0.0, 0.0],
            "where nothing is left the target is asked for, not equal chances": [0.5, 0.5],
        },
    )
    target = t([[0.5, 0.3, 0.2], [0.7, 0.2, 0.1], [0.2, 0.5, 0.3]])
    draft = t([[0.3, 0.6, 0.1], [0.1, 0.8, 0.1]])
    check(verify, target, draft, [2, 0], [0.35, 0.61], 0.75).equals([2, 0, 2], about="all kept")
    check(residual, target[:2], draft).equals([[2 / 3, 0.0, 1 / 3], [1.0, 0.0, 0.0]], about="two rows")
    check(verify, target, draft, [1, 1], [0.5, 0.3], 0.94).equals([2], about="the first is not kept")
    check(verify, target, draft, [2, 1], [0.88, 0.91], 0.92).equals([2, 0], about="the second is not kept")
    check(verify, target[2:], draft[:0], [], [], 0.75).equals([2], about="nothing was drafted", edge=True, near={
        "K may be 0: then the target's own token comes all the same": [],
        "K may be 0: then the loop has no last turn, and the target's own token comes all the same": TypeError})
    check(speed_up, 0.5, 0, 0.1).equals(1.0, about="0 drafts", edge=True, near={
        "with 0 drafts the target's own token comes all the same, as without a draft": 0.0})
    check(speed_up, 0.5, 2, 0.1).equals(1.75 / 1.2, about="how many times as fast")
    check(speed_up, 1.0, 2, 0.25).equals(2.0, about="all are kept", near={
        "rate 1 divides by 0: then all K + 1 come": ZeroDivisionError})


score
