from helpers.checks import graded


@graded("relative", points=8)
def score(check):
    import numpy as np
    import torch

    says = {
        "sign": "the difference is turned round: it is j - i, key minus query",
        "uncut": "differences beyond m must be cut to m",
        "wrapped": "a negative difference must not count from the end of the table: add m",
        "absolute": "the sign of the difference was lost: before and after have numbers of their own",
        "early": "the difference was cut by m - 1 here",
        "from_0": "negative differences were cut to 0; they are cut to -m",
        "to_0": "positive differences were cut to 0; they are cut to m",
        "plus_two": "the rates are base^(-i / d) here; the exponent is -2i / d",
        "up": "the positions were multiplied by base^(+2i / d): the exponent is negative",
        "from_one": "the positions were counted from 1, or moved: take them as they come",
        "counted": "the positions were counted anew from 0: take them as they come",
        "doubled": "each angle came twice: one for each pair",
        "base": "`base` was ignored",
        "halves": "the wrong pairs: feature i was paired with i + d/2. Here neighbours are a pair: (0, 1), (2, 3), ...",
        "clockwise": "the turn goes the wrong way: the sine with the minus belongs to the first of the pair",
        "half_out": "the pairs are the neighbours, but they were put back as two halves, not side by side",
        "mixed_sign": "one sign is wrong: this is a mirror, not a turn",
        "exchanged": "sine and cosine are exchanged",
        "written": "the second of the pair was computed from the first as already turned: keep both until the end",
        "square": "the result is (H, T_q, T_k): `len_k` was not used",
        "at_end": "both begin at position 0; here the queries stand at the end of the keys",
        "first_pair": "all pairs were turned by the first pair's angle: each has its own",
        "only_cos": "only x times the cosine came: the part with the sine is missing",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    table = torch.tensor([[10.0, 20.0, 30.0]])  # for the differences -1, 0, 1
    check(relative_bias, table, 2, 3).equals([[[20, 30, 30], [10, 20, 30]]], near={
        says["sign"]: [[[20.0, 10.0, 10.0], [30.0, 20.0, 10.0]]],
        says["wrapped"]: [[[10.0, 20.0, 20.0], [30.0, 10.0, 20.0]]], says["uncut"]: IndexError,
        says["absolute"]: [[[20.0, 30.0, 30.0], [30.0, 20.0, 30.0]]],
        says["early"]: [[[20.0, 20.0, 20.0], [20.0, 20.0, 20.0]]],
        says["square"]: [[[20.0, 30.0], [10.0, 20.0]]],
        says["from_0"]: [[[20.0, 30.0, 30.0], [20.0, 20.0, 30.0]]],
        says["to_0"]: [[[20.0, 20.0, 20.0], [10.0, 20.0, 20.0]]],
        says["at_end"]: [[[10.0, 20.0, 30.0], [10.0, 10.0, 20.0]]],
    })
    positions = torch.tensor([0.0, 1.0, 2.0])
    check(rotary_angles, positions, 4).equals([[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]], **loose, near={
        says["plus_two"]: [[0.0, 0.0], [1.0, 0.1], [2.0, 0.2]], says["up"]: [[0.0, 0.0], [1.0, 100.0], [2.0, 200.0]],
        says["from_one"]: [[1.0, 0.01], [2.0, 0.02], [3.0, 0.03]],
        says["doubled"]: [[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.01, 0.01], [2.0, 2.0, 0.02, 0.02]],
    })
    turn = torch.pi / 6 * torch.tensor([[0.0], [1.0], [2.0], [3.0]])
    x = torch.tensor([[1.0, 0.0]]).repeat(4, 1)
    check(rotate_pairs, x, turn).equals([[1.0, 0.0], [0.866, 0.5], [0.5, 0.866], [0.0, 1.0]], **loose, near={
        says["clockwise"]: [[1.0, 0.0], [0.866, -0.5], [0.5, -0.866], [0.0, -1.0]],
        "the wrong pairs (feature i with i + d/2), and the turn goes the wrong way": [
            [1.0, 0.0], [0.866, -0.5], [0.5, -0.866], [0.0, -1.0]],
        says["exchanged"]: [[0.0, 1.0], [0.5, 0.866], [0.866, 0.5], [1.0, 0.0]],
        says["only_cos"]: [[1.0, 0.0], [0.866, 0.0], [0.5, 0.0], [0.0, 0.0]],
        says["written"]: [[1.0, 0.0], [0.866, 0.433], [0.5, 0.433], [0.0, 0.0]],
    })
    x, quarter = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[torch.pi / 2, 0.0]])
    check(rotate_pairs, x, quarter).equals([[-2.0, 1.0, 3.0, 4.0]], **loose, near={
        says["halves"]: [[-3.0, 2.0, 1.0, 4.0]], says["clockwise"]: [[2.0, -1.0, 3.0, 4.0]],
        says["half_out"]: [[-2.0, 3.0, 1.0, 4.0]], says["mixed_sign"]: [[-2.0, 1.0, 3.0, -4.0]],
        says["exchanged"]: [[1.0, 2.0, -4.0, 3.0]], says["only_cos"]: [[0.0, 0.0, 3.0, 4.0]],
        says["written"]: [[-2.0, -2.0, 3.0, 4.0]], says["first_pair"]: [[-2.0, 1.0, -4.0, 3.0]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks import gradients

    lost = {"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"}


    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def biased(change, cut=True, least=None):
        """A table of differences, changed, cut and looked up."""

        def function(table, T_q, T_k):
            m = table.shape[1] // 2
            d = change(torch.arange(T_k)[None] - torch.arange(T_q)[:, None])
            limit = m if least is None else max(m - least, 0)
            return table[:, (d.clamp(-limit, limit) if cut else d) + m]

        return function

    check.mistakes({
        says["sign"]: biased(lambda d: -d),
        says["uncut"]: biased(lambda d: d, cut=False),
        says["wrapped"]: lambda t, T_q, T_k: biased(lambda d: d)(t.roll(t.shape[1] // 2, 1), T_q, T_k),
        says["absolute"]: biased(abs),
        says["early"]: biased(lambda d: d, least=1),
        says["from_0"]: biased(lambda d: d.clamp(min=0)),
        says["to_0"]: biased(lambda d: d.clamp(max=0)),
        says["square"]: lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_q),
        says["at_end"]: lambda t, T_q, T_k: biased(lambda d: d - (T_k - T_q))(t, T_q, T_k),
        "differences outside the table were taken round it; cut them to m": lambda t, T_q, T_k: t[
            :, (torch.arange(T_k)[None] - torch.arange(T_q)[:, None] + t.shape[1] // 2) % t.shape[1]
        ],
        "this is (H, T_k, T_q): queries are in rows": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k).mT,
        "the heads come first: (H, T_q, T_k)": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k).permute(1, 2, 0),
        "only the first head's numbers were used": lambda t, T_q, T_k: biased(lambda d: d)(
            t[:1].expand_as(t), T_q, T_k
        ),
        "differences beyond m got 0; they get the number for m": lambda t, T_q, T_k: biased(lambda d: d)(t, T_q, T_k)
        * ((torch.arange(T_k)[None] - torch.arange(T_q)[:, None]).abs() <= t.shape[1] // 2),
    })
    def biased_by(H, m, T_q, T_k, size=1, **how):
        table = size * draw(H, 2 * m + 1)
        rows = [[int(np.clip(j - i, -m, m)) + m for j in range(T_k)] for i in range(T_q)]
        check(relative_bias, table, T_q, T_k).equals(np.take(table.numpy(), rows, axis=1), **how)

    for H, m, T_q, T_k in [(2, 3, 5, 7), (3, 2, 6, 4), (2, 1, 5, 5), (4, 6, 4, 4)]:
        biased_by(H, m, T_q, T_k, about="another table")
    biased_by(70, 66, 70, 75, size=40, about="a large table, long texts")
    for case in [(1, 2, 1, 4), (2, 1, 3, 1), (1, 0, 2, 3), (1, 1, 1, 1), (2, 4, 1, 9)]:
        biased_by(*case, about="axes of size 1, or m = 0", edge=True)

    def rates(d, base, power=-1.0):
        return torch.tensor(base ** (power * np.arange(0, d, 2) / d), dtype=torch.float32)

    check.mistakes({
        says["plus_two"]: lambda p, d, base=1e4: p[:, None] * rates(d, base, -0.5),
        says["up"]: lambda p, d, base=1e4: p[:, None] * rates(d, base, 1.0),
        "the rates are base^(-4i / d) here; the exponent is -2i / d": lambda p, d, base=1e4: p[:, None]
        * rates(d, base, -2.0),
        says["from_one"]: lambda p, d, base=1e4: (p + 1)[:, None] * rates(d, base),
        says["counted"]: lambda p, d, base=1e4: torch.arange(len(p))[:, None] * rates(d, base),
        says["doubled"]: lambda p, d, base=1e4: (p[:, None] * rates(d, base)).repeat_interleave(2, -1),
        "each angle came twice, as two halves: one for each pair": lambda p, d, base=1e4: (
            p[:, None] * rates(d, base)
        ).repeat(1, 2),
        "the positions were cut to whole numbers: they may be any": lambda p, d, base=1e4: p.long()[:, None]
        * rates(d, base),
        "there is one angle for each pair, not for each feature": lambda p, d, base=1e4: p[:, None]
        * base ** (-torch.arange(d) / d),
        says["base"]: lambda p, d, base=1e4: p[:, None] * rates(d, 1e4),
        "the angles are multiplied by 2 pi; they are in radians as they are": lambda p, d, base=1e4: 2
        * torch.pi * p[:, None] * rates(d, base),
        "this is (d/2, T): positions are the rows": lambda p, d, base=1e4: (p[:, None] * rates(d, base)).mT,
    })
    trained = partial(gradients.trained, check, slopes)

    for T, d in [(5, 8), (4, 6), (7, 4)]:
        positions = torch.tensor(np.sort(check.rng.choice(50, size=T, replace=False) - 10) / 4, dtype=torch.float32)
        for base in (1e4, 300.0):
            each = [[p * base ** (-2 * i / d) for i in range(d // 2)] for p in positions.tolist()]
            check(rotary_angles, positions, d, base).equals(each, about="other angles", rtol=1e-4, atol=1e-6)
    for T, d in [(80, 70), (1, 2), (3, 2), (1, 6)]:
        positions = torch.arange(T) * 3 + (2000 if T == 80 else 1)
        about = "many positions, far away" if T == 80 else "one position, one pair"
        each = [[p * 1e4 ** (-2 * i / d) for i in range(d // 2)] for p in positions.tolist()]
        for given in (positions, positions.float()):
            check(rotary_angles, given, d).equals(each, about=about, edge=T < 80, rtol=1e-4, atol=1e-6)
    check(rotary_angles, torch.arange(4), 6).holds(
        lambda t: str(t.dtype) == "torch.float32", "32-bit floats", about="angles of integers", edge=True,
        near={"integers give float32 angles": lambda t: str(t.dtype) != "torch.float32"},
    )

    def halves(x):
        return x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]

    def written(x, a):
        even = x[..., 0::2] * a.cos() - x[..., 1::2] * a.sin()
        return torch.stack([even, even * a.sin() + x[..., 1::2] * a.cos()], -1).flatten(-2)

    def turned(x, a, sin=torch.sin, cos=torch.cos, apart=False, out=False, mirror=False):
        """Rotate, with one part exchanged for a mistake's."""
        even, odd = halves(x) if apart else (x[..., 0::2], x[..., 1::2])
        one, other = even * cos(a) - odd * sin(a), even * sin(a) + odd * cos(a) * (-1 if mirror else 1)
        return torch.cat([one, other], -1) if apart or out else torch.stack([one, other], -1).flatten(-2)

    check.mistakes({
        says["halves"]: lambda x, a: turned(x, a, apart=True),
        says["clockwise"]: lambda x, a: turned(x, -a),
        "the wrong pairs (feature i with i + d/2), and the turn goes the wrong way": lambda x, a: turned(
            x, -a, apart=True
        ),
        says["half_out"]: lambda x, a: turned(x, a, out=True),
        says["mixed_sign"]: lambda x, a: turned(x, a, mirror=True),
        says["written"]: written,
        "both sines have a plus: the first of the pair needs a minus": lambda x, a: torch.stack(
            [x[..., 0::2] * a.cos() + x[..., 1::2] * a.sin(), x[..., 0::2] * a.sin() + x[..., 1::2] * a.cos()], -1
        ).flatten(-2),
        says["exchanged"]: lambda x, a: turned(x, a, sin=torch.cos, cos=torch.sin),
        says["only_cos"]: lambda x, a: x * a.cos().repeat_interleave(2, -1),
        "the angles were laid out as two halves (repeat); the pairs are neighbours (repeat_interleave)": lambda x, a: (
            x * a.cos().repeat(1, 2)
            + torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2) * a.sin().repeat(1, 2)
        ),
        "the angles are neighbours, but feature i was paired with i + d/2": lambda x, a: (
            x * a.cos().repeat_interleave(2, -1)
            + torch.cat([-halves(x)[1], halves(x)[0]], -1) * a.sin().repeat_interleave(2, -1)
        ),
        "all tokens were turned by the first token's angles": lambda x, a: turned(x, a[:1].expand_as(a)),
        says["first_pair"]: lambda x, a: turned(x, a[:, :1].expand_as(a)),
        "the angles were counted from the first token's: take them as they come": lambda x, a: turned(x, a - a[:1]),
        "x came back as it was": lambda x, a: x,
    })

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
            wanted(torch.cat([q, k]), a), about="the same difference at other places", **close
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
        about="the same difference at other places",
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
