from helpers.checks import graded


@graded("step", points=5)
def score(check):
    import torch
    ### BEGIN MISTAKES
    softplus = torch.nn.functional.softplus

    def loss_of(v, u, n):
        return (softplus(-(v * u).sum(-1)) + softplus((n * v[:, None]).sum(-1)).sum(-1)).mean()

    def slopes(inputs, outputs, c, x, n, of_noise=None):
        """The loss, and the gradients of the three groups of vectors, (B, d), (B, d), (B, K, d)."""
        tables = inputs.double(), outputs.double(), (outputs if of_noise is None else of_noise).double()
        leaves = [table[ids].detach().requires_grad_() for table, ids in zip(tables, (c, x, n), strict=True)]
        loss = loss_of(*leaves)
        return loss.detach(), *torch.autograd.grad(loss, leaves)

    def added(table, ids, rows, rate):
        moved = table.double().clone()
        for i, row in zip(ids.flatten().tolist(), rows.flatten(0, ids.ndim - 1), strict=True):
            moved[i] = moved[i] - rate * row
        return moved

    def kept_last(table, ids, rows, rate):
        """The trap: all rows are read first, and the last one written stays."""
        moved = table.double().clone()
        for i, row in zip(ids.flatten().tolist(), rows.flatten(0, ids.ndim - 1), strict=True):
            moved[i] = table[i].double() - rate * row
        return moved

    def averaged(table, ids, rows, rate):
        many = torch.bincount(ids.flatten(), minlength=len(table)).clamp(min=1)
        return table + (added(table, ids, rows, rate) - table) / many[:, None]

    def stays(table, ids, rows, rate):
        return table.double()

    def without_rate(table, ids, rows, rate):
        return added(table, ids, rows, 1.0)

    def pair_by_pair(table, ids, rows, rate):
        """A loop over the pairs, with table[ids] -= in it."""
        for some, of_pair in zip(ids, rows, strict=True):
            table = kept_last(table, some, of_pair, rate)
        return table

    def moved(inputs, outputs, c, x, n, rate, centre=added, context=added, noise=added):
        loss, a, b, k = slopes(inputs, outputs, c, x, n)
        after = context(outputs, x, b, rate)
        return centre(inputs, c, a, rate), noise(after, n, k, rate), loss

    def scaled(by):
        """The step with another rate, that depends on the numbers of pairs and noise words."""
        return lambda i, o, c, x, n, rate: moved(i, o, c, x, n, by(rate, len(c)))

    def of_other_tables(i, o, c, x, n, rate, noise_of=None):
        """Contexts and noise, or the contexts alone, in the inputs."""
        loss, a, b, k = slopes(i, i, c, x, n, o if noise_of == "outputs" else i)
        return added(i, c, a, rate), added(added(o, x, b, rate), n, k, rate), loss

    def noise_of_inputs(i, o, c, x, n, rate):
        loss, a, b, k = slopes(i, o, c, x, n, i)
        return added(i, c, a, rate), added(added(o, x, b, rate), n, k, rate), loss

    def own_left_out(i, o, c, x, n, rate):
        """A noise word that is the pair's own context does not move as noise."""
        loss, a, b, k = slopes(i, o, c, x, n)
        k = k * (n != x[:, None])[..., None]
        return added(i, c, a, rate), added(added(o, x, b, rate), n, k, rate), loss

    def noise_over_contexts(i, o, c, x, n, rate):
        """The rows of noise words are written over what the contexts made of them."""
        loss, a, b, k = slopes(i, o, c, x, n)
        after, of_noise = added(o, x, b, rate), added(o, n, k, rate)
        after[n.flatten()] = of_noise[n.flatten()]
        return added(i, c, a, rate), after, loss

    def in_inputs(i, o, c, x, n, rate, which):
        """The gradients of contexts or noise, taken from the inputs."""
        loss, a, b, k = slopes(i, o, c, x, n)
        inputs, others = added(i, c, a, rate), [(x, b), (n, k)]
        ids, rows = others.pop(which)
        return added(inputs, ids, rows, rate), added(o, *others[0], rate), loss

    def inputs_first(i, o, c, x, n, rate):
        loss, a, _, _ = slopes(i, o, c, x, n)
        new = added(i, c, a, rate)
        _, _, b, k = slopes(new, o, c, x, n)
        return new, added(added(o, x, b, rate), n, k, rate), loss

    def contexts_first(i, o, c, x, n, rate):
        loss, a, b, _ = slopes(i, o, c, x, n)
        after = added(o, x, b, rate)
        return added(i, c, a, rate), added(after, n, slopes(i, o, c, x, n, after)[3], rate), loss

    def pair_after_pair(i, o, c, x, n, rate):
        loss = slopes(i, o, c, x, n)[0]
        for k in range(len(c)):
            i, o, _ = moved(i, o, c[k : k + 1], x[k : k + 1], n[k : k + 1], rate / len(c))
        return i, o, loss

    def later(i, o, c, x, n, rate):
        new = moved(i, o, c, x, n, rate)
        return *new[:2], slopes(*new[:2], c, x, n)[0]

    def crossed(i, o, c, x, n, rate):
        loss, a, b, k = slopes(i, o, c, x, n)
        return added(i, c, b, rate), added(added(o, x, a, rate), n, k, rate), loss

    def ids_turned(table, ids, rows, rate):
        return added(table, ids.T.reshape(ids.shape), rows, rate)

    def rows_turned(table, ids, rows, rate):
        return added(table, ids, rows.transpose(0, 1).reshape(rows.shape), rate)

    def part(kind, **ways):
        return lambda i, o, c, x, n, rate: kind(i, o, c, x, n, rate, **ways)

    known = {
        "a row that is named several times keeps only one of its gradients: add them up":
            part(moved, centre=kept_last, context=kept_last, noise=kept_last),
        "a centre that is named several times keeps only one of its gradients: add them up":
            part(moved, centre=kept_last),
        "an output that is named several times keeps only one of its gradients: add them up":
            part(moved, context=kept_last, noise=kept_last),
        "a noise word that is named several times keeps only one of its gradients: add them up":
            part(moved, noise=kept_last),
        "a context that is named several times keeps only one of its gradients: add them up":
            part(moved, context=kept_last),
        "the gradients of a repeated row are averaged; add them up":
            part(moved, centre=averaged, context=averaged, noise=averaged),
        "the gradients of a repeated centre are averaged; add them up": part(moved, centre=averaged),
        "the gradients of a repeated output are averaged; add them up":
            part(moved, context=averaged, noise=averaged),
        "a noise word that a pair draws twice keeps only one of its gradients: add them up":
            part(moved, noise=pair_by_pair),
        "the noise words were taken column by column, their gradients row by row: each gradient moves its own word":
            part(moved, noise=ids_turned),
        "the noise words were taken row by row, their gradients column by column: each gradient moves its own word":
            part(moved, noise=rows_turned),
        "a row that is context and noise word moves by both: here the contexts' part was lost": noise_over_contexts,
        "a noise word that is its pair's own context moves as noise, too": own_left_out,
        "a step goes against the gradient; here it went along": scaled(lambda rate, B: -rate),
        "the rate is missing": scaled(lambda rate, B: 1.0),
        "the rate is missing in the step of the centres": part(moved, centre=without_rate),
        "the rate is missing in the step of the contexts": part(moved, context=without_rate),
        "the rate is missing in the step of the noise words": part(moved, noise=without_rate),
        "this is the sum of the losses; the mean over the pairs is asked for":
            lambda *args: (lambda i, o, loss: (i, o, loss * len(args[2])))(*moved(*args)),
        "the gradients hold 1/B already: do not divide by it again": scaled(lambda rate, B: rate / B),
        "the factor 1/B of the mean is gone: the gradients belong to the mean loss": scaled(lambda rate, B: rate * B),
        "the noise words have stayed where they were": part(moved, noise=stays),
        "the contexts have stayed where they were": part(moved, context=stays),
        "the outputs have stayed where they were": part(moved, context=stays, noise=stays),
        "the inputs have stayed where they were": part(moved, centre=stays),
        "nothing has moved: the new tables are asked for":
            part(moved, centre=stays, context=stays, noise=stays),
        "the tables are exchanged: the inputs come first":
            lambda *args: (lambda i, o, loss: (o, i, loss))(*moved(*args)),
        "contexts and noise were looked up in the inputs": of_other_tables,
        "the contexts were looked up in the inputs; they are rows of the outputs":
            part(of_other_tables, noise_of="outputs"),
        "the noise words were looked up in the inputs; they are rows of the outputs": noise_of_inputs,
        "the noise words were moved in the inputs; they are rows of the outputs": part(in_inputs, which=1),
        "the contexts were moved in the inputs; they are rows of the outputs": part(in_inputs, which=0),
        "the outputs moved by gradients at the new inputs; all belong to the tables as given":
            inputs_first,
        "the noise moved by gradients at the new contexts; all belong to the tables as given":
            contexts_first,
        "each pair moved the tables before the next one was looked up; all start from the tables as given":
            pair_after_pair,
        "this is the loss after the step; the one before it is asked for": later,
        "the gradients of centres and contexts are exchanged": crossed,
        "only the first pair moved the tables: is the return inside the loop?":
            lambda i, o, c, x, n, rate: moved(i, o, c[:1], x[:1], n[:1], rate),
        "these are the steps; the tables after them are asked for":
            lambda i, o, c, x, n, rate: (lambda a, b, loss: (a - i, b - o, loss))(*moved(i, o, c, x, n, rate)),
    }
    check.mistakes(known, step)
    ### END MISTAKES
    inputs, outputs = torch.tensor([[1.0, 0], [0, 0], [0, 0]]), torch.tensor([[0.0, 0], [0, 1], [0, 2]])
    one = torch.tensor([0]), torch.tensor([1]), torch.tensor([[2]])
    check(step, inputs, outputs, *one, 1.0).equals(
        ([[1, -0.5], [0, 0], [0, 0]], [[0, 0], [0.5, 1], [-0.5, 2]], 1.3862944), about="by hand", rtol=1e-4
    )
    inputs = torch.tensor([[1.0, 0], [0, 2], [-1, 1], [3, 1], [1, 2]])
    outputs = torch.tensor([[0.0, 1], [2, 0], [1, -1], [0, 3], [2, 1]])
    several = torch.tensor([0, 1, 0]), torch.tensor([3, 2, 2]), torch.tensor([[0, 0], [2, 0], [1, 0]])
    check(step, inputs, outputs, *several, 0.6).equals(
        ([[0.70147, -0.05379], [0.15232, 1.67152], [-1, 1], [3, 1], [1, 2]],
         [[-0.3, 0.64768], [1.82384, 0], [1.05379, -0.69536], [0.1, 3], [2, 1]], 3.197854),
        about="words that are named several times", rtol=1e-4, atol=1e-5
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    generator = torch.Generator().manual_seed(int(check.rng.integers(1 << 30)))

    def fresh(size, pairs, many, width, scale=1.0, dtype=torch.float32):
        tables = scale * torch.randn(2, size, width, generator=generator, dtype=dtype)
        ids = [torch.randint(size, shape, generator=generator) for shape in ((pairs,), (pairs,), (pairs, many))]
        ids[0][-1], ids[1][-1], ids[2][-1, 0] = ids[0][0], ids[1][0], ids[1][0]  # repeats, and noise that is context
        return *tables, *ids

    def oracle(i, o, c, x, n, rate):
        """One-hot products, so that the gradients of whole tables come from autograd."""
        tables = [table.detach().double().requires_grad_() for table in (i, o)]
        eye = torch.eye(len(i), dtype=torch.float64)
        loss = loss_of(eye[c] @ tables[0], eye[x] @ tables[1], eye[n] @ tables[1])
        found = torch.autograd.grad(loss, tables)
        return *[table.detach() - rate * g for table, g in zip(tables, found, strict=True)], loss.detach()

    for shape, rate in [((6, 5, 3, 4), 0.7), ((6, 5, 3, 4), 2.0), ((5, 8, 4, 5), 0.01)]:
        args = *fresh(*shape), rate
        check(step, *args).equals(oracle(*args), about="random tables", rtol=1e-4, atol=1e-5)
    check.mistakes({}, step)
    args = *fresh(7, 1, 3, 4), 0.3
    check(step, *args).equals(oracle(*args), about="a single pair", edge=True, rtol=1e-4, atol=1e-5)
    args = *fresh(7, 5, 1, 4), 0.3
    check(step, *args).equals(oracle(*args), about="a single noise word", edge=True, rtol=1e-4, atol=1e-5)
    args = *fresh(4, 5, 2, 1), 0.3
    check(step, *args).equals(oracle(*args), about="vectors of one number", edge=True, rtol=1e-4, atol=1e-5)
    for by in (100.0, 0.01):  # large inputs and small outputs, then the other way round: the scores are ordinary
        inputs, outputs, *ids = fresh(7, 5, 3, 4, dtype=torch.float64)
        args = by * inputs, outputs / by, *ids, 0.3
        check(step, *args).equals(oracle(*args), about="large vectors", edge=True, rtol=1e-6, atol=1e-9)
    args = *fresh(80, 70, 5, 6, dtype=torch.float64), 9.0
    check(step, *args).equals(oracle(*args), about="many pairs in float64", edge=True, rtol=1e-10, atol=1e-12)
    ### END HIDDEN TESTS


score
