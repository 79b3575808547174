# %% wrong="sum" says="mean is asked"
def softmax_loss(
    centres: torch.Tensor, contexts: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor
) -> torch.Tensor:
    scores = inputs[centres] @ outputs.T  # (P, V)
    return nn.functional.cross_entropy(scores, contexts, reduction="sum")

# %% wrong="tables exchanged" says="exchanged"
def softmax_loss(
    centres: torch.Tensor, contexts: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor
) -> torch.Tensor:
    scores = outputs[centres] @ inputs.T  # (P, V)
    return nn.functional.cross_entropy(scores, contexts)

# %% wrong="overflow" says="overflow"
def softmax_loss(
    centres: torch.Tensor, contexts: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor
) -> torch.Tensor:
    scores = inputs[centres] @ outputs.T  # (P, V)
    p = torch.exp(scores)
    return -torch.log(p[torch.arange(len(contexts)), contexts] / p.sum(1)).mean()

# %% right="logsumexp"
def softmax_loss(centres, contexts, inputs, outputs):
    scores = torch.einsum("pd,vd->pv", inputs[centres], outputs)
    own = scores.gather(1, contexts[:, None])[:, 0]
    return torch.mean(torch.logsumexp(scores, dim=1) - own)
