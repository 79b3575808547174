"""Collapse, measured: how well pairs agree, how evenly all vectors spread, and what a probe can do with them."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from helpers.chapters.contrastive.encoders import ImageEncoder
from helpers.chapters.contrastive.few_labels import few_rows, probe
from helpers.chapters.contrastive.image_views import to_tensor
from helpers.chapters.contrastive.simclr import vectors_of
from helpers.data import Images
from helpers.device import SEED, seed_everything

LABELS = 5  # of each class, for the probe


@dataclass(frozen=True)
class Measured:
    """vectors: of the test images behind the head, (n, C); alignment, uniformity: of their views; accuracy: a probe's.

    Alignment and uniformity as Wang and Isola (2020) have them: for both, smaller is better.
    """

    vectors: torch.Tensor
    alignment: float
    uniformity: float
    accuracy: float


def measure(
    model: ImageEncoder, images: Images, augment: Callable, alignment: Callable, uniformity: Callable
) -> Measured:
    """Judge an encoder behind its head by the reader's own `alignment` and `uniformity`, and by a probe."""
    seed_everything(SEED)
    test = to_tensor(images.test)
    first, second = (vectors_of(model, augment(test), head=True) for _ in range(2))
    rows = few_rows(images.train_labels, LABELS, SEED)
    learned, vectors = (vectors_of(model, side, head=True) for side in (to_tensor(images.train[rows]), test))
    accuracy = probe(learned, images.train_labels[rows], vectors, images.test_labels)
    return Measured(vectors, float(alignment(first, second)), float(uniformity(first)), accuracy)


def table(stages: dict[str, Measured]) -> str:
    """Return the measures as lines of text, a stage each."""
    lines = [f"{'':<20}{'alignment':>11}{'uniformity':>12}{f'probe behind the head, {LABELS} labels':>34}"]
    for name, found in stages.items():
        lines.append(f"{name:<20}{found.alignment:>11.3f}{found.uniformity:>12.3f}{found.accuracy:>34.3f}")
    return "\n".join(lines)
