"""The one training loop of the course, on Accelerate: CPU, CUDA, MPS, one process or several."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import send_to_device
from tqdm import tqdm

from helpers.device import peak_mb
from helpers.training.batches import Batches, aside, count_tokens, rows_of
from helpers.training.checkpoint import Checkpoints
from helpers.training.early import Best
from helpers.training.gradients import finite, gradients
from helpers.training.history import History
from helpers.training.optim import adamw, warmup_cosine
from helpers.training.setup import accelerator_for, refuse_nonsense, shared_seed

Loss = Callable[[torch.nn.Module, object], torch.Tensor]


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
    evaluate: Callable[[torch.nn.Module], float] | None = None,
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
            of every batch, so that the result is that of one process.
        loss: takes (model, batch) and returns the mean loss over the batch's rows, a scalar.
        steps: how many batches to learn from, going round and round.
        lr: the highest learning rate; it rises for `warmup` steps (5% of them if None) and falls along a cosine.
        weight_decay: AdamW's decay, on matrices only.
        clip: the largest gradient norm; None neither clips nor records it.
        optimizer: one of your own in place of AdamW; `lr` and `weight_decay` are then its own.
        accumulate: cut each batch into so many pieces and add up their gradients: less memory, the same step for a
            loss that is a mean over rows. Doubled by itself when the memory does not suffice.
        precision: "auto" (see `best_precision`), "fp32", "bf16" or "fp16".
        compile: whether to use torch.compile (pays on long runs).
        evaluate: takes the model, in eval mode and without gradients, and returns a number, lower is better;
            called every `evaluate_every` steps and after the last. It changes nothing in the training.
        patience: stop after so many evaluations in a row without a new best; the best weights are restored.
        checkpoint: a folder; the run's whole state is kept there every `checkpoint_every` steps, and a run that was
            killed goes on from there when it is called again. Emptied when the run has ended.
        progress: whether to show the bar with loss, tokens per second and time left.

    Raises:
        CourseError: nothing to train on; a loss that is not finite (with the step and the usual causes); memory
            that does not suffice for a single row; a checkpoint of another run.
    """
    warmup = steps // 20 if warmup is None else warmup
    every = {"evaluate_every": evaluate_every, "checkpoint_every": checkpoint_every}
    refuse_nonsense(steps, batches, accumulate=accumulate, patience=patience, **every)
    accelerator = accelerator_for(precision, compile)
    model.to(accelerator.device).train()
    optimizer = optimizer or adamw(model, lr, weight_decay)
    settings = {"steps": steps, "lr": lr, "warmup": warmup, "weights": sum(p.numel() for p in model.parameters())}
    run = _Run(
        accelerator,
        *accelerator.prepare(model, optimizer, warmup_cosine(optimizer, steps, warmup)),
        loss=loss,
        batches=Batches(batches, shared_seed()),
        history=_history(accelerator, accumulate),
        best=Best(patience),
        steps=steps,
        clip=clip,
        evaluate=evaluate,
        evaluate_every=evaluate_every,
    )
    saved = Checkpoints(checkpoint, checkpoint_every, settings)
    accelerator.register_for_checkpointing(run.batches, run.history, run.best)
    try:
        first = saved.resume(accelerator)
        with _bar(accelerator, first, steps, progress) as bar:
            _train(run, first, saved, bar)
        run.best.restore(model)
    finally:
        accelerator.unwrap_model(run.model, keep_fp32_wrapper=False, keep_torch_compile=False)
        model.eval()
    saved.clear(accelerator)
    return run.history


@dataclass
class _Run:
    """What a step needs, and what a checkpoint keeps."""

    accelerator: Accelerator
    model: torch.nn.Module
    optimizer: torch.optim.Optimizer
    schedule: object
    loss: Loss
    batches: Batches
    history: History
    best: Best
    steps: int
    clip: float | None
    evaluate: Callable[[torch.nn.Module], float] | None
    evaluate_every: int


def _train(run: _Run, first: int, saved: Checkpoints, bar: tqdm) -> None:
    """The loop itself: a step and its record; evaluation and checkpoint when due."""
    for step in range(first, run.steps):
        _step(run, step)
        bar.set_postfix_str(_postfix(run.history), refresh=False)
        bar.update()
        if run.evaluate and ((step + 1) % run.evaluate_every == 0 or step + 1 == run.steps):
            _evaluate(run, step + 1)
        if run.history.stopped:
            return
        if saved.due(step + 1):
            saved.save(run.accelerator, step + 1)


def _step(run: _Run, step: int) -> None:
    """One step: gradients of a batch, clipped; then the optimiser and the schedule move on."""
    start, history = time.perf_counter(), run.history
    batch = run.batches.draw(step)
    value = gradients(run, batch)
    history.losses.append(finite(value, step, history.losses))
    history.lrs.append(run.optimizer.param_groups[0]["lr"])
    if run.clip is not None:
        norm = run.accelerator.clip_grad_norm_(run.model.parameters(), run.clip)
        history.norms.append(norm.item())
    run.optimizer.step()
    run.schedule.step()
    run.optimizer.zero_grad()
    history.tokens += count_tokens(batch)
    history.seconds += time.perf_counter() - start
    if step % 50 == 0 or step + 1 == run.steps:
        history.peak_mb = max(history.peak_mb, peak_mb(history.device))


def _evaluate(run: _Run, step: int) -> None:
    """Record an evaluation; say why to stop if it is time."""
    model = run.accelerator.unwrap_model(run.model)
    value = _in_eval_mode(model, lambda: float(run.evaluate(model)))
    history = run.history
    history.evaluations.append((step, value))
    if value <= history.best:
        history.best_step = step
    if run.best.enough(value, step, model):
        history.stopped = f"stopped early, weights of step {run.best.step} restored"


def _in_eval_mode(model: torch.nn.Module, action: Callable):
    """Call `action` with the model in eval mode, without gradients, random numbers put back after."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad(), aside():
            return action()
    finally:
        model.train(was_training)


def _history(accelerator: Accelerator, pieces: int) -> History:
    dtype = {"no": "fp32"}.get(accelerator.mixed_precision, accelerator.mixed_precision)
    device = accelerator.device.type
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    return History(device=device, dtype=dtype, processes=accelerator.num_processes, pieces=pieces)


def _bar(accelerator: Accelerator, first: int, steps: int, progress: bool) -> tqdm:
    """A progress bar on stdout (a notebook paints stderr red), of the first process alone."""
    quiet = not (progress and accelerator.is_main_process)
    return tqdm(
        total=steps, desc="training", unit=" steps", leave=False, file=sys.stdout, mininterval=0.5, disable=quiet
    )


def _postfix(history: History) -> str:
    return f"loss {history.losses[-1]:.4f}, {history.tokens_per_second:,.0f} tokens/s"


def mean_loss(model: torch.nn.Module, batches, loss: Loss) -> float:
    """Return the mean loss over the rows of all batches, without gradients: an `evaluate` for `fit`."""
    device = next(model.parameters()).device

    def total() -> float:
        pairs = [(rows_of(b), loss(model, send_to_device(b, device)).item()) for b in batches]
        return sum(rows * value for rows, value in pairs) / sum(rows for rows, _ in pairs)

    return _in_eval_mode(model, total)
