"""A small reader with rotary attention, asked on texts longer than those that it has learned from."""

from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from helpers.device import SEED
from helpers.training import fit

NAMES, DIGITS = 128, 10
WIDTH, HEADS = 64, 4
HEAD = WIDTH // HEADS  # numbers of one head
TRAINED, TIMES = 16, (1, 2, 4)  # pairs of a text in training, and how many times as many it is asked with
BACK = 3  # positions to count back
ROWS, ASKED = 128, 1000  # texts of a batch, and of a measure
MEASURED = 10**8  # the seed from which on texts are drawn for a measure
TASKS = ("look up", "count back")
WINDOW = "a window"
Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]  # names (B, pairs + 1), digits (B, pairs + 1), answers (B,)


def texts(seed: int, pairs: int, rows: int = ROWS, task: str | None = None) -> Batch:
    """Return texts of pairs of a name and a digit, then a question: of one task, or of both by chance.

    The question is a pair, too. Its digit is DIGITS for "look up", whose name is one of those before, and DIGITS + 1
    for "count back", whose name is another one.
    """
    draw = torch.Generator().manual_seed(seed)
    names = torch.rand(rows, NAMES, generator=draw).argsort(1)[:, : pairs + 1]
    digits = torch.randint(DIGITS, (rows, pairs), generator=draw)
    wanted = torch.randint(pairs, (rows, 1), generator=draw)
    counts = torch.randint(2, (rows, 1), generator=draw).bool()
    if task:
        counts = torch.full_like(counts, task == "count back")
    place = wanted.masked_fill(counts, pairs - BACK)
    last = torch.where(counts, names[:, -1:], names.gather(1, wanted))
    asked = DIGITS + counts.long()
    return torch.cat([names[:, :-1], last], 1), torch.cat([digits, asked], 1), digits.gather(1, place)[:, 0]


class Reader(nn.Module):
    """Embeddings of names and digits, a layer of attention, and a small network that says the answer.

    layer:  a module that takes x (B, T, WIDTH) twice, a mask (T, T) or None, and angles (T, HEAD / 2)
    angles: the function from positions (T,) to their angles with which it learns
    """

    def __init__(self, layer: nn.Module, angles: Callable[[torch.Tensor], torch.Tensor]):
        super().__init__()
        self.angles = angles
        self.names, self.digits = nn.Embedding(NAMES, WIDTH), nn.Embedding(DIGITS + len(TASKS), WIDTH)
        self.layer = layer
        self.answer = nn.Sequential(nn.Linear(2 * WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, DIGITS))

    def forward(self, names: torch.Tensor, digits: torch.Tensor, angles=None, mask=None) -> torch.Tensor:
        """Return the logits (B, DIGITS) of the answer; angles: another function than that of the training."""
        x = self.names(names) + self.digits(digits)  # (B, T, WIDTH)
        turned = (angles or self.angles)(torch.arange(x.shape[1])).to(x.device)  # a student's rates are on the CPU
        mixed = self.layer(x, x, mask, turned)
        return self.answer(torch.cat([x[:, -1], mixed[:, -1]], dim=-1))


def loss(model: Reader, batch: Batch) -> torch.Tensor:
    """Return the mean cross-entropy of the answers."""
    names, digits, answers = batch
    return F.cross_entropy(model(names, digits), answers)


def train(layer: Callable[[int, int], nn.Module], angles: Callable, steps: int, seed: int = SEED) -> Reader:
    """Return a reader that has learned both tasks on texts of TRAINED pairs; layer: a class, (WIDTH, HEADS)."""
    torch.manual_seed(seed)
    model = Reader(layer(WIDTH, HEADS), angles)
    fit(model, lambda step: texts(10_000 * seed + step, TRAINED), loss, steps=steps, lr=3e-3, progress=False)
    return model


@torch.no_grad()
def share(model: Reader, batch: Batch, angles: Callable | None = None, mask: torch.Tensor | None = None) -> float:
    """Return the share of right answers."""
    names, digits, answers = batch
    return float((model(names, digits, angles, mask).argmax(-1) == answers).float().mean())


def measure(model: Reader, repairs: Mapping[str, Callable]) -> dict[tuple[str, str], list[float]]:
    """Return {(repair, task): the share of right answers for each of TIMES}.

    repairs: functions of positions (T,) and `factor` that give angles (T, HEAD / 2). One more row, WINDOW, has the
    angles of the training and sees the last TRAINED pairs and the question alone.
    """
    model = model.cpu()
    found: dict[tuple[str, str], list[float]] = {(name, task): [] for name in [*repairs, WINDOW] for task in TASKS}
    for task in TASKS:
        for times in TIMES:
            batch = texts(MEASURED + times, times * TRAINED, ASKED, task)
            for name, repair in repairs.items():
                found[name, task].append(share(model, batch, partial(repair, factor=times)))
            found[WINDOW, task].append(share(model, batch, mask=window(batch[0].shape[1])))
    return found


def window(length: int) -> torch.Tensor:
    """Return (T, T) bool: a token sees itself and the TRAINED before it."""
    places = torch.arange(length)
    behind = places[:, None] - places
    return (behind >= 0) & (behind <= TRAINED)


def table(found: Mapping[tuple[str, str], list[float]]) -> str:
    """Return the shares of `measure` as text, a line for each repair, a column for each task and length."""
    heads = [f"{task} {times * TRAINED}" for task in TASKS for times in TIMES]
    lines = [" " * 14 + "".join(f"{head:>15}" for head in heads)]
    for name in dict.fromkeys(name for name, _ in found):
        shares = [share for task in TASKS for share in found[name, task]]
        lines.append(f"{name:<14}" + "".join(f"{share:>15.2f}" for share in shares))
    return "\n".join(lines)
