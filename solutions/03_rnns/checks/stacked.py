from helpers.checks import difference, graded


@graded("stacked", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    def turned(x, lengths, keep=True):
        out = x.clone() if keep else torch.zeros_like(x)
        for b, n in enumerate(lengths.tolist()):
            out[b, :n] = x[b, :n].flip(0)
        return out

    check.mistakes({
        "the whole row was reversed: the padding must stay at the end": lambda x, n: x.flip(1),
        "what lies beyond the length stays as it is: here it became 0": lambda x, n: turned(x, n, keep=False),
        "nothing was reversed": lambda x, n: x,
        "the batch was reversed, not the time": lambda x, n: x.flip(0),
        "one length was taken for all rows: each row has its own":
            lambda x, n: turned(x, torch.full_like(n, int(n.max()))),
        "the first row's length was taken for all rows": lambda x, n: turned(x, torch.full_like(n, int(n[0]))),
        "the shortest length was taken for all rows": lambda x, n: turned(x, torch.full_like(n, int(n.min()))),
        "the last axis was reversed, not the time": lambda x, n: x.flip(-1),
        "time and the last axis were reversed": lambda x, n: turned(x, n).flip(-1),
        "the rows were rolled: the last real step came first, and the padding moved":
            lambda x, n: torch.stack([v.flip(0).roll(int(k), 0) for v, k in zip(x, n, strict=True)]),
        "the ends are one step off: sequence b ends before step lengths[b]":
            lambda x, n: turned(x, (n + 1).clamp(max=x.shape[1])),
        "the last real step was left where it is": lambda x, n: turned(x, n - 1),
        "the padding was cut off: the shape stays": lambda x, n: turned(x, n)[:, : int(n.max())],
        "the sequences were cut at their lengths: one tensor of the shape of x is asked for":
            lambda x, n: [v[:k].flip(0) for v, k in zip(x, n.tolist(), strict=True)],
        "step t comes from lengths - 1 - t: here the 1 is missing": lambda x, n: torch.stack([
            torch.stack([v[(k - t) % len(v)] if t < k else v[t] for t in range(len(v))])
            for v, k in zip(x, n.tolist(), strict=True)]),
        "step t comes from lengths - 1 - t: here the 1 is missing, and step 0 stays where it is":
            lambda x, n: torch.stack([
                torch.cat([v[:1], v[1:k].flip(0), v[max(k, 1) :]]) for v, k in zip(x, n.tolist(), strict=True)]),
    }, reverse_padded)

    def run(x, lengths, layers, *, feed=turned, back=turned, swap=False, zero=True, chain=True, used=None,
        beyond=0, late_feed=None, early_back=None):
        source, out = x, x
        for k, (forward, backward) in enumerate(layers[:used], 1):
            to, fro = late_feed if late_feed and k > 1 else feed, early_back if early_back and k < len(layers) else back
            pair = [forward(source), fro(backward(to(source, lengths)), lengths)]
            out = torch.cat(pair[::-1] if swap else pair, -1)
            source = out if chain else x
        return out * (torch.arange(x.shape[1]) < lengths[:, None] + beyond)[..., None] if zero else out

    def same(v, n):
        return v

    check.mistakes({
        "the backward states were not reversed again: both directions must speak of the same token":
            lambda *a: run(*a, back=same),
        "the backward reader got the sequence as it was: reverse it first": lambda *a: run(*a, feed=same),
        "neither was reversed: the backward reader reads from the end": lambda *a: run(*a, feed=same, back=same),
        "the zeros begin one position too late: position lengths[b] is beyond the length": lambda *a: run(*a, beyond=1),
        "the zeros begin one position too early: the last real step was set to 0": lambda *a: run(*a, beyond=-1),
        "positions beyond the length must be 0": lambda *a: run(*a, zero=False),
        "the forward states come first, then the backward ones": lambda *a: run(*a, swap=True),
        "the backward states were reversed again after the last layer only: each layer reverses them back":
            lambda *a: run(*a, early_back=same),
        "the sequence was reversed for the first layer only: reverse it for each backward reader":
            lambda *a: run(*a, late_feed=same),
        "reversed before the first layer and after the last only: each layer does both":
            lambda *a: run(*a, early_back=same, late_feed=same),
        "only the first layer was applied": lambda *a: run(*a, used=1),
        "every layer was fed x: a layer is fed the states of the layer before": lambda *a: run(*a, chain=False),
        "the whole rows were reversed, padding first":
            lambda *a: run(*a, feed=lambda v, n: v.flip(1), back=lambda v, n: v.flip(1)),
        "the two readers of a pair are exchanged": lambda x, n, layers: run(x, n, [p[::-1] for p in layers]),
        "the layers were applied from the last to the first": lambda x, n, layers: run(x, n, layers[::-1]),
        "the two directions were added: lay them side by side": lambda *a: sum(run(*a).chunk(2, -1)),
        "the two directions of the last layer were averaged: lay them side by side":
            lambda *a: sum(run(*a).chunk(2, -1)) / 2,
        "the two directions are one after another in time: lay them side by side, along the last axis":
            lambda *a: torch.cat(run(*a).chunk(2, -1), 1),
        "the two directions are one after another in time (and without zeros): lay them side by side":
            lambda *a: torch.cat(run(*a, zero=False).chunk(2, -1), 1),
        "the forward reader read both ways: the backward one is the second of each pair":
            lambda x, n, layers: run(x, n, [(forward, forward) for forward, _ in layers]),
        "the forward reader alone answered: the backward one is missing": lambda *a: run(*a).chunk(2, -1)[0],
    }, stacked_bidirectional)

    def mix(layers, s, gamma):
        return gamma * (s[:, None, None, None] * layers).sum(0)

    check.mistakes({
        "the weights go through a softmax first": lambda h, w, g: mix(h, w, g),
        "gamma is missing": lambda h, w, g: mix(h, w.softmax(0), 1.0),
        "all layers got the same weight: the softmax of w says how much each counts": lambda h, w, g: g * h.mean(0),
        "gamma belongs outside the softmax": lambda h, w, g: mix(h, (g * w).softmax(0), 1.0),
        "the weights were divided by their sum: a softmax takes exponentials first":
            lambda h, w, g: mix(h, w / w.sum(), g),
        "gamma went into the softmax, too: it belongs outside only": lambda h, w, g: mix(h, (g * w).softmax(0), g),
        "the softmax goes over the layers": lambda h, w, g: g * (h * w[:, None, None, None]).softmax(0).sum(0),
        "the layers are summed, not put side by side":
            lambda h, w, g: torch.cat(list(g * w.softmax(0)[:, None, None, None] * h), -1),
        "the layers were weighted, but not added up": lambda h, w, g: g * w.softmax(0)[:, None, None, None] * h,
        "a mean over the layers came after the weights: add them up": lambda h, w, g: mix(h, w.softmax(0), g) / len(h),
        "the layers were multiplied in the wrong order: weight 0 belongs to layer 0":
            lambda h, w, g: mix(h, w.softmax(0).flip(0), g),
        "a sigmoid of each weight: a softmax makes them sum to 1": lambda h, w, g: mix(h, w.sigmoid(), g),
        "gamma is added: it multiplies": lambda h, w, g: mix(h, w.softmax(0), 1.0) + g,
        "the largest weight took all: it is a mix": lambda h, w, g: g * h[w.argmax()],
        "the last layer alone was taken: it is a mix": lambda h, w, g: g * h[-1],
        "layer 0, the static vectors, is left out: it belongs to the mix":
            lambda h, w, g: mix(h[1:], w[1:].softmax(0), g),
        "exponentials of the weights: a softmax divides them by their sum": lambda h, w, g: mix(h, w.exp(), g),
        "gamma divides: it multiplies": lambda h, w, g: mix(h, w.softmax(0), 1 / g),
        "a softmax of the layers was taken, too: only the weights have one":
            lambda h, w, g: mix(h.softmax(0), w.softmax(0), g),
        "the logarithm of the softmax was taken": lambda h, w, g: mix(h, w.log_softmax(0), g),
    }, elmo_mix)
    ### END MISTAKES
    check.built_on("stacked_bidirectional", "reverse_padded")
    narrow = "was each direction stacked on its own? both states of a layer, 2H numbers, go into the next"

    def row_of_pairs(row):
        return [[10 * row + t, 100 * row + t] for t in range(4)]

    rows_of_pairs = [row_of_pairs(row) for row in (1, 2, 3)]
    (a, b, c, d), (p, q, r, s), (w, x, y, z) = rows_of_pairs
    check(reverse_padded, torch.tensor(rows_of_pairs, dtype=torch.float32), torch.tensor([2, 3, 1])).equals(
        [[b, a, c, d], [r, q, p, s], [w, x, y, z]]
    )
    x = torch.tensor([[[1.0], [2.0], [3.0], [9.0]], [[4.0], [5.0], [8.0], [7.0]]])
    lengths = torch.tensor([3, 2])

    def running(v):
        return torch.cumsum(v, dim=1)

    check(stacked_bidirectional, x, lengths, [(running, running)]).equals(
        [[[1, 6], [3, 5], [6, 3], [0, 0]], [[4, 9], [9, 5], [0, 0], [0, 0]]], about="running sums from both ends"
    )

    def times(factor):
        return lambda v: factor * running(v)

    x, lengths = torch.tensor([[[1.0], [3.0], [9.0]]]), torch.tensor([2])
    check(stacked_bidirectional, x, lengths, [(running, times(2)), (running, times(3))]).equals(
        [[[1, 8, 15, 42], [5, 14, 12, 18], [0, 0, 0, 0]]], about="two layers, running sums and their multiples",
        near={narrow: [[[1, 42], [5, 18], [0, 0]]]}
    )
    layers = torch.tensor([[[[1.0, 2.0]]], [[[3.0, -1.0]]]])
    check(elmo_mix, layers, torch.tensor([0.5, -1.0]), 3.0).equals([[[4.09455, 4.35817]]], rtol=1e-4)
    check(slopes, elmo_mix, layers, torch.tensor([0.5, -1.0]), torch.tensor(3.0)).equals(
        [[[[[2.4527, 2.4527]]], [[[0.5473, 0.5473]]]], [0.4474, -0.4474], 2.8176], about="mix, gradients", rtol=1e-3,
        near={"the gradient is cut: no detach, item, data or float() on the way": RuntimeError},
    )
    ### BEGIN HIDDEN TESTS
    import numpy as np
    from torch import nn
    from torch.nn.utils import rnn as packing

    check.hidden()

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    for B, T, C in ((4, 6, 2), (3, 5, 3), (6, 9, 1), (70, 80, 2)):
        x, lengths = draw(B, T, C), torch.tensor(check.rng.integers(1, T, size=B))
        lengths[0] = 2
        lengths[-1] = T - 1
        expected = x.numpy().copy()
        for b in range(B):
            expected[b, : int(lengths[b])] = expected[b, : int(lengths[b])][::-1].copy()
        check(reverse_padded, x, lengths).equals(expected, about="random sequences")
    full = torch.full((2,), 4)
    x = draw(2, 4, 3)
    check(reverse_padded, x, full).equals(x.flip(1), about="no padding", edge=True)
    cut = "the gradient is cut: no detach, no item, no NumPy on the way"
    rounded = "float64 was rounded to float32 on the way"
    x64, some = torch.tensor(check.rng.normal(size=(3, 5, 2))), torch.tensor([4, 0, 2])
    check(reverse_padded, x64, some).equals(turned(x64, some), about="an empty sequence, and float64", edge=True,
        rtol=0, atol=0, near={rounded: turned(x64.float(), some)})
    ids = torch.tensor(check.rng.integers(50, size=(3, 6, 1)))
    check(reverse_padded, ids, torch.tensor([5, 2, 6])).equals(turned(ids, torch.tensor([5, 2, 6])), dtype="i",
        about="whole numbers stay whole", edge=True)
    check(slopes, reverse_padded, x64, some).equals([torch.ones(3, 5, 2)], about="the gradient of what is reversed",
        near={cut: RuntimeError})
    check(reverse_padded, x, torch.tensor([1, 4])).equals(torch.stack([x[0], x[1].flip(0)]), about="one step only",
        edge=True)
    apart = {}  # C = 2H below, so that layers fed the wrong states answer and do not raise
    for B, T, C, H, depth in ((3, 6, 4, 3, 1), (3, 6, 4, 3, 1), (4, 7, 4, 2, 2), (2, 5, 6, 3, 3)):
        lstm = nn.LSTM(C, H, depth, batch_first=True, bidirectional=True)
        x, lengths = draw(B, T, C), torch.tensor(check.rng.integers(1, T + 1, size=B))
        lengths[0], lengths[1] = T, 2

        def reader(layer, end, lstm=lstm, C=C, H=H):
            one = nn.LSTM(C if layer == 0 else 2 * H, H, batch_first=True)
            one.load_state_dict({
                n.removesuffix("_reverse").replace(f"_l{layer}", "_l0"): p for n, p in lstm.state_dict().items()
                if f"_l{layer}" in n and n.endswith("_reverse") == end})
            return lambda v: one(v)[0].detach()

        layers = [(reader(k, False), reader(k, True)) for k in range(depth)]
        with torch.no_grad():
            packed = packing.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            expected = packing.pad_packed_sequence(lstm(packed)[0], batch_first=True, total_length=T)[0]
        about = "one layer, as nn.LSTM" if depth == 1 else "several layers, as nn.LSTM"
        case = check(stacked_bidirectional, x, lengths, layers).equals(expected, about=about, rtol=1e-4, atol=1e-5,
            near=apart)
        if depth == 1 and case.passed:
            apart = {narrow: RuntimeError}

    def exact(value, about):
        """Judge by all sixteen digits of float64."""
        return {"test": lambda v: difference(v, value, 1e-10, 1e-12) is None, "says": "float64 in, float64 out",
            "about": about, "edge": True, "near": {"float64 was rounded to float32 on the way": lambda v: difference(
            v, value, 1e-4, 1e-5) is None}}

    def sums(scale, width):
        table = torch.tensor(check.rng.normal(size=(width, 2))) * scale
        return lambda v: (v @ table).cumsum(1)

    for B, T, depth, scale, about in ((3, 5, 2, 1, "large numbers, an empty sequence"),
            (70, 67, 1, 1, "a large batch"), (2, 3, 66, 0.4, "many layers"), (1, 1, 1, 1, "a single step")):
        x, lengths = 60 * torch.tensor(check.rng.normal(size=(B, T, 4))), torch.tensor(check.rng.integers(1, T + 1,
            size=B))
        lengths[-1] = 0 if B == 3 else 1
        layers = [(sums(scale, 4), sums(scale, 4)) for _ in range(depth)]
        check(stacked_bidirectional, x, lengths, layers).equals(run(x, lengths, layers), about=about, edge=True,
            rtol=1e-4, atol=1e-3)
    x, lengths = torch.tensor(check.rng.normal(size=(3, 4, 2))), torch.tensor([4, 1, 3])
    layers = [(sums(1, 2), sums(1, 2)), (sums(1, 4), sums(1, 4))]
    expected = run(x, lengths, layers)
    check(stacked_bidirectional, x, lengths, layers).holds(**exact(expected, "float64 through the layers"))
    leaf = x.clone().requires_grad_()
    smooth = nn.ModuleList([nn.ModuleList([nn.SiLU(), nn.Softplus()]) for _ in range(2)])  # functions
    golden = torch.autograd.grad(run(leaf, lengths, smooth).sum(), leaf)
    check(slopes, stacked_bidirectional, x, lengths, smooth).equals(list(golden),
        about="the gradient through the layers", rtol=1e-6, near={cut: RuntimeError})
    for L, B, T, C in ((70, 2, 3, 1), (2, 1, 1, 3), (3, 2, 4, 5), (2, 3, 5, 4), (4, 2, 3, 2), (3, 3, 3, 3)):
        h, w = torch.tensor(check.rng.normal(size=(L, B, T, C))), torch.tensor(check.rng.normal(size=L) * 1.5)
        g = float(check.rng.uniform(0.3, 3))
        e = np.exp(w.numpy())
        expected = g * np.tensordot(e / e.sum(), h.numpy(), axes=(0, 0))
        about = "mix: many layers, or one token" if B == 1 or L == 70 else "mix: random layers"
        check(elmo_mix, h, w, g).equals(expected, about=about, rtol=1e-4, edge=B == 1 or L == 70)
    check(elmo_mix, h, w, g).holds(**exact(expected, "mix: float64"))
    for gamma, large in ((0.01, 1), (-0.7, 1), (0.0, 1), (1.5, 90)):
        check(elmo_mix, large * h, w, gamma).equals(gamma * large / g * expected, about="mix: other scales", edge=True,
            rtol=1e-6)
    check(elmo_mix, h.float(), w.float(), torch.tensor(0.7)).equals(expected * 0.7 / g, about="mix: gamma as a tensor",
        rtol=1e-3, atol=1e-5)
    check(elmo_mix, h, w + 2000, g).equals(expected, about="mix: large weights", edge=True, rtol=1e-4, near={
        "an exponential overflowed: use torch.softmax": np.full(h.shape[1:], np.nan)})
    check(elmo_mix, h[:1], w[:1], g).equals(g * h[0], about="mix: one layer", edge=True, rtol=1e-4)
    leaves = [v.clone().requires_grad_() for v in (h, w)]
    golden = torch.autograd.grad(mix(leaves[0], leaves[1].softmax(0), g).sum(), leaves)
    for name, fixed, gamma, slope in (
            ("the weights", (0,), g, [golden[1]]), ("the layers", (1,), g, [golden[0]]),
            ("gamma", (0, 1), torch.tensor(g, dtype=h.dtype), [mix(h, w.softmax(0), 1.0).sum()])):
        check(slopes, elmo_mix, h, w, gamma, fixed=fixed).equals(slope, about=f"mix: the gradient of {name}", rtol=1e-4,
            near={f"the gradient is cut on its way to {name}: no detach, no item, no float": RuntimeError})
    ### END HIDDEN TESTS


score
