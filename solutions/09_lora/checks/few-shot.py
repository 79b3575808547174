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
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(gap="\n\n", blank="\n\n", end="", answers=True, order=1, last=True):
        def prompt(shots, passage, question):
            told = [(p, q, " " + a if answers else "") for p, q, a in shots][::order]
            solved = [f"{p}{blank}Question: {q}\nAnswer:{a}{gap}" for p, q, a in told]
            own = f"{passage}{blank}Question: {question}\nAnswer:{end}"
            return "".join(solved) + own if last else own + gap + "".join(solved)

        return prompt

    check.mistakes({
        trailing: made(end=" "), no_gap: made(gap="\n"), no_blank: made(blank="\n"), no_answers: made(answers=False),
        reverse: made(order=-1), open_first: made(last=False),
        "there is a line break behind the last `Answer:`": made(end="\n"),
        "the shots are missing": lambda s, p, q: made()([], p, q),
        "the space before an answer is missing": lambda s, p, q: made()([(a, b, c) for a, b, c in s], p, q).replace(
            "Answer: ", "Answer:"),
        "the open passage is missing": lambda s, p, q: made()(s, p, q).replace(f"{p}\n\n", ""),
        empty_line: lambda s, p, q: "\n\n" * (not s) + made()(s, p, q),
        "there are two empty lines between shots": made(gap="\n\n\n"),
    })
    words = ["axis", "dtype", "the mean", "a list", "an array of floats", "out", "None", "where it is True"]

    def some():
        return str(words[int(check.rng.integers(len(words)))])

    for count in (0, 1, 3):
        shots = [(f"{some()} of {some()}.", f"What is {some()}?", some()) for _ in range(count)]
        p, q = f"About {some()}.", f"And {some()}?"
        lines = [v for a, b, c in shots for v in (a, "", f"Question: {b}", f"Answer: {c}", "")]
        right = "\n".join([*lines, p, "", f"Question: {q}", "Answer:"])
        check(few_shot, shots, p, q).equals(right, about="no shot" if not count else "fresh shots", edge=not count)

    shots, p, q = [("Set {a: 1} here. ", "Which key? ", "a ")], "Of {b} ", "And {c}?"
    check(few_shot, shots, p, q).equals(
        "Set {a: 1} here. \n\nQuestion: Which key? \nAnswer: a \n\nOf {b} \n\nQuestion: And {c}?\nAnswer:",
        about="texts with braces and blanks", edge=True,
        near={"braces in a text are text: the whole prompt went through .format": KeyError,
              "the texts were stripped: they stand as they are":
                  "Set {a: 1} here.\n\nQuestion: Which key?\nAnswer: a\n\nOf {b}\n\nQuestion: And {c}?\nAnswer:"},
    )

    def counted(skip=False, room=1, own=1, slack=0):
        def count(sizes, own_tokens, answer, context_length):
            left, found = context_length - own * own_tokens - room * answer - slack, 0
            for size in sizes:
                if size <= left:
                    left, found = left - size, found + 1
                elif not skip:
                    break
            return found

        return count

    check.mistakes({
        skipping: counted(skip=True), no_room: counted(room=0), no_own: counted(own=0), strict: counted(slack=1),
        "the question's tokens and the room for the answer are missing": counted(own=0, room=0),
        "the shortest shots are taken: the first k are asked": lambda s, *a: counted()(sorted(s), *a),
        "the shot that no longer fits was counted": lambda s, *a: min(counted()(s, *a) + 1, len(s)),
        "these are the tokens of the shots that fit; how many shots is asked": lambda s, *a: sum(s[: counted()(s, *a)]),
    })
    for _ in range(4):
        sizes = check.rng.integers(10, 60, size=6).tolist()
        own, room = (int(v) for v in check.rng.integers(5, 30, size=2))
        context = int(check.rng.integers(80, 250))
        right = max(k for k in range(7) if k == 0 or sum(sizes[:k]) + own + room <= context)
        check(how_many, sizes, own, room, context).equals(right, about="fresh sizes")
    check(how_many, [10, 20], 5, 5, 40).equals(2, about="filled exactly")
    check(how_many, [10, 20], 30, 20, 40).equals(0, about="no room at all", edge=True)
    check(how_many, [], 5, 5, 40).equals(0, about="no shots", edge=True)
    ### END HIDDEN TESTS


score
