from helpers.checks import graded


@graded("heads", points=6)
def score(check):
    import torch

    behind = "no span ends behind the last token: the end is at most T - 1"
    outside = {behind: IndexError}

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "every piece got the label of its word: only the first one does, the others get -100": {
            1: [-100, 3, 5, 5, -100],
            2: [-100, 4, 6, 6, 6, 1, -100],
        },
        "the last piece of each word got the label: the first one does": {
            1: [-100, 3, -100, 5, -100],
            2: [-100, 4, -100, -100, 6, 1, -100],
        },
        "special tokens (None) have the label -100": {
            1: [0, 3, 5, -100, 0],
            2: [0, 4, 6, -100, -100, 1, 0],
        },
        "these are the numbers of the words, not their labels": {
            1: [-100, 0, 1, -100, -100],
            2: [-100, 0, 2, -100, -100, 3, -100],
        },
        "the other pieces were dropped: there is one label for each token": {
            1: [-100, 3, 5, -100],
            2: [-100, 4, 6, 1, -100],
        },
        "special tokens were dropped: there is one label for each token": {
            1: [3, 5, -100],
            2: [4, 6, -100, -100, 1],
        },
        "special tokens and other pieces have the label -1 here: -100 is asked": {
            1: [-1, 3, 5, -1, -1],
            2: [-1, 4, 6, -1, -1, 1, -1],
        },
        "the other pieces have the label 0 here: -100 is asked": {
            1: [-100, 3, 5, 0, -100],
            2: [-100, 4, 6, 0, 0, 1, -100],
        },
        "word 0 counts as no word: 0 is false, ask `is None`": {
            1: [-100, -100, 5, -100, -100],
            2: [-100, -100, 6, -100, -100, 1, -100],
        },
        "the labels were dealt out to the tokens in order: they belong to words": {
            1: [3, 5, -100, -100, -100],
            2: [4, 7, 6, 1, -100, -100, -100],
        },
        "this is the label of the word before": {
            1: [-100, 5, 3, -100, -100],
            2: [-100, 1, 7, -100, -100, 6, -100],
        },
        "labels were dealt out one after another: a word may be missing, so look up labels[word]": {
            2: [-100, 4, 7, -100, -100, 6, -100],
        },
        "start and end were chosen apart: the end may lie before the start, or too far behind it": {
            3: (2, 0),
            4: (2, 5),
            5: (6, 3),
            6: (0, 2),
        },
        "start and end were chosen apart: the end may lie before the start, or too far behind it, and `allowed` was ignored": {
            3: (2, 0),
            4: (2, 5),
            5: (6, 2),
            6: (0, 2),
        },
        "the end was chosen first, then the best start for it: choose both together": {
            3: (0, 0),
            4: (4, 5),
            5: (3, 3),
        },
        "the end is inclusive: the last token of the span, not the one behind it": {
            3: (2, 5),
            4: (2, 4),
            5: (6, 7),
            6: (1, 3),
        },
        "the scores are added, not subtracted": {
            3: (0, 0),
            4: (5, 5),
            5: (4, 4),
            6: (3, 3),
        },
        "the larger of the two scores counts here: add them": {
            3: (0, 0),
            4: (2, 2),
            6: (0, 0),
        },
        "the scores of start and end are exchanged": {
            3: (0, 2),
            4: (1, 2),
            5: (3, 6),
            6: (2, 2),
        },
        "the sum was divided by the length: longer spans are as good as short ones": {
            3: (0, 0),
            4: (3, 3),
            5: (3, 6),
        },
        "the last token, too, may be the end of a span": {
            3: (2, 3),
            5: (5, 5),
        },
        "the search ended at the first start that has a span: go on to the others": {
            3: (0, 0),
            4: (0, 0),
            5: (1, 1),
            6: (0, 1),
        },
        "only the score of the start counts here": {
            3: (2, 2),
            4: (2, 2),
            6: (0, 0),
        },
        "only the score of the end counts here": {
            3: (0, 0),
            4: (4, 5),
            5: (3, 3),
        },
        "the end may lie before the start here: a span ends at its start or behind it": {
            3: (2, 0),
            5: (6, 3),
        },
        "the end may lie before the start here, and the ends alone were asked whether they are allowed": {
            3: (2, 0),
            5: (6, 3),
        },
        "the end may lie before the start here, and the end alone was asked whether it is allowed": {
            3: (2, 0),
            5: (6, 3),
        },
        "the end lies at or behind the start, not before it": {
            3: (2, 0),
            4: (2, 0),
            5: (6, 3),
            6: (2, 2),
        },
        "the span is longer than max_length": {
            4: (2, 5),
            6: (0, 2),
        },
        "spans may be one token longer than max_length here: start and end both count": {
            4: (2, 4),
            6: (0, 2),
        },
        "a span of exactly max_length tokens is valid": {
            4: (3, 3),
            6: (2, 2),
        },
        "`allowed` was ignored": {
            5: (0, 2),
        },
        "every token of the span must be allowed, not its ends alone": {
            5: (1, 3),
        },
        "the start must be allowed, and so must the end": {
            5: (1, 2),
        },
        "the end must be allowed, and so must the start": {
            5: (0, 3),
        },
        "every token of the span must be allowed, also the first": {
            5: (2, 2),
        },
        "a span of one token is valid: start may equal end": {
            5: (3, 4),
        },
        "the scores are added, not multiplied": {
            5: (4, 6),
            6: (1, 1),
        },
        "tokens that are not allowed score 0 here: no span may hold one, whatever its score": {
            5: (0, 0),
        },
        "the last token, too, may be the start of a span": {
            5: (5, 5),
        },
        "the search ended at the first token that is not allowed: spans behind it count, too": {
            5: (1, 1),
        },
        "no sum is above 0: the search for the best begins with minus infinity": {
            5: (0, 0),
            6: (0, 0),
        },
        "the start was chosen first, then the best end for it: choose both together": {
            6: (0, 1),
        },
        "of equals the shortest was taken: the earliest start is asked, then the earliest end": {
            6: (2, 2),
        },
        "ties go to the earliest start and end": {
            6: (2, 3),
        },
    })
    dead = {
        "special tokens are None, which is neither a place in `labels` nor a number: they get -100": TypeError,
        "a word may be missing: look for the label of each token, not for a token of each label": ValueError,
    }
    check(first_piece_labels, [None, 0, 1, 1, None], [3, 5]).equals([-100, 3, 5, -100, -100], near=dead)
    check(first_piece_labels, [None, 0, 2, 2, 2, 3, None], [4, 7, 6, 1]).equals(
        [-100, 4, 6, -100, -100, 1, -100], near=dead
    )
    t, f = True, False
    s, e = torch.tensor([0.0, 1.0, 4.0, 0.5, 2.0]), torch.tensor([5.0, 3.0, 0.0, 1.5, 2.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t]), 5).equals(
        (2, 4), near=outside | {"return the pair alone, without its score": ((2, 4), 6.5)}
    )
    s, e = torch.tensor([-0.5, 1.0, 4.5, 3.0, 2.0, -1.0]), torch.tensor([4.0, 1.5, 0.5, 2.5, 3.5, 4.5])
    check(best_span, s, e, torch.tensor([t, t, t, t, t, t]), 2).equals((2, 3), near=outside)
    s, e = torch.tensor([-1.5, -2.0, -2.5, -5.5, -7.0, -3.5, -0.5]), torch.tensor([-6.5, -5.5, -0.5, -1, -2, -2.5, -4])
    check(best_span, s, e, torch.tensor([f, t, f, t, t, t, t]), 7).equals((6, 6), near=outside)
    s, e = torch.tensor([-1.0, -2.0, -2.0, -6.0]), torch.tensor([-7.0, -6.0, -2.0, -2.0])
    check(best_span, s, e, torch.tensor([t, t, t, t]), 2).equals(
        (1, 2), about="scores below 0, and three that are equal")


score
