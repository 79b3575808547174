"""What a call changed of the check's own is put back after it: what is expected may be computed from the same values.

Where the answer runs in another process, what it changes in place is changed here too while a case is tried, so that a
check sees it. A call outside a case changes nothing of the check's, unless it asks for that (`staying`).
"""

import contextlib
import copy
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar

# The changes of the case at hand: (what puts the object back, which is kept alive by it), by identity.
_changes: ContextVar[dict[int, tuple[Callable[[], object], object]] | None] = ContextVar("changes", default=None)
STAYS: dict = {}  # in the place of changes, where they are not put back


@contextlib.contextmanager
def staying() -> Iterator[None]:
    """Let the block's calls change what they are given, for good."""
    before = _changes.set(STAYS)
    try:
        yield
    finally:
        _changes.reset(before)


@contextlib.contextmanager
def putting_back() -> Iterator[dict]:
    """Let the block's calls change what they are given, and put all of it back at the end."""
    made: dict[int, tuple[Callable[[], object], object]] = {}
    before = _changes.set(made)
    try:
        yield made
    finally:
        _changes.reset(before)
        for put_back, _ in made.values():
            put_back()


def change(old, new, write: Callable) -> None:
    """Give an object the content that a call left in its copy, until the case is over; write: (object, content)."""
    changes = _changes.get()
    if changes is None:
        return
    if changes is not STAYS and id(old) not in changes:
        before = content(old)
        changes[id(old)] = (lambda: write(old, before)), old
    write(old, new)


def content(value):
    """Return a copy of a value, of a module its weights by name, whether or not a gradient may flow through it."""
    torch, cls = sys.modules.get("torch"), type(value)
    if cls in (list, tuple, set, frozenset):
        return cls(map(content, value))
    if cls is dict:
        return {key: content(part) for key, part in value.items()}
    if torch is not None and isinstance(value, torch.nn.Module):
        named = [*value.named_parameters(), *value.named_buffers()]
        return {name: content(tensor) for name, tensor in named}
    if torch is not None and isinstance(value, torch.Tensor):
        return _tensor(value)
    try:
        return copy.deepcopy(value)
    except Exception:  # what cannot be copied is no data
        return value


def _tensor(tensor):
    made = tensor.detach().clone()
    if type(tensor).__name__ == "Parameter":
        made = type(tensor)(made, requires_grad=tensor.requires_grad)
    made.requires_grad_(tensor.requires_grad)
    if tensor.is_leaf and tensor.grad is not None:
        made.grad = tensor.grad.detach().clone()
    return made
