from helpers.checks import graded


@graded("em", points=6)
def score(check):
    p = {"a": -0.6931472, "b": -1.3862944, "ab": -2.0794415, "c": -3.0}
    hard = "only the best cut was counted: all cuts count, each by its probability"
    evenly = "each cut has a weight of its own: its probability, divided by that of all cuts"
    unscaled = "divide by the probability of the word: all its cuts together have weight 1"
    once = "how often each word occurs was ignored"
    places_alone = "places were counted, whatever their probability"
    summed = "alpha and beta are sums over cuts, not the best of them"
    short = "pieces as long as the longest were never counted: i:j may be that long"
    end = "a piece may end with the word: j goes up to its length. Without that the word has the probability 0"
    begin = "each piece of log_probs begins with the count 0, before anything is added to it"
    first = check(expected_counts, {"ab": 1}, p).equals({"a": 0.5, "b": 0.5, "ab": 0.5, "c": 0.0}, rtol=1e-5, near={
        hard: {"a": 0.0, "b": 0.0, "ab": 1.0, "c": 0.0}, unscaled: {"a": 0.125, "b": 0.125, "ab": 0.125, "c": 0.0},
        places_alone: {"a": 1.0, "b": 1.0, "ab": 1.0, "c": 0.0}, summed: {"a": 1.0, "b": 1.0, "ab": 1.0, "c": 0.0},
        **{words: {"a": 1.0, "b": 1.0, "ab": 0.0, "c": 0.0} for words in [
            "one cut alone was counted, where two are equally good: all cuts count", short]},
        end: {"a": float("nan"), "b": 0.0, "ab": 0.0, "c": 0.0}, begin: KeyError,
        "a piece that is never used has 0, and is not left out": {"a": 0.5, "b": 0.5, "ab": 0.5},
    })
    look_up = "a part of a word may not be in log_probs: then it is no piece" if first.passed else begin
    p2 = {piece: p[piece] for piece in ("a", "b", "ab")} | {"ba": -2.5}
    check(expected_counts, {"aba": 2, "ab": 3}, p2).equals(
        {"a": 4.2528192, "b": 2.2528192, "ab": 2.2528194, "ba": 0.4943614}, rtol=1e-5, near={
            places_alone: {"a": 11.0, "b": 5.0, "ab": 5.0, "ba": 2.0},
            summed: {"a": 6.9999995, "b": 4.9999995, "ab": 5.0, "ba": 1.3133599},
            once: {"a": 1.8764096, "b": 0.8764096, "ab": 0.8764097, "ba": 0.2471807},
            evenly: {"a": 4.1666667, "b": 2.1666667, "ab": 2.1666667, "ba": 0.6666667},
            hard: {"a": 2.0, "b": 0.0, "ab": 5.0, "ba": 0.0},
            short: {"a": 7.0, "b": 5.0, "ab": 0.0, "ba": 0.0}, look_up: KeyError,
            end: {"a": float("nan"), "b": float("nan"), "ab": float("nan"), "ba": 0.0},
            unscaled: {"a": 0.832085, "b": 0.5, "ab": 0.5, "ba": 0.082085},
        }
    )
    log = "this is the logarithm: digamma is asked"
    total = "the sum goes over the pieces that are kept"
    check(maximise, {"a": 4.0, "b": 2.0, "c": 0.25, "d": 0.5}).equals(
        {"a": -0.5367937, "b": -1.370127, "d": -3.7564214}, rtol=1e-5, near={
            log: {"a": -0.4855078, "b": -1.178655, "d": -2.5649494},
            "pieces below `fewest` are dropped": {"a": -0.5775257, "b": -1.4108591, "c": -6.0610969, "d": -3.7971534},
            "a count of exactly `fewest` is kept": {"a": -0.45, "b": -1.2833333},
            total: {"a": -0.5775257, "b": -1.4108591, "d": -3.7971534},
        }
    )
    check(maximise, {"a": 4.0, "b": 2.0, "c": 0.25, "d": 1.5}, 2.0).equals(
        {"a": -0.45, "b": -1.2833333}, rtol=1e-5, near={
        "the argument fewest was ignored": {"a": -0.6906398, "b": -1.5239731, "d": -1.9102675},
        log: {"a": -0.4054651, "b": -1.0986123}, total: {"a": -0.7256739, "b": -1.5590072},
        "a count of exactly `fewest` is kept": {"a": 0.0},
    })


score
