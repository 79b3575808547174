"""Unigram around what the student writes: the pieces that training begins with, EM, and the library's reader."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from scipy.special import digamma

UNKNOWN, RARE = "<unk>", -50.0  # what the library reads where no piece fits, and its log-probability
LONGEST = 12  # characters of a piece
FEWEST = 0.5  # a piece that is expected less often is dropped

Counts = dict[str, float]
LogProbs = dict[str, float]


def seed_pieces(words: Mapping[str, int], size: int) -> dict[str, float]:
    """Return {piece: log-probability} of all characters and the most frequent substrings, `size` pieces in all.

    words: {word: how often}. A substring is weighed by how many characters of the text it covers, and occurs twice at
    least.
    """
    counts: Counter[str] = Counter()
    for word, occurrences in words.items():
        for i in range(len(word)):
            for j in range(i + 1, min(len(word), i + LONGEST) + 1):
                counts[word[i:j]] += occurrences
    covered = {piece: times * len(piece) for piece, times in counts.items()}
    characters = sorted(piece for piece in counts if len(piece) == 1)
    longer = [piece for piece, times in counts.items() if len(piece) > 1 and times > 1]
    longer.sort(key=lambda piece: (-covered[piece], piece))
    kept = [*characters, *longer[: size - len(characters)]]
    total = sum(covered[piece] for piece in kept)
    return {piece: float(np.log(covered[piece] / total)) for piece in kept}


def learned(words: Mapping[str, int], log_probs: LogProbs, steps: int = 2) -> tuple[Counts, LogProbs]:
    """Return (the expected counts of the last E step, the new log-probabilities) after some steps of EM.

    A single character that falls out is put back with the smallest log-probability: no word may become uncuttable.
    """
    letters = [symbol for symbol in log_probs if len(symbol) < 2]
    for _ in range(steps):
        counts = expected_counts(words, log_probs)
        kept = maximise(counts)
        log_probs = dict.fromkeys(letters, min(kept.values())) | kept
    return counts, log_probs


def expected_counts(words: Mapping[str, int], log_probs: LogProbs) -> Counts:
    """Return the E step: how often each piece is used on average over all cuts of all words, by their probability."""
    most = max(len(piece) for piece in log_probs)
    counts = {piece: 0.0 for piece in log_probs}
    for word, times in words.items():
        spans = _spans(word, log_probs, most)
        alpha, beta = _sums(len(word), [(i, j, log_probs[word[i:j]]) for i, j in spans])
        for i, j in spans:
            used = np.exp(alpha[i] + log_probs[word[i:j]] + beta[j] - alpha[-1])
            counts[word[i:j]] += times * float(used)
    return counts


def maximise(counts: Counts) -> LogProbs:
    """Return the M step: digamma(count) - digamma(sum) of the pieces that are used often enough, as SentencePiece."""
    kept = {piece: count for piece, count in counts.items() if count >= FEWEST}
    total = digamma(sum(kept.values()))
    return {piece: float(digamma(count) - total) for piece, count in kept.items()}


def _spans(word: str, log_probs: LogProbs, most: int) -> list[tuple[int, int]]:
    """Return where the pieces that fit into a word begin and end, by their beginnings."""
    found = []
    for i in range(len(word)):
        for j in range(i + 1, min(len(word), i + most) + 1):
            if word[i:j] in log_probs:
                found.append((i, j))
    return found


def _sums(n: int, pieces: Sequence[tuple[int, int, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of the summed probabilities of all cuts before and behind each position, (n + 1,) each."""
    alpha, beta = (np.full(n + 1, -np.inf) for _ in range(2))
    alpha[0] = beta[n] = 0.0
    for i, j, log_prob in pieces:
        alpha[j] = np.logaddexp(alpha[j], alpha[i] + log_prob)
    for i, j, log_prob in reversed(pieces):
        beta[i] = np.logaddexp(beta[i], log_prob + beta[j])
    return alpha, beta


def library_unigram(log_probs: Mapping[str, float], pattern: str) -> "tokenizers.Tokenizer":  # noqa: F821
    """Return the library's tokenizer with these pieces; `pattern` cuts a text first."""
    from tokenizers import Tokenizer, models

    known = [(UNKNOWN, RARE), *log_probs.items()]
    tokenizer = Tokenizer(models.Unigram(known, unk_id=0))
    tokenizer.pre_tokenizer = _cut(pattern)
    return tokenizer


def trained_unigram(texts: Iterable[str], size: int, pattern: str) -> "tokenizers.Tokenizer":  # noqa: F821
    """Return the Unigram tokenizer of `size` pieces that the library learns from the texts."""
    from tokenizers import Tokenizer, models, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = _cut(pattern)
    trainer = trainers.UnigramTrainer(vocab_size=size, unk_token=UNKNOWN, special_tokens=[UNKNOWN], show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def _cut(pattern: str):
    """Return the library's step that cuts a text into what the pattern finds."""
    from tokenizers import Regex, pre_tokenizers

    return pre_tokenizers.Split(Regex(pattern), "isolated")
