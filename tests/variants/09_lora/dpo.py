# %% base="the plain way"
def sequence_logprobs(logits, token_ids, answer):
    lp = logits[:, :-1].log_softmax(-1).gather(-1, token_ids[:, 1:, None])[..., 0]
    return (lp * answer[:, 1:]).sum(1)
# %% wrong="no shift" says="predict the token at t + 1"
#~ [:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None]) => .log_softmax(dim=-1).gather(-1, token_ids[..., None])
#~ answer[:, 1:] => answer
# %% wrong="all tokens" says="all tokens count here"
#~ torch.where(answer[:, 1:].bool(), logp, 0.0) => logp
# %% wrong="mean" says="the sum is asked for"
#~ (dim=1) => (dim=1) / answer[:, 1:].sum(1)
# %% wrong="raw logits" says="logits, not logarithms"
#~ .log_softmax(dim=-1). => .
# %% wrong="mask not shifted" says="mask belongs to the token"
#~ [:, 1:] => [:, :-1]
# %% right="a mask of numbers"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    logp = logits[:, :-1].log_softmax(dim=-1).gather(-1, token_ids[:, 1:, None])[..., 0]  # (B, T - 1)
    return (logp * answer[:, 1:]).sum(dim=1)
# %% wrong="no reference" says="reference is missing"
#~ (chosen - ref_chosen) - (rejected - ref_rejected) => chosen - rejected
# %% wrong="exchanged" says="exchanged"
#~ (chosen - ref_chosen) - (rejected - ref_rejected) => (rejected - ref_rejected) - (chosen - ref_chosen)
# %% wrong="no beta" says="beta is missing"
#~ (beta * margin) => (margin)
# %% wrong="beta outside" says="inside the sigmoid"
#~ F.logsigmoid(beta * margin) => beta * F.logsigmoid(margin)
# %% wrong="reference added" says="subtracted, not added"
#~ (chosen - ref_chosen) - (rejected - ref_rejected) => (chosen - rejected) + (ref_chosen - ref_rejected)
# %% right="as the paper writes it"
def dpo_loss(
    chosen: torch.Tensor, rejected: torch.Tensor, ref_chosen: torch.Tensor, ref_rejected: torch.Tensor, beta: float
) -> torch.Tensor:
    margin = (chosen - rejected) - (ref_chosen - ref_rejected)
    return F.softplus(-beta * margin).mean()
# %% right="by cross-entropy"
def sequence_logprobs(logits: torch.Tensor, token_ids: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    labels = token_ids[:, 1:].masked_fill(~answer[:, 1:], -100)
    return -F.cross_entropy(logits[:, :-1].transpose(1, 2), labels, reduction="none").sum(1)
# %% wrong="beta on the policy only" says="multiplies the reference, too" of="cross-entropy, softplus"
#~ F.softplus(-beta * (chosen - rejected - ref_chosen + ref_rejected)) => -F.logsigmoid(beta * (chosen - rejected) - (ref_chosen - ref_rejected))
# %% wrong="ratio of logs" says="subtracted, not divided" of="cross-entropy, softplus"
#~ F.softplus(-beta * (chosen - rejected - ref_chosen + ref_rejected)) => -F.logsigmoid(beta * (chosen / ref_chosen - rejected / ref_rejected))
# %% wrong="IPO loss" says="IPO" of="cross-entropy, softplus"
#~ F.softplus(-beta * (chosen - rejected - ref_chosen + ref_rejected)) => (((chosen - ref_chosen) - (rejected - ref_rejected) - 1 / (2 * beta)) ** 2)
# %% wrong="mean first" says="mean difference" of="cross-entropy, softplus"
#~ F.softplus(-beta * (chosen - rejected - ref_chosen + ref_rejected)).mean() => -F.logsigmoid(beta * ((chosen - ref_chosen) - (rejected - ref_rejected)).mean())
# %% wrong="policy detached for the rejected" says="must flow" of="cross-entropy, softplus"
#~ F.softplus(-beta * (chosen - rejected - ref_chosen + ref_rejected)) => -F.logsigmoid(beta * ((chosen - ref_chosen) - (rejected.detach() - ref_rejected)))
# %% wrong="first token wraps round" says="the first token never counts"
def sequence_logprobs(logits, token_ids, answer):
    lp = logits.roll(1, dims=1).log_softmax(-1).gather(-1, token_ids[..., None])[..., 0]
    return (lp * answer).sum(1)
# %% wrong="log of softmax" says="rounds to 0"
def sequence_logprobs(logits, token_ids, answer):
    lp = torch.log(logits[:, :-1].softmax(-1)).gather(-1, token_ids[:, 1:, None])[..., 0]
    return torch.where(answer[:, 1:], lp, 0.0).sum(1)
# %% wrong="log of softmax plus epsilon" says="inside the logarithm" of="the plain way"
#~ logits[:, :-1].log_softmax(-1) => torch.log(logits[:, :-1].softmax(-1) + 1e-10)
# %% wrong="softmax over the places" says="over the places that predict" of="the plain way"
#~ (-1) => (1)
# %% wrong="counts from the first True to the end" says="after the first True" of="the plain way"
#~ answer[:, 1:] => (answer[:, 1:].cumsum(1) > 0)
# %% wrong="logits masked before the softmax" says="not on the logits"
def sequence_logprobs(logits, token_ids, answer):
    z = logits[:, :-1] * answer[:, 1:, None]
    return z.log_softmax(-1).gather(-1, token_ids[:, 1:, None])[..., 0].sum(1)
# %% wrong="no gradient" says="no gradient flows"
@torch.no_grad()
def sequence_logprobs(logits, token_ids, answer):
    lp = logits[:, :-1].log_softmax(-1).gather(-1, token_ids[:, 1:, None])[..., 0]
    return (lp * answer[:, 1:]).sum(1)
# %% right="cross-entropy, softplus"
def sequence_logprobs(logits, token_ids, answer):
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), token_ids[:, 1:], reduction="none")
    return -(loss * answer[:, 1:]).sum(-1)
def dpo_loss(chosen, rejected, ref_chosen, ref_rejected, beta):
    return F.softplus(-beta * (chosen - rejected - ref_chosen + ref_rejected)).mean()
# %% right="loops, logsumexp, ignore index"
def sequence_logprobs(logits, token_ids, answer):
    out = []
    for z, ids, keep in zip(logits, token_ids, answer):
        total = z.sum() * 0
        for t in range(1, len(ids)):
            if keep[t]:
                total = total + z[t - 1, ids[t]] - z[t - 1].logsumexp(0)
        out.append(total)
    return torch.stack(out)
def dpo_loss(chosen, rejected, ref_chosen, ref_rejected, beta):
    return reward_loss(beta * (chosen - ref_chosen), beta * (rejected - ref_rejected))
# %% wrong="squeezed texts" says="one token"
#~ [..., 0]  # => .squeeze()  #
# %% right="one-hot"
def sequence_logprobs(logits, token_ids, answer):
    hot = F.one_hot(token_ids[:, 1:], logits.shape[-1]).to(logits.dtype) * answer[:, 1:, None]
    return (logits[:, :-1].log_softmax(-1) * hot).sum((1, 2))
# %% wrong="mean over the row" says="divided by the tokens"
#~ 0.0).sum(dim=1) => 0.0).mean(dim=1)
# %% wrong="mask inverted" says="mask is inverted"
#~ answer[:, 1:].bool() => ~answer[:, 1:].bool()
# %% wrong="shift the other way" says="shift is the wrong way round"
def sequence_logprobs(logits, token_ids, answer):
    logp = logits[:, 1:].log_softmax(dim=-1).gather(-1, token_ids[:, :-1, None])[..., 0]
    return torch.where(answer[:, :-1], logp, 0.0).sum(dim=1)
# %% wrong="the sum of probabilities" says="sum of the probabilities"
#~ 0.0).sum(dim=1) => -torch.inf).logsumexp(dim=1)
# %% wrong="beta on the reference" says="multiplies the policy, too"
#~ (chosen - ref_chosen) - (rejected - ref_rejected) => (chosen - rejected) / beta - (ref_chosen - ref_rejected)
# %% wrong="a hinge" says="hinge loss"
#~ -F.logsigmoid(beta * margin) => (1 - beta * margin).clamp(min=0)
# %% wrong="both ratios added" says="log-ratios are added"
#~ ref_chosen) - (rejected => ref_chosen) + (rejected
# %% wrong="ratios of probabilities" says="ratios of probabilities"
#~ (chosen - ref_chosen) - (rejected - ref_rejected) => (chosen - ref_chosen).exp() - (rejected - ref_rejected).exp()
# %% wrong="only the chosen one learns" says="the gradient of both texts" clause="It is right for large differences, too. The gradient flows to chosen and rejected."
#~ (rejected - ref_rejected) => (rejected.detach() - ref_rejected)
# %% wrong="a sigmoid and its logarithm" says="runs over" clause="It is right for large differences, too. The gradient flows to chosen and rejected."
#~ -F.logsigmoid(beta * margin) => -torch.sigmoid(beta * margin).log()
# %% wrong="the last token alone" says="only the last token of the row"
def sequence_logprobs(logits, token_ids, answer):
    return (logits[:, -2].log_softmax(-1).gather(-1, token_ids[:, -1:]) * answer[:, -1:])[:, 0]
# %% wrong="the logits of the token itself" says="the tokens after the first are compared"
#~ logits[:, :-1] => logits[:, 1:]
# %% wrong="a guess for the first token" says="equally likely"
#~ return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1) => return torch.where(answer[:, 1:].bool(), logp, 0.0).sum(dim=1) - answer[:, 0] * math.log(logits.shape[-1])
