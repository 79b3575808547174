from helpers.checks import graded


@graded("grammar", points=6)
def score(check):
    import torch

    ### BEGIN MISTAKES
    def led(moves, state, text):
        """Where a text leads: the set of states that are left, none or one."""
        places = {state}
        for character in text:
            places = {moves[place][character] for place in places if character in moves[place]}
        return next(iter(places), None)

    def as_far_as(moves, state, text):
        """The states that are reached on the way, as far as there are moves."""
        reached = [state]
        for n in range(1, len(text) + 1):
            if led(moves, state, text[:n]) is None:
                break
            reached.append(led(moves, state, text[:n]))
        return reached

    def skipped(moves, state, text):
        for character in text:
            state = moves[state].get(character, state)
        return state

    def never_zero(moves, state, text):
        """State 0 taken for no state, before each character."""
        for character in text:
            if not state:
                return None
            state = moves[state].get(character)
        return state

    def from_one_state(moves, state, text):
        if not set(text) <= set(moves[state]):
            return None
        return led(moves, state, text[-1:])

    check.mistakes({
        "a character without a move gives None: here it was skipped": skipped,
        "a character without a move gives None: here the state before it came back":
            lambda m, s, t: as_far_as(m, s, t)[-1],
        "the first character alone was read": lambda m, s, t: led(m, s, t[:1]),
        "the last character alone was read": lambda m, s, t: led(m, s, t[-1:]),
        "the last character was not read": lambda m, s, t: led(m, s, t[:-1]),
        "each character was read from the first state: go on from the one that was reached": from_one_state,
        "`state` was not used: reading begins there, not in state 0": lambda m, s, t: led(m, 0, t),
        "state 0 is a state like the others: it counts as false, so ask for None": never_zero,
        "state 0 is a state like the others: a move that leads there counts": lambda m, s, t: next(
            (None for n in range(1, len(t) + 1) if not led(m, s, t[:n])), led(m, s, t)),
        "an empty text leads nowhere else: `state` comes back": lambda m, s, t: led(m, s, t) if t else None,
        "all states on the way came back: the last one is asked for": as_far_as,
    }, walk)

    def mask(read=led, word=bool, closes=lambda now, final, there: now in final, sign=bool):
        def apply(moves, final, state, pieces, end):
            there = [word(piece) and sign(read(moves, state, piece) is not None) for piece in pieces]
            there[end] = closes(state, final, there)
            return torch.tensor([bool(v) for v in there])

        return apply

    def only(rule):
        return lambda m, f, s, p, e: mask(read=lambda moves, state, piece: rule(moves, f, state, piece))(m, f, s, p, e)

    def ends_at_once(moves, final, state, pieces, end):
        if state not in final:
            return mask()(moves, final, state, pieces, end)
        return torch.arange(len(pieces)) == end

    check.mistakes({
        "a token may come if all of its characters can be read: here the first decides":
            only(lambda m, f, s, t: led(m, s, t[:1])),
        "only tokens that complete the text came back: those that can be read on the way may come, too":
            only(lambda m, f, s, t: led(m, s, t) if led(m, s, t) in f else None),
        "only tokens of one character came back: a longer one may come if all of it can be read":
            only(lambda m, f, s, t: led(m, s, t) if len(t) == 1 else None),
        "a token without a text may not come: it would lead nowhere": mask(word=lambda piece: True),
        "state 0 is a state like the others: a token that leads there may come":
            only(lambda m, f, s, t: led(m, s, t) or None),
        "`state` was not used: tokens are read from there, not from state 0":
            only(lambda m, f, s, t: led(m, 0, t)),
        "`end` may come in a final state only: here it always may": mask(closes=lambda now, final, there: True),
        "`end` may come in a final state: here it never may": mask(closes=lambda now, final, there: False),
        "`end` may come in a final state only, whatever its text is: here its text decided":
            lambda m, f, s, p, e: torch.tensor([t != "" and led(m, s, t) is not None for t in p]),
        "`end` may come in a final state only: here it also may where its text can be read":
            lambda m, f, s, p, e: mask(closes=lambda now, final, there: now in final or there[e])(m, f, s, p, e),
        "`end` may come in a final state only, whatever its text is: here its text has to be read, too":
            lambda m, f, s, p, e: mask(closes=lambda now, final, there: now in final and there[e])(m, f, s, p, e),
        "`end` may come in every final state: here only where no other token may":
            mask(closes=lambda now, final, there: now in final and not any(there)),
        "`end` was forbidden in a final state and allowed elsewhere":
            mask(closes=lambda now, final, there: now not in final),
        "True belongs where a token may come: here where it may not":
            lambda *given: ~mask()(*given),
        "in a final state the text has to end here: tokens that go on may come, too": ends_at_once,
    }, allowed)

    def written(moving=led, masking=mask(), keep_end=False, extra=0, seen=lambda ids: ids, gone=-torch.inf, pick=None,
                stop=lambda state, final: False):
        """A text written by rules that may be wrong."""

        def apply(next_logits, choose, moves, final, state, pieces, end, most):
            ids = []
            while len(ids) < most + extra and not stop(state, final):
                now = masking(moves, final, state, pieces, end)
                logits = torch.where(now, next_logits(seen(list(ids))), gone)
                token = int((pick or choose)(logits))
                if token == end:
                    return [*ids, token] if keep_end else ids
                ids.append(token)
                state = moving(moves, state, pieces[token])
                if state is None:
                    break
            return ids

        return apply

    unmasked = mask(read=lambda m, s, t: 0, word=lambda t: True, closes=lambda now, final, there: True)
    check.mistakes({
        "no token was removed": written(masking=unmasked),
        "the state has to move on with every token: the mask is that of the first state":
            written(moving=lambda moves, state, text: state),
        "`end` closes the text and does not belong to it": written(keep_end=True),
        "at most `most` tokens: here one more": written(extra=1),
        "at most `most` tokens: here one less": written(extra=-1),
        "next_logits gets all ids so far: here the last one alone": written(seen=lambda ids: ids[-1:]),
        "next_logits gets the ids so far: here none": written(seen=lambda ids: []),
        "removed logits are -inf and the others stay: here they are 0, another number, or all are probabilities":
            written(gone=0.0),
        "choose takes the token: here the likeliest was taken": written(pick=lambda z: int(z.argmax())),
        "a text may go on in a final state: only the token `end` ends it":
            written(stop=lambda state, final: state in final),
        "choose gets the logits as they were, but for the removed ones":
            lambda n, c, *given: written()(n, lambda z: c(z.log_softmax(-1)), *given),
    }, constrained)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    rng = check.rng

    def made(states, letters="ab,]"):
        """An automaton by chance: about half of the moves are there, at least one from each state but the last."""
        moves = []
        for _ in range(states):
            there = [c for c in letters if rng.random() < 0.55] or [str(rng.choice(list(letters)))]
            moves.append({c: int(rng.integers(states)) for c in there})
        return moves

    def words(count, letters="ab,]", longest=4):
        return ["".join(rng.choice(list(letters), size=rng.integers(0, longest))) for _ in range(count)]

    for states in (2, 3, 5, 8):
        moves = made(states)
        for text in words(9):
            state = int(rng.integers(states))
            check(walk, moves, state, text).equals(led(moves, state, text), about="fresh automata, walk")
    chain = [{"x": i + 1} for i in range(40)] + [{}]
    check(walk, chain, 0, "x" * 40).equals(40, about="a long text", edge=True)
    check(walk, chain, 3, "x" * 38).equals(None, about="a long text", edge=True)
    strange = " A  b\te\u0301\n " * 60  # letters that a careless reading would change: none may be lost
    long = [{letter: i + 1} for i, letter in enumerate(strange)] + [{}]
    check(walk, long, 0, strange).equals(len(strange), about="many states, all kinds of letters", edge=True)
    check(walk, long, 80, strange[80:99]).equals(99, about="many states, all kinds of letters", edge=True)
    check(walk, [{}], 0, "").equals(0, about="one state", edge=True)
    check(walk, [{}], 0, "x").equals(None, about="one state", edge=True)
    check(walk, [{"é": 0, " ": 0}], 0, " é ").equals(0, about="one state", edge=True)
    for states in (2, 3, 5, 8):
        moves, final = made(states), [int(v) for v in rng.choice(states, size=max(1, states // 2), replace=False)]
        for state in range(min(states, 4)):
            pieces = words(12)
            end = int(rng.integers(12))
            check(allowed, moves, final, state, pieces, end).equals(
                mask()(moves, final, state, pieces, end), about="fresh automata, masks", dtype="b")
    check(allowed, [{}], [], 0, ["a", ""], 1).equals([False, False], about="nothing may come", edge=True)
    check(allowed, [{}], [0], 0, ["a"], 0).equals([True], about="one token", edge=True)
    many = words(120, longest=6)
    moves = made(6)
    check(allowed, moves, [2], 3, many, 7).equals(mask()(moves, [2], 3, many, 7), about="many tokens", edge=True)
    pieces = [*words(90), "</s>", strange[80:83], strange[80], *words(7)]
    for final in ([*range(100, 180), 80], [*range(80)]):
        check(allowed, long, final, 80, pieces, 90).equals(
            mask()(long, final, 80, pieces, 90), about="many states, many tokens", edge=True)
    for states, most in [(3, 6), (4, 8), (6, 5), (5, 12)]:
        for how in (likeliest, second, first_above(-3.5), fair):
            moves, table = made(states), torch.from_numpy(rng.normal(size=(most + 2, 12)) - 4.0).float()
            pieces = [*words(7), *"ab,]", "</s>"]
            final = [int(rng.integers(states)), 0]

            def follows(ids, table=table):
                return table[len(ids)] - 0.1 * sum(ids[:-1])

            given = follows, how, moves, final, int(rng.integers(states)), pieces, 11, most
            check(constrained, *given).equals(written()(*given), about="fresh texts")
    ring = [{"x": (i + 1) % 90, "y": i} for i in range(90)]
    for end, pieces in [(0, ["", "x", "y"]), (1, ["x", "", "y"]), (90, [*"xy" * 45, "", "x"])]:
        table = torch.from_numpy(rng.normal(size=(80, len(pieces)))).float()
        given = (lambda ids, table=table: table[len(ids)]), likeliest, ring, [83], 80, pieces, end, 75
        check(constrained, *given).equals(written()(*given), about="many states, a long text", edge=True)
        given = (lambda ids, table=table: table[len(ids)]), likeliest, ring, [], 80, pieces, end, 75
        check(constrained, *given).equals(written()(*given), about="many states, a long text", edge=True)
    given = wishes, likeliest, lists, [3], 3, tokens, 8, 5
    check(constrained, *given).equals([], about="the end at once, no token", edge=True)
    check(constrained, *given[:4], 0, tokens, 8, 0).equals([], about="the end at once, no token", edge=True)
    ### END HIDDEN TESTS


score
