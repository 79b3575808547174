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

# %% wrong="sorted by name" says="alphabetical order"
def adapter_state(state):
    return {n: state[n] for n in sorted(state) if n.endswith((".A", ".B"))}

# %% wrong="all A first, then all B" says="all A come before all B"
def adapter_state(state):
    return {n: v for e in (".A", ".B") for n, v in state.items() if n.endswith(e)}

# %% wrong="rank is the columns of A" says="these are its columns"
def combined(weight, adapters, shares):
    out = weight.clone()
    for name, s in shares.items():
        A, B, alpha = adapters[name]
        out += s * alpha / A.shape[1] * (B @ A)
    return out

# %% wrong="shares by position" says="match them by name"
def combined(weight, adapters, shares):
    out = weight.clone()
    for (A, B, alpha), s in zip(adapters.values(), shares.values()):
        out += s * alpha / A.shape[0] * (B @ A)
    return out

# %% wrong="shares are normalised to one" says="divided by their sum"
def combined(weight, adapters, shares):
    out = weight.clone()
    total = sum(shares.values())
    for name, s in shares.items():
        A, B, alpha = adapters[name]
        out += s / total * alpha / A.shape[0] * (B @ A)
    return out

# %% wrong="negative shares are skipped" says="negative shares count"
def combined(weight, adapters, shares):
    out = weight.clone()
    for name, s in shares.items():
        if s > 0:
            A, B, alpha = adapters[name]
            out += s * alpha / A.shape[0] * (B @ A)
    return out

# %% wrong="removes from the dict itself" says="changed its argument `state`"
def adapter_state(state):
    for n in list(state):
        if not n.endswith((".A", ".B")):
            del state[n]
    return state

# %% right="one product of stacked matrices"
def adapter_state(state):
    return dict(item for item in state.items() if item[0].rsplit(".", 1)[-1] in "AB" and "." in item[0])


def combined(weight, adapters, shares):
    out = weight.clone()
    if shares:
        A = torch.cat([adapters[n][0] for n in shares])
        B = torch.cat([adapters[n][1] * (s * adapters[n][2] / len(adapters[n][0])) for n, s in shares.items()], dim=1)
        out = out + B @ A
    return out
