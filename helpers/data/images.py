"""Small grey images with labels and captions: scikit-learn's digits and Fashion-MNIST."""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from helpers.data.archives import read_bytes
from helpers.data.dataset import Card, Dataset
from helpers.errors import DataError

# In the manner of the prompts of CLIP (Radford et al. 2021); {} is what the image shows.
TEMPLATES = (
    "a photo of {}",
    "a picture of {}",
    "a small image of {}",
    "a grey picture of {}",
    "a blurry photo of {}",
    "a close-up of {}",
    "an image that shows {}",
    "{} on a dark background",
    "{} in black and white",
    "this is {}",
)
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
# The published name of a class, and how a sentence speaks of it.
FASHION = {
    "T-shirt/top": "a T-shirt",
    "Trouser": "a pair of trousers",
    "Pullover": "a pullover",
    "Dress": "a dress",
    "Coat": "a coat",
    "Sandal": "a sandal",
    "Shirt": "a shirt",
    "Sneaker": "a sneaker",
    "Bag": "a bag",
    "Ankle boot": "an ankle boot",
}


@dataclass(frozen=True, repr=False, eq=False)
class Images(Dataset):
    """Grey images of ten classes, in two fixed splits.

    train:        (n, H, W) uint8, 0 = black to 255 = white; divide by 255 to have values from 0 to 1
    train_labels: (n,) int64, numbers of classes
    test:         (m, H, W) uint8
    test_labels:  (m,) int64
    classes:      the names of the classes
    phrases:      the classes as a sentence speaks of them: "the digit seven"
    """

    train: np.ndarray
    train_labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray
    classes: tuple[str, ...]
    phrases: tuple[str, ...]
    card: Card

    def rows(self) -> str:
        """Return the sizes of the splits and of one image."""
        _, height, width = self.train.shape
        sizes = f"train {len(self.train):,}, test {len(self.test):,}"
        return f"images of {height} x {width}: {sizes}; {len(self.classes)} classes"

    def captions(self, seed: int, split: str = "train") -> list[str]:
        """Return a caption for each image of the split, with a template drawn by `seed`."""
        if split not in ("train", "test"):
            raise DataError(f'{self.card.title} has no split "{split}".', "Choose one of: train, test.")
        labels = self.train_labels if split == "train" else self.test_labels
        drawn = np.random.default_rng(seed).integers(len(TEMPLATES), size=len(labels))
        return [TEMPLATES[t].format(self.phrases[label]) for t, label in zip(drawn, labels, strict=True)]


def read_digits(paths: list[Path], card: Card) -> Images:
    """Take the 1,797 digits that scikit-learn brings along: 1,437 to train, 360 to test, stratified.

    There a pixel is a count of 0 to 16 dots; here it is the nearest of 0 to 255, as in other sets of images.
    """
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    digits = load_digits()
    pixels = np.rint(digits.images * 255 / 16).astype(np.uint8)  # (1797, 8, 8)
    labels = digits.target.astype(np.int64)
    train, test, train_labels, test_labels = train_test_split(
        pixels, labels, test_size=360, stratify=labels, random_state=0
    )
    phrases = tuple(f"the digit {word}" for word in DIGITS)
    return Images(train, train_labels, test, test_labels, DIGITS, phrases, card)


def read_fashion_mnist(paths: list[Path], card: Card) -> Images:
    """Read the four IDX files: images and labels to train, images and labels to test."""
    train, train_labels, test, test_labels = map(read_idx, paths)
    return Images(
        train,
        train_labels.astype(np.int64),
        test,
        test_labels.astype(np.int64),
        tuple(FASHION),
        tuple(FASHION.values()),
        card,
    )


def read_idx(path: Path) -> np.ndarray:
    """Read an array of bytes in IDX, the format of MNIST (LeCun et al. 1998).

    Two zero bytes, the type (8: unsigned byte), the number of axes, their lengths (4 bytes each, the highest
    first), then the values, row by row.
    """
    content = read_bytes(path)
    axes = content[3] if content[:3] == b"\0\0\x08" and len(content) > 3 else 0
    if axes == 0 or len(content) < 4 + 4 * axes:
        raise DataError(f"{path}: not an IDX file of bytes.", "Replace the file.")
    shape = struct.unpack_from(f">{axes}I", content, 4)
    values = np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * axes)
    if values.size != np.prod(shape):
        raise DataError(f"{path}: {values.size:,} values, but its header says {shape}.", "Replace the file.")
    return values.reshape(shape).copy()  # a copy, since the bytes of a file cannot be written to
