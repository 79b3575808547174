"""The long-memory task: which symbol came first? (after Hochreiter and Schmidhuber, 1997)"""

import torch

from helpers.chapters.rnns.next_words import next_word_loss
from helpers.chapters.rnns.recurrent import Recall
from helpers.device import seed_everything
from helpers.training import fit

JUDGED = 512  # fresh sequences that an accuracy is measured on


def recall_batch(step: int, length: int, rows: int = 32) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (symbols (B, T), first symbols (B,)): one of 0 to 7 first, then noise, 8 to 15."""
    generator = torch.Generator().manual_seed(10_000 + step)
    symbols = torch.randint(8, 16, (rows, length), generator=generator)
    symbols[:, 0] = torch.randint(8, (rows,), generator=generator)
    return symbols, symbols[:, 0].clone()


def recall_accuracy(kind: type, length: int, steps: int, seed: int, *, mean: bool = False) -> float:
    """Train an RNN, GRU or LSTM on the task; returns its accuracy on fresh sequences (chance is one eighth).

    mean: whether it answers from the mean of all states, and not from the last.
    """
    seed_everything(seed)
    model = Recall(kind, mean=mean)

    def draw(step: int) -> tuple[torch.Tensor, torch.Tensor]:
        return recall_batch(step + 1000 * seed, length)

    fit(model, draw, next_word_loss, steps=steps, lr=1e-2, progress=False)
    symbols, first = (part.to(next(model.parameters()).device) for part in recall_batch(-1, length, rows=JUDGED))
    with torch.no_grad():
        return (model(symbols).argmax(-1) == first).float().mean().item()
