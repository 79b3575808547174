"""Many adapters beside one base: texts a second when each text wants another adapter (S-LoRA, Sheng et al. 2023)."""

import copy
import time
from collections.abc import Callable, Sequence

import torch
from torch import nn

from helpers.chapters.lora import adapters
from helpers.chapters.lora.few_labels import Adapted, Upper
from helpers.models.top_layers import padded

Pair = tuple[torch.Tensor, torch.Tensor]  # A (r, in) and B (out, r)


class ManyLoRA(nn.Module):
    """A frozen linear layer and n adapters beside it, of which each text of a batch has its own.

    layer is a LoRA layer with `base` and `scale`; pairs are its n adapters. `wanted` (texts,) int64 says which adapter
    each text wants, and is set before a pass; it may lie on the CPU.
    """

    def __init__(self, layer: nn.Module, pairs: Sequence[Pair]):
        super().__init__()
        self.base, self.scale, self.wanted = layer.base, layer.scale, torch.zeros(1, dtype=torch.int64)
        self.A, self.B = (torch.stack(part) for part in zip(*pairs, strict=True))  # (n, r, in), (n, out, r)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (texts, T, out) for x (texts, T, in)."""
        A, B = self.A[self.wanted], self.B[self.wanted]  # (texts, r, in), (texts, out, r)
        return self.base(x) + self.scale * (x @ A.mT) @ B.mT


class Server:
    """Questions, each of which wants one of n adapters, and a body whose LoRA layers hold one adapter at a time.

    kind: the class of the LoRA layers; merge, unmerge: put the update of one into its weight, and take it out
    """

    def __init__(self, adapted: Adapted, texts: Sequence[str], n: int, kind: type, merge: Callable, unmerge: Callable):
        self.body, self.merge, self.unmerge = copy.deepcopy(adapted.model.body).eval(), merge, unmerge
        self.layers = {name: layer for name, layer in self.body.named_modules() if isinstance(layer, kind)}
        draw = torch.Generator().manual_seed(0)
        self.adapters = []
        for _ in range(n):
            self.adapters.append([_another(layer, draw) for layer in self.layers.values()])
        self.states = [state for state, _ in adapted.states(texts)]
        self.wanted = torch.arange(len(texts)) % n
        self.many = copy.deepcopy(self.body)
        for name, *pairs in zip(self.layers, *self.adapters, strict=True):
            adapters.exchange(self.many, [name], lambda layer, pairs=pairs: ManyLoRA(layer, pairs))

    def merged(self) -> torch.Tensor:
        """Answer one question after the other: its adapter goes into the weights, and out again."""
        found = []
        for i, adapter in enumerate(self.wanted):
            self._put(int(adapter))
            for layer in self.layers.values():
                self.merge(layer)
            found.append(self._through(self.body, [i]))
            for layer in self.layers.values():
                self.unmerge(layer)
        return torch.cat(found)

    def sorted(self) -> torch.Tensor:
        """Answer a batch for each adapter that is wanted, which stands beside the weights."""
        vectors = {}
        for adapter in self.wanted.unique().tolist():
            self._put(adapter)
            rows = (self.wanted == adapter).nonzero()[:, 0].tolist()
            vectors |= dict(zip(rows, self._through(self.body, rows), strict=True))
        return torch.stack([vectors[i] for i in range(len(self.wanted))])

    def together(self) -> torch.Tensor:
        """Answer all questions in one batch, each row with its own A and B."""
        for layer in self.many.modules():
            if isinstance(layer, ManyLoRA):
                layer.wanted = self.wanted
        return self._through(self.many, range(len(self.wanted)))

    def _put(self, adapter: int) -> None:
        """Exchange the adapter that the layers hold."""
        for layer, (A, B) in zip(self.layers.values(), self.adapters[adapter], strict=True):
            layer.A.data, layer.B.data = A, B

    @torch.no_grad()
    def _through(self, body: Upper, rows: Sequence[int]) -> torch.Tensor:
        device = next(body.parameters()).device
        states, present = padded([self.states[i] for i in rows])
        return body(states.to(device), present.to(device))


def _another(layer: nn.Module, draw: torch.Generator) -> Pair:
    """Return an adapter by chance, of the size of the one that the layer holds, and where that lies."""
    return tuple((torch.randn(part.shape, generator=draw) * 0.05).to(part.device) for part in (layer.A, layer.B))


def table(server: Server) -> str:
    """Return texts a second for each way to serve, and the largest difference between what they answer."""
    ways = {
        "merged for each question, and taken out": server.merged,
        "sorted by adapter, a batch each": server.sorted,
        "one batch, each row its own A and B": server.together,
    }
    lines, vectors = [f"{len(server.adapters)} adapters, {len(server.wanted)} questions      questions a second"], []
    for name, way in ways.items():
        vectors.append(way())  # the first pass allocates what it needs; the second one counts
        start = time.perf_counter()
        way()
        lines.append(f"{name:<42}{len(server.wanted) / (time.perf_counter() - start):8.0f}")
    apart = max((one - vectors[0]).abs().max().item() for one in vectors)
    return "\n".join([*lines, f"the same vectors each time: they differ by {apart:.0e} at most"])
