"""The first language model: the last words of a text, in a bag, guess the next one."""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from helpers.chapters.word_vectors.corpus import Corpus, words_of
from helpers.training import fit

BATCH, JUDGED = 1024, 50_000  # windows in a batch; places of the test texts that a perplexity is measured on
TEMPERATURE, CONTINUED = 0.7, 14  # of the draw of a word; how many words are drawn


class NextWord:
    """The windows of a corpus and the words in their middle, some texts held out.

    windows: (T, 2 * reach) ids, -1 where there is none; targets: (T,) the words; of the `size` most frequent only
    learned, judged: the places of the texts to learn from, and the first of those held out
    """

    def __init__(self, corpus: Corpus, context_windows: Callable, held_out: list[bool], size: int, reach: int = 3):
        """context_windows: (ids, texts, reach) -> windows; held_out: whether each text is for the test."""
        known = corpus.ids < size
        ids, texts = corpus.ids[known], corpus.texts[known]
        test = torch.from_numpy(np.array(held_out)[texts])
        self.corpus, self.size, self.reach = corpus, size, reach
        self.windows = torch.from_numpy(np.asarray(context_windows(ids, texts, reach), dtype=np.int64))
        self.targets = torch.from_numpy(ids)
        self.learned, self.judged = torch.nonzero(~test)[:, 0], torch.nonzero(test)[:JUDGED, 0]

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (windows (B, 2 * reach), words (B,)) of places drawn at random."""
        chosen = self.learned[torch.randint(len(self.learned), (BATCH,))]
        return self.windows[chosen], self.targets[chosen]

    def train(self, model: nn.Module, steps: int) -> nn.Module:
        """Train a model, windows -> scores (B, size), with the full softmax; returns the model."""
        fit(model, self.batch, _cross_entropy, steps=steps, lr=0.01, weight_decay=0.0, clip=None)
        return model

    def perplexities(self, model: nn.Module) -> str:
        """Return in words the perplexity of the words' frequencies, and of a model, on the texts held out."""
        alone, before = self.unigram_perplexity(), self.perplexity(model)
        return f"frequency alone {alone:.0f}, three words before {before:.0f}"

    @torch.no_grad()
    def perplexity(self, model: nn.Module) -> float:
        """Return the perplexity of a model on the texts held out."""
        device = next(model.parameters()).device
        losses = [
            F.cross_entropy(model(self.windows[part].to(device)), self.targets[part].to(device), reduction="none")
            for part in self.judged.split(5000)
        ]
        return torch.cat(losses).mean().exp().item()

    def unigram_perplexity(self) -> float:
        """Return the perplexity of the words' frequencies on the texts held out."""
        share = torch.bincount(self.targets[self.learned], minlength=self.size).float() / len(self.learned)
        return (-share[self.targets[self.judged]].clamp(min=1e-9).log().mean()).exp().item()

    @torch.no_grad()
    def continued(self, model: nn.Module, *starts: str) -> str:
        """Return a line for each start, with words appended that are drawn from a model, one after another."""
        device = next(model.parameters()).device
        lines = []
        for start in starts:
            text = [self.corpus.row[word] for word in words_of(start)]
            for _ in range(CONTINUED):
                window = torch.tensor([text[-self.reach :] + [-1] * self.reach], device=device)
                text.append(int(torch.multinomial(torch.softmax(model(window)[0] / TEMPERATURE, 0), 1)))
            lines.append(" ".join(self.corpus.words[i] for i in text))
        return "\n".join(lines)


def _cross_entropy(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    return F.cross_entropy(model(batch[0]), batch[1])
