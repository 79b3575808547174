# %% base="the plain way"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature=0.05):
    optimizer.zero_grad()
    q, k = encoder(queries), encoder(passages)
    loss = masked_info_nce(q, k, groups, temperature)
    if hard:
        h = encoder(hard)
        loss = (loss + info_nce(q, torch.cat([k, h]), temperature)) / 2
    loss.backward()
    optimizer.step()
    return loss.item()
# %% right="everything is encoded at once"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature=0.05):
    vectors = encoder([*queries, *passages, *hard])
    n = len(queries)
    found, keys = vectors[:n], vectors[n:]
    loss = masked_info_nce(found, keys[:n], groups, temperature)
    if len(keys) > n:
        loss = torch.stack([loss, info_nce(found, keys, temperature)]).mean()
    optimizer.zero_grad(set_to_none=False)
    loss.backward()
    optimizer.step()
    return float(loss.detach())
# %% right="gradients put down by hand"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature=0.05):
    weights = [p for group in optimizer.param_groups for p in group["params"]]
    q, k = encoder(queries), encoder(passages)
    losses = [masked_info_nce(q, k, groups, temperature)]
    if len(hard) > 0:
        losses.append(info_nce(q, torch.cat([k, encoder(hard)]), temperature))
    loss = sum(losses) / len(losses)
    for p, gradient in zip(weights, torch.autograd.grad(loss, weights), strict=True):
        p.grad = gradient
    optimizer.step()
    return loss.item()
# %% right="its own cross-entropy"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature=0.05):
    q = F.normalize(encoder(queries), dim=-1)
    keys = F.normalize(torch.cat([encoder(passages), encoder(hard)] if hard else [encoder(passages)]), dim=-1)
    n = len(queries)
    scores, right = q @ keys.T / temperature, torch.arange(n)
    alike = groups[:, None].eq(groups) & ~torch.eye(n).bool()
    loss = F.cross_entropy(scores[:, :n].masked_fill(alike, -torch.inf), right)
    if hard:
        loss = 0.5 * loss + 0.5 * F.cross_entropy(scores, right)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach().tolist()
# %% right="two backwards, half each"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature=0.05):
    optimizer.zero_grad()
    share = 0.5 if len(hard) else 1.0
    loss = share * masked_info_nce(encoder(queries), encoder(passages), groups, temperature)
    loss.backward()
    total = loss.item()
    if len(hard):
        keys = torch.cat([encoder(passages), encoder(hard)])
        loss = share * info_nce(encoder(queries), keys, temperature)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
# %% right="cleared at both ends" of="the plain way"
#~ return loss.item() => optimizer.zero_grad(); return loss.item()
# %% wrong="not cleared" clause="Gradients left over from earlier steps" says="old gradients were added" of="the plain way"
#-     optimizer.zero_grad()
# %% wrong="cleared at the end alone" says="old gradients were added" of="the plain way"
#-     optimizer.zero_grad()
#~ return loss.item() => optimizer.zero_grad(); return loss.item()
# %% wrong="cleared before the step" says="the weights did not move" of="the plain way"
#~ loss.backward() => loss.backward(); optimizer.zero_grad()
# %% wrong="no step" clause="Take one step of the" says="the weights did not move" of="the plain way"
#-     optimizer.step()
# %% wrong="no backward" says="the weights did not move" of="the plain way"
#-     loss.backward()
# %% wrong="step before backward" says="the weights did not move" of="the plain way"
#-     optimizer.step()
#~ loss.backward() => optimizer.step(); loss.backward()
# %% wrong="two steps" says="taken twice" of="the plain way"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature=0.05):
    for _ in range(2):
        optimizer.zero_grad()
        q, k = encoder(queries), encoder(passages)
        loss = masked_info_nce(q, k, groups, temperature)
        if hard:
            loss = (loss + info_nce(q, torch.cat([k, encoder(hard)]), temperature)) / 2
        loss.backward()
        optimizer.step()
    return loss.item()
# %% wrong="the loss afterwards" clause="return the loss from before that step" says="the one before it is asked"
def train_step(encoder, optimizer, queries, passages, hard, groups, temperature=0.05):
    def value():
        q, k = encoder(queries), encoder(passages)
        first = masked_info_nce(q, k, groups, temperature)
        return (first + info_nce(q, torch.cat([k, encoder(hard)]), temperature)) / 2 if hard else first

    optimizer.zero_grad()
    value().backward()
    optimizer.step()
    return value().item()
# %% wrong="passages without gradients" clause="All three lists are encoded with gradients" says="the passages learned nothing" of="the plain way"
#~ encoder(passages) => encoder(passages).detach()
# %% wrong="queries without gradients" says="the queries learned nothing" of="the plain way"
#~ encoder(queries), => encoder(queries).detach(),
# %% wrong="hard ones without gradients" says="hard negatives learned nothing" of="the plain way"
#~ encoder(hard) => encoder(hard).detach()
# %% wrong="keys under no_grad" says="passages and hard negatives learned nothing" of="the plain way"
#~ encoder(hard) => encoder(hard).detach()
#~ encoder(passages) => encoder(passages).detach()
# %% wrong="no hard negatives" clause="with the passages and *then* the hard ones" says="were left out" of="the plain way"
#~ if hard: => if False:
# %% wrong="no groups" clause="with `groups`" says="groups were ignored" of="the plain way"
#~ masked_info_nce(q, k, groups, temperature) => info_nce(q, k, temperature)
# %% wrong="the sum" clause="is the mean of two" says="added" of="the plain way"
#~ (loss + info_nce(q, torch.cat([k, h]), temperature)) / 2 => loss + info_nce(q, torch.cat([k, h]), temperature)
# %% wrong="the second loss alone" says="only the loss with the hard negatives" of="the plain way"
#~ (loss + info_nce(q, torch.cat([k, h]), temperature)) / 2 => info_nce(q, torch.cat([k, h]), temperature)
# %% wrong="halved without hard ones" clause="the first is the whole loss" says="divided by two without" of="the plain way"
#~ loss = (loss + info_nce(q, torch.cat([k, h]), temperature)) / 2 => loss = loss + info_nce(q, torch.cat([k, h]), temperature)
#~ loss.backward() => loss = loss / 2; loss.backward()
# %% wrong="hard ones first" says="stand before the passages" of="the plain way"
#~ torch.cat([k, h]) => torch.cat([h, k])
# %% wrong="the temperature ignored" says="temperature" of="the plain way"
#~ groups, temperature) => groups)
#~ torch.cat([k, h]), temperature) => torch.cat([k, h]))
# %% wrong="the first without the temperature" says="did not reach the first loss" of="the plain way"
#~ groups, temperature) => groups)
# %% wrong="the second without the temperature" says="did not reach the loss with the hard" of="the plain way"
#~ torch.cat([k, h]), temperature) => torch.cat([k, h]))
# %% wrong="it climbs" says="the loss climbs" of="the plain way"
#~ loss.backward() => (-loss).backward()
# %% wrong="both directions" says="both directions" of="the plain way"
#~ loss.backward() => loss = (loss + masked_info_nce(k, q, groups, temperature)) / 2; loss.backward()
# %% wrong="exchanged" says="are exchanged" of="the plain way"
#~ q, k = => k, q =
# %% wrong="clipped" says="was clipped" of="the plain way"
#~ optimizer.step() => torch.nn.utils.clip_grad_norm_([p for g in optimizer.param_groups for p in g["params"]], 1.0); optimizer.step()
# %% wrong="a tensor" clause="as a Python number" says="as a tensor" of="the plain way"
#~ return loss.item() => return loss
# %% wrong="an optimizer of its own" clause="Take one step of the" says="a plain step of SGD" of="the plain way"
#~ optimizer.step() => torch.optim.SGD([p for g in optimizer.param_groups for p in g["params"]], optimizer.param_groups[0]["lr"]).step()
# %% wrong="the hard ones alone" says="only keys" of="the plain way"
#~ torch.cat([k, h]) => torch.cat([h] * len(q))[:max(len(q), len(h))]
# %% wrong="an empty list is encoded, too" says="an empty `hard` is not encoded" clause="Where `hard` is empty, the first is the whole loss."
#~ if len(hard): => if True:
# %% wrong="the passages a second time" says="counted a second time" clause="Where `hard` is empty, the first is the whole loss."
#-     if len(hard):
#-         more = torch.cat([keys, encoder(hard)])
#-         loss = (loss + info_nce(found, more, temperature)) / 2
#+     more = torch.cat([keys, encoder(hard)]) if len(hard) else keys
#+     loss = (loss + info_nce(found, more, temperature)) / 2
