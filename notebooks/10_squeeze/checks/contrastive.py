from helpers.checks import graded


@graded("contrastive", points=4)
def score(check):
    import torch
    import torch.nn.functional as F

    p = torch.tensor([0.5, 0.3, 0.2])
    candidates = torch.tensor([[2.0, 0.0], [0.0, 1.0], [-3.0, 4.0]])
    history = torch.tensor([[0.6, 0.8], [1.5, 0.0]])
    mean = "the mean of the cosines was taken: the largest counts"
    least = "the smallest cosine was taken: the largest counts"
    last = "only the last token of the text was compared"
    products = "products were compared: divide by the lengths of both vectors"
    swapped = "alpha and 1 - alpha are exchanged"
    plus = "the likeness was added: it is subtracted"
    whole = "p is not multiplied with 1 - alpha"
    matrix = "all vectors are divided by one length, that of the whole matrix: each has its own"
    columns = "the columns were brought to length 1, not the vectors: they are the rows (dim=-1)"
    one_side = "only the candidates are divided by their lengths: the vectors of the text are, too"
    text_side = "only the vectors of the text are divided by their lengths: the candidates are, too"
    of_all = "one largest cosine was taken for all candidates: each has its own"
    squared = "divided by the squares of the lengths: the lengths themselves are asked"
    check(contrastive_scores, p, candidates, history, 0.6).equals([-0.4, -0.36, -0.088], rtol=1e-4, near={
        mean: [-0.28, -0.12, 0.176], least: [-0.16, 0.12, 0.44], last: [-0.4, 0.12, 0.44], plus: [0.8, 0.6, 0.248],
        products: [-1.6, -0.36, -0.76], swapped: [-0.1, -0.14, 0.008], whole: [-0.1, -0.18, 0.032],
        "p is missing": [-0.6, -0.48, -0.168],
        matrix: [0.0177069, 0.0713885, -0.0050701], squared: [0.0, -0.36, 0.0464],
        columns: [-0.1090157, -0.0255214, -0.3166761],
        of_all: [-0.4, -0.48, -0.52],
        one_side: [-0.7, -0.36, -0.088], text_side: [-1.0, -0.36, -0.76],
    })

    def own_scores(z, vectors, k, alpha):
        """What a right step makes of the student's own scores: where they are wrong, the step cannot help it."""
        ids = [int(i) for i in z.argsort(descending=True)[: min(k, len(z))]]
        h, c = vectors(ids)
        scores = torch.as_tensor(contrastive_scores(z.softmax(-1)[ids], c, h, alpha))
        return ids[int(scores.argmax())]

    def sound():
        """Whether contrastive_scores is right, so that what goes wrong in a step lies in the step."""
        try:
            scores = torch.as_tensor(contrastive_scores(p, candidates, history, 0.6))
            return scores.shape == (3,) and bool((scores - torch.tensor([-0.4, -0.36, -0.088])).abs().max() < 1e-3)
        except Exception:
            return False

    def in_step(rule):
        def apply(*given):
            if not sound():
                raise RuntimeError  # no value: another mistake explains what came
            return rule(*given)

        return apply

    behind = "this step has the best of your contrastive_scores, but they are wrong: mend those first"
    check.mistakes({behind: own_scores})

    def vectors(ids):
        table = torch.tensor([[0.0, 2.0], [1.0, 1.0], [-1.0, 0.0], [-3.0, 4.0], [2.0, 0.0]])
        return torch.tensor([[0.6, 0.8], [1.5, 0.0]]), table[list(ids)]

    logits = torch.tensor([0.3, 0.06, 0.04, 0.2, 0.5]).log()
    place = "this is the place among the candidates: the id is asked"
    greedy = "this is the likeliest token: the best score counts"
    everything = "all tokens are candidates here: only the k likeliest are"
    worst = "the worst score was chosen"
    shared = "p was shared out among the candidates: the softmax of all logits is asked"
    check(contrastive_step, logits, vectors, 4, 0.6).equals(
        3, near=lambda: {greedy: 4, everything: 2, place: 2, worst: 1} if sound() else {})
    check(contrastive_step, logits, vectors, 2, 0.5).equals(
        0, near=lambda: {greedy: 4, worst: 4, shared: 4, place: 1} if sound() else {}, about="fewer candidates")
    close = torch.tensor([0.25, 0.165, 0.155, 0.17, 0.26]).log()
    check(contrastive_step, close, vectors, 4, 1 / 7).equals(
        3, near=lambda: {greedy: 4, everything: 2, place: 2, worst: 1, shared: 0} if sound() else {},
        about="likely and unlikely candidates")
    check(contrastive_step, logits, vectors, 4, 0.0).equals(4, about="alpha of 0 is greedy", near={place: 0})


score
