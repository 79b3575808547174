"""Classes that were held out: a digit in a style, recognised by its caption, neither of which training ever saw.

A class (number K of 30) is a digit in one of three styles; one style of each digit is left out.
"""

from collections.abc import Callable

import numpy as np
import torch

from helpers.chapters.contrastive.encoders import Clip
from helpers.chapters.contrastive.image_text import BATCH, LR
from helpers.chapters.contrastive.image_views import to_tensor
from helpers.data import Images
from helpers.device import seed_everything
from helpers.training import fit


def framed(image: torch.Tensor) -> torch.Tensor:
    """Return an image (H, W) with its first and last column white."""
    edge = torch.ones(len(image), 1)
    return torch.cat([edge, image[:, 1:-1], edge], dim=1)


STYLES = {"bright": lambda image: image, "dim": lambda image: 0.35 * image, "framed": framed}
TEMPLATES = ("a {style} picture of {digit}", "{digit}, {style}", "an image that shows {digit}, {style}")


def caption(images: Images, kind: int, template: str) -> str:
    """Return what a template says of a class: "a dim picture of the digit seven"."""
    digit, style = divmod(kind, len(STYLES))
    return template.format(digit=images.phrases[digit], style=list(STYLES)[style])


def styled(shown: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
    """Return images (B, H, W) in the styles of their classes (B,)."""
    ways = [list(STYLES.values())[style] for style in (kinds % len(STYLES)).tolist()]
    return torch.stack([way(image) for way, image in zip(ways, shown.cpu(), strict=True)]).to(shown.device)


def left_out(digits: torch.Tensor) -> torch.Tensor:
    """Return the class of each digit (B,) that training leaves out."""
    return digits * len(STYLES) + digits % len(STYLES)


def train(images: Images, loss: Callable, augment: Callable, seed: int, steps: int) -> Clip:
    """Train on two styles of each digit; loss: of vectors of images and of captions (B, C), and of the classes (B,)."""
    seed_everything(seed)
    model, pixels, labels = Clip(), to_tensor(images.train), torch.from_numpy(images.train_labels)

    def batch(_step):
        rows = torch.randint(len(labels), (BATCH,))
        styles = (labels[rows] + torch.randint(1, len(STYLES), (BATCH,))) % len(STYLES)  # never digit % 3
        return pixels[rows], labels[rows] * len(STYLES) + styles

    def of_batch(model, batch):
        templates = [TEMPLATES[i] for i in torch.randint(len(TEMPLATES), (len(batch[1]),)).tolist()]
        told = [caption(images, kind, t) for kind, t in zip(batch[1].tolist(), templates, strict=True)]
        return loss(model.pictures(styled(augment(batch[0]), batch[1])), model.captions(told), batch[1])

    fit(model, batch, of_batch, steps=steps, lr=LR, progress=False)
    return model.eval()


@torch.no_grad()
def table(model: Clip, images: Images, prototypes: Callable, nearest: Callable) -> str:
    """Return the accuracy on test images of the classes of training, and of those left out, a line each.

    An image is right if the captions of its class are nearest to it among those of all classes.
    """
    count, device = len(images.classes) * len(STYLES), next(model.parameters()).device
    told = [caption(images, kind, template) for kind in range(count) for template in TEMPLATES]
    points = prototypes(model.captions(told).cpu(), torch.arange(count).repeat_interleave(len(TEMPLATES)), count)
    digits, hits = torch.from_numpy(images.test_labels), {"classes of the training": [], "classes never seen": []}
    for style in range(len(STYLES)):
        kinds = digits * len(STYLES) + style
        vectors = model.pictures(styled(to_tensor(images.test), kinds).to(device)).cpu()
        guesses = torch.as_tensor(nearest(vectors, points))
        for name, new in zip(hits, (False, True), strict=True):
            hits[name] += (guesses == kinds)[(kinds == left_out(digits)) == new].tolist()
    return "\n".join(f"{name:<24} {np.mean(right):.3f} of {len(right):,} images" for name, right in hits.items())
