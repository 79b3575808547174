"""Pictures beside one another."""

import numpy as np


def beside(*pictures):
    """Return the pixels of several pictures in a row, all of them at the top, on white."""
    rows = [np.asarray(picture) for picture in pictures]
    height = max(len(pixels) for pixels in rows)
    filled = [np.pad(p, ((0, height - len(p)), (0, 0), (0, 0)), constant_values=255) for p in rows]
    return np.hstack(filled)
