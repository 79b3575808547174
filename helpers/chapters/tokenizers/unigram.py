"""Unigram around what the student writes: the pieces that the training begins with, and the library's reader."""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

UNKNOWN, RARE = "<unk>", -50.0  # what the library reads where no piece fits, and its log-probability
LONGEST = 12  # characters of a piece


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
