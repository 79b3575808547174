from helpers.checks import graded


@graded("grammar", points=6)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the first character alone was read": {
            1: 2,
            2: 2,
            3: 2,
        },
        "the last character alone was read": {
            1: None,
            2: None,
            3: 2,
        },
        "the last character was not read": {
            1: 2,
            2: 2,
            3: 2,
            6: 1,
        },
        "each character was read from the first state: go on from the one that was reached": {
            1: None,
            2: None,
            3: 2,
            6: None,
        },
        "`state` was not used: reading begins there, not in state 0": {
            1: None,
            2: None,
            5: 0,
        },
        "all states on the way came back: the last one is asked for": {
            1: [1, 2, 1, 2, 3],
            2: [1, 2, 1],
            3: [1, 2],
            4: [0],
            5: [2],
            6: [1, 0, 1, 0],
        },
        "a character without a move gives None: here it was skipped": {
            3: 2,
            4: 0,
        },
        "a character without a move gives None: here the state before it came back": {
            3: 2,
            4: 0,
        },
        "an empty text leads nowhere else: `state` comes back": {
            5: None,
        },
        "state 0 is a state like the others: it counts as false, so ask for None": {
            6: None,
        },
        "state 0 is a state like the others: a move that leads there counts": {
            6: None,
        },
        "a token may come if all of its characters can be read: here the first decides": {
            7: [True, True, True, True, True, False, False, False, False],
        },
        "only tokens that complete the text came back: those that can be read on the way may come, too": {
            7: [False, False, True, False, False, False, False, False, False],
            9: [True, False, False, False, True, False, False],
            10: [True, False, False, False, False, True],
        },
        "only tokens of one character came back: a longer one may come if all of it can be read": {
            7: [True, False, False, False, False, False, False, False, False],
            9: [True, False, False, False, False, False, False],
            10: [True, False, True, False, False, True],
        },
        "`state` was not used: tokens are read from there, not from state 0": {
            7: [False, False, False, False, False, True, False, False, False],
            8: [False, False, False, False, False, True, False, False, True],
            9: [True, True, True, False, True, True, False],
            11: [True, True, False],
        },
        "`end` may come in a final state only: here it always may": {
            7: [True, True, True, True, False, False, False, False, True],
            9: [True, True, False, False, True, False, True],
            11: [True, False, True],
        },
        "`end` was forbidden in a final state and allowed elsewhere": {
            7: [True, True, True, True, False, False, False, False, True],
            8: [False, False, False, False, False, False, False, False, False],
            9: [True, True, False, False, True, False, True],
            10: [True, True, True, False, False, False],
            11: [True, False, True],
        },
        "True belongs where a token may come: here where it may not": {
            7: [False, False, False, False, True, True, True, True, True],
            8: [True, True, True, True, True, True, True, True, False],
            9: [False, False, True, True, False, True, True],
            10: [False, False, False, True, True, False],
            11: [False, True, True],
        },
        "`end` may come in a final state: here it never may": {
            8: [False, False, False, False, False, False, False, False, False],
            10: [True, True, True, False, False, False],
        },
        "`end` may come in a final state only, whatever its text is: here its text decided": {
            8: [False, False, False, False, False, False, False, False, False],
            11: [True, False, True],
        },
        "`end` may come in a final state only, whatever its text is: here its text has to be read, too": {
            8: [False, False, False, False, False, False, False, False, False],
        },
        "a token without a text may not come: it would lead nowhere": {
            9: [True, True, False, True, True, False, False],
            10: [True, True, True, True, False, True],
        },
        "state 0 is a state like the others: a token that leads there may come": {
            9: [False, True, False, False, False, False, False],
            10: [False, True, True, False, False, True],
            11: [False, False, False],
        },
        "`end` may come in every final state: here only where no other token may": {
            10: [True, True, True, False, False, False],
        },
        "in a final state the text has to end here: tokens that go on may come, too": {
            10: [False, False, False, False, False, True],
        },
        "`end` may come in a final state only: here it also may where its text can be read": {
            11: [True, False, True],
        },
        "no token was removed": {
            12: [4],
            13: [4],
            14: [6],
            15: [4],
            16: [],
        },
        "the state has to move on with every token: the mask is that of the first state": {
            12: [5, 5, 5, 5, 5, 5, 5, 5, 5],
            14: [5, 5, 5, 5, 5, 5, 5, 5, 5],
            15: [5, 5, 5, 5, 5, 5, 5, 5, 5],
            16: [5, 5, 5, 5, 5, 5, 5, 5, 5],
        },
        "`end` closes the text and does not belong to it": {
            12: [5, 3, 6, 8],
            14: [5, 0, 7, 6, 8],
            15: [5, 3, 6, 8],
            16: [5, 3, 6, 8],
        },
        "next_logits gets all ids so far: here the last one alone": {
            12: [5, 3, 7, 7, 7, 7, 7, 7, 7],
            14: [5, 0, 6],
            15: [5, 3, 7, 7, 7, 7, 7, 7, 7],
            16: [5, 3, 7, 7, 7, 7, 7, 7, 7],
            17: [0, 2, 0],
        },
        "next_logits gets the ids so far: here none": {
            12: [5, 1, 1, 1, 1, 1, 1, 1, 1],
            13: [1, 1],
            14: [5, 2],
            15: [5, 1, 1, 1, 1, 1, 1, 1, 1],
            16: [5, 1, 1, 1, 1, 1, 1, 1, 1],
            17: [0, 0, 0],
        },
        "removed logits are -inf and the others stay: here they are 0, another number, or all are probabilities": {
            12: [0],
            13: [4],
            14: [6],
            15: [0],
            16: [],
            17: [0, 2, 2],
        },
        "at most `most` tokens: here one more": {
            13: [1, 3, 6],
        },
        "at most `most` tokens: here one less": {
            13: [1],
            17: [0, 2],
        },
        "choose takes the token: here the likeliest was taken": {
            14: [5, 3, 6],
        },
        "choose gets the logits as they were, but for the removed ones": {
            15: [5, 0, 6],
        },
        "a text may go on in a final state: only the token `end` ends it": {
            17: [],
        },
    })
    check.built_on("allowed", "walk")
    check.built_on("constrained", "walk", "allowed")
    lists = [{"[": 1}, {"1": 2}, {",": 1, "]": 3}, {}]  # lists of ones, as in the drawing
    tokens = ["1", "1,", "1]", "1,1", "11", "[", "]", ",1", ""]
    check(walk, lists, 1, "1,1]").equals(
        3, about="a text that can be read", near={"this is whether the text can be read: the state is asked for": True})
    check(walk, lists, 1, "1,").equals(1, about="back to a state")
    check(walk, lists, 1, "11").equals(None, about="a text that cannot be read")
    check(walk, lists, 0, "1,1").equals(None, about="a text that cannot be read")
    check(walk, lists, 2, "").equals(2, about="an empty text")
    again = [{"a": 1, "b": 0}, {"b": 0}]  # state 0 is on the way, and final
    check(walk, again, 1, "bab").equals(0, about="by way of state 0")
    yes = [True, True, True, True, False, False, False, False, False]
    check(allowed, lists, [3], 1, tokens, 8).equals(yes, about="the tokens of the text")
    check(allowed, lists, [3], 3, tokens, 8).equals([False] * 8 + [True], about="a final state")
    check(allowed, again, [0], 1, ["b", "ba", "a", "", "bb", "ab", "</s>"], 6).equals(
        [True, True, False, False, True, False, False], about="tokens that lead to state 0")
    check(allowed, again, [0], 0, ["b", "ba", "a", "", "c", "b"], 5).equals(
        [True, True, True, False, False, True], about="a final state that goes on")
    check(allowed, again, [0], 1, ["b", "a", "b"], 2).equals([True, False, False], about="an end with a text")

    def wishes(ids):
        """Logits by the ids so far: what the model wants most is never allowed at first."""
        wanted = [-4.0, -2.0, -3.0, -6.0, -1.0, -5.0, -1.5, -7.0, -2.5]
        return torch.tensor(wanted[len(ids) :] + wanted[: len(ids)])

    def second(logits):
        """The less likely of the two likeliest, if it is there at all."""
        best = logits.topk(2)
        return int(best.indices[1] if best.values[1] > -50 else best.indices[0])

    def likeliest(logits):
        return int(logits.argmax())

    def first_above(level):
        """The first token whose logit is above a level; the likeliest where none is."""
        return lambda logits: int(logits.argmax() if (logits <= level).all() else (logits > level).nonzero()[0])

    def in_turn(ids):
        return torch.eye(5)[[0, 2, 3, 4][len(ids)]] - 6.0

    check(constrained, wishes, likeliest, lists, [3], 0, tokens, 8, 9).equals([5, 3, 6], about="a list of ones")
    check(constrained, wishes, likeliest, lists, [3], 1, tokens, 8, 2).equals([1, 3], about="at most two tokens")
    check(constrained, wishes, second, lists, [3], 0, tokens, 8, 9).equals(
        [5, 0, 7, 6], about="another way to choose")
    check(constrained, wishes, first_above(-1.8), lists, [3], 0, tokens, 8, 9).equals(
        [5, 3, 6], about="a choice that looks at the logits themselves")
    def fair(logits):
        """The likeliest; the last token, which ends the text, where none was removed."""
        return int(logits.argmax()) if (logits == -torch.inf).any() else len(logits) - 1

    check(constrained, wishes, fair, lists, [3], 0, tokens, 8, 9).equals([5, 3, 6], about="removed tokens are at -inf")
    check(constrained, in_turn, likeliest, again, [0], 0, ["b", "ba", "a", "bb", "</s>"], 4, 3).equals(
        [0, 2, 3], about="a final state on the way")


score
