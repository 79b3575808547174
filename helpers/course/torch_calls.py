"""Which of torch's functions a call uses, and a call in which autograd is off: what checks ask of a way to compute."""

from collections.abc import Callable

import torch
from torch.overrides import TorchFunctionMode


class Named(TorchFunctionMode):
    """Keeps the names of the functions and methods of torch that are called."""

    def __init__(self):
        super().__init__()
        self.names: set[str] = set()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.names.add(getattr(function, "__name__", ""))
        return function(*args, **(kwargs or {}))


def names_of(function: Callable, *arguments) -> list[str]:
    """Return the names of torch's functions and methods that a call uses, sorted."""
    with Named() as named:
        function(*arguments)
    return sorted(named.names)


def without_autograd(function: Callable, *arguments):
    """Return what a call gives where autograd records nothing, not even if it is asked to."""
    with torch.inference_mode():
        return function(*arguments)
