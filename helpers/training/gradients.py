"""The gradients of one batch: in one piece, in several where memory is short, or shared among processes."""

from collections.abc import Callable

import torch
from accelerate import Accelerator
from accelerate.utils import send_to_device
from accelerate.utils.memory import should_reduce_batch_size

from helpers.errors import CourseError
from helpers.training.batches import cut, rows_of
from helpers.training.out_of_memory import more_pieces

Loss = Callable[[torch.nn.Module, object], torch.Tensor]


class Gradients:
    """Finds the gradients of `loss` on a batch and leaves them in the model's parameters.

    `pieces` is how many pieces each batch is cut into; it doubles when the memory does not suffice.
    """

    def __init__(self, accelerator: Accelerator, model: torch.nn.Module, loss: Loss, pieces: int):
        self.accelerator, self.model, self.loss, self.pieces = accelerator, model, loss, pieces

    def of(self, batch) -> float:
        """Return the mean loss over the rows of a batch, its gradients in `.grad`."""
        while True:
            self.model.zero_grad()  # also what others have left there
            try:
                return self._backward(batch)
            except RuntimeError as error:
                if not should_reduce_batch_size(error):
                    raise
            # Here, not above: the error holds on to the tensors of the failed try.
            self.model.zero_grad()
            self.pieces = more_pieces(self.pieces, rows_of(batch), self.accelerator.num_processes)

    def _backward(self, batch) -> float:
        """Add up the gradients of this process's pieces, then those of all processes."""
        accelerator, rows = self.accelerator, rows_of(batch)
        if rows < accelerator.num_processes:
            raise CourseError(f"a batch of {rows} rows is too small to share; drop it (drop_last=True)")
        mine = cut(batch, accelerator.num_processes)[accelerator.process_index]
        total = torch.zeros((), device=accelerator.device)
        for piece in cut(mine, min(self.pieces, rows_of(mine))):
            with accelerator.autocast():
                value = _checked(self.loss(self.model, send_to_device(piece, accelerator.device)))
            share = rows_of(piece) / rows
            accelerator.backward(value * share)
            total += value.detach() * share
        if accelerator.num_processes > 1:
            self._exchange()
        return accelerator.reduce(total, "sum").item()

    def _exchange(self) -> None:
        """Give every process the sum of all processes' gradients; a parameter that none has used keeps None."""
        learned = [p for p in self.model.parameters() if p.requires_grad]
        used = torch.tensor([p.grad is not None for p in learned], device=self.accelerator.device).float()
        for parameter, users in zip(learned, self.accelerator.reduce(used, "sum").tolist(), strict=True):
            if users:
                own = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
                parameter.grad = self.accelerator.reduce(own, "sum")

    def state_dict(self) -> dict:
        """What a checkpoint keeps."""
        return {"pieces": self.pieces}

    def load_state_dict(self, stored: dict) -> None:
        """Take what a checkpoint kept: memory that was short is short again."""
        self.pieces = max(self.pieces, stored["pieces"])


def _checked(value) -> torch.Tensor:
    """Return the loss if one can learn from it."""
    if isinstance(value, torch.Tensor) and value.dim() == 0 and value.requires_grad and not value.is_complex():
        return value
    shape = f" of shape {tuple(value.shape)}" if isinstance(value, torch.Tensor) else ""
    loose = " without a gradient" if shape and not value.requires_grad else ""
    raise CourseError(
        f"loss must return a scalar tensor that depends on the model; it gave a {type(value).__name__}{shape}{loose}"
    )
