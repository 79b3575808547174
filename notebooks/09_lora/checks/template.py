from helpers.checks import graded


@graded("template", points=8)
def score(check):
    import torch

    whole = "the loss counts the prompt, too: its labels are -100"
    no_end = "the end is missing: the model must learn to stop"
    end_hidden = "the end has a label, too: the model must learn to stop"
    shifted = "the labels are shifted here; the shift belongs into the loss"
    answer_hidden = "the answer's labels are -100: it is the prompt that does not count"
    unshifted = "the shift is missing: the logits at t predict the label at t + 1"
    back = "the shift is the wrong way round: the logits at t predict the label at t + 1"
    summed = "this is the sum: the mean over the labelled tokens is asked"
    all_tokens = "this is divided by all tokens: only those with a label count"
    counted = "all tokens are counted in the mean"
    zero_label = "a label of 0 is a token, too: only -100 is left out"
    rows_first = "this is the mean of each row's mean: all labelled tokens count the same"
    alone = "each example got a row of its own: it joins the last row if it fits there"
    tight = "an example that fills the row exactly still fits"
    too_long = "an example that is longer than a row is left out, not cut"
    labels_padded = "the labels are filled with -100, not with the padding"
    owner_zero = "owners count from 1 in each row; 0 is padding"
    owner_on = "owners begin anew in each row"
    by_token = "a token of the prompt has a label if it stands in the answer, too: only the place counts"
    over_rows = "the shift runs over from one row into the next"
    by_rows = "this is divided by the number of rows: the mean over the labelled tokens is asked"
    by_length = "this is divided by the length of a row: the mean over the labelled tokens is asked"
    as_zero = "-100 was taken for the token 0: where it stands nothing counts"
    round_about = "the shift runs round: the first label of a row is compared with its last logits"
    late_label = "one label is missing: the answer's first token counts, too"
    first_place = "labels at the first place are counted in the mean: nothing predicts them"
    check(example_of, [5, 7, 9], [7, 8], 0).equals(
        ([5, 7, 9, 7, 8, 0], [-100, -100, -100, 7, 8, 0]), near={
            whole: ([5, 7, 9, 7, 8, 0], [5, 7, 9, 7, 8, 0]),
            no_end: ([5, 7, 9, 7, 8], [-100, -100, -100, 7, 8]),
            end_hidden: ([5, 7, 9, 7, 8, 0], [-100, -100, -100, 7, 8, -100]),
            shifted: ([5, 7, 9, 7, 8, 0], [-100, -100, 7, 8, 0, -100]),
            answer_hidden: ([5, 7, 9, 7, 8, 0], [5, 7, 9, -100, -100, -100]),
            by_token: ([5, 7, 9, 7, 8, 0], [-100, 7, -100, 7, 8, 0]),
            late_label: ([5, 7, 9, 7, 8, 0], [-100, -100, -100, -100, 8, 0]),
        })
    logits = torch.tensor([[[2.0, 0.0, 1.0], [0.0, 1.0, -1.0], [1.0, 1.0, 3.0], [0.5, 0.0, 1.0]],
                           [[0.0, 2.0, 0.0], [1.0, -1.0, 0.0], [0.0, 0.5, 0.0], [2.0, 0.0, 1.0]]])
    labels = torch.tensor([[-100, 2, 1, 0], [1, -100, -100, 2]])
    check(answer_loss, logits, labels).equals(1.3372834, rtol=1e-4, near={
            unshifted: 1.494914,
            back: 1.442474,
            summed: 5.349133,
            all_tokens: 0.891522,
            counted: 0.668642,
            zero_label: 1.03653,
            rows_first: 1.322981,
            over_rows: 1.405881,
            first_place: 1.069827,
            by_rows: 2.674567,
            by_length: 1.783044,
            as_zero: 1.332714,
            round_about: 1.551348,
        })
    examples = [([1, 2, 3], [-100, 2, 3]), ([4, 5], [-100, 5]), ([6, 7, 8, 9, 10, 11], [-100] * 5 + [11]),
                ([12, 13, 14], [-100, 13, 14]), ([15], [15])]
    t = torch.tensor
    check(pack, examples, 5, 99).equals(
        (t([[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]]),
         t([[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]]),
         t([[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]])), near={
            alone: (
                [[1, 2, 3, 99, 99], [4, 5, 99, 99, 99], [12, 13, 14, 99, 99], [15, 99, 99, 99, 99]],
                [[-100, 2, 3, -100, -100], [-100, 5, -100, -100, -100], [-100, 13, 14, -100, -100],
                    [15, -100, -100, -100, -100]],
                [[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 0, 0, 0, 0]]),
            tight: (
                [[1, 2, 3, 99, 99], [4, 5, 99, 99, 99], [12, 13, 14, 15, 99]],
                [[-100, 2, 3, -100, -100], [-100, 5, -100, -100, -100], [-100, 13, 14, 15, -100]],
                [[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 2, 0]]),
            too_long: (
                [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [12, 13, 14, 15, 99]],
                [[-100, 2, 3, -100, 5], [-100, -100, -100, -100, -100], [-100, 13, 14, 15, -100]],
                [[1, 1, 1, 2, 2], [1, 1, 1, 1, 1], [1, 1, 1, 2, 0]]),
            labels_padded: (
                [[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]],
                [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, 99]],
                [[1, 1, 1, 2, 2], [1, 1, 1, 2, 0]]),
            owner_zero: (
                [[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]],
                [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
                [[0, 0, 0, 1, 1], [0, 0, 0, 1, 0]]),
            owner_on: (
                [[1, 2, 3, 4, 5], [12, 13, 14, 15, 99]],
                [[-100, 2, 3, -100, 5], [-100, 13, 14, 15, -100]],
                [[1, 1, 1, 2, 2], [3, 3, 3, 4, 0]]),
        })
    ends = "an example that is left out ends its row here: the next one still joins the last"
    under = "an example as long as a row fits: only longer ones are left out"
    by_number = "padding is found by its number, which a text may hold, too: fill up by places"
    earlier = "an example joins the last row only, not an earlier one that has room"
    examples = [([1, 2, 3], [-100, 2, 3]), ([4, 5, 6, 7], [-100, -100, 6, 7]), ([8], [8]), ([6], [6]),
                ([4] * 5, [4] * 5), ([9, 0], [-100, 0])]
    check(pack, examples, 4, 0).equals(
        (t([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]]), t([[-100, 2, 3, -100], [-100, -100, 6, 7], [8, 6, -100, 0]]),
         t([[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 3]])), about="a row that is full, and one left out", near={
            ends: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 0, 0], [9, 0, 0, 0]], [[-100, 2, 3, -100], [-100, -100, 6, 7],
                [8, 6, -100, -100], [-100, 0, -100, -100]], [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 0, 0], [1, 1, 0, 0]]),
            tight: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 0, 0], [9, 0, 0, 0]], [[-100, 2, 3, -100], [-100, -100, 6, 7],
                [8, 6, -100, -100], [-100, 0, -100, -100]], [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 0, 0], [1, 1, 0, 0]]),
            under: ([[1, 2, 3, 8], [6, 9, 0, 0]], [[-100, 2, 3, 8], [6, -100, 0, -100]], [[1, 1, 1, 2], [1, 2, 2, 0]]),
            by_number: ([[1, 2, 3, 0], [4, 5, 6, 7], [8, 6, 9, 0]], [[-100, 2, 3, -100], [-100, -100, 6, 7],
                [8, 6, -100, -100]], [[1, 1, 1, 0], [1, 1, 1, 1], [1, 2, 3, 0]]),
            earlier: ([[1, 2, 3, 8], [4, 5, 6, 7], [6, 9, 0, 0]], [[-100, 2, 3, 8], [-100, -100, 6, 7], [6, -100, 0,
                -100]], [[1, 1, 1, 2], [1, 1, 1, 1], [1, 2, 2, 0]]),
        })
    trailing = "there is a space behind the last `Answer:`: it belongs to the answer's first token"
    no_gap = "one empty line stands between two shots"
    no_blank = "an empty line stands between a passage and its question"
    no_answers = "the answers of the shots are missing"
    reverse = "the shots are in reverse order"
    open_first = "the open question comes last, behind the shots"
    shots = [("The sum of x.", "What is it?", "a sum"), ("See mean.", "What to see?", "mean")]
    check(few_shot, shots, "Sort a list.", "What is sorted?").equals(
        "The sum of x.\n\nQuestion: What is it?\nAnswer: a sum\n\nSee mean.\n\nQuestion: What to see?\nAnswer: mean\n\n"
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:", near={
            trailing: "The sum of x.\n\nQuestion: What is it?\nAnswer: a sum\n\nSee mean.\n\nQuestio"
                "n: What to see?\nAnswer: mean\n\nSort a list.\n\nQuestion: What is sorted?\n" "Answer: ",
            no_gap: "The sum of x.\n\nQuestion: What is it?\nAnswer: a sum\nSee mean.\n\nQuestion"
                ": What to see?\nAnswer: mean\nSort a list.\n\nQuestion: What is sorted?\nAn" "swer:",
            no_blank: "The sum of x.\nQuestion: What is it?\nAnswer: a sum\n\nSee mean.\nQuestion:"
                " What to see?\nAnswer: mean\n\nSort a list.\nQuestion: What is sorted?\nAns" "wer:",
            no_answers: "The sum of x.\n\nQuestion: What is it?\nAnswer:\n\nSee mean.\n\nQuestion: Wha"
                "t to see?\nAnswer:\n\nSort a list.\n\nQuestion: What is sorted?\nAnswer:",
            reverse: "See mean.\n\nQuestion: What to see?\nAnswer: mean\n\nThe sum of x.\n\nQuestio"
                "n: What is it?\nAnswer: a sum\n\nSort a list.\n\nQuestion: What is sorted?\n" "Answer:",
            open_first: "Sort a list.\n\nQuestion: What is sorted?\nAnswer:\n\nThe sum of x.\n\nQuesti"
                "on: What is it?\nAnswer: a sum\n\nSee mean.\n\nQuestion: What to see?\nAnswe" "r: mean\n\n",
        })
    empty_line = "without shots the prompt begins with the passage"
    check(few_shot, [], "Sort a list.", "What is sorted?").equals(
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:", about="no shot", near={
            empty_line: "\n\nSort a list.\n\nQuestion: What is sorted?\nAnswer:",
            trailing: "Sort a list.\n\nQuestion: What is sorted?\nAnswer: ",
            no_blank: "Sort a list.\nQuestion: What is sorted?\nAnswer:",
        })


score
