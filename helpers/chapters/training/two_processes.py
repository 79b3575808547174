"""Training in one process or several, joined by PyTorch's gloo: run as a module, it is one of the processes."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn

from helpers.errors import CourseError

ROWS, LIMIT = 24, 120  # rows of a batch; seconds for all processes


def train_in_processes(processes: int, steps: int, seed: int) -> dict:
    """Return the "loss" of the last step and the "weights" (n,) after so many steps, shared by so many processes.

    Each process is a Python of its own and has its share of the rows of each batch; gradients are averaged by gloo.
    Raises CourseError with the last line of a process that failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", __name__, folder, str(processes), str(steps), str(seed)]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
        started = []
        for rank in range(processes):
            pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
            started.append(subprocess.Popen([*command, str(rank)], env=environment, **pipes))
        try:
            errors = [process.communicate(timeout=LIMIT)[1] for process in started]
        except subprocess.TimeoutExpired:
            raise CourseError(f"Two processes did not finish in {LIMIT} s.", "Run the cell again.") from None
        finally:
            for process in started:
                process.kill()
        for process, error in zip(started, errors, strict=True):
            if process.returncode:
                raise CourseError(f"A process failed: {error.strip().splitlines()[-1]}", "Run the cell again.")
        return torch.load(Path(folder, "result.pt"), weights_only=True)


def network(seed: int) -> nn.Module:
    """Return a small network from 8 to 1 numbers, in float64, the same for the same seed."""
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1)).double()


def batch(step: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (x (ROWS, 8), y (ROWS, 1)) of a step."""
    generator = torch.Generator().manual_seed(1000 * seed + step)
    x = torch.randn(ROWS, 8, generator=generator, dtype=torch.float64)
    return x, (x[:, :1] * x[:, 1:2]).sin()


def one_process(folder: str, processes: int, steps: int, seed: int, rank: int) -> None:
    """Take all steps with this process's rows; the first process writes what came of it."""
    file = Path(folder, "meeting").as_uri()
    dist.init_process_group("gloo", init_method=file, rank=rank, world_size=processes)
    model = network(seed)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(steps):
        x, y = (part.chunk(processes)[rank] for part in batch(step, seed))
        loss = (model(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        for p in model.parameters():
            dist.all_reduce(p.grad)
            p.grad /= processes
        optimizer.step()
        joint = loss.detach().clone()
        dist.all_reduce(joint)
    if rank == 0:
        weights = torch.cat([p.detach().flatten() for p in model.parameters()])
        torch.save({"loss": joint.item() / processes, "weights": weights}, Path(folder, "result.pt"))
    dist.destroy_process_group()


if __name__ == "__main__":
    one_process(sys.argv[1], *map(int, sys.argv[2:]))
