"""The search of the docs as a table: recall and reciprocal rank of each way, its rivals, answers to read."""

from collections.abc import Sequence

import numpy as np

from helpers.chapters.contrastive.translation_model import Translation, docs_pairs
from helpers.course import leaderboard
from helpers.data import load
from helpers.experiments.rankings import bootstrap_interval
from helpers.models.docs_encoder import TextEncoder, load_encoder
from helpers.search.bm25 import BM25
from helpers.search.fusion import summed
from helpers.search.task import Task

CANDIDATES = 100  # that a slower encoder orders
LENGTH_WEIGHT = 0.9  # b of BM25 on the docs, chosen on valid: how much the length of a passage counts


def lexical(queries: Sequence[str], passages: Sequence[str]) -> np.ndarray:
    """Return BM25's scores (queries, passages), on stems."""
    return BM25(passages, b=LENGTH_WEIGHT).scores(queries)


def table(task: Task, found: dict[str, np.ndarray]) -> str:
    """Return recall@10 and MRR@10 of each way's scores (queries, passages), under a header."""
    return "\n".join([f"{'':<44}{'recall@10':>10}{'MRR@10':>9}", rows(task, found)])


def rows(task: Task, found: dict[str, np.ndarray]) -> str:
    """Return recall@10 and MRR@10 of each way's scores (queries, passages), a line each."""
    measured = {name: task.measure(scores) for name, scores in found.items()}
    return "\n".join(f"{name:<44}{recall:>10.3f}{mrr:>9.3f}" for name, (recall, mrr) in measured.items())


def difference(task: Task, better: np.ndarray, worse: np.ndarray) -> str:
    """Return how much recall@10 two ways' scores (queries, passages) differ, with the bootstrap interval of 95 %."""
    hits = [(task.ranks(scores) <= 10).astype(float) for scores in (better, worse)]
    values = hits[0] - hits[1]
    low, high = bootstrap_interval(values)
    return f"{values.sum():+.0f} of {len(values)} questions, {values.mean():+.3f} ({low:+.3f} to {high:+.3f})"


def over_seeds(task: Task, found: dict[str, list[np.ndarray]]) -> str:
    """Return mean, worst and best recall@10 of each way over its seeds; found: {way: scores by seed}."""
    lines = [f"{'recall@10':<44}{'mean':>8}{'worst':>8}{'best':>8}"]
    for name, ways in found.items():
        recalls = [task.measure(scores)[0] for scores in ways]
        lines.append(f"{name:<44}{np.mean(recalls):>8.3f}{min(recalls):>8.3f}{max(recalls):>8.3f}")
    return "\n".join(lines)


def rivals(task: Task, by_words: np.ndarray, own: np.ndarray, sentences: int) -> dict[str, np.ndarray]:
    """Return the scores of the reference encoder and of translation, alone, and joined with others.

    by_words, own: the scores (queries, passages) of BM25 and of the reader's encoder.
    sentences: how many of each document translation learns from, beside summary, name and signature.
    """
    reference = load_encoder(own=False).similarity(task.queries, task.passages)
    translated = Translation(task.passages, docs_pairs(sentences)).scores(task.queries)
    return {
        "the reference docs-encoder": reference,
        "   the reference and BM25, summed": summed(by_words, reference),
        "translation": translated,
        "   yours and translation, summed": summed(translated, own),
        "   the reference and translation, summed": summed(translated, reference),
    }


def scores(task: Task, encoders: dict) -> dict[str, np.ndarray]:
    """Return the scores (queries, passages) of BM25, and of each encoder by name."""
    found = {"BM25": lexical(task.queries, task.passages)}
    return found | {name: encoder.similarity(task.queries, task.passages) for name, encoder in encoders.items()}


def enter(alone: Sequence[float], together: Sequence[float]) -> str:
    """Put recall@10 of the encoder alone, and summed with BM25's, on the leaderboard, and return it: a line a seed."""
    for way, recalls in {"alone": alone, "summed with BM25": together}.items():
        for seed, recall in enumerate(recalls):
            with leaderboard.measured("07", f"your encoder {way}, recall@10, seed {seed}", "docs_search") as row:
                row.score = recall
    pairs = enumerate(zip(alone, together, strict=True))
    return "\n".join(f"seed {seed}: alone {one:.3f}, summed with BM25 {both:.3f}" for seed, (one, both) in pairs)


def first_answers(queries: Sequence[str], encoder: TextEncoder, slower, every: int = 1) -> str:
    """Return the names of the first three documents for each query: by BM25, by the encoder, by a slower encoder.

    slower: has `similarity`, as the encoder has; it orders the best CANDIDATES of BM25 and of the encoder together.
    every: search only each so-many-th of all passages.
    """
    passages = load("docs_search").passages
    names = sorted(passages)[::every]
    bodies = [passages[name].text for name in names]
    ways = {"BM25": lexical(queries, bodies), "yours": encoder.similarity(queries, bodies)}
    lines = []
    for i, query in enumerate(queries):
        lines.append(repr(query))
        ranked = {way: np.argsort(-scores[i], kind="stable") for way, scores in ways.items()}
        candidates = np.unique(np.concatenate([best[: CANDIDATES // 2] for best in ranked.values()]))
        again = slower.similarity([query], [bodies[j] for j in candidates])[0]
        ranked["MiniLM"] = candidates[np.argsort(-again, kind="stable")]
        for way, best in ranked.items():
            lines.append(f"   {way:<6} " + ", ".join(names[j] for j in best[:3]))
    return "\n".join(lines)
