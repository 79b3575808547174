"""Texts as rows of token ids for a docs-gpt: encoded, cut, padded, drawn in batches."""

from collections.abc import Callable, Sequence

import torch


class Tokens:
    """A tokenizer as a docs-gpt reads it: nothing is added to a text; `end` and `pad` are ids."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        self.end, self.pad = tokenizer.token_to_id("<|endoftext|>"), tokenizer.token_to_id("<|pad|>")

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids."""
        return self.tokenizer.decode(list(ids))

    def padded(self, rows: Sequence[list[int]], length: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (token_ids (N, T), lengths (N,)) of texts cut to their last `length` tokens and padded."""
        rows = [row[-length:] for row in rows]
        made = torch.full((len(rows), max(map(len, rows))), self.pad)
        for row, ids in zip(made, rows, strict=True):
            row[: len(ids)] = torch.tensor(ids)
        return made, torch.tensor([len(ids) for ids in rows])

    def joined(self, texts: Sequence[str], length: int) -> torch.Tensor:
        """Return texts one behind the other, each with the end of a text, cut into rows (N, length)."""
        ids = torch.tensor([i for text in texts for i in [*self.encode(text), self.end]])
        return ids[: len(ids) // length * length].view(-1, length)


def drawn(rows: Sequence[torch.Tensor], size: int, steps: int) -> Callable[[int], tuple[torch.Tensor, ...]]:
    """Return what gives the batch of each step: `size` rows of each tensor (N, ...), shuffled round by round."""
    count = len(rows[0])
    order = torch.cat([torch.randperm(count) for _ in range(size * steps // count + 1)])

    def batch(step: int) -> tuple[torch.Tensor, ...]:
        picked = order[size * step : size * step + size]
        return tuple(part[picked] for part in rows)

    return batch
