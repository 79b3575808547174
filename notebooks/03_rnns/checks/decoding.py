from helpers.checks import graded


@graded("decoding", points=4)
def score(check):
    import torch

    unshifted = "the decoder was fed the target itself: it must see the one before, or it copies the answer"
    no_begin = "each row begins with `begin`"
    left = "the targets were shifted to the left: the decoder would see the future"
    longer = "the last target is not fed: the length stays T"
    rolled = "the row was rolled: its first entry is `begin`, not the last target"
    with_begin = "`begin` is not part of the result"
    after_end = "a row that has said `end` says `end` from then on"
    stopped = "the decoding stopped when one row had ended: go on until all have"
    no_end = "the ends that were said belong to the result"
    same_state = "every step got the first state: pass on the one that came back"
    goes_on = "the decoding goes on to the limit though all rows have ended"
    talks = f"{goes_on}, and rows that have ended go on talking"
    filled = "rows that have ended are filled with 0: they say `end`"
    begun = "rows that have ended are filled with `begin`: they say `end`"
    same_token = "every step was fed `begin`: feed back the token just said"

    targets = torch.tensor([[5, 6, 7], [8, 9, 2]])
    check(shift_right, targets, 1).equals([[1, 5, 6], [1, 8, 9]], dtype="i", near={unshifted: [[5, 6, 7], [8, 9, 2]],
        no_begin: [[0, 5, 6], [0, 8, 9]], left: [[6, 7, 1], [9, 2, 1]], longer: [[1, 5, 6, 7], [1, 8, 9, 2]],
        rolled: [[7, 5, 6], [2, 8, 9]],
        "the first column is `begin`: here the first row was overwritten": [[1, 1, 1], [2, 8, 9]]})

    def counting(tokens, state):
        """The next token is the last one plus the row's number; 7 and above become 7."""
        following = (tokens + state[:, 0]).clamp(max=7)
        return torch.nn.functional.one_hot(following, 8).float(), state

    start = torch.tensor([[1], [3], [7]])
    check(greedy_decode, counting, start, 0, 7, 20).equals(
        [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7, 7]],
            about="rows that end at different steps", near={with_begin: [[0, 1, 2, 3, 4, 5, 6, 7],
            [0, 3, 6, 7, 7, 7, 7, 7], [0, 7, 7, 7, 7, 7, 7, 7]], stopped: [[1], [3], [7]],
            no_end: [[1, 2, 3, 4, 5, 6], [3, 6, 7, 7, 7, 7], [7, 7, 7, 7, 7, 7]],
            filled: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0]],
            begun: [[1, 2, 3, 4, 5, 6, 7], [3, 6, 7, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0]],
            goes_on: [[1, 2, 3, 4, 5, 6, 7] + [7] * 13, [3, 6] + [7] * 18, [7] * 20],
            same_token: [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
            7, 7, 7, 7, 7, 7]]})
    check(greedy_decode, counting, start, 0, 7, 3).equals([[1, 2, 3], [3, 6, 7], [7, 7, 7]], about="the limit",
        near={with_begin: [[0, 1, 2, 3], [0, 3, 6, 7], [0, 7, 7, 7]], stopped: [[1], [3], [7]],
        same_token: [[1, 1, 1], [3, 3, 3], [7, 7, 7]], filled: [[1, 2, 3], [3, 6, 7], [7, 0, 0]],
        begun: [[1, 2, 3], [3, 6, 7], [7, 0, 0]]})

    def turning(tokens, state):
        """The next token is the last one plus the row's number, less 8 if above 7; the number grows by 1."""
        return torch.nn.functional.one_hot((tokens + state[:, 0]) % 8, 8).float(), state + 1

    check(greedy_decode, turning, torch.tensor([[3], [4]]), 0, 7, 9).equals([[3, 7, 7], [4, 1, 7]],
        about="a row that would go on after its end", near={after_end: [[3, 7, 4], [4, 1, 7]], after_end + " (here all "
        "had to say it in one step)": [[3, 7, 4, 2, 1, 1, 2, 4, 7], [4, 1, 7, 6, 6, 7, 1, 4, 0]],
        talks: [[3, 7, 4, 2, 1, 1, 2, 4, 7], [4, 1, 7, 6, 6, 7, 1, 4, 0]], stopped: [[3, 7], [4, 1]],
        filled: [[3, 7, 0], [4, 1, 7]], begun: [[3, 7, 0], [4, 1, 7]],
        no_end: [[3, 7], [4, 1]], with_begin: [[0, 3, 7, 7], [0, 4, 1, 7]],
        same_state: [[3, 6, 1, 4, 7, 7, 7, 7, 7], [4, 0] * 4 + [4]]})


score
