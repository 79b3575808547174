"""One training run: what moves from step to step, how it begins, and how it ends."""

import hashlib
import math
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import broadcast_object_list

from helpers.device import peak_mb
from helpers.errors import CourseError
from helpers.training.batches import Batches, count
from helpers.training.checkpoint import Checkpoint
from helpers.training.early_stopping import Best
from helpers.training.evaluation import in_eval_mode
from helpers.training.gradients import Gradients, Loss
from helpers.training.history import History
from helpers.training.optim import adamw, warmup_cosine
from helpers.training.setup import accelerator_for, agree, refuse_nonsense, refuse_unfit

Evaluate = Callable[[torch.nn.Module], float]
CAUSES = "usual causes: a learning rate too large, the logarithm of zero, a division by zero (or the root of it)"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What `fit` is asked for: its arguments, named as there, where they have their defaults and their meaning."""

    steps: int
    lr: float
    warmup: int
    weight_decay: float
    clip: float | None
    accumulate: int
    precision: str
    compile: bool
    evaluate: Evaluate | None
    evaluate_every: int
    patience: int | None
    checkpoint: str | Path | None
    checkpoint_every: int

    def checked(self, batches) -> "Plan":
        """Return the plan with plain numbers; raises CourseError in one line for a run that cannot be."""
        every = {"evaluate_every": self.evaluate_every, "checkpoint_every": self.checkpoint_every}
        counts = {"accumulate": self.accumulate, "patience": self.patience, **every}
        refuse_nonsense(self.steps, self.lr, self.warmup, self.clip, **counts)
        refuse_unfit(batches, self.evaluate, self.patience)
        return replace(self, steps=int(self.steps), lr=float(self.lr))

    def due(self, step: int) -> bool:
        """Whether to evaluate after so many steps."""
        return self.evaluate is not None and (step % self.evaluate_every == 0 or step == self.steps)


@dataclass
class Run:
    """One training run: what moves from step to step."""

    accelerator: Accelerator
    model: torch.nn.Module
    optimizer: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.LRScheduler
    batches: Batches
    gradients: Gradients
    history: History
    best: Best
    plan: Plan

    def step(self, step: int) -> None:
        """One step: gradients of a batch, clipped; then the optimiser and the schedule move on."""
        start, history = time.perf_counter(), self.history
        batch = self.batches.draw(step)
        history.losses.append(_finite("loss", self.gradients.of(batch), step, history.losses))
        history.lrs.append(self.optimizer.param_groups[0]["lr"])
        if self.plan.clip is not None:
            history.norms.append(self._clip(step))
        self.optimizer.step()
        if not self.accelerator.optimizer_step_was_skipped:  # fp16 skips a step whose gradients overflow
            self.schedule.step()
        seen, history.unit = count(batch)
        history.seen += seen
        history.seconds += time.perf_counter() - start

    def _clip(self, step: int) -> float:
        """Clip the gradients that the optimiser will use, in place; returns their norm before."""
        learned = [p for group in self.optimizer.param_groups for p in group["params"]]
        norm = self.accelerator.clip_grad_norm_(learned, self.plan.clip).item()
        return norm if self.accelerator.scaler else _finite("gradient norm", norm, step, self.history.losses)

    def evaluate(self, step: int) -> bool:
        """Record an evaluation, the first process's for all; returns whether it is time to stop."""
        value = in_eval_mode(self.model, lambda: float(self.plan.evaluate(self.model)))
        value = broadcast_object_list([value])[0]
        enough = self.best.note(value, step, self.model)
        self.history.evaluations.append((step, value))
        self.history.best, self.history.best_step = self.best.value, self.best.step
        return enough

    def end(self, reason: str) -> None:
        """Restore the best weights if they were kept, and complete the record; reason: why it ended, if early."""
        history, done = self.history, len(self.history.losses)
        early = reason if done < self.plan.steps else ""
        restored = self.best.restore(self.model, done)
        history.ended = ", ".join(filter(None, (early, restored)))
        history.peak_mb, history.pieces = peak_mb(history.device), self.gradients.pieces

    def checkpoint(self) -> Checkpoint:
        """Return what keeps this run's whole state; it knows the run by its settings."""
        plan, parts = self.plan, self.parts()
        settings = {name: getattr(plan, name) for name in ("steps", "lr", "warmup", "weight_decay", "clip")}
        settings |= {"precision": self.history.dtype, "optimizer": type(self.optimizer.optimizer).__name__}
        settings |= {"the model": _shape(self.model)}
        return Checkpoint(plan.checkpoint, plan.checkpoint_every, settings, self.accelerator, parts)

    def parts(self) -> dict:
        """What a checkpoint keeps."""
        kept = {"model": self.model, "optimizer": self.optimizer, "schedule": self.schedule, "batches": self.batches}
        kept |= {"history": self.history, "best": self.best, "gradients": self.gradients}
        return kept | ({"scaler": self.accelerator.scaler} if self.accelerator.scaler else {})


def begun(plan: Plan, model: torch.nn.Module, batches, loss: Loss, optimizer: torch.optim.Optimizer | None) -> Run:
    """Return a run that has not made a step: the model on its device, all processes agreed."""
    accelerator = accelerator_for(plan.precision)
    model.to(accelerator.device)
    optimizer = optimizer or adamw(model, plan.lr, plan.weight_decay)
    whole = torch.compile(model) if plan.compile else model
    schedule = warmup_cosine(optimizer, plan.steps, plan.warmup)  # first: `prepare` keeps the step that it watches
    return Run(
        accelerator,
        model,
        accelerator.prepare(optimizer),
        schedule,
        Batches(batches, agree(accelerator, model)),
        Gradients(accelerator, whole, loss, plan.accumulate),
        _history(accelerator),
        Best(plan.patience),
        plan,
    )


@contextmanager
def at_rest_afterwards(run: Run):
    """However the run ends: the model in eval mode, no gradients left, the optimiser's first rates back."""
    run.model.train()
    try:
        yield
    finally:
        run.model.eval()
        run.model.zero_grad()
        for group in run.optimizer.param_groups:
            group["lr"] = group.pop("initial_lr")


def _finite(name: str, value: float, step: int, losses: list[float]) -> float:
    """Return a finite value; any other stops the run before it reaches the weights."""
    if math.isfinite(value):
        return value
    last = f"{losses[-1]:.4f}" if losses else "none"
    raise CourseError(f"the {name} is {value} at step {step} (last finite loss: {last}); {CAUSES}")


def _history(accelerator: Accelerator) -> History:
    device, mixed = accelerator.device.type, accelerator.mixed_precision
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    return History(device=device, dtype="fp32" if mixed == "no" else mixed, processes=accelerator.num_processes)


def _shape(model: torch.nn.Module) -> str:
    """Return a short name for the model's parts: their names, shapes and dtypes."""
    parts = [f"{name} {tuple(p.shape)} {p.dtype} {p.requires_grad}" for name, p in model.named_parameters()]
    return hashlib.sha256("\n".join([str(model), *parts]).encode()).hexdigest()[:8]
