# %% wrong="not shifted" says="must see the one before"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    first = torch.full_like(targets[:, :1], begin)
    return targets


def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    tokens = torch.full((len(state),), begin, device=state.device)
    ended, said = torch.zeros_like(tokens, dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(dim=-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, dim=1)

# %% wrong="stops at the first end" says="one row had ended"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    tokens = torch.full((len(state),), begin, device=state.device)
    ended, said = torch.zeros_like(tokens, dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(dim=-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.any():
            break
    return torch.stack(said, dim=1)

# %% wrong="begin kept" says="not part of the result"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    tokens = torch.full((len(state),), begin, device=state.device)
    ended, said = torch.zeros_like(tokens, dtype=torch.bool), [tokens]
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(dim=-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, dim=1)

# %% right="another way, 1"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    out = targets.roll(1, dims=1)
    out[:, 0] = begin
    return out


def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    tokens = torch.full((len(state),), begin, device=state.device)
    ended, said = torch.zeros_like(tokens, dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(dim=-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, dim=1)

# %% right="another way, 2"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor:
    tokens = torch.full((len(state),), begin, device=state.device)
    ended, said = torch.zeros_like(tokens, dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.tensor([end if e else int(z.argmax()) for e, z in zip(ended.tolist(), logits)])
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, dim=1)

# %% wrong="shifted to the left" says="left"
def shift_right(targets, begin):
    return torch.cat([targets[:, 1:], torch.full_like(targets[:, :1], begin)], dim=1)

# %% wrong="begin in front, nothing dropped" says="last target is not fed"
def shift_right(targets, begin):
    return torch.cat([torch.full_like(targets[:, :1], begin), targets], dim=1)

# %% wrong="rolled: the last target comes first" says="begin"
def shift_right(targets, begin):
    return targets.roll(1, dims=1)

# %% wrong="the first target is overwritten" says="overwr"
def shift_right(targets, begin):
    out = targets.clone()
    out[:, 0] = begin
    return out

# %% wrong="along the batch" says="batch"
def shift_right(targets, begin):
    return torch.cat([torch.full_like(targets[:1], begin), targets[:-1]], dim=0)

# %% wrong="the dtype becomes float" says="dtype"
def shift_right(targets, begin):
    return torch.cat([torch.full((len(targets), 1), float(begin)), targets[:, :-1]], dim=1)

# %% wrong="the targets are changed" says="changed"
def shift_right(targets, begin):
    targets[:, 1:] = targets[:, :-1].clone()
    targets[:, 0] = begin
    return targets

# %% wrong="copied onto itself" says="whole row"
def shift_right(targets, begin):
    out = targets.clone()
    out[:, 0] = begin
    for t in range(1, targets.shape[1]):
        out[:, t] = out[:, t - 1]
    return out

# %% wrong="int64 always" says="dtype"
def shift_right(targets, begin):
    return torch.cat([torch.full((len(targets), 1), begin), targets[:, :-1]], dim=1)

# %% wrong="ends are not kept" says="from then on"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="never stops before the limit" says="goes on to the limit"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
    return torch.stack(said, 1)

# %% wrong="the state is not carried on" says="state"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, _ = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="always fed begin" says="feed back"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        best = torch.where(ended, end, logits.argmax(-1))
        said.append(best)
        ended = ended | (best == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="the last of equals" says="first"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        best = logits.shape[-1] - 1 - logits.flip(-1).argmax(-1)
        tokens = torch.where(ended, end, best)
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="draws" says="two equal calls"
draws = torch.Generator().manual_seed(0)


def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        drawn = torch.multinomial(logits.softmax(-1), 1, generator=draws)[:, 0]
        tokens = torch.where(ended, end, drawn)
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="the unlikeliest" says="least likely"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmin(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="the ends are cut off" says="belong to the result"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        ended = ended | (tokens == end)
        if ended.all():
            break
        said.append(tokens)
    return torch.stack(said, 1) if said else torch.zeros(len(state), 0, dtype=torch.long)

# %% wrong="time first" says="axes"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said)

# %% wrong="one step too many" says="limit"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit + 1):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="one step too few" says="limit"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    while len(said) < max(limit - 1, 1):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="stops when all say end in the same step" says="in one step"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        best = logits.argmax(-1)
        said.append(torch.where(ended, end, best))
        ended = ended | (best == end)
        tokens = best
        if (best == end).all():
            break
    return torch.stack(said, 1)

# %% wrong="after the end comes 0" says="filled with 0"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% wrong="lists of their own lengths" says="one tensor"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), [[] for _ in state]
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        for row, token, over in zip(said, tokens.tolist(), ended.tolist()):
            if not over:
                row.append(token)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return said

# %% wrong="the first row only" says="when one row had ended"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended[0]:
            break
    return torch.stack(said, 1)

# %% wrong="begins with 0" says="fed 0"
def greedy_decode(step, state, begin, end, limit):
    tokens = torch.zeros(len(state), dtype=torch.long)
    ended, said = torch.zeros(len(state), dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, 1)

# %% right="a tensor filled with ends"
def shift_right(targets, begin):
    return F.pad(targets[:, :-1], (1, 0), value=begin)


def greedy_decode(step, state, begin, end, limit):
    B = state.shape[0]
    out = torch.full((B, limit), end, dtype=torch.long)
    tokens, alive, used = torch.full((B,), begin, dtype=torch.long), torch.ones(B, dtype=torch.bool), 0
    while used < limit and alive.any():
        logits, state = step(tokens, state)
        tokens = logits.max(dim=-1).indices
        tokens[~alive] = end
        out[:, used] = tokens
        alive = alive & (tokens != end)
        used += 1
    return out[:, :used]

# %% right="row by row"
def shift_right(targets, begin):
    out = torch.empty_like(targets)
    for b, row in enumerate(targets.tolist()):
        out[b] = torch.tensor([begin] + row[:-1], dtype=targets.dtype)
    return out


def greedy_decode(step, state, begin, end, limit):
    rows = []
    for b in range(len(state)):
        token, own, row = begin, state[b : b + 1], []
        while len(row) < limit and token != end:
            logits, own = step(torch.tensor([token]), own)
            token = int(logits[0].argmax())
            row.append(token)
        rows.append(row)
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [end] * (longest - len(row)) for row in rows])

# %% right="concatenated columns, ends set afterwards"
def shift_right(targets, begin):
    return torch.hstack([targets.new_full((targets.shape[0], 1), begin), targets[:, :-1]])


def greedy_decode(step, state, begin, end, limit):
    said = torch.full((len(state), 1), begin)
    for _ in range(limit):
        logits, state = step(said[:, -1], state)
        said = torch.cat([said, logits.argmax(dim=1, keepdim=True)], dim=1)
        if (said[:, 1:] == end).any(1).all():
            break
    said = said[:, 1:]
    after = (said == end).cumsum(1) > 0
    return said.masked_fill(after, end)

# %% right="unseen, right 1"
def shift_right(targets, begin):
    out = torch.empty_like(targets)
    out[:, 0] = begin
    out[:, 1:] = targets[:, :-1]
    return out


def greedy_decode(step, state, begin, end, limit):
    B = len(state)
    out = torch.full((B, limit), end)
    last, open_ = torch.full((B,), begin, dtype=torch.long), torch.ones(B, dtype=torch.bool)
    for t in range(limit):
        logits, state = step(last, state)
        last = logits.max(dim=-1).indices
        last[~open_] = end
        out[:, t] = last
        open_ &= last != end
        if not open_.any():
            return out[:, : t + 1]
    return out

# %% wrong="begin 1 always" says="every number is 0.3333 times what it should be: a factor is"
def shift_right(targets, begin):
    first = torch.ones_like(targets[:, :1])
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step, state, begin, end, limit):
    B = state.shape[0]
    tokens = torch.full((B,), begin)
    done = torch.zeros(B, dtype=torch.bool)
    said = []
    while len(said) < limit and not done.all():
        logits, state = step(tokens, state)
        tokens = torch.where(done, torch.tensor(end), logits.argmax(-1))
        done = done | (tokens == end)
        said.append(tokens)
    return torch.stack(said, dim=1) if said else torch.zeros(B, 0, dtype=torch.long)

# %% wrong="goes on after the end" says="a row that has said `end` says `end` from then on"
def shift_right(targets, begin):
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step, state, begin, end, limit):
    B = state.shape[0]
    tokens = torch.full((B,), begin)
    done = torch.zeros(B, dtype=torch.bool)
    said = []
    while len(said) < limit and not done.all():
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        done = done | (tokens == end)
        said.append(tokens)
    return torch.stack(said, dim=1) if said else torch.zeros(B, 0, dtype=torch.long)

# %% wrong="state not handed on" says="every step got the first state: pass on the one that came"
def shift_right(targets, begin):
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step, state, begin, end, limit):
    B = state.shape[0]
    tokens = torch.full((B,), begin)
    done = torch.zeros(B, dtype=torch.bool)
    said = []
    while len(said) < limit and not done.all():
        logits, _ = step(tokens, state)
        tokens = torch.where(done, torch.tensor(end), logits.argmax(-1))
        done = done | (tokens == end)
        said.append(tokens)
    return torch.stack(said, dim=1) if said else torch.zeros(B, 0, dtype=torch.long)

# %% right="rows dropped"
def shift_right(targets, begin):
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step, state, begin, end, limit):
    B = state.shape[0]
    tokens = torch.full((B,), begin)
    done = torch.zeros(B, dtype=torch.bool)
    said = []
    while len(said) < limit and not done.all():
        logits, state = step(tokens, state)
        tokens = torch.where(done, torch.tensor(end), logits.argmax(-1))
        done = tokens == end
        said.append(tokens)
    return torch.stack(said, dim=1) if said else torch.zeros(B, 0, dtype=torch.long)

# %% wrong="last of equals" says="of equally likely tokens the first is taken"
def shift_right(targets, begin):
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step, state, begin, end, limit):
    B = state.shape[0]
    tokens = torch.full((B,), begin)
    done = torch.zeros(B, dtype=torch.bool)
    said = []
    while len(said) < limit and not done.all():
        logits, state = step(tokens, state)
        tokens = torch.where(done, torch.tensor(end), logits.shape[-1] - 1 - logits.flip(-1).argmax(-1))
        done = done | (tokens == end)
        said.append(tokens)
    return torch.stack(said, dim=1) if said else torch.zeros(B, 0, dtype=torch.long)

# %% wrong="checks at the first row" says="the decoding stopped when one row had ended: go on until"
def shift_right(targets, begin):
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1)


def greedy_decode(step, state, begin, end, limit):
    B = state.shape[0]
    tokens = torch.full((B,), begin)
    done = torch.zeros(B, dtype=torch.bool)
    said = []
    while len(said) < limit and not done[0]:
        logits, state = step(tokens, state)
        tokens = torch.where(done, torch.tensor(end), logits.argmax(-1))
        done = done | (tokens == end)
        said.append(tokens)
    return torch.stack(said, dim=1) if said else torch.zeros(B, 0, dtype=torch.long)


# %% wrong="the first row overwritten after a roll" says="first row was overwritten"
def shift_right(targets, begin):
    moved = torch.roll(targets, 1, dims=1)
    moved[0] = begin
    return moved


def greedy_decode(step, state, begin, end, limit):
    tokens = torch.full((len(state),), begin, device=state.device)
    ended, said = torch.zeros_like(tokens, dtype=torch.bool), []
    for _ in range(limit):
        logits, state = step(tokens, state)
        tokens = torch.where(ended, end, logits.argmax(dim=-1))
        said.append(tokens)
        ended = ended | (tokens == end)
        if ended.all():
            break
    return torch.stack(said, dim=1)
