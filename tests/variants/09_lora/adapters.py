# %% wrong="anywhere in the name" says="ENDS in"
#~ name.endswith((".A", ".B")) => "A" in name or "B" in name
# %% wrong="only A" says="end in .B are missing"
#~ (".A", ".B") => ".A"
# %% wrong="no dot" says="without the dot"
#~ .A", ". => A", "
# %% wrong="all adapters" says="only those that `shares` names"
#~ share in shares => (A, B, alpha) in adapters
#~ A, B, alpha = adapters[name] => share = shares.get(name, 1.0)
# %% wrong="no scale" says="scale alpha / r is missing"
#~ alpha / A.shape[0] * B => B
# %% wrong="no shares" says="shares are ignored"
#~ share * alpha => alpha
# %% wrong="only the last" says="only the last adapter"
#~ += => = weight +
# %% wrong="in place" says="in place"
#~ weight.clone() => weight
# %% right="a sum"
#-     """Return weight (out, in) plus each named share of an adapter's update, a new tensor."""
#-     total = weight.clone()
#+     total = 1.0 * weight
#~ += => = total +
# %% right="split the name"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: value for name, value in state.items() if name.rpartition(".")[1:] in ((".", "A"), (".", "B"))}
# %% wrong="sorted by name" says="alphabetical order" of="one product of stacked matrices"
#~ dict(item for item in state.items() if item[0].rsplit(".", 1)[-1] in "AB" and "." in item[0]) => {n: state[n] for n in sorted(state) if n.endswith((".A", ".B"))}
# %% wrong="all A first, then all B" says="all A come before all B" of="one product of stacked matrices"
#~ dict(item for item in state.items() if item[0].rsplit(".", 1)[-1] in "AB" and "." in item[0]) => {n: v for e in (".A", ".B") for n, v in state.items() if n.endswith(e)}
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
