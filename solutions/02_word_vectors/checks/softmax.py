from helpers.checks import graded


@graded("softmax", points=4)
def score(check):
    import torch

    over_pairs = "the softmax is over the vocabulary, not over the pairs"
    ### BEGIN MISTAKES
    from_one = "ids count from 0: id 0 is the first"
    twice = "an id that occurs twice gives two rows: do not make a set of them"
    in_order = "the rows keep the order of the ids: do not sort them"

    check.mistakes({
        from_one: lambda ids, table: table[ids - 1],
        "these are columns of the table; a word is a row": lambda ids, table: table[:, ids],
        "this is the transpose: one row for each id": lambda ids, table: table[ids].T,
        "the rows were added up; each id has a row of its own": lambda ids, table: table[ids].sum(0),
        "the rows were averaged; each id has a row of its own": lambda ids, table: table[ids].mean(0),
        twice: lambda ids, table: table[ids.unique()],
        in_order: lambda ids, table: table[ids.sort().values],
        "torch.take reads the table as one long list: index its rows": lambda ids, table: torch.take(table, ids),
        "only the first id's row is there: is the return inside the loop?": lambda ids, table: table[ids[:1]],
    }, look_up)

    def loss(c, o, v, u):
        """Pair after pair in double precision: by how much the scores of all words exceed that of the context."""
        table = torch.einsum("vd,wd->vw", v.double(), u.double())
        return torch.stack([torch.logsumexp(table[i] - table[i, j], 0) for i, j in zip(c, o, strict=True)])

    check.mistakes({
        "inputs and outputs are exchanged: the centre's vector is an input": lambda c, o, v, u: loss(c, o, u, v).mean(),
        "this is the sum over the pairs; the mean is asked for": lambda c, o, v, u: loss(c, o, v, u).sum(),
        "there is one loss for each pair; their mean is asked for": loss,
        "the sign is reversed: -log p": lambda c, o, v, u: -loss(c, o, v, u).mean(),
        "centres and contexts are exchanged: the centre predicts its context":
            lambda c, o, v, u: loss(o, c, v, u).mean(),
        "only one table was used: the context's vectors are outputs": lambda c, o, v, u: loss(c, o, v, v).mean(),
        "only one table was used: the centre's vectors are inputs": lambda c, o, v, u: loss(c, o, u, u).mean(),
        "each pair has a softmax of its own: here one sum was taken over the scores of all pairs":
            lambda c, o, v, u: ((v[c] @ u.T).logsumexp((0, 1)) - (v[c] * u[o]).sum(1)).mean(),
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
        "this is the mean over all words of the vocabulary, not of the observed one": lambda c, o, v, u:
            -torch.log_softmax(v[c] @ u.T, 1).mean(),
        "this is the mean of p, not of -log p": lambda c, o, v, u: torch.exp(-loss(c, o, v, u)).mean(),
        "the logarithm of the sum over the vocabulary is missing: nll_loss wants log p":
            lambda c, o, v, u: -(v[c] * u[o]).sum(1).mean(),
        "this is minus the mean of p: nll_loss wants log p": lambda c, o, v, u: -torch.exp(-loss(c, o, v, u)).mean(),
        "the softmax is over the vocabulary of contexts, not over that of centres":
            lambda c, o, v, u: loss(o, c, u, v).mean(),
        "each centre counts with its own context only, not with those of all pairs": lambda c, o, v, u:
            -torch.log_softmax(v[c] @ u.T, 1)[:, o].mean(),
        "this is the logarithm of the mean p; the mean of the logarithms is asked for": lambda c, o, v, u: -torch.log(
            torch.exp(-loss(c, o, v, u)).mean()),
        "this is a sigmoid of the pair's score; the softmax goes over the vocabulary": lambda c, o, v, u:
            -torch.nn.functional.logsigmoid((v[c] * u[o]).sum(1)).mean(),
        "the sum below goes over all words, the context itself among them": lambda c, o, v, u: (
            torch.logsumexp((v[c] @ u.T).scatter(1, o[:, None], -torch.inf), 1) - (v[c] * u[o]).sum(1)).mean(),
        "the score of the pair is missing: -s + log of the sum":
            lambda c, o, v, u: torch.logsumexp(v[c] @ u.T, 1).mean(),
    }, softmax_loss)
    ### END MISTAKES
    import numpy as np

    table = torch.tensor([[17.0, 24, 1], [23, 5, 7], [4, 6, 13], [10, 12, 19], [11, 18, 25]])
    unseen = table.clone()
    unseen[4] = torch.inf  # no id names this row
    product = "this is the product, in which 0 times infinity is NaN: look the rows up"
    check(look_up, torch.tensor([3, 1, 3]), unseen).equals(
        [[10, 12, 19], [23, 5, 7], [10, 12, 19]], near={product: [[torch.nan] * 3] * 3}
    )
    check(look_up, torch.zeros(0, dtype=torch.long), table).equals(
        torch.zeros(0, 3), about="no ids", edge=True, near={"no ids give no rows: shape (0, d)": torch.zeros(0)}
    )
    cut_off = {"the graph is cut: no .item(), .detach(), .numpy() or float() on the way": RuntimeError}
    small = torch.tensor([[5.0, 1.0], [2.0, 3.0]])
    check(gradients, look_up, torch.tensor([1, 0, 1]), small).equals(
        ([[2.0, 3.0], [5.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [2.0, 2.0]]), about="rows and gradient", near=cut_off
    )
    pairs = torch.tensor([0, 2]), torch.tensor([1, 1])
    four = torch.tensor([0, 2, 4, 1]), torch.tensor([1, 1, 3, 0])
    check(softmax_loss, *four, torch.ones(6, 2), torch.zeros(6, 2)).equals(
        1.7917595,
        near={over_pairs + ", and the mean is asked for": 5.5451774}, rtol=1e-4,
    )
    tables = torch.tensor([[1.0, 0], [0, 1], [2, 1]]), torch.tensor([[0.0, 1], [1, 0], [1, 1]])
    check(softmax_loss, *pairs, *tables).equals(
        1.1348003,
        near={over_pairs + ", and the mean is asked for": 1.6265233}, rtol=1e-4,
    )
    by_inputs = [[-0.0777, 0.2888], [0, 0], [-0.0450, 0.3776]]
    check(gradients, softmax_loss, *pairs, *tables).equals(
        (1.1348, by_inputs, [[0.1677, 0.0450], [-1.0441, -0.3776], [0.8764, 0.3326]]), about="loss and gradients",
        rtol=1e-3, atol=1e-4, near=cut_off,
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
    cut = "the graph is cut: no .item(), .detach(), .numpy() or float() on the way"
    generator = torch.Generator().manual_seed(int(check.rng.integers(1 << 30)))
    none = torch.zeros(0, dtype=torch.long)
    wide = torch.randn(8, 3, generator=generator)
    wide[5] = torch.inf
    check(look_up, torch.tensor([2, 7, 2, 0]), wide).equals(
        wide[[2, 7, 2, 0]], about="a row that is not asked for", near={product: torch.full((4, 3), torch.nan)}
    )
    for many in (6, 5, 4):
        rows = torch.randn(7, 7, generator=generator)
        ids = torch.randint(1, 6, (many,), generator=generator)
        ids[1], ids[2], ids[-1] = 0, 6, ids[0]
        check(look_up, ids, rows).equals(torch.nn.functional.embedding(ids, rows), about="random rows")
    check.mistakes({}, look_up)  # most of them give the same for a single id, and for none
    check(look_up, ids[:1], rows).equals(
        rows[ids[:1]], about="a single id", near={"one row for each id, even for a single one": rows[ids[0]]}
    )
    check(look_up, none, rows).equals(
        torch.zeros(0, 7), about="no ids", edge=True, near={"no ids give no rows: shape (0, d)": torch.zeros(0)}
    )
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
    check.mistakes({}, gradients, look_up, softmax_loss)
    uncut = {"the graph is cut: return a tensor, not a Python number": AttributeError}
    if value.passed:
        uncut[cut] = RuntimeError
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
    check(gradients, look_up, torch.tensor([2, 0, 2]), tables[0].detach()).equals(
        (tables[0].detach()[[2, 0, 2]], torch.tensor([1.0, 0, 2, 0, 0, 0])[:, None].expand(6, 3)),
        about="the gradient of a look-up", edge=True
    )
    tables = [torch.randn(80, 3, generator=generator, dtype=torch.float64).requires_grad_() for _ in "vu"]
    c, o = torch.randint(80, (2, 70), generator=generator)
    c[0], o[0], c[1], o[1] = 79, 78, 78, 79
    exact, wide = {"rtol": 1e-10, "atol": 1e-13}, [t.detach() for t in tables]
    check(look_up, c, wide[0]).equals(wide[0][c], about="many ids in float64", edge=True, **exact)
    value = loss(c, o, *tables).mean()
    found = torch.autograd.grad(value, tables)
    check(gradients, softmax_loss, c, o, *wide).equals(
        (value.detach(), *found), about="many pairs in float64", edge=True, **exact
    )
    one = torch.ones(1, dtype=torch.long)
    check(softmax_loss, one, 0 * one, *wide).equals(loss(one, 0 * one, *wide).mean(), about="one pair", edge=True)
    check(softmax_loss, c % 6, o % 6, wide[0][:6, :1], wide[1][:6, :1]).equals(
        loss(c % 6, o % 6, wide[0][:6, :1], wide[1][:6, :1]).mean(), about="vectors of one number", edge=True, **exact
    )
    check(look_up, torch.tensor([1, 0]), wide[0][:2, :1]).equals(
        wide[0][[1, 0], :1], about="vectors of one number", edge=True, **exact
    )
    ### END HIDDEN TESTS


score
