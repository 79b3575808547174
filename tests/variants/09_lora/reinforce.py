# %% base="the plain way"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * (logps - ref_logps).mean()).detach()
def reinforce_loss(logps, returns):
    return -((returns - returns.mean().detach()) * logps).mean()
# %% wrong="the leash pushes" says="wrong way"
#~ - beta => + beta
# %% wrong="no reference" says="reference is missing"
#~ (logps - ref_logps) => logps
# %% wrong="no beta" says="beta is missing"
#~ beta * (logps - ref_logps) => (logps - ref_logps)
# %% wrong="one mean" says="its own log-ratio"
#~ (logps - ref_logps) => (logps - ref_logps).mean()
# %% wrong="no baseline" says="baseline is missing"
#~ (returns - returns.mean()) => returns
# %% wrong="sign" says="sign is wrong"
#~ -(advantages * logps) => (advantages * logps)
# %% wrong="sum" says="this is the sum"
#~ (advantages * logps).mean => (advantages * logps).sum
# %% wrong="divided by the spread" says="divided by their spread"
#~ returns - returns.mean => (returns - returns.mean()) / returns.std
# %% wrong="gradient through the returns" says="flows through the returns"
#~ (rewards - beta * (logps - ref_logps)).detach() => (rewards - beta * (logps - ref_logps))
#~ (returns - returns.mean()).detach() => (returns - returns.mean())
# %% right="no_grad"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    with torch.no_grad():
        return rewards - beta * (logps - ref_logps)
# %% right="a product"
def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    advantages = (returns - returns.mean()).detach()
    return -(advantages @ logps) / len(logps)
# %% wrong="not detached" says="R has a gradient"
def leashed(rewards, logps, ref_logps, beta):
    return rewards - beta * (logps - ref_logps)
# %% wrong="absolute log-ratio" says="absolute value" of="not detached"
#~ rewards - beta * (logps - ref_logps) => (rewards - beta * (logps - ref_logps).abs()).detach()
# %% wrong="ratio at zero clipped" says="cut at 0" of="not detached"
#~ rewards - beta * (logps - ref_logps) => (rewards - beta * (logps - ref_logps).clamp(min=0)).detach()
# %% wrong="KL weighted by the probability" says="weighted by the probability" of="not detached"
#~ rewards - beta * (logps - ref_logps) => (rewards - beta * logps.exp() * (logps - ref_logps)).detach()
# %% wrong="returns keep the gradient" says="through the returns" of="the log-probabilities centred instead"
#~ returns.detach() * (logps - logps.mean()) => (returns - returns.mean()) * logps
# %% wrong="only the mean is detached" says="not their mean alone" of="the log-probabilities centred instead"
#~ returns.detach() * (logps - logps.mean()) => (returns - returns.mean().detach()) * logps
# %% wrong="leave-one-out baseline" says="of the others alone"
def reinforce_loss(logps, returns):
    n = len(returns)
    base = (returns.sum() - returns) / max(n - 1, 1)
    return -((returns - base).detach() * logps).mean()
# %% wrong="median baseline" says="median" of="the log-probabilities centred instead"
#~ returns.detach() * (logps - logps.mean()) => (returns - returns.median()).detach() * logps
# %% wrong="probabilities instead of logs" says="not their logarithms" of="the log-probabilities centred instead"
#~ returns.detach() * (logps - logps.mean()) => (returns - returns.mean()).detach() * logps.exp()
# %% right="numbers"
def leashed(rewards, logps, ref_logps, beta):
    gap = logps.detach().sub(ref_logps.detach())
    return torch.add(rewards.detach(), gap, alpha=-beta)
def reinforce_loss(logps, returns):
    numbers = returns.tolist()
    mean = sum(numbers) / len(numbers)
    return -sum((r - mean) * p for r, p in zip(numbers, logps)) / len(numbers)
# %% right="the log-probabilities centred instead"
def reinforce_loss(logps, returns):
    return -(returns.detach() * (logps - logps.mean())).mean()
# %% right="the covariance form"
def reinforce_loss(logps, returns):
    returns = returns.detach()
    return returns.mean() * logps.mean() - (returns * logps).mean()
# %% wrong="scalar for one text" says="shape (1,)"
#~ (rewards - beta * (logps - ref_logps)).detach() => (rewards - beta * (logps - ref_logps)).detach().squeeze()
# %% right="dot and no_grad"
def reinforce_loss(logps, returns):
    with torch.no_grad():
        weights = (returns.mean() - returns) / len(returns)
    return torch.dot(weights, logps)
# %% wrong="divided by B - 1" says="divides by B - 1"
#~ (advantages * logps).mean() => (advantages * logps).sum() / (len(logps) - 1)
# %% wrong="baseline added" says="mean return is added"
#~ returns - returns.mean() => returns + returns.mean()
# %% wrong="the worst as the baseline" says="baseline is the least"
#~ returns.mean() => returns.min()
# %% wrong="only the good" says="cut at 0"
#~ (returns - returns.mean()) => (returns - returns.mean()).clamp(min=0)
# %% wrong="one sum" says="one sum for the batch"
#~ (logps - ref_logps) => (logps - ref_logps).sum()
# %% wrong="ratio less one" says="less 1, is taken"
#~ (logps - ref_logps) => ((logps - ref_logps).exp() - 1)
# %% wrong="estimate of GRPO" says="this is GRPO"
#~ (logps - ref_logps) => ((ref_logps - logps).exp() - (ref_logps - logps) - 1)
# %% wrong="divided by beta" says="does not divide it"
#~ beta * (logps => 1 / beta * (logps
# %% wrong="logps detached" says="the returns alone are plain numbers"
#~ * logps => * logps.detach()
