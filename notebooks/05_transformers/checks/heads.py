from helpers.checks import graded


@graded("heads", points=6)
def score(check):
    import torch

    every = "every piece got the label of its word: only the first one does, the others get -100"
    last_piece = "the last piece of each word got the label: the first one does"
    special = "special tokens (None) have the label -100"
    number = "these are the numbers of the words, not their labels"
    counted = "labels were dealt out one after another: a word may be missing, so look up labels[word]"
    dead = {
        "special tokens are None, which is neither a place in `labels` nor a number: they get -100": TypeError,
        "a word may be missing: look for the label of each token, not for a token of each label": ValueError,
    }
    check(first_piece_labels, [None, 0, 1, 1, None], [3, 5]).equals([-100, 3, 5, -100, -100], near=dead | {
        every: [-100, 3, 5, 5, -100], last_piece: [-100, 3, -100, 5, -100], special: [0, 3, 5, -100, 0],
        number: [-100, 0, 1, -100, -100],
    })
    check(first_piece_labels, [None, 0, 2, 2, 2, 3, None], [4, 7, 6, 1]).equals(
        [-100, 4, 6, -100, -100, 1, -100], near=dead | {
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
    apart_open = f"{apart}, and `allowed` was ignored"
    reversed_ = "the end lies at or behind the start, not before it"
    end_first = "the end was chosen first, then the best start for it: choose both together"
    last_end = "the last token, too, may be the end of a span"
    only_start, only_end = "only the score of the start counts here", "only the score of the end counts here"
    open_start = "the start must be allowed, and so must the end"
    open_end = "the end must be allowed, and so must the start"
    as_zero = "tokens that are not allowed score 0 here: no span may hold one, whatever its score"
    first_start = "the search ended at the first start that has a span: go on to the others"
    outside = {"no span ends behind the last token: the end is at most T - 1": IndexError}
    t, f = True, False
    s, e = torch.tensor([0.0, 1.0, 4.0, 0.5, 2.0]), torch.tensor([5.0, 3.0, 0.0, 1.5, 2.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t]), 5).equals((2, 4), near=outside | {
        apart: (2, 0), reversed_: (2, 0), exclusive: (2, 5), swapped: (0, 2), last_end: (2, 3), only_start: (2, 2),
        "return the pair alone, without its score": ((2, 4), 6.5),
    })
    s, e = torch.tensor([-0.5, 1.0, 4.5, 3.0, 2.0, -1.0]), torch.tensor([4.0, 1.5, 0.5, 2.5, 3.5, 4.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t, t]), 2).equals((2, 3), near=outside | {
        apart: (2, 5), far: (2, 5), exclusive: (2, 4), longer: (2, 4), near_: (3, 3), mean_of: (3, 3), minus: (5, 5),
        larger: (2, 2), only_start: (2, 2), only_end: (4, 5), end_first: (4, 5), swapped: (1, 2), first_start: (0, 0),
        reversed_: (2, 0),
    })
    s, e = torch.tensor([3.0, 4.0, 3.5, 0.5, -1.0, 2.5, 5.5]), torch.tensor([-0.5, 0.5, 5.5, 5.0, 4.0, 3.5, 2.0])
    check(best_span, s, e, torch.tensor([f, t, f, t, t, t, t]), 7).equals((6, 6), near=outside | {
        apart: (6, 3), reversed_: (6, 3), apart_open: (6, 2), end_first: (3, 3), only_end: (3, 3), exclusive: (6, 7),
        open_: (1, 2), open_start: (1, 2), ends: (1, 3), open_end: (1, 3), as_zero: (1, 3), strict: (3, 4),
        no_last: (5, 5), last_end: (5, 5), minus: (4, 4), swapped: (3, 6), first_run: (1, 1), first_start: (1, 1),
    })


score
