# %% wrong="no scale" says="scale alpha / r is missing"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if not layer.merged:
        with torch.no_grad():
            layer.base.weight += layer.B @ layer.A
        layer.merged = True


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.B @ layer.A
        layer.merged = False

# %% wrong="flag forgotten" says="added twice"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if not layer.merged:
        with torch.no_grad():
            layer.base.weight += layer.scale * layer.B @ layer.A


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        layer.merged = False

# %% wrong="merged again" says="adds the update again"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if True:
        with torch.no_grad():
            layer.base.weight += layer.scale * layer.B @ layer.A
        layer.merged = True


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        layer.merged = False

# %% wrong="unmerge adds" says="unmerging adds"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if not layer.merged:
        with torch.no_grad():
            layer.base.weight += layer.scale * layer.B @ layer.A
        layer.merged = True


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if layer.merged:
        with torch.no_grad():
            layer.base.weight += layer.scale * layer.B @ layer.A
        layer.merged = False

# %% wrong="stays merged" says="stays True"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if not layer.merged:
        with torch.no_grad():
            layer.base.weight += layer.scale * layer.B @ layer.A
        layer.merged = True


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        pass

# %% wrong="unmerged without cause" says="not merged must change nothing"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if not layer.merged:
        with torch.no_grad():
            layer.base.weight += layer.scale * layer.B @ layer.A
        layer.merged = True


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if True:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        layer.merged = False

# %% wrong="a new parameter" says="base is trainable"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if not layer.merged:
        with torch.no_grad():
            layer.base.weight = nn.Parameter(layer.base.weight + layer.scale * layer.B @ layer.A)
        layer.merged = True


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        layer.merged = False

# %% right="through data"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if not layer.merged:
        layer.base.weight.data = layer.base.weight.data + layer.scale * (layer.B.data @ layer.A.data)
        layer.merged = True


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        layer.merged = False

# %% right="early return"
def merge(layer: LoRALinear) -> None:
    """Add the update to the base's weight, in place, unless that is done already."""
    if layer.merged:
        return
    delta = torch.einsum('or,ri->oi', layer.B.detach(), layer.A.detach())
    with torch.no_grad():
        layer.base.weight.add_(delta, alpha=layer.scale)
    layer.merged = True


def unmerge(layer: LoRALinear) -> None:
    """Take the update out of the base's weight, in place, if it is there."""
    if layer.merged:
        with torch.no_grad():
            layer.base.weight -= layer.scale * layer.B @ layer.A
        layer.merged = False

# %% wrong="a copy is kept and A, B are zeroed" says="A and B stay as they are"
def merge(layer):
    if not layer.merged:
        layer.base.weight.data += layer.scale * (layer.B @ layer.A).data
        layer.B.data.zero_()
        layer.merged = True

# %% wrong="merge only in evaluation" says="does not depend on whether"
def merge(layer):
    if not layer.merged and not layer.training:
        layer.base.weight.data += layer.scale * (layer.B @ layer.A).data
        layer.merged = True

# %% wrong="sets the layer to eval" says="stays in training"
def merge(layer):
    if not layer.merged:
        layer.eval()
        layer.base.weight.data += layer.scale * (layer.B @ layer.A).data
        layer.merged = True

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
