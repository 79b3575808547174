"""Digits and captions in one space: a small CLIP (Radford et al. 2021), judged by captions it has never seen."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from helpers.chapters.contrastive.encoders import Clip, ImageEncoder
from helpers.chapters.contrastive.few_labels import few_rows
from helpers.chapters.contrastive.image_views import to_tensor
from helpers.chapters.contrastive.simclr import vectors_of
from helpers.data import Images
from helpers.data.images import TEMPLATES
from helpers.device import SEED, seed_everything
from helpers.training import History, fit

UNSEEN = ("a blurry photo of {}", "{} in black and white", "this is {}")  # held back from the training
SEEN = tuple(template for template in TEMPLATES if template not in UNSEEN)
WAYS = {
    "one caption of training": SEEN[:1],
    "all seven of training, averaged": SEEN,
    "three captions never seen": UNSEEN,
    "words never combined so": ("the number in this grey image shows {}",),
    "only the word (seven)": ("{word}",),
}
BATCH, LR = 128, 4e-3


def train(images: Images, loss: Callable, augment: Callable, seed: int, steps: int) -> tuple[Clip, History]:
    """Train an image and a text encoder together.

    loss: a function of the vectors of views (B, C), of a caption for each (B, C), and of the classes (B,).
    """
    seed_everything(seed)
    model, pixels, labels = Clip(), to_tensor(images.train), torch.from_numpy(images.train_labels)

    def of_captions(model, batch):
        captions = random_captions(images, batch[1])
        return loss(model.pictures(augment(batch[0])), model.captions(captions), batch[1])

    draws = [torch.randint(len(labels), (BATCH,)) for _ in range(steps)]
    batches = [(pixels[rows], labels[rows]) for rows in draws]
    return model, fit(model, batches, of_captions, steps=steps, lr=LR, progress=False)


def random_captions(images: Images, labels: torch.Tensor) -> list[str]:
    """Return a caption for each label (B,), in a random one of the templates that training sees."""
    drawn = torch.randint(len(SEEN), (len(labels),)).tolist()
    return [SEEN[t].format(images.phrases[label]) for t, label in zip(drawn, labels.tolist(), strict=True)]


class ZeroShot:
    """The test images of a set, classified by sentences; `prototypes` and `nearest` are the reader's own."""

    @torch.no_grad()
    def __init__(self, model: Clip, images: Images, prototypes: Callable, nearest: Callable):
        self.model, self.images, self.prototypes, self.nearest = model, images, prototypes, nearest
        device = next(model.parameters()).device
        self.vectors = model.pictures(to_tensor(images.test).to(device)).cpu()  # (n, C)

    @torch.no_grad()
    def guesses(self, templates: Sequence[str]) -> np.ndarray:
        """Return the classes (n,) by one point a class, from templates of {} ("the digit six") or {word} ("six")."""
        names = list(zip(self.images.phrases, self.images.classes, strict=True))
        captions = [template.format(phrase, word=word) for phrase, word in names for template in templates]
        labels = torch.arange(len(names)).repeat_interleave(len(templates))
        points = self.prototypes(self.model.captions(captions).cpu(), labels, len(names))
        return np.asarray(self.nearest(self.vectors, points))

    def accuracy(self, templates: Sequence[str]) -> float:
        """Return the share of test images that these captions classify rightly."""
        return float((self.guesses(templates) == self.images.test_labels).mean())

    def confusion(self, templates: Sequence[str]) -> np.ndarray:
        """Return the counts (K, K): true classes in rows, guessed ones in columns."""
        counts = np.zeros((len(self.images.classes),) * 2, dtype=int)
        np.add.at(counts, (self.images.test_labels, self.guesses(templates)), 1)
        return counts


def few_shot(encoder: ImageEncoder, images: Images, shots: int, prototypes: Callable, nearest: Callable) -> float:
    """Return the test accuracy of the nearest class mean of `shots` images a class (Snell et al. 2017)."""
    rows = few_rows(images.train_labels, shots, SEED)
    labels = torch.from_numpy(images.train_labels[rows])
    points = prototypes(vectors_of(encoder, to_tensor(images.train[rows])), labels, len(images.classes))
    guesses = np.asarray(nearest(vectors_of(encoder, to_tensor(images.test)), points))
    return float((guesses == images.test_labels).mean())


def table(zero_shot: ZeroShot, encoder: ImageEncoder) -> str:
    """Return the accuracy by several sets of captions, and of SimCLR's encoder with few examples, a line each."""
    lines = [f"captions,  {name:<34} {zero_shot.accuracy(templates):.3f}" for name, templates in WAYS.items()]
    for shots in (1, 5):
        reached = few_shot(encoder, zero_shot.images, shots, zero_shot.prototypes, zero_shot.nearest)
        lines.append(f"few-shot,  {f'SimCLR, nearest mean, {shots} a class':<34} {reached:.3f}")
    return "\n".join(lines)
