from helpers.checks import graded


@graded("contrastive", points=4)
def score(check):
    import torch

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
    check(contrastive_scores, p, candidates, history, 0.6).equals([-0.4, -0.36, -0.088], rtol=1e-4, near={
        mean: [-0.28, -0.12, 0.176], least: [-0.16, 0.12, 0.44], last: [-0.4, 0.12, 0.44], plus: [0.8, 0.6, 0.248],
        products: [-1.6, -0.36, -0.76], swapped: [-0.1, -0.14, 0.008], whole: [-0.1, -0.18, 0.032],
        "p is missing": [-0.6, -0.48, -0.168],
    })

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
        3, near={greedy: 4, f"{everything}; or {place}": 2, worst: 1})
    check(contrastive_step, logits, vectors, 2, 0.5).equals(
        0, near={f"{greedy}; or {worst}; or {shared}": 4, place: 1}, about="fewer candidates")
    check(contrastive_step, logits, vectors, 4, 0.0).equals(4, about="alpha of 0 is greedy", near={place: 0})


score
