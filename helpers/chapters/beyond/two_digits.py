"""Pictures of two digits and their captions: a small CLIP, judged on numbers that were held out of its training."""

from collections.abc import Callable, Mapping

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.chapters.beyond.digit_views import flat, linear, pixels
from helpers.chapters.beyond.vision import VisionTransformer
from helpers.data import Images
from helpers.data.images import DIGITS
from helpers.device import seed_everything
from helpers.training import fit

DRAWN, LR, SIZE, SPACE = 256, 3e-3, (8, 16), 32
FIRST_SCALE = 1 / 0.07  # of CLIP
ASKED = 3000  # pictures, of the test digits
NAME = 22  # columns of a name in the table
NUMBERS = torch.cartesian_prod(torch.arange(10), torch.arange(10))  # (100, 2)
HELD_OUT = torch.tensor([b in ((3 * a + 1) % 10, (3 * a + 4) % 10) for a, b in NUMBERS.tolist()])  # two for each digit


class Reader(nn.Module):
    """A text encoder for captions of two words; ordered: whether it knows which word comes first."""

    def __init__(self, ordered: bool, d_model: int = 64):
        super().__init__()
        self.words = nn.Embedding(len(DIGITS), d_model)
        self.places = nn.Parameter(ordered * torch.randn(2, d_model), requires_grad=ordered)
        self.inner = nn.Sequential(nn.Linear(d_model, 2 * d_model), nn.GELU(), nn.Linear(2 * d_model, d_model))
        self.out = nn.Linear(d_model, SPACE)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Return vectors (B, SPACE) for words (B, 2)."""
        x = self.words(words) + self.places
        return self.out((x + self.inner(x)).mean(dim=1))


class Pair(nn.Module):
    """An eye and a reader, with the logarithm of the factor, and a bias where the loss takes one."""

    def __init__(self, vit: Callable, ordered: bool, bias: float | None):
        super().__init__()
        self.eye, self.reader = VisionTransformer(vit, outputs=SPACE, size=SIZE, patch=4), Reader(ordered)
        self.log_scale = nn.Parameter(torch.tensor(FIRST_SCALE).log())
        self.bias = None if bias is None else nn.Parameter(torch.tensor(bias))

    def learned(self) -> tuple[torch.Tensor, ...]:
        """Return what the loss takes behind the vectors."""
        return (self.log_scale,) if self.bias is None else (self.log_scale, self.bias)


def side_by_side(shown: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Return pictures (B, 8, 16) of the digits `rows` (B, 2) of images (n, 8, 8)."""
    return torch.cat([shown[rows[:, 0]], shown[rows[:, 1]]], dim=2)


def train(
    vit: Callable, loss: Callable, images: Images, steps: int, seed: int, *, ordered: bool = True,
    bias: float | None = None,
) -> Pair:  # fmt: skip
    """Train on the numbers that are not held out; each number at most once in a batch."""
    seed_everything(seed)
    model, shown, labels = Pair(vit, ordered, bias), pixels(images.train), torch.from_numpy(images.train_labels)

    def batch(_step):
        rows = torch.randint(len(labels), (DRAWN, 2))
        number = numbers_of(labels[rows])
        kept = [i for i, n in enumerate(number.tolist()) if not HELD_OUT[n]]
        once = list({int(number[i]): i for i in kept}.values())
        return side_by_side(shown, rows[once]), labels[rows[once]]

    def of_batch(model, batch):
        return loss(model.eye(batch[0]), model.reader(batch[1]), *model.learned())

    fit(model, batch, of_batch, steps=steps, lr=LR, progress=False)
    return model


@torch.no_grad()
def guesses(model: Pair, images: Images) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (guessed numbers, true numbers) of pictures of two test digits, each the nearest of a hundred captions."""
    rows, device = asked(images), model.log_scale.device
    seen = F.normalize(model.eye(side_by_side(pixels(images.test), rows).to(device)), dim=-1)
    told = F.normalize(model.reader(NUMBERS.to(device)), dim=-1)
    return (seen @ told.T).argmax(dim=1).cpu(), numbers_of(torch.from_numpy(images.test_labels)[rows])


def asked(images: Images) -> torch.Tensor:
    """Return which two test digits stand side by side in each picture that is asked about, (ASKED, 2)."""
    return torch.randint(len(images.test), (ASKED, 2), generator=torch.Generator().manual_seed(0))


def numbers_of(digits: torch.Tensor) -> torch.Tensor:
    """Return the numbers (B,), 0 to 99, of two digits each (B, 2)."""
    return digits @ torch.tensor([10, 1])


def scores(model: Pair, images: Images) -> dict[str, float]:
    """Return the shares of right answers for numbers of the training and held-out ones, and of the latter reversed."""
    return shares(*guesses(model, images))


def by_halves(images: Images) -> dict[str, float]:
    """Return the same of a reader who needs no captions: a logistic regression names the digit in each half."""
    rows, right = asked(images), torch.from_numpy(images.test_labels)
    named = torch.from_numpy(linear(images).predict(flat(images.test)))
    return shares(numbers_of(named[rows]), numbers_of(right[rows]))


def shares(guess: torch.Tensor, right: torch.Tensor) -> dict[str, float]:
    """Return the shares of right answers (B,) by what kind of number was asked."""
    new, turned = HELD_OUT[right], right % 10 * 10 + right // 10
    hit, back = guess == right, (guess == turned) & (turned != right)
    parts = {"of the training": hit[~new], "never seen": hit[new], "never seen, read backwards": back[new]}
    return {name: float(part.float().mean()) for name, part in parts.items()}


def table(runs: Mapping[str, Pair], images: Images) -> str:
    """Return the scores of each run and the factor that it has learned, a line each, and last the scores by halves."""
    lines = []
    for name, model in runs.items():
        lines.append(_line(name, scores(model, images)) + f"{model.log_scale.exp().item():>10.1f}")
    halves = by_halves(images)
    head = f"{'':<{NAME}}" + "".join(f"   {k}" for k in halves) + f"{'factor':>10}"
    return "\n".join([head, *lines, _line("a digit for each half", halves)])


def _line(name: str, found: Mapping[str, float]) -> str:
    return f"{name:<{NAME}}" + "".join(f"{v:>{len(k) + 3}.3f}" for k, v in found.items())


@torch.no_grad()
def chosen_captions(model: Pair, images: Images) -> tuple[torch.Tensor, list[str], np.ndarray]:
    """Return six pictures (6, 8, 16) of held-out numbers, their captions, and each caption's probability (6, 6)."""
    names = NUMBERS[HELD_OUT][::3][:6]
    labels, shown = torch.from_numpy(images.test_labels), pixels(images.test)
    rows, captions = [], []
    for i, number in enumerate(names.tolist()):
        rows.append([int((labels == digit).nonzero()[3 + i]) for digit in number])
        captions.append(" ".join(DIGITS[digit] for digit in number))
    device, pictures = model.log_scale.device, side_by_side(shown, torch.tensor(rows))
    x, y = (F.normalize(v, dim=-1) for v in (model.eye(pictures.to(device)), model.reader(names.to(device))))
    shares = (model.log_scale.exp() * x @ y.T).softmax(dim=1).cpu().numpy()
    return pictures, captions, shares
