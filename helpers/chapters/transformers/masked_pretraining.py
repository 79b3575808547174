"""Masked language modelling (Devlin et al. 2019): batches with holes, the loss at the holes, and what fills them."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F

from helpers.chapters.transformers.bert import Encoder
from helpers.chapters.transformers.packing import MASK, PAD, SPECIAL, encode, pack
from helpers.training import History, fit

SHARE = 0.3  # of the tokens become holes; Wettig et al. (2023) found even 40% to be good
MESSAGES, WINDOWS = 28, 4  # rows of a batch


class MaskedTexts:
    """Messages, and windows of a longer text; `batch(step)` draws some of them and cuts new holes.

    mask_tokens: the student's; mask_tokens(token_ids, mask_id, num_special, vocab_size, generator, share).
    """

    def __init__(
        self, tokenizer, messages: Sequence[str], text: str, length: int, mask_tokens: Callable, share: float = SHARE
    ):
        self.vocab_size, self.messages = tokenizer.get_vocab_size(), len(messages)
        self.mask_tokens, self.share = mask_tokens, share
        stream = tokenizer.encode(text, add_special_tokens=False).ids
        windows = [stream[i : i + length - 2] for i in range(0, len(stream), length - 2)]
        self.token_ids, self.segments = pack(encode(tokenizer, messages) + windows, length=length)

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return (inputs, labels, segments), (32, length) each: mostly messages, an eighth windows of the text."""
        messages, windows = (0, self.messages, (MESSAGES,)), (self.messages, len(self.token_ids), (WINDOWS,))
        rows = torch.cat([torch.randint(*messages), torch.randint(*windows)])
        generator = torch.Generator().manual_seed(step)  # new holes in each step
        holes = self.mask_tokens(self.token_ids[rows], MASK, SPECIAL, self.vocab_size, generator, share=self.share)
        return *holes, self.segments[rows]

    def log_frequencies(self) -> torch.Tensor:
        """Return the logarithm of each token's share of the messages, (V,); one that never occurs counts as 0.2."""
        counts = torch.bincount(self.token_ids[: self.messages].flatten(), minlength=self.vocab_size).float()
        counts[:SPECIAL] = 0
        return torch.log((counts + 0.2) / counts.sum())


def masked_loss(model: Encoder, batch: tuple) -> torch.Tensor:
    """Return the mean cross-entropy at the holes, in nats."""
    inputs, labels, segments = batch
    at = labels != -100
    return F.cross_entropy(model.guess(model(inputs, segments)[at]), labels[at])


def pretrain(encoder: Encoder, texts: MaskedTexts, steps: int) -> History:
    """Teach an encoder to fill holes; the output's bias begins as the tokens' frequencies."""
    encoder.bias.data = texts.log_frequencies().to(encoder.bias.device)
    return fit(encoder, texts.batch, masked_loss, steps=steps, lr=3e-3)


def in_words(tokenizer, holes: torch.Tensor, labels: torch.Tensor, segments: torch.Tensor) -> str:
    """Return three lines on one text (T,): its tokens with the holes, its segments, and what is to be guessed."""

    def word(i):
        return tokenizer.id_to_token(i).replace("Ġ", "")

    seen = holes != PAD
    asked = [(word(w), word(t)) for t, w in zip(holes.tolist(), labels.tolist(), strict=True) if w != -100]
    return "\n".join(
        [
            " ".join(word(i) for i in holes[seen].tolist()),
            "  segments " + "".join(map(str, segments[seen].tolist())),
            "  to guess " + ", ".join(f"{hidden} (shown: {shown})" for hidden, shown in asked),
        ]
    )


@torch.no_grad()
def fill_in(encoder: Encoder, tokenizer, text: str, k: int = 4) -> str:
    """Return the text, and a line with the k likeliest tokens for each [MASK] in it."""
    device, context_length = encoder.bias.device, encoder.places.num_embeddings
    pieces = [[*ids, MASK] for ids in encode(tokenizer, text.split("[MASK]"))]
    whole = [i for ids in pieces for i in ids][:-1]  # no [MASK] stands behind the last piece
    ids, segments = (t.to(device) for t in pack([whole], length=context_length))
    chances = encoder.guess(encoder(ids, segments)[ids == MASK]).softmax(-1).cpu()  # (holes, V)
    lines = [text]
    for row in chances:
        best = row.argsort(descending=True)[:k].tolist()
        lines.append("    " + ", ".join(f"{tokenizer.decode([i])!r} {row[i]:.2f}" for i in best))
    return "\n".join(lines)
