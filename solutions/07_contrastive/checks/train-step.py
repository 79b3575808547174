from helpers.checks import graded


@graded("train-step", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    import torch.nn.functional as F
    from helpers.chapters.contrastive import two_towers

    def nce(q, k, t, dropped=None):
        scores = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).T / t
        if dropped is not None:
            scores = scores.masked_fill(dropped, -torch.inf)
        return F.cross_entropy(scores, torch.arange(len(q)))

    def masked(q, k, groups, t):
        alike = groups[:, None] == groups[None]
        return nce(q, k, t, alike & ~torch.eye(len(q), dtype=torch.bool))

    def usual(q, k, more, groups, t):
        first = masked(q, k, groups, t)
        return (first + nce(q, torch.cat([k, more]), t)) / 2 if len(more) else first

    def made(loss=usual, *, zero=True, move=True, keep_hard=True, detached="", after=False, end=None,
             times=1):
        """A step that differs in one thing; loss: of (queries, passages, hard, groups, temperature)."""
        def value(encoder, queries, passages, hard, groups, t):
            q, k = encoder(queries), encoder(passages)
            more = encoder(hard) if len(hard) and keep_hard else q[:0]
            q, k, more = (v.detach() if name in detached else v for name, v in (("q", q), ("k", k), ("h", more)))
            return loss(q, k, more, groups, t)

        def step(encoder, optimizer, queries, passages, hard, groups, temperature=0.05):
            args = encoder, queries, passages, hard, groups, temperature
            for _ in range(times):
                if zero:
                    optimizer.zero_grad()
                found = value(*args)
                found.backward()
                if end:
                    end(optimizer)
                if move:
                    optimizer.step()
            return (value(*args) if after else found).item()

        return step

    def turned(optimizer):
        for part in optimizer.param_groups:
            for weights in part["params"]:
                weights.grad = -weights.grad

    def plain(optimizer):
        for part in optimizer.param_groups:
            torch.optim.SGD(part["params"], part["lr"]).step()

    def clipped(optimizer):
        torch.nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], 1.0)

    def mean_of_both(first, second):
        """A loss of two halves where there are hard ones, and of the first where not."""
        def loss(q, k, more, groups, t):
            one = first(q, k, more, groups, t)
            return (one + second(q, k, more, groups, t)) / 2 if len(more) else one

        return loss

    def by_groups(q, k, more, groups, t):
        return masked(q, k, groups, t)

    def with_hard(q, k, more, groups, t):
        return nce(q, torch.cat([k, more]), t)

    def total(q, k, more, groups, t):
        return by_groups(q, k, more, groups, t) + (with_hard(q, k, more, groups, t) if len(more) else 0.0)

    def both_ways(q, k, more, groups, t):
        return (usual(q, k, more, groups, t) + masked(k, q, groups, t)) / 2

    def one_table(q, k, more, groups, t):
        alike = (groups[:, None] == groups[None]) & ~torch.eye(len(q), dtype=torch.bool)
        return nce(q, torch.cat([k, more]), t, torch.cat([alike, alike.new_zeros(len(q), len(more))], 1))

    def only_hard(q, k, more, groups, t):
        return nce(q, torch.cat([more] * len(q))[: max(len(q), len(more))], t)

    def fixed(t):
        return lambda q, k, more, groups, _: usual(q, k, more, groups, t)

    known = {
        "old gradients were added to the new ones: begin with `optimizer.zero_grad()`": made(zero=False),
        "the weights did not move: clear the gradients, then `loss.backward()`, then `optimizer.step()`; is one "
        "missing, or out of order?": made(move=False),
        "a plain step of SGD was taken: let the optimizer that came move the weights": made(move=False, end=plain),
        "the step was taken twice": made(times=2),
        "this is the loss after the step: the one before it is asked": made(after=True),
        "the gradient was clipped, which nobody asked for": made(end=clipped),
        "the passages learned nothing: encode them with gradients": made(detached="k"),
        "the queries learned nothing: encode them with gradients": made(detached="q"),
        "the hard negatives learned nothing: encode them with gradients": made(detached="h"),
        "passages and hard negatives learned nothing: encode them with gradients": made(detached="kh"),
        "the hard negatives were left out": made(keep_hard=False),
        "the groups were ignored in the first loss": made(mean_of_both(
            lambda q, k, more, groups, t: nce(q, k, t), with_hard)),
        "the two losses were added: their mean is asked": made(total),
        "only the loss with the hard negatives came, not the mean of both": made(
            lambda q, k, more, groups, t: (with_hard if len(more) else by_groups)(q, k, more, groups, t)),
        "the groups belong to the first loss alone: here both leave out keys": made(mean_of_both(by_groups, one_table)),
        "one loss came, of all keys with the groups left out: the mean of two is asked": made(one_table),
        "the hard negatives stand before the passages: row i must stay right for query i": made(mean_of_both(
            by_groups, lambda q, k, more, groups, t: nce(q, torch.cat([more, k]), t))),
        "in the second loss the hard negatives are the only keys: the passages come first": made(mean_of_both(
            by_groups, only_hard)),
        "without hard negatives the passages were counted a second time: the first loss is the whole one": made(
            lambda q, k, more, groups, t: (by_groups(q, k, more, groups, t) + with_hard(q, k, more, groups, t)) / 2),
        "the loss is divided by two without hard negatives, too": made(
            lambda q, k, more, groups, t: total(q, k, more, groups, t) / 2),
        "the temperature was ignored": made(fixed(0.05)),
        "the temperature did not reach the first loss": made(mean_of_both(
            lambda q, k, more, groups, t: masked(q, k, groups, 0.05), with_hard)),
        "the temperature did not reach the loss with the hard negatives": made(mean_of_both(
            by_groups, lambda q, k, more, groups, t: with_hard(q, k, more, groups, 0.05))),
        "the loss climbs: a step goes against the gradient": made(end=turned),
        "both directions were averaged: only the queries choose here": made(both_ways),
        "queries and passages are exchanged: the queries choose among the passages": made(
            lambda q, k, more, groups, t: usual(k, q, more, groups, t)),
    }
    check.mistakes({words: lambda _, *args, f=f: two_towers.stepped(f, *args) for words, f in known.items()}, stepped)
    ### END MISTAKES
    pair, two = [[0], [1]], torch.tensor([0, 1])
    check(stepped, train_step, None, "SGD", 1.0, [(pair, pair, [[0]], two, 1.0)]).equals(
        {
            "losses": [0.509991], "words": [[1.0, -0.27928, 0.0], [-0.27928, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0,
            0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "matrix": [[1.0, -0.27928, 0.0], [-0.27928,
            1.0, 0.0], [0.0, 0.0, 1.0]]},
        about="by hand", rtol=1e-4, atol=1e-5)
    queries, passages, alike = [[0, 1], [2], [3, 4, 5]], [[6], [1, 7], [2, 8]], torch.tensor([0, 0, 1])
    check(stepped, train_step, 3, "SGD", 0.5, [(queries, passages, [[9], [4, 10]], alike, 0.5)], 0.25).equals(
        {
            "losses": [1.283121], "words": [[-0.26789, 0.17115, 0.68776], [-0.32141, -1.48241, -0.91493],
            [0.91592, 0.69363, 0.05343], [-0.74397, 1.58839, -0.38595], [0.60812, 1.1647, -0.1662], [0.61924,
            -0.45888, 1.02469], [-2.2146, -0.52836, -0.33104], [-0.53197, -0.62122, -2.09489], [-0.48135,
            0.93274, -0.37587], [-1.18743, 0.53454, 0.79125], [-0.91914, -1.083, 1.20908], [0.40049, -0.90733,
            0.61798]], "matrix": [[-0.12961, -1.3602, -1.25115], [0.90177, -0.2942, 0.69], [-0.86515, 1.09056,
            0.75692]]},
        about="three pairs, two of which say the same; a gradient lay there before", rtol=1e-4, atol=1e-5)
    steps = [(queries, passages, [[9]], alike, 0.5), (passages, queries, [], torch.tensor([4, 7, 4]))]
    nothing = {"an empty `hard` is not encoded: an encoder takes at least one text": ValueError}
    check(stepped, train_step, 4, "momentum", 0.05, [*steps, (queries, passages, [], alike, 0.5)]).equals(
        {
            "losses": [2.659528, 22.911247, 0.843449], "words": [[1.00871, -1.43262, 0.253], [1.42453, -2.12298,
            1.26701], [-0.34033, -1.3161, -0.46231], [0.56157, 0.40675, -1.78321], [1.39378, 0.13518,
            -0.23953], [1.51605, -0.53545, -1.47529], [0.11258, 1.04053, 1.22133], [0.50083, -0.39771,
            -1.84851], [2.20249, 1.35273, 1.22619], [0.88366, 2.5177, 1.72844], [0.75077, -0.40214, 1.23755],
            [-1.35247, -0.12308, 0.87473]], "matrix": [[-0.20623, 0.47306, -1.86533], [0.7379, 1.03209,
            -1.37598], [-0.24093, 0.39378, -1.15516]]},
        about="three steps, the last two without hard negatives", rtol=1e-4, atol=1e-5, near=nothing)
    is_tensor = {"the loss came as a tensor, which keeps its whole graph alive: `loss.item()` is a number":
        lambda found: isinstance(found["losses"][0], torch.Tensor)}
    check(stepped, train_step, 3, "SGD", 0.5, [(queries, passages, [[9]], alike)]).holds(
        lambda found: isinstance(found["losses"][0], float), "the loss is a Python number", edge=True, near=is_tensor)
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def oracle(seed, kind, rate, batches):
        """The weights moved by hand: texts as rows of word counts, the rules of the optimizers written out."""
        start = two_towers.SmallEncoder(seed)
        weights = [start.words.detach().clone(), start.matrix.detach().clone()]
        first, second, losses = [0.0, 0.0], [0.0, 0.0], []
        for number, (queries, passages, hard, groups, *t) in enumerate(batches, 1):
            leaves = [w.clone().requires_grad_() for w in weights]
            texts = torch.zeros(len(queries) + len(passages) + len(hard), two_towers.WORDS, dtype=torch.float64)
            for row, text in zip(texts, [*queries, *passages, *hard], strict=True):
                for word in text:
                    row[word] += 1 / len(text)
            q, keys = F.normalize(texts @ leaves[0] @ leaves[1], dim=-1).tensor_split([len(queries)])
            scores = (q @ keys.T / (t or [0.05])[0]).exp()  # (N, N + M)
            n = len(q)
            counted = (groups[:, None] != groups[None]) | torch.eye(n, dtype=torch.bool)
            loss = ((scores[:, :n] * counted).sum(1) / scores[:, :n].diagonal()).log().mean()
            if hard:
                loss = (loss + (scores.sum(1) / scores[:, :n].diagonal()).log().mean()) / 2
            losses.append(loss.item())
            for i, g in enumerate(torch.autograd.grad(loss, leaves)):
                if kind == "Adam":
                    first[i], second[i] = 0.9 * first[i] + 0.1 * g, 0.999 * second[i] + 0.001 * g * g
                    scale = (second[i] / (1 - 0.999**number)).sqrt() + 1e-8
                    weights[i] = weights[i] - rate * first[i] / (1 - 0.9**number) / scale
                else:
                    first[i] = (0.9 if kind == "momentum" else 0.0) * first[i] + g
                    weights[i] = weights[i] - rate * first[i]
        return {"losses": losses, "words": weights[0], "matrix": weights[1]}

    def texts(count):
        return [check.rng.integers(0, 12, size=check.rng.integers(1, 5)).tolist() for _ in range(count)]

    def batch(n, m, kinds, *t):
        return texts(n), texts(n), texts(m), torch.tensor(check.rng.integers(0, kinds, size=n)), *t

    fresh, empty, single = "fresh texts", "no hard negatives", "a single pair, or a single hard negative"
    for kind, rate, sizes, t, about in (
        ("SGD", 0.4, [(4, 3, 3)], 0.5, fresh), ("SGD", 0.005, [(5, 2, 2)], 0.02, fresh),
        ("SGD", 0.3, [(4, 2, 3), (3, 4, 2)], 0.4, "two steps"), ("SGD", 0.3, [(4, 3, 2), (4, 3, 2)], 0.8, "two steps"),
        ("momentum", 0.1, [(4, 2, 3), (3, 1, 9), (4, 3, 2)], 0.6, "three steps with momentum"),
        ("Adam", 0.02, [(5, 3, 3), (4, 2, 2)], 0.5, "two steps of Adam"), ("SGD", 0.3, [(4, 0, 3)], 0.5, empty),
        ("SGD", 0.3, [(3, 0, 2), (3, 0, 9)], 0.5, empty), ("SGD", 0.3, [(1, 2, 1)], 0.5, single),
        ("SGD", 0.3, [(3, 1, 2)], 0.5, single), ("SGD", 0.2, [(30, 60, 8)], 0.5, "many texts"),
    ):
        seed, batches = int(check.rng.integers(1000)), [batch(*size, t) for size in sizes]
        check(stepped, train_step, seed, kind, rate, batches).equals(oracle(seed, kind, rate, batches), about=about,
            rtol=1e-6, atol=1e-9, edge=about in (empty, single, "many texts"), near=nothing if about == empty else None)
    for stale in (0.5, -2.0):
        seed, batches = int(check.rng.integers(1000)), [batch(4, 2, 3, 0.5)]
        check(stepped, train_step, seed, "SGD", 0.3, batches, stale).equals(oracle(seed, "SGD", 0.3, batches),
            about="a gradient lay there before", rtol=1e-6, atol=1e-9)
    batches = []
    for _ in range(2):
        words = [[word] for word in check.rng.permutation(12).tolist()]
        batches.append((words[:4], words[4:8], words[8:10], torch.tensor([0, 1, 2, 1]), 0.5))
    check(stepped, train_step, 7, "SGD", 0.3, batches).equals(oracle(7, "SGD", 0.3, batches),
        about="two batches of one shape", rtol=1e-6, atol=1e-9)
    batches = [batch(4, 2, 3)]
    check(stepped, train_step, 5, "SGD", 0.01, batches).equals(oracle(5, "SGD", 0.01, batches), rtol=1e-6, atol=1e-9,
        about="the usual temperature", edge=True)
    check(stepped, train_step, 6, "SGD", 0.3, [batch(3, 2, 2, 0.5)]).holds(
        lambda found: isinstance(found["losses"][0], float), "the loss is a Python number", edge=True, near=is_tensor)
    ### END HIDDEN TESTS


score
