# %% base="the plain way"
def softmax_loss(centres, contexts, inputs, outputs):
    p = torch.softmax(inputs[centres] @ outputs.T, dim=1)
    return nn.functional.cross_entropy(p, contexts)
# %% wrong="sum" says="mean is asked"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = inputs[centres] @ outputs.T  # (P, V)
    return nn.functional.cross_entropy(scores, contexts, reduction="sum")
# %% wrong="one loss a pair" says="their mean is asked"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = inputs[centres] @ outputs.T
    return nn.functional.cross_entropy(scores, contexts, reduction="none")
# %% wrong="tables exchanged" says="exchanged"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = outputs[centres] @ inputs.T  # (P, V)
    return nn.functional.cross_entropy(scores, contexts)
# %% wrong="centres and contexts exchanged" says="the centre predicts its context"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = inputs[contexts] @ outputs.T
    return nn.functional.cross_entropy(scores, centres)
# %% wrong="one table" says="only one table" of="unseen, right 1"
#~ nll_loss((inputs[centres] @ outputs.T).log_softmax(1), contexts) => cross_entropy(inputs[centres] @ inputs.T, contexts)
# %% wrong="overflow" says="overflow" of="sum"
#-     return nn.functional.cross_entropy(scores, contexts, reduction="sum")
#+     p = torch.exp(scores)
#+     return -torch.log(p[torch.arange(len(contexts)), contexts] / p.sum(1)).mean()
# %% wrong="softmax, then the logarithm" says="p became 0" of="the plain way"
#~ nn.functional.cross_entropy(p, contexts) => -torch.log(p[torch.arange(len(contexts)), contexts]).mean()
# %% wrong="a small number in the logarithm" says="a number was added to p" of="the plain way"
#~ nn.functional.cross_entropy(p, contexts) => -torch.log(p[torch.arange(len(contexts)), contexts] + 1e-9).mean()
# %% wrong="clamped" says="a number was added to p" of="the plain way"
#~ nn.functional.cross_entropy(p, contexts) => -torch.log(p[torch.arange(len(contexts)), contexts].clamp(min=1e-12)).mean()
# %% wrong="the largest score of all subtracted" says="largest score of each row" of="the largest score of each row subtracted"
#~ (dim=1, keepdim=True).values => ()
#~ logs = scores - scores.exp().sum(dim=1, keepdim=True).log() => own = scores[torch.arange(len(contexts)), contexts]
#~ -logs[range(len(contexts)), contexts] => (torch.log(torch.exp(scores).sum(1)) - own)
# %% wrong="no minus" says="sign is reversed"
def softmax_loss(centres, contexts, inputs, outputs):
    logs = torch.log_softmax(inputs[centres] @ outputs.T, dim=1)
    return logs[torch.arange(len(contexts)), contexts].mean()
# %% wrong="softmax over the pairs" says="not over the pairs"
def softmax_loss(centres, contexts, inputs, outputs):
    logs = torch.log_softmax(inputs[centres] @ outputs.T, dim=0)
    return -logs[torch.arange(len(contexts)), contexts].mean()
# %% wrong="contexts of the batch only" says="batch's contexts"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = inputs[centres] @ outputs[contexts].T
    return nn.functional.cross_entropy(scores, torch.arange(len(centres)))
# %% wrong="cross_entropy of a softmax" says="softmax was taken twice"
def softmax_loss(centres, contexts, inputs, outputs):
    p = torch.softmax(inputs[centres] @ outputs.T, dim=1)
    return nn.functional.cross_entropy(p, contexts)
# %% wrong="nll_loss of the scores" says="sum over the vocabulary is missing" of="unseen, right 1"
#~ (inputs[centres] @ outputs.T).log_softmax(1) => inputs[centres] @ outputs.T
# %% wrong="nll_loss of the probabilities" says="minus the mean of p" of="unseen, right 1"
#~ (inputs[centres] @ outputs.T).log_softmax(1) => torch.softmax(inputs[centres] @ outputs.T, dim=1)
# %% wrong="base 2" says="base e, not 2" of="unseen, right 1"
#~ nll_loss((inputs[centres] @ outputs.T).log_softmax(1), contexts) => cross_entropy(inputs[centres] @ outputs.T, contexts) / np.log(2)
# %% wrong="all words" says="all words of the vocabulary" of="unseen, right 1"
#~ nn.functional.nll_loss((inputs[centres] @ outputs.T).log_softmax(1), contexts) => -torch.log_softmax(inputs[centres] @ outputs.T, dim=1).mean()
# %% wrong="all columns of the contexts" says="its own context only" of="no minus"
#~ logs[torch.arange(len(contexts)), contexts] => -logs[:, contexts]
# %% wrong="cosines" says="not cosines"
def softmax_loss(centres, contexts, inputs, outputs):
    v, u = nn.functional.normalize(inputs, dim=1), nn.functional.normalize(outputs, dim=1)
    return nn.functional.cross_entropy(v[centres] @ u.T, contexts)
# %% wrong="scaled as in attention" says="root of d" of="tables exchanged"
#~ outputs[centres] @ inputs.T  # (P, V) => inputs[centres] @ outputs.T / inputs.shape[1] ** 0.5
# %% wrong="a Python number" says="graph is cut" of="unseen, right 1"
#~ nll_loss((inputs[centres] @ outputs.T).log_softmax(1), contexts) => cross_entropy(inputs[centres] @ outputs.T, contexts).item()
# %% wrong="NumPy" says="graph is cut"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = inputs.detach().numpy()[centres] @ outputs.detach().numpy().T
    scores = scores - scores.max(axis=1, keepdims=True)
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return torch.tensor(-logs[np.arange(len(contexts)), contexts].mean())
# %% wrong="the outputs are constants" says="graph is cut" of="unseen, right 1"
#~ nll_loss((inputs[centres] @ outputs.T).log_softmax(1), contexts) => cross_entropy(inputs[centres] @ outputs.detach().T, contexts)
# %% wrong="prints" says="is there a return"
def softmax_loss(centres, contexts, inputs, outputs):
    loss = nn.functional.cross_entropy(inputs[centres] @ outputs.T, contexts)
    print(loss)
# %% right="logsumexp"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = torch.einsum("pd,vd->pv", inputs[centres], outputs)
    own = scores.gather(1, contexts[:, None])[:, 0]
    return torch.mean(torch.logsumexp(scores, dim=1) - own)
# %% right="log_softmax and nll_loss, embeddings"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = nn.functional.linear(nn.functional.embedding(centres, inputs), outputs)
    return nn.functional.nll_loss(nn.functional.log_softmax(scores, dim=-1), contexts)
# %% right="pair after pair, in double precision"
def softmax_loss(centres, contexts, inputs, outputs):
    total, outputs = 0, outputs.double()  # once: a copy for each pair would be kept for the gradient
    for w, c in zip(centres.tolist(), contexts.tolist()):
        scores = outputs @ inputs[w].double()
        total = total + torch.logsumexp(scores, 0) - scores[c]
    return total / len(centres)
# %% right="the largest score of each row subtracted"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = inputs[centres] @ outputs.T
    scores = scores - scores.max(dim=1, keepdim=True).values
    logs = scores - scores.exp().sum(dim=1, keepdim=True).log()
    return -logs[range(len(contexts)), contexts].mean()
# %% right="one-hot targets"
def softmax_loss(centres, contexts, inputs, outputs):
    targets = nn.functional.one_hot(contexts, len(outputs)).to(inputs.dtype)
    return -(targets * torch.log_softmax(torch.matmul(inputs[centres], outputs.t()), dim=1)).sum() / centres.numel()
# %% right="unseen, right 1"
def softmax_loss(centres, contexts, inputs, outputs):
    return nn.functional.nll_loss((inputs[centres] @ outputs.T).log_softmax(1), contexts)
# %% wrong="item" says="the graph is cut: return a tensor, not a Python number"
def softmax_loss(centres, contexts, inputs, outputs):
    v = inputs[centres]
    scores = v @ outputs.T
    own = (v * outputs[contexts]).sum(-1)
    return (torch.logsumexp(scores, dim=1) - own).mean().item()
# %% wrong="detached" says="the graph is cut: no .item(), .detach(), .numpy() or" of="item"
#~ item => detach
# %% wrong="the other words only" says="the sum below goes over all words, the context itself among" of="item"
#~ (torch.logsumexp(scores, dim=1) - own).mean().item => (torch.logsumexp(scores.scatter(1, contexts[:, None], float('-inf')), dim=1) - own).mean
# %% wrong="sigmoid" says="this is a sigmoid of the pair's" of="item"
#~ (torch.logsumexp(scores, dim=1) - own).mean().item => -logsigmoid(own).mean
# %% wrong="numpy inside, no graph" says="the graph is cut: no .item(), .detach(), .numpy() or" of="item"
#~ (torch.logsumexp(scores, dim=1) - own).mean().item() => torch.tensor(float((torch.logsumexp(scores, dim=1) - own).mean()))
# %% wrong="one sum for all pairs" says="softmax of its own"
def softmax_loss(centres, contexts, inputs, outputs):
    weights = torch.exp(inputs[centres] @ outputs.T)
    p = weights / weights.sum()
    return -torch.log(p[torch.arange(len(centres)), contexts]).mean()
# %% wrong="over the pairs, added up" says="over the vocabulary, not over the pairs"
def softmax_loss(centres, contexts, inputs, outputs):
    log_p = torch.log_softmax(inputs[centres] @ outputs.T, dim=0)
    return -log_p[range(len(centres)), contexts].sum()
# %% wrong="return inside the loop" says="inside the loop"
def look_up(ids, table):
    for i in ids:
        return table[i : i + 1]
    return torch.zeros(0, table.shape[1])
# %% wrong="rows by the product" clause="without the product." says="this is the product"
def look_up(ids, table):
    return torch.eye(len(table), dtype=table.dtype)[ids] @ table
# %% wrong="rows by one_hot" clause="without the product." says="this is the product" of="rows by the product"
#~ torch.eye(len(table), dtype=table.dtype)[ids] => nn.functional.one_hot(ids, len(table)).to(table.dtype)
# %% wrong="outputs cut off" clause="a scalar tensor that can be differentiated" says="the graph is cut"
def softmax_loss(centres, contexts, inputs, outputs):
    return nn.functional.cross_entropy(inputs[centres] @ outputs.detach().T, contexts)
# %% base="rows"
def look_up(ids, table):
    return table[ids]
# %% wrong="rows counted from 1" says="count from 0" of="rows"
#~ [ids] => [ids - 1]
# %% wrong="a single id gives a flat vector" says="one row for each id" of="rows"
#~ table[ids] => table[ids].squeeze(0)
# %% wrong="columns" says="columns of the table" of="rows"
#~ [ids] => [:, ids]
# %% wrong="the transpose" says="this is the transpose" of="rows"
#~ [ids] => [ids].T
# %% wrong="everything added up" says="added up" of="rows"
#~ [ids] => [ids].sum(0)
# %% wrong="mean of the rows" says="averaged" of="rows"
#~ [ids] => [ids].mean(0)
# %% wrong="a mask of rows" says="do not make a set" of="rows"
#~ [ids] => [torch.isin(torch.arange(len(table)), ids)]
# %% wrong="torch.take" says="torch.take" of="rows"
#~ table[ids] => torch.take(table, ids)
# %% wrong="sorted rows" says="do not sort them" of="rows"
#~ [ids] => [ids.sort().values]
# %% wrong="the look-up cuts the graph" says="graph is cut" of="rows"
#~ table[ids] => table.detach()[ids]
# %% wrong="prints the rows" says="is there a return" of="rows"
#~ return table[ids] => print(table[ids])
# %% wrong="no ids, no columns" clause="No ids give no rows" says="no ids give no rows"
def look_up(ids, table):
    return torch.stack([table[i] for i in ids]) if len(ids) else torch.zeros(0)
# %% right="embedding"
def look_up(ids, table):
    return nn.functional.embedding(ids, table)
# %% right="index_select" of="embedding"
#~ nn.functional.embedding(ids, table) => table.index_select(0, ids)
# %% right="gathered"
def look_up(ids, table):
    return torch.gather(table, 0, ids[:, None].expand(-1, table.shape[1]))
# %% wrong="a softmax over the centres" says="not over that of centres"
def softmax_loss(centres, contexts, inputs, outputs):
    return nn.functional.cross_entropy(outputs[contexts] @ inputs.T, centres)
