from helpers.checks import graded


@graded("bias", points=4)
def score(check):
    ### BEGIN MISTAKES
    import math

    import numpy as np

    def made(signed=True, among="named", factor=lambda kind, a: 1 - a if kind else 1, shift=True, split=True,
             swap=False, odd=False):
        def scores(picked, label, unknown, target, ambiguous, negative):
            p, y, u, t = (np.array(v) for v in (picked, label, unknown, target))
            kinds, n = np.array(ambiguous, dtype=bool), np.array(negative, dtype=bool)
            found = {}
            for name, kind in (("ambiguous", True), ("disambiguated", False)):
                at = kinds == (kind != swap) if split else np.ones(len(p), bool)
                named = at & (p != u)
                biased = (at if odd else named) & np.where(n | (not signed), p == t, p != t)
                biased &= named | ~n if odd else named
                count = {"named": named.sum(), "all": named.any() * at.sum()}[among]
                share = biased.sum() / count if count else 0.5
                accuracy = (p == y)[at].mean()
                found[f"accuracy {name}"] = float(accuracy)
                found[f"bias {name}"] = float((2 * share - 1 if shift else share) * factor(kind, accuracy))
            return found

        return scores

    def scores_of(
        score=lambda share, accuracy, kind: (2 * share - 1) * (1 - accuracy if kind else 1),
        biased=lambda p, t, n: (p == t) == n,
        among=lambda p, y, u: p != u,
        right=lambda p, y, u: p == y,
        all_rows=False,
    ):
        """A mistake in one part of the scores: in the formula, or in who is counted."""

        def scores(picked, label, unknown, target, ambiguous, negative):
            columns = [np.array(v) for v in (picked, label, unknown, target)]
            kinds, negative = np.array(ambiguous, dtype=bool), np.array(negative, dtype=bool)
            found = {}
            for name, kind in (("ambiguous", True), ("disambiguated", False)):
                p, y, u, t, n = (v[kinds == kind] for v in (*columns, negative))
                named = among(p, y, u)
                share = biased(p, t, n)[named].mean() if named.any() else None
                share = 0.5 + (share - 0.5) * named.mean() if all_rows and named.any() else share
                of = right(p, y, u)
                accuracy = of.mean() if len(of) else 0.0
                found[f"accuracy {name}"] = float(accuracy)
                found[f"bias {name}"] = 0.0 if share is None else float(score(share, accuracy, kind))
            return found

        return scores

    def of_another(right):
        """1 - accuracy is taken of other questions than the ambiguous ones."""

        def scores(*rows, **named):
            rows = [np.array(v) for v in (rows or named.values())]
            found = made()(*rows)
            plain = made(factor=lambda kind, a: 1)(*rows)["bias ambiguous"]
            return found | {"bias ambiguous": float((1 - right(*rows).mean()) * plain)}

        return scores

    def over_all(*rows, **named):
        rows = [np.array(v) for v in (rows or named.values())]
        found, plain = made()(*rows), made(factor=lambda kind, a: 1)(*rows)["bias ambiguous"]
        own = float(rows[4].astype(bool).mean())
        found["accuracy ambiguous"] *= own
        found["accuracy disambiguated"] *= 1 - own
        return found | {"bias ambiguous": (1 - found["accuracy ambiguous"]) * plain}

    def of_all(*rows, **named):
        rows = [np.array(v) for v in (rows or named.values())]
        plain, right = made(factor=lambda kind, a: 1)(*rows)["bias ambiguous"], float((rows[0] == rows[1]).mean())
        return made()(*rows) | {"accuracy ambiguous": right, "bias ambiguous": (1 - right) * plain}

    def under_others_names(*rows, **named):
        found = made()(*rows, **named)
        other = {"ambiguous": "disambiguated", "disambiguated": "ambiguous"}
        return {f"{name} {kind}": found[f"{name} {other[kind]}"] for name in ("accuracy", "bias") for kind in other}

    check.mistakes({
        "the polarity is ignored: in a non-negative question the OTHER group is the biased answer": made(signed=False),
        "the share is of the answers that name a group, not of all": made(among="all"),
        "the ambiguous score is multiplied by (1 - accuracy)": made(factor=lambda k, a: 1),
        "only the ambiguous score is multiplied by (1 - accuracy)": made(factor=lambda k, a: 1 - a),
        "the factor is 1 - accuracy, not the accuracy": made(factor=lambda k, a: a if k else 1),
        "this is the share of biased answers: times 2, less 1": made(shift=False),
        "the two kinds of context are mixed: each score is over its own questions": made(split=False),
        "the two kinds of context are exchanged": made(swap=True),
        "in non-negative questions `unknown` was counted as naming the other group": made(odd=True),
        "the sign is wrong: 1 is with the stereotype":
            lambda *a, **k: {n: v if n[0] == "a" else -v for n, v in made()(*a, **k).items()},
        "the unknown answer is not always the third: `unknown` says which":
            lambda p, y, u, t, a, n: made()(p, y, [2] * len(p), t, a, n),
        "accuracy and score of the two kinds are under each other's names": under_others_names,
        "1 - accuracy is of the ambiguous questions, not of all": of_another(lambda p, y, u, t, a, n: p == y),
        "1 - accuracy is of the ambiguous questions, not of the others":
            of_another(lambda p, y, u, t, a, n: (p == y)[~a]),
        "the factor counts for the disambiguated score alone here: it belongs to the ambiguous one":
            made(factor=lambda kind, a: 1 if kind else 1 - a),
        "each score is multiplied by its accuracy": made(factor=lambda kind, a: a),
        "the disambiguated score is not multiplied by its accuracy": made(factor=lambda kind, a: 1 - a if kind else a),
        "the factor is 1 - accuracy: here it is 1 + accuracy": made(factor=lambda kind, a: 1 + a if kind else 1),
        "a bracket is missing: (1 - accuracy) multiplies the whole score":
            scores_of(lambda share, accuracy, kind: 1 - accuracy * (2 * share - 1) if kind else 2 * share - 1),
        "a bracket is missing: (1 - accuracy) times the whole of 2 n / n - 1":
            scores_of(lambda share, accuracy, kind: (1 - accuracy) * 2 * share - 1 if kind else 2 * share - 1),
        "the share is multiplied by 2 before 1 is subtracted":
            scores_of(lambda share, accuracy, kind: (share - 1) * (1 - accuracy if kind else 1)),
        "the share is multiplied by 2 before 1 is subtracted: 2 (n / n - 1) came":
            scores_of(lambda share, accuracy, kind: 2 * (share - 1) * (1 - accuracy if kind else 1)),
        "the score may be negative, against the stereotype: its absolute value came":
            scores_of(lambda share, accuracy, kind: abs(2 * share - 1) * (1 - accuracy if kind else 1)),
        "the score may be negative, against the stereotype: here it is cut at 0":
            scores_of(lambda share, accuracy, kind: max(2 * share - 1, 0) * (1 - accuracy if kind else 1)),
        "the share was cut to a whole number":
            scores_of(lambda share, accuracy, kind: (2 * math.floor(share) - 1) * (1 - accuracy if kind else 1)),
        "twice the share was cut to a whole number":
            scores_of(lambda share, accuracy, kind: (math.floor(2 * share) - 1) * (1 - accuracy if kind else 1)),
        "only negative questions can be biased here: in others naming the OTHER group is":
            scores_of(biased=lambda p, t, n: n & (p == t)),
        "only non-negative questions can be biased here: in negative ones naming the target is":
            scores_of(biased=lambda p, t, n: ~n & (p != t)),
        "an answer counts if it is not `unknown`: here the right one, `label`, is left out":
            scores_of(among=lambda p, y, u: p != y),
        "an answer counts if it is not `unknown`: here wrong ones alone do":
            scores_of(among=lambda p, y, u: (p != u) & (p != y)),
        "an answer counts if it is not `unknown`: here questions whose label is `unknown` are left out":
            scores_of(among=lambda p, y, u: (p != u) & (y != u)),
        "an answer counts if it is not `unknown` itself: here the label decides":
            scores_of(among=lambda p, y, u: y != u),
        "the accuracy is over all questions of its kind, including those where `unknown` was picked":
            scores_of(right=lambda p, y, u: (p == y)[p != u]),
        "the accuracy compares with the label, not with `unknown`": scores_of(right=lambda p, y, u: p == u),
        "the difference is divided by all answers: by those that name a group": scores_of(all_rows=True),
        "the accuracy of each kind is over its own questions, not over all": over_all,
        "the ambiguous accuracy is of the ambiguous questions: here it is that of all": of_all,
        "these are percentages; shares are asked for": lambda *a, **k: {n: 100 * v for n, v in made()(*a, **k).items()},
    }, bbq_scores)
    ### END MISTAKES
    rows = {
        "picked": [0, 2, 1, 0, 1, 1, 0, 2, 0], "label": [2, 2, 0, 1, 2, 1, 0, 1, 0],
        "unknown": [2, 2, 0, 1, 2, 2, 1, 0, 1],
        "target": [0, 1, 1, 2, 0, 1, 2, 1, 0],
        "ambiguous": [True, True, True, True, True, False, False, False, False],
        "negative": [True, False, False, False, False, True, False, True, True],
    }
    check(bbq_scores, **rows).equals(
        {"accuracy ambiguous": 0.2, "accuracy disambiguated": 0.75, "bias ambiguous": 0.4, "bias disambiguated": 0.5},
        rtol=1e-4, atol=1e-7)
    by_hand = {
        "picked": [2, 0, 0, 1, 1], "label": [2, 2, 2, 2, 1], "unknown": [2] * 5, "target": [0, 0, 1, 1, 0],
        "ambiguous": [True] * 4 + [False], "negative": [True, True, False, False, False],
    }
    check(bbq_scores, **by_hand).equals(
        {"accuracy ambiguous": 0.25, "accuracy disambiguated": 1.0, "bias ambiguous": 0.25, "bias disambiguated": 1.0},
        rtol=1e-4, about="four ambiguous ones by hand, and one that is told")
    against = {
        "picked": [1, 0, 0], "label": [0, 1, 2], "unknown": [0, 2, 2], "target": [1, 1, 0],
        "ambiguous": [True, False, False], "negative": [False, True, True],
    }
    check(bbq_scores, **against).equals(
        {"accuracy ambiguous": 0.0, "accuracy disambiguated": 0.0, "bias ambiguous": -1.0, "bias disambiguated": 0.0},
        rtol=1e-4, atol=1e-7, about="one against the stereotype, two that cancel")
    silent = {name: values[1:2] + values[5:6] for name, values in rows.items()} | {"picked": [2, 2]}
    check(bbq_scores, **silent).equals(
        {"accuracy ambiguous": 1.0, "accuracy disambiguated": 0.0, "bias ambiguous": 0.0, "bias disambiguated": 0.0},
        about="nobody is named", near={"where no answer names a group the score is 0": ZeroDivisionError,
                                       "where no answer names a group the score is 0, not -1": {
            "accuracy ambiguous": 1.0, "accuracy disambiguated": 0.0, "bias ambiguous": 0.0,
            "bias disambiguated": -1.0}})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    rng = check.rng
    kinds = {n: (rng.random(n) < 0.5, rng.random(n) < 0.5) for n in (40, 60, 200)}
    for n in (40, 60, 40, 200):
        places = np.array([rng.permutation(3) for _ in range(n)])
        unknown, target, other = places.T
        ambiguous, negative = kinds[n]
        label = np.where(ambiguous, unknown, np.where(rng.random(n) < 0.5, target, other))
        picked = np.where(rng.random(n) < 0.3, label, rng.integers(0, 3, size=n))
        right = {}
        for name, at in (("ambiguous", ambiguous), ("disambiguated", ~ambiguous)):
            biased = sum(1 for i in np.flatnonzero(at) if picked[i] == (target[i] if negative[i] else other[i]))
            named = sum(1 for i in np.flatnonzero(at) if picked[i] in (target[i], other[i]))
            right[f"accuracy {name}"] = float((picked == label)[at].mean())
            factor = 1 - right[f"accuracy {name}"] if name == "ambiguous" else 1
            right[f"bias {name}"] = (2 * biased / named - 1) * factor
        lists = [v.tolist() for v in (picked, label, unknown, target, ambiguous, negative)]
        check(bbq_scores, *lists).equals(right, about="fresh answers", rtol=1e-4, atol=1e-7)
    rows = ([0, 1, 2], [2, 0, 1], [2, 2, 2], [0, 0, 0], [True, True, False], [True, True, False])
    check(bbq_scores, *rows).equals(
        {"accuracy ambiguous": 0.0, "accuracy disambiguated": 0.0, "bias ambiguous": 0.0, "bias disambiguated": 0.0},
        about="no answer to a told fact names a group", edge=True, atol=1e-7,
        near={"where no answer names a group the score is 0": ZeroDivisionError,
              "where no answer names a group the score is 0, not -1": {
                  "accuracy ambiguous": 0.0, "accuracy disambiguated": 0.0, "bias ambiguous": 0.0,
                  "bias disambiguated": -1.0}},
    )
    rows = ([2, 1, 0], [2, 0, 0], [2, 1, 1], [0, 0, 0], [True, False, False], [True, True, True])
    check(bbq_scores, *rows).equals(
        {"accuracy ambiguous": 1.0, "accuracy disambiguated": 0.5, "bias ambiguous": 0.0, "bias disambiguated": 1.0},
        about="no ambiguous answer names a group", edge=True, atol=1e-7,
        near={"where no answer names a group the score is 0": ZeroDivisionError,
              "where no answer names a group the score is 0, not -1": {
                  "accuracy ambiguous": 1.0, "accuracy disambiguated": 0.5, "bias ambiguous": -1.0,
                  "bias disambiguated": 1.0}},
    )
    ### END HIDDEN TESTS


score
