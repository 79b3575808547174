from helpers.checks import graded


@graded("module", points=5)
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

    def parameters_of(V, context, C, n, H):
        return {name: tuple(p.shape) for name, p in GPT(V, context, C, n, H).named_parameters()}

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
            "the output has a matrix of its own: it is tied to the token embedding": shapes | {"head.weight": (V, C)},
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
        shapes, about="names and shapes of parameters", near=listed(shapes, 4, 9)
    )

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
    check(deviations, 300, 64, 64, 8, 2).equals(
        ones | dict.fromkeys(inner, 0.25),
        about=begun,
        rtol=0.06,
        near={
            "what writes to the stream begins as large as the rest: 0.02 over the root of 2 L": ones,
            "the root is missing: 0.02 over the root of 2 L": ones | dict.fromkeys(inner, 0.0625),
            "each block writes to the stream twice: the root is of 2 L, not of L": ones | dict.fromkeys(inner, 0.3536),
            "out_proj.weight writes to the stream, too": ones | {"linear2.weight": 0.25},
            "linear2.weight writes to the stream, too": ones | {"self_attn.out_proj.weight": 0.25},
        },
    )

    def used(V, context, C, n, H):
        """Which parameters get a gradient."""
        model = GPT(V, context, C, n, H)
        ids = torch.arange(2 * context).view(2, context) % V
        weights = {name: torch.as_tensor(p).detach().clone() for name, p in model.named_parameters()}
        found = slopes(torch.func.functional_call, model, weights, ids)
        return {name: bool(torch.as_tensor(g).any()) for name, g in zip(weights, found, strict=True)}

    every = dict.fromkeys(shapes_of(9, 6, 4, 2), True)
    cut = "the gradient is cut on its way: no detach, no no_grad, and named_parameters, not state_dict, in forward"
    check(used, 9, 6, 4, 2, 2).equals(
        every,
        about="all parameters learn",
        near={cut: dict.fromkeys(every, False)},
    )


score
