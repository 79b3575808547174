"""What vectors learned without labels are worth where labels are few: a linear probe, and its rivals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from helpers.chapters.contrastive import simclr
from helpers.chapters.contrastive.encoders import ImageEncoder
from helpers.chapters.contrastive.image_views import to_tensor
from helpers.course import leaderboard
from helpers.data import Images
from helpers.device import seed_everything
from helpers.training import fit

Curve = dict[str, Sequence[float]]  # method: its accuracy for each number of labels


@dataclass(frozen=True)
class Run:
    """What one seed gave: the accuracies for each number of labels of a class, and the encoder behind them."""

    seed: int
    shots: Sequence[int]
    curve: Curve
    encoder: ImageEncoder


def measure(images: Images, loss: Callable, augment: Callable, shots: Sequence[int], seed: int, steps: int) -> Run:
    """Train an encoder without labels by a loss of two views, then let probes learn from `shots` labels a class.

    The rivals get the same labels: a probe on the pixels, one behind the head, and the same network trained on the
    labels alone, for as many steps and with the same augmentations.
    """
    model = simclr.train(images, loss, augment, seed, steps)
    sides = _sides(model, to_tensor(images.train), to_tensor(images.test))
    curve: Curve = {name: [] for name in (*sides, "supervised")}
    for n in shots:
        rows = few_rows(images.train_labels, n, seed)
        for name, (train, test) in sides.items():
            curve[name].append(probe(train[rows], images.train_labels[rows], test, images.test_labels))
        curve["supervised"].append(_supervised(images, rows, augment, seed, steps))
    return Run(seed, shots, curve, model)


def _sides(model: ImageEncoder, train: torch.Tensor, test: torch.Tensor) -> dict[str, tuple]:
    """Return what the probes look at, {name: (vectors of train, of test)}."""
    return {
        "raw pixels": (train.flatten(1), test.flatten(1)),
        "SimCLR": tuple(simclr.vectors_of(model, side) for side in (train, test)),
        "SimCLR, behind the head": tuple(simclr.vectors_of(model, side, head=True) for side in (train, test)),
    }


def few_rows(labels: np.ndarray, shots: int, seed: int) -> np.ndarray:
    """Return the places of `shots` random examples of each class."""
    draw = np.random.default_rng(seed)
    return np.concatenate([draw.permutation(np.flatnonzero(labels == c))[:shots] for c in np.unique(labels)])


def probe(train_vectors, train_labels, test_vectors, test_labels) -> float:
    """Return the accuracy of a logistic regression on vectors, scaled to mean 0 and variance 1."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    train_vectors, test_vectors = np.asarray(train_vectors), np.asarray(test_vectors)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    return model.fit(train_vectors, train_labels).score(test_vectors, test_labels)


def _supervised(images: Images, rows: np.ndarray, augment: Callable, seed: int, steps: int) -> float:
    """Return the test accuracy of the same network, trained on labelled images alone."""
    seed_everything(seed)
    model, labels = ImageEncoder(projected=10), torch.from_numpy(images.train_labels[rows])
    labelled, size = to_tensor(images.train[rows]), min(64, 2 * len(rows))

    def batch(_step: int):
        drawn = torch.randint(len(rows), (size,))
        return labelled[drawn], labels[drawn]

    def loss(model, batch):
        return F.cross_entropy(model.head(model(augment(batch[0]))), batch[1])

    fit(model, batch, loss, steps=steps, lr=simclr.LR, progress=False)
    guesses = simclr.vectors_of(model, to_tensor(images.test), head=True).argmax(1).numpy()
    return float((guesses == images.test_labels).mean())


def mean(runs: Sequence[Run]) -> Curve:
    """Return the curves' mean over the seeds."""
    means = {}
    for name in runs[0].curve:
        means[name] = np.mean([run.curve[name] for run in runs], axis=0)
    return means


def summary(runs: Sequence[Run], images: Images) -> str:
    """Return the mean over the seeds as lines of text, under what was measured on which images."""
    seeds, shots = len(runs), "".join(f"{n:>8}" for n in runs[0].shots)
    title = f"accuracy on {len(images.test)} test {images.card.name}, mean of {seeds} seeds, by labels for each class"
    return "\n".join([title, f"{'':<26}{shots}", table(mean(runs))])


def table(curve: Curve) -> str:
    """Return accuracies as lines of text, a method each."""
    lines = []
    for name, accuracies in curve.items():
        cells = "".join(f"{accuracy:>8.3f}" for accuracy in accuracies)
        lines.append(f"{name:<26}{cells}")
    return "\n".join(lines)


def enter(runs: Sequence[Run], data: str = "digits") -> None:
    """Put the accuracies with the two smallest numbers of labels on the leaderboard, seed by seed."""
    for run in runs:
        for name in ("raw pixels", "SimCLR"):
            for n, accuracy in list(zip(run.shots, run.curve[name], strict=True))[:2]:
                with leaderboard.measured("07", f"{name}, {n} a class, seed {run.seed}", data) as row:
                    row.score = accuracy
