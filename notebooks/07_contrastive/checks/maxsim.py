from helpers.checks import graded


@graded("maxsim", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the token vectors were not brought to length 1": {
            1: [[4.4, 6.8]],
            2: [[-28.0, 30.0, -6.0]],
        },
        "the maxima were averaged over the query's tokens: add them up": {
            1: [[0.9, 0.8]],
            2: [[-0.8, 0.78, -0.7]],
        },
        "the maxima were averaged over all places of the query, padding too: add them up": {
            1: [[0.6, 0.533333]],
            2: [[-0.533333, 0.52, -0.466667]],
        },
        "each passage token took its best query token: it is the query's tokens that choose": {
            1: [[2.6, 1.6]],
            2: [[-1.6, 0.16, -2.2]],
        },
        "each passage token took its best query token, padding among them: the query's tokens choose": {
            1: [[2.9799, 1.78995]],
            2: [[0.0, 0.96, 0.0]],
        },
        "all cosines were added up: only the largest for each token of the query counts": {
            1: [[3.8, 1.6]],
            2: [[-3.6, -0.24, -5.16]],
        },
        "the mean over the passage's tokens was taken: the largest is asked": {
            1: [[1.26667, 0.8]],
            2: [[-1.8, -0.12, -1.72]],
        },
        "an axis of size 1 was squeezed away: one query, or one passage, keeps its axis": {
            1: [1.8, 1.6],
            2: [-1.6, 1.56, -1.4],
        },
        "each query was scored with the passage of its own number only: all (Q, P) are asked": {
            1: [1.8],
            2: [-1.6],
        },
        "padding of the query was counted": {
            1: [[2.78995, 2.58995]],
        },
        "padding of a passage won a maximum": {
            1: [[1.8, 1.8]],
            2: [[0.0, 1.56, -1.4]],
        },
        "padding of query and passage was counted": {
            1: [[2.78995, 2.78995]],
            2: [[0.0, 1.56, -1.4]],
        },
        "the largest of all cosines was taken: each token of the query has its own": {
            1: [[1.0, 0.8]],
            2: [[-0.8, 0.96, -0.6]],
        },
        "the scores are (passages, queries): (queries, passages) is asked": {
            1: [[1.8], [1.6]],
            2: [[-1.6], [1.56], [-1.4]],
        },
        "added over the query's tokens before the maximum: each of its tokens has a best match of its own": {
            1: [[1.4, 1.4]],
            2: [[-1.8, 1.56, -1.56]],
        },
        "brought to length 1 along the tokens: F.normalize needs dim=-1 here": {
            1: [[0.406375, 0.363649]],
            2: [[-0.977802, 1.60498, -0.263117]],
        },
        "the tokens without padding were brought to length 1 along the tokens: F.normalize needs dim=-1 here": {
            1: [[1.50711, 1.76838]],
            2: [[-0.977802, 1.60498, -0.263117]],
        },
        "minus infinity at the query's padding was added up: let padding of a query add 0": {
            1: [[float("-inf"), float("-inf")]],
            2: [[float("-inf"), float("-inf"), float("-inf")]],
        },
        "divided by the number of the passage's places: add the maxima up": {
            1: [[0.6, 0.533333]],
            2: [[-0.533333, 0.52, -0.466667]],
        },
        "divided by the number of the passage's tokens: add the maxima up": {
            1: [[0.6, 0.8]],
            2: [[-0.8, 0.78, -0.466667]],
        },
        "logsumexp was taken: the largest cosine is asked": {
            1: [[3.53083, 2.41856]],
            2: [[-0.403722, 1.9122, 0.494307]],
        },
        "only the query's tokens were brought to length 1": {
            1: [[1.8, 2.8]],
            2: [[-8.0, 7.8, -1.8]],
        },
        "only the passage's tokens were brought to length 1": {
            1: [[4.4, 4.0]],
            2: [[-5.6, 6.0, -5.2]],
        },
        "these are places of tokens: the largest cosine itself is asked": {
            1: [[1, 1]],
            2: [[3, 4, 3]],
        },
        "distances were compared: cosines are asked": {
            1: [[-3.28035, -3.54526]],
            2: [[-16.195, -5.53732, -8.83095]],
        },
        "padding may be at any position: here the first tokens were kept, as many as a passage has": {
            2: [[0.0, 0.0, -1.4]],
        },
        "padding became 0, and 0 won a maximum: use minus infinity": {
            2: [[0.0, 1.56, -1.4]],
        },
        "maxima below 0 became 0: they count as they are": {
            2: [[0.0, 1.56, 0.0]],
        },
        "absolute cosines were compared": {
            2: [[2.0, 1.8, 2.0]],
        },
    })
    queries = torch.tensor([[[2.0, 0.0], [0.0, 3.0], [9.0, 9.0]]])  # the third is padding
    asked = torch.tensor([[True, True, False]])
    passages = torch.tensor([[[0.6, 0.8], [1.0, 0.0], [0.8, 0.6]], [[1.6, 1.2], [-0.6, 0.8], [3.0, 0.0]]])
    held = torch.tensor([[True, True, True], [True, True, False]])
    check(max_sim, queries, asked, passages, held).equals([[1.8, 1.6]], rtol=1e-4)
    queries = torch.tensor([[[0.0, 2.0], [0.0, 0.0], [3.0, 4.0]]])  # padding is often zeros, here in the middle
    asked = torch.tensor([[True, False, True]])
    passages = torch.tensor([[[0.0, 0.0], [-3.0, -4.0], [0.0, -5.0]], [[-3.0, -4.0], [0.0, 0.0], [4.0, 3.0]],
                             [[-3.0, -4.0], [-4.0, -3.0], [0.0, -1.0]]])
    held = torch.tensor([[False, True, True], [True, False, True], [True, True, True]])
    check(max_sim, queries, asked, passages, held).equals([[-1.6, 1.56, -1.4]], rtol=1e-4, about="padding of zeros")

    def finite(gradients):
        return all(bool(torch.isfinite(gradient).all()) for gradient in gradients)

    def not_a_number(gradients):
        return any(bool(torch.isnan(gradient).any()) for gradient in gradients)

    of_zeros = {
        "about": "gradients beside zeros", "edge": True, "near": {
            "the gradient is NaN: that of a root is infinite at 0, and 0 / 0 is no number; F.normalize avoids both":
                not_a_number}}

    check(slopes, max_sim, queries, asked, passages, held).holds(finite, "finite gradients", **of_zeros)


score
