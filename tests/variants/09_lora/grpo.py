# %% wrong="not divided" says="not divided by the spread"
#~ centred / (rewards.std(dim=1, keepdim=True) + 1e-4) => centred
# %% wrong="population" says="divides by G - 1"
#~ std(dim=1, keepdim=True) => std(dim=1, keepdim=True, correction=0)
# %% wrong="whole batch" says="each row is a group"
#~ rewards.mean(dim=1, keepdim=True) => rewards.mean()
#~ rewards.std(dim=1, keepdim=True) => rewards.std()
# %% wrong="columns" says="not the columns"
#~ rewards.mean(dim=1, => rewards.mean(dim=0,
#~ rewards.std(dim=1, => rewards.std(dim=0,
# %% wrong="nothing added" says="divides 0 by 0"
#~  + 1e-4) => )
# %% wrong="sign" says="sign is missing"
#~ return -each.mean() => return each.mean()
# %% wrong="sum" says="this is the sum"
#~ -each.mean() => -each.sum()
# %% wrong="no clip" says="not clipped"
#~ ratio.clamp(1 - clip, 1 + clip) => ratio
# %% wrong="always clipped" says="always taken"
#~ torch.minimum(ratio * advantages[:, None], ratio.clamp(1 - clip, 1 + clip) * advantages[:, None]) => ratio.clamp(1 - clip, 1 + clip) * advantages[:, None]
# %% wrong="larger" says="larger of the two"
#~ torch.minimum => torch.maximum
# %% wrong="old over new" says="upside down"
#~ (logps - old_logps).exp() => (old_logps - logps).exp()
# %% wrong="no leash" says="leash is missing"
#~ gains - beta * kl => gains
# %% wrong="leash rewarded" says="pulls the wrong way"
#~ - beta * kl => + beta * kl
# %% wrong="log-ratio as the leash" says="log-ratio alone"
#~ away.exp() - away - 1 => -away
# %% wrong="sign of d" says="d has the wrong sign"
#~ ref_logps - logps => logps - ref_logps
# %% wrong="ratio to the reference" says="policy that wrote"
#~ (logps - old_logps).exp() => (logps - ref_logps).exp()
# %% wrong="upper side only" says="only the upper side"
#~ clamp(1 - clip, 1 + clip) => clamp(max=1 + clip)
# %% wrong="ratio detached" says="gradient"
#~ (logps - old_logps).exp() => (logps - old_logps).exp().detach()
# %% right="where"
def group_advantages(rewards):
    centred = rewards - rewards.mean(1)[:, None]
    spread = (centred.square().sum(1) / (rewards.shape[1] - 1)).sqrt()
    return centred / (spread[:, None] + 0.0001)
def grpo_loss(logps, old_logps, ref_logps, advantages, written, clip, beta):
    a = advantages.unsqueeze(1)
    ratio = torch.exp((logps - old_logps).masked_fill(~written, 0))
    stands = torch.where(a > 0, ratio.clamp(max=1 + clip), ratio.clamp(min=1 - clip))
    d = (ref_logps - logps).masked_fill(~written, 0)
    each = beta * (torch.expm1(d) - d) - stands * a
    return ((each * written).sum(1) / written.sum(1)).mean()
# %% right="a loop"
def grpo_loss(logps, old_logps, ref_logps, advantages, written, clip, beta):
    total = 0.0
    for new, old, ref, a, counts in zip(logps, old_logps, ref_logps, advantages, written):
        new, old, ref = new[counts], old[counts], ref[counts]
        ratio = (new - old).exp()
        gain = torch.min(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
        total = total + (gain - beta * ((ref - new).exp() - (ref - new) - 1)).mean()
    return -total / len(logps)
# %% wrong="leash detached" says="gradient"
#~ away.exp() - away - 1 => (away.exp() - away - 1).detach()
# %% right="relu form"
def grpo_loss(logps, old_logps, ref_logps, advantages, written, clip, beta):
    a = advantages[:, None].expand_as(logps)
    weight = written.to(logps.dtype) / written.sum(1, keepdim=True) / len(logps)
    new, old, ref, a, weight = (part[written] for part in (logps, old_logps, ref_logps, a, weight))
    ratio = (new - old).exp()
    over = torch.where(a > 0, (ratio - 1 - clip).relu(), -(1 - clip - ratio).relu())
    kl = (ref - new).exp() - 1 + new - ref
    return -(((ratio - over) * a - beta * kl) * weight).sum()
# %% right="indices of what counts"
def grpo_loss(logps, old_logps, ref_logps, advantages, written, clip, beta):
    rows, columns = written.nonzero(as_tuple=True)
    p, o, f = (part[rows, columns] for part in (logps, old_logps, ref_logps))
    ratio, d = (p - o).exp(), f - p
    gain = torch.stack([ratio, ratio.clamp(1 - clip, 1 + clip)]) * advantages[rows]
    each = gain.amin(0) - beta * (d.exp() - d - 1)
    sums = torch.zeros_like(advantages).index_add(0, rows, each)
    return -(sums / torch.bincount(rows, minlength=len(advantages))).mean()
# %% wrong="a clip in logarithms" says="not 1 / (1 + clip)"
#~ clamp(1 - clip, 1 + clip) => clamp(1 / (1 + clip), 1 + clip)
# %% wrong="clamped spread" says="spread of every group"
#~ (rewards.std(dim=1, keepdim=True) + 1e-4) => rewards.std(dim=1, keepdim=True).clamp(min=1e-4)
# %% wrong="1e-8" says="spread of every group"
#~ + 1e-4) => + 1e-8)
# %% wrong="under the root" says="not under the root"
#~ (rewards.std(dim=1, keepdim=True) + 1e-4) => (rewards.var(dim=1, keepdim=True) + 1e-4).sqrt()
# %% wrong="median" says="median of the group"
#~ rewards.mean(dim=1, keepdim=True) => rewards.median(dim=1, keepdim=True).values
# %% wrong="smaller ratio first" says="before it meets A"
#~ torch.minimum(ratio * advantages[:, None], ratio.clamp(1 - clip, 1 + clip) * advantages[:, None]) => torch.minimum(ratio, ratio.clamp(1 - clip, 1 + clip)) * advantages[:, None]
# %% wrong="lower side only" says="only the lower side"
#~ clamp(1 - clip, 1 + clip) => clamp(min=1 - clip)
# %% wrong="clip around 0" says="not around 0"
#~ clamp(1 - clip, 1 + clip) => clamp(-clip, clip)
# %% wrong="leash to the old policy" says="to the policy that wrote the answers: it is to the reference"
#~ away = ref_logps - logps => away = old_logps - logps
# %% wrong="half the square" says="half the square"
#~ away.exp() - away - 1 => away**2 / 2
# %% wrong="no d in the leash" says="d is missing"
#~ away.exp() - away - 1 => away.exp() - 1
# %% wrong="beta before all" says="multiplies the gain, too"
#~ gains - beta * kl => beta * (gains - kl)
# %% wrong="a leash without a gradient" says="no gradient comes from the leash" clause="The gradient flows to logps; the others come without one."
#~ - beta * kl => - beta * kl.detach()
# %% wrong="a ratio without a gradient" says="no gradient comes from the ratio" clause="The gradient flows to logps; the others come without one."
#~ ratio = (logps - old_logps).exp() => ratio = (logps.detach() - old_logps).exp()
# %% wrong="mean of the column" says="the group is the row"
#~ rewards.mean(dim=1, keepdim=True) => rewards.mean(dim=0, keepdim=True)
# %% wrong="one mean over all tokens" says="first the mean of each answer"
#~ 0.0).sum(dim=1) / written.sum(dim=1) => 0.0).sum() / written.sum()
# %% wrong="sums of answers" says="are summed up"
#~ 0.0).sum(dim=1) / written.sum(dim=1) => 0.0).sum(dim=1)
# %% wrong="by the length of the row" says="length of a row"
#~ / written.sum(dim=1) => / written.shape[1]
# %% wrong="prompt and padding, too" says="did not write are counted"
#~ logps, old_logps, ref_logps = (torch => written = torch.ones_like(written); logps, old_logps, ref_logps = (torch
# %% wrong="one ratio for an answer" says="GSPO"
#~ ratio = (logps - old_logps).exp() => ratio = (logps - old_logps).sum(dim=1, keepdim=True).exp()
# %% wrong="what does not count is infinite" says="leave it out before exp()" clause="The numbers at the others, 0 or -1000, change nothing."
#-     logps, old_logps, ref_logps = (torch.where(written, part, 0.0) for part in (logps, old_logps, ref_logps))
#+     pass
#~ torch.where(written, gains - beta * kl, 0.0) => ((gains - beta * kl) * written)
# %% wrong="the mean of all rewards" says="the mean is of the whole batch"
#~ rewards.mean(dim=1, keepdim=True) => rewards.mean()
# %% wrong="1 plus the log-ratio" says="1 plus the difference"
#~ ratio = (logps - old_logps).exp() => ratio = 1 + logps - old_logps
# %% wrong="left out behind exp" says="not behind it"
#-     logps, old_logps, ref_logps = (torch.where(written, part, 0.0) for part in (logps, old_logps, ref_logps))
# %% right="all written tokens in one list, each with its share"
def grpo_loss(logps, old_logps, ref_logps, advantages, written, clip, beta):
    answer, token = written.nonzero(as_tuple=True)
    now, old, ref = (part[answer, token] for part in (logps, old_logps, ref_logps))
    good, ratio = advantages[answer], (now - old).exp()
    bounded = torch.where(good >= 0, ratio.clamp(max=1 + clip), ratio.clamp(min=1 - clip))
    value = bounded * good - beta * (torch.expm1(ref - now) - (ref - now))
    return -(value * (1 / written.sum(1)[answer])).sum() / len(advantages)
# %% wrong="a clip of 0.2" says="whatever is asked for" clause="Return the GRPO loss of answers"
#~ ratio.clamp(1 - clip, 1 + clip) => ratio.clamp(0.8, 1.2)
