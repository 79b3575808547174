"""The skip-gram of chapter 02 beside gensim's Word2Vec, which is no dependency of the course.

    python -m pytest tests/benchmarks/test_word2vec_speed.py -s

Both read the docs with the same vocabulary, dimension, window, noise weight, passes and two workers. Seconds are those
of the wall; processor time stands beside, since a machine with other work slows the wall alone.
"""

import time

import numpy as np
import pytest
import torch

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.word_vectors.analogy_scores import Quiz, summary
from helpers.chapters.word_vectors.corpus import read_corpus
from helpers.chapters.word_vectors.word2vec import SkipGram, Trainer
from helpers.data import load
from helpers.models.word_vectors import WordVectors

WIDTH, REACH, NOISE, PASSES, WORKERS, FEWEST, ANSWER = 100, 3, 5, 3, 2, 5, 25


def timed(action) -> tuple[object, float, float]:
    """Return (result, seconds of the wall, seconds of the processors)."""
    wall, processor = time.perf_counter(), time.process_time()
    return action(), time.perf_counter() - wall, time.process_time() - processor


def gensim_vectors(corpus, seed: int, passes: int = PASSES) -> WordVectors:
    """Train gensim's skip-gram on the same ids; returns its vectors in the corpus's order of words."""
    word2vec = pytest.importorskip("gensim.models", reason="gensim is not installed: pip install gensim").Word2Vec
    words = np.array(corpus.words)
    edges = np.flatnonzero(np.diff(corpus.texts)) + 1
    sentences = [words[ids].tolist() for ids in np.split(corpus.ids, edges)]
    model = word2vec(vector_size=WIDTH, window=REACH, negative=NOISE, sg=1, min_count=1, workers=WORKERS, seed=seed)
    model.build_vocab(sentences)
    trained = timed(lambda: model.train(sentences, total_examples=len(sentences), epochs=passes))
    return WordVectors(corpus.words, np.array([model.wv[word] for word in corpus.words])), *trained[1:]


def test_words_a_second_and_accuracy_beside_gensim():
    pytest.importorskip("gensim", reason="gensim is not installed: pip install gensim")
    names = definitions(paths.source_text("02_word_vectors"))
    torch.set_num_threads(WORKERS)
    trainer = Trainer(*(names[n] for n in ("keep_probability", "noise_distribution", "pair_mask", "line_loss")))
    corpus = read_corpus([document.text for document in load("docs")], FEWEST)
    among = int((corpus.counts >= ANSWER).sum())
    quiz = Quiz(load("docs_analogies"), among, names["answer_analogies"])

    def score(vectors: WordVectors) -> str:
        found = summary(quiz.right_by_section(vectors))
        return f"company {found['company']:.3f}, others {found['others']:.3f}"

    (ours, history), _, used = timed(lambda: trainer.train(SkipGram, corpus, PASSES, WIDTH, REACH, seed=0))
    theirs, wall, processor = gensim_vectors(corpus, seed=0)
    read_words = PASSES * len(corpus.ids)
    print(f"\n{WIDTH} dimensions, window {REACH}, {PASSES} passes over {len(corpus.ids):,} words, {WORKERS} workers")
    for name, seconds, busy, vectors in (("ours", history.seconds, used, ours), ("gensim", wall, processor, theirs)):
        print(
            f"{name:<7}{read_words / seconds:>10,.0f} words/s, {read_words / busy:>10,.0f} words per processor second, "
            f"{score(vectors)}"
        )
    print(f"ours / gensim: {wall / history.seconds:.2f} by the wall, {processor / used:.2f} by processor time")
    assert history.losses[-1] < history.losses[0]
