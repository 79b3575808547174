from helpers.checks import graded


@graded("sampling", points=6)
def score(check):
    import math
    import torch

    no_scale = "what stays is not scaled to a sum of 1"

    ### BEGIN MISTAKES
    import numpy as np

    short = "top-p stopped one word too early: the sum must reach p"
    long = "top-p kept one word too many: the fewest words whose sum reaches p"

    def filtered(z, temperature=1.0, top_k=None, top_p=None, *, warm=lambda z, t: z / t, order=("k", "p"), scale=True,
        edge="before", largest=True, last=False, sort=False, late_warm=False):
        z = np.asarray(z, dtype=float)
        if temperature == 0:
            return np.eye(len(z))[int(np.argmax(z))]
        q = z if late_warm else warm(z, temperature)
        p = np.exp(q - q.max()) / np.exp(q - q.max()).sum()
        ids = np.argsort(-p if largest else p, kind="stable")
        if last:
            ids = len(p) - 1 - np.argsort(-p[::-1], kind="stable")
        for step in order:
            kept = np.ones(len(p), bool)
            if step == "k" and top_k is not None:
                kept[ids[top_k:]] = False
            if step == "p" and top_p is not None:
                c = np.cumsum(p[ids])
                stay = {"before": c - p[ids] < top_p - 1e-9, "short": c < top_p - 1e-9,
                    "long": np.r_[True, c[:-1] - p[ids][:-1] < top_p],
                        "each": p[ids] >= top_p, "below": p[ids] >= 1 - top_p}[edge]
                stay[0] = True
                kept[ids[~stay]] = False
            p = np.where(kept, p, 0.0)
            p = p / p.sum()
        if late_warm:
            with np.errstate(divide="ignore"):
                q = np.where(p > 0, z / temperature, -np.inf)
            p = np.exp(q - q.max()) / np.exp(q - q.max()).sum()
        if not scale:
            q = np.exp(warm(z, temperature) - warm(z, temperature).max())
            p = np.where(p > 0, q / q.sum(), 0.0)
        return np.sort(p)[::-1] if sort else p

    variants = {
        "the logits were multiplied by the temperature: divide by it": {"warm": lambda z, t: z * t},
        "the temperature comes first, then the filters: here the filters came first": {"late_warm": True},
        "top-p sums what top-k left, scaled to 1: here top-p came first, or it summed unscaled numbers":
            {"order": ("p", "k")},
        short: {"edge": "short"},
        long: {"edge": "long"},
        no_scale: {"scale": False},
        "top-p keeps words until their sum reaches p: here p was taken as a bound on each probability":
            {"edge": "each"},
        "the probabilities came back sorted: keep the order of the vocabulary": {"sort": True},
        "the temperature was ignored": {"warm": lambda z, t: z},
        "top_k was ignored": {"order": ("p",)},
        "top_p was ignored": {"order": ("k",)},
        "the smallest logits were kept: the largest stay": {"largest": False},
        "a word of equal weight at the border: the earlier in the vocabulary stays": {"last": True},
        "top-p dropped each word whose probability is below 1 - p: it is the sum that counts": {"edge": "below"},
        "the softmax came before the temperature: divide the logits, not the probabilities":
            {"warm": lambda z, t: np.exp(z - z.max()) / np.exp(z - z.max()).sum() / t},
        "the root of the temperature was taken": {"warm": lambda z, t: z / np.sqrt(t)},
    }
    known = {s: lambda *a, v=v, **k: filtered(*a, **k, **v) for s, v in variants.items()}
    known |= {
        "these are logits or logarithms: return probabilities": lambda *a, **k: np.log(filtered(*a, **k)),
        "top-k kept every word as large as the k-th: exactly k stay":
            lambda z, temperature=1.0, top_k=None, top_p=None: filtered(
                np.where(z >= np.sort(z)[::-1][min(top_k or len(z), len(z)) - 1], z, -1e9), temperature, None, top_p),
        "p[order] puts the sorted numbers into wrong places: out[order] = p puts them back":
            lambda z, *a, **k: (np.sort(filtered(z, *a, **k))[::-1][np.argsort(-np.asarray(z), kind="stable")]),
        "top-k kept one word too many":
            lambda z, temperature=1.0, top_k=None, top_p=None: filtered(z, temperature, top_k and top_k + 1, top_p),
        "top-k kept one word too few":
            lambda z, temperature=1.0, top_k=None, top_p=None: filtered(z, temperature, top_k and top_k - 1, top_p),
        "the logits that top-k filters became 0: a logit of 0 is as likely as any, take minus infinity":
            lambda z, temperature=1.0, top_k=None, top_p=None: filtered(z, 0) if temperature == 0 else filtered(
                np.where(np.isin(np.arange(len(z)), np.argsort(-np.asarray(z), kind="stable")[:top_k]),
                    np.asarray(z) / temperature, 0), 1.0, None, top_p),
        "top_p was ignored where top_k is given: one filter follows the other":
            lambda z, temperature=1.0, top_k=None, top_p=None: filtered(
                z, temperature, top_k, top_p if top_k is None else None),
        "a p near 1 is a filter, too":
            lambda z, temperature=1.0, top_k=None, top_p=None: filtered(
                z, temperature, top_k, top_p if top_p and top_p < 0.9 else None),
        "temperature 0 means greedy: all on the largest logit":
            lambda z, t=1.0, *a, **k: filtered(z, t or 1.0, *a, **k),
    }
    check.mistakes(known, token_distribution)
    ### END MISTAKES
    p = torch.tensor([0.04, 0.45, 0.15, 0.02, 0.25, 0.01, 0.08])
    logits = p.log()
    first = check(token_distribution, logits, 1.0, 3).equals(
        [0, 0.5294, 0.1765, 0, 0.2941, 0, 0], rtol=1e-3, about="top-k 3"
    )
    check(token_distribution, logits, 1.0, None, 0.9).equals(
        [0, 0.4839, 0.1613, 0, 0.2688, 0, 0.0860], rtol=1e-3, about="top-p 0.9"
    )
    check(token_distribution, logits, 2.0, None, 0.83).equals(
        [0.0980, 0.3287, 0.1898, 0, 0.2450, 0, 0.1386], rtol=1e-3, about="temperature 2, then top-p 0.83"
    )
    nothing = "temperature 0 means greedy: do not divide by it"
    check(token_distribution, torch.tensor([0.5, 2.0, -1.0, 2.0]), 0).equals([0, 1, 0, 0], about="temperature 0",
        near={nothing: ZeroDivisionError, nothing + ", that gives NaN": [math.nan] * 4,
        "of equal logits the first is taken": [0, 0, 0, 1], "greedy takes one word: the two equal ones share":
        [0, 0.5, 0, 0.5], "greedy takes one word: here each of the equal ones got 1": [0, 1, 0, 1],
        "the distribution is asked for, all on one word, not the number of the word": 1})
    flat = torch.tensor([0.07, 0.26, 0.05, 0.08, 0.21, 0.062, 0.075, 0.06, 0.068, 0.065]).log()
    check(token_distribution, flat, 1.0, 6, 0.65).equals(
        [0, 0.472727, 0, 0.145455, 0.381818, 0, 0, 0, 0, 0], rtol=1e-3, about="top-k 6, then top-p 0.65"
    )
    check(token_distribution, logits, 0.5).equals(
        [0.0054, 0.6841, 0.0760, 0.0014, 0.2112, 0.0003, 0.0216], atol=6e-5, rtol=0, about="temperature 0.5",
        near={no_scale + " (here the exponentials came as they are)":
              [0.0016, 0.2025, 0.0225, 0.0004, 0.0625, 0.0001, 0.0064]}
    )
    check(token_distribution, torch.tensor([0.5, 2.0, -1.0, 2.0]), 0, 3, 0.95).equals(
        [0, 1, 0, 0], about="temperature 0, with filters", rtol=1e-3, near={
            nothing: ZeroDivisionError,
            "temperature 0: all on the first largest, whatever the filters say": [0.1004, 0.4498, 0, 0.4498]},
    )
    check(token_distribution, torch.tensor([0.0, 1.0, 1.0, 1.0]), 1.0, 2).equals(
        [0, 0.5, 0.5, 0], about="three equal ones, top-k 2", rtol=1e-3,
        near={"of equal ones at a border the earlier stays, not the later": [0, 0, 0.5, 0.5],
              "of equal ones at a border the earlier stays: here more than k stayed": [0, 1 / 3, 1 / 3, 1 / 3]},
    )
    check(token_distribution, torch.zeros(8), 1.0, None, 0.5).equals(
        [0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0], about="a sum of just p", rtol=1e-3
    )
    check(token_distribution, torch.tensor([0.0, -torch.inf, 0.0]), 1.0, 5).equals(
        [0.5, 0, 0.5], about="minus infinity; k above the vocabulary", rtol=1e-3,
        near={"k may be larger than the vocabulary: all words stay then": RuntimeError,
              "minus infinity is allowed: its word has probability 0": [math.nan] * 3},
    )
    check(token_distribution, logits, 1.0, None, 0.985).equals(
        [0.0404, 0.4545, 0.1515, 0.0202, 0.2525, 0, 0.0808], rtol=1e-3, about="top-p 0.985"
    )
    ### BEGIN HIDDEN TESTS
    one_stays = "at least one word stays, even if its probability alone is above p"

    check.hidden()

    def none_left(z, arguments):  # without a first word that always stays, there is 0 / 0
        first = filtered(z, arguments.get("temperature", 1.0), arguments.get("top_k")).max()
        return {one_stays: np.full(len(z), np.nan)} if first > arguments.get("top_p", 1) else {}

    for about, arguments in (
        ("temperature", {"temperature": 0.6}), ("temperature", {"temperature": 1.9}), ("no filter", {}),
        ("top-k", {"top_k": 2}), ("top-k", {"top_k": 5}), ("top-p", {"top_p": 0.55}), ("top-p", {"top_p": 0.83}),
        ("temperature and top-k", {"temperature": 1.4, "top_k": 4}),
            ("temperature and top-p", {"temperature": 1.6, "top_p": 0.7}),
        ("top-k and top-p", {"top_k": 4, "top_p": 0.9}), ("top-k and top-p", {"top_k": 3, "top_p": 0.7}),
        ("all three", {"temperature": 0.7, "top_k": 5, "top_p": 0.93}),
        ("all three", {"temperature": 1.7, "top_k": 5, "top_p": 0.8}),
        ("a small top-p keeps one word", {"top_p": 1e-4}),
    ):
        for size in (9, 12):
            z = torch.tensor(check.rng.normal(size=size) * 1.5, dtype=torch.float32)
            check(token_distribution, z, **arguments).equals(filtered(z, **arguments), about=about, rtol=1e-4,
                atol=1e-6, near=none_left(z, arguments))
    for arguments in ({"top_k": 70}, {"top_p": 0.98}, {"top_k": 70, "top_p": 0.99},
            {"temperature": 20.0, "top_p": 0.025}):
        z = torch.tensor(check.rng.normal(size=80) * 1.5, dtype=torch.float32)
        check(token_distribution, z, **arguments).equals(filtered(z, **arguments), about="a large vocabulary",
            rtol=1e-4, atol=1e-6)
    z = torch.tensor(check.rng.normal(size=9), dtype=torch.float32)
    for about, arguments in (("top-k 1", {"top_k": 1}), ("top-p 1", {"top_p": 1.0}), ("a low temperature", {
            "temperature": 0.03}), ("a high temperature", {"temperature": 60.0})):
        given = z * (0.03 if "low" in about else 1)
        check(token_distribution, given, **arguments).equals(filtered(given, **arguments), about=about, edge=True,
            rtol=1e-4, atol=1e-6)
    many = {} if first.error else {"k may be larger than the vocabulary: all words stay then": Exception}
    check(token_distribution, z, top_k=50).equals(filtered(z), about="top-k above the vocabulary", rtol=1e-4, atol=1e-6,
        near=many)
    even = torch.zeros(4)  # a quarter each, without rounding
    check(token_distribution, even, top_p=0.5).equals([0.5, 0.5, 0, 0], about="a sum of just p", edge=True, rtol=1e-4,
        near={long: [1 / 3, 1 / 3, 1 / 3, 0], short: [1, 0, 0, 0]})
    ties = torch.tensor([0.0, 2.0, 1.0, 2.0, 1.0, 1.0])
    check(token_distribution, ties, top_k=3).equals(filtered(ties, top_k=3), about="equal logits at the border",
        rtol=1e-4, atol=1e-6)
    check(token_distribution, ties, top_p=0.65).equals(filtered(ties, top_p=0.65), about="equal logits at the border",
        rtol=1e-4, atol=1e-6)
    for arguments in ({}, {"top_k": 3, "top_p": 0.9}):
        check(token_distribution, ties, temperature=0, **arguments).equals([0, 1, 0, 0, 0, 0], about="temperature 0",
            near={
            nothing: ZeroDivisionError,
            "of equal logits the first is taken": [0, 0, 0, 1, 0, 0],
                "greedy takes one word: the two equal ones share": [0, 0.5, 0, 0.5, 0, 0],
                "greedy takes one word: here each of the equal ones got 1": [0, 1, 0, 1, 0, 0],
            nothing + ", that gives NaN": [math.nan] * 6,
            "the distribution is asked for, all on one word, not the number of the word": 1})
    large = torch.tensor([1000.0, 998.0, -2000.0, 999.0])
    check(token_distribution, large, 0.5).equals(filtered(large, 0.5), about="large logits", edge=True, rtol=1e-4,
        atol=1e-6)
    masked = torch.tensor([0.5, -torch.inf, 1.5, -torch.inf, 0.0])
    check(token_distribution, masked, top_k=4, top_p=0.99).equals(
        filtered(masked, top_k=4, top_p=0.99), about="words that are excluded", edge=True, rtol=1e-4, atol=1e-6)
    check(token_distribution, torch.tensor([3.0]), 0.7, 2, 0.4).equals([1.0], about="one word", edge=True, near=many)
    ### END HIDDEN TESTS


score
