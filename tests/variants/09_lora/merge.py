# %% wrong="no scale" says="scale alpha / r is missing"
#~ += layer.scale * layer.B @ layer.A => += layer.B @ layer.A
#~ -= layer.scale * layer.B @ layer.A => -= layer.B @ layer.A
# %% wrong="flag forgotten" says="added twice"
#-         layer.merged = True
# %% wrong="merged again" says="adds the update again"
#~ not layer.merged => True
# %% wrong="unmerge adds" says="unmerging adds"
#~ -= => +=
# %% wrong="stays merged" says="stays True"
#~ layer.merged = False => pass
# %% wrong="unmerged without cause" says="not merged must change nothing"
#~ if layer.merged: => if True:
# %% wrong="a new parameter" says="base is trainable"
#~ += layer.scale * layer.B @ layer.A => = nn.Parameter(layer.base.weight + layer.scale * layer.B @ layer.A)
# %% wrong="a new parameter, frozen" says="a new weight takes the place"
#~ += layer.scale * layer.B @ layer.A => = nn.Parameter(layer.base.weight + layer.scale * layer.B @ layer.A, False)
# %% wrong="unmerging makes a new parameter" says="a new weight takes the place"
#~ -= layer.scale * layer.B @ layer.A => = nn.Parameter(layer.base.weight - layer.scale * layer.B @ layer.A, False)
# %% right="through data"
def merge(layer: LoRALinear) -> None:
    if not layer.merged:
        layer.base.weight.data = layer.base.weight.data + layer.scale * (layer.B.data @ layer.A.data)
        layer.merged = True
# %% right="early return"
def merge(layer: LoRALinear) -> None:
    if layer.merged:
        return
    delta = torch.einsum("or,ri->oi", layer.B.detach(), layer.A.detach())
    with torch.no_grad():
        layer.base.weight.add_(delta, alpha=layer.scale)
    layer.merged = True
# %% wrong="a copy is kept and A, B are zeroed" says="A and B stay as they are"
def merge(layer):
    if not layer.merged:
        layer.base.weight.data += layer.scale * (layer.B @ layer.A).data
        layer.B.data.zero_()
        layer.merged = True
# %% wrong="merge only in evaluation" says="does not depend on whether" of="a copy is kept and A, B are zeroed"
#~ layer.merged: => layer.merged and not layer.training:
#-         layer.B.data.zero_()
# %% wrong="sets the layer to eval" says="stays in training" of="through data"
#~ def merge(layer: LoRALinear) -> None: => def merge(layer):
#-         layer.base.weight.data = layer.base.weight.data + layer.scale * (layer.B.data @ layer.A.data)
#+         layer.eval()
#+         layer.base.weight.data += layer.scale * (layer.B @ layer.A).data
# %% wrong="unmerge only changes the flag" says="subtract the update"
def unmerge(layer):
    if layer.merged:
        layer.merged = False
# %% right="addmm and copy_"
@torch.no_grad()
def merge(layer):
    if layer.merged is False:
        layer.base.weight.copy_(torch.addmm(layer.base.weight, layer.B, layer.A, alpha=layer.scale))
        layer.merged = True
@torch.no_grad()
def unmerge(layer):
    if layer.merged:
        layer.base.weight.sub_(layer.scale * layer.B.mm(layer.A))
        layer.merged = False
# %% wrong="anywhere in the name" says="ENDS in"
#~ name.endswith((".A", ".B")) => "A" in name or "B" in name
# %% wrong="only A" says="end in .B are missing"
#~ (".A", ".B") => ".A"
# %% wrong="no dot" says="without the dot"
#~ .A", ". => A", "
# %% wrong="all adapters" says="only those that `shares` names"
#~ share in shares => (A, B, alpha) in adapters
#~ A, B, alpha = adapters[name] => share = shares.get(name, 1.0)
# %% wrong="no scale in the sum" says="scale alpha / r is missing"
#~ alpha / A.shape[0] * B => B
# %% wrong="no shares" says="shares are ignored"
#~ share * alpha => alpha
# %% wrong="only the last" says="only the last adapter"
#~ total += share => total = weight + share
# %% wrong="in place" says="in place"
#~ weight.clone() => weight
# %% right="a sum"
#~ weight.clone() => 1.0 * weight
#~ total += share => total = total + share
# %% right="split the name"
def adapter_state(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: value for name, value in state.items() if name.rpartition(".")[1:] in ((".", "A"), (".", "B"))}
# %% wrong="sorted by name" says="alphabetical order" of="one product of stacked matrices"
#~ dict(item for item in state.items() if item[0].rsplit(".", 1)[-1] in "AB" and "." in item[0]) => {n: state[n] for n in sorted(state) if n.endswith((".A", ".B"))}
# %% wrong="all A first, then all B" says="all A come before all B" of="one product of stacked matrices"
#~ dict(item for item in state.items() if item[0].rsplit(".", 1)[-1] in "AB" and "." in item[0]) => {n: v for e in (".A", ".B") for n, v in state.items() if n.endswith(e)}
# %% wrong="rank is the columns of A" says="these are its columns" of="shares are normalised to one"
#-     total = sum(shares.values())
#~ out += s / total * alpha / A.shape[0] * (B @ A) => out += s * alpha / A.shape[1] * (B @ A)
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
# %% wrong="negative shares are skipped" says="negative shares count" of="shares by position"
#-     for (A, B, alpha), s in zip(adapters.values(), shares.values()):
#-         out += s * alpha / A.shape[0] * (B @ A)
#+     for name, s in shares.items():
#+         if s > 0:
#+             A, B, alpha = adapters[name]
#+             out += s * alpha / A.shape[0] * (B @ A)
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
# %% wrong="falsy share" says="share of 0"
#~ A, B, alpha = adapters[name] => A, B, alpha = adapters[name]; share = share or 1.0
# %% right="mixed with a sum of einsum"
def combined(weight, adapters, shares):
    terms = [torch.einsum("or,ri->oi", adapters[n][1], adapters[n][0]) * (s * adapters[n][2] / adapters[n][0].size(0)) for n, s in shares.items()]
    with torch.no_grad():
        return torch.stack([weight, *terms]).sum(0)
# %% wrong="shares divided by their sum" says="divided by their sum"
#~ share * alpha => share / sum(shares.values()) * alpha
# %% wrong="sign of a share lost" says="sign of a share"
#~ share * alpha => abs(share) * alpha
# %% wrong="share squared" says="share counts twice"
#~ share * alpha => share**2 * alpha
# %% wrong="less of the weight" says="not multiplied by 1 less"
#~ total = weight.clone() => total = (1 - sum(shares.values())) * weight
# %% wrong="names cut" says="cut to their last part"
#~ {name: value for name => {name.split(".")[-1]: value for name
# %% wrong="unmerged without the scale" says="what merging put in"
#~ -= layer.scale * layer.B @ layer.A => -= layer.B @ layer.A
# %% wrong="the guard turned round" says="guard is the wrong way round"
#-     if not layer.merged:
#+     if layer.merged:
# %% wrong="transposes" says="shapes do not fit"
#~ += layer.scale * layer.B @ layer.A => += layer.scale * layer.A.T @ layer.B.T
# %% wrong="rank of B" says="not of its B"
#~ A.shape[0] => B.shape[0]
# %% wrong="sums of one rank multiplied" says="each A meets its own B" clause="weight (out, in) plus each named share of an adapter's update"
#-     for name, share in shares.items():
#-         A, B, alpha = adapters[name]
#-         total += share * alpha / A.shape[0] * B @ A
#+     groups = {}
#+     for name, share in shares.items():
#+         groups.setdefault(len(adapters[name][0]), []).append((share, *adapters[name]))
#+     for r, group in groups.items():
#+         total += sum(s * alpha / r * B for s, _, B, alpha in group) @ sum(A for _, A, _, _ in group)
# %% wrong="merging without the scale, unmerging with it" says="the scale alpha / r is missing"
#~ += layer.scale * => +=
