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
    by_candidates = "divided by the number of candidates, M: the mean is over the N queries"
    sign = "the sign is turned round: at the right candidate the gradient is below 0"
    only_p = "subtract 1 at the right candidate"
    times = "the similarities are divided by the temperature, not multiplied"
    over_queries = "softmax over the queries: each row is a choice among candidates"
    ignored = "softmax was taken without the temperature"
    over_all = "softmax over the whole table: each row is a choice for itself"
    s = torch.tensor([[1.0, 0.0, 0.5, -0.4], [0.2, 0.4, -0.3, 0.6]])
    right = torch.tensor([0, 2])
    want = [[-0.3563687, 0.07335372, 0.2560297, 0.02698533], [0.2211017, 0.364535, -1.186653, 0.6010167]]
    check(score_gradient, s, right, 0.4).equals(want, rtol=1e-4, atol=1e-6, near={
        no_tau: [[-0.1425475, 0.02934149, 0.1024119, 0.01079413], [0.08844066, 0.145814, -0.4746613, 0.2404067]],
        no_mean: [[-0.7127374, 0.1467074, 0.5120593, 0.05397065], [0.4422033, 0.72907, -2.373307, 1.202033]],
        sign: [[0.3563687, -0.07335372, -0.2560297, -0.02698533], [-0.2211017, -0.364535, 1.186653, -0.6010167]],
        only_p: [[0.8936313, 0.07335372, 0.2560297, 0.02698533], [0.2211017, 0.364535, 0.06334668, 0.6010167]],
        times: [[-0.841538, 0.2738003, 0.3344204, 0.2333172], [0.3067087, 0.3322535, -0.9988882, 0.359926]],
        over_queries: [[-0.1490037, 0.3361768, 1.100996, 0.09482272], [0.1490037, 0.9138232, -1.100996, 1.155177]],
        over_all: [[-0.672341, 0.04741714, 0.1655021, 0.01744379], [0.07817765, 0.1288932, -1.227602, 0.2125089]],
        ignored: [[-0.6871922, 0.2070454, 0.3413602, 0.1387867], [0.2893681, 0.3534349, -1.074489, 0.4316864]],
        by_candidates: [[-0.1781844, 0.03667686, 0.1280148, 0.01349266], [0.1105508, 0.1822675, -0.5933267, 0.3005083]],
    })


score
