"""What checks ask of float64 that goes into a student's function: that it is computed with, and comes back."""

import numpy as np


def float64_kept(want, to: float = 1e-10) -> dict:
    """Return the arguments of `Case.holds` that ask for `want` as finely as float64 alone gives it.

    want: numbers, or arrays or tensors of them; to: how far away a number may be, relative and absolute.
    """
    exact = np.asarray(want, dtype=float)  # a plain float would be compared in float32

    def within(tolerance: float):
        def close(value) -> bool:
            detach = getattr(value, "detach", lambda: value)
            return np.allclose(detach(), exact, rtol=tolerance, atol=tolerance)

        return close

    return {
        "test": within(to),
        "says": "float64",
        "near": {"float32 came, or stood on the way: float64 was given and is to be kept": within(3e-6)},
        "about": "float64 is kept",
        "edge": True,
    }
