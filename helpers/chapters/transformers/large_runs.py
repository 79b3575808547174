"""What a training loop does for a large model, tried on small ones: in pieces, in bf16, stopped and resumed, shared."""

import time
from collections.abc import Callable

import torch
from torch import nn

from helpers.device import SEED, seed_everything

Loss = Callable[[nn.Module, torch.Tensor], torch.Tensor]


def small_net(dropout: float = 0.0, phase: float = 0.0) -> nn.Sequential:
    """Return a small network from 3 to 2 numbers whose weights are fixed numbers."""
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Dropout(dropout), nn.Linear(4, 2))
    for i, p in enumerate(net.parameters()):
        p.data = torch.sin(torch.arange(1.0, p.numel() + 1) * (1.3 + i) + phase).view(p.shape)
    return net


def square_loss(model: nn.Module, batch: torch.Tensor) -> torch.Tensor:
    """Return the mean over the rows (B, ...) of the sum of the squared outputs."""
    return (model(batch).float() ** 2).sum(-1).mean()


def line(weight: float) -> nn.Linear:
    """Return the model y = weight x."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, weight)
    return model


def weights_of(model: nn.Module) -> dict[str, torch.Tensor]:
    """Return a copy of all parameters, by name."""
    return {name: p.detach().clone() for name, p in model.named_parameters()}


def steps_of(train_step: Callable, batches: list[torch.Tensor], weight: float | None = None, **how) -> tuple:
    """Train by SGD with the rate 0.01, one step a batch; returns (losses, weights after the last step).

    Before the first step each parameter holds a gradient of 100, as if left from before.

    weight: of the model y = weight x; None for the small network. how: passed on to train_step.
    """
    model = small_net() if weight is None else line(weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for p in model.parameters():
        p.grad = torch.full_like(p, 100.0)
    losses = [train_step(model, optimizer, batch, square_loss, **how) for batch in batches]
    return [v if v is None else float(v) for v in losses], weights_of(model)


def rows_of(train_step: Callable, batch: torch.Tensor, pieces: int) -> tuple[list[int], bool]:
    """Take a step in pieces; returns (the rows of each piece, sorted, whether the loss still holds its graph)."""
    seen, model = [], small_net()

    def loss(model, rows):
        seen.append(len(rows))
        return square_loss(model, rows)

    found = train_step(model, torch.optim.SGD(model.parameters()), batch, loss, pieces)
    return sorted(seen), getattr(found, "requires_grad", False)


def begun(dropout: float, phase: float = 0.0) -> tuple[nn.Module, torch.optim.Optimizer]:
    """Return a small network with dropout in training mode, and AdamW for it."""
    model = small_net(dropout, phase).train()
    return model, torch.optim.AdamW(model.parameters(), lr=0.05)


def run_with_a_stop(
    train_step: Callable, checkpoint: Callable, resume: Callable, batches: list, stop: int, dropout: float
) -> tuple:
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


def averaged(average_gradients: Callable, shares: list[torch.Tensor]) -> list[dict]:
    """Return the gradients of each replica of the small network, one for each share of rows, once they are averaged."""
    replicas = [small_net() for _ in shares]
    for replica, rows in zip(replicas, shares, strict=True):
        square_loss(replica, rows).backward()
    average_gradients(replicas)
    gradients = []
    for replica in replicas:
        gradients.append({name: p.grad.clone() for name, p in replica.named_parameters()})
    return gradients


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


def costs_of(train_step: Callable, fresh: Callable[[], nn.Module], batch: torch.Tensor, loss: Loss, ways: dict) -> str:
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
