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
            6: [[15.9477, 0.303925, 0.0137884], [2.99019, 0.0569859, 0.00258532]],
            7: [[16.0, 0.08], [3.0, 0.015]],
        },
        "the positions were divided by the root of s": {
            1: [[11.3137, 2.82843], [2.12132, 0.53033]],
            2: [[3.16228, 0.0316228], [5.05964, 0.0505964]],
        },
        "the base was divided by s; the positions are": {
            1: [[16.0, 5.65685], [3.0, 1.06066]],
            2: [[5.0, 0.0790569], [8.0, 0.126491]],
        },
        "the positions were numbered from 0: take those that come": {
            1: [[0.0, 0.0], [0.5, 0.125]],
            2: [[0.0, 0.0], [0.4, 0.004]],
        },
        "this is the larger base: interpolation changes the positions": {
            1: [[16.0, 2.0], [3.0, 0.375]],
            2: [[5.0, 0.02], [8.0, 0.032]],
        },
        "s was cut to a whole number": {
            2: [[2.5, 0.025], [4.0, 0.04]],
            4: [[16.0, 1.26992, 0.100794, 0.008], [3.0, 0.23811, 0.0188988, 0.0015]],
            6: [[15.9564, 2.04923, 0.377046], [2.99182, 0.384231, 0.0706962]],
        },
        "the exponent d / (d - 2) is missing: base times s": {
            3: [[16.0, 2.82843], [3.0, 0.53033]],
            4: [[16.0, 1.27243, 0.101193, 0.00804757], [3.0, 0.238581, 0.0189737, 0.00150892]],
        },
        "the exponent is d / (d - 2), not (d - 2) / d": {
            3: [[16.0, 3.36359], [3.0, 0.630672]],
            4: [[16.0, 1.34743, 0.113473, 0.00955606], [3.0, 0.252643, 0.0212762, 0.00179176]],
        },
        "the exponent is d / (d - 2), with the width d and not the number of pairs": {
            3: [[16.0, 2.51984], [3.0, 0.47247]],
            4: [[16.0, 1.23147, 0.094782, 0.00729505], [3.0, 0.2309, 0.0177716, 0.00136782]],
        },
        "the exponent is d / (d - 2); here d is the number of pairs": {
            3: [[16.0, 2.82843], [3.0, 0.53033]],
            4: [[16.0, 1.01193, 0.064, 0.00404772], [3.0, 0.189737, 0.012, 0.000758947]],
        },
        "the base becomes larger: it is multiplied, not divided": {
            3: [[16.0, 8.0], [3.0, 1.5]],
            4: [[16.0, 2.17153, 0.294723, 0.04], [3.0, 0.407163, 0.0552605, 0.0075]],
        },
        "nothing was changed: the base is multiplied": {
            3: [[16.0, 4.0], [3.0, 0.75]],
            4: [[16.0, 1.6, 0.16, 0.016], [3.0, 0.3, 0.03, 0.003]],
        },
        "the base was raised to the power: base times s to the power": {
            3: [[16.0, 0.5], [3.0, 0.09375]],
            4: [[16.0, 0.547192, 0.0187137, 0.00064], [3.0, 0.102599, 0.00350882, 0.00012]],
        },
        "this is position interpolation: the base changes, not the positions": {
            3: [[8.0, 2.0], [1.5, 0.375]],
            4: [[6.4, 0.64, 0.064, 0.0064], [1.2, 0.12, 0.012, 0.0012]],
        },
        "the positions were divided, too": {
            3: [[8.0, 1.0], [1.5, 0.1875]],
            4: [[6.4, 0.471556, 0.0347445, 0.00256], [1.2, 0.0884168, 0.0065146, 0.00048]],
        },
        "the shares are reversed: many turns keep the rate, few are divided": {
            5: [[11.8761, 4.0], [2.22676, 0.75]],
            6: [[6.45234, 3.05628, 0.735791], [1.20981, 0.573052, 0.137961]],
            7: [[8.0, 2.5446], [1.5, 0.477113]],
        },
        "the turns are not divided by 2 pi": {
            5: [[16.0, 4.0], [3.0, 0.75]],
            6: [[16.0, 3.4471, 0.416124], [3.0, 0.64633, 0.0780232]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the turns were divided by pi: a turn is 2 pi": {
            5: [[16.0, 2.18216], [3.0, 0.409155]],
            6: [[16.0, 2.22719, 0.325162], [3.0, 0.417599, 0.0609678]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "these are the turns of the longer text: take those over the trained length": {
            5: [[16.0, 2.18216], [3.0, 0.409155]],
            6: [[16.0, 2.45596, 0.33578], [3.0, 0.460493, 0.0629588]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the share was not cut to 0 ... 1": {
            5: [[12.1239, 1.75775], [2.27324, 0.329577]],
            7: [[39.2864, 3.4554], [7.3662, 0.647887]],
        },
        "the share was cut at 1 only: it is at least 0": {
            5: [[12.1239, 1.75775], [2.27324, 0.329577]],
        },
        "each pair was kept or divided, at high: between low and high both are mixed": {
            5: [[8.0, 2.0], [1.5, 0.375]],
            6: [[6.4, 1.37884, 0.297062], [1.2, 0.258532, 0.0556991]],
            7: [[16.0, 2.0], [3.0, 0.375]],
        },
        "each pair was kept or divided, halfway: between low and high both are mixed": {
            5: [[16.0, 2.0], [3.0, 0.375]],
            6: [[16.0, 1.37884, 0.297062], [3.0, 0.258532, 0.0556991]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "each pair was kept or divided, at low: between low and high both are mixed": {
            5: [[16.0, 2.0], [3.0, 0.375]],
            6: [[16.0, 3.4471, 0.742654], [3.0, 0.64633, 0.139248]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the share is (r - low) / (high - low); low was not subtracted": {
            5: [[14.7906, 2.42441], [2.77324, 0.454577]],
            6: [[16.0, 1.83638, 0.318299], [3.0, 0.34432, 0.059681]],
            7: [[16.0, 4.0], [3.0, 0.75]],
        },
        "the share is (r - low) / (high - low); here it is divided by high": {
            5: [[11.093, 2.0], [2.07993, 0.375]],
            6: [[15.6493, 1.75744, 0.30371], [2.93424, 0.329521, 0.0569457]],
            7: [[16.0, 3.09155], [3.0, 0.579666]],
        },
        "the share is (r - low) / (high - low); the denominator was reversed": {
            5: [[8.0, 2.24225], [1.5, 0.420423]],
            6: [[6.4, 1.37884, 0.297062], [1.2, 0.258532, 0.0556991]],
            7: [[8.0, 2.0], [1.5, 0.375]],
        },
        "`low` and `high` were ignored": {
            5: [[8.07051, 2.0], [1.51322, 0.375]],
            7: [[9.38482, 2.03816], [1.75965, 0.382156]],
        },
        "the slow rates are multiplied by s; they are divided": {
            5: [[23.7521, 8.0], [4.45352, 1.5]],
            6: [[16.1308, 7.64069, 1.83948], [3.02453, 1.43263, 0.344902]],
            7: [[16.0, 5.0892], [3.0, 0.954225]],
        },
        "all rates were divided: that is interpolation": {
            5: [[8.0, 2.0], [1.5, 0.375]],
            6: [[6.4, 1.37884, 0.297062], [1.2, 0.258532, 0.0556991]],
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
            6: [[22.3128, 2.0302, 0.3085], [4.18364, 0.380663, 0.0578438]],
            7: [[24.0, 4.9108], [4.5, 0.920775]],
        },
        "rates were mixed as divisors: mix theta and theta / s": {
            5: [[10.778, 2.0], [2.02087, 0.375]],
            6: [[15.8702, 1.55516, 0.299832], [2.97567, 0.291592, 0.0562186]],
            7: [[16.0, 3.14391], [3.0, 0.589483]],
        },
        "the share falls along the number of the pair, as in the library; here it follows the turns": {
            5: [[16.0, 2.0], [3.0, 0.375]],
            6: [[16.0, 2.75768, 0.445593], [3.0, 0.517064, 0.0835486]],
            7: [[16.0, 3.0], [3.0, 0.5625]],
        },
        "the 2 is missing in the rates: base to the power -2i / d": {
            5: [[12.1239, 4.36432], [2.27324, 0.81831]],
            6: [[15.9477, 4.95058, 1.76966], [2.99019, 0.928233, 0.331811]],
            7: [[16.0, 8.0], [3.0, 1.5]],
        },
        "this is the length of a wave over the trained length; the turns are the trained length over it": {
            5: [[9.52212, 4.0], [1.7854, 0.75]],
            6: [[6.4, 1.37884, 0.297062], [1.2, 0.258532, 0.0556991]],
            7: [[8.0, 2.17109], [1.5, 0.40708]],
        },
        "the turns are those of one position: multiply by the trained length": {
            5: [[8.0, 2.0], [1.5, 0.375]],
            6: [[6.4, 1.37884, 0.297062], [1.2, 0.258532, 0.0556991]],
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
    check(larger_base_angles, p, 8, 2.5).equals(
        [[16.0, 1.17889, 0.08686, 0.0064], [3.0, 0.22104, 0.01629, 0.0012]], rtol=1e-3, atol=1e-5, dtype="float32")
    check(angles_by_parts, p, 4, 2, 8, 0.5, 2.0, 16.0).equals([[12.1239, 2.0], [2.2732, 0.375]], **close)
    check(angles_by_parts, p, 6, 2.5, 200, base=100.0).equals(
        [[15.9477, 1.7697, 0.3039], [2.9902, 0.3318, 0.057]], **close)
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
