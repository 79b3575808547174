"""Every chapter on a pretended GPU, where `make test` runs four of them."""

import pretended_gpu
import pytest

from autograder import paths


@pytest.mark.parametrize("chapter", paths.chapters())
def test_a_chapter_runs_on_a_gpu_from_top_to_bottom(chapter):
    assert pretended_gpu.failures_apart(chapter) == []
