"""One text under the noises of BERT, T5 and BART, and what each lets the model read and write."""

import textwrap
from collections.abc import Callable

import torch

SAID = (
    "thank you for inviting me to your party last week . the cake was a dream . "
    "your cat has my left shoe . i will come and get it on monday ."
)
TEXT = SAID.split(" ")
SHARE, MEAN = 0.15, 3  # T5: hidden tokens, and the mean length of a span


class Noises:
    """The reader's four functions, put to one text."""

    def __init__(self, span_corruption: Callable, random_spans: Callable, infill: Callable, shuffle: Callable):
        self.span_corruption, self.random_spans, self.infill, self.shuffle = (
            span_corruption, random_spans, infill, shuffle
        )  # fmt: skip

    def spans(self, length: int, generator: torch.Generator) -> list[tuple[int, int]]:
        """Return spans for a text of so many tokens, at T5's share and mean length."""
        hidden = round(SHARE * length)
        return self.random_spans(length, hidden, max(1, round(hidden / MEAN)), generator)

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
            "BART, infilling": self.infill(TEXT, self.spans(len(TEXT), draw), "[MASK]"),
            "BART, deletion": [word for i, word in enumerate(TEXT) if i not in gone],
            "BART, shuffled": self.shuffle(TEXT, ".", draw),
        }
        return "\n".join(_wrapped(name, words) for name, words in rows.items())

    def costs(self, length: int, seed: int) -> str:
        """Return how many tokens of a text each encoder reads and each decoder writes."""
        draw, tokens = torch.Generator().manual_seed(seed), list(range(length))
        inputs, targets = self.t5(tokens, draw)
        filled = self.infill(tokens, self.spans(length, draw), "[MASK]")
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
