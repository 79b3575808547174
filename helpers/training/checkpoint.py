"""Checkpoints: the whole state of a run in a folder, so that a killed run can go on as if nothing had happened."""

import json
import shutil
from pathlib import Path

from accelerate import Accelerator

from helpers.errors import CourseError

RUN = "run.json"


class Checkpoints:
    """The checkpoints of one run, in `folder`/step-N; the newest complete one counts.

    A checkpoint is written beside its place and moved there by one rename: a kill in the middle leaves the one before.
    `run` describes the run in plain values; a folder that holds another run's checkpoint is refused. Once the run has
    ended the folder is emptied, so that the next call begins anew.
    """

    def __init__(self, folder: str | Path | None, every: int, run: dict):
        self.folder = Path(folder).expanduser() if folder else None
        self.every = every
        self.run = json.loads(json.dumps(run))

    def due(self, step: int) -> bool:
        """Whether a checkpoint is due after so many steps."""
        return self.folder is not None and step % self.every == 0

    def save(self, accelerator: Accelerator, step: int) -> None:
        """Write the state of all that `accelerator` has prepared or registered; every process calls it."""
        part, whole = self.folder / f".step-{step}.part", self.folder / f"step-{step}"
        if accelerator.is_main_process:
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            (part / RUN).write_text(json.dumps({**self.run, "step": step}), encoding="utf-8")
        accelerator.wait_for_everyone()
        accelerator.save_state(str(part))
        accelerator.wait_for_everyone()
        if accelerator.is_main_process:
            shutil.rmtree(whole, ignore_errors=True)
            part.rename(whole)
            self._remove(keep=whole)

    def resume(self, accelerator: Accelerator) -> int:
        """Load the newest checkpoint of this run, if there is one; returns the number of steps done."""
        found = self._newest()
        if found is None:
            return 0
        stored = json.loads((found / RUN).read_text(encoding="utf-8"))
        self._refuse_another(stored, found)
        accelerator.load_state(str(found))
        accelerator.print(f"Resuming at step {stored['step']} ({found}).")
        return stored["step"]

    def clear(self, accelerator: Accelerator) -> None:
        """Remove the checkpoints of a run that has ended."""
        accelerator.wait_for_everyone()
        if self.folder is not None and accelerator.is_main_process:
            self._remove(keep=None)

    def _newest(self) -> Path | None:
        found = [p for p in self._all() if (p / RUN).is_file()]
        return max(found, key=lambda p: int(p.name.removeprefix("step-")), default=None)

    def _all(self) -> list[Path]:
        return sorted(self.folder.glob("step-*")) if self.folder else []

    def _remove(self, keep: Path | None) -> None:
        for folder in [*self._all(), *self.folder.glob(".step-*.part")]:
            if folder != keep:
                shutil.rmtree(folder, ignore_errors=True)

    def _refuse_another(self, stored: dict, found: Path) -> None:
        for name, value in self.run.items():
            if stored.get(name) != value:
                raise CourseError(
                    f"{found} is a checkpoint of another run ({name} was {stored.get(name)}, now {value}). "
                    "Delete the folder to begin anew, or name another one."
                )
