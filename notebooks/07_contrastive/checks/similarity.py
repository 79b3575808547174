from helpers.checks import graded


@graded("similarity", points=6)
def score(check):
    import torch

    no_norm = "the vectors were not brought to length 1: this is the dot product"
    one_side = "only the first argument was brought to length 1"
    columns = "the columns were brought to length 1: a vector is a row"
    turned = "rows are for a, columns for b: this is the transpose"
    squared = "divide by the lengths, not by their squares"
    a, b = torch.tensor([[3.0, 4.0], [0.0, 2.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [-6.0, 8.0]])
    check(cosine_similarities, a, b).equals([[0.6, 0.28], [0.0, 0.8], [0.0, 0.0]], rtol=1e-4, atol=1e-6, near={
        no_norm: [[3.0, 14.0], [0.0, 16.0], [0.0, 0.0]], one_side: [[0.6, 2.8], [0.0, 8.0], [0.0, 0.0]],
        columns: [[0.164399, -0.09196669], [0.0, 0.4472136], [0.0, 0.0]], turned: [[0.6, 0.0, 0.0], [0.28, 0.8, 0.0]],
        "a row of zeros has no direction: its similarity is 0, not NaN": [[0.6, 0.28], [0.0, 0.8], [float("nan")] * 2],
    })

    no_tau = "1 / temperature is missing in front: the chain rule brings it"
    no_mean = "the mean over the N queries is missing: divide by N"
    sign = "the sign is turned round: at the right candidate the gradient is below 0"
    only_p = "subtract 1 at the right candidate"
    times = "the similarities are divided by the temperature, not multiplied"
    over_queries = "softmax over the queries: each row is a choice among candidates"
    ignored = "softmax was taken without the temperature"
    over_all = "softmax over the whole table: each row is a choice for itself"
    s = torch.tensor([[1.0, 0.0, 0.5, -0.4], [0.2, 0.4, -0.3, 0.6]])
    right = torch.tensor([0, 2])
    want = [[-0.3606239, 0.08653014, 0.2352133, 0.0388805], [0.1966474, 0.2933634, -0.9276575, 0.4376467]]
    check(score_gradient, s, right, 0.5).equals(want, rtol=1e-4, atol=1e-6, near={
        no_tau: [[-0.180312, 0.04326507, 0.1176067, 0.01944025], [0.09832368, 0.1466817, -0.4638287, 0.2188234]],
        no_mean: [[-0.7212479, 0.1730603, 0.4704266, 0.077761], [0.3932947, 0.5867268, -1.855315, 0.8752935]],
        sign: [[0.3606239, -0.08653014, -0.2352133, -0.0388805], [-0.1966474, -0.2933634, 0.9276575, -0.4376467]],
        only_p: [[0.6393761, 0.08653014, 0.2352133, 0.0388805], [0.1966474, 0.2933634, 0.07234252, 0.4376467]],
        times: [[-0.6530087, 0.2104609, 0.2702371, 0.1723108], [0.2435831, 0.269201, -0.8102973, 0.2975131]],
        over_queries: [[-0.1679816, 0.3100255, 0.8320184, 0.1192029], [0.1679816, 0.6899745, -0.8320184, 0.8807971]],
        over_all: [[-0.6140066, 0.05223852, 0.141999, 0.02347228], [0.07793072, 0.116259, -0.9713309, 0.173438]],
        ignored: [[-0.5497538, 0.1656363, 0.2730881, 0.1110293], [0.2314944, 0.282748, -0.8595915, 0.3453491]],
    })


score
