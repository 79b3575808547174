"""word2vec (Mikolov et al. 2013): its models, and a training that thins and cuts the corpus anew in each pass."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn.functional import embedding

from helpers.chapters.word_vectors.corpus import WORD, Corpus
from helpers.course import artifacts
from helpers.device import SEED, seed_everything
from helpers.models.word_vectors import WordVectors
from helpers.training import History, fit

LINE, LINES = 32, 512  # words in a line, lines in a step
NOISE = 256  # noise words for a step
WEIGHT = 5  # noise words that a pair counts for


class SkipGram(nn.Module):
    """Two vectors for each word: one as a centre (inputs), one as context (outputs)."""

    def __init__(self, size: int, width: int):
        """Make two tables, (size, width): small random inputs, and outputs of zeros."""
        super().__init__()
        self.inputs = nn.Parameter((torch.rand(size, width) - 0.5) / width)
        self.outputs = nn.Parameter(torch.zeros(size, width))

    def forward(self, ids: torch.Tensor, pairs: torch.Tensor, noise: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return (scores (L, T, T), pairs, scores (n, K) of each different centre with the noise, its pairs (n,)).

        ids: (L, T), the lines of a step; pairs: (L, T, T) booleans, centres in rows; noise: (K,) word ids.
        """
        many = torch.zeros(len(self.inputs), device=ids.device)
        many.index_add_(0, ids.flatten(), pairs.sum(2).flatten().float())
        centres = many.nonzero()[:, 0]
        scores = embedding(ids, self.inputs) @ embedding(ids, self.outputs).transpose(1, 2)
        return scores, pairs, embedding(centres, self.inputs) @ embedding(noise, self.outputs).T, many[centres]


class CBoW(SkipGram):
    """The other way round: the mean of the context predicts the centre."""

    def forward(self, ids: torch.Tensor, pairs: torch.Tensor, noise: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return (scores (L, T), which positions have context (L, T), scores (n, K / 4) with the noise, ones (n,)).

        The arguments are those of SkipGram. Each of the n positions with context is scored against a quarter of the
        noise, so that a step costs the same.
        """
        many = pairs.sum(2)  # (L, T) how much context each position has
        means = pairs.float() @ embedding(ids, self.inputs) / many.clamp(min=1)[..., None]
        scores = (means * embedding(ids, self.outputs)).sum(-1)
        against = means[many > 0] @ embedding(noise[: len(noise) // 4], self.outputs).T
        return scores, many > 0, against, torch.ones(len(against), device=ids.device)


class CausalBag(nn.Module):
    """CBoW of the words before, as a language model.

    scores: (windows (B, 2R), inputs, outputs, causal) -> scores (B, V)
    """

    def __init__(self, scores: Callable, size: int, width: int):
        """Make two random tables, (size, width)."""
        super().__init__()
        self.scores = scores
        self.inputs = nn.Parameter(torch.randn(size, width) / 10)
        self.outputs = nn.Parameter(torch.randn(size, width) / 10)

    def forward(self, windows: torch.Tensor) -> torch.Tensor:
        """Return the score of every word for the position that each window (B, 2R) surrounds, (B, V)."""
        return self.scores(windows, self.inputs, self.outputs, causal=True)


class LineBatches:
    """Lines of a corpus by step: each pass drops frequent words, cuts the rest into lines and mixes these.

    steps: how many steps a pass has
    """

    def __init__(self, corpus: Corpus, kept: np.ndarray, reach: int):
        """kept: (V,) the probability of each word's occurrences to stay; reach: the largest of a centre."""
        self.corpus, self.kept, self.reach = corpus, kept[corpus.ids], reach
        self.steps = max(1, int(self.kept.sum() / LINE / LINES) - 1)
        self.number, self.lines = -1, ()

    def __call__(self, step: int) -> tuple[torch.Tensor, ...]:
        """Return (ids, reaches, texts) of a step, (LINES, LINE) each."""
        number, place = divmod(step, self.steps)
        if number != self.number:
            self.number, self.lines = number, self._cut()
        return tuple(part[place * LINES : (place + 1) * LINES] for part in self.lines)

    def _cut(self) -> tuple[torch.Tensor, ...]:
        """Draw the lines of a pass: (ids, reaches, texts), (lines, LINE) each."""
        chosen = np.flatnonzero(np.random.random(len(self.kept)) < self.kept)
        chosen = chosen[np.random.randint(LINE) :]  # the cuts fall elsewhere in every pass
        chosen = np.random.permutation(chosen[: len(chosen) // LINE * LINE].reshape(-1, LINE))
        reaches = np.random.randint(1, self.reach + 1, chosen.shape)
        return tuple(map(torch.from_numpy, (self.corpus.ids[chosen], reaches, self.corpus.texts[chosen])))


@dataclass(frozen=True)
class Trainer:
    """Trains word vectors with four functions of the chapter.

    keep:  counts (V,) -> the probability of each word's occurrences to be kept, (V,)
    noise: counts (V,) -> the probability of each word to be drawn as noise, (V,)
    mask:  texts (L, T), reaches (L, T) -> which words of a line form pairs, (L, T, T) booleans
    loss:  what a model returns, and the weight of the noise -> the loss, a scalar
    """

    keep: Callable
    noise: Callable
    mask: Callable
    loss: Callable

    def train(
        self, kind: type[nn.Module], corpus: Corpus, passes: float, width: int = 100, reach: int = 3, seed: int = SEED
    ) -> tuple[WordVectors, History]:
        """Train SkipGram or CBoW on a corpus, from the seed on; returns (vectors of the inputs, History)."""
        seed_everything(seed)
        model = kind(len(corpus.words), width)
        batches = LineBatches(corpus, np.asarray(self.keep(corpus.counts)), reach)
        options = {"steps": round(passes * batches.steps), "lr": 0.03, "weight_decay": 0.0, "clip": None}
        history = fit(model, batches, self._step_loss(corpus), **options)
        return WordVectors(corpus.words, model.inputs.detach().cpu().numpy()), history

    def _step_loss(self, corpus: Corpus) -> Callable:
        """Return the loss of (model, batch), with noise words drawn anew for each step."""
        drawn = torch.tensor(np.asarray(self.noise(corpus.counts)))

        def loss(model: nn.Module, batch: tuple[torch.Tensor, ...]) -> torch.Tensor:
            ids, reaches, texts = batch
            noise = torch.multinomial(drawn, NOISE, replacement=True).to(ids.device)
            mask = torch.as_tensor(self.mask(texts.cpu(), reaches.cpu()), dtype=torch.bool)
            pairs = mask.to(ids.device)  # made on the CPU: a right answer need not know of devices
            return self.loss(*model(ids, pairs, noise), weight=WEIGHT)

        return loss


def save_docs_vectors(vectors: WordVectors, corpus: Corpus, answers: int, passes: float, company: float) -> None:
    """Save skip-gram vectors of the docs as the student's own artifact docs-vectors.

    answers: how many words can answer an analogy; company: the share of right answers in those sections.
    """
    config = {"vocabulary": corpus.words, "counts": corpus.counts.tolist(), "pattern": WORD.pattern}
    config |= {"dimensions": vectors.matrix.shape[1], "answers": answers}
    config |= {"trained": "skip-gram with negative sampling"}
    card = (
        f"# docs-vectors: your own\n\nSkip-gram on the docs, {passes} passes; "
        f"{company:.3f} of the six sections of company in docs_analogies."
    )
    artifacts.save(artifacts.Artifact("docs-vectors", {"words": torch.from_numpy(vectors.matrix)}, config, card=card))
