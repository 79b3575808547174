# %% base="the plain way"
def preference(chosen, rejected):
    return torch.tanh(chosen - rejected)
def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    return F.softplus(rejected - chosen).mean()
# %% wrong="exchanged" says="exchanged"
#~ .sigmoid(chosen - rejected) => .sigmoid(rejected - chosen)
# %% wrong="ratio" says="this is the ratio"
#~ torch.sigmoid(chosen - rejected) => chosen / (chosen + rejected)
# %% wrong="one reward" says="rejected reward is missing"
#~ logsigmoid(chosen - rejected) => logsigmoid(chosen)
# %% wrong="sum" says="this is the sum"
#~ .mean => .sum
# %% wrong="no logarithm" says="logarithm is missing"
#~ F.logsigmoid => torch.sigmoid
# %% wrong="runs over" says="F.logsigmoid does not"
#~ F.logsigmoid(chosen - rejected) => torch.sigmoid(chosen - rejected).log()
# %% wrong="mean first" says="mean difference"
#~ (chosen - rejected).mean() => ((chosen - rejected).mean())
# %% right="softplus" of="cross-entropy of two"
#~ cross_entropy(torch.stack([chosen, rejected], 1), torch.zeros(len(chosen), dtype=torch.long)) => softplus(rejected - chosen).mean()
# %% right="cross-entropy of two"
def preference(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    return torch.stack([chosen, rejected]).softmax(0)[0]
def reward_loss(chosen: torch.Tensor, rejected: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(torch.stack([chosen, rejected], 1), torch.zeros(len(chosen), dtype=torch.long))
# %% wrong="log with a small epsilon" says="inside the logarithm" of="logaddexp"
#~ (torch.logaddexp(chosen, rejected) - chosen) => -torch.log(torch.sigmoid(chosen - rejected) + 1e-8)
# %% wrong="squared" says="squared error" of="logaddexp"
#~ torch.logaddexp(chosen, rejected) - chosen => (1 - torch.sigmoid(chosen - rejected)) ** 2
# %% wrong="in bits" says="base 2" of="logaddexp"
#~ (torch.logaddexp(chosen, rejected) - chosen).mean() => F.softplus(rejected - chosen).mean() / math.log(2)
# %% wrong="a plain number" says="must flow" of="logaddexp"
#~ (torch.logaddexp(chosen, rejected) - chosen).mean() => torch.tensor(-F.logsigmoid(chosen - rejected).mean().item())
# %% wrong="the rejected is detached" says="must flow" of="logaddexp"
#~ (torch.logaddexp(chosen, rejected) - chosen) => -F.logsigmoid(chosen - rejected.detach())
# %% wrong="exp ratio overflows" says="exp of a reward runs over" of="softplus and binary_cross_entropy_with_logits"
#~ 1 / (1 + torch.exp(rejected - chosen)) => chosen.exp() / (chosen.exp() + rejected.exp())
# %% wrong="1 or 0" says="this is 0 or 1" of="softplus and binary_cross_entropy_with_logits"
#~ 1 / (1 + torch.exp(rejected - chosen)) => (chosen > rejected).float()
# %% wrong="tanh" says="this is tanh" of="softplus and binary_cross_entropy_with_logits"
#~ 1 / (1 + torch.exp(rejected - chosen)) => torch.tanh(chosen - rejected)
# %% right="softplus and binary_cross_entropy_with_logits"
def preference(chosen, rejected):
    return 1 / (1 + torch.exp(rejected - chosen))
def reward_loss(chosen, rejected):
    gap = chosen - rejected
    return F.binary_cross_entropy_with_logits(gap, torch.ones_like(gap))
# %% right="logaddexp"
def reward_loss(chosen, rejected):
    return (torch.logaddexp(chosen, rejected) - chosen).mean()
# %% wrong="probability detached" says="must flow"
#~ torch.sigmoid(chosen - rejected) => torch.sigmoid(chosen - rejected).detach()
# %% right="relu and log1p"
def reward_loss(chosen, rejected):
    gap = rejected - chosen
    return (gap.clamp(min=0) + torch.log1p(torch.exp(-gap.abs()))).mean()
# %% wrong="a smaller number in the logarithm" says="bends large losses"
#~ -F.logsigmoid(chosen - rejected).mean() => -torch.log(torch.sigmoid(chosen - rejected) + 1e-12).mean()
# %% wrong="each alone" says="judged one by one"
#~ -F.logsigmoid(chosen - rejected).mean() => -(F.logsigmoid(chosen) + F.logsigmoid(-rejected)).mean()
# %% wrong="log of the mean" says="logarithm of the mean probability"
#~ -F.logsigmoid(chosen - rejected).mean() => -torch.sigmoid(chosen - rejected).mean().log()
# %% wrong="clamped" says="cut off"
#~ -F.logsigmoid(chosen - rejected).mean() => -torch.sigmoid(chosen - rejected).clamp(min=1e-7).log().mean()
# %% wrong="softmax over the pairs" says="softmax is over the pairs"
#~ torch.sigmoid(chosen - rejected) => torch.softmax(chosen - rejected, dim=0)
# %% wrong="a rejected one stands still" says="the gradient of both rewards" clause="it is 200, not infinite. The gradient flows."
#~ -F.logsigmoid(chosen - rejected) => -F.logsigmoid(chosen - rejected.detach())
# %% wrong="the logarithm of a sigmoid" says="runs over" clause="It is right for large differences, too"
#~ -F.logsigmoid(chosen - rejected) => -torch.sigmoid(chosen - rejected).log()
