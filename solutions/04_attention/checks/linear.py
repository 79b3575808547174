from helpers.checks import graded


@graded("linear", points=4)
def score(check):
    import torch

    ### BEGIN MISTAKES
    strict = "off by one: a token sees itself, too"
    no_map = "the feature map is missing"
    map_q = "the feature map was applied to the queries only"
    map_k = "the feature map was applied to the keys only"
    map_v = "the feature map was applied to the values, too"
    softmax = "this is softmax attention; here the products of the feature maps are the weights"
    undivided = "the sum was not divided by the sum of the weights"
    raw_below = "the feature map is missing at the query below the line"
    raw_above = "the feature map is missing at the query above the line"

    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(x))

    def same(x):
        return x

    def made(seen=torch.tril, on_q=phi, on_k=phi, on_v=same, divide=True):
        """The form for a whole sequence, with one part exchanged for a mistake's."""

        def function(q, k, v):
            w = seen(torch.einsum("...id,...jd->...ij", on_q(q), on_k(k)))
            total = w.sum(-1, keepdim=True) if divide is True else divide(w)
            return (w @ on_v(v)) / total

        return function

    def soft(w):
        return torch.softmax(w.masked_fill(~torch.ones_like(w).tril().bool(), -torch.inf), -1)

    check.mistakes({
        "a token sees those after it: the sums run to j <= i only": made(seen=same),
        strict: made(seen=lambda w: w.tril(-1)),
        f"{strict}, and the first sees nothing":
            made(seen=lambda w: w.tril(-1), divide=lambda w: w.sum(-1, keepdim=True).clamp(min=1e-9)),
        "the mask is reversed: a token sees those after it, not those before": made(seen=torch.triu),
        "the feature map was applied to the products; it is applied to queries and keys":
            made(seen=lambda w: phi(w).tril(), on_q=same, on_k=same),
        "this is relu; the feature map is elu(x) + 1": made(on_q=torch.relu, on_k=torch.relu),
        "divided by the sum over the queries; it runs over the keys, dim=-1":
            made(seen=lambda w: w.tril() / w.tril().sum(-2, keepdim=True), divide=lambda w: 1),
        no_map: made(on_q=same, on_k=same),
        map_q: made(on_k=same),
        map_k: made(on_q=same),
        map_v: made(on_v=phi),
        softmax: made(seen=soft, on_q=same, on_k=same),
        "softmax was taken of the products; they are the weights, divided by their sum": made(seen=soft),
        f"{softmax} (with scaled scores)": made(seen=soft, on_q=lambda q: q / q.shape[-1] ** 0.5, on_k=same),
        undivided: made(divide=lambda w: 1),
        "divided by the number of keys, not by the sum of the weights":
            made(divide=lambda w: torch.arange(1.0, w.shape[-1] + 1)[:, None]),
        "this is the plain mean of the values so far: where are the weights?":
            lambda q, k, v: v.cumsum(-2) / torch.arange(1, v.shape[-2] + 1)[:, None],
        "the products were divided by the root of d before the feature map; nothing is scaled":
            made(on_q=lambda q: phi(q / q.shape[-1] ** 0.5)),
        "elu was taken without the + 1": made(on_q=lambda x: phi(x) - 1, on_k=lambda x: phi(x) - 1),
        "divided by the number of all keys, not by the sum of the weights": made(divide=lambda w: w.shape[-1]),
        "the query is missing below the line: divide by phi(q) times z":
            lambda q, k, v: made(divide=lambda w: 1)(q, k, v) / phi(k).cumsum(-2).sum(-1, keepdim=True),
        raw_below: lambda q, k, v: made(divide=lambda w: 1)(q, k, v) / (q @ phi(k).mT).tril().sum(-1, keepdim=True),
        raw_above: lambda q, k, v: (q @ phi(k).mT).tril() @ v / (phi(q) @ phi(k).mT).tril().sum(-1, keepdim=True),
        "the denominator sums over all keys, those after the token too":
            lambda q, k, v: made(divide=lambda w: 1)(q, k, v) / (phi(q) @ phi(k).mT).sum(-1, keepdim=True),
    } | {
        f"a small number, {eps:g}, was added to the denominator":
            made(divide=lambda w, eps=eps: w.sum(-1, keepdim=True) + eps)
        for eps in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
    }, linear_attention)

    def step(on_q=phi, on_k=phi, ask=None, back=None, on_v=same, on_z=None, below=torch.dot):
        def function(S, z, q, k, v):
            S_new, z_new = S + torch.outer(on_k(k), on_v(v)), z + (on_z or on_k)(k)
            A, b = ask(S, z, S_new, z_new) if ask else (S_new, z_new)
            out = on_q(q) @ A / below(on_q(q), b)
            return back(S, z, S_new, z_new, out) if back else (S_new, z_new, out)

        return function

    check.mistakes({
        "asked before the token was taken in: take it in first": step(ask=lambda S, z, S_new, z_new: (S, z)),
        "asked before the token was taken in, and a small number is added below the line: take it in first":
            step(ask=lambda S, z, S_new, z_new: (S, z), below=lambda q, z: q @ z + 1e-9),
        "the denominator is that before the token: take it into z, too, first":
            step(ask=lambda S, z, S_new, z_new: (S_new, z)),
        "the numerator is that before the token: take it into S, too, first":
            step(ask=lambda S, z, S_new, z_new: (S, z_new)),
        "z counts the tokens here; it adds up phi(k)": step(on_z=torch.ones_like),
        "S takes phi(k), not phi(q)":
            lambda S, z, q, k, v: (S + torch.outer(phi(q), v), z + phi(k),
                phi(q) @ (S + torch.outer(phi(q), v)) / (phi(q) @ (z + phi(k)))),
        raw_below:
            lambda S, z, q, k, v: (S + torch.outer(phi(k), v), z + phi(k),
                phi(q) @ (S + torch.outer(phi(k), v)) / (q @ (z + phi(k)))),
        raw_above:
            lambda S, z, q, k, v: (S + torch.outer(phi(k), v), z + phi(k),
                q @ (S + torch.outer(phi(k), v)) / (phi(q) @ (z + phi(k)))),
        no_map: step(on_q=same, on_k=same),
        map_q: step(on_k=same),
        map_k: step(on_q=same),
        map_v: step(on_v=phi),
        "S and z came back as they were given": step(back=lambda S, z, S_new, z_new, out: (S, z, out)),
        "z takes phi(k), not the key itself": step(on_z=same),
        "S takes phi(k), not the key itself": step(on_k=same, on_z=phi),
        "divided by the sum of z; it is the product of phi(q) and z": step(below=lambda q, z: z.sum()),
        "z came back as it was given": step(back=lambda S, z, S_new, z_new, out: (S_new, z, out)),
        undivided:
            lambda S, z, q, k, v: (S + torch.outer(phi(k), v), z + phi(k), phi(q) @ (S + torch.outer(phi(k), v))),
        "S is transposed: (d, d_v), the features of the key in rows":
            lambda S, z, q, k, v: (S + torch.outer(v, phi(k)), z + phi(k),
                (S + torch.outer(v, phi(k))) @ phi(q) / (phi(q) @ (z + phi(k)))),
        "the old S and z are missing: add the token to them": lambda S, z, q, k, v: step()(0 * S, 0 * z, q, k, v),
        "only the output came back: return S and z, too": step(back=lambda S, z, S_new, z_new, out: out),
        "the output came first; the order is S, z, output":
            step(back=lambda S, z, S_new, z_new, out: (out, S_new, z_new)),
    } | {
        f"a small number, {eps:g}, was added to the denominator": step(below=lambda q, z, eps=eps: q @ z + eps)
        for eps in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
    }, linear_step)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    axis = "the summed axis is lost, so that the wrong numbers were divided: use keepdim=True"
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    zero, values = torch.zeros(2, 1), torch.tensor([[2.0], [4.0]])
    check(linear_attention, zero, zero, values).equals([[2.0], [3.0]], **loose, near={axis: [[2.0, 1.0], [6.0, 3.0]]})
    q, k = torch.tensor([[1.0, -1.0], [1.0, 0.5]]), torch.tensor([[1.0, -1.0], [2.0, 1.0]])
    usual = check(linear_attention, q, k, values).equals(
        [[2.0], [3.3282]], **loose, near={axis: [[2.0, 0.6103], [10.9069, 3.3282]]}
    )
    batch = torch.zeros(2, 2, 1), torch.zeros(2, 2, 1), torch.tensor([[[2.0], [4.0]], [[6.0], [0.0]]])
    check(linear_attention, *batch).equals(
        [[[2.0], [3.0]], [[6.0], [3.0]]], about="a batch of two", **loose,
        near={"the sums run along the first axis, the batch: they run over the tokens":
              [[[2.0], [4.0]], [[4.0], [2.0]]]},
    )
    clamped = "the sum below the line was clamped: it may be small"
    fine = {"rtol": 2e-3, "atol": 1e-9, "dtype": "float32"}
    low = torch.tensor([[-9.0]])
    check(linear_attention, low, low, torch.tensor([[5.0]])).equals(
        [[5.0]], about="a sum of 0.00000002", **fine, near={clamped: [[0.0762]]}
    )
    flow = {"about": "gradients of the squares", **loose}
    check(slopes, linear_attention, q, k, values).equals(
        [[[0.0, 0.0], [-0.6299, 0.8398]], [[-2.6096, -0.7200], [1.3198, 0.9899]], [[8.4716], [8.8414]]],
        near=cut(usual), **flow
    )
    S, z = torch.tensor([[2.0, 0.0], [1.0, 3.0]]), torch.tensor([1.0, 1.0])
    token = S, z, torch.tensor([1.0, 0.0]), torch.tensor([2.0, 0.0]), torch.tensor([4.0, 1.0])
    of_one = check(linear_step, *token).equals(([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [3.3, 1.0]), **loose)
    first = torch.zeros(1, 1), torch.zeros(1), low[0], low[0], torch.tensor([5.0])
    check(linear_step, *first).equals(
        ([[6.1705e-4]], [1.2341e-4], [5.0]), about="the first token, all small", **fine,
        near={clamped: ([[6.1705e-4]], [1.2341e-4], [0.0762])},
    )
    by_S, by_z = [[31.9600, 7.2000], [11.9800, 8.6000]], [1.7320, 0.8660]
    check(slopes, linear_step, *token).equals(
        [by_S, by_z, [0.9840, -1.9680], [136.7720, 57.3860], [107.8600, 30.2000]], near=cut(of_one), **flow
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from helpers.checks import gradients

    check.hidden()
    lost = "the dtype changed: float64 goes in and must come out"

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)

    def recurrent(q, k, v):
        """The other form, in 64 bits."""
        q, k, v = (t.double() for t in (q, k, v))
        S = torch.cumsum(phi(k).unsqueeze(-1) * v.unsqueeze(-2), -3)
        z = torch.cumsum(phi(k), -2)
        return (phi(q).unsqueeze(-2) @ S).squeeze(-2) / (phi(q) * z).sum(-1, keepdim=True)

    close = {"rtol": 1e-4, "atol": 1e-5}
    axes, fine = {"with leading axes it fails: work on the last two axes, and exchange only these": RuntimeError}, False
    for lead in [(), (), (3,), (2, 3)]:
        case = 2 * draw(*lead, 6, 4), 2 * draw(*lead, 6, 4), draw(*lead, 6, 3)
        about = "a sequence, with leading axes" if lead else "a sequence"
        near = axes if lead and fine else {}
        fine = check(linear_attention, *case).equals(recurrent(*case), about=about, near=near, **close).passed or fine
    one = draw(1, 4), draw(1, 4), draw(1, 3)
    check(linear_attention, *one).equals(one[2], about="a sequence of one token", edge=True, **close)
    for d, e in [(4, 3), (3, 5), (4, 4)]:
        S, z = draw(d, e), phi(draw(d))
        q, k, v = 2 * draw(d), 2 * draw(d), draw(e)
        wanted_S, wanted_z = torch.einsum("d,e->de", phi(k), v) + S, phi(k) + z
        wanted = wanted_S, wanted_z, torch.einsum("d,de->e", phi(q), wanted_S) / (phi(q) * wanted_z).sum()
        check(linear_step, S, z, q, k, v).equals(wanted, about="one step", **close)

    def run(q, k, v):
        """The student's steps, one token after the other."""
        S, z, outputs = torch.zeros(q.shape[1], v.shape[1]), torch.zeros(q.shape[1]), []
        for i in range(len(q)):
            S, z, out = linear_step(S, z, q[i], k[i], v[i])
            outputs.append(torch.as_tensor(out))
        return torch.stack(outputs)

    case = 2 * draw(7, 4), 2 * draw(7, 4), draw(7, 3)
    check(run, *case).equals(recurrent(*case), about="both forms agree", **close)
    for shape in [(1, 1, 1), (1, 3, 1), (1, 2), (2, 1, 3)]:
        case = draw(*shape), draw(*shape), draw(*shape[:-1], 1)
        check(linear_attention, *case).equals(recurrent(*case), about="axes of size 1", edge=True, **close)
    case = 40 * draw(80, 2, 70, 3).abs(), 40 * draw(80, 2, 70, 3).abs(), 40 * draw(80, 2, 70, 2)
    check(linear_attention, *case).equals(recurrent(*case), about="many tokens, large numbers", rtol=1e-3, atol=1e-2)
    added = {f"a small number ({e:g}, say) was added to the denominator": e for e in (1e-4, 1e-5, 1e-6, 1e-7)}
    case = draw(6, 4) - 6, draw(6, 4) - 6, draw(6, 3)
    near = {words: made(divide=lambda w: w.sum(-1, keepdim=True) + e)(*case) for words, e in added.items()}
    check(linear_attention, *case).equals(recurrent(*case), about="small weights", near=near, rtol=1e-3, atol=1e-4)

    def one_step(S, z, q, k, v):
        """One step by sums over entries."""
        S, z = S + phi(k)[:, None] * v, z + phi(k)
        return S, z, (phi(q)[:, None] * S).sum(0) / (phi(q) * z).sum()

    for d, e in [(1, 1), (1, 3), (2, 1)]:
        case = draw(d, e), phi(draw(d)), draw(d), draw(d), draw(e)
        check(linear_step, *case).equals(one_step(*case), about="one step, axes of size 1", edge=True, **close)
    case = 90 * draw(70, 68), 40 + phi(draw(70)), 40 * draw(70).abs(), 40 * draw(70).abs(), 40 * draw(68)
    check(linear_step, *case).equals(one_step(*case), about="one step, many large numbers", rtol=1e-3, atol=1e-2)
    case = 0.01 * draw(4, 3), phi(draw(4) - 6), draw(4) - 6, draw(4) - 6, draw(3)
    near = {words: step(below=lambda q, z: q @ z + e)(*case) for words, e in added.items()}
    check(linear_step, *case).equals(one_step(*case), about="one step, small weights", near=near, rtol=1e-3, atol=1e-6)

    def back(*kept):
        """One step of which only some results come back with their gradient."""
        return lambda *a: [part if i in kept else part.detach() for i, part in enumerate(one_step(*a))]

    def below(S, z, q, k, v):
        S, z, _ = one_step(S, z, q, k, v)
        return S, z, phi(q) @ S / (phi(q) @ z).detach()

    stops = "the gradient stops at"
    trained(linear_attention, made(), draw(2, 5, 4), draw(2, 5, 4), draw(2, 5, 3), near={
        f"{stops} the sum below the line: no detach": made(divide=lambda w: w.sum(-1, keepdim=True).detach())})
    trained(
        linear_step, one_step, draw(4, 3), phi(draw(4)), draw(4), draw(4), draw(3), about="one step, gradients", near={
            f"{stops} the S that comes back: no detach": back(1, 2),
            f"{stops} the z that comes back: no detach": back(0, 2),
            f"{stops} the S and the z that come back: no detach": back(2),
            f"{stops} what is below the line: no detach": below})
    step_case = [t.double() / 3 for t in (draw(4, 3), phi(draw(4)), draw(4), draw(4), draw(3))]
    whole = [t.double() / 3 for t in (draw(2, 5, 4), draw(2, 5, 4), draw(2, 5, 3))]
    check(linear_step, *step_case).equals(one_step(*step_case), about="64 bits", edge=True, rtol=1e-9, atol=1e-9)
    check(linear_attention, *whole).equals(recurrent(*whole), about="64 bits", edge=True, rtol=1e-9, atol=1e-9)
    for function, case in [(linear_step, step_case), (linear_attention, whole)]:
        check(function, *case).holds(
            lambda found: all(str(t.dtype) == "torch.float64" for t in found), "float64 in all that comes back",
            about="the dtype is kept", edge=True,
            near={lost: lambda found: any(str(t.dtype) != "torch.float64" for t in found)},
        )
    ### END HIDDEN TESTS


score
