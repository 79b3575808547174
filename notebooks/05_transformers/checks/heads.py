from helpers.checks import graded


@graded("heads", points=6)
def score(check):
    import torch

    every = "every piece got the label of its word: only the first one does, the others get -100"
    last_piece = "the last piece of each word got the label: the first one does"
    special = "special tokens (None) have the label -100"
    number = "these are the numbers of the words, not their labels"
    counted = "labels were dealt out one after another: a word may be missing, so look up labels[word]"
    check(first_piece_labels, [None, 0, 1, 1, None], [3, 5]).equals([-100, 3, 5, -100, -100], near={
        every: [-100, 3, 5, 5, -100], last_piece: [-100, 3, -100, 5, -100], special: [0, 3, 5, -100, 0],
        number: [-100, 0, 1, -100, -100],
    })
    check(first_piece_labels, [None, 0, 2, 2, 2, 3, None], [4, 7, 6, 1]).equals(
        [-100, 4, 6, -100, -100, 1, -100], near={
            every: [-100, 4, 6, 6, 6, 1, -100], last_piece: [-100, 4, -100, -100, 6, 1, -100],
            special: [0, 4, 6, -100, -100, 1, 0], number: [-100, 0, 2, -100, -100, 3, -100],
            counted: [-100, 4, 7, -100, -100, 6, -100],
        }
    )

    apart = "start and end were chosen apart: the end may lie before the start, or too far behind it"
    start_first = "the start was chosen first, then the best end for it: choose both together"
    exclusive = "the end is inclusive: the last token of the span, not the one behind it"
    far, near_ = "the span is longer than max_length", "a span of exactly max_length tokens is valid"
    open_, ends = "`allowed` was ignored", "every token of the span must be allowed, not its ends alone"
    strict = "a span of one token is valid: start may equal end"
    longer = "spans may be one token longer than max_length here: start and end both count"
    minus, larger = "the scores are added, not subtracted", "the larger of the two scores counts here: add them"
    mean_of = "the sum was divided by the length: longer spans are as good as short ones"
    swapped = "the scores of start and end are exchanged"
    no_last = "the last token, too, may be the start of a span"
    first_run = "the search ended at the first token that is not allowed: spans behind it count, too"
    t, f = True, False
    s, e = torch.tensor([0.0, 1.0, 4.0, 0.5, 2.0]), torch.tensor([5.0, 3.0, 0.0, 1.5, 2.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t]), 5).equals((2, 4), near={
        apart: (2, 0), exclusive: (2, 5), minus: (0, 0), larger: (0, 0), mean_of: (0, 0),
        "return the pair alone, without its score": ((2, 4), 6.5),
    })
    s2, e2 = torch.tensor([4.0, 0.0, 3.0, 0.5, 0.0]), torch.tensor([0.0, 1.0, 0.5, 1.0, 3.0])
    check(best_span, s2, e2, torch.tensor([t, t, t, t, t]), 2).equals((0, 1), near={
        apart: (0, 4), exclusive: (0, 2), far: (0, 4), near_: (0, 0), longer: (2, 4), minus: (4, 4), larger: (0, 0),
        mean_of: (0, 0), swapped: (0, 0),
    })
    check(best_span, s, e, torch.tensor([f, t, t, f, t]), 5).equals((4, 4), near={
        apart: (2, 1), exclusive: (4, 5), open_: (2, 4), ends: (2, 4), strict: (1, 2),
        no_last: (1, 1), start_first: (2, 2), first_run: (1, 1), swapped: (1, 2), larger: (2, 2),
        minus: (1, 1),
    })


score
