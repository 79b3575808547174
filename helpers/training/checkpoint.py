"""Checkpoints: the whole state of a run in one file, so that a killed run can go on as if nothing had happened."""

import io
import pickle
from pathlib import Path
from typing import Protocol

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object

from helpers.errors import CourseError
from helpers.files import write_whole
from helpers.training.random_state import plain, restore, state, unplain


class Stateful(Protocol):
    """What a checkpoint can keep: a model, an optimizer, and our own parts."""

    def state_dict(self) -> dict: ...

    def load_state_dict(self, stored: dict) -> object: ...


class Checkpoint:
    """The checkpoint of one run, in the file `path`; with None there is none.

    It is written beside its place and moved there at once: a kill in the middle leaves the one before. `settings`
    describes the run in plain values; another run's file is refused. Once the run has ended the file is removed,
    so that the next call begins anew.
    """

    def __init__(self, path: str | Path | None, every: int, settings: dict, accelerator: Accelerator, parts: dict):
        self.path = Path(path).expanduser().resolve() if path else None  # a later chdir must not move it
        self.every, self.settings, self.accelerator = every, settings, accelerator
        self.parts: dict[str, Stateful] = parts

    def save(self, step: int) -> None:
        """Write the state after `step` steps, if one is due; every process calls it."""
        if self.path is None or step % self.every:
            return
        numbers = gather_object([plain(state())])  # each process draws its own dropout
        if self.accelerator.is_main_process:
            content = {name: part.state_dict() for name, part in self.parts.items()}
            self._write({**content, "settings": self.settings, "step": step, "numbers": numbers})

    def _write(self, content: dict) -> None:
        stream = io.BytesIO()
        torch.save(content, stream)
        try:
            write_whole(self.path, stream.getvalue())
        except OSError as error:
            print(
                f"No checkpoint at step {content['step']}: {self.path} cannot be written ({error.strerror or error})."
            )

    def resume(self) -> int:
        """Take up the run where its checkpoint left it; returns the number of steps done, 0 without one."""
        if self.path is None or not self.path.exists():
            return 0
        stored = self._read()
        self._refuse_another(stored["settings"])
        for name, part in self.parts.items():
            part.load_state_dict(stored[name])
        numbers, mine = stored["numbers"], self.accelerator.process_index
        restore(unplain(numbers[mine] if mine < len(numbers) else numbers[0]))
        self.accelerator.print(f"Resuming at step {stored['step']} ({self.path}).")
        return stored["step"]

    def _read(self) -> dict:
        try:
            return torch.load(self.path, map_location="cpu", weights_only=True)
        except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
            raise CourseError(f"{self.path} is no checkpoint, or damaged; delete it to begin anew") from error

    def _refuse_another(self, stored: dict) -> None:
        for name, value in self.settings.items():
            if stored.get(name) != value:
                raise CourseError(
                    f"{self.path} is the checkpoint of another run ({name} was {stored.get(name)}, now {value}). "
                    "Delete it to begin anew, or name another file."
                )

    def clear(self) -> None:
        """Remove the checkpoint of a run that has ended, and what a kill in the middle of writing has left."""
        self.accelerator.wait_for_everyone()
        if self.path is not None and self.accelerator.is_main_process:
            for file in (*self.path.parent.glob(f".{self.path.name}.*.part"), self.path):
                if file.exists():
                    file.unlink()
        self.accelerator.wait_for_everyone()
