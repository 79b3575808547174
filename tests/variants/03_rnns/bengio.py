# %% wrong="no direct path" says="direct path is missing"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    x = E[ids].flatten(1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + b_o

# %% wrong="no tanh" says="no tanh"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    x = E[ids].flatten(1)  # (B, n * d)
    return (x @ W_h + b_h) @ W_o + x @ W_d + b_o

# %% wrong="turned round" says="oldest word comes first"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    x = E[ids.flip(1)].flatten(1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o

# %% right="another way, 1"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    x = torch.cat([E[ids[:, t]] for t in range(ids.shape[1])], dim=1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o

# %% right="another way, 2"
def bengio_logits(
    ids: torch.Tensor, E: torch.Tensor, W_h: torch.Tensor, b_h: torch.Tensor,
    W_o: torch.Tensor, b_o: torch.Tensor, W_d: torch.Tensor,
) -> torch.Tensor:  # fmt: skip
    x = F.embedding(ids, E).reshape(len(ids), -1)  # (B, n * d)
    return torch.tanh(x @ W_h + b_h) @ W_o + x @ W_d + b_o
