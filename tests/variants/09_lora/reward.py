# %% wrong="exchanged" says="exchanged"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return torch.sigmoid(rejected - chosen)


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return -F.logsigmoid(chosen - rejected).mean()

# %% wrong="ratio" says="this is the ratio"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return chosen / (chosen + rejected)


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return -F.logsigmoid(chosen - rejected).mean()

# %% wrong="one reward" says="rejected reward is missing"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return torch.sigmoid(chosen - rejected)


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return -F.logsigmoid(chosen).mean()

# %% wrong="sum" says="this is the sum"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return torch.sigmoid(chosen - rejected)


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return -F.logsigmoid(chosen - rejected).sum()

# %% wrong="no logarithm" says="logarithm is missing"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return torch.sigmoid(chosen - rejected)


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return -torch.sigmoid(chosen - rejected).mean()

# %% wrong="runs over" says="F.logsigmoid does not"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return torch.sigmoid(chosen - rejected)


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return -torch.sigmoid(chosen - rejected).log().mean()

# %% wrong="mean first" says="mean difference"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return torch.sigmoid(chosen - rejected)


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return -F.logsigmoid((chosen - rejected).mean())

# %% right="softplus"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return torch.sigmoid(chosen - rejected)


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return F.softplus(rejected - chosen).mean()

# %% right="cross-entropy of two"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the probability (B,) that the chosen text wins, from the rewards (B,) of both."""
    return torch.stack([chosen, rejected]).softmax(0)[0]


def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    """Return the mean of minus the logarithm of that probability, a scalar."""
    return F.cross_entropy(torch.stack([chosen, rejected], 1), torch.zeros(len(chosen), dtype=torch.long))
