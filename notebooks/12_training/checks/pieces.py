from helpers.checks import graded


@graded("pieces", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "gradients from before are still there: clear them before the first piece": {
            1: {'loss': 3.0, 'gradient': [106.0], 'alive at once': 1, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 5.66667,
             'gradient': [103.333, 104.667],
             'alive at once': 1,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "gradients were cleared between the pieces: only those of the last are left": {
            1: {'loss': 3.0, 'gradient': [4.5], 'alive at once': 1, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 5.66667,
             'gradient': [2.0, 4.66667],
             'alive at once': 1,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "this is the mean of the pieces' means: divide each sum by the number of all targets": {
            1: {'loss': 5.0, 'gradient': [10.0], 'alive at once': 1, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 5.25,
             'gradient': [3.5, 3.5],
             'alive at once': 1,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "each piece was divided by its own number of targets, and the pieces were added": {
            1: {'loss': 10.0, 'gradient': [20.0], 'alive at once': 1, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 10.5,
             'gradient': [7.0, 7.0],
             'alive at once': 1,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "each sum was divided by the number of pieces: divide it by the number of all targets": {
            1: {'loss': 6.0, 'gradient': [12.0], 'alive at once': 1, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 8.5,
             'gradient': [5.0, 7.0],
             'alive at once': 1,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "nothing was divided: the mean over all targets is asked for, not the sum": {
            1: {'loss': 12.0, 'gradient': [24.0], 'alive at once': 1, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 17.0,
             'gradient': [10.0, 14.0],
             'alive at once': 1,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "all pieces were kept at once: go backward from each before the next is computed": {
            1: {'loss': 3.0, 'gradient': [6.0], 'alive at once': 2, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 5.66667,
             'gradient': [3.33333, 4.66667],
             'alive at once': 2,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "the sum of the losses came back: the mean over all targets is asked for": {
            1: {'loss': 12.0, 'gradient': [6.0], 'alive at once': 1, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 17.0,
             'gradient': [3.33333, 4.66667],
             'alive at once': 1,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "the loss of the last piece came back: the mean over all targets is asked for": {
            1: {'loss': 2.25, 'gradient': [6.0], 'alive at once': 1, 'calls': 2, 'a number': True, 'idle': True},
            2: {'loss': 4.33333,
             'gradient': [3.33333, 4.66667],
             'alive at once': 1,
             'calls': 2,
             'a number': True,
             'idle': True},
        },
        "the first piece was left out": {
            1: {'loss': 2.25, 'gradient': [4.5], 'alive at once': 1, 'calls': 1, 'a number': True, 'idle': True},
            2: {'loss': 4.33333,
             'gradient': [2.0, 4.66667],
             'alive at once': 1,
             'calls': 1,
             'a number': True,
             'idle': True},
        },
        "the loss is a tensor that belongs to the graphs of all pieces: a float is asked for": {
            1: {'loss': 3.0, 'gradient': [6.0], 'alive at once': 1, 'calls': 2, 'a number': False, 'idle': True},
            2: {'loss': 5.66667,
             'gradient': [3.33333, 4.66667],
             'alive at once': 1,
             'calls': 2,
             'a number': False,
             'idle': True},
        },
        "the first gradient is left out: parameters may be an iterator, which gives each of them once": {
            3: {'norm': 4.0, 'gradients': [[3.0, 0.0], [[1.0]]], 'kind': 'float', 'in place': True},
            4: {'norm': 4.0, 'gradients': [[1.0, 2.0, 2.0], [[2.5]]], 'kind': 'float', 'in place': True},
            5: {'norm': 4.0, 'gradients': [[1.0, 2.0, 2.0], None, [[4.0]]], 'kind': 'float', 'in place': True},
        },
        "nothing was clipped: multiply the gradients, no copies; an iterator of parameters is gone through once": {
            3: {'norm': 5.0, 'gradients': [[3.0, 0.0], [[4.0]]], 'kind': 'float', 'in place': True},
            4: {'norm': 5.0, 'gradients': [[1.0, 2.0, 2.0], [[4.0]]], 'kind': 'float', 'in place': True},
        },
        "new tensors hold the gradients: those that are there are multiplied, in place": {
            3: {'norm': 5.0, 'gradients': [[0.6, 0.0], [[0.8]]], 'kind': 'float', 'in place': False},
            4: {'norm': 5.0, 'gradients': [[0.5, 1.0, 1.0], [[2.0]]], 'kind': 'float', 'in place': False},
            5: {'norm': 5.0, 'gradients': [[1.0, 2.0, 2.0], None, [[4.0]]], 'kind': 'float', 'in place': False},
        },
        "each gradient was clipped by its own norm: one norm, and one factor, for all": {
            3: {'norm': 5.0, 'gradients': [[1.0, 0.0], [[1.0]]], 'kind': 'float', 'in place': True},
            4: {'norm': 5.0,
             'gradients': [[0.833333, 1.66667, 1.66667], [[2.5]]],
             'kind': 'float',
             'in place': True},
        },
        "the numbers were cut off at the limit: all are multiplied by one factor": {
            3: {'norm': 5.0, 'gradients': [[1.0, 0.0], [[1.0]]], 'kind': 'float', 'in place': True},
            4: {'norm': 5.0, 'gradients': [[1.0, 2.0, 2.0], [[2.5]]], 'kind': 'float', 'in place': True},
        },
        "the norm from after the clipping came back: the one from before is asked for": {
            3: {'norm': 1.0, 'gradients': [[0.6, 0.0], [[0.8]]], 'kind': 'float', 'in place': True},
            4: {'norm': 2.5, 'gradients': [[0.5, 1.0, 1.0], [[2.0]]], 'kind': 'float', 'in place': True},
        },
        "the factor is upside down: limit / norm": {
            3: {'norm': 5.0, 'gradients': [[15.0, 0.0], [[20.0]]], 'kind': 'float', 'in place': True},
            4: {'norm': 5.0, 'gradients': [[2.0, 4.0, 4.0], [[8.0]]], 'kind': 'float', 'in place': True},
        },
        "this is the sum of the absolute values: the root of the sum of squares is the norm": {
            3: {'norm': 7.0, 'gradients': [[0.428571, 0.0], [[0.571429]]], 'kind': 'float', 'in place': True},
            4: {'norm': 9.0,
             'gradients': [[0.277778, 0.555556, 0.555556], [[1.11111]]],
             'kind': 'float',
             'in place': True},
            5: {'norm': 9.0,
             'gradients': [[0.666667, 1.33333, 1.33333], None, [[2.66667]]],
             'kind': 'float',
             'in place': True},
        },
        "the norms of the parts were added: the norm of all numbers is the norm of these norms": {
            3: {'norm': 7.0, 'gradients': [[0.428571, 0.0], [[0.571429]]], 'kind': 'float', 'in place': True},
            4: {'norm': 7.0,
             'gradients': [[0.357143, 0.714286, 0.714286], [[1.42857]]],
             'kind': 'float',
             'in place': True},
            5: {'norm': 7.0,
             'gradients': [[0.857143, 1.71429, 1.71429], None, [[3.42857]]],
             'kind': 'float',
             'in place': True},
        },
        "this is the largest number: the root of the sum of all squares is the norm": {
            3: {'norm': 4.0, 'gradients': [[0.75, 0.0], [[1.0]]], 'kind': 'float', 'in place': True},
            4: {'norm': 4.0, 'gradients': [[0.625, 1.25, 1.25], [[2.5]]], 'kind': 'float', 'in place': True},
            5: {'norm': 4.0, 'gradients': [[1.0, 2.0, 2.0], None, [[4.0]]], 'kind': 'float', 'in place': True},
        },
        "the square of the norm was compared: its root": {
            3: {'norm': 5.0, 'gradients': [[0.12, 0.0], [[0.16]]], 'kind': 'float', 'in place': True},
            4: {'norm': 5.0, 'gradients': [[0.1, 0.2, 0.2], [[0.4]]], 'kind': 'float', 'in place': True},
            5: {'norm': 5.0, 'gradients': [[0.24, 0.48, 0.48], None, [[0.96]]], 'kind': 'float', 'in place': True},
        },
        "divided by the norm: the limit is missing": {
            4: {'norm': 5.0, 'gradients': [[0.2, 0.4, 0.4], [[0.8]]], 'kind': 'float', 'in place': True},
        },
        "a norm below the limit was scaled up: up to the limit nothing changes": {
            5: {'norm': 5.0, 'gradients': [[1.2, 2.4, 2.4], None, [[4.8]]], 'kind': 'float', 'in place': True},
        },
    })
    found = {"alive at once": 1, "idle": True, "a number": True}
    plain = {"kind": "float", "in place": True}
    three = [[1.0], [1.0], [1.0]]
    check(left_gradients, [1.0], [three, [[3.0]]]).equals(
        found | {"loss": 3.0, "gradient": [6.0], "calls": 2}, about="two pieces by hand"
    )
    check(left_gradients, [2.0, 1.0], [[[1.0, 0.0]], [[0.0, 2.0], [1.0, 1.0]]]).equals(
        found | {"loss": 17 / 3, "gradient": [10 / 3, 14 / 3], "calls": 2},
        about="two weights, three targets",
        rtol=1e-5,
    )
    a, b = torch.tensor([3.0, 0.0]), torch.tensor([[4.0]])
    check(clipped, [a, b], 1.0).equals(
        {"norm": 5.0, "gradients": [[0.6, 0.0], [[0.8]]], **plain}, about="a norm of 5, by hand", rtol=1e-5
    )
    a, b = torch.tensor([1.0, 2.0, 2.0]), torch.tensor([[4.0]])
    check(clipped, [a, b], 2.5).equals(
        {"norm": 5.0, "gradients": [[0.5, 1.0, 1.0], [[2.0]]], **plain}, about="another limit", rtol=1e-5
    )
    without = "a parameter may have no gradient, which is None: leave it out"
    none = {without: AttributeError, f"{without}, before you calculate": TypeError}
    check(clipped, [a, None, b], 6.0).equals(
        {"norm": 5.0, "gradients": [[1.0, 2.0, 2.0], None, [[4.0]]], **plain}, about="below the limit", rtol=1e-5,
        near=none,
    )


score
