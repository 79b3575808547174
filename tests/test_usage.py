"""What a call costs, and the limit on memory."""

import math
import sys

import pytest
import torch

from helpers.course.call_cost import usage


def hold(mb: int) -> torch.Tensor:
    return torch.ones(mb * 250_000)


def chain(x: torch.Tensor, steps: int) -> None:
    for _ in range(steps):
        x = x * 2  # the one before is freed: two live at one time


def test_the_memory_of_a_call_is_the_bytes_of_its_tensors():
    found = usage(hold, 20)
    assert found.mb == pytest.approx(20)
    assert found.seconds > 0
    assert not found.refused


def test_what_was_freed_is_not_held_and_arguments_do_not_count():
    assert usage(chain, torch.ones(250_000), 1).mb == pytest.approx(1)
    assert usage(chain, torch.ones(250_000), 9).mb == pytest.approx(2)


def test_views_and_changes_in_place_hold_nothing():
    x = torch.ones(1000, 1000)
    assert usage(lambda: x[10:].T.add_(1)).mb == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is Linux's")
def test_a_call_that_wants_more_than_the_limit_is_refused_and_the_limit_is_lifted_after():
    found = usage(hold, 1200, limit_mb=600)
    assert found.refused
    assert math.isnan(found.mb) and math.isnan(found.seconds)
    assert not usage(torch.empty, 300_000_000).refused


def test_a_call_within_the_limit_goes_through():
    assert not usage(hold, 50, limit_mb=400).refused


def test_another_error_is_not_taken_for_a_refusal():
    def fail():
        raise RuntimeError("shapes do not fit")

    with pytest.raises(RuntimeError, match="shapes"):
        usage(fail, limit_mb=400)
