"""Vectors judged both ways: intrinsic (analogies) and extrinsic (tags of words in place, intents of requests)."""

from collections.abc import Callable, Mapping

import numpy as np

from helpers.chapters.word_vectors.analogy_scores import Quiz
from helpers.chapters.word_vectors.averaged_texts import encoder
from helpers.chapters.word_vectors.window_tags import TagTask, known
from helpers.course.benchmarks import intents_exam, linear_probe
from helpers.device import SEED
from helpers.models.word_vectors import WordVectors


def both_ways(
    methods: Mapping[str, WordVectors],
    quiz: Quiz,
    tags: TagTask,
    steps: int,
    texts: list[str],
    average: Callable,
    every: int = 1,
) -> str:
    """Return a table: for each method the share of all analogies, the F1 of tags, the accuracy of intents; one seed.

    methods: {name: vectors}, of which the first `quiz.among` words count, so that all know the same words
    steps: of the classifier of tags, which sees two neighbours
    texts, average: as of `averaged_texts.encoder`; the intents have five examples each
    every: with 20, only every twentieth intent is there: for a quick try
    """
    lines = [
        f"{'':<11}{'intrinsic':>12}{'extrinsic':>16}",
        f"{'vectors':<11}{'analogies':>12}{'tags':>8}{'intents':>9}",
    ]
    for name, whole in methods.items():
        vectors = WordVectors(whole.words[: quiz.among], whole.matrix[: quiz.among])
        analogies = quiz.shares(vectors)["all"]
        f1 = tags.scores(vectors, 2, 1, steps)[0]
        lines.append(f"{name:<11}{analogies:>12.3f}{f1:>8.3f}{intents(vectors, texts, average, every):>9.3f}")
    largest = max(methods.values(), key=len)
    cut = WordVectors(largest.words[: quiz.among], largest.matrix[: quiz.among])
    whole, part = (known(tags.tagged.test, vectors) for vectors in (largest, cut))
    lines.append(f"One seed; each table has {quiz.among:,} words here. Then {part:.0%} of the test words of the tags")
    lines.append(f"have a vector; in the largest table, of {len(largest):,} words, {whole:.0%} had one.")
    return "\n".join(lines)


def intents(vectors: WordVectors, texts: list[str], average: Callable, every: int = 1) -> float:
    """Return the accuracy on CLINC150 with five examples an intent, each request the mean of its word vectors."""
    exam = intents_exam(5, SEED, every=every)
    said = linear_probe(encoder(vectors, texts, average))(exam.texts, exam.labels, exam.questions, SEED)
    return float(np.mean(said == exam.answers))
