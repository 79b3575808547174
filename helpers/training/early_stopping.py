"""The best evaluation so far, and early stopping: say when nothing better has come for a while."""

import math

import torch


class Best:
    """The lowest evaluation and its step; with a `patience` also its weights, kept on the CPU."""

    def __init__(self, patience: int | None):
        self.patience = patience
        self.value, self.step, self.waited = math.inf, 0, 0
        self.weights: dict[str, torch.Tensor] = {}

    def note(self, value: float, step: int, model: torch.nn.Module) -> bool:
        """Take an evaluation (lower is better, NaN is never best); returns whether it is time to stop."""
        if value < self.value:
            self.value, self.step, self.waited = value, step, 0
            if self.patience:
                self.weights = {name: _copy(kept) for name, kept in model.state_dict().items()}
        else:
            self.waited += 1
        return self.patience is not None and self.waited >= self.patience

    def restore(self, model: torch.nn.Module, step: int) -> str:
        """Put the best weights back if `step` is past them; returns what was done, in words."""
        if not self.weights or step == self.step:
            return ""
        model.load_state_dict(self.weights)
        return f"weights of step {self.step} restored"

    def state_dict(self) -> dict:
        """What a checkpoint keeps."""
        return {"value": self.value, "step": self.step, "waited": self.waited, "weights": self.weights}

    def load_state_dict(self, stored: dict) -> None:
        """Take what a checkpoint kept."""
        self.value, self.step, self.waited = stored["value"], stored["step"], stored["waited"]
        self.weights = stored["weights"]


def _copy(kept):
    return kept.detach().to("cpu", copy=True) if isinstance(kept, torch.Tensor) else kept
