"""A training step with chapter 09's LoRA beside peft's, on the docs-gpt: seconds and memory.

    python -m pytest tests/benchmarks/test_lora_speed.py -s

Rank 16 on all four projections, the same weights, rows and optimiser, turn by turn in one process.
"""

import time

import numpy as np
import peft
import torch

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.lora.adaptable_gpt import PROJECTIONS
from helpers.course.call_cost import usage

RANK, ROWS, LENGTH, TURNS = 16, 8, 128, 15


def step_of(model):
    """Return a function that makes one step of AdamW."""
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)

    def step(token_ids: torch.Tensor) -> None:
        optimizer.zero_grad()
        model(token_ids).logsumexp(-1).mean().backward()
        optimizer.step()

    return step


def test_seconds_and_memory_of_a_step_beside_peft():
    names = definitions(paths.source_text("09_lora"))
    torch.set_num_threads(1)
    torch.manual_seed(0)
    ours = names["put_lora"](names["opened"](), RANK, 2 * RANK)
    config = peft.LoraConfig(r=RANK, lora_alpha=2 * RANK, target_modules=list(PROJECTIONS))
    theirs = peft.get_peft_model(names["opened"](), config)
    counts = [sum(p.numel() for p in model.parameters() if p.requires_grad) for model in (ours, theirs)]
    assert counts[0] == counts[1]
    steps = {"by hand": step_of(ours), "peft": step_of(theirs)}
    token_ids = torch.randint(8000, (ROWS, LENGTH))
    held = {name: usage(step, token_ids).mb for name, step in steps.items()}
    seconds = {name: [] for name in steps}
    for turn in range(TURNS):
        for name in list(steps)[:: 1 if turn % 2 else -1]:
            start = time.process_time()
            steps[name](token_ids)
            seconds[name].append(time.process_time() - start)
    medians = {name: float(np.median(found)) for name, found in seconds.items()}
    print(f"\nrank {RANK}, {counts[0]:,} numbers trained, {ROWS} rows of {LENGTH} tokens")
    for name in steps:
        print(f"{name:<8}{1000 * medians[name]:>8.0f} ms of processor time a step, {held[name]:>7.1f} MB held at most")
    in_time, in_memory = (found["peft"] / found["by hand"] for found in (medians, held))
    print(f"peft / by hand: {in_time:.2f} in time, {in_memory:.2f} in memory")
