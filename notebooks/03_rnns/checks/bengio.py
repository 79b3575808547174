from helpers.checks import difference, graded


@graded("bengio", points=4)
def score(check):
    import torch
    from torch.nn import functional as F

    direct = "the direct path is missing: add x W_d"
    no_tanh = "the hidden layer has no tanh"
    mean = "the vectors of the window were averaged or added: lay them one after another"
    newest = "the oldest word comes first in x: here the window was turned round"
    no_b_h = "the bias b_h of the hidden layer is missing"
    no_b_o = "the bias b_o of the scores is missing"
    inside = "the direct path goes round the tanh, not through it"

    E = torch.tensor([[1.0], [2.0], [3.0]])
    args = (torch.tensor([[2, 0]]), E, torch.tensor([[0.1], [-0.2]]), torch.tensor([0.3]),
        torch.tensor([[1.0, -1.0, 2.0]]),
            torch.tensor([0.5, 0.0, -0.5]), torch.tensor([[0.1, 0.2, 0.3], [-0.1, 0.4, 0.0]]))
    check(bengio_logits, *args).equals([[1.0799, 0.6201, 1.1599]], rtol=1e-4,
        near={direct: [[0.87995, -0.37995, 0.2599]], no_tanh: [[1.1, 0.6, 1.2]],
        no_b_h: [[0.79967, 0.90033, 0.59934]], no_b_o: [[0.57995, 0.62005, 1.6599]],
        newest: [[0.10262, 1.5974, -0.59475]], mean: [[0.59967, 1.1003, 0.29934]],
        inside: [[0.9033, 0.1237, 0.55841]],
        "these are probabilities: return the scores, without a softmax": [[0.36838, 0.23258, 0.39904]],
        "these are log-probabilities: return the scores as they are": [[-0.99864, -1.45852, -0.9187]]})
    by_dimension = "x holds word after word: here all first numbers of the vectors came first"
    batch_mixed = "reshape mixed the batch: x needs one row for each window"
    one_answer = "all rows of the batch got the answer of the first window"
    one_score = "all rows of the batch got the scores of the first window"
    ids, E = torch.tensor([[2, 0], [1, 2]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]])
    W_h, b_h, W_o = torch.tensor([[0.1], [0.2], [-0.1], [0.3]]), torch.tensor([0.1]), torch.tensor([[1.0, 0.0, -1.0]])
    W_d = torch.tensor([[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.5, 0.5, 0.0]])
    check(bengio_logits, ids, E, W_h, b_h, W_o, torch.tensor([0.0, 0.5, 0.0]), W_d).equals(
        [[1.0, 0.0, 0.5], [-0.69738, 0.5, 1.19738]], rtol=1e-4, about="two windows, two dimensions", near={
        by_dimension: [[1.53705, 1.0, -1.03705], [-0.40033, 1.0, 0.40033]],
        batch_mixed: [[1.87995, 0.5, -0.37995], [-0.29131, 0.0, 1.29131]],
        newest: [[-0.29131, 0.0, 1.29131], [1.87995, 0.5, -0.37995]],
        one_answer: [[1.0, 0.0, 0.5]], one_score: [[1.0, 0.0, 0.5], [1.0, 0.0, 0.5]]})


score
