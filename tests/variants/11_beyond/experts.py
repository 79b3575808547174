# %% wrong="not divided" says="not divided by their sum"
#~ top / top.sum(dim=-1, keepdim=True) => top
# %% wrong="scaled up again" says="nothing is scaled up again"
#~ return gates * (choices * (places <= capacity)).sum(dim=0) => gates = gates * (choices * (places <= capacity)).sum(dim=0); return gates / gates.sum(dim=-1, keepdim=True).clamp(min=1e-12)
# %% wrong="no capacity" says="capacity is ignored"
#~ return gates * (choices * (places <= capacity)).sum(dim=0) => return gates
# %% wrong="one place less" says="one too small"
#~ places <= capacity => places < capacity
# %% wrong="token by token" says="token by token"
#~ F.one_hot(chosen.T, logits.shape[-1]) => F.one_hot(chosen, logits.shape[-1])
#~ .sum(dim=0) => .sum(dim=1)
# %% wrong="softmax over tokens" says="over the tokens"
#~ logits.softmax(dim=-1).topk => logits.softmax(dim=0).topk
# %% wrong="first choice only" says="first choice"
#~ logits.softmax(dim=-1).topk(k => logits.softmax(dim=-1).topk(1
# %% wrong="gates cut" says="gradient is cut"
#~ top, chosen = logits.softmax => top, chosen = logits.detach().softmax
# %% wrong="no gate" says="gates are missing"
#~ gates[rows, e, None] * made => made
# %% wrong="relu" says="not ReLU"
#~ F.gelu(x[rows] @ up[e].T) => F.relu(x[rows] @ up[e].T)
# %% wrong="every expert works" says="every expert works"
def mixture(x, gates, up, down):
    made = torch.einsum("nef,ecf->nec", F.gelu(torch.einsum("nc,efc->nef", x, up)), down)
    return torch.einsum("ne,nec->nc", gates, made)
# %% wrong="the last expert only" says="last expert"
#~ out = out.index_add(0, rows, gates[rows, e, None] * made) => out = torch.zeros_like(x).index_add(0, rows, gates[rows, e, None] * made)
# %% wrong="no factor" says="factor E"
#~ num_experts * (shares => (shares
# %% wrong="shares sum to k" says="sum to 1"
#~ .mean(dim=(0, 1)) => .sum(dim=1).mean(dim=0)
# %% wrong="first choices count" says="only first choices"
#~ probabilities.topk(k, dim=-1) => probabilities.topk(1, dim=-1)
# %% wrong="loss without a gradient" says="gradient is cut" clause="the gradient comes through $P_e$"
#~ probabilities.mean(dim=0) => probabilities.detach().mean(dim=0)
# %% right="loops and lists"
def route(logits, k, capacity):
    p = torch.softmax(logits, -1)
    order = p.argsort(dim=-1, descending=True)
    gates, used = torch.zeros_like(p), [0] * p.shape[1]
    for rank in range(k):
        for n in range(len(p)):
            e = int(order[n, rank])
            if used[e] < capacity:
                used[e] += 1
                gates[n, e] = p[n, e] / p[n, order[n, :k]].sum()
    return gates
def mixture(x, gates, up, down):
    out = 0 * x
    for e, (u, d) in enumerate(zip(up, down)):
        work = gates[:, e] != 0
        if work.any():
            full = torch.zeros_like(x)
            full[work] = gates[work, e].unsqueeze(1) * F.linear(F.gelu(F.linear(x[work], u)), d)
            out = out + full
    return out
# %% right="masked softmax, bincount"
def route(logits, k, capacity):
    chosen = logits.topk(k).indices
    mask = torch.full_like(logits, -math.inf).scatter(-1, chosen, 0.0)
    gates = torch.softmax(logits + mask, dim=-1)
    kept, used = torch.zeros_like(gates), torch.zeros(logits.shape[1])
    for choice in chosen.T:
        for n, e in enumerate(choice.tolist()):
            kept[n, e] = float(used[e] < capacity)
            used[e] += 1
    return gates * kept
def balance_loss(logits, k):
    p = torch.softmax(logits, -1)
    counts = torch.bincount(logits.topk(k).indices.flatten(), minlength=logits.shape[1])
    return logits.shape[1] * torch.dot(counts.to(p.dtype) / (k * len(p)), p.mean(0))
# %% wrong="one place more" says="capacity is one too large"
#~ places <= capacity => places <= capacity + 1
# %% wrong="places for each rank" says="places of their own"
#~ choices.flatten(0, 1).cumsum(dim=0).view_as(choices) => choices.cumsum(dim=1)
# %% wrong="the whole token" says="keeps the others"
#~ (choices * (places <= capacity)).sum(dim=0) => (choices * (places <= capacity)).sum((0, 2), keepdim=True)[0].eq(k)
# %% wrong="P of those that chose" says="not over those that chose e"
#~ probabilities.mean(dim=0) => (F.one_hot(chosen, num_experts).sum(1) * probabilities).sum(0) / F.one_hot(chosen, num_experts).sum((0, 1)).clamp(min=1)
# %% wrong="P of the gates" says="not of the gates"
#~ probabilities.mean(dim=0) => (F.one_hot(chosen, num_experts).sum(1) * probabilities / probabilities.topk(k).values.sum(1, keepdim=True)).mean(0)
# %% wrong="GELU behind" says="after the second matrix"
#~ F.gelu(x[rows] @ up[e].T) @ down[e].T => F.gelu(x[rows] @ up[e].T @ down[e].T)
# %% wrong="x where nobody works" says="gets 0, not x"
#~ return out => return torch.where((gates != 0).any(1, keepdim=True), out, x)
# %% wrong="gates divided again" says="divided by their sum again"
#~ gates[rows, e, None] => (gates / gates.sum(1, keepdim=True).clamp(min=1e-9))[rows, e, None]
# %% wrong="all tokens in all experts" says="only tokens that chose it" clause="processes only the tokens whose gate for it is not 0."
def mixture(x, gates, up, down):
    made = torch.stack([F.gelu(x @ u.T) @ d.T for u, d in zip(up, down)], dim=1)
    return torch.where(gates[..., None] != 0, gates[..., None] * made, 0).sum(dim=1)
# %% wrong="one place at least" says="one too large" clause="`capacity` choices (0 or more)"
#~ places <= capacity => places <= max(capacity, 1)
# %% wrong="by tanh, all else exact" says="the exact one" clause="GELU (the exact one)"
#~ F.gelu(x[rows] @ up[e].T) => F.gelu(x[rows] @ up[e].T, approximate="tanh")
# %% wrong="no gradient to the logits" says="gradient is cut" clause="Gradients flow to the logits."
#~ return gates * (choices => return gates.detach() * (choices
# %% wrong="tiny gates left out" says="a small gate counted as none"
#~ gates[:, e].nonzero()[:, 0] => (gates[:, e] > 1e-3).nonzero()[:, 0]
# %% right="shares counted by bincount, in float32"
def balance_loss(logits, k):
    N, E = logits.shape
    shares = torch.bincount(logits.topk(k).indices.flatten(), minlength=E) / (N * k)
    return E * (shares * logits.softmax(-1).mean(0)).sum()
# %% wrong="first choices among all" says="divided by all n times k"
#~ F.one_hot(chosen, num_experts).to(logits.dtype).mean(dim=(0, 1)) => F.one_hot(chosen[:, 0], num_experts).to(logits.dtype).mean(dim=0) / k
# %% wrong="results copied, not added" says="alone: they are added"
#~ out.index_add(0, rows, => out.index_copy(0, rows,
# %% right="the k-th largest as a line"
def balance_loss(logits, k):
    p = logits.softmax(-1)
    line = p.detach().sort(dim=-1, descending=True).values[:, k - 1 : k]
    f = (p.detach() >= line).to(p.dtype).sum(0) / (k * len(p))
    return logits.shape[-1] * (f @ p.mean(0))
# %% wrong="gates up to a half" says="gates up to a half were left out" clause="processes only the tokens whose gate for it is not 0."
#~ gates[:, e].nonzero()[:, 0] => (gates[:, e] > 0.5).nonzero()[:, 0]
# %% wrong="the largest gates first" says="they go to the tokens in their order" clause="first choices of all tokens, in order, then second choices"
def route(logits, k, capacity):
    top, chosen = logits.softmax(dim=-1).topk(k, dim=-1)
    gates = torch.zeros_like(logits).scatter(-1, chosen, top / top.sum(dim=-1, keepdim=True))
    choices = F.one_hot(chosen.T, logits.shape[-1])
    order = top.T.argsort(dim=1, descending=True)[..., None].expand_as(choices)
    places = choices.gather(1, order).flatten(0, 1).cumsum(dim=0).view_as(choices)
    places = torch.zeros_like(choices).scatter(1, order, places)
    return gates * (choices * (places <= capacity)).sum(dim=0)
