from helpers.checks import graded


@graded("sinks", points=5)
def score(check):
    import torch

    ### BEGIN MISTAKES
    no_sinks = "the first tokens are not kept"
    window_less = "the window is one too short: the last `window` are kept beside the sinks"
    whole = "nothing is dropped"
    window_first = "the last tokens come first: the order is that of the text"
    shared = "the window holds `window` tokens beside the sinks"

    def positions(length, window, sinks):
        return [i for i in range(length) if i < sinks or i >= length - window]

    check.mistakes({
        no_sinks: lambda n, w, s: positions(n, w, 0),
        window_less: lambda n, w, s: positions(n, w - 1, s),
        "the window is one too long": lambda n, w, s: positions(n, w + 1, s),
        whole: lambda n, w, s: list(range(n)),
        shared: lambda n, w, s: positions(n, w - s, s),
        "one sink too many": lambda n, w, s: positions(n, w, s + 1),
        "a position is there twice: sinks and window overlap":
            lambda n, w, s: [*range(min(s, n)), *range(max(0, n - w), n)],
        "window and sinks are exchanged": lambda n, w, s: positions(n, s, w),
        "a position is negative: where all fit, none is left out":
            lambda n, w, s: [*range(min(s, n)), *(i for i in range(n - w, n) if not 0 <= i < s)],
        "where there are fewer tokens than sinks or window, only those that are there are kept":
            lambda n, w, s: [*range(s), *(i for i in range(n - w, n) if i >= s)],
        "without sinks the first is not kept": lambda n, w, s: positions(n, w, max(s, 1)),
        window_first: lambda n, w, s: positions(n, w, s)[s:] + positions(n, w, s)[:s],
        "counted from 1: the first position is 0": lambda n, w, s: [i + 1 for i in positions(n, w, s)],
    }, kept_positions)

    def pushed(cache, new, w, s, keep=positions):
        both = torch.cat([cache, new], dim=2)
        return both[:, :, keep(both.shape[2], w, s)]

    def fit(cache, new, w, s):
        return cache.shape[2] + new.shape[2] <= w + s

    def apart(c, n, w, s, first=None, last=None):
        both = torch.cat([c, n], 2)
        return torch.cat([(both if first is None else first)[:, :, :s], (both if last is None else last)[:, :, -w:]], 2)

    check.mistakes({
        "the sinks are the first of old and new together: new ones count where the cache is shorter":
            lambda c, n, w, s: apart(c, n, w, s, c, torch.cat([c[:, :, s:], n], 2)),
        "the sinks are the first of old and new together, not of the new":
            lambda c, n, w, s: torch.cat([c, n], 2) if fit(c, n, w, s) else apart(c, n, w, s, n),
        "a token is there twice: sinks and window overlap": apart,
        "the old tokens were cut before the new ones were added: cut both together":
            lambda c, n, w, s: torch.cat([pushed(c, n[:, :, :0], w, s), n], 2),
        "the window is the last of old and new together: here it is one of the old, beside the new":
            lambda c, n, w, s: torch.cat([c[:, :, :s], c[:, :, s:][:, :, -w:], n], 2),
        "the old cache was cut to the window before the new ones were added: its first tokens, the sinks, are gone":
            lambda c, n, w, s: pushed(c[:, :, -w:], n, w, s),
        "the window is the last of old and new together: here of the new alone":
            lambda c, n, w, s: torch.cat([c[:, :, :s], n[:, :, -w:]], 2),
        "only one of the new tokens was put in: several may come at once":
            lambda c, n, w, s: pushed(c, n[:, :, -1:], w, s),
        "only the first of the new tokens was put in: several may come at once":
            lambda c, n, w, s: pushed(c, n[:, :, :1], w, s),
        "nothing is dropped while the old cache was not full: count the new tokens, too":
            lambda c, n, w, s: torch.cat([c, n], 2) if c.shape[2] < w + s else pushed(c, n, w, s),
        "for each new token an old one was dropped: only those without a place go":
            lambda c, n, w, s: torch.cat([c[:, :, :s], c[:, :, s + n.shape[2] :], n], 2),
        "window and sinks are exchanged": lambda c, n, w, s: pushed(c, n, s, w),
        window_first:
            lambda c, n, w, s: torch.cat([torch.cat([c, n], 2)[:, :, -w:], torch.cat([c, n], 2)[:, :, :s]], 2),
        no_sinks: lambda c, n, w, s: pushed(c, n, w, 0),
        whole: lambda c, n, w, s: torch.cat([c, n], 2),
        window_less: lambda c, n, w, s: pushed(c, n, w - 1, s),
        shared: lambda c, n, w, s: pushed(c, n, w - s, s),
        "the window is one too long": lambda c, n, w, s: pushed(c, n, w + 1, s),
        "the new tokens are before the old ones": lambda c, n, w, s: pushed(n, c, w, s),
        "the new token is not there": lambda c, n, w, s: c,
        "one is dropped for each call: several tokens may come at once":
            lambda c, n, w, s: torch.cat([c, n] if fit(c, n, w, s) else [c[:, :, :s], c[:, :, s + 1 :], n], 2),
        "the dtype changed: float64 goes in and must come out": lambda *a: pushed(*a).float(),
    }, evict)

    def first(w):
        columns = [w[b, :, i, 0] for b in range(len(w)) for i in range(1, w.shape[2])]
        return torch.stack(columns).mean(0)

    check.mistakes({
        "the first row has no choice: leave it out": lambda w: w[..., 0].mean((0, 2)),
        "a number for each head is asked for: (H,)": lambda w: first(w).mean()[None],
        "that is the first query's row: the first key's column is asked for": lambda w: w[:, :, 0].mean((0, 2)),
        "that is the first query's row after its first key: the first key's column is asked for":
            lambda w: w[:, :, 0, 1:].mean((0, 2)),
        "the weight on the token itself was taken": lambda w: w.diagonal(dim1=2, dim2=3)[..., 1:].mean((0, 2)),
        "the last key's column was taken": lambda w: w[:, :, 1:, -1].mean((0, 2)),
        "divide by the number of queries that count, T - 1": lambda w: w[:, :, 1:, 0].sum(2).mean(0) / w.shape[2],
        "an axis of size 1 was squeezed away: one head keeps its axis": lambda w: first(w).squeeze(),
        "this is one number for all heads: one for each is asked for, (H,)": lambda w: first(w).mean(),
        "this is the sum over the queries: their mean is asked for": lambda w: w[:, :, 1:, 0].sum(2).mean(0),
        "this is the sum over the texts: their mean is asked for": lambda w: w[:, :, 1:, 0].mean(2).sum(0),
        "the second key's column was taken: the first key is number 0": lambda w: w[:, :, 1:, 1].mean((0, 2)),
        "one mean of all heads is used for each: every head has its own": lambda w: first(w).mean().expand(w.shape[1]),
        "the last query was left out: the first one is": lambda w: w[:, :, :-1, 0].mean((0, 2)),
        "this is a number for each text: one for each head is asked for": lambda w: w[:, :, 1:, 0].mean((1, 2)),
        "the weight on all keys was taken, whose mean is 1 / T: the first key is asked for":
            lambda w: w[:, :, 1:].mean((0, 2, 3)),
        "the last row alone was taken": lambda w: w[:, :, -1, 0].mean(0),
        "only the first text counts": lambda w: w[0, :, 1:, 0].mean(1),
        "the dtype changed: float64 goes in and must come out": lambda w: first(w).float(),
    }, first_weight)
    ### END MISTAKES
    t = torch.tensor
    check(kept_positions, 10, 4, 2).equals([0, 1, 6, 7, 8, 9])
    check(kept_positions, 5, 4, 2).equals([0, 1, 2, 3, 4], about="all fit")
    cache, new = t([[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]]), t([[[[7.0]]]])
    check(evict, cache, new, 3, 2).equals([[[[1.0], [2.0], [5.0], [6.0], [7.0]]]])
    check(evict, t([[[[1.0]]]]), t([[[[2.0], [3.0]]]]), 4, 2).equals([[[[1.0], [2.0], [3.0]]]], about="all fit")
    check(evict, cache[:, :, :1], cache[:, :, 1:], 2, 2).equals(
        [[[[1.0], [2.0], [5.0], [6.0]]]], about="several new ones")
    weights = t([[[[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.1, 0.2, 0.7]]]])
    check(first_weight, weights).equals([0.25], rtol=1e-4)
    one = [[[1.0, 0.0], [0.4, 0.6]], [[1.0, 0.0], [0.2, 0.8]]]
    other = [[[1.0, 0.0], [0.8, 0.2]], [[1.0, 0.0], [0.0, 1.0]]]
    two = t([one, other])
    check(first_weight, two).equals([0.6, 0.1], rtol=1e-4, about="two heads")
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()
    for n, w, s in [(20, 6, 3), (31, 4, 5), (100, 64, 4), (9, 2, 1)]:
        check(kept_positions, n, w, s).equals(positions(n, w, s), about="fresh sizes", weight=2)
    for n, w, s in [(7, 4, 2), (6, 4, 2), (5, 4, 2), (3, 4, 2), (1, 4, 2), (7, 1, 6), (8, 1, 6)]:
        check(kept_positions, n, w, s).equals(positions(n, w, s), about="around the size of the cache", edge=True)
    for n, w, s in [(9, 3, 0), (2, 3, 0), (5, 1, 0), (0, 3, 2), (4, 2, 7)]:
        check(kept_positions, n, w, s).equals(positions(n, w, s), about="no sinks, no tokens", edge=True)

    def draw(*shape, dtype=torch.float32):
        return t(check.rng.normal(size=shape), dtype=dtype)

    for B, H, n, m, d, w, s in [(2, 3, 7, 1, 4, 5, 2), (3, 2, 6, 1, 3, 4, 2), (2, 2, 9, 1, 5, 3, 1)]:
        case = draw(B, H, n, d), draw(B, H, m, d), w, s
        check(evict, *case).equals(pushed(*case), about="one new token", weight=2)
    for B, H, n, m, d, w, s in [(2, 3, 7, 4, 2, 5, 2), (2, 2, 3, 9, 3, 4, 1)]:
        case = draw(B, H, n, d), draw(B, H, m, d), w, s
        check(evict, *case).equals(pushed(*case), about="several new tokens")
    for n, m, w, s in [(0, 7, 4, 2), (1, 8, 3, 3), (2, 6, 2, 4), (0, 2, 1, 3)]:
        case = draw(2, 1, n, 3), draw(2, 1, m, 3), w, s
        check(evict, *case).equals(pushed(*case), about="a cache shorter than the sinks, many new tokens", edge=True)
    for n, m, w, s in [(0, 1, 3, 1), (2, 1, 3, 1), (3, 1, 3, 1), (4, 1, 3, 1), (5, 1, 3, 0), (1, 1, 1, 0)]:
        case = draw(2, 1, n, 3), draw(2, 1, m, 3), w, s
        check(evict, *case).equals(pushed(*case), about="a cache that is empty, or just full", edge=True)
    case = draw(2, 2, 6, 3, dtype=torch.float64), draw(2, 2, 1, 3, dtype=torch.float64), 4, 1
    check(evict, *case).equals(pushed(*case), about="float64 stays", edge=True, rtol=1e-12)
    for B, H, T in [(2, 3, 5), (3, 2, 7), (4, 5, 3)]:
        weights = torch.softmax(2 * draw(B, H, T, T) + torch.full((T, T), -torch.inf).triu(1), -1)
        check(first_weight, weights).equals(first(weights), about="fresh weights", rtol=1e-4)
    weights = torch.softmax(draw(1, 1, 2, 2, dtype=torch.float64), -1)
    check(first_weight, weights).equals(first(weights), about="axes of size 1, float64", edge=True, rtol=1e-10,
                                          atol=1e-13)
    check.mistakes({}, kept_positions, evict, first_weight)
    check(kept_positions, 300, 90, 70).equals(positions(300, 90, 70), about="a large cache", edge=True)
    case = 100 * draw(70, 1, 150, 1), 100 * draw(70, 1, 1, 1), 80, 66
    check(evict, *case).equals(pushed(*case), about="a large cache", edge=True)
    case = draw(2, 2, 6, 3), draw(2, 2, 1, 3), 4, 1
    check(slopes, evict, *case).equals(golden(pushed, *case), about="gradients", rtol=1e-4)
    weights = torch.softmax(draw(70, 2, 4, 4), -1)
    check(first_weight, weights).equals(first(weights), about="many texts", edge=True, rtol=1e-4)
    check(slopes, first_weight, weights).equals(golden(first, weights), about="gradients", rtol=1e-4)
    ### END HIDDEN TESTS


score
