"""The later chapters, in a module of their own, so that they run beside the first ones."""

import pytest
from test_notebooks import (
    measured,
    test_a_chapter_runs_from_top_to_bottom_with_full_points,
    test_a_chapter_stays_within_two_and_a_half_gigabytes,
    test_nothing_is_written_to_stderr,
    test_pictures_carry_their_alt_text,
    test_the_exact_cells_print_what_is_committed,
)

from autograder import paths

__all__ = [
    "measured",
    "test_a_chapter_runs_from_top_to_bottom_with_full_points",
    "test_a_chapter_stays_within_two_and_a_half_gigabytes",
    "test_nothing_is_written_to_stderr",
    "test_pictures_carry_their_alt_text",
    "test_the_exact_cells_print_what_is_committed",
]


@pytest.fixture(scope="module", params=paths.chapters()[4:])
def chapter(request):
    return request.param
