"""Sentences of TICO-19 in chapter 03: what is held out, and the ways that learn no network."""

from types import SimpleNamespace

import pytest

from helpers.chapters.rnns.sentence_pairs import MAX_WORDS, SentenceLessons, by_dictionary, by_memory, scores

ENGLISH = ["the dog barks", "a cat sleeps", "the cat barks", "a dog sleeps", "one dog", "one cat", "a cat", "the dog"]
SPANISH = ["el perro ladra", "un gato duerme", "el gato ladra", "un perro duerme", "uno perro", "uno gato", "un gato"]
LONG = "word " * (MAX_WORDS + 1)


def lessons() -> SentenceLessons:
    english = ["A dog barks?", *ENGLISH, LONG, "cat"]
    spanish = ["¿un perro ladra?", *SPANISH, "el perro", "palabra", "gato"]
    return SentenceLessons(SimpleNamespace(entries={"en": english, "es": spanish}))


def test_one_pair_in_ten_is_held_out_and_long_ones_are_left_out():
    made = lessons()
    assert [source for source, _ in made.test] == [["a", "dog", "barks", "?"]]
    assert made.references == ["¿ un perro ladra ?"]
    assert len(made.train) == 9
    assert "word" not in made.read


def test_a_batch_ends_each_target_and_pads_behind_it():
    made = lessons()
    made.train = made.train * 8
    x, lengths, targets, target_lengths = made.batches(3)[2]
    assert x.shape == (32, lengths.max())
    assert targets.shape == (32, target_lengths.max())
    for row, length in zip(targets.tolist(), target_lengths.tolist(), strict=True):
        assert row[length - 1] == made.end
        assert row[length:] == [made.blank] * (len(row) - length)


def test_the_dictionary_knows_words_and_the_memory_sentences():
    made = lessons()
    assert by_dictionary(made) == ["un perro ladra ?"]
    assert by_memory(made)[0] in {"el perro ladra", "un perro duerme", "el gato ladra"}


def test_scores_are_those_of_sacrebleu():
    assert scores(["el perro ladra mucho"], ["el perro ladra mucho"]) == pytest.approx((100.0, 100.0))
    assert scores(["x"], ["el perro ladra mucho"])[0] == 0.0
