"""Word vectors from a table of counts: PPMI-SVD by scikit-learn's SVD, and GloVe."""

from collections.abc import Callable

import numpy as np
import torch
from scipy import sparse
from torch import nn

from helpers.chapters.word_vectors.cooccurrence import sparse_ppmi
from helpers.device import SEED, seed_everything
from helpers.models.word_vectors import WordVectors
from helpers.training import History, fit

CELLS = 20_000  # in a step of GloVe


class GloVe(nn.Module):
    """The parameters of GloVe; its loss comes from outside, as it looks at single cells of a table of counts."""

    def __init__(self, size: int, width: int):
        """Make two tables of small random vectors, (size, width), and two biases of zeros, (size,)."""
        super().__init__()
        self.inputs = nn.Parameter((torch.rand(size, width) - 0.5) / width)
        self.outputs = nn.Parameter((torch.rand(size, width) - 0.5) / width)
        self.input_bias = nn.Parameter(torch.zeros(size))
        self.output_bias = nn.Parameter(torch.zeros(size))

    def vectors(self) -> torch.Tensor:
        """Return the finished vectors, (size, width): the sum of the two of each word."""
        return (self.inputs + self.outputs).detach()


def library_gap(matrix: np.ndarray, singular: np.ndarray) -> float:
    """Return the largest difference of singular values, (k,), from scikit-learn's TruncatedSVD, in the first 20."""
    from sklearn.decomposition import TruncatedSVD

    library = TruncatedSVD(len(singular), random_state=SEED).fit(matrix)
    return np.abs(singular - library.singular_values_)[:20].max()


def svd_vectors(counts: sparse.csr_matrix, words: list[str]) -> WordVectors:
    """Return vectors of 100 dimensions: scikit-learn's TruncatedSVD of the PPMI of a table of counts, (V, V)."""
    from sklearn.decomposition import TruncatedSVD

    table = TruncatedSVD(100, n_iter=3, random_state=SEED).fit_transform(sparse_ppmi(counts))
    return WordVectors(words, table.astype(np.float32))


def train_glove(
    counts: sparse.csr_matrix, words: list[str], glove_loss: Callable, passes: float
) -> tuple[WordVectors, History]:
    """Train GloVe on the cells of a table of counts (V, V), from the seed on; returns (WordVectors, History).

    passes: how many cells are drawn, in multiples of those that there are.
    glove_loss: (inputs, outputs, input_bias, output_bias, rows, columns, counts) -> the sum over the given cells.
    """
    cells = counts.tocoo()
    rows, columns = (torch.from_numpy(part.astype(np.int64)) for part in (cells.row, cells.col))
    values = torch.from_numpy(cells.data).float()

    def batch(step: int) -> tuple[torch.Tensor, ...]:
        chosen = torch.randint(len(values), (CELLS,))
        return rows[chosen], columns[chosen], values[chosen]

    def loss(model: nn.Module, cells: tuple[torch.Tensor, ...]) -> torch.Tensor:
        total = glove_loss(model.inputs, model.outputs, model.input_bias, model.output_bias, *cells)
        return total / len(cells[0])

    seed_everything()
    model = GloVe(len(words), width=100)
    steps = max(1, round(passes * counts.nnz / CELLS))
    history = fit(model, batch, loss, steps=steps, lr=0.05, weight_decay=0.0, clip=None)
    return WordVectors(words, model.vectors().cpu().numpy()), history
