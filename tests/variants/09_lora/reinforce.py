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
