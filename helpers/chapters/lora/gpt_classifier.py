"""A GPT that tells classes apart: a new head on the mean of its tokens' vectors."""

from collections.abc import Iterable

import torch
from torch import nn

from helpers.chapters.lora.adaptable_gpt import OpenGPT


class GPTClassifier(nn.Module):
    """A GPT (`body`) with a linear layer (`head`) on the mean of the last vectors of a text's tokens."""

    def __init__(self, body: OpenGPT, outputs: int = 2):
        super().__init__()
        self.body, self.head = body, nn.Linear(body.final_norm.normalized_shape[0], outputs)

    def forward(self, token_ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return logits (B, outputs) of padded token_ids (B, T), whose texts are `lengths` (B,) long."""
        x = self.body.hidden(token_ids)  # (B, T, C)
        there = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        return self.head((x * there[..., None]).sum(dim=1) / lengths[:, None])

    def weights(self) -> dict[str, nn.Parameter]:
        """Return {name: parameter}, with the body's names as the docs-gpt has them: "blocks.0.linear1.bias"."""
        return {name.removeprefix("body."): p for name, p in self.named_parameters()}

    def train_only(self, names: Iterable[str]) -> None:
        """Let these weights move, as `weights` names them, and freeze all others."""
        names = set(names)
        for name, weight in self.weights().items():
            weight.requires_grad_(name in names)
