"""Recurrent networks that begin in a chosen state, with large eigenvalues or open gates; their layers apart."""

import math
from collections.abc import Callable

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from helpers.device import seed_everything


def scaled_rnn(width: int, radius: float, seed: int, inputs: int = 4) -> nn.RNN:
    """Return a plain RNN whose recurrent matrix has a spectral radius of about `radius`."""
    seed_everything(seed)
    rnn = nn.RNN(inputs, width, batch_first=True)
    with torch.no_grad():
        rnn.weight_hh_l0.normal_(0, radius / math.sqrt(width))
    return rnn


def remembering(kind: type, inputs: int, width: int) -> nn.Module:
    """Return an RNN, GRU or LSTM; the gates that keep the past begin open (Gers and others, 2000)."""
    module = kind(inputs, width, batch_first=True)
    with torch.no_grad():
        if kind is nn.LSTM:
            module.bias_ih_l0[width : 2 * width] = 5.0  # the forget gate
            module.bias_ih_l0[:width] = -2.0  # the input gate: write little until it is learned what
        if kind is nn.GRU:
            module.bias_ih_l0[width : 2 * width] = 4.0  # the update gate: near 1 it keeps the old state
    return module


def readers(lstm: nn.LSTM) -> list[tuple[Callable, Callable]]:
    """Return the layers of a bidirectional LSTM as pairs (forward, backward); each reads (B, T, C) from step 0."""

    def reader(layer: int, ending: str) -> Callable:
        ours = f"_l{layer}{ending}"
        weights = {n.removesuffix(ours) + "_l0": p for n, p in lstm.named_parameters() if n.endswith(ours)}
        one = nn.LSTM(weights["weight_ih_l0"].shape[1], lstm.hidden_size, batch_first=True)
        one.load_state_dict(weights)
        return lambda x: one(x)[0]

    return [(reader(k, ""), reader(k, "_reverse")) for k in range(lstm.num_layers)]


def padded_states(lstm: nn.LSTM, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return what an LSTM says of padded sequences (B, T, C), zeros beyond their lengths, (B, T, H)."""
    packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
    return pad_packed_sequence(lstm(packed)[0], batch_first=True, total_length=x.shape[1])[0]
