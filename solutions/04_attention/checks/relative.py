from helpers.checks import graded


@graded("relative", points=7)
def score(check):
    import torch

    uncut = "differences beyond m must be cut to m"

    ### BEGIN MISTAKES
    import numpy as np

    def differences(T_q, T_k):
        return torch.arange(T_k)[None] - torch.arange(T_q)[:, None]

    def biased(change, cut=True, least=None):
        """A table of differences, changed, cut and looked up."""

        def function(table, T_q, T_k):
            m = table.shape[1] // 2
            d = change(differences(T_q, T_k))
            limit = m if least is None else max(m - least, 0)
            return table[:, (d.clamp(-limit, limit) if cut else d) + m]

        return function

    check.mistakes({
        "the difference is reversed: it is j - i, key minus query": biased(lambda d: -d),
        uncut: biased(lambda d: d, cut=False),
        "a negative difference must not count from the end of the table: add m":
            lambda t, T_q, T_k: biased(lambda d: d)(t.roll(t.shape[1] // 2, 1), T_q, T_k),
        "the sign of the difference was lost: before and after have numbers of their own": biased(abs),
        "the difference was cut by m - 1 here": biased(lambda d: d, least=1),
        "negative differences were cut to 0; they are cut to -m": biased(lambda d: d.clamp(min=0)),
        "positive differences were cut to 0; they are cut to m": biased(lambda d: d.clamp(max=0)),
        "the result is (H, T_q, T_k): `len_k` was not used": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_q),
        "both begin at position 0; here the queries were put at the end of the keys":
            lambda t, T_q, T_k: biased(lambda d: d - (T_k - T_q))(t, T_q, T_k),
        "differences outside the table were wrapped around; cut them to m":
            lambda t, T_q, T_k: t[:, (differences(T_q, T_k) + t.shape[1] // 2) % t.shape[1]],
        "this is (H, T_k, T_q): queries are in rows": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k).mT,
        "the heads come first: (H, T_q, T_k)": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k).permute(1, 2, 0),
        "only the first head's numbers were used":
            lambda t, T_q, T_k: biased(lambda d: d)(t[:1].expand_as(t), T_q, T_k),
        "differences beyond m got 0; they get the number for m":
            lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k) * (differences(T_q, T_k).abs() <= t.shape[1] // 2),
    }, relative_bias)

    def rates(d, base, power=-1.0):
        return torch.tensor(base ** (power * np.arange(0, d, 2) / d), dtype=torch.float32)

    check.mistakes({
        "the rates are base^(-i / d) here; the exponent is -2i / d":
            lambda p, d, base=1e4: p[:, None] * rates(d, base, -0.5),
        "the positions were multiplied by base^(+2i / d): the exponent is negative":
            lambda p, d, base=1e4: p[:, None] * rates(d, base, 1.0),
        "the rates are base^(-4i / d) here; the exponent is -2i / d":
            lambda p, d, base=1e4: p[:, None] * rates(d, base, -2.0),
        "the positions were counted from 1, or moved: take them as they come":
            lambda p, d, base=1e4: (p + 1)[:, None] * rates(d, base),
        "the positions were counted anew from 0: take them as they come":
            lambda p, d, base=1e4: torch.arange(len(p))[:, None] * rates(d, base),
        "each angle is there twice: one for each pair":
            lambda p, d, base=1e4: (p[:, None] * rates(d, base)).repeat_interleave(2, -1),
        "each angle is there twice, as two halves: one for each pair":
            lambda p, d, base=1e4: (p[:, None] * rates(d, base)).repeat(1, 2),
        "the positions were cut to whole numbers: they may be any":
            lambda p, d, base=1e4: p.long()[:, None] * rates(d, base),
        "there is one angle for each pair, not for each feature":
            lambda p, d, base=1e4: p[:, None] * base ** (-torch.arange(d) / d),
        "`base` was ignored": lambda p, d, base=1e4: p[:, None] * rates(d, 1e4),
        "the angles are multiplied by 2 pi; they are in radians as they are":
            lambda p, d, base=1e4: 2 * torch.pi * p[:, None] * rates(d, base),
        "this is (d/2, T): positions are the rows": lambda p, d, base=1e4: (p[:, None] * rates(d, base)).mT,
    }, rotary_angles)

    def halves(x):
        return x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]

    def written(x, a):
        even = x[..., 0::2] * a.cos() - x[..., 1::2] * a.sin()
        return torch.stack([even, even * a.sin() + x[..., 1::2] * a.cos()], -1).flatten(-2)

    def two_plus(x, a):
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * a.cos() + odd * a.sin(), even * a.sin() + odd * a.cos()], -1).flatten(-2)

    def laid_out(x, turned_x, angles):
        return x * angles.cos() + turned_x * angles.sin()

    def neighbours(x):
        return torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)

    def swapped_halves(x):
        return torch.cat([-halves(x)[1], halves(x)[0]], -1)

    def turned(x, a, sin=torch.sin, cos=torch.cos, apart=False, out=False, mirror=False):
        """Rotate, with one part exchanged for a mistake's."""
        even, odd = halves(x) if apart else (x[..., 0::2], x[..., 1::2])
        one, other = even * cos(a) - odd * sin(a), even * sin(a) + odd * cos(a) * (-1 if mirror else 1)
        return torch.cat([one, other], -1) if apart or out else torch.stack([one, other], -1).flatten(-2)

    check.mistakes({
        "the wrong pairs: feature i was paired with i + d/2. Here neighbours are a pair: (0, 1), (2, 3), ...":
            lambda x, a: turned(x, a, apart=True),
        "the turn goes the wrong way: the sine with the minus belongs to the first of the pair":
            lambda x, a: turned(x, -a),
        "the wrong pairs (feature i with i + d/2), and the turn goes the wrong way":
            lambda x, a: turned(x, -a, apart=True),
        "the pairs are the neighbours, but they were put back as two halves, not side by side":
            lambda x, a: turned(x, a, out=True),
        "the wrong pairs (feature i with i + d/2), and they were put back side by side": lambda x, a: torch.stack(
            turned(x, a, apart=True).chunk(2, -1), -1).flatten(-2),
        "one sign is wrong: this is a mirror, not a turn": lambda x, a: turned(x, a, mirror=True),
        "the second of the pair was computed from the first as already turned: keep both until the end": written,
        "both sines have a plus: the first of the pair needs a minus": two_plus,
        "sine and cosine are exchanged": lambda x, a: turned(x, a, sin=torch.cos, cos=torch.sin),
        "only x times the cosine is there: the part with the sine is missing":
            lambda x, a: x * a.cos().repeat_interleave(2, -1),
        "the angles were laid out as two halves (repeat); the pairs are neighbours (repeat_interleave)":
            lambda x, a: laid_out(x, neighbours(x), a.repeat(1, 2)),
        "the angles are neighbours, but feature i was paired with i + d/2":
            lambda x, a: laid_out(x, swapped_halves(x), a.repeat_interleave(2, -1)),
        "all tokens were turned by the first token's angles": lambda x, a: turned(x, a[:1].expand_as(a)),
        "all pairs were turned by the first pair's angle: each has its own":
            lambda x, a: turned(x, a[:, :1].expand_as(a)),
        "the angles were counted from the first token's: take them as they come": lambda x, a: turned(x, a - a[:1]),
        "x came back as it was": lambda x, a: x,
    }, rotate_pairs)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    table = torch.tensor([[10.0, 20.0, 30.0], [1.0, 2.0, 3.0]])  # for the differences -1, 0, 1
    of_bias = check(relative_bias, table, 2, 3).equals(
        [[[20, 30, 30], [10, 20, 30]], [[2, 3, 3], [1, 2, 3]]], near={uncut: IndexError}
    )
    flow = {"about": "gradients of the squares", **loose}
    check(slopes, relative_bias, table[:1], 2, 3).equals([[[20.0, 80.0, 180.0]]], near=cut(of_bias), **flow)
    check(rotary_angles, torch.tensor([0.5, 2.5, 1.0]), 4).equals([[0.5, 0.005], [2.5, 0.025], [1.0, 0.01]], **loose)
    check(rotary_angles, torch.tensor([3, 0, 5]), 4, base=100.0).equals(
        [[3.0, 0.3], [0.0, 0.0], [5.0, 0.5]], rtol=1e-3, atol=2e-4
    )
    check(rotary_angles, torch.tensor([3, 0, 5]), 4).holds(
        lambda t: t.dtype == torch.float32, "a tensor of float32", about="integers give float32",
        near={"another dtype than float32 came": lambda t: t.dtype != torch.float32},
    )
    turn = torch.pi / 6 * torch.tensor([[0.0], [1.0], [2.0], [3.0]])
    x = torch.tensor([[1.0, 0.0]]).repeat(4, 1)
    check(rotate_pairs, x, turn).equals([[1.0, 0.0], [0.866, 0.5], [0.5, 0.866], [0.0, 1.0]], **loose)
    x, quarter = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[torch.pi / 2, 0.0]])
    of_turned = check(rotate_pairs, x, quarter).equals([[-2.0, 1.0, 3.0, 4.0]], **loose)
    check(slopes, rotate_pairs, x, quarter, fixed=(1,)).equals(
        [[[2.0, 4.0, 6.0, 8.0]]], near=cut(of_turned), **flow
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from helpers.checks import gradients

    check.hidden()
    lost = {"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"}

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def biased_by(H, m, T_q, T_k, size=1, **how):
        table = size * draw(H, 2 * m + 1)
        rows = np.clip(np.arange(T_k)[None] - np.arange(T_q)[:, None], -m, m) + m
        check(relative_bias, table, T_q, T_k).equals(np.take(table.numpy(), rows, axis=1), **how)

    for H, m, T_q, T_k in [(2, 3, 5, 7), (3, 2, 6, 4), (2, 1, 5, 5), (4, 6, 4, 4)]:
        biased_by(H, m, T_q, T_k, about="another table")
    biased_by(70, 66, 70, 75, size=40, about="a large table, long texts")
    for case in [(1, 2, 1, 4), (2, 1, 3, 1), (1, 0, 2, 3), (1, 1, 1, 1), (2, 4, 1, 9)]:
        biased_by(*case, about="axes of size 1, or m = 0", edge=True)
    trained = partial(gradients.trained, check, slopes)

    def angle_by_angle(positions, d, base=1e4):
        powers = [base ** (-2 * i / d) for i in range(d // 2)]
        return np.outer(positions.tolist(), powers).tolist()

    for T, d in [(5, 8), (4, 6), (7, 4)]:
        positions = torch.tensor(np.sort(check.rng.choice(50, size=T, replace=False) - 10) / 4, dtype=torch.float32)
        for base in (1e4, 300.0):
            each = angle_by_angle(positions, d, base)
            check(rotary_angles, positions, d, base).equals(each, about="other angles", rtol=1e-4, atol=1e-6)
    for T, d in [(80, 70), (1, 2), (3, 2), (1, 6)]:
        positions = torch.arange(T) * 3 + (2000 if T == 80 else 1)
        about = "many positions, far away" if T == 80 else "one position, one pair"
        each = angle_by_angle(positions, d)
        for given in (positions, positions.float()):
            check(rotary_angles, given, d).equals(each, about=about, edge=T < 80, rtol=1e-4, atol=1e-6)
    check(rotary_angles, torch.arange(4), 6).holds(
        lambda t: str(t.dtype) == "torch.float32", "32-bit floats", about="angles of integers", edge=True,
        near={"integers give float32 angles": lambda t: str(t.dtype) != "torch.float32"},
    )

    def wanted(x, a):
        """Each pair a complex number, times e^(i angle)."""
        pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(a).double(), a.double())).flatten(-2)

    close, fine = {"rtol": 1e-4, "atol": 1e-5}, False
    for lead in [(), (), (3,), (2, 3)]:
        x, a = draw(*lead, 5, 8), 3 * draw(5, 4)
        axes = {"with leading axes it fails: pair the features on the last axis": RuntimeError}
        judged = check(rotate_pairs, x, a).equals(
            wanted(x, a), about="with leading axes" if lead else "fresh input", **close,
            near=axes if lead and fine else {},
        )
        fine = fine or judged.passed
    q, k = draw(1, 8), draw(1, 8)
    products = []
    for m, n in [(0, 3), (5, 8), (21, 24)]:
        a = torch.tensor([[float(m)], [float(n)]]) * rates(8, 1e4)
        check(rotate_pairs, torch.cat([q, k]), a).equals(
            wanted(torch.cat([q, k]), a), about="the same difference at other positions", **close
        )
        products.append(a)
    x, a = 40 * draw(70, 2, 90, 4), 40 * draw(90, 2)
    check(rotate_pairs, x, a).equals(wanted(x, a), about="many tokens, large numbers", rtol=1e-3, atol=1e-2)
    for shape in [(1, 1, 2), (1, 2), (3, 1, 2), (1, 1, 3, 2)]:
        x, a = draw(*shape), 3 * draw(shape[-2], shape[-1] // 2)
        check(rotate_pairs, x, a).equals(wanted(x, a), about="axes of size 1", edge=True, **close)

    def differences_only(*all_angles):
        """The dot products of one query and one key, at three pairs of places with the same difference."""
        turns = [torch.as_tensor(np.asarray(rotate_pairs(torch.cat([q, k]), a))) for a in all_angles]
        return [float(t[0] @ t[1]) for t in turns]

    check(differences_only, *products).holds(
        lambda found: max(found) - min(found) < 1e-4, "one number for each difference",
        about="the same difference at other positions",
    )
    trained(relative_bias, biased(lambda d: d), draw(2, 5), 3, 6)
    trained(rotate_pairs, turned, draw(2, 5, 8), 3 * draw(5, 4), fixed=(1,))
    x, a = draw(2, 5, 8), 3 * draw(5, 4)
    bias, positions = draw(2, 5).double() / 3, torch.arange(1.0, 4.0).double() / 3
    for function, case, each, tolerance in [
        (relative_bias, (bias, 3, 4), biased(lambda d: d)(bias, 3, 4), 1e-10),
        (rotary_angles, (positions, 4), positions[:, None] * torch.tensor([1.0, 0.01], dtype=torch.float64), 1e-6),
        (rotate_pairs, (x.double() / 3, a.double() / 3), wanted(x.double() / 3, a.double() / 3), 1e-10),
    ]:
        check(function, *case).equals(each, about="64 bits", edge=True, rtol=tolerance, atol=tolerance)
        check(function, *case).holds(
            lambda t: str(t.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
            near=lost,
        )
    ### END HIDDEN TESTS


score
