"""A text in pieces for a small GPT: what it reads, how it is judged beside counting, and the pages that it writes."""

import math
from collections.abc import Callable, Iterable

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import nn

from helpers.data.text import Text
from helpers.models.gpt import GPT
from helpers.models.kneser_ney import KneserNey

AT_ONCE = 64  # windows that are judged at once


class Plays:
    """A text, cut into pieces that a tokenizer has learned from its training part.

    tokenizer: byte-level BPE (chapter 06 writes it), learned line by line
    read:      the training part
    stream:    (N,) its ids
    unread:    the second half of the validation part, to judge by
    """

    def __init__(self, text: Text, vocab_size: int, length: int, rows: int):
        """Learn the pieces; a batch has `rows` windows of `length` pieces."""
        self.length, self.rows, self.read = length, rows, text.train
        self.tokenizer = trained(text.train.splitlines(keepends=True), vocab_size)
        self.stream, self.unread = self.ids(text.train), text.valid[len(text.valid) // 2 :]

    def ids(self, text: str) -> torch.Tensor:
        """Return the ids of a text, (n,)."""
        encoded = self.tokenizer.encode_batch_fast(text.splitlines(keepends=True), add_special_tokens=False)
        return torch.tensor([i for line in encoded for i in line.ids])

    def batch(self, step: int) -> torch.Tensor:
        """Return the windows of a step, (rows, length): all of the training part is read before any is read again.

        Each pass cuts the text at other places and shuffles its windows, by the seed and the number of the pass.
        """
        windows = len(self.stream) // self.length - 1
        one_pass, turn = divmod(step, windows // self.rows)
        generator = torch.Generator().manual_seed(torch.initial_seed() + one_pass)
        first = torch.randint(self.length, (1,), generator=generator)
        order = torch.randperm(windows, generator=generator)[turn * self.rows : (turn + 1) * self.rows]
        return self.stream[first + self.length * order[:, None] + torch.arange(self.length)]

    @torch.no_grad()
    def losses(self, model: nn.Module) -> tuple[torch.Tensor, str]:
        """Return (the loss in nats of each piece of the unread text, (n,), the text of these pieces).

        Each is predicted from at least half a window of what stands before; so the first half window is not.
        """
        ids, half = self.ids(self.unread), self.length // 2
        windows = ids.unfold(0, self.length, half)  # (n, length)
        device = next(model.parameters()).device
        found = [
            F.cross_entropy(model(rows)[:, half - 1 : -1].transpose(1, 2), rows[:, half:], reduction="none")
            for rows in windows.to(device).split(AT_ONCE)
        ]
        return torch.cat(found).flatten().cpu(), self.tokenizer.decode(windows[:, half:].flatten().tolist())

    def counted(self, orders: Iterable[int]) -> dict[str, float]:
        """Return the bits per character of n-grams of characters, with Kneser-Ney smoothing, on the unread text."""
        number = {c: i for i, c in enumerate(sorted(set(self.read + self.unread)))}
        read = np.array([number[c] for c in self.read])
        unread = np.array([number[c] for c in self.unread])
        shorter: list = []  # counted once for all orders
        losses = {n: KneserNey(read, len(number), n, shorter).losses(unread).mean() for n in orders}
        return {f"{n}-gram": float(loss) / math.log(2) for n, loss in losses.items()}

    def page(self, model: GPT, generate: Callable, prompt: str, choose: Callable, max_new_tokens: int) -> str:
        """Return a prompt and `max_new_tokens` pieces that follow; choose: (logits (V,), ids so far) -> the next id.

        generate: the student's. Where the model's context is full, its second half begins anew.
        """
        ids, half = self.ids(prompt).tolist(), model.context_length // 2
        wanted = len(ids) + max_new_tokens
        while len(ids) < wanted:
            begun = ids[-half:]
            written = generate(model, begun, choose, wanted - len(ids))
            ids += [int(i) for i in written[len(begun) :]]
        return self.tokenizer.decode(ids)


def trained(lines: Iterable[str], vocab_size: int) -> Tokenizer:
    """Return a byte-level BPE tokenizer (Sennrich et al. 2016) of lines; bytes that they do not hold have no piece."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=vocab_size, show_progress=False))
    return tokenizer
