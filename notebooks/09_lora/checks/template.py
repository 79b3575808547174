from helpers.checks import graded


@graded("template", points=8)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the loss counts the prompt, too: its labels are -100": {
            1: ([5, 7, 9, 7, 8, 0], [5, 7, 9, 7, 8, 0]),
        },
        "the end is missing: the model must learn to stop": {
            1: ([5, 7, 9, 7, 8], [-100, -100, -100, 7, 8]),
        },
        "the end has a label, too: the model must learn to stop": {
            1: ([5, 7, 9, 7, 8, 0], [-100, -100, -100, 7, 8, -100]),
        },
        "the labels are shifted here; the shift belongs into the loss": {
            1: ([5, 7, 9, 7, 8, 0], [-100, -100, 7, 8, 0, -100]),
        },
        "the answer's labels are -100: it is the prompt that does not count": {
            1: ([5, 7, 9, 7, 8, 0], [5, 7, 9, -100, -100, -100]),
        },
        "the labels are those of the answer alone: as many as there are ids are asked": {
            1: ([5, 7, 9, 7, 8, 0], [7, 8, 0]),
        },
        "a token of the prompt has a label if it stands in the answer, too: only the place counts": {
            1: ([5, 7, 9, 7, 8, 0], [-100, 7, -100, 7, 8, 0]),
        },
        "one label is missing: the answer's first token counts, too": {
            1: ([5, 7, 9, 7, 8, 0], [-100, -100, -100, -100, 8, 0]),
        },
        "one token of the prompt has a label: -100 is asked there": {
            1: ([5, 7, 9, 7, 8, 0], [-100, -100, 9, 7, 8, 0]),
        },
        "the end came between prompt and answer, too": {
            1: ([5, 7, 9, 0, 7, 8, 0], [-100, -100, -100, -100, 7, 8, 0]),
        },
        "the end came between prompt and answer, too, and with a label": {
            1: ([5, 7, 9, 0, 7, 8, 0], [-100, -100, -100, 0, 7, 8, 0]),
        },
        "the end came twice": {
            1: ([5, 7, 9, 7, 8, 0, 0], [-100, -100, -100, 7, 8, 0, 0]),
        },
        "the labels are one too few: the answer's begin where the prompt ends": {
            1: ([5, 7, 9, 7, 8, 0], [-100, -100, 7, 8, 0]),
        },
        "the labels are one too many": {
            1: ([5, 7, 9, 7, 8, 0], [-100, -100, -100, -100, 7, 8, 0]),
        },
        "ids and labels are exchanged": {
            1: ([-100, -100, -100, 7, 8, 0], [5, 7, 9, 7, 8, 0]),
        },
        "the ids are those of the answer alone: the prompt stands before them": {
            1: ([7, 8, 0], [-100, -100, -100, 7, 8, 0]),
        },
        "the answer came before the prompt": {
            1: ([7, 8, 0, 5, 7, 9], [7, 8, 0, -100, -100, -100]),
        },
        "the end comes behind the answer": {
            1: ([5, 7, 9, 0, 7, 8], [-100, -100, -100, 0, 7, 8]),
        },
        "the prompt's labels are 0: -100 is what the loss leaves out": {
            1: ([5, 7, 9, 7, 8, 0], [0, 0, 0, 7, 8, 0]),
        },
        "the prompt's labels are -1: -100 is what the loss leaves out": {
            1: ([5, 7, 9, 7, 8, 0], [-1, -1, -1, 7, 8, 0]),
        },
        "the shift is missing: the logits at t predict the label at t + 1": {
            2: 1.49491,
            4: 220.0,
        },
        "the shift is the wrong way round: the logits at t predict the label at t + 1": {
            2: 1.44247,
            4: 200.0,
        },
        "this is the sum: the mean over the labelled tokens is asked": {
            2: 5.34913,
            4: 700.0,
        },
        "this is divided by all tokens: only those with a label count": {
            2: 0.891522,
            4: 116.667,
        },
        "this is the mean of each row's mean: all labelled tokens count the same": {
            2: 1.32298,
            4: 150.0,
        },
        "all tokens are counted in the mean": {
            2: 0.668642,
            4: 87.5,
        },
        "this is in bits: nats are asked": {
            2: 1.92929,
            4: 252.472,
        },
        "this is the perplexity: the loss is its logarithm": {
            2: 3.80868,
            4: float("inf"),
        },
        "the sign is turned round": {
            2: -1.33728,
            4: -175.0,
        },
        "the shift runs over from one row into the next": {
            2: 1.40588,
            4: 180.0,
        },
        "the softmax is taken twice: cross_entropy takes logits": {
            2: 1.13908,
            4: 1.30144,
        },
        "this is divided by the number of rows: the mean over the labelled tokens is asked": {
            2: 2.67457,
            4: 350.0,
        },
        "this is divided by the length of a row: the mean over the labelled tokens is asked": {
            2: 1.78304,
            4: 233.333,
        },
        "-100 was taken for the token 0: where it stands nothing counts": {
            2: 1.33271,
            4: 183.333,
        },
        "the shift runs round: the first label of a row is compared with its last logits": {
            2: 1.55135,
            4: 220.0,
        },
        "the first label of each answer is missing: the prompt's last logits predict it": {
            2: 1.32358,
            4: 200.0,
        },
        "the last place of each row is missing": {
            2: 0.907606,
            4: 100.0,
        },
        "the shift is missing, and the first place, too": {
            2: 1.80876,
            4: 275.0,
        },
        "the shift is missing, and the last place, too": {
            2: 1.6289,
            4: 266.667,
        },
        "the shift is by two places: by one is asked": {
            2: 1.74094,
            4: 266.667,
        },
        "the softmax is over the places: it is over the vocabulary": {
            2: 1.37779,
            4: 150.448,
        },
        "these are probabilities: their logarithms are asked": {
            2: -0.322636,
            4: -0.25,
        },
        "these are logits: log_softmax is missing": {
            2: -0.75,
            4: -150.0,
        },
        "a label of 0 is a token, too: only -100 is left out": {
            2: 1.03653,
            4: 100.0,
        },
        "labels at the first place are counted in the mean: nothing predicts them": {
            2: 1.06983,
            4: 140.0,
        },
        "owners are the numbers of the examples in the list: they begin anew in each row": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 2, 2], [4, 4, 4, 5, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, 0], [2, 2, 2, 2], [3, 4, 6, 6]]),
        },
        "all behind an example that is too long are missing: it alone is left out": {
            3: ([[1, 2, 3, 4, 5]], [[-100, 2, 3, -100, 5]], [[1, 1, 1, 2, 2]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 0, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, -100]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 0, 0]]),
        },
        "the padding stands at the beginning of the rows: it fills them up at the end": {
            3: ([[1, 2, 3, 4, 5], [99, 12, 13, 14, 15]], [[-100, 2, 3, -100, 5], [-100, -100, 13, 14, 15]],
             [[1, 1, 1, 2, 2], [0, 1, 1, 1, 2]]),
            6: ([[0, 1, 2, 3], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, -100, 2, 3], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[0, 1, 1, 1], [1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "the last row is missing": {
            3: ([[1, 2, 3, 4, 5]], [[-100, 2, 3, -100, 5]], [[1, 1, 1, 2, 2]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7]], [[-100, 2, 3, -100], [-100, -100, 6, 7]],
             [[1, 1, 1, 0], [1, 1, 1, 1]]),
        },
        "rows that are not full are missing": {
            3: ([[1, 2, 3, 4, 5]], [[-100, 2, 3, -100, 5]], [[1, 1, 1, 2, 2]]),
            6: ([[4, 5, 6, 7], [8, 6, 9, 0]], [[-100, -100, 6, 7], [8, 6, -100, 0]], [[1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "the first row is empty": {
            3: ([[0, 0, 0, 0, 0], [1, 2, 3, 4, 5], [12, 13, 14, 15, 99]],
             [[-100, -100, -100, -100, -100], [-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[0, 0, 0, 0, 0], [1, 1, 1, 2, 2], [1, 1, 1, 2, 0]]),
            6: ([[0, 0, 0, 0], [1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, -100, -100, -100], [-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[0, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "owner is 0 for padding": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 2, 2], [1, 1, 1, 2, -1]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, -1], [1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "owner is 0 for padding, not -100": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 2, 2], [1, 1, 1, 2, -100]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, -100], [1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "owner says which example a token belongs to, not its place": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[1, 2, 3, 1, 2], [1, 2, 3, 1, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 2, 3, 0], [1, 2, 3, 4], [1, 1, 1, 2]]),
        },
        "owner is 1 for each token here: examples are told apart": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 1]]),
        },
        "owner is the number of the row here: that of the example in its row is asked": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 1, 1], [2, 2, 2, 2, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, 0], [2, 2, 2, 2], [3, 3, 3, 3]]),
        },
        "the first token of each example lost its label here: labels stand as they came": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, -100, -100]],
             [[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [-100, -100, -100, 0]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "labels were shifted here: they stand as they came": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[2, 3, -100, 5, -100], [13, 14, 15, -100, -100]],
             [[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[2, 3, -100, -100], [-100, 6, 7, -100], [6, -100, 0, -100]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "labels and owner are exchanged: ids, labels, owner": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]],
             [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]], [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]]),
        },
        "the padding is 0: `pad_id` is asked": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 0]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]]),
        },
        "the longest examples came first: they stay in order": {
            3: ([[1, 2, 3, 99, 99], [12, 13, 14, 4, 5], [15, 99, 99, 99, 99]],
             [[-100, 2, 3, -100, -100], [-100, 13, 14, -100, 5], [15, -100, -100, -100, -100]],
             [[1, 1, 1, 0, 0], [1, 1, 1, 2, 2], [1, 0, 0, 0, 0]]),
            6: ([[4, 5, 6, 7], [1, 2, 3, 0], [9, 0, 8, 6]],
             [[-100, -100, 6, 7], [-100, 2, 3, -100], [-100, 0, 8, 6]],
             [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 2, 3]]),
        },
        "the shortest examples came first: they stay in order": {
            3: ([[15, 4, 5, 99, 99], [1, 2, 3, 99, 99], [12, 13, 14, 99, 99]],
             [[15, -100, 5, -100, -100], [-100, 2, 3, -100, -100], [-100, 13, 14, -100, -100]],
             [[1, 2, 2, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 0, 0]]),
            6: ([[8, 6, 9, 0], [1, 2, 3, 0], [4, 5, 6, 7]],
             [[8, 6, -100, 0], [-100, 2, 3, -100], [-100, -100, 6, 7]],
             [[1, 2, 3, 3], [1, 1, 1, 0], [1, 1, 1, 1]]),
        },
        "each example got a row of its own: it joins the last row if it fits there": {
            3: ([[1, 2, 3, 99, 99], [4, 5, 99, 99, 99], [12, 13, 14, 99, 99], [15, 99, 99, 99, 99]],
             [[-100, 2, 3, -100, -100], [-100, 5, -100, -100, -100], [-100, 13, 14, -100, -100],
              [15, -100, -100, -100, -100]],
             [[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 0, 0, 0, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 0, 0, 0], [6, 0, 0, 0], [9, 0, 0, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, -100, -100, -100], [6, -100, -100, -100],
              [-100, 0, -100, -100]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]]),
        },
        "an example that fills the row exactly still fits": {
            3: ([[1, 2, 3, 99, 99], [4, 5, 99, 99, 99], [12, 13, 14, 15, 99]],
             [[-100, 2, 3, -100, -100], [-100, 5, -100, -100, -100], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 2, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 0, 0], [9, 0, 0, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, -100], [-100, 0, -100, -100]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 0, 0], [1, 1, 0, 0]]),
        },
        "an example that is longer than a row is left out, not cut": {
            3: ([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [12, 13, 14, 15, 99]],
             [[-100, 2, 3, -100, 5], [-100, -100, -100, -100, -100], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 2, 2], [1, 1, 1, 1, 1], [1, 1, 1, 2, 0]]),
            5: ([[4, 4]], [[4, 4]], [[1, 1]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 0, 0], [4, 4, 4, 4], [9, 0, 0, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, -100], [4, 4, 4, 4], [-100, 0, -100, -100]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 0, 0], [1, 1, 1, 1], [1, 1, 0, 0]]),
        },
        "the labels are filled with -100, not with the padding": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, 99]],
             [[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]], [[-100, 2, 3, 0], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "owners count from 1 in each row; 0 is padding": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[0, 0, 0, 1, 1], [0, 0, 0, 1, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 2, 2]]),
        },
        "owners begin anew in each row": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
             [[1, 1, 1, 2, 2], [3, 3, 3, 4, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, 0], [2, 2, 2, 2], [3, 4, 5, 5]]),
        },
        "the labels are filled with 0: -100 is what the loss leaves out": {
            3: ([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]], [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, 0]],
             [[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]]),
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]], [[-100, 2, 3, 0], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]]),
        },
        "owners count the examples that were left out, too": {
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 4, 4]]),
        },
        "an example that does not fit whole was cut: it begins a new row": {
            6: ([[1, 2, 3, 4], [8, 6, 9, 0]], [[-100, 2, 3, -100], [8, 6, -100, 0]], [[1, 1, 1, 2], [1, 2, 3, 3]]),
        },
        "an example was spread over two rows: it begins a new one": {
            6: ([[1, 2, 3, 4], [5, 6, 7, 8], [6, 9, 0, 0]],
             [[-100, 2, 3, -100], [-100, 6, 7, 8], [6, -100, 0, -100]],
             [[1, 1, 1, 2], [1, 1, 1, 2], [1, 2, 2, 0]]),
        },
        "an example that is left out ends its row here: the next one still joins the last": {
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 0, 0], [9, 0, 0, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, -100], [-100, 0, -100, -100]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 0, 0], [1, 1, 0, 0]]),
        },
        "an example as long as a row fits: only longer ones are left out": {
            6: ([[1, 2, 3, 8], [6, 9, 0, 0]], [[-100, 2, 3, 8], [6, -100, 0, -100]], [[1, 1, 1, 2], [1, 2, 2, 0]]),
        },
        "padding is found by its number, which a text may hold, too: fill up by places": {
            6: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]],
             [[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, -100]],
             [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 0]]),
        },
        "an example joins the last row only, not an earlier one that has room": {
            6: ([[1, 2, 3, 8], [4, 5, 6, 7], [6, 9, 0, 0]],
             [[-100, 2, 3, 8], [-100, -100, 6, 7], [6, -100, 0, -100]],
             [[1, 1, 1, 2], [1, 1, 1, 1], [1, 2, 2, 0]]),
        },
        "there is a space behind the last `Answer:`: it belongs to the answer's first token": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer: '),
            8: ('{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer: '),
            9: 'Sort a list.\n\nQuestion: What is sorted?\nAnswer: ',
        },
        "one empty line stands between two shots": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "an empty line stands between a passage and its question": {
            7: ('The sum of x.\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\nQuestion:  a? \nAnswer: {passage}\n\n{0} {answer}\nQuestion: {question}?\nAnswer:',
            9: 'Sort a list.\nQuestion: What is sorted?\nAnswer:',
        },
        "the answers of the shots are missing": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer:\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer:\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\n\nQuestion:  a? \nAnswer:\n\n{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "the shots are in reverse order": {
            7: ('See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
        },
        "the open question comes last, behind the shots": {
            7: ('Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:\n'
             '\n'
             'The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'),
            8: ('{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:\n'
             '\n'
             '{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'),
            9: 'Sort a list.\n\nQuestion: What is sorted?\nAnswer:\n\n',
        },
        "there is a line break behind the last `Answer:`": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:\n'),
            8: ('{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:\n'),
            9: 'Sort a list.\n\nQuestion: What is sorted?\nAnswer:\n',
        },
        "question and answer of the shots are exchanged": {
            7: ('The sum of x.\n'
             '\n'
             'Question: a sum\n'
             'Answer: What is it?\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: mean\n'
             'Answer: What to see?\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: ('{answer} {x}\n'
             '\n'
             'Question: {passage}\n'
             'Answer:  a? \n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "passage and question of the shots are exchanged": {
            7: ('What is it?\n'
             '\n'
             'Question: The sum of x.\n'
             'Answer: a sum\n'
             '\n'
             'What to see?\n'
             '\n'
             'Question: See mean.\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: (' a? \n'
             '\n'
             'Question: {answer} {x}\n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "only the first shot came": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
        },
        "only the last shot came": {
            7: ('See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
        },
        "the empty line before the open passage is missing": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: meanSort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\n\nQuestion:  a? \nAnswer: {passage}{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "one line break alone stands before the open passage: an empty line is asked": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "a line break too many stands at the beginning": {
            7: ('\n'
             'The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: ('\n'
             '{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
            9: '\nSort a list.\n\nQuestion: What is sorted?\nAnswer:',
        },
        "a line break too many stands before each shot": {
            7: ('\n'
             'The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: ('\n'
             '{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "a line break too many stands before each passage": {
            7: ('\n'
             'The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: ('\n'
             '{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
            9: '\nSort a list.\n\nQuestion: What is sorted?\nAnswer:',
        },
        "a word stands before each passage: it stands there without a name": {
            7: ('Passage: The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'Passage: See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Passage: Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: ('Passage: {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             'Passage: {0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
            9: 'Passage: Sort a list.\n\nQuestion: What is sorted?\nAnswer:',
        },
        "a word stands before each shot's passage: it stands there without a name": {
            7: ('Passage: The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'Passage: See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: ('Passage: {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "the words `Question:` and `Answer:` are written out": {
            7: ('The sum of x.\n'
             '\n'
             'Q: What is it?\n'
             'A: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Q: What to see?\n'
             'A: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Q: What is sorted?\n'
             'A:'),
            8: '{answer} {x}\n\nQ:  a? \nA: {passage}\n\n{0} {answer}\n\nQ: {question}?\nA:',
            9: 'Sort a list.\n\nQ: What is sorted?\nA:',
        },
        "the word `Question:` is written out": {
            7: ('The sum of x.\n'
             '\n'
             'Q: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Q: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Q: What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\n\nQ:  a? \nAnswer: {passage}\n\n{0} {answer}\n\nQ: {question}?\nAnswer:',
            9: 'Sort a list.\n\nQ: What is sorted?\nAnswer:',
        },
        "the blank behind `Question:` is missing": {
            7: ('The sum of x.\n'
             '\n'
             'Question:What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question:What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question:What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\n\nQuestion: a? \nAnswer: {passage}\n\n{0} {answer}\n\nQuestion:{question}?\nAnswer:',
            9: 'Sort a list.\n\nQuestion:What is sorted?\nAnswer:',
        },
        "an empty line stands between question and answer: a line of its own is asked": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             '\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             '\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             '\n'
             'Answer:'),
            8: ('{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             '\n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             '\n'
             'Answer:'),
            9: 'Sort a list.\n\nQuestion: What is sorted?\n\nAnswer:',
        },
        "the last line, `Answer:`, is missing": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?'),
            8: '{answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n\n{0} {answer}\n\nQuestion: {question}?',
            9: 'Sort a list.\n\nQuestion: What is sorted?',
        },
        "the shots are missing": {
            7: 'Sort a list.\n\nQuestion: What is sorted?\nAnswer:',
            8: '{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "the space before an answer is missing": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer:a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer:mean\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\n\nQuestion:  a? \nAnswer:{passage}\n\n{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "the open passage is missing": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: '{answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n\nQuestion: {question}?\nAnswer:',
            9: 'Question: What is sorted?\nAnswer:',
        },
        "there are two empty lines between shots": {
            7: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             '\n'
             'See mean.\n'
             '\n'
             'Question: What to see?\n'
             'Answer: mean\n'
             '\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
            8: ('{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "without shots the prompt begins with the passage": {
            9: '\n\nSort a list.\n\nQuestion: What is sorted?\nAnswer:',
        },
    })
    check(example_of, [5, 7, 9], [7, 8], 0).equals(([5, 7, 9, 7, 8, 0], [-100, -100, -100, 7, 8, 0]))
    logits = torch.tensor([[[2.0, 0.0, 1.0], [0.0, 1.0, -1.0], [1.0, 1.0, 3.0], [0.5, 0.0, 1.0]],
                           [[0.0, 2.0, 0.0], [1.0, -1.0, 0.0], [0.0, 0.5, 0.0], [2.0, 0.0, 1.0]]])
    labels = torch.tensor([[-100, 2, 1, 0], [1, -100, -100, 2]])
    check(answer_loss, logits, labels).equals(1.3372834, rtol=1e-4)
    examples = [([1, 2, 3], [-100, 2, 3]), ([4, 5], [-100, 5]), ([6, 7, 8, 9, 10, 11], [-100] * 5 + [11]),
                ([12, 13, 14], [-100, 13, 14]), ([15], [15])]
    t = torch.tensor
    check(pack, examples, 5, 99).equals(
        (t([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]]), t([[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]]),
         t([[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]])))
    check(answer_loss, 200 * logits, labels).equals(175.0, about="large logits", rtol=1e-4)
    empty = torch.zeros(0, 2, dtype=torch.int64)
    check(pack, [([4] * 3, [4] * 3)], 2, 0).equals(
        (empty, empty, empty), about="none fits")
    examples = [([1, 2, 3], [-100, 2, 3]), ([4, 5, 6, 7], [-100, -100, 6, 7]), ([8], [8]), ([6], [6]),
                ([4] * 5, [4] * 5), ([9, 0], [-100, 0])]
    check(pack, examples, 4, 0).equals(
        (t([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]]), t([[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]]),
         t([[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]])),
        about="a row that is full, and one left out")
    shots = [("The sum of x.", "What is it?", "a sum"), ("See mean.", "What to see?", "mean")]
    check(few_shot, shots, "Sort a list.", "What is sorted?").equals(
        "The sum of x.\n\nQuestion: What is it?\nAnswer: a sum\n\nSee mean.\n\nQuestion: What to see?\nAnswer: mean\n\n"
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:")
    check(few_shot, [("{answer} {x}", " a? ", "{passage}")], "{0} {answer}", "{question}?").equals(
        "{answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n\n{0} {answer}\n\nQuestion: {question}?\nAnswer:",
        about="braces in the texts", near={
            "braces in a text are text: the whole prompt went through .format": KeyError})
    check(few_shot, [], "Sort a list.", "What is sorted?").equals(
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:", about="no shot")


score
