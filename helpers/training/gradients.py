"""The gradients of one batch: in one piece, in several where memory is short, or shared among processes."""

import math
import sys
from contextlib import nullcontext

import torch
from accelerate.utils import send_to_device
from accelerate.utils.memory import clear_device_cache, should_reduce_batch_size
from tqdm import tqdm

from helpers.errors import CourseError
from helpers.training.batches import cut, rows_of


def gradients(run, batch) -> float:
    """Add up the gradients of one batch; when the memory does not suffice, in twice as many pieces."""
    while True:
        try:
            return _backward(run, batch)
        except RuntimeError as error:
            if not should_reduce_batch_size(error):
                raise
        # Here, not above: the error holds on to the tensors of the failed try.
        _halve(run, rows_of(batch))


def _backward(run, batch) -> float:
    """Return the mean loss over the rows of a batch, having added up the gradients of its pieces."""
    accelerator, processes, rows = run.accelerator, run.accelerator.num_processes, rows_of(batch)
    if rows < processes:
        raise CourseError(
            f"a batch of {rows} rows cannot be shared among {processes} processes; drop it (drop_last=True)"
        )
    mine = cut(batch, processes)[accelerator.process_index]
    pieces = cut(mine, min(run.history.pieces, rows_of(mine)))
    total = torch.zeros((), device=accelerator.device)
    for number, piece in enumerate(pieces, start=1):
        share = rows_of(piece) / rows
        # Gradients are exchanged once, with the last piece, and then averaged over the processes.
        with nullcontext() if number == len(pieces) else accelerator.no_sync(run.model):
            value = run.loss(run.model, send_to_device(piece, accelerator.device))
            accelerator.backward(value * (share * processes))
        total += value.detach() * share
    return accelerator.reduce(total, "sum").item()


def _halve(run, rows: int) -> None:
    """Half as many rows at a time from now on; the batch of this step is tried again."""
    run.optimizer.zero_grad()
    clear_device_cache(garbage_collection=True)
    pieces, processes = run.history.pieces, run.accelerator.num_processes
    if processes > 1:
        raise CourseError(
            f"out of memory in one of {processes} processes; take smaller batches or accumulate={2 * pieces}"
        )
    if pieces >= rows:
        raise CourseError("out of memory even with one row at a time; take a smaller model or a shorter context")
    run.history.pieces = 2 * pieces
    tqdm.write(f"Out of memory: each batch is now cut into {2 * pieces} pieces.", file=sys.stdout)


def finite(value: float, step: int, losses: list[float]) -> float:
    """Return the loss if it is finite; otherwise stop the run with the step and the usual causes."""
    if math.isfinite(value):
        return value
    last = f"{losses[-1]:.4f}" if losses else "none"
    raise CourseError(
        f"the loss is {value} at step {step} (last finite one: {last}); usual causes: a learning rate too large, "
        "the logarithm of zero, a division by zero in the inputs"
    )
