"""Texts as word ids, the classifier with attention, and heads that are pruned."""

import numpy as np
import pytest
import torch

from helpers.chapters.attention import word_classifiers
from helpers.chapters.attention.attention_classifier import WIDTH, AttentionClassifier
from helpers.chapters.attention.head_pruning import prune_heads, without_heads
from helpers.data import Messages

TEXTS = ["Win a prize, win NOW", "see you at lunch", "a prize for you", "lunch at noon, see you"]
MESSAGES = Messages(TEXTS * 8, np.array([1, 0, 1, 0] * 8), card=None)
VOCABULARY = word_classifiers.frequent_words(MESSAGES.texts)


def attend(x, present, matrices, query):
    """The mean of the words through one matrix, and weights that are the same for all words."""
    mean = (x * present[..., None]).sum(1) / present.sum(1, keepdim=True)
    return mean @ matrices[2] + query, present[:, None, None].expand(-1, 4, x.shape[1], -1) / present.sum()


def test_frequent_words_have_ids_from_two():
    assert word_classifiers.frequent_words(["b a", "a, B; c", "A"]) == {"a": 2, "b": 3, "c": 4}
    assert word_classifiers.frequent_words(["b a", "a, B; c", "A"], max_words=1) == {"a": 2}


def test_messages_are_padded_cut_and_never_empty():
    rows = word_classifiers.encode_words([["a", "x"], [], ["b"] * 60], {"a": 2, "b": 3})
    assert rows.shape == (3, word_classifiers.LONGEST)
    assert rows[:, :3].tolist() == [[2, 1, 0], [1, 0, 0], [3, 3, 3]]


def test_the_first_spam_message_of_a_length():
    assert word_classifiers.first_spam(MESSAGES, 4, 4) == ["a", "prize", "for", "you"]


def test_padding_changes_no_score():
    torch.manual_seed(0)
    words = word_classifiers.encode_words([["see", "you"]], VOCABULARY)
    for model in (AttentionClassifier(VOCABULARY, 3), AttentionClassifier(VOCABULARY, 3, attend)):
        assert torch.allclose(model(words)[0], model(torch.nn.functional.pad(words, (0, 3)))[0])


def test_models_learn_any_number_of_classes_and_repeat():
    for attention in (attend, None):
        model = word_classifiers.WordClassifier(attention, steps=25)
        labels = np.array([1, 0, 2, 0] * 8)
        said = model(TEXTS * 8, labels, TEXTS, 0)
        assert said.tolist() == [1, 0, 2, 0] == model(TEXTS * 8, labels, TEXTS, 0).tolist()
    assert model.parameters == (len(VOCABULARY) + 3) * WIDTH + WIDTH + 3 * WIDTH + 3


def test_a_spam_filter_is_judged_by_f1_and_shows_where_it_looks():
    spam = word_classifiers.WordClassifier(attend, steps=25).train(TEXTS * 8, MESSAGES.labels, seed=0)
    assert word_classifiers.spam_f1(spam, MESSAGES) == 1.0
    assert word_classifiers.looks(spam, ["see", "you"]).shape == (4, 2, 2)


def test_a_head_is_pruned_by_its_rows_and_put_back():
    W_o = torch.ones(8, 8)
    assert without_heads(W_o, 4, [1, 3], lambda: W_o.sum(1).tolist()) == [8, 8, 0, 0, 8, 8, 0, 0]
    assert (W_o == 1).all()


def test_the_head_that_is_missed_least_goes_first():
    W_o = torch.tensor([3.0, 1.0, 2.0])[:, None].expand(3, 3).clone()  # what the heads are worth
    table = prune_heads(W_o, 3, lambda: float(W_o[:, 0].sum()))
    assert list(table.values()) == pytest.approx([6, 3, 5, 4, 5, 3, 0])
    assert list(table)[-3:] == ["2 heads left", "1 head left", "0 heads left"]
