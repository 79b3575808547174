"""The later chapters, in a module of their own, so that they run beside the first ones."""

import pytest
from test_notebooks import (
    measured,
    test_a_chapter_goes_on_after_other_right_answers_with_full_points,
    test_a_chapter_has_cells_whose_prints_are_compared,
    test_a_chapter_stays_within_two_and_a_half_gigabytes,
    test_pictures_carry_their_alt_text,
)

from autograder import paths

__all__ = [
    "measured",
    "test_a_chapter_goes_on_after_other_right_answers_with_full_points",
    "test_a_chapter_has_cells_whose_prints_are_compared",
    "test_a_chapter_stays_within_two_and_a_half_gigabytes",
    "test_pictures_carry_their_alt_text",
]


@pytest.fixture(scope="module", params=paths.chapters()[4:])
def chapter(request):
    return request.param
