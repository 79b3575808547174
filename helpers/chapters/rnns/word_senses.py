"""One word, two senses: places of a word in texts, its vectors there, and whether they tell the senses apart."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from helpers.chapters.rnns.bidirectional import BidirectionalLM, ELMoProbe
from helpers.chapters.rnns.encoder_decoder import EncoderDecoder
from helpers.chapters.rnns.next_words import next_word_loss
from helpers.data.dates import Dates
from helpers.data.tagged import Sentence
from helpers.device import SEED, seed_everything
from helpers.training import fit

AROUND = 12  # words before a place, and words from it on
BLOCK, ROWS = 24, 32  # words in a row, rows in a batch


class Place(NamedTuple):
    """A place of a word: the words around it, its index among them, and the sense that it has there."""

    words: list[str]
    index: int
    sense: str


def tokens_of(text: str) -> list[str]:
    """Return words and marks in lower case."""
    return re.findall(r"\w+|[^\w\s]", text.lower())


def pages_with(word: str, documents: Iterable) -> list:
    """Return the documents that say a word, without near copies."""
    found = re.compile(rf"\b{word}\b")
    return [d for d in documents if found.search(d.text.lower()) and not d.near_copy]


def cells(documents: Iterable) -> Iterator[Place]:
    """Yield each "cell" in the pages of matplotlib (of a table) and torch (of a network); the library is the sense."""
    for document in documents:
        if document.library in ("matplotlib", "torch"):
            words = tokens_of(document.text)
            yield from (_place(words, i, document.library) for i, word in enumerate(words) if word == "cell")


def banks(sentences: Iterable[Sentence]) -> Iterator[Place]:
    """Yield the first "bank" of each tagged message, part of a firm's name or what an account is with."""
    for tokens, tags in sentences:
        words = [token.lower() for token in tokens]
        i = words.index("bank") if "bank" in words else None
        if i is not None and tags[i] in ("O", "I-ORG"):
            yield _place(words, i, "a firm" if tags[i] == "I-ORG" else "an account")


def _place(words: list[str], i: int, sense: str) -> Place:
    return Place(words[max(i - AROUND, 0) : i + AROUND], min(i, AROUND), sense)


class Stream:
    """Running words to learn a language model from: the most frequent are numbered, 0 is all others."""

    def __init__(self, sentences: Iterable[Sentence], documents: Iterable, size: int):
        """Number the words of tagged messages and of the first 600 of each document; `size` is how many there are."""
        words = [token.lower() for tokens, _ in sentences for token in tokens]
        words += [word for document in documents for word in tokens_of(document.text)[:600]]
        self.number = {w: i for i, (w, _) in enumerate(Counter(words).most_common(size - 1), start=1)}
        self.flow = self.ids(words)

    def ids(self, words: Sequence[str]) -> torch.Tensor:
        """Return the numbers of words, (n,)."""
        return torch.tensor([self.number.get(word, 0) for word in words])

    def batch(self, step: int) -> torch.Tensor:
        """Return (32, 24) words from places drawn at random."""
        return self.flow[torch.randint(len(self.flow) - BLOCK, (ROWS, 1)) + torch.arange(BLOCK)]


def layers_at(
    places: Sequence[Place], model: BidirectionalLM, stream: Stream, reverse_padded: Callable
) -> torch.Tensor:
    """Return the three layers' vectors of each place, (3, n, 2 * width), on the CPU; reverse_padded: see `layers`."""
    rows = [stream.ids(place.words) for place in places]
    lengths = torch.tensor([len(row) for row in rows])
    with torch.no_grad():
        layers = model.cpu().layers(pad_sequence(rows, batch_first=True), lengths, reverse_padded)
    return layers[:, torch.arange(len(rows)), torch.tensor([place.index for place in places])]


def neighbour_right(vectors: torch.Tensor, senses: Sequence[str]) -> float:
    """Return how often the nearest other vector, of n (n, C), has the same sense, both senses counting alike."""
    unit = F.normalize(vectors, dim=-1)
    nearest = (unit @ unit.T).fill_diagonal_(-2).argmax(-1)
    same = np.array([senses[i] == senses[j] for i, j in enumerate(nearest.tolist())])
    return float(np.mean([same[np.array(senses) == sense].mean() for sense in set(senses)]))


def train_probe(layers: torch.Tensor, senses: Sequence[str], elmo_mix: Callable) -> tuple[list[float], float]:
    """Learn the senses from half of the places, (3, n, C); returns (the mix of layers, share right of the others)."""
    order = np.random.default_rng(SEED).permutation(len(senses))
    learned, held = order[::2], order[1::2]
    names, rows = sorted(set(senses)), layers.transpose(0, 1)  # (n, 3, C)
    y = torch.tensor([names.index(sense) for sense in senses])
    seed_everything(SEED)
    probe = ELMoProbe(elmo_mix, layers.shape[-1])
    fit(probe, [(rows[learned].contiguous(), y[learned])], next_word_loss, steps=120, lr=0.05, progress=False)
    with torch.no_grad():
        right = (probe.cpu()(rows[held]).argmax(-1) == y[held]).float().mean().item()
    return probe.mix.detach().softmax(0).tolist(), right


def spanish_mar(n: int) -> tuple[list[str], list[int], list[str]]:
    """Return different Spanish dates with "mar", at most one in n drawn: (texts, indices of its last letter, senses).

    At the beginning it is short for martes, a weekday, later for marzo, a month.
    """
    dates = Dates("train").series(n, seed=7, counts=(1,), languages=["es"])
    places = {(text, i.start()): None for text, _ in dates for i in re.finditer(r"\bmar\b", text)}  # each once
    texts, starts = map(list, zip(*places, strict=True))
    last_letters = [start + 2 for start in starts]
    senses = ["month" if start else "weekday" for start in starts]
    return texts, last_letters, senses


def letter_states(model: EncoderDecoder, ids: torch.Tensor, at: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the vector of one letter of each source, (n, 64), and the encoder's state after it, (n, width): CoVe.

    ids: padded sources (n, T), on the CPU. at: the index of the letter in each.
    """
    model, each = model.cpu(), torch.arange(len(ids))
    with torch.no_grad():
        letters = model.read_embed(ids)
        states = model.encoder(letters)[0]
    return letters[each, list(at)], states[each, list(at)]


def mean_cosines(vectors: torch.Tensor, senses: Sequence[str], names: tuple[str, str]) -> tuple[float, float, float]:
    """Return the mean cosine among the vectors (n, C) of each of two senses, and between them."""
    unit = F.normalize(vectors, dim=-1)
    first = torch.tensor([sense == names[0] for sense in senses])
    second = torch.tensor([sense == names[1] for sense in senses])
    alike = unit @ unit.T
    parts = alike[first][:, first], alike[second][:, second], alike[first][:, second]
    return tuple(part.mean().item() for part in parts)
