"""One text under the noises of BERT, T5 and BART, and what each lets the model read and write."""

import textwrap
from collections.abc import Callable

import torch

SAID = (
    "thank you for inviting me to your party last week . the cake was a dream . "
    "your cat has my left shoe . i will come and get it on monday ."
)
TEXT = SAID.split(" ")
SHARE, MEAN = 0.15, 3  # T5 and BERT: hidden tokens; and the mean length of a span
BART_SHARE = 0.3


def random_spans(length: int, hidden: int, count: int, generator: torch.Generator) -> list[tuple[int, int]]:
    """Return `count` spans (start, length) that hide `hidden` of `length` tokens, ascending, as T5's code draws them.

    Hidden and kept tokens are each cut into `count` pieces, none empty, which take turns, a kept one first.
    """
    gone, kept = (_pieces(n, count, generator) for n in (hidden, length - hidden))
    spans, start = [], 0
    for cut, left in zip(gone, kept, strict=True):
        spans.append((start + left, cut))
        start += left + cut
    return spans


def _pieces(n: int, count: int, generator: torch.Generator) -> list[int]:
    """Return the sizes of `count` pieces of n tokens, cut at random."""
    cuts = torch.randperm(n - 1, generator=generator)[: count - 1] + 1
    return torch.diff(torch.cat([torch.tensor([0]), cuts.sort().values, torch.tensor([n])])).tolist()


def shuffled(tokens: list[str], generator: torch.Generator) -> list[str]:
    """Return BART's sentence permutation: the same words, the sentences, each up to its stop, in another order."""
    sentences = [f"{part} ." for part in " ".join(tokens).removesuffix(" .").split(" . ")]
    order = torch.randperm(len(sentences), generator=generator).tolist()
    return " ".join(sentences[i] for i in order).split(" ")


class Noises:
    """The reader's two functions, put to one text."""

    def __init__(self, span_corruption: Callable, infill: Callable):
        self.span_corruption, self.infill = span_corruption, infill

    def spans(self, length: int, generator: torch.Generator, share: float = SHARE) -> list[tuple[int, int]]:
        """Return spans for a text of so many tokens, at T5's mean length."""
        hidden = round(share * length)
        return random_spans(length, hidden, max(1, round(hidden / MEAN)), generator)

    def t5(self, tokens: list, generator: torch.Generator) -> tuple[list, list]:
        """Return inputs and targets with the sentinels <0>, <1>, ..."""
        spans = self.spans(len(tokens), generator)
        return self.span_corruption(tokens, spans, [f"<{i}>" for i in range(len(spans) + 1)])

    def samples(self, seed: int) -> str:
        """Return the text as each noise shows it, and what T5's decoder writes."""
        draw = torch.Generator().manual_seed(seed)
        gone = set(torch.randperm(len(TEXT), generator=draw)[: round(SHARE * len(TEXT))].tolist())
        masked = ["[MASK]" if i in gone else word for i, word in enumerate(TEXT)]
        inputs, targets = self.t5(TEXT, draw)
        rows = {
            "BERT, masked": masked,
            "T5, input": inputs,
            "T5, target": targets,
            "BART, infilling": self.infill(TEXT, self.spans(len(TEXT), draw, BART_SHARE), "[MASK]"),
            "BART, deletion": [word for i, word in enumerate(TEXT) if i not in gone],
            "BART, shuffled": shuffled(TEXT, draw),
        }
        return "\n".join(_wrapped(name, words) for name, words in rows.items())

    def costs(self, length: int, seed: int) -> str:
        """Return how many tokens of a text each encoder reads and each decoder writes."""
        draw, tokens = torch.Generator().manual_seed(seed), list(range(length))
        inputs, targets = self.t5(tokens, draw)
        filled = self.infill(tokens, self.spans(length, draw, BART_SHARE), "[MASK]")
        rows = {
            "BERT": (length, 0, round(SHARE * length)),
            "GPT": (0, length, length),
            "T5": (len(inputs), len(targets), len(targets)),
            "BART": (len(filled), length, length),
        }
        head = f"{length} tokens{'encoder reads':>20}{'decoder writes':>17}{'learned from':>15}"
        return "\n".join([head, *(f"{name:<10}{a:>20}{b:>17}{c:>15}" for name, (a, b, c) in rows.items())])


def _wrapped(name: str, words: list) -> str:
    """Return a name and, beside it, words in lines that fit a page."""
    return textwrap.fill(" ".join(words), 100, initial_indent=f"{name:<17}", subsequent_indent=" " * 17)
