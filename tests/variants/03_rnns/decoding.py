# %% base="the plain way"
def shift_right(targets, begin):
    return torch.cat([torch.full_like(targets[:, :1], begin), targets], dim=1)
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
    return torch.stack(said, 1)
# %% wrong="not shifted" says="must see the one before"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    first = torch.full_like(targets[:, :1], begin)
    return targets
# %% wrong="stops at the first end" says="one row had ended" of="another way, 2"
#~ tensor([end if e else int(z.argmax()) for e, z in zip(ended.tolist(), logits)]) => where(ended, end, logits.argmax(dim=-1))
#~ .all => .any
# %% wrong="begin kept" says="not part of the result" of="another way, 2"
#~ [] => [tokens]
#~ tensor([end if e else int(z.argmax()) for e, z in zip(ended.tolist(), logits)]) => where(ended, end, logits.argmax(dim=-1))
# %% right="another way, 1"
def shift_right(targets: torch.Tensor, begin: int) -> torch.Tensor:
    out = targets.roll(1, dims=1)
    out[:, 0] = begin
    return out
# %% right="another way, 2"
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
# %% wrong="shifted to the left" says="left" of="a tensor filled with ends"
#~ F.pad(targets[:, :-1], (1, 0), value=begin) => torch.cat([targets[:, 1:], torch.full_like(targets[:, :1], begin)], dim=1)
# %% wrong="begin in front, nothing dropped" says="last target is not fed" of="a tensor filled with ends"
#~ F.pad(targets[:, :-1], (1, 0), value=begin) => torch.cat([torch.full_like(targets[:, :1], begin), targets], dim=1)
# %% wrong="rolled: the last target comes first" says="begin" of="a tensor filled with ends"
#~ F.pad(targets[:, :-1], (1, 0), value=begin) => targets.roll(1, dims=1)
# %% wrong="the first target is overwritten" says="overwr" of="another way, 1"
#~ (targets: torch.Tensor, begin: int) -> torch.Tensor => (targets, begin)
#~ roll(1, dims=1) => clone()
# %% wrong="along the batch" says="batch" of="a tensor filled with ends"
#~ F.pad(targets[:, :-1], (1, 0), value=begin) => torch.cat([torch.full_like(targets[:1], begin), targets[:-1]], dim=0)
# %% wrong="the dtype becomes float" says="dtype" of="a tensor filled with ends"
#~ F.pad(targets[:, :-1], (1, 0), value=begin) => torch.cat([torch.full((len(targets), 1), float(begin)), targets[:, :-1]], dim=1)
# %% wrong="the targets are changed" says="changed"
def shift_right(targets, begin):
    targets[:, 1:] = targets[:, :-1].clone()
    targets[:, 0] = begin
    return targets
# %% wrong="copied onto itself" says="whole row" of="unseen, right 1"
#~ torch.empty_like(targets) => targets.clone()
#-     out[:, 1:] = targets[:, :-1]
#+     for t in range(1, targets.shape[1]):
#+         out[:, t] = out[:, t - 1]
# %% wrong="int64 always" says="dtype" of="a tensor filled with ends"
#~ F.pad(targets[:, :-1], (1, 0), value=begin) => torch.cat([torch.full((len(targets), 1), begin), targets[:, :-1]], dim=1)
# %% wrong="ends are not kept" says="from then on" of="the plain way"
#~ torch.where(ended, end, logits.argmax(-1)) => logits.argmax(-1)
# %% wrong="never stops before the limit" says="goes on to the limit" of="the plain way"
#-         if ended.all():
#-             break
# %% wrong="the state is not carried on" says="state" of="the plain way"
#~ state = => _ =
# %% wrong="always fed begin" says="feed back" of="the plain way"
#~ tokens = torch.where => best = torch.where
#~ (tokens) => (best)
#~ (tokens == end) => (best == end)
# %% wrong="the last of equals" says="first" of="the plain way"
#-         tokens = torch.where(ended, end, logits.argmax(-1))
#+         best = logits.shape[-1] - 1 - logits.flip(-1).argmax(-1)
#+         tokens = torch.where(ended, end, best)
# %% wrong="draws" says="two equal calls" of="the plain way"
#- def shift_right(targets, begin):
#-     return torch.cat([torch.full_like(targets[:, :1], begin), targets], dim=1)
#+ draws = torch.Generator().manual_seed(0)
#-         tokens = torch.where(ended, end, logits.argmax(-1))
#+         drawn = torch.multinomial(logits.softmax(-1), 1, generator=draws)[:, 0]
#+         tokens = torch.where(ended, end, drawn)
# %% wrong="the unlikeliest" says="least likely" of="the plain way"
#~ argmax => argmin
# %% wrong="the ends are cut off" says="belong to the result" of="another way, 2"
#~ (step: Callable, state: torch.Tensor, begin: int, end: int, limit: int) -> torch.Tensor => (step, state, begin, end, limit)
#~ begin, device=state.device => begin
#~ zeros_like(tokens, dtype=torch.bool) => zeros(len(state), dtype=torch.bool)
#-         tokens = torch.tensor([end if e else int(z.argmax()) for e, z in zip(ended.tolist(), logits)])
#-         said.append(tokens)
#+         tokens = torch.where(ended, end, logits.argmax(-1))
#-     return torch.stack(said, dim=1)
#+         said.append(tokens)
#+     return torch.stack(said, 1) if said else torch.zeros(len(state), 0, dtype=torch.long)
# %% wrong="time first" says="axes" of="the plain way"
#~ said, 1 => said
# %% wrong="one step too many" says="limit" of="the plain way"
#~ (limit) => (limit + 1)
# %% wrong="one step too few" says="limit" of="the plain way"
#~ for _ in range(limit) => while len(said) < max(limit - 1, 1)
# %% wrong="stops when all say end in the same step" says="in one step" of="the plain way"
#-         tokens = torch.where(ended, end, logits.argmax(-1))
#-         said.append(tokens)
#-         ended = ended | (tokens == end)
#-         if ended.all():
#+         best = logits.argmax(-1)
#+         said.append(torch.where(ended, end, best))
#+         ended = ended | (best == end)
#+         tokens = best
#+         if (best == end).all():
# %% wrong="after the end comes 0" says="filled with 0" of="the plain way"
#~ end, logits => 0, logits
# %% wrong="lists of their own lengths" says="one tensor" of="the plain way"
#~ [] => [[] for _ in state]
#-         said.append(tokens)
#+         for row, token, over in zip(said, tokens.tolist(), ended.tolist()):
#+             if not over:
#+                 row.append(token)
#~ torch.stack(said, 1) => said
# %% wrong="the first row only" says="when one row had ended" of="the plain way"
#~ .all() => [0]
# %% wrong="begins with 0" says="fed 0" of="the plain way"
#~ full((len(state),), begin) => zeros(len(state), dtype=torch.long)
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
# %% wrong="begin 1 always" says="here with 1"
def shift_right(targets, begin):
    first = torch.ones_like(targets[:, :1])
    return torch.cat([first, targets[:, :-1]], dim=1)
# %% right="rows dropped"
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
# %% wrong="last of equals" says="of equally likely tokens the first is taken" of="rows dropped"
#~ logits. => logits.shape[-1] - 1 - logits.flip(-1).
#~ tokens == end => done | (tokens == end)
# %% wrong="the first row overwritten after a roll" says="first row was overwritten"
def shift_right(targets, begin):
    moved = torch.roll(targets, 1, dims=1)
    moved[0] = begin
    return moved
# %% right="a table of ends"
def greedy_decode(step, state, begin, end, limit):
    out = torch.full((state.size(0), limit), end)
    tokens, done = torch.full((state.size(0),), begin), torch.zeros(state.size(0), dtype=torch.bool)
    for t in range(limit):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1).masked_fill(done, end)
        out[:, t] = tokens
        done = done | (tokens == end)
        if bool(done.all()):
            return out[:, : t + 1]
    return out
# %% wrong="states have two axes" says="whatever its other axes"
#~ tokens = torch.full((len(state),), begin, device=state.device) => B, _ = state.shape; tokens = torch.full((B,), begin)
# %% wrong="filled with 0" says="are filled with 0"
def greedy_decode(step, state, begin, end, limit):
    tok = torch.full((len(state),), begin)
    done = torch.zeros(len(state), dtype=torch.bool)
    out = []
    for _ in range(limit):
        logits, state = step(tok, state)
        tok = logits.argmax(-1).masked_fill(done, 0)
        done = done | (tok == end)
        out.append(tok)
        if done.all(): break
    return torch.stack(out, 1)
# %% wrong="a step more after all ended" clause="Decoding stops when all rows have said" says="one more step was asked"
def greedy_decode(step, state, begin, end, limit):
    t = torch.full((len(state),), begin); done = torch.zeros(len(state), dtype=torch.bool); out = []; n = None
    for i in range(limit):
        l, state = step(t, state); t = torch.where(done, end, l.argmax(-1)); done |= t == end; out.append(t)
        if done.all() and n is None: n = i + 1
    return torch.stack(out[:n], 1)
# %% wrong="always int64" clause="then all targets but the last; same dtype" says="the dtype has changed"
def shift_right(targets, begin):
    return torch.cat([torch.full((len(targets), 1), begin), targets[:, :-1].long()], 1)
# %% base="by parts"
def encoder_decoder(model, x, lengths, targets, begin):
    packed = pack_padded_sequence(model.read_embed(x), lengths, batch_first=True, enforce_sorted=False)
    _, (h, c) = model.encoder(packed)
    fed = shift_right(targets, begin)
    states, _ = model.decoder(model.write_embed(fed), (h, c))
    return model.out(states)
# %% right="forward, by parts" of="by parts"
#~ fed = shift_right(targets, begin) => fed = torch.cat([targets.new_full((len(x), 1), begin), targets[:, :-1]], 1)
# %% right="forward, row by row"
def encoder_decoder(model, x, lengths, targets, begin):
    fed, rows = shift_right(targets, begin), []
    for b, n in enumerate(lengths.tolist()):
        _, state = model.encoder(model.read_embed(x[b : b + 1, :n]))
        rows.append(model.out(model.decoder(model.write_embed(fed[b : b + 1]), state)[0]))
    return torch.cat(rows)
# %% right="forward, sorted by hand"
def encoder_decoder(model, x, lengths, targets, begin):
    order = lengths.argsort(descending=True)
    packed = pack_padded_sequence(model.read_embed(x[order]), lengths[order], batch_first=True)
    back = order.argsort()
    h, c = (part[:, back] for part in model.encoder(packed)[1])
    return model.out(model.decoder(model.write_embed(shift_right(targets, begin)), (h, c))[0])
# %% right="forward, step by step" of="by parts"
#-     states, _ = model.decoder(model.write_embed(fed), (h, c))
#+     states, state = [], (h, c)
#+     for t in range(fed.shape[1]):
#+         out, state = model.decoder(model.write_embed(fed[:, t : t + 1]), state)
#+         states.append(out)
#~ return model.out(states) => return model.out(torch.cat(states, dim=1))
# %% right="forward, padded and masked steps"
def encoder_decoder(model, x, lengths, targets, begin):
    state = None
    for t in range(x.shape[1]):
        _, new = model.encoder(model.read_embed(x[:, t : t + 1]), state)
        on = (t < lengths)[None, :, None]
        state = new if state is None else tuple(torch.where(on, a, b) for a, b in zip(new, state))
    return model.out(model.decoder(model.write_embed(shift_right(targets, begin)), state)[0])
# %% wrong="forward, padding read" clause="The decoder starts from the encoder's last pair of states, taken at each row's own length" says="read the padding" of="by parts"
#~ packed = pack_padded_sequence(model.read_embed(x), lengths, batch_first=True, enforce_sorted=False) => packed = model.read_embed(x)
# %% wrong="forward, not shifted" clause="is fed the shifted targets" says="sees the one before" of="by parts"
#~ fed = shift_right(targets, begin) => fed = targets
# %% wrong="forward, shifted left" says="saw the future" of="by parts"
#~ fed = shift_right(targets, begin) => fed = torch.cat([targets[:, 1:], torch.full_like(targets[:, :1], begin)], 1)
# %% wrong="forward, begins with 0" says="here the decoder was fed 0 first" of="by parts"
#~ shift_right(targets, begin) => shift_right(targets, 0)
# %% wrong="forward, begin alone" says="at every step" of="by parts"
#~ shift_right(targets, begin) => torch.full_like(targets, begin)
# %% wrong="forward, from zeros" says="the decoder began at zeros" of="by parts"
#~ , (h, c)) => )
# %% wrong="forward, without the cell" says="the cell c was not passed on" of="by parts"
#~ fed), (h, c)) => fed), (h, torch.zeros_like(c)))
# %% wrong="forward, without h" says="the state h was not passed on" of="by parts"
#~ fed), (h, c)) => fed), (torch.zeros_like(h), c))
# %% wrong="forward, exchanged" says="h and c were exchanged" of="by parts"
#~ fed), (h, c)) => fed), (c, h))
# %% wrong="forward, h twice" says="passed on twice" of="by parts"
#~ fed), (h, c)) => fed), (h, h))
# %% wrong="forward, detached" says="the gradient was cut" of="by parts"
#~ fed), (h, c)) => fed), (h.detach(), c.detach()))
# %% wrong="forward, softmax" clause="without a softmax" says="without a softmax" of="by parts"
#~ return model.out(states) => return model.out(states).softmax(-1)
# %% wrong="forward, log-softmax" says="without a log-softmax" of="by parts"
#~ return model.out(states) => return F.log_softmax(model.out(states), -1)
# %% wrong="forward, the last target only" says="only those of the last" of="by parts"
#~ return model.out(states) => return model.out(states[:, -1:])
# %% wrong="forward, reversed source" says="the sources were reversed" of="by parts"
#~ model.read_embed(x) => model.read_embed(reverse_padded(x[..., None], lengths)[..., 0])
# %% wrong="forward, no teacher" says="not what it would say itself" of="by parts"
#~ fed = shift_right(targets, begin) => fed = torch.full_like(targets[:, :1], begin)
#-     states, _ = model.decoder(model.write_embed(fed), (h, c))
#+     for t in range(targets.shape[1]):
#+         states, _ = model.decoder(model.write_embed(fed), (h, c))
#+         fed = torch.cat([fed, model.out(states)[:, -1:].argmax(-1)], 1)
# %% wrong="forward, float32" clause="must keep float64" says="float32 came out" of="by parts"
#~ return model.out(states) => return model.out(states).float()
# %% wrong="forward, embedded by the other table" says="embedded by read_embed" of="by parts"
#~ model.write_embed(fed) => model.read_embed(fed)
# %% wrong="forward, sorted and not put back" says="sorted by length" clause="at each row's own length" of="forward, sorted by hand"
#~ (part[:, back] for part in => (part for part in
# %% wrong="forward, the mean of the states" says="in the mean of the encoder's states" of="by parts"
#~ _, (h, c) = model.encoder(packed) => states, (h, c) = model.encoder(packed); states, n = nn.utils.rnn.pad_packed_sequence(states, batch_first=True); h = (states.sum(1) / n[:, None])[None]
