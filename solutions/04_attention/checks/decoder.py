from helpers.checks import graded


@graded("decoder", points=6)
def score(check):
    import torch
    from torch import nn

    times = "0 times minus infinity is NaN: fill the hidden positions, do not multiply"

    def weights_of(*args):
        """What the third result is, the simplest to do by hand: scores (1, 0) for the first row of the batch."""
        return decoder_step(*args)[2]

    ### BEGIN MISTAKES
    from functools import partial

    mean = "the context is the plain mean of the memory: where are the weights?"
    small = "the score of padding is not low enough, and some weight leaks to it: minus infinity"

    def step(
        x, h, M, p, W, cell, out, *, masked=None, c_of=None, w_of=None, ask=None, cat=None, last=None, give=None,
        forget=False,
    ):
        """The right step, with one part exchanged for a mistake's."""
        s = torch.einsum("bh,hm,btm->bt", ask(x, h, M, cell) if ask else h, W, M)
        w = w_of(s, p) if w_of else torch.softmax((masked or hide)(s, p), -1)
        c = c_of(w, M) if c_of else torch.einsum("bt,btm->bm", w, M)
        new = cell(torch.cat([c, x] if cat else [x, c], -1), 0 * h if forget else h)
        logits = out(last(h, new, c) if last else torch.cat([new, c], -1))
        return give(logits, h, new, w, s, p) if give else (logits, new, w)

    def fill(low, s, p):
        return s.masked_fill(~p, low)

    hide = partial(fill, -torch.inf)

    def ahead(x, h, M, cell):
        """The state after a step without looking."""
        return cell(torch.cat([x, torch.zeros_like(M[:, 0])], -1), h)

    def stepped(x, h, M, p, W, cell, out):
        """The cell steps first, without a context, and its new state asks."""
        new = ahead(x, h, M, cell)
        logits, _, w = step(x, new, M, p, W, cell, out, last=lambda h, _, c: torch.cat([h, c], -1))
        return logits, new, w

    def again(x, h, M, p, W, cell, out):
        """The output gets a second context, for which the new state asked."""
        _, new, w = step(x, h, M, p, W, cell, out)
        return step(x, new, M, p, W, cell, out, last=lambda h, _, c: torch.cat([h, c], -1))[0], new, w

    def made(**parts):
        return lambda *args: step(*args, **parts)

    def divided(weigh, least=0.0):
        """Weights of all places, padding set to 0 afterwards, and what is left divided by its sum."""
        return lambda s, p: (w := weigh(s) * p) / (w.sum(-1, keepdim=True) + least)

    late = "the mask came after the softmax, and what was left was divided by its sum: mask the scores"
    known = {
        late: made(w_of=divided(lambda s: torch.softmax(s, -1))),
        f"{late} (with a small number added)": made(w_of=divided(lambda s: torch.softmax(s, -1), 1e-9)),
        "exp overflows here: subtract the largest score of each row first": made(w_of=divided(torch.exp)),
        times: made(masked=lambda s, p: s + ~p * -torch.inf),
        "padding is attended to: its scores must be minus infinity before the softmax": made(masked=lambda s, p: s),
        "the mask is inverted: `present` is True where a character is":
            made(masked=lambda s, p: s.masked_fill(p, -torch.inf)),
        "the mask came after the softmax: the weights that are left no longer add up to 1":
            made(w_of=lambda s, p: torch.softmax(s, -1) * p),
        "the padding's score was set to 0, and e to the 0 is 1: set it to minus infinity":
            made(masked=lambda s, p: s * p),
        mean: made(c_of=lambda w, M: M.mean(1)),
        f"{mean} (padding left out)": made(w_of=lambda s, p: p / p.sum(-1, keepdim=True)),
        "the context is the memory's last state": made(c_of=lambda w, M: M[:, -1]),
        "the context is the state with the largest weight; it is the sum of all, each times its weight":
            made(c_of=lambda w, M: M[torch.arange(len(M)), w.argmax(-1)]),
        "the output saw the embedding; it takes [h'; c]":
            lambda x, *more: step(x, *more, last=lambda h, new, c: torch.cat([x, c], -1)),
        "the new state asked: the decoder looks before it steps, with the old one": made(ask=ahead),
        "the new state asked, and the cell saw no context: the decoder looks before it steps": stepped,
        "the output got a second context, for which the new state asked: it takes the same c as the cell": again,
        "the cell was called without the old state: cell(x, h)": made(forget=True),
        **{f"{small} (not {low:g}, say)": made(masked=partial(fill, low)) for low in (-1.0, -10.0, -100.0)},
        "W was left out: the score is q W k":
            lambda x, h, M, p, W, *more: step(x, h, M, p, torch.eye(len(W)), *more),
        "W is transposed: q meets its rows and k its columns":
            lambda x, h, M, p, W, *more: step(x, h, M, p, W.T, *more),
        "the context came before the embedding; the cell takes [e; c]": made(cat=True),
        "the context came before the state; the output takes [h'; c]":
            made(last=lambda h, new, c: torch.cat([c, new], -1)),
        "the output saw the old state; it takes [h'; c]": made(last=lambda h, new, c: torch.cat([h, c], -1)),
        "the old state came back; return the new one": made(give=lambda y, h, new, w, s, p: (y, h, w)),
        "the scores are scaled here; the text asks for q W k as it is":
            lambda x, h, M, p, W, *more: step(x, h, M, p, W / M.shape[-1] ** 0.5, *more),
        "the scores are divided by the root of the state's size; the text asks for q W k as it is":
            lambda x, h, M, p, W, *more: step(x, h, M, p, W / h.shape[-1] ** 0.5, *more),
        "the softmax runs over the batch: it belongs to the characters, the last axis of (B, T)":
            made(w_of=lambda s, p: torch.softmax(hide(s, p), 0)),
        "the scores came back in place of the weights": made(give=lambda y, h, new, w, s, p: (y, new, s)),
        "the masked scores came back in place of the weights":
            made(give=lambda y, h, new, w, s, p: (y, new, hide(s, p))),
        "these are the right three things in another order: logits, state, weights":
            made(give=lambda y, h, new, w, s, p: (new, y, w)),
        "the right three things in another order: logits, state, weights":
            made(give=lambda y, h, new, w, s, p: (y, w, new)),
        "probabilities came back in place of the logits: no softmax at the end":
            made(give=lambda y, h, new, w, s, p: (torch.softmax(y, -1), new, w)),
        "the context is the sum of the memory, padding included, without weights": made(c_of=lambda w, M: M.sum(1)),
        "the padding's memory was set to 0, but it still takes weight: mask the scores":
            lambda x, h, M, p, *more: step(x, h, M * p[..., None], torch.ones_like(p), *more),
        "padding takes weight and is only left out of the context: mask the scores":
            lambda x, h, M, p, *more: step(x, h, M, p, *more, masked=lambda s, p: s,
                c_of=lambda w, M: torch.einsum("bt,btm->bm", w * p, M)),
        "the weights went to the one best character; all share":
            made(w_of=lambda s, p: (hide(s, p) == hide(s, p).amax(-1, keepdim=True)).float()),
        "the context comes from a query that the cell's new state gave; the old state asks":
            made(ask=lambda x, h, M, cell: cell(torch.cat([x, M.mean(1)], -1), h)),
    }
    check.mistakes(known, decoder_step)

    def third(mistake):
        return lambda *args: mistake(*args)[2]

    check.mistakes({words: third(mistake) for words, mistake in known.items() if words != times}, weights_of)
    ### END MISTAKES

    def tools(e, h, m, classes, seed):
        """A cell and an output with weights that follow from the seed."""
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return nn.GRUCell(e + m, h).requires_grad_(False), nn.Linear(h + m, classes).requires_grad_(False)

    loose = {"rtol": 1e-3, "atol": 2e-4}
    memory = torch.tensor([[[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], [[0.5, 0.5, 0.0], [9.0, 9.0, 9.0]]])
    hidden, W = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    present, embedded = torch.tensor([[True, True], [True, False]]), torch.tensor([[0.5], [-0.5]])

    case = (embedded, hidden, memory, present, W, *tools(1, 2, 3, 4, seed=1))
    check(weights_of, *case).equals([[0.7311, 0.2689], [1.0, 0.0]], **loose, near={times: [[torch.nan] * 2] * 2})

    low = torch.tensor([[[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], [[0.5, -200.0, 0.0], [9.0, 9.0, 9.0]]])
    check(weights_of, *case[:2], low, *case[3:]).equals(
        [[0.7311, 0.2689], [1.0, 0.0]], about="a score of -200", **loose,
        near={"padding with a score of -100, say, can win: it is minus infinity": [[0.7311, 0.2689], [0.0, 1.0]]},
    )

    def fixed(*modules):
        """Modules with weights that are fixed numbers, none of them special."""
        for module in modules:
            for i, (_, v) in enumerate(module.named_parameters()):
                v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.3 + i)).reshape(v.shape)
        return [module.requires_grad_(False) for module in modules]

    check(decoder_step, *case[:5], *fixed(nn.GRUCell(4, 2), nn.Linear(5, 2))).equals(
        ([[0.6987, -0.9547], [0.264, -1.6467]], [[0.1925, 0.4875], [-0.115, 0.8044]], [[0.7311, 0.2689], [1.0, 0.0]]),
        about="all three results", **loose
    )
    ### BEGIN HIDDEN TESTS
    from helpers.checks import gradients

    check.hidden()

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)
    judged = []
    for seed, (B, T, e, h, m, classes) in enumerate([(3, 5, 2, 4, 6, 7), (2, 3, 4, 4, 4, 5), (4, 6, 5, 3, 5, 2)]):
        lengths = torch.tensor(check.rng.integers(1, T, size=B))
        lengths[0] = T
        case = (draw(B, e), draw(B, h), draw(B, T, m), torch.arange(T) < lengths[:, None], draw(h, m))
        more = tools(e, h, m, classes, seed)
        judged.append(
            check(decoder_step, *case, *more).equals(
                step(*case, *more), about="a batch with padding", rtol=1e-4, atol=1e-5
            )
        )
        whole = (*case[:3], torch.ones(B, T, dtype=torch.bool), case[4])
        check(decoder_step, *whole, *more).equals(step(*whole, *more), about="no padding", rtol=1e-4, atol=1e-5)
    first = list(case)
    first[3] = torch.arange(T) >= T - lengths[:, None]  # padding in front
    check(decoder_step, *first, *more).equals(step(*first, *more), about="padding in front", rtol=1e-4, atol=1e-5)
    x, asks, M, p, W = case
    loud = torch.where(p[..., None], M, 3 * (asks @ W)[:, None])  # what stands in the padding would win
    for memory in (M, loud):
        large = x, asks, memory, p, 300 * W, *more
        check(decoder_step, *large).equals(step(*large), about="large scores", rtol=1e-3, atol=1e-4)
    squeezed = "an axis of size 1 was squeezed away: squeeze(1) takes that axis only, squeeze() takes all of size 1"
    all_passed = all(case.passed for case in judged)
    near = {squeezed: Exception} if all_passed else {}  # it works where no axis is 1
    one = (draw(1, e), draw(1, h), draw(1, 1, m), torch.ones(1, 1, dtype=torch.bool), draw(h, m), *more)
    check(decoder_step, *one).equals(
        step(*one), about="one row, one character", edge=True, near=near, rtol=1e-4, atol=1e-5
    )
    for B, T, e, h, m, classes in [(3, 1, 1, 1, 1, 1), (1, 4, 1, 2, 1, 3), (1, 3, 2, 1, 4, 1)]:
        narrow = draw(B, e), draw(B, h), draw(B, T, m), torch.ones(B, T, dtype=torch.bool), draw(h, m)
        narrow = *narrow, *tools(e, h, m, classes, 5)
        check(decoder_step, *narrow).equals(
            step(*narrow), about="axes of size 1", edge=True, near=near, rtol=1e-4, atol=1e-5
        )
    B, T, e, h, m = 70, 66, 3, 68, 5
    wide = 60 * draw(B, e), 60 * draw(B, h), 60 * draw(B, T, m), draw(B, T) > -1, draw(h, m) / 2e4
    wide[3][:, 0] = True
    modules = [nn.GRUCell(e + m, h), nn.Linear(h + m, 4)]
    for module in modules:
        for weight in module.requires_grad_(False).parameters():
            weight.copy_(draw(*weight.shape) / 300)
    check(decoder_step, *wide, *modules).equals(
        step(*wide, *modules), about="many rows, large numbers", rtol=1e-3, atol=1e-3
    )
    x, asks, M, p = draw(3, 2), torch.tensor([-400.0, -400, 1]).repeat(3, 1), draw(3, 4, 3), case[3][:3, :4].clone()
    M[..., :2], M[..., 2] = 64.0, torch.tensor(check.rng.integers(0, 4, size=(3, 4)))  # scores of -51,200 to -51,197
    p[1] = torch.tensor([True, True, False, False])
    low = x, asks, M, p, torch.eye(3), *tools(2, 3, 3, 5, 7)
    check(decoder_step, *low).equals(step(*low), about="scores far below zero", rtol=1e-3, atol=1e-3)
    stops = "the gradient stops at"
    trained(decoder_step, step, *case, *more, near={
        f"{stops} the weights that come back: no detach": made(give=lambda y, h, new, w, s, p: (y, new, w.detach())),
        f"{stops} the state that comes back: no detach": made(give=lambda y, h, new, w, s, p: (y, new.detach(), w)),
        f"{stops} the logits: no detach": made(give=lambda y, h, new, w, s, p: (y.detach(), new, w)),
        f"{stops} the context: no detach": made(c_of=lambda w, M: torch.einsum("bt,btm->bm", w, M).detach()),
        f"{stops} the weights on their way to the context: no detach": made(
            c_of=lambda w, M: torch.einsum("bt,btm->bm", w.detach(), M)
        ),
        f"{stops} the state that asks: no detach": made(ask=lambda x, h, M, cell: h.detach()),
        f"{stops} the new state on its way to the output: no detach": made(
            last=lambda h, new, c: torch.cat([new.detach(), c], -1)
        ),
    })
    ### END HIDDEN TESTS


score
