"""Skip-gram with negative sampling, with pieces of words: the corpus as numbers, the model, the loss, the training.

Mikolov, Sutskever, Chen, Corrado, Dean 2013; Bojanowski, Grave, Joulin, Mikolov 2017 for the pieces.
"""

import re
from collections import Counter

import numpy as np
import torch
from torch import nn
from torch.nn.functional import embedding, embedding_bag, logsigmoid

from helpers.data import Docs
from helpers.device import seed_everything
from helpers.models.word_vectors import WordVectors
from helpers.training import History, fit

PATTERN = r"[a-z][a-z0-9_]*"  # of a word, in lower case
FEWEST = 5  # occurrences of a word that gets a vector
PIECES = (3, 6)  # letters of a piece of a word, < and > around the word included
WIDTH = 128  # dimensions
REACH = 3  # the window's largest half, in words
COMMON = 1e-3  # share of the text above which a word is left out at times
NOISE, WEIGHT = 256, 5  # noise words drawn for a step, shared by its pairs; how many each pair would have drawn
LINE, LINES = 64, 256  # words in a line, lines in a step
PASSES, LR = 15, 0.03


class Corpus:
    """The words of the docs as numbers.

    words:  the vocabulary, by count, then alphabet
    counts: (V,) how often each occurs
    ids:    (n,) the text as rows of the vocabulary, rarer words left out
    text:   (n,) the number of the document that each word stands in
    """

    def __init__(self, docs: Docs):
        texts = [re.findall(PATTERN, document.text.lower()) for document in docs]
        found = Counter(word for text in texts for word in text)
        self.read = found.total()
        self.words = sorted((word for word, n in found.items() if n >= FEWEST), key=lambda word: (-found[word], word))
        self.counts = np.array([found[word] for word in self.words])
        row = {word: i for i, word in enumerate(self.words)}
        known = [[row[word] for word in text if word in row] for text in texts]
        self.ids = np.concatenate([np.array(text, dtype=np.int64) for text in known])
        self.text = np.repeat(np.arange(len(known)), [len(text) for text in known])

    @property
    def kept(self) -> np.ndarray:
        """The chance of each word to be kept, (V,): sqrt(t/f) + t/f of its share f, as in word2vec's program."""
        share = self.counts / self.counts.sum()
        return np.minimum(1, np.sqrt(COMMON / share) + COMMON / share)

    def lines(self) -> tuple[torch.Tensor, ...]:
        """Return the subsampled text cut into lines in random order: ids, reaches, documents, (lines, LINE) each.

        The reach of a word says how far its window goes, drawn from 1 to REACH: near words count for more.
        """
        chosen = np.flatnonzero(np.random.random(len(self.ids)) < self.kept[self.ids])
        chosen = chosen[np.random.randint(LINE) :]  # so that the cuts fall elsewhere in every pass
        chosen = np.random.permutation(chosen[: len(chosen) // LINE * LINE].reshape(-1, LINE))
        reaches = np.random.randint(1, REACH + 1, chosen.shape)
        return tuple(map(torch.from_numpy, (self.ids[chosen], reaches, self.text[chosen])))

    def steps(self) -> int:
        """How many steps a pass has; up to one step's lines of each pass stay unread."""
        return int(self.kept[self.ids].sum() / LINE / LINES) - 1

    def batches(self):
        """Return a function from the step to its lines: every pass anew subsampled and shuffled."""
        steps, now = self.steps(), {}

        def batch(step: int) -> tuple[torch.Tensor, ...]:
            number, place = divmod(step, steps)
            if number not in now:
                now.clear()
                now[number] = self.lines()
            return tuple(part[place * LINES : (place + 1) * LINES] for part in now[number])

        return batch


def pieces(word: str) -> list[str]:
    """Return the runs of letters of "<word>" of every length in PIECES: "<wo", "wor", ..."""
    whole, (shortest, longest) = f"<{word}>", PIECES
    return [whole[i : i + n] for n in range(shortest, longest + 1) for i in range(len(whole) - n + 1)]


class SkipGram(nn.Module):
    """A vector for each word as a centre and one as a context; the centre's is the mean with its pieces' vectors."""

    def __init__(self, words: list[str], plain: bool = False):
        super().__init__()
        lists = [[] if plain else pieces(word) for word in words]
        shared = Counter(piece for found in lists for piece in set(found))
        row = {piece: i for i, piece in enumerate(sorted(p for p, n in shared.items() if n > 1))}
        lists = [[row[piece] for piece in found if piece in row] for found in lists]
        lengths = torch.tensor([len(found) for found in lists])
        self.register_buffer("flat", torch.tensor([piece for found in lists for piece in found], dtype=torch.long))
        self.register_buffer("starts", lengths.cumsum(0) - lengths)
        self.register_buffer("parts", 1 + lengths[:, None])  # (V, 1) how many vectors a word's is the mean of
        self.own = nn.Parameter((torch.rand(len(words), WIDTH) - 0.5) / WIDTH)
        self.piece = nn.Parameter((torch.rand(max(1, len(row)), WIDTH) - 0.5) / WIDTH)
        self.context = nn.Parameter(torch.zeros(len(words), WIDTH))

    def words(self) -> torch.Tensor:
        """Return the words' vectors, (V, d)."""
        return (self.own + embedding_bag(self.flat, self.piece, self.starts, mode="sum")) / self.parts

    def forward(self, ids: torch.Tensor, centres: torch.Tensor, noise: torch.Tensor):
        """Return the scores of all words of a line with one another, (lines, T, T), and of centres with noise.

        `embedding` instead of an index: its gradient adds up in the same order every time, on several cores, too.
        """
        words = self.words()
        scores = embedding(ids, words) @ embedding(ids, self.context).transpose(1, 2)
        return scores, embedding(centres, words) @ embedding(noise, self.context).T


def loss_with(counts: np.ndarray):
    """Return the loss of skip-gram with negative sampling for `fit`; noise is drawn by count to the power 3/4.

    A step's noise words are shared: a centre's noise term is the mean over them all, times WEIGHT, once for
    each of its pairs. So it is worked out once a word and weighted, not once a pair.
    """
    power = torch.tensor(counts, dtype=torch.float64) ** 0.75

    def loss(model: nn.Module, batch: tuple[torch.Tensor, ...]) -> torch.Tensor:
        ids, reaches, text = batch  # (lines, T) each
        place = torch.arange(ids.shape[1], device=ids.device)
        apart = (place[:, None] - place).abs()
        pairs = (apart > 0) & (apart <= reaches[..., None]) & (text[..., None] == text[:, None])  # (lines, T, T)
        weights = torch.zeros(len(counts), device=ids.device)
        weights.index_add_(0, ids.flatten(), pairs.sum(2).flatten().float())  # how many pairs each word is centre of
        centres = weights.nonzero()[:, 0]
        noise = torch.multinomial(power, NOISE, replacement=True).to(ids.device)
        scores, against = model(ids, centres, noise)
        own = logsigmoid(scores[pairs]).sum()
        return -(own + WEIGHT * weights[centres] @ logsigmoid(-against).mean(1)) / pairs.sum()

    return loss


def train(corpus: Corpus, plain: bool = False) -> tuple[WordVectors, History]:
    """Train the vectors with the course's seed; returns them, and what the training recorded."""
    seed_everything()
    model = SkipGram(corpus.words, plain)
    steps = PASSES * corpus.steps()
    history = fit(model, corpus.batches(), loss_with(corpus.counts), steps=steps, lr=LR, weight_decay=0.0, clip=None)
    with torch.no_grad():
        return WordVectors(corpus.words, model.words().half().float().cpu().numpy()), history
