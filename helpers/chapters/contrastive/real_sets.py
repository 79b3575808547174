"""Data sets that are to be downloaded, and so may or may not be at hand."""

from helpers import data


def at_hand(name: str):
    """Return a data set; None where it cannot be had, and one line that says why."""
    try:
        return data.load(name)
    except data.DataError as error:
        print(f"Left out: {error.problem}")
        return None
