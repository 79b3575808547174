# %% wrong="no shift" says="predict the token at t + 1"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits.log_softmax(dim=-1).gather(-1, token_ids[..., None])[..., 0]  # (B, T - 1)
    return torch.where(answer.bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()

# %% wrong="all tokens" says="all tokens count here"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return logp.sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()

# %% wrong="mean" says="the sum is asked"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1) / answer[:, 1:].sum(1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()

# %% wrong="raw logits" says="logits, not logarithms"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()

# %% wrong="mask not shifted" says="mask belongs to the token"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, :-1].bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()

# %% wrong="NaN" says="0 times that is NaN"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return (logp * answer[:, 1:]).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()

# %% wrong="no reference" says="reference is missing"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = chosen - rejected
    return -F.logsigmoid(beta * margin).mean()

# %% wrong="exchanged" says="exchanged"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (rejected - ref_rejected) - (chosen - ref_chosen)
    return -F.logsigmoid(beta * margin).mean()

# %% wrong="no beta" says="beta is missing"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(margin).mean()

# %% wrong="beta outside" says="inside the sigmoid"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -beta * F.logsigmoid(margin).mean()

# %% wrong="reference added" says="subtracted, not added"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - rejected) + (ref_chosen - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()

# %% right="as the paper writes it"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - rejected) - (ref_chosen - ref_rejected)
    return F.softplus(-beta * margin).mean()

# %% right="by cross-entropy"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Return the sum (B,) of log p of the tokens (B, T) where `answer` (B, T) is True; logits (B, T, V)."""
    labels = token_ids[:, 1:].masked_fill(~answer[:, 1:], -100)
    return -F.cross_entropy(logits[:, :-1].transpose(1, 2), labels, reduction='none').sum(1)


def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    """Return the mean DPO loss of pairs from the log-probabilities (B,) under policy and reference, a scalar."""
    margin = (chosen - ref_chosen) - (rejected - ref_rejected)
    return -F.logsigmoid(beta * margin).mean()
