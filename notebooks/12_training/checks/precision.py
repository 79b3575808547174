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

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the loss was not scaled: gradients vanished before they were divided": {
            1: {'gradients': [[0.0, 0.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            2: {'gradients': [[100.0, 1.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            4: {'gradients': [[[3.0], [-1e+38]], [1.0, 2.0]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
        },
        "the loss was not scaled, and the gradients were divided": {
            1: {'gradients': [[0.0, 0.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            2: {'gradients': [[0.0976562, 0.000976562]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            3: {'gradients': [[0.125, -0.75]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            4: {'gradients': [[[0.375], [-1.25e+37]], [0.125, 0.25]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
        },
        "the gradients are those of the scaled loss: divide them by the scale": {
            1: {'gradients': [[1.0252e-05, 0.0010252]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            2: {'gradients': [[float("inf"), 1024.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': False},
            3: {'gradients': [[8.0, -48.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            4: {'gradients': [[[24.0], [float("-inf")]], [8.0, 16.0]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': True,
             'given': True,
             'finite': False},
        },
        "divided before the change to float32: small numbers vanish again": {
            1: {'gradients': [[0.0, 1.01328e-06]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
        },
        "the gradients are still of 16 bits: float32 is asked for": {
            1: {'gradients': [[0.0, 1.01328e-06]],
             'dtypes': ['torch.float16'],
             'kept': True,
             'given': True,
             'finite': True},
            2: {'gradients': [[float("inf"), 1.0]],
             'dtypes': ['torch.float16'],
             'kept': True,
             'given': True,
             'finite': False},
            4: {'gradients': [[[3.0], [float("-inf")]], [1.0, 2.0]],
             'dtypes': ['torch.float32', 'torch.float16'],
             'kept': True,
             'given': True,
             'finite': False},
        },
        "no gradient is said to be usable": {
            1: {'gradients': [[1.00117e-08, 1.00117e-06]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': False},
            3: {'gradients': [[1.0, -6.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': False},
        },
        "`.grad` of the parameters was changed: it stays as it is": {
            1: {'gradients': [[1.00117e-08, 1.00117e-06]],
             'dtypes': ['torch.float32'],
             'kept': False,
             'given': True,
             'finite': True},
            2: {'gradients': [[float("inf"), 1.0]],
             'dtypes': ['torch.float32'],
             'kept': False,
             'given': True,
             'finite': False},
            3: {'gradients': [[1.0, -6.0]],
             'dtypes': ['torch.float32'],
             'kept': False,
             'given': True,
             'finite': True},
            4: {'gradients': [[[3.0], [float("-inf")]], [1.0, 2.0]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': False,
             'given': True,
             'finite': False},
        },
        "the loss or the list of parameters was changed in place: both stay as they are": {
            1: {'gradients': [[1.00117e-08, 1.00117e-06]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': False,
             'finite': True},
            2: {'gradients': [[float("inf"), 1.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': False,
             'finite': False},
            3: {'gradients': [[1.0, -6.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': False,
             'finite': True},
            4: {'gradients': [[[3.0], [float("-inf")]], [1.0, 2.0]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': True,
             'given': False,
             'finite': False},
        },
        "infinite gradients are said to be usable": {
            2: {'gradients': [[float("inf"), 1.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            4: {'gradients': [[[3.0], [float("-inf")]], [1.0, 2.0]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
        },
        "usable means that every number is finite: here one finite number was enough": {
            2: {'gradients': [[float("inf"), 1.0]],
             'dtypes': ['torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
            4: {'gradients': [[[3.0], [float("-inf")]], [1.0, 2.0]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
        },
        "only one parameter's gradient was looked at: usable means all of them": {
            4: {'gradients': [[[3.0], [float("-inf")]], [1.0, 2.0]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
        },
        "-inf is not finite either": {
            4: {'gradients': [[[3.0], [float("-inf")]], [1.0, 2.0]],
             'dtypes': ['torch.float32', 'torch.float32'],
             'kept': True,
             'given': True,
             'finite': True},
        },
        "the scale was not halved after a step that was not finite": {
            5: (65536.0, 0),
        },
        "the count goes on after a step that was not finite: it begins anew": {
            5: (32768.0, 5),
        },
        "the count grew by a step that was not finite": {
            5: (32768.0, 6),
        },
        "halved and doubled are exchanged": {
            5: (131072.0, 0),
            7: (512.0, 0),
            8: [[8.0, 1], [4.0, 0], [4.0, 1], [2.0, 0]],
        },
        "the scale falls to 1 after a step that was not finite: it is halved": {
            5: (1.0, 0),
        },
        "the scale doubles after every good step": {
            6: (2048.0, 1),
            7: (2048.0, 3),
            8: [[16.0, 1], [32.0, 2], [64.0, 3], [128.0, 4]],
        },
        "the scale doubles after every good step, and the count begins anew: both wait until `every` is reached": {
            6: (2048.0, 0),
            8: [[16.0, 0], [32.0, 0], [64.0, 0], [128.0, 0]],
        },
        "the count does not grow": {
            6: (1024.0, 0),
            8: [[8.0, 0], [8.0, 0], [8.0, 0], [8.0, 0]],
        },
        "the scale never grows: it doubles when the count reaches `every`": {
            7: (1024.0, 3),
            8: [[8.0, 1], [8.0, 2], [8.0, 3], [8.0, 4]],
        },
        "the scale doubles one step too late": {
            7: (1024.0, 3),
            8: [[8.0, 1], [8.0, 2], [16.0, 0], [16.0, 1]],
        },
        "the count does not begin anew when the scale doubles": {
            7: (2048.0, 3),
            8: [[8.0, 1], [16.0, 2], [16.0, 3], [16.0, 4]],
        },
    })
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
    check(through_half, ones.float(), torch.tensor([0.5, -3.0]), 2.0, 8.0).equals(
        {"gradients": [[1.0, -6.0]], "dtypes": f32, "finite": True, **untouched}, about="float32", rtol=1e-5
    )
    check(through_half, ones, torch.tensor([1.0, 2.0], dtype=half), 1.0, 8.0, torch.tensor([[3.0], [-1e38]])).equals(
        {"gradients": [[[3.0], [float("-inf")]], [1.0, 2.0]], "dtypes": f32 * 2, "finite": False, **untouched},
        about="two parameters, a gradient of -1e38 in the first",
        rtol=0.01,
    )
    check(next_scale, 65536.0, 5, False).equals((32768.0, 0), about="an overflow")
    check(next_scale, 1024.0, 0, True, 3).equals((1024.0, 1), about="a good step")
    check(next_scale, 1024.0, 2, True, 3).equals((2048.0, 0), about="the count is full")
    check(good_steps, 8.0, 0, 2, 4).equals([[8.0, 1], [16.0, 0], [16.0, 1], [32.0, 0]], about="four good steps in turn")


score
