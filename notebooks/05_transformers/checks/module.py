from helpers.checks import graded


@graded("module", points=6)
def score(check):
    import torch
    from torch import nn

    UNFIT = "nothing: the names or shapes of the parameters are not those of the text (see case 1)"
    layer = nn.TransformerEncoderLayer(4, 1, 16).state_dict()

    def shapes_of(V, context, C, n):
        """The shapes that a GPT's parameters have, by name."""
        block = nn.TransformerEncoderLayer(C, 1, 4 * C).state_dict()
        shapes = {"token_embedding.weight": (V, C), "position_embedding.weight": (context, C)}
        shapes |= {f"blocks.{i}.{name}": tuple(v.shape) for i in range(n) for name, v in block.items()}
        return shapes | {"final_norm.weight": (C,), "final_norm.bias": (C,)}

    more: dict[str, tuple] = {}  # parameters of the last model that the text does not have

    def parameters_of(V, context, C, n, H):
        found = {name: tuple(p.shape) for name, p in GPT(V, context, C, n, H).named_parameters()}
        asked = shapes_of(V, context, C, n)
        more.clear()
        more.update({name: shape for name, shape in found.items() if name not in asked})
        return found

    def without(shapes, begin):
        return {name: shape for name, shape in shapes.items() if not name.startswith(begin)}

    def listed(shapes, C, V):
        return {
            "the blocks are not there: a module does not look into a Python list, but into nn.ModuleList": without(
                shapes, "blocks"
            ),
            "only one block is there: [Block(...)] * n is n times the same block": {
                k: v for k, v in shapes.items() if not k.startswith("blocks.") or k.startswith("blocks.0.")
            },
            "the output has a matrix of its own: it is tied to the token embedding":
                shapes | (more if (V, C) in more.values() else {"head.weight": (V, C)}),
            "the position embedding is a plain tensor: nn.Parameter or a module makes it a weight": without(
                shapes, "position"
            ),
            "the token embedding is a plain tensor: nn.Parameter or a module makes it a weight": without(
                shapes, "token"
            ),
            "the last norm has no parameters: its weight and bias are plain tensors": without(shapes, "final_norm"),
            "the bias of the last norm is missing, or a plain tensor": without(shapes, "final_norm.bias"),
            "the weight of the last norm is missing, or a plain tensor": without(shapes, "final_norm.weight"),
            "super().__init__() must come first, or the module cannot keep anything": AttributeError,
        }

    shapes = shapes_of(9, 6, 4, 2)
    check(parameters_of, 9, 6, 4, 2, 2).equals(
        shapes, about="names and shapes of parameters", near=lambda: listed(shapes, 4, 9)
    )

    def stored_by(V, context, C, n, H):
        return sorted(GPT(V, context, C, n, H).state_dict())

    one_more = "the output is a module of its own, tied or not: its logits come from the token embedding, nothing else"

    def with_output():
        """The names where the model has an output, whatever it is called."""
        asked = {*shapes}
        more = [name for name in stored_by(9, 6, 4, 2, 2) if name not in asked]
        return {one_more: sorted([*asked, *more])} if len(more) == 1 and more[0].endswith("weight") else {}

    check(stored_by, 9, 6, 4, 2, 2).equals(sorted(shapes), about="what a saved model holds", near=with_output)

    plain = "weight and bias are plain tensors: nn.Parameter makes them weights of the module"

    def norm_of(C):
        return {name: torch.as_tensor(p).detach() for name, p in Norm(C).named_parameters()}

    check(norm_of, 3).equals(
        {"weight": torch.ones(3), "bias": torch.zeros(3)},
        about="a new Norm",
        near={
            plain: {},
            "the weight begins at one": {"weight": torch.zeros(3), "bias": torch.zeros(3)},
            "weight and bias are exchanged": {"weight": torch.zeros(3), "bias": torch.ones(3)},
            "the bias begins at zero": {"weight": torch.ones(3), "bias": torch.ones(3)},
            "the bias is missing, or a plain tensor": {"weight": torch.ones(3)},
            "the weight is missing, or a plain tensor": {"bias": torch.zeros(3)},
        },
    )

    def normalised(x, weight, bias):
        norm = Norm(x.shape[-1])
        if {name: tuple(v.shape) for name, v in norm.state_dict().items()} != {
            "weight": tuple(weight.shape),
            "bias": tuple(bias.shape),
        }:
            return UNFIT
        norm.load_state_dict({"weight": weight, "bias": bias})
        return norm(x)

    check(
        normalised, torch.tensor([[1.0, 2.0, 6.0]]), torch.tensor([1.0, 2.0, -0.5]), torch.tensor([0.0, 1.0, 3.0])
    ).equals(
        [[-0.9258189, 0.0741811, 2.305636]],
        rtol=1e-4,
        near={
            "the variance divides by C, not by C - 1: call your layer_norm": [[-0.755929, 0.244071, 2.433051]],
            "the weight is not used": [[-0.925819, 0.53709, 4.38873]],
            "weight and bias are not used": [[-0.925819, -0.46291, 1.38873]],
            "the bias is not used": [[-0.925819, -0.925819, -0.694364]],
        },
    )

    def deviations(V, context, C, n, H):
        """The standard deviation of each kind of matrix, in units of 0.02."""
        found = {}
        for name, p in GPT(V, context, C, n, H).named_parameters():
            value = torch.as_tensor(p).detach()
            kind = name.removeprefix("blocks.")[2:] if name.startswith("blocks.") else name
            if value.dim() == 2:
                found.setdefault(kind, []).append(value.std().item() / 0.02)
        return {kind: round(sum(v) / len(v), 3) for kind, v in found.items()}

    ones = dict.fromkeys(
        (
            "token_embedding.weight",
            "position_embedding.weight",
            "self_attn.in_proj_weight",
            "self_attn.out_proj.weight",
            "linear1.weight",
            "linear2.weight",
        ),
        1.0,
    )
    inner = ("self_attn.out_proj.weight", "linear2.weight")
    begun = "how weights begin: standard deviations in units of 0.02"
    wanted = ones | dict.fromkeys(inner, 0.25)
    embeddings, attends, outwards, narrows = [*ones][:2], [*ones][2], [*ones][3], [*ones][5]
    library = dict(zip(ones, (50.0, 50.0, 4.42, 3.61, 3.61, 1.80), strict=True))  # in units of 0.02

    def near_to(sizes):
        return lambda v: all(abs(v[kind] - size) <= 0.06 * size for kind, size in sizes.items())

    def left_alone(v):
        """The kinds of matrices that are as large as the library makes them."""
        return {kind for kind, size in library.items() if near_to({kind: size})(v)}

    def begins(kinds):
        return lambda v: left_alone(v) != {*ones} and set(kinds) <= left_alone(v)

    def inwards(first, second):
        return near_to({outwards: first, narrows: second})

    likely = {
        "all matrices keep the library's numbers: draw each anew": lambda v: left_alone(v) == {*ones},
        "the embeddings have numbers of size 1, as the library makes them: 0.02 is asked": begins(embeddings),
        f"{attends} keeps the library's numbers: it is a parameter of the attention, no nn.Linear": begins([attends]),
        "the linear layers keep the library's numbers: draw these matrices, too": begins(["linear1.weight"]),
        "what writes to the stream begins as large as the rest: 0.02 over the root of 2 L": inwards(1.0, 1.0),
        "the root is missing: 0.02 over the root of 2 L": inwards(0.0625, 0.0625),
        "each block writes to the stream twice: the root is of 2 L, not of L": inwards(0.3536, 0.3536),
        "the root is of 2 L for L blocks in all, alike for each block": inwards(0.3864, 0.3864),
        "0.02 is divided by the root of 2 L, not multiplied": inwards(4.0, 4.0),
        "what writes to the stream begins with 1 over the root of 2 L: 0.02 over it is asked": inwards(12.5, 12.5),
        "out_proj.weight writes to the stream, too": inwards(1.0, 0.25),
        "linear2.weight writes to the stream, too": inwards(0.25, 1.0),
        f"{attends} does not write to the stream: it begins with 0.02": near_to({attends: 0.25, "linear1.weight": 1.0}),
        "linear1.weight does not write to the stream: it begins with 0.02": near_to(
            {attends: 1.0, "linear1.weight": 0.25}),
        "only out_proj.weight and linear2.weight are over the root of 2 L": near_to(
            {attends: 0.25, "linear1.weight": 0.25}),
        "0.02 is the standard deviation, not the variance": near_to({attends: 7.07, "linear1.weight": 7.07}),
        "these numbers are spread evenly: a normal distribution is asked": near_to(
            {attends: 0.577, embeddings[0]: 0.577}),
    }

    def otherwise(kind, larger):
        """Whether a kind is too large, or too small, and no mistake is known that makes it so."""
        def told(v):
            off = not near_to({kind: wanted[kind]})(v) and (v[kind] > wanted[kind]) == larger
            return off and not any(test(v) for test in likely.values())

        return told

    others = {
        f"{kind} begins too {'large' if larger else 'small'}": otherwise(kind, larger)
        for kind in ones for larger in (True, False)
    }
    check(deviations, 300, 64, 64, 8, 2).holds(
        lambda v: v.keys() == wanted.keys() and near_to(wanted)(v),
        "1 for each kind of matrix, but 0.25 for out_proj.weight and linear2.weight (within 6%)",
        about=begun,
        near=likely | others,
    )

    def used(V, context, C, n, H):
        """Which parameters get a gradient."""
        model = GPT(V, context, C, n, H)
        ids = torch.arange(2 * context).view(2, context) % V
        weights = {name: torch.as_tensor(p).detach().clone() for name, p in model.named_parameters()}
        weights |= {name: p + 0.5 for name, p in weights.items() if p.dim() == 1}  # zeros would let nothing through
        found = slopes(torch.func.functional_call, model, weights, ids)
        return {name: bool(torch.as_tensor(g).any()) for name, g in zip(weights, found, strict=True)}

    every = dict.fromkeys(shapes_of(9, 6, 4, 2), True)
    cut = ("the gradient is cut on its way: no detach, no no_grad, and in forward named_parameters, asked anew each "
           "time, not state_dict")
    check(used, 9, 6, 4, 2, 2).equals(
        every,
        about="all parameters learn",
        near={cut: dict.fromkeys(every, False)},
    )
    def kept(V, context, C, n, H):
        model = GPT(V, context, C, n, H)
        return int(model.context_length), int(model.num_heads)

    def numbers_kept(context, C, H, about):
        check(kept, 11, context, C, 2, H).equals(
            (context, H),
            about=about,
            near={
                "context_length and num_heads are attributes of the model: set both in __init__": AttributeError,
                "context_length and num_heads are exchanged": (H, context),
            },
        )

    def vectors(V, context, C, n, H):
        """Weights and biases of norms as they begin."""
        found = {k: torch.as_tensor(p).detach() for k, p in GPT(V, context, C, n, H).named_parameters()}
        return {k: v for k, v in found.items() if "norm" in k}

    def norms_begin(V, context, C, n, H, about):
        norms = {k: v for k, v in shapes_of(V, context, C, n).items() if "norm" in k}
        check(vectors, V, context, C, n, H).holds(
            lambda v: v.keys() == norms.keys() and all(
                bool((v[k] == float(k.endswith("weight"))).all()) for k in norms),
            "weights of one, biases of zero", about=about,
            near={
                "the vectors are drawn at random, too: only the matrices are": lambda v: v.keys() == norms.keys()
                and any(len(set(vector.tolist())) > 1 for vector in v.values()),
                "the weights of the norms begin at one: leave them as they are": lambda v: v.keys() == norms.keys()
                and any(k.endswith("weight") and bool((v[k] == 0).all()) for k in norms),
            },
        )

    numbers_kept(7, 6, 3, "context_length and num_heads")
    norms_begin(9, 6, 4, 2, 2, "norms begin at one and zero")


score
