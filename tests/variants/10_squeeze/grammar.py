# %% wrong="skips what it cannot read" says="here it was skipped"
#-         if character not in moves[state]:
#-             return None
#-         state = moves[state][character]
#+         state = moves[state].get(character, state)
# %% wrong="stops where it cannot read" says="the state before it came back" clause="None where one of them has no move"
#~ return None => return state
# %% wrong="the first character" says="first character alone"
#~ in text: => in text[:1]:
# %% wrong="state 0 is false" says="ask for None"
def walk(moves, state, text):
    for character in text:
        if not state:
            return None
        state = moves[state].get(character)
    return state
# %% wrong="an empty text is None" says="`state` comes back" clause="An empty text changes nothing: `state` itself is returned."
#-     for character in text:
#+     state = state if text else None
#+     for character in text:
# %% wrong="from the first state" says="reading begins there"
#-     for character in text:
#+     state = 0
#+     for character in text:
# %% wrong="whether it can be read" says="the state is asked for"
#~ return state => return True
# %% wrong="without the last" says="last character was not read"
#~ in text: => in text[:-1]:
# %% wrong="the first character decides" says="here the first decides"
#~ walk(moves, state, piece) is not None => walk(moves, state, piece[0]) is not None
# %% wrong="complete texts only" says="can be read on the way"
#~ walk(moves, state, piece) is not None => walk(moves, state, piece) in final
# %% wrong="empty tokens" says="a token without a text"
#~ piece != "" and walk => walk
# %% wrong="a token that leads to 0" says="a token that leads there"
#~ walk(moves, state, piece) is not None for => bool(walk(moves, state, piece)) for
# %% wrong="masks from state 0" says="tokens are read from there"
#~ walk(moves, state, piece) is not None => walk(moves, 0, piece) is not None
# %% wrong="an end everywhere" says="here it always may"
#~ mask[end] = state in final => mask[end] = True
# %% wrong="no end" says="here it never may"
#~ mask[end] = state in final => mask[end] = False
# %% wrong="the end by its text" says="here its text decided" clause="it may come in a final state only, whatever its text is"
#~ mask[end] = state in final => pass
# %% wrong="an end as the last resort" says="only where no other"
#~ mask[end] = state in final => mask[end] = False; mask[end] = state in final and not any(mask)
# %% wrong="a mask of what goes" says="here where it may not"
#~ torch.tensor(mask) => ~torch.tensor(mask)
# %% wrong="no mask" says="no token was removed"
#~ torch.where(mask, next_logits(ids), -torch.inf) => next_logits(ids)
# %% wrong="the state stays" says="has to move on"
#~ state = walk(moves, state, pieces[token]) => pass
# %% wrong="the end is kept" says="does not belong to it"
#-         if token == end:
#-             break
#-         ids.append(token)
#+         ids.append(token)
#+         if token == end:
#+             break
# %% wrong="one too many" says="here one more"
#~ len(ids) < most => len(ids) <= most
# %% wrong="the last id" says="the last one alone"
#~ mask, next_logits(ids) => mask, next_logits(ids[-1:])
# %% wrong="zeros" says="here they are 0, another number"
#~ next_logits(ids), -torch.inf => next_logits(ids), 0.0
# %% wrong="a large negative number" says="here they are 0, another number" clause="become -inf, the others stay"
#~ next_logits(ids), -torch.inf => next_logits(ids), -1e4
# %% wrong="greedy" says="the likeliest was taken"
#~ choose(torch.where(mask, next_logits(ids), -torch.inf)) => int(torch.where(mask, next_logits(ids), -torch.inf).argmax())
# %% wrong="ends in a final state" says="may go on in a final state"
#~ while len(ids) < most: => while len(ids) < most and state not in final:
# %% wrong="probabilities" says="here they are 0, another number"
#~ next_logits(ids), -torch.inf) => next_logits(ids), -torch.inf).softmax(-1)
# %% right="reduce"
def walk(moves, state, text):
    from functools import reduce
    return reduce(lambda s, c: None if s is None else moves[s].get(c), text, state)
# %% right="by recursion"
def walk(moves, state, text):
    if not text:
        return state
    following = moves[state].get(text[0])
    return None if following is None else walk(moves, following, text[1:])
# %% right="a mask of zeros that is filled"
def allowed(moves, final, state, pieces, end):
    mask = torch.zeros(len(pieces), dtype=torch.bool)
    for i, piece in enumerate(pieces):
        if i == end:
            mask[i] = state in set(final)
        elif piece:
            mask[i] = walk(moves, state, piece) is not None
    return mask
# %% right="an array"
def allowed(moves, final, state, pieces, end):
    read = [len(piece) > 0 and walk(moves, state, piece) is not None for piece in pieces]
    read[end] = any(state == f for f in final)
    return np.array(read)
def constrained(next_logits, choose, moves, final, state, pieces, end, most):
    ids = []
    for _ in range(most):
        mask = torch.as_tensor(allowed(moves, final, state, pieces, end))
        ids.append(int(choose(next_logits(list(ids)).masked_fill(~mask, -math.inf))))
        if ids[-1] == end:
            return ids[:-1]
        state = walk(moves, state, pieces[ids[-1]])
    return ids
# %% right="masks that are kept"
def constrained(next_logits, choose, moves, final, state, pieces, end, most):
    known, ids = {}, []
    while len(ids) < most:
        if state not in known:
            known[state] = allowed(moves, final, state, pieces, end)
        logits = next_logits(ids).clone()
        logits[~known[state]] = -torch.inf
        token = choose(logits)
        if token == end:
            return ids
        ids, state = [*ids, token], walk(moves, state, pieces[token])
    return ids
# %% wrong="the end's text has to be read" says="here its text has to be read, too"
#~ mask[end] = state in final => mask[end] = mask[end] and state in final
# %% wrong="state 0 counts as no move" says="a move that leads there counts"
#~ if character not in moves[state]: => if not moves[state].get(character):
# %% wrong="the end everywhere, and the texts with it" says="`allowed` is wrong as well"
#~ mask[end] = state in final => mask[end] = True
# %% wrong="the end also by its text" says="also may where its text can be read" clause="it may come in a final state only, whatever its text is"
#~ mask[end] = state in final => mask[end] = mask[end] or state in final
