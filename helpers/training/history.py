"""What a run did: every step's loss, where and how fast it ran, in one line and as a picture."""

from dataclasses import asdict, dataclass, field, fields


@dataclass(repr=False)
class History:
    """The record of one call of `fit`.

    losses:      the loss of each step (mean over the rows of its batch)
    norms:       the gradient norm of each step before clipping; empty if clip=None
    lrs:         the learning rate of each step
    evaluations: (step, value) of each evaluation, lower is better
    best_step:   the step of the lowest evaluation, if there was one
    stopped:     why the run ended before its last step, or ""
    tokens:      token ids seen (rows, where the batches hold no ids); seconds: time spent in steps
    peak_mb:     largest memory: of the tensors on CUDA, of the process elsewhere
    """

    losses: list[float] = field(default_factory=list)
    norms: list[float] = field(default_factory=list)
    lrs: list[float] = field(default_factory=list)
    evaluations: list[tuple[int, float]] = field(default_factory=list)
    best_step: int | None = None
    stopped: str = ""
    tokens: int = 0
    seconds: float = 0.0
    peak_mb: float = 0.0
    device: str = "cpu"
    dtype: str = "fp32"
    processes: int = 1
    pieces: int = 1

    @property
    def tokens_per_second(self) -> float:
        """Token ids (or rows) per second, over all processes."""
        return self.tokens / self.seconds if self.seconds else 0.0

    @property
    def best(self) -> float:
        """The lowest evaluation; NaN if there was none."""
        return min((value for _, value in self.evaluations), default=float("nan"))

    def __repr__(self) -> str:
        """Return the run in one line."""
        if not self.losses:
            return "no steps yet"
        where = self.device if self.processes == 1 else f"{self.processes} x {self.device}"
        line = f"{len(self.losses)} steps in {self.seconds:.1f} s on {where} ({self.dtype}): "
        line += f"loss {self.losses[0]:.4f} -> {self.losses[-1]:.4f}"
        if self.evaluations:
            line += f", best evaluation {self.best:.4f} at step {self.best_step}"
        line += f", {self.tokens_per_second:,.0f} tokens/s, peak {self.peak_mb:,.0f} MB"
        return line + (f"; {self.stopped}" if self.stopped else "")

    def draw(self, **options):
        """Draw the losses, evaluations, norms and learning rates; returns (figure, alt text) for `plots.show`."""
        from helpers import plots

        curves = {"evaluations": self.evaluations, "norms": self.norms, "lrs": self.lrs}
        return plots.learning_curves(self.losses, **curves, **options)

    def state_dict(self) -> dict:
        """All fields, for a checkpoint."""
        return asdict(self)

    def load_state_dict(self, state: dict) -> None:
        """Take the fields of a checkpoint."""
        for known in fields(self):
            setattr(self, known.name, state[known.name])
