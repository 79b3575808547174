"""How far a gradient reaches back in time, and what an exploding one does to a training."""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

DELAY = 10  # steps after which an input is to be repeated


def hidden_states(rnn: nn.RNN, length: int) -> np.ndarray:
    """Return the states (T, H) of an RNN that reads small random numbers, in 64 bits."""
    with torch.no_grad():
        return rnn(0.1 * torch.randn(1, length, rnn.input_size))[0][0].double().numpy()


def recurrent_matrix(rnn: nn.RNN) -> np.ndarray:
    """Return W_h (H, H) of h_t = tanh(x_t W_x + h_(t-1) W_h + b), in 64 bits."""
    return rnn.weight_hh_l0.detach().double().numpy().T


def gradient_reach(module: nn.Module, length: int, seed: int) -> np.ndarray:
    """Return the norm of d(sum of the last state) / dx at each distance from the end, (length,), mean over a batch.

    module: an RNN, GRU or LSTM with the batch first, fed with 16 random sequences.
    """
    x = torch.randn(16, length, module.input_size, generator=torch.Generator().manual_seed(seed), requires_grad=True)
    module(x)[0][:, -1].sum().backward()
    return x.grad.norm(dim=-1).mean(0).flip(0).numpy()


def echo_loss(rnn: nn.RNN, readout: nn.Linear, batch: torch.Tensor) -> torch.Tensor:
    """Return the loss of repeating the input of ten steps before, for inputs (B, T, C)."""
    return F.mse_loss(readout(rnn(batch)[0])[:, DELAY:], batch[:, :-DELAY])


def train_echo(
    rnn: nn.RNN, clip_by_norm: Callable, limit: float, steps: int, lr: float = 0.3
) -> tuple[list[float], list[float]]:
    """Train an RNN and a new readout on the echo, by plain gradient steps; returns (norms before clipping, losses).

    clip_by_norm: (list of gradients, limit) -> (list of clipped gradients, norm before); an infinite limit clips none.
    """
    readout, norms, losses = nn.Linear(rnn.hidden_size, rnn.input_size), [], []
    parameters = [*rnn.parameters(), *readout.parameters()]
    for step in range(steps):
        x = torch.randn(16, 40, rnn.input_size, generator=torch.Generator().manual_seed(step))
        loss = echo_loss(rnn, readout, x)
        clipped, norm = clip_by_norm(list(torch.autograd.grad(loss, parameters)), limit)
        with torch.no_grad():
            for p, g in zip(parameters, clipped, strict=True):
                p -= lr * g
        norms.append(float(norm))
        losses.append(loss.item())
    return norms, losses
