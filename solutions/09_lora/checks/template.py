from helpers.checks import graded


@graded("template", points=8)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import numpy as np

    check.mistakes({
        "the loss counts the prompt, too: its labels are -100": lambda p, a, e: ([*p, *a, e], [*p, *a, e]),
        "the end is missing: the model must learn to stop": lambda p, a, e: ([*p, *a], [-100] * len(p) + [*a]),
        "the end has a label, too: the model must learn to stop":
            lambda p, a, e: ([*p, *a, e], [-100] * len(p) + [*a, -100]),
        "the labels are shifted here; the shift belongs into the loss":
            lambda p, a, e: ([*p, *a, e], [-100] * (len(p) - 1) + [*a, e, -100]),
        "the answer's labels are -100: it is the prompt that does not count":
            lambda p, a, e: ([*p, *a, e], [*p] + [-100] * (len(a) + 1)),
        "the labels are those of the answer alone: as many as there are ids are asked for":
            lambda p, a, e: ([*p, *a, e], [*a, e]),
        "a token of the prompt has a label if it belongs in the answer, too: only the place counts":
            lambda p, a, e: ([*p, *a, e], [i if i in a or i == e else -100 for i in [*p, *a, e]]),
        "one label is missing: the answer's first token counts, too":
            lambda p, a, e: ([*p, *a, e], [-100] * (len(p) + 1) + [*a, e][1:]),
        "one token of the prompt has a label: -100 is asked for there":
            lambda p, a, e: ([*p, *a, e], [-100] * (len(p) - 1) + [*p[-1:], *a, e]),
        "the end was put between prompt and answer, too":
            lambda p, a, e: ([*p, e, *a, e], [-100] * (len(p) + 1) + [*a, e]),
        "the end was put between prompt and answer, too, and with a label":
            lambda p, a, e: ([*p, e, *a, e], [-100] * len(p) + [e, *a, e]),
        "the end is there twice": lambda p, a, e: ([*p, *a, e, e], [-100] * len(p) + [*a, e, e]),
        "the labels are one too few: the answer's begin where the prompt ends":
            lambda p, a, e: ([*p, *a, e], [-100] * (len(p) - 1) + [*a, e]),
        "the labels are one too many": lambda p, a, e: ([*p, *a, e], [-100] * (len(p) + 1) + [*a, e]),
        "ids and labels are exchanged": lambda p, a, e: ([-100] * len(p) + [*a, e], [*p, *a, e]),
        "the ids are those of the answer alone: the prompt belongs before them":
            lambda p, a, e: ([*a, e], [-100] * len(p) + [*a, e]),
        "the answer was put before the prompt": lambda p, a, e: ([*a, e, *p], [*a, e] + [-100] * len(p)),
        "the end comes after the answer": lambda p, a, e: ([*p, e, *a], [-100] * len(p) + [e, *a]),
        "the prompt's labels are 0: -100 is what the loss leaves out":
            lambda p, a, e: ([*p, *a, e], [0] * len(p) + [*a, e]),
        "the prompt's labels are -1: -100 is what the loss leaves out":
            lambda p, a, e: ([*p, *a, e], [-1] * len(p) + [*a, e]),
    }, example_of)

    def losses(shift=1, mean="labelled"):
        def loss(logits, labels):
            T = labels.shape[1]
            there = torch.arange(T) + shift
            inside = (there >= 0) & (there < T)
            wanted = labels[:, there[inside]]
            logp = logits[:, inside].log_softmax(-1)
            each = -logp.gather(-1, wanted.clamp(min=0)[..., None])[..., 0] * (wanted != -100)
            count = (wanted != -100).sum(1)
            if mean == "rows":
                return (each.sum(1) / count).mean()
            return each.sum() / {"labelled": count.sum(), "all": wanted.numel(), "sum": 1, "T": labels.numel()}[mean]

        return loss

    def perplexity(z, y):
        value = losses()(z, y).exp()
        if not value.isfinite():
            raise RuntimeError("infinity tells nothing")
        return value

    check.mistakes({
        "the shift is missing: the logits at t predict the label at t + 1": losses(0),
        "the shift is the wrong way round: the logits at t predict the label at t + 1": losses(-1),
        "this is the sum: the mean over the labelled tokens is asked for": losses(mean="sum"),
        "this is divided by all tokens: only those with a label count": losses(mean="all"),
        "this is the mean of each row's mean: all labelled tokens count the same": losses(mean="rows"),
        "all tokens are counted in the mean": losses(mean="T"),
        "this is in bits: nats are asked for": lambda z, y: losses()(z, y) / np.log(2),
        "this is the perplexity: the loss is its logarithm": perplexity,
        "the sign is wrong": lambda z, y: -losses()(z, y),
        "the shift runs over from one row into the next":
            lambda z, y: torch.nn.functional.cross_entropy(z.flatten(0, 1)[:-1], y.flatten()[1:]),
        "the softmax is taken twice: cross_entropy takes logits": lambda z, y: losses()(z.softmax(-1), y),
        "this is divided by the number of rows: the mean over the labelled tokens is asked for":
            lambda z, y: losses(mean="sum")(z, y) / len(y),
        "this is divided by the length of a row: the mean over the labelled tokens is asked for":
            lambda z, y: losses(mean="sum")(z, y) / (y.shape[1] - 1),
        "this is divided by the whole length of a row: the labelled tokens count":
            lambda z, y: losses(mean="sum")(z, y) / y.shape[1],
        "-100 was taken for the token 0: where it is, nothing counts": lambda z, y: losses()(z, y.clamp(min=0)),
        "the shift runs round: the first label of a row is compared with its last logits":
            lambda z, y: torch.nn.functional.cross_entropy(z.flatten(0, 1), y.roll(-1, 1).flatten()),
        "the first label of each answer is missing: the prompt's last logits predict it":
            lambda z, y: losses()(z, torch.cat([y[:, :1], y[:, 1:].where(y[:, :-1] != -100, -100)], 1)),
        "the last place of each row is missing": lambda z, y: losses()(z[:, :-1], y[:, :-1]),
        "the shift is missing, and the first place, too": lambda z, y: losses(0)(z[:, 1:], y[:, 1:]),
        "the shift is missing, and the last place, too": lambda z, y: losses(0)(z[:, :-1], y[:, :-1]),
        "the shift is by two places: by one is asked for": losses(2),
        "the softmax is over the places: it is over the vocabulary":
            lambda z, y: torch.nn.functional.nll_loss(z[:, :-1].log_softmax(1).flatten(0, 1), y[:, 1:].flatten()),
        "these are probabilities: their logarithms are asked for":
            lambda z, y: torch.nn.functional.nll_loss(z[:, :-1].softmax(-1).flatten(0, 1), y[:, 1:].flatten()),
        "these are logits: log_softmax is missing":
            lambda z, y: torch.nn.functional.nll_loss(z[:, :-1].flatten(0, 1), y[:, 1:].flatten()),
        "a label of 0 is a token, too: only -100 is left out": lambda z, y: losses()(z, torch.where(y > 0, y, -100)),
        "labels at the first place are counted in the mean: nothing predicts them":
            lambda z, y: losses(mean="sum")(z, y) / (y != -100).sum(),
    }, answer_loss)

    def prompted(gap="\n\n", blank="\n\n", end="", answers=True, order=1, last=True):
        def prompt(shots, passage, question):
            told = [(p, q, " " + a if answers else "") for p, q, a in shots][::order]
            solved = [f"{p}{blank}Question: {q}\nAnswer:{a}{gap}" for p, q, a in told]
            own = f"{passage}{blank}Question: {question}\nAnswer:{end}"
            return "".join(solved) + own if last else own + gap + "".join(solved)

        return prompt

    check.mistakes({
        "there is a space after the last `Answer:`: it belongs to the answer's first token": prompted(end=" "),
        "one empty line belongs between two shots": prompted(gap="\n"),
        "an empty line belongs between a passage and its question": prompted(blank="\n"),
        "the answers of the shots are missing": prompted(answers=False),
        "the shots are in reverse order": prompted(order=-1),
        "the open question comes last, after the shots": prompted(last=False),
        "there is a line break after the last `Answer:`": prompted(end="\n"),
        "question and answer of the shots are exchanged":
            lambda s, p, q: prompted()([(a, c, b) for a, b, c in s], p, q),
        "passage and question of the shots are exchanged":
            lambda s, p, q: prompted()([(b, a, c) for a, b, c in s], p, q),
        "only the first shot is there": lambda s, p, q: prompted()(s[:1], p, q),
        "only the last shot is there": lambda s, p, q: prompted()(s[-1:], p, q),
        "the empty line before the open passage is missing":
            lambda s, p, q: prompted()(s, "", "").removesuffix(prompted()([], "", "")).rstrip("\n") + (
                prompted()([], p, q)),
        "one line break alone is before the open passage: an empty line is asked for":
            lambda s, p, q: prompted()(s, p, q).replace(f"\n\n{p}\n\nQuestion: {q}", f"\n{p}\n\nQuestion: {q}"),
        "there is a line break too many at the beginning": lambda s, p, q: "\n" + prompted()(s, p, q),
        "there is a line break too many before each shot":
            lambda s, p, q: prompted()([("\n" + a, b, c) for a, b, c in s], p, q),
        "there is a line break too many before each passage":
            lambda s, p, q: prompted()([("\n" + a, b, c) for a, b, c in s], "\n" + p, q),
        "a word is before each passage: it is there without a name":
            lambda s, p, q: prompted()([("Passage: " + a, b, c) for a, b, c in s], "Passage: " + p, q),
        "a word is before each shot's passage: it is there without a name":
            lambda s, p, q: prompted()([("Passage: " + a, b, c) for a, b, c in s], p, q),
        "the words `Question:` and `Answer:` are written out":
            lambda s, p, q: prompted()(s, p, q).replace("Question: ", "Q: ").replace("Answer:", "A:"),
        "the word `Question:` is written out": lambda s, p, q: prompted()(s, p, q).replace("Question: ", "Q: "),
        "the blank after `Question:` is missing":
            lambda s, p, q: prompted()(s, p, q).replace("Question: ", "Question:"),
        "an empty line belongs between question and answer: a line of its own is asked for":
            lambda s, p, q: prompted()(s, p, q).replace("\nAnswer:", "\n\nAnswer:"),
        "the last line, `Answer:`, is missing": lambda s, p, q: prompted()(s, p, q).removesuffix("\nAnswer:"),
        "the shots are missing": lambda s, p, q: prompted()([], p, q),
        "the space before an answer is missing":
            lambda s, p, q: prompted()([(a, b, c) for a, b, c in s], p, q).replace("Answer: ", "Answer:"),
        "the open passage is missing": lambda s, p, q: prompted()(s, p, q).replace(f"{p}\n\n", ""),
        "without shots the prompt begins with the passage":
            lambda s, p, q: prompted()(s, p, q) if s else "\n\n" + prompted()(s, p, q),
        "there are two empty lines between shots": prompted(gap="\n\n\n"),
        "the prompt was stripped: blanks of the texts stay, and it ends with `Answer:`":
            lambda s, p, q: prompted()(s, p, q).strip(),
    }, few_shot)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for n, m, end in [(4, 3, 2), (1, 5, 500), (6, 1, 0), (4, 3, 2), (1, 5, 70)]:
        p, a = (check.rng.integers(3, 90, size=k).tolist() for k in (n, m))
        p[0] = a[-1]  # a token may stand in both
        check(example_of, p, a, end).equals(
            ([*p, *a, end], [-100 if i < n else v for i, v in enumerate([*p, *a, end])]), about="fresh examples")
    long = check.rng.integers(0, 9, size=1200).tolist()
    for p, a, end in [(long[:600], long[600:], 7), ([0, 3, 0], [0, 5, 0], 0)]:
        check(example_of, p, a, end).equals(
            ([*p, *a, end], [-100] * len(p) + [*a, end]), about="a long example, tokens of number 0", edge=True)
    for p in ([4, 5], []):
        check(example_of, p, [], 2).equals(([*p, 2], [-100] * len(p) + [2]), about="an empty answer", edge=True)
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for B, T, V in [(2, 5, 7), (3, 8, 4)]:
        logits, labels = torch.randn(B, T, V, generator=draw) * 3, torch.randint(V, (B, T), generator=draw)
        labels[torch.rand(B, T, generator=draw) < 0.4] = -100
        labels[0, 1:3] = labels[0, 1:3].clamp(min=1)
        p = (logits.double().exp() / logits.double().exp().sum(-1, keepdim=True)).numpy()
        each = []
        for b, i in (labels[:, 1:] >= 0).nonzero().tolist():  # the logits at i predict the label at i + 1
            each.append(-np.log(p[b, i, int(labels[b, i + 1])]))
        check(answer_loss, logits, labels).equals(np.mean(each), about="fresh logits", rtol=1e-4, weight=2)
    for B, T, V, dtype, about in [
        (1, 2, 4, torch.float32, "one text, one label"), (1, 5, 3, torch.float32, "one text, one label"),
        (80, 3, 5, torch.float32, "many texts, long ones"), (2, 700, 3, torch.float32, "many texts, long ones"),
        (2, 4, 300, torch.float32, "many texts, long ones"), (2, 5, 6, torch.float64, "a loss in float64"),
    ]:
        z, y = 3 * torch.randn(B, T, V, generator=draw).to(dtype), torch.randint(V, (B, T), generator=draw)
        y[:, : T // 2] = -100
        z = z + 2000 * (dtype == torch.float64)  # float32 has a few digits left of the differences
        right = torch.nn.functional.cross_entropy(z.double()[:, :-1].transpose(1, 2), y[:, 1:])
        rtol = 1e-6 if dtype == torch.float64 else 1e-4  # a share of float32, such as 1 / the count, does no harm
        check(answer_loss, z, y).equals(right, about=about, edge=True, rtol=rtol, atol=1e-12)
    leaf = logits.clone().requires_grad_()
    torch.nn.functional.cross_entropy(leaf[:, :-1].transpose(1, 2), labels[:, 1:]).backward()
    check.mistakes({}, answer_loss)
    check(slopes, answer_loss, logits, labels).equals(
        [leaf.grad], about="the gradient of the loss", rtol=1e-3, atol=1e-6, weight=2, near=uncut,
    )
    far = torch.tensor([[[300.0, 0.0, -300.0], [0.0, 200.0, 0.0], [0.0, 0.0, 0.0]]])
    check(answer_loss, far, torch.tensor([[-100, 2, 1]])).equals(
        300.0, about="large logits", edge=True,
        near=overflows,
    )

    words = ["axis", "dtype", "the mean", "a list", "an array of floats", "out", "None", "where it is True"]

    def some():
        return str(words[int(check.rng.integers(len(words)))])

    for count in (0, 1, 3):
        shots = [(f"{some()} of {some()}.", f"What is {some()}?", some()) for _ in range(count)]
        p, q = f"About {some()}.", f"And {some()}?"
        lines = [v for a, b, c in shots for v in (a, "", f"Question: {b}", f"Answer: {c}", "")]
        right = "\n".join([*lines, p, "", f"Question: {q}", "Answer:"])
        check(few_shot, shots, p, q).equals(right, about="no shot" if not count else "fresh shots", edge=not count)
    shots, p, q = [("Set {a: 1} here. ", "Which key? ", "a ")], "Of {b} ", " And {c}? "
    check(few_shot, shots, p, q).equals(
        "Set {a: 1} here. \n\nQuestion: Which key? \nAnswer: a \n\nOf {b} \n\nQuestion:  And {c}? \nAnswer:",
        about="texts with braces and blanks", edge=True,
        near={"braces in a text are text: the whole prompt went through .format": KeyError,
              "the texts were stripped: they are as they are":
                  "Set {a: 1} here.\n\nQuestion: Which key?\nAnswer: a\n\nOf {b}\n\nQuestion: And {c}?\nAnswer:"},
    )
    for name, value, shots, p, q in [
        ("{answer}", "yes", [("See {answer}.", "Is it?", "yes")], "A list.", "Which?"),
        ("{passage}", "See x.", [("See x.", "Is {passage} it?", "yes")], "A list.", "Which?"),
        ("{question}", "Which?", [("See x.", "Is it?", "yes")], "A {question}.", "Which?"),
        ("{passage}", "A list.", [], "A list.", "Which {passage}?"),
    ]:
        right = prompted()(shots, p, q)
        check(few_shot, shots, p, q).equals(right, about="texts with braces and blanks", edge=True, near={
            "braces in a text are text: the whole prompt went through .format": KeyError,
            "a name in braces that is in a text was filled in, too: a text stays as it is": (
                right.replace(name, value))})
    odd = " Cafe\u0301  {0}\n\n\n  two  lines\t\r\n%s $x\n"
    for shots, p, q in [
        ([], odd, odd[1:]), ([], odd[::-1], odd[:0:-1]), ([("", "", "")], " a", "b"),
        ([(odd, odd[1:], odd[2:]), (odd, odd[1:], odd[2:])], "", ""),
        ([(str(i), "?" * i, "0") for i in range(90)], "word " * 300, "why " * 300),
    ]:
        lines = [v for a, b, c in shots for v in (a, "", f"Question: {b}", f"Answer: {c}", "")]
        check(few_shot, shots, p, q).equals(
            "\n".join([*lines, p, "", f"Question: {q}", "Answer:"]), edge=True,
            about="long texts, empty ones, odd blanks and accents")
    ### END HIDDEN TESTS


score
