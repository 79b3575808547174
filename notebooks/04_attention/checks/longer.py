from helpers.checks import graded


@graded("longer", points=4)
def score(check):
    import math

    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the positions are multiplied by s; they are divided": {
            1: [[32.0, 8.0], [6.0, 1.5]],
            2: [[12.5, 0.125], [20.0, 0.2]],
        },
        "nothing was changed: divide the positions by s": {
            1: [[16.0, 4.0], [3.0, 0.75]],
            2: [[5.0, 0.05], [8.0, 0.08]],
        },
        "the positions were cut to whole numbers: p / s may be any": {
            1: [[8.0, 2.0], [1.0, 0.25]],
            2: [[2.0, 0.02], [3.0, 0.03]],
        },
        "the positions were rounded: p / s may be any": {
            1: [[8.0, 2.0], [2.0, 0.5]],
            2: [[2.0, 0.02], [3.0, 0.03]],
        },
        "the base was multiplied by s; the positions are divided": {
            1: [[16.0, 2.82843], [3.0, 0.53033]],
            2: [[5.0, 0.0316228], [8.0, 0.0505964]],
        },
        "`base` was ignored": {
            1: [[8.0, 0.08], [1.5, 0.015]],
            3: [[16.0, 0.08], [3.0, 0.015]],
            5: [[12.1239, 0.08], [2.27324, 0.015]],
            6: [[15.9346, 0.194242, 0.00861774], [2.98773, 0.0364204, 0.00161583]],
            7: [[16.0, 0.08], [3.0, 0.015]],
        },
        "the positions were divided by the root of s": {
            1: [[11.3137, 2.82843], [2.12132, 0.53033]],
            2: [[3.16228, 0.0316228], [5.05964, 0.0505964]],
        },
        "this is the larger base: interpolation changes the positions": {
            1: [[16.0, 2.0], [3.0, 0.375]],
            2: [[5.0, 0.02], [8.0, 0.032]],
        },
        "s was cut to a whole number": {
            2: [[2.5, 0.025], [4.0, 0.04]],
        },
        "the exponent d / (d - 2) is missing: base times s": {
            3: [[16.0, 2.82843], [3.0, 0.53033]],
            4: [[16.0, 1.13137, 0.08, 0.00565685], [3.0, 0.212132, 0.015, 0.00106066]],
        },
        "the exponent is d / (d - 2), not (d - 2) / d": {
            3: [[16.0, 3.36359], [3.0, 0.630672]],
            4: [[16.0, 1.23377, 0.0951366, 0.00733603], [3.0, 0.231332, 0.0178381, 0.00137551]],
        },
        "the exponent is d / (d - 2), with the width d and not the number of pairs": {
            3: [[16.0, 2.51984], [3.0, 0.47247]],
            4: [[16.0, 1.07672, 0.0724579, 0.00487605], [3.0, 0.201885, 0.0135859, 0.00091426]],
        },
        "the exponent is d / (d - 2); here d is the number of pairs": {
            3: [[16.0, 2.82843], [3.0, 0.53033]],
            4: [[16.0, 0.8, 0.04, 0.002], [3.0, 0.15, 0.0075, 0.000375]],
        },
        "the base becomes larger: it is multiplied, not divided": {
            3: [[16.0, 8.0], [3.0, 1.5]],
            4: [[16.0, 2.53984, 0.403175, 0.064], [3.0, 0.47622, 0.0755953, 0.012]],
        },
        "nothing was changed: the base is multiplied": {
            3: [[16.0, 4.0], [3.0, 0.75]],
            4: [[16.0, 1.6, 0.16, 0.016], [3.0, 0.3, 0.03, 0.003]],
        },
        "the base was raised to the power: base times s to the power": {
            3: [[16.0, 0.5], [3.0, 0.09375]],
            4: [[16.0, 0.467843, 0.0136798, 0.0004], [3.0, 0.0877205, 0.00256496, 7.5e-05]],
        },
        "this is position interpolation: the base changes, not the positions": {
            3: [[8.0, 2.0], [1.5, 0.375]],
            4: [[4.0, 0.4, 0.04, 0.004], [0.75, 0.075, 0.0075, 0.00075]],
        },
        "the positions were divided, too": {
            3: [[8.0, 1.0], [1.5, 0.1875]],
            4: [[4.0, 0.251984, 0.015874, 0.001], [0.75, 0.047247, 0.00297638, 0.0001875]],
        },
        "the shares are turned round: many turns keep the rate, few are divided": {
            5: [[11.8761, 4.0], [2.22676, 0.75]],
            6: [[4.06542, 2.95857, 0.734075], [0.762267, 0.554732, 0.137639]],
            7: [[8.0, 2.5446], [1.5, 0.477113]],
        },
        "the turns are not divided by 2 pi": {
            5: [[16.0, 4.0], [3.0, 0.75]],
            6: [[16.0, 3.4471, 0.334491], [3.0, 0.64633, 0.0627171]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the turns were divided by pi: a turn is 2 pi": {
            5: [[16.0, 2.18216], [3.0, 0.409155]],
            6: [[16.0, 1.92222, 0.220789], [3.0, 0.360416, 0.0413979]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "these are the turns of the longer text: take those over the trained length": {
            5: [[16.0, 2.18216], [3.0, 0.409155]],
            6: [[16.0, 3.06606, 0.273881], [3.0, 0.574887, 0.0513527]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the share was not cut to 0 ... 1": {
            5: [[12.1239, 1.75775], [2.27324, 0.329577]],
            7: [[39.2864, 3.4554], [7.3662, 0.647887]],
        },
        "the share was cut at 1 only: it is at least 0": {
            5: [[12.1239, 1.75775], [2.27324, 0.329577]],
        },
        "each pair was kept or divided: between low and high both are mixed": {
            5: [[8.0, 2.0], [1.5, 0.375]],
            6: [[4.0, 0.861774, 0.185664], [0.75, 0.161583, 0.0348119]],
            7: [[16.0, 2.0], [3.0, 0.375]],
        },
        "each pair was kept or divided, at low: between low and high both are mixed": {
            5: [[16.0, 2.0], [3.0, 0.375]],
            6: [[16.0, 3.4471, 0.742654], [3.0, 0.64633, 0.139248]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the share is (r - low) / (high - low); low was not subtracted": {
            5: [[14.7906, 2.42441], [2.77324, 0.454577]],
            6: [[16.0, 1.4337, 0.21221], [3.0, 0.268818, 0.0397893]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the share is (r - low) / (high - low); here it is divided by high": {
            5: [[11.093, 2.0], [2.07993, 0.375]],
            6: [[15.5616, 1.33503, 0.193974], [2.9178, 0.250318, 0.0363702]],
            7: [[16.0, 3.09155], [3.0, 0.579666]],
        },
        "`low` and `high` were ignored": {
            5: [[8.07051, 2.0], [1.51322, 0.375]],
            7: [[9.38482, 2.03816], [1.75965, 0.382156]],
        },
        "the slow rates are multiplied by s; they are divided": {
            5: [[23.7521, 8.0], [4.45352, 1.5]],
            6: [[16.2617, 11.8343, 2.9363], [3.04907, 2.21893, 0.550557]],
            7: [[16.0, 5.0892], [3.0, 0.954225]],
        },
        "all rates were divided: that is interpolation": {
            5: [[8.0, 2.0], [1.5, 0.375]],
            6: [[4.0, 0.861774, 0.185664], [0.75, 0.161583, 0.0348119]],
            7: [[8.0, 2.0], [1.5, 0.375]],
        },
        "nothing was changed": {
            5: [[16.0, 4.0], [3.0, 0.75]],
            6: [[16.0, 3.4471, 0.742654], [3.0, 0.64633, 0.139248]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the second rate is missing: (1 - gamma) theta / s is added": {
            5: [[8.24789, 0.0], [1.54648, 0.0]],
            6: [[15.9128, 0.651365, 0.0114384], [2.98364, 0.122131, 0.0021447]],
            7: [[16.0, 2.9108], [3.0, 0.545775]],
        },
        "theta / s counts whole here; its share is 1 - gamma": {
            5: [[16.2479, 2.0], [3.04648, 0.375]],
            6: [[19.9128, 1.51314, 0.197102], [3.73364, 0.283714, 0.0369566]],
            7: [[24.0, 4.9108], [4.5, 0.920775]],
        },
        "rates were mixed as divisors: mix theta and theta / s": {
            5: [[10.778, 2.0], [2.02087, 0.375]],
            6: [[15.7425, 1.00407, 0.187833], [2.95172, 0.188263, 0.0352187]],
            7: [[16.0, 3.14391], [3.0, 0.589483]],
        },
        "the share falls along the number of the pair, as in the library; here it follows the turns": {
            5: [[16.0, 2.0], [3.0, 0.375]],
            6: [[16.0, 2.58532, 0.371327], [3.0, 0.484748, 0.0696238]],
            7: [[16.0, 3.0], [3.0, 0.5625]],
        },
        "the turns are those of one position: multiply by the trained length": {
            5: [[8.0, 2.0], [1.5, 0.375]],
            6: [[4.0, 0.861774, 0.185664], [0.75, 0.161583, 0.0348119]],
            7: [[8.0, 2.0], [1.5, 0.375]],
        },
        "the share was cut at 0 only: it is at most 1": {
            7: [[39.2864, 3.4554], [7.3662, 0.647887]],
        },
    })

    close = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    p = torch.tensor([16.0, 3.0])
    check(interpolated_angles, p, 4, 2, 16.0).equals([[8.0, 2.0], [1.5, 0.375]], **close)
    check(interpolated_angles, torch.tensor([5, 8]), 4, 2.5).equals([[2.0, 0.02], [3.2, 0.032]], **close)
    check(larger_base_angles, p, 4, 2, 16.0).equals([[16.0, 2.0], [3.0, 0.375]], **close)
    check(larger_base_angles, p, 8, 4.0).equals(
        [[16.0, 1.0079, 0.0635, 0.004], [3.0, 0.189, 0.0119, 0.00075]], rtol=1e-3, atol=1e-5, dtype="float32")
    check(angles_by_parts, p, 4, 2, 8, 0.5, 2.0, 16.0).equals([[12.1239, 2.0], [2.2732, 0.375]], **close)
    check(angles_by_parts, p, 6, 4, 200, base=100.0).equals(
        [[15.9346, 1.3503, 0.1942], [2.9877, 0.2532, 0.0364]], **close)
    check(angles_by_parts, p, 4, 2, 40, 0.5, 2.0, 16.0).equals(
        [[16.0, 3.4554], [3.0, 0.6479]], about="a pair above both bounds", **close)
    lost = {"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"}
    for function, more in [(interpolated_angles, (4, 2)), (larger_base_angles, (4, 2)), (angles_by_parts, (4, 2, 8))]:
        check(function, torch.tensor([3, 1]), *more).holds(
            lambda t: str(t.dtype) == "torch.float32", "a tensor of float32", about="integers give float32",
            near={"another dtype than float32 came": lambda t: str(t.dtype) != "torch.float32"},
        )
        check(function, torch.tensor([3.0, 1.0], dtype=torch.float64), *more).holds(
            lambda t: str(t.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
            near=lost,
        )


score
