from helpers.checks import graded


@graded("softmax", points=6)
def score(check):
    import numpy as np
    import torch

    swapped = "inputs and outputs are exchanged: the centre's vector is an input"
    total = "this is the sum over the pairs; the mean is asked"
    bare = "the logarithm of the sum over the vocabulary is missing: nll_loss wants log p"
    minus = "this is minus the mean of p: nll_loss wants log p"
    cut = "the graph is cut: no .item(), .detach(), .numpy() or float() on the way"
    over_pairs = "the softmax is over the vocabulary, not over the pairs"
    one_sum = "each pair has a softmax of its own: here one sum was taken over the scores of all pairs"
    pairs = torch.tensor([0, 2]), torch.tensor([1, 1])
    check(softmax_loss, *pairs, torch.ones(3, 2), torch.zeros(3, 2)).equals(
        1.0986123,
        near={total: 2.1972246, "the sign is turned round: -log p": -1.0986123, bare: 0.0, minus: -0.3333333,
              over_pairs: 0.6931472, over_pairs + ", and the mean is asked": 1.3862944, one_sum: 1.7917595}, rtol=1e-4,
    )
    tables = torch.tensor([[1.0, 0], [0, 1], [2, 1]]), torch.tensor([[0.0, 1], [1, 0], [1, 1]])
    check(softmax_loss, *pairs, *tables).equals(
        1.1348003,
        near={swapped: 1.5507697, total: 2.2696006, "the sign is turned round: -log p": -1.1348003,
              "centres and contexts are exchanged: the centre predicts its company": 0.8619948,
              "this is the mean of p, not of -log p": 0.3335236, bare: -1.5, minus: -0.3335236,
              over_pairs: 0.8132616, over_pairs + ", and the mean is asked": 1.6265233, one_sum: 2.1008525}, rtol=1e-4,
    )
    far = torch.tensor([[1000.0], [0]]), torch.tensor([[1.0], [0]])
    check(softmax_loss, torch.tensor([0]), torch.tensor([1]), *far).holds(
        lambda loss: abs(float(loss) - 1000) < 0.1,
        "1000: the scores are 1000 and 0, and the second word came",
        near={
            "e to the 1000 overflowed, or p became 0: use log_softmax, logsumexp or cross_entropy": lambda loss: (
                not np.isfinite(float(loss))
            ),
            "a number was added to p, or it was clipped: the loss comes out in full": lambda loss: 5 < float(loss) < 99,
        },
        about="a score of 1000",
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def loss(c, o, v, u):
        """Pair after pair in double precision: by how much the scores of all words exceed that of the context."""
        table = torch.einsum("vd,wd->vw", v.double(), u.double())
        return torch.stack([torch.logsumexp(table[i] - table[i, j], 0) for i, j in zip(c, o, strict=True)])

    check.mistakes({
        swapped: lambda c, o, v, u: loss(c, o, u, v).mean(),
        total: lambda c, o, v, u: loss(c, o, v, u).sum(),
        "one loss for each pair came; their mean is asked": loss,
        "the sign is turned round: -log p": lambda c, o, v, u: -loss(c, o, v, u).mean(),
        "centres and contexts are exchanged: the centre predicts its company":
            lambda c, o, v, u: loss(o, c, v, u).mean(),
        "only one table was used: the company's vectors are outputs": lambda c, o, v, u: loss(c, o, v, v).mean(),
        "only one table was used: the centre's vectors are inputs": lambda c, o, v, u: loss(c, o, u, u).mean(),
        one_sum: lambda c, o, v, u: ((v[c] @ u.T).logsumexp((0, 1)) - (v[c] * u[o]).sum(1)).mean(),
        over_pairs: lambda c, o, v, u: -torch.log_softmax(
            v[c] @ u.T, 0)[torch.arange(len(c)), o].mean(),
        "the softmax is over the vocabulary, not over the batch's contexts": lambda c, o, v, u: -torch.log_softmax(
            v[c] @ u[o].T, 1).diagonal().mean(),
        "the scores are not divided by the root of d here":
            lambda c, o, v, u: loss(c, o, v / v.shape[1] ** 0.5, u).mean(),
        "the scores are dot products, not cosines": lambda c, o, v, u: loss(
            c, o, v / v.norm(dim=1, keepdim=True), u / u.norm(dim=1, keepdim=True)).mean(),
        "the logarithm has base e, not 2": lambda c, o, v, u: loss(c, o, v, u).mean() / torch.tensor(2.0).log(),
        "softmax was taken twice: cross_entropy wants the scores themselves": lambda c, o, v, u:
            torch.nn.functional.cross_entropy(torch.softmax(v[c] @ u.T, 1), o),
        "this is the mean over all words of the vocabulary, not of the one that came": lambda c, o, v, u:
            -torch.log_softmax(v[c] @ u.T, 1).mean(),
        "this is the mean of p, not of -log p": lambda c, o, v, u: torch.exp(-loss(c, o, v, u)).mean(),
        bare: lambda c, o, v, u: -(v[c] * u[o]).sum(1).mean(),
        minus: lambda c, o, v, u: -torch.exp(-loss(c, o, v, u)).mean(),
        "each centre counts with its own context only, not with those of all pairs": lambda c, o, v, u:
            -torch.log_softmax(v[c] @ u.T, 1)[:, o].mean(),
        "this is the logarithm of the mean p; the mean of the logarithms is asked": lambda c, o, v, u: -torch.log(
            torch.exp(-loss(c, o, v, u)).mean()),
        "this is a sigmoid of the pair's score; the softmax goes over the vocabulary": lambda c, o, v, u:
            -torch.nn.functional.logsigmoid((v[c] * u[o]).sum(1)).mean(),
        "the sum below goes over all words, the context itself among them": lambda c, o, v, u: (
            torch.logsumexp((v[c] @ u.T).scatter(1, o[:, None], -torch.inf), 1) - (v[c] * u[o]).sum(1)).mean(),
        "the score of the pair is missing: -s + log of the sum":
            lambda c, o, v, u: torch.logsumexp(v[c] @ u.T, 1).mean(),
    })
    generator = torch.Generator().manual_seed(int(check.rng.integers(1 << 30)))
    for size, width, many in [(7, 5, 4), (9, 6, 9), (6, 3, 11)]:
        tables = torch.randn(2, size, width, generator=generator)
        c, o = torch.randint(size, (2, many), generator=generator)
        value = check(softmax_loss, c, o, *tables).equals(
            loss(c, o, *tables).mean(), about="random vectors", rtol=1e-4
        )
    large = 20 * tables
    stable = torch.nn.functional.cross_entropy((large[0].double() @ large[1].double().T)[c], o)
    overflow = "the exponentials overflow: use log_softmax, logsumexp or cross_entropy"
    check(softmax_loss, c, o, *large).equals(
        stable,
        about="large scores",
        rtol=1e-4,
        near={overflow: float("nan"), overflow + " (it became infinite)": float("inf"),
              "subtract the largest score of each row, not of all rows: here sums became 0": float("-inf")},
    )
    check.mistakes({})
    uncut = {"the graph is cut: return a tensor, not a Python number": AttributeError}
    uncut |= {cut: RuntimeError} if value.passed else {}
    tables = [t.clone().requires_grad_() for t in tables]
    value = loss(c, o, *tables).mean()
    found = torch.autograd.grad(value, tables)
    check(gradients, softmax_loss, c, o, *[t.detach() for t in tables]).equals(
        (value.detach(), *found),
        about="its gradient",
        rtol=1e-3,
        atol=1e-6,
        near=uncut,
    )
    ### END HIDDEN TESTS


score
