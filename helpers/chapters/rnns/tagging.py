"""Training and judging a tagger: batches, losses, its tags, and scores for each label."""

import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from helpers.chapters.rnns.tagger import BiLSTMTagger, Features, WindowTagger
from helpers.device import SEED, seed_everything
from helpers.models.word_vectors import WordVectors
from helpers.training import History, fit

Sentences = Sequence[tuple[Sequence[str], Sequence[str]]]  # (tokens, tags) of each
ROWS = 32  # messages in a batch
READ = 100  # messages that are judged at once


def message_batches(
    features: Features, sentences: Sentences, tags: list[str], labels: Sequence[int] | None = None
) -> list[tuple]:
    """Return batches of messages of similar length, in random order: (numbers, lengths, tag numbers, labels).

    labels: the class of each message, all 0 if None. A tag that is none of `tags` becomes number 0.
    """
    number = {tag: i for i, tag in enumerate(tags)}
    labels = [0] * len(sentences) if labels is None else labels
    noise = np.random.default_rng(SEED)
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i][0]) + noise.uniform(0, 4))
    batches = []
    for start in range(0, len(order), ROWS):
        part = order[start : start + ROWS]
        y = []
        for i in part:
            numbers = [number.get(tag, 0) for tag in sentences[i][1]]
            y.append(torch.tensor(numbers))
        x, lengths = features.pad(sentences[i][0] for i in part)
        batches.append((x, lengths, pad_sequence(y, batch_first=True), torch.tensor([labels[i] for i in part])))
    return [batches[i] for i in noise.permutation(len(batches))]


def tag_loss(masked_cross_entropy: Callable) -> Callable:
    """Return the loss of the tags for `fit`, by a masked loss of (logits (B, T, K), tags (B, T), lengths (B,))."""
    return lambda model, batch: masked_cross_entropy(model(batch[0], batch[1])[0], batch[2], batch[1])


def label_loss(model: BiLSTMTagger, batch: tuple) -> torch.Tensor:
    """Return the mean cross-entropy of the classes of the messages of a batch."""
    return F.cross_entropy(model(batch[0], batch[1])[1], batch[3])


@dataclass
class Tagger:
    """A trained network with what it needs to read: features of tokens, names of tags, and how its training went."""

    network: BiLSTMTagger | WindowTagger
    features: Features
    tags: list[str]
    history: History

    def tag(self, sentences: Sentences) -> list[list[str]]:
        """Return the likeliest tag of each token, in each sentence."""
        tagged = []
        for scores, _, lengths in self._scores(sentences):
            for row, n in zip(scores.argmax(-1), lengths, strict=True):
                tagged.append([self.tags[i] for i in row[:n].tolist()])
        return tagged

    def classify(self, sentences: Sentences) -> torch.Tensor:
        """Return the likeliest class of each of n sentences, (n,)."""
        return torch.cat([classes.argmax(-1) for _, classes, _ in self._scores(sentences)])

    def best_paths(self, sentences: Sentences, viterbi: Callable) -> list[list[str]]:
        """Return the best path of each sentence among those that BIO allows, by the network's log-probabilities.

        viterbi: (emissions (T, K), transitions (K, K), start (K,)) -> the best path of T tag numbers.
        """
        transitions, start = lawful(self.tags)
        tagged = []
        for scores, _, lengths in self._scores(sentences):
            for row, n in zip(scores.log_softmax(-1).double().numpy(), lengths, strict=True):
                path = viterbi(row[:n], transitions, start)
                tagged.append([self.tags[i] for i in path])
        return tagged

    def _scores(self, sentences: Sentences) -> Iterator[tuple]:
        """Yield (scores of the tags (B, T, K), scores of the classes (B, C), lengths) of sentences, part by part."""
        device = next(self.network.parameters()).device
        for start in range(0, len(sentences), READ):
            x, lengths = self.features.pad(tokens for tokens, _ in sentences[start : start + READ])
            with torch.no_grad():
                tags, classes = self.network(x.to(device), lengths.to(device))
            yield tags.cpu(), classes.cpu(), lengths.tolist()


def train_tagger(
    sentences: Sentences,
    tags: list[str],
    loss: Callable,
    steps: int,
    *,
    labels: Sequence[int] | None = None,
    classes: int = 1,
    width: int = 64,
    build: Callable | None = None,
) -> Tagger:
    """Train a BiLSTM on tagged sentences, and on their classes if the loss asks for them; see `message_batches`.

    build: (features, number of tags) -> another network in its place.
    """
    seed_everything(SEED)
    features = Features(tokens for tokens, _ in sentences)
    own = build or (lambda features, count: BiLSTMTagger(features.sizes, count, classes, width))
    network = own(features, len(tags))
    batches = message_batches(features, sentences, tags, labels)
    return Tagger(network, features, tags, fit(network, batches, loss, steps=steps, lr=5e-3, progress=False))


def feature_window(features: Features, tags: int) -> WindowTagger:
    """Return a linear window over the same three features as the BiLSTM's."""
    return WindowTagger(features.sizes, tags)


def docs_window(vectors: WordVectors) -> Callable:
    """Return what builds the window of chapter 02 for `train_tagger`: unit vectors that do not learn, and shapes."""

    def build(features: Features, tags: int) -> WindowTagger:
        start = torch.zeros(features.sizes[0], vectors.matrix.shape[1])
        for word, i in features.words.items():
            if word in vectors:
                start[i] = torch.as_tensor(vectors.unit[vectors.index[word]])
        return WindowTagger(features.sizes, tags, start)

    return build


def lawful(tags: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return transitions (K, K) and start (K,): 0 where BIO allows a step, a large negative score where it does not."""

    def allowed(before: str, tag: str) -> bool:
        return tag[:2] != "I-" or before[2:] == tag[2:]

    rows = []
    for before in ["O", *tags]:
        rows.append([0.0 if allowed(before, tag) else -1e6 for tag in tags])
    scores = np.array(rows)
    return scores[1:], scores[0]


def accuracy(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """Return the share of tokens with the right tag."""
    pairs = [(a, b) for g, p in zip(gold, predicted, strict=True) for a, b in zip(g, p, strict=True)]
    return sum(a == b for a, b in pairs) / len(pairs)


def by_frequency(train: Sentences, sentences: Sentences) -> list[list[str]]:
    """Tag each word as it was tagged most often in `train`, a word never seen as most words were."""
    counts: dict[str, Counter] = defaultdict(Counter)
    for tokens, tags in train:
        for token, tag in zip(tokens, tags, strict=True):
            counts[token][tag] += 1
    usual = {token: tag_counts.most_common(1)[0][0] for token, tag_counts in counts.items()}
    anything = Counter(tag for _, tags in train for tag in tags).most_common(1)[0][0]
    tagged = []
    for tokens, _ in sentences:
        tagged.append([usual.get(token, anything) for token in tokens])
    return tagged


def strays(rows: Sequence[Sequence[str]]) -> int:
    """Return how many tags are an I- that continues nothing."""
    pairs = [pair for tags in rows for pair in pairwise(["O", *tags])]
    return sum(tag.startswith("I-") and before not in (tag, "B" + tag[1:]) for before, tag in pairs)


def bracketed(tokens: Sequence[str], tags: Sequence[str]) -> str:
    """Return a sentence with each tag but O beside its token, "[Monday B-DATE]", in lines of 100 characters."""
    words = " ".join(token if tag == "O" else f"[{token} {tag}]" for token, tag in zip(tokens, tags, strict=True))
    return textwrap.fill(words, 100)


NOVELTY = ("same span", "known words", "new word")  # what training had seen of a true span


def by_novelty(train: Sentences, judged: Sentences, spans: Callable) -> dict[str, set[tuple]]:
    """Return the true spans, as (number of the sentence, *span), by what training had seen of them, see NOVELTY.

    spans: tags -> {(label, first token, one past the last token), ...}.
    """
    words = {word.lower() for tokens, _ in train for word in tokens}
    seen = {_named(tokens, span) for tokens, tags in train for span in spans(tags)}
    found: dict[str, set[tuple]] = {kind: set() for kind in NOVELTY}
    for n, (tokens, tags) in enumerate(judged):
        for span in spans(tags):
            name = _named(tokens, span)
            known = NOVELTY[1] if words.issuperset(name[1]) else NOVELTY[2]
            found[NOVELTY[0] if name in seen else known].add((n, *span))
    return found


def _named(tokens: Sequence[str], span: tuple[str, int, int]) -> tuple[str, tuple[str, ...]]:
    """Return a span as (label, its words in lower case)."""
    label, first, end = span
    return label, tuple(word.lower() for word in tokens[first:end])


def span_table(
    train: Sentences, judged: Sentences, found: Mapping[str, Sequence[Sequence[str]]], spans: Callable, scores: Callable
) -> str:
    """Return a table: for each tagger, {name: tags}, precision, recall and F1 of whole spans, and recall by novelty.

    spans: see `by_novelty`. scores: (gold, predicted) -> (precision, recall, F1).
    """
    gold, kinds = [tags for _, tags in judged], by_novelty(train, judged, spans)
    total = max(sum(map(len, kinds.values())), 1)
    lines = [f"{'':<26}{'precision':>9}{'recall':>8}{'F1':>7}   found if {'':>3}" + _cells(NOVELTY)]
    lines.append(f"{'share of the true spans':<65}" + _cells([f"{len(kind) / total:.3f}" for kind in kinds.values()]))
    for name, tags in found.items():
        p, r, f1 = scores(gold, tags)
        predicted = {(n, *span) for n, row in enumerate(tags) for span in spans(row)}
        shares = [f"{len(kind & predicted) / max(len(kind), 1):.3f}" for kind in kinds.values()]
        lines.append(f"{name:<26}{p:>9.3f}{r:>8.3f}{f1:>7.3f}{'':>15}" + _cells(shares))
    return "\n".join(lines)


def _cells(words: Sequence[str]) -> str:
    return "".join(f"{word:>13}" for word in words)


def f1_by_label(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]], labels: list[str], span_scores: Callable
) -> list[float]:
    """Return the F1 of the spans of each label; span_scores: (gold, predicted) -> (precision, recall, F1)."""

    def only(tags: Sequence[Sequence[str]], label: str) -> list[list[str]]:
        rows = []
        for row in tags:
            rows.append([tag if tag.endswith(f"-{label}") else "O" for tag in row])
        return rows

    return [span_scores(only(gold, label), only(predicted, label))[2] for label in labels]
