"""The recurrent language model of chapter 03, with the library's LSTM and a tied output (Press and Wolf 2017)."""

import torch
import torch.nn.functional as F
from torch import nn


class TiedLSTM(nn.Module):
    """Embedding, one LSTM, and the embedding again as the output layer."""

    def __init__(self, vocab_size: int, d_model: int):
        super().__init__()
        self.embedding, self.lstm = nn.Embedding(vocab_size, d_model), nn.LSTM(d_model, d_model, batch_first=True)
        nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, token_ids: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, V) of the next token after each of token_ids (B, T)."""
        return F.linear(self.lstm(self.embedding(token_ids))[0], self.embedding.weight)
