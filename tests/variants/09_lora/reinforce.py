# %% wrong="the leash pushes" says="wrong way"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards + beta * (logps - ref_logps)).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean()).detach()
    return -(advantages * logps).mean()

# %% wrong="no reference" says="reference is missing"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * logps).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean()).detach()
    return -(advantages * logps).mean()

# %% wrong="no beta" says="beta is missing"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - (logps - ref_logps)).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean()).detach()
    return -(advantages * logps).mean()

# %% wrong="one mean" says="its own log-ratio"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * (logps - ref_logps).mean()).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean()).detach()
    return -(advantages * logps).mean()

# %% wrong="no baseline" says="baseline is missing"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * (logps - ref_logps)).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = returns.detach()
    return -(advantages * logps).mean()

# %% wrong="sign" says="sign is turned round"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * (logps - ref_logps)).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean()).detach()
    return (advantages * logps).mean()

# %% wrong="sum" says="this is the sum"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * (logps - ref_logps)).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean()).detach()
    return -(advantages * logps).sum()

# %% wrong="divided by the spread" says="divided by their spread"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * (logps - ref_logps)).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = ((returns - returns.mean()) / returns.std()).detach()
    return -(advantages * logps).mean()

# %% wrong="gradient through the returns" says="flows through the returns"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * (logps - ref_logps))


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean())
    return -(advantages * logps).mean()

# %% right="no_grad"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    with torch.no_grad():
        return rewards - beta * (logps - ref_logps)


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean()).detach()
    return -(advantages * logps).mean()

# %% right="a product"
def leashed(rewards: torch.Tensor, logps: torch.Tensor, ref_logps: torch.Tensor, beta: float) -> torch.Tensor:
    """Return rewards less beta times the log-ratio to the reference, (B,), without a gradient."""
    return (rewards - beta * (logps - ref_logps)).detach()


def reinforce_loss(logps: torch.Tensor, returns: torch.Tensor) -> torch.Tensor:
    """Return the REINFORCE loss, a scalar, with the batch's mean return as the baseline; both (B,)."""
    advantages = (returns - returns.mean()).detach()
    return -(advantages @ logps) / len(logps)

# %% wrong="not detached" says="R has a gradient"
def leashed(rewards, logps, ref_logps, beta):
    return rewards - beta * (logps - ref_logps)

# %% wrong="absolute log-ratio" says="absolute value"
def leashed(rewards, logps, ref_logps, beta):
    return (rewards - beta * (logps - ref_logps).abs()).detach()

# %% wrong="ratio at zero clipped" says="cut at 0"
def leashed(rewards, logps, ref_logps, beta):
    return (rewards - beta * (logps - ref_logps).clamp(min=0)).detach()

# %% wrong="KL weighted by the probability" says="weighted by the probability"
def leashed(rewards, logps, ref_logps, beta):
    return (rewards - beta * logps.exp() * (logps - ref_logps)).detach()

# %% wrong="returns keep the gradient" says="through the returns"
def reinforce_loss(logps, returns):
    return -((returns - returns.mean()) * logps).mean()

# %% wrong="only the mean is detached" says="not their mean alone"
def reinforce_loss(logps, returns):
    return -((returns - returns.mean().detach()) * logps).mean()

# %% wrong="leave-one-out baseline" says="of the others alone"
def reinforce_loss(logps, returns):
    n = len(returns)
    base = (returns.sum() - returns) / max(n - 1, 1)
    return -((returns - base).detach() * logps).mean()

# %% wrong="median baseline" says="median"
def reinforce_loss(logps, returns):
    return -((returns - returns.median()).detach() * logps).mean()

# %% wrong="probabilities instead of logs" says="not their logarithms"
def reinforce_loss(logps, returns):
    return -((returns - returns.mean()).detach() * logps.exp()).mean()

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
