"""What a call costs, and the limit on memory."""

import math
import sys

import pytest
import torch

from helpers.usage import usage


def hold(mb: int, seconds: float = 0.05) -> None:
    import time

    block = torch.ones(mb * 250_000)  # written, so that it is resident
    time.sleep(seconds)
    del block


def test_the_memory_of_a_call_is_measured():
    found = usage(hold, 200)
    assert 150 < found.mb < 300
    assert 0.05 < found.seconds < 10
    assert not found.refused


def test_more_memory_takes_more():
    assert usage(hold, 400).mb > usage(hold, 100).mb + 150


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is Linux's")
def test_a_call_that_wants_more_than_the_limit_is_refused_and_the_limit_is_lifted_after():
    found = usage(hold, 600, limit_mb=300)
    assert found.refused
    assert math.isnan(found.mb) and math.isnan(found.seconds)
    assert not usage(hold, 600).refused


def test_a_call_within_the_limit_goes_through():
    assert not usage(hold, 50, limit_mb=400).refused


def test_another_error_is_not_taken_for_a_refusal():
    def fail():
        raise RuntimeError("shapes do not fit")

    with pytest.raises(RuntimeError, match="shapes"):
        usage(fail, limit_mb=100)
