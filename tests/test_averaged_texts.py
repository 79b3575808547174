"""Texts as means of word vectors: the encoder, the rival without meaning, vectors learned on the spot."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import paths
from helpers.chapters.word_vectors import averaged_texts
from helpers.course.leaderboard import Row
from helpers.data.registry import datasets_folder
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


def test_the_first_texts_of_each_chosen_label():
    texts, labels = ["a", "b", "c", "d", "e"], ["x", "y", "x", "z", "x"]
    assert averaged_texts.first_of_each(texts, labels, ["z", "x"], 2) == (["d", "a", "c"], ["z", "x", "x"])


def test_how_many_texts_are_nearest_to_one_of_their_label():
    means = np.array([[0.0, 0, 0], [0, 0, 1], [9, 0, 0], [9, 0, 1]])  # two pairs
    said = averaged_texts.nearest_line(means, means[:, [2, 1]], ["x", "x", "y", "y"])  # the map keeps the small axis
    assert said.startswith("nearest text has the same label: by all 3 numbers 1.00, on the map 0.00, by chance 0.33;")
    assert said.endswith(f"the map keeps {1 / 82:.0%} of the spread")


def test_models_learn_from_texts_and_labels():
    texts, labels = ["cat cat", "dog cat", "bus bus", "bus"], np.array([0, 0, 1, 1])
    trainer = SimpleNamespace(train=lambda kind, corpus, passes, width, reach: (VECTORS, None))
    learned = averaged_texts.learned_from(trainer, "a kind", 3, average)
    assert learned(texts, labels, ["dog", "bus"], 0).tolist() == [0, 1]


def test_means_stand_beside_tf_idf():
    encode = averaged_texts.encoder(VECTORS, ["cat bus", "cat"], average)
    both = averaged_texts.beside_tf_idf(encode, ["cat bus", "cat"])(["a cat", "new words"]).toarray()
    assert both[0] == pytest.approx([1, 0, 0, 1])  # the mean, then bus and cat
    assert (both[1] == 0).all()


def test_the_table_has_chapter_01s_row_between_those_of_chapter_02():
    figures = [
        ("02", "mean", 1, 0.5), ("02", "mean", 5, 0.7), ("02", "older", 1, 0.9), ("03", "mean", 1, 0.1),
        ("01", "TF-IDF, logistic", 1, 0.4), ("01", "TF-IDF, logistic", 10, 0.8),
    ]  # fmt: skip
    rows = [Row(chapter, model, "clinc150", score, labels=k) for chapter, model, k, score in figures]
    lines = averaged_texts.few_labels_table(rows, ["mean"]).splitlines()
    assert [line.split()[-3:] for line in lines] == [
        ["1", "5", "10"],
        ["0.400", "nan", "0.800"],
        ["0.500", "0.700", "nan"],
    ]
    assert lines[1].startswith("TF-IDF (chapter 01)")


def test_chapter_02_says_of_few_labels_what_was_measured():
    rows = {}
    for row in json.loads((datasets_folder() / "leaderboard.json").read_text(encoding="utf-8")):
        if row["data"] == "clinc150" and row["chapter"] in ("01", "02"):
            rows[row["model"], row["labels"]] = row
    story = paths.source_text("02_word_vectors").read_text(encoding="utf-8")
    said = story.partition("# Compare each row of the table")[2].partition("# Now the table")[0]
    said = " ".join(said.replace("#", "").split())
    rival, own = "TF-IDF, logistic regression", "mean of vectors of its requests"
    both = f"TF-IDF and {own}"
    score = {key: f"{row['score']:.2f}" for key, row in rows.items()}
    assert f"clearly ahead, {score[own, 1]} against {score[rival, 1]}" in said
    assert f"by a little, {score[own, 5]} against {score[rival, 5]}" in said
    assert f"level, {score[own, 10]} each" in said and score[own, 10] == score[rival, 10]
    assert f"{score[both, 1]}, {score[both, 5]} and {score[both, 10]}" in said
    for k in (1, 5):
        assert rows[own, k]["lowest"] > rows[rival, k]["highest"]
    for k in (1, 5, 10):
        assert rows[both, k]["lowest"] > rows[rival, k]["highest"]
    minilm = [score["mean of vectors of MiniLM", k] for k in (1, 5, 10)]
    assert f"(MiniLM has {minilm[0]})" in said and f"are level ({minilm[1]})" in said
    assert f"MiniLM is ahead ({minilm[2]})" in said
    docs, random = (score[f"mean of vectors of {name}", 5] for name in ("the docs", "no text (random)"))
    assert f"{docs} against {random} with five" in said and docs < random
