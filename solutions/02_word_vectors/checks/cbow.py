from helpers.checks import graded


@graded("cbow", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    divisor = "the divisor is the number of words that are there, not the width of the window"
    halved = divisor + ", nor half of it"

    def scores(windows, v, u, causal=False, pick=None, divide=None, keep=lambda w: w >= 0):
        """A bag-of-words matrix times the inputs: another way than a look-up."""
        windows = windows[:, : windows.shape[1] // 2] if causal else windows
        windows = windows if pick is None else pick(windows)
        bag = torch.zeros(len(windows), len(v), dtype=torch.float64)
        for b, line in enumerate(windows):
            for i in line[keep(line)]:
                bag[b, i] += 1
        many = bag.sum(1, keepdim=True) if divide is None else divide(windows, bag)
        return bag @ v.double() / many.clamp(min=1) @ u.double().T

    check.mistakes({
        "the vectors of the context are averaged, not added up":
            lambda w, v, u, causal=False: scores(w, v, u, causal, divide=lambda w, bag: torch.ones(len(w), 1)),
        "-1 is no word, but it was looked up: it means the last row":
            lambda w, v, u, causal=False: scores(w, v, u, causal, keep=lambda line: line > -9),
        "-1 is no word, but the first row was added for it": lambda w, v, u, causal=False: scores(
            w.clamp(min=0), v, u, causal),
        "-1 was made 0 for the look-up and added up: mask it in the sum": lambda w, v, u, causal=False: scores(
            w.clamp(min=0), v, u, causal, divide=lambda w2, bag: (
                (w[:, : w.shape[1] // 2] if causal else w) >= 0).sum(1, keepdim=True)),
        "-1 is no word, but the last row was added for it: mask it in the sum": lambda w, v, u, causal=False: scores(
            w, v, u, causal, keep=lambda line: line > -9, divide=lambda w, bag: (w >= 0).sum(1, keepdim=True)),
        "without causal both halves count": lambda w, v, u, causal=False: scores(w, v, u, True),
        "this is the mean h itself; its scores are asked for":
            lambda w, v, u, causal=False: scores(w, v, torch.eye(v.shape[1]), causal),
        "causal: the left half of the columns is read, not half of the words that are there":
            lambda w, v, u, causal=False: scores(w, v, u, False, keep=lambda line: (line >= 0) & (
                (line >= 0).cumsum(0) <= ((line >= 0).sum() // 2 if causal else len(line)))),
        divisor: lambda w, v, u, causal=False: scores(w, v, u, causal, divide=lambda w, bag: torch.full(
            (len(w), 1), w.shape[1])),
        "the divisor is the number of words that are there, at least 1: here 1 was added to it":
            lambda w, v, u, causal=False: scores(w, v, u, causal, divide=lambda w, bag: bag.sum(
            1, keepdim=True) + 1),
        "the divisor is the number of words that are there, not its root":
            lambda w, v, u, causal=False: scores(w, v, u, causal, divide=lambda w, bag: bag.sum(
            1, keepdim=True).sqrt()),
        divisor + " (and causal half of it)": lambda w, v, u, causal=False: scores(
            w, v, u, causal, divide=lambda w2, bag: torch.full((len(w), 1), w.shape[1])),
        halved: lambda w, v, u, causal=False: scores(
            w, v, u, causal, divide=lambda w2, bag: torch.full((len(w), 1), w.shape[1] // 2)),
        "the divisor counts the whole window; causal reads half of it": lambda w, v, u, causal=False: scores(
            w, v, u, causal, divide=lambda w2, bag: (w >= 0).sum(1, keepdim=True)),
        "causal: only the left half of the window counts": lambda w, v, u, causal=False: scores(w, v, u),
        "causal: the left half counts, not the right": lambda w, v, u, causal=False: scores(
            w[:, w.shape[1] // 2 :] if causal else w, v, u),
        "causal: the whole left half counts, not only the word just before": lambda w, v, u, causal=False: scores(
            w[:, w.shape[1] // 2 - 1 : w.shape[1] // 2] if causal else w, v, u),
        "causal: the left half of the columns counts, not every other column":
            lambda w, v, u, causal=False: scores(w[:, ::2] if causal else w, v, u),
        "causal: the left half of the columns counts, not all but the last": lambda w, v, u, causal=False: scores(
            w[:, :-1] if causal else w, v, u),
        "inputs and outputs are exchanged": lambda w, v, u, causal=False: scores(w, u, v, causal),
        "only one table was used": lambda w, v, u, causal=False: scores(w, v, v, causal),
        "word 0 is a word: only -1 is left out": lambda w, v, u, causal=False: scores(
            w, v, u, causal, keep=lambda line: line > 0),
        "a word that occurs twice counts twice": lambda w, v, u, causal=False: scores(
            w, v, u, causal, pick=lambda w: torch.stack([torch.tensor(
                [x if x not in line[:i] else -1 for i, x in enumerate(line)]) for line in w.tolist()])),
        "a softmax was taken; the scores themselves are asked for": lambda w, v, u, causal=False: torch.softmax(
            scores(w, v, u, causal), 1),
        "a log-softmax was taken; the scores themselves are asked for": lambda w, v, u, causal=False: torch.log_softmax(
            scores(w, v, u, causal), 1),
        "without context the mean is zero: 0/0 gave NaN": lambda w, v, u, causal=False: torch.where(
            (w >= 0).any(1, keepdim=True), scores(w, v, u, causal), torch.nan),
        "this is the mean over the whole batch: each window has its own": lambda w, v, u, causal=False: scores(
            w, v, u, causal).mean(0, keepdim=True).expand(len(w), -1),
    }, cbow_scores)
    ### END MISTAKES
    import numpy as np

    v, u = torch.tensor([[2.0, 0], [0, 4], [6, 2]]), torch.tensor([[1.0, 0], [0, 1], [1, 1]])
    check(cbow_scores, torch.tensor([[0, 1], [1, 2]]), v, u).equals(
        [[1, 2, 3], [3, 3, 6]]
    )
    check(cbow_scores, torch.tensor([[1, -1], [-1, -1]]), v, u).equals(
        [[0, 4, 4], [0, 0, 0]]
    )
    twice = "a word that occurs twice in a window counts twice"
    check(cbow_scores, torch.tensor([[1, 1, 0, -1]]), v, u).equals(
        [[2 / 3, 8 / 3, 10 / 3]], rtol=1e-4, near={twice: [[1, 2, 3]]}
    )
    windows = torch.tensor([[0, 1], [1, -1], [-1, -1]])
    check(gradients, cbow_scores, windows, v, u).equals(
        ([[1, 2, 3], [0, 4, 4], [0, 0, 0]], [[1, 1], [3, 3], [0, 0]], [[1, 6], [1, 6], [1, 6]]),
        about="scores and gradients",
        near={"the graph is cut: no .item(), .detach(), .numpy() or float() on the way": RuntimeError},
    )
    check(cbow_scores, torch.tensor([[0, 1, 2, -1], [2, 0, 1, 1]]), v, u, causal=True).equals(
        [[1, 2, 3], [4, 1, 5]]
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    generator = torch.Generator().manual_seed(int(check.rng.integers(1 << 30)))
    for rows, size, width, reach, causal in [
        (5, 6, 4, 2, False),
        (6, 7, 3, 3, True),
        (4, 5, 6, 2, False),
        (5, 8, 4, 2, True),
    ]:
        v, u = torch.randn(2, size, width, generator=generator)
        windows = torch.randint(-1, size, (rows, 2 * reach), generator=generator)
        windows[0, : reach - 1] = -1
        windows[1], windows[2, :2] = windows[1, 0].clamp(min=1), torch.tensor([0, 0])
        about = "random windows, causal" if causal else "random windows"
        value = check(cbow_scores, windows, v, u, **({"causal": True} if causal else {})).equals(
            scores(windows, v, u, causal), about=about, rtol=1e-4, atol=1e-6
        )
    windows[3] = -1
    check(cbow_scores, windows, v, u).equals(
        scores(windows, v, u),
        about="a window without words",
        rtol=1e-4,
        atol=1e-6,
        edge=True,
    )
    uncut = {"the graph is cut: return a tensor, not a Python number": AttributeError}
    if value.passed:
        uncut["the graph is cut: no .item(), .detach(), .numpy() or float() on the way"] = RuntimeError
    leaves = [v.clone().requires_grad_(), u.clone().requires_grad_()]
    value = scores(windows, *leaves)
    check.mistakes({})
    want = (value.detach(), *torch.autograd.grad(value.sum(), leaves))
    check(gradients, cbow_scores, windows, v, u).equals(
        want, about="its gradient", rtol=1e-3, atol=1e-5, near=uncut
    )
    for B, V, d, R in [(70, 70, 3, 2), (3, 5, 1, 1), (2, 1, 3, 2), (2, 4, 3, 40)]:
        windows = torch.randint(-1, V, (B, 2 * R), generator=generator)
        windows[0, :2] = torch.tensor([V - 1, -1])
        leaves = [50 * torch.randn(V, d, generator=generator, dtype=torch.float64).requires_grad_() for _ in "vu"]
        for causal in (False, True):
            value = scores(windows, *leaves, causal)
            want = (value.detach(), *torch.autograd.grad(value.sum(), leaves))
            check(gradients, cbow_scores, windows, *[t.detach() for t in leaves], causal).equals(
                want, about="other sizes, in float64", edge=True, rtol=1e-9, atol=1e-9
            )
    ### END HIDDEN TESTS


score
