"""word2vec pair by pair, as it was published: the chapter's own step moves the tables, and no autograd is asked."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch

from helpers.chapters.word_vectors.corpus import Corpus
from helpers.device import SEED, seed_everything
from helpers.models.word_vectors import WordVectors

PAIRS, NOISE = 1000, 5  # pairs in a step, noise words of each
RATE = 0.07  # of a single pair; the loss is a mean over PAIRS, so a step is given PAIRS times as much
LIMIT = 120.0  # seconds of the processor: where a step loops in Python, training ends before its time and says so


@dataclass(frozen=True)
class StepTrainer:
    """Trains word vectors with five functions of the chapter.

    windows: ids (T,), texts (T,), reach -> the context of each place, (T, 2 * reach), -1 where there is none
    pairs:   ids (T,), windows -> (centre, context), (P, 2)
    keep:    counts (V,) -> the probability of each word's occurrences to be kept, (V,)
    noise:   counts (V,) -> the probability of each word to be drawn as noise, (V,)
    step:    inputs, outputs, centres, contexts, noise, rate -> (inputs, outputs, loss)
    """

    windows: Callable
    pairs: Callable
    keep: Callable
    noise: Callable
    step: Callable

    def train(
        self, corpus: Corpus, passes: float, width: int = 100, reach: int = 5, limit: float = LIMIT
    ) -> tuple[WordVectors, list[float]]:
        """Train two tables on a corpus, from the seed on; returns (vectors of the inputs, mean losses of the passes).

        The rate falls evenly to 0. After `limit` seconds of the processor training ends where it is.
        """
        seed_everything(SEED)
        size = len(corpus.words)
        inputs, outputs = (torch.rand(size, width) - 0.5) / width, torch.zeros(size, width)
        drawn = torch.tensor(np.asarray(self.noise(corpus.counts)))
        losses: dict[int, list[float]] = {}  # of each pass
        end = time.process_time() + limit
        for done, pairs in self._batches(corpus, passes, reach):
            noise = torch.multinomial(drawn, PAIRS * NOISE, replacement=True).reshape(PAIRS, NOISE)
            rate = RATE * PAIRS * (1 - done / passes)
            *tables, loss = self.step(inputs, outputs, pairs[:, 0], pairs[:, 1], noise, rate)
            inputs, outputs = (torch.as_tensor(table).detach().float() for table in tables)
            losses.setdefault(int(done), []).append(float(loss))
            if time.process_time() > end:
                print(f"Stopped after {done:.1f} of {passes} passes, for time. Does a step loop over its pairs?")
                break
        return WordVectors(corpus.words, inputs.numpy()), [float(np.mean(part)) for part in losses.values()]

    def _batches(self, corpus: Corpus, passes: float, reach: int) -> Iterator[tuple[float, torch.Tensor]]:
        """Yield (passes done so far, the PAIRS pairs of a step, (PAIRS, 2))."""
        kept = np.asarray(self.keep(corpus.counts))[corpus.ids]
        for number in range(int(np.ceil(passes))):
            pairs = self._shuffled(corpus, kept, reach)
            steps = len(pairs) // PAIRS
            for i in range(round(steps * min(1, passes - number))):
                yield number + i / steps, pairs[i * PAIRS : (i + 1) * PAIRS]

    def _shuffled(self, corpus: Corpus, kept: np.ndarray, reach: int) -> torch.Tensor:
        """Draw what a pass reads: the pairs of the words that are kept, mixed, (P, 2); centres have their own reach."""
        chosen = np.random.random(len(kept)) < kept
        ids = corpus.ids[chosen]
        windows = np.asarray(self.windows(ids, corpus.texts[chosen], reach))
        apart = np.abs([o for o in range(-reach, reach + 1) if o])
        near = apart <= np.random.randint(1, reach + 1, size=(len(ids), 1))
        pairs = np.asarray(self.pairs(ids, np.where(near, windows, -1)))
        return torch.from_numpy(np.random.permutation(pairs).astype(np.int64))
