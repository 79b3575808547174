"""Dates as people write them, and their ISO form, as rows of characters for an encoder-decoder."""

from collections.abc import Sequence

import torch

from helpers.chapters.transformers.translator import Translator
from helpers.data.dates import Dates

LANGUAGES = ("en", "de", "fr", "es")
SOURCE, TARGET = 40, 12  # characters; a target is "<2015-02-03>"
BATCH = 64
Pairs = list[tuple[str, str]]  # (as people write it, ISO form)


class DateCharacters:
    """Pairs to learn from, unseen pairs, and the characters of both as ids; 0 is padding."""

    def __init__(self, learned: Pairs, unseen: Pairs):
        self.unseen = unseen
        self.signs = ["", *sorted({c for text, _ in [*learned, *unseen] for c in text} | set("0123456789-<>"))]
        self._place = {sign: i for i, sign in enumerate(self.signs)}
        self.sources, self.targets = self.ids_of(learned)

    @classmethod
    def sample(cls, learned: int, unseen: int, seed: int) -> "DateCharacters":
        """Draw so many pairs of the training and of the test split, in four languages."""
        sizes = {"train": learned, "test": unseen}
        return cls(*(Dates(split).sample(n, seed=seed, languages=LANGUAGES) for split, n in sizes.items()))

    def ids_of(self, pairs: Pairs) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (sources (N, 40), targets (N, 12))."""
        sources = [text for text, _ in pairs]
        targets = [f"<{iso}>" for _, iso in pairs]
        return self._ids(sources, SOURCE), self._ids(targets, TARGET)

    def _ids(self, texts: Sequence[str], length: int) -> torch.Tensor:
        rows = []
        for text in texts:
            ids = [self._place[c] for c in text] + [0] * length
            rows.append(ids[:length])
        return torch.tensor(rows)

    def batch(self, _step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return sixty-four random pairs (source, target), the sources no wider than the longest of them."""
        rows = torch.randint(len(self.sources), (BATCH,))
        source = self.sources[rows]
        return source[:, : int((source != 0).sum(dim=1).max())], self.targets[rows]

    @torch.no_grad()
    def translate(self, model: Translator, source: torch.Tensor) -> torch.Tensor:
        """Return the greedy translations (N, 12) of source (N, 40)."""
        source = source.to(model.tokens.weight.device)
        target = torch.full((len(source), 1), self._place["<"], device=source.device)
        for _ in range(TARGET - 1):
            target = torch.cat([target, model(source, target)[:, -1:].argmax(-1)], dim=1)
        return target.cpu()

    def report(self, model: Translator) -> str:
        """Return how many unseen dates come out exactly right, and the first six: source, translation, ISO form."""
        source, target = self.ids_of(self.unseen)
        found = self.translate(model, source)
        exact = (found == target).all(1).float().mean().item()
        lines = [f"exactly right: {exact:.1%} of {len(self.unseen)} unseen days in {len(LANGUAGES)} languages"]
        for (text, iso), row in list(zip(self.unseen, found, strict=True))[:6]:
            written = "".join(self.signs[i] for i in row.tolist()).strip("<>")
            lines.append(f"{text:<34} {written:<12} {iso}")
        return "\n".join(lines)
