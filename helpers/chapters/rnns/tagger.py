"""Networks that tag the tokens of a message: a bidirectional LSTM, which also sorts messages, and linear windows."""

from collections import Counter
from collections.abc import Iterable, Sequence

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

WIDTHS = (64, 24, 8)  # of the vectors of a word, an ending and a shape
SHAPES = 9  # eight shapes and the padding


class Features:
    """Three numbers for each token: its word, its last three letters, its shape (capitals, digits, marks).

    0 is padding, 1 an unknown word or ending. A word must occur twice to be known, an ending five times.

    sizes: how many words, endings and shapes there are, those two among them.
    """

    def __init__(self, sentences: Iterable[Sequence[str]]):
        """Learn the words and endings of sentences in tokens."""
        words = [word.lower() for tokens in sentences for word in tokens]
        self.words = _numbered(words, least=2)
        self.ends = _numbered([word[-3:] for word in words], least=5)
        self.sizes = (len(self.words) + 2, len(self.ends) + 2, SHAPES)

    def of(self, word: str) -> list[int]:
        """Return the three numbers of a word."""
        odd = word.isupper() or not word.isalnum()
        shape = 1 + 4 * word[:1].isupper() + 2 * any(c.isdigit() for c in word) + odd
        return [self.words.get(word.lower(), 1), self.ends.get(word.lower()[-3:], 1), shape]

    def pad(self, sentences: Iterable[Sequence[str]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (numbers (B, T, 3), lengths (B,)) of sentences in tokens."""
        rows = []
        for tokens in sentences:
            numbers = [self.of(word) for word in tokens]
            rows.append(torch.tensor(numbers))
        return pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


def _numbered(pieces: list[str], least: int) -> dict[str, int]:
    """Number what occurs at least so often, from 2, in the order of the alphabet."""
    frequent = sorted(piece for piece, count in Counter(pieces).items() if count >= least)
    return {piece: i for i, piece in enumerate(frequent, start=2)}


class BiLSTMTagger(nn.Module):
    """Scores of the tags of each token, (B, T, K), and of the classes of each message, (B, C).

    sizes: of `Features`. The message is judged by the mean of its states (Huang and others, 2015, without the CRF).
    """

    def __init__(self, sizes: tuple[int, int, int], tags: int, classes: int = 1, width: int = 64):
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(size, d) for size, d in zip(sizes, WIDTHS, strict=True))
        self.lstm = nn.LSTM(sum(WIDTHS), width, batch_first=True, bidirectional=True)
        self.drop, self.tag, self.label = nn.Dropout(0.3), nn.Linear(2 * width, tags), nn.Linear(2 * width, classes)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return both scores for numbers (B, T, 3) and lengths (B,)."""
        e = self.drop(torch.cat([embed(x[..., i]) for i, embed in enumerate(self.embed)], dim=-1))
        packed = pack_padded_sequence(e, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)  # zeros beyond the length
        states = self.drop(states)  # (B, T, 2 * width)
        return self.tag(states), self.label(states.sum(dim=1) / lengths[:, None])


class WindowTagger(nn.Module):
    """Scores of the tags of each token, (B, T, K), by one linear layer over a token and two neighbours on each side.

    sizes: of `Features`. start: vectors (words, d) that stay as they are, beside the shapes only, as in chapter 02;
    without them word, ending and shape have vectors that learn.
    """

    REACH = 2

    def __init__(self, sizes: tuple[int, int, int], tags: int, start: torch.Tensor | None = None):
        super().__init__()
        word, end, shape = (nn.Embedding(size, d) for size, d in zip(sizes, WIDTHS, strict=True))
        parts = {0: word, 1: end, 2: shape} if start is None else {0: nn.Embedding.from_pretrained(start), 2: shape}
        self.read, self.embed = list(parts), nn.ModuleList(parts.values())
        width = sum(embed.embedding_dim for embed in self.embed)
        self.drop, self.tag = nn.Dropout(0.3 if start is None else 0.0), nn.Linear((2 * self.REACH + 1) * width, tags)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores for numbers (B, T, 3), and zeros (B, 1): it sorts no messages."""
        e = torch.cat([embed(x[..., i]) for i, embed in zip(self.read, self.embed, strict=True)], dim=-1)
        steps = torch.arange(x.shape[1], device=x.device)
        e = e * (steps < lengths[:, None])[..., None]
        e = F.pad(self.drop(e), (0, 0, self.REACH, self.REACH))  # zeros where there is no neighbour
        around = [e[:, i : i + x.shape[1]] for i in range(2 * self.REACH + 1)]
        return self.tag(torch.cat(around, dim=-1)), e.new_zeros(len(x), 1)
