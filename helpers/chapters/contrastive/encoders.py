"""Small encoders that a contrastive loss trains: of images, of texts, of both in one space."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

from helpers.models.docs_encoder import Encoder, bag, shared_reader


class ImageEncoder(nn.Module):
    """A small convolutional network from images (B, H, W) to vectors (B, C), and a projection head.

    The head is that of SimCLR (Chen et al. 2020): the loss sees what comes out of it, and later it is thrown away.
    """

    def __init__(self, d_model: int = 96, projected: int = 32):
        super().__init__()
        widths = [(1, 24, 1), (24, 48, 2), (48, d_model, 1)]  # channels in, channels out, stride
        layers = [layer for width in widths for layer in _convolution(*width)]
        self.features = nn.Sequential(*layers, nn.AdaptiveMaxPool2d(1), nn.Flatten())
        self.head = nn.Sequential(nn.Linear(d_model, d_model), nn.ReLU(), nn.Linear(d_model, projected))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, C) in front of the head."""
        return self.features(images[:, None])


def _convolution(inside: int, outside: int, stride: int) -> list[nn.Module]:
    return [nn.Conv2d(inside, outside, 3, padding=1, stride=stride), nn.BatchNorm2d(outside), nn.ReLU()]


class SmallTransformer(nn.Module):
    """Token and place vectors, one transformer layer, and a pooling of the reader's own.

    pool: a function (hidden (B, T, C), mask (B, T), how) -> (B, C); how: what it is asked for, "mean" and the like.
    """

    def __init__(self, pool: Callable, how: str, d_model: int = 96, length: int = 40):
        super().__init__()
        tokenizer = shared_reader().tokenizer
        self.cls, self.pad = (tokenizer.token_to_id(token) for token in ("[CLS]", "<|pad|>"))
        self.pool, self.how, self.length = pool, how, length
        self.tokens, self.places = nn.Embedding(tokenizer.get_vocab_size(), d_model), nn.Embedding(length, d_model)
        self.layer = nn.TransformerEncoderLayer(d_model, 4, 2 * d_model, 0.0, "gelu", batch_first=True)

    def forward(self, texts: Sequence[np.ndarray]) -> torch.Tensor:
        """Return vectors (B, C) of texts given as token ids; [CLS] is put in front."""
        rows = [torch.tensor([self.cls, *ids[: self.length - 1]]) for ids in texts]
        ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=self.pad)  # (B, T)
        ids = ids.to(self.places.weight.device)
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        return self.pool(self.layer(x, src_key_padding_mask=ids == self.pad), ids != self.pad, self.how)


class Clip(nn.Module):
    """An image encoder and a bag-of-tokens text encoder with one space of C numbers (CLIP, Radford et al. 2021)."""

    def __init__(self, d_model: int = 64):
        super().__init__()
        self.reader = shared_reader()
        self.images = ImageEncoder(projected=d_model)
        self.texts = Encoder(self.reader.tokenizer.get_vocab_size(), d_model)

    def captions(self, texts: Sequence[str]) -> torch.Tensor:
        """Return the vectors (B, C) of captions."""
        return self.texts([bag(self.reader(text)) for text in texts])

    def pictures(self, images: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, C) of images (B, H, W)."""
        return self.images.head(self.images(images))
