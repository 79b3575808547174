"""Short English sentences and their Spanish translations (TICO-19): words as numbers, training, three ways without."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import sacrebleu
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from torch.nn.utils.rnn import pad_sequence

from helpers.chapters.rnns.date_series import translation_loss
from helpers.chapters.rnns.encoder_decoder import EncoderDecoder
from helpers.data.languages import Parallel
from helpers.device import SEED, seed_everything
from helpers.training import fit

MAX_WORDS = 20  # of either side
ROWS = 32  # pairs in a batch
READ = 100  # sources that are translated at once
SHOWN = 1, 3  # the sentences of the test that are printed
WORDS = re.compile(r"\w+|[^\w\s]")


class SentenceLessons:
    """Pairs of sentences as lists of words, one in ten held out, and the words that occur at least twice.

    train, test: [(English words, Spanish words), ...]. read, written: word -> number; in `read` 0 is padding and 1 an
    unknown word, in `written` 0 is an unknown word. begin, end, blank: the numbers behind the Spanish words.
    """

    def __init__(self, texts: Parallel, most: int | None = None):
        """Take the pairs of at most MAX_WORDS words a side; most: so many of them, for a short run."""
        pairs = []
        for sides in zip(texts.entries["en"], texts.entries["es"], strict=True):
            english, spanish = (WORDS.findall(side.lower()) for side in sides)
            if max(len(english), len(spanish)) <= MAX_WORDS:
                pairs.append((english, spanish))
        pairs = pairs[:most]
        self.test = pairs[::10]
        self.train = [pair for i, pair in enumerate(pairs) if i % 10]
        english, spanish = zip(*self.train, strict=True)
        self.read = {word: i for i, word in enumerate(_frequent(english), start=2)}
        self.written = {word: i for i, word in enumerate(_frequent(spanish), start=1)}
        self.begin = len(self.written) + 1
        self.end, self.blank = self.begin + 1, self.begin + 2
        self.references = [" ".join(spanish) for _, spanish in self.test]

    def pad(self, sentences: Sequence[list[str]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (numbers (B, T), lengths (B,)) of English sentences."""
        rows = []
        for words in sentences:
            rows.append(torch.tensor([self.read.get(word, 1) for word in words]))
        return pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])

    def batches(self, number: int) -> list[tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]]:
        """Return so many batches (x (B, S), lengths (B,), targets (B, T), their lengths), similar lengths together."""
        noise, batches = np.random.default_rng(SEED), []
        while len(batches) < number:
            shifts = noise.uniform(0, 3, size=len(self.train))
            order = sorted(range(len(self.train)), key=lambda i: len(self.train[i][1]) + shifts[i])
            starts = range(0, len(order) - ROWS + 1, ROWS)
            for start in noise.permutation(starts):
                batches.append(self._batch([self.train[i] for i in order[start : start + ROWS]]))
        return batches[:number]

    def _batch(self, pairs: list[tuple[list[str], list[str]]]) -> tuple:
        rows = []
        for _, spanish in pairs:
            numbers = [self.written.get(word, 0) for word in spanish]
            rows.append(torch.tensor([*numbers, self.end]))
        targets = pad_sequence(rows, batch_first=True, padding_value=self.blank)
        lengths = torch.tensor([len(row) for row in rows])
        return (*self.pad([english for english, _ in pairs]), targets, lengths)


def train_on_sentences(
    lessons: SentenceLessons, steps: int, forced: Callable, masked_cross_entropy: Callable
) -> EncoderDecoder:
    """Train the encoder and decoder of the dates, with wider states, on words instead of characters."""
    seed_everything(SEED)
    numbers = len(lessons.read) + 2, lessons.blank + 1
    model = EncoderDecoder(*numbers, lessons.begin, forced, width=256, read=128, write=128)
    batches = lessons.batches(steps)
    fit(model, batches.__getitem__, translation_loss(masked_cross_entropy), steps=steps, lr=3e-3, progress=False)
    return model


def translate_sentences(model: EncoderDecoder, lessons: SentenceLessons, greedy_decode: Callable) -> list[str]:
    """Return the greedy translation of each sentence of the test; the unknown word is never written."""
    device, words, translations = next(model.parameters()).device, ["", *lessons.written], []

    def known_words(tokens: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits, state = model.step(tokens, state)
        logits[:, 0] = -torch.inf
        return logits, state

    sources = [english for english, _ in lessons.test]
    for start in range(0, len(sources), READ):
        x, lengths = lessons.pad(sources[start : start + READ])
        with torch.no_grad():
            state = model.encode(x.to(device), lengths)
            numbers = greedy_decode(known_words, state, lessons.begin, lessons.end, MAX_WORDS + 5)  # (B, L)
        for row in torch.as_tensor(numbers).tolist():
            translations.append(" ".join(words[i] for i in row if i < lessons.begin))
    return translations


def by_dictionary(lessons: SentenceLessons) -> list[str]:
    """Return each test sentence word by word: the Spanish word that shares most sentences with it (Dice, 1945).

    An English word x is replaced by the y with the largest 2 n(x, y) / (n(x) + n(y)), n counting sentences of the
    training pairs; a word that never occurred stays as it is.
    """
    english, spanish, together = Counter(), Counter(), Counter()
    for sides in lessons.train:
        source, target = (set(words) for words in sides)
        english.update(source)
        spanish.update(target)
        for word in source:
            together.update((word, other) for other in target)
    best: dict[str, tuple[float, str]] = {}
    for (word, other), n in together.items():
        share = 2 * n / (english[word] + spanish[other])
        best[word] = max(best.get(word, (0.0, "")), (share, other))
    translations = []
    for source, _ in lessons.test:
        words = [best.get(word, (0.0, word))[1] for word in source]
        translations.append(" ".join(words))
    return translations


def by_memory(lessons: SentenceLessons) -> list[str]:
    """Return the Spanish of the training sentence whose English is nearest by TF-IDF: a translation memory."""
    known = [" ".join(source) for source, _ in lessons.train]
    vectors = TfidfVectorizer(tokenizer=str.split, lowercase=False, token_pattern=None)
    matrix = vectors.fit_transform(known)  # (N, V)
    asked = vectors.transform([" ".join(source) for source, _ in lessons.test])  # (M, V)
    nearest = (asked @ matrix.T).toarray().argmax(axis=1)
    return [" ".join(lessons.train[i][1]) for i in nearest]


def scores(translations: list[str], references: list[str]) -> tuple[float, float]:
    """Return (BLEU, chrF), each from 0 to 100, of a corpus, by sacrebleu; the texts are words joined by spaces."""
    bleu = sacrebleu.BLEU(tokenize="none").corpus_score(translations, [references]).score
    return bleu, sacrebleu.CHRF().corpus_score(translations, [references]).score


def compare(
    lessons: SentenceLessons, model: EncoderDecoder, greedy_decode: Callable
) -> tuple[dict[str, float], dict[str, float]]:
    """Print BLEU and chrF of the network and of three ways without one, and two sentences; returns both by way."""
    ways = {
        "copy": [" ".join(source) for source, _ in lessons.test],
        "dictionary": by_dictionary(lessons),
        "memory": by_memory(lessons),
        "network": translate_sentences(model, lessons, greedy_decode),
    }
    bleu, chrf = {}, {}
    for way, translations in ways.items():
        bleu[way], chrf[way] = scores(translations, lessons.references)
        print(f"{way:<12} BLEU {bleu[way]:4.1f}   chrF {chrf[way]:4.1f}")
    for i in SHOWN:
        print(f"\n{ways['copy'][i]}\n  {'a person':<12}{lessons.references[i]}")
        for way in ("dictionary", "memory", "network"):
            print(f"  {way:<12}{ways[way][i]}")
    return bleu, chrf


def _frequent(sentences) -> list[str]:
    """Return the words that occur at least twice, the most frequent first; of equals the first that was read."""
    counts = Counter(word for words in sentences for word in words)
    return [word for word, n in counts.most_common() if n >= 2]
