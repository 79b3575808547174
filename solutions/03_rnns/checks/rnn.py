from helpers.checks import difference, graded


@graded("rnn", points=5)
def score(check):
    import torch
    from torch import nn

    no_tanh = "the tanh is missing"
    no_past = "the old state is missing: add h W_h"
    no_bias = "the bias is missing"
    transposed = "W_h was transposed: with row vectors it is h W_h"
    relu = "a ReLU came in place of the tanh"
    sigmoid = "a sigmoid came in place of the tanh"
    reset = "every step began with h0: the state just made goes into the next step"
    backwards = "the sequence was read from its end"
    added = "the new state was added to the old one: it takes its place"
    cut = "the gradient is cut: no detach, no item, no NumPy on the way from h0 to the states"

    row = "the last state is that of the last step: here the last sequence of the batch came"
    x, h = torch.tensor([[1.0, 2.0, -1.0], [0.5, -1.0, 0.0]]), torch.tensor([[0.5, -1.0], [-0.3, 0.8]])
    weights = (torch.tensor([[0.3, -0.2], [0.1, 0.4], [-0.5, 0.6]]), torch.tensor([[0.6, 0.2], [-0.5, 0.7]]),
        torch.tensor([0.1, -0.3]))
    check(rnn_cell, x, h, *weights).equals([[0.95624, -0.7163], [-0.40532, -0.29131]], rtol=1e-3,
        near={no_tanh: [[1.9, -0.9], [-0.43, -0.3]], no_past: [[0.8005, -0.29131], [0.14889, -0.66404]],
        no_bias: [[0.94681, -0.53705], [-0.48538, 0.0]], transposed: [[0.83365, -0.84828], [0.12927, -0.08976]],
        relu: [[1.9, 0.0], [0.0, 0.0]], sigmoid: [[0.86989, 0.28905], [0.39413, 0.42556]],
        added: [[1.45624, -1.7163], [-0.70532, 0.50869]],
        "with row vectors it is h W_h: here W_h h came": [[0.83365, -0.30951], [-0.66404, -0.08976]]})
    steps = torch.stack([x, torch.tensor([[0.0, -1, 0.5], [2, 1, 1]]), torch.tensor([[0.5, 0.5, -2], [-1, 0, 1]])], 1)
    one = [[0.95624, -0.7163], [0.59275, -0.61078], [0.96117, -0.93652]]
    two = [[-0.40532, -0.29131], [0.19974, 0.01502], [-0.52821, 0.50086]]
    check(rnn_forward, steps, h, *weights).equals(([one, two], [one[-1], two[-1]]), rtol=1e-3, atol=2e-5,
        near={row: ([one, two], two), reset: ([[[0.95624, -0.7163], [0.50052, -0.76159], [0.97045, -0.96403]],
        [[-0.40532, -0.29131], [-0.27291, 0.66404], [-0.85648, 0.76159]]], [[0.97045, -0.96403], [-0.85648, 0.76159]]),
        backwards: ([[[0.97045, -0.96403], [0.67195, -0.70678], [0.95236, -0.5786]], [[-0.85648, 0.76159],
        [-0.53326, 0.57957], [-0.42987, -0.46286]]], [[0.95236, -0.5786], [-0.42987, -0.46286]]),
        transposed: ([[[0.83365, -0.84828], [0.08036, -0.88763], [0.82449, -0.96813]], [[0.12927, -0.08976],
        [0.34487, 0.17084], [-0.42919, 0.41956]]], [[0.82449, -0.96813], [-0.42919, 0.41956]]),
        "h0 was ignored: the first step begins with it": ([[[0.8005, -0.29131], [0.35919, -0.41681],
        [0.93833, -0.92461]], [[0.14889, -0.66404], [0.61774, -0.13423], [-0.25639, 0.48506]]],
        [[0.93833, -0.92461], [-0.25639, 0.48506]]),
        "the axes are (B, T, H): here time comes first": ([[a, b] for a, b in zip(one, two, strict=True)],
        [one[-1], two[-1]]), "the state that comes back is the first, not the last": ([one, two], [one[0], two[0]]),
        "h0 is no state of the output: begin with h_1": ([[[0.5, -1.0], *one], [[-0.3, 0.8], *two]],
        [one[-1], two[-1]])})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def cell(x, h, W_x, W_h, b, *, act=torch.tanh, past=1, bias=1, turn=False, keep=0):
        return act(x @ W_x + past * (h @ (W_h.T if turn else W_h)) + bias * b) + keep * h

    variants = {
        no_tanh: {"act": lambda z: z}, no_past: {"past": 0}, no_bias: {"bias": 0}, transposed: {"turn": True},
        relu: {"act": torch.relu}, sigmoid: {"act": torch.sigmoid}, added: {"keep": 1},
        "the state is subtracted, not added": {"past": -1}, "the bias was added twice": {"bias": 2},
        "the old state was counted twice": {"past": 2},
    }
    mistakes = {s: lambda *a, v=v: cell(*a, **v) for s, v in variants.items()} | {
        "the old state went in without its weights: it is h W_h": lambda x, h, W_x, W_h,
            b: torch.tanh(x @ W_x + h + b),
        "each part had a tanh of its own: add first": lambda x, h, W_x, W_h,
            b: torch.tanh(x @ W_x + b) + torch.tanh(h @ W_h),
        "each part had a tanh of its own: add first, then one tanh": lambda x, h, W_x, W_h,
            b: torch.tanh(x @ W_x) + torch.tanh(h @ W_h + b),
        "the bias was added outside of the tanh: it belongs inside": lambda x, h, W_x, W_h,
            b: torch.tanh(x @ W_x + h @ W_h) + b,
        "the input is missing: add x W_x": lambda x, h, W_x, W_h, b: torch.tanh(h @ W_h + b),
    }
    check.mistakes(mistakes)

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)


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
        check(rnn_cell, x, h, *weights).equals(expected, about="one step, as nn.RNN", rtol=1e-4, atol=1e-5)

    def unrolled(x, h, W_x, W_h, b, step=cell, order=1, keep=True):
        first, states = h, []
        for t in range(x.shape[1])[::order]:
            h = step(x[:, t], h if keep else first, W_x, W_h, b)
            states.append(h)
        return torch.stack(states[::order], 1), h

    check.mistakes({s: lambda *a, f=f: unrolled(*a, step=f) for s, f in mistakes.items()} | {
        reset: lambda *a: unrolled(*a, keep=False), backwards: lambda *a: unrolled(*a, order=-1),
        "the first state is missing: h_1 comes first": lambda *a: (unrolled(*a)[0][:, 1:], unrolled(*a)[1]),
        "the last step is missing": lambda x, *a: unrolled(x[:, :-1], *a),
        "h0 is no state of the output: begin with h_1": lambda *a: (
            torch.cat([a[1][:, None], unrolled(*a)[0]], 1), unrolled(*a)[1]),
        "h0 is no state of the output: begin with h_1 and end with h_T": lambda *a: (
            torch.cat([a[1][:, None], unrolled(*a)[0]], 1)[:, :-1], unrolled(*a)[1]),
        "h0 was ignored: the first step begins with it": lambda x, h, *w: unrolled(x, torch.zeros_like(h), *w),
        "the axes are (B, T, H): here time comes first": lambda *a: (unrolled(*a)[0].transpose(0, 1),
            unrolled(*a)[1]),
        "the two results are exchanged: the states come first, then the last one": lambda *a: unrolled(*a)[::-1],
        "the state that comes back is the first, not the last": lambda *a: (unrolled(*a)[0], unrolled(*a)[0][:, 0]),
        "both results are asked: all states, and the last": lambda *a: unrolled(*a)[0],
        "the last state has shape (B, H)": lambda *a: (unrolled(*a)[0], unrolled(*a)[1][None]),
        row: lambda *a: (unrolled(*a)[0], unrolled(*a)[0][-1]),
        backwards + ", and its states stand in that order": lambda *a: (
            unrolled(*a, order=-1)[0].flip(1), unrolled(*a, order=-1)[1]),
        "the cell's result went through a second tanh": lambda *a: unrolled(*a, step=lambda *b: cell(*b).tanh()),
        "the first axis is the batch, the second is time: here they are exchanged": lambda x,
            *a: unrolled(x.transpose(0, 1), *a),
    })
    for B, T, C, H in ((3, 7, 4, 5), (2, 4, 5, 3), (4, 6, 2, 3)):
        rnn, weights = library(C, H)
        x, h = draw(B, T, C), draw(B, H)
        states, last = rnn(x, h[None])
        check(rnn_forward, x, h, *weights).equals(
            (states.detach(), last[0].detach()), about="sequences, as nn.RNN", rtol=1e-4, atol=1e-5)
    rnn, weights = library(3, 2, torch.float64)
    x, h = draw(2, 5, 3).double(), draw(2, 2).double()
    states, last = rnn(x, h[None])
    exact = (states.detach(), last[0].detach())
    check(rnn_forward, x, h, *weights).holds(
        lambda v: difference(v, exact, rtol=1e-9) is None, "float64 in, float64 out",
        about="float64", near={"float64 was rounded to float32 on the way": lambda v: difference(v, exact, 1e-4, 1e-5)
        is None})
    check(rnn_forward, x[:, :1], h, *weights).equals(
        (states[:, :1].detach(), states[:, 0].detach()), about="one step only", edge=True, rtol=1e-4, atol=1e-5)
    check.mistakes({})  # they all take a first step
    none = "with T = 0 the states have shape (B, 0, H), and the last state is h0"
    check(rnn_forward, x[:, :0], h, *weights).equals((torch.zeros(2, 0, 2), h), about="no step", edge=True,
        near={f"{none}: torch.stack takes no empty list": RuntimeError, f"{none}: no last element": LookupError,
        f"{none}: no state was made": UnboundLocalError, f"{none}: here zeros": (torch.zeros(2, 0, 2), 0 * h)})
    check(rnn_forward, x, h.clone().requires_grad_(), *weights).holds(
        lambda v: v[0].requires_grad and v[1].requires_grad, "autograd finds its way back to h0",
        near={cut: lambda v: difference(v, exact, 1e-4, 1e-5) is None})
    ### END HIDDEN TESTS


score
