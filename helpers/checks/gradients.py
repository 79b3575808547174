"""What checks ask of a student's function beside its value: a gradient, which exists only where the function runs."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn
from torch.utils._pytree import tree_leaves

from helpers.checks.case import Case

CUT = "the gradient is cut: no detach, item, data or NumPy on the way from the arguments to the result"


def slopes(function: Callable, *arguments, fixed: Sequence[int] = ()) -> list[torch.Tensor]:
    """Return the gradient of the sum of a function's value with respect to each tensor of floats but the `fixed`.

    fixed: the places of arguments that are not differentiated. Of a dict each tensor is, in its order. Of several
    values the second counts twice, and so on.
    """
    leaves: list[torch.Tensor] = []
    copies = [argument if i in fixed else _with_leaves(argument, leaves) for i, argument in enumerate(arguments)]
    value = function(*copies)
    parts = value if isinstance(value, tuple | list) else (value,)
    for part in parts:
        if part is None or isinstance(part, np.ndarray | np.generic):
            error = TypeError if part is None else RuntimeError  # of NumPy as of all that cuts the gradient
            raise error(f"a {type(part).__name__} came where a tensor is asked")
    return list(torch.autograd.grad(sum(i * part.sum() for i, part in enumerate(parts, 1)), leaves))


def _with_leaves(argument, leaves: list[torch.Tensor]):
    """Return an argument whose tensors of floats are leaves of their own, which `leaves` takes up."""
    if isinstance(argument, dict):
        return {name: _with_leaves(value, leaves) for name, value in argument.items()}
    if not (isinstance(argument, torch.Tensor) and argument.is_floating_point()):
        return argument
    leaves.append(argument.detach().clone().requires_grad_())
    return leaves[-1]


def golden(function: Callable, *arguments, fixed: Sequence[int] = ()) -> list[torch.Tensor]:
    """Return the `slopes` of the squares of a function's value: a number, or the parts of a tensor, tuple or list."""

    def squares(*given) -> list[torch.Tensor]:
        value = function(*given)
        if isinstance(value, torch.Tensor) and value.dim() == 0:
            return [value.square()]
        return [part.square() for part in value]

    return slopes(squares, *arguments, fixed=fixed)


def golden_of_all(function: Callable, *arguments) -> list[torch.Tensor]:
    """Return the gradient of the sum of all squares that a function gives, with respect to each tensor of floats.

    Arguments and value may be nested: tensors in dicts, tuples and lists. A tensor that is not used has zeros.
    """
    leaves = [leaf for leaf in tree_leaves(arguments) if torch.is_tensor(leaf) and leaf.is_floating_point()]
    for leaf in leaves:
        leaf.requires_grad_(True)
    total = sum(part.square().sum() for part in tree_leaves(function(*arguments)))
    total = total + 0 * sum(leaf.sum() for leaf in leaves)  # so that each has a gradient
    found = list(torch.autograd.grad(total, leaves))
    for leaf in leaves:
        leaf.requires_grad_(False)
    return found


def cut(right: Case) -> dict[str, type]:
    """Return what an error in the gradients tells, beside a case of the value: a wrong value has errors of its own.

    torch raises a RuntimeError for a shape that does not fit, too, and for an argument that the value does not need.
    """
    return {CUT: RuntimeError} if right.passed else {}


def trained(
    check: Callable, there: Callable, function: Callable, oracle: Callable, *case, known: dict | None = None,
    near: dict[str, Callable] | None = None, fixed: Sequence[int] = (), about: str = "gradients", edge: bool = False,
) -> None:  # fmt: skip
    """Judge a function's value, then its gradients; only where the value is right is an error one of the gradient.

    there: the notebook's own `slopes`, of the values squared, which runs where the function does. known: mistakes of
    the value; near: mistakes that give the right value and other gradients. Both are made as the oracle is called.
    """

    def mistakes() -> dict:
        if not right.passed:
            return {}
        found: dict = cut(right)
        for words, wrong in (near or {}).items():
            found[words] = golden(wrong, *case, fixed=fixed)
        return found

    check.mistakes(known or {})
    right = check(function, *case).equals(oracle(*case), about=about, edge=edge, rtol=1e-4, atol=1e-5)
    check.mistakes({})
    expected = golden(oracle, *case, fixed=fixed)
    check(there, function, *case, fixed=fixed).equals(
        expected, about=about, edge=edge, rtol=1e-3, atol=1e-4, near=mistakes
    )


def gradients_of(module: nn.Module, x: torch.Tensor, target: torch.Tensor) -> dict[str, torch.Tensor | None]:
    """Return {name: gradient of the summed squared error, or None} for all parameters of a module."""
    module.zero_grad()
    ((module(x) - target) ** 2).sum().backward()
    return {name: None if p.grad is None else p.grad.clone() for name, p in module.named_parameters()}


def carries_gradient(function: Callable, *arguments) -> bool:
    """Return whether the value of a function has a gradient, where all tensors that go in have one."""
    leaves = [a.clone().requires_grad_() if isinstance(a, torch.Tensor) else a for a in arguments]
    return function(*leaves).requires_grad
