"""What the cases of a check earn: the shares of functions, ordinary and rare input, the two sides."""

import pytest

from helpers.checks.case import Case
from helpers.checks.points import earned_share


def cases(marks, functions="f", hidden=True):
    """Return a case for each mark: + passes, - fails, in capitals (P, F) of rare input."""
    made = []
    for mark in marks:
        made.append(Case(passed=mark in "+P", edge=mark in "PF", hidden=hidden, functions=frozenset(functions.split())))
    return made


@pytest.mark.parametrize(
    ("marks", "share"),
    [
        ("+++", 1),
        ("++PP", 1),
        ("++PF", 0.7),
        ("++FF", 0.49),
        ("++FFFFF", 1 / 3),  # never less than one that is wrong on ordinary input
        ("++-", 2 / 9),
        ("+-P", 1 / 5),  # ordinary kinds weigh 2, rare ones 1: 3 of 5 pass
        ("--P", 0),  # rare input counts only with ordinary input
        ("PP", 0),
    ],
)
def test_a_function_wrong_on_ordinary_input_earns_a_third_at_most(marks, share):
    assert earned_share(cases(marks)) == pytest.approx(share)


def test_each_function_has_a_share_of_its_own():
    right, wrong = cases("+++", "f"), cases("---", "g")
    assert earned_share(right + wrong) == pytest.approx(1 / 2)
    assert earned_share(right + cases("++-", "g")) == pytest.approx(1 / 2 + 1 / 9)


def test_a_kind_of_several_functions_is_held_against_those_that_fail_alone():
    right, composite = cases("+++", "f"), cases("-", "f g")
    assert earned_share(right + cases("++-", "g") + composite) == pytest.approx(3.5 / 7 + 2 / 7 / 3)
    assert earned_share(right + cases("+++", "g") + composite) == pytest.approx(6 / 7 / 3)


def test_a_given_function_that_helps_has_no_share():
    assert earned_share(cases("+++", "f") + cases("-", "f slopes")) == pytest.approx(3 / 4 / 3)
    assert earned_share(cases("+", "") + cases("-", "")) == pytest.approx(1 / 6)


def test_who_repeats_the_visible_cases_has_not_answered():
    visible = cases("+++", hidden=False)
    assert earned_share(visible) == 1
    assert earned_share(visible + cases("---")) == 0
    assert earned_share(visible + cases("--") + cases("++", "g")) == pytest.approx(1 / 3)  # half of the hidden part


def test_the_visible_cases_weigh_a_third():
    assert earned_share(cases("+-", hidden=False) + cases("++")) == pytest.approx((1 / 6 + 2 / 3) / 3)


def test_a_function_without_hidden_cases_counts_where_another_one_answers():
    assert earned_share(cases("+", "g", hidden=False) + cases("++", "f")) == pytest.approx(1)
    assert earned_share(cases("+", "g", hidden=False) + cases("--", "f")) == 0


def test_cases_with_the_same_words_are_one_kind():
    many = cases("++++++++")
    for case in many:
        case.label = "fresh input"
    assert earned_share(many + cases("-")) == pytest.approx(1 / 6)
    assert earned_share(many + many[:1] + cases("++++", "g")) == pytest.approx(1)
