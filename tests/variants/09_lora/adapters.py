# %% wrong="anywhere in the name" says="ENDS in"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if "A" in name or "B" in name}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += share * alpha / A.shape[0] * B @ A
    return total

# %% wrong="only A" says="end in .B are missing"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.endswith(".A")}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += share * alpha / A.shape[0] * B @ A
    return total

# %% wrong="no dot" says="without the dot"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.endswith(("A", "B"))}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += share * alpha / A.shape[0] * B @ A
    return total

# %% wrong="all adapters" says="only those that `shares` names"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.endswith((".A", ".B"))}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight.clone()
    for name, (A, B, alpha) in adapters.items():
        share = shares.get(name, 1.0)
        total += share * alpha / A.shape[0] * B @ A
    return total

# %% wrong="no scale" says="scale alpha / r is missing"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.endswith((".A", ".B"))}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += share * B @ A
    return total

# %% wrong="no shares" says="shares are ignored"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.endswith((".A", ".B"))}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += alpha / A.shape[0] * B @ A
    return total

# %% wrong="only the last" says="only the last adapter"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.endswith((".A", ".B"))}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total = weight + share * alpha / A.shape[0] * B @ A
    return total

# %% wrong="in place" says="in place"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.endswith((".A", ".B"))}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += share * alpha / A.shape[0] * B @ A
    return total

# %% right="a sum"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.endswith((".A", ".B"))}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = 1.0 * weight
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total = total + share * alpha / A.shape[0] * B @ A
    return total

# %% right="split the name"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the entries of a state_dict that belong to LoRA layers: names that end in .A or .B."""
    return {name: value for name, value in state.items() if name.rpartition(".")[1:] in ((".", "A"), (".", "B"))}


def combined(
    weight: torch.Tensor, adapters: dict[str, tuple[torch.Tensor, torch.Tensor, float]], shares: dict[str, float]
) -> torch.Tensor:
    """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
    total = weight.clone()
    for name, share in shares.items():
        A, B, alpha = adapters[name]
        total += share * alpha / A.shape[0] * B @ A
    return total
