from helpers.checks import graded


@graded("tagging", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the padding was counted, too: only real tokens are": {
            1: 0.411911,
        },
        "the sum over real tokens was divided by all positions: divide by the number of real ones": {
            1: 0.243057,
        },
        "the mean of each sentence came first: it is one mean over all tokens of the batch": {
            1: 0.369122,
        },
        "this is the sum: the mean over the real tokens is asked for": {
            1: 1.45834,
        },
        "the sum was divided by the number of sentences: divide by the number of real tokens": {
            1: 0.72917,
        },
        "the logits of the padding were set to 0, but counted: leave those positions out": {
            1: 0.58963,
        },
        "one number for each token: the mean is asked for": {
            1: [[0.126928, 1.31326, 0.0], [0.01815, 0.0, 0.0]],
        },
        "one number for each sentence: the mean over the batch is asked for": {
            1: [0.720095, 0.01815],
        },
        "a softmax was taken before the cross-entropy, which takes one itself": {
            1: 0.552299,
        },
        "the logits were taken for logarithms of probabilities: the softmax is missing": {
            1: -2.0,
        },
        "the sign is reversed": {
            1: -0.486113,
        },
        "the last real token of each sentence is missing": {
            1: 0.126928,
        },
        "one token of the padding was counted in each sentence": {
            1: 0.43164,
        },
        "the real tokens were masked, and the padding counted": {
            1: 0.337708,
        },
        "tag 0 was taken for padding: it is a tag like any other": {
            1: 0.01815,
        },
        "an I- that continues nothing begins a span": {
            2: {('A', 0, 2), ('B', 4, 5)},
            3: {('A', 0, 2), ('B', 5, 6)},
            4: {('A', 0, 1), ('A', 4, 6)},
        },
        "a B- begins a new span, even after one of the same label": {
            2: {('A', 0, 2), ('B', 3, 5)},
            3: {('A', 0, 2), ('B', 2, 3), ('B', 4, 6)},
        },
        "a span that reaches the end of the sentence is missing": {
            2: {('A', 0, 2), ('B', 3, 4)},
            3: {('A', 0, 2), ('B', 2, 3), ('B', 4, 5)},
            4: {('A', 0, 1), ('B', 1, 3)},
        },
        "`end` is one past the last token": {
            2: {('A', 0, 1), ('B', 3, 3), ('B', 4, 4)},
            3: {('A', 0, 1), ('B', 2, 2), ('B', 4, 4), ('B', 5, 5)},
            4: {('A', 0, 0), ('A', 4, 5), ('B', 1, 2)},
        },
        "an I- that continues nothing begins a span, and one of another label does, too": {
            2: {('A', 0, 2), ('B', 4, 5)},
            3: {('A', 0, 3), ('B', 5, 6)},
            4: {('A', 0, 3), ('A', 4, 6)},
        },
        "the label stands without its B- or I-": {
            2: {('B-A', 0, 2), ('B-B', 3, 4), ('B-B', 4, 5)},
            3: {('B-A', 0, 2), ('B-B', 2, 3), ('B-B', 4, 5), ('B-B', 5, 6)},
            4: {('B-A', 0, 1), ('B-A', 4, 6), ('B-B', 1, 3)},
        },
        "each token became a span of its own": {
            2: {('A', 0, 1), ('A', 1, 2), ('B', 3, 4), ('B', 4, 5)},
            3: {('A', 0, 1), ('A', 1, 2), ('B', 2, 3), ('B', 4, 5), ('B', 5, 6)},
            4: {('A', 0, 1), ('A', 4, 5), ('A', 5, 6), ('B', 1, 2), ('B', 2, 3)},
        },
        "a span goes on through each I- of its label: here it ended after one token": {
            2: {('A', 0, 1), ('B', 4, 5)},
            3: {('A', 0, 1), ('B', 5, 6)},
            4: {('A', 0, 1), ('A', 4, 5)},
        },
        "a span is (label, first, end): the label comes first": {
            2: {(0, 2, 'A'), (3, 4, 'B'), (4, 5, 'B')},
            3: {(0, 2, 'A'), (2, 3, 'B'), (4, 5, 'B'), (5, 6, 'B')},
            4: {(0, 1, 'A'), (1, 3, 'B'), (4, 6, 'A')},
        },
        "the third number is the end, not the length": {
            2: {('A', 0, 2), ('B', 3, 1), ('B', 4, 1)},
            3: {('A', 0, 2), ('B', 2, 1), ('B', 4, 1), ('B', 5, 1)},
            4: {('A', 0, 1), ('A', 4, 2), ('B', 1, 2)},
        },
        "only the label and the first token are there: the end is asked for, too": {
            2: {('A', 0), ('B', 3), ('B', 4)},
            3: {('A', 0), ('B', 2), ('B', 4), ('B', 5)},
            4: {('A', 0), ('A', 4), ('B', 1)},
        },
        "a set is asked for: this is a list": {
            2: [('A', 0, 2), ('B', 3, 4), ('B', 4, 5)],
            3: [('A', 0, 2), ('B', 2, 3), ('B', 4, 5), ('B', 5, 6)],
            4: [('A', 0, 1), ('B', 1, 3), ('A', 4, 6)],
        },
        "a span of one token is a span, too": {
            2: {('A', 0, 2)},
            3: {('A', 0, 2)},
            4: {('A', 4, 6), ('B', 1, 3)},
        },
        "the stretches of O are no spans": {
            2: {('A', 0, 2), ('B', 3, 4), ('B', 4, 5), ('O', 2, 3)},
            3: {('A', 0, 2), ('B', 2, 3), ('B', 4, 5), ('B', 5, 6), ('O', 3, 4)},
            4: {('A', 0, 1), ('A', 4, 6), ('B', 1, 3), ('O', 3, 4)},
        },
        "an I- of another label begins a new span": {
            3: {('A', 0, 3), ('B', 4, 5), ('B', 5, 6)},
            4: {('A', 0, 3), ('A', 4, 6)},
        },
        "an I- of another label begins a new span: here it was dropped": {
            3: {('A', 0, 2), ('B', 4, 5), ('B', 5, 6)},
            4: {('A', 0, 1), ('A', 4, 6), ('B', 2, 3)},
        },
        "these are shares of tokens: whole spans count": {
            5: (0.666667, 0.857143, 0.75),
        },
    })
    logits = torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]], [[0.0, 4.0], [5.0, 0.0], [1.0, 0.0]]])
    tags, lengths = torch.tensor([[0, 0, 1], [1, -1, 0]]), torch.tensor([2, 1])
    check(masked_cross_entropy, logits, tags, lengths).equals(0.48611, rtol=1e-3)
    check(spans, ["B-A", "I-A", "O", "I-B", "B-B"]).equals({("A", 0, 2), ("B", 3, 4), ("B", 4, 5)})
    check(spans, ["B-A", "I-A", "I-B", "O", "I-B", "B-B"]).equals({("A", 0, 2), ("B", 2, 3), ("B", 4, 5), ("B", 5, 6)})
    check(spans, ["B-A", "I-B", "I-B", "O", "B-A", "I-A"]).equals({("A", 0, 1), ("B", 1, 3), ("A", 4, 6)})
    gold = [["B-A", "I-A", "O", "B-B"], ["O", "B-A", "O", "O"], ["B-B", "I-B", "I-B", "O"]]
    found = [["B-A", "I-A", "O", "B-A"], ["O", "B-A", "I-A", "O"], ["B-B", "I-B", "I-B", "B-A"]]
    check(span_scores, gold, found).equals((0.4, 0.5, 4 / 9))
    check(span_scores, [["B-A"], ["O"]], [["O"], ["O"]]).equals(
        (0.0, 0.0, 0.0), about="nothing is found", edge=True,
        near={"a value with denominator 0 is 0.0": ZeroDivisionError,
              "a value with denominator 0 is 0.0, not 1.0": (1.0, 0.0, 0.0)},
    )
    slope = [[[-0.0397, 0.0397], [-0.2437, 0.2437], [0, 0]], [[0.0060, -0.0060], [0, 0], [0, 0]]]
    check(slopes, masked_cross_entropy, logits, tags, lengths).equals(
        [slope], about="gradient", rtol=1e-2, atol=1e-4,
        near={"the gradient is cut: no detach, item or NumPy on the way": RuntimeError}
    )


score
