"""A text as one stream of tokens, random windows of it to learn from, and held-out ones to judge by."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.models.packing import END, encode
from helpers.models.trigrams import Trigrams


def token_stream(tokenizer, documents: Sequence, most: int) -> torch.Tensor:
    """Return the tokens of the first documents, each followed by the end of text, (N,)."""
    texts = [document.text for document in documents][:most]
    return torch.tensor([i for ids in encode(tokenizer, texts) for i in [*ids, END]])


def random_windows(stream: torch.Tensor, rows: int = 16, length: int = 128) -> Callable[[int], torch.Tensor]:
    """Return a function that draws windows of a stream (N,), (rows, length), for each step."""

    def batch(_step: int) -> torch.Tensor:
        starts = torch.randint(len(stream) - length, (rows, 1))
        return stream[starts + torch.arange(length)]

    return batch


class HeldOut:
    """Held-out tokens cut into windows (n, length); all but the first token of each window are predicted.

    text: what is predicted, to spread the losses over its bytes.
    """

    def __init__(self, tokenizer, stream: torch.Tensor, length: int = 128):
        self.windows = stream[: len(stream) // length * length].view(-1, length)
        self.text = "".join(tokenizer.decode_batch(self.windows[:, 1:].tolist()))

    @torch.no_grad()
    def losses(self, model: nn.Module | Trigrams) -> torch.Tensor:
        """Return a model's loss of each prediction in nats, (n * (length - 1),)."""
        if isinstance(model, Trigrams):
            return self._counted(model)
        device = next(model.parameters()).device
        found = [
            F.cross_entropy(model(rows)[:, :-1].flatten(0, 1), rows[:, 1:].flatten(), reduction="none")
            for rows in self.windows.to(device).split(8)
        ]
        return torch.cat(found).cpu()

    def _counted(self, trigrams: Trigrams) -> torch.Tensor:
        """The losses of the same predictions by a trigram model: the end of a text stands before each window."""
        counted = [trigrams.losses(np.concatenate([[END], row.numpy()])) for row in self.windows]
        return torch.from_numpy(np.concatenate(counted))


def size(model: nn.Module | Trigrams) -> int:
    """Return the number of parameters; of a trigram model it is the number of runs that it has counted."""
    if isinstance(model, Trigrams):
        return sum(len(table[0]) for table in model.tables)
    return sum(p.numel() for p in model.parameters())


def judged_table(models: Mapping[str, nn.Module | Trigrams], scores: Mapping[str, tuple[float, float]]) -> str:
    """Return a table of (perplexity, bits per byte) by model, the worst first."""
    lines = [f"{'model':<24}{'parameters':>12}{'perplexity':>12}{'bits per byte':>15}"]
    for name, (perplexity, bits) in sorted(scores.items(), key=lambda item: -item[1][1]):
        lines.append(f"{name:<24}{size(models[name]):>12,}{perplexity:>12.1f}{bits:>15.3f}")
    return "\n".join(lines)
