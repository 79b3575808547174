"""Texts as means of word vectors: the encoder, the rival without meaning, vectors learned on the spot."""

from types import SimpleNamespace

import numpy as np
import pytest

from helpers.chapters.word_vectors import averaged_texts
from helpers.models.word_vectors import WordVectors

VECTORS = WordVectors(["cat", "dog", "bus"], np.array([[2.0, 0.0], [3.0, 1.0], [0.0, 5.0]], dtype=np.float32))


def average(documents, table, weights):
    return np.stack([weights[ids] @ table[ids] if len(ids) else np.zeros(2) for ids in documents])


def test_a_text_is_the_mean_of_its_words_of_length_1():
    encode = averaged_texts.encoder(VECTORS, ["cat bus", "cat"], average)
    idf = np.log(np.array([3 / 3, 3 / 2])) + 1  # cat in both texts, bus in one
    expected = idf[0] * np.array([1, 0]) + idf[1] * np.array([0, 1])
    found = encode(["Cat, bus", "unheard of"])
    assert found[0] == pytest.approx(expected / np.linalg.norm(expected))
    assert (found[1] == 0).all()


def test_models_learn_from_texts_and_labels():
    texts, labels = ["cat cat", "dog cat", "bus bus", "bus"], np.array([0, 0, 1, 1])
    trainer = SimpleNamespace(train=lambda kind, corpus, passes, width, reach: (VECTORS, None))
    learned = averaged_texts.learned_from(trainer, "a kind", 3, average)
    assert learned(texts, labels, ["dog", "bus"], 0).tolist() == [0, 1]
    assert averaged_texts.counts(texts, labels, ["cat", "bus"], 0).tolist() == [0, 1]
