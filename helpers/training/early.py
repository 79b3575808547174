"""Early stopping: remember the best weights, and say when nothing better has come for a while."""

import torch


class Best:
    """The best weights so far, kept on the CPU; nothing is kept without a `patience`."""

    def __init__(self, patience: int | None):
        self.patience = patience
        self.value, self.step, self.waited = float("inf"), 0, 0
        self.weights: dict[str, torch.Tensor] = {}

    def enough(self, value: float, step: int, model: torch.nn.Module) -> bool:
        """Note an evaluation (lower is better); returns whether `patience` of them have brought nothing better."""
        if self.patience is None:
            return False
        if value < self.value:
            self.value, self.step, self.waited = value, step, 0
            self.weights = {name: t.detach().to("cpu", copy=True) for name, t in model.state_dict().items()}
        else:
            self.waited += 1
        return self.waited >= self.patience

    def restore(self, model: torch.nn.Module) -> None:
        """Put the best weights back, if any were kept."""
        if self.weights:
            model.load_state_dict(self.weights)

    def state_dict(self) -> dict:
        """What a checkpoint keeps."""
        return {"value": self.value, "step": self.step, "waited": self.waited, "weights": self.weights}

    def load_state_dict(self, state: dict) -> None:
        """Take what a checkpoint kept."""
        self.value, self.step, self.waited = state["value"], state["step"], state["waited"]
        self.weights = state["weights"]
