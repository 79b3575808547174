"""The one training loop of the course, on Accelerate: CPU, CUDA, MPS, one process or several."""

import sys
from pathlib import Path

import torch
from tqdm import tqdm

from helpers.training.checkpoint import Checkpoint
from helpers.training.gradients import Loss
from helpers.training.history import History
from helpers.training.pace import ADVICE, Pace
from helpers.training.run import Evaluate, Plan, Run, at_rest_afterwards, begun


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
    precision: str = "fp32",
    compile: bool = False,
    evaluate: Evaluate | None = None,
    evaluate_every: int = 100,
    patience: int | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_every: int = 100,
    progress: bool = True,
) -> History:
    """Train a model for so many steps; returns the History. The model is changed in place and left in eval mode.

    A run that would take longer than pace.LONGEST ends early and says why; see helpers/training/pace.py.

    Args:
        model, batches: a torch module; a list of batches, a DataLoader, or a function from the step to a batch. A batch
            is a tensor, or a tuple or dict of tensors, rows first. Several processes share the rows of each batch.
        loss: takes (model, batch) and returns the mean loss over the batch's rows, a scalar.
        steps: batches to learn from, going round and round, in an order that follows from the seed.
        lr, warmup: the rate rises to lr for `warmup` steps (5% of them if None) and falls along a cosine.
        weight_decay, clip: AdamW's decay, on matrices only; the largest gradient norm (None for sparse gradients).
        optimizer: one of your own in place of AdamW; `lr` and `weight_decay` are then its own.
        accumulate: pieces of a batch whose gradients are added up; doubles by itself where the memory is short.
        precision, compile: "fp32", in which a loss and a model made of students' functions get what they were checked
            with; "auto" (see `best_precision`), "bf16" or "fp16" compute under autocast; whether to use torch.compile.
        evaluate: takes the model and returns a number, lower is better; called every `evaluate_every` steps.
        patience: stop after so many evaluations in a row without a new best; the best weights are restored.
        checkpoint: a file that keeps the run's state every `checkpoint_every` steps; a killed run goes on from there.
        progress: whether to show the bar with loss, speed and time left.

    Raises:
        CourseError: nothing to train on; a loss or gradient that is not finite (with the step and the usual causes);
            memory that does not suffice for a single row; a checkpoint of another run.
    """
    warmup = int(steps // 20 if warmup is None else warmup)
    plan = Plan(
        steps=steps,
        lr=lr,
        warmup=warmup,
        weight_decay=weight_decay,
        clip=clip,
        accumulate=accumulate,
        precision=precision,
        compile=compile,
        evaluate=evaluate,
        evaluate_every=evaluate_every,
        patience=patience,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
    ).checked(batches)
    run = begun(plan, model, batches, loss, optimizer)
    saved = run.checkpoint()
    with at_rest_afterwards(run):
        first = saved.resume()
        run.batches.skip(first)
        too_slow = _take_steps(run, saved, first, progress)
        run.end(too_slow or "stopped early")
    if too_slow:
        print(f"Training {too_slow}.", ADVICE, sep="\n")
    else:
        saved.clear()
    return run.history


def _take_steps(run: Run, saved: Checkpoint, first: int, progress: bool) -> str:
    """Take a run's steps from `first` on; returns why it was too slow to go on, "" if it was not."""
    plan, pace = run.plan, Pace(run.plan.steps - first)
    alone = run.accelerator.num_processes == 1  # several processes end together or not at all
    with _bar(run, first, progress) as bar:
        for step in range(first, plan.steps):
            run.step(step)
            bar.set_postfix_str(f"loss {run.history.losses[-1]:.4f}, {run.history.speed}", refresh=False)
            bar.update()
            if plan.due(step + 1) and run.evaluate(step + 1):
                break
            saved.save(step + 1)
            if alone and pace.step_done():
                break
    return pace.too_slow


def _bar(run: Run, first: int, progress: bool) -> tqdm:
    """A progress bar on stdout (a notebook paints stderr red), of the first process alone."""
    quiet = not (progress and run.accelerator.is_main_process)
    options = {"unit": " steps", "leave": False, "file": sys.stdout, "mininterval": 0.5, "disable": quiet}
    return tqdm(total=run.plan.steps, initial=first, desc="training", **options)
