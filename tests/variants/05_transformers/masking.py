# %% wrong="half of the tokens" says="half of the tokens were chosen"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.5):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, torch.where(chosen & (u < 0.9), other, token_ids))
    return inputs, torch.where(chosen, token_ids, -100)

# %% wrong="all chosen are masked" says="all chosen tokens became [MASK]"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    return torch.where(chosen, mask_id, token_ids), torch.where(chosen, token_ids, -100)

# %% wrong="special tokens are chosen" says="special tokens were chosen"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = torch.rand(token_ids.shape, generator=generator) < share
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, torch.where(chosen & (u < 0.9), other, token_ids))
    return inputs, torch.where(chosen, token_ids, -100)

# %% right="one random number for everything"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    inputs, labels = token_ids.clone(), torch.full_like(token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator) / share
    free = token_ids >= num_special
    labels[(u < 1) & free] = token_ids[(u < 1) & free]
    inputs[(u < 0.8) & free] = mask_id
    random_ones = (u >= 0.8) & (u < 0.9) & free
    inputs[random_ones] = torch.randint(num_special, vocab_size, (int(random_ones.sum()),), generator=generator)
    return inputs, labels

# %% right="with bernoulli"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    p = torch.full(token_ids.shape, share)
    p[token_ids < num_special] = 0
    chosen = torch.bernoulli(p, generator=generator).bool()
    masked = torch.bernoulli(torch.full(token_ids.shape, 0.8), generator=generator).bool() & chosen
    changed = torch.bernoulli(torch.full(token_ids.shape, 0.5), generator=generator).bool() & chosen & ~masked
    inputs = token_ids.clone()
    inputs[masked] = mask_id
    inputs[changed] = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)[changed]
    labels = token_ids.clone()
    labels[~chosen] = -100
    return inputs, labels

# %% wrong="share is ignored" says="share is ignored"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < 0.15) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="labels everywhere" says="ids of all tokens"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = token_ids.clone()
    return inputs, labels

# %% wrong="labels only where masked" says="all chosen have"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(inputs == mask_id, token_ids, -100)
    return inputs, labels

# %% wrong="labels only where changed" says="guessed too"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(inputs != token_ids, token_ids, -100)
    return inputs, labels

# %% wrong="labels are the inputs" says="original"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, inputs, -100)
    return inputs, labels

# %% wrong="labels turned round" says="chosen"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, -100, token_ids)
    return inputs, labels

# %% wrong="0 instead of -100" says="-100"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, 0)
    return inputs, labels

# %% wrong="random tokens from 0 on" says="random tokens"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(0, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="last id never drawn" says="last"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size - 1, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="80 masked, 20 random" says="stays as it is"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="80 masked, none random" says="random"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="10 masked, 80 random" says="80%"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.1), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.1) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="one special token too many" says="num_special"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids > num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="one special token chosen" says="special"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special - 1)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="the generator is not used" says="generator"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="the generator is seeded anew" says="the same holes"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    generator.manual_seed(0)
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="the same draw for every text" says="text"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape[1], generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="one random token for all" says="the same random token"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, (1,), generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="changes token_ids in place" says="in place"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    labels = torch.where(chosen, token_ids, -100)
    inputs = token_ids
    inputs[chosen & (u < 0.8)] = mask_id
    inputs[chosen & (u >= 0.8) & (u < 0.9)] = other[chosen & (u >= 0.8) & (u < 0.9)]
    return inputs, labels

# %% wrong="exactly 15% of each text" says="independently"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    k = round(share * token_ids.shape[1])
    chosen = (torch.rand(token_ids.shape, generator=generator).argsort(-1) < k) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="pairs returned the other way" says="(inputs, labels)"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return labels, inputs

# %% wrong="floats" says="whole numbers"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs.float(), labels.float()

# %% wrong="80% of all tokens" says="chosen"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where((token_ids >= num_special) & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="shares of everything, not of the chosen" says="chosen"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where((token_ids >= num_special) & (u < 0.8 * share), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% wrong="inputs alone" says="labels"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs

# %% wrong="the same number u decides both" says="random"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    u = torch.rand(token_ids.shape, generator=generator)
    chosen = (u < share) & (token_ids >= num_special)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels

# %% right="loops over every token"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    inputs, labels = token_ids.tolist(), [[-100] * token_ids.shape[1] for _ in token_ids]
    for i, row in enumerate(token_ids.tolist()):
        for j, token in enumerate(row):
            if token < num_special or torch.rand(1, generator=generator).item() >= share:
                continue
            labels[i][j] = token
            u = torch.rand(1, generator=generator).item()
            if u < 0.8:
                inputs[i][j] = mask_id
            elif u < 0.9:
                inputs[i][j] = torch.randint(num_special, vocab_size, (1,), generator=generator).item()
    return torch.tensor(inputs, dtype=torch.int64), torch.tensor(labels, dtype=torch.int64)
