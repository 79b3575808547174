"""GloVe (Pennington, Socher, Manning 2014): two vectors and two biases for each word."""

import torch
from torch import nn


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
