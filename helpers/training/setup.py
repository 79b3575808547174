"""What happens before the first step: the arguments are looked at, Accelerate is set up, the seed is agreed on."""

import torch
from accelerate import Accelerator, DataLoaderConfiguration
from accelerate.state import AcceleratorState, GradientState, PartialState
from accelerate.utils import broadcast_object_list

from helpers.device import best_device
from helpers.errors import CourseError
from helpers.training.precision import best_precision


def refuse_nonsense(steps: int, batches, **at_least_one: int | None) -> None:
    """Raise CourseError in one line for a run that cannot be."""
    many = len(batches) if hasattr(batches, "__len__") else 1
    if steps < 1 or many == 0:
        raise CourseError(f"fit needs at least one step and one batch; it got steps={steps}, {many} batches")
    for name, value in at_least_one.items():
        if value is not None and value < 1:
            raise CourseError(f"fit got {name}={value}; it must be at least 1")


def accelerator_for(precision: str, compile: bool) -> Accelerator:
    """Return a fresh Accelerator: on `best_device`, or on the device of this process where several were launched."""
    several = PartialState._shared_state != {} and PartialState().num_processes > 1
    AcceleratorState._reset_state(reset_partial_state=not several)  # a notebook calls fit many times
    GradientState._reset_state()
    device = best_device()
    chosen = best_precision(device, precision)
    return Accelerator(
        cpu=device == "cpu",
        mixed_precision="no" if chosen == "fp32" else chosen,
        dynamo_backend="inductor" if compile else "no",
        dataloader_config=DataLoaderConfiguration(
            split_batches=True
        ),  # one schedule step a step, however many processes
    )


def shared_seed() -> int:
    """Draw a seed from torch's random numbers; the first process's counts for all."""
    return broadcast_object_list([int(torch.randint(2**31, ()))])[0]
