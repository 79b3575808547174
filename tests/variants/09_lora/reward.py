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

# %% wrong="log with a small epsilon" says="inside the logarithm"
def reward_loss(chosen, rejected):
    return -torch.log(torch.sigmoid(chosen - rejected) + 1e-8).mean()

# %% wrong="squared" says="squared error"
def reward_loss(chosen, rejected):
    return ((1 - torch.sigmoid(chosen - rejected)) ** 2).mean()

# %% wrong="in bits" says="base 2"
def reward_loss(chosen, rejected):
    return F.softplus(rejected - chosen).mean() / math.log(2)

# %% wrong="a plain number" says="must flow"
def reward_loss(chosen, rejected):
    return torch.tensor(-F.logsigmoid(chosen - rejected).mean().item())

# %% wrong="the rejected is detached" says="must flow"
def reward_loss(chosen, rejected):
    return -F.logsigmoid(chosen - rejected.detach()).mean()

# %% wrong="exp ratio overflows" says="exp of a reward runs over"
def preference(chosen, rejected):
    return chosen.exp() / (chosen.exp() + rejected.exp())

# %% wrong="1 or 0" says="this is 0 or 1"
def preference(chosen, rejected):
    return (chosen > rejected).float()

# %% wrong="tanh" says="this is tanh"
def preference(chosen, rejected):
    return torch.tanh(chosen - rejected)

# %% right="softplus and binary_cross_entropy_with_logits"
def preference(chosen, rejected):
    return 1 / (1 + torch.exp(rejected - chosen))


def reward_loss(chosen, rejected):
    gap = chosen - rejected
    return F.binary_cross_entropy_with_logits(gap, torch.ones_like(gap))

# %% right="logaddexp"
def reward_loss(chosen, rejected):
    return (torch.logaddexp(chosen, rejected) - chosen).mean()
