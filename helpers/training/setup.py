"""What happens before the first step: the arguments are looked at, Accelerate is set up, the processes agree."""

import atexit
from collections.abc import Mapping

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState, GradientState, PartialState
from accelerate.utils import broadcast, broadcast_object_list

from helpers.device import best_device
from helpers.errors import CourseError
from helpers.training.precision import best_precision


def accelerator_for(precision: str) -> Accelerator:
    """Return a fresh Accelerator: on `best_device`, or on the device of this process where several were launched."""
    several = PartialState._shared_state != {} and PartialState().num_processes > 1
    AcceleratorState._reset_state(reset_partial_state=not several)  # a notebook calls fit many times
    GradientState._reset_state()
    device = best_device()
    chosen = best_precision(device, precision)
    accelerator = Accelerator(cpu=device == "cpu", mixed_precision="no" if chosen == "fp32" else chosen)
    if accelerator.num_processes > 1 and not several:
        atexit.register(_part)
    return accelerator


def _part() -> None:
    """Leave the group of processes in order: one that ends while its threads still talk is aborted."""
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def agree(accelerator: Accelerator, model: torch.nn.Module) -> int:
    """Give all processes the first one's weights and the seed of the batches, which is returned.

    Dropout must differ from process to process: they hold different rows of the same batch.
    """
    seed = broadcast_object_list([int(torch.randint(2**31, ()))])[0]
    if accelerator.num_processes > 1:
        broadcast([t.data for t in (*model.parameters(), *model.buffers())])
        torch.manual_seed(seed + accelerator.process_index)
    return seed


def refuse_nonsense(steps: int, lr: float, warmup: int, clip: float | None, **at_least_one: int | None) -> None:
    """Raise CourseError in one line for a run that cannot be."""
    for name, value in {"steps": steps, **at_least_one}.items():
        if value is not None and (int(value) != value or value < 1):
            raise CourseError(f"fit got {name}={value}; it must be a whole number of at least 1")
    if not 0 <= warmup <= steps:
        raise CourseError(f"fit got warmup={warmup}; it must lie between 0 and the {steps} steps")
    for name, value in {"lr": lr, "clip": clip}.items():
        if value is not None and not value > 0:
            raise CourseError(f"fit got {name}={value}; it must be above 0")


def refuse_unfit(batches, evaluate, patience: int | None) -> None:
    """Raise CourseError for what only looks like a source of batches, and for a patience with nothing to wait for."""
    single = isinstance(batches, (torch.Tensor, Mapping))
    single = single or (isinstance(batches, torch.utils.data.Dataset) and not isinstance(batches, list))
    if single or (isinstance(batches, tuple) and all(isinstance(item, torch.Tensor) for item in batches)):
        raise CourseError(
            f"fit got a {type(batches).__name__} as batches; for one batch write [(x, y)], for a Dataset a DataLoader"
        )
    try:
        empty = hasattr(batches, "__len__") and len(batches) == 0
    except TypeError:  # a DataLoader of an IterableDataset has no length
        empty = False
    if empty:
        raise CourseError("fit needs at least one batch; it got none")
    if patience and evaluate is None:
        raise CourseError("fit got a patience but no evaluate; give a function of the model that returns a number")
