from helpers.checks import graded


@graded("contrastive", points=4)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the mean of the cosines was taken: the largest counts": {
            1: [-0.28, -0.12, 0.176],
            2: [0.65, 0.35],
        },
        "the smallest cosine was taken: the largest counts": {
            1: [-0.16, 0.12, 0.44],
            2: [0.75, 0.55],
        },
        "only the last token of the text was compared": {
            1: [-0.4, 0.12, 0.44],
            2: [0.55, 0.55],
        },
        "the last token of the text was left out": {
            1: [-0.16, -0.36, -0.088],
            2: [0.75, 0.15],
        },
        "products were compared: divide by the lengths of both vectors": {
            1: [-1.6, -0.36, -0.76],
        },
        "alpha and 1 - alpha are exchanged": {
            1: [-0.1, -0.14, 0.00800001],
        },
        "the likeness was added: it is subtracted": {
            1: [0.8, 0.6, 0.248],
            2: [-0.05, 0.15],
        },
        "p is not multiplied with 1 - alpha": {
            1: [-0.1, -0.18, 0.032],
            2: [0.8, 0.3],
        },
        "the likeness is not multiplied with alpha": {
            1: [-0.8, -0.68, -0.2],
            2: [0.85, 0.15],
        },
        "the size of a cosine was taken: its sign counts": {
            1: [-0.4, -0.36, -0.28],
            2: [-0.25, -0.25],
        },
        "all vectors are divided by one length, that of the whole matrix: each has its own": {
            1: [0.0177069, 0.0713885, -0.0050701],
            2: [0.344868, 0.15],
        },
        "the columns were brought to length 1, not the vectors: they are the rows (dim=-1)": {
            1: [-0.109016, -0.0255214, -0.316676],
            2: [0.393674, 0.15],
        },
        "only the candidates are divided by their lengths: the vectors of the text are, too": {
            1: [-0.7, -0.36, -0.088],
        },
        "only the vectors of the text are divided by their lengths: the candidates are, too": {
            1: [-1.0, -0.36, -0.76],
        },
        "divided by the squares of the lengths: the lengths themselves are asked for": {
            1: [-1.49012e-08, -0.36, 0.0464],
            2: [0.5, 0.15],
        },
        "the cosines are added up: the largest counts": {
            1: [-0.76, -0.36, 0.272],
            2: [1.05, 0.55],
        },
        "only the first token of the text was compared": {
            1: [-0.16, -0.36, -0.088],
            2: [0.75, 0.15],
        },
        "p is missing": {
            1: [-0.6, -0.48, -0.168],
            2: [0.3, 0.0],
        },
        "one largest cosine was taken for all candidates: each has its own": {
            1: [-0.4, -0.48, -0.52],
            2: [0.25, 0.15],
        },
        "log p is used where p is asked for": {
            1: [-0.877259, -0.961589, -0.811775],
            2: [-0.0465736, -0.601986],
        },
        "negative cosines count as 0 here": {
            2: [0.25, 0.15],
        },
    })
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


score
