from helpers.checks import graded


@graded("maxsim", points=7)
def score(check):
    import torch

    together = "added over the query's tokens before the maximum: each of its tokens has a best match of its own"
    no_norm = "the token vectors were not brought to length 1"
    averaged = "the maxima were averaged over the query's tokens: add them up"
    other_way = "each passage token took its best query token: it is the query's tokens that choose"
    all_tokens = "all cosines were added up: only the largest for each token of the query counts"
    largest = "the largest of all cosines was taken: each token of the query has its own"
    pad_query = "padding of the query was counted"
    pad_passage = "padding of a passage won a maximum"
    squeezed = "an axis of size 1 was squeezed away: one query, or one passage, keeps its axis"
    queries = torch.tensor([[[2.0, 0.0], [0.0, 3.0], [9.0, 9.0]]])  # the third is padding
    asked = torch.tensor([[True, True, False]])
    passages = torch.tensor([[[0.6, 0.8], [1.0, 0.0], [0.8, 0.6]], [[1.6, 1.2], [-0.6, 0.8], [3.0, 0.0]]])
    held = torch.tensor([[True, True, True], [True, True, False]])
    check(max_sim, queries, asked, passages, held).equals([[1.8, 1.6]], rtol=1e-4, near={
        no_norm: [[4.4, 6.8]], averaged: [[0.9, 0.8]], other_way: [[2.6, 1.6]], all_tokens: [[3.8, 1.6]],
        pad_query: [[2.789949, 2.589949]], pad_passage: [[1.8, 1.8]],
        largest: [[1.0, 0.8]], squeezed: [1.8, 1.6], together: [[1.4, 1.4]],
        "the scores are (passages, queries): (queries, passages) is asked": [[1.8], [1.6]],
    })


score
