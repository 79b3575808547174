# %% wrong="padding attended to" says="padding is attended to"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1)
    weights = torch.softmax(scores, -1)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([new, context], 1)), new, weights

# %% wrong="mask after the softmax" says="the mask came after the softmax"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1)
    weights = torch.softmax(scores, -1) * present
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([new, context], 1)), new, weights

# %% wrong="mask inverted" says="turned round"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1).masked_fill(present, float("-inf"))
    weights = torch.softmax(scores, -1)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([new, context], 1)), new, weights

# %% wrong="context first" says="the cell takes [e; c]"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1).masked_fill(~present, float("-inf"))
    weights = torch.softmax(scores, -1)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([context, embedded], 1), hidden)
    return output(torch.cat([new, context], 1)), new, weights

# %% wrong="old state to the output" says="the output saw the old state"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1).masked_fill(~present, float("-inf"))
    weights = torch.softmax(scores, -1)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([hidden, context], 1)), new, weights

# %% wrong="softmax over the batch" says="over the batch"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1).masked_fill(~present, float("-inf"))
    weights = torch.softmax(scores, 0)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([new, context], 1)), new, weights

# %% wrong="masked by multiplying" says="e to the 0 is 1"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1) * present
    weights = torch.softmax(scores, -1)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([new, context], 1)), new, weights

# %% wrong="old state comes back" says="the old state came back"
def decoder_step(embedded, hidden, memory, present, W, cell, output):
    scores = (hidden @ W).unsqueeze(1) @ memory.mT
    scores = scores.squeeze(1).masked_fill(~present, float("-inf"))
    weights = torch.softmax(scores, -1)
    context = (weights.unsqueeze(-1) * memory).sum(1)
    new = cell(torch.cat([embedded, context], 1), hidden)
    return output(torch.cat([new, context], 1)), hidden, weights

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
