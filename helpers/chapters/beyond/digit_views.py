"""A vision transformer on the digits: with positions and without, on pictures whole and in pieces."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from helpers.chapters.beyond.vision import VisionTransformer
from helpers.data import Images
from helpers.device import seed_everything
from helpers.training import fit

BATCH, LR, PATCH = 64, 3e-3, 2


def pixels(images: np.ndarray) -> torch.Tensor:
    """Return uint8 images (n, H, W) as floats from 0 to 1."""
    return torch.from_numpy(images).float() / 255


def train(vit: Callable, images: Images, steps: int, seed: int, positions: bool = True) -> VisionTransformer:
    """Return a vision transformer, trained to name the digits."""
    seed_everything(seed)
    model = VisionTransformer(vit, patch=PATCH, positions=positions)
    shown, labels = pixels(images.train), torch.from_numpy(images.train_labels)

    def batch(_step):
        rows = torch.randint(len(labels), (BATCH,))
        return shown[rows], labels[rows]

    fit(model, batch, lambda m, b: F.cross_entropy(m(b[0]), b[1]), steps=steps, lr=LR, progress=False)
    return model


def shuffled(shown: torch.Tensor, seed: int) -> torch.Tensor:
    """Return images (n, H, W) whose patches change places, each image's in an order of its own."""
    draw, side = torch.Generator().manual_seed(seed), shown.shape[-1] // PATCH
    cut = shown.unflatten(1, (side, PATCH)).unflatten(3, (side, PATCH)).transpose(2, 3).flatten(1, 2)  # (n, N, s, s)
    order = torch.rand(cut.shape[:2], generator=draw).argsort(dim=1)
    moved = cut[torch.arange(len(cut))[:, None], order]
    return moved.unflatten(1, (side, side)).transpose(2, 3).flatten(3).flatten(1, 2)


@dataclass(frozen=True)
class Views:
    """Two models, and the test images whole and in pieces."""

    models: dict[str, VisionTransformer]
    images: Images
    seed: int

    def pictures(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the test images (n, H, W), whole and with shuffled patches."""
        shown = pixels(self.images.test)
        return shown, shuffled(shown, self.seed)

    @torch.no_grad()
    def logits(self, name: str, whole: bool) -> torch.Tensor:
        """Return the logits (n, 10) of one model on the test images, whole or with shuffled patches."""
        shown = self.pictures()[0 if whole else 1]
        device = self.models[name].cls.device
        return self.models[name](shown.to(device)).cpu()

    def accuracy(self, name: str, whole: bool = True) -> float:
        """Return the share of test images that a model names rightly."""
        return float((self.logits(name, whole).argmax(dim=1).numpy() == self.images.test_labels).mean())

    def gap(self, name: str) -> float:
        """Return the largest change of a logit when the patches change places."""
        return float((self.logits(name, True) - self.logits(name, False)).abs().max())

    def table(self) -> str:
        """Return the accuracies and the gap of each model, and the accuracy of a logistic regression, a line each."""
        head = f"{'':<22}{'test images':>12}{'patches shuffled':>18}{'largest change of a logit':>28}"
        rows = [
            f"{name:<22}{self.accuracy(name):>12.3f}{self.accuracy(name, False):>18.3f}{self.gap(name):>28.1e}"
            for name in self.models
        ]
        return "\n".join([head, *rows, f"{'logistic regression':<22}{linear_accuracy(self.images):>12.3f}"])


def linear_accuracy(images: Images) -> float:
    """Return the test accuracy of a logistic regression on the pixels."""
    return linear(images).score(flat(images.test), images.test_labels)


def linear(images: Images):
    """Return a logistic regression on the pixels of the training images."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=2000).fit(flat(images.train), images.train_labels)


def flat(images: np.ndarray) -> np.ndarray:
    """Return uint8 images (n, H, W) as rows (n, H * W) of floats from 0 to 1."""
    return images.reshape(len(images), -1) / 255
