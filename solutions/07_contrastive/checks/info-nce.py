from helpers.checks import graded


@graded("info-nce", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    import numpy as np
    import torch.nn.functional as F

    def made(norm=True, tau=lambda s, t: s / t, scored=lambda s, n: F.cross_entropy(s, torch.arange(n)), only=False):
        def loss(q, k, temperature=0.05):
            k = k[: len(q)] if only else k
            a, b = (F.normalize(q, dim=-1), F.normalize(k, dim=-1)) if norm else (q, k)
            return scored(tau(a @ b.T, temperature), len(q))

        return loss

    def without_positive(s, n):
        at = torch.arange(n)
        hidden = s.clone()
        hidden[at, at] = -torch.inf
        return (hidden.logsumexp(-1) - s[at, at]).mean()

    def one_each(s, n):
        key, asks = torch.arange(s.shape[1])[None], torch.arange(n)[:, None]
        return F.cross_entropy(s.masked_fill((key >= n) & (key % n != asks), -torch.inf), asks[:, 0])

    def with_queries(q, k, temperature=0.05):
        a, b, own = F.normalize(q, dim=-1), F.normalize(k, dim=-1), torch.eye(len(q), dtype=torch.bool)
        s = torch.cat([a @ b.T, (a @ a.T).masked_fill(own, -torch.inf)], 1)
        return F.cross_entropy(s / temperature, torch.arange(len(q)))

    check.mistakes({
        "the vectors were not brought to length 1": made(norm=False),
        "similarities are divided by the temperature, not multiplied by it": made(tau=lambda s, t: s * t),
        "the temperature is missing": made(tau=lambda s, t: s),
        "neither normalised nor divided by the temperature": made(norm=False, tau=lambda s, t: s),
        "the mean over the queries is asked, not the sum":
            made(scored=lambda s, n: F.cross_entropy(s, torch.arange(n), reduction="sum")),
        "softmax over the queries: each query chooses among the keys":
            made(only=True, scored=lambda s, n: F.cross_entropy(s.T, torch.arange(n))),
        "both directions were averaged: only the queries choose here": made(only=True, scored=lambda s, n: (
            F.cross_entropy(s, torch.arange(n)) + F.cross_entropy(s.T, torch.arange(n))) / 2),
        "both directions were averaged, the second over the first N keys: only the queries choose here": made(
            scored=lambda s, n: (
                F.cross_entropy(s, torch.arange(n)) + F.cross_entropy(s[:, :n].T, torch.arange(n))) / 2),
        "the positive is missing in the denominator": made(scored=without_positive),
        "keys beyond the first N are negatives, too: they were left out": made(only=True),
        "the labels are off by one: query i belongs to key i":
            made(scored=lambda s, n: F.cross_entropy(s, (torch.arange(n) + 1) % s.shape[1])),
        "the labels are off by one: query i belongs to key i, and the last one not to the first": made(
            scored=lambda s, n: F.cross_entropy(s, (torch.arange(n) + 1) % n)),
        "all queries were given the first key": made(
            scored=lambda s, n: F.cross_entropy(s, torch.zeros(n, dtype=torch.long))),
        "softmax was taken twice: F.cross_entropy takes it itself": made(
            scored=lambda s, n: F.cross_entropy(s.softmax(-1), torch.arange(n))),
        "the minus in front of the logarithm is missing": made(
            scored=lambda s, n: -F.cross_entropy(s, torch.arange(n))),
        "this is the loss of the last query alone": made(
            scored=lambda s, n: F.cross_entropy(s[n - 1 : n], torch.tensor([n - 1]))),
        "one loss for each query came: their mean is asked": made(
            scored=lambda s, n: F.cross_entropy(s, torch.arange(n), reduction="none")),
        "divided by the number of keys: the mean is over the queries": made(
            scored=lambda s, n: F.cross_entropy(s, torch.arange(n), reduction="sum") / s.shape[1]),
        "the temperature was ignored": lambda q, k, temperature=0.05: made()(q, k),
        "only the queries were brought to length 1": lambda q, k, temperature=0.05: made(norm=False)(
            F.normalize(q, dim=-1), k, temperature),
        "only the keys were brought to length 1": lambda q, k, temperature=0.05: made(norm=False)(
            q, F.normalize(k, dim=-1), temperature),
        "the last N keys were taken for the right ones: they are the first N": made(
            scored=lambda s, n: F.cross_entropy(s, torch.arange(n) + s.shape[1] - n)),
        "an extra key was a negative for one query alone: it is one for all": made(scored=one_each),
        "squared distances stand where cosines are asked": made(tau=lambda s, t: (2 * s - 2) / t),
        "the columns were brought to length 1: a vector is a row": lambda q, k, temperature=0.05: made(norm=False)(
            F.normalize(q, dim=0), F.normalize(k, dim=0), temperature),
        "the queries were brought to length 1 along the batch: a vector is a row": lambda q, k, temperature=0.05: made(
            norm=False)(F.normalize(q, dim=0), F.normalize(k, dim=-1), temperature),
        "the keys were brought to length 1 along the batch: a vector is a row": lambda q, k, temperature=0.05: made(
            norm=False)(F.normalize(q, dim=-1), F.normalize(k, dim=0), temperature),
        "the whole table was divided by one length: each row has its own": lambda q, k, temperature=0.05: made(
            norm=False)(q / q.norm(), k / k.norm(), temperature),
        "the other queries were negatives, too: a query chooses among the keys alone": with_queries,
        "all numbers of the table were averaged: only the right key of each query has a loss": made(
            scored=lambda s, n: -s.log_softmax(-1).mean()),
        "the logarithm is missing": made(scored=lambda s, n: -s.softmax(-1).diagonal().mean()),
        "the logarithm of the mean was taken: the mean of the logarithms is asked": made(
            scored=lambda s, n: -s.softmax(-1).diagonal().mean().log()),
        "the positive is in the denominator twice: the sum over j runs over it once": made(
            scored=lambda s, n: (torch.cat([s, s.diagonal()[:, None]], 1).logsumexp(-1) - s.diagonal()).mean()),
        "softmax over the whole table: each row is a choice for itself": made(
            scored=lambda s, n: (s.flatten().logsumexp(0) - s.diagonal()).mean()),
        "the mean over the keys stands in the denominator: their sum is asked": made(
            scored=lambda s, n: (s.logsumexp(-1) - np.log(s.shape[1]) - s.diagonal()).mean()),
        "the temperature divides below alone: above, too": lambda q, k, temperature=0.05: made(
            tau=lambda s, t: s, scored=lambda s, n: ((s / temperature).logsumexp(-1) - s.diagonal()).mean())(q, k),
        "the temperature divides above alone: below, too": lambda q, k, temperature=0.05: made(
            tau=lambda s, t: s, scored=lambda s, n: (s.logsumexp(-1) - s.diagonal() / temperature).mean())(q, k),
        "the temperature divides twice": made(tau=lambda s, t: s / t / t),
        "multiplied by the temperature at the end": lambda q, k, temperature=0.05: (
            made()(q, k, temperature) * temperature),
    }, info_nce)
    ### END MISTAKES
    eye = torch.eye(2)
    check(info_nce, eye, eye, 1.0).equals(0.3132617, rtol=1e-4, about="two orthogonal pairs")
    q, k = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[2.0, 1.0], [1.0, 0.0], [-1.0, 3.0], [0.5, -2.0]])
    check(info_nce, q, k[:3], 0.5).equals(0.612733, rtol=1e-4)
    check(info_nce, q, k, 0.5).equals(1.165727, rtol=1e-4)
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    check(slopes, info_nce, q, k[:3], 0.5).equals(
        [[[-0.1617866, 0.0808933], [0.0003561, 0.0001781]],
         [[0.1241743, -0.2483486], [0.0, 0.4740538], [0.0774282, 0.0258094]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    check(info_nce, q, torch.cat([-q, q]), 0.002).equals(
        1000.0, about="a low temperature", edge=True, rtol=1e-3, near={
            "exp of hundreds is infinite: F.cross_entropy and logsumexp need no exp": float("inf"),
            "exp of hundreds is infinite, and infinity over infinity no number": float("nan")})
    ### BEGIN HIDDEN TESTS
    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def cosine(x, y):
        return x @ y / np.linalg.norm(x) / np.linalg.norm(y)

    def oracle(q, k, t):
        q, k = (np.asarray(v, dtype=np.float64) for v in (q, k))
        cosines = []
        for x in q:
            cosines.append([cosine(x, y) for y in k])
        s = np.array(cosines) / t
        return float(np.mean([np.logaddexp.reduce(row) - row[i] for i, row in enumerate(s)]))

    for n, m, c, t in [(3, 3, 5, 0.1), (4, 7, 3, 0.4), (6, 6, 4, 1.7), (2, 9, 6, 0.05)]:
        q, k = (torch.from_numpy(check.rng.normal(size=(rows, c)) * 2).float() for rows in (n, m))
        about = "with extra keys" if m > n else "fresh pairs"
        check(info_nce, q, k, t).equals(oracle(q, k, t), about=about, rtol=1e-4, atol=1e-6)
    for n, m, c, scale in [(70, 90, 4, 90), (3, 80, 5, 1e-4), (3, 4, 90, 1)]:
        q, k = (torch.from_numpy(check.rng.normal(size=(rows, c)) * scale).float() for rows in (n, m))
        check(info_nce, q, k, 0.3).equals(oracle(q, k, 0.3), about="large batches, long and short vectors", rtol=1e-3)
    q, k = (torch.from_numpy(check.rng.normal(size=(rows, 3))) for rows in (4, 6))
    check(info_nce, q * 1e5, k * 1e5).holds(**float64_kept(oracle(q, k, 0.05)))
    for rows, cut in [(1, 3), (3, 1)]:
        some = [v[:, :cut].float() for v in (q[:rows], k)]
        check(info_nce, *some, 0.4).equals(oracle(*some, 0.4), about="one query, or one number in a vector", edge=True,
                                           rtol=1e-4)
    check.mistakes({}, info_nce, slopes)
    q = torch.from_numpy(check.rng.normal(size=(3, 4))).float()
    check(info_nce, q, -q, 0.001).equals(
        oracle(q, -q, 0.001), about="a low temperature", edge=True, rtol=1e-3,
        near={"overflow: exp of hundreds is infinite": float("inf"),
              "overflow: exp of hundreds is infinite, and one infinity by another NaN": float("nan"),
              "a small number inside the logarithm hides how large the loss is": 18.42068},
    )
    check(info_nce, q[:1], q[:1], 0.1).equals(0.0, about="one pair alone", edge=True, atol=1e-6, near={
        "an axis of size 1 was squeezed away: one query or one key keeps its axis": Exception})
    q, k = (torch.from_numpy(check.rng.normal(size=(n, 3)) * 2).float() for n in (3, 5))
    for m, t, about in [(3, 0.4, ""), (5, 0.4, ""), (5, 0.002, " at a low temperature")]:
        leaves = [v.double().requires_grad_() for v in (q, k[:m])]
        want = torch.autograd.grad(made()(*leaves, t), leaves)
        check(slopes, info_nce, q, k[:m], t).equals(
            list(want), about=f"the gradients of queries and keys{about}", rtol=1e-3, atol=1e-4 if about else 1e-6,
            edge=bool(about), weight=1 if about else 2,
            near=lost | {"the lengths were detached: the gradient flows through them, too": list(torch.autograd.grad(
                made(norm=False)(*(v / v.detach().norm(dim=1, keepdim=True) for v in leaves), t), leaves))},
        )
    ### END HIDDEN TESTS


score
