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
        "the labels are those of the answer alone: as many as there are ids are asked for": {
            1: ([5, 7, 9, 7, 8, 0], [7, 8, 0]),
        },
        "a token of the prompt has a label if it belongs in the answer, too: only the place counts": {
            1: ([5, 7, 9, 7, 8, 0], [-100, 7, -100, 7, 8, 0]),
        },
        "one label is missing: the answer's first token counts, too": {
            1: ([5, 7, 9, 7, 8, 0], [-100, -100, -100, -100, 8, 0]),
        },
        "one token of the prompt has a label: -100 is asked for there": {
            1: ([5, 7, 9, 7, 8, 0], [-100, -100, 9, 7, 8, 0]),
        },
        "the end was put between prompt and answer, too": {
            1: ([5, 7, 9, 0, 7, 8, 0], [-100, -100, -100, -100, 7, 8, 0]),
        },
        "the end was put between prompt and answer, too, and with a label": {
            1: ([5, 7, 9, 0, 7, 8, 0], [-100, -100, -100, 0, 7, 8, 0]),
        },
        "the end is there twice": {
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
        "the ids are those of the answer alone: the prompt belongs before them": {
            1: ([7, 8, 0], [-100, -100, -100, 7, 8, 0]),
        },
        "the answer was put before the prompt": {
            1: ([7, 8, 0, 5, 7, 9], [7, 8, 0, -100, -100, -100]),
        },
        "the end comes after the answer": {
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
        "this is the sum: the mean over the labelled tokens is asked for": {
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
        "this is in bits: nats are asked for": {
            2: 1.92929,
            4: 252.472,
        },
        "this is the perplexity: the loss is its logarithm": {
            2: 3.80868,
        },
        "the sign is wrong": {
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
        "this is divided by the number of rows: the mean over the labelled tokens is asked for": {
            2: 2.67457,
            4: 350.0,
        },
        "this is divided by the length of a row: the mean over the labelled tokens is asked for": {
            2: 1.78304,
            4: 233.333,
        },
        "-100 was taken for the token 0: where it is, nothing counts": {
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
        "the shift is by two places: by one is asked for": {
            2: 1.74094,
            4: 266.667,
        },
        "the softmax is over the places: it is over the vocabulary": {
            2: 1.37779,
            4: 150.448,
        },
        "these are probabilities: their logarithms are asked for": {
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
        "there is a space after the last `Answer:`: it belongs to the answer's first token": {
            5: ('The sum of x.\n'
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
            6: (' {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer: '),
            7: 'Sort a list.\n\nQuestion: What is sorted?\nAnswer: ',
        },
        "one empty line belongs between two shots": {
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "an empty line belongs between a passage and its question": {
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\nQuestion:  a? \nAnswer: {passage}\n\n{0} {answer}\nQuestion: {question}?\nAnswer:',
            7: 'Sort a list.\nQuestion: What is sorted?\nAnswer:',
        },
        "the answers of the shots are missing": {
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQuestion:  a? \nAnswer:\n\n{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "the shots are in reverse order": {
            5: ('See mean.\n'
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
        "the open question comes last, after the shots": {
            5: ('Sort a list.\n'
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
            6: ('{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:\n'
             '\n'
             ' {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'),
            7: 'Sort a list.\n\nQuestion: What is sorted?\nAnswer:\n\n',
        },
        "there is a line break after the last `Answer:`": {
            5: ('The sum of x.\n'
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
            6: (' {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:\n'),
            7: 'Sort a list.\n\nQuestion: What is sorted?\nAnswer:\n',
        },
        "question and answer of the shots are exchanged": {
            5: ('The sum of x.\n'
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
            6: (' {answer} {x}\n'
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
            5: ('What is it?\n'
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
            6: (' a? \n'
             '\n'
             'Question:  {answer} {x}\n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "only the first shot is there": {
            5: ('The sum of x.\n'
             '\n'
             'Question: What is it?\n'
             'Answer: a sum\n'
             '\n'
             'Sort a list.\n'
             '\n'
             'Question: What is sorted?\n'
             'Answer:'),
        },
        "only the last shot is there": {
            5: ('See mean.\n'
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
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQuestion:  a? \nAnswer: {passage}{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "one line break alone is before the open passage: an empty line is asked for": {
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "there is a line break too many at the beginning": {
            5: ('\n'
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
            6: ('\n'
             ' {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
            7: '\nSort a list.\n\nQuestion: What is sorted?\nAnswer:',
        },
        "there is a line break too many before each shot": {
            5: ('\n'
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
            6: ('\n'
             ' {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "there is a line break too many before each passage": {
            5: ('\n'
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
            6: ('\n'
             ' {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
            7: '\nSort a list.\n\nQuestion: What is sorted?\nAnswer:',
        },
        "a word is before each passage: it is there without a name": {
            5: ('Passage: The sum of x.\n'
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
            6: ('Passage:  {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             'Passage: {0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
            7: 'Passage: Sort a list.\n\nQuestion: What is sorted?\nAnswer:',
        },
        "a word is before each shot's passage: it is there without a name": {
            5: ('Passage: The sum of x.\n'
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
            6: ('Passage:  {answer} {x}\n'
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
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQ:  a? \nA: {passage}\n\n{0} {answer}\n\nQ: {question}?\nA:',
            7: 'Sort a list.\n\nQ: What is sorted?\nA:',
        },
        "the word `Question:` is written out": {
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQ:  a? \nAnswer: {passage}\n\n{0} {answer}\n\nQ: {question}?\nAnswer:',
            7: 'Sort a list.\n\nQ: What is sorted?\nAnswer:',
        },
        "the blank after `Question:` is missing": {
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQuestion: a? \nAnswer: {passage}\n\n{0} {answer}\n\nQuestion:{question}?\nAnswer:',
            7: 'Sort a list.\n\nQuestion:What is sorted?\nAnswer:',
        },
        "an empty line belongs between question and answer: a line of its own is asked for": {
            5: ('The sum of x.\n'
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
            6: (' {answer} {x}\n'
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
            7: 'Sort a list.\n\nQuestion: What is sorted?\n\nAnswer:',
        },
        "the last line, `Answer:`, is missing": {
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n\n{0} {answer}\n\nQuestion: {question}?',
            7: 'Sort a list.\n\nQuestion: What is sorted?',
        },
        "the shots are missing": {
            5: 'Sort a list.\n\nQuestion: What is sorted?\nAnswer:',
            6: '{0} {answer}\n\nQuestion: {question}?\nAnswer:',
        },
        "the space before an answer is missing": {
            5: ('The sum of x.\n'
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
            6: (' {answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer:{passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "the open passage is missing": {
            5: ('The sum of x.\n'
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
            6: ' {answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n\nQuestion: {question}?\nAnswer:',
            7: 'Question: What is sorted?\nAnswer:',
        },
        "there are two empty lines between shots": {
            5: ('The sum of x.\n'
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
            6: (' {answer} {x}\n'
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
        "the prompt was stripped: blanks of the texts stay, and it ends with `Answer:`": {
            6: ('{answer} {x}\n'
             '\n'
             'Question:  a? \n'
             'Answer: {passage}\n'
             '\n'
             '{0} {answer}\n'
             '\n'
             'Question: {question}?\n'
             'Answer:'),
        },
        "without shots the prompt begins with the passage": {
            7: '\n\nSort a list.\n\nQuestion: What is sorted?\nAnswer:',
        },
    })
    check(example_of, [5, 7, 9], [7, 8], 0).equals(([5, 7, 9, 7, 8, 0], [-100, -100, -100, 7, 8, 0]))
    logits = torch.tensor([[[2.0, 0.0, 1.0], [0.0, 1.0, -1.0], [1.0, 1.0, 3.0], [0.5, 0.0, 1.0]],
                           [[0.0, 2.0, 0.0], [1.0, -1.0, 0.0], [0.0, 0.5, 0.0], [2.0, 0.0, 1.0]]])
    labels = torch.tensor([[-100, 2, 1, 0], [1, -100, -100, 2]])
    check(answer_loss, logits, labels).equals(1.3372834, rtol=1e-4)
    uncut = {"no gradient flows: is the loss a plain number?": RuntimeError,
             "the loss is a plain number: return the tensor, through which the gradient flows": AttributeError}
    check(slopes, answer_loss, logits[:1, :2], labels[:1, :2]).equals(
        [[[[0.665241, 0.090031, -0.755272], [0.0, 0.0, 0.0]]]], about="gradients", rtol=1e-3, atol=1e-6,
        near=uncut)
    overflows = {
        "exp runs over for large logits: log_softmax or F.cross_entropy": [torch.nan],
        "the exponential of large logits runs over: log_softmax or F.cross_entropy": torch.nan,
        "a probability rounds to 0 before its logarithm: log_softmax or F.cross_entropy": torch.inf,
    }
    check(answer_loss, 200 * logits, labels).equals(175.0, about="large logits", rtol=1e-4, near=overflows)
    shots = [("The sum of x.", "What is it?", "a sum"), ("See mean.", "What to see?", "mean")]
    check(few_shot, shots, "Sort a list.", "What is sorted?").equals(
        "The sum of x.\n\nQuestion: What is it?\nAnswer: a sum\n\nSee mean.\n\nQuestion: What to see?\nAnswer: mean\n\n"
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:")
    check(few_shot, [(" {answer} {x}", " a? ", "{passage}")], "{0} {answer}", "{question}?").equals(
        " {answer} {x}\n\nQuestion:  a? \nAnswer: {passage}\n\n{0} {answer}\n\nQuestion: {question}?\nAnswer:",
        about="braces in the texts", near={
            "braces in a text are text: the whole prompt went through .format": KeyError,
            "a name in braces that is in a text was filled in, too: a text stays as it is": (
                " {passage} {x}\n\nQuestion:  a? \nAnswer: {passage}\n\n"
                "{0} {answer}\n\nQuestion: {question}?\nAnswer:")})
    check(few_shot, [], "Sort a list.", "What is sorted?").equals(
        "Sort a list.\n\nQuestion: What is sorted?\nAnswer:", about="no shot")


score
