"""What goes into the encoder: one text or two in a row of token ids, [CLS] first [SEP] second [SEP], then padding."""

from collections.abc import Sequence

import torch

from helpers.course.artifacts import SPECIAL_TOKENS

SPECIAL = len(SPECIAL_TOKENS)  # ids below it are special
END, PAD, CLS, SEP, MASK = range(5)  # as docs-tokenizer numbers SPECIAL_TOKENS


def encode(tokenizer, texts: Sequence[str]) -> list[list[int]]:
    """Return the token ids of each text, without special tokens."""
    return [encoding.ids for encoding in tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]


def pack(
    firsts: Sequence[list[int]], seconds: Sequence[list[int]] | None = None, length: int = 64
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (token_ids, segments), both (N, length); segments are 0 in the first text, 1 in the second.

    What is too long loses the end of its last text.
    """
    rows, marks = [], []
    for first, second in zip(firsts, seconds or [None] * len(firsts), strict=True):
        one = [CLS, *first[: length - 2], SEP]
        two = [] if second is None else [*second[: max(length - len(one) - 1, 0)], SEP]
        rows.append((one + two + [PAD] * length)[:length])
        marks.append(([0] * len(one) + [1] * len(two) + [0] * length)[:length])
    return torch.tensor(rows), torch.tensor(marks)


def pack_texts(
    tokenizer, firsts: Sequence[str], seconds: Sequence[str] | None = None, length: int = 64
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (token_ids, segments) of texts, or of pairs of texts, both (N, length); see `pack`."""
    return pack(encode(tokenizer, firsts), None if seconds is None else encode(tokenizer, seconds), length)
