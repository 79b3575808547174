"""What a training loop does for a large model, tried on small ones: in pieces, in bf16, stopped and resumed, shared."""

import copy
import time
from collections.abc import Callable

import torch
from torch import nn

from helpers.device import SEED, seed_everything

Loss = Callable[[nn.Module, torch.Tensor], torch.Tensor]


def train_step(
    model: nn.Module, optimizer: torch.optim.Optimizer, batch: torch.Tensor, loss: Loss, pieces: int = 1, dtype=None
) -> float:
    """Take one step of the optimiser on a batch, rows first; return the mean loss over its rows.

    loss: the mean loss over rows. pieces: as batch.chunk(pieces) cuts the batch; each weighs by its share of the rows.
    dtype: torch.bfloat16 computes the forward pass under autocast, the weights stay as they are.
    """
    optimizer.zero_grad()
    total = 0.0
    for piece in batch.chunk(pieces):
        with torch.autocast(batch.device.type, dtype=dtype, enabled=dtype is not None):
            value = loss(model, piece) * (len(piece) / len(batch))
        value.backward()
        total += value.item()
    optimizer.step()
    return total


def checkpoint(model: nn.Module, optimizer: torch.optim.Optimizer, step: int) -> dict:
    """Return all that a run needs to go on, in copies: training goes on in the tensors themselves."""
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
    return copy.deepcopy(state | {"numbers": torch.get_rng_state()})


def resume(stored: dict, model: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Put a checkpoint, which may serve again, into a new model and optimiser, the numbers back; return its step."""
    model.load_state_dict(stored["model"])
    optimizer.load_state_dict(copy.deepcopy(stored["optimizer"]))  # which keeps the tensors that it gets
    torch.set_rng_state(stored["numbers"])
    return stored["step"]


def average_gradients(replicas: list[nn.Module]) -> None:
    """Give each parameter of each replica the mean of the replicas' gradients, in place; each its own copy."""
    for same in zip(*(replica.parameters() for replica in replicas), strict=True):
        mean = torch.stack([p.grad for p in same]).mean(dim=0)
        for p in same:
            p.grad = mean.clone()


def small_net(dropout: float = 0.0, phase: float = 0.0) -> nn.Sequential:
    """Return a small network from 3 to 2 numbers whose weights are fixed numbers."""
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Dropout(dropout), nn.Linear(4, 2))
    for i, p in enumerate(net.parameters()):
        p.data = torch.sin(torch.arange(1.0, p.numel() + 1) * (1.3 + i) + phase).view(p.shape)
    return net


def square_loss(model: nn.Module, batch: torch.Tensor) -> torch.Tensor:
    """Return the mean over the rows (B, ...) of the sum of the squared outputs."""
    return (model(batch).float() ** 2).sum(-1).mean()


def weights_of(model: nn.Module) -> dict[str, torch.Tensor]:
    """Return a copy of all parameters, by name."""
    return {name: p.detach().clone() for name, p in model.named_parameters()}


def begun(dropout: float, phase: float = 0.0) -> tuple[nn.Module, torch.optim.Optimizer]:
    """Return a small network with dropout in training mode, and AdamW for it."""
    model = small_net(dropout, phase).train()
    return model, torch.optim.AdamW(model.parameters(), lr=0.05)


def run_with_a_stop(batches: list, stop: int, dropout: float) -> tuple:
    """Train on the batches; the run is stopped before batch `stop` and goes on in a new model and optimiser.

    What is stored must survive that the first run goes on for a while, and that a resumed run does: it goes on twice
    from one checkpoint, each time in a new model. Returns (the step that came back, weights), of the second time.
    """
    torch.manual_seed(0)
    model, optimizer = begun(dropout)
    for batch in batches[:stop]:
        train_step(model, optimizer, batch, square_loss)
    stored = checkpoint(model, optimizer, stop)
    for batch in batches[stop:]:
        train_step(model, optimizer, batch, square_loss)
    for _ in range(2):
        torch.manual_seed(1)  # another process has other random numbers
        model, optimizer = begun(dropout, phase=2.0)
        step = resume(stored, model, optimizer)
        for batch in batches[stop:]:
            train_step(model, optimizer, batch, square_loss)
    return step, weights_of(model)


def kept_for_backward(model: nn.Module, action: Callable[[], object]) -> int:
    """Return the most bytes that autograd keeps at once for the backward pass while `action` runs, weights left out."""
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    held: dict[int, int] = {}
    most = 0

    def pack(tensor):
        nonlocal most
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            held[storage.data_ptr()] = storage.nbytes()
        most = max(most, sum(held.values()))
        return tensor

    def unpack(tensor):
        held.pop(tensor.untyped_storage().data_ptr(), None)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        action()
    return most


def costs_of(fresh: Callable[[], nn.Module], batch: torch.Tensor, loss: Loss, ways: dict) -> str:
    """Return a table: for each way, what one step keeps for its backward pass, how long it takes, and its loss.

    fresh: makes a model; each way gets one with the same first weights. ways: arguments of train_step, by name.
    """
    lines = [f"{'one step':<22}{'kept for backward':>20}{'ms':>8}{'loss':>9}"]
    for name, how in ways.items():
        seed_everything(SEED)
        model = fresh()
        optimizer = torch.optim.AdamW(model.parameters())
        value, seconds = 0.0, []

        def step(how=how, model=model, optimizer=optimizer):
            return train_step(model, optimizer, batch.to(next(model.parameters()).device), loss, **how)

        kept = kept_for_backward(model, step)
        for _ in range(3):
            start = time.perf_counter()
            value = step()
            seconds.append(time.perf_counter() - start)
        lines.append(f"{name:<22}{kept / 1e6:>17.1f} MB{1000 * min(seconds):>8.0f}{value:>9.4f}")
    return "\n".join(lines)
