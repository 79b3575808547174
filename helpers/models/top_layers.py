"""A pretrained encoder whose top layers learn; what the layers below say of a text is computed once and kept.

So fine-tuning is cheap on a CPU: of MiniLM's six layers two run in each step, and two for each new encoder.
"""

import copy
from collections.abc import Iterator, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.device import best_device
from helpers.pretrained import Pretrained

TOP = 2  # layers that learn
BATCH = 32
State = torch.Tensor  # (T, C) float16: a vector for each token of a text


class LowerLayers:
    """The embeddings and all layers below the top ones, which stay as they are."""

    def __init__(self, pretrained: Pretrained, top: int = TOP, length: int | None = None):
        """Take all but the `top` highest layers; length: tokens of a text that are read, all that it can if None."""
        self.tokenizer, self.length, self.known = pretrained.tokenizer, length or pretrained.length, {}
        self.model = copy.deepcopy(pretrained.model).to(best_device()).eval().requires_grad_(False)
        self.model.encoder.layer = self.model.encoder.layer[:-top]

    def __call__(self, texts: Sequence[str], length: int | None = None) -> list[State]:
        """Return the states of each text's first `length` tokens; what was asked before is not computed again."""
        length = length or self.length
        new = sorted((text for text in set(texts) if (text, length) not in self.known), key=lambda t: (len(t), t))
        for start in range(0, len(new), BATCH):
            self._read(new[start : start + BATCH], length)
        return [self.known[text, length] for text in texts]

    @torch.no_grad()
    def _read(self, texts: list[str], length: int) -> None:
        options = {"padding": True, "truncation": True, "max_length": length, "return_tensors": "pt"}
        batch = self.tokenizer(texts, **options).to(self.model.device)
        hidden = self.model(**batch).last_hidden_state.half()  # (B, T, C)
        for text, states, mask in zip(texts, hidden, batch["attention_mask"], strict=True):
            self.known[text, length] = states[mask.bool()].clone()


class TopLayers(nn.Module):
    """The layers that learn, and the mean over tokens; they begin as the pretrained encoder has them."""

    def __init__(self, pretrained: Pretrained, top: int = TOP):
        super().__init__()
        self.layers = copy.deepcopy(pretrained.model.encoder.layer[-top:]).to(best_device()).eval()

    def forward(self, states: Sequence[State]) -> torch.Tensor:
        """Return one vector (B, C) for each text's states; gradients flow through it."""
        hidden, mask = self.tokens(states)
        return (hidden * mask[..., None]).sum(1) / mask.sum(1)[:, None]

    def tokens(self, states: Sequence[State]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a vector for each token (B, T, C), and the mask (B, T), True at tokens."""
        device = next(self.parameters()).device
        hidden, mask = (part.to(device) for part in padded(states))
        for layer in self.layers:
            hidden = layer(hidden, mask[:, None, None])
        return hidden, mask


class TopEncoder:
    """Both together: `encode(texts)` gives the vectors of length 1; a text is encoded once, so train before."""

    def __init__(self, below: LowerLayers, top: TopLayers):
        self.below, self.top, self.known = below, top, {}

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return float32 vectors (n, C) of length 1."""
        new = list(dict.fromkeys(text for text in texts if text not in self.known))
        for batch, states in by_length(new, self.below(new)):
            with torch.no_grad():
                vectors = F.normalize(self.top.eval()(states), dim=-1).cpu().numpy()
            self.known.update(zip(batch, vectors, strict=True))
        return np.stack([self.known[text] for text in texts])

    def similarity(self, queries: Sequence[str], texts: Sequence[str]) -> np.ndarray:
        """Return the cosine of each query with each text, (queries, texts)."""
        return self.encode(queries) @ self.encode(texts).T


def padded(states: Sequence[State]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return states of several lengths as one float32 tensor (B, T, C), and their mask (B, T), True at tokens."""
    together = nn.utils.rnn.pad_sequence(list(states), batch_first=True).float()
    lengths = torch.tensor([len(s) for s in states], device=together.device)
    return together, torch.arange(together.shape[1], device=together.device) < lengths[:, None]


def by_length(texts: Sequence[str], states: Sequence[State]) -> Iterator[tuple[list[str], list[State]]]:
    """Yield texts and their states in batches of like length, so that little is padding."""
    order = np.argsort([len(s) for s in states], kind="stable")
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        batch = [texts[i] for i in rows]
        yield batch, [states[i] for i in rows]
