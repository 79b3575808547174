"""Tests that the notebook on arrays shares."""

import numpy as np


def check_shape(array, shape):
    """Say what is wrong with the shape of an array."""
    if not isinstance(array, np.ndarray):
        raise ValueError("this is not an array")
    if array.shape != shape:
        raise ValueError(f"the shape is {array.shape}, it should be {shape}")


def check_reversed(function):
    """Try a function that turns arrays round."""
    for size in (1, 4, 9):
        np.testing.assert_array_equal(function(np.arange(size)), np.arange(size)[::-1])
