from helpers.checks import graded


@graded("tagging", points=6)
def score(check):
    import re

    import numpy as np
    import torch
    from torch.nn import functional as F

    padding = "the padding was counted, too: only real tokens are"
    all_places = "the sum over real tokens was divided by all places: divide by the number of real ones"
    per_row = "the mean of each sentence came first: it is one mean over all tokens of the batch"
    summed = "this is the sum: the mean over the real tokens is asked"
    rows = "the sum was divided by the number of sentences: divide by the number of real tokens"
    stray = "an I- that continues nothing begins a span"
    glued = "a B- begins a new span, even after one of the same label"
    other = "an I- of another label begins a new span"
    last = "a span that reaches the end of the sentence is missing"
    inclusive = "`end` is one past the last token"
    per_token = "these are shares of tokens: whole spans count"
    labels_only = "the label must be right, too"

    logits = torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]], [[0.0, 4.0], [5.0, 0.0], [1.0, 0.0]]])
    tags, lengths = torch.tensor([[0, 0, 1], [1, 1, 0]]), torch.tensor([2, 1])
    check(masked_cross_entropy, logits, tags, lengths).equals(0.48611, rtol=1e-3,
        near={padding: 1.2452, all_places: 0.24306, per_row: 0.36912, summed: 1.4583, rows: 0.72917})
    check(spans, ["B-A", "I-A", "O", "I-B", "B-B"]).equals({("A", 0, 2), ("B", 3, 4), ("B", 4, 5)},
        near={stray: {('B', 4, 5), ('A', 0, 2)}, glued: {('B', 3, 5), ('A', 0, 2)}, last: {('B', 3, 4), ('A', 0, 2)},
        inclusive: {('B', 3, 3), ('A', 0, 1), ('B', 4, 4)}})
    dropped = "an I- of another label begins a new span: here it was dropped"
    check(spans, ["B-A", "I-B", "I-B"]).equals({("A", 0, 1), ("B", 1, 3)}, near={other: {("A", 0, 3)},
        dropped: {("A", 0, 1)}, inclusive: {("A", 0, 0), ("B", 1, 2)}})
    gold = [["B-A", "I-A", "O", "B-B"], ["O", "B-A", "O", "O"], ["B-B", "I-B", "I-B", "O"]]
    found = [["B-A", "I-A", "O", "B-A"], ["O", "B-A", "I-A", "O"], ["B-B", "I-B", "I-B", "B-A"]]
    check(span_scores, gold, found).equals((0.4, 0.5, 4 / 9), near={per_token: (0.66667, 0.85714, 0.75)})


score
