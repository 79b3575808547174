# %% wrong="r / alpha" says="not r / alpha"
#~ self.scale = alpha / r => self.scale = r / alpha
# %% wrong="no scale" says="scale alpha / r is missing"
#~ self.scale * F => F
# %% wrong="base not frozen" says="base is not frozen"
#~ base.requires_grad_(False) => base
# %% wrong="only the weight frozen" says="its bias is not"
#-         self.base = base.requires_grad_(False)
#+         self.base = base
#+         base.weight.requires_grad_(False)
# %% wrong="both matrices random" says="both matrices are random"
#~ zeros => randn
# %% wrong="A and B swapped in shape" says="A and B are swapped" of="A by Kaiming"
#- class LoRALinear(nn.Module):
#+ class LoRALinear(nn.Module):
#+     """A frozen linear layer and a low-rank update beside it."""
#+
#-         self.A = nn.Parameter(torch.zeros(r, base.in_features, **like))
#-         nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
#-         self.B = nn.Parameter(torch.zeros(base.out_features, r, **like))
#+         self.B = nn.Parameter(torch.empty(r, base.in_features, **like).uniform_(-bound, bound))
#+         self.A = nn.Parameter(torch.zeros(base.out_features, r, **like))
#-     def forward(self, x: torch.Tensor) -> torch.Tensor:
#+     def forward(self, x: torch.Tensor) -> torch.Tensor:
#+         """Return (..., out) for x (..., in)."""
# %% wrong="A zero and B random" says="it is the other way round" of="A by Kaiming"
#- class LoRALinear(nn.Module):
#+ class LoRALinear(nn.Module):
#+     """A frozen linear layer and a low-rank update beside it."""
#+
#-         nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
#-         self.B = nn.Parameter(torch.zeros(base.out_features, r, **like))
#+         self.B = nn.Parameter(torch.randn(base.out_features, r, **like))
#-     def forward(self, x: torch.Tensor) -> torch.Tensor:
#+     def forward(self, x: torch.Tensor) -> torch.Tensor:
#+         """Return (..., out) for x (..., in)."""
# %% wrong="A normal" says="standard normal"
#~ empty(r, base.in_features, **like).uniform_(-bound, bound) => randn(r, base.in_features, **like)
# %% wrong="no dropout" says="dropout is missing"
#~ self.dropout(x) => x
# %% wrong="dropout for the base" says="input of the base, too"
#-         """Return (..., out) for x (..., in). Gradients flow to A, B and x, and to x even when merged."""
#+         """Return (..., out) for x (..., in). Gradients flow to A, B and x, and to x even when merged."""
#+         x = self.dropout(x)
# %% wrong="dropout on the update" says="belongs to the input"
#~ scale * F.linear(F.linear(self.dropout(x), self.A), self.B) => dropout(self.scale * F.linear(F.linear(x, self.A), self.B))
# %% wrong="dropout on x A" says="acts on x A"
#~ F.linear(self.dropout(x), self.A) => self.dropout(F.linear(x, self.A))
# %% wrong="dropout in evaluation" says="in evaluation, too"
#~ self.dropout(x) => F.dropout(x, self.dropout.p, True)
# %% wrong="the update detached" says="A and B have no gradient"
#~ (F.linear(self.dropout(x), self.A), self.B) => (F.linear(self.dropout(x), self.A), self.B).detach() + 0 * (self.A.detach().sum() + self.base.weight.requires_grad_(False).sum()) + 0 * x.sum().requires_grad_()
# %% wrong="dropout while merged" says="dropout acts while merged"
#-             return y
#+             return self.base(self.dropout(x))
# %% wrong="merged ignored" says="`merged` is ignored"
#~ self.merged: => False:
# %% wrong="without the base" says="output of the base is missing"
#~ y + self => self
# %% right="products, and the scale inside" of="F.dropout"
#~ self.p = dropout => self.dropout = nn.Dropout(dropout)
#~ return y + self.scale * F.linear(F.linear(F.dropout(x, self.p, self.training), self.A), self.B) => return y + self.dropout(x) @ self.A.mT @ (self.scale * self.B).mT
# %% right="A by Kaiming"
class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int, alpha: float, dropout: float = 0.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        like = {"dtype": base.weight.dtype, "device": base.weight.device}
        bound = 1 / math.sqrt(base.in_features)
        self.A = nn.Parameter(torch.zeros(r, base.in_features, **like))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.B = nn.Parameter(torch.zeros(base.out_features, r, **like))
        self.dropout = nn.Dropout(dropout)
        self.scale = alpha / r
        self.merged = False
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.base(x)
        if self.merged:
            return y
        return y + self.scale * F.linear(F.linear(self.dropout(x), self.A), self.B)
# %% right="F.dropout"
class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int, alpha: float, dropout: float = 0.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        like = {"dtype": base.weight.dtype, "device": base.weight.device}
        bound = 1 / math.sqrt(base.in_features)
        self.A = nn.Parameter(torch.empty(r, base.in_features, **like).uniform_(-bound, bound))
        self.B = nn.Parameter(torch.zeros(base.out_features, r, **like))
        self.p = dropout
        self.scale = alpha / r
        self.merged = False
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.base(x)
        if self.merged:
            return y
        return y + self.scale * F.linear(F.linear(F.dropout(x, self.p, self.training), self.A), self.B)
# %% wrong="scale in whole numbers" says="cut to a whole number"
class LoRALinear(nn.Module):
    def __init__(self, base, r, alpha, dropout=0.0):
        super().__init__()
        self.base = base
        base.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(r, base.in_features, dtype=base.weight.dtype).uniform_(-base.in_features**-0.5, base.in_features**-0.5))
        self.B = nn.Parameter(torch.zeros(base.out_features, r, dtype=base.weight.dtype))
        self.scale = alpha // r
        self.merged = False
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        if self.merged:
            return self.base(x)
        return self.base(x) + self.scale * F.linear(F.linear(self.dropout(x), self.A), self.B)
# %% wrong="A from 0 to the bound" says="between 0 and a bound" of="scale in whole numbers"
#~ empty(r, base.in_features, dtype=base.weight.dtype).uniform_(-base.in_features**-0.5, base.in_features**-0.5) => rand(r, base.in_features, dtype=base.weight.dtype) * base.in_features**-0.5
#~ // => /
# %% wrong="A by kaiming with a=0" says="Kaiming with a = 0" of="scale in whole numbers"
#-         self.A = nn.Parameter(torch.empty(r, base.in_features, dtype=base.weight.dtype).uniform_(-base.in_features**-0.5, base.in_features**-0.5))
#+         self.A = nn.Parameter(torch.empty(r, base.in_features, dtype=base.weight.dtype))
#+         nn.init.kaiming_uniform_(self.A)
#~ // => /
# %% wrong="bound 1 / in" says="here it is 1 / in" of="scale in whole numbers"
#~ base.in_features**-0.5, base.in_features**-0.5 => 1 / base.in_features, 1 / base.in_features
#~ // => /
# %% wrong="bound by the rank" says="not of r" of="scale in whole numbers"
#~ base.in_features**-0.5, base.in_features => r**-0.5, r
#~ // => /
# %% wrong="always float32" says="dtype of the base's weight" of="scale in whole numbers"
#~ in_features, dtype=base.weight.dtype => in_features
#~ r, dtype=base.weight.dtype => r
#~ // => /
# %% wrong="base copied" says="copied or made anew" of="scale in whole numbers"
#-         super().__init__()
#+         super().__init__()
#+         base = __import__("copy").deepcopy(base)
#~ // => /
# %% right="early flag, einsum, for loop freeze"
class LoRALinear(nn.Module):
    def __init__(self, base, r, alpha, dropout=0.0):
        super().__init__()
        self.base = base
        for p in base.parameters():
            p.requires_grad = False
        self.A = nn.Parameter(torch.empty_like(base.weight[:1]).repeat(r, 1))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.B = nn.Parameter(torch.zeros(base.out_features, r, dtype=base.weight.dtype))
        self.scale = alpha / r
        self.merged = False
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        out = self.base(x)
        if not self.merged:
            low = torch.einsum('...i,ri->...r', self.dropout(x), self.A)
            out = out + torch.einsum('...r,or->...o', low, self.B) * self.scale
        return out
# %% wrong="base without a graph" says="x has no gradient from the base"
#-         y = self.base(x)
#+         with torch.no_grad():
#+             y = self.base(x)
# %% wrong="alpha and r of its own" says="another scale"
#-         self.scale = alpha / r
#+         self.scale = alpha / r
#+         self.own = alpha / r
#~ self.scale * F => self.own * F
# %% right="the product transposed, an early return"
class LoRALinear(nn.Module):
    def __init__(self, base, r, alpha, dropout=0.0):
        super().__init__()
        self.base = base
        self.base.requires_grad_(False)
        w = base.weight
        self.A = nn.Parameter((2 * torch.rand(r, w.shape[1], dtype=w.dtype, device=w.device) - 1) / w.shape[1] ** 0.5)
        self.B = nn.Parameter(w.new_zeros(w.shape[0], r))
        self.drop = nn.Dropout(dropout) if dropout else nn.Identity()
        self.scale, self.merged = alpha / r, False
    def forward(self, x):
        if self.merged:
            return self.base(x)
        return self.base(x) + (self.drop(x) @ self.A.T) * self.scale @ self.B.T
# %% wrong="the scale on everything" says="output of the base, too"
#~ y + self.scale * F.linear(F.linear(self.dropout(x), self.A), self.B) => self.scale * (y + F.linear(F.linear(self.dropout(x), self.A), self.B))
# %% wrong="GELU in the middle" says="no GELU in LoRA"
#~ F.linear(F.linear(self.dropout(x), self.A), self.B) => F.linear(F.gelu(F.linear(self.dropout(x), self.A)), self.B)
# %% wrong="bound of out" says="not of out"
#~ math.sqrt(base.in_features) => math.sqrt(base.out_features)
# %% wrong="Xavier" says="Xavier"
#~ 1 / math.sqrt(base.in_features) => math.sqrt(6 / (base.in_features + r))
# %% wrong="normal of 0.02" says="A is normal"
#~ uniform_(-bound, bound) => normal_(0, 0.02)
# %% wrong="another bound" says="not between"
#~ 1 / math.sqrt(base.in_features) => 0.01
# %% wrong="dropout not divided" says="divided by 1 - p"
#~ F.linear(self.dropout(x), self.A) => F.linear(x * (torch.rand_like(x) >= self.dropout.p) if self.training else x, self.A)
# %% wrong="the share that is kept" says="not that is kept"
#~ nn.Dropout(dropout) => nn.Dropout(1 - dropout if dropout else 0.0)
# %% wrong="B A first" says="B A is computed" clause="the product $BA$ is as large as $W$ itself, and avoiding that was the point."
#~ F.linear(F.linear(self.dropout(x), self.A), self.B) => self.dropout(x) @ (self.B @ self.A).T
# %% wrong="no gradient below the base" says="no gradient from the base" clause="Gradients flow to A, B and x, and to x even when merged."
#~ y = self.base(x) => y = F.linear(x.detach(), self.base.weight, self.base.bias)
# %% wrong="a scale of its own" says="as it is there" clause="forward and `merge` take it from here, since a later cell puts another in its place"
#~ self.scale = alpha / r => self.scale = self.factor = alpha / r
#~ y + self.scale * => y + self.factor *
# %% wrong="put_lora: the rest is not frozen" says="freeze all of it" clause="All other parameters are frozen, including those of layers that stay."
#-     model.requires_grad_(False)
#+     pass
# %% wrong="put_lora: frozen at the end" says="freeze the model first"
#-     return model
#+     return model.requires_grad_(False)
# %% wrong="put_lora: ends of names as text" says="only ends like" clause="a layer \"my_q_proj\" stays"
#~ last in targets => name.endswith(tuple(targets))
# %% wrong="put_lora: anywhere in the name" says="anywhere in these names"
#~ last in targets => any(target in name for target in targets)
# %% wrong="put_lora: children only" says="below the first level"
#~ model.named_modules() => model.named_children()
# %% wrong="put_lora: whole names" says="below the first level"
#~ last in targets => name in targets
# %% wrong="put_lora: no layer at the top" says="at the first level"
#~ if last in targets: => if parent and last in targets:
# %% wrong="put_lora: all linear layers" says="`targets` is ignored"
#~ if last in targets: => if last:
# %% wrong="put_lora: the first target alone" says="first of the targets alone"
#~ last in targets => last == targets[0]
# %% wrong="put_lora: norms, too" says="here a norm"
#~ if isinstance(layer, nn.Linear)] => if name]
# %% wrong="put_lora: nothing put in" says="nothing is exchanged"
#~ setattr(model.get_submodule(parent), last, LoRALinear(layer, r, alpha)) => layer = LoRALinear(layer, r, alpha)
# %% wrong="put_lora: a base made anew" says="copied or made anew"
#~ LoRALinear(layer, r, alpha)) => LoRALinear(nn.Linear(layer.in_features, layer.out_features), r, alpha))
# %% wrong="put_lora: a copy of the model" says="not a copy of it"
#~ model.requires_grad_(False) => model = __import__("copy").deepcopy(model).requires_grad_(False)
# %% wrong="put_lora: rank 4" says="the rank is ignored"
#~ LoRALinear(layer, r, alpha)) => LoRALinear(layer, 4, alpha))
# %% wrong="put_lora: alpha is r" says="alpha is ignored"
#~ LoRALinear(layer, r, alpha)) => LoRALinear(layer, r, r))
# %% wrong="put_lora: alpha divided already" says="alpha was already divided"
#~ LoRALinear(layer, r, alpha)) => LoRALinear(layer, r, alpha / r))
# %% wrong="put_lora: not returned" says="not returned"
#-     return model
#+     return None
# %% wrong="put_lora: only the exchanged frozen" says="freeze all of it"
#-     model.requires_grad_(False)
#+     pass
#~ if last in targets: => if last in targets and layer.requires_grad_(False):
# %% wrong="put_lora: linear layers frozen, norms not" says="norms still move"
#-     model.requires_grad_(False)
#+     for layer in (m for m in model.modules() if isinstance(m, nn.Linear)):
#+         layer.requires_grad_(False)
# %% wrong="put_lora: weights frozen, biases not" says="biases still move"
#-     model.requires_grad_(False)
#+     for name, p in model.named_parameters():
#+         p.requires_grad = not name.endswith("weight")
# %% wrong="put_lora: the others" says="should have stayed"
#~ if last in targets: => if last not in targets:
# %% right="put_lora: while it walks"
def put_lora(model, r, alpha, targets=PROJECTIONS):
    for p in model.parameters():
        p.requires_grad = False
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if name in targets and isinstance(child, nn.Linear):
                setattr(parent, name, LoRALinear(child, r, alpha))
    return model
# %% right="put_lora: recursion"
def put_lora(model, r, alpha, targets=PROJECTIONS):
    def descend(module):
        for name, child in list(module._modules.items()):
            if isinstance(child, nn.Linear) and name in targets:
                module._modules[name] = LoRALinear(child, r, alpha)
            else:
                descend(child)
    model.requires_grad_(False)
    descend(model)
    return model
# %% right="put_lora: set_submodule"
def put_lora(model, r, alpha, targets=PROJECTIONS):
    names = [name for name, layer in model.named_modules() if type(layer) is nn.Linear and name.split(".")[-1] in targets]
    for p in model.parameters():
        p.requires_grad_(False)
    for name in names:
        model.set_submodule(name, LoRALinear(model.get_submodule(name), r, alpha))
    return model
# %% right="put_lora: getattr down the path"
def put_lora(model, r, alpha, targets=PROJECTIONS):
    model.requires_grad_(False)
    for name, layer in dict(model.named_modules()).items():
        path = name.split(".")
        if path[-1] not in set(targets) or not isinstance(layer, nn.Linear):
            continue
        parent = model
        for part in path[:-1]:
            parent = getattr(parent, part)
        new = LoRALinear(layer, r, alpha)
        parent.register_module(path[-1], new)
    return model
# %% right="put_lora: frozen but for A and B at the end"
def put_lora(model, r, alpha, targets=PROJECTIONS):
    for name, layer in [*model.named_modules()]:
        if isinstance(layer, nn.Linear) and name.rpartition(".")[2] in targets:
            setattr(model.get_submodule(name.rpartition(".")[0]), name.rpartition(".")[2], LoRALinear(layer, r, alpha))
    new = {p for m in model.modules() if isinstance(m, LoRALinear) for p in (m.A, m.B)}
    for p in model.parameters():
        p.requires_grad_(p in new)
    return model
# %% wrong="any module of that name, by the shape of its weight" says="it stays"
#~ base.in_features, **like => base.weight.shape[1], **like
#~ bound = 1 / math.sqrt(base.in_features) => _, width = base.weight.shape; bound = 1 / math.sqrt(width)
#~ if isinstance(layer, nn.Linear)] => if name]
# %% wrong="put_lora: the default targets" says="these are the default ones" clause="of each nn.Linear that `targets` name"
#~ last in targets => last in PROJECTIONS
# %% wrong="no gradient while merged" says="no gradient while merged" clause="and to x even when merged"
#-             return y
#+             return y.detach()
