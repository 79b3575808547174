from helpers.checks import graded


@graded("maxsim", points=7)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the token vectors were not brought to length 1": {
            1: [[4.4, 6.8]],
        },
        "the maxima were averaged over the query's tokens: add them up": {
            1: [[0.9, 0.8]],
        },
        "the maxima were averaged over all places of the query, padding too: add them up": {
            1: [[0.6, 0.533333]],
        },
        "each passage token took its best query token: it is the query's tokens that choose": {
            1: [[2.6, 1.6]],
        },
        "all cosines were added up: only the largest for each token of the query counts": {
            1: [[3.8, 1.6]],
        },
        "the mean over the passage's tokens was taken: the largest is asked": {
            1: [[1.26667, 0.8]],
        },
        "an axis of size 1 was squeezed away: one query, or one passage, keeps its axis": {
            1: [1.8, 1.6],
        },
        "padding of the query was counted": {
            1: [[2.78995, 2.58995]],
        },
        "padding of a passage won a maximum": {
            1: [[1.8, 1.8]],
        },
        "padding of query and passage was counted": {
            1: [[2.78995, 2.78995]],
        },
        "the largest of all cosines was taken: each token of the query has its own": {
            1: [[1.0, 0.8]],
        },
        "the scores are (passages, queries): (queries, passages) is asked": {
            1: [[1.8], [1.6]],
        },
        "added over the query's tokens before the maximum: each of its tokens has a best match of its own": {
            1: [[1.4, 1.4]],
        },
        "brought to length 1 along the tokens: F.normalize needs dim=-1 here": {
            1: [[0.406375, 0.363649]],
        },
        "minus infinity at the query's padding was added up: let padding of a query add 0": {
            1: [[float("-inf"), float("-inf")]],
        },
        "divided by the number of the passage's places: add the maxima up": {
            1: [[0.6, 0.533333]],
        },
        "divided by the number of the passage's tokens: add the maxima up": {
            1: [[0.6, 0.8]],
        },
        "logsumexp was taken: the largest cosine is asked": {
            1: [[3.53083, 2.41856]],
        },
        "only the query's tokens were brought to length 1": {
            1: [[1.8, 2.8]],
        },
        "only the passage's tokens were brought to length 1": {
            1: [[4.4, 4.0]],
        },
        "these are places of tokens: the largest cosine itself is asked": {
            1: [[1, 1]],
        },
        "distances were compared: cosines are asked": {
            1: [[-3.28035, -3.54526]],
        },
    })
    queries = torch.tensor([[[2.0, 0.0], [0.0, 3.0], [9.0, 9.0]]])  # the third is padding
    asked = torch.tensor([[True, True, False]])
    passages = torch.tensor([[[0.6, 0.8], [1.0, 0.0], [0.8, 0.6]], [[1.6, 1.2], [-0.6, 0.8], [3.0, 0.0]]])
    held = torch.tensor([[True, True, True], [True, True, False]])
    check(max_sim, queries, asked, passages, held).equals([[1.8, 1.6]], rtol=1e-4)


score
