from helpers.checks import graded


@graded("speculative", points=9)
def score(check):
    import torch

    t = torch.tensor
    turned = "this is q / p: a token is kept with the probability p / q"
    uncut = "a probability is at most 1"
    p, q = t([0.5, 0.3, 0.2]), t([0.3, 0.6, 0.1])
    check(keep_probabilities, p, q).equals([1.0, 0.5, 1.0], about="the text's three tokens", near={
        turned: [0.6, 1.0, 0.5], uncut: [1.6666667, 0.5, 2.0],
        "this is what is kept in all, min(p, q): divide by q": [0.3, 0.3, 0.1]})
    never = "where q is 0 the answer is 1"
    check(keep_probabilities, t([0.4, 0.6, 0.0]), t([0.0, 0.8, 0.2])).equals(
        [1.0, 0.75, 0.0], about="a draft of probability 0", edge=True,
        near={never: [0.0, 0.75, 0.0], turned: [0.0, 1.0, 1.0]})
    unsummed = "the residual is not divided by its sum"
    signed = "what is negative belongs to no distribution: max(p - q, 0)"
    itself = "this is the target itself: what the draft has brought already would come twice"
    swapped = "this is the residual of the draft, q above p: it is p above q"
    check(residual, p, q).equals([2 / 3, 0.0, 1 / 3], about="the text's three tokens", near={
        unsummed: [0.2, 0.0, 0.1], swapped: [0.0, 1.0, 0.0], signed: [0.2, -0.3, 0.1],
        "the differences are taken as they are, without their sign: max(p - q, 0)": [1 / 3, 0.5, 1 / 6],
        "this is the softmax of the differences: divide by the sum": [0.3949, 0.2432, 0.3618],
        itself: [0.5, 0.3, 0.2]})
    unsigned = "the differences are taken as they are, without their sign: max(p - q, 0)"
    one_sum = "each row is divided by its own sum"
    no_rest = "where nothing is left 0 is divided by 0: the target is asked there"
    check(residual, t([0.25, 0.75]), t([0.25, 0.75])).equals(
        [0.25, 0.75], about="nothing is left where both are the same: the target is asked", edge=True,
        near={**{words: [float("nan")] * 2 for words in (no_rest, unsigned, one_sum, swapped)},
              unsummed: [0.0, 0.0], signed: [0.0, 0.0],
              "where nothing is left the target is asked, not zeros": [0.0, 0.0],
              "where nothing is left the target is asked, not equal chances": [0.5, 0.5]})
    target = t([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.7, 0.1]])
    draft = t([[0.3, 0.6, 0.1], [0.4, 0.3, 0.3]])
    gone_on = "nothing comes behind the first token that was not kept"
    bonus = "when all are kept, one more comes, from the last row of target"
    dropped = "in place of the token that was not kept, one from the residual comes"
    as_target = "in place of a token that was not kept one comes from the residual, not from the target"
    equal = "a number equal to the keep probability is not below it"
    always = "everything was kept: token i is kept if numbers[i] is below its keep probability"
    check(verify, target, draft, [1, 1], [0.4, 0.9], 0.15).equals([1, 1, 0], about="all kept", near={
        bonus: [1, 1], "the last token comes from the last row of target": [1, 1, 1]})
    check(verify, target, draft, [1, 2], [0.6, 0.2], 0.55).equals([0], about="the first is not kept", near={
        gone_on: [0, 2, 1], dropped: [], as_target: [1], always: [1, 2, 1]})
    check(verify, target, draft, [0, 0], [0.9, 0.5], 0.95).equals([0, 1], about="the second is not kept", near={
        gone_on: [0, 1, 2], dropped: [0], as_target: [0, 2], always: [0, 0, 2]})
    check(speed_up, 0.5, 2, 0.1).equals(1.75 / 1.2, about="how many times as fast", near={
        "the target's own token is missing: the sum begins with 1": 0.75 / 1.2,
        "this is the number of tokens a pass: divide by what the pass and its drafts cost": 1.75,
        "the sum goes up to a to the power K": 1.5 / 1.2,
        "the first draft pass is missing: 1 + c K": 1.75 / 1.1,
        "the target's own pass is missing: 1 + c K": 1.75 / 0.2,
        "a token is of use only if those before it were kept: add powers of a": 2.0 / 1.2,
    })


score
