"""Adapters in a model: which layers are exchanged for others, and modules made of a student's functions."""

from collections.abc import Callable, Iterable, Mapping

import torch
from torch import nn

from helpers.chapters.lora import nf4
from helpers.chapters.lora.adaptable_gpt import OpenGPT


def seen(
    put_lora: Callable, kind: type, layers: Mapping[str, tuple[int, int] | None], targets: tuple, r: int, alpha: float
) -> dict:
    """Return as data what a student's put_lora makes of a model with these layers.

    kind: the class of the LoRA layers; layers: {name: (in, out) of a linear layer, or None for a norm}
    """
    model = built(layers)
    before = dict(model.named_modules())
    found = put_lora(model, r, alpha, targets)
    if not isinstance(found, nn.Module):
        return {"returned": type(found).__name__}
    new = {name: layer for name, layer in found.named_modules() if isinstance(layer, kind)}
    return {
        "exchanged": sorted(new),
        "trained": sorted(name for name, p in found.named_parameters() if p.requires_grad),
        "rank and scale": sorted({(len(layer.A), float(layer.scale)) for layer in new.values()}),
        "each keeps the layer that was there": all(layer.base is before.get(name) for name, layer in new.items()),
        "the model that was given": found is model,
    }


def keeps_weight(layer: nn.Module, merge: Callable, unmerge: Callable) -> bool:
    """Return whether a layer's base has the very weight after merging, and after unmerging, that it had before."""
    weight = layer.base.weight
    for change in (merge, unmerge):
        change(layer)
        if layer.base.weight is not weight:
            return False
    return True


def built(layers: Mapping[str, tuple[int, int] | None]) -> nn.Module:
    """Return a module with these layers at these names, which holds modules for the parts before the last dot."""
    model = nn.Module()
    for name, shape in layers.items():
        *parts, last = name.split(".")
        inner = model
        for part in parts:
            if part not in dict(inner.named_children()):
                inner.add_module(part, nn.Module())
            inner = inner.get_submodule(part)
        inner.add_module(last, nn.Linear(*shape) if shape else nn.LayerNorm(4))
    return model


def exchange(model: nn.Module, names: Iterable[str], make: Callable[[nn.Module], nn.Module]) -> nn.Module:
    """Put make(layer) in the place of each named layer of a model; returns the model."""
    for name in names:
        above, _, attribute = name.rpartition(".")
        holder = model.get_submodule(above)
        holder.add_module(attribute, make(holder.get_submodule(attribute)))
    return model


class Bottleneck(nn.Module):
    """A bottleneck adapter (Houlsby et al. 2019) of m numbers; compute(x, D, d, U, u) gives a tensor of x's shape.

    It begins as the identity: U and both biases are 0, D is small and random.
    """

    def __init__(self, d_model: int, m: int, *, compute: Callable):
        super().__init__()
        self.compute = compute
        self.D, self.d = nn.Parameter(0.02 * torch.randn(m, d_model)), nn.Parameter(torch.zeros(m))
        self.U, self.u = nn.Parameter(torch.zeros(d_model, m)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., d_model)."""
        return self.compute(x, self.D, self.d, self.U, self.u).to(x.dtype)


def fill_sockets(body: OpenGPT, m: int, *, compute: Callable) -> None:
    """Put a bottleneck of m numbers behind the attention and behind the feed-forward network of each block."""
    d_model = body.final_norm.normalized_shape[0]
    for block in body.blocks:
        block.after_attention = Bottleneck(d_model, m, compute=compute)
        block.after_feed = Bottleneck(d_model, m, compute=compute)


class Int8LoRA(nn.Module):
    """A base layer in int8 with LoRA on top (the idea of QLoRA, Dettmers et al. 2023), made of a LoRA layer.

    layer has `base` (an nn.Linear with a bias), `A` (r, in), `B` (out, r) and `scale`; quantize(weight) returns
    (q (out, in) int8, scales (out,)); compute(x, q, scales, bias, A, B, scale) returns (..., out).
    """

    def __init__(self, layer: nn.Module, *, quantize: Callable, compute: Callable):
        super().__init__()
        self.compute = compute
        q, scales = quantize(layer.base.weight.data)
        self.register_buffer("q", q)
        self.register_buffer("scales", scales.float())
        self.register_buffer("bias", layer.base.bias.data)
        self.A, self.B, self.scale = layer.A, layer.B, layer.scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., out) for x (..., in)."""
        return self.compute(x, self.q, self.scales, self.bias, self.A, self.B, self.scale).to(x.dtype)


class Nf4LoRA(nn.Module):
    """A base layer in NF4, two codes a byte, with LoRA on top (QLoRA, Dettmers et al. 2023), made of a LoRA layer.

    `compute` is that of Int8LoRA, and is given the restored weights and scales of 1.
    """

    def __init__(self, layer: nn.Module, *, compute: Callable):
        super().__init__()
        self.compute, self.shape = compute, tuple(layer.base.weight.shape)
        codes, scales = nf4.quantize(layer.base.weight.data)
        self.register_buffer("packed", codes[:, ::2] * 16 + codes[:, 1::2])
        self.register_buffer("scales", scales.float())
        self.register_buffer("bias", layer.base.bias.data)
        self.A, self.B, self.scale = layer.A, layer.B, layer.scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., out) for x (..., in)."""
        with x.device:  # tensors that are made here stand beside the codes
            codes = torch.stack([self.packed // 16, self.packed % 16], dim=-1).flatten(1)
            weight = nf4.restored(codes, self.scales, self.shape).to(self.A.dtype)
            ones = torch.ones(self.shape[0])
        return self.compute(x, weight, ones, self.bias, self.A, self.B, self.scale).to(x.dtype)


def put_base(model: nn.Module, kind: str, *, lora: type, quantize: Callable, compute: Callable) -> nn.Module:
    """Put a base in "int8" or "nf4" in the place of each layer of the class `lora`; returns the model.

    quantize, compute: see Int8LoRA
    """
    kinds = {
        "int8": lambda layer: Int8LoRA(layer, quantize=quantize, compute=compute),
        "nf4": lambda layer: Nf4LoRA(layer, compute=compute),
    }
    names = [name for name, layer in model.named_modules() if isinstance(layer, lora)]
    return exchange(model, names, kinds[kind])


class DoRALinear(nn.Module):
    """A LoRA layer whose rows have learned lengths (DoRA, Liu et al. 2024).

    The lengths that the rows would have with LoRA alone count as numbers: no gradient flows through them.
    """

    def __init__(self, layer: nn.Module):
        super().__init__()
        self.base, self.scale = layer.base, layer.scale
        self.A, self.B = layer.A, layer.B
        self.magnitude = nn.Parameter(layer.base.weight.detach().norm(dim=1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (..., out) for x (..., in)."""
        moved = self.base.weight + self.scale * self.B @ self.A  # (out, in)
        weight = self.magnitude[:, None] * moved / moved.detach().norm(dim=1, keepdim=True)
        return nn.functional.linear(x, weight.to(x.dtype), self.base.bias)


def megabytes(module: nn.Module) -> float:
    """Return the size of a module's weights and buffers in MB."""
    return sum(t.numel() * t.element_size() for t in [*module.parameters(), *module.buffers()]) / 1e6
