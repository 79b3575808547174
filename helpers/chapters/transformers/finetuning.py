"""Fine-tuning an encoder with a head on few labelled examples, from several starts and with several seeds."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from helpers.chapters.transformers.bert import Encoder, Headed
from helpers.chapters.transformers.inbox_tasks import Task, without_padding
from helpers.chapters.transformers.packing import pack_texts
from helpers.course import leaderboard
from helpers.device import SEED, seed_everything
from helpers.training import fit

BATCH = 16
TESTED = 400  # test rows that a comparison looks at, and that are judged at once
# Of the sorter: rows of a batch, passes over the texts, steps, learning rate.
ROWS, PASSES, SORTING_RATE = 32, 12, 2e-3
MIN_STEPS, MAX_STEPS = 100, 450
RECORDED = Path(__file__).with_name("recorded.json")  # scores by seed, of the claims in solutions/measured.json


def task_loss(model: Headed, batch: tuple) -> torch.Tensor:
    """Return the mean cross-entropy over all labels of a batch: (B,), or (B, T) for tags, or (B, 2) for a span."""
    token_ids, segments, labels = batch
    logits = model(token_ids, segments)
    if logits.dim() == 3 and labels.shape[1] == 2:
        logits = logits.transpose(1, 2).masked_fill((segments == 0)[:, None], -1e4)  # (B, 2, T)
    return F.cross_entropy(logits.flatten(0, -2), labels.flatten(), ignore_index=-100)


def fine_tune(
    task: Task,
    fresh: Callable[[], Encoder],
    start: Encoder | None,
    seed: int,
    examples: int,
    steps: int,
    lr: float | None = None,
    size: int = BATCH,
) -> Headed:
    """Return a model fine-tuned on so many labelled examples, drawn by the seed.

    fresh: makes an encoder with random weights. start: the encoder whose weights it begins with; None keeps the random
    ones. lr: the task's own unless given. size: the rows of a batch.
    """
    seed_everything(seed)
    model = Headed(fresh(), task.outputs, task.whole)
    if start is not None:
        model.encoder.load_state_dict(start.state_dict())
    rows = torch.randperm(len(task.learned[0]))[:examples]
    order = torch.cat([torch.randperm(len(rows)) for _ in range(size * steps // len(rows) + 1)])

    def batch(step):
        return without_padding(tuple(part[rows[order[size * step : size * step + size]]] for part in task.learned))

    fit(model, batch, task_loss, steps=steps, lr=lr or task.lr, progress=False)
    return model


def sorter(
    tokenizer,
    fresh: Callable[[], Encoder],
    start: Encoder | None,
    max_steps: int = MAX_STEPS,
    length: int = 64,
    lr: float = SORTING_RATE,
) -> Callable:
    """Return the benchmarks' model, (texts, labels, questions, seed) -> predictions: an encoder and a head, fine-tuned.

    fresh, start: as in `fine_tune`. It takes `max_steps` steps at most, fewer for few texts. Texts are cut to `length`.
    """

    def model(texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
        learned, asked = (pack_texts(tokenizer, part, length=length) for part in (texts, questions))
        rows = *learned, torch.from_numpy(np.asarray(labels))
        task = Task(rows, rows, len(np.unique(labels)), True, lr, lambda model, rows: 0.0)
        steps = min(max(MIN_STEPS, PASSES * len(texts) // ROWS), max_steps)
        headed = fine_tune(task, fresh, start, seed, len(texts), steps, size=ROWS)
        model.parameters = sum(p.numel() for p in headed.parameters())
        return predictions(headed, *asked)

    return model


@torch.no_grad()
def predictions(model: Headed, token_ids: torch.Tensor, segments: torch.Tensor) -> np.ndarray:
    """Return the likeliest class of each text, (N,), for token_ids and segments (N, T)."""
    device = next(model.parameters()).device
    parts = zip(token_ids.split(TESTED), segments.split(TESTED), strict=True)
    return np.concatenate([model(ids.to(device), marks.to(device)).argmax(-1).cpu().numpy() for ids, marks in parts])


def score_of(task: Task, fresh: Callable, start: Encoder | None, seed: int, examples: int, steps: int) -> float:
    """Fine-tune and return the score on the first 400 test rows."""
    return task.score(fine_tune(task, fresh, start, seed, examples, steps), TESTED)


def compare(
    tasks: Mapping[str, Task],
    fresh: Callable,
    starts: Mapping[str, Encoder | None],
    labels: Mapping[str, int],
    steps: int,
    seeds: int,
) -> dict[str, np.ndarray]:
    """Fine-tune from each start, on each task, with each seed from SEED on; returns the test scores (starts, seeds).

    labels: how many labelled examples each task has. All scores go to the leaderboard.
    """
    scores = {task: np.zeros((len(starts), seeds)) for task in tasks}
    for name, found in scores.items():
        for run in range(seeds):
            for i, (kind, start) in enumerate(starts.items()):
                with leaderboard.measured("05", f"{name}, {kind}, seed {SEED + run}", "few labels") as row:
                    row.score = score_of(tasks[name], fresh, start, SEED + run, labels[name], steps)
                found[i, run] = row.score
    return scores


def stored_scores() -> dict[str, np.ndarray]:
    """Return, for each task, the scores of the course's own runs, (starts, 5 seeds), starts in the chapter's order."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    return {task: np.array(list(by_start.values())) for task, by_start in recorded.items()}


def scores_table(
    scores: Mapping[str, np.ndarray], starts: Mapping[str, Encoder | None], stored: Mapping[str, np.ndarray]
) -> str:
    """Return means with the least and the largest score over seeds, a line for each task and one of its stored runs."""
    lines = [f"{'task':<16}" + "".join(f"{kind:>24}" for kind in starts)]
    for task, found in scores.items():
        lines.append(_line(task, found))
        lines.append(_line(f"  {stored[task].shape[1]} stored runs", stored[task]))
    return "\n".join(lines)


def _line(name: str, found: np.ndarray) -> str:
    cells = [f"{v.mean():.3f}" + (f" ({v.min():.3f} to {v.max():.3f})" if len(v) > 1 else "") for v in found]
    return f"{name:<16}" + "".join(f"{cell:>24}" for cell in cells)
