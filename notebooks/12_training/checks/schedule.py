from helpers.checks import graded


@graded("schedule", points=5)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the rate does not fall at the end": {
            1: 0.8,
            6: 0.3,
            7: 0.3,
            9: 0.45,
        },
        "the last step has a rate of 0: steps - step is counted, over decay + 1": {
            1: 0.32,
            6: 0.1,
            7: 0.0,
            9: 0.2,
        },
        "the decay divides by `decay`: by decay + 1": {
            1: 0.6,
            6: 0.3,
            7: 0.15,
            9: 0.6,
        },
        "the decay ends at 0 and divides by `decay`: (steps - step) / (decay + 1)": {
            1: 0.4,
            6: 0.15,
            7: 0.0,
            9: 0.3,
        },
        "the decay begins one step early": {
            1: 0.32,
            5: 0.2,
            6: 0.1,
            7: 0.05,
            9: 0.2,
            10: 0.4,
            11: 0.3,
        },
        "the decay begins after the warm-up: the rate stays at the peak until step steps - decay": {
            1: 0.266667,
            4: 0.24,
            5: 0.18,
            6: 0.12,
            7: 0.06,
            9: 0.6,
        },
        "the decay was counted from its beginning: it falls, and ends low": {
            1: 0.32,
            6: 0.1,
            7: 0.2,
            9: 0.2,
        },
        "the peak is missing: this is a share of it": {
            1: 0.6,
            2: 0.5,
            3: 1.0,
            4: 1.0,
            5: 1.0,
            6: 0.666667,
            7: 0.333333,
            8: 0.5,
            9: 0.666667,
            10: 1.0,
            11: 1.0,
        },
        "the decay is a cosine here: it falls by the same step each time": {
            1: 0.682843,
            6: 0.3,
            7: 0.15,
            9: 0.6,
        },
        "the decay is a cosine here, over decay + 1: it falls by the same step each time": {
            1: 0.523607,
            6: 0.225,
            7: 0.075,
            9: 0.45,
        },
        "this is a cosine": {
            1: 0.2,
            4: 0.271353,
            5: 0.196353,
            6: 0.103647,
            7: 0.0286475,
            9: 0.6,
        },
        "warm-up and decay are exchanged": {
            1: 0.6,
            2: 0.1,
            3: 0.2,
            6: 0.3,
            7: 0.15,
            8: 0.32,
            9: 0.3,
            10: 0.2,
            11: 0.2,
        },
        "the rate does not warm up": {
            2: 0.3,
            8: 0.8,
        },
        "the first step has a rate of 0: step + 1 is counted": {
            2: 0.0,
            8: 0.2,
        },
        "the warm-up divides by `warmup`: by warmup + 1": {
            2: 0.3,
            8: 0.533333,
        },
        "the warm-up begins at 0 and divides by `warmup`: (step + 1) / (warmup + 1)": {
            2: 0.0,
            8: 0.266667,
        },
        "the rate rises after the warm-up: it stays at the peak": {
            4: 0.45,
            5: 0.6,
        },
        "the rate goes above the peak between the two ends: there it is the peak": {
            4: 0.4,
        },
        "the decay begins one step late: step steps - decay is its first": {
            6: 0.3,
            9: 0.6,
        },
        "a warm-up of 0 steps was taken for one of 1: without it the first step has the peak": {
            10: 0.3,
        },
        "a warm-up or a decay of 0 steps was taken for one of 1: without them the rate is the peak": {
            10: 0.3,
            11: 0.3,
        },
        "a decay of 0 steps was taken for one of 1: without it the last step has the peak": {
            11: 0.3,
        },
    })
    check(warmup_stable_decay, 9, 12, 0.8, 3, 4).equals(0.48, about="on the way down", rtol=1e-5)
    for t, value in enumerate([0.15, 0.3, 0.3, 0.3, 0.2, 0.1]):
        check(warmup_stable_decay, t, 6, 0.3, 1, 2).equals(value, about="the rates of six steps by hand", rtol=1e-5)
    check(warmup_stable_decay, 1, 12, 0.8, 3, 4).equals(0.4, about="on the way up", rtol=1e-5)
    check(warmup_stable_decay, 3, 5, 0.6, 3, 2).equals(0.4, about="no stable part", rtol=1e-5, near={
        "the warm-up ends with step warmup - 1: step `warmup` is in the decay here": 0.6})
    check(warmup_stable_decay, 0, 3, 0.6, 0, 2).equals(0.6, about="no warm-up", edge=True, rtol=1e-5)
    check(warmup_stable_decay, 2, 3, 0.6, 2, 0).equals(0.6, about="no decay", edge=True, rtol=1e-5)


score
