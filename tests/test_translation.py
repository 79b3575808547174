"""Series of dates, and the curve of exact translations by length."""

import math

from helpers.data import Dates
from helpers.experiments.length_curve import LengthCurve, exact_by_length

PAIRS = [("ab", "1"), ("abc", "2"), ("abcdef", "3"), ("abcdef", "4")]


def test_a_curve_counts_exact_answers_in_each_bin():
    curve = exact_by_length(PAIRS, ["1", "0", "3", "0"], [0, 4, 7, 9])
    assert curve.shares[:2] == [0.5, 0.5] and math.isnan(curve.shares[2])
    assert curve.counts == [2, 2, 0]
    assert curve.middles == [1.5, 5.0, 7.5]


def test_a_curve_survives_being_kept_as_plain_values():
    curve = exact_by_length(PAIRS, ["1", "2", "3", "4"], [0, 9])
    assert LengthCurve(**curve.plain()) == curve


def test_a_series_holds_as_many_dates_as_asked_each_with_its_target():
    pairs = Dates("valid").series(60, seed=3, counts=(1, 3))
    assert {len(target.split(" ")) for _, target in pairs} == {1, 3}
    assert all(len(source.split("; ")) == len(target.split(" ")) for source, target in pairs)
    assert pairs == Dates("valid").series(60, seed=3, counts=(1, 3))
    assert pairs != Dates("valid").series(60, seed=4, counts=(1, 3))


def test_a_series_of_one_is_a_stream_of_single_dates():
    stream = Dates("test").stream(5)
    assert Dates("test").series(20, seed=5, counts=(1,)) == [next(stream) for _ in range(20)]
