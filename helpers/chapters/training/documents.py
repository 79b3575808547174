"""What the runs of the chapter read: the docs as documents of token ids, and Shakespeare as rows of characters."""

import numpy as np
import torch

from helpers.course import artifacts
from helpers.data.docs.corpus import Docs
from helpers.data.text import Text
from helpers.device import SEED

MIN_WORDS = 12  # a document below has nothing to learn from
READ, HELD_OUT = 3000, 300  # documents


class Shelf:
    """Documents drawn from the docs by chance, as lists of token ids.

    tokenizer: docs-tokenizer. size: V. end: the id of its end-of-text token. read, held_out: lists of lists of ids,
    those of the corpus' training and other splits. words: the words of the documents in `read`.
    """

    def __init__(self, docs: Docs):
        """Draw the documents, the same ones for the same seed of the course."""
        self.tokenizer = artifacts.load_tokenizer(own=False)
        self.size = self.tokenizer.get_vocab_size()
        self.end = self.tokenizer.token_to_id("<|endoftext|>")
        texts = {True: [], False: []}
        for document in docs.documents:
            if len(document.text.split()) >= MIN_WORDS:
                texts[document.split == "train"].append(document.text)
        draw = np.random.default_rng(SEED)
        drawn = [texts[True][i] for i in draw.permutation(len(texts[True]))[:READ]]
        others = [texts[False][i] for i in draw.permutation(len(texts[False]))[:HELD_OUT]]
        self.words = [text.split() for text in drawn]
        self.read, self.held_out = self.ids(drawn), self.ids(others)

    def ids(self, texts: list[str]) -> list[list[int]]:
        """Return the token ids of each text, without special tokens."""
        encoded = self.tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return [one.ids for one in encoded]


def letter_ids(text: Text) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the characters of the training and of the validation part as ids, (n,) each; the same id in both."""
    letters = {c: i for i, c in enumerate(sorted(set(text.train + text.valid)))}
    train = torch.tensor([letters[c] for c in text.train])
    valid = torch.tensor([letters[c] for c in text.valid])
    return train, valid


def letter_rows(text: Text, length: int = 64) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the training part as rows of characters and the next characters of each row, both (N, length)."""
    ids, _ = letter_ids(text)
    rows = (len(ids) - 1) // length
    return ids[: rows * length].view(rows, length), ids[1 : rows * length + 1].view(rows, length)
