# %% base="the plain way"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
    u = torch.rand(token_ids.shape, generator=generator)
    other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
    inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
    inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
    labels = torch.where(chosen, token_ids, -100)
    return inputs, labels
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
# %% wrong="special tokens are chosen" says="special tokens were chosen" clause="never chosen, never drawn as random tokens" of="half of the tokens"
#~ 5 => 15
#~ (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special) => torch.rand(token_ids.shape, generator=generator) < share
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
# %% wrong="share is ignored" says="share is ignored" clause="share: float = 0.15" of="the plain way"
#~ (torch.rand(token_ids.shape, generator=generator) < share) => (torch.rand(token_ids.shape, generator=generator) < 0.15)
# %% wrong="labels everywhere" says="ids of all tokens" of="the plain way"
#~ torch.where(chosen, token_ids, -100) => token_ids.clone()
# %% wrong="labels only where masked" says="all chosen have" of="the plain way"
#~ (chosen, token_ids, -100) => (inputs == mask_id, token_ids, -100)
# %% wrong="labels only where changed" says="guessed too" of="the plain way"
#~ (chosen, token_ids, -100) => (inputs != token_ids, token_ids, -100)
# %% wrong="labels are the inputs" says="original" of="the plain way"
#~ token_ids, - => inputs, -
# %% wrong="labels turned round" says="chosen" of="the plain way"
#~ token_ids, -100 => -100, token_ids
# %% wrong="0 instead of -100" says="-100" of="the plain way"
#~ -100 => 0
# %% wrong="random tokens from 0 on" says="drawn as random tokens" clause="never drawn as random tokens." of="the plain way"
#~ (num_special, vocab_size, token_ids.shape, generator=generator) => (0, vocab_size, token_ids.shape, generator=generator)
# %% wrong="last id never drawn" says="the last id is never drawn" clause="A random token has any id from num_special to vocab_size - 1" of="the plain way"
#~ vocab_size, token_ids => vocab_size - 1, token_ids
# %% wrong="80 masked, 20 random" says="stays as it is" of="the plain way"
#~ (u >= 0.8) & (u < 0.9) => (u >= 0.8)
# %% wrong="80 masked, none random" says="random" of="the plain way"
#-     inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), other, inputs)
# %% wrong="10 masked, 80 random" says="80%" of="the plain way"
#~ (u < 0.8) => (u < 0.1)
#~ (u >= 0.8) => (u >= 0.1)
# %% wrong="one special token too many" says="num_special" of="the plain way"
#~ >= num_special => > num_special
# %% wrong="one special token chosen" says="special" of="the plain way"
#~ (token_ids >= num_special) => (token_ids >= num_special - 1)
# %% wrong="the generator is not used" says="two equal ones give different holes" clause="All randomness comes from the `generator` that you are given" of="the plain way"
#~ (torch.rand(token_ids.shape, generator=generator) < share) => (torch.rand(token_ids.shape) < share)
# %% wrong="the generator is seeded anew" says="the same holes" of="the plain way"
#- def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
#+ def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
#+     generator.manual_seed(0)
# %% wrong="the same draw for every text" says="text" of="the plain way"
#~ (torch.rand(token_ids.shape, generator=generator) < share) => (torch.rand(token_ids.shape[1], generator=generator) < share)
# %% wrong="one random token for all" says="the same random token" of="the plain way"
#~ (num_special, vocab_size, token_ids.shape, generator=generator) => (num_special, vocab_size, (1,), generator=generator)
# %% wrong="changes token_ids in place" says="in place" of="one random number for everything"
#~ inputs, labels = token_ids.clone(), torch.full_like(token_ids, -100) => chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
#~ (token_ids.shape, generator=generator) / share => (token_ids.shape, generator=generator)
#~ free = token_ids >= num_special => other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
#~ labels[(u < 1) & free] = token_ids[(u < 1) & free] => labels = torch.where(chosen, token_ids, -100)
#~ inputs[(u < 0.8) & free] = mask_id => inputs = token_ids
#~ random_ones = (u >= 0.8) & (u < 0.9) & free => inputs[chosen & (u < 0.8)] = mask_id
#~ [random_ones] = torch.randint(num_special, vocab_size, (int(random_ones.sum()),), generator=generator) => [chosen & (u >= 0.8) & (u < 0.9)] = other[chosen & (u >= 0.8) & (u < 0.9)]
# %% wrong="exactly 15% of each text" says="exactly the same number of holes" clause="independently of all others." of="the plain way"
#-     chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
#+     k = round(share * token_ids.shape[1])
#+     chosen = (torch.rand(token_ids.shape, generator=generator).argsort(-1) < k) & (token_ids >= num_special)
# %% wrong="pairs returned the other way" says="(inputs, labels)" of="the plain way"
#~ inputs, labels => labels, inputs
# %% wrong="floats" says="whole numbers" of="the plain way"
#~ , labels => .float(), labels.float()
# %% wrong="80% of all tokens" says="chosen" of="the plain way"
#~ (chosen & (u < 0.8), mask_id, token_ids) => ((token_ids >= num_special) & (u < 0.8), mask_id, token_ids)
# %% wrong="shares of everything, not of the chosen" says="chosen" of="the plain way"
#~ chosen & (u < 0.8) => (token_ids >= num_special) & (u < 0.8 * share)
# %% wrong="inputs alone" says="labels" of="the plain way"
#~ inputs, labels => inputs
# %% wrong="the same number u decides both" says="random" of="the plain way"
#-     chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
#-     u = torch.rand(token_ids.shape, generator=generator)
#+     u = torch.rand(token_ids.shape, generator=generator)
#+     chosen = (u < share) & (token_ids >= num_special)
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
# %% wrong="global rng for random tokens" says="not used in each draw" of="global rng for u"
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
#~ (num_special, vocab_size, token_ids.shape, generator=generator) => (num_special, vocab_size, token_ids.shape)
# %% wrong="reseeds to the initial seed" says="seeded anew" of="one random number for everything"
#~ inputs, labels = token_ids.clone(), torch.full_like(token_ids, -100) => generator.manual_seed(generator.initial_seed())
#~ u = torch.rand(token_ids.shape, generator=generator) / share => chosen = (torch.rand(token_ids.shape, generator=generator) < share) & (token_ids >= num_special)
#~ free = token_ids >= num_special => labels = torch.where(chosen, token_ids, -100)
#~ labels[(u < 1) & free] = token_ids[(u < 1) & free] => u = torch.rand(token_ids.shape, generator=generator)
#~ inputs[(u < 0.8) & free] = mask_id => drawn = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
#~ random_ones = (u >= 0.8) & (u < 0.9) & free => inputs = torch.where(chosen & (u < 0.8), mask_id, token_ids)
#~ inputs[random_ones] = torch.randint(num_special, vocab_size, (int(random_ones.sum()),), generator=generator) => inputs = torch.where(chosen & (u >= 0.8) & (u < 0.9), drawn, inputs)
# %% wrong="int32 labels" says="not int64" of="global rng for u"
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
#~ , labels => , labels.int()
# %% wrong="random token drawn from the text" says="drawn from the texts" of="global rng for u"
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
#~ torch.randint(num_special, vocab_size, token_ids.shape, generator=generator) => token_ids.flatten()[torch.randint(0, token_ids.numel(), token_ids.shape, generator=generator)]
# %% wrong="labels -1 elsewhere" says="-1 here" of="global rng for u"
#~ 100 => 1
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
# %% wrong="one decision per text" says="whole text" of="global rng for u"
#~ (token_ids.shape) => ((len(token_ids), 1), generator=generator)
# %% wrong="whole texts chosen" says="whole texts were chosen" of="global rng for u"
#~ (token_ids.shape, generator=generator) => ((len(token_ids), 1), generator=generator)
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
# %% wrong="random token per text" says="one random token" of="global rng for u"
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
#~ (num_special, vocab_size, token_ids.shape, generator=generator) => (num_special, vocab_size, (len(token_ids), 1), generator=generator)
# %% wrong="randn" says="torch.randn" of="global rng for u"
#~ (torch.rand(token_ids.shape, generator=generator) < share) => (torch.randn(token_ids.shape, generator=generator) < share)
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
# %% wrong="mask id drawn in a fixed 103" says="MASK] is fixed" of="global rng for u"
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
#~ mask_id, token_ids => 103, token_ids
# %% wrong="chosen inverted" says="85% are" of="global rng for u"
#~ < share => > share
#~ (token_ids.shape) => (token_ids.shape, generator=generator)
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
# %% wrong="a copy of the generator" says="from a copy"
#~ chosen = torch.rand(token_ids.shape, generator=generator) < share => generator = generator.clone_state() if hasattr(generator, "clone_state") else generator; chosen = torch.rand(token_ids.shape, generator=generator) < share
# %% wrong="at least two ids are special" says="another mask id"
#~ chosen &= token_ids >= num_special => chosen &= token_ids >= max(num_special, 3)
# %% wrong="one share for all of the chosen, a little high" says="all tokens chosen"
#~ (action < 0.8), mask_id => (action < 0.83), mask_id
#~ (action >= 0.8) => (action >= 0.83)
# %% wrong="the first hole is always made" says="a small share"
#~ chosen &= token_ids >= num_special => chosen[0, 0] = True; chosen &= token_ids >= num_special
# %% right="one number decides both"
def mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share=0.15):
    draws = torch.rand(token_ids.shape, generator=generator, dtype=torch.float64)
    free = token_ids >= num_special
    chosen = free & (draws < share)
    inputs = token_ids.clone()
    inputs[free & (draws < 0.8 * share)] = mask_id
    random = free & (draws >= 0.8 * share) & (draws < 0.9 * share)
    inputs[random] = torch.randint(num_special, vocab_size, (int(random.sum()),), generator=generator)
    return inputs, token_ids.masked_fill(~chosen, -100)
# %% wrong="exactly 15% of the batch" says="exactly the same share of the batch"
#~ chosen = torch.rand(token_ids.shape, generator=generator) < share => order = torch.randperm(token_ids.numel(), generator=generator).view(token_ids.shape); chosen = order < int(share * token_ids.numel())
# %% wrong="a generator of its own for the second draw" says="comes from another generator" of="the plain way"
#-     u = torch.rand(token_ids.shape, generator=generator)
#-     other = torch.randint(num_special, vocab_size, token_ids.shape, generator=generator)
#+     own = torch.Generator().manual_seed(1)
#+     u = torch.rand(token_ids.shape, generator=own)
#+     other = torch.randint(num_special, vocab_size, token_ids.shape, generator=own)
# %% wrong="fates from a generator of their own" says="comes from another generator" clause="All randomness comes from the `generator` that you are given" of="the plain way"
#~ u = torch.rand(token_ids.shape, generator=generator) => u = torch.rand(token_ids.shape, generator=torch.Generator().manual_seed(0))
# %% wrong="random tokens from a generator of their own" says="random tokens come from another generator" of="the plain way"
#~ vocab_size, token_ids.shape, generator=generator => vocab_size, token_ids.shape, generator=torch.Generator().manual_seed(0)
# %% wrong="the label of each token is its id" says="the labels are the ids of all tokens"
#~ torch.where(chosen, token_ids, -100) => token_ids.clone()
# %% wrong="masked wherever the second draw says so" says="have no label" of="the plain way"
#~ torch.where(chosen & (u < 0.8), mask_id, token_ids) => torch.where(u < 0.8, mask_id, token_ids)
# %% wrong="one id too many is drawn" says="ids from vocab_size on do not exist" clause="any id from num_special to vocab_size - 1" of="the plain way"
#~ vocab_size, token_ids => vocab_size + 1, token_ids
