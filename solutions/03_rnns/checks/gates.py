from helpers.checks import difference, graded


@graded("gates", points=10)
def score(check):
    import torch

    ### BEGIN MISTAKES
    dealt = "the numbers were dealt out in turns: each part is one block of H"

    sig, tanh = torch.sigmoid, torch.tanh

    def dealt_out(parts, *weights):
        """The weights where the columns k, k + parts, k + 2 parts and so on make part k."""
        mixed = []
        for v in weights:
            mixed.append(torch.cat([v[..., k::parts] for k in range(parts)], -1))
        return mixed

    def lstm(x, h, c, W_x, W_h, b, *, names="ifgo", content=tanh, shown=tanh, forget=1, add=1, old=False, bias=1,
        past=1,
             gate=sig, show=1):
        p = dict(zip(names, (x @ W_x + past * (h @ W_h) + bias * b).chunk(4, -1), strict=True))
        new = (gate(p["f"]) if forget else 1) * c + (gate(p["i"]) if add else 1) * content(p["g"])
        return (gate(p["o"]) if show else 1) * shown(c if old else new), new

    def with_cell(new_cell):
        """An LSTM cell whose new cell is new_cell(h, c, i, f, g), with the parts before their sigmoid and tanh."""

        def cell(x, h, c, W_x, W_h, b):
            i, f, g, o = (x @ W_x + h @ W_h + b).chunk(4, -1)
            new = new_cell(h, c, i, f, g)
            return sig(o) * tanh(new), new

        return cell

    variants = {
        "the parts come in the order i, f, g, o: here f came first": {"names": "figo"},
        "the parts come in the order i, f, g, o: here g and o are exchanged": {"names": "ifog"},
        "the forget gate is missing: the old cell is multiplied by it": {"forget": 0},
        "the input gate is missing: the content is multiplied by it": {"add": 0},
        "the parts come in the order i, f, g, o: here o came second": {"names": "iofg"},
        "the parts come in the order i, f, g, o: here f, i, o, g was taken": {"names": "fiog"},
        "the content g goes through a tanh, not through a sigmoid": {"content": sig},
        "h' is made from the new cell, not from the old one": {"old": True},
        "the tanh of the cell is missing in h'": {"shown": lambda v: v},
        "the bias is missing": {"bias": 0},
        "the state h is missing: add h W_h": {"past": 0},
        "the output gate is missing: it multiplies the tanh of the cell": {"show": 0},
        "the gates have no sigmoid": {"gate": lambda v: v},
        "the gates are sigmoids, not tanh": {"gate": tanh},
        "the content g has no tanh": {"content": lambda v: v},
        "the cell goes through a tanh in h', not a sigmoid": {"shown": sig},
    }
    check.mistakes({s: lambda *a, v=v: lstm(*a, **v) for s, v in variants.items()} | {
        "h comes first, then c": lambda *a: lstm(*a)[::-1],
        "both are asked for: h and c": lambda *a: lstm(*a)[0],
        "the old cell went through a tanh: the forget gate keeps it as it is":
            lambda x, h, c, *w: lstm(x, h, tanh(c), *w),
        "the old cell came back: return the new one": lambda *a: (lstm(*a)[0], a[2]),
        "1 - f was taken for the input gate: it has a part of its own":
            with_cell(lambda h, c, i, f, g: sig(f) * c + (1 - sig(f)) * tanh(g)),
        "the forget gate and the input gate share one part: each has its own":
            with_cell(lambda h, c, i, f, g: (1 - sig(i)) * c + sig(i) * tanh(g)),
        "the forget gate has no sigmoid": with_cell(lambda h, c, i, f, g: f * c + sig(i) * tanh(g)),
        "the forget gate keeps the old cell c: here it kept h":
            with_cell(lambda h, c, i, f, g: sig(f) * h + sig(i) * tanh(g)),
        dealt: lambda x, h, c, *w: lstm(x, h, c, *dealt_out(4, *w)),
        "the cell came back after its tanh: return c' itself": lambda *a: (lstm(*a)[0], tanh(lstm(*a)[1])),
    }, lstm_cell)

    def gru(x, h, W_x, W_h, b_x, b_h, *, names="rzn", turn=False, reset=1, before=False, outer=False, act=tanh, bh=1,
        bx=1, keep=1, whole=None):
        p = dict(zip(names, (x @ W_x + bx * b_x).chunk(3, -1), strict=True))
        q = dict(zip(names, (h @ W_h + bh * b_h).chunk(3, -1), strict=True))
        r, z = sig(p["r"] + q["r"]), sig(p["z"] + q["z"])
        at = names.index("n") * h.shape[1]
        inner = q["n"] if not reset else r * q["n"]
        if before:
            inner = (r * h) @ W_h[:, at : at + h.shape[1]] + bh * b_h[at : at + h.shape[1]]
        if outer:
            bias = bh * b_h[at : at + h.shape[1]]
            inner = r * (q["n"] - bias) + bias
        n = act(p["n"] + inner)
        if turn:
            return z * n + (1 - z) * h
        share_of_new = 1 if whole == "new" else 1 - z
        share_of_old = 1 if whole == "old" else z
        return share_of_new * n + keep * share_of_old * h

    def one_gate(k, *weights):
        """The weights where part k stands for r and z both."""
        chosen = []
        for v in weights:
            parts = v.chunk(3, -1)
            chosen.append(torch.cat([parts[k], parts[k], parts[2]], -1))
        return chosen

    def with_content(content):
        """A GRU cell whose new content is content(r, its part of x W_x + b_x, its part of h W_h + b_h)."""

        def cell(x, h, W_x, W_h, b_x, b_h):
            r_x, z_x, n_x = (x @ W_x + b_x).chunk(3, -1)
            r_h, z_h, n_h = (h @ W_h + b_h).chunk(3, -1)
            r, z = sig(r_x + r_h), sig(z_x + z_h)
            return (1 - z) * content(r, n_x, n_h) + z * h

        return cell

    def reset_of_all_biases(x, h, W_x, W_h, b_x, b_h):
        """A GRU cell where b_x of the content stands beside b_h, under the reset gate."""
        content = torch.arange(len(b_x)) >= 2 * h.shape[1]
        return gru(x, h, W_x, W_h, b_x * ~content, b_h + b_x * content)

    variants = {
        "z keeps the old state and 1 - z takes the new one: here it is the other way around": {"turn": True},
        "r acts on h W_h + b_h, after the matrix: here it acted on h, before it": {"before": True},
        "r acts on the bias b_h, too": {"outer": True},
        "the reset gate is missing": {"reset": 0},
        "the parts come in the order r, z, n: here r and z are exchanged": {"names": "zrn"},
        "the parts come in the order r, z, n: here n came first": {"names": "nrz"},
        "the parts come in the order r, z, n: here z, n, r was taken": {"names": "znr"},
        "the parts come in the order r, z, n: here n, z, r was taken": {"names": "nzr"},
        "the new content goes through a tanh, not a sigmoid": {"act": sig},
        "the new content has no tanh": {"act": lambda v: v},
        "the bias b_h is missing": {"bh": 0},
        "the bias b_x is missing": {"bx": 0},
        "the old state is missing: add z times h": {"keep": 0},
        "the old state was added whole: z times h is added": {"whole": "old"},
        "the new content was added whole: 1 - z times n is added": {"whole": "new"},
    }
    check.mistakes({s: lambda *a, v=v: gru(*a, **v) for s, v in variants.items()} | {
        dealt: lambda x, h, *w: gru(x, h, *dealt_out(3, *w)),
        "r acts on h W_h + b_h alone: here it acted on the bias b_x, too": reset_of_all_biases,
        "the new state goes through no further tanh": lambda *a: tanh(gru(*a)),
        "r, not z, multiplies h W_h + b_h inside the tanh": lambda x, h, *w: gru(x, h, *one_gate(1, *w)),
        "z, not r, mixes the old state and the new content": lambda x, h, *w: gru(x, h, *one_gate(0, *w)),
        "r multiplies h W_h + b_h, inside the tanh: here it came after":
            with_content(lambda r, from_x, from_h: r * tanh(from_x + from_h)),
        "r multiplies h W_h + b_h: here it multiplied x W_x + b_x":
            with_content(lambda r, from_x, from_h: tanh(r * from_x + from_h)),
        "r went outside: it multiplies h W_h + b_h only, not x W_x + b_x":
            with_content(lambda r, from_x, from_h: tanh(r * (from_x + from_h))),
    }, gru_cell)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    x, h = torch.tensor([[1.0, -0.5, 2], [0.3, 1, -1]]), torch.tensor([[0.5, -0.2], [-0.8, 0.4]])
    c = torch.tensor([[-1.0, 2], [0.6, -1.5]])
    W_x, W_h = torch.sin(torch.arange(24.0)).reshape(3, 8), torch.cos(torch.arange(16.0)).reshape(2, 8)
    new = [[-0.17605, 1.20155], [0.05516, -0.70401]]
    of_lstm = check(lstm_cell, x, h, c, W_x, W_h, torch.arange(8.0) / 4 - 1).equals(
        ([[-0.09409, 0.40003], [0.03685, -0.49947]], new), rtol=1e-3, atol=1e-5, about="LSTM"
    )
    W_x, W_h = torch.sin(torch.arange(18.0)).reshape(3, 6), torch.cos(torch.arange(12.0)).reshape(2, 6)
    b_x, b_h = torch.arange(6.0) / 4 - 1, torch.tensor([0.5, -0.3, 0.2, 0.7, -0.6, 0.9])
    of_gru = check(gru_cell, x, h, W_x, W_h, b_x, b_h).equals(
        [[0.32726, -0.34266], [-0.692, 0.31531]], rtol=1e-3, about="GRU"
    )
    x, h, flow = torch.tensor([[1.0]]), torch.tensor([[0.5]]), {"rtol": 1e-3, "atol": 1e-4}
    W, U = torch.tensor([[0.1, 0.2, 0.3, 0.4]]), torch.tensor([[0.5, -0.5, 1.0, 0.0]])
    sums = [0.3315, 0.8279, 0.6750, 0.2282]
    check(slopes, lstm_cell, x, h, torch.tensor([[2.0]]), W, U, torch.tensor([0.0, 1.0, 0.0, 0.0])).equals(
        [[[0.4925]], [[0.4268]], [[1.4843]], [sums], [[0.1657, 0.4140, 0.3375, 0.1141]], sums], about="LSTM, gradients",
        near=cut(of_lstm), **flow,
    )
    b_x, b_h = torch.tensor([0.0, 0.1, 0.0]), torch.tensor([0.2, 0.0, 0.3])
    by_W, by_U = [[0.0501, -0.0420, 0.2699]], [[0.0250, -0.0210, 0.0856]]
    check(slopes, gru_cell, x, h, W[:, :3], U[:, :3], b_x, b_h).equals(
        [[[0.0776]], [[0.7297]], by_W, by_U, by_W[0], [0.0501, -0.0420, 0.1712]], about="GRU, gradients",
        near=cut(of_gru), **flow,
    )
    ### BEGIN HIDDEN TESTS
    from torch import nn

    lost = "the gradient is cut: no detach, no item, no NumPy between the old state and the new"

    check.hidden()

    def draw(*shape, dtype=torch.float32):
        return torch.tensor(check.rng.normal(size=shape), dtype=dtype)

    def exact(value, about):
        """Judge by all sixteen digits of float64."""
        return {"test": lambda v: difference(v, value, 1e-10, 1e-12) is None, "says": "float64 in, float64 out",
            "about": about, "edge": True, "near": {"float64 was rounded to float32 on the way": lambda v: difference(
            v, value, 1e-4, 1e-5) is None}}

    sizes = ((1, 1, 1, "one row, one number, one unit"), (1, 3, 2, "one row, one number, one unit"),
        (3, 1, 1, "one row, one number, one unit"), (70, 67, 66, "large sizes"), (4, 2, 3, "large numbers"))

    def inputs(B, C, H, about, parts):
        """Return x, h, c, W_x, W_h, b_x, b_h in float64; of large ones the first row's sums are small all the same."""
        large = 50 if about == "large numbers" else 1 / (C * H) ** 0.25
        x, h, c, W_x, W_h, b_x, b_h = (large * draw(*s, dtype=torch.float64) for s in ((B, C), (B, H), (B, H),
            (C, parts * H), (H, parts * H), (parts * H,), (parts * H,)))
        if large == 50:
            b_x, b_h = b_x / 50 - x[0] @ W_x, b_h / 50 - h[0] @ W_h
        return x, h, c, W_x, W_h, b_x, b_h

    def library(kind, C, H, dtype=torch.float32):
        module = kind(C, H, dtype=dtype)
        for p in module.parameters():
            p.data = draw(*p.shape, dtype=dtype)
        return module, [p.detach() for p in (module.weight_ih.T, module.weight_hh.T, module.bias_ih, module.bias_hh)]

    for B, C, H, dtype in ((3, 4, 5, "float32"), (2, 6, 3, "float32"), (4, 2, 4, "float32"), (2, 3, 2, "float64")):
        module, (W, U, b, d) = library(nn.LSTMCell, C, H, getattr(torch, dtype))
        x, h, c = (draw(*s, dtype=W.dtype) for s in ((B, C), (B, H), (B, H)))
        expected = tuple(v.detach() for v in module(x, (h, 2 * c)))
        case = check(lstm_cell, x, h, 2 * c, W, U, b + d)
        if dtype == "float64":
            case.holds(**exact(expected, "LSTM in float64"))
        else:
            value = case.equals(expected, about="LSTM, as nn.LSTMCell", rtol=1e-4, atol=1e-5)
    check.mistakes({}, lstm_cell)  # of large numbers they make the same as others
    for *shape, about in sizes:
        x_1, h_1, c_1, W_1, U_1, b_1, d_1 = inputs(*shape, about, 4)
        check(lstm_cell, x_1, h_1, c_1, W_1, U_1, b_1 + d_1).equals(lstm(x_1, h_1, c_1, W_1, U_1, b_1 + d_1),
            about=f"LSTM, {about}", edge=True, rtol=1e-6, atol=1e-9)
    check(lstm_cell, 500 * x, h, c, W, U, b + d).equals(
        tuple(v.detach() for v in module(500 * x, (h, c))), about="LSTM, large numbers", edge=True, rtol=1e-4,
            atol=1e-5)
    leaves = [v.clone().requires_grad_() for v in (x, h, c, W, U, b + d)]
    h_new, c_new = torch.func.functional_call(module, {
        "weight_ih": leaves[3].T, "weight_hh": leaves[4].T, "bias_ih": leaves[5], "bias_hh": 0 * d}, (
        leaves[0], (leaves[1], leaves[2])))
    golden = list(torch.autograd.grad(h_new.sum() + 2 * c_new.sum(), leaves))

    def cut_slopes(shown=lambda v: v, first=1.0, second=2.0, gate=-1):
        """The gradients where h' is made from `shown` of the cell, or where one of the two, or a gate, has none."""
        i, f, g, o = (v.detach() if k == gate else v for k, v in enumerate((
            leaves[0] @ leaves[3] + leaves[1] @ leaves[4] + leaves[5]).chunk(4, -1)))
        new = sig(f) * leaves[2] + sig(i) * tanh(g)
        return list(torch.autograd.grad(first * (sig(o) * tanh(shown(new))).sum() + second * new.sum(), leaves))

    told = {lost: RuntimeError, f"{lost} (here between the new cell and h')": cut_slopes(lambda v: v.detach())}
    told |= {f"{lost} (here at {name})": cut_slopes(gate=k) for k, name in enumerate("ifgo")}
    told |= {f"{lost} (here h' has none)": cut_slopes(first=0.0)}
    told |= {f"{lost} (here the cell has none)": cut_slopes(second=0.0)}
    check(slopes, lstm_cell, x, h, c, W, U, b + d).equals(
        golden, about="LSTM, gradients", rtol=1e-6, near=told if value.passed else {}
    )
    for B, C, H, dtype in ((3, 4, 5, "float32"), (2, 6, 3, "float32"), (4, 2, 4, "float32"), (2, 3, 2, "float64")):
        module, (W, U, b, d) = library(nn.GRUCell, C, H, getattr(torch, dtype))
        x, h = (draw(*s, dtype=W.dtype) for s in ((B, C), (B, H)))
        case = check(gru_cell, x, h, W, U, b, d)
        if dtype == "float64":
            case.holds(**exact(module(x, h).detach(), "GRU in float64"))
        else:
            value = case.equals(module(x, h).detach(), about="GRU, as nn.GRUCell", rtol=1e-4, atol=1e-5)
    check.mistakes({}, gru_cell)  # of large numbers they make the same as others
    for *shape, about in sizes:
        x_1, h_1, _, *weights = inputs(*shape, about, 3)
        check(gru_cell, x_1, h_1, *weights).equals(gru(x_1, h_1, *weights), about=f"GRU, {about}", edge=True, rtol=1e-6,
            atol=1e-9)
    leaves = [v.clone().requires_grad_() for v in (x, h, W, U, b, d)]
    new = torch.func.functional_call(module, {"weight_ih": leaves[2].T, "weight_hh": leaves[3].T, "bias_ih": leaves[4],
        "bias_hh": leaves[5]}, (leaves[0], leaves[1]))
    golden = list(torch.autograd.grad(new.sum(), leaves))

    def without(gate):
        """The gradients where that of one gate is cut."""
        p, q = (v.chunk(3, -1) for v in (leaves[0] @ leaves[2] + leaves[4], leaves[1] @ leaves[3] + leaves[5]))
        r, z = (sig(p[k] + q[k]).detach() if gate == k else sig(p[k] + q[k]) for k in (0, 1))
        return list(torch.autograd.grad(((1 - z) * tanh(p[2] + r * q[2]) + z * leaves[1]).sum(), leaves))

    told = {lost: RuntimeError, f"{lost} (here at the reset gate)": without(0)}
    told |= {f"{lost} (here at the update gate)": without(1)}
    check(slopes, gru_cell, x, h, W, U, b, d).equals(
        golden, about="GRU, gradients", rtol=1e-6, near=told if value.passed else {}
    )
    ### END HIDDEN TESTS


score
