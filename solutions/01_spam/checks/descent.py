from helpers.checks import graded


@graded("descent", points=7)
def score(check):
    import numpy as np
    from scipy import sparse

    ### BEGIN MISTAKES
    def gradients(w, b, x, y, l2):
        """Loss and gradients of one batch."""
        z = x @ w + b
        error = np.exp(-np.logaddexp(0, -z)) - y
        loss = np.mean(np.logaddexp(0, z) - y * z) + l2 / 2 * np.sum(w**2)
        return loss, x.T @ error / len(y) + l2 * w, np.mean(error)

    def cut(order, size, last=True, ahead=None, overlap=False, left=0, only=None):
        """Return the batches of a pass."""
        found = [order[i : i + size - left] for i in range(0, len(order), 1 if overlap else size)]
        if not last:
            found = [rows for rows in found if len(rows) == size]
        return found[:ahead] if only is None else found[only:]

    def made(
        sign=-1, moves="both", rows="batch", labels="same", anew=False, passes=None, begin=0.0, scale=None,
        noted="before", penalty="all", order="weights", again=False, fixed=None, kept=0.0, one_order=False, **cuts,
    ):
        """The descent with parts that can be exchanged."""

        def step(w, b, x, y, l2, rate, size):
            loss, gw, gb = gradients(w, b, x, y, l2)
            times = {None: 1, "sum": len(y), "mean": 1 / len(y), "size": 1 / size, "full": len(y) / size}[scale]
            times *= sign * rate
            if again:
                gb = gradients(w + times * gw, b, x, y, l2)[2]
            if penalty == "bias":
                gb += l2 * b
            if penalty == "gradient":
                loss -= l2 / 2 * np.sum(w**2)
            if penalty == "loss":
                gw = gw - l2 * w
            return loss, times * gw * (moves != "bias"), times * gb * (moves != "weights")

        def run(features, given, orders, size, rate, l2=0.0):
            x = features.toarray() if sparse.issparse(features) else np.asarray(features, dtype=float)
            y, l2, rate = np.asarray(given).astype(float), l2 if penalty else 0.0, fixed or rate
            orders = list(orders[:1]) * len(orders) if one_order else list(orders)
            w, b, losses, to_w, to_b = np.full(x.shape[1], begin), begin, [], 0.0, 0.0
            for of_pass in orders[:passes]:
                w, b = (0 * w, 0.0) if anew else (w, b)
                at, found = 0, []
                for batch in cut(np.asarray(of_pass), size, **cuts):
                    place = np.arange(at, at + len(batch))
                    at += len(batch)
                    chosen = {"batch": batch, "all": np.arange(len(y)), "place": place}[rows]
                    part = x[chosen], y[{"same": chosen, "place": place}[labels]]
                    loss, more_w, more_b = step(w, b, *part, l2, rate, size)
                    if noted == "all":
                        loss = gradients(w, b, x, y, l2)[0]
                    to_w, to_b = kept * to_w + more_w, kept * to_b + more_b
                    w, b = w + to_w, b + to_b
                    found.append(gradients(w, b, *part, l2)[0] if noted == "after" else loss)
                losses += {"last": found[-1:], "mean": [np.mean(found)]}.get(noted, found)
            if noted == "one":
                losses = losses[-1] if losses else 0.0
            if noted == "fewer":
                losses = losses[:-1]
            if noted == "more":
                losses = [*losses, gradients(w, b, x, y, l2)[0]]
            return {"weights": (w, b, losses), "losses": (losses, w, b), "bias": (b, w, losses), "two": (w, b)}[order]

        return run

    check.mistakes({
        "each step went up the hill: subtract the gradient": made(sign=1),
        "the bias never moved: it has a gradient, too": made(moves="weights"),
        "the weights never moved: only the bias did": made(moves="bias"),
        "each step looked at all messages: take loss and gradients of the batch alone": made(rows="all"),
        "the order was not used: a batch is order[start : start + size], not the rows start to start + size":
            made(rows="place", labels="place"),
        "the labels of a batch belong to other messages: pick them with the same row numbers": made(labels="place"),
        "each pass took the order of the first: each has an order of its own": made(one_order=True),
        "the weights began anew in each pass: they go on from where the last pass ended": made(anew=True),
        "only the first pass was made: is the return inside the loop over the passes?": made(passes=1),
        "only the first batch of each pass made a step": made(ahead=1),
        "only the last batch of each pass made a step: the step belongs inside the inner loop": made(only=-1),
        "the last, smaller batch was left out: it makes a step like any other": made(last=False),
        "the batches overlap: the next one starts `size` rows further on": made(overlap=True),
        "a row is missing from each batch: order[start : start + size] has `size` of them": made(left=1),
        "the weights and the bias began at 1: start from zeros": made(begin=1.0),
        "the gradient was multiplied by the size of the batch: it is a mean already": made(scale="sum"),
        "the gradient was divided by the size of the batch: it is a mean already": made(scale="mean"),
        "the last, smaller batch was divided by `size`: its gradient is the mean over its own messages":
            made(scale="full"),
        "the rate was divided by `size`: the gradient is a mean already": made(scale="size"),
        "each loss is the one after the step: note the one that came with the gradients": made(noted="after"),
        "each loss is that of all messages: note the loss of the batch": made(noted="all"),
        "there is one loss for each pass, its last: note one for each step": made(noted="last"),
        "there is one loss for each pass, its mean: note one for each step": made(noted="mean"),
        "only the last loss came back: collect all of them in a list": made(noted="one"),
        "the loss of the last step is missing: note each before its step": made(noted="fewer"),
        "one loss too many: none is noted after the last step": made(noted="more"),
        "the penalty is missing: hand l2 on": made(penalty=None),
        "the losses lack the penalty, which the steps have": made(penalty="gradient"),
        "the steps lack the penalty, which the losses have": made(penalty="loss"),
        "the penalty is on the weights alone: here the bias has one, too": made(penalty="bias"),
        "the bias moved along a gradient that was taken after the weights had moved: take both at the same point":
            made(again=True),
        "the losses come last: return weights, bias, losses": made(order="losses"),
        "weights and bias are swapped: return weights, bias, losses": made(order="bias"),
        "the losses are missing: return weights, bias, losses": made(order="two"),
        "the rate is an argument: here it is 1": made(fixed=1.0),
        "the rate is an argument: here it is 0.1": made(fixed=0.1),
        "each step kept nine tenths of the last one (momentum): a step is the rate times this gradient alone":
            made(kept=0.9),
    }, descend)
    ### END MISTAKES
    two = np.array([[2.0], [1.0]])
    check(descend, two, np.array([1, 0]), np.array([[0, 1]]), 1, 1.0).equals(
        (np.array([0.182426]), -0.317574, [0.693147, 1.701413]), rtol=1e-4, about="two batches of one message"
    )
    features = np.array([[1.0, 0], [0, 2], [1, 1], [2, 0], [0, 1]])
    labels, orders = np.array([1, 0, 1, 1, 0]), np.array([[4, 0, 3, 1, 2], [2, 1, 0, 4, 3]])
    check(descend, features, labels, orders, 2, 0.5).equals(
        (np.array([0.90882, -0.392093]), 0.234821, [0.693147, 0.575939, 0.693147, 0.555795, 0.5035, 0.17575]),
        rtol=1e-4, about="two passes, the last batch smaller",
    )
    of_sparse = check(descend, sparse.csr_matrix(features), labels.astype(np.uint8), orders, 3, 2.0, l2=0.3).equals(
        (np.array([0.530363, -0.675968]), 0.084208, [0.693147, 0.59345, 0.551709, 0.576105]),
        rtol=1e-4, about="sparse features, a penalty",
    )
    check(descend, features, labels, orders[:1], 5, 0.5).equals(
        (np.array([0.2, -0.1]), 0.05, [0.693147]), rtol=1e-4, about="all messages in one batch", edge=True,
        near=None if of_sparse.error else {
            "features may be dense, too: an array has no method of sparse matrices, such as toarray": AttributeError},
    )
    ### BEGIN HIDDEN TESTS
    import torch

    def by_torch(x, y, orders, size, rate, l2):
        """The oracle: torch's loss and its derivatives, in float64."""
        x, y = torch.tensor(x, dtype=torch.float64), torch.tensor(np.asarray(y), dtype=torch.float64)
        w = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
        b = torch.zeros((), dtype=torch.float64, requires_grad=True)
        losses = []
        for order in orders:
            for rows in torch.tensor(np.asarray(order)).split(size):
                loss = torch.nn.functional.binary_cross_entropy_with_logits(x[rows] @ w + b, y[rows])
                loss = loss + l2 / 2 * (w**2).sum()
                for value, slope in zip((w, b), torch.autograd.grad(loss, (w, b)), strict=True):
                    value.data -= rate * slope
                losses.append(loss.item())
        return w.detach().numpy(), b.item(), losses

    check.hidden()
    for about, n, size, passes, l2 in [
        ("random messages", 12, 4, 2, 0.0), ("random messages", 12, 4, 2, 0.0), ("a smaller last batch", 11, 4, 3, 0.0),
        ("random messages with a penalty", 10, 3, 2, 1.2), ("sparse features", 14, 4, 2, 0.1),
    ]:
        x, rate = check.rng.normal(size=(n, 3)), float(check.rng.uniform(0.3, 0.8))
        y = check.rng.permutation(np.arange(n) % 2)
        orders = np.stack([check.rng.permutation(n) for _ in range(passes)])
        given = sparse.csr_matrix(x) if about == "sparse features" else x
        more = {"l2": l2} if l2 else {}
        check(descend, given, y, orders, size, rate, **more).equals(
            by_torch(x, y, orders, size, rate, l2), about=about, rtol=1e-4, atol=1e-7
        )
    x, y = check.rng.normal(size=(9, 2)), np.array([1, 0, 0, 1, 1, 0, 1, 0, 1])
    part = [check.rng.permutation(9)[:size] for size in (5, 3)]
    check(descend, x, y.astype(np.uint8), part, 2, 0.7).equals(
        by_torch(x, y, part, 2, 0.7, 0.0), about="passes over some of the messages", edge=True, rtol=1e-4, atol=1e-7
    )
    many, hams = check.rng.normal(size=(80, 2)), check.rng.permutation(np.arange(80) % 2)
    once = check.rng.permutation(80)[None]
    check(descend, many, hams, once, 70, 0.02).equals(
        by_torch(many, hams, once, 70, 0.02, 0.0), about="large batches, a small rate", edge=True, rtol=1e-4, atol=1e-7
    )
    whole = np.stack([check.rng.permutation(9)] * 2)
    check(descend, x, y, whole, 20, 0.7).equals(
        by_torch(x, y, whole, 20, 0.7, 0.0), about="a batch larger than the messages", edge=True, rtol=1e-4, atol=1e-7
    )
    check(descend, x, y, whole[:0], 2, 0.7).equals((np.zeros(2), 0.0, []), about="no pass", edge=True)
    ### END HIDDEN TESTS


score
