from helpers.checks import graded


@graded("tagging", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import re
    import numpy as np
    from torch.nn import functional as F

    other = "an I- of another label begins a new span"

    def losses(logits, tags):
        return F.cross_entropy(logits.transpose(1, 2), tags.clamp(min=0), reduction="none")

    def real(tags, n):
        return torch.arange(tags.shape[1]) < n[:, None]

    check.mistakes({
        "the padding was counted, too: only real tokens are": lambda z, y, n: losses(z, y).mean(),
        "the sum over real tokens was divided by all positions: divide by the number of real ones":
            lambda z, y, n: (losses(z, y) * real(y, n)).mean(),
        "the mean of each sentence came first: it is one mean over all tokens of the batch":
            lambda z, y, n: ((losses(z, y) * real(y, n)).sum(1) / n).mean(),
        "this is the sum: the mean over the real tokens is asked for":
            lambda z, y, n: (losses(z, y) * real(y, n)).sum(),
        "the sum was divided by the number of sentences: divide by the number of real tokens":
            lambda z, y, n: (losses(z, y) * real(y, n)).sum() / len(n),
        "the logits of the padding were set to 0, but counted: leave those positions out":
            lambda z, y, n: losses(z * real(y, n)[..., None], y * real(y, n)).mean(),
        "one number for each token: the mean is asked for": lambda z, y, n: losses(z, y) * real(y, n),
        "one number for each sentence: the mean over the batch is asked for":
            lambda z, y, n: (losses(z, y) * real(y, n)).sum(1) / n,
        "a softmax was taken before the cross-entropy, which takes one itself":
            lambda z, y, n: losses(z.softmax(-1), y)[real(y, n)].mean(),
        "the logits were taken for logarithms of probabilities: the softmax is missing":
            lambda z, y, n: -z.gather(-1, y.clamp(min=0)[..., None])[..., 0][real(y, n)].mean(),
        "the sign is reversed": lambda z, y, n: -losses(z, y)[real(y, n)].mean(),
        "the last real token of each sentence is missing": lambda z, y, n: losses(z, y)[real(y, n - 1)].mean(),
        "one token of the padding was counted in each sentence": lambda z, y, n: losses(z, y)[real(y, n + 1)].mean(),
        "the real tokens were masked, and the padding counted": lambda z, y, n: losses(z, y)[~real(y, n)].mean(),
        "tag 0 was taken for padding: it is a tag like any other":
            lambda z, y, n: losses(z, y)[real(y, n) & (y != 0)].mean(),
    }, masked_cross_entropy)

    def marked(tags, *, stray=True, glue=False, other=True, last=True, inclusive=False, drop=False):
        found, label, first = set(), None, 0
        for i, tag in enumerate([*tags, "O"] if last else list(tags)):
            before, goes_on = label, label is not None and (tag == f"I-{label}" or (glue and tag == f"B-{label}")
                or (not other and tag[:2] == "I-"))
            if label is not None and not goes_on:
                found.add((label, first, i - inclusive))
                label = None
            if label is None and (tag[:2] == "B-" or (stray and tag[:2] == "I-" and not (drop and before))):
                label, first = tag[2:], i
        return found

    known = {
        "an I- that continues nothing begins a span": {"stray": False},
        "a B- begins a new span, even after one of the same label": {"glue": True},
        other: {"other": False},
        "a span that reaches the end of the sentence is missing": {"last": False},
        "`end` is one past the last token": {"inclusive": True},
        "an I- of another label begins a new span: here it was dropped": {"drop": True},
        "an I- that continues nothing begins a span, and one of another label does, too":
            {"stray": False, "other": False},
    }
    check.mistakes({s: lambda t, v=v: marked(t, **v) for s, v in known.items()} | {
        "the label stands without its B- or I-": lambda t: {(f"B-{a}", i, j) for a, i, j in marked(t)},
        "the label is all that follows B- or I-: here its first letter":
            lambda t: {(a[:1], i, j) for a, i, j in marked(t)},
        "each token became a span of its own": lambda t: {(v[2:], i, i + 1) for i, v in enumerate(t) if v != "O"},
        "a span goes on through each I- of its label: here it ended after one token":
            lambda t: {(v[2:], i, i + 1) for i, v in enumerate(t) if v[0] == "B"},
        "a span is (label, first, end): the label comes first": lambda t: {(i, j, a) for a, i, j in marked(t)},
        "the third number is the end, not the length": lambda t: {(a, i, j - i) for a, i, j in marked(t)},
        "only the label and the first token are there: the end is asked for, too":
            lambda t: {(a, i) for a, i, j in marked(t)},
        "a set is asked for: this is a list": lambda t: sorted(marked(t), key=lambda s: s[1]),
        "a span of one token is a span, too": lambda t: {s for s in marked(t) if s[2] - s[1] > 1},
        "the stretches of O are no spans": lambda t: marked(t) | {("O", i, i + 1) for i, v in enumerate(t) if v == "O"},
    }, spans)

    def by_text(tags):
        text = "".join({"O": "o", "B-X": "X", "I-X": "x", "B-Y": "Y", "I-Y": "y"}[t] for t in tags)
        return {(m.group()[0].upper(), m.start(), m.end()) for m in re.finditer("[Xx]x*|[Yy]y*", text)}

    def shares(hits, found, true):
        p = hits / found if found else 0.0
        r = hits / true if true else 0.0
        return p, r, 2 * p * r / (p + r) if p + r else 0.0

    def listed(sentences, cut):
        """What `cut` keeps of each span, called with the sentence's number and the span."""
        return [cut(number, span) for number, tags in enumerate(sentences) for span in by_text(tags)]

    def judged(gold, predicted, cut=lambda n, s: (n, *s)):
        true, found = listed(gold, cut), listed(predicted, cut)
        right = set(true)
        hits = sum(span in right for span in found)
        return shares(hits, len(found), len(true))

    def as_sets(gold, predicted):
        """Judged as one set of spans, of whatever sentence."""
        true = set().union(*map(by_text, gold))
        found = set().union(*map(by_text, predicted))
        return shares(len(true & found), len(found), len(true))

    def each(gold, predicted):
        scores = [judged([a], [b]) for a, b in zip(gold, predicted, strict=True)]
        return tuple(np.mean(scores, axis=0).tolist())

    def tokens(gold, predicted):
        hits = found = true = 0
        for gold_tags, tags in zip(gold, predicted, strict=True):
            for gold_tag, tag in zip(gold_tags, tags, strict=True):
                hits += tag == gold_tag != "O"
                found += tag != "O"
                true += gold_tag != "O"
        return shares(hits, found, true)

    def overlap(one, two):
        """Whether two spans have a label and a token in common."""
        label, first, end = one
        other_label, other_first, other_end = two
        return label == other_label and first < other_end and other_first < end

    def touching(gold, predicted):
        hits = found = true = 0
        for gold_tags, tags in zip(gold, predicted, strict=True):
            gold_spans, found_spans = by_text(gold_tags), by_text(tags)
            for span in found_spans:
                hits += any(overlap(span, one) for one in gold_spans)
            found += len(found_spans)
            true += len(gold_spans)
        return shares(hits, found, true)

    check.mistakes({
        "a span that only overlaps with one of the same label is not right: first and last token must be": touching,
        "these are shares of tokens: whole spans count": tokens,
        "the label must be right, too": lambda g, p: judged(g, p, lambda n, s: (n, *s[1:])),
        "the end of the span must be right, too": lambda g, p: judged(g, p, lambda n, s: (n, *s[:2])),
        "the first token must be right, too": lambda g, p: judged(g, p, lambda n, s: (n, s[0], s[2])),
        "spans of different sentences were confused: a span belongs to its sentence":
            lambda g, p: judged(g, p, lambda n, s: s),
        "spans of different sentences became one: a span belongs to its sentence": as_sets,
        "precision and recall are exchanged": lambda g, p: (*judged(g, p)[1::-1], judged(g, p)[2]),
        "the mean over the sentences was taken: count over all of them together": each,
        "the order is precision, recall, F1": lambda g, p: judged(g, p)[::-1],
        "F1 is the harmonic mean: here it is the plain mean":
            lambda g, p: (*judged(g, p)[:2], sum(judged(g, p)[:2]) / 2),
        "F1 is the harmonic mean: here it is the geometric one":
            lambda g, p: (*judged(g, p)[:2], float(np.prod(judged(g, p)[:2])) ** 0.5),
        "F1 is 2 p r / (p + r): the 2 is missing": lambda g, p: (*judged(g, p)[:2], judged(g, p)[2] / 2),
        "these are percentages: return shares": lambda g, p: tuple(100 * v for v in judged(g, p)),
        "F1 alone is there: precision and recall are asked for, too": lambda g, p: judged(g, p)[2],
    }, span_scores)
    ### END MISTAKES
    logits = torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]], [[0.0, 4.0], [5.0, 0.0], [1.0, 0.0]]])
    tags, lengths = torch.tensor([[0, 0, 1], [1, -1, 0]]), torch.tensor([2, 1])
    check(masked_cross_entropy, logits, tags, lengths).equals(0.48611, rtol=1e-3)
    check(spans, ["B-A", "I-A", "O", "I-B", "B-B"]).equals({("A", 0, 2), ("B", 3, 4), ("B", 4, 5)})
    check(spans, ["B-A", "I-A", "I-B", "O", "I-B", "B-B"]).equals({("A", 0, 2), ("B", 2, 3), ("B", 4, 5), ("B", 5, 6)})
    check(spans, ["B-A", "I-B", "I-B", "O", "B-A", "I-A"]).equals({("A", 0, 1), ("B", 1, 3), ("A", 4, 6)})
    gold = [["B-A", "I-A", "O", "B-B"], ["O", "B-A", "O", "O"], ["B-B", "I-B", "I-B", "O"]]
    found = [["B-A", "I-A", "O", "B-A"], ["O", "B-A", "I-A", "O"], ["B-B", "I-B", "I-B", "B-A"]]
    check(span_scores, gold, found).equals((0.4, 0.5, 4 / 9))
    check(span_scores, [["B-A"], ["O"]], [["O"], ["O"]]).equals(
        (0.0, 0.0, 0.0), about="nothing is found", edge=True,
        near={"a value with denominator 0 is 0.0": ZeroDivisionError,
              "a value with denominator 0 is 0.0, not 1.0": (1.0, 0.0, 0.0)},
    )
    slope = [[[-0.0397, 0.0397], [-0.2437, 0.2437], [0, 0]], [[0.0060, -0.0060], [0, 0], [0, 0]]]
    check(slopes, masked_cross_entropy, logits, tags, lengths).equals(
        [slope], about="gradient", rtol=1e-2, atol=1e-4,
        near={"the gradient is cut: no detach, item or NumPy on the way": RuntimeError}
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for B, T, K in ((3, 5, 4), (4, 7, 3), (2, 6, 5)):
        z, y = torch.tensor(check.rng.normal(size=(B, T, K)) * 2), torch.tensor(check.rng.integers(K, size=(B, T)))
        n = torch.tensor([T - 2, *check.rng.integers(1, T - 1, size=B - 1)])
        expected = -np.mean([np.log(np.exp(z[b, t, y[b, t]]) / np.exp(z[b, t]).sum()) for b in range(B)
            for t in range(int(n[b]))])
        check(masked_cross_entropy, z, y, n).equals(expected, about="random sentences", rtol=1e-4)
    for B, T, K, size, about in ((70, 70, 3, 2, "many sentences"), (1, 1, 3, 2, "one sentence of one token"),
            (2, 3, 1, 2, "one tag"), (3, 4, 5, 90, "large scores"), (3, 4, 5, 2, "float64")):
        z, y = torch.tensor(check.rng.normal(size=(B, T, K)) * size), torch.tensor(check.rng.integers(K, size=(B, T)))
        n = torch.tensor([T, *check.rng.integers(1, T + 1, size=B - 1)])
        expected = -np.mean([float(z[b, t].log_softmax(0)[y[b, t]]) for b in range(B) for t in range(int(n[b]))])
        check(masked_cross_entropy, z, y, n).equals(expected, about=f"the loss: {about}", edge=True, rtol=1e-10,
            atol=1e-12, near={"float64 was rounded to float32 on the way":
            float(F.cross_entropy(z.float()[real(y, n)], y[real(y, n)]))})
    z, y, n = z[:2], y[:2], torch.tensor([2, 3])
    expected = float(losses(z, y)[real(y, n)].mean())
    for beyond in (-1, -7, 99):
        check(masked_cross_entropy, z, torch.where(real(y, n), y, beyond), n).equals(expected,
            about="-1 or any other number beyond the length", rtol=1e-4, near={
            "a tag beyond the length was looked at: it may be any number": IndexError})
    check(masked_cross_entropy, z, y, torch.tensor([1, 0])).equals(
        float(losses(z, y)[0, 0]), about="one real token", edge=True, rtol=1e-4)
    far = torch.tensor(check.rng.normal(size=z.shape) * 1e4)
    check(masked_cross_entropy, torch.where(real(y, n)[..., None], z, far), y, n).equals(expected,
        about="scores beyond the length", rtol=1e-4, edge=True)
    leaf = z.clone().requires_grad_()
    golden = torch.autograd.grad(F.cross_entropy(leaf[real(y, n)], y[real(y, n)]), leaf)[0]
    check(slopes, masked_cross_entropy, z, y, n).equals([golden], about="the gradient of the logits",
        rtol=1e-4, atol=1e-8, near={
        "the gradient is cut on its way to the logits: no detach, no item, no NumPy": RuntimeError,
        "the gradient is cut on its way to the logits: no detach, no item (a plain number came back)": AttributeError})
    names = ["O", "O", "B-X", "I-X", "B-Y", "I-Y", "I-X"]

    def renamed(tags):
        return [t.replace("X", "PERSON").replace("Y", "PERIOD") for t in tags]

    def random_tags(size):
        return [str(tag) for tag in check.rng.choice(names, size=size)]

    def changed(tags):
        """The tags with about one in four drawn anew."""
        return [tag if check.rng.uniform() < 0.75 else str(check.rng.choice(names)) for tag in tags]

    drawn = [random_tags(9) for _ in range(6)]
    for tags in [*drawn, ["I-X", "I-X", "O"], ["B-X", "I-Y", "I-X"], ["O", "B-Y", "B-Y"]]:
        check(spans, tags).equals(by_text(tags), about="random tags")
        check(spans, renamed(tags)).equals({(renamed([a])[0], i, j) for a, i, j in by_text(tags)},
            about="random tags, longer labels")
    for tags, found in ((["B-TIME", "I-DATETIME", "I-TIME"], {("TIME", 0, 1), ("DATETIME", 1, 2), ("TIME", 2, 3)}),
            (["B-PERSON", "I-PER", "I-PERSON"], {("PERSON", 0, 1), ("PER", 1, 2), ("PERSON", 2, 3)}),
            (["B-a", "I-A"], {("a", 0, 1), ("A", 1, 2)}), (["I-O", "O", "B-O"], {("O", 0, 1), ("O", 2, 3)})):
        check(spans, tags).equals(found, about="a label that is a part of another, or O", edge=True)
    check(spans, ["B-AB-C", "I-AB-C"]).equals({("AB-C", 0, 2)}, about="a label with a hyphen", edge=True,
        near={"a label may hold a hyphen of its own: cut off B- or I- only": {("AB", 0, 2)},
        "a label may hold a hyphen of its own: cut off B- or I- only, not all but the end": {("C", 0, 2)}})
    check(spans, ["O", "O"]).equals(set(), about="nothing named", edge=True)
    check(spans, []).equals(set(), about="no tokens", edge=True)
    for size in (4, 6, 9, 9, 80):
        gold = [random_tags(8) for _ in range(size)]
        found = [changed(tags) for tags in gold]
        check(span_scores, gold, found).equals(judged(gold, found), about="random sentences, judged")
    swap = {"O": "O", "B-X": "B-Y", "I-X": "I-Y", "B-Y": "B-X", "I-Y": "I-X"}
    swapped = []  # each label is the other one
    for tags in found:
        swapped.append([swap[tag] for tag in tags])
    check(span_scores, gold, swapped).equals(judged(gold, swapped), about="random sentences, judged")
    check(span_scores, gold, [["O"] * 8 for _ in gold]).equals((0.0, 0.0, 0.0), about="nothing found", edge=True,
        near={
        "nothing was found: a value with denominator 0 is 0.0": ZeroDivisionError,
        "nothing was found: a value with denominator 0 is 0.0, not 1": (1.0, 0.0, 0.0)})
    check(span_scores, [["O"]], [["O"]]).equals((0.0, 0.0, 0.0), about="nothing there", edge=True, near={
        "a value with denominator 0 is 0.0": ZeroDivisionError,
            "nothing there and nothing found: a value with denominator 0 is 0.0, not 1": (1.0, 1.0, 1.0),
            "nothing was found: a value with denominator 0 is 0.0, not 1": (1.0, 0.0, 0.0)})
    ### END HIDDEN TESTS


score
