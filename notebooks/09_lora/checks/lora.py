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

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the scale is alpha / r, not r / alpha": {
            2: [[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]],
            3: [[1.4, 3.4, 2.9], [-0.4, -2.4, 1.35]],
            4: {'A': [[309.0, 320.5]], 'B': [[520.0], [25.0], [-207.5]], 'base.weight': None, 'base.bias': None},
            10: (0.333333, False),
            11: [[21.0, 0.0, -8.5], [-11.0, -2.5, 4.75]],
            12: [[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]],
        },
        "the scale alpha / r is missing": {
            2: [[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]],
            3: [[2.0, 7.0, 2.0], [0.5, -3.75, 0.75]],
            4: {'A': [[79.5, 72.75]], 'B': [[135.0], [12.5], [-41.25]], 'base.weight': None, 'base.bias': None},
            10: (1.0, False),
            11: [[11.0, 0.0, -3.5], [-6.0, -2.5, 2.25]],
            12: [[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]],
        },
        "the scale is alpha / r: here it is 1 / r": {
            2: [[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]],
            3: [[1.25, 2.5, 3.125], [-0.625, -2.0625, 1.5]],
            4: {'A': [[79.5, 72.75]], 'B': [[135.0], [12.5], [-41.25]], 'base.weight': None, 'base.bias': None},
            10: (0.5, False),
            11: [[11.0, 0.0, -3.5], [-6.0, -2.5, 2.25]],
            12: [[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]],
        },
        "the scale acts twice": {
            2: [[3.5, 1.0, 2.25], [-2.25, -1.5, 2.375]],
            3: [[7.25, 38.5, -5.875], [8.375, -15.5625, -4.5]],
            4: {'A': [[5.8125, 1.78125]],
             'B': [[10.3125], [3.125], [1.40625]],
             'base.weight': None,
             'base.bias': None},
            10: (9.0, False),
            11: [[3.5, 0.0, 0.25], [-2.25, -2.5, 0.375]],
            12: [[3.5, 1.0, 2.25], [-2.25, -1.5, 2.375]],
        },
        "the scale is cut to a whole number: alpha / r, not alpha // r": {
            2: [[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]],
            3: [[3.0, 13.0, 0.5], [2.0, -6.0, -0.25]],
            4: {'A': [[0.0, 0.0]], 'B': [[0.0], [0.0], [0.0]], 'base.weight': None, 'base.bias': None},
            11: [[1.0, 0.0, 1.5], [-1.0, -2.5, -0.25]],
            12: [[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]],
        },
        "the scale multiplies the output of the base, too: it belongs before the update only": {
            2: [[5.5, 0.5, -0.75], [-3.0, -0.75, 2.125]],
            3: [[5.0, 17.5, 5.0], [1.25, -9.375, 1.875]],
            4: {'A': [[19.875, 16.9375]],
             'B': [[32.5], [1.875], [-11.5625]],
             'base.weight': None,
             'base.bias': None},
            11: [[5.5, 0.0, -1.75], [-3.0, -1.25, 1.125]],
            12: [[5.5, 0.5, -0.75], [-3.0, -0.75, 2.125]],
        },
        "there is no GELU in LoRA: A and B follow each other": {
            2: [[6.0, 1.0, 1.0], [-1.01552, -1.5, 1.75776]],
            3: [[5.48961, 16.9379, -0.420587], [0.59188, -0.874686, 1.69312]],
            4: {'A': [[9.81996, 20.0902]],
             'B': [[25.0313], [0.0388104], [-0.0117612]],
             'base.weight': None,
             'base.bias': None},
            11: [[6.0, 0.0, -1.0], [-1.01552, -2.5, -0.242238]],
            12: [[6.0, 1.0, 1.0], [-1.01552, -1.5, 1.75776]],
        },
        "there is no ReLU in LoRA: A and B follow each other": {
            2: [[6.0, 1.0, 1.0], [-1.0, -1.5, 1.75]],
            3: [[6.0, 17.25, -0.25], [1.5, -0.25, 1.75]],
            4: {'A': [[10.0, 20.0]], 'B': [[25.0], [0.0], [0.0]], 'base.weight': None, 'base.bias': None},
            11: [[6.0, 0.0, -1.0], [-1.0, -2.5, -0.25]],
            12: [[6.0, 1.0, 1.0], [-1.0, -1.5, 1.75]],
        },
        "the base counts twice": {
            2: [[7.0, 2.0, 4.5], [-4.5, -3.0, 4.75]],
            3: [[4.5, 17.0, 3.25], [1.75, -8.625, 1.0]],
            4: {'A': [[23.25, 9.625]], 'B': [[43.75], [15.0], [8.125]], 'base.weight': None, 'base.bias': None},
            11: [[7.0, 0.0, 0.5], [-4.5, -5.0, 0.75]],
            12: [[7.0, 2.0, 4.5], [-4.5, -3.0, 4.75]],
        },
        "the output of the base is missing: the update is added to it": {
            2: [[5.0, 0.0, -2.5], [-2.5, 0.0, 1.25]],
            3: [[2.5, 15.0, -3.75], [3.75, -5.625, -2.5]],
            4: {'A': [[18.75, 19.375]], 'B': [[28.75], [-2.5], [-18.125]], 'base.weight': None, 'base.bias': None},
            11: [[5.0, 0.0, -2.5], [-2.5, 0.0, 1.25]],
            12: [[5.0, 0.0, -2.5], [-2.5, 0.0, 1.25]],
        },
        "only the base's output came back: the update is missing": {
            2: [[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]],
            3: [[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]],
            4: {'A': [[0.0, 0.0]], 'B': [[0.0], [0.0], [0.0]], 'base.weight': None, 'base.bias': None},
            11: [[1.0, 0.0, 1.5], [-1.0, -2.5, -0.25]],
            12: [[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]],
        },
        "the bias of the base is missing": {
            2: [[6.0, 0.0, -1.0], [-3.5, -2.5, 1.0]],
            3: [[3.5, 15.0, -2.25], [2.75, -8.125, -2.75]],
            4: {'A': [[21.0, 19.5]], 'B': [[36.25], [3.75], [-10.0]], 'base.weight': None, 'base.bias': None},
            12: [[6.0, 0.0, -1.0], [-3.5, -2.5, 1.0]],
        },
        "the update is added, not subtracted": {
            2: [[-4.0, 1.0, 6.0], [1.5, -1.5, 0.5]],
            3: [[-1.5, -14.0, 7.25], [-4.75, 4.125, 4.25]],
            4: {'A': [[16.5, 29.25]], 'B': [[26.25], [-6.25], [-26.25]], 'base.weight': None, 'base.bias': None},
            11: [[-4.0, 0.0, 4.0], [1.5, -2.5, -1.5]],
            12: [[-4.0, 1.0, 6.0], [1.5, -1.5, 0.5]],
        },
        "the scale is alpha / r: here it is alpha": {
            3: [[11.0, 61.0, -11.5], [14.0, -24.0, -8.25]],
            10: (6.0, False),
        },
        "the scale is alpha / r, not alpha divided by the root of r": {
            3: [[6.0, 31.0, -4.0], [6.5, -12.75, -3.25]],
            10: (4.24264, False),
        },
        "the scale is alpha / r: here it is alpha times r": {
            3: [[41.0, 241.0, -56.5], [59.0, -91.5, -38.25]],
            10: (12.0, False),
        },
        "the base is not frozen: requires_grad is True there, so it has gradients": {
            4: {'A': [[21.0, 14.5]],
             'B': [[36.25], [6.25], [-5.0]],
             'base.weight': [[19.0, 15.5], [5.0, -2.5], [-4.0, 2.0]],
             'base.bias': [1.0, -5.0, 4.0]},
        },
        "A and B have no gradient: they must be parameters, used as they are": {
            4: {'A': None, 'B': None, 'base.weight': None, 'base.bias': None},
        },
        "the weight of the base is frozen, its bias is not": {
            4: {'A': [[21.0, 14.5]],
             'B': [[36.25], [6.25], [-5.0]],
             'base.weight': None,
             'base.bias': [1.0, -5.0, 4.0]},
        },
        "A is frozen: it is trained, too": {
            4: {'A': None, 'B': [[36.25], [6.25], [-5.0]], 'base.weight': None, 'base.bias': None},
        },
        "B is frozen: it is trained, too": {
            4: {'A': [[21.0, 14.5]], 'B': None, 'base.weight': None, 'base.bias': None},
        },
        "the update is detached from the graph": {
            4: {'A': None, 'B': None, 'base.weight': None, 'base.bias': None},
        },
        "a new layer is not merged": {
            10: (3.0, True),
        },
        "the rest of the model still moves: freeze all of it, not only what is exchanged": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.linear1.bias', 'blocks.0.linear1.weight', 'blocks.0.q_proj.A',
                         'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B', 'k_proj.bias',
                         'k_proj.weight', 'my_q_proj.bias', 'my_q_proj.weight', 'norm.bias', 'norm.weight',
                         'q_proj_2.bias', 'q_proj_2.weight', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.b.v_proj.bias', 'a.b.v_proj.weight', 'a.v_proj.A', 'a.v_proj.B', 'v_proj.A',
                         'v_proj.B'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "linear layers that stay still move: freeze them, too": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.linear1.bias', 'blocks.0.linear1.weight', 'blocks.0.q_proj.A',
                         'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B', 'k_proj.bias',
                         'k_proj.weight', 'my_q_proj.bias', 'my_q_proj.weight', 'q_proj_2.bias',
                         'q_proj_2.weight', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "the norms still move: freeze them, too": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'norm.bias', 'norm.weight', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.b.v_proj.bias', 'a.b.v_proj.weight', 'a.v_proj.A', 'a.v_proj.B', 'v_proj.A',
                         'v_proj.B'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "biases still move: freeze them, too": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.linear1.bias', 'blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A',
                         'blocks.0.v_proj.B', 'k_proj.bias', 'my_q_proj.bias', 'norm.bias', 'q_proj_2.bias',
                         'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.b.v_proj.bias', 'a.v_proj.A', 'a.v_proj.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "A and B are frozen: freeze the model first, then put them in": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': [],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': [],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "A alone is trained": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.v_proj.A', 'v_proj.A'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.v_proj.A', 'v_proj.A'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "B alone is trained": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.B', 'blocks.0.v_proj.B', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.v_proj.B', 'v_proj.B'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "`my_q_proj` only ends like `q_proj`: compare what is after the last dot": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'my_q_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'my_q_proj.A', 'my_q_proj.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "a target may be anywhere in these names: compare what is after the last dot": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'my_q_proj', 'q_proj_2', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'my_q_proj.A', 'my_q_proj.B', 'q_proj_2.A', 'q_proj_2.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "layers below the first level are not found: named_modules() goes all the way down": {
            18: {'exchanged': ['v_proj'],
             'trained': ['v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['v_proj'],
             'trained': ['v_proj.A', 'v_proj.B'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "layers at the first level are not found: their names have no dot": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj'],
             'trained': ['a.v_proj.A', 'a.v_proj.B'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "`targets` is ignored: these are the default ones": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'k_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'k_proj.A', 'k_proj.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "`targets` is ignored: these are all linear layers": {
            18: {'exchanged': ['blocks.0.linear1', 'blocks.0.q_proj', 'blocks.0.v_proj', 'k_proj', 'my_q_proj',
                           'q_proj_2', 'v_proj'],
             'trained': ['blocks.0.linear1.A', 'blocks.0.linear1.B', 'blocks.0.q_proj.A', 'blocks.0.q_proj.B',
                         'blocks.0.v_proj.A', 'blocks.0.v_proj.B', 'k_proj.A', 'k_proj.B', 'my_q_proj.A',
                         'my_q_proj.B', 'q_proj_2.A', 'q_proj_2.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "the last of the targets alone is exchanged": {
            18: {'exchanged': ['blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.v_proj.A', 'blocks.0.v_proj.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "the first of the targets alone is exchanged": {
            18: {'exchanged': ['blocks.0.q_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "these are the layers that should have stayed": {
            18: {'exchanged': ['blocks.0.linear1', 'k_proj', 'my_q_proj', 'q_proj_2'],
             'trained': ['blocks.0.linear1.A', 'blocks.0.linear1.B', 'k_proj.A', 'k_proj.B', 'my_q_proj.A',
                         'my_q_proj.B', 'q_proj_2.A', 'q_proj_2.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': [],
             'trained': [],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "nothing is exchanged: put each new layer into its parent, by setattr": {
            18: {'exchanged': [],
             'trained': [],
             'rank and scale': [],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': [],
             'trained': [],
             'rank and scale': [],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "the layer that was there is copied or made anew: it becomes the base as it is": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': False,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.v_proj.A', 'a.v_proj.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': False,
             'the model that was given': True},
        },
        "the model that was given is changed and returned, not a copy of it": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 3.0)],
             'each keeps the layer that was there': False,
             'the model that was given': False},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.v_proj.A', 'a.v_proj.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(1, 2.0)],
             'each keeps the layer that was there': False,
             'the model that was given': False},
        },
        "the rank is ignored: it is r": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'v_proj.A', 'v_proj.B'],
             'rank and scale': [(4, 1.5)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.v_proj.A', 'a.v_proj.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(4, 0.5)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "alpha is ignored: the scale is alpha / r": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 1.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
            19: {'exchanged': ['a.v_proj', 'v_proj'],
             'trained': ['a.v_proj.A', 'a.v_proj.B', 'v_proj.A', 'v_proj.B'],
             'rank and scale': [(1, 1.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "the scale is alpha / r: twice the rank is used as alpha here": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 2.0)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "alpha was already divided by r: LoRALinear does that": {
            18: {'exchanged': ['blocks.0.q_proj', 'blocks.0.v_proj', 'v_proj'],
             'trained': ['blocks.0.q_proj.A', 'blocks.0.q_proj.B', 'blocks.0.v_proj.A', 'blocks.0.v_proj.B',
                         'v_proj.A', 'v_proj.B'],
             'rank and scale': [(2, 1.5)],
             'each keeps the layer that was there': True,
             'the model that was given': True},
        },
        "the model is not returned": {
            18: {'returned': 'NoneType'},
            19: {'returned': 'NoneType'},
        },
    })

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


score
