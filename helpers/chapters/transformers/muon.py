"""Muon (Jordan et al. 2024): each step of a matrix is made orthogonal, so that all its directions learn alike."""

import torch


class Muon(torch.optim.Optimizer):
    """Muon for the hidden matrices of a model; AdamW (Loshchilov and Hutter 2019) for embeddings, biases and norms.

    A matrix is hidden if its name does not say "embedding"; one called in_proj holds three, for queries, keys and
    values, and each is made orthogonal by itself. Steps are scaled to the size that AdamW's have (Liu et al.
    2025), so that one learning rate serves both; all matrices decay.
    """

    def __init__(self, model: torch.nn.Module, lr: float, weight_decay: float = 0.1, momentum: float = 0.95):
        """Take all parameters of a model that learn."""
        named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
        hidden = [p for name, p in named if p.dim() == 2 and "embedding" not in name and "in_proj" not in name]
        stacked = [p for name, p in named if p.dim() == 2 and "in_proj" in name]
        tables = [p for name, p in named if p.dim() == 2 and "embedding" in name]
        others = [p for _, p in named if p.dim() != 2]
        kinds = [(hidden, 1, weight_decay), (stacked, 3, weight_decay), (tables, 0, weight_decay), (others, 0, 0.0)]
        groups = [{"params": ps, "turned": turned, "weight_decay": decay} for ps, turned, decay in kinds if ps]
        super().__init__(groups, {"lr": lr, "momentum": momentum, "betas": (0.9, 0.999)})

    @torch.no_grad()
    def step(self, closure=None) -> None:
        """Take one step, by the gradients that the parameters hold."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.mul_(1 - group["lr"] * group["weight_decay"])
                    move = self._turned if group["turned"] else self._adam
                    p.sub_(group["lr"] * move(p.grad, self.state[p], group))

    @staticmethod
    def _turned(grad: torch.Tensor, state: dict, group: dict) -> torch.Tensor:
        """Return the step of one or more matrices in one: the momentum (Nesterov's), orthogonal, of AdamW's size."""
        mean = state.setdefault("mean", torch.zeros_like(grad))
        mean.lerp_(grad, 1 - group["momentum"])
        moves = grad.lerp(mean, group["momentum"]).chunk(group["turned"])
        return 0.2 * max(grad.shape) ** 0.5 * torch.cat([orthogonal(move) for move in moves])

    @staticmethod
    def _adam(grad: torch.Tensor, state: dict, group: dict) -> torch.Tensor:
        """Return the step of AdamW."""
        mean = state.setdefault("mean", torch.zeros_like(grad))
        square = state.setdefault("square", torch.zeros_like(grad))
        state["steps"] = state.get("steps", 0) + 1
        first, second = group["betas"]
        mean.lerp_(grad, 1 - first)
        square.lerp_(grad**2, 1 - second)
        mend = (1 - second ** state["steps"]) ** 0.5 / (1 - first ** state["steps"])  # both means began at 0
        return mend * mean / (square.sqrt() + 1e-8)


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
