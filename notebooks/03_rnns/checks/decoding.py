from helpers.checks import graded


@graded("decoding", points=4)
def score(check):
    import torch

    after_end = "a row that has said `end` says `end` from then on"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the decoder was fed the target itself: it must see the one before, or it copies the answer": {
            1: [[5, 6, 7], [8, 9, 2]],
        },
        "each row begins with `begin`": {
            1: [[0, 5, 6], [0, 8, 9]],
        },
        "the targets were shifted to the left: the decoder would see the future": {
            1: [[6, 7, 1], [9, 2, 1]],
        },
        "the last target is not fed: the length stays T": {
            1: [[1, 5, 6, 7], [1, 8, 9, 2]],
        },
        "the row was rolled: its first entry is `begin`, not the last target": {
            1: [[7, 5, 6], [2, 8, 9]],
        },
        "the batch was shifted, not the time": {
            1: [[1, 1, 1], [5, 6, 7]],
        },
        "the first target was overwritten by `begin`: all targets move on by one": {
            1: [[1, 6, 7], [1, 9, 2]],
        },
        "`begin` was added to the targets": {
            1: [[6, 7, 8], [9, 10, 3]],
        },
        "the last target was cut off, and nothing came first: each row begins with `begin`": {
            1: [[5, 6], [8, 9]],
        },
        "`begin` fills the whole row: only its first place is `begin`": {
            1: [[1, 1, 1], [1, 1, 1]],
        },
        "two places were shifted, not one": {
            1: [[1, 1, 5], [1, 1, 8]],
        },
        "`begin` is not part of the result": {
            3: [[0, 1, 2, 3, 4, 5, 6, 7], [0, 3, 6, 7, 7, 7, 7, 7], [0, 7, 7, 7, 7, 7, 7, 7]],
            4: [[0, 1, 2, 3], [0, 3, 6, 7], [0, 7, 7, 7]],
            5: [[0, 3, 7, 7], [0, 4, 1, 7]],
            6: [[0, 1, 4]],
        },
        "the decoding stopped when one row had ended: go on until all have": {
            3: [[1], [3], [7]],
            4: [[1], [3], [7]],
            5: [[3, 7], [4, 1]],
        },
        "the ends that were said belong to the result": {
            3: [[1, 2, 3, 4, 5, 6], [3, 6, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7]],
            5: [[3, 7], [4, 1]],
            6: [[1]],
        },
        "every step was fed `begin`: feed back the token just said": {
            3: [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
             [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3],
             [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]],
            4: [[1, 1, 1], [3, 3, 3], [7, 7, 7]],
            5: [[3, 4, 5, 6, 7], [4, 5, 6, 7, 7]],
            6: [[1, 1, 1, 1, 1]],
        },
        "the rows end at their own `end`: one tensor is asked, in which they say `end` from then on": {
            3: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7], [7]],
            4: [[1, 2, 3], [3, 6, 7], [7]],
            5: [[3, 7], [4, 1, 7]],
        },
        "the least likely token was taken": {
            3: [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
             [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
             [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
            4: [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
            5: [[0, 0, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0, 0]],
            6: [[0, 0, 0, 0, 0]],
        },
        "the second best token was taken": {
            3: [[5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
             [6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
             [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]],
            4: [[5, 5, 5], [6, 5, 5], [5, 5, 5]],
            5: [[6, 5, 5, 6, 6, 5, 5, 5, 6], [6, 6, 6, 6, 5, 5, 5, 6, 5]],
            6: [[3, 3, 3, 3, 3]],
        },
        "the axes are (B, L): here the steps come first": {
            3: [[1, 3, 7], [2, 6, 7], [3, 7, 7], [4, 7, 7], [5, 7, 7], [6, 7, 7], [7, 7, 7]],
            4: [[1, 3, 7], [2, 6, 7], [3, 7, 7]],
            5: [[3, 4], [7, 1], [7, 7]],
            6: [[1], [4]],
        },
        "one likeliest token for the whole batch was taken: each row has its own": {
            3: [[1, 2, 3, 4, 7], [1, 2, 3, 4, 7], [1, 2, 3, 4, 7]],
            4: [[1, 2, 3], [1, 2, 3], [1, 2, 3]],
            5: [[3, 0, 5, 3, 2, 2, 3, 5, 0], [3, 0, 5, 3, 2, 2, 3, 5, 0]],
        },
        "rows that have ended are filled with 0: they say `end`": {
            3: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0]],
            4: [[1, 2, 3], [3, 6, 7], [7, 0, 0]],
            5: [[3, 7, 0], [4, 1, 7]],
        },
        "rows that have ended are filled with `begin`: they say `end`": {
            3: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0]],
            4: [[1, 2, 3], [3, 6, 7], [7, 0, 0]],
            5: [[3, 7, 0], [4, 1, 7]],
        },
        "rows that have ended are filled with -1: they say `end`": {
            3: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, -1, -1, -1, -1], [7, -1, -1, -1, -1, -1, -1]],
            4: [[1, 2, 3], [3, 6, 7], [7, -1, -1]],
            5: [[3, 7, -1], [4, 1, 7]],
        },
        "one step more than the limit was made": {
            4: [[1, 2, 3, 4], [3, 6, 7, 7], [7, 7, 7, 7]],
        },
        "one step too few was made": {
            4: [[1, 2], [3, 6], [7, 7]],
        },
        "a row that has said `end` says `end` from then on": {
            5: [[3, 7, 4], [4, 1, 7]],
        },
        "every step got the first state: pass on the one that came back": {
            5: [[3, 6, 1, 4, 7, 7, 7, 7, 7], [4, 0, 4, 0, 4, 0, 4, 0, 4]],
        },
        "the decoding stops when each row has said `end`, at whatever step: here all had to say it in one step": {
            5: [[3, 7, 7, 7, 7, 7, 7, 7, 7], [4, 1, 7, 7, 7, 7, 7, 7, 7]],
        },
        "the decoding goes on to the limit though all rows have ended": {
            5: [[3, 7, 7, 7, 7, 7, 7, 7, 7], [4, 1, 7, 7, 7, 7, 7, 7, 7]],
            6: [[1, 4, 4, 4, 4]],
        },
        "the decoding goes on to the limit though all rows have ended, and rows that have ended go on talking": {
            5: [[3, 7, 4, 2, 1, 1, 2, 4, 7], [4, 1, 7, 6, 6, 7, 1, 4, 0]],
            6: [[1, 4, 1, 4, 1]],
        },
        "of equally likely tokens the first is taken": {
            6: [[3, 3, 3, 3, 3]],
        },
    })
    targets = torch.tensor([[5, 6, 7], [8, 9, 2]])
    check(shift_right, targets, 1).equals(
        [[1, 5, 6], [1, 8, 9]], dtype="i",
        near={"the first column is `begin`: here the first row was overwritten": [[1, 1, 1], [2, 8, 9]]}
    )

    def counting(tokens, state):
        """The next token is the last one plus the row's number; 7 and above become 7, which ends a row."""
        if bool((tokens == 7).all()):
            raise ValueError
        following = (tokens + state[:, 0]).clamp(max=7)
        return torch.nn.functional.one_hot(following, 8).float(), state

    check(shift_right, targets.int(), 1).holds(
        lambda v: v.dtype == torch.int32, "int32 in, int32 out", about="its dtype", edge=True,
        near={"the dtype has changed: it is that of the targets": lambda v: v.dtype != torch.int32},
    )
    start = torch.tensor([[1], [3], [7]])
    check(greedy_decode, counting, start, 0, 7, 20).equals(
        [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7, 7]],
        about="rows that end at different steps",
        near={"it stops when all rows have said `end`: here one more step was asked": ValueError}
    )
    check(greedy_decode, counting, start, 0, 7, 3).equals([[1, 2, 3], [3, 6, 7], [7, 7, 7]], about="the limit")

    def turning(tokens, state):
        """The next token is the last one plus the row's number, less 8 if above 7; the number grows by 1."""
        return torch.nn.functional.one_hot((tokens + state[:, 0]) % 8, 8).float(), state + 1

    check(greedy_decode, turning, torch.tensor([[3], [4]]), 0, 7, 9).equals(
        [[3, 7, 7], [4, 1, 7]], about="a row that would go on after its end",
        near={after_end + " (here all had to say it in one step)": [[3, 7, 4, 2, 1, 1, 2, 4, 7], [4, 1, 7, 6, 6, 7,
        1, 4, 0]]}
    )

    def even(tokens, state):
        """1 and 3 are equally likely, and after 1 only 4."""
        after = torch.tensor([[0.0, 1, 0, 1, 0]]).repeat(len(tokens), 1)
        after[tokens == 1] = torch.tensor([0.0, 0, 0, 0, 1])
        return after, state

    check(greedy_decode, even, torch.zeros(1, 1), 0, 4, 5).equals(
        [[1, 4]], about="equally likely tokens"
    )


score
