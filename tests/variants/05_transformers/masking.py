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

# %% wrong="global rng for u" says="not used in each draw"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="global rng for random tokens" says="not used in each draw"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="reseeds to the initial seed" says="seeded anew"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    generator.manual_seed(generator.initial_seed())
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="int32 labels" says="not int64"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels.int()

# %% wrong="random token drawn from the text" says="drawn from the texts"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = token_ids.flatten()[torch.randint(0, token_ids.numel(), token_ids.shape, generator=generator)]
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="labels -1 elsewhere" says="-1 here"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -1)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="80 and 10 exchanged" says="80% of the chosen become random"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.1), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.1) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="one decision per text" says="whole text"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand((len(token_ids), 1), generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="whole texts chosen" says="whole texts were chosen"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand((len(token_ids), 1), generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="random token per text" says="one random token"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, (len(token_ids), 1), generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="randn" says="torch.randn"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.randn(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="mask id drawn in a fixed 103" says="MASK] is fixed"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), 103, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% wrong="chosen inverted" says="85% are"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) > share) & (token_ids >= num_special)
    labels = torch.where(chosen, token_ids, -100)
    u = torch.rand(token_ids.shape, generator=generator)
    drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
    return inputs, labels

# %% right="numpy, seeded by the generator"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    rng = np.random.default_rng(torch.randint(2**62, (1,), generator=generator).item())
    ids = token_ids.numpy().copy()
    chosen = (rng.random(ids.shape) < share) & (ids >= num_special)
    kind = rng.choice(3, size=ids.shape, p=[0.8, 0.1, 0.1])
    new = np.select([chosen & (kind == 0), chosen & (kind == 1)], [mask_id, rng.integers(num_special, vocab_size, ids.shape)], ids)
    return torch.from_numpy(new.astype(np.int64)), torch.from_numpy(np.where(chosen, ids, -100).astype(np.int64))

# %% right="multinomial fates"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    weights = torch.tensor([1 - share, 0.8 * share, 0.1 * share, 0.1 * share])
    fate = torch.multinomial(weights, token_ids.numel(), replacement=True, generator=generator).view(token_ids.shape)
    fate = fate * (token_ids >= num_special)
    drawn = num_special + (torch.rand(token_ids.shape, generator=generator, dtype=torch.float64) * (vocab_size - num_special)).long()
    inputs = torch.where(fate == 1, mask_id, torch.where(fate == 2, drawn, token_ids))
    return inputs, torch.where(fate > 0, token_ids, -100)
