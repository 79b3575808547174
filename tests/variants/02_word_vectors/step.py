# %% base="index_add"
def step(inputs, outputs, centres, contexts, noise, rate):
    by = -rate
    loss, v, u, n = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])
    inputs = inputs.index_add(0, centres, v, alpha=by)
    outputs = outputs.index_add(0, contexts, u, alpha=by)
    outputs = outputs.index_add(0, noise.flatten(), n.flatten(0, 1), alpha=by)
    return inputs, outputs, loss
# %% base="copies"
def step(inputs, outputs, centres, contexts, noise, rate):
    loss, v, u, n = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])
    inputs, outputs = inputs.clone(), outputs.clone()
    inputs[centres] -= rate * v
    outputs[contexts] -= rate * u
    outputs[noise] -= rate * n
    return inputs, outputs, loss
# %% wrong="table[ids] -= everywhere" clause="moves by the sum of its gradients" says="keeps only one of its gradients" of="copies"
#~ inputs[centres] -= rate * v => inputs[centres] = inputs[centres] - rate * v
# %% wrong="table[ids] -= for the centres" says="a centre that is named several times" of="index_add"
#~ inputs = inputs.index_add(0, centres, v, alpha=by) => inputs = inputs.clone(); inputs[centres] -= rate * v
# %% wrong="table[ids] -= for the noise" says="a noise word that is named several times" of="index_add"
#~ outputs = outputs.index_add(0, noise.flatten(), n.flatten(0, 1), alpha=by) => outputs[noise] -= rate * n
# %% wrong="table[ids] -= for the contexts" says="a context that is named several times" of="index_add"
#~ outputs = outputs.index_add(0, contexts, u, alpha=by) => outputs = outputs.clone(); outputs[contexts] -= rate * u
# %% wrong="repeated rows averaged" says="are averaged"
def step(inputs, outputs, centres, contexts, noise, rate):
    loss, v, u, n = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])

    def moved(table, ids, rows):
        many = torch.bincount(ids, minlength=len(table)).clamp(min=1)
        return table - rate * torch.zeros_like(table).index_add(0, ids, rows) / many[:, None]

    outputs = moved(moved(outputs, contexts, u), noise.flatten(), n.flatten(0, 1))
    return moved(inputs, centres, v), outputs, loss
# %% wrong="repeated centres averaged" says="repeated centre are averaged" of="index_add"
#~ inputs = inputs.index_add(0, centres, v, => inputs = inputs.index_add(0, centres, v / torch.bincount(centres)[centres][:, None],
# %% wrong="noise drawn twice by a pair" says="that a pair draws twice" of="index_add"
#-     outputs = outputs.index_add(0, noise.flatten(), n.flatten(0, 1), alpha=by)
#+     for k in range(len(noise)):
#+         outputs[noise[k]] += by * n[k]
# %% wrong="noise written over contexts" says="the contexts' part was lost" clause="as context and as noise" of="index_add"
#-     outputs = outputs.index_add(0, contexts, u, alpha=by)
#-     outputs = outputs.index_add(0, noise.flatten(), n.flatten(0, 1), alpha=by)
#+     after = outputs.index_add(0, noise.flatten(), n.flatten(0, 1), alpha=by)
#+     outputs = outputs.index_add(0, contexts, u, alpha=by)
#+     outputs[noise.flatten()] = after[noise.flatten()]
# %% wrong="own context is no noise" says="its pair's own context" of="index_add"
#~ n.flatten(0, 1) => (n * (noise != contexts[:, None])[..., None]).flatten(0, 1)
# %% wrong="no rate for the noise" says="in the step of the noise words" of="index_add"
#~ n.flatten(0, 1), alpha=by => n.flatten(0, 1), alpha=-1
# %% wrong="no rate for the centres" says="in the step of the centres" of="index_add"
#~ centres, v, alpha=by => centres, v, alpha=-1
# %% wrong="no rate for the contexts" says="in the step of the contexts" of="index_add"
#~ contexts, u, alpha=by => contexts, u, alpha=-1
# %% wrong="the loss is a sum" says="sum of the losses" of="index_add"
#~ return inputs, outputs, loss => return inputs, outputs, loss * len(centres)
# %% wrong="contexts looked up in the inputs" says="contexts were looked up in the inputs; they" of="index_add"
#~ outputs[contexts] => inputs[contexts]
# %% wrong="noise looked up in the inputs" says="noise words were looked up in the inputs; they" of="index_add"
#~ outputs[noise] => inputs[noise]
# %% wrong="along the gradient" says="here it went along" of="index_add"
#~ by = -rate => by = rate
# %% wrong="no rate" says="the rate is missing" of="index_add"
#~ by = -rate => by = -1
# %% wrong="divided by B again" says="hold 1/B already" of="index_add"
#~ by = -rate => by = -rate / len(centres)
# %% wrong="times B" says="the factor 1/B of the mean is gone" of="index_add"
#~ by = -rate => by = -rate * len(centres)
# %% wrong="the noise stays" says="the noise words have stayed" of="index_add"
#-     outputs = outputs.index_add(0, noise.flatten(), n.flatten(0, 1), alpha=by)
# %% wrong="the contexts stay" says="the contexts have stayed" of="index_add"
#-     outputs = outputs.index_add(0, contexts, u, alpha=by)
# %% wrong="only the inputs move" says="the outputs have stayed" of="index_add"
#~ return inputs, outputs, loss => return inputs, old, loss
#~ inputs = inputs.index_add => old = outputs; inputs = inputs.index_add
# %% wrong="only the outputs move" says="the inputs have stayed" of="index_add"
#-     inputs = inputs.index_add(0, centres, v, alpha=by)
# %% wrong="the tables exchanged" says="the inputs come first" of="index_add"
#~ return inputs, outputs, loss => return outputs, inputs, loss
# %% wrong="one table looked up" says="looked up in the inputs" of="index_add"
#~ outputs[contexts], outputs[noise] => inputs[contexts], inputs[noise]
# %% wrong="noise moved in the inputs" says="the noise words were moved in the inputs" of="index_add"
#~ outputs = outputs.index_add(0, noise => inputs = inputs.index_add(0, noise
# %% wrong="contexts moved in the inputs" says="the contexts were moved in the inputs" of="index_add"
#~ outputs = outputs.index_add(0, contexts => inputs = inputs.index_add(0, contexts
# %% wrong="inputs first" clause="at the tables as given" says="gradients at the new inputs" of="index_add"
#~ outputs = outputs.index_add(0, contexts => _, _, u, n = negative_sampling(inputs[centres], outputs[contexts], outputs[noise]); outputs = outputs.index_add(0, contexts
# %% wrong="contexts before noise" says="at the new contexts" of="index_add"
#~ outputs = outputs.index_add(0, noise => n = negative_sampling(old[centres], outputs[contexts], outputs[noise])[3]; outputs = outputs.index_add(0, noise
#~ inputs = inputs.index_add => old = inputs; inputs = inputs.index_add
# %% wrong="pair after pair" says="before the next one was looked up"
def step(inputs, outputs, centres, contexts, noise, rate):
    loss = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])[0]
    for c, x, n in zip(centres, contexts, noise):
        _, dv, du, dn = negative_sampling(inputs[c][None], outputs[x][None], outputs[n][None])
        by = -rate / len(centres)
        inputs = inputs.index_add(0, c[None], dv, alpha=by)
        outputs = outputs.index_add(0, x[None], du, alpha=by).index_add(0, n, dn[0], alpha=by)
    return inputs, outputs, loss
# %% wrong="the loss after the step" clause="the mean loss before it" says="the loss after the step" of="index_add"
#~ return inputs, outputs, loss => return inputs, outputs, negative_sampling(inputs[centres], outputs[contexts], outputs[noise])[0]
# %% wrong="gradients crossed" says="centres and contexts are exchanged" of="index_add"
#~ loss, v, u, n => loss, u, v, n
# %% wrong="return inside the loop" says="inside the loop"
def step(inputs, outputs, centres, contexts, noise, rate):
    for c, x, n in zip(centres, contexts, noise):
        loss, v, u, k = negative_sampling(inputs[c][None], outputs[x][None], outputs[n][None])
        outputs = outputs.index_add(0, x[None], u, alpha=-rate).index_add(0, n, k[0], alpha=-rate)
        return inputs.index_add(0, c[None], v, alpha=-rate), outputs, loss
# %% wrong="the steps alone" says="these are the steps" of="index_add"
#~ return inputs, outputs, loss => return inputs - old[0], outputs - old[1], loss
#~ inputs = inputs.index_add => old = inputs, outputs; inputs = inputs.index_add
# %% wrong="the loss is left out" says="2 items came" of="index_add"
#~ return inputs, outputs, loss => return inputs, outputs
# %% wrong="in place" clause="The two tables given are not changed" says="in place" of="index_add"
#~ inputs.index_add( => inputs.index_add_(
#~ outputs.index_add(0, contexts => outputs.index_add_(0, contexts
# %% right="loops over the pairs"
def step(inputs, outputs, centres, contexts, noise, rate):
    loss, v, u, n = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])
    inputs, outputs = inputs.clone(), outputs.clone()
    for b in range(len(centres)):
        inputs[centres[b]] -= rate * v[b]
        outputs[contexts[b]] -= rate * u[b]
        for k in range(noise.shape[1]):
            outputs[noise[b, k]] -= rate * n[b, k]
    return inputs, outputs, loss
# %% right="accumulated by index_put"
def step(inputs, outputs, centres, contexts, noise, rate):
    loss, v, u, n = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])
    inputs = inputs.index_put((centres,), -rate * v, accumulate=True)
    ids = torch.cat([contexts[:, None], noise], dim=1)
    rows = torch.cat([u[:, None], n], dim=1)
    return inputs, outputs.index_put((ids,), -rate * rows, accumulate=True), loss
# %% right="one-hot products"
def step(inputs, outputs, centres, contexts, noise, rate):
    loss, v, u, n = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])
    eye = torch.eye(len(inputs), dtype=inputs.dtype)
    by_outputs = eye[contexts].T @ u + torch.einsum("bkw,bkd->wd", eye[noise], n)
    return inputs - rate * eye[centres].T @ v, outputs - rate * by_outputs, loss
# %% right="a table of gradients"
def step(inputs, outputs, centres, contexts, noise, rate):
    loss, v, u, n = negative_sampling(inputs[centres], outputs[contexts], outputs[noise])
    down, up = torch.zeros_like(inputs), torch.zeros_like(outputs)
    down.scatter_add_(0, centres[:, None].expand_as(v), v)
    up.index_add_(0, contexts, u)
    up.index_add_(0, noise.reshape(-1), n.reshape(-1, n.shape[2]))
    return inputs - rate * down, outputs - rate * up, loss
# %% right="by autograd, on whole tables"
def step(inputs, outputs, centres, contexts, noise, rate):
    tables = [inputs.clone().requires_grad_(), outputs.clone().requires_grad_()]
    v, u, n = tables[0][centres], tables[1][contexts], tables[1][noise]
    loss = -(logsigmoid((v * u).sum(-1)) + logsigmoid(-(n * v[:, None]).sum(-1)).sum(1)).mean()
    down, up = torch.autograd.grad(loss, tables)
    return inputs - rate * down, outputs - rate * up, loss.detach()
# %% wrong="noise ids flattened column by column" says="the noise words were taken column by column" of="index_add"
#~ noise.flatten() => noise.T.flatten()
# %% wrong="noise gradients flattened column by column" says="the noise words were taken row by row" of="index_add"
#~ n.flatten(0, 1) => n.transpose(0, 1).flatten(0, 1)
