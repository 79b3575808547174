# %% wrong="a sum" says="averaged, not added up"
def cbow_scores(
    windows: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor, causal: bool = False
) -> torch.Tensor:
    if causal:
        windows = windows[:, : windows.shape[1] // 2]
    known = windows >= 0  # (B, C)
    total = (inputs[windows.clamp(min=0)] * known[..., None]).sum(1)  # (B, d)
    return total @ outputs.T

# %% wrong="the whole width" says="number of words that are there"
def cbow_scores(
    windows: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor, causal: bool = False
) -> torch.Tensor:
    if causal:
        windows = windows[:, : windows.shape[1] // 2]
    known = windows >= 0  # (B, C)
    total = (inputs[windows.clamp(min=0)] * known[..., None]).sum(1)  # (B, d)
    return total / windows.shape[1] @ outputs.T

# %% wrong="not causal" says="left half"
def cbow_scores(
    windows: torch.Tensor, inputs: torch.Tensor, outputs: torch.Tensor, causal: bool = False
) -> torch.Tensor:
    known = windows >= 0  # (B, C)
    total = (inputs[windows.clamp(min=0)] * known[..., None]).sum(1)  # (B, d)
    return total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T

# %% right="a bag"
def cbow_scores(windows, inputs, outputs, causal=False):
    half = windows.shape[1] // 2
    rows = []
    for line in windows[:, :half] if causal else windows:
        ids = line[line >= 0]
        mean = inputs[ids].mean(0) if len(ids) else torch.zeros(inputs.shape[1])
        rows.append(outputs @ mean)
    return torch.stack(rows)
