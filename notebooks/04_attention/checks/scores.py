from helpers.checks import graded


@graded("scores", points=5)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "queries belong in rows and keys in columns: the table is transposed": {
            1: [[3.0], [2.0]],
            2: [[[3.0], [2.0]], [[1.0], [-1.0]]],
            3: [[2.12132], [1.41421]],
            4: [[1.34164, 0.0], [1.78885, 1.78885], [1.78885, 0.447214]],
            5: [[6.0], [1.0]],
            6: [[3.0, 6.0], [0.0, 5.0]],
            7: [[1.96336], [1.75665]],
            8: [[-0.496777, 1.19446], [-1.55938, 2.44545]],
            9: [[[1.96336], [1.75665]], [[1.72562], [0.964028]]],
        },
        "this is the cosine: a dot product is not divided by the lengths of the vectors": {
            1: [[0.447214, 0.894427]],
            2: [[[0.447214, 0.894427]], [[0.707107, -0.447214]]],
            3: [[0.447214, 0.894427]],
            4: [[0.46291, 0.436436, 0.730297], [0.0, 0.617213, 0.258199]],
        },
        "this score is divided by the square root of d: only the scaled one is": {
            1: [[2.12132, 1.41421]],
            2: [[[2.12132, 1.41421]], [[0.707107, -0.707107]]],
            5: [[4.24264, 0.707107]],
            6: [[2.12132, 0.0], [4.24264, 3.53553]],
        },
        "you divided by d, not by its square root": {
            1: [[1.5, 1.0]],
            2: [[[1.5, 1.0]], [[0.5, -0.5]]],
            3: [[1.5, 1.0]],
            4: [[0.6, 0.8, 0.8], [0.0, 0.8, 0.2]],
        },
        "these are weights, not scores: softmax is the next exercise": {
            1: [[0.731059, 0.268941]],
            2: [[[0.731059, 0.268941]], [[0.880797, 0.119203]]],
            3: [[0.669762, 0.330238]],
            4: [[0.242254, 0.378873, 0.378873], [0.117006, 0.700002, 0.182992]],
        },
        "the entries were multiplied and not added up: use @": {
            1: [[3.0, 0.0], [0.0, 2.0]],
            2: [[[3.0, 0.0], [0.0, 2.0]], [[0.0, 1.0], [0.0, -1.0]]],
        },
        "each query met only the key of its own position: every query meets every key": {
            1: [3.0, 2.0],
            2: [[3.0, 2.0], [1.0, -1.0]],
            3: [2.12132, 1.41421],
            5: [6.0, 1.0],
            6: [3.0, 5.0],
            7: [1.96336, 1.75665],
            8: [-0.496777, 2.44545],
            9: [[1.96336, 1.75665], [1.72562, 0.964028]],
        },
        "an axis of size 1 was squeezed away: one query, or one key, keeps its axis": {
            1: [3.0, 2.0],
            2: [[3.0, 2.0], [1.0, -1.0]],
            3: [2.12132, 1.41421],
            5: [6.0, 1.0],
            7: [1.96336, 1.75665],
            9: [[1.96336, 1.75665], [1.72562, 0.964028]],
        },
        "there is no scale: divide by the square root of d": {
            3: [[3.0, 2.0]],
            4: [[3.0, 4.0, 4.0], [0.0, 4.0, 1.0]],
        },
        "you multiplied by the square root of d: divide by it": {
            3: [[4.24264, 2.82843]],
            4: [[6.7082, 8.94427, 8.94427], [0.0, 8.94427, 2.23607]],
        },
        "the root is that of the number of queries; d is the size of a vector, the last axis": {
            3: [[3.0, 2.0]],
            4: [[2.12132, 2.82843, 2.82843], [0.0, 2.82843, 0.707107]],
        },
        "the root was taken of the score; it is taken of d": {
            3: [[1.73205, 1.41421]],
            4: [[1.73205, 2.0, 2.0], [0.0, 2.0, 1.0]],
        },
        "d ** 1 / 2 is d / 2: the root is d ** 0.5": {
            3: [[3.0, 2.0]],
            4: [[1.2, 1.6, 1.6], [0.0, 1.6, 0.4]],
        },
        "the root was cut to a whole number": {
            3: [[3.0, 2.0]],
            4: [[1.5, 2.0, 2.0], [0.0, 2.0, 0.5]],
        },
        "this is the cosine: a dot product is not divided by the lengths of the vectors, nor a scaled one": {
            3: [[0.316228, 0.632456]],
            4: [[0.20702, 0.19518, 0.326599], [0.0, 0.276026, 0.11547]],
        },
        "the root is that of the number of keys; d is the size of a vector, the last axis": {
            4: [[1.73205, 2.3094, 2.3094], [0.0, 2.3094, 0.57735]],
        },
        "W was left out": {
            5: [[3.0, 2.0]],
            6: [[3.0, 2.0], [6.0, -1.0]],
        },
        "W was applied to the queries and to the keys: once is enough": {
            5: [[3.0, 2.0]],
            6: [[3.0, 0.0], [36.0, -5.0]],
        },
        "W is transposed: q meets its rows and k its columns, q W k": {
            6: [[15.0, -2.0], [0.0, 1.0]],
        },
        "there is no tanh": {
            7: [[6.0, 4.0]],
            8: [[-2.0, -1.75], [3.5, 3.75]],
            9: [[[6.0, 4.0]], [[3.0, 2.0]]],
        },
        "tanh was taken of the finished sum; it belongs inside, before v": {
            7: [[0.999988, 0.999329]],
            8: [[-0.964028, -0.941376], [0.998178, 0.998894]],
            9: [[[0.999988, 0.999329]], [[0.995055, 0.964028]]],
        },
        "tanh was taken of either part alone; add the two first": {
            7: [[2.72068, 2.48722]],
            8: [[-1.32068, -1.44091], [2.63756, 2.51733]],
            9: [[[2.72068, 2.48722]], [[2.28478, 0.964028]]],
        },
        "the parts were multiplied; the additive score adds them": {
            7: [[0.995055, 0.964028]],
            8: [[-1.62186, 0.244919], [2.25375, -0.124353]],
            9: [[[0.995055, 0.964028]], [[0.761594, -0.761594]]],
        },
        "the parts were subtracted; the additive score adds them": {
            7: [[0.0, 1.52319]],
            8: [[-1.23445, -1.77252], [2.23433, 2.05522]],
            9: [[[0.0, 1.52319]], [[-0.761594, 0.0]]],
        },
        "v weighs a sum, not a mean: the score is too small by the factor a": {
            7: [[0.981678, 0.878325]],
            8: [[-0.248388, -0.779692], [0.597229, 1.22272]],
            9: [[[0.981678, 0.878325]], [[0.862811, 0.482014]]],
        },
        "this is a sigmoid, not a tanh": {
            7: [[1.86281, 1.68363]],
            8: [[0.200211, 0.0759026], [1.07824, 1.31433]],
            9: [[[1.86281, 1.68363]], [[1.61186, 1.3808]]],
        },
        "this is a ReLU, not a tanh": {
            7: [[6.0, 4.0]],
            8: [[-2.0, -0.75], [3.5, 3.0]],
            9: [[[6.0, 4.0]], [[3.0, 2.0]]],
        },
        "the keys' part is missing": {
            7: [[1.72562, 1.72562]],
            8: [[-1.68583, -1.68583], [2.27241, 2.27241]],
            9: [[[1.72562, 1.72562]], [[0.761594, 0.761594]]],
        },
        "the queries' part is missing": {
            7: [[0.995055, 0.761594]],
            8: [[0.36515, 0.244919], [0.36515, 0.244919]],
            9: [[[0.995055, 0.761594]], [[1.52319, 0.202433]]],
        },
        "tanh was taken of the queries' part alone; add the two first": {
            7: [[4.72562, 2.72562]],
            8: [[-1.68583, -1.43583], [2.27241, 2.52241]],
            9: [[[4.72562, 2.72562]], [[2.76159, 1.76159]]],
        },
        "tanh was taken of the keys' part alone; add the two first": {
            7: [[3.99505, 3.76159]],
            8: [[-1.63485, -1.75508], [3.86515, 3.74492]],
            9: [[[3.99505, 3.76159]], [[2.52319, 1.20243]]],
        },
        "the additive score was divided by a root; it is not scaled": {
            7: [[1.3883, 1.24214]],
            8: [[-0.351274, -1.10265], [0.844609, 1.72919]],
            9: [[[1.3883, 1.24214]], [[1.2202, 0.68167]]],
        },
        "the additive score was divided by a root; it is not scaled (that of d)": {
            7: [[1.3883, 1.24214]],
            8: [[-0.351274, -1.10265], [0.844609, 1.72919]],
            9: [[[1.3883, 1.24214]], [[1.2202, 0.68167]]],
        },
        "v was left out: the entries were only added up": {
            8: [[1.23153, 0.173032], [1.73962, 0.269999]],
        },
        "W_q and W_k are exchanged: W_q belongs to the queries": {
            8: [[1.88275, -0.951954], [1.07977, -0.941376]],
        },
        "W_q was used for the keys, too: W_k belongs to the keys": {
            8: [[0.761594, -2.42834], [2.45223, 1.52319]],
        },
        "all texts were compared with the keys of the first: leading axes stay apart": {
            9: [[[1.96336, 1.75665]], [[1.75665, 0.964028]]],
        },
    })
    from helpers.checks.gradients import cut

    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    q, k = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    one, swap, v = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([1.0, 1.0])
    W = torch.tensor([[1.0, 2.0], [0.0, -1.0]])
    check(dot_scores, q, k).equals(
        [[3.0, 2.0]], **loose,
        near={"there may be no batch: exchange the last two axes, transpose(-2, -1)": IndexError}
    )
    batch = torch.tensor([[[1.0, 2.0]], [[0.0, 1.0]]]), torch.tensor(
        [[[3.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [2.0, -1.0]]]
    )
    of_dot = check(dot_scores, *batch).equals(
        [[[3.0, 2.0]], [[1.0, -1.0]]], about="a batch of two", **loose,
        near={"the first axis is the batch: exchange the last two, transpose(-2, -1)": [[[3.0, 5.0]], [[1.0, -1.0]]]},
    )
    check(scaled_scores, q, k).equals([[2.1213, 1.4142]], **loose)
    two = torch.tensor([[1.0, 0, 2, 0, 1], [0, 1, 1, -1, 0]])
    three = torch.tensor([[2.0, 1, 0, 1, 1], [0, 3, 1, 0, 2], [1, 1, 1, 1, 1]])
    check(scaled_scores, two, three).equals([[1.3416, 1.7889, 1.7889], [0.0, 1.7889, 0.4472]], **loose)
    check(general_scores, q, k, swap).equals([[6.0, 1.0]], **loose)
    other = torch.tensor([[1.0, 2.0], [2.0, -1.0]])
    of_general = check(general_scores, other, k, W).equals([[3.0, 0.0], [6.0, 5.0]], **loose)
    check(additive_scores, q, k, one, one, v).equals([[1.9634, 1.7566]], **loose)
    less = torch.tensor([[0.5, 0.0], [-0.5, 0.5]])
    right = [[-0.4968, -1.5594], [1.1945, 2.4454]]
    of_additive = check(additive_scores, other, k, less, W / 4, torch.tensor([2.0, -1.0])).equals(right, **loose)
    check(additive_scores, *batch, one, one, v).equals(
        [[[1.9634, 1.7566]], [[1.7256, 0.9640]]], about="a batch of two, additive", **loose)
    flow = {"about": "gradients of the squared scores", **loose}
    check(slopes, dot_scores, q, k).equals([[[18.0, 4.0]], [[6.0, 12.0], [4.0, 8.0]]], near=cut(of_dot), **flow)
    check(slopes, general_scores, q, k, swap).equals(
        [[[2.0, 36.0]], [[24.0, 12.0], [4.0, 2.0]], [[36.0, 2.0], [72.0, 4.0]]], near=cut(of_general), **flow
    )
    by_q, by_k = [[1.4808, 0.3121]], [[0.0053, 0.2774], [1.4755, 0.0347]]
    by_W_q, by_W_k = [[1.4808, 0.3121], [2.9615, 0.6242]], [[0.0158, 0.8323], [1.4755, 0.0347]]
    check(slopes, additive_scores, q, k, one, one, v).equals(
        [by_q, by_k, by_W_q, by_W_k, [6.5998, 7.2814]], near=cut(of_additive), **flow
    )


score
