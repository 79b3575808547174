"""What is written by hand beside the library: the largest difference on random numbers, weights copied."""

from collections.abc import Callable

import sacrebleu
import torch
from torch import nn

from helpers.chapters.rnns.recurrent import padded_states, readers

B, T, C, H = 2, 6, 3, 4


@torch.no_grad()
def with_rnn(rnn_forward: Callable) -> float:
    """Return the largest difference of all states from those of nn.RNN."""
    rnn, x, h0 = nn.RNN(C, H, batch_first=True), torch.randn(B, T, C), torch.randn(B, H)
    states = rnn_forward(x, h0, rnn.weight_ih_l0.T, rnn.weight_hh_l0.T, rnn.bias_ih_l0 + rnn.bias_hh_l0)[0]
    return _largest(states, rnn(x, h0[None])[0])


@torch.no_grad()
def with_lstm_cell(lstm_cell: Callable) -> float:
    """Return the largest difference of the new h and c from those of nn.LSTMCell."""
    cell, x, h, c = nn.LSTMCell(C, H), torch.randn(B, C), torch.randn(B, H), torch.randn(B, H)
    new = lstm_cell(x, h, c, cell.weight_ih.T, cell.weight_hh.T, cell.bias_ih + cell.bias_hh)
    return max(_largest(a, b) for a, b in zip(new, cell(x, (h, c)), strict=True))


@torch.no_grad()
def with_gru_cell(gru_cell: Callable) -> float:
    """Return the largest difference of the new h from that of nn.GRUCell."""
    cell, x, h = nn.GRUCell(C, H), torch.randn(B, C), torch.randn(B, H)
    new = gru_cell(x, h, cell.weight_ih.T, cell.weight_hh.T, cell.bias_ih, cell.bias_hh)
    return _largest(new, cell(x, h))


@torch.no_grad()
def with_lstm(stacked_bidirectional: Callable, layers: int = 2) -> float:
    """Return the largest difference of padded states from those of a bidirectional nn.LSTM of several layers."""
    lstm, x = nn.LSTM(C, H, layers, bidirectional=True, batch_first=True), torch.randn(B, T, C)
    lengths = torch.tensor([T, T // 2])
    return _largest(stacked_bidirectional(x, lengths, readers(lstm)), padded_states(lstm, x, lengths))


def by_sacrebleu(candidates: list[list[str]], references: list[list[str]], n: int) -> float:
    """Return sacrebleu's BLEU with n-grams up to n, between 0 and 1, without smoothing."""
    bleu = sacrebleu.BLEU(max_ngram_order=n, tokenize="none", smooth_method="none", force=True)
    candidate_texts = [" ".join(tokens) for tokens in candidates]
    reference_texts = [" ".join(tokens) for tokens in references]
    return bleu.corpus_score(candidate_texts, [reference_texts]).score / 100


def sacrebleu_says(candidate: list[str], reference: list[str]) -> str:
    """Return sacrebleu's BLEU-2 to BLEU-4 and chrF, an F-score of n-grams of up to six characters, of one sentence."""
    told = [f"BLEU-{n} {by_sacrebleu([candidate], [reference], n):.4f}" for n in (2, 3, 4)]
    chrf = sacrebleu.CHRF().corpus_score([" ".join(candidate)], [[" ".join(reference)]]).score / 100
    return ", ".join([*told, f"chrF {chrf:.4f}"])


def scalar_gradients(x: list[float], y: list[float], w: float, u: float, b: float) -> list[float]:
    """Return what autograd says of a network of one number: dL/dw, dL/du and dL/db."""
    leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (w, u, b)]
    h = loss = torch.zeros((), dtype=torch.float64)
    for value, aim in zip(x, y, strict=True):
        h = torch.tanh(leaves[0] * value + leaves[1] * h + leaves[2])
        loss = loss + (h - aim).square() / 2
    loss.backward()
    return [leaf.grad.item() for leaf in leaves]


def _largest(by_hand, library: torch.Tensor) -> float:
    """Return the largest difference; by_hand: of the same shape, a tensor or an array."""
    return (torch.as_tensor(by_hand) - library).abs().max().item()
