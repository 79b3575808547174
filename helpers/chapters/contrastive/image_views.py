"""Random views of small grey images: the augmentations of SimCLR (Chen et al. 2020) that suit digits."""

from collections.abc import Callable
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

from helpers.data import Images
from helpers.device import SEED, seed_everything


def to_tensor(images: np.ndarray) -> torch.Tensor:
    """Return uint8 images (n, H, W) as floats from 0 to 1."""
    return torch.from_numpy(images).float() / 255


def augmentation(shift: Callable) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return `augment(images)`: one random view of each image, moved by the reader's own `shift`."""
    return partial(random_view, shift=shift)


def random_view(images: torch.Tensor, shift: Callable) -> torch.Tensor:
    """Return one random view of each image (B, H, W) of floats from 0 to 1; made on the CPU, where `shift` works.

    It is turned by up to 20 degrees, stretched by up to 18%, moved by up to an eighth, gets a black patch a quarter
    wide, is up to 30% brighter or darker, and noisy. It is never mirrored.
    """
    B, H, W = images.shape
    moved, reach = turned(images.cpu()), max(H // 8, 1)
    moved = shift(moved, torch.randint(-reach, reach + 1, (B,)), torch.randint(-reach, reach + 1, (B,)))
    patched = moved.to(images.dtype) * patches(B, H, W)
    bright = 0.7 + 0.6 * torch.rand(B, 1, 1)
    return (patched * bright + 0.08 * torch.randn(B, H, W)).clamp(0, 1).to(images.device)


def turned(images: torch.Tensor) -> torch.Tensor:
    """Return images (B, H, W), each turned and stretched a little around its middle."""
    B, H, W = images.shape
    turn, size, zero = (torch.rand(B) - 0.5) * 0.7, 1 + (torch.rand(B) - 0.5) * 0.35, torch.zeros(B)
    across = torch.stack([turn.cos() * size, -turn.sin() * size, zero], -1)
    down = torch.stack([turn.sin() * size, turn.cos() * size, zero], -1)
    places = F.affine_grid(torch.stack([across, down], 1), (B, 1, H, W), align_corners=False)
    return F.grid_sample(images[:, None], places, align_corners=False)[:, 0]


def patches(B: int, H: int, W: int) -> torch.Tensor:
    """Return masks (B, H, W): 0 in a square at a random place, 1 elsewhere."""
    masks, side = torch.ones(B, H, W), H // 4
    rows, columns = torch.randint(H - side, (B,)), torch.randint(W - side, (B,))
    for b in range(B):
        masks[b, rows[b] : rows[b] + side, columns[b] : columns[b] + side] = 0
    return masks


def examples(images: Images, augment: Callable) -> tuple[torch.Tensor, list[str]]:
    """Return the first six images of a set above three random views of each (4, 6, H, W), and their classes."""
    seed_everything(SEED)
    first = to_tensor(images.train[:6])
    names = [images.classes[label] for label in images.train_labels[:6]]
    return torch.stack([first, *(augment(first) for _ in range(3))]), names
