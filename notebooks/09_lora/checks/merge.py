from helpers.checks import graded


@graded("merge", points=7)
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

    unscaled = "the scale alpha / r is missing in what is added"
    no_flag = "the weight is merged but `merged` is not set: the update is added twice"
    nothing = "the weight is as it was: add the update to `layer.base.weight` itself"
    unfit = "the update is B @ A, (out, in) as the weight is: here the shapes do not fit"
    twice = "merging a merged layer adds the update again"
    added = "unmerging adds the update again; it is subtracted"
    unequal = "unmerging takes out what merging put in: alpha / r times B A"
    stays = "`merged` stays True after unmerging, so the update is left out"
    W = torch.tensor([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]])
    b, A, B = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([[3.0, 1.0]]), torch.tensor([[2.0], [0.0], [-1.0]])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
    merged = torch.tensor([[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]])
    output = torch.tensor([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]])
    exact = {"rtol": 1e-5, "atol": 1e-5}
    check(after, "m", x, W, b, A, B, 0.5).equals((output, merged, True), about="merged", near={
            unscaled: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
            no_flag: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            nothing: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
            unfit: RuntimeError,
        }, **exact)
    check(after, "mu", x, W, b, A, B, 0.5).equals((output, W, False), about="unmerged again", near={
            no_flag: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            added: ([[16.0, 1.0, -4.0], [-8.5, -1.5, 5.5]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], False),
            unequal: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], False),
            unfit: RuntimeError,
            stays: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
        }, **exact)
    no_cause = "unmerging a layer that is not merged must change nothing"
    tripled = torch.tensor([[16.0, 1.0, -4.0], [-8.5, -1.5, 5.5]])
    check(after, "muu", x, W, b, A, B, 1.5).equals((tripled, W, False), about="unmerged twice", near={
            no_cause: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-8.0, -3.0], [2.0, -1.0], [5.0, 2.0]], False),
            stays: ([[-14.0, 1.0, 11.0], [6.5, -1.5, -2.0]], [[-8.0, -3.0], [2.0, -1.0], [5.0, 2.0]], True),
            unequal: ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            unfit: RuntimeError,
        }, **exact)
    large = ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[13.0, 4.0], [2.0, -1.0], [-5.5, -1.5]], True)
    check(after, "mm", x, W, b, A, B, 2.0).equals(large, about="merged twice", near={
            unscaled: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
            no_flag: ([[61.0, 1.0, -26.5], [-31.0, -1.5, 16.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], False),
            nothing: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
            twice: ([[41.0, 1.0, -16.5], [-21.0, -1.5, 11.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], True),
        }, **exact)
    anywhere = "an entry counts if its name ENDS in .A or .B; others have an A or B somewhere in their name"
    base_too = "the entries of the base came, too: only .A and .B are asked"
    only_a = "the entries that end in .B are missing"
    everything = "all adapters were added; only those that `shares` names have a part"
    no_scale = "the scale alpha / r is missing"
    shared = "the shares are divided by their sum: they count as they are"
    lost_sign = "the sign of a share counts: here its absolute value is taken"
    shortened = "the names are cut to their last part: they stay whole"
    no_shares = "the shares are ignored: each update is multiplied by its share"
    last = "only the last adapter was added: begin with the weight once, then add them all"
    no_weight = "the weight itself is missing"
    mean = "the updates are added, not averaged"
    by_alpha = "the scale is alpha / r: here it is alpha"
    rank = "each adapter has its own rank: the number of rows of its A"
    t = torch.tensor
    no_dot = "`endswith` without the dot takes names such as head.NA"
    alphabetical = "the names are in alphabetical order: keep the order in which they came"
    a_first = "all A come before all B: keep the order in which they came"
    by_place = "shares and adapters are matched by their places: match them by name"
    negative = "negative shares count, too"
    names = ("tag.Answer.weight", "q.base.weight", "q.A", "q.B", "A.Bias", "head.NA")
    state = {name: t([float(i)]) for i, name in enumerate(names, 1)}
    check(adapter_state, state).equals({"q.A": t([3.0]), "q.B": t([4.0])}, near={
            anywhere: {"tag.Answer.weight": [1.0], "q.A": [3.0], "q.B": [4.0], "A.Bias": [5.0], "head.NA": [6.0]},
            base_too: {"tag.Answer.weight": [1.0], "q.base.weight": [2.0], "q.A": [3.0], "q.B": [4.0], "A.Bias":
                [5.0], "head.NA": [6.0]},
            only_a: {"q.A": [3.0]},
            shortened: {"A": [3.0], "B": [4.0]},
            no_dot: {"q.A": [3.0], "q.B": [4.0], "head.NA": [6.0]},
        })
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
    check(combined, W, adapters, {"spam": 0.5, "reader": 2.0}).equals(
        [[3.5, 4.0, 3.5], [3.0, -2.5, 1.0]], near={
            everything: [[11.5, 12.0, 11.5], [13.0, 7.5, 11.0]],
            no_scale: [[3.5, 3.0, 5.0], [8.0, -0.5, 3.0]],
            no_shares: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
            last: [[2.0, 1.0, 3.5], [4.5, 0.5, 1.0]],
            no_weight: [[2.5, 4.0, 1.5], [2.5, -3.0, 2.0]],
            mean: [[2.25, 2.0, 2.75], [1.75, -1.0, 0.0]],
            rank: [[2.75, 2.5, 3.5], [3.75, -1.0, 1.0]], by_alpha: [[4.5, 5.0, 5.0], [7.0, -2.5, 3.0]],
            shared: [[2.0, 1.6, 2.6], [1.5, -0.7, -0.2]],
            by_place: [[7.25, 12.25, 2.375], [-4.5, -11.5, -0.5]],
        })
    check(combined, W, adapters, {"reader": 0.5, "spam": -1.0}).equals(
        [[-1.75, -5.75, 2.375], [4.5, 6.5, -0.5]], about="a negative share", near={
            rank: [[-0.25, -2.75, 2.375], [3.0, 3.5, -0.5]], by_alpha: [[-1.5, -5.5, 2.75], [5.5, 6.5, 0.0]],
            shared: [[6.5, 11.5, 1.25], [-7.5, -11.5, -2.0]],
            lost_sign: [[4.25, 6.25, 2.375], [-1.5, -5.5, -0.5]],
            negative: [[1.25, 0.25, 2.375], [1.5, 0.5, -0.5]],
            last: [[-2.0, -6.0, 2.0], [3.5, 6.5, -1.0]],
            everything: [[6.25, 2.25, 10.375], [14.5, 16.5, 9.5]],
            no_scale: [[0.5, -1.5, 2.75], [3.5, 2.5, 0.0]],
            no_shares: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
        })


score
