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
    neither = "an I- that continues nothing begins a span, and one of another label does, too"
    single = "a span goes on through each I- of its label: here it ended after one token"
    glued = "a B- begins a new span, even after one of the same label"
    other = "an I- of another label begins a new span"
    dropped = "an I- of another label begins a new span: here it was dropped"
    last = "a span that reaches the end of the sentence is missing"
    inclusive = "`end` is one past the last token"
    per_token = "these are shares of tokens: whole spans count"
    labels_only = "the label must be right, too"

    logits = torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]], [[0.0, 4.0], [5.0, 0.0], [1.0, 0.0]]])
    tags, lengths = torch.tensor([[0, 0, 1], [1, 1, 0]]), torch.tensor([2, 1])
    check(masked_cross_entropy, logits, tags, lengths).equals(0.48611, rtol=1e-3,
        near={padding: 1.2452, all_places: 0.24306, per_row: 0.36912, summed: 1.4583, rows: 0.72917})
    check(spans, ["B-A", "I-A", "O", "I-B", "B-B"]).equals({("A", 0, 2), ("B", 3, 4), ("B", 4, 5)}, near={
        stray: {("A", 0, 2), ("B", 4, 5)}, neither: {("A", 0, 2), ("B", 4, 5)}, glued: {("A", 0, 2), ("B", 3, 5)},
        last: {("A", 0, 2), ("B", 3, 4)}, inclusive: {("A", 0, 1), ("B", 3, 3), ("B", 4, 4)},
        single: {("A", 0, 1), ("B", 4, 5)}})
    check(spans, ["B-A", "I-A", "I-B", "O", "I-B", "B-B"]).equals({("A", 0, 2), ("B", 2, 3), ("B", 4, 5), ("B", 5, 6)},
        near={stray: {("A", 0, 2), ("B", 5, 6)}, glued: {("A", 0, 2), ("B", 2, 3), ("B", 4, 6)},
        last: {("A", 0, 2), ("B", 2, 3), ("B", 4, 5)}, other: {("A", 0, 3), ("B", 4, 5), ("B", 5, 6)},
        inclusive: {("A", 0, 1), ("B", 2, 2), ("B", 4, 4), ("B", 5, 5)}, neither: {("A", 0, 3), ("B", 5, 6)},
        dropped: {("A", 0, 2), ("B", 4, 5), ("B", 5, 6)}, single: {("A", 0, 1), ("B", 5, 6)}})
    check(spans, ["B-A", "I-B", "I-B", "O", "B-A", "I-A"]).equals({("A", 0, 1), ("B", 1, 3), ("A", 4, 6)}, near={
        other: {("A", 0, 3), ("A", 4, 6)}, dropped: {("A", 0, 1), ("B", 2, 3), ("A", 4, 6)},
        stray: {("A", 0, 1), ("A", 4, 6)}, neither: {("A", 0, 3), ("A", 4, 6)}, single: {("A", 0, 1), ("A", 4, 5)},
        last: {("A", 0, 1), ("B", 1, 3)}, inclusive: {("A", 0, 0), ("B", 1, 2), ("A", 4, 5)}})
    gold = [["B-A", "I-A", "O", "B-B"], ["O", "B-A", "O", "O"], ["B-B", "I-B", "I-B", "O"]]
    found = [["B-A", "I-A", "O", "B-A"], ["O", "B-A", "I-A", "O"], ["B-B", "I-B", "I-B", "B-A"]]
    check(span_scores, gold, found).equals((0.4, 0.5, 4 / 9), near={per_token: (0.66667, 0.85714, 0.75)})


score
