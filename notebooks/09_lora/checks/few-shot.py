from helpers.checks import graded


@graded("few-shot", points=4)
def score(check):
    trailing = "there is a space behind the last `Answer:`: it belongs to the answer's first token"
    no_gap = "one empty line stands between two shots"
    no_blank = "an empty line stands between a passage and its question"
    no_answers = "the answers of the shots are missing"
    reverse = "the shots are in reverse order"
    open_first = "the open question comes last, behind the shots"
    skipping = "a shot that does not fit ends it: the first k are asked, not those that happen to fit"
    no_room = "the room for the answer is missing"
    no_own = "the question's own tokens are missing"
    each = "each shot was tried alone: the sizes of the first k add up"
    strict = "a prompt that fills the context exactly still fits"
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
    check(how_many, [30, 45, 20, 5, 8, 80], 30, 10, 105).equals(1, near={
            skipping: 4,
            no_room: 2,
            no_own: 3,
            each: 5,
        })
    check(how_many, [30, 50, 40, 10], 25, 15, 120).equals(2, near={
            strict: 1,
            each: 4,
        })
    empty_line = "without shots the prompt begins with the passage"
    check(few_shot, [], "Sort a list.", "What is sorted?").equals(
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:", about="no shot", near={
            empty_line: "\n\nSort a list.\n\nQuestion: What is sorted?\nAnswer:",
            trailing: "Sort a list.\n\nQuestion: What is sorted?\nAnswer: ",
            no_blank: "Sort a list.\nQuestion: What is sorted?\nAnswer:",
        })


score
