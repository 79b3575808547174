"""Train the word vectors of chapter 02 on WikiText-2 beside gensim's: `python datasets/measure_vectors.py`.

Spearman on WordSim-353 and SimLex-999, and the Google analogies, which two million words are far too few for. With a
number after it, so many seeds of skip-gram on the docs are measured as well. gensim is not installed with the course;
where it is missing its lines are left out.
"""

import re
import sys

import numpy as np
import torch

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.word_vectors.analogy_scores import Quiz, summary
from helpers.chapters.word_vectors.corpus import Corpus, read_corpus
from helpers.chapters.word_vectors.word2vec import SkipGram, Trainer
from helpers.data import load
from helpers.models.word_vectors import WordVectors

PASSES, WIDTH, REACH, NOISE, FEWEST, AMONG = 5, 100, 5, 5, 5, 30_000


def wiki() -> Corpus:
    """Return WikiText-2's training part as a Corpus, a text for each line."""
    lines = load("wikitext2").train.replace("<unk>", " ").splitlines()
    return read_corpus([line for line in lines if line.strip()], FEWEST)


def trainer(names: dict) -> Trainer:
    """Return the chapter's trainer, of its own functions."""
    return Trainer(*(names[n] for n in ("keep_probability", "noise_distribution", "pair_mask", "line_loss")))


def gensim_vectors(corpus) -> WordVectors | None:
    """Train gensim's skip-gram on the same ids, or return None without gensim."""
    try:
        from gensim.models import Word2Vec
    except ImportError:
        return None
    words = np.array(corpus.words)
    sentences = [words[ids].tolist() for ids in np.split(corpus.ids, np.flatnonzero(np.diff(corpus.texts)) + 1)]
    options = {"vector_size": WIDTH, "window": REACH, "negative": NOISE, "epochs": PASSES, "workers": 2}
    model = Word2Vec(sentences, sg=1, min_count=1, seed=0, **options)
    return WordVectors(corpus.words, np.array([model.wv[word] for word in corpus.words]))


def report(name: str, vectors: WordVectors) -> None:
    """Print what the three public sets say."""
    parts = []
    for title in ("wordsim353", "simlex999"):
        score = vectors.spearman(load(title))
        parts.append(f"{title} {score.value:.3f} ({score.covered:.0%} covered)")
    google = vectors.accuracy(load("questions_words"), AMONG)
    print(
        f"{name:<8} {', '.join(parts)}, questions-words {google.value:.3f} ({google.covered:.0%} covered)", flush=True
    )


def people(names: dict, vectors: WordVectors) -> None:
    """Print WEAT of male and female terms against career and family (Caliskan et al. 2017), of the words there are."""
    lexicon = {
        "X": "he him his man men father son brother",
        "Y": "she her hers woman women mother daughter sister",
        "A": "executive management professional corporation salary office business career",
        "B": "home parents children family cousins marriage wedding relatives",
    }
    found = [np.array([vectors[w] for w in re.findall(r"\w+", words) if w in vectors]) for words in lexicon.values()]
    effect, p = names["weat"](*found)
    sizes = [len(words) for words in found]
    print(f"         male and female, career and family: effect {effect:.2f}, p = {p:.4f}, words {sizes}")


def seeds(names: dict, many: int) -> None:
    """Print the accuracy of skip-gram on the docs for several seeds."""
    corpus = read_corpus([document.text for document in load("docs")])
    among = int((corpus.counts >= 25).sum())
    quiz = Quiz(load("docs_analogies"), among, names["answer_analogies"])
    for seed in range(many):
        vectors, history = trainer(names).train(SkipGram, corpus, passes=12, seed=seed)
        found = summary(quiz.right_by_section(vectors))
        print(
            f"docs, seed {seed}: {', '.join(f'{k} {v:.3f}' for k, v in found.items())}, {history.seconds:.0f} s",
            flush=True,
        )


def main(many: int = 0) -> None:
    names = definitions(paths.source_text("02_word_vectors"))
    corpus = wiki()
    print(f"WikiText-2: {len(corpus.ids):,} words, {len(corpus.words):,} different")
    torch.set_num_threads(2)
    ours, _ = trainer(names).train(SkipGram, corpus, PASSES, WIDTH, REACH)
    report("ours", ours)
    people(names, ours)
    theirs = gensim_vectors(corpus)
    if theirs is not None:
        report("gensim", theirs)
        people(names, theirs)
    seeds(names, many)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
