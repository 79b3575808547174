"""The one training loop of the course, on Accelerate: CPU, CUDA, MPS, one process or several."""

import hashlib
import math
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import broadcast_object_list, send_to_device
from tqdm import tqdm

from helpers.device import peak_mb
from helpers.errors import CourseError
from helpers.training.batches import Batches, count, rows_of
from helpers.training.checkpoint import Checkpoint
from helpers.training.early_stopping import Best
from helpers.training.gradients import Gradients, Loss
from helpers.training.history import History
from helpers.training.optim import adamw, warmup_cosine
from helpers.training.random_state import aside
from helpers.training.setup import accelerator_for, agree, refuse_nonsense, refuse_unfit

Evaluate = Callable[[torch.nn.Module], float]
CAUSES = "usual causes: a learning rate too large, the logarithm of zero, a division by zero (or the root of it)"


def fit(
    model: torch.nn.Module,
    batches,
    loss: Loss,
    *,
    steps: int,
    lr: float = 1e-3,
    warmup: int | None = None,
    weight_decay: float = 0.01,
    clip: float | None = 1.0,
    optimizer: torch.optim.Optimizer | None = None,
    accumulate: int = 1,
    precision: str = "auto",
    compile: bool = False,
    evaluate: Evaluate | None = None,
    evaluate_every: int = 100,
    patience: int | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_every: int = 100,
    progress: bool = True,
) -> History:
    """Train a model for so many steps; returns the History. The model is changed in place and left in eval mode.

    Args:
        model: any torch module.
        batches: a list of batches, a DataLoader, or a function from the step to a batch. A batch is a tensor, or a
            tuple or dict of tensors, with the rows first. With several processes each takes its share of the rows
            of every batch, so that the result is that of one process (dropout and batch statistics apart).
        loss: takes (model, batch) and returns the mean loss over the batch's rows, a scalar.
        steps: how many batches to learn from, going round and round, in an order that follows from the seed.
        lr: the highest learning rate; it rises for `warmup` steps (5% of them if None) and falls along a cosine.
        weight_decay: AdamW's decay, on matrices only.
        clip: the largest gradient norm; None neither clips nor records it (sparse gradients have no norm).
        optimizer: one of your own in place of AdamW; `lr` and `weight_decay` are then its own.
        accumulate: cut each batch into so many pieces and add up their gradients: less memory, the same step for a
            loss that is a mean over rows. In one process it doubles by itself when the memory does not suffice.
        precision: "auto" (see `best_precision`), "fp32", "bf16" or "fp16".
        compile: whether to use torch.compile (pays on long runs).
        evaluate: takes the model, in eval mode and without gradients, and returns a number, lower is better;
            called every `evaluate_every` steps and after the last. It changes nothing in the training.
        patience: stop after so many evaluations in a row without a new best; the best weights are restored.
        checkpoint: a file; the run's whole state is kept there every `checkpoint_every` steps, and a run that was
            killed goes on from there when it is called again. Exact if the batches depend on nothing but the
            step, the global random numbers and a DataLoader's generator. Removed when the run has ended.
        progress: whether to show the bar with loss, speed and time left.

    Raises:
        CourseError: nothing to train on; a loss or gradient that is not finite (with the step and the usual causes);
            memory that does not suffice for a single row; a checkpoint of another run.
    """
    warmup = int(steps // 20 if warmup is None else warmup)
    every = {"evaluate_every": evaluate_every, "checkpoint_every": checkpoint_every}
    refuse_nonsense(steps, lr, warmup, clip, accumulate=accumulate, patience=patience, **every)
    refuse_unfit(batches, evaluate, patience)
    steps, lr = int(steps), float(lr)
    accelerator = accelerator_for(precision)
    model.to(accelerator.device)
    optimizer = optimizer or adamw(model, lr, weight_decay)
    whole = torch.compile(model) if compile else model
    run = Run(
        accelerator,
        model,
        accelerator.prepare(optimizer),
        warmup_cosine(optimizer, steps, warmup),
        Batches(batches, agree(accelerator, model)),
        Gradients(accelerator, whole, loss, accumulate),
        _history(accelerator),
        Best(patience),
        clip,
    )
    settings = {"steps": steps, "lr": lr, "warmup": warmup, "weight_decay": weight_decay, "clip": clip}
    settings |= {"precision": run.history.dtype, "optimizer": type(optimizer).__name__, "the model": _shape(model)}
    saved = Checkpoint(checkpoint, checkpoint_every, settings, accelerator, run.parts())
    with _afterwards_at_rest(model, optimizer):
        first = saved.resume()
        run.batches.skip(first)
        with _bar(accelerator, first, steps, progress) as bar:
            for step in range(first, steps):
                run.step(step)
                bar.set_postfix_str(f"loss {run.history.losses[-1]:.4f}, {run.history.speed}", refresh=False)
                bar.update()
                due = (step + 1) % evaluate_every == 0 or step + 1 == steps
                if evaluate and due and run.evaluate(evaluate, step + 1):
                    break
                saved.save(step + 1)
        run.end(steps)
    saved.clear()
    return run.history


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
    clip: float | None

    def step(self, step: int) -> None:
        """One step: gradients of a batch, clipped; then the optimiser and the schedule move on."""
        start, history = time.perf_counter(), self.history
        batch = self.batches.draw(step)
        history.losses.append(_finite("loss", self.gradients.of(batch), step, history.losses))
        history.lrs.append(self.optimizer.param_groups[0]["lr"])
        if self.clip is not None:
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
        norm = self.accelerator.clip_grad_norm_(learned, self.clip).item()
        return norm if self.accelerator.scaler else _finite("gradient norm", norm, step, self.history.losses)

    def evaluate(self, evaluate: Evaluate, step: int) -> bool:
        """Record an evaluation, the first process's for all; returns whether it is time to stop."""
        value = _in_eval_mode(self.model, lambda: float(evaluate(self.model)))
        value = broadcast_object_list([value])[0]
        enough = self.best.note(value, step, self.model)
        self.history.evaluations.append((step, value))
        self.history.best, self.history.best_step = self.best.value, self.best.step
        return enough

    def end(self, steps: int) -> None:
        """Restore the best weights if they were kept, and complete the record."""
        history, done = self.history, len(self.history.losses)
        said = ("stopped early" if done < steps else "", self.best.restore(self.model, done))
        history.ended = ", ".join(words for words in said if words)
        history.peak_mb, history.pieces = peak_mb(history.device), self.gradients.pieces

    def parts(self) -> dict:
        """What a checkpoint keeps."""
        kept = {"model": self.model, "optimizer": self.optimizer, "schedule": self.schedule, "batches": self.batches}
        kept |= {"history": self.history, "best": self.best, "gradients": self.gradients}
        return kept | ({"scaler": self.accelerator.scaler} if self.accelerator.scaler else {})


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


@contextmanager
def _afterwards_at_rest(model: torch.nn.Module, optimizer: torch.optim.Optimizer):
    """However the run ends: the model in eval mode, no gradients left, the optimiser's first rates back."""
    model.train()
    try:
        yield
    finally:
        model.eval()
        model.zero_grad()
        for group in optimizer.param_groups:
            group["lr"] = group.pop("initial_lr")


def _bar(accelerator: Accelerator, first: int, steps: int, progress: bool) -> tqdm:
    """A progress bar on stdout (a notebook paints stderr red), of the first process alone."""
    quiet = not (progress and accelerator.is_main_process)
    options = {"unit": " steps", "leave": False, "file": sys.stdout, "mininterval": 0.5, "disable": quiet}
    return tqdm(total=steps, initial=first, desc="training", **options)


def mean_loss(model: torch.nn.Module, batches, loss: Loss) -> float:
    """Return the mean loss over the rows of all batches, without gradients: an `evaluate` for `fit`."""
    device = next((p.device for p in model.parameters()), torch.device("cpu"))

    def total() -> float:
        pairs = [(rows_of(b), loss(model, send_to_device(b, device)).item()) for b in batches]
        if not pairs:
            raise CourseError("mean_loss needs at least one batch; it got none (is it a used generator?)")
        return sum(rows * value for rows, value in pairs) / sum(rows for rows, _ in pairs)

    return _in_eval_mode(model, total)


def _in_eval_mode(model: torch.nn.Module, action: Callable[[], float]) -> float:
    """Call `action` with the model in eval mode and without gradients; modes and random numbers are put back after."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad(), aside():
            return action()
    finally:
        for module, training in modes.items():
            module.training = training
