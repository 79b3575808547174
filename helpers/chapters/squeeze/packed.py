"""The chapter's win: a GPT of fewer blocks, healed by its teacher, in a file of packed numbers."""

import copy
import time
from collections.abc import Callable

import numpy as np
import torch
from safetensors.torch import save
from torch import nn

from helpers.experiments import smaller
from helpers.experiments.token_rows import drawn
from helpers.models.gpt import GPT


def first_blocks(model: GPT, blocks: int) -> GPT:
    """Return a copy of a GPT with its first blocks alone."""
    made = copy.deepcopy(model)
    made.blocks = nn.ModuleList(made.blocks[:blocks])
    return made


def healed(student: GPT, teacher: GPT, rows: torch.Tensor, loss: Callable, steps: int, alpha: float = 0.5) -> GPT:
    """Return the student after some steps of AdamW on loss(student, teacher, labels, T, alpha), the exercise's.

    With alpha = 0 it hears nothing of the teacher and learns from the texts alone.
    """
    optimiser = torch.optim.AdamW(student.requires_grad_(True).parameters(), lr=5e-4, weight_decay=0.0)
    batch = drawn([rows.to(student.token_embedding.weight.device)], 8, steps)
    for step in range(steps):
        ids = batch(step)[0]
        with torch.no_grad():
            told = teacher(ids)[:, :-1].flatten(0, 1)
        optimiser.zero_grad()
        loss(student(ids)[:, :-1].flatten(0, 1), told, ids[:, 1:].flatten(), 2.0, alpha).backward()
        optimiser.step()
    return student.eval().requires_grad_(False)


def file_of(model: GPT, to_bits: Callable, pack: Callable) -> bytes:
    """Return a file of a GPT: its matrices in four bits, two numbers to a byte, scales and the rest in float16."""
    parts = {}
    for name, value in model.state_dict().items():
        if value.dim() == 2:
            q, scales = to_bits(value.cpu(), 4)
            parts |= {f"{name}.packed": pack(q), f"{name}.scales": scales.half()}
        else:
            parts[name] = value.cpu().half()
    return save({name: value.contiguous() for name, value in parts.items()})


def opened(file: bytes, like: GPT, unpack: Callable) -> GPT:
    """Return the GPT that a file holds, in float32 again; `like` has its sizes."""
    from safetensors.torch import load

    parts, made = load(file), copy.deepcopy(like)
    state = {name: value.float() for name, value in parts.items() if not name.endswith((".packed", ".scales"))}
    for name, value in parts.items():
        if name.endswith(".packed"):
            matrix = name.removesuffix(".packed")
            state[matrix] = unpack(value) * parts[f"{matrix}.scales"].float()
    made.load_state_dict(state)
    return made.eval()


def float32_file(model: GPT) -> bytes:
    """Return the file of a GPT as it is."""
    return save({name: value.cpu().contiguous() for name, value in model.state_dict().items()})


@torch.no_grad()
def written(model: GPT, prompt: list[int], choose: Callable, max_new_tokens: int) -> tuple[list[int], float]:
    """Return (prompt and what follows, tokens a second), with a cache; choose: (logits (V,)) -> the next id."""
    ids, caches, start = list(prompt), [], time.perf_counter()
    device = model.token_embedding.weight.device
    for i in range(max_new_tokens):
        new = torch.tensor([ids[-1:] if i else ids], device=device)
        ids.append(int(choose(model.step(new, caches)[0].cpu())))
    return ids, max_new_tokens / (time.perf_counter() - start)


def speeds(models: dict[str, GPT], prompt: list[int], max_new_tokens: int, rounds: int = 5) -> dict[str, float]:
    """Return tokens a second of each model, greedy; the median of rounds in which they take turns."""
    found = {name: [] for name in models}
    for _ in range(rounds):
        for name, model in models.items():
            found[name].append(written(model, prompt, torch.argmax, max_new_tokens)[1])
    return {name: float(np.median(values)) for name, values in found.items()}


def table(models: dict[str, GPT], files: dict[str, bytes], fast: dict[str, float], rows: torch.Tensor) -> str:
    """Return a table of the models: megabytes of the file, nats a token, tokens a second, each beside the first's."""
    lines, first = (
        [f"{'':<30}{'MB':>7}{'of it':>8}{'nats a token':>14}{'tokens/s':>10}{'times':>7}"],
        next(iter(models)),
    )
    for name, model in models.items():
        size, speed = len(files[name]), fast[name]
        share = f"1/{len(files[first]) / size:.1f}"
        lines.append(
            f"{name:<30}{size / 1e6:>7.2f}{share:>8}{smaller.nats(model, rows):>14.3f}{speed:>10,.0f}"
            f"{speed / fast[first]:>7.2f}"
        )
    return "\n".join(lines)
