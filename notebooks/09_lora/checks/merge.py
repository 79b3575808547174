from helpers.checks import graded


@graded("merge", points=8)
def score(check):
    import torch
    from torch import nn

    def after(steps, x, W, b, A, B, alpha, dropout=0.0):
        """(output, the base's weight, merged) after "m"erging and "u"nmerging, in training if there is dropout."""
        base = nn.Linear(W.shape[1], W.shape[0])
        base.load_state_dict({"weight": W, "bias": b})
        layer = LoRALinear(base, A.shape[0], alpha, dropout)
        layer.load_state_dict({"base.weight": W, "base.bias": b, "A": A, "B": B})
        layer.train(dropout > 0)
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
        return layer(x), layer.base.weight, bool(layer.merged)

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the scale alpha / r is missing in what is added": {
            1: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
            4: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
        },
        "the weight is merged but `merged` is not set: the update is added twice": {
            1: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            2: ([[31.0, 1.0, -11.5], [-16.0, -1.5, 9.25]], [[10.0, 3.0], [2.0, -1.0], [-4.0, -1.0]], False),
            3: ([[31.0, 1.0, -11.5], [-16.0, -1.5, 9.25]], [[10.0, 3.0], [2.0, -1.0], [-4.0, -1.0]], False),
            4: ([[61.0, 1.0, -26.5], [-31.0, -1.5, 16.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], False),
        },
        "the weight is as it was: add the update to `layer.base.weight` itself": {
            1: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
            4: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
        },
        "the scale is alpha / r, not r / alpha": {
            1: ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[13.0, 4.0], [2.0, -1.0], [-5.5, -1.5]], True),
            4: ([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], True),
            8: [[5.16667, 4.33333, 8.0], [16.3333, 0.166667, 7.0]],
            9: [[1.66667, 0.333333, 3.5], [4.83333, 1.16667, 1.0]],
        },
        "the update is subtracted in merging": {
            1: ([[-4.0, 1.0, 6.0], [1.5, -1.5, 0.5]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], True),
            4: ([[-19.0, 1.0, 13.5], [9.0, -1.5, -3.25]], [[-11.0, -4.0], [2.0, -1.0], [6.5, 2.5]], True),
        },
        "the guard is the wrong way round: `merge` has work to do where `merged` is False": {
            1: ([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], False),
            4: ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], False),
        },
        "unmerging adds the update again; it is subtracted": {
            2: ([[46.0, 1.0, -19.0], [-23.5, -1.5, 13.0]], [[19.0, 6.0], [2.0, -1.0], [-8.5, -2.5]], False),
            3: ([[46.0, 1.0, -19.0], [-23.5, -1.5, 13.0]], [[19.0, 6.0], [2.0, -1.0], [-8.5, -2.5]], False),
        },
        "`merged` stays True after unmerging, so the update is left out": {
            2: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
            3: ([[-14.0, 1.0, 11.0], [6.5, -1.5, -2.0]], [[-8.0, -3.0], [2.0, -1.0], [5.0, 2.0]], True),
        },
        "unmerging takes out what merging put in: alpha / r times B A": {
            2: ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            3: ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
        },
        "unmerging leaves the weight as it is: subtract the update": {
            2: ([[31.0, 1.0, -11.5], [-16.0, -1.5, 9.25]], [[10.0, 3.0], [2.0, -1.0], [-4.0, -1.0]], False),
            3: ([[31.0, 1.0, -11.5], [-16.0, -1.5, 9.25]], [[10.0, 3.0], [2.0, -1.0], [-4.0, -1.0]], False),
        },
        "unmerging a layer that is not merged must change nothing": {
            3: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-8.0, -3.0], [2.0, -1.0], [5.0, 2.0]], False),
        },
        "merging a merged layer adds the update again": {
            4: ([[41.0, 1.0, -16.5], [-21.0, -1.5, 11.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], True),
        },
        "an entry counts if its name ENDS in .A or .B; others have an A or B somewhere in their name": {
            6: {'tag.Answer.weight': [1.0], 'q.A': [3.0], 'q.B': [4.0], 'A.Bias': [5.0], 'head.NA': [6.0]},
        },
        "the entries of the base came back, too: only .A and .B are asked for": {
            6: {'tag.Answer.weight': [1.0],
             'q.base.weight': [2.0],
             'q.A': [3.0],
             'q.B': [4.0],
             'A.Bias': [5.0],
             'head.NA': [6.0]},
        },
        "the entries that end in .B are missing": {
            6: {'q.A': [3.0]},
        },
        "a name that holds .A or .B elsewhere counts too here": {
            6: {'tag.Answer.weight': [1.0], 'q.A': [3.0], 'q.B': [4.0], 'A.Bias': [5.0]},
        },
        "these are the entries of the base: the others are asked for": {
            6: {'tag.Answer.weight': [1.0], 'q.base.weight': [2.0], 'A.Bias': [5.0], 'head.NA': [6.0]},
        },
        "the entries that end in .A are missing": {
            6: {'q.B': [4.0]},
        },
        "`endswith` without the dot takes names such as head.NA": {
            6: {'q.A': [3.0], 'q.B': [4.0], 'head.NA': [6.0]},
        },
        "the names are cut to their last part: they stay whole": {
            6: {'A': [3.0], 'B': [4.0]},
        },
        "these are the names; names and tensors are asked for": {
            6: ['q.A', 'q.B'],
        },
        "all adapters were added; only those that `shares` names have a part": {
            8: [[11.5, 12.0, 11.5], [13.0, 7.5, 11.0]],
            9: [[6.25, 2.25, 10.375], [14.5, 16.5, 9.5]],
        },
        "the scale alpha / r is missing": {
            8: [[3.5, 3.0, 5.0], [8.0, -0.5, 3.0]],
            9: [[0.5, -1.5, 2.75], [3.5, 2.5, 0.0]],
        },
        "the shares are ignored: each update is multiplied by its share": {
            8: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
            9: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
        },
        "only the last adapter was added: begin with the weight once, then add them all": {
            8: [[2.0, 1.0, 3.5], [4.5, 0.5, 1.0]],
            9: [[-2.0, -6.0, 2.0], [3.5, 6.5, -1.0]],
            10: [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        },
        "the weight itself is missing": {
            8: [[2.5, 4.0, 1.5], [2.5, -3.0, 2.0]],
            9: [[-2.75, -5.75, 0.375], [4.0, 6.0, 0.5]],
        },
        "the updates are added, not averaged": {
            8: [[2.25, 2.0, 2.75], [1.75, -1.0, 0.0]],
            9: [[-0.375, -2.875, 2.1875], [2.5, 3.5, -0.75]],
            10: [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0]],
        },
        "each adapter has its own rank: the number of rows of its A": {
            8: [[2.75, 2.5, 3.5], [3.75, -1.0, 1.0]],
            9: [[-0.25, -2.75, 2.375], [3.0, 3.5, -0.5]],
        },
        "the scale is alpha / r: here it is alpha": {
            8: [[4.5, 5.0, 5.0], [7.0, -2.5, 3.0]],
            9: [[-1.5, -5.5, 2.75], [5.5, 6.5, 0.0]],
        },
        "the update is subtracted": {
            8: [[-1.5, -4.0, 0.5], [-2.0, 3.5, -3.0]],
            9: [[3.75, 5.75, 1.625], [-3.5, -5.5, -1.5]],
            10: [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
        },
        "the share counts twice": {
            8: [[3.75, 3.5, 5.0], [7.75, -1.0, 3.0]],
            9: [[4.125, 6.125, 2.1875], [-2.0, -5.5, -0.75]],
        },
        "the weight stays whole: it is not multiplied by 1 less the shares": {
            8: [[1.0, 4.0, -1.5], [1.75, -3.75, 3.5]],
            9: [[-1.25, -5.75, 3.375], [4.75, 6.75, -1.0]],
        },
        "the weight counts once, not with each adapter": {
            8: [[4.5, 4.0, 5.5], [3.5, -2.0, 0.0]],
            9: [[-0.75, -5.75, 4.375], [5.0, 7.0, -1.5]],
        },
        "the ranks were added up: each update is divided by its own": {
            8: [[2.16667, 1.66667, 3.0], [2.66667, -0.5, 0.333333]],
            9: [[0.166667, -1.83333, 2.25], [2.16667, 2.5, -0.666667]],
            10: [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0]],
        },
        "one alpha for all: each adapter has its own": {
            8: [[5.5, 6.0, 6.5], [11.0, -2.5, 5.0]],
            9: [[0.25, -1.75, 2.375], [2.5, 2.5, -0.5]],
        },
        "each adapter has its own rank: the number of rows of its A, not of its B": {
            8: [[2.75, 2.5, 3.5], [3.75, -1.0, 1.0]],
            9: [[-0.25, -2.75, 2.375], [3.0, 3.5, -0.5]],
            10: [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0]],
        },
        "the shares are divided by their sum: they count as they are": {
            8: [[2.0, 1.6, 2.6], [1.5, -0.7, -0.2]],
            9: [[6.5, 11.5, 1.25], [-7.5, -11.5, -2.0]],
            10: [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0]],
        },
        "shares and adapters are matched by their places: match them by name": {
            8: [[7.25, 12.25, 2.375], [-4.5, -11.5, -0.5]],
        },
        "the rank is the number of rows of A: these are its columns": {
            8: [[2.16667, 1.66667, 3.0], [2.66667, -0.5, 0.333333]],
            9: [[0.166667, -1.83333, 2.25], [2.16667, 2.5, -0.666667]],
            10: [[0.333333, 0.0, 0.0], [0.0, 0.333333, 0.0]],
        },
        "the sign of a share counts: here its absolute value is taken": {
            9: [[4.25, 6.25, 2.375], [-1.5, -5.5, -0.5]],
        },
        "negative shares count, too": {
            9: [[1.25, 0.25, 2.375], [1.5, 0.5, -0.5]],
        },
    })
    unfit = "the update is B @ A, (out, in) as the weight is: here the shapes do not fit"
    W = torch.tensor([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]])
    b, A, B = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([[3.0, 1.0]]), torch.tensor([[2.0], [0.0], [-1.0]])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
    merged = torch.tensor([[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]])
    output = torch.tensor([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]])
    exact = {"rtol": 1e-5, "atol": 1e-5}
    check(after, "m", x, W, b, A, B, 0.5).equals(
        (output, merged, True), about="merged", near={unfit: RuntimeError}, **exact)
    tripled = torch.tensor([[16.0, 1.0, -4.0], [-8.5, -1.5, 5.5]])
    check(after, "mu", x, W, b, A, B, 1.5).equals(
        (tripled, W, False), about="unmerged again", near={unfit: RuntimeError}, **exact)
    check(after, "muu", x, W, b, A, B, 1.5).equals(
        (tripled, W, False), about="unmerged twice", near={unfit: RuntimeError}, **exact)
    large = ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[13.0, 4.0], [2.0, -1.0], [-5.5, -1.5]], True)
    check(after, "mm", x, W, b, A, B, 2.0).equals(large, about="merged twice", **exact)

    def in_place():
        return keeps_weight(LoRALinear(nn.Linear(4, 3), 2, 4.0))

    check(in_place).equals(
        True, about="the weight is the very one that was there",
        near={"a new weight takes the place of the base's: change that one in place": False})
    t = torch.tensor
    alphabetical = "the names are in alphabetical order: keep their original order"
    a_first = "all A come before all B: keep their original order"
    names = ("tag.Answer.weight", "q.base.weight", "q.A", "q.B", "A.Bias", "head.NA")
    state = {name: t([float(i)]) for i, name in enumerate(names, 1)}
    check(adapter_state, state).equals({"q.A": t([3.0]), "q.B": t([4.0])})
    state = {name: t([float(i)]) for i, name in enumerate(("q.A", "q.B", "k.base.bias", "k.A", "k.B"))}
    check(lambda: list(adapter_state(state))).equals(
        ["q.A", "q.B", "k.A", "k.B"], about="the order of the names",
        near={alphabetical: ["k.A", "k.B", "q.A", "q.B"], a_first: ["q.A", "k.A", "q.B", "k.B"]},
    )
    adapters = {
        "reader": (t([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0]]), t([[1.0, 0.5], [0.0, 2.0]]), 1.0),
        "spam": (t([[1.0, 2.0, 0.0]]), t([[1.0], [-1.0]]), 3.0),
        "other": (t([[1.0, 1.0, 1.0]]), t([[4.0], [5.0]]), 2.0),
    }
    W = t([[1.0, 0.0, 2.0], [0.5, 0.5, -1.0]])
    check(combined, W, adapters, {"spam": 0.5, "reader": 2.0}).equals([[3.5, 4.0, 3.5], [3.0, -2.5, 1.0]])
    check(combined, W, adapters, {"reader": 0.5, "spam": -1.0}).equals(
        [[-1.75, -5.75, 2.375], [4.5, 6.5, -0.5]], about="a negative share")
    alike = {"first": (t([[1.0, 0.0, 0.0]]), t([[1.0], [0.0]]), 1.0)}
    alike["second"] = t([[0.0, 1.0, 0.0]]), t([[0.0], [1.0]]), 1.0
    check(combined, torch.zeros(2, 3), alike, {"first": 1.0, "second": 1.0}).equals(
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], about="two of the same rank", near={
            "each A meets its own B: here their sums were multiplied": [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]})


score
