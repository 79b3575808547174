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

    def single(value) -> bool:
        """Whether these numbers are of float32, or were before they came."""
        numbers = np.asarray(getattr(value, "detach", lambda: value)())
        return bool((numbers.astype(np.float32) == numbers).all())

    def roughly(value) -> bool:
        return within(3e-6)(value) and not within(to)(value)

    return {
        "test": within(to),
        "says": "float64",
        "near": {
            "float32 came, or stood on the way: float64 was given and is to be kept":
                lambda value: roughly(value) and single(value),
            "right to about six digits only: float32 stood on the way, or a small number was added":
                lambda value: roughly(value) and not single(value),
        },
        "about": "float64 is kept",
        "edge": True,
    }  # fmt: skip
