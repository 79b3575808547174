from helpers.checks import graded


@graded("precision", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the loss was not scaled: gradients vanished before they were divided": {
            1: {'gradients': [[0.0, 0.0]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
            2: {'gradients': [[100.0, 1.0]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
        },
        "the loss was not scaled, and the gradients were divided": {
            1: {'gradients': [[0.0, 0.0]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
            2: {'gradients': [[0.0976562, 0.000976562]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
            3: {'gradients': [[0.125, -0.75]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
        },
        "the gradients are those of the scaled loss: divide them by the scale": {
            1: {'gradients': [[1.0252e-05, 0.0010252]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
            2: {'gradients': [[float("inf"), 1024.0]], 'dtypes': ['torch.float32'], 'finite': False, 'kept': True},
            3: {'gradients': [[8.0, -48.0]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
        },
        "the gradients are still of 16 bits: float32 is asked": {
            1: {'gradients': [[0.0, 1.01328e-06]], 'dtypes': ['torch.float16'], 'finite': True, 'kept': True},
            2: {'gradients': [[float("inf"), 1.0]], 'dtypes': ['torch.float16'], 'finite': False, 'kept': True},
        },
        "no gradient is said to be usable": {
            1: {'gradients': [[1.00117e-08, 1.00117e-06]],
             'dtypes': ['torch.float32'],
             'finite': False,
             'kept': True},
            3: {'gradients': [[1.0, -6.0]], 'dtypes': ['torch.float32'], 'finite': False, 'kept': True},
        },
        "`.grad` of the parameters was changed: it stays as it is": {
            1: {'gradients': [[1.00117e-08, 1.00117e-06]],
             'dtypes': ['torch.float32'],
             'finite': True,
             'kept': False},
            2: {'gradients': [[float("inf"), 1.0]], 'dtypes': ['torch.float32'], 'finite': False, 'kept': False},
            3: {'gradients': [[1.0, -6.0]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': False},
        },
        "infinite gradients are said to be usable": {
            2: {'gradients': [[float("inf"), 1.0]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
        },
        "usable means that every number is finite: here one finite number was enough": {
            2: {'gradients': [[float("inf"), 1.0]], 'dtypes': ['torch.float32'], 'finite': True, 'kept': True},
        },
        "the scale was not halved after a step that was not finite": {
            4: (65536.0, 0),
        },
        "the count goes on after a step that was not finite: it begins anew": {
            4: (32768.0, 5),
        },
        "the count grew by a step that was not finite": {
            4: (32768.0, 6),
        },
        "halved and doubled are exchanged": {
            4: (131072.0, 0),
            6: (512.0, 0),
        },
        "the scale falls to 1 after a step that was not finite: it is halved": {
            4: (1.0, 0),
        },
        "the scale doubles after every good step": {
            5: (2048.0, 1),
            6: (2048.0, 3),
        },
        "the count does not grow": {
            5: (1024.0, 0),
        },
        "the scale never grows: it doubles when the count reaches `every`": {
            6: (1024.0, 3),
        },
        "the scale doubles one step too late": {
            6: (1024.0, 3),
        },
        "the count does not begin anew when the scale doubles": {
            6: (2048.0, 3),
        },
    })
    half, f32 = torch.float16, ["torch.float32"]
    ones = torch.ones(2, dtype=half)
    check(through_half, ones, torch.tensor([1.0, 100.0], dtype=half), 1e-8, 1024.0).equals(
        {"gradients": [[1e-8, 1e-6]], "dtypes": f32, "finite": True, "kept": True},
        about="a gradient of 1e-8, by hand",
        rtol=0.02,
    )
    check(through_half, ones, torch.tensor([100.0, 1.0], dtype=half), 1.0, 1024.0).equals(
        {"gradients": [[float("inf"), 1.0]], "dtypes": f32, "finite": False, "kept": True},
        about="a gradient of 100, by hand",
        rtol=0.01,
    )
    check(through_half, ones.float(), torch.tensor([0.5, -3.0]), 2.0, 8.0).equals(
        {"gradients": [[1.0, -6.0]], "dtypes": f32, "finite": True, "kept": True}, about="float32", rtol=1e-5
    )
    check(next_scale, 65536.0, 5, False).equals((32768.0, 0), about="an overflow")
    check(next_scale, 1024.0, 0, True, 3).equals((1024.0, 1), about="a good step")
    check(next_scale, 1024.0, 2, True, 3).equals((2048.0, 0), about="the count is full")


score
