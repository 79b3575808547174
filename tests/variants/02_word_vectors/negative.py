# %% wrong="gradients without 1/B" says="lack 1/B"
def negative_sampling(
    centres: torch.Tensor, contexts: torch.Tensor, noise: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    scores = (centres * contexts).sum(-1)  # (B,)
    against = (noise * centres[:, None]).sum(-1)  # (B, K)
    loss = -(logsigmoid(scores) + logsigmoid(-against).sum(1)).mean()
    own = (torch.sigmoid(scores) - 1)[:, None]
    other = torch.sigmoid(against)[..., None]  # (B, K, 1)
    return loss, own * contexts + (other * noise).sum(1), own * centres, other * centres[:, None]

# %% wrong="noise averaged" says="added up"
def negative_sampling(
    centres: torch.Tensor, contexts: torch.Tensor, noise: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    scores = (centres * contexts).sum(-1)  # (B,)
    against = (noise * centres[:, None]).sum(-1)  # (B, K)
    loss = -(logsigmoid(scores) + logsigmoid(-against).mean(1)).mean()
    own = (torch.sigmoid(scores) - 1)[:, None] / len(centres)  # (B, 1)
    other = torch.sigmoid(against)[..., None] / len(centres)  # (B, K, 1)
    return loss, own * contexts + (other * noise).sum(1), own * centres, other * centres[:, None]

# %% wrong="noise missing for the centres" says="noise is missing"
def negative_sampling(
    centres: torch.Tensor, contexts: torch.Tensor, noise: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    scores = (centres * contexts).sum(-1)  # (B,)
    against = (noise * centres[:, None]).sum(-1)  # (B, K)
    loss = -(logsigmoid(scores) + logsigmoid(-against).sum(1)).mean()
    own = (torch.sigmoid(scores) - 1)[:, None] / len(centres)  # (B, 1)
    other = torch.sigmoid(against)[..., None] / len(centres)  # (B, K, 1)
    return loss, own * contexts, own * centres, other * centres[:, None]

# %% right="autograd"
def negative_sampling(centres, contexts, noise):
    v, u, n = (t.clone().requires_grad_() for t in (centres, contexts, noise))
    own = nn.functional.softplus(-torch.einsum("bd,bd->b", v, u))
    other = nn.functional.softplus(torch.einsum("bd,bkd->bk", v, n)).sum(1)
    loss = (own + other).mean()
    return loss.detach(), *torch.autograd.grad(loss, [v, u, n])
