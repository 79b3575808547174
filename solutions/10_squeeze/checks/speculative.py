from helpers.checks import graded


@graded("speculative", points=8)
def score(check):
    import torch

    swapped = "this is the residual of the draft, q above p: it is p above q"
    unsigned = "the differences are taken as they are, without their sign: max(p - q, 0)"
    one_sum = "each row is divided by its own sum"

    ### BEGIN MISTAKES
    gone_on = "nothing comes after the first token that was not kept"
    judged_on = f"{gone_on}: here the drafted ones behind it were judged, too"
    one_more = f"{gone_on}: here one more came, from the last row of target"
    drafts_on = f"{gone_on}: here the drafted ones behind it came as they were"
    bonus = "when all are kept, one more comes, from the last row of target"
    dropped = "in place of the token that was not kept, one from the residual comes"
    as_target = "in place of a token that was not kept one comes from the residual, not from the target"
    always = "everything was kept: token i is kept if numbers[i] is below its keep probability"
    later = "the residual of row i is that of target and draft in row i, not of the next row of target"
    first_row = "the last token comes from the last row of target"
    row_before = f"{first_row}: here from the one before it"
    likeliest = "the last token is drawn with u: here the likeliest came"
    own_number = "in place of a token that was not kept one is drawn with u, not with the token's number"
    equal = "a number equal to the keep probability is not below it"
    alone = "numbers[i] is compared with the target's probability: the keep probability p / q is asked for"
    turned = "a token is kept if its number is below the keep probability"

    def kept(p, q):
        return torch.minimum(p, q) / q

    check.mistakes({
        "this is q / p: a token is kept with the probability p / q":
            lambda p, q: torch.where(p > 0, kept(q, p), torch.ones_like(p)),
        "a probability is at most 1": lambda p, q: p / q,
        "this is what is kept in all, min(p, q): divide by q": torch.minimum,
    }, keep_probabilities)

    def rest(p, q):
        total = 1 - torch.minimum(p, q).sum(-1, keepdim=True)
        return (p - torch.minimum(p, q)) / total

    def shared(gap, p, *axes):
        """What is left, divided by its sum; the target where nothing is left."""
        total = gap.sum(*axes, keepdim=True) if axes else gap.sum()
        return torch.where(total > 0, gap / total, p)

    check.mistakes({
        "the residual is not divided by its sum": lambda p, q: (p - q).clamp(min=0),
        swapped: lambda p, q: shared((q - p).clamp(min=0), p, -1),
        "what is negative belongs to no distribution: max(p - q, 0)": lambda p, q: p - q,
        "this is the target itself: what the draft has brought already would come twice": lambda p, q: p,
        unsigned: lambda p, q: shared((p - q).abs(), p, -1),
        one_sum: lambda p, q: shared((p - q).clamp(min=0), p),
    }, residual)

    def place(probabilities, u):
        sums = probabilities.double().cumsum(-1)
        return int(torch.searchsorted(sums / sums[-1], torch.tensor(u, dtype=torch.float64), right=True))

    def written(p, q, drafted, numbers, u, mistake="", kept=kept, rest=rest):
        out = []
        for i, token in enumerate(drafted):
            k = float(p[i][token]) if mistake == alone else float(kept(p[i], q[i])[token])
            keep = numbers[i] < k
            if mistake == turned:
                keep = numbers[i] > k
            if mistake == equal:
                keep = numbers[i] < k + 1e-12
            if mistake == always or keep:
                out.append(token)
                continue
            if mistake == dropped:
                return out
            row = i + 1 if mistake == later else i
            chance = numbers[i] if mistake == own_number else u
            out.append(place(p[i] if mistake == as_target else rest(p[row], q[i]), chance))
            if mistake == drafts_on:
                return [*out, *drafted[i + 1 :]]
            if mistake == one_more:
                break
            if mistake not in (gone_on, judged_on):
                return out
        if mistake == judged_on and out != list(drafted):
            return out
        if mistake == likeliest:
            return [*out, int(p[-1].argmax())]
        if mistake == row_before:
            return [*out, place(p[max(len(p) - 2, 0)], u)]
        last = p[0] if mistake == first_row else p[-1]
        return out if mistake == bonus else [*out, place(last, u)]

    behind = (gone_on, judged_on, one_more, drafts_on)
    named = (*behind, bonus, dropped, as_target, always, alone, equal, turned, later, first_row, row_before, likeliest,
             own_number)
    own = {words: lambda *a, words=words: written(*a, mistake=words) for words in named}
    check.mistakes(own | {
        "the pass asks keep_probabilities, which gives q / p: mend that first":
            lambda *a: written(*a, kept=lambda p, q: torch.minimum(p, q) / p),
        "the pass draws from the residual, which is that of the draft: mend that first":
            lambda *a: written(*a, rest=lambda p, q: rest(q, p)),
        "the pass draws from the residual, in which the signs are lost: mend that first":
            lambda *a: written(*a, rest=lambda p, q: (p - q).abs()),
    }, verify)

    def faster(a, K, c):
        tokens = K + 1 if a == 1 else (1 - a ** (K + 1)) / (1 - a)
        return tokens / (1 + c * K)

    check.mistakes({
        "this is the number of tokens a pass: divide by what the pass and its drafts cost":
            lambda a, K, c: faster(a, K, 0.0),
        "the sum goes up to a to the power K": lambda a, K, c: faster(a, K - 1, 0.0) / (1 + c * K),
        "the target's own token is missing: the sum begins with 1":
            lambda a, K, c: (faster(a, K, 0.0) - 1) / (1 + c * K),
        "the first draft pass is missing: 1 + c K": lambda a, K, c: faster(a, K, 0.0) / (1 + c),
        "the target's own pass is missing: 1 + c K": lambda a, K, c: faster(a, K, 0.0) / (c * K),
        "a token is of use only if those before it were kept: add powers of a":
            lambda a, K, c: (1 + a * K) / (1 + c * K),
        "each of K + 1 passes costs c here: the target's own costs 1":
            lambda a, K, c: faster(a, K, 0.0) / (c * (K + 1)),
        "the pass of the target costs c, too, here: 1 + c K": lambda a, K, c: faster(a, K, 0.0) / (1 + c * (K + 1)),
        "a to the power K alone, and 1: all powers from 0 to K are added up": lambda a, K, c: (1 + a**K) / (1 + c * K),
    }, speed_up)
    ### END MISTAKES
    t = torch.tensor
    p, q = t([0.5, 0.3, 0.2]), t([0.3, 0.6, 0.1])
    check(keep_probabilities, p, q).equals([1.0, 0.5, 1.0], about="the text's three tokens")
    never = "where q is 0 the answer is 1"
    check(keep_probabilities, t([0.4, 0.6, 0.0]), t([0.0, 0.8, 0.2])).equals(
        [1.0, 0.75, 0.0], about="a draft of probability 0", edge=True,
        near={never: [0.0, 0.75, 0.0]},
    )
    check(residual, p, q).equals(
        [2 / 3, 0.0, 1 / 3], about="the text's three tokens",
        near={"this is the softmax of the differences: divide by the sum": [0.3949, 0.2432, 0.3618]},
    )
    check(keep_probabilities, t([1.0, 0.0]), t([1.0, 0.0])).equals([1.0, 1.0], about="0 by 0", edge=True, near={
        never: [1.0, 0.0],
        "0 / 0 is nan: what is never drafted gets 1": [1.0, float("nan")]})
    no_rest = "where nothing is left 0 is divided by 0: the target is asked for there"
    check(residual, t([0.25, 0.75]), t([0.25, 0.75])).equals(
        [0.25, 0.75], about="nothing is left where both are the same: the target is asked for", edge=True,
        near={
            no_rest: [float("nan")] * 2,
            "where nothing is left the target is asked for, not zeros": [0.0, 0.0],
            "where nothing is left the target is asked for, not equal chances": [0.5, 0.5],
        },
    )
    target = t([[0.5, 0.3, 0.2], [0.7, 0.2, 0.1], [0.2, 0.5, 0.3]])
    draft = t([[0.3, 0.6, 0.1], [0.1, 0.8, 0.1]])
    check(verify, target, draft, [2, 0], [0.35, 0.61], 0.75).equals([2, 0, 2], about="all kept")
    check(residual, target[:2], draft).equals([[2 / 3, 0.0, 1 / 3], [1.0, 0.0, 0.0]], about="two rows")
    check(verify, target, draft, [1, 1], [0.5, 0.3], 0.94).equals([2], about="the first is not kept")
    check(verify, target, draft, [2, 1], [0.88, 0.91], 0.92).equals([2, 0], about="the second is not kept")
    check(verify, target[2:], draft[:0], [], [], 0.75).equals([2], about="nothing was drafted", edge=True, near={
        "K may be 0: then the target's own token comes all the same": [],
        "K may be 0: then the loop has no last turn, and the target's own token comes all the same": TypeError})
    check(speed_up, 0.5, 0, 0.1).equals(1.0, about="0 drafts", edge=True, near={
        "with 0 drafts the target's own token comes all the same, as without a draft": 0.0})
    check(speed_up, 0.5, 2, 0.1).equals(1.75 / 1.2, about="how many times as fast")
    check(speed_up, 1.0, 2, 0.25).equals(2.0, about="all are kept", near={
        "rate 1 divides by 0: then all K + 1 come": ZeroDivisionError})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draws = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def law(*shape, dtype=torch.float64):
        made = torch.randn(*shape, generator=draws, dtype=torch.float64).mul(1.5).softmax(-1)
        return (made / made.sum(-1, keepdim=True)).to(dtype)

    for shape in [(7,), (3, 5), (2, 3, 4)]:
        p, q = law(*shape), law(*shape)
        check(keep_probabilities, p, q).equals(kept(p, q), about="fresh distributions", rtol=1e-9)
    check(keep_probabilities, t([[0.3, 0.7]]), t([[0.0, 1.0]])).equals(
        [[1.0, 0.7]], about="what is never drafted", edge=True, near={never: [[0.0, 0.7]]})
    check(keep_probabilities, t([0.0, 0.25, 0.75]), t([0.0, 0.5, 0.5])).equals(
        [1.0, 0.5, 1.0], about="what is never drafted", edge=True,
        near={"0 / 0 is nan: what is never drafted gets 1": [float("nan"), 0.5, 1.0]})
    p, q = law(70, 3), law(70, 3)
    check(keep_probabilities, p, q).equals(kept(p, q), about="many rows", edge=True, rtol=1e-9)
    p, q = law(1, 6, dtype=torch.float32), law(1, 6, dtype=torch.float32)
    check(keep_probabilities, p, q).equals(kept(p, q), about="one row, one token, tiny ones", edge=True)
    for p, q in [([1.0], [1.0]), ([1e-12, 1 - 1e-12], [4e-12, 1 - 4e-12]), ([4e-12, 1.0], [8e-12, 1.0])]:
        p, q = (t(v, dtype=torch.float64) for v in (p, q))
        check(keep_probabilities, p, q).equals(kept(p, q), about="one row, one token, tiny ones", edge=True, rtol=1e-6)
    for shape in [(7,), (3, 5), (2, 3, 4), (70, 3)]:
        p, q = law(*shape), law(*shape)
        check(residual, p, q).equals(rest(p, q), about="fresh residuals", rtol=1e-9, atol=1e-11)
    p, q = law(3, 6), law(3, 6)
    q[1] = p[1]
    right = rest(p, q)
    right[1] = p[1]
    each = "each row is asked for itself whether anything is left, not all of them together"
    gaps = {each: float("nan"), no_rest: float("nan"),
            "where nothing is left in a row the target is asked for, not zeros": 0.0,
            "where nothing is left in a row the target is asked for, not equal chances": 1 / 6}
    near = {words: torch.where(torch.arange(3)[:, None] == 1, gap, right) for words, gap in gaps.items()}
    near["one row with nothing left made all rows the target's: each row is asked for itself"] = p
    check(residual, p, q).equals(right, about="a row with nothing left", edge=True, rtol=1e-7, near=near)
    close = [t([[0.6 - d, 0.4 + d]], dtype=torch.float64) for d in (0.0, 1e-9)]
    for p, q in [(law(1, 5), law(1, 5)), close]:
        check(residual, p, q).equals(rest(p, q), about="one row, nearly the same", edge=True, rtol=1e-5)
    p, q = law(1, 5, dtype=torch.float32), law(1, 5, dtype=torch.float32)
    check(residual, p, q).equals(rest(p.double(), q.double()).float(), about="float32", edge=True, rtol=1e-4)

    def result(p, q):
        """What comes out of drafting and keeping, for each token."""
        keep = torch.as_tensor(keep_probabilities(p, q))
        return q * keep + (1 - (q * keep).sum(-1, keepdim=True)) * torch.as_tensor(residual(p, q))

    for size in (4, 9):
        p, q = law(3, size), law(3, size)
        check(lambda p=p, q=q: result(p, q)).equals(p, about="the text is the target's: by enumeration", rtol=1e-9,
                                                    weight=2)

    def far(p, q, drafted, numbers, u):
        """Whether no number is so near to where the answer changes that the last digit decides."""
        near = [abs(numbers[i] - float(kept(p[i], q[i])[token])) for i, token in enumerate(drafted)]
        laws = [rest(p[i], q[i]) for i in range(len(drafted))]
        gaps = [float((law.cumsum(-1) - u).abs().min()) for law in [p[-1], *laws]]
        return min([1.0, *near, *gaps]) > 1e-4

    def passes(K, V, count, about, **more):
        made = 0
        while made < count:
            p, q = law(K + 1, V), law(K, V)
            q = 0.4 * q + 0.6 * p[:-1]
            drafted = [int(torch.multinomial(row, 1, generator=draws)) for row in q]
            if V > 1 and K and made == 0:
                drafted[0] = 0
            numbers, u = check.rng.random(K).tolist(), float(check.rng.random())
            if far(p, q, drafted, numbers, u):
                made += 1
                check(verify, p, q, drafted, numbers, u).equals(written(p, q, drafted, numbers, u), about=about, **more)

    for K, V in [(3, 5), (5, 7), (2, 4)]:
        passes(K, V, 5, "fresh passes", weight=2)
    passes(12, 6, 3, "many drafts", edge=True)
    p, drafted = law(71, 4), check.rng.integers(0, 4, 70).tolist()
    check(verify, p, p[:-1], drafted, check.rng.random(70).tolist(), 0.0).equals(
        [*drafted, 0], about="many drafts", edge=True)
    for u in (0.012, 0.988):
        flat = torch.full((1, 40), 1 / 40, dtype=torch.float64)
        check(verify, flat, flat[:0], [], [], u).equals([0 if u < 0.5 else 39], about="a small u, a large u", edge=True)
    for K, V in [(0, 5), (1, 4), (1, 1), (0, 1)]:
        passes(K, V, 2, "no draft, one draft, one token", edge=True)
    one = torch.eye(4, dtype=torch.float64)
    for drafted, right in [([2, 0, 3], [2, 0, 3, 1]), ([2, 1, 3], [2, 0]), ([1, 0, 3], [2])]:
        check(verify, one[[2, 0, 3, 1]], one[drafted], drafted, [0.0, 0.5, 0.999], 0.5).equals(
            right, about="both are sure: greedy", edge=True)
    half = t([[0.5, 0.5], [0.5, 0.5]]).double()
    check(verify, half, t([[0.0, 1.0]]).double(), [1], [0.5], 0.3).equals(
        [0], about="a number equal to the keep probability", edge=True,
        near={equal: [1, 0]})
    for _ in range(4):
        a, K, c = float(check.rng.uniform(0.1, 0.95)), int(check.rng.integers(1, 12)), float(check.rng.uniform(0.01, 1))
        check(speed_up, a, K, c).equals(faster(a, K, c), about="fresh rates and costs", rtol=1e-9)
    for a, K, c in [(1.0, 4, 0.25), (0.0, 3, 0.1), (0.7, 0, 0.3), (0.0, 0, 0.5), (1.0, 0, 1.0), (0.8, 5, 0.0),
                    (0.98, 90, 0.01), (0.6, 3, 1.7)]:
        check(speed_up, a, K, c).equals(faster(a, K, c), about="rates 0 and 1, no draft, a free one", edge=True,
                                        near={"rate 1 divides by 0: then all K + 1 come": ZeroDivisionError})
    ### END HIDDEN TESTS


score
