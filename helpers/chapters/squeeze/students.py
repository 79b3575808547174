"""A small net for the digits of scikit-learn that learns from few labels, or from a larger one's probabilities."""

import copy
from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import nn

TRAIN, UNLABELLED = 1000, -100


class Classroom:
    """Digits to learn from and to be asked, and a teacher that has seen all labels.

    pixels (N, 64) and digits (N,) of the training part, asked and answers of the test part.
    """

    def __init__(self, seed: int):
        from sklearn.datasets import load_digits

        found, order = load_digits(), torch.randperm(1797, generator=torch.Generator().manual_seed(seed))
        pixels = torch.tensor(found.data, dtype=torch.float32)[order] / 16
        digits = torch.tensor(found.target)[order]
        self.pixels, self.asked = pixels[:TRAIN], pixels[TRAIN:]
        self.digits, self.answers = digits[:TRAIN], digits[TRAIN:]
        self.teacher = learned(net(256, seed), lambda model: F.cross_entropy(model(self.pixels), self.digits), 200)
        self.told = self.teacher(self.pixels).detach()

    def labels(self, each: int) -> torch.Tensor:
        """Return the digits with all but the first `each` of a kind at -100."""
        place = torch.stack([(self.digits == d).cumsum(0) for d in range(10)]).gather(0, self.digits[None])[0]
        return torch.where(place <= each, self.digits, UNLABELLED)

    def share(self, model: nn.Module, digit: int | None = None) -> float:
        """Return the share of right answers, of all test digits or of one kind."""
        of = torch.ones_like(self.answers, dtype=torch.bool) if digit is None else self.answers == digit
        return float((model(self.asked[of]).argmax(dim=-1) == self.answers[of]).float().mean())

    def student(self, loss: Callable, labels: torch.Tensor, alpha: float, steps: int, seed: int, T=4.0, shown=None):
        """Return a student of twelve hidden units; loss(student, teacher, labels, T, alpha) is the exercise's.

        shown: booleans (N,), which digits it sees at all; None for all.
        """
        shown = slice(None) if shown is None else shown
        pixels, told, labels = self.pixels[shown], self.told[shown], labels[shown]
        return learned(net(12, seed), lambda model: loss(model(pixels), told, labels, T, alpha), steps)


def net(hidden: int, seed: int) -> nn.Sequential:
    """Return a net with one hidden layer and fresh weights."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, 10))


def learned(model: nn.Module, loss: Callable, steps: int) -> nn.Module:
    """Return the model after some steps of Adam on loss(model)."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-4)
    for _ in range(steps):
        optimiser.zero_grad()
        loss(model).backward()
        optimiser.step()
    return model.eval()


TEMPERATURES = (1, 4, 8)
UNSEEN = 3


FEW, CHOICES, TAUGHT = WAYS = (  # a student with five labels of each kind, alone and in two ways with a teacher
    "a student, five labels of each kind",
    "five labels, the teacher's choices",
    "five labels, the teacher's probabilities",
)


def lessons(rooms: list[Classroom], loss: Callable, steps: int) -> tuple[dict, dict]:
    """Return what students come to after the same number of steps, a number for each room.

    {way: share of right answers}, where the teacher's choice is its likeliest digit, taken for the label of each
    picture that has none; and {temperature: the share of 3s that one recognises who was never shown any}.
    """
    taught: dict[str, list[float]] = {way: [] for way in WAYS}
    unseen: dict[int, list[float]] = {T: [] for T in TEMPERATURES}
    for seed, room in enumerate(rooms):
        few = room.labels(5)
        chosen = torch.where(few == UNLABELLED, room.told.argmax(dim=-1), few)
        for way, labels, alpha in ((FEW, few, 0.0), (CHOICES, chosen, 0.0), (TAUGHT, few, 0.9)):
            taught[way].append(room.share(room.student(loss, labels, alpha, steps, seed)))
        shown = room.digits != UNSEEN
        for T, found in unseen.items():
            student = room.student(loss, room.digits, 0.9, steps, seed, T, shown)
            found.append(room.share(student, UNSEEN))
    return taught, unseen


def table(rooms: list[Classroom], taught: dict, unseen: dict) -> str:
    """Return the shares of right answers by who has learned how, a column for each seed."""
    rows = {"the teacher, all 1,000 labels": [room.share(room.teacher) for room in rooms]} | taught
    for T, shares in unseen.items():
        rows[f"3s, by one who never saw a 3, T = {T}"] = shares
    lines = []
    for name, shares in rows.items():
        cells = "".join(f"{share:>8.3f}" for share in shares)
        lines.append(f"{name:<42}{cells}")
    return "\n".join(lines)


def thinned(room: Classroom, keep_largest: Callable, masked_step: Callable, shares: Sequence[float], steps: int) -> str:
    """Return a table of a teacher's right answers with a share of its weights at zero, and after some masked steps."""
    lines = [f"{'pruned':<10}{'right at once':>15}{f'after {steps} steps':>18}{'still zero':>12}"]
    for share in shares:
        model = copy.deepcopy(room.teacher)
        matrices = {name: p.detach() for name, p in model.named_parameters() if p.dim() == 2}
        masks = {name: torch.as_tensor(keep_largest(matrix, share)) for name, matrix in matrices.items()}
        _step(model, masks, masked_step, 0.0)
        at_once = room.share(model)
        for _ in range(steps):
            model.zero_grad()
            F.cross_entropy(model(room.pixels), room.digits).backward()
            _step(model, masks, masked_step, 0.5)
        zeros = sum(int((p == 0).sum()) for name, p in model.named_parameters() if name in masks)
        still = zeros / sum(mask.numel() for mask in masks.values())
        lines.append(f"{share:<10.0%}{at_once:>15.3f}{room.share(model):>18.3f}{still:>12.0%}")
    return "\n".join(lines)


@torch.no_grad()
def _step(model: nn.Module, masks: dict[str, torch.Tensor], masked_step: Callable, lr: float) -> None:
    for name, weights in model.named_parameters():
        gradient = torch.zeros_like(weights) if weights.grad is None else weights.grad
        mask = masks.get(name, torch.ones_like(weights, dtype=torch.bool))
        weights.copy_(torch.as_tensor(masked_step(weights.detach(), gradient, mask, lr)))
