"""Mistakes that one function computes at once are known one by one."""

from functools import partial

import pytest

from helpers.chapters.spam.together import NotMadeError, one_by_one
from helpers.checks.case import value_of


def test_each_sentence_has_a_function_that_gives_its_value():
    known = one_by_one(lambda x: {"doubled": 2 * x, "an error": ValueError}, 1)
    assert list(known) == ["doubled", "an error"]
    assert known["doubled"](5) == 10
    assert known["an error"](5) is ValueError


def test_what_cannot_be_made_counts_as_no_mistake():
    known = one_by_one(lambda x: {"inverse": 1 / x} if x < 3 else {}, 1)
    for x in (0, 4):
        with pytest.raises(NotMadeError):
            known["inverse"](x)


def test_all_are_computed_once_for_the_same_arguments():
    asked = []

    def together(x):
        asked.append(x)
        return {"doubled": 2 * x, "halved": x / 2}

    known = one_by_one(together, 1)
    assert (known["doubled"](6), known["halved"](6), known["doubled"](7)) == (12, 3, 14)
    assert asked == [1, 6, 7]


def test_a_mistake_leaves_what_it_is_given_as_it_was():
    known = one_by_one(lambda words: {"one word too many": words.append("too") or words}, [])
    given = ["one"]
    assert known["one word too many"](given) == ["one", "too"]
    assert given == ["one"]
    assert value_of(partial(known["one word too many"], given)) == ["one", "too"]
    assert given == ["one"]
