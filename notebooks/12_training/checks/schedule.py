from helpers.checks import graded


@graded("schedule", points=5)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the rate does not warm up": {
            1: 0.3,
            7: 0.8,
        },
        "the first step has a rate of 0: step + 1 is counted": {
            1: 0.0,
            7: 0.2,
        },
        "the warm-up divides by `warmup`: by warmup + 1": {
            1: 0.3,
            7: 0.533333,
        },
        "the warm-up begins at 0 and divides by `warmup`: (step + 1) / (warmup + 1)": {
            1: 0.0,
            7: 0.266667,
        },
        "the peak is missing: this is a share of it": {
            1: 0.5,
            2: 1.0,
            3: 1.0,
            4: 1.0,
            5: 0.666667,
            6: 0.333333,
            7: 0.5,
            8: 0.4,
            9: 1.0,
            10: 1.0,
        },
        "warm-up and decay are exchanged": {
            1: 0.1,
            2: 0.2,
            5: 0.3,
            6: 0.15,
            7: 0.32,
            8: 0.4,
            9: 0.2,
            10: 0.2,
        },
        "the decay begins after the warm-up: the rate stays at the peak until step steps - decay": {
            3: 0.24,
            4: 0.18,
            5: 0.12,
            6: 0.06,
            8: 0.177778,
        },
        "the rate rises after the warm-up: it stays at the peak": {
            3: 0.45,
            4: 0.6,
        },
        "the rate goes above the peak between the two ends: there it is the peak": {
            3: 0.4,
        },
        "this is a cosine": {
            3: 0.271353,
            4: 0.196353,
            5: 0.103647,
            6: 0.0286475,
            8: 0.0935822,
        },
        "the decay begins one step early": {
            4: 0.2,
            5: 0.1,
            6: 0.05,
            8: 0.16,
            9: 0.4,
            10: 0.3,
        },
        "the rate does not fall at the end": {
            5: 0.3,
            6: 0.3,
            8: 0.8,
        },
        "the last step has a rate of 0: steps - step is counted, over decay + 1": {
            5: 0.1,
            6: 0.0,
            8: 0.16,
        },
        "the decay divides by `decay`: by decay + 1": {
            5: 0.3,
            6: 0.15,
            8: 0.4,
        },
        "the decay ends at 0 and divides by `decay`: (steps - step) / (decay + 1)": {
            5: 0.15,
            6: 0.0,
            8: 0.2,
        },
        "the decay begins one step late: step steps - decay is its first": {
            5: 0.3,
        },
        "the decay was counted from its beginning: it falls, and ends low": {
            5: 0.1,
            6: 0.2,
            8: 0.48,
        },
        "a warm-up of 0 steps was taken for one of 1: without it the first step has the peak": {
            9: 0.3,
        },
        "a warm-up or a decay of 0 steps was taken for one of 1: without them the rate is the peak": {
            9: 0.3,
            10: 0.3,
        },
        "a decay of 0 steps was taken for one of 1: without it the last step has the peak": {
            10: 0.3,
        },
    })
    for t, value in enumerate([0.15, 0.3, 0.3, 0.3, 0.2, 0.1]):
        check(warmup_stable_decay, t, 6, 0.3, 1, 2).equals(value, about="the rates of six steps by hand", rtol=1e-5)
    check(warmup_stable_decay, 1, 12, 0.8, 3, 4).equals(0.4, about="on the way up", rtol=1e-5)
    check(warmup_stable_decay, 10, 12, 0.8, 3, 4).equals(0.32, about="on the way down", rtol=1e-5)
    check(warmup_stable_decay, 0, 3, 0.6, 0, 2).equals(0.6, about="no warm-up", edge=True, rtol=1e-5)
    check(warmup_stable_decay, 2, 3, 0.6, 2, 0).equals(0.6, about="no decay", edge=True, rtol=1e-5)


score
