# %% base="the plain way"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden.unsqueeze(1) @ W @ memory.transpose(1, 2)).squeeze(1)
    scores = scores.masked_fill(~present, -math.inf)
    weights = softmax(scores)
    context = (weights.unsqueeze(1) @ memory).squeeze(1)
    x = torch.cat([embedded, context], dim=-1)
    new = cell(x, hidden)
    logits = output(torch.cat([new, context], dim=-1))
    return logits, new, weights
# %% wrong="padding attended to" says="padding is attended to" of="-1e9 and baddbmm"
#~ (1).masked_fill(~present, -1e9) => (1)
# %% wrong="mask after the softmax" says="the mask came after the softmax" of="-1e9 and baddbmm"
#~ (1).masked_fill(~present, -1e9) => (1)
#~ (scores, -1) => (scores, -1) * present
# %% wrong="mask inverted" says="inverted" of="-1e9 and baddbmm"
#~ ~present, -1e9 => present, float("-inf")
# %% wrong="context first" says="the cell takes [e; c]" of="-1e9 and baddbmm"
#~ -1e9 => float("-inf")
#~ embedded, context => context, embedded
# %% wrong="old state to the output" says="the output saw the old state" of="-1e9 and baddbmm"
#~ -1e9 => float("-inf")
#~ [new, context] => [hidden, context]
# %% wrong="softmax over the batch" says="over the batch" of="-1e9 and baddbmm"
#~ -1e9 => float("-inf")
#~ (scores, -1) => (scores, 0)
# %% wrong="masked by multiplying" says="e to the 0 is 1" of="-1e9 and baddbmm"
#~ (1).masked_fill(~present, -1e9) => (1) * present
# %% wrong="old state comes back" says="the old state came back" of="-1e9 and baddbmm"
#~ -1e9 => float("-inf")
#~ new, weights => hidden, weights
# %% right="-1e9 and baddbmm"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1).masked_fill(~present, -1e9)
    weights = torch.softmax(scores, -1)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([new, context], 1)), new, weights
# %% right="row by row"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    contexts, all_weights = [], torch.zeros(memory.shape[:2])
    for b in range(len(hidden)):
        here = present[b].nonzero()[:, 0]
        states = memory[b, here]
        w = torch.softmax(states @ (hidden[b] @ W), 0)
        all_weights[b, here] = w
        contexts.append(w @ states)
    context = torch.stack(contexts)
    hidden = cell(torch.cat([embedded, context], dim=1), hidden)
    return [output(torch.cat([hidden, context], dim=1)), hidden, all_weights]
# %% wrong="padding set to zero in the memory" says="still takes weight"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    memory = memory * present.unsqueeze(-1)
    weights = torch.softmax((hidden @ W).unsqueeze(1) @ memory.mT, -1).squeeze(1)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    hidden = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([hidden, context], 1)), hidden, weights
# %% wrong="plain mean" says="plain mean of the memory" of="the plain way"
#~ (weights.unsqueeze(1) @ memory).squeeze(1) => memory.mean(dim=1)
# %% wrong="last state of the memory" says="memory's last state" of="the plain way"
#~ (weights.unsqueeze(1) @ memory).squeeze(1) => memory[:, -1]
# %% wrong="scaled by the root of the state" says="asks for q W k as it is" of="the plain way"
#~ (hidden.unsqueeze(1) @ W @ memory.transpose(1, 2)).squeeze(1) => (hidden.unsqueeze(1) @ W @ memory.transpose(1, 2)).squeeze(1) / math.sqrt(hidden.shape[-1])
# %% wrong="scaled_scores in place of dot" says="asks for q W k as it is" of="the plain way"
#~ (hidden.unsqueeze(1) @ W @ memory.transpose(1, 2)) => scaled_scores((hidden @ W).unsqueeze(1), memory)
# %% wrong="state and logits exchanged" says="another order" of="the plain way"
#~ logits, new => new, logits
# %% wrong="probabilities" says="no softmax at the end" of="the plain way"
#~ output(torch.cat([new, context], dim=-1)) => torch.softmax(output(torch.cat([new, context], dim=-1)), dim=-1)
# %% wrong="context first for the output" says="the output takes [h'; c]" of="the plain way"
#~ new, context => context, new
# %% wrong="scores back" says="in place of the weights" of="the plain way"
#~ , weights => , scores
# %% wrong="weights not squeezed" says="another shape" of="the plain way"
#~ , weights => , weights.unsqueeze(1)
# %% wrong="the cell forgets the state" says="without the old state" of="the plain way"
#~ x, hidden => x
# %% wrong="looks after the step" says="the new state asked" of="the plain way"
#- def decoder_step(embedded, hidden, memory, present, W, cell, output):
#+ def decoder_step(embedded, hidden, memory, present, W, cell, output):
#+     hidden = cell(torch.cat([embedded, torch.zeros_like(memory[:, 0])], dim=-1), hidden)
#~ cell(x, hidden) => hidden
# %% wrong="minus infinity times the mask" says="0 times minus infinity is NaN" of="additive mask"
#~ torch.zeros_like(scores).masked_fill(~present, -1e30) => -math.inf * (~present)
# %% wrong="renormalised after the softmax" says="what was left was divided by its sum" of="additive mask"
#~ scores + torch.zeros_like(scores).masked_fill(~present, -1e30) => scores
#~ softmax(scores) => softmax(scores) * present
#~ (weights.unsqueeze(1) @ memory) => ((weights / weights.sum(1, keepdim=True)).unsqueeze(1) @ memory)
#~ , weights => , weights / weights.sum(1, keepdim=True)
# %% wrong="padding counted as the end only" says="padding in front" of="additive mask"
#~ scores + torch.zeros_like(scores).masked_fill(~present, -1e30) => scores.masked_fill(torch.arange(memory.shape[1]) >= present.sum(1, keepdim=True), -math.inf)
# %% wrong="a low score of -1" says="not low enough" of="additive mask"
#~ scores + torch.zeros_like(scores).masked_fill(~present, -1e30) => scores.masked_fill(~present, -1.0)
# %% wrong="only the context masked" says="only left out of the context" of="additive mask"
#~ scores + torch.zeros_like(scores).masked_fill(~present, -1e30) => scores
#~ (weights.unsqueeze(1) @ memory) => ((weights * present).unsqueeze(1) @ memory)
# %% wrong="the best character alone" says="all share" of="the plain way"
#~ softmax(scores) => F.one_hot(scores.argmax(-1), scores.shape[-1]).float()
# %% wrong="W left out where it fits" says="W was left out" of="the plain way"
#~ hidden.unsqueeze(1) @ W => (hidden if W.shape[0] == W.shape[1] else hidden @ W).unsqueeze(1)
# %% right="additive mask"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden.unsqueeze(1) @ W @ memory.transpose(1, 2)).squeeze(1)
    scores = scores + torch.zeros_like(scores).masked_fill(~present, -1e30)
    weights = softmax(scores)
    context = (weights.unsqueeze(1) @ memory).squeeze(1)
    x = torch.cat([embedded, context], dim=-1)
    new = cell(x, hidden)
    logits = output(torch.cat([new, context], dim=-1))
    return logits, new, weights
# %% right="einsum, torch's softmax" of="the plain way"
#~ (hidden.unsqueeze(1) @ W @ memory.transpose(1, 2)).squeeze(1) => torch.einsum("bh,hm,btm->bt", hidden, W, memory)
#~ softmax(scores) => F.softmax(scores, dim=1)
#~ (weights.unsqueeze(1) @ memory).squeeze(1) => torch.einsum("bt,btm->bm", weights, memory)
# %% right="assigned into the scores, weights summed by hand" of="additive mask"
#~ scores + torch.zeros_like(scores).masked_fill(~present, -1e30) => torch.where(present, scores, torch.full_like(scores, float("-inf")))
#~ (weights.unsqueeze(1) @ memory).squeeze(1) => (weights[:, :, None] * memory).sum(dim=1)
#~ cat([embedded, context], dim=-1) => hstack([embedded, context])
#~ logits, new, weights => [logits, new, weights]
# %% wrong="a second context for the output" says="the same c as the cell"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    def look(state):
        scores = general_scores(state.unsqueeze(1), memory, W).squeeze(1).masked_fill(~present, -math.inf)
        weights = softmax(scores)
        return weights, (weights.unsqueeze(1) @ memory).squeeze(1)
    weights, context = look(hidden)
    hidden = cell(torch.cat([embedded, context], dim=-1), hidden)
    return output(torch.cat([hidden, look(hidden)[1]], dim=-1)), hidden, weights
# %% wrong="memory cleared in place" says="in place"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    memory[~present] = 0
    scores = general_scores(hidden.unsqueeze(1), memory, W).squeeze(1).masked_fill(~present, -math.inf)
    weights = softmax(scores)
    context = (weights.unsqueeze(1) @ memory).squeeze(1)
    hidden = cell(torch.cat([embedded, context], dim=-1), hidden)
    return output(torch.cat([hidden, context], dim=-1)), hidden, weights
# %% wrong="the embedding goes into the output" says="the output saw the embedding"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    s = (hidden.unsqueeze(1) @ W @ memory.mT).masked_fill(~present.unsqueeze(1), -math.inf)
    w = torch.softmax(s, -1)
    c = (w @ memory).squeeze(1)
    h = cell(torch.cat([embedded, c], -1), hidden)
    return output(torch.cat([embedded, c], -1)), h, w.squeeze(1)
# %% wrong="the context is the most looked at state" says="it is the sum of all" of="the embedding goes into the output"
#~ (s, -1) => (s, -1).squeeze(1)
#~ (w @ memory).squeeze(1) => memory[torch.arange(len(memory)), w.argmax(-1)]
#~ (torch.cat([embedded, c], -1)), h, w.squeeze(1) => (torch.cat([h, c], -1)), h, w
# %% right="einsum and -1e9"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = torch.einsum("bh,hm,btm->bt", hidden, W, memory)
    weights = F.softmax(torch.where(present, scores, torch.tensor(-1e9)), dim=1)
    context = torch.einsum("bt,btm->bm", weights, memory)
    state = cell(torch.cat((embedded, context), dim=1), hidden)
    return output(torch.cat((state, context), dim=1)), state, weights
# %% right="row by row, padding cut off"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    rows = []
    for e, h, m, p in zip(embedded, hidden, memory, present):
        w = torch.zeros(len(m))
        w[p] = torch.softmax(m[p] @ (h @ W), dim=0)
        c = w @ m
        new = cell(torch.cat([e, c]), h)
        rows.append((output(torch.cat([new, c])), new, w))
    return tuple(torch.stack([r[i] for r in rows]) for i in range(3))
# %% right="weights renormalised from exponentials"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    s = torch.bmm(memory, (hidden @ W).unsqueeze(-1)).squeeze(-1) + present.float().log()
    e = (s - s.max(1, keepdim=True).values).exp() * present
    w = e / e.sum(1, keepdim=True)
    c = (w.unsqueeze(-1) * memory).sum(1)
    h = cell(torch.hstack([embedded, c]), hidden)
    return [F.linear(torch.hstack([h, c]), output.weight, output.bias), h, w]
# %% wrong="the memory detached" says="the gradient is cut" of="weights returned detached"
#- def decoder_step(embedded, hidden, memory, present, W, cell, output):
#+ def decoder_step(embedded, hidden, memory, present, W, cell, output):
#+     memory = memory.detach()
#~ (output(torch.cat([hidden, context], dim=-1)), hidden, weights.detach()) => output(torch.cat([hidden, context], dim=-1)), hidden, weights
# %% wrong="hidden scores of -1e4" says="scores far below zero" of="weights returned detached"
#~ math.inf => 10000.0
#~ weights.detach() => weights
# %% wrong="weights returned detached" says="stops at the weights that come back"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = general_scores(hidden.unsqueeze(1), memory, W).squeeze(1)
    weights = softmax(scores.masked_fill(~present, -math.inf))
    context = context_vectors(weights.unsqueeze(1), memory).squeeze(1)
    hidden = cell(torch.cat([embedded, context], dim=-1), hidden)
    return (output(torch.cat([hidden, context], dim=-1)), hidden, weights.detach())
# %% right="bmm again" of="weights returned detached"
#~ general_scores(hidden.unsqueeze(1), memory, W).squeeze(1) => torch.bmm(memory, (hidden @ W).unsqueeze(-1))[..., 0]
#~ weights.detach() => weights
# %% wrong="squeeze without an axis" says="squeeze(1) takes that axis only" of="the plain way"
#~ transpose(1, 2)).squeeze(1) => transpose(1, 2)).squeeze()
# %% wrong="exponentials of all, without a maximum" says="exp overflows" of="the plain way"
#~ scores = scores.masked_fill(~present, -math.inf) => scores = torch.exp(scores) * present
#~ softmax(scores) => scores / scores.sum(dim=-1, keepdim=True)
# %% wrong="renormalised with a small number" says="what was left was divided by its sum" of="the plain way"
#~ scores = scores.masked_fill(~present, -math.inf) => scores = softmax(scores) * present
#~ weights = softmax(scores) => weights = scores / (scores.sum(dim=-1, keepdim=True) + 1e-9)
# %% wrong="state returned detached" says="stops at the state that comes back"
#~ hidden, weights => hidden.detach(), weights
# %% wrong="logits detached" says="stops at the logits"
#~ (torch.cat([hidden, context], dim=-1)), hidden => (torch.cat([hidden, context], dim=-1)).detach(), hidden
# %% wrong="context detached" says="stops at the context"
#~ squeeze(1)  # (B, m) => squeeze(1).detach()
# %% wrong="weights detached for the context" says="on their way to the context"
#~ (weights.unsqueeze(1) => (weights.detach().unsqueeze(1)
# %% wrong="query detached" says="stops at the state that asks"
#~ (hidden.unsqueeze(1) => (hidden.detach().unsqueeze(1)
# %% wrong="new state detached for the output" says="on its way to the output"
#~ cat([hidden, => cat([hidden.detach(),
# %% wrong="padding at -100" clause="A weight of exactly 0 is a score of" says="the score of padding is not low enough"
#~ -math.inf => -100.0
