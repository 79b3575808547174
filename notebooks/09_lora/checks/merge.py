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
        }, **exact)
    check(after, "mu", x, W, b, A, B, 0.5).equals((output, W, False), about="unmerged again", near={
            no_flag: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            added: ([[16.0, 1.0, -4.0], [-8.5, -1.5, 5.5]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], False),
            unequal: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], False),
            stays: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
        }, **exact)
    no_cause = "unmerging a layer that is not merged must change nothing"
    check(after, "muu", x, W, b, A, B, 0.5).equals((output, W, False), about="unmerged twice", near={
            no_cause: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], False),
            stays: ([[-4.0, 1.0, 6.0], [1.5, -1.5, 0.5]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], True),
        }, **exact)
    large = ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[13.0, 4.0], [2.0, -1.0], [-5.5, -1.5]], True)
    check(after, "mm", x, W, b, A, B, 2.0).equals(large, about="merged twice", near={
            unscaled: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
            no_flag: ([[61.0, 1.0, -26.5], [-31.0, -1.5, 16.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], False),
            nothing: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
            twice: ([[41.0, 1.0, -16.5], [-21.0, -1.5, 11.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], True),
        }, **exact)


score
