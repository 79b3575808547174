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
