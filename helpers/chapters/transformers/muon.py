"""Muon (Jordan et al. 2024): each step of a matrix is made orthogonal, so that all its directions learn alike."""

from collections.abc import Callable

import torch

Step = Callable[..., tuple]  # (weight, grad, state, lr=...) -> (the new weight, the new state)


def muon_step(
    weight: torch.Tensor, grad: torch.Tensor, state=None, lr=1e-3, weight_decay=0.1, momentum=0.95, stacked=1
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (a matrix after one step of Muon, the new state), as a function like AdamW's step.

    stacked: how many matrices lie one below the other in it; each is made orthogonal by itself. Steps are scaled to the
    size that AdamW's have (Liu et al. 2025), so that one learning rate serves both.
    """
    mean = torch.zeros_like(grad) if state is None else state
    mean = mean.lerp(grad, 1 - momentum)
    moves = grad.lerp(mean, momentum).chunk(stacked)  # Nesterov's
    move = 0.2 * max(grad.shape) ** 0.5 * torch.cat([orthogonal(m) for m in moves])
    return weight * (1 - lr * weight_decay) - lr * move, mean


def beside(adamw: Step, model: torch.nn.Module) -> Step:
    """Return a step that takes the hidden matrices of a model by Muon, and leaves all other weights to `adamw`.

    Vectors, those of norms and biases, do not decay.

    A matrix is hidden if its name does not say "embedding"; one called in_proj holds three, for queries, keys and
    values. A step is handed a weight and no name, so it goes by shapes: no hidden matrix may have that of a table.
    """
    matrices = [(name, p.shape) for name, p in model.named_parameters() if p.dim() == 2]
    tables = {shape for name, shape in matrices if "embedding" in name}
    hidden = {shape: 3 if "in_proj" in name else 1 for name, shape in matrices if "embedding" not in name}
    assert tables.isdisjoint(hidden), "a table has the shape of a hidden matrix"

    def step(weight, grad, state=None, lr=1e-3):
        if weight.shape in hidden:
            return muon_step(weight, grad, state, lr, stacked=hidden[weight.shape])
        undecayed = {"weight_decay": 0.0} if weight.dim() < 2 else {}
        return adamw(weight, grad, state, lr=lr, **undecayed)

    return step


def orthogonal(matrix: torch.Tensor, steps: int = 5) -> torch.Tensor:
    """Return about U V^T of a matrix U S V^T, by Newton-Schulz steps: all singular values come near 1.

    A step makes p(X X^T) X of X, where p(s) = 3.4445 - 4.775 s + 2.0315 s^2. All steps are taken on the small square
    X X^T, which they turn into p X X^T p; their product meets X once, at the end: half of the work of a wide matrix.
    """
    x = matrix if len(matrix) <= matrix.shape[1] else matrix.T
    x = x / (x.norm() + 1e-7)
    square = x @ x.T
    p = product = _polynomial(square)
    for _ in range(steps - 1):
        square = p @ square @ p
        p = _polynomial(square)
        product = p @ product
    x = product @ x
    return x if len(matrix) <= matrix.shape[1] else x.T


def _polynomial(square: torch.Tensor) -> torch.Tensor:
    """Return 3.4445 - 4.775 s + 2.0315 s^2 of a square matrix s."""
    p = torch.addmm(square, square, square, beta=-4.7750, alpha=2.0315)
    p.diagonal().add_(3.4445)
    return p
