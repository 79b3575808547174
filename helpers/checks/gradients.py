"""What checks ask of a student's function beside its value: a gradient, which exists only where the function runs."""

from collections.abc import Callable, Sequence

import torch
from torch import nn


def slopes(function: Callable, *arguments, fixed: Sequence[int] = ()) -> list[torch.Tensor]:
    """Return the gradient of the sum of a function's value with respect to each tensor of floats but the `fixed`.

    fixed: the places of arguments that are not differentiated. Of a dict each tensor is, in its order. Of several
    values the second counts twice, and so on.
    """
    leaves: list[torch.Tensor] = []
    copies = [argument if i in fixed else _with_leaves(argument, leaves) for i, argument in enumerate(arguments)]
    value = function(*copies)
    parts = value if isinstance(value, tuple | list) else (value,)
    return list(torch.autograd.grad(sum(i * part.sum() for i, part in enumerate(parts, 1)), leaves))


def _with_leaves(argument, leaves: list[torch.Tensor]):
    """Return an argument whose tensors of floats are leaves of their own, which `leaves` takes up."""
    if isinstance(argument, dict):
        return {name: _with_leaves(value, leaves) for name, value in argument.items()}
    if not (isinstance(argument, torch.Tensor) and argument.is_floating_point()):
        return argument
    leaves.append(argument.detach().clone().requires_grad_())
    return leaves[-1]


def gradients_of(module: nn.Module, x: torch.Tensor, target: torch.Tensor) -> dict[str, torch.Tensor | None]:
    """Return {name: gradient of the summed squared error, or None} for all parameters of a module."""
    module.zero_grad()
    ((module(x) - target) ** 2).sum().backward()
    return {name: None if p.grad is None else p.grad.clone() for name, p in module.named_parameters()}


def carries_gradient(function: Callable, *arguments) -> bool:
    """Return whether the value of a function has a gradient, where all tensors that go in have one."""
    leaves = [a.clone().requires_grad_() if isinstance(a, torch.Tensor) else a for a in arguments]
    return function(*leaves).requires_grad
