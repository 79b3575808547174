"""Train the reference word vectors on the docs and measure them: `python datasets/reference/word_vectors.py`.

A few minutes on two cores; `--plain` leaves the pieces of words out, prints the scores, and writes nothing.
"""

import sys

import skip_gram as sg
import torch

from helpers.course import artifacts
from helpers.course.artifacts import Artifact
from helpers.data import DataError, load
from helpers.data.registry import datasets_folder
from helpers.models.word_vectors import Score, WordVectors

FEWEST_ANSWER = 25  # occurrences of a word that can answer an analogy: as rare as the rarest word of the questions
NEIGHBOURS_OF = ("float32", "plot", "matrix", "gradient", "thread", "file", "random", "classifier", "returns", "faster")

CARD = """\
# docs-vectors: word vectors of the docs

**What.** {words:,} words (`{pattern}` in lower case, {fewest} times or more in the docs), the most frequent first,
and a vector of {width} dimensions for each, in half precision.

**How trained.** Skip-gram with negative sampling (Mikolov et al. 2013) whose centre vectors are the means of a vector
of the word and those of its pieces of {shortest} to {longest} letters (Bojanowski et al. 2017), pieces of one word
alone left out. Windows of 1 to {reach} words drawn at random, frequent words subsampled (t = {common:g}), noise by
count to the power 3/4: {noise} words for a step, shared by its pairs, weighted as {weight} for each pair.
{passes} passes of {steps:,} steps with AdamW, learning rate {lr:g}: `python datasets/reference/word_vectors.py`.
The same machine gives the same file; another may differ in the last bits. The vectors kept are those of centres.

**On what.** All of the set `docs`, {read:,} words:
{versions}.

**Scores.** First answers by 3CosAdd on `docs_analogies`. a, b and c cannot be answers, nor can a word that occurs
less than {least} times in the docs, which leaves {answers:,}:

| section | questions | right |
|---|---|---|
{sections}

With all {words:,} words as possible answers {free:.3f} are right.

| yardstick | score | covered |
|---|---|---|
{others}

| word | nearest words |
|---|---|
{neighbours}
"""


def sections(vectors: WordVectors, among: int) -> str:
    """Return the lines of the card's first table."""
    analogies = load("docs_analogies")
    scores = {**vectors.by_section(analogies, among), "all": vectors.accuracy(analogies, among)}
    counts = {**{name: len(questions) for name, questions in analogies.sections.items()}, "all": len(analogies)}
    return "\n".join(f"| {name} | {counts[name]:,} | {score.value:.3f} |" for name, score in scores.items())


def yardsticks(vectors: WordVectors, among: int) -> str:
    """Return the lines of the card's second table: what public sets say, where they can be had."""
    lines = []
    for name, title, measure in (
        ("wordsim353", "WordSim-353, Spearman", vectors.spearman),
        ("simlex999", "SimLex-999, Spearman", vectors.spearman),
        ("questions_words", "Google analogies, right", lambda analogies: vectors.accuracy(analogies, among)),
    ):
        try:
            score: Score = measure(load(name))
            lines.append(f"| {title} | {score.value:.3f} | {score.covered:.1%} |")
        except DataError as error:
            lines.append(f"| {title} | not measured: {error.problem} | |")
    return "\n".join(lines)


def neighbours(vectors: WordVectors) -> str:
    """Return the lines of the card's third table."""
    found = {word: [near for near, _ in vectors.nearest(word, k=6)] for word in NEIGHBOURS_OF}
    return "\n".join(f"| {word} | {', '.join(near)} |" for word, near in found.items())


def card(corpus: sg.Corpus, vectors: WordVectors, among: int) -> str:
    """Return the card with everything measured."""
    return CARD.format(
        words=len(vectors),
        pattern=sg.PATTERN,
        fewest=sg.FEWEST,
        width=sg.WIDTH,
        shortest=sg.PIECES[0],
        longest=sg.PIECES[1],
        reach=sg.REACH,
        common=sg.COMMON,
        noise=sg.NOISE,
        weight=sg.WEIGHT,
        passes=sg.PASSES,
        steps=corpus.steps(),
        lr=sg.LR,
        read=corpus.read,
        versions=load("docs").read_from,
        least=FEWEST_ANSWER,
        answers=among,
        sections=sections(vectors, among),
        free=vectors.accuracy(load("docs_analogies")).value,
        others=yardsticks(vectors, among),
        neighbours=neighbours(vectors),
    )


def main(plain: bool) -> None:
    corpus = sg.Corpus(load("docs"))
    vectors, history = sg.train(corpus, plain)
    among = int((corpus.counts >= FEWEST_ANSWER).sum())
    text = card(corpus, vectors, among)
    print(text, history, f"{sg.PASSES * corpus.read / history.seconds:,.0f} words of text a second", sep="\n")
    if plain:
        return
    config = {
        "vocabulary": corpus.words,
        "counts": corpus.counts.tolist(),
        "pattern": sg.PATTERN,
        "dimensions": sg.WIDTH,
        "answers": among,
        "trained": "skip-gram with negative sampling and pieces of words",
    }
    folder = datasets_folder() / "artifacts" / "docs-vectors"
    folder.parent.mkdir(exist_ok=True)
    artifacts.save(Artifact("docs-vectors", {"words": torch.from_numpy(vectors.matrix)}, config, "", text), folder)


if __name__ == "__main__":
    main(plain="--plain" in sys.argv[1:])
