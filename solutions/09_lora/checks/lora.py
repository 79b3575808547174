from helpers.checks import graded


@graded("lora", points=12)
def score(check):
    import torch
    from torch import nn

    def shapes_of(state):
        return {name: tuple(value.shape) for name, value in state.items()}

    def layer_of(W, b, A, B, alpha, dropout=0.0):
        """The student's layer with these weights, or None if they do not fit."""
        base = nn.Linear(W.shape[1], W.shape[0], bias=b is not None, dtype=W.dtype)
        given = {"weight": W} if b is None else {"weight": W, "bias": b}
        base.load_state_dict(given)
        layer = LoRALinear(base, A.shape[0], alpha, dropout)
        state = {f"base.{name}": value for name, value in given.items()} | {"A": A, "B": B}
        if shapes_of(layer.state_dict()) != shapes_of(state):
            return None
        layer.load_state_dict(state)
        return layer

    UNFIT = "nothing: the names or shapes of the weights are not those of the text (see case 1)"

    def lora_output(x, W, b, A, B, alpha):
        layer = layer_of(W, b, A, B, alpha)
        return UNFIT if layer is None else layer(x)

    def lora_gradients(x, W, b, A, B, alpha, target):
        layer = layer_of(W, b, A, B, alpha)
        return UNFIT if layer is None else gradients_of(layer, x, target)

    def scale_and_merged(n, m, r, alpha):
        layer = LoRALinear(nn.Linear(n, m), r, alpha)
        return float(layer.scale), bool(layer.merged)

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    def made(scale=lambda alpha, r: alpha / r, base=1.0, update=1.0, bias=1, whole=False, inner=None):
        def output(x, W, b, A, B, alpha):
            y = x @ W.T + (0 if b is None else bias * b)
            y = y * scale(alpha, len(A)) if whole else y
            path = x @ (B @ A).T if inner is None else inner(x @ A.T) @ B.T
            return base * y + update * scale(alpha, len(A)) * path

        return output

    def expected_gradients(frozen=True, used=True, **changed):
        def gradients(x, W, b, A, B, alpha, target):
            leaves = {"A": A, "B": B, "base.weight": W} | ({} if b is None else {"base.bias": b})
            leaves = {name: value.detach().clone().requires_grad_() for name, value in leaves.items()}
            y = made(**changed)(x, leaves["base.weight"], leaves.get("base.bias"), leaves["A"], leaves["B"], alpha)
            ((y - target) ** 2).sum().backward()
            of_base = {name: None if frozen else value.grad for name, value in leaves.items()}
            return of_base | {name: leaves[name].grad if used else None for name in ("A", "B")}

        return gradients

    scales = {
        "the scale is alpha / r, not r / alpha": lambda alpha, r: r / alpha,
        "the scale alpha / r is missing": lambda alpha, r: 1.0,
        "the scale is alpha / r: here it is alpha": lambda alpha, r: alpha,
        "the scale is alpha / r, not alpha divided by the root of r": lambda alpha, r: alpha / r**0.5,
        "the scale is alpha / r: here it is 1 / r": lambda alpha, r: 1 / r,
        "the scale is alpha / r: here it is alpha times r": lambda alpha, r: alpha * r,
        "the scale acts twice": lambda alpha, r: (alpha / r) ** 2,
        "the scale is cut to a whole number: alpha / r, not alpha // r": lambda alpha, r: alpha // r,
    }
    outputs = {words: {"scale": scale} for words, scale in scales.items()} | {
        "the scale multiplies the output of the base, too: it belongs before the update only": {"whole": True},
        "there is no GELU in LoRA: A and B follow each other": {"inner": F.gelu},
        "there is no ReLU in LoRA: A and B follow each other": {"inner": torch.relu},
        "the base counts twice": {"base": 2.0},
        "the output of the base is missing: the update is added to it": {"base": 0.0},
        "only the base's output came back: the update is missing": {"update": 0.0},
        "the bias of the base is missing": {"bias": 0},
        "the update is added, not subtracted": {"update": -1.0},
    }
    grads = {words: expected_gradients(**changed) for words, changed in outputs.items()} | {
        "the base is not frozen: requires_grad is True there, so it has gradients": expected_gradients(frozen=False),
        "A and B have no gradient: they must be parameters, used as they are": expected_gradients(used=False),
        "the weight of the base is frozen, its bias is not":
            lambda *a: expected_gradients()(*a) | {"base.bias": expected_gradients(frozen=False)(*a)["base.bias"]},
        "A is frozen: it is trained, too": lambda *a: expected_gradients()(*a) | {"A": None},
        "B is frozen: it is trained, too": lambda *a: expected_gradients()(*a) | {"B": None},
        "the update is detached from the graph": expected_gradients(used=False),
    }
    check.mistakes({words: made(**changed) for words, changed in outputs.items()}, lora_output)
    check.mistakes(grads, lora_gradients)
    first_scales = {words: lambda n, m, r, alpha, scale=scale: (scale(alpha, r), False)
                    for words, scale in scales.items()}
    check.mistakes(first_scales | {
        "a new layer is not merged": lambda n, m, r, alpha: (alpha / r, True),
    }, scale_and_merged)

    # put_lora: what it makes of a model whose linear layers have these names and sizes; None is a norm
    def made_of(chosen=lambda name, targets: name.split(".")[-1] in targets, norms=False, trained=None, rank=None,
                own=True, same=True):
        def model_with_lora(layers, targets, r, alpha):
            found = sorted(n for n, shape in layers.items() if (shape or norms) and chosen(n, targets))
            moved = [f"{n}.{part}" for n in found for part in "AB"]
            return {
                "exchanged": found,
                "trained": sorted(moved if trained is None else trained(layers, found, moved)),
                "rank and scale": [(r, alpha / r) if rank is None else rank(r, alpha)],
                "each keeps the layer that was there": own,
                "the model that was given": same,
            }

        return model_with_lora

    def unfrozen(layers, found, moved):
        names = [f"{name}.{part}" for name in layers for part in ("weight", "bias")]
        return [*moved, *(name for name in names if name.rpartition(".")[0] not in found)]

    def linear_unfrozen(layers, found, moved):
        return unfrozen({name: shape for name, shape in layers.items() if shape}, found, moved)

    def norms_unfrozen(layers, found, moved):
        return unfrozen({name: shape for name, shape in layers.items() if not shape}, found, moved)

    def biases_unfrozen(layers, found, moved):
        return [name for name in unfrozen(layers, found, moved) if not name.endswith("weight")]

    check.mistakes({
        "the rest of the model still moves: freeze all of it, not only what is exchanged": made_of(trained=unfrozen),
        "linear layers that stay still move: freeze them, too": made_of(trained=linear_unfrozen),
        "the norms still move: freeze them, too": made_of(trained=norms_unfrozen),
        "biases still move: freeze them, too": made_of(trained=biases_unfrozen),
        "A and B are frozen: freeze the model first, then put them in":
            made_of(trained=lambda layers, found, moved: []),
        "A alone is trained": made_of(trained=lambda layers, found, moved: [n for n in moved if n.endswith("A")]),
        "B alone is trained": made_of(trained=lambda layers, found, moved: [n for n in moved if n.endswith("B")]),
        "`my_q_proj` only ends like `q_proj`: compare what is after the last dot":
            made_of(chosen=lambda name, targets: name.endswith(tuple(targets))),
        "a target may be anywhere in these names: compare what is after the last dot":
            made_of(chosen=lambda name, targets: any(target in name for target in targets)),
        "layers below the first level are not found: named_modules() goes all the way down":
            made_of(chosen=lambda name, targets: name in targets),
        "layers at the first level are not found: their names have no dot":
            made_of(chosen=lambda name, targets: "." in name and name.split(".")[-1] in targets),
        "`targets` is ignored: these are the default ones": made_of(
            chosen=lambda name, targets: name.split(".")[-1] in ("q_proj", "k_proj", "v_proj", "o_proj")),
        "`targets` is ignored: these are all linear layers": made_of(chosen=lambda name, targets: True),
        "the last of the targets alone is exchanged": made_of(
            chosen=lambda name, targets: name.split(".")[-1] == targets[-1]),
        "the first of the targets alone is exchanged": made_of(
            chosen=lambda name, targets: name.split(".")[-1] == targets[0]),
        "these are the layers that should have stayed": made_of(
            chosen=lambda name, targets: name.split(".")[-1] not in targets),
        "nothing is exchanged: put each new layer into its parent, by setattr":
            lambda *case: made_of(chosen=lambda name, targets: False)(*case) | {
                "rank and scale": [], "trained": []},
        "the layer that was there is copied or made anew: it becomes the base as it is": made_of(own=False),
        "the model that was given is changed and returned, not a copy of it": made_of(own=False, same=False),
        "the rank is ignored: it is r": made_of(rank=lambda r, alpha: (4, alpha / 4)),
        "alpha is ignored: the scale is alpha / r": made_of(rank=lambda r, alpha: (r, 1.0)),
        "the scale is alpha / r: twice the rank is used as alpha here": made_of(rank=lambda r, alpha: (r, 2.0)),
        "alpha was already divided by r: LoRALinear does that": made_of(rank=lambda r, alpha: (r, alpha / r / r)),
        "the model is not returned": lambda *case: {"returned": "NoneType"},
    }, with_lora_in)
    ### END MISTAKES

    def start(n, m, r):
        layer = LoRALinear(nn.Linear(n, m), r, 8.0)
        return {name: tuple(p.shape) for name, p in layer.named_parameters()}

    swapped = "A and B are swapped: A is (r, in) and B is (out, r)"
    unturned = "the shapes do not fit: x is (..., in) and A is (r, in), so multiply by A, then by B, transposed"
    W = torch.tensor([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]])
    b, A, B = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([[3.0, 1.0]]), torch.tensor([[2.0], [0.0], [-1.0]])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
    check(start, 5, 3, 2).equals(
        {"A": (2, 5), "B": (3, 2), "base.weight": (3, 5), "base.bias": (3,)}, about="names and shapes of parameters",
        near={swapped: {"A": (3, 2), "B": (2, 5), "base.weight": (3, 5), "base.bias": (3,)},
              "A is transposed: (r, in) is asked for": {
                  "A": (5, 2), "B": (3, 2), "base.weight": (3, 5), "base.bias": (3,)},
              "B is transposed: (out, r) is asked for": {
                  "A": (2, 5), "B": (2, 3), "base.weight": (3, 5), "base.bias": (3,)},
              "A and B are transposed: (r, in) and (out, r) are asked for": {
                  "A": (5, 2), "B": (2, 3), "base.weight": (3, 5), "base.bias": (3,)},
              "A and B are plain tensors: nn.Parameter makes them weights of the module": {
                  "base.weight": (3, 5), "base.bias": (3,)},
              "the base is missing: keep it as self.base": {"A": (2, 5), "B": (3, 2)}},
    )
    check(lora_output, x, W, b, A, B, 0.5).equals([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]], near={unturned: RuntimeError})
    A2 = torch.tensor([[1.0, -1.0], [0.5, 2.0], [0.0, 1.0], [2.0, 0.0]])
    B2 = torch.tensor([[1.0, 0.0, 2.0, -1.0], [0.5, 1.0, 0.0, 1.0], [0.0, -1.0, 1.0, 0.5]])
    check(lora_output, x, W, b, A2, B2, 10.0).equals(
        [[3.5, 16.0, -0.25], [2.75, -7.125, -0.75]], rtol=1e-4, near={unturned: RuntimeError})
    check(lora_gradients, x, W, b, A, B, 0.5, torch.ones(2, 3)).equals(
        {"A": torch.tensor([[21.0, 14.5]]), "B": torch.tensor([[36.25], [6.25], [-5.0]]),
         "base.weight": None, "base.bias": None},
        about="gradients of A and B, none of the base", rtol=1e-4,
        near={unturned: RuntimeError})

    def slope_of_x(is_merged, x, W, b, A, B, alpha):
        layer = layer_of(W, b, A, B, alpha)
        return UNFIT if layer is None else slopes(marked(layer, is_merged, alpha / len(A)), x)[0]

    def changed_output(is_merged, scale, x, W, b, A, B):
        layer = layer_of(W, b, A, B, 3.0)
        return UNFIT if layer is None else marked(layer, is_merged, scale)(x)

    of_base = "x has no gradient from the base: what is below this layer learns from it, too"
    check(slope_of_x, False, x, W, b, A, B, 0.5).equals(
        [[5.0, 0.0], [5.0, 0.0]], about="the gradient of x", rtol=1e-4, near={
            of_base: [[1.5, 0.5], [1.5, 0.5]], "x has no gradient: is something detached?": RuntimeError})
    check(slope_of_x, True, x, W, b, A, B, 0.5).equals(
        [[3.5, -0.5], [3.5, -0.5]], about="the gradient of x, merged", rtol=1e-4,
        near={"x has no gradient while merged: is something detached?": RuntimeError})
    check(changed_output, False, 0.5, x, W, b, A, B).equals(
        [[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]], about="another scale", rtol=1e-4, near={
            "forward takes the number `scale` of the layer, as it is there":
                [[31.0, 1.0, -11.5], [-16.0, -1.5, 9.25]]})

    # the start: the first weights, scale and merged
    def first_weights(n, m, r):
        layer = LoRALinear(nn.Linear(n, m), r, 8.0)
        return layer.A.detach(), layer.B.detach()

    starts = {
        "both matrices are random: B begins at 0": lambda v: bool(v[1].any()) and bool(v[0].any()),
        "both matrices are 0: then neither has a gradient": lambda v: not v[1].any() and not v[0].any(),
        "A is 0 and B is random: it is the other way round": lambda v: bool(v[1].any()) and not v[0].any(),
    }

    def begun(v):
        return not v[1].any() and bool(v[0].any())

    def uniform(v):
        bound = v[0].shape[1] ** -0.5
        return float(v[0].abs().max()) <= 1.001 * bound and 0.54 * bound < float(v[0].std()) < 0.62 * bound

    def most(v, root_of_in=1.0, root_of_r=0.0):  # the largest number of A, in units of a bound
        return float(v[0].abs().max()) * (root_of_in * v[0].shape[1] ** 0.5 + root_of_r * v[0].shape[0] ** 0.5)

    def bounded(v, bound):
        return 0.996 * bound < float(v[0].abs().max()) <= 1.001 * bound

    def others(v):
        """The bounds that have names of their own."""
        r, n = v[0].shape
        return ((6 / n) ** 0.5, (6 / (n + r)) ** 0.5, (3 / n) ** 0.5, len(v[1]) ** -0.5, r**-0.5, 1 / n)

    spreads = {
        "A is 0": lambda v: not v[0].any(),
        "A is drawn from a standard normal: it is uniform between ±1 / root of in": lambda v: v[0].std() > 0.9,
        "A is uniform between 0 and a bound: negative numbers belong to it": lambda v: (
            v[0].min() >= 0 and bool(v[0].any())),
        "A is normal: it is uniform between ±1 / root of in": lambda v: (
            0.9 < float(v[0].std()) * v[0].shape[1] ** 0.5 < 1.1 and most(v) > 2.5),
        "the bound is 1 / root of in; here it is 1 / in": lambda v: 0 < most(v) < 1.01 * v[0].shape[1] ** -0.5,
        "the bound is 1 / root of in; here it is root of 6 / in (Kaiming with a = 0)": lambda v: (
            bounded(v, (6 / v[0].shape[1]) ** 0.5)),
        "the bound is 1 / root of in; here it is root of 6 / (in + r) (Xavier)": lambda v: (
            bounded(v, (6 / sum(v[0].shape)) ** 0.5)),
        "the bound is 1 / root of in; here it is root of 3 / in": lambda v: bounded(v, (3 / v[0].shape[1]) ** 0.5),
        "the bound is 1 / root of in, not of r": lambda v: 0.9 < most(v, 0.0, 1.0) < 1.001 and most(v) > 2,
        "the bound is 1 / root of in, not of out": lambda v: bounded(v, len(v[1]) ** -0.5),
        "A is uniform, but not between ±1 / root of in": lambda v: (
            0 < float(v[0].abs().max()) < 1.8 * float(v[0].std()) and not any(bounded(v, b) for b in others(v))),
        "A is normal: it is uniform, with no number beyond ±1 / root of in": lambda v: (
            float(v[0].abs().max()) > 2.5 * float(v[0].std()) > 0 and float(v[0].std()) < 0.9
            and not 0.9 < float(v[0].std()) * v[0].shape[1] ** 0.5 < 1.1),
    }

    def named(value, what, right, mistakes):
        """What is right, or the mistake that the value shows: the values themselves are random."""
        if value is None:
            return UNFIT
        found = (words for words, test in mistakes.items() if test(value))
        return what if right(value) else next(found, f"something else than: {what}")

    def start_of(n, m, r):
        return named(first_weights(n, m, r), "B is 0 and A is not", begun, starts)

    def spread_of_A(n, m, r):
        return named(first_weights(n, m, r), "A is uniform between ±1 / root of in", uniform, spreads)

    check(start_of, 400, 30, 8).equals("B is 0 and A is not", about="the start")
    check(spread_of_A, 400, 30, 8).equals("A is uniform between ±1 / root of in", about="the spread of A")

    forgotten = "`scale` and `merged` are attributes of the layer: set both in __init__"
    check(scale_and_merged, 4, 3, 2, 6.0).equals(
        (3.0, False), about="scale and merged", near={forgotten: AttributeError})
    lent = "the base may have no bias (base.bias is None): let the base compute its own output"
    check(lora_output, x, W, None, A, B, 0.5).equals(
        [[6.0, 0.0, -1.0], [-3.5, -2.5, 1.0]], about="a base without a bias", edge=True,
        near={lent: TypeError, "the base may have no bias: then base.bias is None": AttributeError},
    )
    doubled = [t.double() for t in (x, W, b, A, B)]
    own_dtype = "A and B take the dtype of the base's weight"
    check(lora_output, *doubled, 0.5).equals(
        torch.tensor([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]]).double(), about="double precision", edge=True,
        near={own_dtype: RuntimeError},
    )
    twice = "the base is a copy: keep that very layer, or its weight is in memory twice"
    check(keeps_base, nn.Linear(4, 3)).equals(True, about="the base itself", edge=True, near={twice: False})

    # dropout, on a base that gives 10 and an update that counts the numbers of x: each is 0 or 2 at p = 0.5
    def update_with_dropout(p, training, rows=300):
        n = 8
        layer = layer_of(10 * torch.eye(n), torch.zeros(n), torch.ones(1, n), torch.ones(n, 1), 1.0, p)
        if layer is None:
            return None
        layer.train(training)
        return torch.as_tensor(layer(torch.ones(rows, n))) - 10

    def of_input(v):
        counts = (v / 2).round()
        varied = len(set(counts[:, 0].tolist())) > 4
        alike = torch.allclose(v, v[:, :1].expand(v.shape), atol=1e-3)
        return alike and varied and torch.allclose(v / 2, counts, atol=1e-3)

    drops = {
        "dropout is missing": lambda v: torch.allclose(v, torch.full_like(v, 8)),
        "dropout acts on the input of the base, too": lambda v: float(v.min()) < -5 and float(v.max()) > 9,
        "dropout acts on x A, not on x": lambda v: (
            len(set(v[:, 0].round().tolist())) == 2 and torch.allclose(v, v[:, :1].expand(v.shape))),
        "dropout acts on the update, after B; it belongs to the input": lambda v: (
            not torch.allclose(v, v[:, :1].expand(v.shape)) and float(v.min()) > -1),
        "what dropout leaves is divided by 1 - p, as nn.Dropout does": lambda v: (
            torch.allclose(v, v[:, :1].expand(v.shape)) and float(v.max()) <= 8.1 and float(v.mean()) < 5),
        "the same mask for all vectors: each has its own": lambda v: (
            torch.allclose(v, v[:1].expand(v.shape)) and not whole(v)),
    }

    def whole(v):
        return torch.allclose(v, torch.full_like(v, 8))

    always = {"dropout acts in evaluation, too": lambda v: not whole(v) and float(v.min()) > -1}

    def half_dropped(v):
        return of_input(v) and abs(float(v[:, 0].mean()) - 8) < 5 * 8**0.5 / len(v) ** 0.5

    def in_training(p):
        return named(update_with_dropout(p, True), "dropout of the low-rank path's input", half_dropped, drops)

    def in_evaluation(p):
        return named(update_with_dropout(p, False), "no dropout in evaluation", whole, always)

    check(in_training, 0.5).equals("dropout of the low-rank path's input", about="dropout in training")
    check(in_evaluation, 0.5).equals("no dropout in evaluation", about="dropout in evaluation")

    def output_merged(p, rows=50, n=8):
        layer = layer_of(10 * torch.eye(n), torch.zeros(n), torch.ones(1, n), torch.ones(n, 1), 1.0, p)
        if layer is None:
            return None
        marked(layer, True, 1.0).train(True)
        return torch.as_tensor(layer(torch.ones(rows, n)))

    merges = {
        "`merged` is ignored: a merged layer returns what its base returns, with no update beside it": lambda v: (
            float(v.min()) >= 10 and float(v.max()) > 10),
        "dropout acts while merged, where there is no low-rank path left": lambda v: float(v.min()) < 5,
    }

    def base_alone(v):
        return torch.allclose(v, torch.full_like(v, 10))

    def while_merged(p):
        return named(output_merged(p), "the output of the base alone", base_alone, merges)

    check(while_merged, 0.5).equals("the output of the base alone", about="merged")

    def made_in_a_pass(n):
        """How many numbers a pass of two vectors makes; B A has n times n of them."""
        layer = layer_of(torch.eye(n), torch.zeros(n), torch.ones(1, n), torch.ones(n, 1), 1.0, 0.0)
        return numbers_made(layer, torch.ones(2, n))

    product = {"B A is computed, as large as W: (x A) B, from the left, is not": lambda made: made >= 100 * 100}
    check(made_in_a_pass, 100).holds(
        lambda made: made < 100 * 100, "fewer numbers than B A has", about="(x A) B, not x (B A)", near=product)
    small = {"blocks.0.q_proj": (4, 4), "blocks.0.linear1": (4, 8), "norm": None, "v_proj": (4, 3), "my_q_proj": (4, 2),
             "blocks.0.v_proj": (4, 2), "q_proj_2": (4, 2), "k_proj": (4, 3)}
    exchanged = ["blocks.0.q_proj", "blocks.0.v_proj", "v_proj"]
    not_linear = "a target may be the name of something else than a linear layer, here a norm: that stays"
    check(with_lora_in, small, ("q_proj", "v_proj"), 2, 6.0).equals(
        {"exchanged": exchanged, "trained": [f"{name}.{part}" for name in exchanged for part in "AB"],
         "rank and scale": [(2, 3.0)], "each keeps the layer that was there": True, "the model that was given": True},
        about="put_lora: layers by their names", weight=7)
    no_matrix = "a norm that has the name of a target is no linear layer: it stays"
    named_so = {"a.b.v_proj": None, "a.v_proj": (4, 3), "v_proj": (3, 2)}
    check(with_lora_in, named_so, ("v_proj",), 1, 2.0).equals(
        {"exchanged": ["a.v_proj", "v_proj"], "trained": ["a.v_proj.A", "a.v_proj.B", "v_proj.A", "v_proj.B"],
         "rank and scale": [(1, 2.0)], "each keeps the layer that was there": True, "the model that was given": True},
        about="put_lora: a norm of that name", edge=True, near={not_linear: AttributeError, no_matrix: ValueError})
    ### BEGIN HIDDEN TESTS
    import math

    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(shape, out, r, dtype=torch.float32, bias=True, size=1.0):
        n = shape[-1]
        sizes = shape, (out, n), (out,), (r, n), (out, r)
        x, W, b, A, B = (size * torch.randn(s, generator=draw).to(dtype) for s in sizes)
        return x, W, b if bias else None, A, B

    def oracle(x, W, b, A, B, alpha):
        """The library's linear layer with the update inside its weight."""
        return F.linear(x, W + alpha / A.shape[0] * torch.einsum("or,ri->oi", B, A), b)

    for shape, out, r, alpha in [((2, 3, 5), 4, 1, 3.0), ((4, 6), 3, 4, 16.0), ((3, 2, 4), 7, 16, 8.0)]:
        given = fresh(shape, out, r)
        check(lora_output, *given, alpha).equals(
            oracle(*given, alpha), about="fresh vectors, several ranks", rtol=1e-4, atol=1e-4, weight=2)
    given = fresh((3, 5), 2, 3, bias=False)
    check(lora_output, *given, 1.5).equals(
        oracle(*given, 1.5), about="a base without a bias", edge=True, rtol=1e-4, atol=1e-4,
        near={lent: TypeError, "the base may have no bias: then base.bias is None": AttributeError},
    )
    given = [v * math.pi for v in fresh((3, 5), 2, 3, dtype=torch.float64)]
    check(lora_output, *given, 1.5).equals(
        oracle(*given, 1.5), about="double precision", edge=True, rtol=1e-10, atol=1e-12,
        near={own_dtype: RuntimeError},
    )
    given = fresh((80, 70), 66, 68, size=40.0)  # sums of some 30 million
    check(lora_output, *given, 30.0).equals(
        oracle(*given, 30.0), about="many vectors, large numbers", edge=True, rtol=1e-3, atol=500.0)
    given = fresh((3, 5), 4, 2)
    check(lora_output, *given, 0.01).equals(oracle(*given, 0.01), about="a small alpha", edge=True, atol=1e-5)
    kept = "an axis of size 1 is kept, too"
    for shape, out, r in [((1, 5), 3, 2), ((2, 1, 4), 3, 1), ((1, 1, 3), 1, 2), ((3, 1), 2, 1), ((5,), 2, 2)]:
        given = fresh(shape, out, r)
        check(lora_output, *given, 1.5).equals(
            oracle(*given, 1.5), about="one vector, one number", edge=True, rtol=1e-4, atol=1e-4,
            near=lambda given=given: {kept: oracle(*given, 1.5).squeeze()})
    for shape, out, r, alpha in [((2, 3, 5), 4, 2, 3.0), ((4, 6), 3, 4, 16.0)]:
        given = fresh(shape, out, r)
        target = torch.randn(*shape[:-1], out, generator=draw)
        right = expected_gradients()(*given, alpha, target)
        check(lora_gradients, *given, alpha, target).equals(
            right, about="gradients", rtol=1e-3, atol=1e-3, weight=3)

    for shape, out, r in [((2, 3, 5), 4, 2), ((3, 6), 2, 1)]:
        given = fresh(shape, out, r)
        x, W, b, A, B = given
        full = (W + 3.0 / r * B @ A).sum(0)
        check(slope_of_x, False, *given, 3.0).equals(
            full.expand(shape), about="the gradient of x", rtol=1e-3, atol=1e-4, near={
                "x has no gradient from the low-rank path: what is below this layer learns from it, too":
                    W.sum(0).expand(shape),
                of_base: (full - W.sum(0)).expand(shape),
                "x has no gradient: is something detached?": RuntimeError})
        check(slope_of_x, True, *given, 3.0).equals(
            W.sum(0).expand(shape), about="the gradient of x, merged", rtol=1e-3, atol=1e-4,
            near={"x has no gradient while merged: is something detached?": RuntimeError})
    for shape, dtype in [((1, 5), torch.float32), ((2, 1, 3), torch.float64)]:
        given = fresh(shape, 4, 2, dtype=dtype)
        right = F.linear(*given[:3])
        check(changed_output, True, 1.5, *given).equals(
            right, about="the output of a merged layer", edge=True, rtol=1e-9 if dtype == torch.float64 else 1e-4,
            atol=1e-12 if dtype == torch.float64 else 1e-5,
            near={"`merged` is ignored": oracle(*given, 3.0), kept: right.squeeze()})
        check(changed_output, False, 0.4, *given).equals(
            oracle(*given, 0.8), about="another scale", edge=True, rtol=1e-4, atol=1e-5,
            near={"forward takes the number `scale` of the layer, as it is there": oracle(*given, 3.0)})
    check(first_weights, 256, 40, 16).holds(
        begun, "B is 0 and A is not", about="the start", near=starts
    )
    check(first_weights, 256, 40, 16).holds(
        uniform, "A is uniform between ±1 / root of in", about="the spread of A", near=spreads
    )
    check(keeps_base, nn.Linear(3, 5, bias=False)).equals(True, about="the base itself", edge=True, near={twice: False})
    check(scale_and_merged, 4, 3, 8, 2.0).equals((0.25, False), about="scale and merged")
    check(update_with_dropout, 0.5, True, 400).holds(
        half_dropped, "dropout of the low-rank path's input, in training", about="dropout in training", near=drops
    )
    check(update_with_dropout, 0.5, False, 40).holds(
        whole, "no dropout in evaluation", about="dropout in evaluation", near=always
    )
    check(in_training, 0.5).equals("dropout of the low-rank path's input", about="dropout in training", weight=3)
    check(in_evaluation, 0.5).equals("no dropout in evaluation", about="dropout in evaluation", weight=3)
    check(lambda: made_in_a_pass(70) < 70 * 70).equals(
        True, about="the way of the low-rank path", weight=3, near=dict.fromkeys(product, False))
    check(update_with_dropout, 0.0, True).holds(
        lambda v: torch.allclose(v, torch.full_like(v, 8)), "with dropout 0 nothing is dropped", about="dropout 0"
    )
    check(update_with_dropout, 0.97, True, 400).holds(  # each that is left counts 100 / 3
        lambda v: bool(v.max() > 30) and torch.allclose(0.03 * v, (0.03 * v).round(), atol=1e-3),
        "few are left, and count more", about="dropout of most", edge=True,
        near={"`dropout` is the share that is dropped, not that is kept": lambda v: bool(v.min() > 5 and v.max() < 9),
              "what dropout leaves is divided by 1 - p, as nn.Dropout does": lambda v: bool(0 < v.max() < 8)},
    )
    for p in (0.0, 0.5):
        check(output_merged, p, 30).holds(
            base_alone, "the output of the base alone", about="merged", near=merges
        )
    def fresh_layers(blocks, deep):
        """Linear layers and norms in blocks, at random depths, with sizes of their own."""
        layers = {"norm": None, "q_proj": (5, 3), "fc": (3, 3), "my_fc": (3, 2), "fc_2": (2, 2)}
        for block in range(blocks):
            for last in ("q_proj", "my_q_proj", "fc", "k_proj", "norm"):
                inner = ".inner" * int(check.rng.integers(deep))
                size = tuple(int(n) for n in check.rng.integers(1, 7, size=2))
                layers[f"blocks.{block}{inner}.{last}"] = None if last == "norm" else size
        return layers

    for blocks, deep, targets, r, alpha in [
        (2, 1, ("q_proj",), 3, 6.0), (3, 3, ("q_proj", "k_proj"), 1, 0.5), (11, 2, ("fc", "k_proj"), 8, 2.0),
        (4, 4, ("k_proj", "fc", "q_proj"), 5, 20.0),
    ]:
        layers = fresh_layers(blocks, deep)
        check(with_lora_in, layers, targets, r, alpha).equals(
            made_of()(layers, targets, r, alpha), about="put_lora: fresh models", weight=12)
    for targets in (("norm", "fc"), ("q_proj", "norm")):
        layers = fresh_layers(2, 2)
        check(with_lora_in, layers, targets, 2, 1.0).equals(
            made_of()(layers, targets, 2, 1.0), about="put_lora: a norm of that name", edge=True,
            near={not_linear: AttributeError, no_matrix: ValueError})
    layers = fresh_layers(1, 1)
    check(with_lora_in, layers, ("q_proj",), 66, 0.02).equals(
        made_of()(layers, ("q_proj",), 66, 0.02), about="put_lora: a large rank", edge=True)
    layers = fresh_layers(1, 2)
    check(with_lora_in, layers, ("proj",), 2, 1.0).equals(
        made_of()(layers, ("proj",), 2, 1.0) | {"rank and scale": []}, edge=True,
        about="put_lora: no layer of that name")
    ### END HIDDEN TESTS


score
