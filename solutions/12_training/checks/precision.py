from helpers.checks import graded


@graded("precision", points=7)
def score(check):
    import torch

    def good_steps(scale, good, every, steps, one=next_scale):
        """The scale and the count after each of some good steps."""
        found = []
        for _ in range(steps):
            scale, good = one(scale, good, True, every)
            found.append([scale, good])
        return found

    ### BEGIN MISTAKES
    def through(w, x, factor, scale, first=None, times=1, *, scaled=True, usable=None, keep=True, given=True, of=all,
                old=0.0, **part):
        """The gradients of factor * sum(x w) in w's dtype, with one part of the rule exchanged."""
        up = torch.tensor(factor * (scale if scaled else 1.0), dtype=torch.float32)
        rows = [x] if first is None else [first] * times + [x]
        gradients = [brought(row * up.to(row.dtype) + old, scale, **part) for row in rows]
        usable = usable or (lambda g: bool(torch.isfinite(g).all()))
        shown = [g.nan_to_num(0.0, torch.inf, -torch.inf) for g in gradients]
        found = {"gradients": shown, "dtypes": [str(g.dtype) for g in gradients], "kept": keep, "given": given}
        return found | {"finite": of(usable(g) for g in gradients)}

    def brought(g, scale, divide=True, wide=True, late=True):
        """The gradient of the scaled loss, divided and in float32."""
        if wide and late:
            g = g.float()
        if divide:
            g = g / scale
        return g.float() if wide else g

    def one(index):
        return lambda usable: list(usable)[index]

    check.mistakes(
        {
            "the loss was not scaled: gradients vanished before they were divided": lambda *a: through(
                *a, scaled=False, divide=False
            ),
            "the loss was not scaled, and the gradients were divided": lambda *a: through(*a, scaled=False),
            "the gradients are those of the scaled loss: divide them by the scale": lambda *a: through(
                *a, divide=False
            ),
            "small numbers vanish: scale the loss, and change to float32 before you divide": lambda *a: through(
                *a, late=False
            ),
            "the gradients are still of 16 bits: float32 is asked for": lambda *a: through(*a, wide=False),
            "infinite gradients are said to be usable": lambda *a: through(*a, usable=lambda g: True),
            "no gradient is said to be usable": lambda *a: through(*a, usable=lambda g: False),
            "usable means that every number is finite: here one finite number was enough": lambda *a: through(
                *a, usable=lambda g: bool(torch.isfinite(g).any())
            ),
            "nan is not finite either": lambda *a: through(*a, usable=lambda g: not bool(g.isinf().any())),
            "only one parameter's gradient was looked at: usable means all of them": lambda *a: through(*a, of=one(-1)),
            "only the first parameter's gradient was looked at: usable means all of them": lambda *a: through(
                *a, of=one(0)
            ),
            "-inf is not finite either": lambda *a: through(*a, usable=lambda g: bool((g < torch.inf).all())),
            "`.grad` of the parameters was changed: it stays as it is": lambda *a: through(*a, keep=False),
            "what lay in `.grad` before was added to the gradients: it stays where it is": lambda *a: through(
                *a, old=5.0, keep=False
            ),
            "the loss or the list of parameters was changed in place: both stay as they are": lambda *a: through(
                *a, given=False
            ),
        },
        through_half,
    )
    def kept(scale, good, finite, every=2000, *, bad=lambda s, g: (s / 2, 0), full=lambda s, g: (s * 2, 0),
             grown=lambda s, g: (s, g + 1), after=0):
        """The next scale and count, with one branch exchanged."""
        if not finite:
            return bad(scale, good)
        if good + 1 - after == every:
            return full(scale, good)
        return grown(scale, good)

    def counted(**part):
        return lambda *a, **how: kept(*a, **how, **part)

    def in_turn(one):
        return lambda *steps: good_steps(*steps, one)

    slips = {
        "the scale was not halved after a step that was not finite": counted(bad=lambda s, g: (s, 0)),
        "the count goes on after a step that was not finite: it begins anew": counted(bad=lambda s, g: (s / 2, g)),
        "the count grew by a step that was not finite": counted(bad=lambda s, g: (s / 2, g + 1)),
        "the scale never grows: it doubles when the count reaches `every`": counted(full=lambda s, g: (s, g + 1)),
        "the scale doubles one step too late": counted(after=1),
        "the scale doubles after every good step":
            counted(full=lambda s, g: (s * 2, g + 1), grown=lambda s, g: (s * 2, g + 1)),
        "the scale doubles after every good step, and the count begins anew: both wait until `every` is reached":
            counted(grown=lambda s, g: (s * 2, 0)),
        "the count does not begin anew when the scale doubles": counted(full=lambda s, g: (s * 2, g + 1)),
        "the count does not grow": counted(grown=lambda s, g: (s, g)),
        "halved and doubled are exchanged": counted(bad=lambda s, g: (s * 2, 0), full=lambda s, g: (s / 2, 0)),
        "the scale falls to 1 after a step that was not finite: it is halved": counted(bad=lambda s, g: (1.0, 0)),
    }
    check.mistakes(slips, next_scale)
    check.mistakes({words: in_turn(one) for words, one in slips.items()}, good_steps)
    ### END MISTAKES
    half, f32, untouched = torch.float16, ["torch.float32"], {"kept": True, "given": True}
    ones = torch.ones(2, dtype=half)
    check(through_half, ones, torch.tensor([1.0, 100.0], dtype=half), 1e-8, 1024.0).equals(
        {"gradients": [[1e-8, 1e-6]], "dtypes": f32, "finite": True, **untouched},
        about="a gradient of 1e-8, by hand",
        rtol=0.02,
        atol=0,
    )
    check(through_half, ones, torch.tensor([100.0, 1.0], dtype=half), 1.0, 1024.0).equals(
        {"gradients": [[float("inf"), 1.0]], "dtypes": f32, "finite": False, **untouched},
        about="a gradient of 100, by hand",
        rtol=0.01,
    )
    check(through_half, ones, torch.tensor([-100.0, 1.0], dtype=half), 1.0, 1024.0).equals(
        {"gradients": [[float("-inf"), 1.0]], "dtypes": f32, "finite": False, **untouched},
        about="a gradient of -100",
        rtol=0.01,
    )
    check(through_half, ones.float(), torch.tensor([0.5, -3.0]), 2.0, 8.0).equals(
        {"gradients": [[1.0, -6.0]], "dtypes": f32, "finite": True, **untouched}, about="float32", rtol=1e-5
    )
    check(through_half, ones, torch.tensor([1.0, 2.0], dtype=half), 1.0, 8.0, torch.tensor([[3.0], [1e38]])).equals(
        {"gradients": [[[3.0], [float("inf")]], [1.0, 2.0]], "dtypes": f32 * 2, "finite": False, **untouched},
        about="two parameters, a gradient of 1e38 in the first",
        rtol=0.01,
    )
    check(next_scale, 65536.0, 5, False).equals((32768.0, 0), about="an overflow")
    check(next_scale, 1024.0, 0, True, 3).equals((1024.0, 1), about="a good step")
    check(next_scale, 1024.0, 2, True, 3).equals((2048.0, 0), about="the count is full")
    check(good_steps, 8.0, 0, 2, 4).equals([[8.0, 1], [16.0, 0], [16.0, 1], [32.0, 0]], about="four good steps in turn")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for dtype, factor, scale in (
        (half, 1e-9, 65536.0),
        (half, 3e-8, 4096.0),
        (torch.bfloat16, 1e-6, 16.0),
        (half, 0.5, 2.0),
    ):
        x = torch.tensor(check.rng.uniform(1, 20, size=7) * check.rng.choice([-1, 1], size=7)).to(dtype)
        w = torch.tensor(check.rng.normal(size=7)).to(dtype)
        check(through_half, w, x, factor, scale).equals(
            {"gradients": [(x.double() * factor).float()], "dtypes": f32, "finite": True, **untouched},
            about="drawn gradients",
            rtol=0.03,
            atol=0,
        )
    x = torch.tensor([1.0, 2.0, 60000.0], dtype=half)
    check(through_half, torch.ones(3, dtype=half), x, 1.0, 4.0).equals(
        {"gradients": [[1.0, 2.0, float("inf")]], "dtypes": f32, "finite": False, **untouched},
        about="one gradient overflows",
        rtol=0.01,
    )
    check(through_half, torch.ones(3), torch.tensor([1.0, float("nan"), 2.0]), 1.0, 4.0).equals(
        {"gradients": [[1.0, 0.0, 2.0]], "dtypes": f32, "finite": False, **untouched},
        about="a gradient of nan"
    )
    for big, usable in ((60000.0, False), (1.0, True)):
        other = torch.tensor(check.rng.normal(size=(2, 3)))
        check(through_half, torch.ones(1, dtype=half), torch.tensor([-big], dtype=half), 1.0, 4.0, other).equals(
            {
                "gradients": [other.float(), [-big if usable else float("-inf")]],
                "dtypes": f32 * 2,
                "finite": usable,
                **untouched,
            },
            about="a parameter in double precision and one in 16 bits",
            rtol=0.01,
        )
    single, row = torch.ones(1, dtype=half), torch.tensor(check.rng.uniform(1, 9, size=2)).float()
    check(through_half, single, single, 1.0, 4.0, row, 70).equals(
        {"gradients": [row] * 70 + [[1.0]], "dtypes": f32 * 71, "finite": True, **untouched},
        about="many parameters",
        rtol=0.01,
    )
    check(through_half, single, 60000 * single, 1000.0, 2.0**-10).equals(
        {"gradients": [[6e7]], "dtypes": f32, "finite": True, **untouched},
        about="a scale below 1 keeps a large gradient",
        edge=True,
        rtol=0.01,
    )
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12, growth_interval=4)
    scale, good = 2.0**12, 0
    for ok in (check.rng.random(30) < 0.8).tolist():
        scaler._growth_tracker = torch.tensor(good, dtype=torch.int32)
        scaler._scale = torch.tensor(scale)
        bad = torch.tensor(0.0 if ok else 1.0)
        torch._amp_update_scale_(scaler._scale, scaler._growth_tracker, bad, 2.0, 0.5, 4)
        expected = scaler._scale.item(), scaler._growth_tracker.item()
        check(next_scale, scale, good, ok, 4).equals(expected, about="as torch's own scaler does it")
        scale, good = expected
    check(next_scale, 2.0, 1999, True).equals((4.0, 0), about="2,000 good steps")
    check(next_scale, 2.0, 1998, True).equals((2.0, 1999), about="2,000 good steps")
    check(next_scale, 1.0, 0, False, 1).equals((0.5, 0), about="a scale below 1, every step", edge=True)
    check(next_scale, 0.5, 0, True, 1).equals((1.0, 0), about="a scale below 1, every step", edge=True)
    small = 2.0**-13
    for good, finite, expected in ((2, False, (small / 2, 0)), (1, True, (small, 2)), (3, True, (2 * small, 0))):
        check(next_scale, small, good, finite, 4).equals(expected, about="a small scale", edge=True, atol=0)
    ### END HIDDEN TESTS


score
