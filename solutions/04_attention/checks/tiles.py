from helpers.checks import graded


@graded("tiles", points=6)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from torch.nn.functional import scaled_dot_product_attention

    uncorrected = "what was added up before was not corrected by exp(m - m')"
    total_only = "the output was not corrected by exp(m - m'); only the total was"
    output_only = "the total was not corrected by exp(m - m'); only the output was"
    inverse = "the correction is inverted: it is exp(m - m'), at most 1"
    tile_max = "the maximum is that of the tile alone; it is that of all keys so far"
    divided = "the output is divided by the total already; that is done once, at the end"
    own_max = "the tile's exponentials use the tile's own maximum; they use that of all keys so far"
    one_max = "one maximum for all queries: each query has its own"
    no_max = "no maximum is kept here: large scores overflow"
    softmax = "the tile's softmax times its values was added; add the exponentials times the values"
    fix_of_tile = "the correction uses the tile's own maximum; it uses that of all keys so far"
    over_queries = "the maximum runs over the queries; each query has one over its keys, dim=-1"

    def made(new=None, fix=None, inner=None, end=None):
        """add_tile, with one part exchanged: the maximum, the corrections of total and output, the tile's maximum."""

        def function(m, t, o, s, v):
            top = new(m, s) if new else torch.maximum(m, s.amax(-1))
            c, d = fix(m, top) if fix else (torch.exp(m - top),) * 2
            e = torch.exp(s - (inner(m, s, top) if inner else top)[:, None])
            total, out = c * t + e.sum(-1), d[:, None] * o + e @ v
            return (top, total, out / total[:, None]) if end else (top, total, out)

        return function

    def bare(m, t, o, s, v):
        return m, t + torch.exp(s).sum(-1), o + torch.exp(s) @ v

    def softened(m, t, o, s, v):
        top = torch.maximum(m, s.amax(-1))
        return *made()(m, t, o, s, v)[:2], torch.exp(m - top)[:, None] * o + torch.softmax(s, -1) @ v

    def one(m):
        return torch.ones_like(m)

    def own_fix(m, t, o, s, v):
        top, e = torch.maximum(m, s.amax(-1)), torch.exp(s - torch.maximum(m, s.amax(-1))[:, None])
        c = torch.exp(m - s.amax(-1))
        return top, c * t + e.sum(-1), c[:, None] * o + e @ v

    check.mistakes({
        fix_of_tile: own_fix,
        over_queries: made(new=lambda m, s: torch.maximum(m, s.amax(0))),
        uncorrected: made(fix=lambda m, top: (one(m), one(m))),
        total_only: made(fix=lambda m, top: (torch.exp(m - top), one(m))),
        output_only: made(fix=lambda m, top: (one(m), torch.exp(m - top))),
        inverse: made(fix=lambda m, top: (torch.exp(top - m),) * 2),
        tile_max: made(new=lambda m, s: s.amax(-1)),
        "the maximum before the tile was kept": made(new=lambda m, s: m, inner=lambda m, s, top: m),
        divided: made(end=True),
        "the tile's exponentials use the old maximum; they use the new one": made(inner=lambda m, s, top: m),
        own_max: made(inner=lambda m, s, top: s.amax(-1)),
        one_max: made(new=lambda m, s: torch.maximum(m, s.amax(-1)).amax().expand_as(m)),
        "no maximum was subtracted from the tile's scores": made(inner=lambda m, s, top: torch.zeros_like(m)),
        "the maximum came back as it was given: return the new one": lambda *a: (a[0], *made()(*a)[1:]),
        no_max: bare,
        softmax: softened,
        "the old total is missing": lambda m, t, o, s, v: made()(m, 0 * t, o, s, v),
        "the old output is missing": lambda m, t, o, s, v: made()(m, t, 0 * o, s, v),
    }, add_tile)

    def whole(
        step, end=lambda t, o: o / t[:, None], scale=lambda q, k: q.shape[-1] ** -0.5, keep=lambda n, tile: n,
        first=-torch.inf, by=lambda tile: tile, values=lambda v, i, n: v[i : i + n],
    ):
        """tiled_attention from a step."""

        def function(q, k, v, tile=128):
            m = torch.full((len(q),), first)
            t, o = torch.zeros(len(q)), torch.zeros(len(q), v.shape[-1])
            for i in range(0, keep(len(k), tile), by(tile)):
                part = k[i : i + tile]
                m, t, o = step(m, t, o, q @ part.T * scale(q, part), values(v, i, len(part)))
            return end(t, o)

        return function

    def alone(pick):
        def function(q, k, v, tile=128):
            parts = [
                scaled_dot_product_attention(q, k[i : i + tile], v[i : i + tile]) for i in range(0, len(k), tile)
            ]
            return pick(torch.stack(parts))

        return function

    check.mistakes({
        "the maximum starts too high, at 0 or -1000, say: it starts at minus infinity, below all scores":
            whole(made(), first=0.0),
        tile_max: whole(made(new=lambda m, s: s.amax(-1))),
        fix_of_tile: whole(own_fix),
        over_queries: whole(made(new=lambda m, s: torch.maximum(m, s.amax(0)))),
        total_only: whole(made(fix=lambda m, top: (torch.exp(m - top), one(m)))),
        output_only: whole(made(fix=lambda m, top: (one(m), torch.exp(m - top)))),
        one_max: whole(made(new=lambda m, s: torch.maximum(m, s.amax(-1)).amax().expand_as(m))),
        "no maximum was subtracted from the tile's scores": whole(made(inner=lambda m, s, top: torch.zeros_like(m))),
        no_max: whole(bare),
        softmax: whole(softened),
        "the first values were used for every tile: cut the values as the keys":
            whole(made(), values=lambda v, i, n: v[:n]),
        "the tiles overlap, and keys count more than once: go on by `tile`": whole(made(), by=lambda tile: 1),
        "the root is that of the number of keys in the tile; it is that of d_k":
            whole(made(), scale=lambda q, k: len(k) ** -0.5),
        uncorrected: whole(made(fix=lambda m, top: (one(m), one(m)))),
        inverse: whole(made(fix=lambda m, top: (torch.exp(top - m),) * 2)),
        own_max: whole(made(inner=lambda m, s, top: s.amax(-1))),
        "this is the mean of the tiles' outputs; tiles weigh as much as their total":
            alone(lambda parts: parts.mean(0)),
        "the tiles' outputs were added up": alone(lambda parts: parts.sum(0)),
        "only the last tile counts here": alone(lambda parts: parts[-1]),
        "only the first tile counts here": alone(lambda parts: parts[0]),
        "the output was not divided by the total at the end": whole(made(), end=lambda t, o: o),
        "the scores are not scaled by the root of d_k": whole(made(), scale=lambda q, k: 1),
        "the root is that of d_v, the size of a value; it is that of d_k":
            lambda q, k, v, tile=128: whole(made(), scale=lambda *_: v.shape[-1] ** -0.5)(q, k, v, tile),
        "the last tile, which is shorter, was left out": whole(made(), keep=lambda n, tile: n // tile * tile),
        "the scores are divided by d_k, not by its root": whole(made(), scale=lambda q, k: 1 / q.shape[-1]),
        divided: whole(made(end=True), end=lambda t, o: o),
        "the output was divided at every tile, and at the end": whole(made(end=True)),
    }, tiled_attention)
    ### END MISTAKES
    axis_missing = "there is one factor and one total for each query: it needs an axis more, [:, None]"
    all_scores = "all scores were there at once: make them tile by tile, and keep none of them"
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    start = torch.tensor([-torch.inf]), torch.tensor([0.0]), torch.tensor([[0.0]])
    check(add_tile, *start, torch.tensor([[0.0]]), torch.tensor([[0.0]])).equals(([0.0], [1.0], [[0.0]]), **loose)
    before = torch.tensor([0.0, 2.6931]), torch.tensor([1.0, 3.0]), torch.tensor([[0.5], [1.0]])
    scores, values = torch.tensor([[0.6931, 0.0], [1.3069, 2.0]]), torch.tensor([[2.0], [4.0]])
    second = check(add_tile, *before, scores, values).equals(
        ([0.6931, 2.6931], [2.0, 3.75], [[4.25], [3.5]]), **loose,
        near={axis_missing: ([0.6931, 2.6931], [2.0, 3.75], [[4.2501, 4.5001], [3.0002, 3.5001]])}
    )
    q, v = torch.tensor([[1.0, 0.0, 1.0, 0.0]]), torch.tensor([[7.0, 0.0], [0.0, 7.0], [14.0, 7.0]])
    k = torch.tensor([[0.0, 5.0, 0.0, 5.0], [1.3863, 0.0, 0.0, 5.0], [0.0, 5.0, 2.7726, 0.0]])
    check(tiled_attention, q, k, v, 2).equals([[9.0, 6.0]], **loose)
    low = torch.tensor([[-1000.0]]), torch.tensor([[2.0], [1.9989014]]), torch.tensor([[0.0], [4.0]])
    check(tiled_attention, *low, 1).equals(
        [[3.0]], about="scores of -2000", **loose,
    )
    table = 128 * 128 * 4 / 1e6  # MB of float32
    check(memory_of, tiled_attention, *[torch.ones(128, 2)] * 3, 8).holds(
        lambda mb: mb < table, f"fewer MB than the table of all scores takes, {table:.4f}", about="memory",
        near={all_scores: lambda mb: mb >= table},
    )
    too_many = "exponentials of more than two tiles of scores were taken at once: go through the keys, `tile` at a time"
    check(beside, "largest_exponential", tiled_attention, torch.ones(3, 2), *[torch.ones(40, 2)] * 2, 4).holds(
        lambda n: n <= 2 * 3 * 4, "exponentials of 3 queries and twice 4 keys at most at once", about="tile by tile",
        near={too_many: lambda n: n > 2 * 3 * 4},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    lost = "the dtype changed: float64 goes in and must come out"

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def state(s, v):
        """What is kept of all keys so far, from the definition, in 64 bits."""
        m = s.double().amax(-1)
        e = torch.exp(s.double() - m[:, None])
        return m, e.sum(-1), e @ v.double()

    close = {"rtol": 1e-4, "atol": 1e-5}
    axis = {axis_missing: RuntimeError} if axis_missing in second.likely or second.passed else {}
    wider = {"the sum o is as wide as the values: (T_q, d_v)": RuntimeError}
    shorter = {"the last tile may be shorter than the others": RuntimeError}
    for T_q, n, more, d in [(3, 4, 5, 2), (4, 6, 2, 3), (5, 3, 3, 5)]:
        s, v = 3 * draw(T_q, n + more), draw(n + more, d)
        now = tuple(t.float() for t in state(s[:, :n], v[:n]))
        check(add_tile, *now, s[:, n:], v[n:]).equals(state(s, v), about="a second tile", near=axis, **close)
        nothing = torch.full((T_q,), -torch.inf), torch.zeros(T_q), torch.zeros(T_q, d)
        check(add_tile, *nothing, s, v).equals(state(s, v), about="the first tile", near=axis, **close)
        far = s + 1000 * (torch.arange(n + more) >= n) * torch.tensor([[1.0], [-1.0]]).repeat(T_q, 1)[:T_q]
        now = tuple(t.float() for t in state(far[:, :n], v[:n]))
        check(add_tile, *now, far[:, n:], v[n:]).equals(state(far, v), about="tiles far apart", near=axis, **close)
    judged = []  # first keys and values of one width, then of two, then a shorter tile: what fails first is to blame
    for T_q, T_k, d, e, tile in [
        (5, 12, 3, 3, 4), (6, 12, 4, 5, 4), (4, 11, 3, 2, 4), (3, 7, 5, 2, 10), (5, 9, 2, 3, 1)
    ]:
        case = 3 * draw(T_q, d), draw(T_k, d), draw(T_k, e)
        right = [done.passed for done in judged[:2]]
        near = wider if right in ([True], [True, False]) else axis
        near = shorter if right == [True, True] else near
        judged.append(check(tiled_attention, *case, tile).equals(
            scaled_dot_product_attention(*case), about="other tiles", near=near, **close
        ))
    case = 90 * draw(4, 3), 90 * draw(10, 3), draw(10, 2)
    check(tiled_attention, *case, 3).equals(
        scaled_dot_product_attention(*case), about="large scores", near=near, rtol=1e-3, atol=1e-3
    )
    digits = torch.tensor(check.rng.integers(0, 5, size=(10, 1)), dtype=torch.float32)
    far = torch.tensor([[-400.0, -400, -400, 1]]).repeat(4, 1), torch.cat([torch.full((10, 3), 64.0), digits], 1)
    for case in [(20 + draw(4, 3), -20 + draw(10, 3), draw(10, 2)), (*far, draw(10, 2))]:
        check(tiled_attention, *case, 3).equals(
            scaled_dot_product_attention(*case), about="scores far below zero", near=near, rtol=1e-3, atol=1e-3
        )
    case = draw(2, 3), draw(300, 3), draw(300, 2)
    check(tiled_attention, *case).equals(scaled_dot_product_attention(*case), about="without `tile`", **close)
    case = draw(2, 3), draw(1, 3), draw(1, 2)
    check(tiled_attention, *case, 5).equals(case[2].repeat(2, 1), about="one key", edge=True, **close)
    case, table = (draw(256, 2), draw(256, 2), draw(256, 3)), 256 * 256 * 4 / 1e6  # MB of float32
    check(tiled_attention, *case, 8).equals(
        scaled_dot_product_attention(*case), about="memory", rtol=1e-3, atol=1e-4
    )
    check(memory_of, tiled_attention, *case, 8).holds(
        lambda mb: mb < table, "at no time as much memory as the table of all scores takes", about="memory",
        near={all_scores: lambda mb: mb >= table},
    )
    for T_q, T_k, tile in [(2, 60, 5), (5, 80, 3)]:
        case = draw(T_q, 3), draw(T_k, 3), draw(T_k, 2)
        check(tiled_attention, *case, tile).equals(scaled_dot_product_attention(*case), about="tile by tile", **close)
        check(beside, "largest_exponential", tiled_attention, *case, tile).holds(
            lambda n, most=2 * T_q * tile: n <= most, "exponentials of two tiles at most at once", about="tile by tile",
            near={too_many: lambda n, most=2 * T_q * tile: n > most},
        )
    case = 5 * draw(70, 3), draw(200, 3), 60 * draw(200, 2)
    for tile in (130, 64, 199, 200):
        check(tiled_attention, *case, tile).equals(
            scaled_dot_product_attention(*case), about="many queries and keys, large values", rtol=1e-3, atol=1e-2
        )
    for T_q, T_k, d, e, tile in [(1, 1, 1, 1, 1), (1, 4, 3, 1, 3), (3, 2, 1, 1, 1), (1, 3, 1, 2, 2)]:
        case = draw(T_q, d), draw(T_k, d), draw(T_k, e)
        check(tiled_attention, *case, tile).equals(
            scaled_dot_product_attention(*case), about="axes of size 1", edge=True, **close
        )
    for T_q, n, more, d in [(1, 2, 1, 1), (1, 1, 3, 2), (3, 2, 1, 1), (1, 1, 1, 1)]:
        s, v = 3 * draw(T_q, n + more), draw(n + more, d)
        now = tuple(t.float() for t in state(s[:, :n], v[:n]))
        check(add_tile, *now, s[:, n:], v[n:]).equals(state(s, v), about="a tile, axes of size 1", edge=True, **close)
    s, v = 3 * draw(70, 150), 60 * draw(150, 3)
    now = tuple(t.float() for t in state(s[:, :70], v[:70]))
    check(add_tile, *now, s[:, 70:], v[70:]).equals(state(s, v), about="a large tile", rtol=1e-3, atol=1e-2)
    s, v = s.double() / 3, v.double() / 3
    now = state(s[:, :70], v[:70])
    check(add_tile, *now, s[:, 70:], v[70:]).equals(state(s, v), about="64 bits", edge=True, rtol=1e-9, atol=1e-9)
    check(add_tile, *now, s[:, 70:], v[70:]).holds(
        lambda found: all(str(t.dtype) == "torch.float64" for t in found), "three tensors of float64",
        about="the dtype is kept", edge=True,
        near={lost: lambda found: any(str(t.dtype) != "torch.float64" for t in found)},
    )
    case = [t.double() / 3 for t in (draw(3, 4), draw(7, 4), draw(7, 2))]
    check(tiled_attention, *case, 3).equals(
        scaled_dot_product_attention(*case), about="64 bits", edge=True, rtol=1e-11, atol=1e-11
    )
    s[:, 70:] += 30 * torch.tensor([1.0, -1.0]).repeat(35)[:, None]
    check(add_tile, *now, s[:, 70:], v[70:]).equals(
        state(s, v), about="64 bits", edge=True, rtol=1e-11, atol=1e-11
    )
    check(tiled_attention, *(t.double() for t in (draw(3, 4), draw(7, 4), draw(7, 2))), 3).holds(
        lambda t: str(t.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
        near={lost: lambda t: str(t.dtype) != "torch.float64"},
    )
    ### END HIDDEN TESTS


score
