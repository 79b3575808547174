from helpers.checks import graded


@graded("replicas", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the rows left over were dropped: the first replicas take one more": {
            1: [(0, 2), (2, 4), (4, 6), (6, 8)],
        },
        "the rows left over all went to the last replica: sizes differ by at most one": {
            1: [(0, 2), (2, 4), (4, 6), (6, 10)],
        },
        "the rows left over all went to the first replica: sizes differ by at most one": {
            1: [(0, 4), (4, 6), (6, 8), (8, 10)],
        },
        "the larger shares come last: they come first": {
            1: [(0, 2), (2, 4), (4, 7), (7, 10)],
        },
        "each share was rounded up: the last replicas get too few rows": {
            1: [(0, 3), (3, 6), (6, 9), (9, 10)],
        },
        "these are sizes: (start, end) is asked for": {
            1: [3, 3, 2, 2],
            2: [2, 2, 2],
        },
        "the end is exclusive": {
            1: [(0, 2), (3, 5), (6, 7), (8, 9)],
            2: [(0, 1), (2, 3), (4, 5)],
        },
        "these are (start, size): (start, end) is asked for": {
            1: [(0, 3), (3, 3), (6, 2), (8, 2)],
            2: [(0, 2), (2, 2), (4, 2)],
        },
        "all replicas weigh alike: one with more rows weighs more": {
            3: [[4.0, 2.0], 3.0],
            4: [[1.0, 2.0]],
        },
        "the gradients were added, not averaged": {
            3: [[8.0, 4.0], 6.0],
        },
        "each was multiplied by its rows and not divided by all of them": {
            3: [[12.0, 12.0], 8.0],
            4: [[4.0, 8.0]],
        },
        "divided by the number of replicas, too": {
            3: [[1.5, 1.5], 1.0],
            4: [[1.0, 2.0]],
        },
        "the gradients of the first replica came back": {
            3: [[2.0, 4.0], 1.0],
        },
        "a replica weighs by the share of the others' rows": {
            3: [[5.0, 1.0], 4.0],
            4: [[0.0, 0.0]],
        },
        "nothing was sent: `send` is the only way from one machine to another": {
            5: {'sums': [[11.0, 22.0], [11.0, 22.0]],
             'sent': [0, 0],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': False},
            6: {'sums': [[111.0, 222.0, 333.0], [111.0, 222.0, 333.0], [111.0, 222.0, 333.0]],
             'sent': [0, 0, 0],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': False},
        },
        "the sums do not come from what was sent: `send` is the only way from one machine to another": {
            5: {'sums': [[11.0, 22.0], [11.0, 22.0]],
             'sent': [2, 2],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': False},
            6: {'sums': [[111.0, 222.0, 333.0], [111.0, 222.0, 333.0], [111.0, 222.0, 333.0]],
             'sent': [4, 4, 4],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': False},
        },
        "one machine received everything: that is what a ring avoids": {
            5: {'sums': [[11.0, 22.0], [11.0, 22.0]],
             'sent': [2, 2],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': False},
            6: {'sums': [[111.0, 222.0, 333.0], [111.0, 222.0, 333.0], [111.0, 222.0, 333.0]],
             'sent': [6, 3, 3],
             'neighbours': False,
             'kept': True,
             'own': True,
             'by messages': False},
        },
        "the second phase is missing: each machine has one complete chunk only": {
            5: {'sums': [[1.0, 22.0], [11.0, 20.0]],
             'sent': [1, 1],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
            6: {'sums': [[1.0, 222.0, 303.0], [11.0, 20.0, 333.0], [111.0, 220.0, 300.0]],
             'sent': [2, 2, 2],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
        },
        "the first phase adds, and the second begins with the complete chunk r + 1: one of both is not so": {
            5: {'sums': [[1.0, 20.0], [1.0, 20.0]],
             'sent': [2, 2],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
            6: {'sums': [[1.0, 20.0, 300.0], [1.0, 20.0, 300.0], [1.0, 20.0, 300.0]],
             'sent': [4, 4, 4],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
        },
        "chunks were added in the second phase: the complete ones replace those that are there": {
            5: {'sums': [[12.0, 22.0], [11.0, 42.0]],
             'sent': [2, 2],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
            6: {'sums': [[112.0, 222.0, 936.0], [123.0, 242.0, 333.0], [111.0, 462.0, 633.0]],
             'sent': [4, 4, 4],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
        },
        "the vectors that came in were changed: cut copies of them": {
            5: {'sums': [[11.0, 22.0], [11.0, 22.0]],
             'sent': [2, 2],
             'neighbours': True,
             'kept': False,
             'own': True,
             'by messages': True},
            6: {'sums': [[111.0, 222.0, 333.0], [111.0, 222.0, 333.0], [111.0, 222.0, 333.0]],
             'sent': [4, 4, 4],
             'neighbours': True,
             'kept': False,
             'own': True,
             'by messages': True},
        },
        "the second phase begins with a chunk that is not complete": {
            5: {'sums': [[1.0, 20.0], [1.0, 20.0]],
             'sent': [2, 2],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
            6: {'sums': [[11.0, 220.0, 303.0], [11.0, 220.0, 303.0], [11.0, 220.0, 303.0]],
             'sent': [4, 4, 4],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
        },
        "this is the mean: the sum is asked for": {
            5: {'sums': [[5.5, 11.0], [5.5, 11.0]],
             'sent': [2, 2],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
            6: {'sums': [[37.0, 74.0, 111.0], [37.0, 74.0, 111.0], [37.0, 74.0, 111.0]],
             'sent': [4, 4, 4],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
        },
        "every machine sent all of its numbers to every other": {
            6: {'sums': [[111.0, 222.0, 333.0], [111.0, 222.0, 333.0], [111.0, 222.0, 333.0]],
             'sent': [6, 6, 6],
             'neighbours': False,
             'kept': True,
             'own': True,
             'by messages': True},
        },
        "whole vectors travel around the ring: cut them into chunks": {
            6: {'sums': [[111.0, 222.0, 333.0], [111.0, 222.0, 333.0], [111.0, 222.0, 333.0]],
             'sent': [6, 6, 6],
             'neighbours': True,
             'kept': True,
             'own': True,
             'by messages': True},
        },
    })
    check(shares, 10, 4).equals([(0, 3), (3, 6), (6, 8), (8, 10)], about="ten rows for four")
    check(shares, 6, 3).equals([(0, 2), (2, 4), (4, 6)], about="six rows for three")
    g = [[torch.tensor([2.0, 4.0]), torch.tensor(1.0)], [torch.tensor([6.0, 0.0]), torch.tensor(5.0)]]
    check(average_gradients, g, [3, 1]).equals([[3.0, 3.0], 2.0], about="three rows and one", rtol=1e-5)
    nan = [[torch.tensor([2.0, 4.0])], [torch.tensor([float("nan")] * 2)]]
    check(average_gradients, nan, [2, 0]).equals([[2.0, 4.0]], about="a replica without rows", rtol=1e-5)
    fine = {"neighbours": True, "kept": True, "own": True, "by messages": True}
    check(around, [torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0])]).equals(
        fine | {"sums": [[11.0, 22.0]] * 2, "sent": [2, 2]}, about="two machines, by hand"
    )
    three = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([10.0, 20.0, 30.0]), torch.tensor([100.0, 200.0, 300.0])]
    check(around, three).equals(fine | {"sums": [[111.0, 222.0, 333.0]] * 3, "sent": [4, 4, 4]}, about="three machines")


score
