"""BERT's second task (Devlin et al. 2019): does a sentence follow another? A head on one vector of the pair says."""

import re
from collections.abc import Sequence

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from helpers.chapters.transformers.bert import Encoder
from helpers.chapters.transformers.packing import PAD, pack_texts
from helpers.device import SEED

LENGTH, AT_ONCE, SPLITS = 64, 100, 5  # tokens of a pair, pairs at once, random splits into three quarters and one
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
Pair = tuple[str, str, bool]  # a sentence, another, whether it follows


def paragraphs(text: str, least: int = 40) -> list[str]:
    """Return the paragraphs of some length, each on one line, without examples of code."""
    found = (" ".join(part.split()) for part in re.split(r"\n{2,}", text))
    return [part for part in found if len(part) >= least and ">>>" not in part]


def sentence_pairs(texts: Sequence[str], seed: int = SEED) -> list[Pair]:
    """Return a pair from each text of two sentences or more; in half of them, by chance, the second follows the first.

    In the others it is from the same place of another text, so that the place gives nothing away.
    """
    numbers = np.random.default_rng(seed)
    split = [parts for parts in map(SENTENCE_END.split, texts) if len(parts) > 1]
    pairs = []
    for parts in split:
        i = int(numbers.integers(1, len(parts)))
        strangers = [split[j][i] for j in numbers.integers(len(split), size=20) if len(split[j]) > i]
        second = parts[i] if numbers.integers(2) or not strangers else strangers[0]
        pairs.append((parts[i - 1], second, second == parts[i]))
    return pairs


@torch.no_grad()
def vectors(encoder: Encoder, tokenizer, pairs: Sequence[Pair]) -> dict[str, np.ndarray]:
    """Return what a head may read of each pair, (N, C): four readings of the encoder's vectors, by name."""
    device, readings = encoder.bias.device, []
    first_texts = [first for first, _, _ in pairs]
    second_texts = [second for _, second, _ in pairs]
    ids, segments = pack_texts(tokenizer, first_texts, second_texts, LENGTH)
    for rows, parts in zip(ids.to(device).split(AT_ONCE), segments.to(device).split(AT_ONCE), strict=True):
        x, present = encoder(rows, parts), rows != PAD
        first, second = (_mean(x, present & (parts == part)) for part in (0, 1))
        last = x[torch.arange(len(x), device=device), present.sum(dim=1) - 1]
        both = torch.cat([(first - second).abs(), first * second], dim=1)  # as Sentence-BERT compares two texts
        readings.append({"[CLS]": x[:, 0], "last token": last, "mean": _mean(x, present), "two means compared": both})
    arrays = {}
    for name in readings[0]:
        arrays[name] = torch.cat([reading[name] for reading in readings]).cpu().numpy()
    return arrays


def _mean(x: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
    """Return the mean of the vectors x (B, T, C) that are seen (B, T), (B, C)."""
    return (x * seen[..., None]).sum(dim=1) / seen.sum(dim=1, keepdim=True).clamp(min=1)


def shared_words(pairs: Sequence[Pair]) -> np.ndarray:
    """Return the share of the second sentence's words that stand in the first, (N, 1)."""
    words = [(set(a.lower().split()), set(b.lower().split())) for a, b, _ in pairs]
    return np.array([[len(a & b) / len(b)] for a, b in words])


def accuracies(x: np.ndarray, follows: np.ndarray) -> list[float]:
    """Return the accuracy of a linear head on x (N, C), for each of five random splits."""
    found = []
    for seed in range(SEED, SEED + SPLITS):
        order = np.random.default_rng(seed).permutation(len(x))
        learned, asked = np.split(order, [3 * len(x) // 4])
        head = make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=300))
        found.append(head.fit(x[learned], follows[learned]).score(x[asked], follows[asked]))
    return found


def judged(encoder: Encoder, tokenizer, corpora: dict[str, Sequence[str]], max_pairs: int) -> dict[str, dict]:
    """Return the accuracies of heads, by corpus and what they read: vectors of the encoder as it is, or shared words.

    corpora: texts by name, of which the first `max_pairs` that have two sentences give a pair each.
    """
    heads = {}
    for name, texts in corpora.items():
        pairs = sentence_pairs(texts)[:max_pairs]
        follows = np.array([f for _, _, f in pairs])
        read = vectors(encoder, tokenizer, pairs) | {"shared words alone": shared_words(pairs)}
        heads[name] = {reading: accuracies(x, follows) for reading, x in read.items()}
    return heads


def table(columns: dict[str, dict[str, list[float]]]) -> str:
    """Return mean accuracies with the least and the largest, a line for each reading, a column for each corpus."""
    lines = [f"{f'a head, {SPLITS} splits':<20}" + "".join(f"{name:>24}" for name in columns)]
    for reading in next(iter(columns.values())):
        cells = ""
        for column in columns.values():
            accuracies = column[reading]
            cell = f"{np.mean(accuracies):.3f} ({min(accuracies):.3f} to {max(accuracies):.3f})"
            cells += f"{cell:>24}"
        lines.append(f"{reading:<20}{cells}")
    return "\n".join(lines)
