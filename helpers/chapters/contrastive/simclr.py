"""SimCLR (Chen et al. 2020): an image encoder is trained on two random views of each image, without any label."""

from collections.abc import Callable

import torch

from helpers.chapters.contrastive.encoders import ImageEncoder
from helpers.chapters.contrastive.image_views import to_tensor
from helpers.data import Images
from helpers.device import seed_everything
from helpers.training import fit

BATCH, LR = 128, 4e-3


def untrained(seed: int) -> ImageEncoder:
    """Return an encoder with random weights, at rest."""
    seed_everything(seed)
    return ImageEncoder().eval()


def train(images: Images, loss: Callable, augment: Callable, seed: int, steps: int) -> ImageEncoder:
    """Return an encoder trained on the images of the train split.

    loss: a function of what the head makes of two random views of each image, (B, C) and (B, C).
    """
    seed_everything(seed)
    model = ImageEncoder()

    def of_two_views(model, batch):
        return loss(*model.head(model(torch.cat([augment(batch), augment(batch)]))).chunk(2))

    fit(model, batches(to_tensor(images.train), seed), of_two_views, steps=steps, lr=LR, progress=False)
    return model


def batches(images: torch.Tensor, seed: int) -> Callable[[int], torch.Tensor]:
    """Return a function from the step to a random batch of images (n, H, W)."""

    def batch(step: int) -> torch.Tensor:
        draw = torch.Generator().manual_seed(seed * 100_003 + step)
        return images[torch.randint(len(images), (BATCH,), generator=draw)]

    return batch


@torch.no_grad()
def vectors_of(model: ImageEncoder, images: torch.Tensor, head: bool = False) -> torch.Tensor:
    """Return the vectors (n, C) of images (n, H, W) in front of the head, or behind it; on the CPU."""
    device = next(model.parameters()).device
    found = [model(part.to(device)) for part in images.split(500)]
    return torch.cat([model.head(part) if head else part for part in found]).cpu()
