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
