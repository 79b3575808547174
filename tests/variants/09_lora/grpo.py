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
# %% wrong="sign" says="sign is turned round"
#~ -(gains => (gains
# %% wrong="sum" says="this is the sum"
#~ kl).mean() => kl).sum()
# %% wrong="no clip" says="not clipped"
#~ ratio.clamp(1 - clip, 1 + clip) => ratio
# %% wrong="always clipped" says="always taken"
#~ torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages) => ratio.clamp(1 - clip, 1 + clip) * advantages
# %% wrong="larger" says="larger of the two"
#~ torch.minimum => torch.maximum
# %% wrong="old over new" says="upside down"
#~ (logps - old_logps).exp() => (old_logps - logps).exp()
# %% wrong="no leash" says="leash is missing"
#~  - beta * kl) => )
# %% wrong="leash rewarded" says="pulls the wrong way"
#~ - beta * kl => + beta * kl
# %% wrong="log-ratio as the leash" says="log-ratio alone"
#~ away.exp() - away - 1 => -away
# %% wrong="leash turned round" says="d is turned round"
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
def grpo_loss(logps, old_logps, ref_logps, advantages, clip, beta):
    ratio = torch.exp(logps - old_logps)
    stands = torch.where(advantages > 0, ratio.clamp(max=1 + clip), ratio.clamp(min=1 - clip))
    kl = torch.expm1(ref_logps - logps) - (ref_logps - logps)
    return (beta * kl - stands * advantages).mean()
# %% right="a loop"
def grpo_loss(logps, old_logps, ref_logps, advantages, clip, beta):
    total = 0.0
    for new, old, ref, a in zip(logps, old_logps, ref_logps, advantages):
        ratio = (new - old).exp()
        gain = torch.min(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
        total = total + gain - beta * ((ref - new).exp() - (ref - new) - 1)
    return -total / len(logps)
# %% wrong="leash detached" says="gradient"
#~ away.exp() - away - 1 => (away.exp() - away - 1).detach()
# %% right="relu form"
def grpo_loss(logps, old_logps, ref_logps, advantages, clip, beta):
    ratio = (logps - old_logps).exp()
    over = torch.where(advantages > 0, (ratio - 1 - clip).relu(), -(1 - clip - ratio).relu())
    kl = (ref_logps - logps).exp() - 1 + logps - ref_logps
    return -((ratio - over) * advantages).mean() + beta * kl.mean()
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
#~ torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages) => torch.minimum(ratio, ratio.clamp(1 - clip, 1 + clip)) * advantages
# %% wrong="lower side only" says="only the lower side"
#~ clamp(1 - clip, 1 + clip) => clamp(min=1 - clip)
# %% wrong="clip around 0" says="not around 0"
#~ clamp(1 - clip, 1 + clip) => clamp(-clip, clip)
# %% wrong="leash to the old policy" says="to the policy that wrote: it is to the reference"
#~ away = ref_logps - logps => away = old_logps - logps
# %% wrong="half the square" says="half the square"
#~ away.exp() - away - 1 => away**2 / 2
# %% wrong="no d in the leash" says="d is missing"
#~ away.exp() - away - 1 => away.exp() - 1
# %% wrong="beta before all" says="multiplies the gain, too"
#~ -(gains - beta * kl).mean() => -beta * (gains - kl).mean()
# %% wrong="a leash without a gradient" says="no gradient comes from the leash" clause="The gradient flows to logps; the others come without one."
#~ - beta * kl => - beta * kl.detach()
# %% wrong="a ratio without a gradient" says="no gradient comes from the ratio" clause="The gradient flows to logps; the others come without one."
#~ ratio = (logps - old_logps).exp() => ratio = (logps.detach() - old_logps).exp()
# %% wrong="mean of the column" says="the group is the row"
#~ rewards.mean(dim=1, keepdim=True) => rewards.mean(dim=0, keepdim=True)
