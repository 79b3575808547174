from helpers.checks import graded


@graded("adapters", points=5)
def score(check):
    import torch

    anywhere = "an entry counts if its name ENDS in .A or .B; others have an A or B somewhere in their name"
    base_too = "the entries of the base came, too: only .A and .B are asked"
    only_a = "the entries that end in .B are missing"
    everything = "all adapters were added; only those that `shares` names have a part"
    unscaled = "the scale alpha / r is missing"
    no_shares = "the shares are ignored: each update is multiplied by its share"
    last = "only the last adapter was added: begin with the weight once, then add them all"
    no_weight = "the weight itself is missing"
    mean = "the updates are added, not averaged"
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
            no_dot: {"q.A": [3.0], "q.B": [4.0], "head.NA": [6.0]},
        })
    state = {name: t([float(i)]) for i, name in enumerate(("q.A", "q.B", "k.base.bias", "k.A", "k.B"))}
    check(lambda: list(adapter_state(state))).equals(
        ["q.A", "q.B", "k.A", "k.B"], about="the order of the names",
        near={alphabetical: ["k.A", "k.B", "q.A", "q.B"], a_first: ["q.A", "k.A", "q.B", "k.B"]},
    )
    adapters = {
        "spam": (t([[1.0, 2.0, 0.0]]), t([[1.0], [-1.0]]), 3.0),
        "reader": (t([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0]]), t([[1.0, 0.5], [0.0, 2.0]]), 1.0),
        "other": (t([[1.0, 1.0, 1.0]]), t([[4.0], [5.0]]), 2.0),
    }
    W = t([[1.0, 0.0, 2.0], [0.5, 0.5, -1.0]])
    check(combined, W, adapters, {"spam": 0.5, "reader": 2.0}).equals(
        [[3.5, 4.0, 3.5], [3.0, -2.5, 1.0]], near={
            everything: [[11.5, 12.0, 11.5], [13.0, 7.5, 11.0]],
            unscaled: [[3.5, 3.0, 5.0], [8.0, -0.5, 3.0]],
            no_shares: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
            last: [[2.0, 1.0, 3.5], [4.5, 0.5, 1.0]],
            no_weight: [[2.5, 4.0, 1.5], [2.5, -3.0, 2.0]],
            mean: [[2.25, 2.0, 2.75], [1.75, -1.0, 0.0]],
            rank: [[4.5, 5.0, 5.0], [7.0, -2.5, 3.0]],
        })
    check(combined, W, adapters, {"reader": -1.0, "spam": 0.5}).equals(
        [[2.0, 2.5, 1.25], [-3.0, -2.5, -2.0]], about="a negative share", near={
            by_place: [[-1.75, -5.75, 2.375], [4.5, 6.5, -0.5]],
            negative: [[2.5, 3.0, 2.0], [-1.0, -2.5, -1.0]],
            last: [[2.5, 3.0, 2.0], [-1.0, -2.5, -1.0]],
            everything: [[10.0, 10.5, 9.25], [7.0, 7.5, 8.0]],
            unscaled: [[0.5, 0.0, 0.5], [-4.0, -0.5, -3.0]],
            no_shares: [[4.5, 6.5, 2.75], [-0.5, -5.5, 0.0]],
        })


score
