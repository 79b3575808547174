"""What a run did: every step's loss, where and how fast it ran, in one line and as a picture."""

import math
from dataclasses import asdict, dataclass, field, fields


@dataclass(repr=False)
class History:
    """The record of one call of `fit`.

    losses:      the loss of each step (mean over the rows of its batch)
    norms:       the gradient norm of each step before clipping; empty if clip=None
    lrs:         the learning rate of each step
    evaluations: (step, value) of each evaluation, lower is better
    best:        the lowest evaluation, at step `best_step`; infinity if there was none
    ended:       "" after the last step with its weights, else what happened
    seen:        token ids seen, or rows where the batches hold no ids (`unit` says which)
    seconds:     time spent in steps
    peak_mb:     largest memory: of the tensors on CUDA, of the process elsewhere
    pieces:      into how many pieces each batch was cut at the end
    """

    losses: list[float] = field(default_factory=list)
    norms: list[float] = field(default_factory=list)
    lrs: list[float] = field(default_factory=list)
    evaluations: list[tuple[int, float]] = field(default_factory=list)
    best: float = math.inf
    best_step: int = 0
    ended: str = ""
    seen: int = 0
    unit: str = "tokens"
    seconds: float = 0.0
    peak_mb: float = 0.0
    device: str = "cpu"
    dtype: str = "fp32"
    processes: int = 1
    pieces: int = 1

    @property
    def per_second(self) -> float:
        """Token ids (or rows) per second, over all processes."""
        return self.seen / self.seconds if self.seconds else 0.0

    @property
    def speed(self) -> str:
        """The same in words: "12,345 tokens/s"."""
        return f"{self.per_second:,.0f} {self.unit}/s"

    def __repr__(self) -> str:
        """Return the run in one line."""
        if not self.losses:
            return "no steps yet"
        where = self.device if self.processes == 1 else f"{self.processes} x {self.device}"
        line = f"{len(self.losses)} steps in {self.seconds:.1f} s on {where} ({self.dtype}): "
        line += f"loss {self.losses[0]:.4f} -> {self.losses[-1]:.4f}"
        if self.best_step:
            line += f", best evaluation {self.best:.4f} at step {self.best_step}"
        line += f", {self.speed}, peak {self.peak_mb:,.0f} MB"
        return line + (f"; {self.ended}" if self.ended else "")

    def draw(self, **options):
        """Draw the losses, evaluations, norms and learning rates; returns (figure, alt text) for `plots.show`."""
        from helpers import plots

        curves = {"evaluations": self.evaluations, "norms": self.norms, "lrs": self.lrs}
        return plots.learning_curves(self.losses, **curves, **options)

    def state_dict(self) -> dict:
        """All fields, for a checkpoint."""
        return asdict(self)

    def load_state_dict(self, stored: dict) -> None:
        """Take what a checkpoint kept; where it runs is this run's own."""
        for known in fields(self):
            if known.name not in ("device", "dtype", "processes"):
                setattr(self, known.name, stored[known.name])
