"""N-grams with modified Kneser-Ney smoothing: helpers.models.kneser_ney."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from helpers.models.kneser_ney import KneserNey, discounts

TEXT = np.random.default_rng(0).choice(4, size=400, p=[0.4, 0.3, 0.2, 0.1])


def chances(model, context):
    """The chances of all tokens after a context."""
    return np.exp([-model.losses([*context, token])[-1] for token in range(model.vocab_size)])


def test_the_chances_after_any_context_add_up_to_1():
    model = KneserNey(TEXT, 5, order=3)
    for context in ((0, 1), (3, 3), (4, 0), (0, 4), (4, 4)):  # token 4 was never seen
        assert chances(model, context).sum() == pytest.approx(1)
        assert chances(model, context).min() > 0


def test_the_discounts_are_those_of_chen_and_goodman():
    counts = np.repeat([1, 2, 3, 4], [8, 4, 2, 1])
    y = 8 / (8 + 2 * 4)
    assert discounts(counts) == pytest.approx([0, 1 - 2 * y * 4 / 8, 2 - 3 * y * 2 / 4, 3 - 4 * y * 1 / 2])
    assert discounts(np.array([1, 5])).tolist() == [0, 0.5, 0.5, 0.5]


def test_bigrams_by_hand():
    text = [0, 1, 0, 1, 0, 2, 0, 1]
    model = KneserNey(text, 3, order=2)
    before = Counter(b for _, b in set(pairwise(text)))  # in how many contexts each token was seen
    lower = np.array([before[token] - 0.5 for token in range(3)]) / 4 + 3 * 0.5 / 4 / 3
    follows = np.array([0, 3, 1])  # after 0, and a half is taken from each of the two kinds
    wanted = (np.maximum(follows - 0.5, 0) + 2 * 0.5 * lower) / 4
    assert chances(model, (0,)) == pytest.approx(wanted)
    assert model.size == 3 + 4


def test_longer_contexts_help_where_the_text_repeats():
    text = np.tile([0, 1, 2, 0, 2, 1], 50)
    losses = [KneserNey(text, 3, order=n).losses(text[:30]).mean() for n in (1, 2, 3)]
    assert losses[0] > losses[1] > losses[2]


def test_models_of_one_text_may_share_what_they_counted_of_shorter_runs():
    shorter = []
    for n in (3, 1, 4, 2):
        alone, shared = KneserNey(TEXT, 5, n), KneserNey(TEXT, 5, n, shorter)
        assert shared.losses(TEXT).tolist() == alone.losses(TEXT).tolist() and shared.size == alone.size
    assert len(shorter) == 3
