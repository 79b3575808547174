from helpers.checks import graded


@graded("contrastive", points=4)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import numpy as np
    import torch.nn.functional as F

    def scored(fold=max, unit=True, own=lambda a: 1 - a, other=lambda a: a, sign=-1.0, some=slice(None)):
        def apply(p, c, h, alpha):
            c, h = c.double().numpy(), h.double().numpy()[some]
            found = []
            for i in range(len(c)):
                cos = [float(c[i] @ v) / (np.linalg.norm(c[i]) * np.linalg.norm(v) if unit else 1.0) for v in h]
                found.append(own(alpha) * float(p[i]) + sign * other(alpha) * fold(cos))
            return torch.tensor(found, dtype=p.dtype)

        return apply

    def by_length(of=lambda v: v.norm(dim=-1, keepdim=True), text=None):
        """The scores where vectors are divided by what `of` says, those of the text by what `text` says."""

        def apply(p, c, h, alpha):
            cosines = (c / of(c)) @ (h / (text or of)(h)).T
            return (1 - alpha) * p - alpha * cosines.max(-1).values

        return apply

    check.mistakes({
        "the mean of the cosines was taken: the largest counts": scored(fold=np.mean),
        "the smallest cosine was taken: the largest counts": scored(fold=min),
        "only the last token of the text was compared": scored(some=slice(-1, None)),
        "the last token of the text was left out": scored(some=slice(None, -1), fold=lambda v: max(v, default=0.0)),
        "products were compared: divide by the lengths of both vectors": scored(unit=False),
        "alpha and 1 - alpha are exchanged": scored(own=lambda a: a, other=lambda a: 1 - a),
        "the likeness was added: it is subtracted": scored(sign=1.0),
        "p is not multiplied with 1 - alpha": scored(own=lambda a: 1.0),
        "the likeness is not multiplied with alpha": scored(other=lambda a: 1.0),
        "the size of a cosine was taken: its sign counts": scored(fold=lambda v: max(map(abs, v))),
        "negative cosines count as 0 here": scored(fold=lambda v: max([0.0, *v])),
        "all vectors are divided by one length, that of the whole matrix: each has its own":
            by_length(lambda v: v.norm()),
        "the columns were brought to length 1, not the vectors: they are the rows (dim=-1)":
            by_length(lambda v: v.norm(dim=0)),
        "only the candidates are divided by their lengths: the vectors of the text are, too":
            by_length(text=lambda v: 1.0),
        "only the vectors of the text are divided by their lengths: the candidates are, too":
            by_length(lambda v: 1.0, lambda v: v.norm(dim=-1)[:, None]),
        "divided by the squares of the lengths: the lengths themselves are asked for":
            by_length(lambda v: v.square().sum(-1, keepdim=True)),
        "the cosines are added up: the largest counts": scored(fold=sum),
        "only the first token of the text was compared": scored(some=slice(0, 1)),
        "p is missing": scored(own=lambda a: 0.0),
        "one largest cosine was taken for all candidates: each has its own":
            lambda p, c, h, a: scored()(p, c, h, 0.0) * (1 - a) - a * float(
                (F.normalize(c, dim=-1) @ F.normalize(h, dim=-1).T).max()),
        "log p is used where p is asked for": lambda p, c, h, a: scored()(p.log(), c, h, a),
    }, contrastive_scores)
    ### END MISTAKES
    p = torch.tensor([0.5, 0.3, 0.2])
    candidates = torch.tensor([[2.0, 0.0], [0.0, 1.0], [-3.0, 4.0]])
    history = torch.tensor([[0.6, 0.8], [1.5, 0.0]])
    check(contrastive_scores, p, candidates, history, 0.6).equals([-0.4, -0.36, -0.088], rtol=1e-4)
    left = torch.tensor([[-1.0, 0.0], [0.0, 1.0]])
    check(contrastive_scores, p[:2], left, torch.tensor([[2.0, 0.0], [0.6, -0.8]]), 0.5).equals(
        [0.55, 0.15], rtol=1e-4, about="cosines below 0")

    def own_scores(z, vectors, k, alpha):
        """What a right step makes of the student's own scores: where they are wrong, the step cannot help it."""
        ids = [int(i) for i in z.argsort(descending=True)[: min(k, len(z))]]
        h, c = vectors(ids)
        scores = torch.as_tensor(contrastive_scores(z.softmax(-1)[ids], c, h, alpha))
        return ids[int(scores.argmax())]

    def sound():
        """Whether contrastive_scores is right, so that what goes wrong in a step is in the step."""
        try:
            scores = torch.as_tensor(contrastive_scores(p, candidates, history, 0.6))
            return scores.shape == (3,) and bool((scores - torch.tensor([-0.4, -0.36, -0.088])).abs().max() < 1e-3)
        except Exception:
            return False

    behind = "this step has the best of your contrastive_scores, but they are wrong: mend those first"

    def of_a_step(values, *given):
        """What mistakes of a step give where the scores are right; else what a right step makes of the scores."""

        def near():
            if sound():
                return values
            try:
                return {behind: own_scores(*given)}
            except RuntimeError:  # which torch raises for all shapes that do not fit
                return {}
            except Exception as error:
                return {behind: type(error)}

        return near

    def vectors(ids):
        table = torch.tensor([[0.0, 2.0], [1.0, 1.0], [-1.0, 0.0], [-3.0, 4.0], [2.0, 0.0]])
        return torch.tensor([[0.6, 0.8], [1.5, 0.0]]), table[list(ids)]

    logits = torch.tensor([0.3, 0.06, 0.04, 0.2, 0.5]).log()
    place = "this is the place among the candidates: the id is asked for"
    greedy = "this is the likeliest token: the best score counts"
    everything = "all tokens are candidates here: only the k likeliest are"
    worst = "the worst score was chosen"
    shared = "p was shared out among the candidates: the softmax of all logits is asked for"
    given = logits, vectors, 4, 0.6
    wrong = {greedy: 4, everything: 2, place: 2, worst: 1}
    check(contrastive_step, *given).equals(3, near=of_a_step(wrong, *given))
    given = logits, vectors, 2, 0.5
    wrong = {greedy: 4, worst: 4, shared: 4, place: 1}
    check(contrastive_step, *given).equals(0, about="fewer candidates", near=of_a_step(wrong, *given))
    given = torch.tensor([0.25, 0.165, 0.155, 0.17, 0.26]).log(), vectors, 4, 1 / 7
    wrong = {greedy: 4, everything: 2, place: 2, worst: 1, shared: 0}
    check(contrastive_step, *given).equals(3, about="likely and unlikely candidates", near=of_a_step(wrong, *given))
    def in_turn(ids):
        """Vectors for the first id, the second and the third, whatever they are."""
        return torch.tensor([[1.0, 0.0]] * 2), torch.tensor([[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]])[: len(ids)]

    given = torch.tensor([0.3, 0.06, 0.04, 0.2, 0.4]).log(), in_turn, 3, 0.5
    wrong = {"likelier ids come first in the list": 4, worst: 0}
    check(contrastive_step, *given).equals(3, about="the order of the list", near=of_a_step(wrong, *given))
    given = logits[:3], vectors, 9, 0.6
    wrong = {"where there are fewer than k tokens, all are candidates": RuntimeError}
    check(contrastive_step, *given).equals(2, about="fewer tokens than k", near=of_a_step(wrong, *given))
    given = logits, vectors, 4, 0.0
    check(contrastive_step, *given).equals(4, about="alpha of 0 is greedy", near=of_a_step({place: 0}, *given))
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(*shape, dtype=torch.float32):
        return torch.from_numpy(check.rng.normal(size=shape)).to(dtype)

    for k, T, C in [(4, 6, 3), (3, 5, 7), (7, 2, 4), (5, 9, 2)]:
        for alpha in (0.25, 0.6, 0.9):
            chances, c, h = made(k).softmax(-1), 2 * made(k, C) - 0.5, 3 * made(T, C) + 0.3
            check(contrastive_scores, chances, c, h, alpha).equals(
                scored()(chances, c, h, alpha), about="fresh vectors", rtol=1e-4, atol=1e-6)
            away = made(k, C) * 0.1 - h.mean(0)
            check(contrastive_scores, chances, away, 0.1 * made(T, C) + h.mean(0), alpha).holds(
                lambda v, q=chances, a=alpha: bool((torch.as_tensor(v) > (1 - a) * q).all()),
                "above (1 - alpha) p, for all cosines are negative", about="candidates that point away")
    doubles = [v.double() for v in (chances, c, h)]
    check(contrastive_scores, *doubles, 0.35).equals(scored()(*doubles, 0.35), about="doubles", edge=True, rtol=1e-9)
    many = made(70).softmax(-1), 100 * made(70, 3) + 40, 100 * made(90, 3) - 40
    for alpha in (0.02, 0.5, 0.98):
        check(contrastive_scores, *many, alpha).equals(
            scored()(*many, alpha), about="many candidates, a long text, long vectors", edge=True, rtol=1e-4, atol=1e-6)
    check(contrastive_scores, chances[:1], c[:1], h, 0.35).equals(
        scored()(chances[:1], c[:1], h, 0.35), about="one candidate, one token of text", edge=True, rtol=1e-4)
    check(contrastive_scores, chances, c, h[:1], 0.35).equals(
        scored()(chances, c, h[:1], 0.35), about="one candidate, one token of text", edge=True, rtol=1e-4)
    check(contrastive_scores, chances, c[:, :1], h[:, :1], 0.35).equals(
        scored()(chances, c[:, :1], h[:, :1], 0.35), about="vectors of one number", edge=True, rtol=1e-4)

    def stepped(best=np.argmax, renormed=False, unordered=False, all_of=False):
        def apply(z, vectors, k, alpha):
            chances = torch.softmax(z.double(), -1)
            ids = np.argsort(-z.numpy())[: len(z) if all_of else k].tolist()
            h, c = vectors(sorted(ids) if unordered else ids)
            share = chances[ids].sum() if renormed else 1.0
            return ids[int(best(scored()(chances[ids] / share, c, h, alpha).numpy()))]

        return apply

    def in_step(rule):
        def apply(*given):
            if not sound():
                raise RuntimeError  # no value: another mistake explains what came
            return rule(*given)

        return apply

    check.mistakes({
        behind: own_scores,
        greedy: in_step(lambda z, v, k, a: int(z.argmax())),
        worst: in_step(stepped(best=np.argmin)),
        place: in_step(lambda z, v, k, a: np.argsort(-z.numpy()).tolist().index(stepped()(z, v, k, a))),
        everything: in_step(stepped(all_of=True)),
        shared: in_step(stepped(renormed=True)),
        "the vectors belong to other ids than p: likelier ids come first in the list": in_step(stepped(unordered=True)),
    }, contrastive_step)
    for V, k in [(9, 3), (12, 5), (30, 4), (7, 2)] * 4:
        z, table, h = 2 * made(V), made(V, 4), made(6, 4)
        alpha = float(check.rng.uniform(0.1, 0.9))
        check(contrastive_step, z, lambda ids, h=h, table=table: (h, table[list(ids)]), k, alpha).equals(
            stepped()(z, lambda ids, h=h, table=table: (h, table[list(ids)]), k, alpha), about="fresh steps")
    for alpha in (0.02, 0.97):
        for _ in range(4):
            z, table, h = made(90) + 900, made(90, 4), made(6, 4)
            check(contrastive_step, z, lambda ids, h=h, table=table: (h, table[list(ids)]), 75, alpha).equals(
                stepped()(z, lambda ids, h=h, table=table: (h, table[list(ids)]), 75, alpha),
                about="many candidates, far logits", edge=True)
    h, table = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.967, 0.2548], [-1.0, 0.0]])
    for p, alpha, right in [([0.9, 0.1, 0.0], 0.97, 1), ([0.535, 0.0, 0.465], 0.02, 0)]:
        check(contrastive_step, torch.tensor(p).log(), lambda ids: (h, table[list(ids)]), 2, alpha).equals(
            right, about="alpha near 0 and 1", edge=True)
    in_turn = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    for z, right in [([2.0, 1.0, 3.0, 2.5], 0), ([0.1, 1.0, 0.9, 0.8], 3), ([1.0, 0.5, 2.0, 3.0], 0)]:
        check(contrastive_step, torch.tensor(z), lambda ids: (torch.tensor([[1.0, 0.2]]), in_turn[: len(ids)]), 3,
            0.9).equals(right, about="likelier ids come first", edge=True)
    z = torch.tensor([1.0, 1.0 + 1e-12, 0.5], dtype=torch.float64)
    table, h = torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), torch.tensor([[2.0, 0.0]])
    check(contrastive_step, z, lambda ids: (h, table[list(ids)]), 1, 0.6).equals(1, about="one candidate", edge=True)
    z = torch.tensor([0.5, 2.0, 1.0])
    table, h = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]), torch.tensor([[0.0, 3.0]])
    check(contrastive_step, z, lambda ids: (h, table[list(ids)]), 8, 0.6).equals(2,
        about="fewer tokens than k", edge=True)
    check(contrastive_step, z[:1], lambda ids: (h, table[list(ids)]), 1, 0.6).equals(0, about="one token", edge=True)
    ### END HIDDEN TESTS


score
