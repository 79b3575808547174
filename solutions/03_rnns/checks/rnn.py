from helpers.checks import difference, graded


@graded("rnn", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    relu = "a ReLU was taken in place of the tanh"
    backwards = "the sequence was read from its end"

    def scores(ids, E, W_h, b_h, W_o, b_o, W_d, *, act=torch.tanh, join=lambda e: e.flatten(1), d=1, bh=1, bo=1):
        x = join(E[ids])
        return act(x @ W_h + bh * b_h) @ W_o + d * (x @ W_d) + bo * b_o

    def variant(**changed):
        return lambda *args: scores(*args, **changed)

    check.mistakes({
        "the direct path is missing: add x W_d": variant(d=0),
        "the hidden layer has no tanh": variant(act=lambda z: z),
        "the bias b_h of the hidden layer is missing": variant(bh=0),
        "the bias b_o of the scores is missing": variant(bo=0),
        "the oldest word comes first in x: here the window was reversed":
            variant(join=lambda e: e.flip(1).flatten(1)),
        "the vectors of the window were averaged or added: lay them one after another":
            variant(join=lambda e: e.mean(1).repeat(1, e.shape[1])),
        "the vectors of the window were added: lay them one after another":
            variant(join=lambda e: e.sum(1).repeat(1, e.shape[1])),
        "x holds word after word: here all first numbers of the vectors came first":
            variant(join=lambda e: e.transpose(1, 2).flatten(1)),
        relu: variant(act=torch.relu),
        "a sigmoid was taken in place of the tanh": variant(act=torch.sigmoid),
        "the tanh goes around the hidden layer only, not around the scores":
            lambda *a: torch.tanh(scores(*a, act=lambda z: z)),
        "the direct path goes past the tanh, not through it":
            lambda i, E, W_h, b_h, W_o, b_o, W_d: torch.tanh(E[i].flatten(1) @ W_h + b_h) @ W_o + torch.tanh(
                E[i].flatten(1)) @ W_d + b_o,
        "the direct path has no tanh: here x W_d went through one":
            lambda i, E, W_h, b_h, W_o, b_o, W_d: scores(i, E, W_h, b_h, W_o, b_o, 0 * W_d) + torch.tanh(
                E[i].flatten(1) @ W_d),
        "the tanh went around the hidden layer's share of the scores: it goes around x W_h + b_h":
            lambda i, E, W_h, b_h, W_o, b_o, W_d: scores(i, E, 0 * W_h, 0 * b_h, W_o, b_o, W_d) + torch.tanh(
                (E[i].flatten(1) @ W_h + b_h) @ W_o),
        "the scores went through a tanh, too: only the hidden layer does": lambda *a: torch.tanh(scores(*a)),
        "a tanh went around the sum of both paths: only the hidden layer has one":
            lambda i, E, W_h, b_h, W_o, b_o, W_d: torch.tanh(scores(i, E, W_h, b_h, W_o, 0 * b_o, W_d)) + b_o,
        "b_h was added outside the tanh: it belongs inside":
            lambda i, E, W_h, b_h, W_o, b_o, W_d: scores(i, E, W_h, 0 * b_h, W_o, b_o, W_d) + b_h @ W_o,
        "the hidden layer is missing: this is the direct path alone": variant(act=torch.zeros_like),
        "the bias b_o was added twice": variant(bo=2),
        "the direct path was counted twice": variant(d=2),
        "all rows of the batch got the answer of the first window": lambda i, *a: scores(i[:1], *a),
        "all rows of the batch got the scores of the first window": lambda i, *a: scores(i[:1].expand_as(i), *a),
        "the scores are asked for, not the likeliest word": lambda *a: scores(*a).argmax(-1),
        "these are probabilities: return the scores, without a softmax": lambda *a: scores(*a).softmax(-1),
        "these are log-probabilities: return the scores as they are": lambda *a: scores(*a).log_softmax(-1),
        "reshape mixed the batch: x needs one row for each window":
            variant(join=lambda e: e.permute(1, 0, 2).reshape(e.shape[0], -1)),
    }, bengio_logits)

    def cell(x, h, W_x, W_h, b, *, act=torch.tanh, past=1, bias=1, turn=False, keep=0):
        return act(x @ W_x + past * (h @ (W_h.T if turn else W_h)) + bias * b) + keep * h

    variants = {
        "the tanh is missing": {"act": lambda z: z},
        "the old state is missing: add h W_h": {"past": 0},
        "the bias is missing": {"bias": 0},
        "W_h was transposed: with row vectors it is h W_h": {"turn": True},
        relu: {"act": torch.relu},
        "a sigmoid was taken in place of the tanh": {"act": torch.sigmoid},
        "the new state was added to the old one: it takes its place": {"keep": 1},
        "the state is subtracted, not added": {"past": -1},
        "the bias was added twice": {"bias": 2},
        "the old state was counted twice": {"past": 2},
    }
    mistakes = {s: lambda *a, v=v: cell(*a, **v) for s, v in variants.items()} | {
        "the old state went in without its weights: it is h W_h": lambda x, h, W_x, W_h, b: torch.tanh(x @ W_x + h + b),
        "each part had a tanh of its own: add first":
            lambda x, h, W_x, W_h, b: torch.tanh(x @ W_x + b) + torch.tanh(h @ W_h),
        "each part had a tanh of its own: add first, then one tanh":
            lambda x, h, W_x, W_h, b: torch.tanh(x @ W_x) + torch.tanh(h @ W_h + b),
        "the bias was added outside the tanh: it belongs inside":
            lambda x, h, W_x, W_h, b: torch.tanh(x @ W_x + h @ W_h) + b,
        "the input is missing: add x W_x": lambda x, h, W_x, W_h, b: torch.tanh(h @ W_h + b),
    }
    check.mistakes(mistakes, rnn_cell)

    def unrolled(x, h, W_x, W_h, b, step=cell, order=1, keep=True):
        first, states = h, []
        for t in range(x.shape[1])[::order]:
            h = step(x[:, t], h if keep else first, W_x, W_h, b)
            states.append(h)
        return torch.stack(states[::order], 1), h

    check.mistakes({s: lambda *a, f=f: unrolled(*a, step=f) for s, f in mistakes.items()} | {
        "every step began with h0: the state just made goes into the next step": lambda *a: unrolled(*a, keep=False),
        backwards: lambda *a: unrolled(*a, order=-1),
        "the first state is missing: h_1 comes first": lambda *a: (unrolled(*a)[0][:, 1:], unrolled(*a)[1]),
        "the last step is missing": lambda x, *a: unrolled(x[:, :-1], *a),
        "h0 is no state of the output: begin with h_1":
            lambda *a: (torch.cat([a[1][:, None], unrolled(*a)[0]], 1), unrolled(*a)[1]),
        "h0 is no state of the output: begin with h_1 and end with h_T":
            lambda *a: (torch.cat([a[1][:, None], unrolled(*a)[0]], 1)[:, :-1], unrolled(*a)[1]),
        "h0 was ignored: the first step begins with it": lambda x, h, *w: unrolled(x, torch.zeros_like(h), *w),
        "the axes are (B, T, H): here time comes first": lambda *a: (unrolled(*a)[0].transpose(0, 1), unrolled(*a)[1]),
        "the two results are exchanged: the states come first, then the last one": lambda *a: unrolled(*a)[::-1],
        "the state that comes back is the first, not the last": lambda *a: (unrolled(*a)[0], unrolled(*a)[0][:, 0]),
        "both results are asked for: all states, and the last": lambda *a: unrolled(*a)[0],
        "the last state has shape (B, H)": lambda *a: (unrolled(*a)[0], unrolled(*a)[1][None]),
        "the last state is that of the last step: here the last sequence of the batch came":
            lambda *a: (unrolled(*a)[0], unrolled(*a)[0][-1]),
        backwards + ", and its states stand in that order":
            lambda *a: (unrolled(*a, order=-1)[0].flip(1), unrolled(*a, order=-1)[1]),
        "the cell's result went through a second tanh": lambda *a: unrolled(*a, step=lambda *b: cell(*b).tanh()),
        "the first axis is the batch, the second is time: here they are exchanged":
            lambda x, *a: unrolled(x.transpose(0, 1), *a),
    }, rnn_forward)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    E = torch.tensor([[1.0], [2.0], [3.0]])
    args = (torch.tensor([[2, 0]]), E, torch.tensor([[0.1], [-0.2]]), torch.tensor([0.3]),
        torch.tensor([[1.0, -1.0, 2.0]]),
            torch.tensor([0.5, 0.0, -0.5]), torch.tensor([[0.1, 0.2, 0.3], [-0.1, 0.4, 0.0]]))
    window = check(bengio_logits, *args).equals([[1.0799, 0.6201, 1.1599]], rtol=1e-4)
    flow = {"about": "gradients", "rtol": 1e-3, "atol": 1e-4}
    by_W_h, by_W_d = [[5.1338], [1.7113]], [[3.0, 3.0, 3.0], [1.0, 1.0, 1.0]]
    check(slopes, bengio_logits, *args).equals(
        [[[-0.0423], [0.0], [0.7711]], by_W_h, [1.7113], [[0.3799, 0.3799, 0.3799]], [1.0, 1.0, 1.0], by_W_d], **flow,
        near=cut(window),
    )
    ids, E = torch.tensor([[2, 0], [1, 2]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]])
    W_h, b_h, W_o = torch.tensor([[0.1], [0.2], [-0.1], [0.3]]), torch.tensor([0.1]), torch.tensor([[1.0, 0.0, -1.0]])
    W_d = torch.tensor([[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.5, 0.5, 0.0]])
    check(bengio_logits, ids, E, W_h, b_h, W_o, torch.tensor([0.0, 0.5, 0.0]), W_d).equals(
        [[1.0, 0.0, 0.5], [-0.69738, 0.5, 1.19738]], rtol=1e-4, about="window: two windows, two dimensions"
    )
    x, h = torch.tensor([[1.0, 2.0, -1.0], [0.5, -1.0, 0.0]]), torch.tensor([[0.5, -1.0], [-0.3, 0.8]])
    weights = (torch.tensor([[0.3, -0.2], [0.1, 0.4], [-0.5, 0.6]]), torch.tensor([[0.6, 0.2], [-0.5, 0.7]]),
        torch.tensor([0.1, -0.3]))
    one_step = check(rnn_cell, x, h, *weights).equals(
        [[0.95624, -0.7163], [-0.40532, -0.29131]], rtol=1e-3,
        near={"with row vectors it is h W_h: here it is W_h h": [[0.83365, -0.30951], [-0.66404, -0.08976]]}
    )
    steps = torch.stack([x, torch.tensor([[0.0, -1, 0.5], [2, 1, 1]]), torch.tensor([[0.5, 0.5, -2], [-1, 0, 1]])], 1)
    one = [[0.95624, -0.7163], [0.59275, -0.61078], [0.96117, -0.93652]]
    two = [[-0.40532, -0.29131], [0.19974, 0.01502], [-0.52821, 0.50086]]
    several = check(rnn_forward, steps, h, *weights).equals(
        ([one, two], [one[-1], two[-1]]), rtol=1e-3, atol=2e-5
    )
    row, W_h, b = torch.tensor([[1.0]]), torch.tensor([[0.8]]), torch.tensor([-1.0])
    check(slopes, rnn_cell, row, row / 2, row, W_h, b).equals(
        [[[0.8556]], [[0.6845]], [[0.8556]], [[0.4278]], [0.8556]], **flow, near=cut(one_step)
    )
    x, h, one = torch.tensor([[[1.0], [0.5]]]), torch.tensor([[0.5]]), torch.tensor([[1.0]])
    between = "the gradient is cut between the steps: the network cannot learn what lies back. No detach"
    check(slopes, rnn_forward, x, h, one, one, torch.tensor([-1.5])).equals(
        [[[[2.2599], [1.2599]]], [[2.2599]], [[2.8899]], [[1.1300]], [3.5198]], **flow,
        near=cut(several) | {between: [[[[1.0], [1.2599]]], [[1.0]], [[1.6300]], [[0.5]], [2.2599]]},
    )
    nothing = "with T = 0 no state is made: torch.stack takes no empty list"
    check(rnn_forward, x[:, :0], h, one, one, torch.tensor([-1.5])).equals(
        (torch.zeros(1, 0, 1), h), about="no step", edge=True, near={nothing: RuntimeError}
    )
    ### BEGIN HIDDEN TESTS
    from torch import nn
    from torch.nn import functional as F

    lost = "the gradient is cut: no detach, no item, no NumPy on the way from h0 to the states"

    check.hidden()

    def told(value, near):
        """Mistakes in the gradients are told only where the value is right."""
        return near if value.passed else {}

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    for B, n, V, d, H in ((3, 4, 9, 2, 5), (2, 3, 6, 4, 7), (5, 1, 8, 3, 2)):
        args = (draw(V, d), draw(n * d, H), draw(H), draw(H, V), draw(V), draw(n * d, V))
        ids = torch.tensor(check.rng.integers(V, size=(B, n)))
        E, W_h, b_h, W_o, b_o, W_d = args
        x = torch.cat([F.embedding(ids[:, t], E) for t in range(n)], dim=1)
        expected = F.linear(torch.tanh(F.linear(x, W_h.T, b_h)), W_o.T, b_o) + F.linear(x, W_d.T)
        value = check(bengio_logits, ids, *args).equals(expected, about="window: random weights", rtol=1e-4, atol=1e-5)
    doubles = [a.double() for a in args]
    exact = scores(ids, *doubles)
    check(bengio_logits, ids, *doubles).holds(
        lambda v: difference(v, exact, 1e-11, 1e-11) is None, "float64 in, float64 out",
        about="window: float64", near={
        "float64 was rounded to float32 on the way": lambda v: difference(v, exact, 1e-4, 1e-5) is None})
    leaves = [a.clone().requires_grad_() for a in doubles]
    golden = list(torch.autograd.grad(scores(ids, *leaves).sum(), leaves))
    check(slopes, bengio_logits, ids, *doubles).equals(golden, about="window: gradients of all weights", rtol=1e-6,
        near=told(value, {
            "the gradient is cut between E, or the weights, and the scores: no detach, no item, no NumPy": RuntimeError,
        }))
    check(bengio_logits, ids[:1], *args).equals(expected[:1], about="window: one window", edge=True, rtol=1e-4,
        atol=1e-5)
    check.mistakes({}, bengio_logits)
    for B, n, V, d, H, about in ((1, 3, 1, 2, 1, "one word, one unit"), (1, 1, 4, 1, 1, "one word, one unit"),
            (70, 3, 80, 25, 90, "large sizes"), (3, 2, 6, 2, 4, "large numbers")):
        large = 50 if about == "large numbers" else 1 / (d * n * H) ** 0.25
        args = [large * draw(*s).double() for s in ((V, d), (n * d, H), (H,), (H, V), (V,), (n * d, V))]
        ids = torch.tensor(check.rng.integers(V, size=(B, n)))
        if large == 50:  # the sum inside of the first window's tanh is small all the same
            args[2] = draw(H).double() - F.embedding(ids[:1], args[0]).flatten() @ args[1]
        check(bengio_logits, ids, *args).equals(scores(ids, *args), about=f"window: {about}", edge=True, rtol=1e-6,
            atol=1e-9)

    def library(C, H, dtype=torch.float32):
        rnn = nn.RNN(C, H, batch_first=True, dtype=dtype)
        for p in rnn.parameters():
            p.data = draw(*p.shape).to(dtype)
        b = rnn.bias_ih_l0 + rnn.bias_hh_l0
        return rnn, [w.detach() for w in (rnn.weight_ih_l0.T, rnn.weight_hh_l0.T, b)]

    for B, C, H in ((3, 4, 5), (2, 6, 3), (4, 2, 2), (2, 3, 3)):
        rnn, weights = library(C, H)
        x, h = draw(B, C), draw(B, H)
        expected = rnn(x[:, None], h[None])[1][0].detach()
        value = check(rnn_cell, x, h, *weights).equals(expected, about="one step, as nn.RNN", rtol=1e-4, atol=1e-5)
    sizes = ((1, 1, 1, "one row, one number, one unit"), (1, 3, 2, "one row, one number, one unit"),
        (3, 1, 2, "one row, one number, one unit"), (70, 67, 66, "large sizes"), (4, 2, 3, "large numbers"))

    def inputs(B, C, H, about, *T):
        """Return x, h and weights in float64; of large ones the first row's sum is small all the same."""
        large = 50 if about == "large numbers" else 1 / (C * H) ** 0.25
        x, h, W_x, W_h, b = (large * draw(*s).double() for s in ((B, *T, C), (B, H), (C, H), (H, H), (H,)))
        if large == 50:
            b = draw(H).double() - (x[0, 0] if T else x[0]) @ W_x - h[0] @ W_h
        return x, h, W_x, W_h, b

    check.mistakes({}, rnn_cell)  # of large numbers they make the same as others
    for *shape, about in sizes:
        args = inputs(*shape, about)
        check(rnn_cell, *args).equals(cell(*args), about=f"one step: {about}", edge=True, rtol=1e-6, atol=1e-9)
    x, h, *weights = args = inputs(3, 4, 2, "")
    leaves = [a.clone().requires_grad_() for a in args]
    golden = torch.autograd.grad(cell(*leaves).sum(), leaves)
    check(slopes, rnn_cell, *args).equals(list(golden), about="one step: gradients of all that goes in", rtol=1e-6,
        near=told(value, {
            lost: RuntimeError,
            f"{lost} (here it was cut at h)": [golden[0], 0 * golden[1], golden[2], 0 * golden[3], golden[4]]}))
    for B, T, C, H in ((3, 7, 4, 5), (2, 4, 5, 3), (4, 6, 2, 3)):
        rnn, weights = library(C, H)
        x, h = draw(B, T, C), draw(B, H)
        states, last = rnn(x, h[None])
        value = check(rnn_forward, x, h, *weights).equals(
            (states.detach(), last[0].detach()), about="sequences, as nn.RNN", rtol=1e-4, atol=1e-5)
    rnn, weights = library(3, 4, torch.float64)
    x, h = draw(2, 5, 3).double(), draw(2, 4).double()
    states, last = rnn(x, h[None])
    exact = (states.detach(), last[0].detach())
    check(rnn_forward, x, h, *weights).holds(
        lambda v: difference(v, exact, 1e-10, 1e-11) is None, "float64 in, float64 out",
        about="float64", near={"float64 was rounded to float32 on the way": lambda v: difference(v, exact, 1e-4, 1e-5)
        is None})
    check(rnn_forward, x[:, :1], h, *weights).equals(
        (states[:, :1].detach(), states[:, 0].detach()), about="one step only", edge=True, rtol=1e-4, atol=1e-5)
    check.mistakes({}, rnn_forward)  # they all take a first step
    none = "with T = 0 the states have shape (B, 0, H), and the last state is h0"
    check(rnn_forward, x[:, :0], h, *weights).equals((torch.zeros(2, 0, 4), h), about="no step", edge=True,
        near={f"{none}: torch.stack takes no empty list": RuntimeError, f"{none}: no last element": LookupError,
        f"{none}: no state was made": UnboundLocalError, f"{none}: here zeros": (torch.zeros(2, 0, 4), 0 * h)})
    for *shape, about in sizes:
        rows = shape[0]
        steps = rows if rows in (1, 70) else 4
        args = inputs(*shape, about, steps)
        check(rnn_forward, *args).equals(unrolled(*args), about=f"sequences: {about}", edge=True, rtol=1e-6, atol=1e-8)

    def slopes_of(first=1.0, second=2.0, keep=True):
        leaves = [a.clone().requires_grad_() for a in (x, h, *weights)]
        h_t, out = leaves[1], []
        for t in range(x.shape[1]):
            h_t = h_t if keep else h_t.detach()
            h_t = torch.tanh(F.linear(leaves[0][:, t], leaves[2].T) + F.linear(h_t, leaves[3].T) + leaves[4])
            out.append(h_t)
        total = first * torch.stack(out, 1).sum() + second * h_t.sum()
        found = torch.autograd.grad(total, leaves, allow_unused=True)
        return [torch.zeros_like(a) if g is None else g for g, a in zip(found, leaves, strict=True)]

    for T in (5, 130):
        x = torch.tensor(check.rng.normal(size=(2, T, 3))) / 3
        check(slopes, rnn_forward, x, h, *weights).equals(slopes_of(), rtol=1e-6, atol=1e-9,
            about="gradients of all that goes in", weight=4,
            near=told(value, {lost: RuntimeError, f"{lost} (here only the last state has one)": slopes_of(first=0.0),
            f"{lost} (here the last state has none)": slopes_of(second=0.0),
            f"{lost} (here it is cut between the steps)": slopes_of(keep=False)}))
    ### END HIDDEN TESTS


score
